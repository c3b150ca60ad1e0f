"""The hook in a training loop, with no server: what it leaves in the spool, and that it is never in the way."""

import gzip
import json
import logging
import os
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import stallscope
from stallscope.hook import Hook
from stallscope.spool import Recording, Spool
from tests.fakes import AdamW, Loader, Net, Profile, find, window

HERE = Path(__file__).resolve().parents[1]
TRACE = b'{"traceEvents": []}'


class HookTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.spool = Path(folder.name, "spool")
        logs = self.assertLogs("stallscope", logging.INFO)
        self.logs = logs.__enter__()
        self.addCleanup(logs.__exit__, None, None, None)
        logging.getLogger("stallscope").info("so that there is a line")

    def hook(self, **options):
        return Hook(**{"spool": str(self.spool), "model": "m", "cluster": "c", **options})

    def train(self, hook, steps, schedule=None, trace=TRACE):
        profile = Profile(hook, trace, schedule or window(4, 1, 2))
        hook.step()
        for _ in range(steps):
            hook.step()
            profile.step()

    def warnings(self):
        return [record.getMessage() for record in self.logs.records if record.levelno >= logging.WARNING]

    def test_leaves_a_trace_metadata_and_the_steps_without_the_profiler(self):
        hook = self.hook(module=Net(), loader=Loader(), optimizer=AdamW(), seq_len=8, steps_after=3)
        self.train(hook, 12)
        hook.close()
        packed = find(self.spool, "rank0.pt.trace.json.gz")
        self.assertEqual(gzip.decompress(packed.read_bytes()), TRACE)
        meta = json.loads(find(self.spool, "meta.rank0.json").read_text())
        self.assertEqual((meta["params"], meta["seq_len"], meta["optimizer"], meta["rank"]), (1000, 8, "AdamW(fused)", 0))
        lines = [json.loads(line) for line in find(self.spool, "step_times.rank0.jsonl").read_text().splitlines()]
        # Without the three steps of the window, and the one that had the export in it.
        self.assertEqual([line["step"] for line in lines], [0, 1, 2, 3, 8, 9])
        self.assertTrue(all(line["host_s"] >= 0 for line in lines))
        self.assertEqual([r.manifest["body"]["model"] for r in Spool(self.spool).recordings()], ["m"])

    def test_each_window_is_a_recording_of_its_own(self):
        hook = self.hook(steps_after=1)
        self.train(hook, 280)
        hook.close()
        recordings = list(Spool(self.spool).recordings())
        self.assertEqual(len(recordings), 3)
        self.assertEqual(len({r.manifest["key"] for r in recordings}), 3)
        self.assertTrue(any("are left out" in line for line in self.logs.output))

    def test_a_window_without_a_whole_step_is_none(self):
        hook = self.hook(steps_after=50)
        profile = Profile(hook, TRACE, window(2, 1, 2))
        hook.step()
        for _ in range(8):
            hook.step()
            profile.step()
        profile.stop()
        hook.close()
        (recording,) = Spool(self.spool).recordings()
        self.assertTrue(any("is left out" in line for line in self.logs.output))

    def test_a_loop_without_a_profiler_leaves_its_steps_and_its_duration(self):
        with stallscope.watch(spool=str(self.spool), model="m", cluster="c") as watch:
            self.assertEqual(list(watch.steps("abc")), ["a", "b", "c"])
        self.assertEqual(len(find(self.spool, "step_times.rank0.jsonl").read_text().splitlines()), 3)
        (recording,) = Spool(self.spool).recordings()
        self.assertGreaterEqual(recording.manifest["body"]["durationS"], 1)

    def test_nothing_raises_whatever_fails(self):
        file = Path(self.spool.parent, "file")
        file.write_text("")
        for options in ({"spool": str(file)}, {"spool": "/proc/none"}, {"disk_free_bytes": 1 << 60}, {"unknown": 1}):
            hook = self.hook(**options)
            self.train(hook, 8)
            hook.close()
        with mock.patch.dict(os.environ, {"STALLSCOPE_EXIT_WAIT_S": "soon"}):
            hook = self.hook()
            self.train(hook, 8)
            hook.close()

        class Broken(Profile):
            def export_chrome_trace(self, path):
                raise RuntimeError("Profiler didn't run.\nTraceback")

        hook = self.hook()
        broken = Broken(hook, b"", window(1, 0, 1))
        for _ in range(4):
            hook.step()
            broken.step()
        hook.close()
        self.assertGreaterEqual(len(self.warnings()), 5)
        self.assertFalse(any("\n" in line for line in self.warnings()))
        self.assertEqual(list(self.spool.glob("*/files/*.json.gz")), list(self.spool.glob("*/files/*.gz"))[:1])

    def test_a_full_spool_takes_no_more_and_loses_nothing(self):
        first = self.hook(steps_after=0)
        self.train(first, 7)
        first.close()
        second = self.hook(steps_after=0, spool_max_bytes=10)
        self.train(second, 7)
        second.close()
        self.assertEqual(len(list(Spool(self.spool).recordings())), 1)
        self.assertTrue(any("stallscope flush" in line for line in self.warnings()))

    def test_the_spool_is_the_users_alone_and_holds_no_token(self):
        hook = self.hook(token="sst_very-secret", steps_after=0)
        self.train(hook, 7)
        hook.close()
        files = [path for path in self.spool.rglob("*") if path.is_file()]
        self.assertTrue(files)
        self.assertFalse(any(b"very-secret" in path.read_bytes() for path in files))
        self.assertEqual(stat.S_IMODE(self.spool.stat().st_mode), 0o700)
        self.assertFalse(any("very-secret" in line for line in self.logs.output))

    def test_the_training_thread_waits_for_nothing_but_the_export(self):
        hook = self.hook(server="http://127.0.0.1:1", token="t", exit_wait_s=0.01, steps_after=0)
        with mock.patch("stallscope.background.deliver", side_effect=lambda *_: time.sleep(5)):
            self.train(hook, 7)
            # Nobody has waited for the thread, which sleeps.
            self.assertEqual(len(list(Spool(self.spool).recordings())), 1)
            hook.close()
        self.assertTrue(any("the rest is in" in line for line in self.warnings()))

    def test_sends_the_logs_that_were_asked_for(self):
        tools = Path(self.spool.parent, "bin")
        tools.mkdir()
        program = tools / "nvidia-smi"
        program.write_text("#!/bin/sh\necho '# gpu pwr'\necho '0 700'\nexec sleep 60\n")
        program.chmod(0o755)
        nccl = Path(self.spool.parent, f"nccl.{os.getpid()}.log")
        nccl.write_text("NCCL INFO\n")
        env = {"PATH": f"{tools}:{os.environ['PATH']}", "NCCL_DEBUG_FILE": f"{nccl.parent}/nccl.%p.log"}
        with mock.patch.dict(os.environ, env):
            hook = self.hook(monitor=True, nccl_log=True, steps_after=5)
            file = hook._monitor._file
            deadline = time.monotonic() + 20
            while file.stat().st_size == 0 and time.monotonic() < deadline:
                time.sleep(0.01)
            self.train(hook, 7)
            hook.close()
        self.assertEqual(find(self.spool, "nccl.rank0.log").read_text(), "NCCL INFO\n")
        (monitor,) = self.spool.rglob("dmon.*.log")
        self.assertIn("0 700", monitor.read_text())
        self.assertFalse(file.parent.exists())


class KilledTest(unittest.TestCase):
    def test_a_job_that_is_killed_leaves_what_it_had_for_the_next_flush(self):
        with tempfile.TemporaryDirectory() as spool:
            env = {**os.environ, "STALLSCOPE_SPOOL": spool, "FAKE_RANK_STAYS_S": "600"}
            command = [sys.executable, str(HERE / "tests/fake_rank.py"), "healthy", "8"]
            job = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(job.stdout.readline(), b"trained\n")
            (recording,) = Spool(spool).recordings()
            self.assertFalse(recording.try_lock())
            job.kill()
            job.wait()
            job.stdout.close()
            self.assertTrue(recording.try_lock())
            recording.pack()
            names = [path.name for path in recording.files()]
            recording.release()
        self.assertEqual(names, ["meta.rank0.json", "rank0.pt.trace.json.gz"])


class SpoolTest(unittest.TestCase):
    def test_packs_again_what_a_crash_cut_short_to_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            spool = Path(folder)
            contents = []
            for _ in range(2):
                recording = Recording.create(spool, {"key": "k", "body": {}})
                trace = recording.files_folder / "rank0.pt.trace.json"
                trace.write_bytes(TRACE)
                (recording.files_folder / "rank0.pt.trace.json.gz.part").write_bytes(b"half")
                (recording.files_folder / "empty.log").write_bytes(b"")
                recording.pack()
                (packed,) = recording.files()
                contents.append(packed.read_bytes())
                recording.release()
        self.assertEqual(contents[0], contents[1])

    def test_passes_over_what_is_no_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a", "{"), ("b", "[]"), ("c", '{"key": 1}')):
                Path(folder, name).mkdir()
                Path(folder, name, "run.json").write_text(text)
            Path(folder, "file").write_text("")
            self.assertEqual(list(Spool(folder).recordings()), [])
            spool = Spool(folder)
            spool.remember_run("s", "k", "r")
            spool.forget_old_runs()
            self.assertEqual((spool.run_id("s", "k"), spool.run_id("t", "k")), ("r", None))
            spool.forget_old_runs(time.time() + 100 * 86_400)
            self.assertIsNone(spool.run_id("s", "k"))
