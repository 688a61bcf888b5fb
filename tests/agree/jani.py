#!/usr/bin/env python3
"""The JANI models that `poise verify` exports, read and solved: one automaton, bounded whole numbers, an MDP.

    jani.py MODEL.jani        prints the greatest probability of each property, over all ways to decide
"""

import json
import math
import sys

REQUIRED = ("jani-version", "name", "type", "variables", "properties", "automata", "system")

BINARY = {
    "∧": lambda a, b: a and b,
    "∨": lambda a, b: a or b,
    "=": lambda a, b: a == b,
    "≠": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "≤": lambda a, b: a <= b,
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "min": min,
    "max": max,
}
UNARY = {"¬": lambda a: not a, "floor": math.floor, "ceil": math.ceil}


def compiled(expression):
    """A function of the values of all variables, by name."""
    if isinstance(expression, (bool, int, float)):
        return lambda values: expression
    if isinstance(expression, str):
        return lambda values: values[expression]
    op = expression["op"]
    if op in UNARY:
        inner = compiled(expression["exp"])
        return lambda values, f=UNARY[op]: f(inner(values))
    left, right = compiled(expression["left"]), compiled(expression["right"])
    return lambda values, f=BINARY[op]: f(left(values), right(values))


class Network:
    def __init__(self, model):
        missing = [key for key in REQUIRED if key not in model]
        if missing:
            raise ValueError(f"keys are missing: {missing}")
        if model["type"] != "mdp" or len(model["automata"]) != 1:
            raise ValueError("not a Markov decision process of one automaton")
        self.model = model
        self.ranges = {}
        for variable in model["variables"]:
            kind = variable["type"]
            self.ranges[variable["name"]] = range(kind["lower-bound"], kind["upper-bound"] + 1)
        automaton = model["automata"][0]
        locations = [location["name"] for location in automaton["locations"]]
        if len(set(locations)) != len(locations):
            raise ValueError("two locations have the same name")
        self.edges = {location: [] for location in locations}
        for edge in automaton["edges"]:
            self.edges[edge["location"]].append(self._edge(edge))
        self.start = self._state(
            automaton["initial-locations"][0], {v["name"]: v["initial-value"] for v in model["variables"]}
        )

    def _edge(self, edge):
        branches = []
        for destination in edge["destinations"]:
            if destination["location"] not in self.edges:
                raise ValueError(f"unknown location {destination['location']}")
            probability = destination.get("probability", {"exp": 1})["exp"]
            assignments = [(one["ref"], compiled(one["value"])) for one in destination.get("assignments", [])]
            branches.append((probability, destination["location"], assignments))
        if abs(sum(branch[0] for branch in branches) - 1) > 1e-9:
            raise ValueError(f"probabilities do not add up to 1 at {edge['location']}")
        return compiled(edge.get("guard", {"exp": True})["exp"]), branches

    @staticmethod
    def _state(location, values):
        return (location, tuple(sorted(values.items())))

    def successors(self, state):
        """For each edge that may be taken, its branches."""
        location, pairs = state
        values = dict(pairs)
        choices = []
        for guard, branches in self.edges[location]:
            if not guard(values):
                continue
            choice = []
            for probability, to, assignments in branches:
                after = dict(values)
                for name, value in assignments:
                    after[name] = value(values)
                    if after[name] not in self.ranges[name]:
                        raise ValueError(f"{name} becomes {after[name]} at {location}")
                choice.append((probability, self._state(to, after)))
            choices.append(choice)
        return choices

    def greatest_probability(self, name):
        """That the property's state is ever reached, by value iteration over all states."""
        prop = next(one for one in self.model["properties"] if one["name"] == name)
        reached = compiled(prop["expression"]["values"]["exp"]["exp"])
        graph, open_states = {}, [self.start]
        while open_states:
            state = open_states.pop()
            if state in graph:
                continue
            graph[state] = self.successors(state)
            open_states += [to for choice in graph[state] for _, to in choice if to not in graph]
        value = {state: 1.0 if reached(dict(state[1])) else 0.0 for state in graph}
        changed = 1.0
        order = list(reversed(list(graph)))
        while changed > 1e-12:
            changed = 0.0
            for state in order:
                if value[state] == 1 or not graph[state]:
                    continue
                best = max(sum(p * value[to] for p, to in choice) for choice in graph[state])
                changed = max(changed, best - value[state])
                value[state] = max(value[state], best)
        return value[self.start]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        network = Network(json.load(file))
    for prop in network.model["properties"]:
        print(prop["name"], network.greatest_probability(prop["name"]))


if __name__ == "__main__":
    main()
