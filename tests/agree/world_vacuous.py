#!/usr/bin/python3
"""What `poise verify` says never happens, against trying every value, on tiny random models.

    world_vacuous.py POISE [--models N] [--seed S] [--engine NAME,...]

All configurations, a state and a value for each variable, are followed from the start, breadth first: up to a bound, and
then to the end, if there is one within reach. That gives the guards that hold on something sensed, the rules that fire,
the actions that happen, and the constraints that rules lead out of. The program must list exactly what is missing, and
why, with and without a bound.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from compare import Difference, read_json
from reader import atoms_of, read_model, variables_of
from world_brute import _Brute
from world_models import random_world
from world_modes import MODES, acts_of, begin_with, freed_variables, stronger_rules
from worlds import TooLarge

BOUND = 3
MOST_STEPS = 400_000
LONGEST = 60  # seconds


class Happenings(_Brute):
    """What happens with at most `bound` steps, or with any number of them."""

    def visit(self, state, configurations, path):
        self.looks, self.holds, self.fires, self.acts, self.leaves = set(), set(), set(), set(), set()
        seen, layer, steps = set(), {(state, c) for c in configurations}, 0
        while layer and (self.bound is None or steps < self.bound):
            seen |= layer
            layer = {after for before in layer for after in self.followed(*before)} - seen
            steps += 1

    def followed(self, state, configuration):
        """The configurations after a step from this one."""
        if not self.feasible(configuration):
            return
        self.looks.add(state)
        readings = [configuration] if self.mode.as_printed else list(self.sensed(configuration))
        for rule in self.model.rules_of(state):
            holds = self.guards[id(rule)]
            stronger = [self.guards[id(other)] for other in stronger_rules(self.model, rule)]
            satisfied = [r for r in readings if holds(r, r)]
            if satisfied:
                self.holds.add((state, rule.name))
            if any(not any(other(r, r) for other in stronger) for r in satisfied):
                self.fires.add((state, rule.name))
                yield from ((rule.target, after) for after in self.after(rule, state, configuration))

    def after(self, rule, state, configuration):
        now = {configuration}
        for occurrence, (kind, name, *value) in enumerate(acts_of(self.model, rule)):
            if not now:
                return
            if kind == "set":
                now = {after for c in now for after in self.assigned(c, name, *value)}
                continue
            outcomes = [one for c in now for one in self.actions[name].outcomes(c)]
            if outcomes:
                self.acts.add((state, rule.name, occurrence))
            failing = [holds for _, holds in self.failures[name]]
            now = {kept for kept, actual in outcomes if not any(holds(actual, actual) for holds in failing)}
        for number in self.asked_constraints(rule):
            if not all(self.constraints[number](c, c) for c in now):
                self.leaves.add((state, rule.name, number))
        yield from now

    def asked_constraints(self, rule):
        """Those on variables that the rule changes, none of which the world may choose in the end."""
        if self.mode.as_printed:
            return
        fate = {}
        for kind, name, *value in acts_of(self.model, rule):
            if kind == "set":
                fate |= {behind: "open" for behind in begin_with(self.model, name, *value)} | {name: "changed"}
            else:
                action = self.model.world[name]
                fate |= {free: "open" for free in freed_variables(self.model, action, self.mode)}
                fate |= {primed: "changed" for primed in action.primed} if self.mode.conditions else {}
        for number, constraint in enumerate(self.model.constraints):
            read = {name for atom in atoms_of(constraint) for name in variables_of(atom)}
            fates = {fate.get(name) for name in self.with_guards(read)}
            if "changed" in fates and "open" not in fates:
                yield number

    def with_guards(self, names):
        for name in names:
            while name is not None:
                yield name
                name = self.model.variables[name].guard

    # What the program must say

    def vacuous(self):
        said = set()
        for rule in self.model.rules:
            if (rule.state, rule.name) not in self.fires:
                said.add(("rule", rule.name, rule.state, self.why(rule)))
        for name in {rule.name for rule in self.model.rules}:
            states = [rule.state for rule in self.model.rules if rule.name == name]
            looked = any(state in self.looks for state in states)
            if looked and not any((state, name) in self.holds for state in states):
                said.add(("guard", name, None, "guard"))
        happen = set()
        for rule in self.model.rules:
            for occurrence, (kind, name, *_) in enumerate(acts_of(self.model, rule)):
                if kind != "set" and (rule.state, rule.name, occurrence) in self.acts:
                    happen.add(name)
        said |= {("action", name, None, None) for name in self.model.world if name not in happen}
        for failure, cases in self.model.failures.items():
            said |= {("failure", failure, after, None) for _, after in cases if after not in happen}
        return said

    def why(self, rule):
        if rule.state not in self.looks:
            return "state"
        return "stronger" if (rule.state, rule.name) in self.holds else "guard"


def with_constraint(text, seed):
    """Half the models with one more constraint, on a number that an action changes: they are led out of it."""
    model = read_model(text)
    numbers = [n for action in model.world.values() for n in action.primed if model.variables[n].type.kind == "int"]
    if seed % 2 == 0 or not numbers:
        return text
    type_ = model.variables[numbers[0]].type
    middle = (type_.low + type_.high) // 2 if type_.low is not None else 1
    return text + f"constraint {numbers[0]} {'<=' if seed % 3 else '>='} {middle}\n"


def compare(happenings, text, printed):
    if printed["vacuous"] is None:
        raise Difference("it does not know what never happens")
    said = set()
    for entry in printed["vacuous"]:
        rule = entry["what"] in ("rule", "guard")
        phrases = {" reached": "state", "stronger": "stronger", "nothing that is sensed": "guard"}
        why = next((why for phrase, why in phrases.items() if phrase in entry["why"]), None) if rule else None
        said.add((entry["what"], entry["name"], entry.get("state", entry.get("after")), why))
    if len(said) != len(printed["vacuous"]):
        raise Difference(f"something is said twice: {printed['vacuous']}")
    meant = happenings.vacuous()
    if said != meant:
        raise Difference(f"what never happens differs\n  missing: {meant - said}\n  wrong: {said - meant}")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("constraint ")]
    left = {(one["state"], one["rule"], lines.index(int(one["at"]["line"]))) for one in printed["departures"]}
    if left != happenings.leaves:
        raise Difference(f"it leads out of constraints at {left}; it does at {happenings.leaves}")


def printed_by(poise, path, mode, bound, engine):
    """The program's report, and none if it does not know the answer."""
    command = [poise, "verify", path, *MODES[mode].flags, "--engine", engine, "--format", "json", "--no-odds"]
    command += ["--paths", "none", "--time-limit", "10s"] + (["--bound", str(bound)] if bound is not None else [])
    process = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    if process.returncode in (2, 3):
        return None
    if process.returncode not in (0, 1):
        raise Difference(f"exit status {process.returncode}\n{process.stderr}")
    return read_json(process.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="auto,smt,zones")
    arguments = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "declined": 0, "not known": 0, "too large": 0, "vacuous": 0, "departures": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.poise")
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            text = with_constraint(random_world(seed, True).text, seed)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            model = read_model(text)
            mode = list(MODES)[seed // 2 % len(MODES)]
            for bound in (BOUND, None):
                try:
                    happenings = Happenings(model, MODES[mode], bound, MOST_STEPS)
                except TooLarge:
                    counts["too large"] += 1
                    continue
                for engine in arguments.engine.split(","):
                    printed = printed_by(arguments.poise, path, mode, bound, engine)
                    if printed is None:
                        counts["declined"] += 1
                        continue
                    if printed["vacuous"] is None and bound is None and printed["engine"] == "smt":
                        counts["not known"] += 1
                        continue
                    try:
                        compare(happenings, text, printed)
                        counts["passed"] += 1
                        counts["vacuous"] += bool(printed["vacuous"])
                        counts["departures"] += bool(printed["departures"])
                    except Difference as difference:
                        counts["failed"] += 1
                        if counts["failed"] == 1:
                            print(f"seed {seed}, mode {mode}, bound {bound}, engine {engine}\n\n{text}\n{difference}\n")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(1 if counts["failed"] or not counts["passed"] or not counts["vacuous"] or not counts["departures"] else 0)


if __name__ == "__main__":
    main()
