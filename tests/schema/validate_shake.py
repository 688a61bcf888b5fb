#!/usr/bin/env python3
"""Holds `poise shake --format json` to docs/shake-schema.json.

    validate_shake.py PROGRAM ROOT

The shipped policies, rules and faulty policies are shaken under several sets of options. Beyond the schema, what it cannot
say is tested: figures that belong together, the order of keys, the layout in lines, and that the schema would notice a
change. Exit status 77 (skipped) without the jsonschema package.
"""

import copy
import json
import pathlib
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

from validate import expect, failures, is_subsequence, output_of

SMALL = ["--flows", "4", "--length", "30"]
OPTIONS = [
    SMALL,
    [*SMALL, "--mutants", "all"],
    [*SMALL, "--generator", "paper", "--values", "4"],
    [*SMALL, "--generator", "random", "--mutants", "threshold,dropped", "--seed", "18446744073709551615"],
    ["--flows", "1", "--length", "1", "--generator", "bang-bang"],
    ["--time-limit", "0s"],
]
# They have so many states that it takes minutes to say which mutants are equivalent.
LARGE = ["kubernetes-hpa", "web-server"]
GENERATORS = ["walk", "earthquake", "hold"]

# Everything that can go wrong in a policy, with every kind of value.
FAULTY = """model Faulty
tick 500ms
sense on : bool
sense load : real -1.5..20 if on step 0.25
sense tags : set {a, b}
sense mode : {day, night}
variant level : int 0..10 = 0
variant lamp : {dim, bright} = dim
option more: level := level + 3 when load > 5
option less: level := 0 when mode == night and load < 5
expect calm: at most 1 changes in 5s
expect dark: mode == night held 1s implies level < 4
"""
PLAIN = """model Plain
sense hot : bool
state A initial
state B
rule go: A -> B when hot
rule back: B -> A when not hot
"""

REPORT_KEYS = ["schema", "model", "subject", "tick", "generator", "seed", "complete", "stopped", "contexts", "properties",
               "coverage", "variants", "expectations", "failures", "mutation", "flows"]
FAILURE_KEYS = ["kind", "name", "text", "flow", "tick", "flows", "kept", "executions", "smallest", "at"]


def check_layout(text, report, label):
    expect(is_subsequence(list(report), REPORT_KEYS), f"{label}: keys out of order")
    for failure in report["failures"]:
        expect(list(failure) == FAILURE_KEYS, f"{label}: keys of a failure out of order")
    starts = [line for line in text.splitlines() if line.startswith('    {"')]
    items = sum(len(report[key]) for key in ("properties", "coverage", "expectations", "failures", "flows"))
    items += len(report["mutation"]["matrix"]) if report["mutation"] else 0
    expect(len(starts) == items, f"{label}: not one line for each item")


def ticks_in(contexts):
    return sum(one["ticks"] for one in contexts)


def check_contexts(report, contexts, label):
    names = [one["name"] for one in report["properties"]]
    values = {one["name"]: one["values"] for one in report["properties"]}
    for context in contexts:
        expect(list(context) == ["ticks", *names], f"{label}: a context of other properties")
        expect(all(context[name] is None or context[name] in values[name] for name in names), f"{label}: off the grid")


def check_mutation(report, label):
    mutation, flows = report["mutation"], len(report["flows"])
    matrix = mutation["matrix"]
    ids = [one["id"] for one in matrix]
    by_status = {word: [one for one in matrix if one["status"] == word]
                 for word in ("killed", "equivalent", "survived", "killable")}
    expect(len(set(ids)) == len(ids) == mutation["mutants"], f"{label}: ids of mutants")
    expect(len(by_status["killed"]) == mutation["killed"], f"{label}: `killed`")
    expect(len(by_status["equivalent"]) == mutation["equivalent"], f"{label}: `equivalent`")
    expect(len(by_status["survived"]) == mutation["undecided"], f"{label}: `undecided`")
    expect(sum(one["killed_by_random"] for one in matrix) == mutation["killed_by_random"], f"{label}: by chance")
    valid = len(matrix) - len(by_status["equivalent"])
    score = mutation["killed"] / valid if valid else None
    expect(score == mutation["score"] or abs(score - mutation["score"]) < 1e-5, f"{label}: `score`")
    signatures = set()
    for one in matrix:
        killers = frozenset(i for i, tick in enumerate(one["killed_at"]) if tick is not None)
        expect(len(one["killed_at"]) == flows and len(killers) == one["kills"], f"{label}: `killed_at` of {one['id']}")
        expect(not killers or killers & set(mutation["minimal_flows"]), f"{label}: the minimal flows leave {one['id']}")
        expect((one["shortest"] is not None) == (one["status"] == "killable"), f"{label}: `shortest` of {one['id']}")
        expect(not (one["killed_by_random"] and one["status"] == "equivalent"), f"{label}: chance kills an equivalent")
        if killers:
            signatures.add(killers)
        if one["subsumed_by"]:
            other = matrix[ids.index(one["subsumed_by"])]
            others = {i for i, tick in enumerate(other["killed_at"]) if tick is not None}
            expect(others and others <= killers, f"{label}: {one['id']} is not subsumed")
    expect(len(signatures) == mutation["signatures"], f"{label}: `signatures`")


def check_meaning(report, label, length):
    for one in report["coverage"]:
        left = one["feasible"] - one["covered"]
        expect(len(one["missing"]) == min(left, 20), f"{label}: `missing` of {one['what']}")
    for flow in report["flows"]:
        expect(ticks_in(flow["contexts"]) == length, f"{label}: a flow of another length")
        check_contexts(report, flow["contexts"], label)
        expect(flow["violent"] + flow["smooth"] <= length - 1, f"{label}: more steps than there are")
        longest = max(one["ticks"] for one in flow["contexts"])
        expect(longest <= flow["hold"] <= length, f"{label}: `hold`")
    broken = {one["name"] for one in report["failures"] if one["kind"] == "expectation"}
    for one in report["expectations"]:
        expect((one["judged"] == 0) == (one["why_not"] is not None), f"{label}: `why_not` of {one['name']}")
        expect(one["name"] not in broken or one["judged"] > 0, f"{label}: {one['name']} is broken, but not judged")
    for failure in report["failures"]:
        expect(failure["flow"] < len(report["flows"]) or failure["kept"], f"{label}: a failure of no flow")
        expect(1 <= failure["flows"] + failure["kept"], f"{label}: nothing shows the failure")
        expect(ticks_in(failure["smallest"]) <= max(length, failure["tick"] + 1), f"{label}: shrinking made it too long")
    if report["mutation"]:
        check_mutation(report, label)


def broken_reports(report):
    """Copies of a report, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(report)
        edit(changed)
        return changed

    def mutant(changed, status):
        return next(one for one in changed["mutation"]["matrix"] if one["status"] == status)

    yield "extra key", change(lambda r: r.update(extra=1))
    yield "no flows", change(lambda r: r.pop("flows"))
    yield "another subject", change(lambda r: r.update(subject="thing"))
    yield "a number of contexts", change(lambda r: r.update(contexts=3))
    yield "not complete without a reason", change(lambda r: r.update(complete=False))
    yield "stopped but complete", change(lambda r: r.update(stopped="why"))
    yield "a property without values", change(lambda r: r["properties"][0].update(values=[]))
    yield "coverage of something", change(lambda r: r["coverage"][0].update(what="things"))
    yield "a context without its time", change(lambda r: r["flows"][0]["contexts"][0].pop("ticks"))
    yield "a value that is none", change(lambda r: r["flows"][0]["contexts"][0].update(load={}))
    yield "a shape that is none", change(lambda r: r["flows"][0].update(shape=81))
    yield "an expectation without a place", change(lambda r: r["failures"][0].update(at=None))
    yield "judged by halves", change(lambda r: r["expectations"][0].update(judged=0.5))
    yield "an expectation without a word why not", change(lambda r: r["expectations"][0].pop("why_not"))
    yield "a failure of another kind", change(lambda r: r["failures"][0].update(kind="range"))
    yield "no smallest flow", change(lambda r: r["failures"][0].update(smallest=[]))
    yield "a tick without a variant", change(lambda r: r["failures"][0]["smallest"][0].pop("variant"))
    yield "expected, but not what acts", change(lambda r: r["failures"][0]["smallest"][0].update(expected={"a": 1}))
    yield "a score above all", change(lambda r: r["mutation"].update(score=1.5))
    yield "killed by nobody", change(lambda r: mutant(r, "killed").update(kills=0))
    yield "equivalent without a reason", change(lambda r: mutant(r, "equivalent").update(reason=""))
    yield "another status", change(lambda r: mutant(r, "killed").update(status="dead"))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs" / "shake-schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    seen = {"subject": set(), "generator": set(), "kind": set(), "status": set()}
    runs = 0

    def reported(model, options, length=30):
        nonlocal runs
        label = f"{model.name} {' '.join(options)}"
        text = output_of(program, [*options, str(model)], verb="shake")
        report = json.loads(text)
        for error in validator.iter_errors(report):
            failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")
        check_layout(text, report, label)
        check_meaning(report, label, 1 if "bang-bang" in options else length)
        for key in ("subject", "generator"):
            seen[key].add(report[key])
        seen["kind"].update(one["kind"] for one in report["failures"])
        seen["status"].update(one["status"] for one in (report["mutation"] or {"matrix": []})["matrix"])
        runs += 1
        return report

    policies = sorted((root / "examples" / "policies").glob("*.poise"))
    expect(len(policies) >= 6, "there are no policies")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in (("faulty", FAULTY), ("plain", PLAIN), ("reference", FAULTY.replace("+ 3", "+ 1"))):
            (folder / f"{name}.poise").write_text(text, encoding="utf-8")
        faulty = folder / "faulty.poise"
        for model in [*policies, faulty, folder / "plain.poise"]:
            for options in OPTIONS:
                if "--mutants" not in options or model.stem not in LARGE:
                    reported(model, options)
        for generator in GENERATORS:
            reported(faulty, [*SMALL, "--generator", generator])
        reported(faulty, [*SMALL, "--reference", str(folder / "reference.poise")])
        reported(faulty, [*SMALL, "--program", "echo nothing", "--timeout", "100ms"])
        reported(faulty, [*SMALL, "--quakes", str(folder / "quakes")])
        again = reported(faulty, [*SMALL, "--quakes", str(folder / "quakes")])
        expect(any(one["kept"] for one in again["failures"]), "nothing was kept")
        log = folder / "log.jsonl"
        log.write_text("".join(json.dumps({"t": t, "set": {"on": True, "load": t, "tags": [], "mode": "day"}}) + "\n"
                               for t in range(10)), encoding="utf-8")
        traced = reported(faulty, [*SMALL, "--trace", str(log)])
        expect(all("realism" in flow for flow in traced["flows"]), "no word of what was recorded")
        report = reported(faulty, [*SMALL, "--mutants", "all"])
        for what, broken in broken_reports(report):
            expect(not validator.is_valid(broken), f"the schema lets pass: {what}")

    expect(seen["subject"] == {"policy", "rules", "program"}, f"subjects seen: {seen['subject']}")
    expect(len(seen["generator"]) == 7, f"generators seen: {seen['generator']}")
    expect(seen["kind"] == {"expectation", "range", "difference", "ended"}, f"kinds seen: {seen['kind']}")
    expect({"killed", "killable", "equivalent"} <= seen["status"], f"statuses seen: {seen['status']}")

    for failure in failures[:100]:
        print(failure)
    print(f"{runs} reports")
    sys.exit(1 if failures else 0)


main()
