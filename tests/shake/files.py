#!/usr/bin/env python3
"""`poise shake` and files: failures that are kept, flows for other tools, drawings, tables, models of other tools, and what is
the same whatever the number of threads."""

import csv
import glob
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
import xml.etree.ElementTree

POISE = os.environ["POISE"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

FAN = """model Fan
tick 2s
sense temperature : real 10..40 step 0.5
sense open : bool
sense season : {summer, winter, null}
constraint winter_is_cold: season == winter implies temperature < 35
variant fan : {off, slow, fast} = off
option slow: fan := slow when temperature > 22.25 and fan == off
option fast: fan := fast when temperature > 30
option rest: fan := off when temperature < 18
expect closed: open held 4s implies fan == off
"""
MENDED = FAN.replace("temperature > 22.25 and", "not open and temperature > 22.25 and").replace(
    "temperature > 30", "not open and temperature > 30").replace("temperature < 18", "open or temperature < 18")

FLL = """Engine: Avoidance
InputVariable: obstacle
  enabled: true
  range: 0.000 1.000
  term: left Ramp 1.000 0.000
  term: right Ramp 0.000 1.000
OutputVariable: steer
  enabled: true
  range: 0.000 1.000
  aggregation: Maximum
  defuzzifier: Centroid 100
  default: 0.5
  term: left Ramp 1.000 0.000
  term: right Ramp 0.000 1.000
RuleBlock: mamdani
  enabled: true
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: General
  rule: if obstacle is left then steer is right
  rule: if obstacle is right then steer is left
"""
FCL = """FUNCTION_BLOCK tipper
VAR_INPUT
  service : REAL;
END_VAR
VAR_OUTPUT
  tip : REAL;
END_VAR
FUZZIFY service
  TERM poor := (0, 1) (4, 0);
  TERM good := (1, 0) (4, 1) (6, 1) (9, 0);
END_FUZZIFY
DEFUZZIFY tip
  TERM cheap := 5;
  TERM generous := 25;
  METHOD : COGS;
  DEFAULT := 10;
END_DEFUZZIFY
RULEBLOCK No1
  AND : MIN;
  RULE 1 : IF service IS poor THEN tip IS cheap;
  RULE 2 : IF service IS good THEN tip IS generous;
END_RULEBLOCK
END_FUNCTION_BLOCK
"""
PICT = """# What can be installed.
Size:   1, 10, 100
System: FAT, NTFS, RFS
Fast:   true, false
IF [System] = "FAT" THEN [Size] <= 10;
IF [Fast] = "true" THEN [System] <> "RFS";
"""


def pict_allows(row):
    return (row["System"] != "FAT" or int(row["Size"]) <= 10) and (row["Fast"] != "true" or row["System"] != "RFS")


def fan_allows(row):
    return row["season"] != "winter" or float(row["temperature"]) < 35


class Files(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.write("fan.poise", FAN)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as stream:
            return stream.read()

    def shake(self, *words, status=None, text=None):
        """Standard output and standard error."""
        done = subprocess.run([POISE, "shake", *words], cwd=self.folder, capture_output=True, text=True, input=text,
                              timeout=120, check=False)
        if status is not None:
            self.assertEqual(status, done.returncode, done.stderr + done.stdout)
        return done.stdout, done.stderr

    def report(self, *words, status=None, **more):
        return json.loads(self.shake("--format", "json", *words, status=status, **more)[0])

    def kept(self):
        self.shake("--flows", "8", "--quakes", "quakes", "fan.poise", status=1)
        (name,) = os.listdir(self.path("quakes"))
        return os.path.join("quakes", name)


class Quakes(Files):
    def test_a_failure_is_kept_once(self):
        name = self.kept()
        quake = json.loads(self.read(name))
        self.assertEqual(("Fan", "closed"), (quake["model"], quake["failure"]))
        self.assertEqual(["model", "failure", "flow"], list(quake))
        self.shake("--flows", "8", "--quakes", "quakes", "fan.poise", status=1)
        self.assertEqual([os.path.basename(name)], os.listdir(self.path("quakes")))

    def test_it_is_tried_first(self):
        self.kept()
        (failure,) = self.report("--flows", "8", "--quakes", "quakes", "fan.poise", status=1)["failures"]
        self.assertEqual((8, 1), (failure["flow"], failure["kept"]))
        # One tick shows nothing but what was kept.
        short = self.report("--flows", "1", "--length", "1", "--quakes", "quakes", "fan.poise", status=1)
        (failure,) = short["failures"]
        self.assertEqual((1, 0, 1), (failure["flow"], failure["flows"], failure["kept"]))
        self.assertEqual([], self.report("--flows", "1", "--length", "1", "fan.poise", status=3)["failures"])

    def test_the_report_says_how_to_see_it_again(self):
        name = self.kept()
        text, _ = self.shake("--flows", "8", "--quakes", "quakes", "fan.poise", status=1)
        self.assertIn(f"poise shake --replay {name} fan.poise", text)
        text, _ = self.shake("--replay", name, "fan.poise", status=1)
        self.assertEqual(["tick", "temperature", "open", "season", "│", "fan"], text.splitlines()[0].split())
        self.assertIn("closed: ", text.splitlines()[-1])

    def test_a_replay_of_what_is_mended_finds_nothing(self):
        name = self.kept()
        self.write("fan.poise", MENDED)
        text, _ = self.shake("--replay", name, "fan.poise", status=0)
        self.assertNotIn("closed: ", text)
        self.shake("--flows", "8", "--quakes", "quakes", "fan.poise", status=0)

    def test_values_need_not_be_on_the_grid(self):
        tick = {"ticks": 3, "temperature": 23.3, "open": True, "season": "null"}
        self.write("own.json", json.dumps({"model": "Fan", "failure": "closed", "flow": [tick]}))
        text, _ = self.shake("--replay", "own.json", "fan.poise", status=1)
        self.assertIn("23.3", text)
        self.assertIn("null", text)
        os.mkdir(self.path("quakes"))
        os.rename(self.path("own.json"), self.path("quakes", "own.json"))
        report = self.report("--flows", "1", "--length", "1", "--quakes", "quakes", "fan.poise", status=1)
        self.assertEqual(1, report["failures"][0]["kept"])
        # Flows and what they cover are the same as without it.
        without = self.report("--flows", "1", "--length", "1", "fan.poise")
        self.assertEqual(without["flows"], report["flows"])
        self.assertEqual(without["coverage"], report["coverage"])

    def test_damaged_ones(self):
        good = {"ticks": 1, "temperature": 20, "open": True, "season": "summer"}

        def with_tick(**changes):
            return json.dumps({"flow": [{**good, **changes}]})

        cases = {
            "": "",
            "[]": "",
            "{": "",
            "{}": "there is no flow in it",
            '{"flow": []}': "there is no flow in it",
            '{"flow": 3}': "",
            '{"flow": [3]}': "",
            '{"flow": [{}]}': "`temperature` is missing",
            '{"more": 1}': "unexpected `more`",
            '{"flow": [{"temperature": 1, "temperature": 1}]}': "`temperature` is there twice",
            with_tick(humidity=3): "`humidity` is no property of the model",
            with_tick(ticks=0): "`ticks` is a whole number from 1 on",
            with_tick(ticks=1e9): "`ticks` is a whole number from 1 on",
            with_tick(ticks=1.5): "`ticks` is a whole number from 1 on",
            with_tick(temperature=99): "`temperature` cannot be 99",
            with_tick(temperature="20"): "`temperature` has a value of another kind",
            with_tick(open=1): "`open` has a value of another kind",
            with_tick(season=True): "`season` has a value of another kind",
            with_tick(season=["summer"]): "`season` has a value of another kind",
            with_tick(season="spring"): "`season` cannot be",
            with_tick(season="winter", temperature=39): "the context of tick 1 cannot happen",
            with_tick(season=None): "the context of tick 1 cannot happen",
            with_tick() + "x": "",
        }
        for text, reason in cases.items():
            with self.subTest(text=text):
                self.write("bad.json", text)
                out, errors = self.shake("--replay", "bad.json", "fan.poise", status=2)
                self.assertEqual("", out)
                self.assertTrue(errors.startswith("poise: bad.json: "), errors)
                self.assertIn(reason, errors)
                self.assertEqual(1, errors.count("\n"))
        os.mkdir(self.path("quakes"))
        os.rename(self.path("bad.json"), self.path("quakes", "bad.json"))
        _, errors = self.shake("--quakes", "quakes", "fan.poise", status=2)
        self.assertTrue(errors.startswith("poise: quakes/bad.json: "), errors)

    def test_one_that_is_not_there(self):
        _, errors = self.shake("--replay", "gone.json", "fan.poise", status=2)
        self.assertIn("gone.json", errors)


class Exports(Files):
    def test_csv(self):
        flow = self.report("--flows", "3", "--length", "30", "fan.poise")["flows"][1]
        text, _ = self.shake("--flows", "3", "--length", "30", "--export", "csv", "--flow", "2", "fan.poise", status=0)
        rows = list(csv.DictReader(io.StringIO(text)))
        contexts = [one for one in flow["contexts"] for _ in range(one["ticks"])]
        self.assertEqual(30, len(rows))
        for i, (row, context) in enumerate(zip(rows, contexts)):
            self.assertEqual(2 * i, float(row["t"]))  # seconds
            self.assertEqual(float(context["temperature"]), float(row["temperature"]))
            self.assertEqual((json.dumps(context["open"]), context["season"]), (row["open"], row["season"]))

    def test_the_smallest_flow_of_a_failure(self):
        failure = self.report("--flows", "8", "fan.poise")["failures"][0]
        text, _ = self.shake("--flows", "8", "--export", "csv", "--flow", "f1", "fan.poise", status=0)
        self.assertEqual(sum(one["ticks"] for one in failure["smallest"]), len(text.splitlines()) - 1)

    def test_k6(self):
        text, _ = self.shake("--flows", "1", "--length", "20", "--export", "k6", "fan.poise", status=0)
        stages = [line for line in text.splitlines() if "duration" in line]
        lasting = [line.split("}, {")[1] for line in stages]
        seconds = sum(int(one.split("'")[1].rstrip("s")) for one in lasting)
        self.assertEqual(40, seconds)
        self.assertTrue(all(one.count("duration: '0s'") == 1 for one in stages))
        self.assertIn("a user for each 1 of temperature. A tick is 2s.", text)
        self.assertIn("export default function () {", text)

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_k6_runs(self):
        """With stand-ins for the modules of k6: the file is a module with options and something to do."""
        text, _ = self.shake("--flows", "1", "--length", "20", "--export", "k6", "fan.poise", status=0)
        text = text.replace("import http from 'k6/http';", "const http = { get: (url) => console.log(url) };")
        text = text.replace("import { sleep } from 'k6';", "const sleep = () => {};")
        self.write("quake.mjs", text + "globalThis.__ENV = {};\n")
        self.write("run.mjs", "import * as quake from './quake.mjs';\nquake.default();\n"
                              "console.log(quake.options.scenarios.quake.stages.length);\n")
        ran = subprocess.run(["node", self.path("run.mjs")], capture_output=True, text=True, check=True)
        url, stages = ran.stdout.split()
        self.assertEqual("http://localhost:8080/", url)
        self.assertEqual(2 * text.count("duration: '0s'"), int(stages))

    def test_junit(self):
        text, _ = self.shake("--flows", "8", "--export", "junit", "fan.poise", status=1)
        suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
        self.assertEqual({"name": "Fan", "tests": "1", "failures": "1", "errors": "0", "skipped": "0"}, suite.attrib)
        case = suite.find("testcase")
        self.assertEqual({"classname": "Fan", "name": "closed", "file": "fan.poise", "line": "11"}, case.attrib)
        failure = self.report("--flows", "8", "fan.poise")["failures"][0]
        self.assertEqual(failure["text"], case.find("failure").get("message"))
        self.assertIn("temperature", case.find("failure").text)
        self.write("mended.poise", MENDED)
        text, _ = self.shake("--flows", "8", "--export", "junit", "mended.poise", status=0)
        self.assertIsNone(xml.etree.ElementTree.fromstring(text).find(".//failure"))
        # A condition that never holds: nobody knows.
        self.write("idle.poise", MENDED + "expect never: temperature > 50 implies fan == fast\n")
        text, _ = self.shake("--flows", "8", "--export", "junit", "idle.poise", status=3)
        suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
        self.assertEqual("1", suite.get("skipped"))
        self.assertIsNotNone(suite.find("testcase[@name='never']/skipped"))

    def test_locust(self):
        text, _ = self.shake("--flows", "1", "--length", "20", "--export", "locust", "fan.poise", status=0)
        # A stand-in for Locust: what the file imports of it.
        asked = []
        locust = types.ModuleType("locust")
        locust.LoadTestShape = type("LoadTestShape", (), {})
        locust.HttpUser = type("HttpUser", (), {"client": types.SimpleNamespace(get=asked.append)})
        locust.constant = lambda seconds: lambda user: seconds
        locust.task = lambda work: work
        names = {}
        with unittest.mock.patch.dict(sys.modules, {"locust": locust}):
            exec(compile(text, "locustfile.py", "exec"), names)
        self.assertIn("a user for each 1 of temperature. A tick is 2s.", text)
        names["Visitor"]().visit()
        self.assertEqual(["/"], asked)
        self.assertTrue(issubclass(names["Visitor"], locust.HttpUser) and names["Visitor"].host)
        shape = names["Quake"]()
        until = shape.stages[-1][0]
        self.assertEqual(40, until)
        for now in range(0, 40, 2):
            shape.get_run_time = lambda now=now: now
            users, rate = shape.tick()
            self.assertEqual(next(many for end, many in shape.stages if now < end), users)
            self.assertGreaterEqual(rate, users)
        shape.get_run_time = lambda: until
        self.assertIsNone(shape.tick())

    def test_what_cannot_be_exported(self):
        for words, reason in ((["--export", "xml"], "--export is csv, k6, locust or junit, not `xml`"),
                              (["--export", "csv", "--flow", "9"], "there is no flow 9: there are 2"),
                              (["--export", "csv", "--flow", "0"], "there is no flow 0"),
                              (["--export", "csv", "--flow", "f7"], "there is no failure 7"),
                              (["--export", "csv", "--flow", "x"], "--flow"),
                              (["--export", "k6", "--load", "open"], "no number `open` is sensed"),
                              (["--flow", "1"], "--flow and --load go with --export")):
            with self.subTest(words=words):
                out, errors = self.shake(*words, "--flows", "2", "fan.poise", status=2)
                self.assertEqual("", out)
                self.assertIn(reason, errors)


class Results(Files):
    def test_pictures_are_well_formed(self):
        self.shake("--flows", "3", "--length", "30", "--mutants", "all", "--pictures", "new/pictures", "fan.poise")
        names = {os.path.basename(path) for path in glob.glob(self.path("new", "pictures", "*"))}
        self.assertEqual({"flow-1.svg", "flow-2.svg", "flow-3.svg", "shapes.svg", "matrix.svg"},
                         {name for name in names if not name.startswith("failure")})
        self.assertIn("failure-1.svg", names)
        for name in names:
            root = xml.etree.ElementTree.parse(self.path("new", "pictures", name)).getroot()
            self.assertEqual("{http://www.w3.org/2000/svg}svg", root.tag)
            self.assertGreater(len(list(root.iter())), 5)

    def texts(self, name):
        root = xml.etree.ElementTree.parse(self.path("pictures", name)).getroot()
        return [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_pictures_say_what_is_drawn(self):
        self.shake("--flows", "3", "--length", "30", "--mutants", "all", "--pictures", "pictures", "fan.poise")
        for name in ("flow-1.svg", "failure-1.svg"):
            texts = self.texts(name)
            # 30 ticks of 2 s; the range of the temperature; the colours.
            self.assertIn("time, s", texts)
            if name == "flow-1.svg":
                self.assertEqual(["0", "10", "20", "30", "40", "50", "60"],
                                 [one for one in texts if one.isdigit()][-7:])
            for text in ("10", "40", "false", "true", "off", "fast", "violent step", "context: what is sensed"):
                self.assertIn(text, texts)
        texts = self.texts("matrix.svg")
        for text in ("flow", "1", "killed at the first tick", "at the last tick", "not killed", "equivalent"):
            self.assertIn(text, texts)
        texts = self.texts("shapes.svg")
        self.assertIn("shapes of 3 flows", texts[0])
        for text in ("comes nearer", "greater", "rows: how many of the steps are violent", "< 10 %"):
            self.assertIn(text, texts)

    def test_matrix_and_mutation_report_say_what_json_says(self):
        words = ["--flows", "4", "--length", "20", "--mutants", "all", "fan.poise"]
        mutation = self.report("--matrix", "m.csv", "--mutation-report", "m.json", *words)["mutation"]
        with open(self.path("m.csv"), encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual([one["id"] for one in mutation["matrix"]], [row["mutant"] for row in rows])
        for one, row in zip(mutation["matrix"], rows):
            self.assertEqual((one["group"], one["status"]), (row["group"], row["status"]))
            ticks = [int(row[f"flow-{i}"]) if row[f"flow-{i}"] else None for i in range(1, 5)]
            self.assertEqual(one["killed_at"], ticks)
        report = json.loads(self.read("m.json"))
        mutants = report["files"]["fan.poise"]["mutants"]
        self.assertEqual(FAN, report["files"]["fan.poise"]["source"])
        words = {"killed": "Killed", "survived": "Survived", "killable": "Survived", "equivalent": "Ignored"}
        for one, mutant in zip(mutation["matrix"], mutants, strict=True):
            self.assertEqual((one["id"], words[one["status"]]), (mutant["id"], mutant["status"]))
            killers = [f"flow-{i + 1}" for i, tick in enumerate(one["killed_at"]) if tick is not None]
            self.assertEqual(killers, mutant["killedBy"])
            first = next((tick for tick in one["killed_at"] if tick is not None), None)
            if first is not None:
                self.assertRegex(mutant["statusReason"], rf"first differs at tick {first} of ")
            # What is replaced is in the text.
            start, end = mutant["location"]["start"], mutant["location"]["end"]
            self.assertLess((start["line"], start["column"]), (end["line"], end["column"]))
            self.assertLessEqual(end["line"], FAN.count("\n") + 1)

    def test_thresholds(self):
        words = ["--flows", "1", "--length", "3", "--mutants", "all", "fan.poise"]
        self.assertEqual([], self.report(*words, status=3)["failures"])
        _, errors = self.shake("--min-score", "1", *words, status=1)
        self.assertIn("the score is ", errors)
        self.shake("--min-score", "0.01", *words, status=3)
        _, errors = self.shake("--min-coverage", "1", *words, status=1)
        self.assertIn("of all pairs ", errors)
        self.shake("--min-coverage", "0", *words, status=3)

    def test_a_limit(self):
        out, errors = self.shake("--time-limit", "0s", "fan.poise", status=3)
        self.assertIn("not complete: the time limit was reached", out)
        self.assertIn("fan.poise: the time limit was reached", errors)
        report = self.report("--time-limit", "0s", "--mutants", "all", "fan.poise", status=3)
        self.assertEqual((False, "the time limit was reached", [], None),
                         (report["complete"], report["stopped"], report["flows"], report["mutation"]))

    def test_standard_input(self):
        there = self.report("--flows", "3", "fan.poise", status=1)
        piped = self.report("--flows", "3", "-", text=FAN, status=1)
        self.assertEqual(there["flows"], piped["flows"])
        self.assertNotEqual("fan.poise", piped["failures"][0]["at"]["file"])

    def test_the_same_bytes(self):
        for path in ("fan.poise", os.path.join(ROOT, "examples", "policies", "thermostat.poise")):
            for form in ("text", "json"):
                words = ["--format", form, "--flows", "12", "--length", "40", "--mutants", "all", "--seed", "7", path]
                first = self.shake("--jobs", "1", *words)
                self.assertEqual(first, self.shake("--jobs", "1", *words))
                self.assertEqual(first, self.shake("--jobs", "2", *words))
                self.assertEqual(first, self.shake("--jobs", "5", *words))
        self.assertNotEqual(self.report("--seed", "1", "fan.poise")["flows"], self.report("--seed", "2", "fan.poise")["flows"])


class OtherTools(Files):
    def covered(self, text, allows, strength):
        """Every tuple that can be had is there, and nothing that cannot be."""
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        values = {name: sorted({row[name] for row in rows}) for name in rows[0]}
        for row in rows:
            self.assertTrue(allows(row), row)
        valid = [dict(zip(values, one)) for one in itertools.product(*values.values())]
        valid = [one for one in valid if allows(one)]
        for names in itertools.combinations(values, strength):
            wanted = {tuple(one[name] for name in names) for one in valid}
            had = {tuple(row[name] for name in names) for row in rows}
            self.assertEqual(wanted, had, names)
        return rows, values

    def test_tuples_of_a_pict_file(self):
        self.write("a.pict", PICT)
        for strength in (1, 2, 3):
            text, _ = self.shake("--tuples", str(strength), "a.pict", status=0)
            rows, values = self.covered(text, pict_allows, strength)
            self.assertEqual(({"1", "10", "100"}, {"FAT", "NTFS", "RFS"}, {"true", "false"}),
                             (set(values["Size"]), set(values["System"]), set(values["Fast"])))
            self.assertLessEqual(len(rows), (3, 10, 13)[strength - 1])

    def test_tuples_of_a_model(self):
        for strength in (1, 2, 3):
            text, _ = self.shake("--tuples", str(strength), "fan.poise", status=0)
            _, values = self.covered(text, fan_allows, strength)
            self.assertLessEqual({"10", "40", "22", "22.5", "30.5"}, set(values["temperature"]))

    def test_what_an_importer_changes_is_said(self):
        self.write("a.fll", FLL.replace("Centroid 100", "Centroid 200").replace("default: 0.5", "default: nan"))
        out, errors = self.shake("--flows", "1", "--length", "3", "--quiet", "a.fll", status=0)
        self.assertEqual(["a.fll:11:25: warning: steer: the centroid is that of 100 points",
                          "a.fll:12:12: warning: steer has no default: where no rule holds it is at its low end"],
                         errors.splitlines()[:2])
        self.assertNotIn("warning", out)
        self.write("a.fll", FLL)
        _, errors = self.shake("--flows", "1", "--length", "3", "--quiet", "a.fll", status=0)
        self.assertNotIn("warning", errors)

    def test_sub_models_and_negative_values_of_a_pict_file(self):
        self.write("a.pict", "A, 1, 2, ~-1\nB: x, y\nC: p, q, r\n{ B, C } @ 2\nIF [B] LIKE \"?\" THEN [C] NOT IN {\"r\"};\n")
        text, errors = self.shake("--tuples", "1", "a.pict", status=0)
        self.assertEqual("", errors)
        rows = list(csv.DictReader(io.StringIO(self.shake("--tuples", "2", "a.pict", status=0)[0]), delimiter="\t"))
        triples = set(itertools.product(("1", "2", "~-1"), "xy", "pq"))
        self.assertEqual(triples, {tuple(row.values()) for row in rows})

    def test_a_pict_file_with_mistakes(self):
        for text, places in (("A: 1, 2\nB: ~3\nC @ 3: 1\n", ["a.pict:2:1: error: ", "a.pict:3:3: error: "]),
                             ("A: 1, 2\nB: 3, 4\nIF [C] = 1 THEN [A] = 2;\nIF [A] THEN [B] = 2;\n",
                              ["a.pict:3:4: warning: ", "a.pict:4:8: error: "])):
            self.write("a.pict", text)
            out, errors = self.shake("--tuples", "2", "a.pict", status=2)
            self.assertEqual("", out)
            self.assertEqual(places, [line[:len(place)] for line, place in zip(errors.splitlines(), places, strict=True)])
        _, errors = self.shake("a.pict", status=2)
        self.assertIn("a PICT file has no policy: take --tuples T", errors)

    def test_fuzzy_controllers(self):
        for name, text, field, highest in (("a.fll", FLL, "steer", 1), ("a.fcl", FCL, "tip", 25)):
            with self.subTest(name=name):
                self.write(name, text)
                report = self.report("--flows", "3", "--mutants", "F1,threshold,dropped", name, status=0)
                self.assertEqual("policy", report["subject"])
                self.assertGreater(report["mutation"]["killed"], 0)
                self.write("reference.poise", "model R\nsense nothing : bool\nvariant x : bool = false\noption o: x := true\n")
                _, errors = self.shake("--reference", "reference.poise", name, status=2)
                self.assertIn("the reference does not sense", errors)
                # Shaken beside itself, it does what it does.
                self.shake("--reference", name, "--flows", "3", name, status=0)


if __name__ == "__main__":
    unittest.main()
