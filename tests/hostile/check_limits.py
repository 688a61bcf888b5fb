#!/usr/bin/env python3
"""The limits of `poise check` hold while findings are many: with some hundred rules over the members of one set, without
priorities, a run ends soon after its time limit, takes little more memory than its memory limit, ends with status 3 and
says which limit it was, and what it prints is marked incomplete.

    POISE=build/release/bin/poise check_limits.py [--slow FACTOR]

What counts is the time of the processor, because the machine may be busy; sanitizers need --slow.
"""

import argparse
import json
import os
import sys
import tempfile

import measured

MIB = 1 << 20


def tied(rules):
    members = ", ".join(f"m{i}" for i in range(rules))
    yield f"sense near : set {{{members}}}\nstate S initial\n"
    for i in range(rules):
        yield f"state T{i}\nrule r{i}: S -> T{i} when near has m{i}\n"


# Words, seconds, bytes. Pairs and sets of two rules are more than the limits allow.
CASES = [
    (["--time-limit", "300ms"], 0.3, None),
    (["--time-limit", "300ms", "--format", "json"], 0.3, None),
    (["--time-limit", "300ms", "--format", "sarif", "--paths", "all"], 0.3, None),
    (["--memory-limit", "40M", "--paths", "100000"], None, 40 * MIB),
    (["--memory-limit", "40M", "--paths", "100000", "--engine", "symbolic"], None, 40 * MIB),
]


def complaints(words, seconds, most, slow, result):
    if result.status != 3:
        yield f"exit status {result.status}, not 3: {result.said}"
    if "limit was reached" not in result.said:
        yield f"does not say which limit: {result.said}"
    if "json" in words:
        report = json.loads(result.printed)
        if report["complete"] or "limit was reached" not in report["stopped"]:
            yield "not marked incomplete"
    elif "sarif" not in words and "incomplete" not in result.printed:
        yield f"not marked incomplete: {result.printed[-200:]}"
    if seconds and result.seconds > (seconds * 1.1 + 1) * slow:
        yield f"{result.seconds:.2f} s"
    if most and slow == 1 and result.memory > most * 1.2:
        yield f"{result.memory / MIB:.0f} MiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slow", type=float, default=1, help="how much longer it may take")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tied.poise")
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines(tied(500))
        for words, seconds, most in CASES:
            result = measured.run([os.environ["POISE"], "check", path, *words])
            if arguments.verbose:
                print(*words, f"exit {result.status}, {result.seconds:.2f} s, {result.memory / MIB:.0f} MiB", flush=True)
            wrong += [f"{' '.join(words)}: {what}"
                      for what in complaints(words, seconds, most, arguments.slow, result)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
