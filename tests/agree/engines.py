#!/usr/bin/env python3
"""Compares the engines of `poise check` with each other.

    engines.py POISE [--engines NAME,...] [--models N] [--seed S] [--mode MODE,...]
               [--real-pairs | --differences] [--generated | --unfiltered] [--show N]

Every engine checks the same models under several options (the modes), with one thread and with two. What they print
must be the same, byte for byte, but for the name of the engine; the reference engine may give another `when` and
another `witness`. Models are the random ones that the oracle is asked about, too; with --generated larger ones of
`poise generate`; with --unfiltered also random ones that are too much for the oracle, each for two seconds at most. The
first difference is printed with the model; the exit status is 1 if there was any.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from itertools import zip_longest

import compare
from random_models import add_profile_arguments, batches, profile_of, random_model, random_text

ENGINES = ("hybrid", "symbolic", "enumerative", "reference")
MODES = {name: ["--paths", "all", *flags] for name, (flags, _) in compare.MODES.items()} | {
    "few-paths": ["--all", "--paths", "3"],
    "no-paths": ["--all", "--paths", "none"],
    "only": ["--all", "--paths", "all", "--only", "dead-rule,race"],
}
MANY = 200  # models in one call of the program


def main():
    arguments = _arguments()
    differences = Differences(arguments.show)
    profile = profile_of(arguments)
    larger = arguments.generated or arguments.unfiltered
    with tempfile.TemporaryDirectory() as folder:
        for seeds in batches(arguments.models, arguments.seed, MANY):
            if arguments.generated:
                paths = generated_files(arguments.poise, folder, seeds)
            else:
                draw = random_text if arguments.unfiltered else random_model
                paths = random_files(folder, seeds, lambda seed: draw(seed, profile)[0])
            for mode in arguments.mode:
                flags = few_paths(MODES[mode]) if larger else MODES[mode]
                flags = [*flags, "--time-limit", "2s"] if arguments.unfiltered else flags
                compare_engines(arguments.poise, arguments.engines, flags, paths, mode, differences)
    cut = f", {differences.cut} left out: too large" if differences.cut else ""
    print(f"{differences.compared} answers compared, {differences.count} differ{cut}")
    sys.exit(1 if differences.count or (differences.cut and not arguments.unfiltered) else 0)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--engines", default=",".join(ENGINES), type=lambda text: text.split(","))
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", default=",".join(MODES), type=lambda text: text.split(","))
    add_profile_arguments(parser)
    parser.add_argument("--generated", action="store_true", help="models of `poise generate`")
    parser.add_argument("--unfiltered", action="store_true", help="models of any size")
    parser.add_argument("--show", type=int, default=1, help="so many differences")
    arguments = parser.parse_args()
    for given, known in ((arguments.mode, MODES), (arguments.engines, ENGINES)):
        for name in given:
            if name not in known:
                parser.error(f"no {name}; there are {', '.join(known)}")
    return arguments


class Differences:
    """Counts them and prints the first few."""

    def __init__(self, show):
        self.show = show
        self.compared = self.count = self.cut = 0

    def add(self, path, mode, what):
        self.count += 1
        if self.count <= self.show:
            with open(path, encoding="utf-8") as stream:
                print(f"{path}, mode {mode}\n\n{stream.read()}\n{what}\n")


# ---------------------------------------------------------------------------------------------------- models


def random_files(folder, seeds, draw):
    paths = []
    for seed in seeds:
        paths.append(os.path.join(folder, f"m{seed}.poise"))
        with open(paths[-1], "w", encoding="utf-8") as stream:
            stream.write(draw(seed))
    return paths


def generated_files(poise, folder, seeds):
    """Sizes between one state and eight, so that the reference engine can follow, of every sort there is."""
    paths = []
    for seed in seeds:
        paths.append(os.path.join(folder, f"g{seed}.poise"))
        states = 2 + seed % 7
        call = [poise, "generate", "--seed", str(seed), "--output", paths[-1]]
        call += ["--states", str(states), "--rules", str(states * (1 + seed % 3)), "--variables", str(4 + seed % 5)]
        call += ["--tied"] if seed % 2 else []
        call += ["--sensed", "3"] if seed % 4 < 2 else []
        subprocess.run(call, check=True)
    return paths


def few_paths(flags):
    """Of larger models only the shortest paths."""
    return ["--paths", "20", *flags[2:]] if flags[:2] == ["--paths", "all"] else flags


# ---------------------------------------------------------------------------------------------------- answers


def compare_engines(poise, engines, flags, paths, mode, differences, threads=(1, 2)):
    """What the first engine says with one thread is what the others are held to."""
    calls = [(engine, jobs) for engine in engines for jobs in ((1,) if engine == "reference" else threads)]
    expected = None
    for engine, jobs in calls:
        command = [poise, "check", "--format", "json", "--engine", engine, "--jobs", str(jobs), *flags]
        answers = answers_of(command, paths)
        if expected is None:
            first, expected = (engine, jobs), answers
            for path in [path for path in paths if isinstance(answers[path], Failed)]:
                differences.add(path, mode, f"{' '.join(command)}\n{answers[path]}")
            continue
        between = f"{' '.join(flags)}: {first[0]} --jobs {first[1]} and {engine} --jobs {jobs} differ"
        loosely = "reference" in (engine, first[0])
        for path in paths:
            if TOO_LARGE in (answers[path], expected[path]):
                differences.cut += 1
                continue
            differences.compared += 1
            if answers[path] == expected[path]:
                continue
            if loosely and not isinstance(answers[path], Failed) and not isinstance(expected[path], Failed):
                if without_reasons(answers[path]) == without_reasons(expected[path]):
                    continue
            differences.add(path, mode, f"{between}\n{first_difference(expected[path], answers[path])}")


class Failed(str):
    """How the program failed."""


TOO_LARGE = "a limit was reached"


def answers_of(command, paths):
    """By path: the JSON text of the answer, with no word of the engine."""
    process = subprocess.run(command + paths, capture_output=True, text=True)
    if process.returncode not in (0, 1, 3):
        if len(paths) == 1:
            return {paths[0]: Failed(f"exit status {process.returncode}: {process.stderr}")}
        half = len(paths) // 2
        return answers_of(command, paths[:half]) | answers_of(command, paths[half:])
    text = re.sub(r'^( *"engine": )"\w+"', r'\1"*"', process.stdout, flags=re.MULTILINE)
    # For several files an array; each answer ends with a brace on a line of its own.
    parts = re.split(r"^\},?\n", text.removeprefix("[\n"), flags=re.MULTILINE)
    if len(parts) != len(paths) + 1:
        raise SystemExit(f"{' '.join(command)}: {len(parts) - 1} answers for {len(paths)} files")
    return {
        path: TOO_LARGE if re.search('^ *"stopped":', part, re.MULTILINE) else part + "}"
        for path, part in zip(paths, parts)
    }


def without_reasons(text):
    answer = json.loads(text)
    for fault in answer["faults"]:
        fault.pop("when", None)
        fault.pop("witness", None)
    return answer


def first_difference(expected, found):
    """The first line that differs, with what is before it."""
    before = []
    for a, b in zip_longest(expected.splitlines(), found.splitlines()):
        if a != b:
            return "\n".join([*before[-8:], f"- {a}", f"+ {b}"])
        before.append(f"  {a}")
    return "nothing but the layout"


if __name__ == "__main__":
    main()
