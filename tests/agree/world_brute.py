"""What `poise verify` must find in tiny models, by trying every value; nothing is solved.

For models in which every number is an int, with a small range and whole errors. A path's configurations, all that its
runs can lead to without a failure, are followed from rule to rule as a set of tuples, one value for each variable in
the order of declaration. As printed, they are the sensed values; else the actual ones.

A later value that an action only mentions, as in x' > y, can be any whole number; here it is taken from -REACH..REACH,
which is far enough where ranges and constants are small.
"""

import itertools
from fractions import Fraction

from reader import variables_of
from world_modes import Found, acts_of, begin_with, done_variables, freed_variables, has_error, stronger_rules
from worlds import TooLarge

REACH = 14


def verify(model, mode, bound, most_steps=None):
    """The same as that of world_oracle; beyond so many steps TooLarge is raised."""
    return _Brute(model, mode, bound, most_steps).found


class _Brute:
    def __init__(self, model, mode, bound, most_steps):
        self.model, self.mode, self.bound, self.steps_left = model, mode, bound, most_steps
        self.names = list(model.variables)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.found = Found()
        self.ranges = {name: _values(variable) for name, variable in model.variables.items()}
        self.errors = {
            name: range(-(-v.error[0] // 1), v.error[1] // 1 + 1) if has_error(v, mode) else range(1)
            for name, v in model.variables.items()
        }
        self.constraints = [self.compiled(constraint, "b") for constraint in model.constraints]
        self.guards = {id(rule): self.compiled(rule.guard, "b") for rule in model.rules}
        self.actions = {name: _Action(self, action) for name, action in model.world.items()}
        self.failures = {name: [] for name in model.world}
        for failure, cases in model.failures.items():
            for condition, action in cases:
                self.failures[action].append((failure, self.compiled(condition, "b")))
        self.visit(model.initial, self.start(), ())

    def count(self, steps=1):
        if self.steps_left is not None:
            self.steps_left -= steps
            if self.steps_left < 0:
                raise TooLarge("too many steps")

    def start(self):
        conditions = [self.compiled(condition, "b") for condition in self.model.constraints + self.model.starts]
        variables = self.model.variables.values()
        choices = [[_plain(v.initial)] if v.own else self.ranges[v.name] for v in variables]
        found = [values for values in itertools.product(*choices) if all(holds(values, values) for holds in conditions)]
        return {s for values in found for s in self.sensed(values)} if self.mode.as_printed else set(found)

    def sensed(self, actual):
        """All that can be sensed where these are the actual values."""
        choices = [
            [value] if variable.own or not has_error(variable, self.mode) else [value + e for e in self.errors[name]]
            for (name, variable), value in zip(self.model.variables.items(), actual)
        ]
        self.count()
        return itertools.product(*choices)

    def feasible(self, configuration):
        """Whether the constraints hold on the actual values, or on some that can be sensed like this."""
        choices = [
            [value - e for e in self.errors[name]]
            if self.mode.as_printed and not variable.own and has_error(variable, self.mode)
            else [value]
            for (name, variable), value in zip(self.model.variables.items(), configuration)
        ]
        return any(all(holds(actual, actual) for holds in self.constraints) for actual in itertools.product(*choices))

    def visit(self, state, configurations, path):
        if len(path) == self.bound:
            return
        if self.constraints:
            configurations = {c for c in configurations if self.feasible(c)}
        for rule in self.model.rules_of(state):
            holds = self.guards[id(rule)]
            stronger = [self.guards[id(other)] for other in stronger_rules(self.model, rule)]

            def fires(sensed):
                return holds(sensed, sensed) and not any(other(sensed, sensed) for other in stronger)

            firing = {
                c for c in configurations if any(map(fires, [c] if self.mode.as_printed else self.sensed(c)))
            }
            after, failures = self.taken(rule, firing)
            here = (*path, rule.name)
            self.found.counterexamples |= {(failure, here) for failure, _ in failures}
            self.found.failing |= {(*failed, here) for failed in failures}
            self.found.nodes += bool(after or failures)
            self.found.unfailing += bool(after)
            if after:
                self.visit(rule.target, after, here)

    def taken(self, rule, configurations):
        """The configurations after the rule's actions, and the failures on the way with the occurrences they are after."""
        failures = set()
        for occurrence, (kind, name, *value) in enumerate(acts_of(self.model, rule)):
            if kind == "set":
                configurations = {after for c in configurations for after in self.assigned(c, name, *value)}
            else:
                after = set()
                for configuration in configurations:
                    for kept, actual in self.actions[name].outcomes(configuration):
                        self.count()
                        happened = {failure for failure, holds in self.failures[name] if holds(actual, actual)}
                        failures |= {(failure, occurrence) for failure in happened}
                        if not happened:
                            after.add(kept)
                configurations = after
        return configurations, failures

    def assigned(self, configuration, name, value):
        """The configurations after an assignment: several where it makes a guard true."""
        choices = [[v] for v in configuration]
        if configuration[self.place[name]] is False:
            for behind in begin_with(self.model, name, value):
                choices[self.place[behind]] = self.readings(behind) if self.mode.as_printed else self.ranges[behind]
        choices[self.place[name]] = [_plain(value)]
        return itertools.product(*choices)

    def readings(self, name):
        """All that can be sensed of a variable that is in its range."""
        values = self.ranges[name]
        if self.model.variables[name].type.kind != "int":
            return values
        return sorted({value + error for value in values for error in self.errors[name]})

    # Conditions become Python, over the tuples b and a: the values before and after.

    def compiled(self, tree, tuple_name):
        return eval(f"lambda b, a: {self.python(tree, tuple_name)}", {"Fraction": Fraction})

    def python(self, tree, unprimed):
        kind = tree[0]
        if kind == "const":
            return str(tree[1])
        if kind == "atom":
            return self.python_atom(tree[1], unprimed)
        parts = [self.python(part, unprimed) for part in tree[1:]]
        if kind == "not":
            return f"(not {parts[0]})"
        shape = {"and": "({} and {})", "or": "({} or {})", "implies": "(not {} or {})", "iff": "({} == {})"}[kind]
        return shape.format(*parts)

    def python_atom(self, atom, unprimed):
        present = []
        if atom[0] == "bool":
            text = self.python_operand(("var", atom[1]), unprimed, present)
        elif atom[0] == "has":
            text = f"{atom[2]!r} in {self.python_operand(('var', atom[1]), unprimed, present)}"
        elif atom[0] == "in":
            text = f"{self.python_operand(atom[1], unprimed, present)} in {tuple(map(_plain, atom[2]))!r}"
        else:
            left, right = (self.python_operand(side, unprimed, present) for side in atom[2:])
            text = f"{left} {atom[1]} {right}"
        return "(" + " and ".join([*present, text]) + ")"

    def python_operand(self, tree, unprimed, present):
        """The operand; what must hold for its variables to have values is added to `present`."""
        if tree[0] == "lit":
            return repr(_plain(tree[1]))
        if tree[0] == "var":
            tuple_name = "a" if tree[1].endswith("'") else unprimed
            name = tree[1].removesuffix("'")
            guard = self.model.variables[name].guard
            while guard is not None:
                present.append(f"{tuple_name}[{self.place[guard]}]")
                guard = self.model.variables[guard].guard
            return f"{tuple_name}[{self.place[name]}]"
        parts = [self.python_operand(part, unprimed, present) for part in tree[1:]]
        return f"(-{parts[0]})" if tree[0] == "neg" else f"({parts[0]} {tree[0]} {parts[1]})"


class _Action:
    """The outcomes of an action for a configuration."""

    def __init__(self, brute, action):
        self.brute = brute
        model, mode = brute.model, brute.mode
        self.holds = brute.compiled(action.condition, "b") if mode.conditions else lambda b, a: True
        self.done = [brute.place[name] for name in done_variables(model, action, mode)]
        self.freed = {brute.place[name] for name in freed_variables(model, action, mode)}
        self.primed = {brute.place[name] for name in action.primed} if mode.conditions else set()
        self.asked = set(self.primed)  # places whose later values the condition depends on
        for place in self.primed:
            guard = model.variables[brute.names[place]].guard
            while guard is not None:
                self.asked.add(brute.place[guard])
                guard = model.variables[guard].guard
        self.given = self._given(action.condition) if mode.conditions else {}

    def _given(self, tree):
        """For primed places, functions that give the one value they can have: conjuncts like x' == x - 1."""
        if tree[0] == "and":
            return self._given(tree[1]) | self._given(tree[2])
        if tree[0] == "atom" and tree[1][:2] == ("cmp", "=="):
            primed = [name for name in variables_of(tree[1]) if name.endswith("'")]
            if len(primed) == 1 and self.brute.model.variables[primed[0][:-1]].type.kind == "int":
                place = self.brute.place[primed[0][:-1]]
                difference = self.brute.python_operand(("-", *tree[1][2:]), "b", [])
                return {place: _root(eval(f"lambda b, a: {difference}", {"Fraction": Fraction}), place)}
        return {}

    def outcomes(self, configuration):
        """Pairs of the configuration afterwards and the actual values."""
        for errors in itertools.product(*(self.brute.errors[self.brute.names[place]] for place in self.done)):
            before = list(configuration)
            for place, error in zip(self.done, errors):
                before[place] += error
            yield from self.outcomes_of(tuple(before), configuration)

    def outcomes_of(self, before, configuration):
        """`before` has what is done, `configuration` what is meant."""
        brute = self.brute
        choices = []
        for place, name in enumerate(brute.names):
            if place in self.primed:
                choices.append(self.any_value(place, name, before))
            elif place in self.freed:
                choices.append(brute.readings(name) if brute.mode.as_printed else brute.ranges[name])
            else:
                choices.append([configuration[place]])
        others = [[None] if place in self.asked else choice for place, choice in enumerate(choices)]
        asked = [choice if place in self.asked else [None] for place, choice in enumerate(choices)]
        for partial in itertools.product(*asked):
            brute.count()
            if not self.holds(before, partial):
                continue
            for rest in itertools.product(*others):
                after = tuple(p if place in self.asked else r for place, (p, r) in enumerate(zip(partial, rest)))
                if brute.mode.as_printed:
                    yield from ((after, actual) for actual in self.actual_values(after))
                else:
                    yield after, after

    def any_value(self, place, name, before):
        kind = self.brute.model.variables[name].type.kind
        if place in self.given:
            return self.given[place](before)
        return range(-REACH, REACH + 1) if kind == "int" else self.brute.ranges[name]

    def actual_values(self, sensed):
        """As printed: what can be where this is sensed."""
        brute = self.brute
        choices = []
        for place, (name, value) in enumerate(zip(brute.names, sensed)):
            if brute.model.variables[name].own or not has_error(brute.model.variables[name], brute.mode):
                choices.append([value])
            else:
                actual = [value - error for error in brute.errors[name]]
                choices.append([v for v in actual if place in self.primed or v in brute.ranges[name]])
        return itertools.product(*choices)


def _root(difference, place):
    """A function from the values before to the whole values, one or none, for which a difference linear in it is 0."""

    def root(before):
        at_0, at_1 = (difference(before, {place: value}) for value in (0, 1))
        value = Fraction(-at_0, at_1 - at_0)
        return [int(value)] if value.denominator == 1 else []

    return root


def _values(variable):
    """The declared range."""
    kind, members = variable.type.kind, variable.type.members
    if kind == "bool":
        return [False, True]
    if kind == "enum":
        return list(members)
    if kind == "set":
        return [frozenset(c) for size in range(len(members) + 1) for c in itertools.combinations(members, size)]
    if kind != "int":
        raise TooLarge(f"{variable.name} is not an int")
    return range(int(variable.type.low), int(variable.type.high) + 1) if variable.type.low is not None else []


def _plain(value):
    """Whole numbers as Python's own, which are faster."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
