#!/usr/bin/env python3
"""Conditions over latest elements of streams, by trying every element.

    streams.py POISE [--engines NAME,...] [--models N] [--seed S]

A random model asks about the latest elements of one or two streams. Here every combination of latest elements is
tried, one without an element and fields without values among them, and the truths that the conditions take together
are collected. With a plain boolean in place of each condition, and a constraint that lists these truths, the model
knows no streams. What the oracle finds in it, the program must find in the first. Conditions over windows are
unconstrained booleans, and faults that depend on one must say so.
"""

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

from compare import Difference, NOT_COMPARED, read_json
from oracle import Options, check
from reader import read_model

KINDS = {
    "bool": ("bool", [False, True]),
    "enum": ("{u, v, w}", ["u", "v", "w"]),
    "int": ("int 0..3", [0, 1, 2, 3]),
    # Two known texts, and others, of which two are enough for two streams to have different ones.
    "text": ("string", ["p", "q", "other", "another"]),
}


class Drawn:
    """A random model: its text, and the text of the same without streams."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.streams = {
            stream: {f"f{i}": self.random.choice(list(KINDS)) for i in range(self.random.randint(1, 3))}
            for stream in ["S", "T"][: self.random.randint(1, 2)]
        }
        drawn = [self.quantified({}, 0) for _ in range(self.random.randint(2, 5))]
        self.queries = list({query[0]: query for query in drawn}.values())  # the same text would be one atom
        self.windows = [self.random.random() < 0.15 for _ in self.queries]
        rules = self.rules()
        used = [i for i in range(len(self.queries)) if f"q{i}" in rules.split()]
        names = [f"q{i}" for i in used if not self.windows[i]] + (["a"] if "a" in rules.split() else [])
        head = "sense a : bool\nsense b : bool\n"
        declared = "".join(
            f"stream {stream} {{ {', '.join(f'{name}: {KINDS[kind][0]}' for name, kind in fields.items())} }}\n"
            for stream, fields in self.streams.items()
        )
        meanings = {f"q{i}": f"({self.text(i)})" for i in used}
        self.with_streams = head + declared + " ".join(meanings.get(word, word) for word in rules.split(" "))
        booleans = "".join(f"sense q{i} : bool\n" for i in used)
        possible = " or ".join(f"({' and '.join(words)})" for words in self.possible(names))
        self.plain = head + booleans + (f"constraint {possible}\n" if names else "") + rules

    # ------------------------------------------------------------------ conditions: a text and a function of the world

    def text(self, query):
        """A window in place of the latest element, for some."""
        text = self.queries[query][0]
        if not self.windows[query]:
            return text
        start = text.index(":")
        return f"{text[:start]}[last {query + 1}s]{text[start:]}"

    def quantified(self, bound, depth):
        stream = self.random.choice(list(self.streams))
        name = f"x{depth}"
        text, body = self.condition({**bound, name: stream}, depth)
        if self.random.random() < 0.6:
            return f"exists {name} in {stream}: {text}", lambda w: w[stream] is not None and body(w)
        return f"all {name} in {stream}: {text}", lambda w: w[stream] is None or body(w)

    def condition(self, bound, depth):
        shape = self.random.random()
        if shape < 0.2:
            text, body = self.condition(bound, depth)
            return f"not ({text})", lambda w: not body(w)
        if shape < 0.4:
            (left, first), (right, second) = self.condition(bound, depth), self.condition(bound, depth)
            if self.random.random() < 0.5:
                return f"({left}) and ({right})", lambda w: first(w) and second(w)
            return f"({left}) or ({right})", lambda w: first(w) or second(w)
        if shape < 0.5 and depth == 0:
            text, body = self.quantified(bound, 1)
            return f"({text})", body
        if shape < 0.55:
            return "a", lambda w: w["a"]
        return self.atom(bound)

    def atom(self, bound):
        name, stream = self.random.choice(list(bound.items()))
        field, kind = self.random.choice(list(self.streams[stream].items()))
        texts = [(n, f) for n, s in bound.items() for f, k in self.streams[s].items() if k == "text"]

        def reads(test):
            return lambda w: w[stream][field] is not None and test(w[stream][field])

        if kind == "bool":
            return f"{name}.{field}", reads(lambda v: v)
        if kind == "int":
            limit, sign = self.random.randint(0, 3), self.random.choice(["<", "<=", ">", ">=", "==", "!="])
            tests = {
                "<": lambda v: v < limit,
                "<=": lambda v: v <= limit,
                ">": lambda v: v > limit,
                ">=": lambda v: v >= limit,
                "==": lambda v: v == limit,
                "!=": lambda v: v != limit,
            }
            return f"{name}.{field} {sign} {limit}", reads(tests[sign])
        if kind == "text" and self.random.random() < 0.4:
            other, second = self.random.choice(texts)
            where = bound[other]
            return f"{name}.{field} == {other}.{second}", lambda w: None not in (
                w[stream][field],
                w[where][second],
            ) and w[stream][field] == w[where][second]
        values = ["p", "q"] if kind == "text" else ["u", "v", "w"]
        value = self.random.choice(values)
        shown = f'"{value}"' if kind == "text" else value
        if self.random.random() < 0.5:
            return f"{name}.{field} == {shown}", reads(lambda v: v == value)
        return f"{name}.{field} != {shown}", reads(lambda v: v != value)

    # ------------------------------------------------------------------ the model

    def rules(self):
        states = ["A", "B", "C"][: self.random.randint(2, 3)]
        words = ["a", "b"] + 2 * [f"q{i}" for i in range(len(self.queries))]

        def guard():
            parts = [self.random.choice(["", "not "]) + self.random.choice(words) for _ in range(2)]
            return self.random.choice([parts[0], f"{parts[0]} and {parts[1]}", f"{parts[0]} or {parts[1]}"])

        lines = [f"state {states[0]} initial, {', '.join(states[1:])}"]
        for i in range(self.random.randint(3, 6)):
            priority = self.random.choice(["", "", "priority 1 ", "priority 2 "])
            action = self.random.choice(["", "", " do b := true", " do b := false"])
            lines.append(
                f"rule r{i}: {self.random.choice(states)} -> {self.random.choice(states)} {priority}"
                f"when {guard()} {action}"
            )
        return " \n ".join(lines) + " \n"

    def worlds(self):
        def elements(fields):
            values = [[None] + KINDS[kind][1] for kind in fields.values()]
            return [None] + [dict(zip(fields, element)) for element in itertools.product(*values)]

        for latest in itertools.product(*(elements(fields) for fields in self.streams.values())):
            for a in (False, True):
                yield {"a": a, **dict(zip(self.streams, latest))}

    def possible(self, names):
        """The combinations of truths, each as a list of literals."""
        truth = {f"q{i}": body for i, (_, body) in enumerate(self.queries)} | {"a": lambda w: w["a"]}
        found = {tuple(bool(truth[name](world)) for name in names) for world in self.worlds()}
        return [[name if holds else f"not {name}" for name, holds in zip(names, row)] for row in sorted(found)]


def answer(command):
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode not in (0, 1):
        raise Difference(f"exit status {process.returncode}\n{process.stderr}")
    return read_json(process.stdout)


def compare(drawn, printed):
    expected = check(read_model(drawn.plain, "model"), Options(all=True))
    left_out = (*NOT_COMPARED, "assumed_free")
    comparable = [{k: v for k, v in fault.items() if k not in left_out} for fault in printed["faults"]]
    for key, right in expected.items():
        said = comparable if key == "faults" else printed.get(key)
        if right != said:
            raise Difference(f"{key} differ\noracle: {right}\nprogram: {said}")
    for fault in printed["faults"]:
        assumed = fault.get("assumed_free", [])
        if bool(assumed) != ("[last" in fault["when"]) or any(text not in fault["when"] for text in assumed):
            raise Difference(f"taken as free: {assumed}, when {fault['when']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--engines", default="hybrid,reference", type=lambda text: text.split(","))
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.poise")
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            drawn = Drawn(seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(drawn.with_streams)
            for engine in arguments.engines:
                command = [arguments.poise, "check", "--all", "--paths", "all", "--format", "json", "--engine", engine]
                try:
                    compare(drawn, answer([*command, path]))
                    passed += 1
                except Difference as difference:
                    failed += 1
                    if failed == 1:
                        print(f"seed {seed}, {engine}\n\n{drawn.with_streams}\n{drawn.plain}\n{difference}\n")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
