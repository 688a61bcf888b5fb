#!/usr/bin/env python3
"""The museum: real bugs of real policies, as `poise shake` finds them. Each is found within a few flows, whatever the seed;
the smallest flow that was kept of it still fails on the bug, and does not fail on the policy as it should be.

    POISE=PROGRAM museum.py                    SEEDS=20 tries more seeds (3 otherwise)
    POISE=PROGRAM museum.py --measure          prints the first flow that shows each bug, by seed
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

POISE = os.environ["POISE"]
SEEDS = int(os.environ.get("SEEDS", "3"))
POLICIES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "policies"
MUSEUM = POLICIES / "museum"

# The bug, the policy as it should be, what finds it, and within how many flows. One is told from the right policy by what it
# does, not by an expectation, and takes more of them.
EXHIBITS = [
    ("ardupilot-7581-auto-returns", "battery-failsafe", {"lands", "empty"}, 20),
    ("aws-gap", "aws-step-scaling", {"no_gap"}, 20),
    ("ha-79667-zero-tolerances", "thermostat", {"calm"}, 20),
    ("ha-recheck-delay", "thermostat", None, 100),
    ("keda-7770-straight-to-zero", "keda-scaled-object", {"gentle"}, 20),
    ("kubernetes-16275-one-minute", "kubernetes-hpa", {"patient"}, 20),
]


def poise(*words):
    done = subprocess.run([POISE, "shake", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{words}: {done.returncode} {done.stderr}")
    return done.returncode, done.stdout


def reference(policy, expectations):
    return [] if expectations else ["--reference", POLICIES / f"{policy}.poise"]


def failures(bug, policy, expectations, flows, seed):
    """What was found: names, and the first flow that shows it, from 1."""
    words = ["--format", "json", "--seed", seed, "--flows", flows, *reference(policy, expectations)]
    report = json.loads(poise(*words, MUSEUM / f"{bug}.poise")[1])
    return [(one["name"] if one["kind"] == "expectation" else one["kind"], one["flow"] + 1) for one in report["failures"]]


def kept(bug):
    return sorted((MUSEUM / "quakes").glob(f"{bug}*.json"))


class Museum(unittest.TestCase):
    def test_every_bug_is_an_exhibit_and_has_a_kept_flow(self):
        self.assertEqual(sorted(bug for bug, *_ in EXHIBITS), sorted(path.stem for path in MUSEUM.glob("*.poise")))
        for bug, *_ in EXHIBITS:
            self.assertTrue(kept(bug), bug)

    def test_every_bug_is_found(self):
        for bug, policy, expectations, flows in EXHIBITS:
            for seed in range(1, SEEDS + 1):
                with self.subTest(bug=bug, seed=seed):
                    found = {name for name, _ in failures(bug, policy, expectations, flows, seed)}
                    self.assertTrue(found & (expectations or {"difference"}), found)
                    if expectations:
                        self.assertLessEqual(found, expectations)

    def test_a_kept_flow_fails_on_the_bug_and_not_on_the_policy(self):
        for bug, policy, expectations, _ in EXHIBITS:
            for path in kept(bug):
                with self.subTest(flow=path.name):
                    words = ["--replay", path, *reference(policy, expectations)]
                    status, said = poise(*words, MUSEUM / f"{bug}.poise")
                    self.assertEqual(1, status, said)
                    status, said = poise(*words, POLICIES / f"{policy}.poise")
                    self.assertEqual(0, status, said)

    def test_the_policies_keep_what_they_expect(self):
        for path in sorted(POLICIES.glob("*.poise")):
            with self.subTest(policy=path.name):
                status, said = poise("--flows", 100, path)
                self.assertEqual(0, status, said)

    def test_the_tolerance_of_the_autoscaler_shows_in_its_kept_flow(self):
        status, said = poise("--replay", POLICIES / "quakes" / "kubernetes-hpa-tolerance.json", POLICIES / "kubernetes-hpa.poise")
        self.assertEqual(1, status)
        self.assertIn("capacity: `replicas` is 3 where `metrics.load` is 105, but was 2 where it was 110", said)


def first_flows(seeds):
    """Of each bug, by seed: the first of 200 flows that shows it."""
    for bug, policy, expectations, _ in EXHIBITS:
        yield bug, [min((flow for _, flow in failures(bug, policy, expectations, 200, seed)), default=None) for seed in range(1, seeds + 1)]


def measure():
    for bug, first in first_flows(20):
        print(bug, first)


if __name__ == "__main__":
    if "--measure" in sys.argv:
        measure()
    else:
        unittest.main()
