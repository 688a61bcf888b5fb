#!/usr/bin/env python3
"""Kills `poise watch --state` at random moments, restarts it until it ends, and compares what is written then, byte for
byte, with what one run writes.

    kill.py POISE [--kills N] [--lines N] [--seed S] [--seconds N]

One log after another, until so many kills have hit a running process, or the time is over: as a file, as an archive, as
standard input, followed, with lines that come late. Now and then SIGTERM comes instead of SIGKILL. The seed fixes logs and
delays, not what is under way when they are over.
"""

import argparse
import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import parcels

CASES = (("file", ()), ("file", ("--lateness", "1s")), ("archive", ()), ("stdin", ()),
         ("file", ("--choose", "random", "--seed", "5")), ("file", ("--follow",)))


class Case:
    """A log with one way to read it, in a folder of its own."""

    def __init__(self, program, folder, seed, lines):
        self.folder = folder
        self.sort, options = CASES[seed % len(CASES)]
        self.follow = "--follow" in options
        late = 800 if "--lateness" in options else 0
        text = "".join(parcels.log(seed, lines, late)).encode()
        self.log = self.path("log")
        with open(self.path("model.poise"), "w", encoding="utf-8") as stream:
            stream.write(parcels.MODEL)
        with open(self.log, "wb") as stream:
            stream.write(gzip.compress(text, 1) if self.sort == "archive" else text)
        self.command = [program, "watch", self.path("model.poise"), "--trace", "--format", "jsonl", "--untimed", *options]

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *options, follow=True):
        """A process, with its standard input and standard error."""
        command = [word for word in self.command if follow or word != "--follow"]
        command += ["--input", "-" if self.sort == "stdin" else self.log, *options]
        with open(self.log, "rb") as log, open(self.path("errors"), "wb") as errors:
            return subprocess.Popen(command, stdin=log, stdout=errors, stderr=errors)

    def start_with_state(self, follow=True):
        return self.start("--output", self.path("out"), "--state", self.path("state"), "--state-every", "1ms",
                          follow=follow)

    def errors(self):
        with open(self.path("errors"), encoding="utf-8", errors="replace") as stream:
            return stream.read()


def content(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as stream:
        return stream.read()


def wait_a_little(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass


def run_through_kills(case, rng, duration, deadline, most):
    """Until a run, of which one takes so long, ends by itself: how often it was killed, how often on its way, and its last exit status."""
    kills = 0
    on_its_way = 0
    state = None
    while kills < most and time.monotonic() < deadline:
        process = case.start_with_state()
        # While it starts; soon after that; somewhere on its way.
        wait_a_little(process, duration * rng.choice((0.02, 0.3, 1)) * rng.random())
        how = signal.SIGTERM if rng.random() < 0.1 else signal.SIGKILL
        process.send_signal(how)
        status = process.wait()
        if status == -how:  # of SIGTERM: before there was a handler
            kills += 1
            before, state = state, content(case.path("state/state"))
            on_its_way += before != state
        elif status not in (0, 1):
            sys.exit(f"exit status {status}\n{case.errors()}")
        elif how == signal.SIGKILL and not case.follow:
            return kills, on_its_way, status
    return kills, on_its_way, case.start_with_state(follow=False).wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--lines", type=int, default=30000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=45)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    deadline = time.monotonic() + arguments.seconds
    kills = 0
    on_their_way = 0
    runs = 0
    while kills < arguments.kills and time.monotonic() < deadline:
        with tempfile.TemporaryDirectory() as folder:
            case = Case(arguments.program, folder, arguments.seed + runs, arguments.lines)
            begin = time.monotonic()
            status = case.start("--output", case.path("expected"), follow=False).wait()
            duration = time.monotonic() - begin
            if status not in (0, 1):
                sys.exit(f"exit status {status}\n{case.errors()}")
            hit, on_its_way, ended = run_through_kills(case, rng, duration, deadline, min(arguments.kills - kills, 60))
            if ended != status:
                sys.exit(f"case {runs} ({case.command[7:]}): exit status {ended}, not {status}\n{case.errors()}")
            if content(case.path("out")) != content(case.path("expected")):
                os.rename(folder, folder + ".kept")
                os.mkdir(folder)
                sys.exit(f"case {runs}: after {hit} kills the output is another one; see {folder}.kept")
            kills += hit
            on_their_way += on_its_way
            runs += 1
    print(f"{kills} kills in {runs} runs, {on_their_way} of them after a new state was kept; no byte is different")
    if on_their_way < kills / 10:
        sys.exit("hardly any run came anywhere before it was killed")


if __name__ == "__main__":
    main()
