#!/usr/bin/env python3
"""Random small models with a world, the same text for the same seed, that together use everything in section 5.

    world_models.py SEED [--tiny]        prints one model

Two models of three stay with what octagons can say: bounds on variables, their sums and differences, and actions that
move, swap, mirror and forget. The others also double values and relate three of them. Tiny models have ints with a few
values and errors of one, so that every value can be tried.
"""

import argparse
import random
from dataclasses import dataclass
from fractions import Fraction

from oracle import decimal


@dataclass(frozen=True)
class Drawn:
    text: str
    octagon: bool  # nothing in it is beyond octagons


def random_world(seed, tiny=False):
    draw = _Draw(random.Random(f"world {seed}"), _TINY if tiny else None)
    return Drawn(draw.text(), draw.octagon)


@dataclass(frozen=True)
class _Scale:
    """Numbers that go together, so that values, errors and steps meet."""

    ranges: tuple
    constants: tuple
    errors: tuple
    steps: tuple


_TINY = _Scale(((0, 3), (-1, 2), (0, 2)), (-1, 0, 1, 2, 3), ((-1, 1), (0, 1), (-1, 0)), (1, 2))
_SCALES = (
    _Scale(((0, 10), (0, 6), (-5, 5)), (-1, 0, 1, 2, 3, 5, 8), ((-1, 1), (-2, 1), (0, 1), (0, 0)), (1, 2, 3)),
    _Scale(((0, 400), (0, 100)), (-5, 0, 10, 20, 30, 90), ((-6, 6), (-5, 5), (-2, 0)), (10, 5)),
    _Scale(
        ((0, 3), ("-0.5", "2.5"), (0, 1)),
        ("-0.5", 0, "0.25", "0.5", 1, 2),
        (("-0.5", "0.5"), ("-0.25", 0), ("0.1", "0.3")),
        ("0.5", 1),
    ),
)


@dataclass
class _Number:
    name: str
    kind: str  # int or real
    low: Fraction | None
    high: Fraction | None
    error: tuple | None = None
    guard: str | None = None
    initial: Fraction | None = None  # own ones

    def is_own(self):
        return self.initial is not None


class _Draw:
    def __init__(self, rng, tiny):
        self.rng = rng
        self.tiny = tiny is not None
        self.scale = tiny or rng.choice(_SCALES)
        self.simple = self.chance(67)  # within octagons
        self.octagon = True
        self.numbers, self.own = [], []
        self.flags, self.own_flags = [], []
        self.enums = {}  # name -> members; the own one is `gear`
        self.actions = {}  # name -> condition
        self.careful = None  # (action, name, edge, threshold): a failure that rules try to avoid

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def beyond(self, percent):
        """Whether to use something that octagons cannot say."""
        chosen = not self.simple and self.chance(percent)
        self.octagon = self.octagon and not chosen
        return chosen

    def text(self):
        parts = [f"model W{self.rng.randrange(1000)}"] if self.chance(20) else []
        parts += self.context()
        self.let = f"let near = {self.atom(self.numbers)}" if self.chance(20) else None
        parts += [self.let] if self.let else []
        for word in ("constraint", "start"):
            parts += [f"{word} {self.constraint()}" for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2]))]
        for number in range(self.rng.choice([1, 2, 2, 3] if self.tiny else [1, 2, 3, 3, 4])):
            self.actions[f"act{number}"] = self.effect()
        if self.chance(45):
            self.actions["act0"] = self.approach()
        parts += [f"action {name}: {condition}" for name, condition in self.actions.items()]
        states, rules = self.adaptation()
        return "\n".join(parts + self.failures() + states + rules) + "\n"

    # Context

    def context(self):
        rng = self.rng
        if self.chance(25):
            self.flags = ["on", "lit"][: rng.choice([1, 1, 2])]
        if self.chance(20):
            self.enums["mode"] = ("slow", "fast", "still")[: rng.choice([2, 3])]
        source = "car." if self.chance(15) else ""
        for name in "xyzw"[: rng.choice([1, 1, 2] if self.tiny else [1, 2, 2, 3, 3, 4])]:
            self.numbers.append(self.sensed(source + name))
        if self.chance(75):
            self.own.append(self.step())
        if self.chance(20):
            self.own.append(_Number("n", "int", Fraction(0), Fraction(3), initial=Fraction(rng.choice([0, 1]))))
        if self.chance(10):
            self.own_flags = ["armed"]
        if self.chance(12):
            self.enums["gear"] = ("low", "high")
        lines = [f"sense {name} : bool{self.flag_guard(name)}" for name in self.flags]
        lines += [f"sense {n.name} : {self.type_of(n)}{self.clauses(n)}" for n in self.numbers]
        lines += [f"sense mode : {{{', '.join(self.enums['mode'])}}}"] if "mode" in self.enums else []
        lines += [f"var {n.name} : {self.type_of(n)} = {decimal(n.initial)}{self.clauses(n)}" for n in self.own]
        lines += [f"var {name} : bool = {rng.choice(['true', 'false'])}" for name in self.own_flags]
        lines += ["var gear : {low, high} = low"] if "gear" in self.enums else []
        return lines

    def sensed(self, name):
        rng = self.rng
        low, high = map(Fraction, rng.choice(self.scale.ranges))
        whole = low.denominator == high.denominator == 1
        kind = "int" if self.tiny or (whole and self.chance(25)) else "real"
        number = _Number(name, kind, low, high)
        if self.chance(65):
            number.error = self.error(kind)
        if self.flags and self.chance(40):
            number.guard = rng.choice(self.flags)
        return number

    def error(self, kind):
        low, high = map(Fraction, self.rng.choice(self.scale.errors))
        whole = low.denominator == high.denominator == 1
        return (low, high) if kind == "real" or whole else (Fraction(-1), Fraction(1))

    def step(self):
        """How far the application means to go; rules change it now and then, if it has a range."""
        kind = "int" if self.tiny or self.chance(20) else "real"
        steps = [s for s in map(Fraction, self.scale.steps) if kind == "real" or s.denominator == 1]
        bounds = (min(steps), max(steps)) if self.chance(25) and len(steps) > 1 else (None, None)
        error = self.error(kind) if self.chance(75) else None
        return _Number("unit", kind, *bounds, error=error, initial=self.rng.choice(steps))

    def type_of(self, number):
        return number.kind if number.low is None else f"{number.kind} {decimal(number.low)}..{decimal(number.high)}"

    def clauses(self, number):
        clauses = [f" if {number.guard}"] if number.guard else []
        if number.error:
            low, high = number.error
            spread = decimal((high - low) / 4)
            laws = [f" gauss {spread}", f" gauss {spread}", " uniform", " triangle", " table 1 4 0 1", ""]
            law = " uniform" if low == high else self.rng.choice(laws)
            clauses.append(f" error {decimal(low)}..{decimal(high)}{law}")
        return "".join(clauses)

    def flag_guard(self, name):
        return " if on" if name == "lit" and self.chance(50) else ""

    # Conditions

    def condition(self, depth, numbers, with_let=False):
        rng = self.rng
        if depth == 0 or self.chance(30):
            if with_let and self.let and self.chance(30):
                return "near"
            return self.atom(numbers)
        shape = rng.choice(["{} and {}"] * 4 + ["{} or {}"] * 2 + ["{} implies {}", "{} iff {}", "not {}", "not {}"])
        parts = [self.condition(depth - 1, numbers, with_let) for _ in range(shape.count("{}"))]
        return shape.format(*(f"({part})" if " " in part else part for part in parts))

    def atom(self, numbers):
        discrete = [*self.flags, *self.own_flags, *self.enums]
        if discrete and self.chance(30):
            return self.discrete_atom(self.rng.choice(discrete))
        return self.comparison(numbers)

    def discrete_atom(self, name, prime=""):
        members = self.enums.get(name)
        if members is None:
            return f"{name}{prime}"
        if self.chance(15):
            return f"{name}{prime} in {{{', '.join(self.rng.sample(members, 2))}}}"
        return f"{name}{prime} {self.rng.choice(['==', '==', '!='])} {self.rng.choice(members)}"

    def comparison(self, numbers):
        """Bounds on one number, on two, and beyond octagons."""
        rng = self.rng
        names = rng.sample([n.name for n in numbers], len(numbers))
        c = decimal(self.constant())
        op = rng.choice(["<", "<=", ">", ">="] * 4 + ["==", "!="])
        if len(names) > 2 and self.beyond(20):
            shape = rng.choice(["{x} + {y} - {z} {op} {c}", "{x} + {y} {op} {z}"])
            return shape.format(x=names[0], y=names[1], z=names[2], op=op, c=c)
        if len(names) > 1 and self.beyond(25):
            return rng.choice(["2 * {x} - {y} {op} {c}", "{x} {op} 2 * {y}"]).format(x=names[0], y=names[1], op=op, c=c)
        if len(names) > 1 and self.chance(35):
            shapes = ["{x} - {y} {op} {c}", "{x} + {y} {op} {c}", "{x} {op} {y}", "{x} {op} {y} + {c}"]
            return rng.choice(shapes).format(x=names[0], y=names[1], op=op, c=c)
        shapes = ["{x} {op} {c}"] * 8 + ["{c} {op} {x}", "-{x} {op} {c}", "2 * {x} {op} {c}"]
        return rng.choice(shapes).format(x=names[0], op=op, c=c)

    def constant(self):
        return Fraction(self.rng.choice(self.scale.constants))

    def constraint(self):
        """Mostly a weak one, so that there is something to start from."""
        first, second = self.atom(self.numbers), self.atom(self.numbers + self.own)
        return first if self.chance(30) else f"{first} or {second}" if self.chance(50) else f"{first} implies {second}"

    # The world

    def effect(self):
        """What an action does."""
        rng = self.rng
        shapes = [self.move, self.move, self.walk, self.walk, self.turn, self.turn, self.relation, self.choice, self.flip]
        if self.beyond(30):
            shapes = [self.far_move]
        parts = [rng.choice(shapes)()]
        own = [n for n in self.own if n.name == "n" or n.low is not None]
        if own and self.chance(15):
            chosen = rng.choice(own)
            parts.append(rng.choice(["{n}' == {n} + 1", "{n}' == 1", "{n}' == {n} - 1"]).format(n=chosen.name))
        if self.chance(10):
            parts.append(self.flip())
        if self.chance(10):
            parts.append(f"({self.atom(self.numbers)})")
        return " and ".join(parts)

    def some(self, count):
        """Names of as many sensed numbers, or of all there are."""
        return [n.name for n in self.rng.sample(self.numbers, min(count, len(self.numbers)))]

    def by(self):
        """How far something moves: what the application means to, or a constant."""
        units = [n.name for n in self.own if n.name == "unit"]
        return units[0] if units and self.chance(80) else decimal(abs(self.constant()) or Fraction(1))

    def move(self):
        (x,) = self.some(1)
        shapes = ["{x}' == {x} - {u}"] * 3 + ["{x}' == {x} + {u}", "{x}' == {c}", "{x}' == -{x}", "{x} == {x}' + {u}"]
        return self.rng.choice(shapes).format(x=x, u=self.by(), c=decimal(self.constant()))

    def walk(self):
        """Two numbers that share what is done."""
        x, *rest = self.some(2)
        if not rest:
            return self.move()
        shape = "{x}' == {x} - {u} and {y}' == {y} {sign} {u}"
        return shape.format(x=x, y=rest[0], u=self.by(), sign=self.rng.choice("+++-"))

    def turn(self):
        """A permutation of some of the numbers; a single one is left as it is."""
        names = self.some(self.rng.choice([2, 2, 3, 4]))
        to = names[1:] + names[:1]
        sign = ["-" if self.chance(8) else "" for _ in names]
        return " and ".join(f"{a}' == {s}{b}" for a, b, s in zip(names, to, sign))

    def relation(self):
        """Later values that are bounded, not given."""
        x, *rest = self.some(2)
        c = decimal(abs(self.constant()))
        one = ["{x}' >= {x}", "{x}' <= {x} + {c} and {x}' >= {x} - {u}", "{x}' > {x} - {u} and {x}' < {x}", "{x}' < {c}"]
        two = ["{x}' - {y}' == {x} - {y}", "{x}' + {y}' <= {c} and {x}' >= {x}", "{x}' >= {y}", "{x}' == {y} - {u}"]
        return self.rng.choice(one + two * bool(rest)).format(x=x, y=rest[0] if rest else "", c=c, u=self.by())

    def choice(self):
        """An effect that depends on something, or is one of two."""
        x, *rest = self.some(2)
        y = rest[0] if rest else x
        when = self.atom(self.numbers)
        shapes = [
            "(({when}) and {x}' == {x} - {u} or not ({when}) and {x}' == {x})",
            "({x}' == {y} or {x}' == {x} - {u})",
            "(({when}) implies {x}' == {y}) and (not ({when}) implies {x}' >= {x})",
        ]
        return self.rng.choice(shapes).format(x=x, y=y, when=when, u=self.by())

    def flip(self):
        """Flags and modes after the action."""
        discrete = [*self.flags, *self.own_flags, *self.enums]
        if not discrete:
            return self.move()
        name = self.rng.choice(discrete)
        if name in self.enums:
            return self.discrete_atom(name, "'")
        return self.rng.choice(["{x}'", "not {x}'", "({x}' iff not {x})", "({x}' iff {x})"]).format(x=name)

    def far_move(self):
        names = self.some(3)
        shapes = ["{x}' == 2 * {x}", "2 * {x}' == {x} + {u}"]
        if len(names) > 1:
            shapes += ["{x}' == {x} + {y}", "{x}' == {x} - {y} - {u}", "{x}' == {x} - {u} and {y}' == {y} + 2 * {u}"]
        if len(names) > 2:
            shapes += ["{x}' == {y} + {z} - {u}", "{x}' + {y}' + {z}' == {x} + {y} + {z} and {x}' == {x} and {y}' >= {y}"]
        return self.rng.choice(shapes).format(**dict(zip("xyz", names)), u=self.by())

    def approach(self):
        """A walk towards something; how careful rules must be is a matter of the errors."""
        rng = self.rng
        x, *rest = rng.sample(self.numbers, min(2, len(self.numbers)))
        step = next((n for n in self.own if n.name == "unit"), None)
        far, by = (step.initial, step.name) if step else (Fraction(self.scale.steps[0]), self.scale.steps[0])
        errors = [max(0, n.error[1]) for n in (x, step) if n and n.error]
        margin = rng.choice([Fraction(0), sum(errors, Fraction(0)), sum(errors, Fraction(0)) / 2, far])
        edge = self.constant()
        self.careful = ("act0", x.name, edge, edge + far + margin)
        also = rng.choice([f" and {rest[0].name}' == {rest[0].name} + {by}", "", ""]) if rest else ""
        return f"{x.name}' == {x.name} - {by}{also}"

    def failures(self):
        lines = []
        if self.careful:
            action, name, edge, _ = self.careful
            lines.append(f"failure crash: {name} {self.rng.choice(['<=', '<'])} {decimal(edge)} after {action}")
            if self.chance(60):
                return lines
        for number in range(self.rng.choice([1, 1, 1, 2])):
            cases = []
            for _ in range(self.rng.choice([1, 1, 2])):
                condition = self.condition(self.rng.choice([0, 0, 0, 1]), self.failing())
                cases.append(f"{condition} after {self.rng.choice(list(self.actions))}")
            lines.append(f"failure fail{number}: {', '.join(cases)}")
        return lines

    def failing(self):
        return self.numbers + (self.own if self.chance(15) else [])

    # Adaptation

    def adaptation(self):
        rng = self.rng
        names = ["A", "B", "C"][: rng.choice([1, 1, 2, 2, 3])]
        states = [f"state {name}{' initial' if name == 'A' else ''}" for name in names]
        rules = []
        for name in names:
            for _ in range(rng.choice([1, 2, 2, 3] if name == "A" else [0, 1, 1, 2])):
                others = [n for n in names if n != name]
                sources = [name, rng.choice(others)] if others and self.chance(10) else [name]
                rules.append(self.rule(f"r{len(rules)}", sources, names))
        return states, rules

    def rule(self, name, sources, states):
        rng = self.rng
        numbers = self.numbers + (self.own if self.chance(25) else [])
        when = self.condition(rng.choice([0, 0, 1, 1, 2]), numbers, with_let=True) if self.chance(95) else "true"
        does = [self.act() for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 2, 3]))]
        if self.careful and self.careful[0] in does and self.chance(75):
            far_enough = f"{self.careful[1]} {rng.choice(['>=', '>'])} {decimal(self.careful[3])}"
            when = far_enough if self.chance(60) else f"{far_enough} and ({when})"
        clauses = [f"when {when}"]
        if self.chance(45):
            clauses.append(f"priority {rng.randint(0, 2)}")
        if does:
            clauses.append(f"do {', '.join(does)}")
        return f"rule {name}: {', '.join(sources)} -> {rng.choice(states)} {' '.join(clauses)}"

    def act(self):
        if self.chance(4):
            return "beep"
        return self.assignment() if self.chance(15) else self.rng.choice(list(self.actions))

    def assignment(self):
        rng = self.rng
        numbers = self.numbers + self.own * 2
        name = rng.choice([n.name for n in numbers] + self.flags + self.own_flags * 2 + list(self.enums))
        if name in self.enums:
            return f"{name} := {rng.choice(self.enums[name])}"
        number = next((n for n in numbers if n.name == name), None)
        if number is None:
            return f"{name} := {rng.choice(['true', 'false'])}"
        values = [number.initial if number.is_own() else number.low]
        for value in map(Fraction, self.scale.constants):
            inside = number.low is None or number.low <= value <= number.high
            if inside and (number.kind == "real" or value.denominator == 1):
                values.append(value)
        return f"{name} := {decimal(rng.choice(values))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--tiny", action="store_true")
    arguments = parser.parse_args()
    print(random_world(arguments.seed, arguments.tiny).text, end="")


if __name__ == "__main__":
    main()
