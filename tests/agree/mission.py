"""`poise verify --mission N` against plain value iteration, on random models.

Whole numbers: all values are listed, so value iteration is exact, and must lie between `low` and `high`. Real numbers: a
fine grid with straight lines in between, errors in many small parts, and again with a grid twice as fine: what that
changes, times two, is how far the finer one may be off. Then closed forms: one step of a walker, and numbers that decide
nothing. Nothing here is shared with the program: laws and rules are read from the descriptions that the models are printed
from.

    mission.py PROGRAM [--models N] [--seed S]
"""

import argparse
import functools
import json
import math
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

NEAR = 0.05
ROUNDING = 1e-6


@dataclass(frozen=True)
class Error:
    """Of a real number, or of a whole one: then the law is uniform or a table with a weight for each error."""

    low: float
    high: float
    law: str
    weights: tuple = ()
    deviation: float = 1

    def text(self):
        words = {"gauss": f"gauss {self.deviation}", "table": "table " + " ".join(map(str, self.weights))}
        return f"error {self.low}..{self.high} {words.get(self.law, self.law)}"

    def mass_below(self, at):
        """P(error <= at) of a real error."""
        at = min(max(at, self.low), self.high)
        width = self.high - self.low
        if self.law == "uniform":
            return (at - self.low) / width
        if self.law == "gauss":
            return (self._normal(at) - self._normal(self.low)) / (self._normal(self.high) - self._normal(self.low))
        if self.law == "triangle":
            top = min(max(0, self.low), self.high)
            if at <= top:
                return 0 if top == self.low else (at - self.low) ** 2 / (width * (top - self.low))
            return 1 - (self.high - at) ** 2 / (width * (self.high - top))
        parts = (at - self.low) / width * len(self.weights)
        whole = min(int(parts), len(self.weights) - 1)
        return (sum(self.weights[:whole]) + self.weights[whole] * (parts - whole)) / sum(self.weights)

    def _normal(self, at):
        return math.erf(at / self.deviation / math.sqrt(2)) / 2

    def parts(self, count, most=math.inf):
        """Pairs of an error and its probability, in so many parts of the range below `most`."""
        high = min(self.high, most)
        if high <= self.low:
            return []
        ends = [self.low + (high - self.low) * i / count for i in range(count + 1)]
        return [((a + b) / 2, self.mass_below(b) - self.mass_below(a)) for a, b in zip(ends, ends[1:])]

    def wholes(self):
        errors = range(self.low, self.high + 1)
        weights = self.weights or (1,) * len(errors)
        return [(error, weight / sum(weights)) for error, weight in zip(errors, weights)]


def drawn_error(rng, middle, most, law=None):
    law = law or rng.choice(["uniform", "gauss", "triangle", "table"])
    low = -rng.randint(1, most) + middle
    high = rng.randint(1, most) + middle
    weights = tuple(rng.randint(1, 4) for _ in range(rng.randint(2, 5))) if law == "table" else ()
    return Error(low, high, law, weights, rng.choice([1, 2]))


# ------------------------------------------------------------------------------------------------------ whole numbers


@dataclass
class WholeModel:
    """Two numbers, a switch that is sensed and a gear that is set. Rules in order of priority, or of the same one."""

    size: int
    sensing: tuple  # an error for x and one for y
    unit: int
    doing: Error
    rules: list = field(default_factory=list)  # (guard on x, on y, on the switch, gear, action, gear after it)
    equal: bool = False  # all rules have the same priority
    crash: int = 0

    ACTIONS = {
        "walk": "x' == x - u and y' == y",
        "swap": "x' == y and y' == x",
        "drift": "x' >= x - 1 and x' <= x + 1 and y' == y",
        "rest": "x' == x and (on implies y' == y + 1) and (not on implies y' == y)",
    }

    def text(self):
        lines = ["model W"]
        lines += [f"sense {n} : int 0..{self.size} {e.text()}" for n, e in zip("xy", self.sensing)]
        lines += ["sense on : bool", f"var u : int 0..9 = {self.unit} {self.doing.text()}", "var gear : int 0..1 = 0"]
        lines += [f"action {name}: {what}" for name, what in self.ACTIONS.items()]
        lines += [f"failure f: x <= {self.crash} after walk", f"failure g: y >= {self.size + 1} after rest"]
        lines += ["state A initial"]
        for i, (x, y, on, gear, action, then) in enumerate(self.rules):
            guard = [f"x {x[0]} {x[1]}", f"y {y[0]} {y[1]}"] + ([f"gear == {gear}"] if gear is not None else [])
            guard += {True: ["on"], False: ["not on"], None: []}[on]
            priority = "" if self.equal else f" priority {i}"
            lines += [f"rule r{i}: A -> A{priority} when {' and '.join(guard)} do {action}, gear := {then}"]
        return "\n".join(lines) + "\n"

    def value(self, decisions):
        holds = {">=": lambda a, b: a >= b, "<": lambda a, b: a < b}

        def readings(x, y):
            for ex, px in self.sensing[0].wholes():
                for ey, py in self.sensing[1].wholes():
                    yield x + ex, y + ey, px * py

        @functools.lru_cache(None)
        def best(left, x, y, on, gear):
            if left == 0:
                return 0.0
            total = 0.0
            for sx, sy, probability in readings(x, y):
                satisfied = [
                    (action, then)
                    for (gx, gy, g_on, g_gear, action, then) in self.rules
                    if holds[gx[0]](sx, gx[1])
                    and holds[gy[0]](sy, gy[1])
                    and g_on in (None, on)
                    and g_gear in (None, gear)
                ]
                if not satisfied:
                    total += probability * best(left - 1, x, y, on, gear)
                    continue
                choices = satisfied if self.equal else satisfied[:1]
                total += probability * max(after(left - 1, x, y, on, action, then) for action, then in choices)
            return total

        def go_on(left, x, y, gear):
            return max(best(left, x, y, on, gear) for on in (False, True))

        @functools.lru_cache(None)
        def after(left, x, y, on, action, gear):
            if action == "walk":
                return sum(
                    p * (1.0 if x - self.unit - e <= self.crash else go_on(left, x - self.unit - e, y, gear))
                    for e, p in self.doing.wholes()
                )
            if action == "swap":
                return go_on(left, y, x, gear)
            if action == "drift":
                return max(go_on(left, z, y, gear) for z in (x - 1, x, x + 1))
            later = y + 1 if on else y
            return 1.0 if later >= self.size + 1 else go_on(left, x, later, gear)

        everything = range(self.size + 1)
        return max(best(decisions, x, y, on, 0) for x in everything for y in everything for on in (False, True))


def whole_model(rng):
    size = rng.randint(5, 8)
    laws = ["uniform", "table"]

    def error(most):
        low, high = -rng.randint(0, most), rng.randint(0, most)
        law = rng.choice(laws)
        weights = tuple(rng.randint(1, 5) for _ in range(high - low + 1)) if law == "table" else ()
        return Error(low, high, law, weights)

    model = WholeModel(size, (error(2), error(1)), rng.randint(1, 3), error(1), equal=rng.random() < 0.5)

    def guard():
        return (rng.choice([">=", "<"]), rng.randint(1, size))

    for _ in range(rng.randint(1, 3)):
        action = rng.choice(list(WholeModel.ACTIONS))
        gear = rng.choice([None, None, 0, 1])
        model.rules.append((guard(), guard(), rng.choice([None, True, False]), gear, action, rng.randint(0, 1)))
    model.rules.append(((">=", rng.randint(2, 5)), (">=", 0), None, None, "walk", rng.randint(0, 1)))
    return model


# ------------------------------------------------------------------------------------------------------- real numbers


@dataclass
class Walker:
    """Walks ahead if there seems to be room, else maybe back; then what is in front may move by itself."""

    size: float
    sensing: Error
    unit: float
    doing: Error
    guard: float
    drift: float = 0
    back: float = None

    def text(self):
        then = ", drift" if self.drift else ""
        lines = [
            "model R",
            f"sense x : real 0..{self.size} {self.sensing.text()}",
            f"var u : real = {self.unit} {self.doing.text()}",
            "action walk: x' == x - u",
            "action back: x' == x + u",
            f"action drift: x' >= x - {self.drift} and x' <= x + {self.drift}",
            "failure f: x <= 0 after walk",
            "state A initial",
            f"rule r: A -> A when x >= {self.guard} do walk{then}",
        ]
        if self.back is not None:
            lines += [f"rule b: A -> A when x < {self.guard} and x < {self.back} do back"]
        return "\n".join(lines) + "\n"

    def value(self, decisions, width):
        """Value iteration on a grid of this width."""
        low = -2 * width
        high = self.size + decisions * (self.unit + self.doing.high + self.drift) + 1
        count = int((high - low) / width) + 2
        grid = [low + width * i for i in range(count)]
        errors = self.doing.parts(64)

        def at(values, x):
            place = (x - low) / width
            i = min(max(int(place), 0), count - 2)
            share = min(max(place - i, 0.0), 1.0)
            return values[i] * (1 - share) + values[i + 1] * share

        ahead = [1 - self.sensing.mass_below(self.guard - x) for x in grid]
        limit = min(self.guard, self.back) if self.back is not None else None
        behind = [self.sensing.mass_below(limit - x) if limit is not None else 0 for x in grid]
        values = [0.0] * count
        for _ in range(decisions):
            moved = values
            if self.drift:
                share = self.drift / width
                moved = [
                    max(
                        max(values[max(i - int(share), 0) : i + int(share) + 1]),
                        at(values, grid[i] - self.drift),
                        at(values, grid[i] + self.drift),
                    )
                    for i in range(count)
                ]
            later = []
            for i, x in enumerate(grid):
                value = (1 - ahead[i] - behind[i]) * values[i]
                if ahead[i] > 0:
                    fails = 1 - self.doing.mass_below(x - self.unit)
                    some = errors if fails == 0 else self.doing.parts(64, x - self.unit)
                    goes_on = sum(p * at(moved, x - self.unit - e) for e, p in some)
                    value += ahead[i] * (fails + goes_on)
                if behind[i] > 0:
                    value += behind[i] * sum(p * at(values, x + self.unit + e) for e, p in errors)
                later.append(value)
            values = later
        return max(at(values, x) for x in grid if 0 <= x <= self.size)


def walker(rng):
    unit = rng.randint(4, 10)
    sensing = drawn_error(rng, 0, 6)
    doing = drawn_error(rng, 0, min(4, unit - 1))
    most_safe = unit + doing.high + sensing.high
    return Walker(
        size=rng.choice([30, 60]),
        sensing=sensing,
        unit=unit,
        doing=doing,
        guard=max(1, most_safe - rng.randint(0, most_safe)),
        drift=rng.choice([0, 0, 1, 2]),
        back=rng.choice([None, None, 3, 8]),
    )


# ---------------------------------------------------------------------------------------------------------- the program


def mission_of(program, text, decisions, folder):
    path = Path(folder) / "model.poise"
    path.write_text(text, encoding="utf-8")
    call = [program, "verify", "--no-odds", "--mission", str(decisions), "--format", "json", str(path)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{done.stderr}\n{text}")
    report = json.loads(done.stdout)
    mission = report["mission"]
    if mission is None:
        sys.exit(f"no mission: {report['mission_reason']}\n{text}")
    for hazard in report["hazards"]:
        one = hazard["mission"]
        if not 0 <= one["low"] <= one["high"] <= mission["high"] * (1 + ROUNDING) or one["low"] > mission["low"] * (1 + ROUNDING):
            sys.exit(f"a hazard is likelier than any failure: {report['hazards']}\n{text}")
    return mission["low"], mission["high"]


def compare(name, text, decisions, bounds, truth, off):
    low, high = bounds
    if not low - off - ROUNDING <= truth <= high + off + ROUNDING:
        sys.exit(f"{name}, {decisions} decisions: {truth} ± {off} is not between {low} and {high}\n{text}")
    if high - low > NEAR:
        sys.exit(f"{name}, {decisions} decisions: {low} and {high} are too far apart\n{text}")


def closed_forms(program, folder):
    """A walker with uniform errors: the best start is where room to be sensed and room to fail balance."""
    text = """model W
sense x : real 0..{size} error -6..6 uniform
sense y : real 0..100 error -1..1 gauss 1
var u : real = 10 error -5..5 uniform
action walk: x' == x - u and y' == y + u
failure f: x <= 0 after walk
state A initial
rule r: A -> A when x >= {guard} do walk
"""
    for size in (30, 100, 1000):
        for guard in (20.9, 20, 19):
            # P(sensed) = (x + 6 - guard) / 12, P(fails) = (15 - x) / 10
            truth = ((21 - guard) / 2) ** 2 / 120
            model = text.format(size=size, guard=guard)
            low, high = mission_of(program, model, 1, folder)
            if not low <= truth * (1 + ROUNDING) or not truth <= high * (1 + ROUNDING) or high > 1.1 * truth:
                sys.exit(f"closed form {truth}: {low} .. {high}\n{model}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        closed_forms(options.program, folder)
        for seed in range(options.seed, options.seed + options.models):
            rng = random.Random(seed)
            decisions = rng.choice([1, 2, 3, 5])
            model = whole_model(rng)
            bounds = mission_of(options.program, model.text(), decisions, folder)
            compare(f"whole {seed}", model.text(), decisions, bounds, model.value(decisions), 0)
            decisions = rng.choice([1, 2, 4, 10])
            model = walker(rng)
            bounds = mission_of(options.program, model.text(), decisions, folder)
            rough, fine = model.value(decisions, 0.2), model.value(decisions, 0.1)
            compare(f"real {seed}", model.text(), decisions, bounds, fine, 2 * abs(fine - rough) + 1e-3)
    print(f"{options.models} models with whole and {options.models} with real numbers agree with value iteration")


if __name__ == "__main__":
    main()
