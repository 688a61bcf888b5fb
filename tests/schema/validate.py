#!/usr/bin/env python3
"""Holds `poise check --format json` to docs/check-schema.json.

    validate.py PROGRAM ROOT

Every model in ROOT/examples is checked under several sets of options, the small ones under all of
them. Beyond the schema, what it cannot say is tested: the order of keys, the layout in lines, and
that the schema would notice a change. Exit status 77 (skipped) without the jsonschema package.
"""

import copy
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

OPTIONS = [
    [],
    ["--all"],
    ["--paths", "none"],
    ["--paths", "1"],
    ["--paths", "all"],
    ["--only", "cycle"],
    ["--only", "nondeterminism,dead-rule,dead-state,unreachable-state"],
    ["--ignore", "priorities"],
    ["--ignore", "priorities,constraints"],
    ["--count", "all"],
    ["--count", "rules"],
    ["--time-limit", "0s"],
]

# A debug build takes seconds for a large model.
OPTIONS_OF_LARGE = [[], ["--all", "--paths", "1"]]
LARGE = 200  # situations

REPORT_KEYS = ["schema", "model", "size", "engine", "complete", "stopped", "unstable", "overlaps", "faults"]
FAULT_KEYS = ["kind", "state", "rules", "harmless", "path", "ends", "loop", "cause", "by", "situations",
              "reachable", "when", "witness", "assumed_free", "at"]

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def output_of(program, arguments, verb="check"):
    done = subprocess.run([program, verb, "--format", "json", *arguments],
                          capture_output=True, text=True, timeout=120)
    expect(done.returncode in (0, 1, 3), f"{arguments}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def is_subsequence(keys, order):
    places = [order.index(key) for key in keys]
    return places == sorted(places)


def check_layout(text, report, label):
    expect(is_subsequence(list(report), REPORT_KEYS), f"{label}: keys out of order")
    for fault in report["faults"]:
        expect(is_subsequence(list(fault), FAULT_KEYS), f"{label}: keys of a fault out of order")
    starts = [line for line in text.splitlines() if line.startswith('    {"kind": ')]
    expect(len(starts) == len(report["faults"]), f"{label}: not one line for each fault")


def check_meaning(report, label):
    for fault in report["faults"]:
        if fault["kind"] == "cycle":
            expect(fault["loop"] < len(fault["path"]), f"{label}: `loop` is outside the path")


def broken_reports(report):
    """Copies of a report, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(report)
        edit(changed)
        return changed

    fault = next(f for f in report["faults"] if f["kind"] == "race")
    at = report["faults"].index(fault)
    yield "extra key", change(lambda r: r.update(extra=1))
    yield "no faults", change(lambda r: r.pop("faults"))
    yield "figure as number", change(lambda r: r["faults"][at].update(situations=3))
    yield "unknown kind", change(lambda r: r["faults"][at].update(kind="mistake"))
    yield "race without end", change(lambda r: r["faults"][at].pop("ends"))
    yield "race with rules", change(lambda r: r["faults"][at].update(rules=["A"]))
    yield "no place", change(lambda r: r["faults"][at].pop("at"))
    yield "stopped but complete", change(lambda r: r.update(stopped="why", complete=True))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs" / "check-schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    examples = sorted(str(path) for path in (root / "examples").glob("*.poise"))
    expect(examples, "there are no examples")
    kinds = set()
    small = []
    runs = 0
    for example in examples:
        size = json.loads(output_of(program, ["--only", "dead-rule", example]))["size"]
        large = int(size["situations"]) > LARGE
        if not large:
            small.append(example)
        for options in OPTIONS_OF_LARGE if large else OPTIONS:
            label = f"{pathlib.Path(example).name} {' '.join(options)}"
            text = output_of(program, [*options, example])
            report = json.loads(text)
            for error in validator.iter_errors(report):
                failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")
            check_layout(text, report, label)
            check_meaning(report, label)
            kinds.update(fault["kind"] for fault in report["faults"])
            runs += 1

    several = json.loads(output_of(program, small))
    expect(isinstance(several, list) and len(several) == len(small), "no array for several models")
    expect(validator.is_valid(several), "the array of several reports is not valid")

    with_races = (one for one in several if any(fault["kind"] == "race" for fault in one["faults"]))
    for what, report in broken_reports(next(with_races)):
        expect(not validator.is_valid(report), f"the schema lets pass: {what}")

    for failure in failures:
        print(failure)
    print(f"{len(examples)} models, {runs} reports, kinds seen: {sorted(kinds)}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
