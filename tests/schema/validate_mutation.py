#!/usr/bin/env python3
"""Holds `poise shake --mutation-report` to the schema that viewers of mutation tests share.

    validate_mutation.py PROGRAM ROOT SCHEMA

Beyond the schema: flows that kill are flows of the report, and places lie in the text that the report carries.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

SMALL = ["--quiet", "--flows", "3", "--length", "20"]
POLICIES = ["aws-step-scaling", "battery-failsafe", "px4-failsafe", "thermostat"]
PLAIN = """model Plain
sense hot : bool # größer, "quoted" \\ and <b>
sense t : int 0..9
state A initial
state B
rule go: A -> B when hot and t > 4
rule back: B -> A when not hot
"""

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def check_places(report, source, label):
    (name, file), = report["files"].items()
    expect(file["source"] == source, f"{label}: another text")
    lines = source.split("\n")
    for mutant in file["mutants"]:
        start, end = mutant["location"]["start"], mutant["location"]["end"]
        expect((start["line"], start["column"]) < (end["line"], end["column"]), f"{label}: an empty place")
        for place in (start, end):
            expect(place["line"] <= len(lines) and place["column"] <= len(lines[place["line"] - 1]) + 1,
                   f"{label}: {mutant['id']} is outside of {name}")
    tests = {test["id"] for one in report["testFiles"].values() for test in one["tests"]}
    expect(len(tests) == 3, f"{label}: not every flow is a test")
    for mutant in file["mutants"]:
        expect(set(mutant["killedBy"]) <= set(mutant["coveredBy"]) == tests, f"{label}: flows of {mutant['id']}")
        expect((mutant["status"] == "Killed") == bool(mutant["killedBy"]), f"{label}: status of {mutant['id']}")
    ids = [mutant["id"] for mutant in file["mutants"]]
    expect(ids and len(set(ids)) == len(ids), f"{label}: ids of mutants")
    return {mutant["status"] for mutant in file["mutants"]}


def broken_reports(report):
    """Copies of a report, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(report)
        edit(changed, next(iter(changed["files"].values())))
        return changed

    yield "no version", change(lambda r, f: r.pop("schemaVersion"))
    yield "no thresholds", change(lambda r, f: r.pop("thresholds"))
    yield "no text", change(lambda r, f: f.pop("source"))
    yield "another status", change(lambda r, f: f["mutants"][0].update(status="Equivalent"))
    yield "no place", change(lambda r, f: f["mutants"][0].pop("location"))
    yield "a column of 0", change(lambda r, f: f["mutants"][0]["location"]["start"].update(column=0))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    statuses = set()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        plain = folder / 'odd "name".poise'
        plain.write_text(PLAIN, encoding="utf-8")
        models = [root / "examples" / "policies" / f"{name}.poise" for name in POLICIES] + [plain]
        for model in models:
            target = folder / "mutation.json"
            done = subprocess.run([program, "shake", *SMALL, "--mutants", "all", "--mutation-report", str(target), str(model)],
                                  capture_output=True, text=True, timeout=120, check=False)
            expect(done.returncode in (0, 1, 3), f"{model.name}: {done.stderr}")  # 3: not all was judged
            report = json.loads(target.read_text(encoding="utf-8"))
            for error in validator.iter_errors(report):
                failures.append(f"{model.name}: {list(error.absolute_path)}: {error.message[:300]}")
            statuses |= check_places(report, model.read_text(encoding="utf-8"), model.name)
            target.unlink()
        for what, broken in broken_reports(report):
            expect(not validator.is_valid(broken), f"the schema lets pass: {what}")
    expect(statuses == {"Killed", "Survived", "Ignored"}, f"statuses seen: {statuses}")

    for failure in failures[:100]:
        print(failure)
    print(f"{len(models)} reports")
    sys.exit(1 if failures else 0)


main()
