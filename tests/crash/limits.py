#!/usr/bin/env python3
"""What `poise watch --state` does when the world refuses: no room, no right to write, no memory, a folder in use, another
log, another output, a damaged state. It ends with a message and the right exit status, and what was kept before stays: the
next run, with room, writes the same bytes as one run without all this.

    limits.py POISE [--sanitizers]
"""

import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import parcels

LIMIT = 60  # seconds for one call


class Folder:
    """A model, a log and the commands to watch it."""

    def __init__(self, program, path):
        self.program = program
        self.path = path
        self.lines = parcels.log(1, 6000)
        self.write("model.poise", parcels.MODEL.encode())
        self.write("log", "".join(self.lines).encode())

    def at(self, name):
        return os.path.join(self.path, name)

    def write(self, name, content):
        with open(self.at(name), "wb") as stream:
            stream.write(content)

    def read(self, name):
        with open(self.at(name), "rb") as stream:
            return stream.read()

    def command(self, *options, log="log"):
        return [self.program, "watch", self.at("model.poise"), "--input", self.at(log), "--untimed", "--trace", *options]

    def with_state(self, *options, output="out", state="state", log="log"):
        return self.command("--output", self.at(output), "--state", self.at(state), *options, log=log)


def run(command, limits=()):
    """The exit status and standard error."""

    def set_limits():
        for what, value in limits:
            resource.setrlimit(what, (value, value))

    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             timeout=LIMIT, check=False, preexec_fn=set_limits)
    return process.returncode, process.stderr.decode("utf-8", "replace")


def expect(result, status, *texts):
    wrong = result[0] != status or any(text not in result[1] for text in texts)
    # Said once, and nobody else's words.
    ours = re.fullmatch(r"(poise: [^\n]*\n)*", result[1])
    if wrong or not ours:
        sys.exit(f"exit status {result[0]}, not {status}; {texts}\n{result[1]}")


def same(folder, status, output="out"):
    """A run with room, and the bytes it should have written."""
    expect(run(folder.with_state(output=output)), status)
    if folder.read(output) != folder.read("expected"):
        sys.exit(f"{output} is not what one run writes")


def no_room(folder, status):
    """Files may only become so large: first the output does not fit, then the state."""
    size = len(folder.read("expected"))
    for room in (0, 100, size // 3, size // 2, size - 1):
        expect(run(folder.with_state("--state-every", "1ms"), [(resource.RLIMIT_FSIZE, room)]), 2, "cannot write",
               "File too large")
    same(folder, status)
    shutil.rmtree(folder.at("state"))
    # Without --trace there is little output, so it is the state for which there is no room.
    command = folder.with_state("--quiet", output="quiet", state="quiet_state")
    expect(run([*command, "--state-every", "0"], [(resource.RLIMIT_FSIZE, 1000)]), 2, "cannot write", "state.tmp",
           "File too large")
    if os.path.exists(folder.at("quiet_state/state.tmp")):
        sys.exit("what could not be written is still there")
    expect(run(command), status)
    expect(run(folder.command("--quiet", "--output", folder.at("quiet_expected"))), status)
    if folder.read("quiet") != folder.read("quiet_expected"):
        sys.exit("without room for the state: another output")


def no_memory(folder):
    """Too little memory for what the windows hold; with more, it goes on."""
    everything = [f'{{"t": {i / 1000}, "add": "S", "value": {{"tag": "{"x" * 900}{i}", "x": 1}}}}\n' for i in range(29000)]
    folder.write("large", "".join(everything).encode())
    status, errors = run(folder.command("--output", folder.at("large_expected"), log="large"))
    if status not in (0, 1):
        sys.exit(errors)
    command = folder.with_state("--state-every", "20ms", output="large_out", state="large_state", log="large")
    ran_out = 0
    for megabytes in range(16, 400, 8):
        result = run(command, [(resource.RLIMIT_AS, megabytes << 20)])
        if result[0] == status:
            break
        # With too little even to start with, it is not our program that says so.
        if ran_out or result[0] == 3:
            expect(result, 3, "out of memory")
            ran_out += 1
    if ran_out == 0:
        sys.exit("it never ran out of memory")
    expect(run(command), status)
    if folder.read("large_out") != folder.read("large_expected"):
        sys.exit("out of memory: another output")


def refused(folder, status):
    """What is not the same is not gone on with, and is not touched."""
    again = "cannot go on from the state in"
    expect(run(folder.with_state("--choose", "random")), 2, again, "--choose random --seed 1")
    expect(run(folder.with_state("--evaluate", "full")), status)
    expect(run(folder.command("--state", folder.at("state"))), 2, "--state needs --output")
    expect(run(folder.command("--state-every", "1s")), 2, "--state-every needs --state")
    model = folder.read("model.poise")
    folder.write("model.poise", model + b"# another one\n")
    expect(run(folder.with_state()), 2, again, "another model")
    folder.write("model.poise", model)

    log = folder.read("log")
    for other in (log[1:], log[: len(log) // 2], log[:-3] + b" }\n", b"", b" " * len(log)):
        folder.write("log", other)
        expect(run(folder.with_state()), 2, again, "is not the log")
    folder.write("log", log)

    out = folder.read("out")
    for other in (out[:-500], b"", b"precious" * len(out)):
        folder.write("out", other)
        expect(run(folder.with_state()), 2, again, "is not the output")
        if folder.read("out") != other:
            sys.exit("a file that is not ours was written to")
    folder.write("out", out)
    expect(run(folder.with_state(output="/dev/full", state="other")), 2, "--state needs a file")
    expect(run(folder.with_state(state="log")), 2, "Not a directory")
    expect(run(folder.with_state(state="no/such")), 2, "cannot make the folder")
    same(folder, status)


def damaged(folder, status, count):
    """A state with other bytes, or fewer, is refused."""
    state = folder.read("state/state")
    rng = random.Random(1)
    for _ in range(count):
        other = bytearray(state)
        if rng.random() < 0.3:
            del other[rng.randrange(len(other)) :]
        else:
            other[rng.randrange(len(other))] ^= 1 << rng.randrange(8)
        folder.write("state/state", bytes(other))
        expect(run(folder.with_state()), 2, "cannot go on from the state in")
    folder.write("state/state", state)
    same(folder, status)


def in_use(folder):
    """Two processes do not use one folder."""
    with subprocess.Popen([folder.program, "watch", folder.at("model.poise"), "--output", folder.at("pipe_out"), "--state",
                           folder.at("pipe")], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as first:
        while not os.path.exists(folder.at("pipe_out")):
            if first.poll() is not None:
                sys.exit("it should wait for its input")
        expect(run(folder.with_state(state="pipe")), 2, "is used by another process")
        first.stdin.close()
        first.wait()


def not_writable(folder):
    if os.geteuid() == 0:
        return  # who may do everything cannot test that
    os.mkdir(folder.at("closed"), 0o555)
    expect(run(folder.with_state(state="closed")), 2, "Permission denied")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--sanitizers", action="store_true", help="they need more memory than can be limited")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(arguments.program, path)
        status, errors = run(folder.command("--output", folder.at("expected")))
        if status not in (0, 1):
            sys.exit(errors)
        no_room(folder, status)
        same(folder, status)
        refused(folder, status)
        damaged(folder, status, 10 if arguments.sanitizers else 40)
        in_use(folder)
        not_writable(folder)
        if not arguments.sanitizers:
            no_memory(folder)


if __name__ == "__main__":
    main()
