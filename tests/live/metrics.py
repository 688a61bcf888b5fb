#!/usr/bin/env python3
"""poise watch --metrics: scrapes while it waits and while it is busy, and bad clients."""

import re
import socket
import subprocess
import threading
import unittest
import urllib.request

from live import DEADLINE, LiveTest, fault, switch, wait_until

SAMPLE = re.compile(r'^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$')


class Metrics(LiveTest):
    def start_watch(self, *args):
        watch = self.watch("--metrics", "0", *args, stdin=subprocess.PIPE)
        said = watch.wait_for_err("metrics at http://127.0.0.1:")
        self.url = said.split(" at ")[1]
        self.port = int(self.url.split(":")[2].split("/")[0])
        return watch

    def scrape(self):
        """Each sample and its value, after a look at the format."""
        with urllib.request.urlopen(self.url, timeout=DEADLINE) as reply:
            self.assertEqual(reply.status, 200)
            self.assertTrue(reply.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            text = reply.read().decode()
        self.assertTrue(text.endswith("\n"))
        samples = {}
        for line in text.splitlines():
            if line.startswith("# "):
                self.assertRegex(line, r"^# (HELP|TYPE) poise_[a-z_]+ \S")
                continue
            self.assertRegex(line, SAMPLE)
            name, _, value = line.rpartition(" ")
            self.assertNotIn(name, samples)
            samples[name] = float(value)
        return samples

    def ask(self, request):
        """All that is answered to some bytes."""
        with socket.create_connection(("127.0.0.1", self.port), DEADLINE) as client:
            client.sendall(request)
            answer = b""
            while chunk := client.recv(65536):
                answer += chunk
            return answer

    def write(self, watch, text):
        watch.process.stdin.write(text.encode())
        watch.process.stdin.flush()

    def test_tell_what_happened(self):
        watch = self.start_watch("--lateness", "1s")
        self.assertEqual(self.scrape()["poise_events_total"], 0)
        self.write(watch, switch(1, True) + switch(2, False) + "nonsense\n" + switch(9, True))
        self.write(watch, switch(1.5, True) + switch(11, True, "b") + switch(20, True, "b"))
        watch.wait_for_out(fault("11.0", "b"))
        samples = self.scrape()
        expected = {
            "poise_events_total": 3,
            "poise_adaptations_total": 3,
            'poise_faults_total{kind="nondeterminism"}': 2,
            'poise_faults_total{kind="race"}': 0,
            "poise_skipped_lines_total": 1,
            "poise_late_total": 1,
            "poise_instances": 2,
            "poise_event_seconds_count": 3,
            'poise_event_seconds_bucket{le="+Inf"}': 3,
        }
        self.assertEqual({name: samples[name] for name in expected}, expected)
        self.assertGreater(samples["poise_event_seconds_sum"], 0)
        buckets = [value for name, value in samples.items() if "_bucket" in name]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual(watch.stop(), 1)

    def test_are_there_while_the_program_is_busy(self):
        watch = self.start_watch("--quiet", "--format", "text")
        going = True

        def feed():
            time_ = 0
            while going:
                block = []
                for _ in range(1000):
                    time_ += 1
                    block.append(switch(time_, time_ % 2 == 1))
                self.write(watch, "".join(block))

        writer = threading.Thread(target=feed)
        writer.start()
        try:
            events = 0
            for _ in range(20):
                now = wait_until(lambda: self.more_than(events), "more events")
                events = now
            results = []
            scrapers = [
                threading.Thread(target=lambda: results.append(self.scrape())) for _ in range(40)
            ]
            for scraper in scrapers:
                scraper.start()
            for scraper in scrapers:
                scraper.join(DEADLINE)
            self.assertEqual(len(results), 40)
        finally:
            going = False
            writer.join(DEADLINE)
        self.assertEqual(watch.stop(), 1)

    def more_than(self, events):
        now = self.scrape()["poise_events_total"]
        return now if now > events else None

    def test_refuse_other_requests(self):
        self.start_watch()

        def status(request):
            return self.ask(request).split(b"\r\n")[0]

        self.assertEqual(status(b"GET /metrics HTTP/1.0\r\n\r\n"), b"HTTP/1.1 200 OK")
        self.assertEqual(status(b"GET / HTTP/1.1\r\n\r\n"), b"HTTP/1.1 404 Not Found")
        self.assertEqual(status(b"POST /metrics HTTP/1.1\r\n\r\nbody"), b"HTTP/1.1 405 Method Not Allowed")
        self.assertEqual(status(b"hello\r\n"), b"HTTP/1.1 400 Bad Request")
        self.assertEqual(status(b"x" * 100000), b"HTTP/1.1 400 Bad Request")
        self.assertEqual(status(b"\x16\x03\x01\x02\x00\x01\n"), b"HTTP/1.1 400 Bad Request")
        self.assertEqual(self.scrape()["poise_events_total"], 0)

    def test_do_not_mind_slow_clients(self):
        watch = self.start_watch()
        idle = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(24)]
        for client in idle[::2]:
            client.sendall(b"GET /met")
        # The log goes on meanwhile; who is idle is sent away, so that others get their turn.
        self.write(watch, switch(1, True))
        watch.wait_for_out(fault("1.0"))
        self.assertEqual(self.scrape()["poise_events_total"], 1)
        for client in idle:
            client.settimeout(DEADLINE)
            try:
                self.assertEqual(client.recv(1), b"")
            except ConnectionResetError:
                pass
            client.close()
        self.assertEqual(watch.stop(), 1)

    def test_need_a_free_port(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            taken = self.watch("--metrics", other.getsockname()[1])
            self.assertEqual(taken.finish(), 2)
            self.assertRegex(taken.err[-1], "^poise: cannot listen on 127.0.0.1:[0-9]+: Address already in use")
        wrong = self.watch("--metrics", "http")
        self.assertEqual(wrong.finish(), 2)
        self.assertEqual(
            wrong.err, ["poise: --metrics takes a port, or an address and a port, not `http`"]
        )


if __name__ == "__main__":
    unittest.main()
