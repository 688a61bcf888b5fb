"""As much of MQTT 3.1.1 as the tests need: a broker to start, and a client that publishes and listens."""

import shutil
import socket
import ssl
import struct
import subprocess
import threading
import unittest

from live import DEADLINE, wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")


def needs_broker(test):
    return unittest.skipUnless(MOSQUITTO, "no MQTT broker: the package mosquitto is missing")(test)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Broker:
    """mosquitto, on a port of this machine, which it keeps when it is started again."""

    def __init__(self, folder, more="allow_anonymous true\n"):
        self.port = free_port()
        self.config = folder / f"broker-{self.port}.conf"
        # As root it would become a user who cannot read the folder of the test.
        self.config.write_text(f"user root\nlistener {self.port} 127.0.0.1\n{more}")
        self.log = folder / f"broker-{self.port}.log"
        self.process = None
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [MOSQUITTO, "-c", str(self.config)], stdout=log, stderr=subprocess.STDOUT
            )
        wait_until(self.accepts, "the broker")

    def accepts(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the broker has ended: {self.log.read_text()}")
        try:
            socket.create_connection(("127.0.0.1", self.port), DEADLINE).close()
            return True
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait(DEADLINE)

    def close(self):
        if self.process.poll() is None:
            self.kill()


def text(value):
    data = value.encode()
    return struct.pack("!H", len(data)) + data


class Client:
    """Publishes with confirmation; collects the messages of the topics it has subscribed to."""

    def __init__(self, port, user=None, password=None, tls=None):
        self.messages = []
        self.confirmed = set()
        self.last_id = 0
        self.socket = socket.create_connection(("127.0.0.1", port), DEADLINE)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        flags = 2 | (0x80 if user else 0) | (0x40 if password else 0)
        body = text("MQTT") + bytes([4, flags]) + struct.pack("!H", 0) + text("")
        body += (text(user) if user else b"") + (text(password) if password else b"")
        self.send(0x10, body)
        kind, answer = self.packet()
        if kind != 0x20 or answer[1] != 0:
            raise AssertionError(f"the broker refuses the test: {answer}")
        self.socket.settimeout(None)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def send(self, kind, body):
        length = len(body)
        size = b""
        while True:
            size += bytes([length % 128 | (128 if length > 127 else 0)])
            length //= 128
            if not length:
                break
        self.socket.sendall(bytes([kind]) + size + body)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def packet(self):
        kind = self.exactly(1)[0]
        length = shift = 0
        while True:
            byte = self.exactly(1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return kind, self.exactly(length)

    def read(self):
        try:
            while True:
                kind, body = self.packet()
                if kind >> 4 == 3:
                    size = struct.unpack("!H", body[:2])[0]
                    self.messages.append((body[2 : 2 + size].decode(), body[2 + size :].decode()))
                elif kind in (0x40, 0x90):
                    self.confirmed.add(struct.unpack("!H", body[:2])[0])
        except (EOFError, OSError, ValueError):
            pass

    def wait_for(self, number):
        wait_until(lambda: number in self.confirmed, "a confirmation by the broker")

    def subscribe(self, topic):
        self.last_id += 1
        self.send(0x82, struct.pack("!H", self.last_id) + text(topic) + b"\0")
        self.wait_for(self.last_id)

    def publish(self, topic, payload):
        self.last_id += 1
        data = payload if isinstance(payload, bytes) else payload.encode()
        self.send(0x32, text(topic) + struct.pack("!H", self.last_id) + data)
        self.wait_for(self.last_id)

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
        self.reader.join(DEADLINE)


def tls_files(folder):
    """An authority, and a certificate for localhost and a key by it."""

    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test Authority",
            "-keyout", "ca.key", "-out", "ca.pem")  # fmt: skip
    for name, subject in (("server", "localhost"), ("client", "poise")):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={subject}",
                "-keyout", f"{name}.key", "-out", f"{name}.csr")  # fmt: skip
        (folder / "names").write_text(f"subjectAltName=DNS:{subject}\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "2", "-extfile", "names", "-out", f"{name}.pem")  # fmt: skip


def tls_context(folder):
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    context.load_cert_chain(str(folder / "client.pem"), str(folder / "client.key"))
    return context
