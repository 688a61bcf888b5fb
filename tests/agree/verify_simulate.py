#!/usr/bin/env python3
"""What `poise verify` says, seen in its simulator, on random models.

    verify_simulate.py POISE [--models N] [--seed S]

Without errors a counterexample happens each time that it is replayed. Random runs fail only where we say that it is
possible. With errors, a counterexample happens as often as predicted: outside of the interval of 99 % in few cases. What
actions leave open is chosen as in the counterexample, whose environment is the worst; where no run with values was found in
that environment, there is nothing to compare. No probability is more than 1. Few models are left out because the time ended
before they were simulated.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from world_models import random_world

RUNS = 200


def report(program, model, mode):
    command = [program, "verify", model, "--mode", mode, "--bound", "4", "--paths", "20", "--format", "json"]
    run = subprocess.run(
        [*command, "--simulate", str(RUNS), "--time-limit", "10s"], capture_output=True, text=True, check=False
    )
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def place(hazard):
    return hazard["failure"], hazard["state"], hazard["rule"], hazard["occurrence"]


class Comparison:
    def __init__(self):
        self.wrong = []
        self.replays = 0
        self.failed = 0
        self.predictions = 0
        self.elsewhere = 0
        self.unfinished = 0
        self.missed = []

    def compare(self, what, mode, found):
        simulation = found.get("simulation")
        if simulation is None and found["stopped"] == "the time limit was reached":
            self.unfinished += 1
            return
        self.replays += len(simulation["replays"])
        self.failed += simulation["random"]["failed"]
        possible = {place(one) for one in found["hazards"]}
        for hit in simulation["random"]["hazards"]:
            if found["complete"] and place(hit) not in possible:
                self.wrong.append(f"{what}: seen, but not found: {hit}")
        for example, replay in zip(found["counterexamples"], simulation["replays"], strict=True):
            if mode != "actual":
                if replay["hits"] != RUNS:
                    self.wrong.append(f"{what}: {replay}")
            elif example["probability"] is not None:
                self.compare_odds(what, example, replay)

    def compare_odds(self, what, example, replay):
        predicted, error = example["probability"], example["error"]
        if predicted > 1:
            self.wrong.append(f"{what}: {predicted} is no probability")
        start = example["steps"][0]["actual"]
        if any(start[name] != value for name, value in example["environment"].items()):
            self.elsewhere += 1
            return
        self.predictions += 1
        if predicted + error < replay["low"] or predicted - error > replay["high"]:
            self.missed.append(f"{what}: {replay}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.poise"
        for seed in range(args.seed, args.seed + args.models):
            model.write_text(random_world(seed).text, encoding="utf-8")
            for mode in ("naive", "ideal", "actual"):
                found = report(args.program, str(model), mode)
                comparison.compare(f"seed {seed}, {mode}", mode, found)
    if len(comparison.missed) > 3 + comparison.predictions // 50:
        comparison.wrong += comparison.missed
    if comparison.unfinished > 2 + args.models // 10:
        comparison.wrong.append(f"{comparison.unfinished} runs were not simulated: the time ended")
    for line in comparison.wrong:
        print(line)
    print(
        f"{comparison.replays} counterexamples, {comparison.failed} random runs failed,"
        f" {len(comparison.missed)} of {comparison.predictions} predictions missed,"
        f" {comparison.elsewhere} without a run in their environment,"
        f" {comparison.unfinished} not finished"
    )
    sys.exit(1 if comparison.wrong else 0)


if __name__ == "__main__":
    main()
