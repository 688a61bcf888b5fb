"""Counterexamples as `poise verify --format json` prints them, read and taken through every step with exact numbers.

All that is known of the program's format is in the upper half, in the functions that read it.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from compare import Difference
from reader import atoms_of, variables_of
from world_modes import begin_with, done_variables, freed_variables, has_error, is_present, stronger_rules
from worlds import atom_holds, tree_holds


@dataclass
class Act:
    """An action as it was taken, with the values after it."""

    action: str
    done: dict  # own variables that are done within their error of what is meant
    actual: dict
    sensed: dict | None  # what can be printed with --as-printed


@dataclass
class Step:
    rule: str
    state: str
    target: str
    sensed: dict
    actual: dict  # before the rule
    acts: list


@dataclass
class Counterexample:
    failure: str
    path: tuple
    probability: Fraction | None  # None: it could not be told
    error: Fraction | None
    steps: list


@dataclass
class Hazard:
    """Where a model can fail."""

    failure: str
    state: str
    rule: str
    occurrence: int
    shortest: tuple  # a path that fails there
    paths: list  # how many do, by their length less one, as far as they were counted

    def place(self):
        return self.failure, self.state, self.rule, self.occurrence


@dataclass
class Answer:
    verdict: str
    complete: bool
    nodes: int | None  # None without a bound
    counterexamples: list
    hazards: list


def read_answer(printed, model, mode, bound):
    """The program's answer, from JSON whose numbers are Fractions; no bound is None."""
    try:
        expected = {"schema": "poise.verify/1", "mode": mode, "bound": bound}
        for key, value in expected.items():
            if printed[key] != value:
                raise Difference(f"{key} is {printed[key]!r}, not {value!r}")
        if printed["verdict"] not in ("safe", "unsafe", "unknown") or not isinstance(printed["complete"], bool):
            raise Difference(f"the verdict is {printed['verdict']!r}, complete is {printed['complete']!r}")
        if bound is not None and not re.fullmatch(r"\d+", printed["nodes"]):
            raise Difference(f"nodes is {printed['nodes']!r}")
        nodes = None if bound is None else int(printed["nodes"])
        found = [_counterexample(entry, model) for entry in printed["counterexamples"]]
        hazards = [_hazard(entry) for entry in printed.get("hazards", [])]
        return Answer(printed["verdict"], printed["complete"], nodes, found, hazards)
    except (KeyError, TypeError) as error:
        raise Difference(f"the answer is not of the form that was agreed on: {error!r}") from None


def _counterexample(entry, model):
    steps = [
        Step(
            rule=step["rule"],
            state=step["from"],
            target=step["to"],
            sensed=_values(step["sensed"], model),
            actual=_values(step["actual"], model),
            acts=[_act(act, model) for act in step["actions"]],
        )
        for step in entry["steps"]
    ]
    chances = [None if entry[key] is None else Fraction(entry[key]) for key in ("probability", "error")]
    return Counterexample(entry["failure"], tuple(entry["path"]), *chances, steps)


def _hazard(entry):
    if entry["first"] != len(entry["shortest"]):
        raise Difference(f"the shortest path of a hazard has not the length that is printed: {entry}")
    place = entry["failure"], entry["state"], entry["rule"], int(entry["occurrence"])
    return Hazard(*place, tuple(entry["shortest"]), [int(count) for count in entry["paths"]])


def _act(entry, model):
    sensed = _values(entry["sensed"], model) if "sensed" in entry else None
    return Act(entry["action"], _values(entry.get("done", {}), model), _values(entry["actual"], model), sensed)


def _values(printed, model):
    return {name: _value(value, name, model) for name, value in printed.items()}


def _value(value, name, model):
    """A number need not be in the declared range, but of its type. None is for a variable without a value."""
    if name not in model.variables:
        raise Difference(f"there is no variable {name}")
    type_ = model.variables[name].type
    if value is None:
        return None
    if type_.kind == "bool" and isinstance(value, bool) or type_.kind == "enum" and value in type_.members:
        return value
    if type_.kind == "set" and isinstance(value, list) and set(value) <= set(type_.members):
        return frozenset(value)
    if type_.kind in ("int", "real") and not isinstance(value, bool):
        try:
            number = Fraction(value)
        except (TypeError, ValueError, ZeroDivisionError):
            number = None
        if number is not None and (type_.kind == "real" or number.denominator == 1):
            return number
    raise Difference(f"{value!r} is not a value of {name}")


# ---------------------------------------------------------------------------------------------------- the replay


def replay(model, mode, counterexample):
    """Raises a Difference if the counterexample is not a run that the contract allows and that ends in its failure.

    As printed, the sensed values after every action are needed; where they are missing, world_oracle.confirms() tells
    whether there are any.
    """
    _Replay(model, mode, counterexample)


class _Replay:
    def __init__(self, model, mode, counterexample):
        self.model, self.mode = model, mode
        steps = counterexample.steps
        if counterexample.path != tuple(step.rule for step in steps) or not steps:
            raise Difference(f"the steps are not those of the path {counterexample.path}")
        if counterexample.failure not in model.failures:
            raise Difference(f"there is no failure {counterexample.failure}")
        self.check_start(steps[0].actual)
        state, now, sensed = model.initial, steps[0].actual, None
        for number, step in enumerate(steps):
            try:
                failures, now, sensed = self.step(step, state, now, sensed)
            except Difference as difference:
                raise Difference(f"step {number + 1}, {step.rule}: {difference}") from None
            if failures and step is not steps[-1]:
                raise Difference(f"step {number + 1}, {step.rule}: it fails already here")
            state = step.target
        if counterexample.failure not in failures:
            raise Difference(f"it does not end in {counterexample.failure} but in {sorted(failures) or 'nothing'}")

    def check_start(self, actual):
        self.check_complete(actual)
        for name, variable in self.model.variables.items():
            if variable.own:
                self.check(actual[name] == variable.initial, f"{name} does not start as declared")
            else:
                self.check(self.in_range(name, actual[name]), f"{name} starts outside its range")
        for condition in self.model.starts:
            self.check(self.holds(condition, actual), "a start condition does not hold")

    def step(self, step, state, now, sensed):
        """The failures in this step and the actual and sensed values after it."""
        self.check_complete(step.actual)
        self.check(step.state == state, f"the state is {state}")
        if not (self.mode.as_printed and self.model.constraints):  # then each look has actual values of its own
            self.check_same(now, step.actual)
        for constraint in self.model.constraints:
            self.check(self.holds(constraint, step.actual), "a constraint does not hold")
        rules = [rule for rule in self.model.rules_of(state) if rule.name == step.rule]
        self.check(rules and rules[0].target == step.target, f"no such rule leads from {state} to {step.target}")
        rule = rules[0]
        rivals = stronger_rules(self.model, rule)
        read = self.readings(step, [rule, *rivals])
        if self.mode.as_printed and sensed is not None:
            self.check_same(sensed, read)
        self.check(self.holds(rule.guard, read), "its condition does not hold")
        for rival in rivals:
            self.check(not self.holds(rival.guard, read), f"{rival.name} is stronger and holds")
        return self.acts(rule, step, read)

    def readings(self, step, rules):
        """All that is sensed; what no rule asks for may be left out, and what has no error."""
        asked = {name for rule in rules for atom in atoms_of(rule.guard) for name in variables_of(atom)}
        if self.mode.as_printed:
            asked = set(self.model.variables)
        read = {}
        for name, actual in step.actual.items():
            given = name in step.sensed or name not in asked or not self.is_uncertain(name)
            self.check(given, f"what is sensed of {name} is not given")
            read[name] = step.sensed.get(name, actual)
            if name in step.sensed:
                self.check(self.can_be_sensed(name, read[name], actual), f"{name} cannot be sensed like this")
        return read

    def acts(self, rule, step, read):
        now, sensed, left, failures = step.actual, read, list(step.acts), set()
        for kind, name, *value in rule.do:
            if failures:
                break  # the run has ended
            declared = kind == "act" and name in self.model.world
            if not declared:
                fresh = []
                if kind == "set":
                    fresh = begin_with(self.model, name, *value) if now[name] is False else []
                    changes = {name: value[0], **{behind: None for behind in fresh}}  # None: not known
                    now, sensed = now | changes, sensed | changes
                    if self.mode.as_printed:
                        now = {n: None if self.is_uncertain(n) else v for n, v in now.items()}  # it may be anew
                # Whether actions that are not of the world are listed is left to the program.
                if left and left[0].action.split(":=")[0].strip() == name and ("set" == kind) == (":=" in left[0].action):
                    listed = left.pop(0).actual
                    self.check_complete(listed)
                    self.check_same(now, listed)
                    for each, actual in listed.items():
                        near = not self.mode.as_printed or self.can_be_sensed(each, sensed[each], actual)
                        self.check(near, f"{each} is too far from what is sensed, {sensed[each]}")
                    for behind in fresh:
                        self.check(self.in_range(behind, listed[behind]), f"{behind} is outside its range")
                    now = listed
                continue
            self.check(left and left[0].action == name, f"{name} is not listed in its place")
            act = left.pop(0)
            self.check_complete(act.actual)
            self.act(self.model.world[name], act, now, sensed)
            now, sensed = act.actual, self.with_certain(act.sensed or {}, act.actual)
            failures = {
                failure
                for failure, cases in self.model.failures.items()
                if any(after == name and self.holds(condition, now) for condition, after in cases)
            }
        self.check(not left, "there are actions too many")
        return failures, now, sensed

    def act(self, action, act, now, sensed):
        after = act.actual
        before = dict(sensed) if self.mode.as_printed else dict(now)
        for name in done_variables(self.model, action, self.mode):
            self.check(name in act.done, f"what is done of {name} is not given")
            self.check(self.is_off(name, act.done[name], now[name]), f"{name} cannot be done like this")
            before[name] = act.done[name]
        for name in freed_variables(self.model, action, self.mode):
            self.check(self.in_range(name, after[name]), f"{action.name} leaves {name} in its range")
        tied = after
        if self.mode.as_printed:
            self.check(act.sensed is not None, f"what is sensed after {action.name} is not given")
            tied = self.with_certain(act.sensed, after)
            for name in self.model.variables:
                self.check(self.can_be_sensed(name, tied[name], after[name]), f"{name} cannot be sensed like this")
        for name, variable in self.model.variables.items():
            if variable.own and not (self.mode.conditions and name in action.primed):
                self.check(after[name] == now[name], f"{action.name} leaves {name} as it is")
        if self.mode.conditions:
            both = self.visible(before) | {f"{name}'": value for name, value in self.visible(tied).items()}
            holds = tree_holds(action.condition, lambda atom: atom_holds(atom, both))
            self.check(holds, f"{action.name} does not lead from {_plain(before)} to {_plain(tied)}")

    # Small questions

    def with_certain(self, sensed, actual):
        """What is sensed, with what is as it is where it is not given and has no error."""
        if self.mode.as_printed:
            for name in self.model.variables:
                self.check(name in sensed or not self.is_uncertain(name), f"what is sensed of {name} is not given")
        return {name: sensed.get(name, actual[name]) for name in self.model.variables}

    def check(self, truth, message):
        if not truth:
            raise Difference(message)

    def check_complete(self, values):
        """Every variable is listed; only one without a value may be null."""
        self.check(list(values) == list(self.model.variables), "not all variables are listed, in their order")
        for name, value in values.items():
            present = is_present(self.model, name, lambda guard: values[guard] is True)
            self.check(value is not None or not present, f"{name} has no value")

    def check_same(self, expected, found):
        """What is not printed while it has no value is not known."""
        for name, value in found.items():
            known = value is not None and expected[name] is not None
            self.check(not known or value == expected[name], f"{name} is {value}, but it was {expected[name]}")

    def in_range(self, name, value):
        type_ = self.model.variables[name].type
        return value is None or type_.kind not in ("int", "real") or type_.low <= value <= type_.high

    def is_uncertain(self, name):
        """Whether what is sensed of it may be something else than what is."""
        variable = self.model.variables[name]
        return has_error(variable, self.mode) and not variable.own

    def can_be_sensed(self, name, value, actual):
        if not self.is_uncertain(name):
            return value is None or actual is None or value == actual
        return self.is_off(name, value, actual)

    def is_off(self, name, value, by):
        """Whether the difference is within the variable's error; what is not known is."""
        low, high = self.model.variables[name].error
        return value is None or by is None or low <= value - by <= high

    def holds(self, tree, values):
        visible = self.visible(values)
        return tree_holds(tree, lambda atom: atom_holds(atom, visible))

    def visible(self, values):
        """The values of the variables that have one."""

        def holds(guard):
            return values[guard] is True

        return {name: value if is_present(self.model, name, holds) else None for name, value in values.items()}


def _plain(values):
    return {name: str(value) for name, value in values.items()}
