#!/usr/bin/env python3
"""One run of a program with the time and memory that it took, for tests of limits.

A process that has just been started counts the memory of the one that started it: the kernel keeps the larger of both.
A test that has read a large report would measure itself; so an interpreter of its own, which stays small, starts the
program and waits for it.
"""

import os
import subprocess
import sys
import tempfile
from typing import NamedTuple


class Run(NamedTuple):
    status: int
    printed: str
    said: str  # on standard error
    seconds: float  # of the processor
    memory: int  # bytes


def run(arguments):
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as usage:
        subprocess.run([sys.executable, "-I", "-S", __file__, str(usage.fileno()), *arguments], check=True,
                       stdin=subprocess.DEVNULL, stdout=printed, stderr=said, pass_fds=[usage.fileno()])
        for stream in (printed, said, usage):
            stream.seek(0)
        status, seconds, memory = usage.read().split()
        return Run(int(status), printed.read().decode(), said.read().decode(), float(seconds), int(memory))


def main():
    place, *arguments = sys.argv[1:]
    process = os.posix_spawnp(arguments[0], arguments, os.environ)
    _, status, usage = os.wait4(process, 0)
    row = f"{os.waitstatus_to_exitcode(status)} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss * 1024}"
    os.write(int(place), row.encode())


if __name__ == "__main__":
    main()
