#!/usr/bin/env python3
"""Compares what `poise rank` says happened in a log with a replay by the second interpreter, and with `poise watch`.

    rank_replay.py POISE [--models N] [--seed S]

Random models, random logs of several instances. Every line is executed here by the definitions of docs/language.md;
faults that the execution shows are looked for among the cases of the report, by their kind, state, rules and situation.
"""

import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from oracle import json_value
from random_models import random_model
from reader import read_expression, read_model
from worlds import atom_holds, sample_points, tree_holds

LINES = 30


# ---------------------------------------------------------------------------------------------------- execution


@dataclass
class Incident:
    kind: str
    state: str
    rules: tuple  # names
    context: dict  # in which the choice is, or in which the run began


def holds(tree, context):
    return tree_holds(tree, lambda atom: atom_holds(atom, context))


def behind_first(model):
    """The variables, each after its guard."""

    def depth(name):
        guard = model.variables[name].guard
        return 0 if guard is None else 1 + depth(guard)

    return sorted(model.variables, key=depth)


def without_unguarded(model, context):
    """What stands behind a guard that does not hold has no value."""
    for name in behind_first(model):
        guard = model.variables[name].guard
        if guard is not None and context[guard] is not True:
            context[name] = None
    return context


def changed(model, context, values):
    """The context after a line. Behind a guard that did not hold there is only what the line says."""
    return without_unguarded(model, {**context, **values})


def triggered(model, state, context):
    satisfied = [rule for rule in model.rules_of(state) if holds(rule.guard, context)]
    strongest = min((rule.strength() for rule in satisfied), default=None)
    return sorted((rule for rule in satisfied if rule.strength() == strongest), key=lambda rule: rule.order)


def fired(model, rule, context):
    """An action on a variable without a value has no effect; where one makes a guard true, no value is known yet."""
    after = dict(context)
    for name, value in rule.actions:
        guard = model.variables[name].guard
        if guard is None or after[guard] is True:
            after[name] = value
            without_unguarded(model, after)
    return after


def run(model, state, context):
    """The state and context after a run, and what it shows."""
    start, begun, path, shown = state, context, [], []
    trail = [(state, context)]
    while rules := triggered(model, state, context):
        if len(rules) > 1:
            shown.append(Incident("nondeterminism", state, tuple(rule.name for rule in rules), context))
        path.append(rules[0].name)
        state, context = rules[0].target, fired(model, rules[0], context)
        if (state, context) in trail:
            shown.append(Incident("cycle", start, tuple(path), begun))
            return state, context, shown
        trail.append((state, context))
    if len(path) > 1:
        shown.append(Incident("race", start, tuple(path), begun))
    return state, context, shown


# ---------------------------------------------------------------------------------------------------- starts


def declared(model):
    return {name: variable.initial if variable.own else None for name, variable in model.variables.items()}


def fits(model, context, values):
    return all(context[name] == value for name, value in values.items() if model.variables[name].own)


def states_at_work(model, finals):
    """Those that some chain of rules leads to; in a final one nothing is at work."""
    reached, pending = {model.initial}, [model.initial]
    while pending:
        for rule in model.rules_of(pending.pop()):
            if rule.target not in reached:
                reached.add(rule.target)
                pending.append(rule.target)
    return reached - finals


def starts(model, finals, values, any_start):
    """All that an instance can be before its first line."""
    context = declared(model)
    if not any_start and fits(model, context, values):
        return [(model.initial, context)]
    own = [name for name, variable in model.variables.items() if variable.own]
    choices = []
    for name in own:
        assigned = [value for rule in model.rules for at, value in rule.actions if at == name]
        choices.append(list(dict.fromkeys([context[name], *assigned])))
    contexts = [{**context, **dict(zip(own, chosen))} for chosen in itertools.product(*choices)]
    contexts = [one for one in contexts if fits(model, one, values)] or contexts
    return [(state, one) for state in states_at_work(model, finals) for one in contexts]


# ---------------------------------------------------------------------------------------------------- replay


@dataclass
class Happened:
    times: int = 0
    at_most: int = 0
    first: float | None = None
    last: float | None = None


class Replay:
    """Keeps, for each place in the report, how often it happened."""

    def __init__(self, text, cases, any_start):
        self.model = model = read_model(text)
        self.finals = set(re.findall(r"\bstate (\w+) final\b", text))  # as random models declare them
        self.any_start = any_start
        self.instances = {}
        self.happened = collections.defaultdict(Happened)
        self.unlisted = 0  # that certainly happened and are no case
        self.all = collections.Counter()  # by kind, state and rules, of instances whose start is known
        self.unknown = 0
        self.cases = collections.defaultdict(list)
        for place, case in enumerate(cases):
            rules = tuple(case.get("path") or case["rules"])
            when = read_expression(case["when"], model)
            self.cases[case["kind"], case["state"], rules].append((place, when))

    def place(self, incident):
        found = [
            place
            for place, when in self.cases[incident.kind, incident.state, incident.rules]
            if holds(when, incident.context)
        ]
        assert len(found) <= 1, "a fault that happens is one case"
        return found[0] if found else None

    def add(self, app, time, values):
        if app not in self.instances:
            self.instances[app] = starts(self.model, self.finals, values, self.any_start)
            self.unknown += len(self.instances[app]) != 1 or self.any_start
        possible = self.instances[app]
        possible = [one for one in possible if fits(self.model, one[1], values)] or possible
        after, shown = [], []
        for state, context in possible:
            state, context, incidents = run(self.model, state, changed(self.model, context, values))
            after.append((state, context))
            shown.append(collections.Counter(self.key(incident) for incident in incidents))
        self.instances[app] = [one for i, one in enumerate(after) if one not in after[:i]]
        for key in set().union(*shown):
            least, most = min(counts[key] for counts in shown), max(counts[key] for counts in shown)
            self.count(key, least, most, time)

    def key(self, incident):
        """What tells incidents apart that happen at one line."""
        truths = tuple(atom_holds(atom, incident.context) for atom in self.model.atoms)
        return incident.kind, incident.state, incident.rules, truths, self.place(incident)

    def count(self, key, least, most, time):
        kind, state, rules, _, place = key
        self.all[kind, state, rules] += least
        if place is None:
            self.unlisted += least
            return
        entry = self.happened[place]
        entry.at_most += most
        if least:
            entry.times += least
            entry.first = time if entry.first is None else min(entry.first, time)
            entry.last = time if entry.last is None else max(entry.last, time)


# ---------------------------------------------------------------------------------------------------- logs


def random_value(rng, explorer, variable):
    type_ = variable.type
    if type_.kind == "bool":
        return rng.random() < 0.5
    if type_.kind == "enum":
        return rng.choice(type_.members)
    if type_.kind == "set":
        return frozenset(member for member in type_.members if rng.random() < 0.5)
    if variable.name in explorer.world.parts:
        return rng.choice(explorer.world.parts[variable.name])
    return rng.choice(sample_points([(variable.name, type_.low, type_.high)], []))[0]


def random_log(rng, explorer):
    """Lines as (instance, time, values). The first of an instance gives every sensed variable a value."""
    model, time, seen, lines = explorer.model, {}, set(), []
    apps = [""] if rng.random() < 0.6 else ["a", "b"]
    for _ in range(LINES):
        app = rng.choice(apps)
        time[app] = time.get(app, 0) + rng.randrange(3)
        share = 1 if app not in seen else rng.choice([0, 0.2, 0.5])
        seen.add(app)
        values = {}
        for name, variable in model.variables.items():
            if rng.random() < (0.03 if variable.own else share):
                values[name] = random_value(rng, explorer, variable)
        lines.append((app, time[app], values))
    return lines


def log_text(model, lines):
    text = ""
    for app, time, values in lines:
        line = {"t": time, **({"app": app} if app else {})}
        if values:
            line["set"] = {name: json_value(value, model.variables[name].type) for name, value in values.items()}
        text += json.dumps(line) + "\n"
    return text


# ---------------------------------------------------------------------------------------------------- comparison


def report(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    return done.stdout


def difference(printed, replay):
    """What is wrong with the report; nothing if it is right."""
    cases = printed["faults"] + printed["pruned"]
    for place, case in enumerate(cases):
        expected = replay.happened[place]
        said = (case["happened"], case.get("happened_at_most", case["happened"]), case["first"], case["last"])
        if said != (expected.times, expected.at_most, expected.first, expected.last):
            return f"{json.dumps(case)}\nsaid {said}, but it is {expected}"
    listed = sum(replay.happened[place].times for place in range(len(printed["faults"])))
    pruned = sum(replay.happened[place].times for place in range(len(printed["faults"]), len(cases)))
    if printed["replay"]["incidents"] != listed + pruned + replay.unlisted:
        return f"{printed['replay']}, but {listed} + {pruned} + {replay.unlisted}"
    if printed["replay"]["unlisted"] != pruned + replay.unlisted:
        return f"{printed['replay']}, but unlisted {pruned} + {replay.unlisted}"
    if printed["replay"]["unknown_starts"] != replay.unknown:
        return f"{printed['replay']}, but {replay.unknown} unknown"
    return None


def watched(program, model, log):
    seen = collections.Counter()
    for line in report(program, "watch", model, "--input", log, "--format", "jsonl").splitlines():
        entry = json.loads(line)
        if entry.get("kind") in ("nondeterminism", "race", "cycle"):
            seen[entry["kind"], entry["state"], tuple(entry.get("path") or entry["rules"])] += 1
    return seen


def compare(program, folder, seed, tally):
    """What is wrong with one model and log; nothing if all agree."""
    text, explored = random_model(seed)
    explorer = next(iter(explored.values()))[0]
    rng = random.Random(f"log {seed}")
    model = read_model(text)
    lines = random_log(rng, explorer)
    any_start = rng.random() < 0.4
    paths = {"model": os.path.join(folder, "m.poise"), "log": os.path.join(folder, "log.jsonl")}
    for path, content in ((paths["model"], text), (paths["log"], log_text(model, lines))):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(content)
    options = ["--all", "--paths", "all", "--count", rng.choice(["start", "visited", "rules", "all"])]
    options += ["--start", "any"] if any_start else []
    printed = json.loads(
        report(program, "rank", paths["model"], "--log", paths["log"], "--format", "json", "--jobs", "1", *options)
    )
    if not printed["replay"]["complete"]:
        tally["not replayed"] += 1
        return None
    replay = Replay(text, printed["faults"] + printed["pruned"], any_start)
    for line in lines:
        replay.add(*line)
    tally["incidents"] += sum(replay.all.values())
    tally["only possible"] += sum(entry.at_most > entry.times for entry in replay.happened.values())
    wrong = difference(printed, replay)
    if wrong is None and replay.unknown == 0:
        seen = watched(program, paths["model"], paths["log"])
        tally["watched"] += 1
        if seen != +replay.all:
            wrong = f"watch saw {seen}\nhere {+replay.all}"
    return wrong and f"{text}\n{log_text(model, lines)}\n{options}\n{wrong}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="poise")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            wrong = compare(arguments.program, folder, seed, tally)
            if wrong:
                failed += 1
                if failed == 1:
                    print(f"seed {seed}\n{wrong}")
    counts = ", ".join(f"{count} {what}" for what, count in sorted(tally.items()))
    print(f"{arguments.models - failed} passed, {failed} failed; {counts}")
    # A comparison of nothing proves nothing.
    sys.exit(1 if failed or tally["incidents"] < arguments.models else 0)


if __name__ == "__main__":
    main()
