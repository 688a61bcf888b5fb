#!/usr/bin/env python3
"""Tests of the oracle, each worked out by hand from the contract, and of the tests' own tools."""

import dataclasses
import json
import unittest
from fractions import Fraction

from compare import shrink
from generate import Quoted, expression, model_text, random_case
from oracle import Let, Model, Rule, Stream, Type, Variable, seconds, shortest_decimal, watch, windows

BOOL = Type("bool")
TEN = Type("int", Fraction(0), Fraction(10))
LEVEL = Type("real", Fraction(0), Fraction(1))
STRING = Type("string")
PLACE = Type("enum", members=("home", "office"))
DEVICES = Type("set", members=("pc", "car"))

S = Stream("S", {"tag": STRING, "n": TEN})
T = Stream("T", {"tag": STRING, "n": TEN})
FLAG, GO, COUNT = Variable("flag", BOOL), Variable("go", BOOL), Variable("count", TEN)

TRUE, FALSE = ("const", True), ("const", False)
SAME_TAG = ("compare", "==", ("field", "a", "tag"), ("field", "b", "tag"))


def holds(name):
    return ("holds", ("var", name))


def tag(name, text):
    return ("compare", "==", ("field", name, "tag"), ("lit", text))


def number(name, op, n):
    return ("compare", op, ("field", name, "n"), ("lit", Fraction(n)))


def exists(name, stream, body, window=None):
    return ("exists", name, stream, window and tuple(window.split()), body)


def every(name, stream, body, window=None):
    return ("all", name, stream, window and tuple(window.split()), body)


def rule(name, way, guard, priority=None, actions=()):
    sources, target = way.split(" -> ")
    return Rule(name, tuple(sources.split(", ")), target, guard, priority, actions)


def model(*rules, variables=(FLAG, GO, COUNT), lets=()):
    states = tuple(sorted({s for r in rules for s in (*r.sources, r.target)} | {"A"}))
    return Model(tuple(variables), (S, T), tuple(lets), states, "A", (), rules)


def log(*lines):
    """Lines given as (t, {"set": ...} or "+S x 1" or "-S x 1" or nothing)."""
    texts = []
    for t, *rest in lines:
        line = {"t": t}
        for what in rest:
            if isinstance(what, dict):
                line |= what
            else:
                sign, (stream, label, *n) = what[0], what[1:].split()
                value = {"tag": label} | ({"n": int(n[0])} if n else {})
                line |= {{"+": "add", "-": "remove"}[sign]: stream, "value": value}
        texts.append(json.dumps(line))
    return texts


def put(**values):
    return {"set": {name.replace("_", "."): value for name, value in values.items()}}


def firings(watched, lines):
    """Each as "t rule"."""
    return [f"{float(r['t']):g} {r['rule']}" for r in watch(watched, lines).reports if r["kind"] == "adapt"]


def faults(watched, lines):
    return [r for r in watch(watched, lines).reports if r["kind"] != "adapt"]


class Windows(unittest.TestCase):
    """Each rule leads back to its own state and so closes its run at once: it fires at every change where it holds."""

    def times(self, guard, lines, *more, **options):
        return [f.split()[0] for f in firings(model(rule("r", "A -> A", guard), *more, **options), lines)]

    def test_latest_is_the_last_added_whatever_its_age(self):
        guard = exists("a", "S", tag("a", "x"))
        lines = log((1, put()), (2, "+S x"), (900, put()), (901, "+S y"), (902, put()))
        self.assertEqual(self.times(guard, lines), ["2", "900"])

    def test_latest_comes_back_when_a_later_one_is_removed(self):
        guard = exists("a", "S", tag("a", "x"))
        lines = log((1, "+S x"), (2, "+S y"), (3, "-S y"), (4, "-S x"))
        self.assertEqual(self.times(guard, lines), ["1", "3"])

    def test_latest_of_nothing(self):
        self.assertEqual(self.times(exists("a", "S", TRUE), log((1,))), [])
        self.assertEqual(self.times(every("a", "S", FALSE), log((1,))), ["1"])

    def test_last_ends_where_age_is_the_span(self):
        guard = exists("a", "S", TRUE, "last 5s")
        lines = log((1, "+S x"), (5.9, put()), (6, put()), (7, put()))
        self.assertEqual(self.times(guard, lines), ["1", "5.9"])

    def test_an_expiry_is_a_change_before_the_line_of_its_time(self):
        guard = ("and", ("not", exists("a", "S", TRUE, "last 5s")), holds("flag"))
        watched = model(rule("r", "A -> B", guard))
        lines = log((1, "+S x"), (2, put(flag=True)), (6, put(flag=False)))
        self.assertEqual(firings(watched, lines), ["6 r"])
        self.assertEqual(watch(watched, lines).expiries, 1)
        self.assertEqual(watch(watched, lines).changes, 4)

    def test_an_expiry_has_its_own_time(self):
        guard = every("a", "S", number("a", "<", 5), "last 1.5s")
        watched = model(rule("r", "A -> B", guard))
        self.assertEqual(firings(watched, log((1, "+S x 7"), (9,))), ["2.5 r"])

    def test_nothing_expires_before_the_next_line(self):
        guard = every("a", "S", FALSE, "last 1s")
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S x"), (1.5,))), [])

    def test_equal_expiries_are_one_change(self):
        watched = model(
            rule("r", "A -> A", exists("a", "S", FALSE, "last 2s")),
            rule("q", "A -> A", exists("a", "T", FALSE, "last 1000ms")),
        )
        lines = log((1, "+S x"), (1, "+S y"), (2, "+T x"), (9,))
        self.assertEqual(watch(watched, lines).expiries, 1)

    def test_one_element_leaves_each_window_by_itself(self):
        watched = model(
            rule("r", "A -> A", exists("a", "S", FALSE, "last 2s")),
            rule("q", "B -> A", exists("a", "S", FALSE, "last 3s")),
        )
        self.assertEqual(watch(watched, log((1, "+S x"), (9,))).expiries, 2)

    def test_a_removed_element_does_not_expire(self):
        watched = model(rule("r", "A -> A", exists("a", "S", FALSE, "last 2s")))
        self.assertEqual(watch(watched, log((1, "+S x"), (2, "-S x"), (9,))).expiries, 0)
        self.assertEqual(watch(watched, log((1, "+S x"), (9, "-S x"), (20,))).expiries, 1)

    def test_windows_of_lets_count_only_where_a_rule_calls_them(self):
        old = Let("old", (), exists("a", "S", FALSE, "last 2s"))
        idle = model(rule("r", "A -> A", FALSE), lets=[old])
        used = model(rule("r", "A -> A", ("call", "old", ())), lets=[old])
        lines = log((1, "+S x"), (9,))
        self.assertEqual([watch(idle, lines).expiries, watch(used, lines).expiries], [0, 1])
        self.assertEqual(windows(used, used.rules[0].guard), {("S", ("last", "2s"))})

    def test_the_end_of_a_next_window_is_no_change(self):
        guard = every("a", "S", TRUE, "next 2s")
        watched = model(rule("r", "A -> B", guard))
        self.assertEqual(firings(watched, log((1, put()), (2.9, put()), (7, put()))), ["7 r"])
        self.assertEqual(watch(watched, log((1, "+S x"), (7,))).expiries, 0)

    def test_next_all_waits_for_the_end(self):
        guard = every("a", "S", tag("a", "x"), "next 2s")
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S x"), (2, "+S x"), (3,))), ["3 r"])
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S x"), (2, "+S y"), (3,))), [])

    def test_what_comes_at_the_end_is_out(self):
        guard = every("a", "S", tag("a", "x"), "next 2s")
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S x"), (3, "+S y"))), ["3 r"])

    def test_next_exists_holds_at_once(self):
        guard = exists("a", "S", tag("a", "x"), "next 2s")
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S y"), (2, "+S x"), (3,))), ["2 r"])

    def test_the_first_line_is_after_the_initial_state_was_entered(self):
        guard = exists("a", "S", TRUE, "next 2s")
        self.assertEqual(firings(model(rule("r", "A -> B", guard)), log((1, "+S x"))), ["1 r"])

    def test_not_before_an_undecided_quantifier_is_not_true(self):
        none = ("not", exists("a", "S", tag("a", "x"), "next 2s"))
        self.assertEqual(self.times(none, log((1, put()), (2, put()), (3, put()))), ["3"])
        some_other = ("not", every("a", "S", tag("a", "x"), "next 2s"))
        lines = log((1, put()), (2, "+S y"), (3, put()))
        self.assertEqual(firings(model(rule("r", "A -> B", some_other)), lines), ["2 r"])

    def test_undecided_in_other_formulas(self):
        open_ = exists("a", "S", TRUE, "next 9s")
        for guard, true in [
            (("or", open_, TRUE), True),
            (("or", open_, FALSE), False),
            (("and", ("not", open_), TRUE), False),
            (("not", ("and", open_, FALSE)), True),
            (("implies", open_, open_), False),
            (("implies", FALSE, open_), True),
            (("iff", open_, open_), False),
            (("iff", open_, FALSE), False),
        ]:
            self.assertEqual(bool(self.times(guard, log((1, put())))), true, expression(guard))

    def test_undecided_inside_a_quantifier(self):
        inner = exists("b", "T", SAME_TAG, "next 3s")
        lines = log((1, "+S x"), (2, "+T x"))
        self.assertEqual(firings(model(rule("r", "A -> B", exists("a", "S", inner))), lines), ["2 r"])
        self.assertEqual(firings(model(rule("r", "A -> B", every("a", "S", inner))), lines), ["2 r"])
        neither = ("not", exists("a", "S", inner))
        self.assertEqual(firings(model(rule("r", "A -> B", neither)), log((1, "+S x"), (2, "+T y"))), [])
        self.assertEqual(firings(model(rule("r", "A -> B", neither)), log((1, "+S x"), (2, "+T y"), (4,))), ["4 r"])

    def test_next_counts_from_the_entry_by_another_line(self):
        watched = model(
            rule("in", "A -> B", exists("a", "S", tag("a", "in"))),
            rule("out", "B -> C", exists("a", "S", TRUE, "next 2s")),
        )
        # The line that leads to B is before B, one of the same time behind it is not.
        self.assertEqual(firings(watched, log((1, put()), (2, "+S in"), (2, "+S x"))), ["2 in", "2 out"])
        self.assertEqual(firings(watched, log((1, put()), (2, "+S in"), (4, "+S x"))), ["2 in"])
        self.assertEqual(firings(watched, log((1, put()), (2, "+S in"), (3.9, "+S x"))), ["2 in", "3.9 out"])

    def test_a_state_entered_at_an_expiry_is_entered_before_the_line(self):
        watched = model(
            rule("in", "A -> B", ("and", holds("flag"), every("a", "S", FALSE, "last 5s"))),
            rule("out", "B -> C", exists("a", "T", TRUE, "next 2s")),
        )
        lines = log((1, "+S x"), (2, put(flag=True)), (7, "+T x"))
        self.assertEqual(firings(watched, lines), ["6 in", "7 out"])

    def test_entering_again_opens_a_new_window(self):
        watched = model(
            rule("again", "A -> A", exists("a", "S", tag("a", "again"))),
            rule("out", "A -> B", every("a", "T", FALSE, "next 5s")),
        )
        self.assertEqual(firings(watched, log((1, put()), (6, put()))), ["6 out"])
        # The cycle at 4 enters A anew: its window now lasts until 9.
        lines = log((1, put()), (4, "+S again"), (4, "+S other"), (6, put()), (9, put()))
        self.assertEqual(firings(watched, lines), ["4 again", "4 again", "9 out"])


class Elements(unittest.TestCase):
    def fires(self, guard, *lines, **options):
        return firings(model(rule("r", "A -> B", guard), **options), log(*lines))

    def test_joins(self):
        guard = exists("a", "S", exists("b", "T", SAME_TAG, "last 9s"), "last 9s")
        self.assertEqual(self.fires(guard, (1, "+S x"), (2, "+S y"), (3, "+T z"), (4, "+T x")), ["4 r"])
        guard = exists("a", "S", every("b", "T", ("not", SAME_TAG), "last 2s"), "last 9s")
        self.assertEqual(self.fires(guard, (1, "+T x"), (2, "+S x"), (5,)), ["3 r"])

    def test_a_field_without_a_value(self):
        equal = exists("a", "S", exists("b", "T", SAME_TAG))
        unequal = exists("a", "S", exists("b", "T", ("compare", "!=", *SAME_TAG[2:])))
        for value in ({}, {"tag": None}):
            lines = [(1, {"add": "S", "value": value}), (1, {"add": "T", "value": {}}), (2, "+T x")]
            self.assertEqual(self.fires(equal, *lines), [])
            self.assertEqual(self.fires(unequal, *lines), [])
            self.assertEqual(self.fires(exists("a", "S", ("not", tag("a", "x"))), *lines), ["1 r"])

    def test_inner_names_hide_outer_ones(self):
        guard = exists("a", "S", exists("a", "T", tag("a", "x")))
        self.assertEqual(self.fires(guard, (1, "+S x"), (2, "+T y")), [])
        self.assertEqual(self.fires(guard, (1, "+S y"), (2, "+T x")), ["2 r"])

    def test_lets_do_not_see_the_place_where_they_are_called(self):
        seen = Let("seen", ("a",), exists("b", "T", SAME_TAG))
        guard = exists("b", "S", ("call", "seen", (("element", "b"),)))
        self.assertEqual(self.fires(guard, (1, "+S x"), (2, "+T y"), lets=[seen]), [])
        self.assertEqual(self.fires(guard, (1, "+S x"), (2, "+T x"), lets=[seen]), ["2 r"])

    def test_arguments_of_all_sorts(self):
        near = Let("near", ("p", "q"), ("compare", "<", ("-", ("value", "p"), ("value", "q")), ("lit", Fraction(2))))
        both = Let("both", ("p", "q"), ("and", ("truth", "p"), ("truth", "q")))
        close = ("call", "near", (("field", "a", "n"), ("var", "count")))
        guard = exists("a", "S", ("call", "both", (close, exists("b", "T", TRUE))))
        lines = [(1, "+S x 5"), (2, "+T x"), (3, put(count=3)), (4, put(count=4))]
        self.assertEqual(self.fires(guard, *lines, lets=[near, both]), ["4 r"])

    def test_the_newest_of_equal_elements_is_removed(self):
        guard = ("and", holds("flag"), exists("a", "S", tag("a", "x"), "last 5s"))
        lines = [(1, "+S x"), (4, "+S x"), (5, "-S x"), (6.5, put(flag=True))]
        self.assertEqual(self.fires(guard, *lines), [])
        self.assertEqual(self.fires(guard, *lines[:2], lines[3]), ["6.5 r"])

    def test_all_fields_count_for_a_removal(self):
        some = exists("a", "S", holds("flag"), "last 1h")
        turn_on = (3, put(flag=True))
        for removal, gone in [("-S x 1", True), ("-S x", False), ("-S x 2", False), ("-T x 1", False)]:
            self.assertEqual(self.fires(some, (1, "+S x 1"), (2, removal), turn_on), [] if gone else ["3 r"])
        missing = (1, {"add": "S", "value": {"tag": "x", "n": None, "more": 1}})
        self.assertEqual(self.fires(some, missing, (2, "-S x"), turn_on), [])

    def test_removing_nothing_is_a_change(self):
        guard = every("a", "S", TRUE, "next 2s")
        self.assertEqual(self.fires(guard, (1,), (5, "-S x")), ["5 r"])

    def test_numbers_are_exact(self):
        level = Variable("level", LEVEL)
        sum_ = ("+", ("var", "level"), ("lit", Fraction("0.2")))
        guard = ("compare", "==", sum_, ("lit", Fraction("0.3")))
        self.assertEqual(self.fires(guard, (1, put(level=0.1)), variables=[level]), ["1 r"])


class Context(unittest.TestCase):
    GPS = (Variable("gps.on", BOOL), Variable("gps.near", BOOL, "gps.on"), Variable("gps.place", PLACE, "gps.near"),
           Variable("flag", BOOL), Variable("devices", DEVICES), Variable("lamp", BOOL, own=True, initial=False))
    HOME = ("compare", "==", ("var", "gps.place"), ("lit", "home"))

    def fires(self, guard, *lines):
        return firings(model(rule("r", "A -> B", guard), variables=self.GPS), log(*lines))

    def test_no_value_before_the_first(self):
        for guard in (self.HOME, ("compare", "!=", *self.HOME[2:]), holds("flag"), ("has", "devices", "pc")):
            self.assertEqual(self.fires(guard, (1,)), [])
            self.assertEqual(self.fires(("not", guard), (1,)), ["1 r"])

    def test_null_takes_the_value(self):
        guard = ("and", ("not", holds("flag")), ("has", "devices", "pc"))
        lines = [(1, put(flag=True, devices=["pc"])), (2, put(flag=None))]
        self.assertEqual(self.fires(guard, *lines), ["2 r"])

    def test_what_is_behind_a_guard_that_does_not_hold_has_no_value(self):
        self.assertEqual(self.fires(self.HOME, (1, put(gps_place="home"))), [])
        self.assertEqual(self.fires(self.HOME, (1, put(gps_near=True, gps_place="home"))), [])
        self.assertEqual(self.fires(self.HOME, (1, put(gps_on=True, gps_near=True, gps_place="home"))), ["1 r"])

    def test_a_guard_that_holds_again_brings_nothing_back(self):
        on = put(gps_on=True, gps_near=True, gps_place="home")
        guard = ("and", holds("flag"), self.HOME)
        lines = [(1, on), (2, put(gps_on=False)), (3, put(gps_on=True, gps_near=True)), (4, put(flag=True))]
        self.assertEqual(self.fires(guard, *lines), [])
        self.assertEqual(self.fires(guard, *lines, (5, put(gps_place="home"))), ["5 r"])
        self.assertEqual(self.fires(guard, (1, on), (2, put(gps_on=True)), (4, put(flag=True))), ["4 r"])

    def test_members_of_a_set_that_was_never_set(self):
        guard = ("has", "devices", "pc")
        self.assertEqual(self.fires(guard, (1, {"add": "devices", "value": "pc"})), ["1 r"])
        watched = model(
            rule("r", "A -> A", guard),
            rule("q", "A -> A", ("has", "devices", "car"), 1),
            variables=self.GPS,
        )
        lines = log((1, {"remove": "devices", "value": "pc"}), (2, {"add": "devices", "value": "pc"}),
                    (3, {"add": "devices", "value": "car"}), (4, {"remove": "devices", "value": "car"}),
                    (5, put(devices=[])))
        self.assertEqual(firings(watched, lines), ["2 r", "3 q", "4 r"])

    def test_a_set_that_a_member_was_added_to_is_whole(self):
        for change, left in ({"add": "devices", "value": "pc"}, {"pc"}), ({"remove": "devices", "value": "pc"}, set()):
            again = rule("r", "A -> A", TRUE, actions=(("devices", frozenset(left)),))
            found = faults(model(again, variables=self.GPS), log((1, change)))
            self.assertEqual([(f["path"], f["loop"]) for f in found], [(["r"], 0)])

    def test_actions_respect_guards(self):
        def after(*actions):
            start = put(gps_on=True, gps_near=True, gps_place="office")
            watched = model(
                rule("r", "A -> B", holds("flag"), actions=actions),
                rule("home", "B -> C", self.HOME),
                rule("some", "B -> C", ("in", ("var", "gps.place"), ("home", "office"))),
                rule("none", "B -> C", ("not", ("in", ("var", "gps.place"), ("home", "office")))),
                variables=self.GPS,
            )
            return firings(watched, log((1, start), (2, put(flag=True))))[1][2:]

        off, on, near = ("gps.on", False), ("gps.on", True), ("gps.near", True)
        home = ("gps.place", "home")
        self.assertEqual(after(), "some")
        self.assertEqual(after(home), "home")
        self.assertEqual(after(off), "none")
        self.assertEqual(after(off, on, near), "none")
        self.assertEqual(after(off, home, on, near), "none")
        self.assertEqual(after(off, on, near, home), "home")
        self.assertEqual(after(on, ("notify",)), "some")

    def test_own_variables_start_as_declared_in_every_instance(self):
        watched = model(rule("r", "A -> A", ("not", holds("lamp")), actions=(("lamp", True),)), variables=self.GPS)
        lines = log((1,), (2,), (2, {"app": "b"}), (3, {"app": "b"}))
        found = watch(watched, lines).reports
        self.assertEqual([(r["t"], r["app"], r["kind"]) for r in found], [(1, "", "adapt"), (2, "b", "adapt")])


class Runs(unittest.TestCase):
    def test_the_strongest_priority_fires(self):
        watched = model(rule("none", "A -> B", TRUE), rule("two", "A -> B", TRUE, 2), rule("zero", "A -> B", TRUE, 0))
        self.assertEqual(firings(watched, log((1,))), ["1 zero"])
        self.assertEqual(faults(watched, log((1,))), [])

    def test_a_rule_without_a_priority_is_weakest(self):
        watched = model(rule("none", "A -> B", TRUE), rule("many", "A -> B", TRUE, 10**9))
        self.assertEqual(firings(watched, log((1,))), ["1 many"])

    def test_nondeterminism(self):
        watched = model(rule("q", "B, A -> B", TRUE, 1), rule("p", "A -> C", TRUE, 1), rule("o", "A -> C", TRUE, 2))
        reports = watch(watched, log((13,))).reports
        self.assertEqual(
            json.dumps(reports[0] | {"t": 13.0}),
            '{"t": 13.0, "app": "", "kind": "nondeterminism", "state": "A", "rules": ["q", "p"], "chosen": "q"}',
        )
        self.assertEqual([r["kind"] for r in reports], ["nondeterminism", "adapt", "adapt", "cycle"])

    def test_nondeterminism_at_every_firing(self):
        watched = model(
            rule("a1", "A -> B", TRUE),
            rule("a2", "A -> C", TRUE),
            rule("b1", "B -> C", TRUE),
            rule("b2", "B -> C", TRUE),
        )
        kinds = [(r["kind"], r["state"]) for r in faults(watched, log((1,)))]
        self.assertEqual(kinds, [("nondeterminism", "A"), ("nondeterminism", "B"), ("race", "A")])

    def test_a_single_firing_is_no_fault(self):
        self.assertEqual(faults(model(rule("r", "A -> B", TRUE)), log((1,), (2,))), [])

    def test_race(self):
        watched = model(rule("r", "A -> B", holds("flag")), rule("q", "B -> C", TRUE))
        found = faults(watched, log((1,), (2.5, put(flag=True))))
        self.assertEqual(found, [{"t": Fraction("2.5"), "app": "", "kind": "race", "state": "A", "path": ["r", "q"],
                                  "ends": "C"}])
        self.assertEqual(list(found[0]), ["t", "app", "kind", "state", "path", "ends"])

    def test_cycle_of_one_firing(self):
        found = faults(model(rule("r", "A -> A", TRUE)), log((1,)))
        self.assertEqual([(f["path"], f["loop"]) for f in found], [(["r"], 0)])

    def test_cycle_that_does_not_start_with_the_run(self):
        watched = model(rule("r", "A -> B", TRUE), rule("q", "B -> C", TRUE), rule("p", "C -> B", TRUE))
        found = faults(watched, log((1,)))
        self.assertEqual([(f["state"], f["path"], f["loop"]) for f in found], [("A", ["r", "q", "p"], 1)])

    def test_a_cycle_shows_again_at_the_next_change(self):
        watched = model(rule("r", "A -> B", TRUE), rule("q", "B -> C", TRUE), rule("p", "C -> B", TRUE))
        found = faults(watched, log((1,), (2,)))
        starts = [(f["t"], f["state"], f["path"]) for f in found]
        self.assertEqual(starts, [(1, "A", ["r", "q", "p"]), (2, "B", ["q", "p"])])

    def test_a_cycle_shows_again_at_an_expiry(self):
        watched = model(rule("r", "A -> A", ("or", TRUE, exists("a", "S", TRUE, "last 5s"))))
        self.assertEqual([f["t"] for f in faults(watched, log((1, "+S x"), (9,)))], [1, 6, 9])

    def test_variables_are_part_of_the_configuration(self):
        watched = model(
            rule("up", "A -> B", ("not", holds("flag")), actions=(("flag", True),)), rule("back", "B -> A", TRUE)
        )
        found = faults(watched, log((1,)))
        self.assertEqual([(f["kind"], f["path"], f["ends"]) for f in found], [("race", ["up", "back"], "A")])

    def test_a_value_that_is_gone_differs_from_false(self):
        watched = model(rule("r", "A -> A", TRUE, actions=(("flag", False),)))
        self.assertEqual([(f["path"], f["loop"]) for f in faults(watched, log((1,)))], [(["r", "r"], 1)])

    def test_entering_a_state_that_looks_at_what_comes_next_is_new_once(self):
        closed = every("a", "S", TRUE, "next 2s")
        watched = model(rule("r", "A -> B", closed), rule("q", "B -> A", TRUE))
        # The window of A is closed at 3, but open after A was entered again: A, B, A is stable.
        found = faults(watched, log((1,), (3,)))
        self.assertEqual([(f["kind"], f["path"]) for f in found], [("race", ["r", "q"])])
        forever = model(rule("r", "A -> A", TRUE), rule("n", "A -> A", closed, 9))
        self.assertEqual([(f["path"], f["loop"]) for f in faults(forever, log((1,)))], [(["r", "r"], 1)])

    def test_one_that_looks_elsewhere_is_not(self):
        looks = rule("n", "B -> B", every("a", "S", TRUE, "next 2s"))
        watched = model(rule("r", "A -> A", TRUE), looks)
        self.assertEqual([(f["path"], f["loop"]) for f in faults(watched, log((1,)))], [(["r"], 0)])

    def test_a_closed_run_applies_its_last_firing(self):
        watched = model(rule("r", "A -> B", TRUE), rule("q", "B -> A", TRUE), rule("p", "A -> C", holds("flag"), 1))
        self.assertEqual(firings(watched, log((1,), (2, put(flag=True)))), ["1 r", "1 q", "2 p"])


BAD_LINES = """\
x
{
[]
3
null
{"t": 6} 7
{"t": "6"}
{"t": true}
{"t": NaN}
{"t": 4.9}
{"app": 1}
{"T": 6}
{"set": []}
{"set": {}, "add": "S", "value": {}}
{"add": "S"}
{"value": {}}
{"set": {}, "value": 1}
{"add": 1, "value": {}}
{"add": "S", "value": "x"}
{"add": "S", "value": {"tag": 1}}
{"remove": "S", "value": {"n": "1"}}
{"add": "S", "value": {"n": 11}}
{"add": "S", "value": {"n": 1.5}}
{"set": {"flag": 1}}
{"set": {"count": true}}
{"set": {"count": -1}}
{"set": {"place": "pub"}}
{"set": {"place": ["home"]}}
{"set": {"devices": "pc"}}
{"set": {"devices": ["tv"]}}
{"set": {"level": 1.01}}
{"set": {"level": "1"}}
{"add": "devices", "value": "tv"}
{"add": "devices", "value": ["pc"]}
{"remove": "flag", "value": true}
"""


class Logs(unittest.TestCase):
    FLAG = rule("r", "A -> B", holds("flag"))
    BACK = rule("q", "B -> A", ("not", holds("flag")))

    def bad(self, *texts):
        variables = (FLAG, COUNT, Variable("place", PLACE), Variable("devices", DEVICES), Variable("level", LEVEL))
        return watch(model(self.FLAG, variables=variables), ['{"t": 5}', *texts])

    def test_bad_lines(self):
        for text in ["", *BAD_LINES.splitlines()]:
            self.assertEqual(self.bad(text).bad_lines, [2], text)

    def test_good_lines(self):
        for text in ['{"t": 5}', '{"t": 5.0}', '{"app": "z", "t": 1}', '{"set": {}}', '{"add": "S", "value": {}}',
                     '{"add": "S", "value": {"tag": null, "more": [1]}}', '{"set": {"place": "home", "count": 10}}',
                     '{"set": {"devices": ["pc", "car"], "level": 0.25}}', '{"set": {"level": null}}']:
            self.assertEqual(self.bad(text).skipped, 0, text)

    def test_a_bad_line_changes_nothing(self):
        result = self.bad('{"t": 6, "set": {"flag": true, "count": "x"}}', '{"t": 5.5}')
        self.assertEqual((result.reports, result.events, result.skipped), ([], 2, 1))

    def test_unknown_names_are_counted_and_the_line_is_a_change(self):
        guard = every("a", "S", TRUE, "next 1s")
        for line in ({"set": {"zzz": 1}}, {"add": "Z", "value": 1}, {"remove": "Z", "value": {}}):
            result = watch(model(rule("r", "A -> B", guard)), log((1,), (3, line)))
            self.assertEqual((result.unknown, result.events, result.adaptations), (1, 2, 1))

    def test_a_line_without_a_time(self):
        lines = ['{"set": {"flag": true}}', '{"t": 3}', '{"set": {"flag": false}}']
        self.assertEqual(firings(model(self.FLAG, self.BACK), lines), ["0 r", "3 q"])

    def test_a_line_with_a_time_only_is_a_change(self):
        watched = model(rule("r", "A -> B", every("a", "S", TRUE, "next 2s")))
        self.assertEqual(firings(watched, log((1,), (3,))), ["3 r"])

    def test_instances_are_independent(self):
        watched = model(rule("r", "A -> B", exists("a", "S", holds("flag"), "last 5s")), self.BACK)
        one, two = {"app": "one"}, {"app": "two"}
        lines = log((10, "+S x", one), (1, put(flag=True), two), (2, "+S x", two), (11, put(flag=True), one),
                    (1.5, two), (30, put(flag=False), one))
        result = watch(watched, lines)
        self.assertEqual([(r["t"], r["app"], r["rule"]) for r in result.reports],
                         [(2, "two", "r"), (11, "one", "r"), (30, "one", "q")])
        self.assertEqual((result.bad_lines, result.expiries), ([5], 1))

    def test_times_are_exact(self):
        guard = exists("a", "S", TRUE, "last 350ms")
        lines = ['{"t": 1700000000.123456789, "add": "S", "value": {}}', '{"t": 1700000000.473456788}',
                 '{"t": 1700000000.473456789}']
        result = watch(model(rule("r", "A -> A", guard)), lines)
        times = [shortest_decimal(r["t"]) for r in result.reports if r["kind"] == "adapt"]
        self.assertEqual(times, ["1700000000.123456789", "1700000000.473456788"])
        self.assertEqual(result.expiries, 1)

    def test_shortest_decimals(self):
        for text in ("0.0", "13.0", "0.5", "12.25", "-3.0", "-0.125", "1700000000.123456789"):
            self.assertEqual(shortest_decimal(Fraction(text)), text)

    def test_durations(self):
        self.assertEqual([seconds(d) for d in ("350ms", "60s", "1m", "2h", "1.5s")],
                         [Fraction("0.35"), 60, 60, 7200, Fraction("1.5")])


class Tools(unittest.TestCase):
    def test_expressions_as_text(self):
        p, q = ("holds", ("var", "p")), ("holds", ("var", "q"))
        some = exists("a", "S", p, "last 5s")
        for tree, text in [
            (("and", ("or", p, q), p), "(p or q) and p"),
            (("or", p, ("and", q, p)), "p or q and p"),
            (("implies", ("implies", p, q), p), "(p implies q) implies p"),
            (("implies", p, ("implies", q, p)), "p implies q implies p"),
            (("not", ("and", p, q)), "not (p and q)"),
            (("not", tag("a", Quoted("x y"))), 'not a.tag == "x y"'),
            (("and", some, q), "(exists a in S[last 5s]: p) and q"),
            (("and", q, some), "q and exists a in S[last 5s]: p"),
            (("or", ("and", q, some), q), "q and (exists a in S[last 5s]: p) or q"),
            (("and", ("not", some), q), "not (exists a in S[last 5s]: p) and q"),
            (("not", exists("a", "S", ("iff", p, q))), "not exists a in S: p iff q"),
            (("iff", ("or", p, some), q), "p or (exists a in S[last 5s]: p) iff q"),
            (("compare", "<", ("-", ("var", "x"), ("-", ("var", "y"), ("lit", Fraction(-1)))), ("lit", Fraction(2))),
             "x - (y - (-1)) < 2"),
            (("call", "f", (("element", "a"), some)), "f(a, exists a in S[last 5s]: p)"),
        ]:
            self.assertEqual(expression(tree), text)

    def test_a_seed_gives_one_case(self):
        (one, lines), (two, again) = random_case(7), random_case(7)
        self.assertEqual((model_text(one), lines), (model_text(two), again))
        self.assertNotEqual(model_text(one), model_text(random_case(8)[0]))

    def test_random_cases_show_everything(self):
        shown = {}
        for seed in range(60):
            watched, lines = random_case(seed)
            result = watch(watched, lines)
            for key in {report["kind"] for report in result.reports}:
                shown[key] = shown.get(key, 0) + 1
            shown["expiry"] = shown.get("expiry", 0) + (result.expiries > 0)
            shown["bad"] = shown.get("bad", 0) + (result.skipped > 0)
        for key, least in {"adapt": 50, "nondeterminism": 8, "race": 12, "cycle": 20, "expiry": 20, "bad": 5}.items():
            self.assertGreaterEqual(shown.get(key, 0), least, key)

    def test_shrinking(self):
        watched = model(rule("r", "A -> B", ("and", holds("flag"), exists("a", "S", TRUE))), rule("q", "B -> C", TRUE))
        lines = log((1,), (2, put(flag=True)), (3, "+S x"), (4,), (5, "+S y"))

        def differs(smaller, fewer):
            return "r" in {report.get("rule") for report in watch(smaller, fewer).reports}

        smaller, fewer = shrink(watched, lines, differs)
        self.assertEqual([r.name for r in smaller.rules], ["r"])
        self.assertEqual(len(fewer), 1)
        self.assertEqual(len(dataclasses.asdict(smaller)["variables"]), 0)


if __name__ == "__main__":
    unittest.main()
