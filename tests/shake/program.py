#!/usr/bin/env python3
"""`poise shake --program`: a program that is right, and programs that are wrong in every way. What is wrong with a program
is a finding, never an error of ours, and nothing is left running."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

POISE = os.environ["POISE"]
HERE = os.path.dirname(os.path.abspath(__file__))

MODEL = """model Heating
sense on : bool
sense temperature : real 10..30 if on step 0.5
variant heater : bool = false
expect warm: temperature < 17 held 2s implies heater
"""
REFERENCE = """model Reference
sense on : bool
sense temperature : real 10..30 if on step 0.5
variant heater : bool = false
option heat: heater := true when temperature < 18
option rest: heater := false when temperature > 22
"""


def shake(kind, *options):
    """Exit status, report and standard error."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("model.poise", MODEL), ("reference.poise", REFERENCE)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        command = f"exec '{sys.executable}' -B '{HERE}/controller.py' {kind}"
        call = [POISE, "shake", "--program", command, "--format", "json", "--flows", "4", "--length", "20",
                "--reference", "reference.poise", *(() if "--timeout" in options else ("--timeout", "30s")), *options,
                "model.poise"]
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, timeout=250, check=False)
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


class Programs(unittest.TestCase):
    def test_a_right_one_has_no_failures(self):
        for reset in ("restart", "line"):
            with self.subTest(reset=reset):
                status, report, errors = shake("right", "--reset", reset)
                self.assertEqual((0, []), (status, report["failures"]), errors)
                self.assertEqual("program", report["subject"])

    def test_one_that_decides_otherwise_differs_from_the_reference(self):
        status, report, _ = shake("hasty")
        self.assertEqual(1, status)
        (failure,) = [one for one in report["failures"] if one["kind"] == "difference"]
        last = failure["smallest"][-1]
        self.assertEqual(({"heater": False}, {"heater": True}), (last["variant"], last["expected"]))
        self.assertLessEqual(sum(one["ticks"] for one in failure["smallest"]), 2)

    def ended(self, kind, *options):
        status, report, errors = shake(kind, *options)
        self.assertEqual(1, status, errors)
        (failure,) = [one for one in report["failures"] if one["kind"] == "ended"]
        # It takes three ticks, the last of them cold.
        self.assertEqual(3, sum(one["ticks"] for one in failure["smallest"]))
        self.assertLess(failure["smallest"][-1]["context"]["temperature"], 16)
        self.assertIsNone(failure["smallest"][-1]["variant"])
        return failure["text"]

    def test_one_that_crashes(self):
        self.assertEqual("the program ended with status 1", self.ended("crash 2>/dev/null"))
        self.assertEqual("the program ended with status 7", self.ended("exit"))
        self.assertEqual("the program was ended by signal 9", self.ended("killed"))

    def test_one_that_says_what_is_no_variant(self):
        self.assertIn("answered `heater on!`: it is no JSON object", self.ended("rubbish"))
        self.assertIn("`heater` is no boolean", self.ended("other"))
        self.assertIn("more than a megabyte", self.ended("chatty"))

    def test_one_that_does_not_answer_in_time(self):
        for kind in ("slow", "silent"):
            with self.subTest(kind=kind):
                # How short the smallest flow is depends on how long the interpreter takes to start.
                status, report, errors = shake(kind, "--timeout", "200ms", "--flows", "2")
                self.assertEqual(1, status, errors)
                texts = [one["text"] for one in report["failures"] if one["kind"] == "ended"]
                self.assertEqual(["the program did not answer within 200 ms"], texts)

    def test_one_that_closes_its_output(self):
        self.assertEqual("the program closed its output", self.ended("close", "--flows", "2"))

    def test_one_that_closes_its_input(self):
        _, report, _ = shake("deaf", "--flows", "2")
        (failure,) = [one for one in report["failures"] if one["kind"] == "ended"]
        self.assertEqual("the program closed its input", failure["text"])
        self.assertEqual(2, sum(one["ticks"] for one in failure["smallest"]))

    def test_one_that_starts_others(self):
        mark = f"poise-test-child-{os.getpid()}"
        self.assertEqual("the program ended with status 7", self.ended(f"parent {mark}", "--flows", "1"))
        self.assert_gone(mark)

    def test_one_that_cannot_be_started(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.poise")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(MODEL)
            done = subprocess.run([POISE, "shake", "--program", "/no/such/program", "--flows", "1", path],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(1, done.returncode, done.stderr)
            self.assertIn("the program ended with status 127", done.stdout)

    def test_nothing_is_left_running(self):
        mark = f"poise-test-{os.getpid()}"
        shake(f"silent {mark}", "--timeout", "100ms", "--flows", "1")
        self.assert_gone(mark)

    def assert_gone(self, mark):
        for _ in range(50):
            listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
            if not any(mark in line and "controller.py" in line for line in listed.splitlines()):
                return
            time.sleep(0.1)
        self.fail("the program still runs")


if __name__ == "__main__":
    unittest.main()
