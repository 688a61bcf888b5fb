#!/usr/bin/env python3
"""Holds `poise rank --format json` to docs/rank-schema.json.

    validate_rank.py PROGRAM ROOT

Two models with their logs are ranked under several sets of options. Beyond the schema, what it cannot
say is tested: figures that belong together, the order of keys, the layout in lines, and that the
schema would notice a change. Exit status 77 (skipped) without the jsonschema package.
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

OPTIONS = [
    ["--all"],
    ["--prune", "pairs"],
    ["--cases", "50"],
    ["--paths", "none"],
]
OPTIONS_OF_LARGE = [["--all", "--prune", "pairs"]]  # a validator in Python takes a second for hundreds of faults

# A morning with a GPS that is lost, a line that cannot be read and one about a variable that is not in the model.
PHONE_LOG = """\
{"t": 0, "set": {"gps.on": true, "gps.place": "home", "bt.devices": ["home_pc"], "bt.count": 1, "clock": 480}}
{"t": 1800, "add": "bt.devices", "value": "office_pc"}
{"t": 3600, "set": {"gps.place": "elsewhere", "gps.speed": 82.5, "bt.devices": ["car_handsfree"], "clock": 540}}
{"t": 5400, "set": {"gps.on": "perhaps"}}
{"t": 7200, "set": {"gps.on": false, "bt.devices": ["office_pc", "office_phone"], "bt.count": 4, "clock": 600, "noise": 3}}
"""

# Without times.
TASKER_LOG = """\
wifi.networks,gps.on,gps.place,gps.speed,calendar.now,clock.time,battery.low
home,false,home,slow,other,midnight,false
,true,park,fast,other,other,true
home,true,park,fast,other,other,
"""

REPORT_KEYS = ["schema", "model", "method", "complete", "stopped", "log", "replay", "reported",
               "pruned_by_pairs", "pruned_exactly", "verdicts", "constraints", "faults", "pruned", "quality"]
CASE_KEYS = ["rank", "id", "group", "by", "constraint", "probability", "gain", "verdict", "basis", "happened",
             "happened_at_most", "first", "last", "likelihood", "situation_seen", "against", "kind", "state", "rules", "path", "ends", "loop", "situations", "reachable", "when", "witness",
             "assumed_free", "at"]

def ranked(program, arguments):
    return output_of(program, arguments, verb="rank")


def check_layout(text, report, label):
    cases = report["faults"] + report["pruned"]
    expect(is_subsequence(list(report), REPORT_KEYS), f"{label}: keys out of order")
    for case in cases:
        expect(is_subsequence(list(case), CASE_KEYS), f"{label}: keys of a case out of order")
    starts = [line for line in text.splitlines() if line.startswith(('    {"rank": ', '    {"id": '))]
    expect(len(starts) == len(cases), f"{label}: not one line for each case")


def check_meaning(report, label, prune_pairs):
    faults, pruned = report["faults"], report["pruned"]
    expect(len(faults) + len(pruned) == report["reported"], f"{label}: cases are missing")
    expect([fault["rank"] for fault in faults] == list(range(1, len(faults) + 1)), f"{label}: ranks")
    way = "pruned_by_pairs" if prune_pairs else "pruned_exactly"
    expect(len(pruned) == report[way], f"{label}: `pruned` is not what `{way}` says")
    expect(len({case["id"] for case in faults + pruned}) == report["reported"], f"{label}: an id for two cases")
    highest = 0
    for fault in faults:
        expect(1 <= fault["group"] <= highest + 1, f"{label}: groups are not numbered as they come up")
        highest = max(highest, fault["group"])
        likelihood = fault["likelihood"]
        expect(likelihood["low"] <= likelihood["high"], f"{label}: an interval upside down")
        seen = fault["situation_seen"]
        if seen and report["log"]["seconds"] is None:
            expect(seen["first"] is None, f"{label}: a time in a log without times")
        expect(seen or not fault["happened"], f"{label}: it happened, but its situation was not there")
        expect((fault["basis"] == "happened") == bool(fault["happened"]), f"{label}: `basis`")
        expect(fault["happened"] or fault["first"] is None, f"{label}: it did not happen, but has a time")
    if report["replay"]["complete"]:
        listed = sum(fault["happened"] for fault in faults)
        expect(listed + report["replay"]["unlisted"] == report["replay"]["incidents"], f"{label}: incidents")
    order = {"confirmed": 0, None: 1, "rejected": 2}
    verdicts = [order[fault.get("verdict")] for fault in faults]
    expect(verdicts == sorted(verdicts), f"{label}: verdicts out of order")
    expect(report["verdicts"] == sum(verdict != 1 for verdict in verdicts), f"{label}: `verdicts`")
    for case in pruned:
        expect(case["by"] == "types" or case["constraint"] in report["constraints"],
               f"{label}: pruned by a constraint that is not there")


def verdict_lines(faults, verdict):
    return "".join(json.dumps({"fault": fault["id"], "verdict": verdict}) + "\n" for fault in faults)


def broken_reports(report):
    """Copies of a report, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(report)
        edit(changed)
        return changed

    at = next(i for i, fault in enumerate(report["faults"]) if fault["kind"] == "race")
    yield "extra key", change(lambda r: r.update(extra=1))
    yield "no log", change(lambda r: r.pop("log"))
    yield "another method", change(lambda r: r.update(method="guess"))
    yield "extra key of a fault", change(lambda r: r["faults"][at].update(extra=1))
    yield "place 0", change(lambda r: r["faults"][at].update(rank=0))
    yield "an id that is none", change(lambda r: r["faults"][at].update(id="1"))
    yield "more than certain", change(lambda r: r["faults"][at].update(probability=1.5))
    yield "two situations", change(lambda r: r["faults"][at].update(situations="2"))
    yield "dead rule", change(lambda r: r["faults"][at].update(kind="dead-rule"))
    yield "race without end", change(lambda r: r["faults"][at].pop("ends"))
    yield "verdict none", change(lambda r: r["faults"][at].update(verdict="none"))
    yield "verdict with a gain", change(lambda r: r["faults"][at].update(verdict="confirmed", probability=1, gain=2))
    yield "seen never", change(lambda r: r["faults"][at].update(situation_seen={}))
    yield "not said whether it happened", change(lambda r: r["faults"][at].pop("happened"))
    yield "happened less than never", change(lambda r: r["faults"][at].update(happened=-1))
    yield "a basis that is none", change(lambda r: r["faults"][at].update(basis="seen"))
    yield "no word about the replay", change(lambda r: r.pop("replay"))
    yield "a replay without a reason", change(lambda r: r.update(replay={"complete": False}))
    yield "pruned by chance", change(lambda r: r["pruned"][0].update(by="chance"))
    yield "pruned with a place", change(lambda r: r["pruned"][0].update(rank=1))
    yield "pruned with a witness", change(lambda r: r["pruned"][0].update(witness={}))
    yield "half a quality", change(lambda r: r.update(quality=[]))
    yield "stopped but complete", change(lambda r: r.update(stopped="why", complete=True))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs" / "rank-schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    kinds = set()
    runs = 0

    def reported(arguments, label, prune_pairs=False):
        nonlocal runs
        text = ranked(program, arguments)
        report = json.loads(text)
        for error in validator.iter_errors(report):
            failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")
        check_layout(text, report, label)
        check_meaning(report, label, prune_pairs)
        kinds.update(fault["kind"] for fault in report["faults"])
        runs += 1
        return report

    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in (("phone.jsonl", PHONE_LOG), ("tasker.csv", TASKER_LOG), ("empty.csv", "")):
            (folder / name).write_text(text, encoding="utf-8")
        examples = root / "examples"
        tasker = str(examples / "tasker.poise")
        for log in ("tasker.csv", "empty.csv"):
            reported([tasker, "--log", str(folder / log)], f"tasker {log}")
        subjects = [("tasker", examples / "tasker-week.csv", OPTIONS),
                    ("phone-adapter-ranked", folder / "phone.jsonl", OPTIONS_OF_LARGE)]
        for model, log, all_options in subjects:
            for method in ("likelihood", "paper"):
                call = [str(examples / f"{model}.poise"), "--log", str(log), "--method", method]
                for options in all_options:
                    label = f"{model} {method} {' '.join(options)}"
                    reported([*call, *options], label, "pairs" in options)

                # Verdicts on the first and the last; a truth that the ranking meets.
                faults = json.loads(ranked(program, call))["faults"]
                verdicts, truth = folder / "verdicts.jsonl", folder / "truth.jsonl"
                verdicts.write_text(verdict_lines(faults[:3], "confirmed") + verdict_lines(faults[-3:], "rejected"),
                                    encoding="utf-8")
                truth.write_text(verdict_lines(faults[: len(faults) // 2], "confirmed"), encoding="utf-8")
                judged = reported([*call, "--feedback", str(verdicts)], f"{model} {method} feedback")
                expect(judged["verdicts"] == 6, f"{model} {method}: not six verdicts")
                measured = reported([*call, "--truth", str(truth)], f"{model} {method} truth")
                rows = [row["ranking"] for row in measured["quality"]]
                expect(rows == ["static", "dynamic", "random", "ideal"], f"{model} {method}: rows {rows}")
                expect(measured["quality"][0]["dcg"] == 1, f"{model} {method}: the truth is the upper half")

        phone = json.loads(ranked(program, [str(examples / "phone-adapter-ranked.poise"), "--all",
                                               "--log", str(folder / "phone.jsonl")]))
        expect(phone["log"] == {"entries": 4, "skipped": 1, "distinct": 4, "seconds": 9600}, f"log: {phone['log']}")
        figures = [phone[key] for key in ("reported", "pruned_by_pairs", "pruned_exactly")]
        expect(figures == [784, 151, 151], f"phone-adapter-ranked: {figures}")

        small = json.loads(ranked(program, [tasker, "--log", str(folder / "tasker.csv"), "--cases", "100"]))
        expect(validator.is_valid(small), "a small report is not valid")
        for what, report in broken_reports(small):
            expect(not validator.is_valid(report), f"the schema lets pass: {what}")

    for failure in failures:
        print(failure)
    print(f"{runs} reports, kinds seen: {sorted(kinds)}")
    sys.exit(1 if failures else 0)


main()
