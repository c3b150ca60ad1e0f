"""Servers that are slow, rude or away."""

import socket
import tempfile
import threading
import time
import unittest
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from stallscope.answers import WrongAnswer
from stallscope.client import MOST_ANSWER_BYTES, Client, Refused, Unreachable
from stallscope.retries import MOST_ATTEMPTS, with_retries
from tests.fakes import RudeServer

RUN = {"id": "r"}


class ClientTest(unittest.TestCase):
    def test_sends_token_key_and_body(self):
        with RudeServer((201, {}, RUN)) as server:
            self.assertEqual(Client(server.url + "/", "sst_x").create_run({"model": "m"}, "k"), "r")
            (what, headers, body), = server.requests
        self.assertEqual((what, body), ("POST /v1/runs", b'{"model": "m"}'))
        self.assertEqual((headers["Authorization"], headers["Idempotency-Key"]), ("Bearer sst_x", "k"))

    def test_follows_no_redirect_so_that_the_token_goes_nowhere_else(self):
        with RudeServer((200, {}, RUN)) as other, RudeServer((307, {"Location": f"{other.url}/v1/runs"}, "")) as server:
            with self.assertRaises(Refused) as caught:
                Client(server.url, "sst_x").create_run({}, "k")
            self.assertEqual((caught.exception.status, other.requests), (307, []))

    def test_reads_problems_and_what_is_none(self):
        problem = {"code": "validation-failed", "detail": "Wrong.", "errors": [{"field": "model", "message": "too long"}]}
        with RudeServer((400, {}, problem), (503, {"Retry-After": "7"}, "<html>away</html>")) as server:
            client = Client(server.url, "t")
            with self.assertRaises(Refused) as caught:
                client.create_run({}, "k")
            self.assertEqual(str(caught.exception), "validation-failed: Wrong. model: too long")
            with self.assertRaises(Refused) as caught:
                client.create_run({}, "k")
            self.assertEqual((caught.exception.code, caught.exception.retry_after_s), ("http-503", 7))

    def test_what_is_no_stallscope_server_is_said_to_be_none(self):
        with RudeServer((200, {}, "<html>Welcome to the captive portal</html>")) as server:
            with self.assertRaisesRegex(Unreachable, "Stallscope"):
                Client(server.url, "t").create_run({}, "k")
        with self.assertRaises(ValueError):
            Client("file:///etc/passwd", "t")

    def test_sends_exactly_the_bytes_of_a_part_without_a_token(self):
        with RudeServer((200, {}, "")) as server, tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "f")
            path.write_bytes(bytes(range(256)) * 8_192)
            Client("http://127.0.0.1:1", "sst_x").put_part(f"{server.url}/part", path, 100, 1_500_000)
            (_, headers, body), = server.requests
        self.assertEqual(body, path_bytes(100, 1_500_000))
        self.assertNotIn("Authorization", headers)

    def test_an_answer_is_bounded_in_bytes(self):
        for status in (200, 500):
            with RudeServer((status, {}, " " * (MOST_ANSWER_BYTES + 1))) as server:
                with self.assertRaises(WrongAnswer if status == 200 else Refused):
                    Client(server.url, "t").create_run({}, "k")

    def test_an_answer_that_drips_ends_with_the_time_for_all_of_it(self):
        # A byte each 50 ms, so that no single one is late: of the body, of the headers, of the body of a problem.
        for begun in (b"HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 500 No\r\n\r\n"):
            with self.subTest(begun=begun), dripping(begun) as url:
                started_s = time.monotonic()
                with self.assertRaises((Unreachable, Refused)):
                    Client(url, "t", timeout_s=0.4).create_run({}, "k")
                # It would go on for ever.
                self.assertLess(time.monotonic() - started_s, 20)

    def test_problems_of_another_shape_are_problems_still(self):
        for problem in ({"errors": 5, "code": ["x"]}, {"errors": {"a": 1}}, [], "[" * 100_000):
            with RudeServer((400, {"Retry-After": "\u00b2"}, problem)) as server:
                with self.assertRaises(Refused) as caught:
                    Client(server.url, "t").create_run({}, "k")
            self.assertEqual((caught.exception.status, caught.exception.retry_after_s), (400, None))
        with RudeServer((200, {}, "[" * 100_000)) as server, self.assertRaises(Unreachable):
            Client(server.url, "t").create_run({}, "k")

    def test_opens_nothing_but_http(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "f")
            path.write_bytes(b"x")
            for url in (path.as_uri(), "ftp://127.0.0.1/f", "data:,x"):
                with self.assertRaises(Unreachable):
                    Client("http://127.0.0.1:1", "t").put_part(url, path, 0, 1)


@contextmanager
def dripping(begun):
    """A server that begins its answer like this, and goes on with a space at a time until nobody listens."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with listener.accept()[0] as peer:
            try:
                peer.recv(65_536)
                peer.sendall(begun)
                while True:
                    time.sleep(0.05)
                    peer.sendall(b" ")
            except OSError:
                pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    listener.close()
    thread.join(10)


def path_bytes(offset, size):
    return (bytes(range(256)) * 8_192)[offset : offset + size]


class RetriesTest(unittest.TestCase):
    def attempt(self, *answers):
        """Pauses that were made, and how it ended."""
        pauses = []
        with RudeServer(*answers) as server:
            client = Client(server.url, "t")
            try:
                outcome = with_retries(lambda: client.create_run({}, "k"), pauses.append)
            except Exception as error:
                outcome = error
            return pauses, outcome, len(server.requests)

    def test_waits_as_long_as_the_server_asks(self):
        pauses, outcome, _ = self.attempt((429, {"Retry-After": "3"}, {}), (201, {}, RUN))
        self.assertEqual((outcome, len(pauses)), ("r", 1))
        self.assertTrue(3 <= pauses[0] <= 4)

    def test_gives_up_at_once_when_waiting_is_of_no_use(self):
        for status, headers in ((401, {}), (422, {}), (409, {}), (429, {"Retry-After": "3600"})):
            pauses, outcome, requests = self.attempt((status, headers, {}))
            self.assertIsInstance(outcome, Refused)
            self.assertEqual((pauses, requests), ([], 1))

    def test_tries_a_few_times_with_growing_pauses(self):
        pauses, outcome, requests = self.attempt((503, {}, {}))
        self.assertEqual((outcome.status, requests, len(pauses)), (503, MOST_ATTEMPTS, MOST_ATTEMPTS - 1))
        self.assertTrue(all(0.17 <= pause <= 13 for pause in pauses))
        self.assertGreater(pauses[-1], pauses[0])

    def test_a_server_that_is_away_may_come_back(self):
        with mock.patch("time.sleep"), self.assertRaises(Unreachable):
            with_retries(lambda: Client("http://127.0.0.1:1", "t").create_run({}, "k"), lambda _: None)
