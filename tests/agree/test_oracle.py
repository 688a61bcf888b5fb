#!/usr/bin/env python3
"""Tests of the oracle: the figures that the papers print, the contract's rules one by one, and the tests' own tools."""

import collections
import copy
import functools
import itertools
import json
import random
import unittest
from fractions import Fraction

import compare
from oracle import Explorer, Options, answer, atom_text, check, decimal
from random_models import Profile, random_model
from reader import ModelError, read_expression, read_model
from worlds import ConcreteWorld, atom_holds, tree_holds

ALL = Options(all=True)


@functools.cache
def checked(text, **options):
    return check(read_model(text), Options(**{"all": True, **options}))


def faults(text, kind, **options):
    return [fault for fault in checked(text, **options)["faults"] if fault["kind"] == kind]


def paths(text, kind, **options):
    return [(f["state"], " ".join(f["path"])) for f in faults(text, kind, **options)]


# ---------------------------------------------------------------------------------------------------- known answers

PHONE_RULES = """
    state General initial
    state Outdoor, Jogging, Driving, DrivingFast, Home, Office, Meeting, Sync

    let outdoor = Agps and not Bgps and not Cgps
    let jogging = Agps and Dgps
    let driving = Abt
    let fast    = Agps and Egps
    let at_home = Bbt or (Agps and Bgps)
    let at_work = Cbt or Dbt or (Agps and Cgps)
    let syncing = Bbt or Cbt

    rule ActivateOutdoor:       General -> Outdoor     priority 5 when outdoor
    rule DeactivateOutdoor:     Outdoor -> General     priority 5 when not outdoor
    rule ActivateJogging:       Outdoor -> Jogging     priority 5 when jogging
    rule DeactivateJogging:     Jogging -> JOGGING_BACK priority 5 when not jogging
    rule ActivateDriving: General, Home, Office, Outdoor -> Driving priority 1 when driving
    rule DeactivateDriving:     Driving -> General     priority 1 when not driving
    rule ActivateDrivingFast:   Driving -> DrivingFast priority 0 when fast
    rule DeactivateDrivingFast: DrivingFast -> Driving priority 0 when not fast
    rule ActivateHome:          General -> Home        priority 5 when at_home
    rule DeactivateHome:        Home -> General        priority 5 when not at_home
    rule ActivateOffice:        General -> Office      priority 5 when at_work
    rule DeactivateOffice:      Office -> General      priority 5 when not at_work
    rule ActivateMeeting:       Office -> Meeting      priority 4 when At and Ebt
    rule DeactivateMeeting:     Meeting -> Office      priority 4 when Bt
    rule ActivateSync:          General -> Sync        priority 9 when syncing
    rule DeactivateSync:        Sync -> General        priority 9 when not syncing
"""

PHONE_ATOMS = "Agps Bgps Cgps Dgps Egps Abt Bbt Cbt Dbt Ebt At Bt".split()

PHONE_CONTEXT = "".join(f"sense {name} : bool\n" for name in PHONE_ATOMS)

PHONE_CONSTRAINTS = """
    constraint gps_on: not Agps implies not Bgps and not Cgps and not Dgps and not Egps
    constraint place: (Bgps implies not Cgps) and (Cgps implies not Bgps)
    constraint speed: Egps implies Dgps
    constraint time: Bt implies At
"""

PHONE_TYPED = """
    sense gps.on     : bool
    sense gps.place  : {home, office, elsewhere} IF_ON
    sense gps.speed  : real 0..350               IF_ON
    sense bt.devices : set {car_handsfree, home_pc, office_pc, office_phone}
    sense bt.count   : int 0..50
    sense clock      : int 0..1439
    let Agps = gps.on
    let Bgps = gps.place == home
    let Cgps = gps.place == office
    let Dgps = gps.speed > 5
    let Egps = gps.speed > 70
    let Abt = bt.devices has car_handsfree
    let Bbt = bt.devices has home_pc
    let Cbt = bt.devices has office_pc
    let Dbt = bt.devices has office_phone
    let Ebt = bt.count >= 3
    let At = clock >= 600
    let Bt = clock >= 660
"""


def phone(context=PHONE_CONTEXT, jogging_back="General"):
    return context + PHONE_RULES.replace("JOGGING_BACK", jogging_back)


def totals(result, *kinds):
    """The situations of the faults of these kinds, added up for each state; states without any are left out."""
    found = collections.Counter()
    for fault in result["faults"]:
        if fault["kind"] in kinds:
            found[fault["state"]] += int(fault["situations"])
    return dict(found)


class PhoneAdapter(unittest.TestCase):
    """The tables of the A-FSM and the AFChecker papers."""

    TABLE_2 = {  # state: (races, cycles)
        "General": (45, 13),
        "Outdoor": (135, 23),
        "Jogging": (97, 19),
        "Driving": (36, 13),
        "DrivingFast": (58, 19),
        "Home": (76, 19),
        "Office": (29, 1),
        "Meeting": (32, 1),
        "Sync": (27, 5),
    }

    def assert_table_2(self, result, table):
        races, cycles = totals(result, "race"), totals(result, "cycle")
        self.assertEqual({state: (races[state], cycles[state]) for state in table}, table)
        self.assertEqual(set(races) | set(cycles), set(table))

    def test_size(self):
        self.assertEqual(
            checked(phone())["size"], {"states": 9, "rules": 19, "atoms": 12, "situations": "4096"}
        )

    def test_nondeterminism_dead_rules_and_unreachable_states(self):
        result = checked(phone())
        self.assertEqual(totals(result, "nondeterminism"), {"General": 37, "Outdoor": 3})
        dead = [fault for fault in result["faults"] if fault["kind"] == "dead-rule"]
        self.assertEqual([(f["state"], f["rules"]) for f in dead], [("General", ["ActivateSync"])])
        self.assertEqual((dead[0]["cause"], dead[0]["by"]), ("shadowed", ["ActivateHome", "ActivateOffice"]))
        unreachable = [fault for fault in result["faults"] if fault["kind"] == "unreachable-state"]
        self.assertEqual([f["state"] for f in unreachable], ["Sync"])

    def test_races_and_cycles(self):
        self.assert_table_2(checked(phone(), ignore_priorities=True, count="rules"), self.TABLE_2)

    def test_races_and_cycles_of_the_typed_model_with_independent_atoms(self):
        text = phone(PHONE_TYPED.replace("IF_ON", "if gps.on"))
        result = checked(text, ignore_priorities=True, ignore_constraints=True, count="rules")
        self.assertEqual(result["size"]["situations"], "4096")
        self.assert_table_2(result, self.TABLE_2)

    def test_jogging_leads_to_outdoor_as_printed(self):
        result = checked(phone(jogging_back="Outdoor"), ignore_priorities=True, count="rules")
        self.assert_table_2(result, {**self.TABLE_2, "Jogging": (206, 35)})

    def test_constraints_leave_960_situations(self):
        constrained = phone(PHONE_CONTEXT + PHONE_CONSTRAINTS)
        typed = phone(PHONE_TYPED.replace("IF_ON", "if gps.on"))
        results = [checked(text) for text in (constrained, typed)]
        for result in results:
            self.assertEqual(result["size"], {"states": 9, "rules": 19, "atoms": 12, "situations": "960"})
        for key in ("unstable", "faults"):
            self.assertEqual(results[0][key], results[1][key])

    def test_afchecker_reports_784(self):
        result = checked(phone(jogging_back="Outdoor"), count="start")
        self.assertEqual(sum(totals(result, "nondeterminism").values()), 40)
        self.assertEqual(sum(totals(result, "race", "cycle").values()), 744)

    def test_afchecker_leaves_633_after_pruning(self):
        pairs = """
            constraint not (Bgps and Cgps)
            constraint Egps implies Dgps
            constraint Bt implies At
        """
        for context in (PHONE_CONTEXT + pairs, PHONE_TYPED.replace("IF_ON", "")):
            result = checked(phone(context, jogging_back="Outdoor"), count="start")
            self.assertEqual(sum(totals(result, "nondeterminism", "race", "cycle").values()), 633)


STOCK = (
    "".join(f"sense {name} : bool\n" for name in "pL pS aL gL aS gS pr".split())
    + """
    state loading initial
    state transporting, unloading_1, unloading_2, returning, energy_saving
    rule r1: loading -> transporting when gL
    rule r2: transporting -> unloading_1 when aS and pS
    rule r3: unloading_1 -> unloading_2 when pr
    rule r4: unloading_2 -> returning when gS
    rule r5: returning -> loading when aL
    rule r12: energy_saving -> loading when aL or pL
"""
)


class StockTracking(unittest.TestCase):
    """The simple rules of the AM-IRE paper: one fault per start state and full assignment."""

    def assert_figures(self, text, nondeterminism, races, cycles):
        result = checked(text, count="all")
        figures = [sum(totals(result, kind).values()) for kind in ("nondeterminism", "race", "cycle")]
        self.assertEqual(figures, [nondeterminism, races, cycles])

    def test_without_constraints(self):
        self.assert_figures(STOCK, 0, 164, 12)

    def test_exactly_one_of_arrived_and_gone(self):
        self.assert_figures(STOCK + "constraint aL iff not gL constraint aS iff not gS", 0, 32, 0)


TASKER = (
    "".join(f"sense {n} : bool\n" for n in "wh wo gps lh lo lp fast slow start end midnight morning low".split())
    + """
    state Outdoor initial
    state Home, Office, Meeting, Running, Sleeping, PowerSaving
    rule ActivateHome: Outdoor -> Home priority 1 when wh or (gps and lh)
    rule ActivateOffice: Outdoor -> Office priority 0 when wo or (gps and lo)
    rule ActivateOutdoor: Office, Home -> Outdoor priority 1 when gps and not lo and not lh
    rule ActivateMeeting: Office -> Meeting priority 0 when start
    rule DeactivateMeeting: Meeting -> Office priority 0 when end
    rule ActivateRunning: Outdoor -> Running priority 2 when gps and lp and fast
    rule DeactivateRunning: Running -> Outdoor priority 2 when gps and lp and slow
    rule ActivateSleeping: Home -> Sleeping priority 0 when midnight
    rule DeactivateSleeping: Sleeping -> Home priority 0 when morning
    rule ActivatePowerSaving: Outdoor -> PowerSaving priority 1 when low
    rule DeactivatePowerSaving: PowerSaving -> Outdoor priority 1 when not low
"""
)


class Tasker(unittest.TestCase):
    def test_587_reported(self):
        result = checked(TASKER, count="start")
        self.assertEqual(sum(totals(result, "nondeterminism", "race", "cycle").values()), 587)


# ---------------------------------------------------------------------------------------------------- the language

ONE_STATE = "state A initial "


def atoms(text):
    return [atom_text(atom) for atom in read_model(text).atoms]


class Reading(unittest.TestCase):
    def condition(self, text):
        senses = "".join(f"sense {name} : bool " for name in "abcde")
        return read_expression(text, read_model(senses + ONE_STATE))

    def test_precedence(self):
        for loose, strict in [
            ("a or b and not c implies d iff e", "((a or (b and (not c))) implies d) iff e"),
            ("a implies b implies c", "a implies (b implies c)"),
            ("not a and b", "(not a) and b"),
            ("not a == true", "not (a == true)"),
        ]:
            self.assertEqual(self.condition(loose), self.condition(strict))
        self.assertNotEqual(self.condition("a implies b implies c"), self.condition("(a implies b) implies c"))

    def test_arithmetic_precedence(self):
        model = read_model("sense x : int -3..3 sense y : int -3..3 " + ONE_STATE)
        for loose, strict in [
            ("x + 2 * y < 1", "x + (2 * y) < 1"),
            ("x - y - 1 < 0", "(x - y) - 1 < 0"),
            ("-x * y < 0", "(-x) * y < 0"),
        ]:
            self.assertEqual(read_expression(loose, model), read_expression(strict, model))

    def test_durations_are_seconds(self):
        model = read_model("sense t : real 0..9999 " + ONE_STATE)
        for text, seconds in [("350ms", "0.35"), ("60s", "60"), ("5m", "300"), ("1.5h", "5400")]:
            self.assertEqual(read_expression(f"t > {text}", model), read_expression(f"t > {seconds}", model))

    def test_clauses_in_any_order_lines_and_comments_mean_nothing(self):
        rules = ["do v := 2 when x priority 1", "priority 1 # first\n when x\n do\n v := 2"]
        models = [
            read_model(f"sense x : bool var v : int 0..3 = 1 state A, B initial rule r: A, B -> B {rule}")
            for rule in rules
        ]
        self.assertEqual(models[0].rules, models[1].rules)
        rules = [(rule.state, rule.target, rule.actions) for rule in models[0].rules]
        self.assertEqual(rules, [("A", "B", (("v", 2),)), ("B", "B", (("v", 2),))])

    def test_let_is_expanded_where_it_is_used(self):
        text = """
            sense x : int 0..9 sense y : int 0..9 sense place : {home, work}
            let near(a, b) = a - b < 5   let sum = x + y   let at(v, m) = v == m   let home_ = at(place, home)
            state A initial
            rule r: A -> A when near(x, y) and x - y < 5 and sum > 3 and home_ and place == home and near(x, 2 * y)
        """
        self.assertEqual(atoms(text), ["(x - y) < 5", "(x + y) > 3", "place == home", "(x - (2 * y)) < 5"])

    def test_atoms_as_they_stand(self):
        text = "sense x : int 0..9 state A initial rule r: A -> A when x > 5 or 5 < x or x >= 6 or (x > 5) or x > 2 + 3"
        self.assertEqual(atoms(text), ["x > 5", "5 < x", "x >= 6", "x > (2 + 3)"])

    def test_member_before_variable(self):
        text = "sense home : bool sense p : {home, work} sense q : {home, work} state A initial rule r: A -> A when "
        self.assertEqual(read_model(text + "p == home").atoms, [("cmp", "==", ("var", "p"), ("lit", "home"))])
        self.assertEqual(read_model(text + "p == q").atoms, [("cmp", "==", ("var", "p"), ("var", "q"))])

    def test_only_used_lets_have_atoms(self):
        text = "sense x : bool sense y : bool let l = x constraint y state A initial rule r: A -> A when true"
        self.assertEqual(atoms(text), ["y"])

    def test_errors(self):
        context = "sense x : int 0..3 sense b : bool sense e : {m, n} sense s : set {m} state A initial "
        for rest in [
            "rule r: A -> A",
            "rule r: A -> A when x",
            "rule r: A -> A when x == m",
            "rule r: A -> A when e < m",
            "rule r: A -> A when e == 1",
            "rule r: A -> A when x < 1 < 2",
            "rule r: A -> A when y > 1",
            "rule r: A -> B when true",
            "rule r: A -> A when true do x := 4",
            "rule r: A -> A when true do s := {n}",
            "rule r: A -> A when true when true",
            "rule r: A -> A when true rule r: A -> A when true",
            "state B initial",
            "state B final rule r: B -> A when true",
            "sense y : bool if x",
        ]:
            with self.subTest(rest), self.assertRaises(ModelError):
                read_model(context + rest)


class Meaning(unittest.TestCase):
    GPS = """
        sense gps.on : bool
        sense gps.fix : bool if gps.on
        sense gps.speed : real 0..350 if gps.fix
        sense gps.place : {home, work} if gps.on
        sense gps.seen : set {p, q} if gps.on
        state A initial
    """

    def holds(self, text, **values):
        model = read_model(self.GPS)
        context = {name: None for name in model.variables}
        context.update({"gps." + name: value for name, value in values.items()})
        return tree_holds(read_expression(text, model), lambda atom: atom_holds(atom, context))

    def test_atoms_over_no_value_are_false(self):
        for atom in [
            "gps.speed > 5",
            "gps.speed <= 5",
            "gps.speed != 5",
            "gps.speed == gps.speed",
            "0 * gps.speed == 0",
            "gps.fix",
            "gps.fix == false",
            "gps.place == home",
            "gps.place != home",
            "gps.place in {home, work}",
            "gps.seen has p",
        ]:
            self.assertFalse(self.holds(atom, on=False), atom)
            self.assertTrue(self.holds(f"not {atom}", on=False), atom)

    def test_exact_numbers(self):
        self.assertTrue(self.holds("gps.speed * 3 == 0.3", speed=Fraction(1, 10)))
        self.assertTrue(self.holds("gps.speed + 0.2 == 0.3", speed=Fraction(1, 10)))

    def test_contexts_respect_guards(self):
        world = ConcreteWorld(read_model(self.GPS + "rule r: A -> A when gps.speed > 5 and gps.place == home"))
        contexts = {c[:4] for c in world.contexts}
        self.assertEqual(len(world.contexts), len(contexts))
        self.assertEqual(len(contexts), 1 + 2 * (1 + 2))  # off; on: two places, and no fix or two speeds
        for on, fix, speed, place in contexts:
            self.assertEqual((fix is not None, place is not None), (on, on))
            self.assertEqual(speed is not None, fix is True)

    def test_an_int_may_be_compared_with_any_number(self):
        result = checked("sense n : int 0..3 state A, B initial rule r: B -> A when n > 2.5 and n < 2.75")
        self.assertEqual([f["kind"] for f in result["faults"]], ["dead-rule", "dead-state", "unreachable-state"])
        self.assertEqual(result["size"]["situations"], "2")

    def test_atoms_over_several_variables(self):
        text = "sense a : int 0..2 sense b : int 0..2 constraint a + b <= 2 state A, B initial rule r: B -> A when "
        self.assertEqual(checked(text + "a < b + 1 and b < a")["size"]["situations"], "2")
        self.assertEqual(checked(text + "a * b == 1 and a != b")["size"]["situations"], "3")


# ---------------------------------------------------------------------------------------------------- the faults

XYZ = "sense x : bool sense y : bool sense z : bool "


class Priorities(unittest.TestCase):
    def test_without_a_priority_a_rule_yields(self):
        text = XYZ + """
            state A initial state B, C
            rule weak: A -> B when x  rule strong: A -> C priority 7 when x and y
            rule weak_too: A -> C when x and z
        """
        self.assertEqual([f["rules"] for f in faults(text, "nondeterminism")], [["weak", "weak_too"]])
        ignored = faults(text, "nondeterminism", ignore_priorities=True)
        self.assertEqual(
            [(f["rules"], f["situations"]) for f in ignored],
            [(["weak", "strong"], "1"), (["weak", "weak_too"], "1"), (["weak", "strong", "weak_too"], "1")],
        )

    def test_one_fault_for_each_exact_set(self):
        text = XYZ + "state A initial state B rule r: A -> B when x rule s: A -> B when y rule t: A -> B when z"
        found = [("".join(f["rules"]), f["situations"]) for f in faults(text, "nondeterminism")]
        self.assertEqual(found, [("rs", "1"), ("rt", "1"), ("st", "1"), ("rst", "1")])

    def test_pairs_overlap_whatever_else_is_triggered(self):
        text = XYZ + "state A initial state B rule r: A -> B when x rule s: A -> B when x or y rule t: A -> B when z"
        found = [("".join(o["rules"]), o["situations"]) for o in checked(text)["overlaps"]]
        self.assertEqual(found, [("rs", "4"), ("rt", "2"), ("st", "3")])

    def test_a_choice_is_harmless_if_the_same_happens(self):
        head = "sense on : bool sense n : int 0..9 if on sense x : bool state A initial state B "

        def harmless(first, second):
            text = f"{head} rule r: A -> B when x {first} rule s: A -> B when x {second}"
            return faults(text, "nondeterminism")[0].get("harmless", False)

        self.assertTrue(harmless("", ""))
        self.assertTrue(harmless("do x := false", "do x := true, x := false"))
        self.assertTrue(harmless("do ring, x := false", "do x := false, ring"))
        self.assertFalse(harmless("do x := false", ""))
        self.assertFalse(harmless("do ring, beep", "do beep, ring"))
        self.assertTrue(harmless("do on := true, n := 5", "do on := true, n := 5"))
        self.assertFalse(harmless("do on := true, n := 5", "do n := 5, on := true"))


class DeadRules(unittest.TestCase):
    def dead(self, text):
        return [("".join(f["rules"]), f["cause"], " ".join(f.get("by", []))) for f in faults(text, "dead-rule")]

    def test_unsatisfiable_under_the_constraints(self):
        text = XYZ + "constraint not x state A initial state B rule r: A -> B when x rule s: A -> B when y"
        self.assertEqual(self.dead(text), [("r", "unsatisfiable", "")])
        self.assertEqual(faults(text, "dead-rule", ignore_constraints=True), [])

    def test_a_single_rule_that_covers_comes_before_pairs(self):
        text = XYZ + """
            state A initial state B
            rule d: A -> B when x and y
            rule p: A -> B priority 1 when x and z  rule q: A -> B priority 2 when x and not z
            rule s: A -> B priority 3 when y
        """
        self.assertEqual(self.dead(text), [("d", "shadowed", "s")])

    def test_the_first_pair_that_covers(self):
        text = XYZ + """
            state A initial state B
            rule p: A -> B priority 1 when z       rule q: A -> B priority 1 when not z and y
            rule d: A -> B when x                  rule s: A -> B priority 2 when not z
        """
        self.assertEqual(self.dead(text), [("d", "shadowed", "p s")])

    def test_else_the_last_superfluous_rules_are_dropped(self):
        text = "sense n : int 0..3 state A initial state B rule d: A -> B when n < 3 " + " ".join(
            f"rule r{i}: A -> B priority 1 when {when}"
            for i, when in enumerate(["n == 0", "n == 1", "n == 2", "n == 2 or n == 3"])
        )
        self.assertEqual(self.dead(text), [("d", "shadowed", "r0 r1 r2")])

    def test_equal_priority_does_not_shadow(self):
        text = XYZ + "state A initial state B rule r: A -> B when x rule s: A -> B when x"
        self.assertEqual(self.dead(text), [])


class States(unittest.TestCase):
    TEXT = XYZ + """
        constraint not x
        state A initial state B, C, D state F final
        rule r: A -> B when x     # dead, so A is dead and all others are unreachable
        rule s: B -> C when y
        rule t: C -> D when z
        rule u: C -> D when not x
    """

    def test_dead_and_unreachable_states(self):
        self.assertEqual([f["state"] for f in faults(self.TEXT, "dead-state")], ["A"])
        self.assertEqual([f["state"] for f in faults(self.TEXT, "unreachable-state")], list("BCDF"))
        for fault in checked(self.TEXT)["faults"]:
            self.assertEqual(fault["reachable"], fault["state"] == "A")

    def test_faults_in_unreachable_states_are_shown_on_request(self):
        kinds = [fault["kind"] for fault in checked(self.TEXT)["faults"]]
        self.assertIn("nondeterminism", kinds)
        self.assertIn("race", kinds)
        kinds = [fault["kind"] for fault in checked(self.TEXT, all=False)["faults"]]
        self.assertEqual(kinds, ["dead-rule", "dead-state"] + ["unreachable-state"] * 4)
        self.assertEqual(checked(self.TEXT)["unstable"], checked(self.TEXT, all=False)["unstable"])

    def test_a_live_rule_makes_its_target_reachable(self):
        text = XYZ + "state A initial state B rule r: A -> B when x rule s: B -> A when x"
        self.assertEqual(faults(text, "unreachable-state"), [])


class Runs(unittest.TestCase):
    def test_races_and_cycles(self):
        text = XYZ + "state A initial state B, C rule r: A -> B when x rule s: B -> C when y rule t: C -> A when z"
        self.assertEqual(paths(text, "race"), [("A", "r s"), ("B", "s t"), ("C", "t r")])
        self.assertEqual(paths(text, "cycle"), [("A", "r s t"), ("B", "s t r"), ("C", "t r s")])
        self.assertEqual([f["ends"] for f in faults(text, "race")], ["C", "A", "B"])
        self.assertEqual([f["loop"] for f in faults(text, "cycle")], [0, 0, 0])

    def test_a_cycle_may_start_after_the_start(self):
        text = XYZ + "state A initial state B, C rule r: A -> B when x rule s: B -> C when x rule t: C -> B when x"
        found = {f["state"]: (" ".join(f["path"]), f["loop"]) for f in faults(text, "cycle")}
        self.assertEqual(found, {"A": ("r s t", 1), "B": ("s t", 0), "C": ("t s", 0)})

    def test_a_rule_that_leads_back_is_a_cycle_and_unstable(self):
        result = checked(XYZ + "state A initial rule r: A -> A when x")
        self.assertEqual([(f["path"], f["loop"]) for f in result["faults"]], [(["r"], 0)])
        self.assertEqual(result["unstable"], [{"state": "A", "rule": "r", "to": "A", "situations": "1"}])

    def test_a_variable_that_nothing_reads_keeps_a_run_open(self):
        text = XYZ + "var v : int 0..3 = 0 state A initial rule r: A -> A when x do v := 1"
        found = [(" ".join(f["path"]), f["loop"], f["situations"]) for f in faults(text, "cycle")]
        self.assertEqual(found, [("r", 0, "1"), ("r r", 1, "1")])

    def test_actions_change_what_holds_later(self):
        text = XYZ + """
            state A initial state B, C
            rule r: A -> B when x do x := false, y := true
            rule s: B -> C when y
            rule t: B -> A priority 1 when x
        """
        self.assertEqual(paths(text, "race"), [("A", "r s"), ("B", "t r s")])
        self.assertEqual(paths(text, "cycle"), [])

    def test_nondeterminism_makes_several_runs(self):
        text = XYZ + "state A initial state B, C rule r: A -> B when x rule s: A -> C when x rule t: B -> C when x"
        self.assertEqual(paths(text, "race"), [("A", "r t")])
        self.assertEqual(paths(text, "race", ignore_priorities=True), [("A", "r t")])

    def test_constraints_are_not_imposed_on_what_actions_change(self):
        text = XYZ + """
            constraint not y
            state A initial state B, C
            rule r: A -> B when x do y := true
            rule s: B -> C when y
        """
        self.assertEqual(paths(text, "race"), [("A", "r s")])
        self.assertEqual([f["rules"] for f in faults(text, "dead-rule")], [["s"]])

    def test_order_of_listing(self):
        text = XYZ + """
            state B, A initial state C
            rule q: A -> B when x  rule p: A -> B when x  rule r: B -> C when x
        """
        self.assertEqual(paths(text, "race"), [("A", "q r"), ("A", "p r")])
        text = XYZ + "state B, A initial state C, D rule r: B -> C when x rule s: C -> D when x rule t: A -> B when x"
        self.assertEqual(paths(text, "race"), [("B", "r s"), ("A", "t r s")])


class Guards(unittest.TestCase):
    CONTEXT = "sense g : bool sense h : bool if g sense n : int 0..9 if h sense u : {a, b, c} if g "

    def after(self, actions, *start):
        """Where the actions lead from a context given as values of g, h, n, u."""
        rule = f"state A initial rule r: A -> A when n > 5 or n > 7 do {actions}"
        world = ConcreteWorld(read_model(self.CONTEXT + rule))
        return [tuple(context) for context in world.fired(world.model.rules[0], start)]

    def test_a_guard_made_true_lets_what_is_behind_it_take_any_value(self):
        off = (False, None, None, None)
        self.assertEqual(
            self.after("g := true", *off),
            [(True, False, None, "a"), (True, True, 0, "a"), (True, True, 6, "a"), (True, True, 8, "a")],
        )
        self.assertEqual(self.after("g := true, h := false", *off), [(True, False, None, "a")])
        self.assertEqual(len(self.after("g := true, h := true", *off)), 3)

    def test_a_guard_made_false_takes_all_values(self):
        self.assertEqual(self.after("g := false", True, True, 6, "a"), [(False, None, None, None)])
        self.assertEqual(self.after("h := false", True, True, 6, "a"), [(True, False, None, "a")])

    def test_no_change(self):
        for actions, start in [
            ("g := true", (True, True, 6, "a")),
            ("h := true", (True, True, 6, "a")),
            ("h := true", (False, None, None, None)),
            ("n := 6", (True, False, None, "a")),
            ("g := false", (False, None, None, None)),
        ]:
            self.assertEqual(self.after(actions, *start), [start])

    def test_a_value_of_the_same_part_is_the_same_value(self):
        text = """
            sense g : bool  sense n : int 0..9 if g  sense u : bool if g
            state A initial state B
            rule off: A -> B when n > 5 do g := false
            rule on: B -> A when not g do g := true
        """
        self.assertEqual(paths(text, "cycle"), [("A", "off on"), ("B", "on off")])
        self.assertEqual(paths(text, "race"), [("A", "off on")])

    def test_a_literal_that_an_action_assigns_is_a_part_of_its_own(self):
        text = """
            sense n : int 0..9
            state A initial state B
            rule r: A -> B when n > 5 do n := 7
            rule s: B -> A when n > 5
        """
        found = {" ".join(f["path"]): f["loop"] for f in faults(text, "cycle") if f["state"] == "A"}
        self.assertEqual(found, {"r s": 0, "r s r": 1})


class Counting(unittest.TestCase):
    TEXT = """
        sense a : bool sense b : bool sense c : bool sense d : bool sense e : bool
        constraint e
        state S initial state T, U
        rule r: S -> T when a
        rule r2: S -> T priority 1 when a and b
        rule s: T -> U when c or d
        rule t: T -> U priority 1 when d and not d
    """

    def figures(self, count):
        result = checked(self.TEXT, count=count)
        races = {" ".join(f["path"]): int(f["situations"]) for f in result["faults"] if f["kind"] == "race"}
        unstable = {u["rule"]: int(u["situations"]) for u in result["unstable"]}
        return races, unstable

    def test_figures(self):
        self.assertEqual(self.figures("visited"), ({"r s": 3, "r2 s": 3}, {"r": 3, "r2": 3}))
        self.assertEqual(self.figures("rules"), ({"r s": 3, "r2 s": 3}, {"r": 1, "r2": 1}))
        self.assertEqual(self.figures("start"), ({"r s": 3, "r2 s": 3}, {"r": 1, "r2": 1}))
        self.assertEqual(self.figures("all"), ({"r s": 3, "r2 s": 3}, {"r": 3, "r2": 3}))

    def test_what_tells_the_ways_of_counting_apart(self):
        text = """
            sense a : bool sense b : bool sense c : bool sense d : bool constraint d or not d
            state S initial state T, U state V
            rule r: S -> T priority 1 when a
            rule other: S -> V priority 9 when b
            rule s: T -> U priority 1 when a
            rule third: T -> V priority 9 when c
        """
        figures = {}
        for count in ("visited", "rules", "start", "all"):
            result = checked(text, count=count)
            figures[count] = (faults(text, "race", count=count)[0]["situations"], result["unstable"][0]["situations"])
        self.assertEqual(figures, {"visited": ("4", "4"), "rules": ("1", "1"), "start": ("2", "2"), "all": ("8", "8")})


class IndependentAtoms(unittest.TestCase):
    def runs(self, text, start):
        """The runs from the initial state, atoms given as a string of 0 and 1 in the order of appearance."""
        model = read_model(text)
        explorer = Explorer(model, Options(ignore_constraints=True))
        context = tuple(digit == "1" for digit in start)
        runs = explorer.runs(model.initial, context)
        return sorted((" ".join(model.rules[i].name for i in path), loop) for path, loop in runs)

    def test_every_combination_is_possible(self):
        text = "sense n : int 0..9 constraint n < 2 state A initial rule r: A -> A when n > 5 and n > 7 and n > 9"
        self.assertEqual(checked(text, ignore_constraints=True)["size"]["situations"], "16")
        self.assertEqual(faults(text, "dead-rule", ignore_constraints=True), [])

    def test_a_literal_decides_the_atoms_over_its_variable_alone(self):
        text = """
            sense n : int 0..9 sense m : int 0..9 state A initial state B, C, D
            rule r: A -> B when n > 5 do n := 3
            rule s: B -> C when n > 5
            rule t: B -> D when n > m
        """
        self.assertEqual(self.runs(text, "10"), [("r", None), ("r t", None)])

    def test_guards(self):
        text = """
            sense g : bool sense n : int 0..9 if g state A initial state B, C
            rule r: A -> B when not n > 5 do g := VALUE
            rule s: B -> C when n > 5
            rule never: C -> C when g and not g
        """
        self.assertEqual(self.runs(text.replace("VALUE", "true"), "00"), [("r", None), ("r s", None)])
        self.assertEqual(self.runs(text.replace("VALUE", "true"), "01"), [("r", None)])
        self.assertEqual(self.runs(text.replace("VALUE", "false"), "00"), [("r", None)])


# ---------------------------------------------------------------------------------------------------- the tools


class FullWorld(ConcreteWorld):
    """Every value of every domain that can be listed is a part of its own."""

    def _parts(self, name):
        return list(self._candidates(name))


class Representatives(unittest.TestCase):
    """One value for each part says as much as all values."""

    def test_all_values_give_the_same_answer(self):
        compared = 0
        for seed in range(60):
            _, explored = random_model(f"full{seed}")
            explorer, found = explored[Options()]
            model, world = explorer.model, explorer.world
            brings_values = any(value is True and world.behind[n] for r in model.rules for n, value in r.actions)
            if brings_values or any(v.type.kind == "int" and v.type.high > 10 for v in model.variables.values()):
                continue
            full = Explorer(model)
            full.world = FullWorld(model)
            if len(full.world.contexts) < 500:
                self.assertEqual(answer(full, full.findings(), ALL), answer(explorer, found, ALL), seed)
                compared += 1
        self.assertGreater(compared, 20)

    def test_no_situation_is_missed(self):
        """Contexts drawn at random from the whole domains have situations that the samples have, too."""
        for seed in range(40):
            rng = random.Random(seed)
            _, explored = random_model(f"pairs{seed}", Profile(real_pairs=True))
            model, world = explored[Options()][0].model, explored[Options()][0].world
            known = {world.truths(context) for context in world.contexts}
            for _ in range(100):
                context = self.random_context(model, rng)
                if all(tree_holds(c, lambda atom: atom_holds(atom, context)) for c in model.constraints):
                    truths = world.truths(tuple(context.values()))
                    self.assertIn(truths, known)
                    stand_in = tuple(world.representative(n, v) for n, v in context.items())
                    self.assertEqual(world.truths(stand_in), truths)

    def random_context(self, model, rng):
        context = {}
        for name, variable in model.variables.items():  # guards are declared first
            type_ = variable.type
            if variable.guard and context[variable.guard] is not True:
                context[name] = None
            elif type_.kind == "bool":
                context[name] = rng.random() < 0.5
            elif type_.kind == "enum":
                context[name] = rng.choice(type_.members)
            elif type_.kind == "set":
                context[name] = frozenset(m for m in type_.members if rng.random() < 0.5)
            elif type_.kind == "int":
                context[name] = Fraction(rng.randint(int(type_.low), int(type_.high)))
            else:
                context[name] = type_.low + (type_.high - type_.low) * Fraction(rng.randint(0, 24), 24)
        return context

    def test_lines_that_meet_in_one_point(self):
        text = """
            sense x : real 0..10 sense y : real 0..10 state A initial state B
            rule point: A -> B when x + y == 3 and x - y == 1 and 2 * x + y == 5
            rule none: A -> B when x + y == 3 and x - y == 1 and 2 * x + y == 5.5
        """
        self.assertEqual([f["rules"] for f in faults(text, "dead-rule")], [["none"]])


class Generator(unittest.TestCase):
    def test_same_seed_same_text(self):
        self.assertEqual(random_model(7)[0], random_model(7)[0])
        self.assertNotEqual(random_model(7)[0], random_model(8)[0])

    def test_every_feature_occurs(self):
        seen = set()
        for seed in range(150):
            text, explored = random_model(seed)
            model = explored[Options()][0].model
            result = answer(*explored[Options()], ALL)
            seen |= {(f["kind"], f.get("cause")) for f in result["faults"]}
            seen |= {("type", v.type.kind, v.own, v.guard is not None) for v in model.variables.values()}
            guards = [model.variables[v.guard] for v in model.variables.values() if v.guard]
            seen |= {"nested guard" for guard in guards if guard.guard}
            seen |= {"toggle" for r in model.rules for name, _ in r.actions if name in {g.name for g in guards}}
            seen |= {atom[0] for atom in model.atoms}
            seen |= {"several" for atom in model.atoms if atom[0] == "cmp" and atom[2][0] in "+-*"}
            seen |= {word for word in ("final", "let let0(", "constraint c0:", "model ", "ms", "# ") if word in text}
            seen |= {"own priority" for r in model.rules if r.priority is None}
        kinds = [("nondeterminism", None), ("race", None), ("cycle", None), ("dead-state", None)]
        kinds += [("unreachable-state", None), ("dead-rule", "shadowed"), ("dead-rule", "unsatisfiable")]
        types = itertools.product(["type"], ["bool", "int", "real", "enum", "set"], [False, True], [False, True])
        types = [t for t in types if not (t[2] and t[3])]
        words = ["nested guard", "toggle", "several", "bool", "cmp", "in", "has", "own priority"]
        words += ["final", "let let0(", "constraint c0:", "model ", "ms", "# "]
        self.assertEqual([feature for feature in kinds + types + words if feature not in seen], [])


class Comparison(unittest.TestCase):
    """What compare.py must notice in an answer that is right but for one thing."""

    TEXT = """
        sense g : bool sense n : int 0..9 if g sense s : set {p, q} sense r : real 0..1
        constraint s has p or n > 5
        state A initial state B, C
        rule a: A -> B when n > 5  rule b: A -> C when s has q  rule c: B -> C when r > 0.5
    """

    def setUp(self):
        model = read_model(self.TEXT)
        explorer = Explorer(model)
        self.explored = {Options(): (explorer, explorer.findings())}
        printed = answer(*self.explored[Options()], ALL, explain=True)
        self.printed = compare.read_json(json.dumps(printed))

    def assert_difference(self, change, message):
        printed = copy.deepcopy(self.printed)
        change(printed)
        with self.assertRaisesRegex(compare.Difference, message):
            compare.compare(self.explored, ALL, printed)

    def test_the_right_answer_passes(self):
        compare.compare(self.explored, ALL, self.printed)

    def test_wrong_figures_and_lists(self):
        self.assert_difference(lambda p: p["size"].update(atoms=7), "size")
        self.assert_difference(lambda p: p["unstable"].pop(), "unstable")
        self.assert_difference(lambda p: p["faults"].pop(), "missing")
        self.assert_difference(lambda p: p["faults"][0].update(situations="9"), "wrong")
        self.assert_difference(lambda p: p["faults"].reverse(), "order only")
        self.assert_difference(lambda p: p.update(complete=False), "complete")

    def test_wrong_witnesses(self):
        def witness(**values):
            return lambda printed: printed["faults"][0]["witness"].update(values)

        self.assertEqual(self.printed["faults"][0]["rules"], ["a", "b"])
        self.assert_difference(witness(g=None), "gives g no value")
        self.assert_difference(witness(g=False), "gives n a value")
        self.assert_difference(witness(n=Fraction(3), s=["q"]), "violates")
        self.assert_difference(witness(n=Fraction(3), s=["p", "q"]), "triggered")
        self.assert_difference(witness(n=Fraction(11)), "not a value")
        self.assert_difference(witness(m=Fraction(1)), "does not list")
        self.assert_difference(lambda printed: printed["faults"][0].pop("witness"), "does not list")
        race = next(i for i, fault in enumerate(self.printed["faults"]) if fault["kind"] == "race")
        self.assert_difference(lambda p: p["faults"][race]["witness"].update(r=Fraction(0)), "no run")

    def test_wrong_conditions(self):
        def when(text):
            return lambda printed: printed["faults"][0].update(when=text)

        self.assert_difference(when("n > 5 and s has q and r > 0.5"), "when (is|does)")
        self.assert_difference(when("n > 5"), "when is true")
        self.assert_difference(when("n > 5 and s has q and s has p"), "when (is|does)")
        self.assert_difference(when("n > 5 and s has"), "not an expression")
        self.assert_difference(when("n >= 6 and s has q"), "not a disjunction")
        self.assert_difference(when("not (not n > 5 or not s has q)"), "not a disjunction")

    def test_numbers(self):
        variable = read_model(self.TEXT).variables["r"]
        self.assertEqual(compare.value_from_json("1/3", variable), Fraction(1, 3))
        self.assertEqual([decimal(Fraction(x)) for x in ("1/3", "-0.25", "7", "0.05")], ["1/3", "-0.25", "7", "0.05"])


if __name__ == "__main__":
    unittest.main()
