#!/usr/bin/env python3
"""`poise fmt` keeps the meaning of random models: parse, print, parse gives the same answers.

    layout.py POISE [--models N] [--seed S]

Comments are sprinkled over the text and must all survive; the result must be canonical already.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

from compare import read_json
from random_models import batches, model_files
from reader import read_model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seeds in batches(arguments.models, arguments.seed):
            texts = {}
            for path, text in model_files(folder, seeds).items():
                texts[path] = with_comments(text, path)
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(texts[path])
            before = answers(arguments.poise, list(texts))
            subprocess.run([arguments.poise, "fmt", "--write", *texts], check=True, capture_output=True)
            after = answers(arguments.poise, list(texts))
            unstable = subprocess.run([arguments.poise, "fmt", "--check", *texts], capture_output=True, text=True).stdout
            for path, text in texts.items():
                printed = open(path, encoding="utf-8").read()
                problem = difference(text, printed, before[path], after[path], path in unstable)
                if problem:
                    failed += 1
                    if failed == 1:
                        print(f"{problem}\n\n{text}\n-----\n{printed}")
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


def with_comments(text, path):
    """The text with comments and odd white space between some of its tokens; by chance, but always the same."""
    chance = random.Random(os.path.basename(path))
    pieces = []
    for number, piece in enumerate(re.split(r"(\s+)", text)):
        if piece.isspace() and "#" not in line_so_far(pieces) and chance.random() < 0.15:
            piece = chance.choice(["\n", "  ", "\t", "\n\n\n", f"  # note {number}\n", f"\n  # note {number}\n"])
        pieces.append(piece)
    return "".join(pieces)


def line_so_far(pieces):
    return "".join(pieces).rpartition("\n")[2]


def answers(poise, paths):
    """What `check` says of each file, but for positions."""
    command = [poise, "check", "--all", "--format", "json", *paths]
    printed = read_json(subprocess.run(command, capture_output=True, text=True).stdout)
    for answer in printed if isinstance(printed, list) else [printed]:
        for fault in answer["faults"]:
            del fault["at"]
    return dict(zip(paths, printed if isinstance(printed, list) else [printed]))


def difference(text, printed, before, after, not_canonical):
    if comments(text) != comments(printed):
        return "comments were lost or moved past one another"
    if before != after or read_model(text) != read_model(printed):
        return "the meaning changed"
    return "the result is not canonical" if not_canonical else None


def comments(text):
    return [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]


if __name__ == "__main__":
    main()
