#!/usr/bin/env python3
"""Holds `poise verify --format json` to docs/verify-schema.json.

    validate_verify.py PROGRAM ROOT

The examples with a world and the golden cases are verified under several sets of options. Beyond the schema,
what it cannot say is tested: figures that belong together, the order of keys, the layout in lines, and that the
schema would notice a change. Exit status 77 (skipped) without the jsonschema package.
"""

import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

from validate import expect, failures, is_subsequence, output_of

OPTIONS = [
    ["--paths", "3"],
    ["--paths", "none"],
    ["--bound", "0"],
    ["--bound", "3", "--paths", "5"],
    ["--bound", "2", "--paths", "all", "--engine", "smt"],
    ["--bound", "2", "--mode", "naive", "--paths", "2"],
    ["--bound", "2", "--as-printed", "--paths", "2"],
    ["--mode", "ideal", "--paths", "1"],
    ["--time-limit", "0s"],
]
# Their invariants have hundreds of cases, or they are not decided.
OPTIONS_OF_LARGE = [["--bound", "2", "--paths", "2"], ["--bound", "3", "--mode", "ideal", "--paths", "none"]]

EXAMPLES = ["robot-car", "thermostat-noise", "autoscaler", "drone-failsafe"]
GOLDEN = ["unsafe", "safe", "does_not_fit", "kinds_of_values", "long_path", "many_cases", "several_failures",
          "vacuous", "constraint_always"]

REPORT_KEYS = ["schema", "model", "mode", "bound", "engine", "linear", "verdict", "reason", "complete", "stopped", "nodes",
               "paths", "failing", "decisions_per_hour", "hazards", "invariants", "vacuous", "departures",
               "counterexamples", "simulation"]
HAZARD_KEYS = ["failure", "state", "rule", "action", "occurrence", "first", "first_exact", "shortest", "likeliest",
               "probability", "error", "at_most", "method", "per_hour", "paths", "repairs", "mission", "at"]
COUNTEREXAMPLE_KEYS = ["failure", "path", "probability", "error", "at_most", "method", "per_hour", "as_printed",
                       "environment", "steps"]


def check_layout(text, report, label):
    expect(is_subsequence(list(report), REPORT_KEYS), f"{label}: keys out of order")
    for hazard in report["hazards"]:
        expect(is_subsequence(list(hazard), HAZARD_KEYS), f"{label}: keys of a hazard out of order")
    for example in report["counterexamples"]:
        expect(is_subsequence(list(example), COUNTEREXAMPLE_KEYS), f"{label}: keys of a counterexample out of order")
    starts = [line for line in text.splitlines() if line.startswith('    {"')]
    lists = ("hazards", "invariants", "vacuous", "departures", "counterexamples")
    expect(len(starts) == sum(len(report[key] or ()) for key in lists), f"{label}: not one line for each item")


def check_meaning(report, label):
    hazards, examples = report["hazards"], report["counterexamples"]
    for hazard in hazards:
        expect(hazard["first"] == len(hazard["shortest"]), f"{label}: `first` is not the length of the path")
        expect(hazard["shortest"][-1] == hazard["rule"], f"{label}: the path does not end with the rule")
    never = {(entry["name"], entry.get("state")) for entry in report["vacuous"] or () if entry["what"] == "rule"}
    for hazard in hazards:
        expect((hazard["rule"], hazard["state"]) not in never, f"{label}: a hazard of a rule that never fires")
    firsts = [hazard["first"] for hazard in hazards]
    expect(firsts == sorted(firsts), f"{label}: hazards out of order")
    for example in examples:
        expect(example["path"] == [step["rule"] for step in example["steps"]], f"{label}: steps of another path")
        states = [step["from"] for step in example["steps"][1:]]
        expect(states == [step["to"] for step in example["steps"][:-1]], f"{label}: steps do not join")
        last = example["steps"][-1]
        expect(last["actions"], f"{label}: nothing is done in the last step")
        fits = any(hazard["rule"] == last["rule"] and hazard["failure"] == example["failure"]
                   and hazard["occurrence"] == len(last["actions"]) - 1
                   and hazard["action"] == last["actions"][-1]["action"] for hazard in hazards)
        expect(fits or report["bound"] is not None, f"{label}: a counterexample without its hazard")
    if report["bound"] is not None:
        expect(report["nodes"] == str(sum(map(int, report["paths"]))), f"{label}: `nodes` is not the sum of `paths`")
        expect(len(report["failing"]) == len(report["paths"]), f"{label}: `failing` and `paths`")
        counted = sum(map(int, report["failing"]))
        whole = report["complete"] and "stopped" not in report
        expect(len(examples) == counted if whole else len(examples) <= counted, f"{label}: not as many as counted")
    for invariant in report["invariants"]:
        expect((invariant["holds"] is None) == (invariant["cases"] == []), f"{label}: cases of a state")


def broken_reports(report):
    """Copies of a report, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(report)
        edit(changed)
        return changed

    def step(changed):
        return changed["counterexamples"][0]["steps"][0]

    yield "extra key", change(lambda r: r.update(extra=1))
    yield "no verdict", change(lambda r: r.pop("verdict"))
    yield "another verdict", change(lambda r: r.update(verdict="fine"))
    yield "safe with hazards", change(lambda r: r.update(verdict="safe", reason="why"))
    yield "unsafe without hazards", change(lambda r: r.update(hazards=[]))
    yield "figures as numbers", change(lambda r: r.update(paths=[1]))
    yield "counts without a bound", change(lambda r: r.update(bound=None))
    yield "stopped but complete", change(lambda r: r.update(stopped="why", complete=True))
    yield "hazard without a place", change(lambda r: r["hazards"][0].pop("at"))
    yield "hazard without a path", change(lambda r: r["hazards"][0].update(shortest=[]))
    yield "more than certain", change(lambda r: r["counterexamples"][0].update(probability=1.5))
    yield "no steps", change(lambda r: r["counterexamples"][0].update(steps=[]))
    yield "a step without sensed values", change(lambda r: step(r).pop("sensed"))
    yield "a value that is none", change(lambda r: step(r)["actual"].update(front={}))
    yield "an action without a name", change(lambda r: step(r)["actions"][0].pop("action"))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs" / "verify-schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    verdicts, modes, engines = set(), set(), set()
    runs = 0

    def reported(model, options):
        nonlocal runs
        label = f"{model.name} {' '.join(options)}"
        text = output_of(program, [*options, str(model)], verb="verify")
        report = json.loads(text)
        for error in validator.iter_errors(report):
            failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")
        check_layout(text, report, label)
        check_meaning(report, label)
        verdicts.add(report["verdict"])
        modes.add(report["mode"])
        engines.add(report["engine"])
        runs += 1
        return report

    golden = root / "tests" / "golden" / "verify"
    models = [root / "examples" / f"{name}.poise" for name in EXAMPLES] + [golden / f"{name}.poise" for name in GOLDEN]
    for model in models:
        for options in OPTIONS:
            reported(model, options)
    cars = sorted((root / "examples" / "robot-cars").glob("*.poise"))
    expect(cars, "there are no cars")
    for car in cars:
        for options in OPTIONS_OF_LARGE:
            reported(car, options)
    expect(verdicts == {"safe", "unsafe", "unknown"}, f"verdicts seen: {verdicts}")
    expect(modes == {"naive", "ideal", "actual", "as-printed"}, f"modes seen: {modes}")
    expect(engines == {"zones", "smt"}, f"engines seen: {engines}")

    report = reported(golden / "unsafe.poise", ["--bound", "1"])
    for what, broken in broken_reports(report):
        expect(not validator.is_valid(broken), f"the schema lets pass: {what}")

    for failure in failures:
        print(failure)
    print(f"{runs} reports")
    sys.exit(1 if failures else 0)


main()
