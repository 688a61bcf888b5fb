#!/usr/bin/env python3
"""Compares the program with the oracle on random models.

    compare.py POISE [--models N] [--seed S] [--mode MODE,...] [--engine NAME] [--real-pairs | --differences]
               [--twins]

Each model is checked under several options (the modes). Size, `unstable`, `overlaps` and the faults must be the same,
in the same order. Every witness must be a context of the model, satisfy its constraints and show its fault when replayed; every
`when` must hold in exactly the contexts whose situation is one of the fault's. The first difference is printed with
the model; the exit status is 1 if there was any.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from oracle import Options, answer, rules_on_path, visited_atoms
from random_models import add_profile_arguments, batches, profile_of, random_model
from reader import ModelError, atoms_of, read_expression
from worlds import atom_holds, tree_holds

MODES = {
    "plain": (["--all"], Options(all=True)),
    "reachable": ([], Options()),
    "count-rules": (["--all", "--count", "rules"], Options(all=True, count="rules")),
    "count-start": (["--all", "--count", "start"], Options(all=True, count="start")),
    "count-all": (["--all", "--count", "all"], Options(all=True, count="all")),
    "priorities": (["--all", "--ignore", "priorities"], Options(all=True, ignore_priorities=True)),
    "constraints": (["--all", "--ignore", "constraints"], Options(all=True, ignore_constraints=True)),
    "both": (
        ["--all", "--ignore", "priorities,constraints", "--count", "rules"],
        Options(all=True, ignore_priorities=True, ignore_constraints=True, count="rules"),
    ),
}
NOT_COMPARED = ("when", "witness", "at")

class Difference(Exception):
    """What the program said that it should not have said."""


def main():
    arguments = _arguments()
    profile = dataclasses.replace(profile_of(arguments), twins=arguments.twins, named_actions=arguments.twins)
    program = [arguments.poise, "check", "--engine", arguments.engine, "--paths", "all", "--format", "json"]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seeds in batches(arguments.models, arguments.seed):
            models = [_Case(folder, seed, profile) for seed in seeds]
            for mode in arguments.mode:
                flags, options = MODES[mode]
                printed = _run_batch(program + flags, [case.path for case in models])
                for case, result in zip(models, printed):
                    try:
                        compare(case.explored, options, result)
                        passed += 1
                    except Difference as difference:
                        failed += 1
                        if failed == 1:
                            print(f"seed {case.seed}, mode {mode} ({' '.join(flags)})\n\n{case.text}\n{difference}\n")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", default=",".join(MODES), type=lambda text: text.split(","))
    parser.add_argument("--engine", default="reference")
    add_profile_arguments(parser)
    parser.add_argument("--twins", action="store_true", help="rules that do the same as others, and named actions")
    arguments = parser.parse_args()
    for mode in arguments.mode:
        if mode not in MODES:
            parser.error(f"no mode {mode}; there are {', '.join(MODES)}")
    return arguments


class _Case:
    def __init__(self, folder, seed, profile):
        self.seed = seed
        self.text, self.explored = random_model(seed, profile)
        self.path = os.path.join(folder, f"m{seed}.poise")
        with open(self.path, "w", encoding="utf-8") as stream:
            stream.write(self.text)


def _run_batch(command, paths):
    """What the program prints for each file; if it fails on them together, each file is tried on its own."""
    results = _run(command, paths)
    if isinstance(results, Difference) and len(paths) > 1:
        return [_run(command, [path]) for path in paths]
    return [results] if len(paths) == 1 else results


def _run(command, paths):
    """One JSON value (an array for several files), or a Difference that says how the program failed."""
    process = subprocess.run(command + paths, capture_output=True, text=True)
    if process.returncode not in (0, 1):
        return Difference(f"exit status {process.returncode}\n{process.stderr}")
    try:
        results = read_json(process.stdout)
    except ValueError as error:
        return Difference(f"not JSON: {error}\n{process.stdout[:1000]}")
    if len(paths) > 1 and not (isinstance(results, list) and len(results) == len(paths)):
        return Difference(f"not an array of {len(paths)} answers")
    return results


def read_json(text):
    """Numbers are exact: 0.1 is a tenth."""
    return json.loads(text, parse_float=Fraction, parse_int=Fraction)


# ---------------------------------------------------------------------------------------------------- one answer


def compare(explored, options, printed):
    """Raises a Difference if the program's answer is not the oracle's."""
    if isinstance(printed, Difference):
        raise printed
    explorer, found = explored[dataclasses.replace(options, all=False, count="visited")]
    expected = answer(explorer, found, options)
    for key in ("size", "complete", "unstable", "overlaps"):
        _same(key, expected[key], printed.get(key))
    faults = [{k: v for k, v in fault.items() if k not in NOT_COMPARED} for fault in printed["faults"]]
    _same("faults", expected["faults"], faults)
    if options.ignore_constraints:
        return  # independent truths of atoms need not be those of any context
    for fault in printed["faults"]:
        if fault["kind"] in ("nondeterminism", "race", "cycle"):
            try:
                context = witness_context(explorer, fault)
                replay(explorer, fault, context)
                if fault.get("harmless"):
                    check_harmless(explorer, found, fault)
                if options == MODES["plain"][1]:
                    check_when(explorer, found, fault, context)
            except Difference as difference:
                raise Difference(f"{difference}\nfault: {_json(fault)}") from None


def _same(what, expected, printed):
    if expected == printed:
        return
    lines = [f"{what} differ"]
    if isinstance(expected, list) and isinstance(printed, list):
        rows = [row for row in expected if row not in printed], [row for row in printed if row not in expected]
        lines += [f"  missing: {_json(row)}" for row in rows[0]] + [f"  wrong: {_json(row)}" for row in rows[1]]
        if not any(rows):
            lines.append("  the order only")
    lines += ["oracle:", _listing(expected), "program:", _listing(printed)]
    raise Difference("\n".join(lines))


def _listing(value):
    return "\n".join("  " + _json(row) for row in value) if isinstance(value, list) else "  " + _json(value)


def _json(value):
    return json.dumps(value, default=lambda number: int(number) if number.denominator == 1 else float(number))


# ---------------------------------------------------------------------------------------------------- witnesses


def witness_context(explorer, fault):
    """The witness as a context: a value in its domain for every variable, None exactly when its guard fails."""
    model, witness = explorer.model, fault.get("witness")
    if not isinstance(witness, dict) or set(witness) != set(model.variables):
        raise Difference("the witness does not list the model's variables")
    context = {}
    for name, variable in model.variables.items():
        context[name] = value_from_json(witness[name], variable)
    for name, variable in model.variables.items():
        enabled = variable.guard is None or context[variable.guard] is True
        if enabled != (context[name] is not None):
            raise Difference(f"the witness gives {name} {'no' if enabled else 'a'} value")
    for constraint in model.constraints:
        if not tree_holds(constraint, lambda atom: atom_holds(atom, context)):
            raise Difference(f"the witness violates a constraint: {constraint}")
    return context


def value_from_json(value, variable):
    type_ = variable.type
    wrong = Difference(f"{value!r} is not a value of {variable.name}")
    if value is None:
        return None
    if type_.kind == "bool" and isinstance(value, bool) or type_.kind == "enum" and value in type_.members:
        return value
    if type_.kind == "set" and isinstance(value, list) and set(value) <= set(type_.members):
        return frozenset(value)
    if type_.kind in ("int", "real") and isinstance(value, (Fraction, str)):
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise wrong from None
        if type_.low <= number <= type_.high and (type_.kind == "real" or number.denominator == 1):
            return number
    raise wrong


def replay(explorer, fault, context):
    """The fault shows when its state is entered in the witness.

    The oracle steps through representatives, so each value of the witness is first exchanged for its part's.
    """
    world, model = explorer.world, explorer.model
    start = tuple(world.representative(name, value) for name, value in context.items())
    if fault["kind"] == "nondeterminism":
        triggered = [model.rules[i].name for i in explorer.triggered(fault["state"], start)]
        if triggered != fault["rules"]:
            raise Difference(f"in the witness these are triggered: {triggered}")
        return
    path = rules_on_path(model, fault["state"], fault["path"])
    closes = fault["kind"] == "cycle"
    if not any(run == path and closes == (loop is not None) for run, loop in explorer.runs(fault["state"], start)):
        raise Difference("no run from the witness takes this path")


def check_harmless(explorer, found, fault):
    """Wherever the rules compete, each leads to the same state and the same contexts."""
    rules = tuple(i for i in explorer.of_state[fault["state"]] if explorer.model.rules[i].name in fault["rules"])
    for context in found.nondeterminism[fault["state"], rules]:
        outcomes = {(explorer.model.rules[i].target, frozenset(explorer.fired(i, context))) for i in rules}
        if len(outcomes) > 1:
            raise Difference(f"it makes a difference which rule fires in {_plain(explorer.world.as_dict(context))}")


def check_when(explorer, found, fault, context):
    """`when` is a disjunction of conjunctions of the model's atoms that picks out exactly the fault's situations."""
    model, world = explorer.model, explorer.world
    try:
        when = read_expression(fault.get("when") or "", model)
    except ModelError as error:
        raise Difference(f"when is not an expression: {error}") from None
    strange = [atom for atom in atoms_of(when) if atom not in model.atoms]
    if strange or not _is_disjunction(when):
        raise Difference(f"when is not a disjunction of conjunctions of the model's atoms {strange or ''}")
    if not tree_holds(when, lambda atom: atom_holds(atom, context)):
        raise Difference("when does not hold in the witness")
    places = [explorer.place[atom] for atom in visited_atoms(model, fault)]

    def situation(start):
        return tuple(world.truths(start)[i] for i in places)

    rules = tuple(i for i in explorer.of_state[fault["state"]] if model.rules[i].name in fault.get("rules", ()))
    path = rules_on_path(model, fault["state"], fault.get("path", []))
    occurs = {"nondeterminism": found.nondeterminism, "race": found.races, "cycle": found.cycles}[fault["kind"]]
    situations = {situation(start) for start in occurs[fault["state"], path or rules]}
    for start in world.contexts:
        holds = tree_holds(when, lambda atom: world.truths(start)[explorer.place[atom]])
        if holds != (situation(start) in situations):
            raise Difference(f"when is {str(holds).lower()} in {_plain(world.as_dict(start))}")


def _is_disjunction(tree):
    """The shape is true to the contract: or, then and, then not, then atoms."""
    for level in ("or", "and", "not"):
        if tree[0] == level:
            allowed = {"or": ("or", "and", "not"), "and": ("and", "not"), "not": ()}[level]
            return all(part[0] in ("atom", "const", *allowed) and _is_disjunction(part) for part in tree[1:])
    return tree[0] in ("atom", "const")


def _plain(context):
    return {
        name: sorted(value) if isinstance(value, frozenset) else str(value) if isinstance(value, Fraction) else value
        for name, value in context.items()
    }


if __name__ == "__main__":
    main()
