#!/usr/bin/python3
"""What `poise verify` must find, by asking Z3 about every path.

The values along a path are terms, one for each variable and moment. Every rule, draw and action adds what it demands;
a path is feasible if there are values for all of it. This is the paper's way, with nothing to save time but that the
extensions of an impossible path are left out.

    world_oracle.py verify MODEL --bound K [--mode naive|ideal|actual] [--as-printed]

It takes the program's own options, so it can stand in for the program; all probabilities are said to be 0.
"""

import argparse
import json
import os
import sys
from fractions import Fraction

import z3

from oracle import json_value
from reader import read_model
from world_modes import MODES, Found, acts_of, begin_with, done_variables, freed_variables, has_error, stronger_rules
from worlds import TooLarge

COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "neg": lambda a: -a}


def verify(model, mode, bound, most_nodes=None):
    """What is found on all paths of up to `bound` rules; beyond so many nodes TooLarge is raised."""
    return Explorer(model, mode, bound, most_nodes).explored()


def confirms(model, mode, counterexample):
    """Whether there are values for all that a counterexample, read by world_replay, does not print."""
    return Explorer(model, mode, len(counterexample.path)).follows(counterexample)


class Explorer:
    """All paths, depth first. A moment is a dictionary from variables to terms; a set is one of members to terms."""

    def __init__(self, model, mode, bound, most_nodes=None):
        self.model, self.mode, self.bound, self.most_nodes = model, mode, bound, most_nodes
        self.solver = z3.Solver()
        self.codes = {}  # members of enumerations are numbers
        self.drawn = 0
        self.found = Found()
        self.traces = {}  # (failure, path) -> its steps, as JSON

    def explored(self):
        actual, sensed = self.start()
        if self.is_possible():
            self.visit(self.model.initial, actual, sensed, (), [])
        return self.found

    def start(self):
        actual = {}
        for name, variable in self.model.variables.items():
            actual[name] = self.literal(variable.initial, variable) if variable.own else self.within_range(name)
        self.constraints_hold(actual)
        for condition in self.model.starts:
            self.solver.add(self.condition(condition, self.reader(actual)))
        return actual, self.sensed(actual)

    def constraints_hold(self, actual):
        for constraint in self.model.constraints:
            self.solver.add(self.condition(constraint, self.reader(actual)))

    def visit(self, state, actual, sensed, path, steps):
        """`sensed` is used as printed only; otherwise sensing is drawn for every rule, which is as good as once."""
        if len(path) == self.bound:
            return
        for rule in self.model.rules_of(state):
            self.solver.push()
            self.possible_before_a_step(actual, sensed)
            read = sensed if self.mode.as_printed else self.sensed(actual)
            self.fire(rule, read)
            step = {"rule": rule.name, "from": state, "to": rule.target, "sensed": read, "actual": actual, "actions": []}
            self.take(rule, actual, read, (*path, rule.name), [*steps, step])
            self.solver.pop()

    def possible_before_a_step(self, actual, sensed):
        """The application looks only where the constraints hold. The actual values then; as printed they are anew."""
        if self.mode.as_printed and self.model.constraints:
            actual = self.around(sensed)
        self.constraints_hold(actual)
        return actual

    def fire(self, rule, read):
        self.solver.add(self.condition(rule.guard, self.reader(read)))
        for stronger in stronger_rules(self.model, rule):
            self.solver.add(z3.Not(self.condition(stronger.guard, self.reader(read))))

    def take(self, rule, actual, sensed, path, steps):
        """The rule's actions, the failures after them, and all that may come then."""
        fails = False
        for occurrence, (kind, name, *value) in enumerate(acts_of(self.model, rule)):
            if kind == "set":
                actual, sensed = self.assigned(actual, sensed, name, *value)
            else:
                actual, sensed, done = self.acted(self.model.world[name], actual, sensed)
                steps[-1]["actions"].append({"action": name, "done": done, "actual": actual, "sensed": sensed})
                fails |= self.fail(name, occurrence, actual, path, steps)
        goes_on = self.is_possible()
        if fails or goes_on:
            self.found.nodes += 1
            if self.most_nodes is not None and self.found.nodes > self.most_nodes:
                raise TooLarge("too many paths")
        if goes_on:
            self.found.unfailing += 1
            self.visit(rule.target, actual, sensed, path, steps)

    def assigned(self, actual, sensed, name, value):
        """The actual and the sensed values after an assignment."""
        fresh = {behind: self.within_range(behind) for behind in begin_with(self.model, name, value)}
        read = self.sensed({**actual, **fresh})
        term = self.literal(value, self.model.variables[name])
        after, later = {**actual, name: term}, {**sensed, name: term}
        for behind in fresh:
            after[behind] = either(actual[name], actual[behind], fresh[behind])
            later[behind] = either(actual[name], sensed[behind], read[behind])
        return self.around(later) if self.mode.as_printed else after, later

    def acted(self, action, actual, sensed):
        """The actual and the sensed values after an action, and what was done of what was meant."""
        done = {name: self.off(actual[name], name) for name in done_variables(self.model, action, self.mode)}
        before = {**(sensed if self.mode.as_printed else actual), **done}
        after = dict(actual)
        for name in freed_variables(self.model, action, self.mode):
            after[name] = self.within_range(name)
        if not self.mode.conditions:
            return after, self.sensed(after), done
        for name in action.primed:
            after[name] = self.any_value(name)
        later = self.sensed(after)  # as printed, the condition is about these
        tied = later if self.mode.as_printed else after
        both = {**before, **{f"{name}'": value for name, value in tied.items()}}
        self.solver.add(self.condition(action.condition, self.reader(both)))
        return after, later, done

    def fail(self, action, occurrence, actual, path, steps):
        """Notes the failures that are possible after the action, and demands that none of them happens."""
        cases = self.cases(action, actual)
        failed = False
        for name, condition in cases:
            if self.is_possible(condition):
                failed = True
                if (name, path) not in self.traces:
                    self.traces[name, path] = self.evaluated(steps)
                self.found.counterexamples.add((name, path))
                self.found.failing.add((name, occurrence, path))
        self.solver.add(*[z3.Not(condition) for _, condition in cases])
        return failed

    def cases(self, action, actual):
        """The failures that are checked after an action, with their conditions."""
        return [
            (name, self.condition(condition, self.reader(actual)))
            for name, conditions in self.model.failures.items()
            for condition, after in conditions
            if after == action
        ]

    def is_possible(self, *conditions):
        answer = self.solver.check(*conditions)
        assert answer != z3.unknown, self.solver.reason_unknown()
        return answer == z3.sat

    def follows(self, counterexample):
        """Whether a run with the values that are printed takes this path and ends in this failure."""
        actual, sensed = self.start()
        state, failing = self.model.initial, []
        for step in counterexample.steps:
            rules = [rule for rule in self.model.rules_of(state) if rule.name == step.rule]
            if not rules:
                return False
            state = rules[0].target
            actual = self.possible_before_a_step(actual, sensed)
            sensed = sensed if self.mode.as_printed else self.sensed(actual)
            self.fix(actual, step.actual)
            self.fix(sensed, step.sensed)
            self.fire(rules[0], sensed)
            listed = [act for act in step.acts if act.action in self.model.world]
            for kind, name, *value in rules[0].do:
                if kind == "set":
                    actual, sensed = self.assigned(actual, sensed, name, *value)
                elif name in self.model.world:
                    if not listed and step is counterexample.steps[-1]:
                        break
                    if not listed or listed[0].action != name:
                        return False
                    act = listed.pop(0)
                    actual, sensed, done = self.acted(self.model.world[name], actual, sensed)
                    for terms, values in ((actual, act.actual), (sensed, act.sensed or {}), (done, act.done)):
                        self.fix(terms, values)
                    if listed or step is not counterexample.steps[-1]:
                        self.solver.add(*[z3.Not(condition) for _, condition in self.cases(name, actual)])
                    else:  # the run ends here
                        failing = [c for failure, c in self.cases(name, actual) if failure == counterexample.failure]
            if listed:
                return False
        return self.is_possible(z3.Or(*failing))

    def fix(self, terms, values):
        """These terms have these values."""
        for name, value in values.items():
            if value is not None and name in terms:
                literal = self.literal(value, self.model.variables[name])
                if isinstance(literal, dict):
                    self.solver.add(*[terms[name][member] == literal[member] for member in literal])
                else:
                    self.solver.add(terms[name] == literal)

    # Values

    def any_value(self, name):
        variable = self.model.variables[name]
        self.drawn += 1
        label = f"{name}#{self.drawn}"
        kind = variable.type.kind
        if kind == "set":
            return {member: z3.Bool(f"{label}.{member}") for member in variable.type.members}
        if kind == "enum":
            term = z3.Int(label)
            self.solver.add(z3.Or(*[term == self.code(member) for member in variable.type.members]))
            return term
        return {"bool": z3.Bool, "int": z3.Int, "real": z3.Real}[kind](label)

    def within_range(self, name):
        term, type_ = self.any_value(name), self.model.variables[name].type
        if type_.kind in ("int", "real"):
            self.solver.add(term >= number(type_.low), term <= number(type_.high))
        return term

    def off(self, term, name):
        """A value within the variable's error of this one."""
        low, high = self.model.variables[name].error
        drawn = self.any_value(name)
        self.solver.add(drawn >= term + number(low), drawn <= term + number(high))
        return drawn

    def sensed(self, actual):
        """What is read where these are the actual values: own variables as they are meant."""
        return {
            name: self.off(term, name) if has_error(variable, self.mode) and not variable.own else term
            for (name, variable), term in zip(self.model.variables.items(), actual.values())
        }

    def around(self, sensed):
        """What may be where this is sensed."""
        actual = {}
        for name, term in sensed.items():
            variable = self.model.variables[name]
            actual[name] = term
            if has_error(variable, self.mode) and not variable.own:
                actual[name] = self.any_value(name)
                low, high = map(number, variable.error)
                self.solver.add(term >= actual[name] + low, term <= actual[name] + high)
        return actual

    def literal(self, value, variable):
        if variable.type.kind == "set":
            return {member: z3.BoolVal(member in value) for member in variable.type.members}
        return self.constant(value)

    def constant(self, value):
        if isinstance(value, bool):
            return z3.BoolVal(value)
        return number(value) if isinstance(value, Fraction) else z3.IntVal(self.code(value))

    def code(self, member):
        return self.codes.setdefault(member, len(self.codes))

    # Conditions

    def reader(self, values):
        """A function from a name to its term and the condition that it has a value."""

        def read(name):
            prime = "'" if name.endswith("'") else ""
            guards, guard = [], self.model.variables[name.removesuffix("'")].guard
            while guard is not None:
                guards.append(values[guard + prime])
                guard = self.model.variables[guard].guard
            return values[name], guards

        return read

    def condition(self, tree, read):
        kind = tree[0]
        if kind == "const":
            return z3.BoolVal(tree[1])
        if kind == "atom":
            return self.atom(tree[1], read)
        parts = [self.condition(part, read) for part in tree[1:]]
        if kind == "iff":
            return parts[0] == parts[1]
        return {"not": z3.Not, "and": z3.And, "or": z3.Or, "implies": z3.Implies}[kind](*parts)

    def atom(self, atom, read):
        present = []

        def term(operand):
            if operand[0] == "lit":
                return self.constant(operand[1])
            if operand[0] == "var":
                value, guards = read(operand[1])
                present.extend(guards)
                return value
            return ARITHMETIC[operand[0]](*map(term, operand[1:]))

        if atom[0] == "bool":
            holds = term(("var", atom[1]))
        elif atom[0] == "has":
            holds = term(("var", atom[1]))[atom[2]]
        elif atom[0] == "in":
            value = term(atom[1])
            holds = z3.Or(*[value == self.constant(item) for item in atom[2]])
        else:
            holds = COMPARE[atom[1]](term(atom[2]), term(atom[3]))
        return z3.And(holds, *present)

    # Counterexamples

    def evaluated(self, steps):
        """The steps with the values of Z3's model, as the program prints them."""
        values = self.solver.model()
        members = {code: member for member, code in self.codes.items()}

        def value(name, term):
            type_ = self.model.variables[name].type
            if type_.kind == "set":
                found = frozenset(m for m, t in term.items() if z3.is_true(values.eval(t, model_completion=True)))
            else:
                found = values.eval(term, model_completion=True)
                if type_.kind == "bool":
                    found = z3.is_true(found)
                elif type_.kind == "enum":
                    found = members[found.as_long()]
                else:
                    found = found.as_fraction() if z3.is_rational_value(found) else Fraction(found.as_long())
            return json_value(found, type_)

        def moment(terms):
            return {name: value(name, term) for name, term in terms.items()}

        def act(action):
            printed = {"action": action["action"], "done": moment(action["done"]), "actual": moment(action["actual"])}
            if self.mode.as_printed:
                printed["sensed"] = moment(action["sensed"])
            return printed

        return [
            {**step, "sensed": moment(step["sensed"]), "actual": moment(step["actual"])}
            | {"actions": [act(action) for action in step["actions"]]}
            for step in steps
        ]


def either(condition, one, other):
    if isinstance(one, dict):
        return {member: z3.If(condition, one[member], other[member]) for member in one}
    return z3.If(condition, one, other)


def number(value):
    return z3.IntVal(value.numerator) if value.denominator == 1 else z3.Q(value.numerator, value.denominator)


def answer(model, mode, bound):
    """What `verify --format json --paths all` prints, but for probabilities, and not only the likeliest values."""
    explorer = Explorer(model, MODES[mode], bound)
    explorer.explored()
    return {
        "schema": "poise.verify/1",
        "model": model.name,
        "mode": mode,
        "bound": bound,
        "verdict": "unsafe" if explorer.traces else "unknown",
        "complete": True,
        "nodes": str(explorer.found.nodes),
        "counterexamples": [
            {"failure": failure, "path": list(path), "probability": 0, "error": 0, "steps": steps}
            for (failure, path), steps in explorer.traces.items()
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["verify"])
    parser.add_argument("file")
    parser.add_argument("--bound", type=int, required=True)
    parser.add_argument("--mode", choices=["naive", "ideal", "actual"], default="actual")
    parser.add_argument("--as-printed", action="store_true")
    parser.add_argument("--engine")
    parser.add_argument("--format", choices=["json"])
    parser.add_argument("--paths")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as stream:
        model = read_model(stream.read(), os.path.basename(arguments.file).removesuffix(".poise"))
    printed = answer(model, "as-printed" if arguments.as_printed else arguments.mode, arguments.bound)
    print(json.dumps(printed, indent=1))
    sys.exit(1 if printed["counterexamples"] else 0)


if __name__ == "__main__":
    main()
