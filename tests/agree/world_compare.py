#!/usr/bin/python3
"""Compares `poise verify` with the oracle on models with known answers and on random models.

    world_compare.py POISE [--known] [--models N] [--seed S] [--tiny] [--mode NAME,...] [--engine NAME,...]
        [--beyond N | --unbounded]

For every model, mode and engine: the same counterexamples, the same hazards with as many paths, the same number of
feasible paths, a verdict that goes with them, and every counterexample replayed. With --beyond a model that is called safe must be so for paths that are longer
by so many rules, too. With --unbounded the program is called without a bound: what it calls safe must not fail up to
the oracle's bound, and the shortest paths to its hazards must be those of the oracle, as far as that looks.

An engine that is for some models only may decline a model with exit status 2 or 3, and without a bound every engine may
say that it does not know; how often is counted. Of what differs the first is shown in full.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import world_oracle
from compare import Difference, read_json
from reader import read_model
from world_known import counterexamples, known_answers
from world_models import random_world
from world_modes import MODES, Found
from world_replay import read_answer, replay
from worlds import TooLarge

PARTIAL_ENGINES = ("zones",)  # for models that fit them
MOST_NODES = 60
LARGEST_BOUND = 4
LONGEST = 60  # seconds


class Declined(Exception):
    """The engine is not for this model."""


def main():
    arguments = _arguments()
    counts = {engine: {"passed": 0, "failed": 0, "declined": 0, "declined octagons": 0} for engine in arguments.engine}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.poise")
        for case in _cases(arguments):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(case.text)
            for engine in arguments.engine:
                count = counts[engine]
                try:
                    printed = _printed(arguments.poise, path, case, engine, arguments.unbounded)
                    if arguments.unbounded:
                        case.compare_unbounded(printed)
                    else:
                        case.compare(printed, arguments.beyond)
                    count["passed"] += 1
                except Declined:
                    count["declined"] += 1
                    count["declined octagons"] += case.octagon
                except Difference as difference:
                    count["failed"] += 1
                    failed += 1
                    if failed <= arguments.show:
                        print(f"{case.name}, mode {case.mode}, bound {case.bound}, engine {engine}\n")
                        print(f"{case.text}\n{difference}\n")
    for engine, count in counts.items():
        print(f"{engine}: " + ", ".join(f"{number} {what}" for what, number in count.items()))
        failed += count["passed"] == 0  # nothing was compared
    sys.exit(1 if failed else 0)


def _arguments():
    def names(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--known", action="store_true", help="the models with known answers, no random ones")
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true", help="models with a few whole numbers only")
    parser.add_argument("--mode", default=list(MODES), type=names)
    parser.add_argument("--engine", default=["auto"], type=names)
    parser.add_argument("--beyond", type=int, default=0)
    parser.add_argument("--unbounded", action="store_true")
    parser.add_argument("--show", type=int, default=1, help="how many differences are shown in full")
    arguments = parser.parse_args()
    for mode in arguments.mode:
        if mode not in MODES:
            parser.error(f"no mode {mode}; there are {', '.join(MODES)}")
    return arguments


# ---------------------------------------------------------------------------------------------------- cases


class _Case:
    """A model in a mode, and what must be found up to a bound."""

    def __init__(self, name, text, mode, bound, found, octagon=True):
        self.name, self.text, self.mode, self.bound, self.found, self.octagon = name, text, mode, bound, found, octagon
        self.model = read_model(text)

    def compare(self, printed, beyond):
        """Raises a Difference if the program's answer is not the oracle's."""
        answer = read_answer(printed, self.model, self.mode, self.bound)
        listed = [(entry.failure, entry.path) for entry in answer.counterexamples]
        if len(set(listed)) < len(listed):
            raise Difference(f"a counterexample is listed twice: {sorted(listed)}")
        missing, wrong = self.found.counterexamples - set(listed), set(listed) - self.found.counterexamples
        if missing or wrong:
            raise Difference(f"counterexamples differ\n  missing: {_paths(missing)}\n  wrong: {_paths(wrong)}")
        if answer.nodes != self.found.nodes:
            also = f", {self.found.unfailing} of them without a failure"
            raise Difference(f"{answer.nodes} feasible paths; there are {self.found.nodes}{also}")
        if not answer.complete:
            raise Difference("it is not complete")
        if (answer.verdict == "unsafe") != bool(listed):
            raise Difference(f"the verdict is {answer.verdict} with {len(listed)} counterexamples")
        if answer.verdict == "safe" and beyond:
            self.check_safe(beyond)
        self.compare_hazards(answer.hazards)
        self.check_probabilities(answer.counterexamples)
        for entry in answer.counterexamples:
            try:
                self.replay(entry)
            except Difference as difference:
                raise Difference(f"{entry.failure} on {' '.join(entry.path)}: {difference}\n{entry}") from None

    def compare_unbounded(self, printed):
        answer = read_answer(printed, self.model, self.mode, None)
        if (answer.verdict == "unsafe") != bool(answer.hazards) or (self.found.counterexamples and not answer.hazards):
            raise Difference(f"the verdict is {answer.verdict}; these fail: {_paths(self.found.counterexamples)}")
        self.compare_hazards(answer.hazards)
        for entry in answer.counterexamples:
            self.replay(entry)

    def compare_hazards(self, hazards):
        """The same places with the same shortest lengths, and counts where they were counted, up to the bound."""
        if self.found.failing is None:
            return
        counts = {}  # by place: how many paths fail there, by length less one
        for failure, occurrence, path in self.found.failing:
            place = failure, self.last_state(path), path[-1], occurrence
            counts.setdefault(place, [0] * self.bound)[len(path) - 1] += 1
        listed = {}
        for hazard in hazards:
            place, path = hazard.place(), hazard.shortest
            if path[-1] != hazard.rule or self.last_state(path) != hazard.state:
                raise Difference(f"{' '.join(path)} does not lead to its hazard, {place}")
            if place in listed:
                raise Difference(f"a hazard is listed twice: {place}")
            if len(path) > self.bound:
                continue
            if (hazard.failure, hazard.occurrence, path) not in self.found.failing:
                raise Difference(f"{hazard.failure} does not happen on {' '.join(path)} at {hazard.occurrence}")
            listed[place] = len(path)
            counted = (hazard.paths + [0] * self.bound)[: self.bound]
            if hazard.paths and counted != counts[place]:
                raise Difference(f"{counted} paths fail at {place}; there are {counts[place]}")
        first = {place: next(i + 1 for i, count in enumerate(found) if count) for place, found in counts.items()}
        if listed != first:
            raise Difference(f"the shortest paths to hazards differ: printed {listed}, there are {first}")

    def last_state(self, path):
        """The state in which the last rule of a path fires."""
        targets = {(rule.state, rule.name): rule.target for rule in self.model.rules}
        state = self.model.initial
        for rule in path[:-1]:
            state = targets[state, rule]
        return state

    def check_safe(self, beyond):
        try:
            further = world_oracle.verify(self.model, MODES[self.mode], self.bound + beyond, 4 * MOST_NODES)
        except TooLarge:
            return
        if further.counterexamples:
            raise Difference(f"it is not safe: {_paths(further.counterexamples)}")

    def check_probabilities(self, entries):
        """Likeliest first; figures that say the same when printed may come in any order."""
        told = [entry for entry in entries if entry.probability is not None]
        for entry in told:
            if not 0 <= entry.probability <= 1 or entry.error < 0:
                raise Difference(f"{float(entry.probability)} ± {float(entry.error)} is no probability")
        for first, second in zip(told, told[1:]):
            if first.probability < second.probability:
                raise Difference("the counterexamples are not listed likeliest first")

    def replay(self, entry):
        mode = MODES[self.mode]
        if mode.as_printed and any(act.sensed is None for step in entry.steps for act in step.acts):
            if not world_oracle.confirms(self.model, mode, entry):
                raise Difference("with these values there is no such run")
        else:
            replay(self.model, mode, entry)


def _paths(pairs):
    return [f"{failure}: {' '.join(path)}" for failure, path in sorted(pairs)] or "none"


def _cases(arguments):
    if arguments.known:
        for known in known_answers():
            for mode, (nodes, answers) in known.found.items():
                if mode in arguments.mode:
                    found = Found(counterexamples(answers), nodes, nodes, None)
                    yield _Case(known.name, known.text, mode, known.bound, found)
        return
    for seed in range(arguments.seed, arguments.seed + arguments.models):
        drawn = random_world(seed, arguments.tiny)
        model = read_model(drawn.text)
        for mode in arguments.mode:
            bound, found = within_reach(model, mode)
            yield _Case(f"seed {seed}", drawn.text, mode, bound, found, drawn.octagon)


def within_reach(model, mode, most=LARGEST_BOUND):
    """The largest bound up to which there are not too many paths, and what is found."""
    for bound in range(most, 1, -1):
        try:
            return bound, world_oracle.verify(model, MODES[mode], bound, MOST_NODES)
        except TooLarge:
            continue
    return 1, world_oracle.verify(model, MODES[mode], 1)


# ---------------------------------------------------------------------------------------------------- the program


def _printed(poise, path, case, engine, unbounded=False):
    """What the program prints, as JSON with Fractions for numbers."""
    command = [poise, "verify", path, *MODES[case.mode].flags]
    command += ["--time-limit", "2s"] if unbounded else ["--bound", str(case.bound)]  # there may be no end
    command += ["--engine", engine, "--format", "json", "--paths", "all"]
    if engine != "auto":
        command += ["--no-odds"]  # which do not depend on the engine, and take longest
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise Difference(f"it took more than {LONGEST} seconds") from None
    if process.returncode in (2, 3) and engine in PARTIAL_ENGINES or process.returncode == 3 and unbounded:
        raise Declined()
    expected = (0, 1) if unbounded else (1,) if case.found.counterexamples else (0,)
    if process.returncode not in expected:
        raise Difference(f"exit status {process.returncode}, not {expected}\n{process.stderr}{process.stdout[:3000]}")
    try:
        return read_json(process.stdout)
    except ValueError as error:
        raise Difference(f"not JSON: {error}\n{process.stdout[:1000]}") from None


if __name__ == "__main__":
    main()
