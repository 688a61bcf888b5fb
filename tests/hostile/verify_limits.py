#!/usr/bin/env python3
"""The limits of `poise verify` hold in every phase: with models that keep one phase busy for long, a run ends at most 1 s
and 10 % after its time limit, takes at most 20 % more memory than its memory limit, ends with status 3, and says which
limit it was.

    POISE=build/release/bin/poise verify_limits.py [--slow FACTOR] [NAME...]

What counts is the time of the processor, because the machine may be busy; sanitizers need --slow.
"""

import argparse
import os
import sys
import tempfile

import measured

HEAD = """model W
sense x : real 0..100 error -4..0 triangle
sense y : real 0..100
sense w : real -50..50 error -5..-2 triangle
sense m : {p, q, s}
var u : real = 5 error 0..3 gauss 1
var v : real = 5
action go: x' == x - v and y' == y and (m == p implies w' == w + u)
action back: y' == y + u and w' >= w
action swap: x' == x + v and (y' == y or y' == y - v) and w' == w + v
"""

# Values spread in ever new directions.
SPREADING = HEAD + """failure f1: x <= -50 after go
failure f2: y <= 0 after back
state S0 initial
state S1
rule r0: S0 -> S0 when y + w > -10 and m in {p, s} do swap
rule r1: S0 -> S0 priority 1 when m != q do go, beep
rule r2: S0 -> S1 priority 2 when x == 20 do back, go
rule r3: S1 -> S1 priority 2 when x < 80 and (y - x > 80 or x == 80) do back, go
rule r4: S1, S0 -> S1 when (w - x != 20 or w < -10 and y - x >= 80) do go
"""


def with_far_failure(rules):
    return HEAD + "failure f: x >= 1000000 after swap\nstate S0 initial\n" + rules


def many_cases(rules):
    """Guards with many cases, and each rule yields to all before it."""
    yield HEAD + "failure f: x <= -50 after go\nstate S0 initial\n"
    for i in range(rules):
        cases = " or ".join(f"(x - y > {i + j} and y + w <= {100 - j} and w - x < {j - i})" for j in range(12))
        yield f"rule r{i}: S0 -> S0 priority {i} when not ({cases}) do go\n"


# Products, which only the solver knows, and a question that it does not answer soon.
PRODUCTS = """model P
sense x : real -100..100
sense y : real -100..100
sense z : real -100..100
action mix: x' == x * y - z and y' == y * z - x and z' == x * z - y + 1
failure f: x * x * x + y * y * y + z * z * z == 114 and x * y * z > 1000 after mix
state A initial
rule r: A -> A when x * y > z and y * z > x do mix
rule s: A -> A when x * y <= z do mix
"""

# Three variables related to each other: for Spacer.
RELATED = """model R
sense x : real 0..1000 error -1..1 uniform
sense y : real 0..1000 error -1..1 uniform
sense z : real 0..1000
var k : int 0..9 = 0
action a: x' == x + 2 * y - z and y' == y - 0.5 * x and z' == z + x
action b: x' == x - y and y' == y + z and z' == 3 * z - x
failure f: 7 * x - 3 * y + z == 12345678 after a, x + y + z < -123456789 after b
state A initial, B, C
rule r: A -> B when x + y > z do a
rule s: B -> C when x > y do b, a
rule t: C -> A when 2 * x < y + z do a, b
rule u: A -> A when x + y <= z do b
"""

# A walk along a wall, with many ways to go.
WALK = """model Walk
sense a : real 0..400 error -6..6 gauss 2
sense b : real 0..400 error -6..6 gauss 2
sense c : real 0..400
var unit : real = 10 error -5..5 gauss 2
action forth: a' == a - unit and b' == b + unit and c' == c
action back: a' == a + unit and b' == b - unit and c' == c
action turn: a' == b and b' == a
failure bump: a <= 0 after forth, b <= 0 after back
state A initial, B
rule r0: A -> A when a >= 20 do forth
rule r1: A -> B when a < 20 and c > 3 do turn, forth
rule r2: B -> A when b >= 20 do back
rule r3: B -> B when b < 30 do turn
"""

LIGHT = """sense x : real 0..100 error -1..1 uniform
action go: x' == x
failure f: x > 99 after go
state A initial
rule r: A -> A when x > 10 do go
"""

# Phase: model, words; the limits are in CASES.
PHASES = {
    "reading conditions": ("".join(many_cases(150)), ["--no-odds"]),
    "exploring": (SPREADING + "".join(f"rule e{i}: S1 -> S0 when x > {i} do swap\n" for i in range(300)), ["--no-odds"]),
    "exploring with zones only": (SPREADING, ["--no-odds", "--engine", "zones", "--bound", "1000000"]),
    "counting": (WALK, ["--no-odds", "--bound", "100000"]),
    "listing": (WALK, ["--no-odds", "--bound", "12", "--paths", "all"]),
    "proving": (RELATED, ["--no-odds", "--engine", "smt"]),
    "proving with products": (PRODUCTS, ["--no-odds"]),
    "solver paths": (RELATED, ["--no-odds", "--engine", "smt", "--bound", "40"]),
    "solver paths with products": (PRODUCTS, ["--no-odds", "--engine", "smt", "--bound", "40"]),
    "odds": (SPREADING, []),
    "a mission": (WALK, ["--no-odds", "--mission", "200"]),
    "a long mission": (WALK, ["--no-odds", "--mission", "1000000"]),
    "simulating": (LIGHT, ["--no-odds", "--simulate", "1000000000"]),
    "one long run": (LIGHT, ["--no-odds", "--bound", "1000", "--simulate", "100000000"]),
    "exporting": (LIGHT, ["--export", "smt2", "--bound", "100000000"]),
}
TIMES = [(phase, ["--time-limit", "2s"], 2) for phase in PHASES]
MEMORY = [(phase, ["--memory-limit", "100M", "--time-limit", "10s"], 10)
          for phase in ("exploring with zones only", "counting", "proving", "proving with products", "exporting")]
MOST_MEMORY = (100 << 20) * 1.2


def complaints(name, words, seconds, slow, result):
    most = (seconds * 1.1 + 1) * slow
    if result.seconds > most:
        yield f"{result.seconds:.2f} s, more than {most:.2f} s"
    if "--memory-limit" in words and slow == 1 and result.memory > MOST_MEMORY:
        yield f"{result.memory / 1e6:.0f} MB"
    if result.status != 3:
        # What is done before the limit is reached tests nothing.
        yield f"exit status {result.status}, not 3: {result.said}"
    elif "limit was reached" not in result.said:
        yield f"does not say which limit: {result.said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--slow", type=float, default=1, help="how much longer it may take")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for phase, limit, seconds in TIMES + MEMORY:
            if arguments.names and phase not in arguments.names:
                continue
            model, words = PHASES[phase]
            path = os.path.join(folder, "model.poise")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(model)
            result = measured.run([os.environ["POISE"], "verify", path, *words, *limit])
            if arguments.verbose:
                print(phase, limit[0], f"exit {result.status}, {result.seconds:.2f} s, {result.memory / 1e6:.0f} MB", result.said.strip()[-80:],
                      flush=True)
            wrong += [f"{phase} {' '.join(limit)}: {what}"
                      for what in complaints(phase, limit, seconds, arguments.slow, result)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
