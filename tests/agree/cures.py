#!/usr/bin/env python3
"""A cure is one: in random models, each cure that `poise check` shows is made in the text, as a reader would do it.

    cures.py POISE [--models N] [--seed S] [--show N]

The changed text is checked again. The fault must be gone, no rule and no state may be dead or unreachable that was not,
and no fault of another kind may be there that was not. All cures of a report are then made together: all their faults
must be gone, no rule and no state may die, and nothing of a kind may appear that none of them is about. Objections are
printed with the model; the exit status is 1 if there was any.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from random_models import random_text

# Options by seed: what a cure promises, it promises for what was asked.
MODES = [[], [], ["--all"], ["--ignore", "priorities"], ["--ignore", "constraints"]]
KINDS = {
    "cycle": "cycle",
    "nondeterministic choice": "nondeterminism",
    "race": "race",
    "unreachable state": "unreachable-state",
    "dead state": "dead-state",
    "dead rule": "dead-rule",
}
MOST_PATHS = "1000"
DEAD = ("dead-rule", "dead-state", "unreachable-state")


class Program:
    def __init__(self, poise, folder):
        self.poise = poise
        self.path = os.path.join(folder, "model.poise")

    def check(self, text, flags):
        with open(self.path, "w", encoding="utf-8") as stream:
            stream.write(text)
        done = subprocess.run([self.poise, "check", "--paths", MOST_PATHS, "--time-limit", "5s", *flags, self.path],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def faults(self, text, flags):
        """The faults by kind, state and rules; none if they are too many, or take too long."""
        status, out, err = self.check(text, [*flags, "--format", "json"])
        if status == 2:
            raise ValueError(f"the changed text is wrong: {err}")
        report = json.loads(out)
        if not report["complete"]:
            return None
        return {
            (fault["kind"], fault["state"], tuple(fault.get("path") or fault.get("rules") or ()))
            for fault in report["faults"]
        }


# ------------------------------------------------------------------------------------------------------- reading reports


class Shown:
    """A fault of the text report."""

    def __init__(self, kind, title):
        self.kind = kind
        self.details = {}
        drawn = title.split("  and ")[0].split("  (in a state")[0]
        self.whole = "…" not in drawn and " more" not in drawn
        self.states = re.findall(r"\w+", drawn.split(" ─")[0].replace(" and ", " "))
        self.rules = tuple(re.findall(r"─(\w+)→", drawn))

    def identities(self):
        return {(self.kind, state, self.rules) for state in self.states}

    def owner(self):
        """The state whose rules "its rules" are; none if the cure says nothing of the kind."""
        return self.states[0] if "its" in self.details["cure"].split() else None


def shown_faults(report):
    kind, label, found = None, None, []
    for line in report.splitlines():
        if head := re.match(r"\d+ ([a-z ]+?)s?(?: (?:in)?to \d+ .*)?: ", line):
            kind = KINDS.get(head[1])
        elif re.match(r"  \S", line) and kind and not line.startswith("  …"):
            found.append(Shown(kind, line.strip()))
        elif detail := re.match(r"    (\S+) +(\S.*)", line) if line.startswith("    ") and line[4] != " " else None:
            label = detail[1]
            found[-1].details[label] = detail[2]
        elif line.startswith("          ") and found:
            found[-1].details[label] += " " + line.strip()
    return found


# ------------------------------------------------------------------------------------------------------- changing a text


class Text:
    """The text of a model as declarations, of which the rules can be changed."""

    def __init__(self, text):
        bare = re.sub(r"#.*", "", text)
        self.parts = [part for part in re.split(r"(?m)^(?=\w)", bare) if part.strip()]

    def __str__(self):
        return "".join(self.parts)

    def place(self, rule):
        return next(i for i, part in enumerate(self.parts) if part.startswith(f"rule {rule}:"))

    def clauses(self, rule):
        """Its head, and its clauses by keyword."""
        head, *rest = re.split(r"\b(when|priority|do)\b", self.parts[self.place(rule)])
        return head.strip(), {word: clause.strip() for word, clause in zip(rest[::2], rest[1::2])}

    def put(self, rule, head, clauses):
        self.parts[self.place(rule)] = f"{head} {' '.join(f'{word} {said}' for word, said in clauses.items())}\n"

    def make(self, cure, state):
        """Makes the change that a cure asks for."""
        if made := re.fullmatch(r"give (\w+) priority (-?\d+)", cure):
            head, clauses = self.clauses(made[1])
            self.put(made[1], head, clauses | {"priority": made[2]})
        elif made := re.fullmatch(r"add `(and [^`]+)` to (the whole guard of )?(\w+)", cure):
            head, clauses = self.clauses(made[3])
            guard = f"({clauses['when']})" if made[2] else clauses["when"]
            self.put(made[3], head, clauses | {"when": f"{guard} {made[1]}"})
        elif made := re.fullmatch(r"lead (\w+) to (\w+)", cure):
            head, clauses = self.clauses(made[1])
            self.put(made[1], re.sub(r"-> *\w+", f"-> {made[2]}", head), clauses)
        elif made := re.fullmatch(r"delete (\w+)", cure):
            self.delete(lambda rule, starts: rule == made[1])
        elif cure == "delete its rules":
            self.delete(lambda rule, starts: state in starts)
        else:
            raise ValueError(f"what is this to mean: {cure}")

    def delete(self, chosen):
        def stays(part):
            rule = re.match(r"rule (\w+):([^-]*)->", part)
            return not (rule and chosen(rule[1], re.findall(r"\w+", rule[2])))

        self.parts = [part for part in self.parts if stays(part)]


# ---------------------------------------------------------------------------------------------------------- what it does


def objections(program, text, flags, cured, before):
    """What is wrong with a text in which the cures of these faults were made."""
    changed = Text(text)
    # A change that cures two faults is made once.
    for cure, state in dict.fromkeys((fault.details["cure"], fault.owner()) for fault in cured):
        changed.make(cure, state)
    after = program.faults(str(changed), flags)
    if after is None:
        return
    kinds = {fault.kind for fault in cured}
    for fault in cured:
        if fault.identities() & after:
            yield f"{fault.kind} of {fault.states} {fault.rules} stays"
    for kind, state, rules in sorted(after - before):
        if kind in DEAD or kind not in kinds:
            yield f"new {kind} of {state}: {rules}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=1, help="print so many objections")
    arguments = parser.parse_args()
    counts = {kind: [0, 0] for kind in KINDS.values()}
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(arguments.poise, folder)
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            (text,), flags = random_text(seed), MODES[seed % len(MODES)]
            before = program.faults(text, flags)
            if before is None:
                continue
            shown = shown_faults(program.check(text, flags)[1])
            for fault in shown:
                counts[fault.kind][0] += 1
                counts[fault.kind][1] += "cure" in fault.details
            cured = [fault for fault in shown if "cure" in fault.details and fault.whole]
            for some in [[fault] for fault in cured] + [cured] * (len(cured) > 1):
                said = "\n".join(fault.details["cure"] for fault in some)
                wrong += [f"seed {seed} {flags}\n{said}\n{what}\n\n{text}"
                          for what in objections(program, text, flags, some, before)]
    for kind, (faults, cures) in counts.items():
        print(f"{kind}: {cures} of {faults} faults have a cure")
    print("\n".join(wrong[: arguments.show]))
    print(f"{len(wrong)} objections")
    faults, cures = (sum(column) for column in zip(*counts.values()))
    sys.exit(1 if wrong or cures < faults / 10 else 0)


if __name__ == "__main__":
    main()
