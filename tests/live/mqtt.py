#!/usr/bin/env python3
"""poise watch --mqtt: messages of a broker that the test starts, and what is published there."""

import json
import re
import shutil
import signal
import subprocess
import unittest

from live import LiveTest, fault, switch, wait_until
from mqtt_client import Broker, Client, needs_broker, tls_context, tls_files

MAP = """\
# lamps by room
topic home/+/lamp     -> set on           app +1
topic home/+/seen     -> add seen         app +1
topic home/all        -> set              time at
topic home/level      -> set level from percent  app "cellar"  time at
topic log/#           -> line
"""


class MqttTest(LiveTest):
    def setUp(self):
        super().setUp()
        self.map = self.folder / "home.map"
        self.map.write_text(MAP)

    def start_broker(self, *args):
        broker = Broker(self.folder, *args)
        self.addCleanup(broker.close)
        self.broker = broker
        return broker

    def start_client(self, **options):
        client = Client(self.broker.port, **options)
        self.addCleanup(client.close)
        return client

    def watch_broker(self, *args, scheme="mqtt", host="127.0.0.1", **options):
        url = f"{scheme}://{host}:{self.broker.port}"
        return self.watch("--mqtt", url, "--mqtt-map", self.map, *args, **options)

    def refused(self, *args, **options):
        process = self.watch(*args, **options)
        self.assertEqual(process.finish(), 2)
        return process.err


@needs_broker
class Messages(MqttTest):
    def test_become_faults(self):
        self.start_broker()
        watch = self.watch_broker()
        watch.wait_for_err("subscribed to all topics")
        client = self.start_client()
        client.publish("home/hall/lamp", "true")
        said = json.loads(watch.wait_for_out('"app": "hall"'))
        self.assertGreater(said["t"], 1.6e9)  # since the epoch
        client.publish("home/all", '{"at": 12.5,\n "on": true}')
        watch.wait_for_out(fault("12.5"))
        client.publish("log/x/y", switch(3, True, "line"))
        watch.wait_for_out(fault("3.0", "line"))
        client.publish("home/level", '{"at": 7, "percent": 30, "battery": 5}')
        client.publish("home/level", '{"battery": 5}')  # not about us
        client.publish("home/kitchen/seen", '{"tag": "cat"}')
        client.publish("home/kitchen/lamp", "ON")  # not JSON
        watch.wait_for_err("poise: mqtt:6: `home/kitchen/lamp`: column 1: expected a value")
        client.publish("home/level", '{"at": 8, "percent": 300}')  # not in the domain
        watch.wait_for_err("poise: mqtt:7: `home/level`: column")
        client.publish("home/kitchen/lamp", "true")
        watch.wait_for_out('"app": "kitchen"')
        self.assertEqual(watch.stop(), 1)
        summary = json.loads(watch.out[-1])
        self.assertEqual(summary["events"], 6)
        self.assertEqual(summary["skipped"], 2)
        self.assertEqual(summary["instances"], 5)

    def test_are_put_in_order(self):
        self.start_broker()
        watch = self.watch_broker("--lateness", "10s")
        watch.wait_for_err("subscribed")
        client = self.start_client()
        for line in (switch(5, False), switch(4, True), switch(20, True)):
            client.publish("log/a", line)
        watch.wait_for_out(fault("4.0"))
        self.assertEqual(watch.stop(), 1)
        self.assertIn(fault("20.0"), watch.out)

    def test_may_be_many(self):
        self.start_broker("allow_anonymous true\nmax_queued_messages 0\n")
        watch = self.watch_broker("--mqtt-publish", "faults", "--metrics", "0")
        watch.wait_for_err("subscribed")
        listener = self.start_client()
        listener.subscribe("faults")
        client = self.start_client()
        for i in range(500):
            client.publish("log/a", switch(i, i % 2 == 1))
        wait_until(lambda: len(listener.messages) == 250, "250 faults")
        self.assertEqual(watch.stop(), 1)
        self.assertEqual(json.loads(watch.out[-1])["events"], 500)
        self.assertEqual([said for _, said in listener.messages], watch.out[:-1])


@needs_broker
class Publishing(MqttTest):
    def test_needs_no_map(self):
        self.start_broker()
        listener = self.start_client()
        listener.subscribe("out/#")
        log = self.folder / "log.jsonl"
        log.write_text("".join(switch(i, i % 2 == 1) for i in range(10000)))
        url = f"mqtt://127.0.0.1:{self.broker.port}"
        watch = self.watch("--input", log, "--mqtt", url, "--mqtt-publish", "out/faults")
        self.assertEqual(watch.finish(), 1)
        wait_until(lambda: len(listener.messages) == 5000, "5000 faults")
        self.assertEqual(listener.messages[0], ("out/faults", fault("1.0")))
        self.assertEqual([said for _, said in listener.messages], watch.out[:-1])

    def test_is_missed_if_it_fails(self):
        self.start_broker()
        self.broker.close()
        log = self.folder / "log.jsonl"
        log.write_text(switch(1, True))
        url = f"mqtt://127.0.0.1:{self.broker.port}"
        err = self.refused("--input", log, "--mqtt", url, "--mqtt-publish", "x")
        self.assertRegex(err[0], "cannot connect to mqtt://127.0.0.1:.*; trying again")
        self.assertIn("1 message was not published", err[-1])


@needs_broker
class Connections(MqttTest):
    def test_are_made_again(self):
        self.start_broker()
        watch = self.watch_broker("--mqtt-publish", "faults")
        watch.wait_for_err("subscribed")
        self.start_client().publish("home/a/lamp", "true")
        watch.wait_for_out('"app": "a"')
        for name in ("b", "c"):
            count = len(watch.err)
            self.broker.kill()
            wait_until(lambda: any("lost the connection" in line for line in watch.err[count:]), "a loss")
            self.broker.start()
            wait_until(lambda: any("subscribed" in line for line in watch.err[count:]), "a new connection")
            client = self.start_client()
            client.subscribe("faults")
            client.publish(f"home/{name}/lamp", "true")
            watch.wait_for_out(f'"app": "{name}"')
            wait_until(lambda: client.messages, "a fault at the broker")
        self.assertEqual(watch.stop(), 1)

    def test_lose_nothing_that_was_not_confirmed(self):
        self.start_broker()
        log = self.folder / "log.jsonl"
        log.write_text("")
        url = f"mqtt://127.0.0.1:{self.broker.port}"
        watch = self.watch("--input", log, "--follow", "--mqtt", url, "--mqtt-publish", "faults")
        watch.wait_for_err("connected")
        self.broker.process.send_signal(signal.SIGSTOP)
        with open(log, "a") as file:
            file.write("".join(switch(i, i % 2 == 1) for i in range(1000)))
        watch.wait_for_count(500)
        self.broker.kill()
        watch.wait_for_err("lost the connection")
        self.broker.start()
        wait_until(lambda: len([line for line in watch.err if "connected to" in line]) > 1, "a new one")
        self.assertEqual(watch.stop(), 1)  # not 2: the broker has confirmed them all

    def test_may_wait_for_a_broker(self):
        self.start_broker()
        self.broker.kill()
        watch = self.watch_broker()
        watch.wait_for_err("cannot connect to mqtt://127.0.0.1")
        self.broker.start()
        watch.wait_for_err("subscribed")
        self.start_client().publish("home/a/lamp", "true")
        watch.wait_for_out('"app": "a"')
        self.assertEqual(watch.stop(), 1)

    def test_end_by_a_signal_without_a_broker(self):
        self.start_broker()
        self.broker.kill()
        watch = self.watch_broker()
        watch.wait_for_err("cannot connect")
        self.assertEqual(watch.stop(), 0)

    @unittest.skipUnless(shutil.which("mosquitto_passwd"), "no mosquitto_passwd")
    def test_take_a_password(self):
        users = self.folder / "users"
        subprocess.run(
            ["mosquitto_passwd", "-b", "-c", str(users), "poise", "open sesame"], check=True
        )
        self.start_broker(f"allow_anonymous false\npassword_file {users}\n")
        secret = self.folder / "secret"
        secret.write_text("open sesame\n")
        right = [
            self.watch_broker("--mqtt-user", "poise", "--mqtt-password-file", secret),
            self.watch_broker("--mqtt-user", "poise", env={"POISE_MQTT_PASSWORD": "open sesame"}),
            self.watch_broker(host="poise@127.0.0.1", env={"POISE_MQTT_PASSWORD": "open sesame"}),
        ]
        for watch in right:
            watch.wait_for_err("subscribed")
        client = self.start_client(user="poise", password="open sesame")
        client.publish("home/a/lamp", "true")
        for watch in right:
            watch.wait_for_out('"app": "a"')
            self.assertEqual(watch.stop(), 1)
        secret.write_text("wrong")
        wrong = self.watch_broker("--mqtt-user", "poise", "--mqtt-password-file", secret)
        self.assertEqual(wrong.finish(), 2)
        self.assertRegex(wrong.err[-1], "^poise: mqtt://127.0.0.1:[0-9]+: connection Refused")
        nobody = self.watch_broker()
        self.assertEqual(nobody.finish(), 2)

    @unittest.skipUnless(shutil.which("openssl"), "no openssl")
    def test_may_be_encrypted(self):
        tls_files(self.folder)
        folder = self.folder
        self.start_broker(
            f"allow_anonymous true\ncafile {folder}/ca.pem\ncertfile {folder}/server.pem\n"
            f"keyfile {folder}/server.key\nrequire_certificate true\n"
        )
        ours = ["--mqtt-ca", folder / "ca.pem"]
        key = ["--mqtt-cert", folder / "client.pem", "--mqtt-key", folder / "client.key"]
        watch = self.watch_broker(*ours, *key, scheme="mqtts", host="localhost")
        watch.wait_for_err("subscribed")
        client = self.start_client(tls=tls_context(folder))
        client.publish("home/a/lamp", "true")
        watch.wait_for_out('"app": "a"')
        self.assertEqual(watch.stop(), 1)
        # An authority that nobody trusts, a name that is not in the certificate.
        stranger = self.watch_broker(*key, scheme="mqtts", host="localhost")
        self.assertEqual(stranger.finish(), 2)
        self.assertRegex(stranger.err[-1], "cannot connect to mqtts://localhost.*: certificate verify failed")
        other_name = self.watch_broker(*ours, *key, scheme="mqtts", host="127.0.0.1")
        self.assertEqual(other_name.finish(), 2)

    def test_need_permission(self):
        acl = self.folder / "acl"
        acl.write_text("topic read home/#\n")
        self.start_broker(f"allow_anonymous true\nacl_file {acl}\n")
        watch = self.watch_broker()
        # mosquitto grants what it then never sends; what it does send arrives.
        watch.wait_for_err("subscribed")
        self.assertEqual(watch.stop(), 0)


class Calls(MqttTest):
    def test_say_what_is_wrong_with_a_map(self):
        self.map.write_text("topic a -> set onn\n\ntopic b/# -> add sen app +1\n")
        self.assertEqual(
            self.refused("--mqtt", "mqtt://127.0.0.1", "--mqtt-map", self.map),
            [
                f"poise: {self.map}:1:16: unknown variable `onn`; did you mean `on`?",
                f"poise: {self.map}:3:18: unknown stream or set `sen`; did you mean `seen`?",
            ],
        )
        missing = self.folder / "none"
        self.assertIn(
            "cannot read", self.refused("--mqtt", "mqtt://h", "--mqtt-map", missing)[-1]
        )

    def test_say_what_does_not_go_together(self):
        url = ["--mqtt", "mqtt://127.0.0.1"]
        known = [
            (["--mqtt", "http://x", "--mqtt-map", self.map], "--mqtt takes an address"),
            (["--mqtt", "mqtt://me:secret@x", "--mqtt-map", self.map], "takes no password"),
            (url, "--mqtt needs --mqtt-map, --mqtt-publish or both"),
            (["--mqtt-map", self.map], "the options --mqtt-... need --mqtt URL"),
            ([*url, "--mqtt-map", self.map, "--input", "x"], "not from both"),
            ([*url, "--mqtt-publish", "a/#"], "neither `+` nor `#`"),
            ([*url, "--mqtt-map", self.map, "--mqtt-ca", "x"], "are for an address mqtts://"),
            (["--mqtt", "mqtts://h", "--mqtt-map", self.map, "--mqtt-key", "x"], "go together"),
            (["--mqtt", "mqtts://h", "--mqtt-map", self.map, "--mqtt-ca", "none"], "cannot read `none`"),
            ([*url, "--mqtt-map", self.map, "--mqtt-password-file", "none"], "without a user"),
        ]
        for args, words in known:
            with self.subTest(words):
                err = "\n".join(self.refused(*args))
                self.assertIn(words, err)
                self.assertIsNone(re.search("secret", err))


if __name__ == "__main__":
    unittest.main()
