#!/usr/bin/env python3
"""Progress on a terminal moves while a solver works, and leaves nothing behind; elsewhere there is none.

    POISE=build/release/bin/poise verify_progress.py
"""

import os
import pty
import re
import subprocess
import sys
import tempfile

from verify_limits import PRODUCTS


def run(path, err):
    command = [os.environ["POISE"], "verify", path, "--no-odds", "--time-limit", "4s"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err)


def shown(path):
    """What a terminal receives as standard error, and standard output."""
    ours, theirs = pty.openpty()
    with run(path, theirs) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        return said.decode(), process.stdout.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.poise")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(PRODUCTS)
        text, output = shown(path)
        seconds = {int(number) for number in re.findall(r"verify: [^\r]*, (\d+) s", text)}
        if len(seconds) < 2:
            sys.exit(f"progress stands still: {text!r}")
        lines = [part for part in text.replace("\n", "\r").split("\r") if part.strip()]
        if "limit was reached" not in lines[-1]:
            sys.exit(f"progress is left behind: {text!r}")
        with run(path, subprocess.PIPE) as process:
            quiet, words = process.communicate()
        if b"verify: " in words or quiet != output:
            sys.exit(f"progress without a terminal: {words!r}")


if __name__ == "__main__":
    main()
