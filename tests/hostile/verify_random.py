#!/usr/bin/env python3
"""Random small models for `poise verify`, among them those that nobody would write: nothing sensed, nothing that changes,
no actions, ranges of a single value, errors of no width, huge numbers, guards that never hold. Whatever the model, the
engine, the mode and the bound, the program ends by itself, soon after its limits, with a status of 0 to 3; engines that
know an answer agree; hazards are in order, and a first step that is said to be exact is one.

    POISE=build/release/bin/poise verify_random.py [--models 100] [--seed 1] [--keep FOLDER]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

LIMIT = 2  # seconds, for a call of poise
# A busy machine takes longer, so what counts is the time of the processor.
MOST_SECONDS = LIMIT * 1.1 + 1
KILL_AFTER = 120

NUMBERS = ["0", "1", "-1", "2", "5", "0.5", "-0.25", "10", "0.001", "1000000", "123456789.123", "-99999999999"]
LAWS = ["", " uniform", " triangle", " gauss 1", " gauss 0.1", " table 1 2 1", " table 1"]


class Maker:
    """The text of one model."""

    def __init__(self, seed):
        self.rng = random.Random(f"verify {seed}")
        self.numbers = []  # names
        self.sensed = []  # names of numbers
        self.booleans = []
        self.enums = []
        self.lines = []

    def some(self, *of):
        return self.rng.choice(of)

    def chance(self, share):
        return self.rng.random() < share

    def number(self):
        return self.rng.choice(NUMBERS[: self.rng.choice((5, 8, len(NUMBERS)))])

    def interval(self):
        low, high = sorted((self.number(), self.number()), key=float)
        return f"{low}..{low if self.chance(0.15) else high}"

    def error(self):
        if self.chance(0.5):
            return ""
        return f" error {self.some('-1..1', '0..0', '-6..6', '0..2', '-2..-1', '1..1', '-0.5..0.25')}{self.rng.choice(LAWS)}"

    def declarations(self):
        kinds = self.rng.choice(("any", "any", "none sensed", "members only", "nothing"))
        if kinds == "nothing":
            return
        for i in range(self.rng.randrange(3)):
            self.booleans.append(f"b{i}")
            self.lines.append(f"{'var' if kinds == 'none sensed' else 'sense'} b{i} : bool"
                              + (" = false" if kinds == "none sensed" else ""))
        if self.chance(0.3):
            self.enums.append("m")
            self.lines.append("var m : {p, q, s} = q" if kinds == "none sensed" else "sense m : {p, q, s}")
        if kinds == "members only":
            return
        if kinds != "none sensed":
            for i in range(self.rng.randrange(1, 4)):
                name = f"x{i}"
                whole = self.chance(0.3)
                span = self.some("0..9", "-3..3", "5..5") if whole else self.interval()
                guard = f" if {self.rng.choice(self.booleans)}" if self.booleans and self.chance(0.2) else ""
                error = self.some("", " error -1..1", " error 0..2 uniform", " error 0..0") if whole else self.error()
                self.lines.append(f"sense {name} : {'int' if whole else 'real'} {span}{guard}{error}")
                self.numbers.append(name)
                self.sensed.append(name)
        for i in range(self.rng.randrange(3)):
            self.lines.append(f"var u{i} : real = {self.number()}{self.error()}")
            self.numbers.append(f"u{i}")
        if self.chance(0.3):
            self.lines.append("var k : int 0..5 = 0")
            self.numbers.append("k")

    def atom(self, after=False):
        ways = ["true", "false"]
        if self.numbers:
            ways += ["number"] * 6
        if self.booleans:
            ways += ["boolean"] * 2
        if self.enums:
            ways += ["member"] * 2
        way = self.rng.choice(ways)
        if way == "number":
            left = self.rng.choice(self.numbers)
            if self.chance(0.3):
                left += f" {self.some('+', '-')} {self.rng.choice(self.numbers)}"
            elif self.chance(0.1):
                left = f"{self.some('2', '3', '0.5')} * {left}"
            return f"{left} {self.some('<', '<=', '>', '>=', '==', '!=')} {self.number()}"
        if way == "boolean":
            return self.rng.choice(self.booleans)
        if way == "member":
            return f"m {self.some('==', '!=')} {self.some('p', 'q', 's')}"
        return way

    def condition(self):
        parts = [self.atom() for _ in range(self.rng.choice((1, 1, 2, 3)))]
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {self.some('and', 'and', 'or')} {part})"
        return f"not ({text})" if self.chance(0.1) else text

    def effect(self):
        ways = ["condition"]
        if self.sensed:
            ways += ["move"] * 5
        if self.booleans:
            ways += ["flip"]
        way = self.rng.choice(ways)
        if way == "move":
            x, y = self.rng.choice(self.sensed), self.rng.choice(self.numbers)
            return self.some(f"{x}' == {x} - {y}", f"{x}' == {y}", f"{x}' == {x} + {self.number()}", f"{x}' == {self.number()}",
                             f"{x}' >= {x} and {x}' <= {x} + {self.number()}", f"{x}' == {x}", f"2 * {x}' == {x} + {y}",
                             f"({x}' == {x} or {x}' == {y})", f"{x}' > {x}")
        if way == "flip":
            b = self.rng.choice(self.booleans)
            return f"({b}' iff not {b})"
        return self.condition()

    def text(self):
        self.declarations()
        if self.chance(0.2):
            self.lines.append(f"constraint {self.condition()}")
        actions = [f"a{i}" for i in range(self.rng.choice((1, 1, 2, 3)))]
        for name in actions:
            effects = [self.effect() for _ in range(self.rng.choice((1, 1, 2, 3)))]
            self.lines.append(f"action {name}: {' and '.join(effects)}")
        for i in range(self.rng.choice((1, 1, 2))):
            cases = [f"{self.condition()} after {self.rng.choice(actions)}" for _ in range(self.rng.choice((1, 1, 2)))]
            self.lines.append(f"failure f{i}: {', '.join(cases)}")
        states = ["S0", "S1", "S2"][: self.rng.randrange(1, 4)]
        self.lines += [f"state {name}{' initial' if name == 'S0' else ''}" for name in states]
        for i in range(self.rng.randrange(5)):
            does = [self.rng.choice(actions + ["beep"]) for _ in range(self.rng.randrange(3))]
            if "k" in self.numbers and self.chance(0.2):
                does.append(f"k := {self.rng.randrange(6)}")
            rule = f"rule r{i}: {self.rng.choice(states)} -> {self.rng.choice(states)}"
            if self.chance(0.2):
                rule += f" priority {self.rng.randrange(3)}"
            self.lines.append(f"{rule} when {self.condition()}{' do ' + ', '.join(does) if does else ''}")
        return "\n".join(self.lines) + "\n"


def options(rng):
    words = []
    words += rng.choice(([], [], ["--engine", "smt"], ["--engine", "zones"]))
    words += rng.choice(([], [], ["--mode", "ideal"], ["--mode", "naive"], ["--as-printed"]))
    words += rng.choice(([], [], ["--bound", "0"], ["--bound", "1"], ["--bound", "3"]))
    words += rng.choice(([], [], ["--simulate", "20"]))
    words += rng.choice(([], ["--no-odds"]))
    return words


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Checked:
    def __init__(self, poise):
        self.poise = poise
        self.complaints = []

    def call(self, path, words):
        """The report, or none if there is no model."""
        command = [self.poise, "verify", path, "--format", "json", "--time-limit", f"{LIMIT}s", *words]
        before = spent()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=KILL_AFTER, check=False)
        except subprocess.TimeoutExpired:
            self.complain(command, "does not end")
            return None
        seconds = spent() - before
        if done.returncode not in (0, 1, 2, 3):
            self.complain(command, f"exit status {done.returncode}: {done.stderr[-300:]}")
            return None
        if seconds > MOST_SECONDS:
            self.complain(command, f"took {seconds:.1f} s of the processor")
        if done.returncode == 2 or "export" in " ".join(words):
            return None
        report = json.loads(done.stdout)
        self.check(command, report, done.returncode)
        return report

    def complain(self, command, what):
        self.complaints.append(f"{' '.join(command)}\n    {what}")

    def check(self, command, report, status):
        firsts = [hazard["first"] for hazard in report["hazards"]]
        if firsts != sorted(firsts):
            self.complain(command, f"hazards are not in order: {firsts}")
        for hazard in report["hazards"]:
            if not hazard["shortest"] or len(hazard["shortest"]) != hazard["first"]:
                self.complain(command, f"a path of {hazard['first']} steps: {hazard['shortest']}")
        wanted = {"safe": (0, 3), "unsafe": (1, 3), "unknown": (3,)}[report["verdict"]]
        if status not in wanted:
            self.complain(command, f"{report['verdict']} with exit status {status}")
        if report["verdict"] == "unknown" and not report["reason"]:
            self.complain(command, "unknown without a reason")

    def compare(self, path, mode):
        """The engines, without a bound: neither contradicts the other, and what is exact is least."""
        words = [*mode, "--no-odds"]
        reports = [self.call(path, [*words, "--engine", engine]) for engine in ("auto", "smt")]
        if None in reports:
            return
        one, other = reports
        if {one["verdict"], other["verdict"]} == {"safe", "unsafe"}:
            self.complain([path, *mode], f"{one['verdict']} by {one['engine']}, {other['verdict']} by {other['engine']}")
        place = lambda hazard: tuple(hazard[key] for key in ("failure", "state", "rule", "occurrence"))
        known = {place(hazard): hazard for hazard in one["hazards"]}
        for hazard in other["hazards"]:
            same = known.get(place(hazard))
            if same is None:
                if one["complete"]:
                    self.complain([path, *mode], f"only by the solver: {place(hazard)}")
                continue
            least, larger = sorted((same, hazard), key=lambda one: one["first"])
            if least["first"] < larger["first"] and larger["first_exact"]:
                self.complain([path, *mode], f"{place(hazard)} first with {least['first']} steps, not {larger['first']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=3, help="for each model, besides those that compare")
    parser.add_argument("--keep", help="a folder for models that something is wrong with")
    arguments = parser.parse_args()
    checked = Checked(os.environ["POISE"])
    valid = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            path = os.path.join(folder, f"m{seed}.poise")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(Maker(seed).text())
            before = len(checked.complaints)
            rng = random.Random(f"options {seed}")
            reports = [checked.call(path, options(rng)) for _ in range(arguments.calls)]
            if any(report is not None for report in reports):
                valid += 1
                checked.compare(path, rng.choice(([], [], ["--mode", "ideal"], ["--as-printed"])))
            if len(checked.complaints) > before and arguments.keep:
                os.makedirs(arguments.keep, exist_ok=True)
                os.rename(path, os.path.join(arguments.keep, f"m{seed}.poise"))
    print(f"{valid} of {arguments.models} models are valid")
    if valid < arguments.models / 3:
        sys.exit("too few of them")
    if checked.complaints:
        sys.exit("\n".join(checked.complaints))


if __name__ == "__main__":
    main()
