"""What the tests of live input share: the program as a process, with what it says, line by line.

Nothing here sleeps for a fixed time: tests wait for conditions, with a deadline that only a broken
program meets.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

POISE = os.environ["POISE"]
DEADLINE = 120

# A fault whenever the lamp is switched on: two rules and no priority.
LAMP = """
model Lamp
sense on : bool
sense level : int 0..100
stream seen { tag: string }
state Dark initial
state Bright
state Warm
rule bright: Dark -> Bright when on
rule warm:   Dark -> Warm   when on
rule off:    Bright, Warm -> Dark when not on
"""


def wait_until(condition, what):
    """Waits until condition() is true and gives back its value."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


class Process:
    """A process whose lines are collected as they come."""

    def __init__(self, args, stdin=subprocess.DEVNULL, env=None):
        self.process = subprocess.Popen(
            [str(arg) for arg in args],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        self.out = []
        self.err = []
        self.readers = [
            threading.Thread(target=self._collect, args=(self.process.stdout, self.out)),
            threading.Thread(target=self._collect, args=(self.process.stderr, self.err)),
        ]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def _collect(stream, lines):
        for line in stream:
            lines.append(line.decode().rstrip("\n"))

    def wait_for_out(self, text):
        return wait_until(lambda: self._found(self.out, text), f"{text!r} in {self}")

    def wait_for_err(self, text):
        return wait_until(lambda: self._found(self.err, text), f"{text!r} in {self}")

    @staticmethod
    def _found(lines, text):
        return next((line for line in list(lines) if text in line), None)

    def wait_for_count(self, count):
        wait_until(lambda: len(self.out) >= count, f"{count} lines in {self}")

    def send(self, number):
        self.process.send_signal(number)

    def finish(self):
        """The exit status, when all that was said has been read."""
        status = self.process.wait(DEADLINE)
        for reader in self.readers:
            reader.join(DEADLINE)
        return status

    def stop(self, number=signal.SIGINT):
        self.send(number)
        return self.finish()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.finish()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def __str__(self):
        return f"out {self.out[-5:]}, err {self.err[-5:]}"


class LiveTest(unittest.TestCase):
    """A folder with the model of a lamp in it; processes end with the test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="poise-live-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.model = self.folder / "lamp.poise"
        self.model.write_text(LAMP)

    def start(self, args, **options):
        process = Process(args, **options)
        self.addCleanup(process.close)
        return process

    def watch(self, *args, **options):
        """poise watch on the lamp, as JSON Lines."""
        return self.start(
            [POISE, "watch", self.model, "--format", "jsonl", "--untimed", *args], **options
        )


def switch(time_, on, app=""):
    """A line of a log: the lamp is switched on or off."""
    return '{"t": %s, "app": "%s", "set": {"on": %s}}\n' % (time_, app, "true" if on else "false")


def fault(time_, app=""):
    """What the program says when the lamp goes on."""
    return (
        '{"t": %s, "app": "%s", "kind": "nondeterminism", "state": "Dark", '
        '"rules": ["bright", "warm"], "chosen": "bright"}' % (time_, app)
    )
