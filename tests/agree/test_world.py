#!/usr/bin/python3
"""Tests of the oracles for `poise verify`: known answers, the oracles against each other, and the tests' own tools."""

import copy
import json
import random
import subprocess
import sys
import unittest
from fractions import Fraction
from pathlib import Path

import world_brute
import world_oracle
from compare import Difference, read_json
from reader import ModelError, read_model
from world_compare import within_reach
from world_known import CAR_ALONE, counterexamples, known_answers
from world_models import random_world
from world_modes import MODES, is_present
from world_replay import read_answer, replay
from worlds import TooLarge


class KnownAnswers(unittest.TestCase):
    def test_z3_finds_them(self):
        for known in known_answers():
            for mode, (nodes, answers) in known.found.items():
                with self.subTest(known.name, mode=mode):
                    found = world_oracle.verify(read_model(known.text), MODES[mode], known.bound)
                    self.assertEqual((nodes, counterexamples(answers)), (found.nodes, found.counterexamples))

    def test_trying_every_value_finds_them(self):
        tried = 0
        for known in known_answers():
            for mode, (nodes, answers) in known.found.items():
                with self.subTest(known.name, mode=mode):
                    try:
                        found = world_brute.verify(read_model(known.text), MODES[mode], known.bound)
                    except TooLarge:
                        continue  # it has real numbers
                    tried += 1
                    self.assertEqual((nodes, counterexamples(answers)), (found.nodes, found.counterexamples))
        self.assertGreater(tried, 20)

    def test_the_papers_solution_replays(self):
        """disF0 = 14, disF0' = 20, disF1 = 0, unit = 10, unit' = 14."""
        model = read_model(CAR_ALONE)
        others = {"disB": 50, "disL": 60, "disR": 70}
        act = {"action": "walkF", "done": {"unit": 14}, "actual": {"disF": 0, **others, "disB": 64, "unit": 10}}
        step = {"rule": "r0", "from": "A", "to": "A", "sensed": {"disF": 20}, "actual": {"disF": 14, **others, "unit": 10}}
        entry = {"failure": "bump", "path": ["r0"], "probability": 0, "error": 0, "steps": [{**step, "actions": [act]}]}
        self.assertIsNone(judged(model, "actual", entry))
        act["done"]["unit"] = 15
        self.assertIn("does not lead", judged(model, "actual", entry))


class Oracles(unittest.TestCase):
    def test_agree_on_tiny_models(self):
        compared = unsafe = 0
        for seed in range(60):
            drawn = random_world(seed, tiny=True)
            model = read_model(drawn.text)
            for mode in MODES:
                bound, found = within_reach(model, mode, most=3)
                try:
                    tried = world_brute.verify(model, MODES[mode], bound, most_steps=100_000)
                except TooLarge:
                    continue
                compared += 1
                unsafe += bool(found.counterexamples)
                with self.subTest(seed=seed, mode=mode, model=drawn.text):
                    self.assertEqual(tried, found)
        self.assertGreater(compared, 200)
        self.assertGreater(unsafe, 60)

    def test_what_ideal_finds_is_found_with_errors_around_nothing(self):
        """An error of 0 is among the others, so uncertainty only adds paths and counterexamples."""
        more = 0
        for seed in range(300, 340):
            drawn = random_world(seed)
            model = read_model(drawn.text)
            errors = [variable.error for variable in model.variables.values() if variable.error]
            if any(low > 0 or high < 0 for low, high in errors):
                continue
            ideal = world_oracle.verify(model, MODES["ideal"], 2)
            actual = world_oracle.verify(model, MODES["actual"], 2)
            with self.subTest(seed=seed, model=drawn.text):
                self.assertLessEqual(ideal.counterexamples, actual.counterexamples)
                self.assertLessEqual(ideal.nodes, actual.nodes)
            more += ideal != actual
        self.assertGreater(more, 3)


# ---------------------------------------------------------------------------------------------------- replays


def judged(model, mode, entry):
    """What is wrong with a counterexample; None if nothing is."""
    answer = {"schema": "poise.verify/1", "mode": mode, "bound": 9, "verdict": "unsafe", "nodes": "1"}
    printed = read_json(json.dumps({**answer, "complete": True, "counterexamples": [entry]}))
    try:
        (read,) = read_answer(printed, model, mode, 9).counterexamples
        replay(model, MODES[mode], read)
    except Difference as difference:
        return str(difference)
    return None


def confirmed(model, mode, entry):
    """The same by Z3."""
    answer = {"schema": "poise.verify/1", "mode": mode, "bound": 9, "verdict": "unsafe", "nodes": "1"}
    printed = read_json(json.dumps({**answer, "complete": True, "counterexamples": [entry]}))
    try:
        (read,) = read_answer(printed, model, mode, 9).counterexamples
    except Difference:
        return False
    return world_oracle.confirms(model, MODES[mode], read)


def some_counterexamples(seeds, most=4):
    """(model, mode, counterexample as JSON) of random models."""
    for seed in seeds:
        model = read_model(random_world(seed).text)
        for mode in MODES:
            for entry in world_oracle.answer(model, mode, 2)["counterexamples"][-most:]:
                yield model, mode, entry


class Replays(unittest.TestCase):
    def test_accept_what_z3_finds(self):
        count = 0
        for model, mode, entry in some_counterexamples(range(30)):
            count += 1
            with self.subTest(mode=mode, entry=entry):
                self.assertIsNone(judged(model, mode, entry))
                self.assertTrue(confirmed(model, mode, entry))
        self.assertGreater(count, 80)

    def test_agree_with_z3_about_changed_values(self):
        """Two judges of the same run, one that steps through it and one that solves it."""
        rng = random.Random(1)
        verdicts = {True: 0, False: 0}
        for model, mode, entry in some_counterexamples(range(100, 130), most=2):
            for _ in range(6):
                changed = with_a_change(entry, rng)
                verdict = judged(model, mode, changed)
                with self.subTest(mode=mode, was=entry, changed=changed, verdict=verdict):
                    self.assertEqual(verdict is None, confirmed(model, mode, changed))
                verdicts[verdict is None] += 1
        self.assertGreater(min(verdicts.values()), 50)

    def test_accept_that_what_has_no_value_is_not_printed(self):
        hidden = 0
        for model, mode, entry in some_counterexamples(range(60, 90)):
            entry = copy.deepcopy(entry)
            for values in moments(entry):
                for name in list(values):
                    if name in model.variables and not is_present(model, name, lambda guard: values.get(guard) is True):
                        values[name] = None
                        hidden += 1
            with self.subTest(mode=mode, entry=entry):
                self.assertIsNone(judged(model, mode, entry))
        self.assertGreater(hidden, 20)

    def test_do_not_need_readings_that_no_rule_asks_for(self):
        model = read_model(CAR_ALONE)
        (entry,) = world_oracle.answer(model, "actual", 1)["counterexamples"]
        entry["steps"][0]["sensed"] = {"disF": entry["steps"][0]["sensed"]["disF"]}
        self.assertIsNone(judged(model, "actual", entry))
        entry["steps"][0]["sensed"] = {}
        self.assertIn("what is sensed of disF is not given", judged(model, "actual", entry))

    def test_as_printed_z3_fills_in_what_is_sensed_after_actions(self):
        model = read_model(CAR_ALONE)
        (entry,) = world_oracle.answer(model, "as-printed", 1)["counterexamples"]
        del entry["steps"][0]["actions"][0]["sensed"]
        self.assertTrue(confirmed(model, "as-printed", entry))
        entry["steps"][0]["sensed"]["disF"] = 22
        self.assertFalse(confirmed(model, "as-printed", entry))


def moments(entry):
    """All that gives values to all variables."""
    for step in entry["steps"]:
        yield step["actual"]
        yield from (act[key] for act in step["actions"] for key in ("actual", "sensed") if key in act)


def with_a_change(entry, rng):
    """One value is another, or one of the steps or actions is missing."""
    changed = copy.deepcopy(entry)
    steps = changed["steps"]
    places = [*moments(changed), *(s["sensed"] for s in steps), *(act["done"] for s in steps for act in s["actions"])]
    values = rng.choice([place for place in places if place])
    name = rng.choice(list(values))
    if rng.randrange(12) == 0:
        del changed["path"][-1], steps[-1]
    elif rng.randrange(12) == 0 and steps[-1]["actions"]:
        del steps[-1]["actions"][-1]
    elif isinstance(values[name], bool):
        values[name] = not values[name]
    elif isinstance(values[name], (int, float)):
        values[name] += rng.choice([-1, 1, 0.25, -0.25, 5])
    return changed


# ---------------------------------------------------------------------------------------------------- tools


class Reader(unittest.TestCase):
    def test_reads_the_contracts_own_lines(self):
        model = read_model(CAR_ALONE)
        self.assertEqual((Fraction(-6), Fraction(6)), model.variables["disF"].error)
        self.assertEqual(Fraction(10), model.variables["unit"].initial)
        self.assertEqual(("disF", "disB"), model.world["walkF"].primed)
        self.assertEqual(("disF", "disB", "unit"), model.world["walkF"].read)
        self.assertEqual(["walkF", "walkB"], [action for _, action in model.failures["bump"]])

    def test_refuses_what_makes_no_sense(self):
        start = "state A initial\nsense x : int 0..3\nsense on : bool\n"
        for line in (
            "sense y : bool error 0..1",
            "sense y : int 0..3 error 0..0.5",
            "action a: x' > 1 failure f: x > 1 after b",
            "action a: x' > 1 failure f: x' > 1 after a",
            "action a: y' > 1",
            "action x: x' > 1",
            "action a: x' > 1 action a: x' > 1",
            "failure f: x > 1",
            "rule r: A -> A when x' > 1",
        ):
            with self.subTest(line), self.assertRaises(ModelError):
                read_model(start + line)

    def test_words_of_the_world_are_names_elsewhere(self):
        declarations = "sense error : int 0..3\nsense after : {gauss, table}\nstate A initial\n"
        model = read_model(declarations + "rule r: A -> A when error > 1")
        self.assertEqual(["error", "after"], list(model.variables))


class RandomWorlds(unittest.TestCase):
    def test_use_everything(self):
        texts = [random_world(seed).text for seed in range(300)]
        together = "\n".join(texts)
        wanted = "error|gauss|uniform|triangle|table|if on|constraint|start|priority| or |not |implies|:=|beep|2 *|iff|int|real"
        for word in wanted.split("|"):
            with self.subTest(word):
                self.assertIn(word, together)

    def test_two_of_three_are_within_octagons(self):
        share = sum(random_world(seed).octagon for seed in range(400)) / 400
        self.assertTrue(0.55 < share < 0.8, share)

    def test_are_the_same_for_the_same_seed(self):
        folder = Path(__file__).parent
        again = subprocess.run([sys.executable, "-B", folder / "world_models.py", "7"], capture_output=True, text=True)
        self.assertEqual(random_world(7).text, again.stdout)

    def test_find_something_and_not_everything(self):
        unsafe = differ = 0
        for seed in range(40):
            model = read_model(random_world(seed).text)
            found = [world_oracle.verify(model, MODES[mode], 2) for mode in ("ideal", "actual")]
            unsafe += bool(found[1].counterexamples)
            differ += found[0] != found[1]
        self.assertTrue(10 < unsafe < 30, unsafe)
        self.assertGreater(differ, 4)


if __name__ == "__main__":
    unittest.main()
