#!/usr/bin/env python3
"""Random small models, the same text for the same seed, that together use everything in sections 1 to 4.

    random_models.py SEED [--real-pairs | --differences]        prints one model

Where the contract leaves the spelling or the meaning of a feature open, a Profile turns the feature on or off. A model
with too many contexts or runs is thrown away and the next one drawn, so that the oracle stays fast and neither side
drowns in paths.
"""

import argparse
import os
import random
from dataclasses import dataclass
from fractions import Fraction

from oracle import Explorer, Options, decimal
from reader import read_model
from worlds import TooLarge

LARGEST = {"contexts": 400, "steps": 10_000}
MOST_PATHS = 150


@dataclass(frozen=True)
class Profile:
    real_pairs: bool = False  # atoms over several variables, one of them real
    differences: bool = False  # mostly numbers, mostly compared with each other: a < b + 1
    set_literals: bool = True  # actions and own variables of a set type: s := {a, b}
    member_arguments: bool = True  # let at(v, m) = v == m
    number_lists: bool = True  # n in {1, 3}
    named_actions: bool = False  # do notify, without a declaration of what it does
    twins: bool = False  # rules that do the same as others, perhaps in another order


def add_profile_arguments(parser):
    sort = parser.add_mutually_exclusive_group()
    sort.add_argument("--real-pairs", action="store_true", help="atoms over several reals too")
    sort.add_argument("--differences", action="store_true", help="mostly numbers compared with each other")


def profile_of(arguments):
    return Profile(real_pairs=arguments.real_pairs, differences=arguments.differences)


EXPLORATIONS = [
    Options(ignore_priorities=priorities, ignore_constraints=constraints)
    for constraints in (False, True)
    for priorities in (False, True)
]


def random_model(seed, profile=Profile()):
    """The text of a model and its exploration under each of EXPLORATIONS, as (explorer, findings)."""
    attempt = 0
    while True:
        text = _Draw(random.Random(f"{seed}.{attempt}"), profile).text()
        try:
            model = read_model(text)
            explored = {}
            for options in EXPLORATIONS:
                explorer = Explorer(model, options, **LARGEST)
                found = explorer.findings()
                if len(found.races) + len(found.cycles) > MOST_PATHS:
                    raise TooLarge("too many paths")
                explorer.steps = None  # it was found small enough; replays need no limit
                explored[options] = (explorer, found)
            return text, explored
        except TooLarge:
            attempt += 1


def random_text(seed, profile=Profile()):
    """The text of a model, however large it turns out to be, as a tuple like that of random_model()."""
    return (_Draw(random.Random(f"{seed}.0"), profile).text(),)


def model_files(folder, seeds):
    """Writes the models of these seeds to files; their texts by path."""
    texts = {}
    for seed in seeds:
        path = os.path.join(folder, f"m{seed}.poise")
        texts[path] = random_model(seed)[0]
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(texts[path])
    return texts


def batches(models, seed, size=50):
    """The seeds of so many models, in portions that one call of the program takes."""
    for first in range(0, models, size):
        yield range(seed + first, seed + min(first + size, models))


@dataclass
class _Variable:
    name: str
    kind: str
    own: bool = False
    guard: str | None = None
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    timed: bool = False  # its literals are written as durations
    members: tuple = ()

    def is_number(self):
        return self.kind in ("int", "real")


_NAMES = {"bool": "flag", "int": "count", "real": "level", "enum": "mode", "set": "seen"}
_PRECEDENCE = {"iff": 1, "implies": 2, "or": 3, "and": 4, "not": 5}


class _Draw:
    def __init__(self, rng, profile):
        self.rng = rng
        self.profile = profile
        self.variables = []
        self.lets = []  # declarations as text
        self.leaves = []  # texts of atoms, let names and calls, from which conditions are made

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def text(self):
        rng = self.rng
        for number in range(rng.choice([3, 4, 4, 5] if self.profile.differences else [1, 2, 3, 3, 4, 4, 4])):
            self.variables.append(self.variable(number))
        self.leaves = list(dict.fromkeys(self.atom() for _ in range(rng.randint(4, 7))))
        for number in range(rng.choice([0, 0, 1, 1, 2, 3])):
            self.let(number)
        parts = [f"model M{rng.randrange(1000)}"] if self.chance(50) else []
        parts += [self.declaration(variable) for variable in self.variables]
        parts += self.lets
        for number in range(rng.choice([0, 0, 1, 1, 2])):
            label = f"c{number}: " if self.chance(40) else ""
            parts.append(f"constraint {label}{self.constraint()}")
        if self.chance(15):  # of which `check` makes nothing
            parts.append(f"start {self.constraint()}")
        parts += self.states() + self.rules()
        return "\n".join(self.with_comments(parts)) + "\n"

    def with_comments(self, parts):
        for part in parts:
            if self.chance(5):
                yield "# rule not_a_rule: in a comment"
            yield part + ("  # and so on" if self.chance(5) else "")

    # Context

    def variable(self, number):
        rng = self.rng
        source = rng.choice(["gps.", "bt.", "room.", "", ""])
        kinds = ["bool"] * 5 + ["int"] * 6 + ["real"] * 3 + ["enum"] * 4 + ["set"] * 3
        if self.profile.real_pairs:
            kinds += ["real"] * 12
        if self.profile.differences:
            kinds = ["bool"] * 2 + ["int"] * 6 + ["real"] * 4 + ["enum"]
        kind = "bool" if number == 0 and self.chance(50) else rng.choice(kinds)
        if self.variables and self.chance(30):
            kind = self.variables[-1].kind  # for guards behind guards and atoms over several variables
        variable = _Variable(f"{source}{_NAMES[kind]}{number}", kind, own=self.chance(12))
        if kind == "int":
            variable.low = Fraction(rng.randint(-2, 1))
            variable.high = variable.low + (1000 if self.chance(10) else rng.randint(1, 4))
        elif kind == "real":
            variable.timed = self.chance(25) and not (self.profile.real_pairs or self.profile.differences)
            ranges = [(0, 10), (-5, 5), ("-0.5", "2.5"), (0, 350)]
            low, high = (0, 7200) if variable.timed else rng.choice(ranges)
            variable.low, variable.high = Fraction(low), Fraction(high)
        elif kind == "enum":
            alike = [v.members for v in self.variables if v.kind == "enum"]
            fresh = tuple(f"{m}{number}" for m in rng.sample(["home", "work", "car", "gym"], rng.randint(2, 4)))
            variable.members = alike[0] if alike and self.chance(60) else fresh
        elif kind == "set":
            variable.own = variable.own and self.profile.set_literals
            variable.members = tuple(f"dev{number}{c}" for c in "xyz"[: rng.randint(1, 3)])
        guards = [v.name for v in self.variables if v.kind == "bool" and not v.own]
        if guards and not variable.own and self.chance(55):
            variable.guard = guards[-1] if self.chance(70) else rng.choice(guards)
        return variable

    def declaration(self, variable):
        members = "{" + ", ".join(variable.members) + "}"
        type_ = {
            "bool": "bool",
            "int": f"int {decimal(variable.low)}..{decimal(variable.high)}",
            "real": f"real {decimal(variable.low)}..{decimal(variable.high)}",
            "enum": members,
            "set": f"set {members}",
        }[variable.kind]
        if variable.own:
            return f"var {variable.name} : {type_} = {self.literal(variable)}"
        guard = f" if {variable.guard}" if variable.guard else ""
        return f"sense {variable.name} : {type_}{guard}"

    def literal(self, variable):
        """A value of the variable's domain."""
        rng = self.rng
        if variable.kind == "bool":
            return rng.choice(["true", "false"])
        if variable.kind == "enum":
            return rng.choice(variable.members)
        if variable.kind == "set":
            return "{" + ", ".join(m for m in variable.members if self.chance(50)) + "}"
        value = self.number(variable)
        while not variable.low <= value <= variable.high or (variable.kind == "int" and value.denominator != 1):
            value = self.number(variable)
        return self.spelled(value, variable)

    def number(self, variable):
        """A number near the domain, from few, so that literals meet."""
        rng = self.rng
        if variable.timed:
            return Fraction(rng.choice([0, "0.35", 5, 60, 90, 3600, 7200]))
        if variable.high - variable.low > 10:
            return Fraction(rng.choice([0, 5, 70, 200]))
        low, high = int(variable.low) - 1, int(variable.high) + 1
        half = Fraction(1, 2) if self.chance(15) else 0
        return rng.randint(low, high) + half

    def spelled(self, value, variable):
        """One spelling for a value, since `60s` and `1m` in the same place might or might not be one atom."""
        if not variable.timed:
            return decimal(value)
        for unit, seconds in (("h", 3600), ("m", 60), ("s", 1)):
            if value and (value / seconds).denominator == 1:
                return f"{decimal(value / seconds)}{unit}"
        return f"{decimal(value * 1000)}ms"

    # Conditions

    def atom(self):
        pairs = self.pairs()
        if pairs and self.chance(75 if self.profile.differences else 45):
            return self.pair_atom(*self.rng.choice(pairs))
        return self.single_atom(self.rng.choice(self.variables))

    def pairs(self):
        """Variables that may stand in one atom together."""

        def small(v):
            if self.profile.differences:
                return v.is_number()
            return v.is_number() and v.high - v.low <= 10 and (v.kind == "int" or self.profile.real_pairs)

        return [
            (a, b)
            for i, a in enumerate(self.variables)
            for b in self.variables[i + 1 :]
            if (a.kind == b.kind == "enum" and a.members == b.members) or (small(a) and small(b))
        ]

    def pair_atom(self, a, b):
        rng = self.rng
        if self.chance(50):
            a, b = b, a
        if a.kind == "enum":
            return f"{a.name} {rng.choice(['==', '!='])} {b.name}"
        if self.profile.differences:
            return self.difference_atom(a, b)
        c = rng.randint(-1, 3)
        shapes = ["{a} {op} {b} + 1", "{a} + {b} {op} {c}", "{a} - {b} {op} {c}", "2 * {a} {op} {b}", "{a} {op} {b}"]
        if a.kind == b.kind == "int":
            shapes.append("{a} * {b} {op} {c}")
        return rng.choice(shapes).format(a=a.name, b=b.name, c=c, op=self.comparison())

    def difference_atom(self, a, b):
        rng = self.rng
        c = decimal(Fraction(rng.choice([-2, 0, 1, 1, 3, "0.5", "-1.5"])))
        shapes = ["{a} {op} {b}"] * 4 + ["{a} - {b} {op} {c}", "{a} {op} {b} + {c}", "3 * {a} - 3 * {b} {op} {c}"]
        shapes += ["2 * {a} {op} {a} + {b} + {c}", "{a} - {b} in {{0, {c}, 2}}"]
        return rng.choice(shapes).format(a=a.name, b=b.name, c=c, op=self.comparison())

    def comparison(self):
        return self.rng.choice(["<", "<=", ">", ">=", "==", "!="])

    def single_atom(self, v):
        rng = self.rng
        if v.kind == "bool":
            return v.name if self.chance(85) else f"{v.name} == {rng.choice(['true', 'false'])}"
        if v.kind == "set":
            return f"{v.name} has {rng.choice(v.members)}"
        if v.kind == "enum":
            if self.chance(25):
                chosen = rng.sample(v.members, rng.randint(1, len(v.members)))
                return f"{v.name} in {{{', '.join(chosen)}}}"
            return f"{v.name} {rng.choice(['==', '==', '!='])} {rng.choice(v.members)}"
        value = self.number(v)
        if self.profile.number_lists and v.kind == "int" and self.chance(10):
            chosen = {self.literal(v) for _ in range(3)}
            return f"{v.name} in {{{', '.join(sorted(chosen))}}}"
        if not v.timed and self.chance(20):
            shapes = ["2 * {v} - 1 {op} {c}", "-{v} {op} {c}", "3 - {v} {op} {c}", "({v} + 1) * 2 {op} {c}"]
            if v.kind == "int":
                shapes.append("{v} * {v} {op} {c}")
            return rng.choice(shapes).format(v=v.name, op=self.comparison(), c=decimal(value))
        return f"{v.name} {self.comparison()} {self.spelled(value, v)}"

    def condition(self, depth):
        return self.printed(self.tree(depth), 0)

    def constraint(self):
        """Mostly a weak one, so that some contexts stay feasible."""
        if self.chance(15):
            return self.condition(2)
        first, second = self.rng.choice(self.leaves), self.rng.choice(self.leaves)
        return self.printed(self.rng.choice([("or", first, second), ("implies", first, ("not", second))]), 0)

    def tree(self, depth):
        rng = self.rng
        if depth == 0 or self.chance(30):
            return rng.choice(self.leaves) if self.chance(98) else rng.choice(["true", "false"])
        op = rng.choice(["and", "and", "and", "or", "or", "or", "not", "not", "implies", "iff"])
        if op == "not":
            return (op, self.tree(depth - 1))
        return (op, self.tree(depth - 1), self.tree(depth - 1))

    def printed(self, tree, loosest):
        """The tree as text, in parentheses where it binds more loosely than its place allows, and sometimes else."""
        if isinstance(tree, str):
            return f"({tree})" if self.chance(5) else tree
        op = tree[0]
        level = _PRECEDENCE[op]
        if op == "not":
            text = f"not {self.printed(tree[1], level)}"
        else:
            left = self.printed(tree[1], level + (op in ("implies", "iff")))
            right = self.printed(tree[2], level + (op != "implies"))
            text = f"{left} {op} {right}"
        return f"({text})" if level < loosest or self.chance(5) else text

    def let(self, number):
        """A named condition, a named value or one with parameters; what it stands for joins the leaves."""
        rng = self.rng
        name = f"let{number}"
        numbers = [v for v in self.variables if v.is_number() and not v.timed]
        enums = [v for v in self.variables if v.kind == "enum"]
        shape = rng.choice(["condition", "condition", "value", "compare", "compare", "both", "member"])
        if shape == "value" and numbers:
            v = rng.choice(numbers)
            self.lets.append(f"let {name} = {rng.choice(['{v} + 1', '2 * {v}', '{v}', '3 - {v}']).format(v=v.name)}")
            self.leaves.append(f"{name} {self.comparison()} {decimal(self.number(v))}")
        elif shape == "compare" and numbers:
            self.lets.append(f"let {name}(p, q) = {rng.choice(['p - q < 2', 'p >= q', 'q + 1 != p'])}")
            pairs = [(a, b) for a, b in self.pairs() if a.is_number()]
            for _ in range(rng.randint(1, 2)):
                v = rng.choice(numbers)
                second = self.spelled(self.number(v), v)
                if pairs and self.chance(40):
                    v, other = rng.choice(pairs)
                    second = other.name
                self.leaves.append(f"{name}({v.name}, {second})")
        elif shape == "both":
            op = rng.choice(["and", "or", "implies", "iff"])
            self.lets.append(f"let {name}(p, q) = {rng.choice(['', 'not '])}p {op} q")
            self.leaves.append(f"{name}({self.condition(1)}, {rng.choice(self.leaves)})")
        elif shape == "member" and enums and self.profile.member_arguments:
            v = rng.choice(enums)
            self.lets.append(f"let {name}(v, m) = v {rng.choice(['==', '!='])} m")
            self.leaves.append(f"{name}({v.name}, {rng.choice(v.members)})")
        else:
            self.lets.append(f"let {name} = {self.condition(1)}")
            self.leaves.append(name)

    # Adaptation

    def states(self):
        rng = self.rng
        names = ["A", "B", "C", "D"][: rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 4])]
        self.state_names = names
        self.initial = rng.choice(names[:2])
        self.final = {n for n in names if n != self.initial and self.chance(12)}
        parts, plain = [], []
        for name in names:
            if name == self.initial or name in self.final:
                parts += [f"state {', '.join(plain)}"] if plain else []
                plain = []
                parts.append(f"state {name} {'initial' if name == self.initial else 'final'}")
            else:
                plain.append(name)
        return parts + ([f"state {', '.join(plain)}"] if plain else [])

    def rules(self):
        rng = self.rng
        sources = [n for n in self.state_names if n not in self.final]
        aims = self.state_names if self.chance(70) else self.state_names[:-1] or self.state_names
        parts = []
        for number in range(rng.choice([2, 3, 4, 4, 5, 5, 6, 6])):
            starts = rng.sample(sources, min(len(sources), rng.choice([1, 1, 1, 1, 2, 2, 3])))
            elsewhere = [n for n in aims if n not in starts]
            aim = rng.choice(elsewhere if elsewhere and self.chance(85) else aims)
            clauses = [f"when {self.condition(2)}" if self.chance(96) else "when true"]
            actions = []
            if self.chance(60):
                clauses.append(f"priority {rng.randint(0, 2)}")
            if self.chance(40):
                actions = [self.action() for _ in range(rng.choice([1, 1, 2, 3]))]
                clauses.append(f"do {', '.join(actions)}")
            rng.shuffle(clauses)
            joint = rng.choice([" ", "\n  "])
            parts.append(f"rule r{number}: {', '.join(starts)} -> {aim}{joint}{joint.join(clauses)}")
            if self.profile.twins and self.chance(50):
                others = [c for c in clauses if c.startswith("priority")]
                rng.shuffle(actions)
                if actions:
                    others.append(f"do {', '.join(actions)}")
                twin = [f"when {self.condition(1)}", *others]
                parts.append(f"rule twin{number}: {rng.choice(starts)} -> {aim} {' '.join(twin)}")
        return parts

    def action(self):
        if self.profile.named_actions and self.chance(15):
            return "notify"
        settable = [v for v in self.variables if v.kind != "set" or self.profile.set_literals]
        if not settable:
            settable = self.variables
        guards = [v for v in settable if any(other.guard == v.name for other in self.variables)]
        variable = self.rng.choice(guards if guards and self.chance(40) else settable)
        return f"{variable.name} := {self.literal(variable)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    add_profile_arguments(parser)
    arguments = parser.parse_args()
    print(random_model(arguments.seed, profile_of(arguments))[0], end="")


if __name__ == "__main__":
    main()
