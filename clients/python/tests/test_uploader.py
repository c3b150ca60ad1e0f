"""Uploads that are taken up again, and answers that end them, against a server that is told what to say."""

import json
import tempfile
import unittest
from pathlib import Path

from stallscope.client import Client
from stallscope.spool import Recording, Spool
from stallscope.uploader import NotSent, deliver
from tests.fakes import RudeServer

RUN = (201, {}, {"id": "r1"})
DONE = (200, {}, {"state": "queued"})
HAS_IT = {"id": "a1", "state": "uploaded", "partSizeBytes": 4, "parts": [], "nextPart": None}
#: The server's word that it has the file.
KEPT = (200, {}, HAS_IT)


def page(url, parts, following=None):
    """An answer with (number, bytes, is uploaded) parts of 4 bytes."""
    listed = [
        {"partNumber": n, "sizeBytes": size, "url": f"{url}/part{n}", "uploaded": there} for n, size, there in parts
    ]
    return {**HAS_IT, "state": "awaitingUpload", "parts": listed, "nextPart": following}


class UploaderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.spool = Spool(folder.name)
        self.recording = self.record()

    def record(self, **files):
        recording = Recording.create(Path(self.spool.folder), {"key": "k", "body": {"model": "m"}})
        self.addCleanup(recording.release)
        for name, content in (files or {"log": b"0123456789"}).items():
            (recording.files_folder / name).write_bytes(content)
        return recording

    def deliver(self, server, recording=None):
        return deliver(recording or self.recording, self.spool, Client(server.url, "t"))

    def test_sends_the_parts_that_are_missing_page_by_page(self):
        with RudeServer(RUN) as server:
            pages = [page(server.url, [(1, 4, True), (2, 4, False)], 3), page(server.url, [(3, 2, False)])]
            server.answers = [RUN, (201, {}, pages[0]), (200, {}, ""), (200, {}, pages[1]), (200, {}, ""), DONE, KEPT]
            self.assertEqual(self.deliver(server), "r1")
            sent = [(what, body) for what, _, body in server.requests if what.startswith("PUT")]
            completed = json.loads(server.requests[-2][2])
        self.assertEqual(sent, [("PUT /part2", b"4567"), ("PUT /part3", b"89")])
        self.assertEqual(completed, {"artifacts": ["a1"]})
        self.assertFalse(self.recording.folder.exists())

    def test_an_address_that_has_expired_is_asked_for_again(self):
        with RudeServer(RUN) as server:
            first = page(server.url, [(1, 10, False)])
            server.answers = [RUN, (201, {}, first), (403, {}, "expired"), (200, {}, first), (200, {}, ""), DONE, KEPT]
            self.assertEqual(self.deliver(server), "r1")

    def test_a_run_is_created_once_for_all_ranks_of_a_spool_whatever_the_server_remembers(self):
        with RudeServer(RUN, (201, {}, HAS_IT), DONE, KEPT, (201, {}, HAS_IT), DONE, KEPT) as server:
            self.deliver(server)
            self.deliver(server, self.record())
            created = [what for what, _, _ in server.requests if what == "POST /v1/runs"]
        self.assertEqual(len(created), 1)

    def test_what_the_server_has_lost_is_sent_once_more(self):
        lost = (409, {}, {"code": "upload-incomplete"})
        with RudeServer(RUN, (201, {}, HAS_IT), lost, (201, {}, HAS_IT), DONE, KEPT) as server:
            self.assertEqual(self.deliver(server), "r1")
        with RudeServer(RUN, (201, {}, HAS_IT), lost, (201, {}, HAS_IT), lost) as server:
            with self.assertRaisesRegex(NotSent, "upload-incomplete"):
                self.deliver(server, self.record())

    def test_one_file_that_is_refused_costs_no_other(self):
        recording = self.record(big=b"x", small=b"y")
        too_large = (413, {}, {"code": "artifact-too-large", "detail": "10 bytes at most."})
        with RudeServer(RUN, too_large, (201, {}, HAS_IT), DONE, KEPT) as server:
            with self.assertRaisesRegex(NotSent, "big: Refused: artifact-too-large"):
                self.deliver(server, recording)
        self.assertEqual([path.name for path in recording.files()], ["big"])
        recording.read()
        self.assertIn("artifact-too-large", recording.manifest["problem"])

    def test_ranks_that_come_when_the_run_is_closed_make_the_next_one_together(self):
        closed = (409, {}, {"code": "upload-closed"})
        keys = []
        for recording in (self.recording, self.record()):
            with RudeServer(RUN, closed, (201, {}, {"id": "r2"}), (201, {}, HAS_IT), DONE, KEPT) as server:
                # Ranks that do not share a spool.
                spool = Spool(Path(self.spool.folder, f"of-{len(keys)}"))
                self.assertEqual(deliver(recording, spool, Client(server.url, "t")), "r2")
                keys.append([headers["Idempotency-Key"] for what, headers, _ in server.requests if what == "POST /v1/runs"])
        self.assertEqual(keys[0], keys[1])
        self.assertEqual(len(set(keys[0])), 2)

    def test_a_recording_without_files_makes_no_run(self):
        empty = self.record(nothing=b"")
        with RudeServer(RUN) as server:
            self.deliver(server, empty)
            self.assertEqual(server.requests, [])
        self.assertFalse(empty.folder.exists())

    def test_keeps_each_file_until_the_server_itself_says_that_it_has_it(self):
        awaited = {**HAS_IT, "state": "awaitingUpload"}
        for kept in (awaited, {**HAS_IT, "state": "rejected"}, {**HAS_IT, "id": "another"}, []):
            with RudeServer(RUN, (201, {}, HAS_IT), DONE, (200, {}, kept)) as server:
                with self.assertRaises(NotSent):
                    self.deliver(server)
            self.assertEqual([path.name for path in self.recording.files()], ["log"])

    def test_an_id_that_two_files_get_deletes_neither(self):
        both = self.record(one=b"1", two=b"2")
        with RudeServer(RUN, (201, {}, HAS_IT), (201, {}, HAS_IT), DONE, KEPT) as server:
            with self.assertRaisesRegex(NotSent, "one id"):
                self.deliver(server, both)
        self.assertEqual([path.name for path in both.files()], ["one", "two"])

    def test_answers_of_another_shape_end_the_attempt_at_once(self):
        part = {"partNumber": 1, "sizeBytes": 4, "url": "http://127.0.0.1:1/p", "uploaded": False}
        parts = [
            {**part, "url": "file:///etc/hostname"},
            {**part, "url": "ftp://127.0.0.1/a"},
            {**part, "url": "nourl"},
            {**part, "url": "http://[/"},
            {**part, "url": "http://127.0.0.1:99999/"},
            {**part, "url": "http://127.0.0.1:1/a b"},
            {**part, "url": None},
            {**part, "partNumber": 0},
            {**part, "partNumber": 4},
            {**part, "partNumber": True},
            {**part, "sizeBytes": 11},
            {**part, "sizeBytes": "4"},
            [],
        ]
        awaited = {**HAS_IT, "state": "awaitingUpload"}
        pages = [{**awaited, "parts": [part]} for part in parts]
        pages += [{**awaited, "nextPart": n} for n in (0, 1, -5, 10_001, "2", 1.5)]
        pages += [{**awaited, "parts": [part, part]}, {**awaited, "id": "../x"}, {**awaited, "parts": {}}, {}, [], None]
        for answer in pages:
            with self.subTest(answer=answer), RudeServer(RUN, (201, {}, answer)) as server:
                # Another run for each, so that each asks for it.
                with self.assertRaisesRegex(NotSent, "not that of a Stallscope server"):
                    self.deliver(server, self.record())
                self.assertLessEqual(len(server.requests), 2)
        for answer in ([], {}, {"id": 1}, {"id": "a/b"}, None):
            with self.subTest(run=answer), RudeServer((201, {}, answer)) as server:
                with self.assertRaises(NotSent):
                    deliver(self.recording, Spool(Path(self.spool.folder, "other")), Client(server.url, "t"))
                self.assertEqual(len(server.requests), 1)
        self.assertEqual([path.name for path in self.recording.files()], ["log"])

    def test_a_list_of_parts_that_never_ends_ends(self):
        with RudeServer(RUN, (201, {}, {**HAS_IT, "nextPart": 2}), (200, {}, {**HAS_IT, "nextPart": 2})) as server:
            with self.assertRaisesRegex(NotSent, "nextPart does not rise"):
                self.deliver(server)
            self.assertEqual(len(server.requests), 3)
