#!/usr/bin/env python3
"""What `poise verify` says, seen in its simulator, on random models.

    verify_simulate.py POISE [--models N] [--seed S]

Without errors a counterexample happens each time that it is replayed. Random runs fail only where we say that it is
possible. With errors, a counterexample happens as often as predicted: outside of the interval of 99 % in few cases. That is
asked only of models whose actions leave nothing open: what they leave open is chosen by the environment, for the worst
in a prediction and by chance in a simulation; and of those without whole numbers, whose errors are rounded.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from world_models import random_world

RUNS = 200


def report(program, model, mode):
    command = [program, "verify", model, "--mode", mode, "--bound", "4", "--paths", "20", "--format", "json"]
    run = subprocess.run(
        [*command, "--simulate", str(RUNS), "--time-limit", "20s"], capture_output=True, text=True, check=False
    )
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def is_settled(text):
    """Actions leave nothing open but what they do not mention, and no number is whole."""
    actions = [line for line in text.splitlines() if line.startswith("action")]
    is_open = any(re.search(r"'\s*(<|>|!=)| or ", line) for line in actions)
    return not is_open and not re.search(r": int\b", text)


class Comparison:
    def __init__(self):
        self.wrong = []
        self.replays = 0
        self.failed = 0
        self.predictions = 0
        self.missed = []

    def compare(self, what, mode, found, settled):
        simulation = found["simulation"]
        self.replays += len(simulation["replays"])
        self.failed += simulation["random"]["failed"]
        possible = {(one["failure"], one["state"], one["rule"]) for one in found["hazards"]}
        for hit in simulation["random"]["hazards"]:
            if found["complete"] and (hit["failure"], hit["state"], hit["rule"]) not in possible:
                self.wrong.append(f"{what}: seen, but not found: {hit}")
        for replay in simulation["replays"]:
            if mode != "actual":
                if replay["hits"] != RUNS:
                    self.wrong.append(f"{what}: {replay}")
            elif settled and replay["predicted"] is not None:
                self.predictions += 1
                if not replay["low"] <= replay["predicted"] <= replay["high"]:
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
            text = random_world(seed).text
            model.write_text(text, encoding="utf-8")
            for mode in ("naive", "ideal", "actual"):
                found = report(args.program, str(model), mode)
                comparison.compare(f"seed {seed}, {mode}", mode, found, is_settled(text))
    if len(comparison.missed) > 3 + comparison.predictions // 50:
        comparison.wrong += comparison.missed
    for line in comparison.wrong:
        print(line)
    print(
        f"{comparison.replays} counterexamples, {comparison.failed} random runs failed,"
        f" {len(comparison.missed)} of {comparison.predictions} predictions missed"
    )
    sys.exit(1 if comparison.wrong else 0)


if __name__ == "__main__":
    main()
