#!/usr/bin/env python3
"""Races and cycles of deterministic boolean models, walked by hand.

    functional_graphs.py POISE [--engines NAME,...] [--models N] [--seed S]

Without actions, an assignment to the variables makes a model a functional graph: from each state one rule leads on, or
none. Here every state is walked from under every assignment, with nothing shared with the oracle but the language of
Python. The program must list the same races, cycles and dead rules, and every one in as many situations.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

RULE = re.compile(r"^rule (\w+): (\w+) -> (\w+) priority (\d+)\n\s+when (.*(?:\n[ ]+.*)*)", re.MULTILINE)


class Graph:
    """A model of `poise generate`, with a bit for each assignment: bit a is set where the rule holds under a."""

    def __init__(self, text):
        names = re.findall(r"^sense (\w+) *: bool", text, re.MULTILINE)
        self.assignments = 1 << len(names)
        self.full = (1 << self.assignments) - 1
        truths = {name: self._variable(i) for i, name in enumerate(names)}
        self.states = re.findall(r"\bq\d+\b", " ".join(re.findall(r"^state (.*)$", text, re.MULTILINE)))
        self.rules = []  # name, source, target, priority, where it is satisfied
        for name, source, target, priority, condition in RULE.findall(text):
            bits = condition.replace("not ", "~").replace(" and ", "&").replace(" or ", "|")
            satisfied = eval(" ".join(bits.split()), {}, truths) & self.full  # pylint: disable=eval-used
            self.rules.append((name, source, target, int(priority), satisfied))
        assert len(self.rules) == len(re.findall("^rule", text, re.MULTILINE))
        self.any = {state: 0 for state in self.states}  # where some rule of a state is satisfied
        for _, source, _, _, satisfied in self.rules:
            self.any[source] |= satisfied
        self.triggered = {}
        for name, source, _, priority, satisfied in self.rules:
            for _, other, _, stronger, wins in self.rules:
                if other == source and stronger < priority:
                    satisfied &= ~wins
            self.triggered[name] = satisfied

    def _variable(self, i):
        """The truth table of a variable: blocks of zeros and ones, the blocks of variable i 2^i long."""
        block = ((1 << (1 << i)) - 1) << (1 << i)
        table = 0
        for start in range(0, self.assignments, 2 << i):
            table |= block << start
        return table

    def expected(self):
        """By fault: in how many situations."""
        faults = Counter()
        for assignment in range(self.assignments):
            step = {}
            for name, source, target, _, _ in self.rules:
                if self.triggered[name] >> assignment & 1:
                    assert source not in step, "the rules of a state have different priorities"
                    step[source] = (name, target)
            for start in self.states:
                state, path, met = start, [], {}
                while state in step and state not in met:
                    met[state] = len(path)
                    rule, state = step[state]
                    path.append(rule)
                if state in met:
                    faults["cycle", start, tuple(path), met[state]] += 1
                elif len(path) > 1:
                    faults["race", start, tuple(path), state] += 1
        for name, source, target, _, satisfied in self.rules:
            if not self.triggered[name]:
                faults["dead-rule", source, (name,), "shadowed" if satisfied else "unsatisfiable"] = 1
            if unstable := self.triggered[name] & self.any[target]:
                faults["unstable", source, (name,), target] = unstable.bit_count()
        return faults


def printed(answer):
    faults = Counter()
    for fault in answer["faults"]:
        kind = fault["kind"]
        if kind in ("race", "cycle"):
            end = fault["ends"] if kind == "race" else fault["loop"]
            faults[kind, fault["state"], tuple(fault["path"]), end] += int(fault["situations"])
        elif kind == "dead-rule":
            faults[kind, fault["state"], tuple(fault["rules"]), fault["cause"]] += 1
        elif kind == "nondeterminism":
            faults[kind, fault["state"], tuple(fault["rules"]), ""] += 1
    for row in answer["unstable"]:
        faults["unstable", row["state"], (row["rule"],), row["to"]] += int(row["situations"])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--engines", default="hybrid,symbolic,enumerative", type=lambda text: text.split(","))
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    graphs, total, failed = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            path = os.path.join(folder, f"g{seed}.poise")
            variables = 4 + seed % 9
            states = 2 + seed % 6
            sizes = ["--states", str(states), "--rules", str(states * 3), "--variables", str(variables)]
            call = [arguments.poise, "generate", *sizes, "--seed", str(seed), "--output", path]
            subprocess.run(call, check=True)
            with open(path, encoding="utf-8") as stream:
                graphs[path] = Graph(stream.read())
        expected = {path: graph.expected() for path, graph in graphs.items()}
        for engine in arguments.engines:
            command = [arguments.poise, "check", "--engine", engine, "--format", "json", "--all"]
            command += ["--paths", "all", "--count", "all", *graphs]
            process = subprocess.run(command, capture_output=True, text=True)
            if process.returncode not in (0, 1):
                sys.exit(f"{engine}: exit status {process.returncode}\n{process.stderr}")
            answers = json.loads(process.stdout)
            answers = answers if isinstance(answers, list) else [answers]
            for (path, wanted), answer in zip(expected.items(), answers):
                total += sum(1 for _ in wanted)
                found = printed(answer)
                if found == wanted and answer["complete"]:
                    continue
                failed += 1
                with open(path, encoding="utf-8") as stream:
                    print(f"{engine}\n{stream.read()}")
                for row in sorted(set(found.items()) ^ set(wanted.items()), key=str)[:10]:
                    print("  wrong:" if row in found.items() else "  missing:", row)
    print(f"{arguments.models} models, {total} faults compared, {failed} models differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
