#!/usr/bin/env python3
"""Compares every single step and run of random models with the second interpreter.

    steps.py POISE_STEPS [--models N] [--seed S]

poise_steps (steps.cpp) prints what model/step.h does in every context and state; here it is done again.
"""

import argparse
import json
import subprocess
import sys
import tempfile

from compare import value_from_json
from oracle import Explorer, rules_on_path
from random_models import batches, model_files
from reader import read_model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("steps", help="the program poise_steps")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seeds in batches(arguments.models, arguments.seed):
            explorers = {path: Explorer(read_model(text)) for path, text in model_files(folder, seeds).items()}
            output = subprocess.run([arguments.steps, *explorers], capture_output=True, text=True, check=True).stdout
            for line in output.splitlines():
                printed = json.loads(line)
                difference = compare_line(explorers[printed["file"]], printed)
                if difference:
                    failed += 1
                    if failed == 1:
                        print(f"{open(printed['file'], encoding='utf-8').read()}\n{line}\n{difference}\n")
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


def compare_line(explorer, printed):
    """What is wrong with one printed line; nothing if it is right."""
    model, state = explorer.model, printed["state"]
    values = [value_from_json(printed["context"][name], variable) for name, variable in model.variables.items()]
    start = tuple(explorer.world.representative(n, v) for n, v in zip(model.variables, values))
    if start not in explorer.world.contexts:
        return "this context is not feasible"
    for what in ("satisfied", "triggered"):
        expected = [model.rules[i].name for i in getattr(explorer, what)(state, start)]
        if expected != printed[what]:
            return f"{what}: {expected}"
    expected = {(path, loop) for path, loop in explorer.runs(state, start)}
    runs = {(rules_on_path(model, state, path), loop) for path, loop in printed["runs"]}
    return None if expected == runs else f"runs: {expected}"


if __name__ == "__main__":
    main()
