#!/usr/bin/env python3
"""Holds `--format sarif` to the schema of SARIF 2.1.0 and to what no schema can say.

    validate_sarif.py PROGRAM ROOT SCHEMA

Every model in ROOT/examples, every text in the fuzz corpus and files with odd names are checked.
Results must have the facts of the JSON report, links must lead somewhere, URIs must be URIs that
give the path back, and fingerprints must differ.
"""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import jsonschema

OPTIONS = [[], ["--all"], ["--paths", "none"], ["--paths", "1"], ["--ignore", "priorities"],
           ["--time-limit", "0s"]]
OPTIONS_OF_LARGE = [["--paths", "20"]]
LARGE = 200  # situations

# RFC 3986, as far as we use it.
URI = re.compile(r"(file:///)?([A-Za-z0-9._~-]|%[0-9A-F]{2})*(/([A-Za-z0-9._~-]|%[0-9A-F]{2})+)*")
LINK = re.compile(r"\[(?:[^\\\[\]]|\\.)*\]\((\d+)\)")
FACTS = ["rules", "path", "ends", "loop", "cause", "by", "situations", "reachable", "when",
         "witness"]

ODD_NAMES = [b"a b.poise", b"100%.poise", b"c:d.poise", b"#?&.poise", "é–ß.poise".encode(),
             b"\xff\xfe.poise", b"new\nline.poise", b"{0}[1](2).poise", b'"\\.poise', b"-x.poise"]
SMALL = b"model M\nsense a : bool\nstate A initial\nstate B\n" \
        b"rule go: A -> B when a\nrule back: B -> A when a\n"

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def output_of(program, arguments, statuses=(0, 1, 3), verb="check", **more):
    done = subprocess.run([program, verb, *arguments], capture_output=True, timeout=120, **more)
    expect(done.returncode in statuses, f"{arguments}: exit status {done.returncode}")
    return done.stdout


class Checker:
    def __init__(self, program, schema):
        self.program = program
        self.validator = jsonschema.validators.validator_for(schema)(schema)
        self.logs = 0
        self.results = 0

    def log(self, arguments, statuses=(0, 1, 3), **more):
        """The log of a call, valid in every respect, or None."""
        label = str(arguments)
        text = output_of(self.program, ["--format", "sarif", *arguments], statuses, **more)
        try:
            log = json.loads(text.decode("utf-8"))
        except ValueError as error:
            failures.append(f"{label}: {error}")
            return None
        for error in self.validator.iter_errors(log):
            failures.append(f"{label}: {list(error.absolute_path)}: {error.message[:300]}")
        check_run(log["runs"][0], label)
        self.logs += 1
        self.results += len(log["runs"][0]["results"])
        return log


def locations_in(node):
    """Every physical location below a node."""
    if isinstance(node, dict):
        if "artifactLocation" in node:
            yield node
        for value in node.values():
            yield from locations_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from locations_in(value)


def check_run(run, label):
    rules = run["tool"]["driver"]["rules"]
    expect(len({rule["id"] for rule in rules}) == len(rules), f"{label}: rule ids repeat")
    for place in locations_in({"results": run["results"], "invocations": run["invocations"]}):
        location = place["artifactLocation"]
        expect(URI.fullmatch(location["uri"]), f"{label}: not a URI: {location['uri']}")
        expect(location == run["artifacts"][location["index"]]["location"],
               f"{label}: a location that is not its artifact's")
        expect("startLine" in place.get("region", {"startLine": 1}), f"{label}: region without line")

    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    expect(len(set(prints)) == len(prints), f"{label}: fingerprints repeat")
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        expect(rule["id"] == result["ruleId"], f"{label}: `ruleIndex` is another rule's")
        ids = [place["id"] for place in result.get("relatedLocations", [])]
        linked = [int(number) for number in LINK.findall(result["message"]["text"])]
        expect(len(set(ids)) == len(ids), f"{label}: ids of related locations repeat")
        expect(set(linked) <= set(ids), f"{label}: a link that leads nowhere")
        expect(len(result["message"]["text"]) < 2000, f"{label}: a very long message")


def check_facts(run, report, label):
    """The results of one model against its JSON report."""
    compact = ("poise/unstable-rule", "poise/overlapping-rules")
    results = [r for r in run["results"] if r["ruleId"] not in compact]
    expect(len(results) == len(report["faults"]), f"{label}: not one result for each fault")
    for result, fault in zip(results, report["faults"]):
        facts = result["properties"]
        expect(result["ruleId"] == "poise/" + fault["kind"], f"{label}: another kind")
        expect([facts.get(key) for key in FACTS] == [fault.get(key) for key in FACTS],
               f"{label}: the facts differ from those in JSON")
        region = result["locations"][0]["physicalLocation"]["region"]
        expect((region["startLine"], region["startColumn"]) ==
               (fault["at"]["line"], fault["at"]["column"]), f"{label}: another place")
        steps = [step for flow in result.get("codeFlows", []) for thread in flow["threadFlows"]
                 for step in thread["locations"]]
        names = [step["location"]["logicalLocations"][-1]["name"] for step in steps]
        expect(names == fault.get("path", []), f"{label}: the code flow is not the path")
        loop = fault.get("loop", len(names))
        expect([step["nestingLevel"] for step in steps] ==
               [0 if i < loop else 1 for i in range(len(names))], f"{label}: the loop is not nested")
    expect(all(a["properties"]["complete"] == report["complete"] for a in run["artifacts"]),
           f"{label}: not as complete as JSON says")


def check_examples(checker, root):
    small = []
    for example in sorted(str(path) for path in (root / "examples").glob("*.poise")):
        size = json.loads(output_of(checker.program, ["--format", "json", "--only", "dead-rule",
                                                      example]))["size"]
        large = int(size["situations"]) > LARGE
        if not large:
            small.append(example)
        for options in OPTIONS_OF_LARGE if large else OPTIONS:
            log = checker.log([*options, example])
            report = json.loads(output_of(checker.program, ["--format", "json", *options, example]))
            if log:
                check_facts(log["runs"][0], report, f"{example} {options}")
    expect(small, "there are no small examples")
    together = checker.log(small)
    expect(together and len(together["runs"][0]["artifacts"]) == len(small),
           "not one run for several models")
    return together


def check_ranking(checker, root):
    log = checker.log([str(root / "examples/tasker.poise"), "--log", str(root / "examples/tasker-week.csv")],
                      verb="rank")
    ranks = [result["rank"] for result in log["runs"][0]["results"]] if log else []
    expect(ranks and all(0 <= rank <= 100 for rank in ranks), "ranks are shares in percent")
    expect(ranks == sorted(ranks, reverse=True), "not in the order of ranks")


def check_hazards(checker, root):
    for path in sorted((root / "tests" / "golden" / "verify").glob("*.poise")):
        if "failure " not in path.read_text(encoding="utf-8", errors="replace"):
            continue
        options = ["--bound", "2", "--paths", "2", str(path)]
        text = output_of(checker.program, ["--format", "json", *options], (0, 1, 2, 3), verb="verify")
        if not text:
            continue
        hazards = json.loads(text)["hazards"]
        results = checker.log(options, verb="verify")["runs"][0]["results"]
        expect(len(results) == len(hazards), f"{path.name}: not one result for each hazard")
        for result, hazard in zip(results, hazards):
            region = result["locations"][0]["physicalLocation"]["region"]
            expect((result["ruleId"], result["level"]) == ("poise/hazard", "error"), f"{path.name}: another rule")
            expect(region["startLine"] == hazard["at"]["line"], f"{path.name}: another place")
            steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
            names = [step["location"]["logicalLocations"][-1]["name"] for step in steps]
            expect(names == hazard["shortest"], f"{path.name}: the code flow is not the shortest path")


KINDS = {"expectation": "broken-expectation", "range": "variant-range", "difference": "difference",
         "ended": "program-failure"}
POLICY = """model Lamp
sense a : bool
sense n : int 0..20
variant level : int 0..3 = 0
option up: level := level + 1 when n > 10
option down: level := 0 when not a and n > 18
expect dark: a held 2s implies level == 0
"""


def check_failures(checker, folder):
    model, reference = folder / "lamp.poise", folder / "reference.poise"
    model.write_text(POLICY, encoding="utf-8")
    reference.write_text(POLICY.replace("n > 10", "n > 11"), encoding="utf-8")
    few = ["--flows", "3", "--length", "12"]
    seen = set()
    for options in (["--flows", "40", "--length", "40"], ["--flows", "1", "--length", "2", "--mutants", "all"],
                    [*few, "--reference", str(reference)],
                    [*few, "--program", "exit 3"], ["--time-limit", "0s"]):
        label = f"lamp.poise {options}"
        options = [*options, str(model)]
        report = json.loads(output_of(checker.program, ["--format", "json", *options], verb="shake"))
        results = checker.log(options, verb="shake")["runs"][0]["results"]
        alive = [one for one in (report["mutation"] or {"matrix": []})["matrix"]
                 if one["status"] in ("survived", "killable")]
        found = report["failures"]
        expect(len(results) == len(found) + len(alive), f"{label}: not one result for each failure")
        for result, failure in zip(results, found):
            seen.add(failure["kind"])
            expect(result["ruleId"] == "poise/" + KINDS[failure["kind"]], f"{label}: another kind")
            expect(result["level"] == "error", f"{label}: a failure is an error")
            place = result["locations"][0]["physicalLocation"]
            expect(place.get("region", {}).get("startLine") == (failure["at"] or {}).get("line"),
                   f"{label}: another place")
        for result, mutant in zip(results[len(found):], alive):
            seen.add("mutant")
            expect((result["ruleId"], result["level"]) == ("poise/surviving-mutant", "note"), f"{label}: mutants")
            expect(result["properties"]["id"] == mutant["id"], f"{label}: another mutant")
    expect(seen == {*KINDS, "mutant"}, f"seen of shake: {seen}")


def check_odd_names(checker, folder):
    names = [os.fsdecode(name) for name in ODD_NAMES]
    for name in names:
        (folder / name).write_bytes(SMALL)
    paths = ["./" + name for name in names]
    log = checker.log(paths, cwd=folder)
    for name, artifact in zip(ODD_NAMES, log["runs"][0]["artifacts"] if log else []):
        uri = artifact["location"]["uri"]
        expect(urllib.parse.unquote_to_bytes(uri) == name, f"{uri} is not the URI of {name}")
    log = checker.log([str(folder / names[0])])
    expect(log and log["runs"][0]["artifacts"][0]["location"]["uri"].startswith("file:///"),
           "an absolute path without scheme")
    checker.log(["./" + "x" * 300, "gone {0}", str(folder), *paths[:1]], statuses=(2,), cwd=folder)
    checker.log(["-"], input=SMALL)


def broken_logs(log):
    """Copies of a log, each with one mistake that the schema must not let pass."""
    def change(edit):
        changed = copy.deepcopy(log)
        edit(changed["runs"][0])
        return changed

    yield "no tool", change(lambda run: run.pop("tool"))
    yield "unknown level", change(lambda run: run["results"][0].update(level="serious"))
    yield "no message", change(lambda run: run["results"][0].pop("message"))
    yield "extra key", change(lambda run: run["results"][0].update(when="x"))
    yield "columns of nothing", change(lambda run: run.update(columnKind="bytes"))


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    schema = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    expect("2.1.0" in schema["title"], "not the schema of SARIF 2.1.0")
    checker = Checker(program, schema)

    log = check_examples(checker, root)
    check_ranking(checker, root)
    for text in sorted((root / "tests" / "fuzz" / "corpus" / "lang").iterdir()):
        checker.log([str(text)], statuses=(0, 1, 2, 3))
    with tempfile.TemporaryDirectory() as folder:
        check_odd_names(checker, pathlib.Path(folder))
        check_failures(checker, pathlib.Path(folder))
    check_hazards(checker, root)
    if log:
        for what, broken in broken_logs(log):
            expect(not checker.validator.is_valid(broken), f"the schema lets pass: {what}")

    for failure in failures[:100]:
        print(failure)
    print(f"{checker.logs} logs with {checker.results} results")
    sys.exit(1 if failures else 0)


main()
