"""What `poise verify` looks at, and the form of its answer, for all that answer the same question.

What the contract leaves open is decided here, once for the three implementations in Python:

- Values of an int variable are whole, also sensed and done ones. Members of enumerations and booleans have no error.
- In the condition of an action a later value has a value when its guard holds afterwards. An own variable in a failure
  is read as meant.
- If several failures hold after the same occurrence of an action, each of them has its counterexample.
- As section 2 has it, what stands behind a guard that an assignment makes true takes any value of its range. A guard
  that an action changes does not: what the action does not mention is free anyway.
- A path is feasible if some run takes its rules; the run may end in a failure in the last of them.
- As printed, what is sensed stays as it is until an action changes it, and an assignment is of what is sensed; what is
  actual lies somewhere around it at each moment. A variable that an action leaves free is actually anywhere in its
  range and sensed within the error of that.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mode:
    flags: tuple  # the program's options
    errors: bool = True
    conditions: bool = True  # of actions
    as_printed: bool = False  # actions tie sensed values to each other, not actual ones


MODES = {
    "naive": Mode(("--mode", "naive"), errors=False, conditions=False),
    "ideal": Mode(("--mode", "ideal"), errors=False),
    "actual": Mode(("--mode", "actual")),
    "as-printed": Mode(("--mode", "actual", "--as-printed"), as_printed=True),
}


@dataclass
class Found:
    counterexamples: set = field(default_factory=set)  # of (failure, path), a path being a tuple of rule names
    nodes: int = 0  # feasible paths of at least one rule
    unfailing: int = 0  # those of them that can be taken to their end without a failure
    # The same with the occurrence of the action after which it fails, (failure, occurrence, path), by which a path may
    # be there twice; None where it was not looked for.
    failing: set | None = field(default_factory=set)


def acts_of(model, rule):
    """What a rule does, without names that are no actions of the world: occurrences are counted so, from 0."""
    return [act for act in rule.do if act[0] == "set" or act[1] in model.world]


def has_error(variable, mode):
    return mode.errors and variable.error is not None


def done_variables(model, action, mode):
    """The own variables that an action uses as they are done, not as they are meant."""
    if not mode.conditions:
        return []
    return [name for name in action.read if model.variables[name].own and has_error(model.variables[name], mode)]


def freed_variables(model, action, mode):
    """The sensed variables that an action leaves free in their range."""
    primed = action.primed if mode.conditions else ()
    return [name for name, variable in model.variables.items() if not variable.own and name not in primed]


def begin_with(model, name, value):
    """The variables behind a guard that an assignment of this value may make true."""
    if value is not True:
        return []
    direct = [variable.name for variable in model.variables.values() if variable.guard == name]
    return direct + [further for inner in direct for further in begin_with(model, inner, True)]


def stronger_rules(model, rule):
    return [other for other in model.rules_of(rule.state) if other.strength() < rule.strength()]


def is_present(model, name, holds):
    """Whether a variable has a value, where `holds` tells the value of a boolean: its guards hold, all of them."""
    guard = model.variables[name].guard
    return guard is None or (holds(guard) and is_present(model, guard, holds))
