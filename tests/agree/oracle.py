#!/usr/bin/env python3
"""What `poise check --format json` must print, found by brute force.

Every concrete context is tried, one representative for each part of a domain that the model can tell apart, and every
run is followed to its end. Nothing is clever, so that the answer is easy to believe; only small models are practical.

    oracle.py check [--all] [--ignore priorities,constraints] [--count visited|rules|start|all] FILE...

It takes the program's own options, so it can stand in for the program.
"""

import argparse
import functools
import itertools
import json
import os
import sys
from dataclasses import dataclass, field
from fractions import Fraction

from reader import ModelError, atoms_of, read_model
from worlds import ConcreteWorld, IndependentWorld, TooLarge, tree_holds


# ---------------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class Options:
    ignore_priorities: bool = False
    ignore_constraints: bool = False
    count: str = "visited"
    all: bool = False


@dataclass
class Findings:
    """For each fault the start contexts in which it occurs. Rules are known by their place in model.rules."""

    satisfied: dict = field(default_factory=dict)  # rule -> contexts
    triggered: dict = field(default_factory=dict)  # rule -> contexts
    nondeterminism: dict = field(default_factory=dict)  # (state, rules) -> contexts
    unstable: dict = field(default_factory=dict)  # rule -> contexts
    races: dict = field(default_factory=dict)  # (state, path) -> contexts
    cycles: dict = field(default_factory=dict)  # (state, path) -> contexts
    loops: dict = field(default_factory=dict)  # (state, path) of a cycle -> the least index where it starts


class Explorer:
    """Follows every run of a model in one of the two worlds."""

    def __init__(self, model, options=Options(), contexts=None, steps=None):
        """`contexts` and `steps` bound the work: beyond them TooLarge is raised."""
        self.model = model
        self.options = options
        self.world = (IndependentWorld if options.ignore_constraints else ConcreteWorld)(model, contexts)
        self.steps = steps
        self.place = {atom: i for i, atom in enumerate(model.atoms)}
        self.of_state = {state: [i for i, r in enumerate(model.rules) if r.state == state] for state in model.states}
        self._satisfied = functools.cache(self._satisfied)
        self.fired = functools.cache(self.fired)

    def satisfied(self, state, context):
        return self._satisfied(state, self.world.truths(context))

    def _satisfied(self, state, truths):
        def truth(atom):
            return truths[self.place[atom]]

        return [i for i in self.of_state[state] if tree_holds(self.model.rules[i].guard, truth)]

    def triggered(self, state, context):
        satisfied = self.satisfied(state, context)
        if self.options.ignore_priorities or not satisfied:
            return satisfied
        strongest = min(self.model.rules[i].strength() for i in satisfied)
        return [i for i in satisfied if self.model.rules[i].strength() == strongest]

    def fired(self, rule, context):
        contexts = self.world.fired(self.model.rules[rule], context)
        self._count_steps(len(contexts))
        return contexts

    def runs(self, state, context):
        """Every run as (path, loop): loop is None if it ends stable, else the index in the path where it closes."""
        pending = [((), ((state, context),))]
        while pending:
            path, trail = pending.pop()
            here, now = trail[-1]
            triggered = self.triggered(here, now)
            if not triggered:
                yield path, None
            for rule in triggered:
                for after in self.fired(rule, now):
                    self._count_steps(1)
                    configuration = (self.model.rules[rule].target, after)
                    if configuration in trail:
                        yield path + (rule,), trail.index(configuration)
                    else:
                        pending.append((path + (rule,), trail + (configuration,)))

    def _count_steps(self, number):
        if self.steps is not None:
            self.steps -= number
            if self.steps < 0:
                raise TooLarge("too many steps")

    def findings(self):
        found = Findings()
        for state in self.model.states:
            for context in self.world.contexts:
                for rule in self.satisfied(state, context):
                    found.satisfied.setdefault(rule, set()).add(context)
                triggered = self.triggered(state, context)
                if len(triggered) > 1:
                    found.nondeterminism.setdefault((state, tuple(triggered)), set()).add(context)
                for rule in triggered:
                    found.triggered.setdefault(rule, set()).add(context)
                    target = self.model.rules[rule].target
                    if any(self.satisfied(target, after) for after in self.fired(rule, context)):
                        found.unstable.setdefault(rule, set()).add(context)
                for path, loop in self.runs(state, context):
                    if loop is not None:
                        found.cycles.setdefault((state, path), set()).add(context)
                        found.loops[state, path] = min(loop, found.loops.get((state, path), loop))
                    elif len(path) >= 2:
                        found.races.setdefault((state, path), set()).add(context)
        return found


# ---------------------------------------------------------------------------------------------------- the answer


def check(model, options=Options(), contexts=None, steps=None):
    """What `check --format json` prints, but for `engine`, `when`, `witness` and `at`."""
    explorer = Explorer(model, options, contexts, steps)
    return answer(explorer, explorer.findings(), options)


def answer(explorer, found, options, explain=False):
    """The answer under these options; only `count` and `all` may differ from those of the exploration.

    With `explain` the faults that occur have a `when`, exact though not short, and a `witness`.
    """
    model, world = explorer.model, explorer.world
    reachable = _reachable(model, found)
    faults = []
    for fault, contexts in _faults(explorer, found, options):
        fault["reachable"] = fault["state"] in reachable
        asked_for = fault["reachable"] and not fault.get("harmless") or fault["kind"] == "unreachable-state"
        if options.all or asked_for:
            faults.append(fault)
            if explain and contexts:
                _explain(explorer, fault, contexts)
    return {
        "schema": "poise.check/1",
        "model": model.name,
        "size": {
            "states": len(model.states),
            "rules": len(model.rules),
            "atoms": len(model.atoms),
            "situations": str(len({world.truths(context) for context in world.contexts})),
        },
        "complete": True,
        "unstable": _unstable(explorer, found, options),
        "overlaps": _overlaps(explorer, found, options),
        "faults": faults,
    }


def harmless(model, rules):
    """Whether the same happens whichever of these rules fires: the same target, the same values, the same deeds.

    A guard that is assigned frees or clears what is behind it, so then the order of assignments counts.
    """
    guards = {variable.guard for variable in model.variables.values()}

    def deed(rule):
        ordered = any(variable in guards for variable, _ in rule.actions)
        values = list(rule.actions) if ordered else dict(rule.actions)
        return rule.target, values, [action for action in rule.do if action[0] == "act"]

    return all(deed(model.rules[i]) == deed(model.rules[rules[0]]) for i in rules)


def _overlaps(explorer, found, options):
    """Every two rules that are triggered together, whatever else is."""
    model = explorer.model
    together = {}
    for (state, rules), contexts in found.nondeterminism.items():
        for pair in itertools.combinations(rules, 2):
            together.setdefault((state, pair), set()).update(contexts)

    def place(item):
        (state, pair), _ = item
        return model.states.index(state), [model.rules[i].order for i in pair]

    listed = []
    for (state, pair), contexts in sorted(together.items(), key=place):
        figure = situations(explorer, counted_atoms(model, options.count, state, pair, [state]), contexts)
        listed.append({"state": state, "rules": [model.rules[i].name for i in pair], "situations": figure})
    return listed


def _unstable(explorer, found, options):
    model = explorer.model
    listed = []
    for i in sorted(found.unstable, key=lambda i: _place_of_rule(model, i)):
        rule = model.rules[i]
        atoms = counted_atoms(model, options.count, rule.state, (i,), [rule.state, rule.target])
        figure = situations(explorer, atoms, found.unstable[i])
        listed.append({"state": rule.state, "rule": rule.name, "to": rule.target, "situations": figure})
    return listed


def _faults(explorer, found, options):
    """All faults in the order of listing, each with the start contexts in which it occurs."""
    model = explorer.model

    def names(rules):
        return [model.rules[i].name for i in rules]

    def orders(rules):
        return [model.rules[i].order for i in rules]

    def figure(state, path, visited, contexts):
        return situations(explorer, counted_atoms(model, options.count, state, path, visited), contexts)

    def fault(kind, state, figure="0", contexts=(), **details):
        return {"kind": kind, "state": state, **details, "situations": figure}, contexts

    def by_length(item):
        (state, path), _ = item
        return len(path), model.states.index(state), orders(path)

    for (state, rules), contexts in sorted(found.nondeterminism.items(), key=by_length):
        details = {"rules": names(rules)} | ({"harmless": True} if harmless(model, rules) else {})
        yield fault("nondeterminism", state, figure(state, rules, [state], contexts), contexts, **details)

    dead = [i for i in range(len(model.rules)) if i not in found.triggered]
    for i in sorted(dead, key=lambda i: _place_of_rule(model, i)):
        if i not in found.satisfied:
            details = {"cause": "unsatisfiable"}
        else:
            details = {"cause": "shadowed", "by": names(_shadowing(model, found, i))}
        yield fault("dead-rule", model.rules[i].state, rules=names([i]), **details)

    for state in model.states:
        if explorer.of_state[state] and all(i in dead for i in explorer.of_state[state]):
            yield fault("dead-state", state)

    reachable = _reachable(model, found)
    for state in model.states:
        if state not in reachable:
            yield fault("unreachable-state", state)

    for (state, path), contexts in sorted(found.races.items(), key=by_length):
        count = figure(state, path, visited_states(model, state, path), contexts)
        yield fault("race", state, count, contexts, path=names(path), ends=model.rules[path[-1]].target)
    for (state, path), contexts in sorted(found.cycles.items(), key=by_length):
        count = figure(state, path, visited_states(model, state, path), contexts)
        yield fault("cycle", state, count, contexts, path=names(path), loop=found.loops[state, path])


def _place_of_rule(model, rule):
    return model.states.index(model.rules[rule].state), model.rules[rule].order


def situations(explorer, atoms, contexts):
    """The number of distinct truth assignments over these atoms."""
    places = [explorer.place[atom] for atom in atoms]
    truths = [explorer.world.truths(context) for context in contexts]
    return str(len({tuple(truth[i] for i in places) for truth in truths}))


def counted_atoms(model, count, state, path, visited):
    """The atoms over which the situations of a fault are counted."""
    on_path = [model.rules[i] for i in path]
    rules = {
        "visited": lambda: [rule for at in visited for rule in model.rules_of(at)],
        "rules": lambda: on_path,
        "start": lambda: model.rules_of(state) + on_path,
        "all": lambda: None,
    }[count]()
    if rules is None:
        return model.atoms
    return list(dict.fromkeys(atom for rule in rules for atom in atoms_of(rule.guard)))


def visited_states(model, state, path):
    """The end of a run is visited too: that it is stable there depends on that state's rules."""
    return [state] + [model.rules[i].target for i in path]


def _reachable(model, found):
    """The states to which chains of live rules lead from the initial state."""
    reached, pending = set(), [model.initial]
    while pending:
        state = pending.pop()
        if state not in reached:
            reached.add(state)
            pending += [r.target for i, r in enumerate(model.rules) if r.state == state and i in found.triggered]
    return reached


def _shadowing(model, found, dead):
    """The rules that together win wherever the dead rule is satisfied: one, else two, else none superfluous."""
    stronger = [
        i
        for i, rule in enumerate(model.rules)
        if rule.state == model.rules[dead].state and rule.strength() < model.rules[dead].strength()
    ]

    def covers(rules):
        return found.satisfied[dead] <= set().union(*(found.satisfied.get(i, set()) for i in rules))

    for size in (1, 2):
        for rules in itertools.combinations(stronger, size):
            if covers(rules):
                return list(rules)
    rules = list(stronger)
    for rule in reversed(stronger):
        fewer = [i for i in rules if i != rule]
        if covers(fewer):
            rules = fewer
    return rules


# ---------------------------------------------------------------------------------------------------- as JSON


def atom_text(atom):
    """An atom in the language, with enough parentheses to be read back as it stood."""

    def literal(value):
        if isinstance(value, bool):
            return str(value).lower()
        return decimal(value) if isinstance(value, Fraction) else str(value)

    def operand(tree):
        if tree[0] == "lit":
            return literal(tree[1])
        if tree[0] == "var":
            return tree[1]
        if tree[0] == "neg":
            return f"-{operand(tree[1])}"
        return f"({operand(tree[1])} {tree[0]} {operand(tree[2])})"

    if atom[0] == "bool":
        return atom[1]
    if atom[0] == "has":
        return f"{atom[1]} has {atom[2]}"
    if atom[0] == "in":
        return f"{operand(atom[1])} in {{{', '.join(literal(v) for v in atom[2])}}}"
    return f"{operand(atom[2])} {atom[1]} {operand(atom[3])}"


def decimal(value):
    """An exact decimal, or a fraction where there is none."""
    denominator = value.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    if denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    whole = str(abs(int(value * 10**digits))).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)


def json_value(value, type_):
    if value is None or type_.kind in ("bool", "enum"):
        return value
    if type_.kind == "set":
        return [member for member in type_.members if member in value]
    text = decimal(value)
    return text if "/" in text else float(text) if "." in text else int(text)


def _explain(explorer, fault, contexts):
    model, world = explorer.model, explorer.world
    atoms = visited_atoms(model, fault)
    places = [explorer.place[atom] for atom in atoms]
    rows = sorted({tuple(world.truths(context)[i] for i in places) for context in contexts})
    terms = [" and ".join(("" if t else "not ") + atom_text(a) for a, t in zip(atoms, row)) or "true" for row in rows]
    fault["when"] = " or ".join(terms)
    if isinstance(world, ConcreteWorld):
        chosen = next(context for context in world.contexts if context in contexts)
        values = world.as_dict(chosen)
        fault["witness"] = {n: json_value(v, model.variables[n].type) for n, v in values.items()}


def visited_atoms(model, fault):
    """The atoms of the rules of the states that a fault, as printed, visits."""
    path = rules_on_path(model, fault["state"], fault.get("path", []))
    return counted_atoms(model, "visited", fault["state"], path, visited_states(model, fault["state"], path))


def rules_on_path(model, state, names):
    """The places in model.rules of a path's rules, given by name from a start state."""
    path = []
    for name in names:
        path.append(next(i for i, rule in enumerate(model.rules) if rule.name == name and rule.state == state))
        state = model.rules[path[-1]].target
    return tuple(path)


# ---------------------------------------------------------------------------------------------------- command


def option_parser():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["check"])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", choices=["visited", "rules", "start", "all"], default="visited")
    parser.add_argument("--ignore", default="")
    parser.add_argument("--engine", choices=["reference"])
    parser.add_argument("--paths", choices=["all"])
    parser.add_argument("--format", choices=["json"])
    return parser


def options_from(arguments):
    ignored = set(filter(None, arguments.ignore.split(",")))
    return Options("priorities" in ignored, "constraints" in ignored, arguments.count, arguments.all)


def main():
    arguments = option_parser().parse_intermixed_args()
    options = options_from(arguments)
    answers = []
    for file in arguments.files:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        try:
            model = read_model(text, os.path.splitext(os.path.basename(file))[0])
            explorer = Explorer(model, options)
            found = explorer.findings()
        except (ModelError, TooLarge) as error:
            sys.exit(f"{file}: {error}")
        answers.append(answer(explorer, found, options, explain=True))
    print(json.dumps(answers[0] if len(answers) == 1 else answers, indent=1))
    sys.exit(1 if any(not f.get("harmless") for a in answers for f in a["faults"]) else 0)


if __name__ == "__main__":
    main()
