#!/usr/bin/env python3
"""Tables in documents whose figures come from the program: each row is worked out again.

    POISE=PROGRAM tables.py

(What a document shows as the output of a command is run_docs.py's; what depends on a clock is measured by bench/.)
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
POISE = os.environ["POISE"]
CARS = ROOT / "examples" / "robot-cars"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

sys.path.insert(0, str(ROOT / "tests" / "shake"))
import museum  # noqa: E402  (reads POISE)


def rows_after(page, head):
    """The cells of the table whose first line begins so."""
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith(head):
            break
    next(lines)
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def output(*words):
    done = subprocess.run([POISE, "verify", "--no-odds", *words], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout


def verified(car, *words):
    return json.loads(output("--format", "json", *words, CARS / f"{car}.poise"))


def in_short(count):
    """As the page writes it: 1688, 1.8 · 10⁶."""
    if count < 10_000:
        return str(count)
    power = len(str(count)) - 1
    digits = f"{count / 10**power:.1f}"
    if digits == "10.0":
        digits, power = "1.0", power + 1
    return f"{digits} · 10{power}"


class Tables(unittest.TestCase):
    def test_the_verdicts_on_the_robot_cars(self):
        rows = rows_after(CARS / "README.md", "| car | states | rules |")
        self.assertEqual(12, len(rows))
        for name, states, rules, _, *verdicts in rows:
            car = re.match(r"\[([\w-]+)\]", name)[1]
            with self.subTest(car=car):
                self.assertIn(f": {states} states, {rules} rules, ", output("--bound", "1", CARS / f"{car}.poise"))
                for mode, verdict in zip(("naive", "ideal", "actual"), verdicts, strict=True):
                    self.assertEqual(verdict, verified(car, "--mode", mode)["verdict"], mode)

    def test_the_paths_of_the_robot_cars(self):
        for car, paths, *failing in rows_after(CARS / "README.md", "| car | paths |"):
            with self.subTest(car=car):
                for mode, count in zip(("naive", "ideal", "actual"), failing, strict=True):
                    report = verified(car, "--mode", mode, "--bound", "30", "--paths", "1")
                    self.assertEqual(count.translate(SUPERSCRIPTS), in_short(sum(map(int, report["failing"]))), mode)
                self.assertEqual(paths.translate(SUPERSCRIPTS), in_short(sum(map(int, report["paths"]))))

    def test_the_first_flows_of_the_museum(self):
        rows = {row[0].strip("`"): row[-1] for row in rows_after(ROOT / "docs" / "shake.md", "| exhibit |")}
        self.assertEqual({exhibit[0] for exhibit in museum.EXHIBITS}, set(rows))
        for bug, first in museum.first_flows(20):
            with self.subTest(bug=bug):
                self.assertEqual(rows[bug], f"{statistics.median(first):g} ({max(first)})")


if __name__ == "__main__":
    unittest.main()
