#!/usr/bin/env python3
"""Watches logs that grow, with --state, and compares what is written in the end with what one run writes.

    grow.py POISE [--models N] [--seed S]

Random models and logs, as for the oracle. A log comes in pieces, cut anywhere, also within a line, and each time there is
a run until its end; each with another evaluator.
"""

import argparse
import gzip
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, "watch"))

import parcels  # noqa: E402
from generate import model_text, random_case  # noqa: E402

OPTIONS = ((), ("--choose", "random", "--seed", "7"), ("--lateness", "500ms"), ("--quiet",), ("--format", "jsonl"))


def run(command):
    """The exit status, and what was said on standard error."""
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             timeout=60, check=False)
    return process.returncode, process.stderr.decode("utf-8", "replace")


def case(seed):
    """A model and a log, as texts."""
    if seed % 5 == 0:
        return parcels.MODEL, "".join(parcels.log(seed, 400, 700))
    model, lines = random_case(seed)
    text = "".join(line + "\n" for line in lines)
    return model_text(model), text if seed % 3 else text.removesuffix("\n")


def differences(program, seed, folder):
    """What is wrong with one model and log, or nothing."""
    rng = random.Random(seed)
    model, text = case(seed)
    paths = {name: os.path.join(folder, name) for name in ("model.poise", "log", "out", "expected", "state")}
    with open(paths["model.poise"], "w", encoding="utf-8") as stream:
        stream.write(model)
    log = text.encode()
    packed = rng.random() < 0.2
    command = [program, "watch", paths["model.poise"], "--input", paths["log"], "--untimed", "--trace",
               *OPTIONS[seed % len(OPTIONS)]]
    cuts = sorted(rng.randrange(len(log) + 1) for _ in range(rng.randrange(1, 6))) + [len(log)]
    for cut in cuts:
        with open(paths["log"], "wb") as stream:
            stream.write(gzip.compress(log[:cut]) if packed else log[:cut])
        evaluate = rng.choice(("full", "incremental", "counting"))
        status = run([*command, "--evaluate", evaluate, "--output", paths["out"], "--state", paths["state"]])
        whole = run([*command, "--output", paths["expected"]])
        if whole[0] not in (0, 1) or status[0] != whole[0]:
            return f"cut at {cut} of {cuts}: exit status {status}, without a state {whole}"
        with open(paths["out"], "rb") as out, open(paths["expected"], "rb") as expected:
            if out.read() != expected.read():
                return f"cut at {cut} of {cuts}, {command[6:]}: the output is another one"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for seed in range(arguments.seed, arguments.seed + arguments.models):
        with tempfile.TemporaryDirectory() as folder:
            wrong = differences(arguments.program, seed, folder)
        if wrong:
            sys.exit(f"seed {seed}: {wrong}")
    print(f"{arguments.models} logs that grew")


if __name__ == "__main__":
    main()
