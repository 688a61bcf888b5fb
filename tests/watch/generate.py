#!/usr/bin/env python3
"""Random models with streams, as data for the oracle and as text for the program, and logs for them.

    generate.py SEED [--log]        prints the model of a seed, or its log

The same seed gives the same model and log. About half of the rules have a shape that people write (a join of two
streams by an equality, a condition on one element); the others are arbitrary. Values come from small pools, so that
they meet, and times are chosen such that elements leave windows together, and at the time of a line.
"""

import argparse
import json
import random
from fractions import Fraction

from oracle import Let, Model, Rule, Stream, Type, Variable, seconds, watch, windows

COLOURS = ("red", "green", "blue")
STRINGS = ("x1", "x2", "y 3")
BOOL = Type("bool")
STRING = Type("string")
COLOUR = Type("enum", members=COLOURS)
SMALL = Type("int", Fraction(0), Fraction(5))
SIGNED = Type("int", Fraction(-3), Fraction(9))
LEVEL = Type("real", Fraction(0), Fraction(10))
TENTHS = Type("real", Fraction(-1, 2), Fraction(5, 2))
SEEN = Type("set", members=("pc", "car"))
DURATIONS = ("350ms", "500ms", "1s", "1000ms", "1.5s", "2s", "3s", "5s", "10s", "60s", "1m", "1h")
OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
FIELDS = {"tag": [STRING], "who": [STRING], "n": [SMALL, SIGNED, LEVEL], "x": [SIGNED, LEVEL, TENTHS], "hue": [COLOUR],
          "ok": [BOOL]}
NUMBERS = ("int", "real")


# ---------------------------------------------------------------------------------------------------- as text


def model_text(model):
    """A model in the language."""
    parts = [_declaration(variable) for variable in model.variables]
    for stream in model.streams:
        fields = ", ".join(f"{name}: {_type(type_)}" for name, type_ in stream.fields.items())
        parts.append(f"stream {stream.name} {{ {fields} }}")
    for let in model.lets:
        parameters = f"({', '.join(let.parameters)})" if let.parameters else ""
        parts.append(f"let {let.name}{parameters} = {expression(let.body)}")
    parts += [f"constraint {expression(constraint)}" for constraint in model.constraints]
    for state in model.states:
        mark = " initial" if state == model.initial else " final" if state in model.final else ""
        parts.append(f"state {state}{mark}")
    return "\n".join(parts + [_rule(rule) for rule in model.rules]) + "\n"


def _rule(rule):
    text = f"rule {rule.name}: {', '.join(rule.sources)} -> {rule.target}"
    if rule.priority is not None:
        text += f" priority {rule.priority}"
    text += f"\n  when {expression(rule.guard)}"
    actions = [f"{a[0]} := {literal(a[1])}" if len(a) == 2 else a[0] for a in rule.actions]
    return text + (f"\n  do {', '.join(actions)}" if actions else "")


def _declaration(variable):
    if variable.own:
        initial = _set_literal(variable.initial) if variable.type.kind == "set" else literal(variable.initial)
        return f"var {variable.name} : {_type(variable.type)} = {initial}"
    guard = f" if {variable.guard}" if variable.guard else ""
    return f"sense {variable.name} : {_type(variable.type)}{guard}"


def _type(type_):
    members = "{" + ", ".join(type_.members) + "}"
    if type_.kind in NUMBERS:
        return f"{type_.kind} {decimal(type_.low)}..{decimal(type_.high)}"
    return {"bool": "bool", "string": "string", "enum": members, "set": f"set {members}"}[type_.kind]


class Quoted(str):
    """A string that is no member of a type: its literal has quotes."""


def literal(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, frozenset):
        return _set_literal(value)
    return f'"{value}"' if isinstance(value, Quoted) else value


def _set_literal(members):
    return "{" + ", ".join(sorted(members)) + "}"


def decimal(number):
    """An exact decimal."""
    digits = 0
    while (number * 10**digits).denominator != 1:
        digits += 1
    text = str(abs(int(number * 10**digits))).rjust(digits + 1, "0")
    return ("-" if number < 0 else "") + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


LEVELS = {"iff": 1, "implies": 2, "or": 3, "and": 4, "not": 5, "compare": 6, "in": 6, "has": 6, "+": 7, "-": 7, "*": 8,
          "neg": 9}


def expression(tree, loosest=0, last=True):
    """A formula or a term as text, in parentheses where it binds more loosely than its place allows.

    `last` says that nothing follows that the body of a quantifier would take in.
    """
    tag = tree[0]
    if tag in ("exists", "all"):
        window = f"[{' '.join(tree[3])}]" if tree[3] else ""
        text = f"{tag} {tree[1]} in {tree[2]}{window}: {expression(tree[4])}"
        return text if last else f"({text})"
    if tag in ("const", "lit"):
        text = literal(tree[1])
        return f"({text})" if text[0] == "-" and loosest > LEVELS["+"] else text
    if tag in ("var", "value", "truth", "element"):
        return tree[1]
    if tag == "field":
        return f"{tree[1]}.{tree[2]}"
    if tag == "holds":
        return expression(tree[1], loosest, last)
    if tag == "call":
        return tree[1] + (f"({', '.join(expression(a) for a in tree[2])})" if tree[2] else "")
    level = LEVELS[tag]
    if level < loosest:
        return f"({expression(tree)})"
    if tag == "has":
        return f"{tree[1]} has {tree[2]}"
    if tag == "in":
        return f"{expression(tree[1], 7)} in {{{', '.join(literal(v) for v in tree[2])}}}"
    if tag == "compare":
        return f"{expression(tree[2], 7)} {tree[1]} {expression(tree[3], 7)}"
    if tag in ("not", "neg"):
        return {"not": "not ", "neg": "-"}[tag] + expression(tree[1], level + (tag == "neg"), last)
    left = expression(tree[1], level + (tag in ("implies", "iff")), False)
    return f"{left} {tag} {expression(tree[2], level + (tag != 'implies'), last)}"


# ---------------------------------------------------------------------------------------------------- models


def random_case(seed):
    """A model and a log. Most of those that go round in circles all the time, or never fire, are thrown away."""
    attempt = 0
    while True:
        rng = random.Random(f"{seed}.{attempt}")
        model = _Draw(rng).model()
        lines = _Log(rng, model).lines()
        result = watch(model, lines)
        dull = result.adaptations < 3 or 4 * result.faults["cycle"] > result.changes
        if not dull or rng.randrange(100) < 10:
            return model, lines
        attempt += 1


class _Draw:
    def __init__(self, rng):
        self.rng = rng
        self.variables, self.streams, self.lets = [], [], []

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def model(self):
        rng = self.rng
        self.draw_variables()
        self.draw_streams()
        few = rng.sample(DURATIONS, rng.randint(1, 3))  # so that windows are equal, or nearly
        self.durations = few + [d for d in DURATIONS if d not in few and seconds(d) in map(seconds, few)]
        for number in range(rng.choice([0, 0, 1, 1, 2, 3])):
            let = self.let(number)
            if let:
                self.lets.append(let)
        states = ("A", "B", "C", "D")[: rng.choice([2, 3, 3, 3, 4])]
        final = (states[-1],) if len(states) > 2 and self.chance(15) else ()
        rules = self.rules(states, final)
        constraints = (self.quantified({}, 1),) if self.chance(5) else ()
        self.variables.sort(key=lambda v: v.name)
        context = tuple(self.variables), tuple(self.streams), tuple(self.lets)
        return Model(*context, states, "A", final, rules, constraints)

    def draw_variables(self):
        """Some have names that quantifiers hide."""
        rng = self.rng
        kinds = [("flag", BOOL), ("gps.on", BOOL), ("a", BOOL), ("count", SMALL), ("b.n", SIGNED), ("gps.speed", LEVEL),
                 ("level", TENTHS), ("hue", COLOUR), ("c.hue", COLOUR), ("seen", SEEN)]
        for name, type_ in rng.sample(kinds, rng.choice([0, 1, 1, 2, 2, 3, 3])):
            own = self.chance(35)
            guards = [v.name for v in self.variables if v.type == BOOL and not v.own]
            guard = rng.choice(guards) if guards and not own and self.chance(60) else None
            initial = self.constant(type_) if own else None
            self.variables.append(Variable(name, type_, guard, own, initial))
            if self.chance(25) and len(self.variables) < 3 and type_ == BOOL and not own:
                behind = rng.choice([("gps.near", BOOL), ("gps.far", LEVEL), ("lamp", COLOUR)])
                if behind[0] not in [v.name for v in self.variables]:
                    self.variables.append(Variable(*behind, name))

    def draw_streams(self):
        rng = self.rng
        for name in ("S", "T", "U")[: rng.choice([1, 2, 2, 2, 3])]:
            fields = rng.sample(["tag", "tag", "n", "x", "hue", "ok", "who"], rng.randint(1, 3))
            if self.streams and self.chance(60):  # something to join by
                fields.append(rng.choice(list(self.streams[0].fields)))
            fields = {f: rng.choice(FIELDS[f]) for f in dict.fromkeys(fields[-3:])}
            self.streams.append(Stream(name, fields))

    def constant(self, type_):
        """A value of the type."""
        rng = self.rng
        if type_.kind == "bool":
            return self.chance(50)
        if type_.kind == "enum":
            return rng.choice(type_.members)
        if type_.kind == "set":
            return frozenset(m for m in type_.members if self.chance(50))
        if type_.kind == "string":
            return Quoted(rng.choice(STRINGS))
        return rng.choice(pool(type_))

    # Formulas

    def let(self, number):
        """Names a condition or a value; most have parameters for elements."""
        rng, name = self.rng, f"let{number}"
        shapes = ["join", "join", "join", "one", "one", "seen", "swapped", "condition", "value", "both", "near", "at"]
        shape = rng.choice(shapes)
        p, q = rng.choice([("p", "q"), ("a", "b"), ("b", "a"), ("count", "flag")])
        fields = rng.choice(self.streams).fields
        if shape == "join":
            return Let(name, (p, q), self.join({p: fields}, q, fields))
        if shape == "one":
            return Let(name, (p,), self.element_atom(p, fields, {p: fields}))
        if shape == "seen":
            return Let(name, (p,), self.quantified({p: fields}, 1))
        if shape == "swapped":
            joins = [let for let in self.lets if len(self.reads(let)) == 2]
            if joins:
                return Let(name, (p, q), ("call", rng.choice(joins).name, (("element", q), ("element", p))))
            return None
        if shape == "both":
            op = rng.choice(["and", "or", "implies", "iff"])
            return Let(name, (p, q), (op, ("not", ("truth", p)) if self.chance(30) else ("truth", p), ("truth", q)))
        numbers = [v for v in self.variables if v.type.kind in NUMBERS]
        if shape == "value" and numbers:
            term = ("var", rng.choice(numbers).name)
            one, two = ("lit", Fraction(1)), ("lit", Fraction(2))
            return Let(name, (), rng.choice([("+", term, one), ("*", two, term), term]))
        if shape == "condition":
            return Let(name, (), self.quantified({}, 1) if self.chance(40) else self.variable_atom({}))
        if shape == "near":
            few, difference = ("lit", Fraction(rng.randint(1, 3))), ("-", ("value", p), ("value", q))
            return Let(name, (p, q), ("compare", rng.choice(["<", "<", ">=", "=="]), difference, few))
        if shape == "at":
            return Let(name, (p, q), ("compare", rng.choice(["==", "!="]), ("value", p), ("value", q)))
        return None

    def reads(self, let):
        """The fields that each parameter of a `let` must have. Those of one name can be compared in all streams."""
        needed = {}

        def walk(tree, hidden):
            if tree[0] == "field" and tree[1] not in hidden and tree[1] in let.parameters:
                needed.setdefault(tree[1], set()).add(tree[2])
            elif tree[0] in ("exists", "all"):
                walk(tree[4], hidden | {tree[1]})
            elif tree[0] == "call":
                inner = next(other for other in self.lets if other.name == tree[1])
                for parameter, argument in zip(inner.parameters, tree[2]):
                    if argument[0] == "element" and argument[1] in let.parameters and argument[1] not in hidden:
                        needed.setdefault(argument[1], set()).update(self.reads(inner).get(parameter, ()))
                    elif argument[0] != "element":
                        walk(argument, hidden)
            elif tree[0] != "lit":
                for part in tree[1:]:
                    if isinstance(part, tuple) and part and isinstance(part[0], str):
                        walk(part, hidden)

        walk(let.body, frozenset())
        return needed

    def call(self, scope):
        """A condition that calls a `let` with elements of the scope whose fields fit; None if there is none."""
        rng = self.rng
        for let in rng.sample(self.lets, len(self.lets)):
            if self.hidden(let.body, scope):
                continue
            if not let.parameters and let.body[0] in ("var", "+", "*"):
                return ("compare", rng.choice(OPERATORS), ("call", let.name, ()), ("lit", Fraction(rng.randint(0, 6))))
            if not let.parameters:
                return ("call", let.name, ())
            if let.body[-1] == ("truth", let.parameters[-1]):
                return ("call", let.name, (self.simple(scope), self.simple(scope)))
            if let.body[0] == "compare" and let.body[2] == ("-", *(("value", p) for p in let.parameters)):
                terms = self.terms(scope, NUMBERS)
                if terms:
                    second = rng.choice(terms) if self.chance(60) else ("lit", Fraction(rng.randint(0, 3)))
                    return ("call", let.name, (rng.choice(terms), second))
            if let.body[0] == "compare" and let.body[2] == ("value", let.parameters[0]):
                terms = self.terms(scope, ("enum",))
                if terms and "red" not in scope:
                    return ("call", let.name, (rng.choice(terms), ("lit", rng.choice(COLOURS))))
            needed = self.reads(let)
            arguments = []
            for parameter in let.parameters:
                fits = [e for e, fields in scope.items() if needed.get(parameter, set()) <= set(fields)]
                if not fits or not needed:
                    break
                arguments.append(("element", rng.choice(fits)))
            if len(arguments) == len(let.parameters):
                if len(set(arguments)) == 1 and len(arguments) == 2 and self.chance(80):
                    continue
                return ("call", let.name, tuple(arguments))
        return None

    def terms(self, scope, kinds):
        """Fields and variables of these kinds."""
        fields = [("field", e, f) for e, its in scope.items() for f, type_ in its.items() if type_.kind in kinds]
        return fields + [("var", v.name) for v in self.visible(scope) if v.type.kind in kinds]

    def visible(self, scope):
        """The variables that no element of the scope hides."""
        return [v for v in self.variables if v.name.split(".")[0] not in scope]

    def hidden(self, tree, scope):
        """Whether a variable that the tree reads has the name of an element in the scope."""
        if tree[0] in ("var", "has") and tree[1].split(".")[0] in scope:
            return True
        if tree[0] == "call" and self.hidden(next(let for let in self.lets if let.name == tree[1]).body, scope):
            return True
        return any(self.hidden(p, scope) for p in tree[1:] if isinstance(p, tuple) and p and isinstance(p[0], str))

    def window(self):
        kind = self.rng.choice([None, None, "last", "last", "last", "last", "next", "next"])
        return kind and (kind, self.rng.choice(self.durations))

    def name(self, scope):
        free = [name for name in ("a", "b", "c", "gps", "red") if name not in scope]
        if not free or scope and self.chance(8):
            return self.rng.choice(list(scope))  # hides an outer one
        return free[0] if self.chance(70) else self.rng.choice(free)

    def quantified(self, scope, depth):
        """A quantifier over a stream, with up to `depth` of them nested."""
        stream, name = self.rng.choice(self.streams), self.name(scope)
        inner = {n: f for n, f in scope.items() if n != name} | {name: stream.fields}
        if depth > 1 and self.chance(70):
            body = self.quantified(inner, depth - 1)
            if self.chance(35):
                op = self.rng.choice(["and", "or", "implies"])
                body = (op, self.element_atom(name, stream.fields, inner), body)
            body = ("not", body) if self.chance(15) else body
        elif scope and self.chance(60):
            body = self.join({n: f for n, f in inner.items() if n != name}, name, stream.fields)
            if self.chance(30):
                op = self.rng.choice(["and", "and", "implies", "or"])
                body = (op, body, self.atom(inner))
        else:
            body = self.condition(inner, self.rng.choice([0, 0, 1, 2]))
        return (self.rng.choice(["exists", "exists", "exists", "all"]), name, stream.name, self.window(), body)

    def join(self, outer, name, fields):
        """An atom over an element and one of the outer ones, mostly an equality; sometimes two of them, or negated."""
        rng = self.rng
        call = self.call(outer | {name: fields}) if self.chance(30) else None
        if call:
            return ("not", call) if self.chance(25) else call
        pairs = [
            ((other, f), (name, g))
            for other, its in outer.items()
            for f, type_ in its.items()
            for g, mine in fields.items()
            if comparable(type_, mine) and (f == g or type_.kind != "string" or self.chance(20))
        ]
        if not pairs:
            return self.condition(outer | {name: fields}, 1)
        (other, f), (_, g) = rng.choice(pairs)
        left, right = ("field", other, f), ("field", name, g)
        if self.chance(40):
            left, right = right, left
        number = fields[g].kind in NUMBERS
        if number and self.chance(45):
            few = ("lit", Fraction(rng.randint(0, 5)))
            shapes = [("compare", rng.choice(OPERATORS), ("-", left, right), few),
                      ("compare", rng.choice(OPERATORS), left, right),
                      ("compare", rng.choice(("==", "<")), left, ("+", right, ("lit", Fraction(1)))),
                      ("and", ("compare", "<", ("-", left, right), few), ("compare", "<", ("-", right, left), few))]
            atom = rng.choice(shapes)
        else:
            atom = ("compare", "==" if self.chance(85) else "!=", left, right)
        if len(pairs) > 1 and self.chance(20):
            (other, f), (_, g) = rng.choice(pairs)
            atom = (rng.choice(["and", "and", "or"]), atom, ("compare", "==", ("field", name, g), ("field", other, f)))
        return ("not", atom) if self.chance(20) else atom

    def condition(self, scope, depth):
        if depth == 0 or self.chance(25):
            return self.atom(scope)
        op = self.rng.choice(["and", "and", "or", "or", "not", "implies", "iff"])
        parts = 1 if op == "not" else 2
        return (op, *(self.condition(scope, depth - 1) for _ in range(parts)))

    def simple(self, scope):
        """What may be an argument: mostly an atom, sometimes with a quantifier."""
        return self.quantified(scope, 1) if len(scope) < 3 and self.chance(30) else self.atom(scope)

    def atom(self, scope):
        if self.chance(2):
            return ("const", self.chance(50))
        call = self.call(scope) if self.chance(20) else None
        if call:
            return call
        if scope and (self.chance(80) or not self.variables):
            name = self.rng.choice(list(scope))
            return self.element_atom(name, scope[name], scope)
        return self.variable_atom(scope)

    def variable_atom(self, scope):
        rng = self.rng
        visible = self.visible(scope)
        if not visible:
            return ("const", self.chance(70))
        variable = rng.choice(visible)
        if variable.type.kind == "set":
            return ("has", variable.name, rng.choice(variable.type.members))
        return self.about(("var", variable.name), variable.type)

    def element_atom(self, name, fields, scope):
        """Compares a field with a constant, a variable or another field."""
        rng = self.rng
        field = rng.choice(list(fields))
        term, type_ = ("field", name, field), fields[field]
        others = [("var", v.name) for v in self.visible(scope) if comparable(v.type, type_)]
        if self.chance(15):
            others += [("field", n, f) for n, its in scope.items() for f, its_type in its.items()
                       if comparable(its_type, type_)]
        if others and self.chance(45):
            other = rng.choice(others)
            number = type_.kind in NUMBERS
            if number and self.chance(25):
                op = rng.choice(["-", "-", "+", "*"])
                return ("compare", rng.choice(OPERATORS), (op, term, other), ("lit", Fraction(rng.randint(0, 4))))
            return ("compare", rng.choice(OPERATORS if number else ("==", "==", "!=")), term, other)
        return self.about(term, type_)

    def about(self, term, type_):
        rng = self.rng
        if type_.kind == "bool":
            if self.chance(80):
                return ("holds", term)
            return ("compare", rng.choice(["==", "!="]), term, ("lit", self.chance(50)))
        if type_.kind == "enum" and self.chance(25):
            return ("in", term, tuple(rng.sample(type_.members, rng.randint(1, 2))))
        if type_.kind in ("enum", "string"):
            return ("compare", rng.choice(["==", "==", "!="]), term, ("lit", self.constant(type_)))
        if type_.kind == "int" and self.chance(10):
            return ("in", term, tuple({self.constant(type_) for _ in range(2)}))
        number = ("lit", self.constant(type_))
        if self.chance(15):
            return ("compare", rng.choice(OPERATORS), number, ("neg", term) if self.chance(30) else term)
        return ("compare", rng.choice(OPERATORS), term, number)

    # Adaptation

    def rules(self, states, final):
        rng = self.rng
        sources = [state for state in states if state not in final]
        rules, guards = [], []
        for number in range(rng.randint(3, 8)):
            starts = rng.sample(sources, min(len(sources), rng.choice([1, 1, 1, 2, 2, 3])))
            if number < len(sources) and sources[number] not in starts:
                starts[0] = sources[number]
            elsewhere = [s for s in states if s not in starts]
            target = rng.choice(elsewhere if elsewhere and self.chance(93) else states)
            guard = self.guard()
            if guards and self.chance(20):
                guard = rng.choice(guards)
                guard = ("not", guard) if self.chance(60) else guard
            guards.append(guard)
            priority = rng.choice([None, 1, 1, 2, 2, 0, -1])
            actions = tuple(self.action() for _ in range(rng.choice([0, 0, 0, 1, 1, 2])))
            rules.append(Rule(f"r{number}", tuple(starts), target, guard, priority, tuple(a for a in actions if a)))
        return tuple(rules)

    def guard(self):
        rng = self.rng
        if self.chance(45):
            return self.usual()
        shape = rng.choice(["nested", "nested", "single", "context", "joined", "joined"])
        if shape == "nested":
            return self.quantified({}, rng.choice([1, 2, 2, 2, 3]))
        if shape == "single":
            return self.quantified({}, 1)
        if shape == "context" or not self.chance(90):
            return self.condition({}, 2)
        op = rng.choice(["and", "and", "or", "not", "implies", "iff"])
        parts = [self.quantified({}, rng.choice([1, 1, 2])), self.condition({}, 1) if self.chance(50) else self.usual()]
        rng.shuffle(parts)
        return (op, *parts[: 1 if op == "not" else 2])

    def usual(self):
        """A rule as people write them."""
        rng = self.rng
        first, second = rng.choice(self.streams), rng.choice(self.streams)
        one, two = first.name.lower(), second.name.lower() + ("2" if first == second else "")
        if self.chance(30):
            body = self.element_atom(one, first.fields, {one: first.fields})
            guard = (rng.choice(["exists", "exists", "all"]), one, first.name, self.window(), body)
        else:
            body = self.join({one: first.fields}, two, second.fields)
            if self.chance(30):
                body = ("and", body, self.element_atom(two, second.fields, {one: first.fields, two: second.fields}))
            pairs = [("exists", "exists")] * 5 + [("exists", "all")] * 2 + [("all", "exists"), ("all", "all")]
            outer, inner = rng.choice(pairs)
            guard = (outer, one, first.name, self.window(), (inner, two, second.name, self.window(), body))
        if self.variables and self.chance(20):
            guard = (rng.choice(["and", "and", "or"]), self.variable_atom({}), guard)
        return ("not", guard) if self.chance(7) else guard

    def action(self):
        if not self.variables or self.chance(8):
            return ("notify",) if self.chance(20) else None
        guards = [v for v in self.variables if any(other.guard == v.name for other in self.variables)]
        variable = self.rng.choice(guards if guards and self.chance(40) else self.variables)
        return (variable.name, self.constant(variable.type))


def pool(type_):
    """The few numbers that are used of a type."""
    numbers = [Fraction(n) for n in ("-0.5", "-1", 0, "0.1", "0.2", "0.3", 1, "1.5", 2, 3, "4.5", 5)]
    return [n for n in numbers if type_.low <= n <= type_.high and (type_.kind == "real" or n.denominator == 1)]


def comparable(one, other):
    return one == other or (one.kind in NUMBERS and other.kind in NUMBERS)


# ---------------------------------------------------------------------------------------------------- logs


class _Log:
    """The lines of a log for a model, as texts."""

    def __init__(self, rng, model):
        self.rng = rng
        self.model = model
        spans = set().union(*(windows(model, rule.guard) for rule in model.rules))
        self.spans = sorted({seconds(window[1]) for _, window in spans if window}) or [Fraction(1)]
        self.added = []  # (stream, element as text by field) that were not removed, of all apps

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def lines(self):
        rng = self.rng
        apps = ["", "f-1", "f é2"] if self.chance(15) else [""]
        start = Fraction(rng.choice(["0", "0", "10", "12.5", "1700000000.123456789"]))
        self.times = {app: start for app in apps}
        self.begun = {app: start == 0 for app in apps}  # is this the time of the app's last line
        self.instants = []
        bad = self.chance(25)  # does this log have bad lines
        lines = []
        for _ in range(rng.choice([rng.randint(5, 20), rng.randint(10, 40), rng.randint(30, 80)])):
            app = rng.choice(apps)
            if bad and self.chance(8):
                lines.append(self.bad(app))
                continue
            self.step(app)
            lines.append(self.line(app))
        return lines

    def step(self, app):
        """The time of the next line: often the same, or when something leaves a window, or just before or after."""
        rng, now = self.rng, self.times[app]
        shape = rng.choice(["same", "same", "same", "little", "little", "some", "instant", "instant", "span", "gap"])
        if shape == "little":
            now += Fraction(rng.choice(["0.1", "0.25", "0.5", "0.000000001", "0.35"]))
        elif shape == "some":
            now += Fraction(rng.choice([1, 1, 2, "1.5", 3]))
        elif shape == "span":
            now += rng.choice(self.spans)
        elif shape == "instant":
            later = [instant for instant in self.instants if instant > now]
            if later:
                now = min(later) if self.chance(70) else rng.choice(later)
                now += Fraction(rng.choice(["0", "0", "0", "0.000000001"]))
        elif shape == "gap" and self.chance(30):
            now += max(self.spans) + rng.randint(0, 3)
        self.begun[app] &= now == self.times[app]
        self.times[app] = now

    def line(self, app):
        rng = self.rng
        kinds = ["add"] * 9 + ["remove"] * 3 + ["time"]
        if self.model.variables:
            kinds += ["set"] * 5
        if any(v.type.kind == "set" for v in self.model.variables):
            kinds += ["member"] * 2
        kind = rng.choice(kinds)
        pairs = [("t", decimal(self.times[app]))]
        if self.times[app].denominator == 1 and self.chance(30):
            pairs = [("t", decimal(self.times[app]) + ".0")]
        if self.begun[app] and self.chance(10):
            pairs = []
        self.begun[app] = True
        if app or self.chance(5):
            pairs.append(("app", json.dumps(app)))
        if kind == "set":
            pairs.append(("set", self.assignments()))
        elif kind == "member":
            variable = rng.choice([v for v in self.model.variables if v.type.kind == "set"])
            pairs += [(rng.choice(["add", "remove"]), json.dumps(variable.name)),
                      ("value", json.dumps(rng.choice(variable.type.members)))]
        elif kind == "add":
            pairs += self.add(app)
        elif kind == "remove":
            pairs += self.remove()
        if self.chance(3):
            rng.shuffle(pairs)
        return "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"

    def assignments(self):
        rng, variables = self.rng, self.model.variables
        sensed = [v for v in variables if not v.own]
        chosen = rng.sample(sensed, rng.randint(1, len(sensed))) if sensed else []
        if not chosen or self.chance(5):
            chosen += rng.sample([v for v in variables if v.own], 1) if len(sensed) < len(variables) else []
        values = {v.name: "null" if not v.own and self.chance(10) else self.value(v.type) for v in chosen}
        if self.chance(4):
            values["nowhere"] = "3"
        return _object(values)

    def value(self, type_):
        """A value of the type as JSON text."""
        rng = self.rng
        if type_.kind == "bool":
            return rng.choice(["true", "true", "false"])
        if type_.kind == "enum":
            return json.dumps(rng.choice(type_.members))
        if type_.kind == "string":
            return json.dumps(rng.choice(STRINGS) if self.chance(95) else "é", ensure_ascii=self.chance(50))
        if type_.kind == "set":
            return json.dumps([m for m in type_.members if self.chance(50)])
        return decimal(rng.choice(pool(type_)))

    def element(self, stream):
        """Some fields are missing, some null."""
        return {
            name: "null" if self.chance(4) else self.value(type_)
            for name, type_ in stream.fields.items()
            if not self.chance(4)
        }

    def add(self, app):
        stream = self.rng.choice(self.model.streams)
        if self.chance(2):
            return [("add", '"NoStream"'), ("value", '{"tag": 1}')]
        element = self.element(stream)
        if self.added and self.chance(20):
            stream, element = self.rng.choice(self.added)  # once more
        self.added.append((stream, element))
        self.instants += [self.times[app] + span for span in self.spans]
        if self.chance(2):
            element = element | {"nofield": "[1]"}
        return [("add", f'"{stream.name}"'), ("value", _object(element))]

    def remove(self):
        stream = self.rng.choice(self.model.streams)
        element = self.element(stream)
        if self.added and self.chance(85):
            place = -1 if self.chance(30) else self.rng.randrange(len(self.added))
            stream, element = self.added[place] if self.chance(15) else self.added.pop(place)
        if self.chance(3):
            return [("remove", '"NoStream"'), ("value", "{}")]
        return [("remove", f'"{stream.name}"'), ("value", _object(element))]

    def bad(self, app):
        """A line that has to be skipped."""
        rng = self.rng
        t, name, stream = decimal(self.times[app]), json.dumps(app), rng.choice(self.model.streams)
        good = self.value(next(iter(stream.fields.values())))
        forms = ["{", "oops", "[1, 2]", "7", '"t"', f'{{"t": {t}', f'{{"t": {t}}} x', '{"t": "5"}', "{'t': 5}",
                 f'{{"t": {t}, "app": 3}}', f'{{"t": {t}, "app": {name}, "colour": 1}}', f'{{"t": {t}, "set": [1]}}',
                 f'{{"t": {t}, "app": {name}, "add": "{stream.name}"}}',
                 f'{{"t": {t}, "set": {{}}, "remove": "S", "value": {{}}}}',
                 f'{{"t": {t}, "app": {name}, "add": "{stream.name}", "value": {good}}}']
        shape = rng.choice(["form", "form", "back", "back", "field", "field", "variable", "variable"])
        if shape == "back" and self.times[app] > 1:
            earlier = decimal(self.times[app] - rng.choice([Fraction(1, 2), Fraction("0.000000001")]))
            return f'{{"t": {earlier}, "app": {name}, "set": {{}}}}'
        if shape == "field":
            field = rng.choice(list(stream.fields))
            value = {field: self.wrong(stream.fields[field])}
            key = rng.choice(["add", "add", "remove"])
            return f'{{"t": {t}, "app": {name}, "{key}": "{stream.name}", "value": {_object(value)}}}'
        if shape == "variable" and self.model.variables:
            variable = rng.choice(self.model.variables)
            key, value = json.dumps(variable.name), self.wrong(variable.type)
            if self.chance(20):
                return f'{{"t": {t}, "app": {name}, "add": {key}, "value": {value}}}'
            others = ", ".join(f'"{v.name}": {self.value(v.type)}' for v in self.model.variables if v != variable)
            pairs = ", ".join(pair for pair in (others, f"{key}: {value}") if pair)
            return f'{{"t": {t}, "app": {name}, "set": {{{pairs}}}}}'
        return rng.choice(forms)

    def wrong(self, type_):
        """JSON that is no value of the type."""
        values = {"bool": ["1", '"true"'], "int": ["99", '"1"', "true", "1.5"], "real": ["11", "-0.6", '"1.0"', "[]"],
                  "enum": ['"pink"', "1", "true"], "string": ["5", "true", "{}"], "set": ['"r"', '["r"]', "7"]}
        return self.rng.choice(values[type_.kind])


def _object(pairs):
    return "{" + ", ".join(f'"{key}": {value}' for key, value in pairs.items()) + "}"


# ---------------------------------------------------------------------------------------------------- program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--log", action="store_true")
    arguments = parser.parse_args()
    model, lines = random_case(arguments.seed)
    print("".join(line + "\n" for line in lines) if arguments.log else model_text(model), end="")


if __name__ == "__main__":
    main()
