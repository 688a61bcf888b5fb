#!/usr/bin/env python3
"""Large models whose answers are known in closed form, and limits.

    scale.py POISE [--engine NAME] [--case NAME]

Each case is a model that would be far too much for the reference engine, what must be found in it, and by which call.
Nothing is timed; only a run that never ends fails.
"""

import argparse
import json
import subprocess
import sys

PATIENCE = 240  # seconds


class Wrong(Exception):
    """What is not as it should be."""


def same(what, expected, found):
    if expected != found:
        raise Wrong(f"{what}: {str(found)[:300]} instead of {str(expected)[:300]}")


def different(lines):
    """The rules with an action each: a choice between rules that do the same would be harmless."""
    for i, line in enumerate(lines):
        plain = line.startswith("rule ") and " do " not in line
        yield f"{line} do act{i}" if plain else line


class Program:
    def __init__(self, poise, engine):
        self.command = [poise, "check", "--engine", engine, "--format", "json", "-"]

    def __call__(self, lines, *flags, status):
        """The answer, once the exit status was seen to be right."""
        text = "\n".join(different(lines)) + "\n"
        process = subprocess.run(
            self.command + list(flags), input=text, capture_output=True, text=True, timeout=PATIENCE
        )
        allowed = status if isinstance(status, tuple) else (status,)
        if process.returncode not in allowed:
            raise Wrong(f"exit status {process.returncode} instead of {status}: {process.stderr[:500]}")
        answer = json.loads(process.stdout)
        # A limit is the only reason to stop; to list fewer paths than there are is none.
        same("stopped", process.returncode == 3, "stopped" in answer)
        return answer


def faults(answer, kind):
    return [fault for fault in answer["faults"] if fault["kind"] == kind]


def booleans(count):
    return [f"sense b{i} : bool" for i in range(count)]


# ---------------------------------------------------------------------------------------------------- cases


def long_chain(check):
    """3,000 states in a row."""
    count = 3000
    states = ["state s0 initial", "state " + ", ".join(f"s{i}" for i in range(1, count))]
    rules = [f"rule r{i}: s{i} -> s{i + 1} when b0" for i in range(count - 1)]
    # That no run of thousands of firings closes may be too much to find out, and is said then.
    answer = check([*booleans(1), *states, *rules], "--paths", "5", status=1)
    same("complete", False, answer["complete"])
    expected = [
        ([f"r{i}" for i in range(count - length, count - 1)], f"s{count - length}", "1") for length in range(3, 8)
    ]
    same("races", expected, [(f["path"], f["state"], f["situations"]) for f in answer["faults"]])
    expected = [(f"r{i}", "1") for i in range(count - 2)]
    same("unstable", expected, [(row["rule"], row["situations"]) for row in answer["unstable"]])
    # Where no two rules in a row can fire, there is nothing to find.
    rules = [f"rule r{i}: s{i} -> s{i + 1} when {'not ' * (i % 2)}b0" for i in range(count - 1)]
    answer = check([*booleans(1), *states, *rules], status=0)
    same("faults", [], answer["faults"])
    # Backwards, with a different variable at every step: all unreachable but the first.
    rules = [f"rule r{i}: s{i + 1} -> s{i} when b{i}" for i in range(count - 1)]
    answer = check([*booleans(count - 1), *states, *rules], "--paths", "none", status=1)
    same("unreachable", [f"s{i}" for i in range(1, count)], [f["state"] for f in answer["faults"]])
    expected = [(f"r{i}", "1") for i in range(1, count - 1)]
    same("unstable", expected, [(row["rule"], row["situations"]) for row in answer["unstable"]])


def many_rules(check, count=2000):
    """Thousands of rules in one state, on one number and on as many booleans."""
    lines = [f"sense n : int 0..{count - 1}", "state A initial, B"]
    lines += [f"rule r{i}: A -> B when n == {i}" for i in range(count)]
    lines += [f"rule odd: A -> B when n in {{5, 7, {count - 1}}}", "rule none: A -> B when n == 5 and n == 6"]
    answer = check(lines, status=1)
    expected = [("nondeterminism", [f"r{i}", "odd"], "1") for i in (5, 7, count - 1)] + [("dead-rule", ["none"], "0")]
    same("faults", expected, [(f["kind"], f["rules"], f["situations"]) for f in answer["faults"]])
    same("situations", str(count), answer["size"]["situations"])
    lines = booleans(count) + ["state A initial, B"]
    lines += [f"rule r{i}: A -> B priority {i} when b{i}" for i in range(count)]
    answer = check(lines, status=0)
    same("faults", [], answer["faults"])
    same("situations", str(2**count), answer["size"]["situations"])


def thresholds(check):
    """30 thresholds on one variable: each further rule joins those before it."""
    for kind in ("int", "real"):
        lines = [f"sense x : {kind} 0..1000", "state A initial, B"]
        lines += [f"rule r{i}: A -> B when x >= {30 * i}" for i in range(1, 31)]
        answer = check(lines, status=1)
        expected = [([f"r{i}" for i in range(1, most + 1)], "1") for most in range(2, 31)]
        same("faults", expected, [(f["rules"], f["situations"]) for f in answer["faults"]])
        same("situations", "31", answer["size"]["situations"])
        # With the lowest threshold strongest, it shadows the others.
        ranked = [line.replace(" when", f" priority {i} when") for i, line in enumerate(lines)]
        answer = check(ranked[:2] + ranked[2:], status=1)
        same("dead", [([f"r{i}"], ["r1"]) for i in range(2, 31)], [(f["rules"], f["by"]) for f in answer["faults"]])


def component(check):
    """Constraints that join 200 variables: of each, all those behind it follow."""
    count = 200
    lines = booleans(count) + [f"constraint b{i} implies b{i + 1}" for i in range(count - 1)]
    lines += ["state A initial, B", "rule u: A -> B when b100", "rule v: A -> B when b150"]
    lines += ["rule never: A -> B when b0 and not b199", "rule first: A -> B when b0 and b1"]
    for counted, both in {"visited": "2", "all": "100"}.items():
        answer = check(lines, "--count", counted, status=1)
        same("situations", str(count + 1), answer["size"]["situations"])
        expected = [
            ("nondeterminism", ["u", "v"], both),
            ("nondeterminism", ["u", "v", "first"], "1"),
            ("dead-rule", ["never"], "0"),
        ]
        same("faults", expected, [(f["kind"], f["rules"], f["situations"]) for f in answer["faults"]])
        values = [answer["faults"][0]["witness"][f"b{i}"] for i in range(count)]
        same("witness", sorted(values), values)
        same("witness", (False, True), (values[0] and values[1], values[100]))


def wide_guard(check):
    """60 independent booleans in one guard: counts beyond 2 to the 53rd."""
    count = 60
    any_of = " or ".join(f"b{i}" for i in range(count))
    lines = booleans(count) + ["state A initial, B"]
    lines += [f"rule some: A -> B when {any_of}", "rule no: A -> B when not b0"]
    lines += ["rule back: B -> A when b1 and b2"]
    answer = check(lines, status=1)
    same("nondeterminism", [str(2**59 - 1)], [f["situations"] for f in faults(answer, "nondeterminism")])
    same("situations", str(2**60), answer["size"]["situations"])
    # b1 and b2 make `some` true; `no` needs one more.
    expected = {("some",): 2**58, ("no",): 2**57, ("back",): 2**58}
    expected = {key: str(value) for key, value in expected.items()}
    same("unstable", expected, {(row["rule"],): row["situations"] for row in answer["unstable"]})
    expected = {("some", "back"): 2**58, ("no", "back"): 2**57, ("back", "some"): 2**58, ("back", "no"): 2**57}
    expected = {key: str(value) for key, value in expected.items()}
    same("cycles", expected, {tuple(f["path"]): f["situations"] for f in faults(answer, "cycle")})


def wide_parity(check, count=60):
    """Half of all situations, and no condition shorter than a list of them."""
    parity = " iff ".join(f"b{i}" for i in range(count))
    lines = booleans(count) + ["state A initial, B"]
    lines += [f"rule one: A -> B when {parity}", f"rule two: A -> B when {parity}"]
    answer = check(lines, status=3)
    expected = [("nondeterminism", ["one", "two"], str(2 ** (count - 1)))]
    same("faults", expected, [(f["kind"], f["rules"], f["situations"]) for f in answer["faults"]])


def wider_parity(check):
    """So many conjunctions that a machine word cannot count them."""
    wide_parity(check, 70)


def counter(bits, overflow):
    """A counter of so many bits, that an action moves on; at the end it stops, or starts again."""
    lines = [f"var b{i} : bool = false" for i in range(bits)] + ["state A initial"]
    for i in range(bits):
        lower = [f"b{j}" for j in range(i)]
        condition = " and ".join([*lower, f"not b{i}"])
        actions = ", ".join([f"b{i} := true", *[f"{name} := false" for name in lower]])
        lines.append(f"rule up{i}: A -> A when {condition} do {actions}")
    if overflow:
        actions = ", ".join(f"b{j} := false" for j in range(bits))
        lines.append(f"rule over: A -> A when {' and '.join(f'b{j}' for j in range(bits))} do {actions}")
    return lines


def up_from(value, bits, firings):
    """The rules that fire from a value on."""
    path = []
    for _ in range(firings):
        bit = next((i for i in range(bits) if not value >> i & 1), None)
        path.append("over" if bit is None else f"up{bit}")
        value = (value + 1) % 2**bits
    return path


def long_runs(check, bits=5):
    """A counter runs until it is full, and one that starts again comes back to where it was."""
    top = 2**bits - 1
    answer = check(counter(bits, overflow=False), "--paths", "all", status=1)
    expected = [up_from(top - length, bits, length) for length in range(2, top + 1)]
    same("races", expected, [f["path"] for f in faults(answer, "race")])
    same("situations", {"1"}, {f["situations"] for f in faults(answer, "race")})
    same("complete", True, answer["complete"])
    answer = check(counter(bits, overflow=True), "--paths", "all", status=1)
    found = faults(answer, "cycle")
    same("cycles", sorted(up_from(start, bits, top + 1) for start in range(top + 1)), sorted(f["path"] for f in found))
    same("loops", {0}, {f["loop"] for f in found})


def longer_runs(check):
    """Of hundreds of firings."""
    long_runs(check, 8)


def longest_runs(check):
    """A counter of 16 bits has runs of 65,535 firings; the shortest are soon found, and a limit is kept."""
    bits, top = 16, 2**16 - 1
    answer = check(counter(bits, overflow=False), "--paths", "5", "--time-limit", "5s", status=(1, 3))
    expected = [up_from(top - length, bits, length) for length in range(2, 7)]
    same("races", expected, [f["path"] for f in faults(answer, "race")])
    same("complete", False, answer["complete"])
    answer = check(counter(bits, overflow=True), "--paths", "all", "--time-limit", "1s", status=3)
    same("complete", False, answer["complete"])


def tangled():
    """Far more paths than anyone could list: in each of 24 states, every variable leads somewhere else."""
    count = 24
    lines = booleans(2 * count) + ["state s0 initial", "state " + ", ".join(f"s{i}" for i in range(1, count))]
    for i in range(count):
        for j in range(8):
            to, variable = (i * 7 + j * 5 + 1) % count, (i * 11 + j * 13) % (2 * count)
            lines.append(f"rule r{i}_{j}: s{i} -> s{to} priority {j} when b{variable}")
    return lines


def limits(check):
    """A limit ends the search with what was found until then; a number of paths is no limit."""
    answer = check(tangled(), "--paths", "all", "--time-limit", "1s", status=3)
    same("complete", False, answer["complete"])
    same("stopped", "the time limit was reached", answer["stopped"])
    answer = check(tangled(), "--paths", "all", "--memory-limit", "40M", "--time-limit", "60s", status=3)
    same("complete", False, answer["complete"])
    same("stopped", "the memory limit was reached", answer["stopped"])
    answer = check(tangled(), "--paths", "5", status=1)
    same("complete", False, answer["complete"])
    same("listed", (5, 5), (len(faults(answer, "race")), len(faults(answer, "cycle"))))
    listed = check(tangled(), "--paths", "40", status=1)
    for kind in ("race", "cycle"):
        same(f"first {kind}s", faults(listed, kind)[:5], faults(answer, kind))
    same("unstable", listed["unstable"], answer["unstable"])


CASES = [
    long_chain,
    many_rules,
    thresholds,
    component,
    wide_guard,
    wide_parity,
    wider_parity,
    long_runs,
    longer_runs,
    longest_runs,
    limits,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--engine", default="hybrid")
    parser.add_argument("--case", choices=[case.__name__ for case in CASES])
    arguments = parser.parse_args()
    check = Program(arguments.poise, arguments.engine)
    failed = 0
    for case in CASES:
        if arguments.case not in (None, case.__name__):
            continue
        try:
            case(check)
        except (Wrong, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"{case.__name__}: {str(problem)[:1000]}")
    print(f"{failed} cases failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
