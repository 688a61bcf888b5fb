#!/usr/bin/env python3
"""Verdicts on models with arithmetic, confirmed by Z3.

    z3_verdicts.py POISE [--engines NAME,...] [--models N] [--seed S]

Random models over whole and real numbers, some of them behind guards, whose atoms are linear in several variables. For
every state Z3 is asked which sets of rules can be triggered together and which rules can be satisfied and triggered at
all, under types, guards and constraints. The program must report exactly these nondeterministic choices and dead rules.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import z3

COMPARISONS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


class Model:
    """A random model, as text and as terms of Z3."""

    def __init__(self, seed):
        rng = self.rng = random.Random(f"z3 {seed}")
        self.world = []  # what types, guards and constraints leave
        self.numbers = {}  # name -> term, guard or None
        self.flags = {name: z3.Bool(name) for name in ("on", "b")[: rng.randint(1, 2)]}
        lines = [f"sense {name} : bool" for name in self.flags]
        for name in "xyzu"[: rng.randint(2, 4)]:
            real = rng.randrange(2)
            low, high = rng.choice([(0, 6), (-3, 3), (0, 10)])
            guard = "on" if rng.randrange(4) == 0 else None
            term = z3.Real(name) if real else z3.Int(name)
            self.numbers[name] = (term, guard)
            self.world += [term >= low, term <= high]
            lines.append(f"sense {name} : {'real' if real else 'int'} {low}..{high}{' if on' if guard else ''}")
        self.atoms = [self.atom() for _ in range(rng.randint(4, 6))]
        for _ in range(rng.randint(0, 2)):
            (first, one), (second, two) = rng.choice(self.atoms), rng.choice(self.atoms)
            lines.append(f"constraint {first} or not {second}")
            self.world.append(z3.Or(one, z3.Not(two)))
        lines.append("state A initial, B, C")
        self.rules = []  # name, state, priority, condition
        for number in range(rng.randint(5, 9)):
            name, source, target = f"r{number}", rng.choice("ABC"), rng.choice("ABC")
            text, condition = self.condition(2)
            priority = rng.choice([None, 1, 1, 2])
            clause = "" if priority is None else f" priority {priority}"
            lines.append(f"rule {name}: {source} -> {target}{clause} when {text}")
            self.rules.append((name, source, 3 if priority is None else priority, condition))
        self.text = "\n".join(lines) + "\n"

    def atom(self):
        rng = self.rng
        if rng.randrange(6) == 0:
            name = rng.choice(list(self.flags))
            return name, self.flags[name]
        names = rng.sample(list(self.numbers), min(len(self.numbers), rng.choice([1, 2, 2, 2, 3])))
        text, value = "", 0
        for name in names:
            factor = rng.choice([1, 1, 2, 3])
            minus = text != "" and rng.randrange(2)
            text += (" - " if minus else " + " if text else "") + (name if factor == 1 else f"{factor} * {name}")
            value = value + (-factor if minus else factor) * self.numbers[name][0]
        operator = rng.choice(list(COMPARISONS))
        constant = Fraction(rng.randint(-4, 16), rng.choice([1, 1, 2]))
        spelled = str(constant) if constant.denominator == 1 else f"{float(constant)}"
        holds = COMPARISONS[operator](value, z3.Q(constant.numerator, constant.denominator))
        guards = {self.numbers[name][1] for name in names} - {None}
        return f"{text} {operator} {spelled}", z3.And(holds, *[self.flags[guard] for guard in guards])

    def condition(self, depth):
        rng = self.rng
        if depth == 0 or rng.randrange(4) == 0:
            text, term = rng.choice(self.atoms)
            return (f"not {text}", z3.Not(term)) if rng.randrange(3) == 0 else (text, term)
        (first, one), (second, two) = self.condition(depth - 1), self.condition(depth - 1)
        joint, both = rng.choice([("and", z3.And), ("or", z3.Or)])
        return f"({first} {joint} {second})", both(one, two)

    def verdicts(self):
        """What is possible, by Z3."""
        solver = z3.SolverFor("QF_LIRA")
        solver.add(*self.world)

        def possible(*conditions):
            answer = solver.check(*conditions)
            assert answer != z3.unknown
            return answer == z3.sat

        # A name for every condition, so that each question is a matter of assumptions.
        named = []
        for name, state, priority, condition in self.rules:
            holds = z3.Bool(f"rule {name}")
            solver.add(holds == condition)
            named.append((name, state, priority, holds))
        found = set()
        for state in "ABC":
            rules = [rule for rule in named if rule[1] == state]
            for level in sorted({rule[2] for rule in rules}):
                none_stronger = [z3.Not(holds) for _, _, priority, holds in rules if priority < level]
                equal = [rule for rule in rules if rule[2] == level]
                for size in range(2, len(equal) + 1):
                    for chosen in itertools.combinations(equal, size):
                        exactly = [rule[3] if rule in chosen else z3.Not(rule[3]) for rule in equal]
                        if possible(*none_stronger, *exactly):
                            found.add(("nondeterminism", state, tuple(rule[0] for rule in chosen)))
                for name, _, _, holds in equal:
                    if not possible(holds):
                        found.add(("dead-rule", state, (name,), "unsatisfiable"))
                    elif not possible(holds, *none_stronger):
                        found.add(("dead-rule", state, (name,), "shadowed"))
        return found


def printed(answer):
    found = set()
    for fault in answer["faults"]:
        if fault["kind"] == "nondeterminism":
            found.add(("nondeterminism", fault["state"], tuple(fault["rules"])))
        elif fault["kind"] == "dead-rule":
            found.add(("dead-rule", fault["state"], tuple(fault["rules"]), fault["cause"]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--engines", default="hybrid", type=lambda text: text.split(","))
    parser.add_argument("--models", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    models = {}
    total = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            path = os.path.join(folder, f"z{seed}.poise")
            models[path] = Model(seed)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(models[path].text)
        verdicts = {path: model.verdicts() for path, model in models.items()}
        for engine in arguments.engines:
            command = [arguments.poise, "check", "--engine", engine, "--format", "json", "--all", "--paths", "all"]
            command += ["--only", "nondeterminism,dead-rule", *models]
            process = subprocess.run(command, capture_output=True, text=True)
            if process.returncode not in (0, 1):
                sys.exit(f"{engine}: exit status {process.returncode}\n{process.stderr}")
            answers = json.loads(process.stdout)
            for path, answer in zip(models, answers if isinstance(answers, list) else [answers]):
                found = printed(answer)
                total += len(found)
                if found == verdicts[path]:
                    continue
                failed += 1
                print(f"{engine}\n{models[path].text}")
                print("  missing:", sorted(verdicts[path] - found), "\n  wrong:", sorted(found - verdicts[path]))
    print(f"{arguments.models} models, {total} verdicts confirmed, {failed} models differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
