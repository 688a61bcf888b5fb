#!/usr/bin/env python3
"""The least cure is the least: in random small models, what `poise verify` says a rule needs is put into the text. Then
the hazard is gone; and with slightly less it is still there.

    verify_cures.py POISE [--models 100] [--seed 1]
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

LESS = [Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)]


class Model:
    """Walks between walls. Guards are lists of comparisons, so that one of them can be replaced."""

    def __init__(self, seed):
        rng = random.Random(f"cures {seed}")
        self.names = ["x", "y", "z"][: rng.randrange(1, 4)]
        self.head = []
        for name in self.names:
            kind = "int" if rng.random() < 0.2 else "real"
            errors = ["", " error -1..1", " error -6..6"] if kind == "int" else ["", " error -6..6", " error -0.5..0.25", " error -2..0"]
            self.head.append(f"sense {name} : {kind} 0..{rng.choice((40, 100))}{rng.choice(errors)}")
        self.head.append(f"var unit : real = {rng.choice((5, 10))}{rng.choice(('', ' error -5..5', ' error -1..0.5'))}")
        for i in range(2):
            name, other = rng.choice(self.names), rng.choice(self.names)
            moves, limit = rng.choice((
                (f"{name}' == {name} - unit", "<= 0"), (f"{name}' == {name} - unit", "< 0"),
                (f"{name}' == {name} + unit", ">= 40"), (f"{name}' == {name} + unit", "> 38.5"),
                (f"{name}' == {other} - unit", "<= 0"), (f"{name}' >= {name} - 3 and {name}' <= {name} + 1", "< 0.25")))
            # The others stay, or take any value.
            stay = "".join(f" and {one}' == {one}" for one in self.names if one != name and rng.random() < 0.7)
            self.head.append(f"action a{i}: {moves}{stay}")
            self.head.append(f"failure f{i}: {name} {limit} after a{i}")
        self.head.append("state A initial")
        self.head.append("state B")
        # A guard that another rule yields to makes a larger number no safer, so there are few.
        self.plain = rng.random() < 0.7
        self.rules = []
        for i in range(rng.randrange(1, 4)):
            guard = [(rng.choice(self.names), rng.choice((">=", ">", "<", "<=")), Fraction(rng.choice((2, 5, 10, 20, 30, 35))))
                     for _ in range(rng.choice((1, 1, 2)))]
            priority = "" if self.plain else f" priority {rng.randrange(2)}"
            self.rules.append((f"rule r{i}: {rng.choice('AB')} -> {rng.choice('AB')}{priority}", guard,
                               f" do {rng.choice(('a0', 'a1', 'a0, a1'))}"))

    def text(self, changed=None):
        """`changed`: (number of the rule, number of the comparison, what it becomes)."""
        lines = list(self.head)
        for i, (start, guard, end) in enumerate(self.rules):
            parts = [changed[2] if changed and changed[:2] == (i, j) else one for j, one in enumerate(guard)]
            lines.append(f"{start} when {' and '.join(f'{name} {relation} {exact(number)}' for name, relation, number in parts)}{end}")
        return "\n".join(lines) + "\n"


def exact(number):
    """As a decimal; a third is none."""
    scaled = number * 10**9
    if scaled.denominator != 1:
        raise ValueError
    sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled.numerator):010d}"
    return f"{sign}{digits[:-9]}.{digits[-9:]}".rstrip("0").rstrip(".")


def number_of(value):
    return Fraction(str(value))


class Asked:
    def __init__(self, poise, folder):
        self.poise = poise
        self.path = Path(folder) / "model.poise"

    def report(self, text):
        self.path.write_text(text, encoding="utf-8")
        done = subprocess.run([self.poise, "verify", self.path, "--format", "json", "--no-odds", "--time-limit", "20s"],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{done.returncode}\n{text}\n{done.stderr}")
        return json.loads(done.stdout)

    def fails(self, text, hazard):
        """Whether it fails there; none if that is not known."""
        report = self.report(text)
        if any(place(other) == place(hazard) for other in report["hazards"]):
            return True
        return False if report["complete"] and report["verdict"] != "unknown" else None


def place(hazard):
    return tuple(hazard[key] for key in ("failure", "state", "rule", "occurrence"))


def check(model, hazard, repair, asked):
    """The texts that do not do what they should."""
    rule = int(hazard["rule"][1:])
    least = repair["relation"][0] == ">"
    start, to = number_of(repair["from"]), number_of(repair["to"])
    for j, (name, relation, number) in enumerate(model.rules[rule][1]):
        if name == repair["variable"] and number == start and (relation[0] == ">") == least:
            break
    else:
        yield f"there is no such comparison: {repair}"
        return

    def with_number(relation, number):
        return model.text((rule, j, (repair["variable"], relation, number)))

    if asked.fails(with_number(repair["relation"], to), hazard) is True:
        yield f"{repair} is not enough for {place(hazard)}"
    # A reading at the number itself.
    if len(repair["relation"]) == 1 and not (to == start and relation == repair["relation"]):
        if asked.fails(with_number(repair["relation"] + "=", to), hazard) is False:
            yield f"{repair} need not be strict for {place(hazard)}"
    for less in LESS if model.plain else LESS[2:]:
        number = to - less if least else to + less
        if (number <= start) if least else (number >= start):
            continue
        if asked.fails(with_number(repair["relation"], number), hazard) is False:
            yield f"{repair}: {exact(number)} is enough for {place(hazard)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = []
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked(arguments.poise, folder)
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            model = Model(seed)
            for hazard in asked.report(model.text())["hazards"]:
                for repair in hazard["repairs"]:
                    try:
                        found = list(check(model, hazard, repair, asked))
                    except ValueError:
                        continue
                    checked += 1
                    wrong += [f"seed {seed}: {what}\n{model.text()}" for what in found]
    print(f"{checked} cures")
    if wrong:
        sys.exit("\n".join(wrong))
    if checked < arguments.models / 6:
        sys.exit("too few of them")


if __name__ == "__main__":
    main()
