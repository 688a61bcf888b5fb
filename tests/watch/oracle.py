"""What `poise watch --trace` must report, found in the plainest way.

Every element ever added is kept, and every rule of the current state is evaluated from scratch after every change by
walking its guard with three-valued logic. Numbers are exact. Nothing is clever, so that the answer is easy to believe.

A formula is a nested tuple:

    ("const", True)  ("not", f)  ("and", f, g)  ("or", f, g)  ("implies", f, g)  ("iff", f, g)
    ("exists", name, stream, window, body)  ("all", name, stream, window, body)
        a window is None (the latest element), ("last", text) or ("next", text), where the text is a duration: "60s"
    ("holds", term)  ("compare", op, term, term)  ("in", term, (value, ...))  ("has", variable, member)      the atoms
    ("truth", parameter)  ("call", let, (argument, ...))

A term is one of

    ("lit", value)  ("var", name)  ("field", element, name)  ("value", parameter)
    ("+", t, u)  ("-", t, u)  ("*", t, u)  ("neg", t)  ("call", let, (argument, ...))

and an argument is a formula, a term or ("element", name). Names in the body of a `let` are its parameters and what it
quantifies over, nothing of the place where it is called. The three truth values are True, False and None for
"not yet decided"; None as the value of a term means that there is none.
"""

import functools
import json
from dataclasses import dataclass, field
from fractions import Fraction

UNITS = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
TERMS = ("lit", "var", "field", "value", "+", "-", "*", "neg")


# ---------------------------------------------------------------------------------------------------- models


@dataclass(frozen=True)
class Type:
    kind: str  # bool, int, real, enum, set or string
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    members: tuple = ()


@dataclass(frozen=True)
class Variable:
    name: str
    type: Type
    guard: str | None = None
    own: bool = False
    initial: object = None  # of an own variable


@dataclass(frozen=True)
class Stream:
    name: str
    fields: dict  # name -> Type


@dataclass(frozen=True)
class Let:
    name: str
    parameters: tuple
    body: tuple


@dataclass(frozen=True)
class Rule:
    name: str
    sources: tuple
    target: str
    guard: tuple
    priority: int | None = None
    actions: tuple = ()  # (variable, value), or (name,) for an action without an effect on the context

    def strength(self):
        """The smaller, the stronger."""
        return (self.priority is None, self.priority or 0)


@dataclass(frozen=True)
class Model:
    variables: tuple
    streams: tuple
    lets: tuple
    states: tuple
    initial: str
    final: tuple
    rules: tuple
    constraints: tuple = ()  # they say nothing about a run that happens

    def variable(self, name):
        return next((v for v in self.variables if v.name == name), None)

    def stream(self, name):
        return next((s for s in self.streams if s.name == name), None)

    def let(self, name):
        return next(let for let in self.lets if let.name == name)


@functools.cache
def seconds(duration):
    """60s, 350ms and so on as a number of seconds."""
    number = duration.rstrip("hms")
    return Fraction(number) * UNITS[duration[len(number) :]]


def windows(model, formula):
    """All (stream, window) over which a formula quantifies, those in the `let`s that it calls among them."""
    if not isinstance(formula, tuple) or formula[0] in ("lit", "in"):
        return set()
    found = set()
    if formula[0] in ("exists", "all"):
        found.add((formula[2], formula[3]))
        found |= windows(model, formula[4])
    elif formula[0] == "call":
        found |= windows(model, model.let(formula[1]).body)
        for argument in formula[2]:
            found |= windows(model, argument)
    else:
        for part in formula[1:]:
            found |= windows(model, part)
    return found


# ---------------------------------------------------------------------------------------------------- log lines


class BadLine(Exception):
    """A line of the log that is no change."""


@dataclass(frozen=True)
class Line:
    time: Fraction | None
    app: str
    kind: str | None = None  # set, add, remove or none of them
    target: object = None  # of add and remove: a Stream, a Variable, or None if there is none of this name
    value: object = None
    unknown: int = 0  # names that the model does not have


def read_line(model, text):
    """One line of a log; raises a BadLine."""
    try:
        line = json.loads(text, parse_int=Fraction, parse_float=Fraction, parse_constant=_no_constant)
    except ValueError:
        raise BadLine("not JSON") from None
    if not isinstance(line, dict):
        raise BadLine("not an object")
    kinds = [key for key in ("set", "add", "remove") if key in line]
    if len(kinds) > 1:
        raise BadLine("more than one of set, add and remove")
    kind = kinds[0] if kinds else None
    allowed = {"t", "app"} | set(kinds) | ({"value"} if kind in ("add", "remove") else set())
    if not set(line) <= allowed:
        raise BadLine("an unknown key")
    time, app = line.get("t"), line.get("app", "")
    if "t" in line and not isinstance(time, Fraction):
        raise BadLine("t is no number")
    if not isinstance(app, str):
        raise BadLine("app is no string")
    if kind is None and time is None:
        raise BadLine("nothing that changes")
    if kind is None:
        return Line(time, app)
    if kind == "set":
        return Line(time, app, kind, None, *_assignments(model, line["set"]))
    return Line(time, app, kind, *_element(model, line[kind], line))


def _no_constant(text):
    raise ValueError(text)


def _assignments(model, given):
    """The values by name and the number of names that the model does not have."""
    if not isinstance(given, dict):
        raise BadLine("set is no object")
    known = {name: value for name, value in given.items() if model.variable(name)}
    return {n: read_value(model.variable(n).type, v) for n, v in known.items()}, len(given) - len(known)


def _element(model, name, line):
    """Stream or variable, what is added or removed, and the number of unknown names."""
    if not isinstance(name, str):
        raise BadLine("the name is no string")
    if "value" not in line:
        raise BadLine("no value")
    value = line["value"]
    stream, variable = model.stream(name), model.variable(name)
    if stream:
        if not isinstance(value, dict):
            raise BadLine("an element is an object")
        unknown = sum(1 for field in value if field not in stream.fields)
        return stream, {f: read_value(type_, value.get(f)) for f, type_ in stream.fields.items()}, unknown
    if variable:
        if variable.type.kind != "set" or value not in variable.type.members:
            raise BadLine("no member of a set")
        return variable, value, 0
    return None, None, 1


def read_value(type_, value):
    """A value of JSON as one of a type; None is none."""
    if value is None:
        return None
    number = isinstance(value, Fraction) and type_.low <= value <= type_.high
    fits = {
        "bool": isinstance(value, bool),
        "int": number and value.denominator == 1,
        "real": number,
        "enum": isinstance(value, str) and value in type_.members,
        "string": isinstance(value, str),
        "set": isinstance(value, list) and all(isinstance(v, str) and v in type_.members for v in value),
    }
    if not fits[type_.kind]:
        raise BadLine("a value of a wrong type or out of range")
    return frozenset(value) if type_.kind == "set" else value


# ---------------------------------------------------------------------------------------------------- one instance


@dataclass
class Element:
    values: dict
    arrival: Fraction
    line: int  # the number of its line among those of the instance
    removed: bool = False


@dataclass
class Result:
    reports: list = field(default_factory=list)
    bad_lines: list = field(default_factory=list)  # their numbers, from 1
    events: int = 0
    expiries: int = 0
    unknown: int = 0
    adaptations: int = 0
    faults: dict = field(default_factory=lambda: {"nondeterminism": 0, "race": 0, "cycle": 0})

    @property
    def skipped(self):
        return len(self.bad_lines)

    @property
    def changes(self):
        return self.events + self.expiries

    def report(self, time, app, kind, **details):
        self.reports.append({"t": time, "app": app, "kind": kind, **details})
        if kind in self.faults:
            self.faults[kind] += 1
        else:
            self.adaptations += 1


class Instance:
    """One running application: its state, its variables and all elements of its streams."""

    def __init__(self, model, app, result, start):
        self.model = model
        self.app = app
        self.result = result
        self.values = {v.name: v.initial for v in model.variables}
        self.elements = {s.name: [] for s in model.streams}
        self.windows = {rule.name: windows(model, rule.guard) for rule in model.rules}
        self.lines = 0
        self.now = start
        self.enter(model.initial)

    def enter(self, state):
        self.state = state
        self.entry = self.now
        self.entry_line = self.lines

    # Changes

    def line(self, line):
        """Takes a line of the log, after the expiries that come before it."""
        time = self.now if line.time is None else line.time
        for instant in self.expiries(time):
            self.now = instant
            self.result.expiries += 1
            self.run()
        self.now = time
        self.lines += 1
        if line.kind == "set":
            self.values.update(line.value)
        elif line.kind is not None and isinstance(line.target, Stream):
            self.change_stream(line)
        elif line.kind is not None and isinstance(line.target, Variable):
            members = self.values[line.target.name] or frozenset()
            change = members.union if line.kind == "add" else members.difference
            self.values[line.target.name] = change({line.value})
        self.drop_unguarded()
        self.run()

    def expiries(self, until):
        """The instants after now, and up to this one, at which an element leaves a window of some rule."""
        used = set().union(*self.windows.values())
        instants = set()
        for stream, window in used:
            if window is not None and window[0] == "last":
                arrivals = [e.arrival for e in self.elements[stream] if not e.removed]
                instants |= {arrival + seconds(window[1]) for arrival in arrivals}
        return sorted(instant for instant in instants if self.now < instant <= until)

    def change_stream(self, line):
        elements = self.elements[line.target.name]
        if line.kind == "add":
            elements.append(Element(line.value, self.now, self.lines))
            return
        known = self.known(line.target.name)
        for element in reversed(elements):
            if element.line in known and element.values == line.value:
                element.removed = True
                return

    def known(self, stream):
        """The lines of those that can be taken back: in a window, the latest, or of the last 16 that came. The contract has
        no such limit; docs/watch.md has."""
        used = set().union({(stream, None)}, *self.windows.values())
        in_windows = [e for name, window in used if name == stream for e in self.window(stream, window)[0]]
        return {e.line for e in self.elements[stream][-16:] + in_windows if not e.removed}

    def drop_unguarded(self):
        """What stands behind a guard that does not hold has no value."""
        for _ in self.model.variables:  # guards stand behind guards
            for variable in self.model.variables:
                if not self.guard_holds(variable):
                    self.values[variable.name] = None

    def guard_holds(self, variable):
        return variable.guard is None or self.values[variable.guard] is True

    # Runs

    def run(self):
        start, path, trail = self.state, [], [self.configuration(False)]
        while True:
            triggered = self.triggered()
            if not triggered:
                if len(path) >= 2:
                    self.report("race", state=start, path=path, ends=self.state)
                return
            rule = triggered[0]
            if len(triggered) > 1:
                self.report("nondeterminism", state=self.state, rules=[r.name for r in triggered], chosen=rule.name)
            self.report("adapt", **{"from": self.state, "rule": rule.name, "to": rule.target})
            self.fire(rule)
            path.append(rule.name)
            configuration = self.configuration(True)
            if configuration in trail:
                self.report("cycle", state=start, path=path, loop=trail.index(configuration))
                return
            trail.append(configuration)

    def report(self, kind, **details):
        self.result.report(self.now, self.app, kind, **details)

    def configuration(self, entered):
        """When a state was entered matters only where a rule looks at what came next."""
        used = set().union(*(self.windows[rule.name] for rule in self.rules()))
        looks = any(window is not None and window[0] == "next" for _, window in used)
        return (self.state, dict(self.values), entered and looks)

    def rules(self):
        return [rule for rule in self.model.rules if self.state in rule.sources]

    def triggered(self):
        satisfied = [rule for rule in self.rules() if self.truth(rule.guard, {}) is True]
        strongest = min((rule.strength() for rule in satisfied), default=None)
        return [rule for rule in satisfied if rule.strength() == strongest]

    def fire(self, rule):
        for action in rule.actions:
            if len(action) == 2 and self.guard_holds(self.model.variable(action[0])):
                self.values[action[0]] = action[1]
                self.drop_unguarded()
        self.enter(rule.target)

    # Formulas

    def truth(self, formula, scope):
        """True, False, or None for undecided; the scope gives names their elements, values and truths."""
        tag = formula[0]
        if tag == "const":
            return formula[1]
        if tag == "truth":
            return scope[formula[1]]
        if tag == "call":
            return self.truth(*self.called(formula, scope))
        if tag == "not":
            return negation(self.truth(formula[1], scope))
        if tag == "and":
            return conjunction(self.truth(part, scope) for part in formula[1:])
        if tag == "or":
            return negation(conjunction(negation(self.truth(part, scope)) for part in formula[1:]))
        if tag == "implies":
            return self.truth(("or", ("not", formula[1]), formula[2]), scope)
        if tag == "iff":
            left, right = self.truth(formula[1], scope), self.truth(formula[2], scope)
            return None if left is None or right is None else left == right
        if tag == "all":
            return self.for_all(formula, scope)
        if tag == "exists":
            name, stream, window, body = formula[1:]
            return negation(self.for_all(("all", name, stream, window, ("not", body)), scope))
        return self.atom(formula, scope)

    def for_all(self, formula, scope):
        _, name, stream, window, body = formula
        elements, closed = self.window(stream, window)
        truth = conjunction(self.truth(body, scope | {name: element}) for element in elements)
        return truth if closed or truth is False else None

    def window(self, stream, window):
        """The elements in a window, and whether no more can come."""
        present = [element for element in self.elements[stream] if not element.removed]
        if window is None:
            return present[-1:], True
        span = seconds(window[1])
        if window[0] == "last":
            return [e for e in present if self.now < e.arrival + span], True
        since = [e for e in present if e.line > self.entry_line and e.arrival < self.entry + span]
        return since, self.now >= self.entry + span

    def atom(self, atom, scope):
        """What reads something without a value is false."""
        if atom[0] == "has":
            members = self.values[atom[1]]
            return members is not None and atom[2] in members
        if atom[0] == "compare":
            left, right = self.value(atom[2], scope), self.value(atom[3], scope)
            return left is not None and right is not None and compared(atom[1], left, right)
        value = self.value(atom[1], scope)
        if atom[0] == "in":
            return value is not None and value in atom[2]
        assert atom[0] == "holds", atom
        return value is True

    def value(self, term, scope):
        """None if the term reads something without a value."""
        tag = term[0]
        if tag == "lit":
            return term[1]
        if tag == "var":
            return self.values[term[1]]
        if tag == "field":
            return scope[term[1]].values[term[2]]
        if tag == "value":
            return scope[term[1]]
        if tag == "call":
            return self.value(*self.called(term, scope))
        operands = [self.value(part, scope) for part in term[1:]]
        if None in operands:
            return None
        if tag == "neg":
            return -operands[0]
        left, right = operands
        return {"+": left + right, "-": left - right, "*": left * right}[tag]

    def called(self, call, scope):
        """The body of a `let` and the scope in which it is evaluated."""
        let = self.model.let(call[1])
        return let.body, dict(zip(let.parameters, (self.argument(a, scope) for a in call[2]), strict=True))

    def argument(self, argument, scope):
        if argument[0] == "element":
            return scope[argument[1]]
        return self.value(argument, scope) if argument[0] in TERMS else self.truth(argument, scope)


def negation(truth):
    return None if truth is None else not truth


def conjunction(truths):
    """False wins over undecided."""
    undecided = False
    for truth in truths:
        if truth is False:
            return False
        undecided |= truth is None
    return None if undecided else True


def compared(op, left, right):
    if op in ("==", "!="):
        return (left == right) == (op == "==")
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op]


# ---------------------------------------------------------------------------------------------------- a whole log


def watch(model, lines):
    """The result of a log, given as a list of texts."""
    result, instances = Result(), {}
    for number, text in enumerate(lines, 1):
        try:
            line = read_line(model, text)
            instance = instances.get(line.app)
            if instance and line.time is not None and line.time < instance.now:
                raise BadLine("time goes back")
        except BadLine:
            result.bad_lines.append(number)
            continue
        if instance is None:
            start = Fraction(0) if line.time is None else line.time
            instance = instances[line.app] = Instance(model, line.app, result, start)
        result.events += 1
        result.unknown += line.unknown
        instance.line(line)
    return result


def shortest_decimal(number):
    """With at least one digit behind the point."""
    digits = 1
    while (number * 10**digits).denominator != 1:
        digits += 1
    text = str(abs(int(number * 10**digits))).rjust(digits + 1, "0")
    return ("-" if number < 0 else "") + f"{text[:-digits]}.{text[-digits:]}"
