#!/usr/bin/env python3
"""All models up to a small size through every engine.

    all_small.py POISE [--size 1|2|3] [--engines NAME,...] [--count]

A model has two states and a few rules. What rules may say is taken from a small world: some variables, conditions and
actions on them. Every combination of source, target, condition, priority and action comes, but for those that differ
from an earlier one in the order of the rules, in the numbers of priorities, or in names that may be exchanged. Size 1
takes a second, 2 takes ten and 3 takes ten minutes. --count only says how many models there are.
"""

import argparse
import itertools
import os
import sys
import tempfile

from engines import ENGINES, Differences, compare_engines

STATES = ("A", "B")
PRIORITIES = (None, 1, 2)
MANY = 400  # models in one call of the program


class World:
    """What rules are made of. A renaming gives, for each condition and action, the one it turns into."""

    def __init__(self, declarations, conditions, actions, renamings=()):
        self.declarations = declarations
        self.conditions = conditions
        self.actions = actions
        self.renamings = [
            ([conditions.index(c) for c in to_conditions], [actions.index(a) for a in to_actions])
            for to_conditions, to_actions in renamings
        ]


# By size: worlds, each with the greatest number of rules.
def worlds(size):
    boolean = World(
        "sense a : bool",
        ["a", "not a", "true"],
        [None, "a := true", "a := false"],
        [(["not a", "a", "true"], [None, "a := false", "a := true"])],
    )
    still = World(boolean.declarations, boolean.conditions, [None], [(["not a", "a", "true"], [None])])
    booleans = World(
        "sense a : bool  sense b : bool",
        ["a", "b", "a and b", "not (a and b)"],
        [None, "a := true", "b := true"],
        [(["b", "a", "a and b", "not (a and b)"], [None, "b := true", "a := true"])],
    )
    values = World("sense e : {x, y, z}", ["e == x", "e == y", "e != x"], [None, "e := z"])
    guarded = World(
        "sense g : bool  sense e : {x, y} if g",
        ["g", "e == x", "not e == x"],
        [None, "g := true", "g := false"],
    )
    constrained = World(
        "sense n : int 0..2  var b : bool = true  constraint n > 0 or not b",
        ["n > 0", "n > 1", "b", "n == 1 and b"],
        [None, "n := 0", "b := true"],
    )
    if size == 1:
        return [(boolean, 2), (values, 2)]
    if size == 2:
        return [(boolean, 2), (still, 3), (booleans, 2), (values, 2), (guarded, 2), (constrained, 2)]
    return [(boolean, 3), (still, 4), (booleans, 3), (values, 3), (guarded, 3), (constrained, 3)]


def models(world, most):
    """Every model of a world, as a list of rules (source, target, condition, priority, action)."""
    shapes = sorted(
        itertools.product(
            range(len(STATES)),
            range(len(STATES)),
            range(len(world.conditions)),
            range(len(PRIORITIES)),
            range(len(world.actions)),
        )
    )
    for count in range(1, most + 1):
        for rules in itertools.combinations_with_replacement(shapes, count):
            if plain_priorities(rules) and is_first(world, rules):
                yield rules


def plain_priorities(rules):
    """The numbers used in a state start with 1 and leave nothing out, and a rule on its own has none."""
    for state in range(len(STATES)):
        used = [rule[3] for rule in rules if rule[0] == state]
        if len(used) == 1 and used[0] != 0 or 2 in used and 1 not in used:
            return False
    return True


def is_first(world, rules):
    """No renaming gives a model that came before."""
    for conditions, actions in world.renamings:
        renamed = sorted((s, t, conditions[c], p, actions[a]) for s, t, c, p, a in rules)
        if tuple(renamed) < rules:
            return False
    return True


def text_of(world, rules):
    lines = [world.declarations, "state A initial, B"]
    for number, (source, target, condition, priority, action) in enumerate(rules):
        line = f"rule r{number}: {STATES[source]} -> {STATES[target]} when {world.conditions[condition]}"
        if PRIORITIES[priority] is not None:
            line += f" priority {PRIORITIES[priority]}"
        if world.actions[action] is not None:
            line += f" do {world.actions[action]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--size", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--engines", default=",".join(ENGINES), type=lambda text: text.split(","))
    parser.add_argument("--count", action="store_true", help="only count the models")
    arguments = parser.parse_args()
    if arguments.count:
        for world, most in worlds(arguments.size):
            number = sum(1 for _ in models(world, most))
            print(f"{number} models of up to {most} rules over {world.declarations}")
        return
    texts = (text_of(world, rules) for world, most in worlds(arguments.size) for rules in models(world, most))
    differences = Differences(1)
    number = 0
    while batch := list(itertools.islice(texts, MANY)):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for text in batch:
                paths.append(os.path.join(folder, f"m{number}.poise"))
                number += 1
                with open(paths[-1], "w", encoding="utf-8") as stream:
                    stream.write(text)
            flags = ["--all", "--paths", "all"]
            compare_engines(arguments.poise, arguments.engines, flags, paths, "all", differences, threads=(1,))
    print(f"{number} models, {differences.compared} answers compared, {differences.count} differ")
    sys.exit(1 if differences.count or differences.cut else 0)


if __name__ == "__main__":
    main()
