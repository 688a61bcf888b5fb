#!/usr/bin/env python3
"""Holds the documents to the program: what README.md and docs/ show is what it says.

    POISE=PROGRAM run_docs.py [--update] [DOCUMENT...]

Fenced blocks, by their tag:

    console           lines `$ ./run ARGS` or `$ poise ARGS`, each followed by all that the program says. A line `…`
                      stands for lines that are left out. `$ echo $?` shows the exit status of the command before it;
                      a status that is not shown must be 0 or 1.
    poise             a whole model, in canonical layout, that `poise check` can read
    poise fragment    declarations of a model, in canonical layout; names may be missing
    poise untidy      a whole model in any layout
    poise wrong       a model with a mistake: `poise check` ends with 2
    poise policy      a whole policy, in canonical layout, which `poise check` refuses as such
    poise large       a whole model in canonical layout that is too much for `poise check`, which ends with 3

A block behind `<!-- file: NAME -->` is saved under that name, for the commands that follow. Commands run in a scratch
folder that holds copies of examples/ and docs/; every document gets a fresh one. Every model under examples/ must be
readable and in canonical layout, and every link to a file or a heading must lead somewhere.

--update writes what the program says now into the console blocks. Read the diff like code.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = "…"
REFUSED = "this is a policy"  # what verbs for rules say about one
TIMEOUT = 120  # seconds for one command, enough for a build with sanitizers
FENCE = re.compile(r"^```(\S.*)?$")
FILE_NAME = re.compile(r"^<!-- file: (\S+) -->$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@dataclass
class Block:
    tag: str
    first: int  # index of its first line in the document; the fence is the line before
    lines: list
    file: str = ""  # saved under this name


@dataclass
class Command:
    words: list
    line: int  # index in the document
    expected: list = field(default_factory=list)


class Run:
    """One pass over the documents: what was wrong, and how much was looked at."""

    def __init__(self, program, update):
        self.program = program
        self.update = update
        self.problems = []
        self.commands = 0
        self.models = 0

    def problem(self, place, text):
        self.problems.append(f"{place}: {text}")

    def poise(self, words, folder, given=""):
        """Exit status and everything said, standard output and standard error together."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("NO_COLOR", "COLUMNS", "LINES", "CLICOLOR_FORCE")
        }
        done = subprocess.run(
            [self.program, *words],
            cwd=folder,
            env=environment,
            input=given.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")

    # ------------------------------------------------------------------------------------------ documents

    def document(self, path):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        name = path.relative_to(ROOT)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            for part in ("examples", "docs"):
                shutil.copytree(ROOT / part, folder / part)
            edits = []
            for block in _blocks(lines, name, self):
                if block.file:
                    (folder / block.file).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
                if block.tag == "console":
                    edits += self.console(block, name, folder)
                elif block.tag.split(" ")[0] == "poise":
                    self.model(block, name, folder)
        for first, last, replacement in reversed(edits):  # so that the places of the others stay right
            lines[first:last] = replacement
        if edits:
            path.write_text("\n".join(lines), encoding="utf-8")
            print(f"{name}: {len(edits)} outputs rewritten")
        self.links(path, lines)

    def model(self, block, name, folder):
        self.models += 1
        place = f"{name}:{block.first + 1}"
        text = "\n".join(block.lines) + "\n"
        kind = block.tag.partition(" ")[2]
        statuses = {"": (0, 1), "untidy": (0, 1), "wrong": (2,), "policy": (2,), "large": (3,), "fragment": None}
        if kind not in statuses:
            self.problem(place, f"unknown tag `{block.tag}`")
            return
        if statuses[kind]:
            status, said = self.poise(["check", "-"], folder, text)
            if status not in statuses[kind] or (REFUSED in said) != (kind == "policy"):
                self.problem(place, f"`poise check` ends with {status} on this model:\n{said}")
        if kind not in ("untidy", "wrong"):
            status, said = self.poise(["fmt", "-"], folder, text)
            if status != 0 or said != text:
                self.problem(place, f"not in canonical layout, which is (status {status}):\n{said}")

    def console(self, block, name, folder):
        """Runs the commands of a block; gives back the edits that --update has to make."""
        edits = []
        status = None
        commands = _commands(block)
        if not commands:
            self.problem(f"{name}:{block.first + 1}", "a console block without a command")
        for i, command in enumerate(commands):
            place = f"{name}:{command.line + 1}"
            shows_status = i + 1 < len(commands) and commands[i + 1].words == ["echo", "$?"]
            if command.words == ["echo", "$?"]:
                if status is None:
                    self.problem(place, "the status of which command?")
                    continue
                actual = [str(status)]
            elif command.words[0] in ("./run", "poise"):
                self.commands += 1
                words, given = _redirected(command.words[1:], folder)
                status, said = self.poise(words, folder, given)
                actual = said.removesuffix("\n").split("\n") if said else []
                if status not in (0, 1) and not shows_status:
                    self.problem(place, f"ends with status {status}, which the document does not show:\n{said}")
            else:
                self.problem(place, f"`{command.words[0]}` is neither `./run` nor `poise`")
                continue
            if _matches(command.expected, actual):
                continue
            if self.update:
                begin = command.line + 1
                edits.append((begin, begin + len(command.expected), _cut(command.expected, actual)))
            else:
                self.problem(place, _difference(command.expected, actual))
        return edits

    # ------------------------------------------------------------------------------------------ the rest

    def links(self, path, lines):
        outside = _without_blocks(lines)
        for target in (match[1] or match[2] for match in LINK.finditer("\n".join(outside))):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            aim = (path.parent / file).resolve() if file else path
            if not aim.exists():
                self.problem(path.relative_to(ROOT), f"the link `{target}` leads nowhere")
            elif anchor and aim.suffix == ".md" and anchor not in _anchors(aim):
                self.problem(path.relative_to(ROOT), f"the link `{target}` names no heading")

    def examples(self):
        models = sorted(path.relative_to(ROOT) for path in (ROOT / "examples").rglob("*.poise"))
        if not models:
            self.problem("examples", "no models found")
        for model in models:
            self.models += 1
            status, said = self.poise(["check", "--quiet", str(model)], ROOT)
            if status not in (0, 1) and REFUSED not in said:
                self.problem(model, f"`poise check` ends with {status}:\n{said}")
            status, said = self.poise(["fmt", "--check", str(model)], ROOT)
            if status != 0:
                self.problem(model, f"not in canonical layout (`poise fmt --write` repairs that):\n{said}")


def _blocks(lines, name, run):
    block = None
    file = ""
    for i, line in enumerate(lines):
        fence = FENCE.match(line)
        if block is not None:
            if line == "```":
                yield block
                block = None
            else:
                block.lines.append(line)
        elif fence:
            block = Block(tag=fence[1] or "", first=i + 1, lines=[], file=file)
            file = ""
        elif FILE_NAME.match(line):
            file = FILE_NAME.match(line)[1]
        elif line.strip():
            file = ""
    if block is not None:
        run.problem(f"{name}:{block.first}", "a block that does not end")


def _without_blocks(lines):
    inside = False
    outside = []
    for line in lines:
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            outside.append(re.sub(r"`[^`]*`", "", line))
    return outside


def _anchors(path):
    """The names GitHub gives to headings."""
    anchors = set()
    inside = False
    for line in path.read_text(encoding="utf-8").split("\n"):
        if FENCE.match(line):
            inside = not inside
        elif line.startswith("#") and not inside:
            heading = line.lstrip("#").strip().lower()
            anchors.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return anchors


def _commands(block):
    commands = []
    for i, line in enumerate(block.lines):
        if line.startswith("$ "):
            commands.append(Command(words=shlex.split(line[2:]), line=block.first + i))
        elif commands:
            commands[-1].expected.append(line)
    return commands


def _redirected(words, folder):
    """`ARGS < FILE`: the arguments and the text of the file."""
    if len(words) >= 2 and words[-2] == "<":
        return words[:-2], (folder / words[-1]).read_text(encoding="utf-8")
    return words, ""


def _segments(expected):
    segments = [[]]
    for line in expected:
        if line == LEFT_OUT:
            segments.append([])
        else:
            segments[-1].append(line)
    return segments


def _find(segment, lines, start):
    for i in range(start, len(lines) - len(segment) + 1):
        if lines[i : i + len(segment)] == segment:
            return i
    return None


def _matches(expected, actual):
    head, *middle = _segments(expected)
    if not middle:
        return expected == actual
    *middle, tail = middle
    if len(head) + len(tail) > len(actual) or actual[: len(head)] != head:
        return False
    if tail and actual[-len(tail) :] != tail:
        return False
    position = len(head)
    for segment in middle:
        found = _find(segment, actual[: len(actual) - len(tail)], position)
        if found is None:
            return False
        position = found + len(segment)
    return True


def _cut(expected, actual):
    """The new output with the same number of lines left at its ends; what stood in the middle stays if it is there."""
    head, *middle = _segments(expected)
    if not middle or len(actual) <= len(head) + len(middle[-1]):
        return actual
    *middle, tail = middle
    result = actual[: len(head)] + [LEFT_OUT]
    position = len(head)
    for segment in middle:
        found = _find(segment, actual, position)
        if found is None:
            print(f"left out, for it is no longer there: {segment}")
            continue
        result += segment + [LEFT_OUT]
        position = found + len(segment)
    return result + (actual[-len(tail) :] if tail else [])


def _difference(expected, actual):
    shown = [f"    - {line}" for line in expected] + [f"    + {line}" for line in actual]
    return "\n".join(["the document shows (-) what the program does not say (+):", *shown])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    program = os.environ.get("POISE")
    if not program:
        sys.exit("run_docs.py: the environment variable POISE must name the program")

    documents = [path.resolve() for path in arguments.documents]
    whole = not documents
    if whole:
        documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    run = Run(str(pathlib.Path(program).resolve()), arguments.update)
    for path in documents:
        run.document(path)
    if whole:
        for path in (ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "examples").rglob("*.md"))):
            run.links(path, path.read_text(encoding="utf-8").split("\n"))
        run.examples()
        if run.commands == 0:
            run.problem("docs", "no commands found")

    for problem in run.problems:
        print(problem)
    print(f"{run.commands} commands and {run.models} models in {len(documents)} documents: "
          f"{len(run.problems)} problems")
    sys.exit(1 if run.problems else 0)


if __name__ == "__main__":
    main()
