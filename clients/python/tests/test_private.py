"""What others put into a spool, or where they put it, is neither sent nor believed."""

import contextlib
import io
import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from stallscope.cli import main
from stallscope.client import Client
from stallscope.hook import Hook
from stallscope.private_folder import NotPrivate, beside_of
from stallscope.spool import Recording, Spool
from stallscope.uploader import deliver
from tests.fakes import Profile, RudeServer, window
from tests.test_uploader import DONE, HAS_IT, KEPT, RUN


@unittest.skipUnless(hasattr(os, "geteuid"), "owners and modes are POSIX's")
class PrivateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spool = self.folder / "spool"

    def record(self, **manifest):
        recording = Recording.create(self.spool, {"key": "k", "body": {}, **manifest})
        (recording.files_folder / "log").write_bytes(b"abc")
        recording.release()
        return recording

    def flush(self, server=None):
        """Exit code, and what was said."""
        out, err = io.StringIO(), io.StringIO()
        env = {"STALLSCOPE_TOKEN": "sst_x", "STALLSCOPE_SPOOL": str(self.spool)}
        with mock.patch.dict(os.environ, {**env, **({"STALLSCOPE_SERVER": server} if server else {})}):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return main(["flush"]), err.getvalue()

    def train(self):
        hook = Hook(spool=str(self.spool), model="m", cluster="c", steps_after=0)
        profile = Profile(hook, b"{}", window(1, 0, 1))
        for _ in range(3):
            hook.step()
            profile.step()
        hook.close()

    def test_the_token_goes_to_no_server_that_a_recording_names(self):
        with RudeServer(RUN) as named, RudeServer(RUN, (201, {}, HAS_IT), DONE, KEPT) as ours:
            self.record(server=named.url)
            code, said = self.flush()
            self.assertEqual((code, "STALLSCOPE_SERVER" in said), (2, True))
            code, said = self.flush(ours.url)
            self.assertEqual((code, said.count("\n")), (1, 1))
            self.assertIn(f"is for the server '{named.url}'", said)
            self.assertEqual((named.requests, ours.requests), ([], []))
            # Its own server's, and one that was made without any, are sent.
            self.record(server=ours.url + "/")
            self.assertEqual(self.flush(ours.url)[0], 1)
            self.assertEqual(len(list(Spool(self.spool).recordings())), 1)

    def test_a_wrong_answer_for_one_recording_costs_no_other(self):
        self.record()
        self.record()
        with RudeServer((201, {}, [])) as server:
            code, said = self.flush(server.url)
            self.assertEqual((code, len(server.requests), said.count("not that of a Stallscope server")), (1, 2, 2))

    def test_links_and_pipes_are_not_sent_and_that_is_said(self):
        recording = self.record()
        secret = self.folder / "key"
        secret.write_text("-----BEGIN PRIVATE KEY-----")
        (recording.files_folder / "x.log").symlink_to(secret)
        (recording.files_folder / "x.trace.json").symlink_to(secret)
        os.mkfifo(recording.files_folder / "pipe")
        with RudeServer(RUN, (201, {}, HAS_IT), DONE, KEPT) as server, self.assertLogs("stallscope") as logs:
            deliver(recording, Spool(self.spool), Client(server.url, "t"))
            self.assertFalse(any(b"PRIVATE" in body or b"x.log" in body for _, _, body in server.requests))
        self.assertEqual(sum("no regular file" in line for line in logs.output), 3)
        self.assertTrue(secret.read_text().startswith("-----"))

    def test_a_link_in_the_place_of_a_copy_is_not_written_through(self):
        recording = self.record()
        victim = self.folder / "victim"
        victim.write_text("mine")
        (recording.files_folder / "a.trace.json").write_bytes(b"{}")
        (recording.files_folder / "a.trace.json.gz.part").symlink_to(victim)
        recording.pack()
        self.assertEqual(victim.read_text(), "mine")

    def test_folders_are_the_users_alone_whatever_the_umask(self):
        before = os.umask(0)
        try:
            self.spool = self.folder / "a/b/spool"
            recording = self.record()
        finally:
            os.umask(before)
        made = (self.folder / "a", self.folder / "a/b", self.spool, recording.folder, recording.files_folder)
        self.assertEqual({stat.S_IMODE(path.stat().st_mode) for path in made}, {0o700})

    def test_a_spool_that_others_may_write_to_is_not_used_and_nothing_is_lost(self):
        self.record()
        for mode in (0o770, 0o702):
            self.spool.chmod(mode)
            code, said = self.flush("http://127.0.0.1:1")
            self.assertEqual((code, said.count("\n")), (2, 1))
            self.assertIn("chmod go-w", said)
            with self.assertLogs("stallscope") as logs:
                self.train()
            self.assertTrue(any(f"recordings go to {beside_of(self.spool)}" in line for line in logs.output))
        self.assertEqual(beside_of(self.spool).name, f"spool-{os.geteuid()}")
        self.assertEqual(stat.S_IMODE(beside_of(self.spool).stat().st_mode), 0o700)
        self.assertEqual(len(list(Spool(beside_of(self.spool)).recordings())), 2)
        self.assertIn(str(beside_of(self.spool)), self.flush("http://127.0.0.1:1")[1])
        self.spool.chmod(0o700)
        self.assertEqual(len(list(Spool(self.spool).recordings())), 1)

    def test_nor_is_one_beside_it_that_somebody_has_prepared(self):
        self.spool.mkdir()
        self.spool.chmod(0o777)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(mode=0o700)
        beside_of(self.spool).symlink_to(elsewhere)
        with self.assertLogs("stallscope"):
            self.train()
        self.assertEqual((list(self.spool.iterdir()), list(elsewhere.iterdir())), ([], []))
        (fresh,) = self.folder.glob(f"spool-{os.geteuid()}-*")
        self.assertEqual(len(list(Spool(fresh).recordings())), 1)

    def test_a_spool_or_a_recording_of_another_user_is_refused(self):
        recording = self.record()
        with mock.patch("stallscope.private_folder.os.geteuid", return_value=os.geteuid() + 1):
            with self.assertRaisesRegex(NotPrivate, "belongs to the user with the id"):
                Recording.create(self.spool, {})
        recording.folder.chmod(0o777)
        code, said = self.flush("http://127.0.0.1:1")
        self.assertEqual((code, "left alone" in said), (1, True))
        recording.folder.chmod(0o700)
        recording.folder.rename(self.folder / "moved")
        (self.spool / "link").symlink_to(self.folder / "moved")
        self.assertEqual(list(Spool(self.spool).recordings()), [])
