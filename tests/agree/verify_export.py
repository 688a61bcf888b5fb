#!/usr/bin/env python3
"""What `poise verify --export` writes for other checkers, read by others: Z3 must agree with our verdicts.

    verify_export.py POISE [--models N] [--seed S] [MODEL...]

For each model and mode, the program z3 answers
  - the Horn clauses: sat where we say safe at every depth, unsat where we say unsafe;
  - the bounded question: sat for exactly as many hazards as we find;
  - the question of single paths: sat for those that we list, and for no others.
JANI is interpreted here, and on models with a known answer its probability compared with that. Models are the given
files, a few cars, and random ones.
"""

import argparse
import itertools
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jani

WORLD = """
sense disF : real 0..400 error -6..6 gauss 2
sense disB : real 0..400 error -6..6 gauss 2
sense disL : real 0..400 error -6..6 gauss 2
sense disR : real 0..400 error -6..6 gauss 2
var unit : real = 10 error -5..5 gauss 2.5
action walkF: disF' == disF - unit and disB' == disB + unit
action walkB: disF' == disF + unit and disB' == disB - unit
action turnL: disF' == disL and disL' == disB and disB' == disR and disR' == disF
action turnR: disF' == disR and disR' == disB and disB' == disL and disL' == disF
failure bump: disF <= 0 after walkF, disB <= 0 after walkB
state A initial
"""
CARS = {
    "one rule": WORLD + "rule r0: A -> A when disF >= 20 do walkF",
    "safe": WORLD + "rule r0: A -> A when disF >= 22 do walkF",
    "four rules": WORLD
    + """
state B, D, E
rule r0: A -> A when disF >= 20 do walkF
rule r1: A -> B when disF < 20 and disL >= 20 do turnL, walkF, turnL
rule r2: A -> D when disF < 20 and disL < 20 and disR >= 20 do turnR, walkF, turnR
rule r3: A -> E when disF < 20 and disL < 20 and disR < 20 do walkB
""",
    "odd names": """
sense let.x : real -1.5..3
sense let_x : int 0..9 if on
sense on : bool
sense S : {A, distinct, U}
sense who : set {ann, X}
var n : int = 1 error -1..1
action exists_: let.x' == let.x - 0.5 * n and S' == S
action F: let_x' == let_x - n and 2 * let.x' + let.x <= 1
failure assert: let.x < -1.5 after exists_, let_x == 0 and S != U after F
constraint S in {distinct, U} or who has X
state A initial
state G, ite
rule R: A -> G when let.x >= 0.5 or let_x > 3 do on := true, exists_
rule W: G -> ite when not (on iff who has ann) do F
rule X: ite -> A when S == U do exists_
""",
    "constraints": """
sense x : real 0..20 error -1..1 uniform
sense y : int 0..5
start x == 5
constraint x <= 7
constraint y < 4 or x < 6
action go: x' == x + 1
failure high: x > 8.5 after go
failure both: x >= 7 and y == 5 after go
state A initial
rule r: A -> A when true do go
""",
    "loose members": """
sense x : int 0..9
sense lit : bool
sense mode : {slow, fast, still}
action blink: not (lit' iff lit) and mode' != slow and x' == x
failure odd: mode != slow and mode != fast and mode != still or not lit and not (lit iff x < 10 and x > 10) after blink
state A initial
rule r: A -> A when true do blink
""",
}
BOUND = 3


def poise(program, model, *args):
    run = subprocess.run([program, "verify", *args, model], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"{model}: {' '.join(args)}: {run.stderr}")
    return run.stdout


def z3(text, seconds):
    run = subprocess.run(["z3", "-in", f"-T:{seconds}"], input=text, capture_output=True, text=True, check=False)
    answers = run.stdout.split()
    if any(answer not in ("sat", "unsat", "unknown", "timeout") for answer in answers):
        raise RuntimeError(f"z3: {run.stdout}")
    return answers


class Comparison:
    def __init__(self, program, seconds):
        self.program = program
        self.seconds = seconds
        self.wrong = []
        self.asked = {"safe": 0, "unsafe": 0, "sat": 0, "unsat": 0, "given up": 0}

    def check(self, what, ours, theirs):
        if theirs in ("unknown", "timeout") or ours is None:
            self.asked["given up"] += 1
            return
        self.asked[theirs] += 1
        if ours != theirs:
            self.wrong.append(f"{what}: we say {ours}, z3 {theirs}")

    def compare(self, name, model, mode):
        flags = ["--as-printed"] if mode == "as-printed" else ["--mode", mode]
        what = f"{name}, {mode}"
        whole = json.loads(poise(self.program, model, *flags, "--format", "json", "--time-limit", "10s"))
        verdict = {"safe": "sat", "unsafe": "unsat", "unknown": None}[whole["verdict"]]
        self.asked["safe"] += verdict == "sat"
        self.asked["unsafe"] += verdict == "unsat"
        answer = z3(poise(self.program, model, *flags, "--export", "horn"), self.seconds)
        self.check(f"{what}: horn", verdict, answer[0])
        bounded = json.loads(
            poise(self.program, model, *flags, "--bound", str(BOUND), "--paths", "all", "--format", "json")
        )
        text = poise(self.program, model, *flags, "--export", "smt2", "--bound", str(BOUND))
        self.compare_hazards(what, text, bounded)
        failing = {tuple(example["path"]) for example in bounded["counterexamples"]}
        self.compare_paths(what, model, flags, failing)

    def compare_hazards(self, what, text, bounded):
        """An action that a rule does twice is two hazards with the same name."""
        asked = re.findall(r"^; (\S+) after (.*) of (\S+) in (\S+)\n\(push 1\)", text, re.MULTILINE)
        answers = z3(text, self.seconds)
        if not bounded["complete"] or not set(answers) <= {"sat", "unsat"}:
            self.asked["given up"] += 1
            return
        theirs = sorted(hazard for hazard, answer in zip(asked, answers, strict=True) if answer == "sat")
        ours = sorted((one["failure"], one["action"], one["rule"], one["state"]) for one in bounded["hazards"])
        if ours != theirs:
            self.wrong.append(f"{what}: we say {ours}, z3 {theirs}")

    def compare_paths(self, what, model, flags, failing):
        """Of the paths that are listed and of those that begin like them, a few."""
        rules = sorted({rule for path in failing for rule in path})
        others = {path[:-1] + (rule,) for path in failing for rule in rules} - failing
        for path in itertools.chain(sorted(failing)[:3], sorted(others)[:3]):
            text = poise_or_none(self.program, model, *flags, "--export", "smt2", "--path", ",".join(path))
            if text is not None:
                answer = z3(text, self.seconds)
                self.check(f"{what}: path {path}", "sat" if path in failing else "unsat", answer[0])


def poise_or_none(program, model, *args):
    """None where the rules do not follow each other."""
    try:
        return poise(program, model, *args)
    except RuntimeError as error:
        if "does not leave state" not in str(error):
            raise
        return None


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def tail(low, high, deviation, least):
    """That a Gauss error, cut to low..high, is at least `least`."""
    whole = normal(high / deviation) - normal(low / deviation)
    from_least = max(low, min(high, least))
    return (normal(high / deviation) - normal(from_least / deviation)) / whole


def check_jani(program, folder, wrong):
    """One step of a car towards a wall, whose distance the adversary chooses."""
    for step in ("1", "0.5", "0.25"):
        model = Path(folder) / "one_step.poise"
        model.write_text(
            """
            sense front : real 0..40 error -6..6 gauss 2
            var unit : real = 10 error -5..5 gauss 2.5
            action walk: front' == front - unit
            failure bump: front <= 0 after walk
            state A initial
            state B
            rule go: A -> B when front >= 12 do walk
            rule stay: A -> B when front < 12
            """,
            encoding="utf-8",
        )
        text = poise(program, str(model), "--export", "jani", "--step", step)
        network = jani.Network(json.loads(text))
        found = network.greatest_probability("bump")
        exact = max(
            tail(-6, 6, 2, 12 - x / 100) * tail(-5, 5, 2.5, x / 100 - 10) for x in range(500, 1600)
        )
        # A value on the edge of a condition stands for half a step beyond it.
        if not 0 <= found - exact < 0.07 * float(step):
            wrong.append(f"jani with steps of {step}: {found}, but it is {exact}")


def check_jani_constraint(program, folder, wrong):
    """A third of all steps fails, a third leads out of the constraint, and a third stays: a half fails in the end."""
    model = Path(folder) / "constraint.poise"
    model.write_text(
        """
        sense x : int 0..10
        var unit : int = 1 error -1..1 uniform
        start x == 5
        constraint x >= 5
        action walk: x' == x - unit
        failure low: x <= 3 after walk
        state A initial
        rule go: A -> A when true do walk
        """,
        encoding="utf-8",
    )
    network = jani.Network(json.loads(poise(program, str(model), "--export", "jani")))
    found = network.greatest_probability("low")
    if abs(found - 0.5) > 1e-6:
        wrong.append(f"jani with a constraint: {found}, but it is 0.5")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--models", type=int, default=10, help="random ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=20, help="for each question to z3")
    args = parser.parse_intermixed_args()
    comparison = Comparison(args.program, args.seconds)
    modes = ("naive", "ideal", "actual")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in CARS.items():
            model = Path(folder) / "model.poise"
            model.write_text(text, encoding="utf-8")
            for mode in (*modes, "as-printed"):
                comparison.compare(name, str(model), mode)
        for file in args.files:
            for mode in modes:
                comparison.compare(file, file, mode)
        if args.models > 0:
            from world_models import random_world  # pylint: disable=import-outside-toplevel

            for seed in range(args.seed, args.seed + args.models):
                model = Path(folder) / "model.poise"
                model.write_text(random_world(seed).text, encoding="utf-8")
                comparison.compare(f"seed {seed}", str(model), modes[seed % 3])
        check_jani(args.program, folder, comparison.wrong)
        check_jani_constraint(args.program, folder, comparison.wrong)
    for line in comparison.wrong:
        print(line)
    print(", ".join(f"{count} {what}" for what, count in comparison.asked.items()))
    sys.exit(1 if comparison.wrong else 0)


if __name__ == "__main__":
    main()
