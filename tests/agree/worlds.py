"""What holds in a context, which contexts there are, and what actions make of them.

Two worlds answer these questions. In the concrete world a context gives values to variables and `if`, constraints and
arithmetic mean what they say. In the independent world, that of `--ignore constraints`, a context gives truth values
to atoms, any to any. Both offer `contexts`, `truths(context)` and `fired(rule, context)`.
"""

import functools
import itertools
import operator
from fractions import Fraction

from reader import variables_of


class TooLarge(Exception):
    """Following every run would take more than the given budget, or a domain cannot be enumerated."""


# ---------------------------------------------------------------------------------------------------- meaning

_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value_of(operand, context):
    """The value of an operand, or None as soon as a variable in it has no value."""
    kind = operand[0]
    if kind == "lit":
        return operand[1]
    if kind == "var":
        return context[operand[1]]
    parts = [value_of(part, context) for part in operand[1:]]
    if None in parts:
        return None
    if kind == "neg":
        return -parts[0]
    left, right = parts
    return {"+": left + right, "-": left - right, "*": left * right}[kind]


def atom_holds(atom, context):
    """An atom over a variable without a value is false, whatever it says."""
    kind = atom[0]
    if kind == "bool":
        return context[atom[1]] is True
    if kind == "has":
        members = context[atom[1]]
        return members is not None and atom[2] in members
    if kind == "in":
        value = value_of(atom[1], context)
        return value is not None and value in atom[2]
    left, right = value_of(atom[2], context), value_of(atom[3], context)
    return left is not None and right is not None and _COMPARE[atom[1]](left, right)


def tree_holds(tree, atom_truth):
    """The truth of a boolean tree, given a function from atoms to truth."""
    kind = tree[0]
    if kind == "const":
        return tree[1]
    if kind == "atom":
        return atom_truth(tree[1])
    left = tree_holds(tree[1], atom_truth)
    if kind == "not":
        return not left
    right = tree_holds(tree[2], atom_truth)
    return {"and": left and right, "or": left or right, "implies": not left or right, "iff": left == right}[kind]


# ---------------------------------------------------------------------------------------------------- sample points


def linear(operand, context, unknowns):
    """The operand as ({unknown: coefficient}, constant), the other variables taken from the context."""
    kind = operand[0]
    if kind == "lit":
        return {}, operand[1]
    if kind == "var":
        return ({operand[1]: Fraction(1)}, Fraction(0)) if operand[1] in unknowns else ({}, context[operand[1]])
    parts = [linear(part, context, unknowns) for part in operand[1:]]
    if kind == "*":
        (left, a), (right, b) = parts
        if left and right:
            raise TooLarge("a product of reals has no exact sample points here")
        form = {name: c * (b if left else a) for name, c in (left or right).items()}
        return _without_zeros(form), a * b
    sign = -1 if kind in ("-", "neg") else 1
    (left, a), (right, b) = parts if len(parts) == 2 else [({}, Fraction(0)), *parts]
    form = {name: left.get(name, 0) + sign * right.get(name, 0) for name in {**left, **right}}
    return _without_zeros(form), a + sign * b


def _without_zeros(form):
    return {name: coefficient for name, coefficient in form.items() if coefficient}


def planes_of(atom, context, unknowns):
    """Where the atom may change its truth: linear forms over the unknowns that are zero there."""
    if atom[0] == "in":
        sides = [(atom[1], ("lit", value)) for value in atom[2]]
    else:
        sides = [(atom[2], atom[3])]
    return [linear(("-", left, right), context, unknowns) for left, right in sides]


def sample_points(bounds, planes):
    """Points that meet every cell into which the planes cut a box: every combination of signs that can occur.

    `bounds` is [(variable, low, high)]. The first variable's critical values are where the other variables' order of
    roots can change: the planes' intersections, projected on it. Those and the gaps between them are tried one by one.
    """
    if not bounds:
        return [()]
    name, low, high = bounds[0]
    projected = [p for p in planes if p[0]]
    for other, other_low, other_high in reversed(bounds[1:]):
        projected += [({other: Fraction(1)}, -other_low), ({other: Fraction(1)}, -other_high)]
        projected = _project(projected, other)
    roots = {-constant / form[name] for form, constant in projected if form.get(name)} | {low, high}
    roots = sorted(root for root in roots if low <= root <= high)
    gaps = [(a + b) / 2 for a, b in zip(roots, roots[1:])]
    found = []
    for value in sorted({*roots, *gaps}):
        fixed = [({n: c for n, c in form.items() if n != name}, k + form.get(name, 0) * value) for form, k in planes]
        found += [(value, *rest) for rest in sample_points(bounds[1:], fixed)]
    return found


def _project(planes, name):
    """What the planes and their pairwise intersections say without the variable `name`, each once."""
    crossing = [plane for plane in planes if plane[0].get(name)]
    result = [plane for plane in planes if not plane[0].get(name)]
    for (left, a), (right, b) in itertools.combinations(crossing, 2):
        p, q = left[name], right[name]
        form = {n: q * left.get(n, 0) - p * right.get(n, 0) for n in {**left, **right}}
        result.append((_without_zeros(form), q * a - p * b))
    return _distinct(result)


def _distinct(planes):
    """Each plane once, however its form is scaled; constant forms are no planes."""
    distinct = {}
    for form, constant in planes:
        if form:
            scale = form[min(form)]
            scaled = {n: c / scale for n, c in form.items()}
            distinct[tuple(sorted(scaled.items())), constant / scale] = (scaled, constant / scale)
    return list(distinct.values())


# ---------------------------------------------------------------------------------------------------- worlds

LARGEST_INT_RANGE = 100_000


class World:
    """What both worlds share: actions apply one after another, each to every context that the last may have left."""

    def fired(self, rule, context):
        """The contexts that the rule's actions may lead to, each once."""
        contexts = [context]
        for name, value in rule.actions:
            contexts = dict.fromkeys(after for before in contexts for after in self._assigned(before, name, value))
        return list(contexts)


class ConcreteWorld(World):
    """Contexts are tuples of values, one for each variable in the order of declaration, None for no value.

    A domain is represented by one value for each part: values are in the same part when no atom over the variable
    alone, and no comparison with a literal that an action assigns to it, tells them apart. Each int in an atom over
    several variables, and each truth value of a guard, is a part of its own. Reals in atoms over several variables
    are `coupled`: they are sampled together, where the hyperplanes of those atoms meet. A variable in such an atom
    that an action can give any value is left out: how finely to choose depends on the values of the others.
    """

    def __init__(self, model, limit=None):
        self.model = model
        self.limit = limit
        self.names = list(model.variables)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.behind = {name: _behind(model, name) for name in self.names}
        self.assigned = {name: set() for name in self.names}
        for rule in model.rules:
            for name, value in rule.actions:
                self.assigned[name].add(value)
        several = [atom for atom in model.atoms if len(variables_of(atom)) > 1]
        self.in_several = set().union(*(variables_of(atom) for atom in several))
        self.coupled = [n for n in self.names if n in self.in_several and model.variables[n].type.kind == "real"]
        for name in self.in_several:
            if any(True in self.assigned[guard] and name in self.behind[guard] for guard in self.names):
                raise TooLarge(f"{name} is in an atom over several variables and an action gives it any value")
        self.alone = {n: [a for a in model.atoms if variables_of(a) == {n}] for n in self.names}
        self.parts = {name: self._parts(name) for name in self.names if name not in self.coupled}
        self.truths = functools.cache(self.truths)
        self._coupled_points = functools.cache(self._coupled_points)
        self.contexts = self._contexts()

    def as_dict(self, context):
        return dict(zip(self.names, context))

    def truths(self, context):
        values = self.as_dict(context)
        return tuple(atom_holds(atom, values) for atom in self.model.atoms)

    def signature(self, name, value):
        """What tells a value from others of its domain."""
        assigned_set = self.model.variables[name].type.kind == "set" and self.assigned[name]  # each member by itself
        split = name in self.in_several or self.behind[name] or assigned_set or value in self.assigned[name]
        return tuple(atom_holds(atom, {name: value}) for atom in self.alone[name]), value if split else None

    def representative(self, name, value):
        """The value that stands for this one's part; a coupled real stands for itself."""
        if value is None or name in self.coupled:
            return value
        return next(v for v in self.parts[name] if self.signature(name, v) == self.signature(name, value))

    def _parts(self, name):
        parts = {}
        for value in self._candidates(name):
            parts.setdefault(self.signature(name, value), value)
        return list(parts.values())

    def _candidates(self, name):
        """Values of a domain, at least one of each part."""
        type_ = self.model.variables[name].type
        if type_.kind == "bool":
            return [False, True]
        if type_.kind == "enum":
            return type_.members
        if type_.kind == "set":
            sizes = range(len(type_.members) + 1)
            return [frozenset(c) for size in sizes for c in itertools.combinations(type_.members, size)]
        if type_.kind == "int":
            if type_.high - type_.low > LARGEST_INT_RANGE:
                raise TooLarge(f"{name} has too many values")
            return [Fraction(value) for value in range(int(type_.low), int(type_.high) + 1)]
        planes = [plane for atom in self.alone[name] for plane in planes_of(atom, {}, {name})]
        planes += [({name: Fraction(1)}, -value) for value in self.assigned[name]]
        return [point for (point,) in sample_points([(name, type_.low, type_.high)], planes)]

    def _contexts(self):
        """All feasible contexts: those in which a run may start."""
        nothing = (None,) * len(self.names)
        found = []
        for context in self._filled([nothing], [n for n in self.names if n not in self.coupled]):
            for complete in self._with_coupled(context):
                values = self.as_dict(complete)
                if all(tree_holds(c, lambda atom: atom_holds(atom, values)) for c in self.model.constraints):
                    found.append(complete)
            self._limit(found)
        return found

    def _limit(self, contexts):
        if self.limit and len(contexts) > self.limit:
            raise TooLarge("too many contexts")

    def _filled(self, contexts, names):
        """Each context with every combination of values for the names, as far as their guards let them have one."""
        for name in sorted(names, key=lambda n: self._depth(n)):
            contexts = [
                _replaced(context, self.index[name], value)
                for context in contexts
                for value in (self.parts[name] if self._enabled(name, context) else [None])
            ]
            self._limit(contexts)
        return contexts

    def _enabled(self, name, context):
        guard = self.model.variables[name].guard
        return guard is None or context[self.index[guard]] is True

    def _depth(self, name):
        guard = self.model.variables[name].guard
        return 0 if guard is None else 1 + self._depth(guard)

    def _with_coupled(self, context):
        valued = tuple(name for name in self.coupled if self._enabled(name, context))
        for point in self._coupled_points(valued):
            complete = list(context)
            for name, value in zip(valued, point):
                complete[self.index[name]] = value
            yield tuple(complete)

    def _coupled_points(self, valued):
        """Points for the coupled reals that have a value, one for each combination of signs of all planes.

        What actions may assign later must not merge points either: atoms are also taken with each assigned literal in
        place of its real, and with every value of the other variables.
        """
        if not valued:
            return [()]
        planes = [({name: Fraction(1)}, -value) for name in valued for value in self.assigned[name]]
        for atom in self.model.atoms:
            names = sorted(variables_of(atom))
            if not set(names) & set(valued) or not set(names) <= {*valued, *self.parts}:
                continue
            choices = [[None, *self.assigned[n]] if n in valued else self.parts[n] for n in names]
            for values in itertools.product(*choices):
                unknowns = {n for n, value in zip(names, values) if value is None}
                planes += planes_of(atom, dict(zip(names, values)), unknowns)
        planes = _distinct(planes)
        types = [(name, self.model.variables[name].type) for name in valued]
        points = {}
        for point in sample_points([(name, type_.low, type_.high) for name, type_ in types], planes):
            at = dict(zip(valued, point))
            sums = [sum(c * at[n] for n, c in form.items()) + constant for form, constant in planes]
            points.setdefault(tuple((s > 0) - (s < 0) for s in sums), point)
        return list(points.values())

    def _assigned(self, context, name, value):
        """An assignment to a variable without a value has no effect; one that changes a guard carries further."""
        at = self.index[name]
        if context[at] is None or context[at] == value:
            return [context]
        return self._filled([_replaced(context, at, value)], self.behind[name])


class IndependentWorld(World):
    """Contexts are the truths of all atoms, any combination of them: what `--ignore constraints` asks for."""

    def __init__(self, model, limit=None):
        self.model = model
        if limit and 2 ** len(model.atoms) > limit:
            raise TooLarge("too many combinations of atoms")
        self.contexts = list(itertools.product([False, True], repeat=len(model.atoms)))
        self._effect = functools.cache(self._effect)

    def truths(self, context):
        return context

    def _assigned(self, context, name, value):
        """A guard that is itself an atom and already holds is not made true again: what is behind it stays."""
        atoms = self.model.atoms
        already_on = value is True and ("bool", name) in atoms and context[atoms.index(("bool", name))]
        effect = self._effect(name, value, already_on)
        return itertools.product(*(choices or [truth] for choices, truth in zip(effect, context)))

    def _effect(self, name, value, already_on):
        """For each atom the truths that the assignment may give it, None where it changes nothing."""
        behind = set() if already_on else set(_behind(self.model, name))
        effect = []
        for atom in self.model.atoms:
            mentioned = variables_of(atom)
            if mentioned & behind:
                effect.append([False, True] if value is True else [False])
            elif mentioned == {name}:
                effect.append([atom_holds(atom, {name: value})])
            elif name in mentioned:
                effect.append([False, True])
            else:
                effect.append(None)
        return effect


def _behind(model, guard):
    """The variables that need this one to hold, directly or through other guards."""
    direct = [v.name for v in model.variables.values() if v.guard == guard]
    return direct + [name for inner in direct for name in _behind(model, inner)]


def _replaced(context, at, value):
    return context[:at] + (value,) + context[at + 1 :]
