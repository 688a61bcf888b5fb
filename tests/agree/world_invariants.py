#!/usr/bin/python3
"""Invariants and certificates of `poise verify`, judged by Z3 without the program.

    world_invariants.py POISE [--models N] [--seed S] [--tiny] [--engine E,...] [--mode M,...] [FILE...]

Of every model that is safe at every depth, each `holds` is read by our own reader, and Z3 is asked, by the encoding of
world_oracle.py, whether it is inductive as it is printed: it holds at the start, where it holds nothing fails, and every
rule leads from one to the next. Then the program writes a certificate and has to confirm it; and it has to say of
certificates that were tampered with what Z3 says: conditions with a bound dropped or moved are refused just where they
are not inductive any more, and other claims or another text always.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import z3

from reader import read_expression, read_model
from world_models import random_world
from world_modes import MODES, acts_of
from world_oracle import Explorer

LONGEST = 120  # seconds for a run of the program
TAMPERED = 4  # conditions that are changed, of each certificate
LIES = 2  # and other claims

# What random models have not: sets, keywords as members, nested guards, several cases, constants, relations of members.
MODELS = {
    "amb": """
sense x : real 0..10
sense y : real 0..10
action grow: x' >= x and y' == y
action keep: x' == x and y' == y
failure f: x < 0 after keep
state A initial
state B
rule r: A -> B when true do grow
rule s: B -> B when true do keep
""",
    "members": """
sense bag : set {key, lamp}
sense phase : {low, middle, high}
sense x : real 0..9 error -1..1
var gear : {low, high} = low
var unit : real = 2.5 error -0.5..0.5
action a: (bag' has key iff bag has key) and phase' != low and x' == x - unit
action b: phase' == phase and x' <= x + 1 and x' >= x and (bag' has lamp iff phase == high)
failure f: bag has key and gear == high after a, phase == low after a, x < 0 after a
constraint not bag has key
state A initial
state B, C
rule r: A -> B when x > 4 and not bag has key do a
rule s: B -> A when phase in {middle, high} do b, gear := low
rule t: B -> B when x > 5 and bag has lamp do b
""",
    "guards": """
sense on : bool
sense lit : bool if on
sense x : real 0..10 if lit error -1..1
sense y : real 0..10 if on
action keep: (on' iff on) and (lit' iff lit) and (lit implies x' == x) and (on implies y' == y)
action dim: (on' iff on) and (lit implies lit' and x' >= x - 1 and x' <= x) and (on implies y' == y)
action off: not on'
failure f: x > 10 or x < 0 after keep, x > 10 after dim, x - y > 10 after keep
state A initial
state B, C
rule r: A -> A when x > 2 do dim
rule s: A -> B when not lit do on := true, keep
rule t: A -> C when not on do lit := true, keep
rule u: B -> A when lit do off, keep
rule v: C -> A when true do on := true, lit := true, keep
""",
    "constrained": """
sense x : real 0..20
sense y : real 0..20
action down: x' == x - 5 and y' == y
action up: x' <= x + 2 and x' >= x and y' == y - 1
failure low: x < 0 after down, y < -2 after up
constraint x >= 5
constraint y >= 0 or x > 30
start x < 12 and y > 3
state A initial
state B
rule r: A -> B when y > 0.5 do down
rule s: B -> A when true do up
""",
    "thirds": """
sense x : real 0..1
sense y : real 0..1
action a: 3 * x' == x and y' == y
action b: x' == x and 3 * y' == x + y
failure f: x > 1 after a, y > 1 after b
state A initial
state B
rule r: A -> B when x + y > 0.1 do a
rule s: B -> A when true do b
""",
}


class Induction(Explorer):
    """Whether conditions, one for each state, are inductive; None stands for a state that is never reached."""

    def __init__(self, model, mode, holds):
        super().__init__(model, mode, 1)
        self.holds = {state: text and read_expression(text, model) for state, text in holds.items()}

    def objection(self):
        """The first thing that is not so, or None."""
        self.solver.push()
        actual, _ = self.start()
        if self.is_possible(z3.Not(self.invariant(self.model.initial, actual))):
            return "it need not hold at the start"
        self.solver.pop()
        for rule in self.model.rules:
            self.solver.push()
            why = self.objection_of(rule)
            if why:
                return f"{rule.name} in {rule.state}: {why}"
            self.solver.pop()
        return None

    def objection_of(self, rule):
        actual = {name: self.any_value(name) for name in self.model.variables}
        self.solver.add(self.invariant(rule.state, actual))
        sensed = self.sensed(actual)
        self.possible_before_a_step(actual, sensed)
        self.fire(rule, sensed)
        for kind, name, *value in acts_of(self.model, rule):
            if kind == "set":
                actual, sensed = self.assigned(actual, sensed, name, *value)
                continue
            actual, sensed, _ = self.acted(self.model.world[name], actual, sensed)
            for failure, condition in self.cases(name, actual):
                if self.is_possible(condition):
                    return f"{failure} may happen"
        if self.is_possible(z3.Not(self.invariant(rule.target, actual))):
            return f"what is said of {rule.target} need not hold"
        return None

    def invariant(self, state, actual):
        tree = self.holds[state]
        return z3.BoolVal(False) if tree is None else self.condition(tree, self.reader(actual))


class Judge:
    def __init__(self, poise, folder, seed):
        self.poise, self.folder = poise, Path(folder)
        self.rng = random.Random(seed)
        self.counts = collections.Counter()
        self.wrong = []

    def run(self, *words):
        return subprocess.run(
            [self.poise, "verify", *map(str, words)], capture_output=True, text=True, timeout=LONGEST, check=False
        )

    def judge(self, label, text, mode, engine):
        path, certificate = self.folder / "model.poise", self.folder / "certificate.json"
        path.write_text(text, encoding="utf-8")
        certificate.unlink(missing_ok=True)
        flags = [*MODES[mode].flags, "--engine", engine, "--no-odds", "--time-limit", "5s", "--format", "json"]
        run = self.run(path, *flags, "--certificate", certificate)
        if run.returncode not in (0, 1, 3):
            self.wrong.append(f"{label}: exit status {run.returncode}: {run.stderr}")
            return
        report = json.loads(run.stdout)
        self.counts[report["verdict"]] += 1
        if report["verdict"] != "safe":
            if certificate.exists():
                self.wrong.append(f"{label}: a certificate for what is {report['verdict']}")
            return
        model = read_model(text)
        holds = {one["state"]: one["holds"] for one in report["invariants"]}
        if any(whole != (" or ".join(one["cases"]) if one["cases"] else None) and whole != "true"
               for one in report["invariants"] for whole in [one["holds"]]):
            self.wrong.append(f"{label}: `holds` is not its cases")
        why = Induction(model, MODES[mode], holds).objection()
        if why:
            self.wrong.append(f"{label}: not inductive: {why}: {holds}")
        if not certificate.exists():
            self.wrong.append(f"{label}: no certificate: {run.stderr}")
            return
        self.expect(label, certificate, 0)
        self.expect(label, certificate, 0, path)
        self.tamper(label, model, mode, json.loads(certificate.read_text(encoding="utf-8")))

    def expect(self, label, certificate, status, *more):
        run = self.run("--check", certificate, *more)
        if run.returncode != status:
            self.wrong.append(f"{label}: checked with {run.returncode}, not {status}: {run.stderr}{run.stdout}")

    def tamper(self, label, model, mode, good):
        for changed in self.rng.sample(list(self.lies(good)), LIES):
            self.written(changed)
            self.counts["lies"] += 1
            self.expect(f"{label}, a lie", self.folder / "tampered.json", 2)
        for _ in range(TAMPERED):
            changed = self.moved(good)
            if changed is None:
                return
            self.written(changed)
            holds = {one["state"]: one["holds"] for one in changed["invariants"]}
            inductive = Induction(model, MODES[mode], holds).objection() is None
            self.counts["still inductive" if inductive else "refused"] += 1
            self.expect(f"{label}, tampered: {holds}", self.folder / "tampered.json", 0 if inductive else 1)

    def written(self, certificate):
        (self.folder / "tampered.json").write_text(json.dumps(certificate), encoding="utf-8")

    def lies(self, good):
        """What the certificate says about its model, changed."""
        yield {**good, "failures": good["failures"][1:]}
        yield {**good, "failures": [*good["failures"], "another"]}
        yield {**good, "errors": [*good["errors"], {"variable": "another", "low": 0, "high": 0}]}
        yield {**good, "text": good["text"] + " "}
        yield {**good, "text": good["text"].replace("state", "# state", 1)}
        yield {**good, "claim": "no failure, after at most 3 steps"}
        yield {**good, "invariants": good["invariants"][1:]}
        yield {key: value for key, value in good.items() if key != "sha256"}

    def moved(self, good):
        """A condition with a bound dropped or moved, or a state that is never reached."""
        states = [dict(one) for one in good["invariants"]]
        said = [one for one in states if one["holds"] not in (None, "true")]
        if not said:
            return None
        one = self.rng.choice(said)
        numbers = list(re.finditer(r"(?<![\w.])-?\d+(\.\d+)?", one["holds"]))
        conjuncts = one["holds"].split(" and ")
        way = self.rng.randrange(4)
        if way == 0 and numbers:
            found = self.rng.choice(numbers)
            by = self.rng.choice(["-0.5", "0.5", "-1", "1", "-3", "100"])
            number = f"{float(found.group()) + float(by):g}"
            one["holds"] = one["holds"][: found.start()] + number + one["holds"][found.end() :]
        elif way == 1 and len(conjuncts) > 1 and "(" not in one["holds"] and " or " not in one["holds"]:
            conjuncts.pop(self.rng.randrange(len(conjuncts)))
            one["holds"] = " and ".join(conjuncts)
        elif way == 2:
            one["holds"] = None
        else:
            one["holds"] = "true"
        return {**good, "invariants": states}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--models", type=int, default=20, help="random ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--engine", default="auto,smt")
    parser.add_argument("--mode", default="naive,ideal,actual")
    arguments = parser.parse_intermixed_args()
    sys.setrecursionlimit(100_000)  # a disjunction of many cases
    texts = [] if arguments.tiny else list(MODELS.items())
    texts += [(file, Path(file).read_text(encoding="utf-8")) for file in arguments.files]
    for seed in range(arguments.seed, arguments.seed + arguments.models):
        texts.append((f"seed {seed}", random_world(seed, arguments.tiny).text))
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(arguments.poise, folder, arguments.seed)
        for label, text in texts:
            for mode in arguments.mode.split(","):
                for engine in arguments.engine.split(","):
                    judge.judge(f"{label}, {mode}, {engine}", text, mode, engine)
    for line in judge.wrong:
        print(line)
    print(", ".join(f"{count} {what}" for what, count in sorted(judge.counts.items())))
    if not judge.wrong and (judge.counts["safe"] == 0 or judge.counts["refused"] == 0):
        print("nothing was safe, or nothing was refused: the test tests nothing")
        sys.exit(1)
    sys.exit(1 if judge.wrong else 0)


if __name__ == "__main__":
    main()
