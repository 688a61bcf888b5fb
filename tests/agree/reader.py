"""Reads the core of the Poise language and the world (sections 1 to 5 of the contract) into a Model.

Written from the contract alone and sharing nothing with the program, so that a misreading in one of the two shows up
as a disagreement. It accepts correct models; it explains wrong ones only as far as a test's author needs.

Expressions are nested tuples. As read, before names mean anything:

    ('name', n) ('call', n, args) ('num', Fraction) ('bool', b) ('neg', e) ('not', e) (OP, l, r) ('cmp', op, l, r)
    ('in', e, items) ('has', e, member)                     where OP is one of + - * and or implies iff

and resolved, after `let` is expanded: a boolean tree over ('const', b) and ('atom', atom), where an atom is

    ('bool', variable) ('cmp', op, operand, operand) ('in', operand, values) ('has', variable, member)

and an operand is ('var', name), ('lit', value), ('neg', o) or (OP, o, o). Two atoms are the same when their tuples are.
In the condition of an action of the world a variable's later value is a variable by the name of x'.
"""

import dataclasses
import functools
import re
from dataclasses import dataclass, field
from fractions import Fraction


class ModelError(Exception):
    """The text is not a model of the core language."""


@dataclass(frozen=True)
class Type:
    kind: str  # bool, int, real, enum, set
    low: Fraction | None = None
    high: Fraction | None = None
    members: tuple = ()


@dataclass(frozen=True)
class Variable:
    name: str
    type: Type
    own: bool  # declared with `var`
    guard: str | None
    error: tuple | None = None  # (low, high): how far what is sensed or done may be off
    initial: object = None  # own variables: the first value


@dataclass(frozen=True)
class Rule:
    """A rule in one of its source states: a rule with several source states counts once for each."""

    name: str
    order: int  # place of the declaration among the rules
    state: str
    target: str
    priority: Fraction | None
    guard: tuple
    actions: tuple  # of (variable, value), in order; named actions have no effect in the core
    do: tuple = ()  # all actions, in order: ('set', variable, value) or ('act', name)

    def strength(self):
        """Sorts the stronger first: a rule without a priority yields to every rule that has one."""
        return (self.priority is None, self.priority or 0)


@dataclass(frozen=True)
class WorldAction:
    """What holds between the values before and after."""

    name: str
    condition: tuple
    primed: tuple  # the variables whose later values it mentions, in the order of declaration
    read: tuple  # the variables whose earlier values it mentions


@dataclass
class Model:
    name: str
    variables: dict = field(default_factory=dict)  # name -> Variable, in the order of declaration
    states: list = field(default_factory=list)
    initial: str = ""
    rules: list = field(default_factory=list)
    constraints: list = field(default_factory=list)
    starts: list = field(default_factory=list)  # what holds at the start; their atoms are none of the model's
    atoms: list = field(default_factory=list)  # of rules and constraints, in the order of appearance
    lets: dict = field(default_factory=dict)  # name -> (parameters, expression as read)
    world: dict = field(default_factory=dict)  # name -> WorldAction
    failures: dict = field(default_factory=dict)  # name -> [(condition, name of the action it is checked after)]

    def rules_of(self, state):
        return [rule for rule in self.rules if rule.state == state]


def read_model(text, name="model"):
    return _Builder(_Parser(text).declarations(), name).model


def read_expression(text, model):
    """A boolean expression in the scope of a model, such as the `when` of a fault."""
    parser = _Parser(text)
    tree = parser.expression()
    parser.expect_end()
    return resolve(tree, model)


def atoms_of(tree):
    """The distinct atoms of a resolved expression, in the order of appearance."""
    if tree[0] == "atom":
        return [tree[1]]
    if tree[0] == "const":
        return []
    found = [atom for part in tree[1:] for atom in atoms_of(part)]
    return list(dict.fromkeys(found))


@functools.cache
def variables_of(atom):
    """The names of the variables that an atom reads."""

    def names(operand):
        if operand[0] == "lit":
            return set()
        if operand[0] == "var":
            return {operand[1]}
        return set().union(*(names(part) for part in operand[1:]))

    if atom[0] in ("bool", "has"):
        return frozenset([atom[1]])
    operands = [atom[1]] if atom[0] == "in" else atom[2:]
    return frozenset().union(*(names(operand) for operand in operands))


# ---------------------------------------------------------------------------------------------------- tokens

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
      | (?P<number>\d+(?:\.\d+)?(?:(?:ms|s|m|h)(?![\w]))?)
      | (?P<word>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*'?)
      | (?P<sign>\.\.|:=|->|==|!=|<=|>=|[<>(){},:=+*-])""",
    re.VERBOSE,
)
_KEYWORDS = set(
    "model sense var let constraint state rule priority when do initial final if "
    "and or not implies iff in has true false bool int real set".split()
)
_SECONDS = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}


def _tokens(text):
    """(kind, text, offset) triples; a keyword and a sign are their own kind."""
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise ModelError(f"{_place(text, at)}: unexpected {text[at]!r}")
        kind, word = match.lastgroup, match.group()
        if kind != "space":
            own_kind = kind == "sign" or word in _KEYWORDS
            found.append((word if own_kind else kind, word, at))
        at = match.end()
    return found + [("end", "", at)]


def _place(text, offset):
    line = text.count("\n", 0, offset) + 1
    return f"{line}:{offset - text.rfind(chr(10), 0, offset)}"


def _number(word):
    unit = re.search(r"[a-z]*$", word).group()
    return Fraction(word.removesuffix(unit)) * _SECONDS.get(unit, 1)


# ---------------------------------------------------------------------------------------------------- parser


class _Parser:
    def __init__(self, text):
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def fail(self, wanted):
        _, word, offset = self.tokens[self.at]
        raise ModelError(f"{_place(self.text, offset)}: expected {wanted}, found {word or 'the end'!r}")

    def take(self, kind):
        if self.peek() != kind:
            self.fail(kind)
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *kinds):
        """The next token's text if it is one of these kinds, else None."""
        return self.take(self.peek()) if self.peek() in kinds else None

    def expect_end(self):
        if self.peek() != "end":
            self.fail("the end")

    def list_of(self, item):
        items = [item()]
        while self.accept(","):
            items.append(item())
        return items

    # Declarations: a tuple each, its keyword first.

    def declarations(self):
        found = []
        readers = {
            "model": lambda: ("model", self.take("word")),
            "sense": self.sense,
            "var": self.var,
            "let": self.let,
            "constraint": lambda: ("constraint", self.named_condition()),
            "start": lambda: ("start", self.named_condition()),
            "state": lambda: ("state", self.list_of(self.state)),
            "rule": self.rule,
            "action": self.world_action,
            "failure": self.failure,
        }
        while self.peek() != "end":
            if self.word() not in readers:
                self.fail("a declaration")
            found.append(readers[self.take(self.peek())]())
        return found

    def word(self):
        """The next token's text: the words of the world are no keywords elsewhere."""
        return self.tokens[self.at][1]

    def accept_word(self, *words):
        return self.take(self.peek()) if self.word() in words else None

    def sense(self):
        name = self.take("word")
        self.take(":")
        type_, guard, error = self.type(), None, None
        while clause := self.accept_word("if", "error"):
            if clause == "if":
                guard = self.take("word")
            else:
                error = self.error()
        return ("variable", Variable(name, type_, own=False, guard=guard, error=error), None)

    def var(self):
        name = self.take("word")
        self.take(":")
        type_ = self.type()
        self.take("=")
        initial = self.literal()
        error = self.error() if self.accept_word("error") else None
        return ("variable", Variable(name, type_, own=True, guard=None, error=error), initial)

    def error(self):
        """The range; how values are spread in it does not matter for what is possible."""
        low = self.signed_number()
        self.take("..")
        high = self.signed_number()
        law = self.accept_word("gauss", "uniform", "triangle", "table")
        if law in ("gauss", "table"):
            self.signed_number()
        while law == "table" and self.peek() in ("number", "-"):
            self.signed_number()
        return low, high

    def type(self):
        kind = self.accept("bool", "int", "real", "set")
        if kind == "bool":
            return Type("bool")
        if kind in ("int", "real"):
            if self.peek() == "=":
                return Type(kind)  # an own number without a range
            low = self.signed_number()
            self.take("..")
            return Type(kind, low=low, high=self.signed_number())
        self.take("{")
        members = self.list_of(lambda: self.take("word"))
        self.take("}")
        return Type(kind or "enum", members=tuple(members))

    def let(self):
        name, parameters = self.take("word"), []
        if self.accept("("):
            parameters = self.list_of(lambda: self.take("word"))
            self.take(")")
        self.take("=")
        return ("let", name, parameters, self.expression())

    def named_condition(self):
        if self.peek() == "word" and self.peek(1) == ":":
            self.take("word")
            self.take(":")
        return self.expression()

    def state(self):
        name, marks = self.take("word"), []
        while mark := self.accept("initial", "final"):
            marks.append(mark)
        return name, marks

    def rule(self):
        name = self.take("word")
        self.take(":")
        sources = self.list_of(lambda: self.take("word"))
        self.take("->")
        target = self.take("word")
        clauses = {"priority": self.signed_number, "when": self.expression, "do": lambda: self.list_of(self.action)}
        given = {}
        while clause := self.accept(*clauses):
            if clause in given:
                raise ModelError(f"rule {name} has {clause} twice")
            given[clause] = clauses[clause]()
        if "when" not in given:
            raise ModelError(f"rule {name} has no when")
        return ("rule", name, sources, target, given.get("priority"), given["when"], given.get("do", []))

    def world_action(self):
        name = self.take("word")
        self.take(":")
        return ("world_action", name, self.expression())

    def failure(self):
        def case():
            condition = self.expression()
            if not self.accept_word("after"):
                self.fail("after")
            return condition, self.take("word")

        name = self.take("word")
        self.take(":")
        return ("failure", name, self.list_of(case))

    def action(self):
        name = self.take("word")
        return (name, self.literal()) if self.accept(":=") else (name, None)

    def literal(self):
        """('bool', b), ('num', Fraction), ('name', member) or ('members', names)."""
        if word := self.accept("true", "false"):
            return ("bool", word == "true")
        if word := self.accept("word"):
            return ("name", word)
        if self.accept("{"):
            names = [] if self.peek() == "}" else self.list_of(lambda: self.take("word"))
            self.take("}")
            return ("members", names)
        return ("num", self.signed_number())

    def signed_number(self):
        sign = -1 if self.accept("-") else 1
        return sign * _number(self.take("number"))

    # Expressions, loosest first.

    def expression(self):
        left = self.implication()
        while self.accept("iff"):
            left = ("iff", left, self.implication())
        return left

    def implication(self):
        left = self.disjunction()
        return ("implies", left, self.implication()) if self.accept("implies") else left

    def disjunction(self):
        left = self.conjunction()
        while self.accept("or"):
            left = ("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.accept("and"):
            left = ("and", left, self.negation())
        return left

    def negation(self):
        return ("not", self.negation()) if self.accept("not") else self.comparison()

    def comparison(self):
        left = self.sum()
        if self.accept("in"):
            self.take("{")
            items = self.list_of(self.literal)
            self.take("}")
            return ("in", left, items)
        if self.accept("has"):
            return ("has", left, ("name", self.take("word")))
        if op := self.accept("==", "!=", "<", "<=", ">", ">="):
            return ("cmp", op, left, self.sum())
        return left

    def sum(self):
        left = self.product()
        while op := self.accept("+", "-"):
            left = (op, left, self.product())
        return left

    def product(self):
        left = self.unary()
        while self.accept("*"):
            left = ("*", left, self.unary())
        return left

    def unary(self):
        if not self.accept("-"):
            return self.primary()
        inner = self.unary()
        return ("num", -inner[1]) if inner[0] == "num" else ("neg", inner)

    def primary(self):
        if word := self.accept("true", "false"):
            return ("bool", word == "true")
        if word := self.accept("number"):
            return ("num", _number(word))
        if self.accept("("):
            inner = self.expression()
            self.take(")")
            return inner
        name = self.take("word")
        if not self.accept("("):
            return ("name", name)
        arguments = self.list_of(self.expression)
        self.take(")")
        return ("call", name, arguments)


# ---------------------------------------------------------------------------------------------------- names

_LOGIC = {"and", "or", "implies", "iff", "not"}
_ARITHMETIC = {"+", "-", "*", "neg"}


def resolve(tree, model):
    """Expands every `let` and gives names their meaning; the result is a boolean tree over atoms."""
    return _boolean(_expand(tree, {}, model), model)


def _expand(tree, arguments, model):
    """Replaces parameters and lets by what they stand for. Other names stay: only their place tells a member."""
    kind = tree[0]
    if kind == "name":
        if tree[1] in arguments:
            return arguments[tree[1]]
        if tree[1] in model.lets:
            return _call(tree[1], [], model)
        return tree
    if kind == "call":
        return _call(tree[1], [_expand(a, arguments, model) for a in tree[2]], model)
    if kind in ("num", "bool"):
        return tree
    if kind == "in":
        items = [arguments.get(item[1], item) if item[0] == "name" else item for item in tree[2]]
        return ("in", _expand(tree[1], arguments, model), items)
    if kind == "has":
        return ("has", _expand(tree[1], arguments, model), arguments.get(tree[2][1], tree[2]))
    if kind == "cmp":
        left = _expand(tree[2], arguments, model)
        right = tree[3]
        member = right[0] == "name" and right[1] not in arguments and right[1] in _members(left, model)
        return ("cmp", tree[1], left, right if member else _expand(right, arguments, model))
    return (kind, *(_expand(part, arguments, model) for part in tree[1:]))


def _call(name, arguments, model):
    if name not in model.lets:
        raise ModelError(f"unknown let {name}")
    parameters, body = model.lets[name]
    if len(parameters) != len(arguments):
        raise ModelError(f"{name} takes {len(parameters)} arguments")
    return _expand(body, dict(zip(parameters, arguments)), model)


def _members(tree, model):
    """The members of an enumeration variable's type; nothing for any other expression."""
    variable = model.variables.get(tree[1]) if tree[0] == "name" else None
    return variable.type.members if variable and variable.type.kind == "enum" else ()


def _boolean(tree, model):
    kind = tree[0]
    if kind in _LOGIC:
        return (kind, *(_boolean(part, model) for part in tree[1:]))
    if kind == "bool":
        return ("const", tree[1])
    if kind == "name":
        if _variable(tree[1], model).type.kind != "bool":
            raise ModelError(f"{tree[1]} is not a bool")
        return ("atom", ("bool", tree[1]))
    if kind == "cmp":
        return ("atom", _comparison(tree, model))
    if kind == "in":
        operand, type_ = _operand(tree[1], model)
        return ("atom", ("in", operand, tuple(_value(item, type_) for item in tree[2])))
    if kind == "has":
        variable = _variable(tree[1][1], model) if tree[1][0] == "name" else None
        if not variable or variable.type.kind != "set" or tree[2][1] not in variable.type.members:
            raise ModelError(f"has needs a set and one of its members: {tree}")
        return ("atom", ("has", variable.name, tree[2][1]))
    raise ModelError(f"not a condition: {tree}")


def _comparison(tree, model):
    _, op, left, right = tree
    if left[0] == "name" and left[1] not in model.variables and left[1] in _members(right, model):
        (right, type_), left = _operand(right, model), ("lit", left[1])
        other = type_
    else:
        left, type_ = _operand(left, model)
        if type_.kind == "enum" and right[0] == "name" and right[1] in type_.members:
            right, other = ("lit", right[1]), type_
        else:
            right, other = _operand(right, model)
    if (type_.kind, set(type_.members)) != (other.kind, set(other.members)) or type_.kind == "set":
        raise ModelError(f"comparison of different types: {tree}")
    if type_.kind != "number" and op not in ("==", "!="):
        raise ModelError(f"{op} needs numbers: {tree}")
    return ("cmp", op, left, right)


def _operand(tree, model):
    """An operand and its type; int and real are both numbers here, since they mix freely."""
    number = Type("number")
    if tree[0] == "num":
        return ("lit", tree[1]), number
    if tree[0] == "bool":
        return ("lit", tree[1]), Type("bool")
    if tree[0] == "name":
        type_ = _variable(tree[1], model).type
        return ("var", tree[1]), number if type_.kind in ("int", "real") else type_
    if tree[0] in _ARITHMETIC:
        parts = [_operand(part, model) for part in tree[1:]]
        if any(type_ != number for _, type_ in parts):
            raise ModelError(f"arithmetic needs numbers: {tree}")
        return (tree[0], *(operand for operand, _ in parts)), number
    raise ModelError(f"not a value: {tree}")


def _variable(name, model):
    if name not in model.variables:
        raise ModelError(f"unknown variable {name}")
    return model.variables[name]


def _value(literal, type_):
    """A literal as a Python value: bool, Fraction, member name or frozenset of member names."""
    kind, value = literal
    fits = {
        "bool": kind == "bool",
        "enum": kind == "name" and value in type_.members,
        "set": kind == "members" and set(value) <= set(type_.members),
    }.get(type_.kind, kind == "num")
    if not fits:
        raise ModelError(f"{value} is not a value of {type_.kind}")
    if type_.low is not None:
        whole = type_.kind == "real" or value.denominator == 1
        if not (whole and type_.low <= value <= type_.high):
            raise ModelError(f"{value} is outside its domain")
    return frozenset(value) if type_.kind == "set" else value


# ---------------------------------------------------------------------------------------------------- building


class _Builder:
    """Puts declarations together in two passes, so that their order means nothing."""

    def __init__(self, declarations, name):
        self.model = model = Model(name)
        self.final = set()
        for declaration in declarations:
            getattr(self, f"declare_{declaration[0]}", lambda *_: None)(*declaration[1:])
        if not model.initial:
            raise ModelError("no initial state")
        for variable in model.variables.values():
            guard = variable.guard and _variable(variable.guard, model)
            if guard and (guard.type.kind != "bool" or guard.own):
                raise ModelError(f"{guard.name} is not a boolean sense")
        order = 0
        for declaration in declarations:
            if declaration[0] == "constraint":
                model.constraints.append(resolve(declaration[1], model))
            elif declaration[0] == "start":
                model.starts.append(resolve(declaration[1], model))
            elif declaration[0] == "rule":
                self.add_rule(order, *declaration[1:])
                order += 1
        self.add_world(declarations)
        guards = [rule.guard for rule in model.rules] + model.constraints
        model.atoms = list(dict.fromkeys(atom for guard in guards for atom in atoms_of(guard)))

    def declare_model(self, name):
        self.model.name = name

    def declare_variable(self, variable, initial):
        if variable.name in self.model.variables:
            raise ModelError(f"{variable.name} is declared twice")
        if initial is not None:
            variable = dataclasses.replace(variable, initial=_value(initial, variable.type))
        if variable.error:
            whole = all(bound.denominator == 1 for bound in variable.error)
            if not (variable.type.kind == "real" or variable.type.kind == "int" and whole):
                raise ModelError(f"{variable.name} cannot have this error")
        self.model.variables[variable.name] = variable

    def declare_let(self, name, parameters, body):
        self.model.lets[name] = (parameters, body)

    def declare_state(self, states):
        for name, marks in states:
            self.model.states.append(name)
            if "final" in marks:
                self.final.add(name)
            if "initial" in marks:
                if self.model.initial:
                    raise ModelError("two initial states")
                self.model.initial = name

    def add_rule(self, order, name, sources, target, priority, guard, actions):
        model = self.model
        if any(rule.name == name for rule in model.rules):
            raise ModelError(f"rule {name} is declared twice")
        for state in (*sources, target):
            if state not in model.states:
                raise ModelError(f"unknown state {state}")
        if self.final.intersection(sources):
            raise ModelError(f"rule {name} starts in a final state")
        guard = resolve(guard, model)
        do = tuple(
            ("act", action) if literal is None else ("set", action, _value(literal, _variable(action, model).type))
            for action, literal in actions
        )
        effects = tuple(action[1:] for action in do if action[0] == "set")
        for state in sources:
            model.rules.append(Rule(name, order, state, target, priority, guard, effects, do))

    def add_world(self, declarations):
        model = self.model
        later = {f"{name}'": dataclasses.replace(v, name=f"{name}'") for name, v in model.variables.items()}
        both = dataclasses.replace(model, variables={**model.variables, **later})
        for declaration in declarations:
            if declaration[0] == "world_action":
                _, name, tree = declaration
                if name in model.world or name in model.variables:
                    raise ModelError(f"{name} is declared twice")
                condition = resolve(tree, both)
                names = {name for atom in atoms_of(condition) for name in variables_of(atom)}
                primed = tuple(v for v in model.variables if f"{v}'" in names)
                model.world[name] = WorldAction(name, condition, primed, tuple(v for v in model.variables if v in names))
        for declaration in declarations:
            if declaration[0] == "failure":
                _, name, cases = declaration
                if name in model.failures:
                    raise ModelError(f"failure {name} is declared twice")
                model.failures[name] = [(resolve(tree, model), action) for tree, action in cases]
                for _, action in cases:
                    if action not in model.world:
                        raise ModelError(f"unknown action {action}")
