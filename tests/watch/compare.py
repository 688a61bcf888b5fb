#!/usr/bin/env python3
"""Compares `poise watch` with the oracle on random models and logs.

    compare.py POISE [--models N] [--seed S] [--evaluate full|incremental|both] [--jobs N]

Every report, its order and the order of its keys, the counters of the summary and the exit status must be the same. The
first difference is printed with its model and log, and once more with as little of both as shows a difference of the
same sort; the exit status is then 1.
"""

import argparse
import collections
import contextlib
import dataclasses
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

from generate import model_text, random_case
from oracle import shortest_decimal, watch

COUNTERS = ("events", "expiries", "skipped", "unknown", "adaptations", "faults")
LIMIT = 20  # seconds for one call of the program


@dataclasses.dataclass
class Difference:
    sort: str  # status, report or summary
    text: str


# ---------------------------------------------------------------------------------------------------- one case


def expected(model, lines):
    """What the program has to print: the lines with reports, and the counters."""
    result = watch(model, lines)
    reports = [[(k, shortest_decimal(v) if k == "t" else v) for k, v in report.items()] for report in result.reports]
    return reports, {name: getattr(result, name) for name in COUNTERS}


def printed(program, options, model, lines, folder):
    """What the program prints, in the same form, its exit status, and what it says on standard error."""
    paths = [os.path.join(folder, name) for name in ("model.poise", "log.jsonl")]
    for path, text in zip(paths, (model_text(model), "".join(line + "\n" for line in lines))):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    command = [program, "watch", paths[0], "--input", paths[1], "--format", "jsonl", "--trace", *options]
    try:
        process = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None, None, "no answer", ""
    output = process.stdout.decode("utf-8", "replace")
    errors = process.stderr.decode("utf-8", "replace")
    try:
        # Times are compared as they are written, keys in their order.
        rows = [json.loads(row, parse_float=str, object_pairs_hook=list) for row in output.splitlines()]
        *reports, summary = rows
        summary = dict(summary)
        summary["faults"] = dict(summary["faults"])
    except (ValueError, KeyError, TypeError) as error:
        return None, None, process.returncode, f"{error!r}\n{output}{errors}"
    return reports, summary, process.returncode, errors


def difference(program, options, model, lines, folder):
    """The first Difference between program and oracle, or None."""
    reports, counters = expected(model, lines)
    theirs, summary, status, errors = printed(program, options, model, lines, folder)
    wanted = 1 if any(counters["faults"].values()) else 0
    if theirs is None:
        return Difference("status", f"exit status {status}, not {wanted}\n{errors}")
    for place in range(max(len(reports), len(theirs))):
        pair = [_row(rows[place]) if place < len(rows) else "no more" for rows in (reports, theirs)]
        if pair[0] != pair[1]:
            before = "".join(f"  both:    {_row(row)}\n" for row in reports[max(0, place - 3) : place])
            return Difference("report", f"{before}  oracle:  {pair[0]}\n  program: {pair[1]}")
    for name in COUNTERS:
        if summary.get(name) != counters[name] or list(summary)[0] != "kind" or summary["kind"] != "summary":
            return Difference("summary", f"{name}: oracle {counters[name]}, program {summary.get(name)} in {summary}")
    if status != wanted:
        return Difference("status", f"exit status {status}, not {wanted}\n{errors}")
    return None


def _row(row):
    try:
        return json.dumps(dict(row), ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(row)


# ---------------------------------------------------------------------------------------------------- a smaller case


def shrink(model, lines, differs):
    """Leaves out lines, rules and parts of rules as long as differs(model, lines) stays true."""
    smaller = True
    while smaller:
        smaller = False
        size = max(1, len(lines) // 2)
        while size:
            place = 0
            while place < len(lines):
                fewer = lines[:place] + lines[place + size :]
                if differs(model, fewer):
                    lines, smaller = fewer, True
                else:
                    place += size
            size //= 2
        found = next((m for m in _smaller_models(model) if differs(m, lines)), None)
        while found:
            model, smaller = found, True
            found = next((m for m in _smaller_models(model) if differs(m, lines)), None)
    return model, lines


def _smaller_models(model):
    for key in ("rules", "constraints", "variables", "streams", "lets"):
        parts = getattr(model, key)
        for place in range(len(parts)):
            fewer = dataclasses.replace(model, **{key: parts[:place] + parts[place + 1 :]})
            if key in ("rules", "constraints") or _is_whole(fewer):
                yield fewer
    for place, rule in enumerate(model.rules):
        rules = [dataclasses.replace(rule, guard=guard) for guard in _smaller_formulas(rule.guard)]
        rules += [dataclasses.replace(rule, actions=rule.actions[:-1])] if rule.actions else []
        rules += [dataclasses.replace(rule, sources=rule.sources[:-1])] if len(rule.sources) > 1 else []
        for smaller in rules:
            yield dataclasses.replace(model, rules=model.rules[:place] + (smaller,) + model.rules[place + 1 :])


def _smaller_formulas(formula):
    if formula[0] in ("and", "or", "implies", "iff", "not"):
        yield from formula[1:]
        for place in range(1, len(formula)):
            for part in _smaller_formulas(formula[place]):
                yield formula[:place] + (part,) + formula[place + 1 :]
    elif formula[0] in ("exists", "all"):
        for body in _smaller_formulas(formula[4]):
            yield formula[:4] + (body,)
    elif formula[0] not in ("const", "truth"):
        yield ("const", True)
        yield ("const", False)


def _is_whole(model):
    """Whether every name in use is declared."""
    declared = {d.name for d in (*model.variables, *model.streams, *model.lets)}
    guards = {variable.guard for variable in model.variables if variable.guard}
    assigned = {action[0] for rule in model.rules for action in rule.actions if len(action) == 2}

    def used(tree):
        names = {"var": [1], "has": [1], "call": [1], "exists": [2], "all": [2]}.get(tree[0], [])
        inner = [p for p in tree[1:] if isinstance(p, tuple)] + ([*tree[2]] if tree[0] == "call" else [])
        return {tree[i] for i in names}.union(*(used(p) for p in inner if p and isinstance(p[0], str)))

    trees = [rule.guard for rule in model.rules] + [let.body for let in model.lets] + list(model.constraints)
    return guards | assigned | set().union(*map(used, trees)) <= declared


# ---------------------------------------------------------------------------------------------------- program


def compare_seed(task):
    """Figures of one seed, and its first difference as text."""
    program, options, seed = task
    model, lines = random_case(seed)
    reports, counters = expected(model, lines)
    figures = collections.Counter(lines=len(lines), firings=counters["adaptations"], expiries=counters["expiries"])
    figures.update(counters["faults"])
    with tempfile.TemporaryDirectory() as folder:
        for option in options:
            found = difference(program, option, model, lines, folder)
            if not found:
                continue

            def differs(model, lines, option=option, sort=found.sort):
                again = difference(program, option, model, lines, folder)
                return again is not None and again.sort == sort

            head = f"seed {seed} {' '.join(option)}"
            text = f"{head}\n\n{_shown(model, lines)}\n{found.text}\n"
            model, lines = shrink(model, lines, differs)
            found = difference(program, option, model, lines, folder)
            return figures, f"{text}\n{head}, made smaller\n\n{_shown(model, lines)}\n{found.text}\n"
    return figures, None


def _shown(model, lines):
    return model_text(model) + "\n" + "".join(line + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("poise", help="the program")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluate", choices=["full", "incremental", "counting", "both"], help="by default the program's own")
    parser.add_argument("--jobs", type=int, default=1, help="how many models at a time")
    parser.add_argument("--all", action="store_true", help="go on after a difference")
    arguments = parser.parse_args()
    ways = {None: [[]], "both": [["--evaluate", "full"], ["--evaluate", "incremental"]]}
    options = ways.get(arguments.evaluate, [["--evaluate", arguments.evaluate]])
    tasks = [(arguments.poise, options, arguments.seed + number) for number in range(arguments.models)]
    total, models, failed = collections.Counter(), 0, 0
    with contextlib.ExitStack() as stack:
        workers = stack.enter_context(multiprocessing.Pool(arguments.jobs)) if arguments.jobs > 1 else None
        for figures, text in workers.imap(compare_seed, tasks) if workers else map(compare_seed, tasks):
            models += 1
            total.update(figures)
            if text:
                failed += 1
                print(text, flush=True)
                if not arguments.all:
                    break
    kinds = ("lines", "expiries", "firings", "nondeterminism", "race", "cycle")
    print(f"{models} models: " + ", ".join(f"{total[kind]} {kind}" for kind in kinds) + f"; {failed} different")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
