#!/usr/bin/env python3
"""poise watch --follow: a log that grows, is cut off, is replaced; and signals."""

import json
import os
import signal
import subprocess
import unittest

from live import LiveTest, fault, switch, wait_until


class Follow(LiveTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log.jsonl"
        self.log.write_text("")

    def append(self, text):
        with open(self.log, "a") as file:
            file.write(text)

    def summary(self, process):
        return json.loads(process.out[-1])

    def test_reads_what_is_appended(self):
        self.append(switch(1, True))
        watch = self.watch("--input", self.log, "--follow")
        watch.wait_for_out(fault("1.0"))
        for i in range(2, 12):
            self.append(switch(i, i % 2 == 1))
            if i % 2 == 1:
                watch.wait_for_out(fault(f"{i}.0"))
        self.assertEqual(watch.stop(), 1)
        self.assertEqual(self.summary(watch)["events"], 11)
        self.assertEqual(self.summary(watch)["faults"]["nondeterminism"], 6)
        self.assertEqual(watch.err, [])

    def test_waits_for_the_end_of_a_line(self):
        watch = self.watch("--input", self.log, "--follow")
        line = switch(1, True) + switch(2, False) + switch(3, True)
        for i in range(0, len(line), 7):
            self.append(line[i : i + 7])
        watch.wait_for_out(fault("3.0"))
        self.append(switch(4, False)[:-5])  # never finished
        self.assertEqual(watch.stop(signal.SIGTERM), 1)
        self.assertEqual(self.summary(watch)["events"], 3)
        self.assertEqual(self.summary(watch)["skipped"], 0)

    def test_notices_that_a_file_was_cut_off(self):
        self.append(switch(1, True) + switch(2, False) + '{"t": 3, "unfinished')
        watch = self.watch("--input", self.log, "--follow")
        watch.wait_for_out(fault("1.0"))
        self.log.write_text("")
        watch.wait_for_err("was cut off; reading from its start")
        self.append(switch(5, True) + "nonsense\n")
        watch.wait_for_out(fault("5.0"))
        watch.wait_for_err(f"{self.log}:2: column 1: expected `{{`")  # lines count anew
        self.assertEqual(watch.stop(), 1)

    def test_notices_that_a_file_was_replaced(self):
        self.append(switch(1, True) + switch(2, False).rstrip())
        watch = self.watch("--input", self.log, "--follow")
        watch.wait_for_out(fault("1.0"))
        os.rename(self.log, self.folder / "log.1")
        with open(self.folder / "log.1", "a") as old:  # whoever writes has not noticed yet
            old.write("\n" + switch(3, True) + switch(4, False).rstrip())
        watch.wait_for_out(fault("3.0"))
        new = self.folder / "new"
        new.write_text(switch(5, True))
        os.rename(new, self.log)
        watch.wait_for_err("was replaced; reading the new file")
        watch.wait_for_out(fault("5.0"))
        self.assertEqual(watch.stop(), 1)
        self.assertEqual(self.summary(watch)["events"], 5)  # the unfinished line, too

    def test_writes_to_a_file_as_it_goes(self):
        out = self.folder / "out.jsonl"
        watch = self.watch("--input", self.log, "--follow", "--output", out)
        self.append(switch(1, True))
        wait_until(lambda: out.exists() and fault("1.0") in out.read_text(), "a fault in the file")
        self.assertEqual(watch.stop(), 1)
        self.assertIn('"kind": "summary"', out.read_text())

    def test_holds_back_what_comes_out_of_order(self):
        watch = self.watch("--input", self.log, "--follow", "--lateness", "5s")
        self.append(switch(3, True) + switch(2, False) + switch(1, True) + switch(8.5, False))
        watch.wait_for_out(fault("1.0"))
        watch.wait_for_out(fault("3.0"))
        self.append(switch(0.5, True) + switch(0.7, True))
        watch.wait_for_err(f"{self.log}:5: too late: it is about 0.5")
        self.append(switch(9, True) + switch(20, True))
        watch.wait_for_out(fault("9.0"))
        self.assertEqual(watch.stop(), 1)
        self.assertEqual(self.summary(watch)["late"], 2)
        self.assertEqual(len([line for line in watch.err if "too late" in line]), 1)

    def test_refuses_what_cannot_be_followed(self):
        def refused(*args):
            process = self.watch(*args)
            self.assertEqual(process.finish(), 2)
            return process.err[-1]

        self.assertIn("--follow needs --input LOG", refused("--follow"))
        self.assertIn("it is a directory", refused("--follow", "--input", self.folder))
        self.assertIn("it is not a file", refused("--follow", "--input", "/dev/null"))
        self.assertIn("No such file", refused("--follow", "--input", self.folder / "none"))
        archive = self.folder / "log.gz"
        archive.write_bytes(b"\x1f\x8b\x08\x00rest")
        self.assertIn("it is an archive", refused("--follow", "--input", archive))


class Signals(LiveTest):
    def ended_by(self, number):
        watch = self.watch(stdin=subprocess.PIPE)
        watch.process.stdin.write(switch(1, True).encode())
        watch.process.stdin.flush()
        watch.wait_for_out(fault("1.0"))
        self.assertEqual(watch.stop(number), 1)
        self.assertEqual(json.loads(watch.out[-1])["events"], 1)

    def test_end_standard_input(self):
        self.ended_by(signal.SIGINT)
        self.ended_by(signal.SIGTERM)

    def test_end_a_pipe_without_a_writer(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        watch = self.watch("--input", pipe)
        # It listens to signals by the time that it has opened the pipe.
        writer = wait_until(lambda: self.opened(pipe), "a reader of the pipe")
        os.write(writer, switch(1, True).encode())
        watch.wait_for_out(fault("1.0"))
        self.assertEqual(watch.stop(), 1)
        os.close(writer)

    @staticmethod
    def opened(pipe):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return None

    def test_are_not_needed_when_nobody_reads_any_more(self):
        watch = self.watch(stdin=subprocess.PIPE)
        watch.process.stdin.write(switch(1, True).encode())
        watch.process.stdin.flush()
        watch.wait_for_out(fault("1.0"))
        # The reading end of its output goes away; with the next fault it notices and ends.
        reader, writer = os.pipe()
        other = subprocess.Popen(
            watch.process.args, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.DEVNULL
        )
        os.close(writer)
        os.close(reader)
        other.stdin.write(switch(1, True).encode())
        other.stdin.flush()
        self.assertEqual(other.wait(120), 2)
        other.stdin.close()
        self.assertEqual(watch.stop(), 1)


if __name__ == "__main__":
    unittest.main()
