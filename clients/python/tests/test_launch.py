"""How ranks come to one run."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from stallscope.job import Job
from stallscope.launch import agree, launch_of, parent_process
from tests.fakes import Store

HERE = Path(__file__).resolve().parents[1]
BODY = {"model": "m", "cluster": "c", "worldSize": 2}
SLURM = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_JOB_START_TIME": "1700000000"}
RANK = """
import json, os
from stallscope.job import read_job
from stallscope.launch import agree
print(json.dumps(agree(read_job(), {"model": "m"}, {"gpu": os.environ["RANK"]}, 0)))
"""


def ranks(**fields):
    return [Job(rank, 2, **fields) for rank in range(2)]


class AgreeTest(unittest.TestCase):
    def test_a_job_of_one_process_says_all_and_is_always_a_run_of_its_own(self):
        facts = {"gpu": "H200", "duration_s": 5, "started_at": "2026-01-01T00:00:00Z"}
        first, second = (agree(Job(), BODY, facts, 0) for _ in range(2))
        self.assertNotEqual(first[0], second[0])
        self.assertEqual(first[1]["durationS"], 5)
        self.assertEqual(first[1]["startedAt"], "2026-01-01T00:00:00Z")

    def test_the_store_gives_all_ranks_key_and_body_of_the_first(self):
        first, second = ranks(store=Store())
        ours = agree(first, BODY, {"gpu": "H200", "duration_s": 5}, 0)
        self.assertEqual(agree(second, BODY, {"gpu": "H100"}, 0), ours)
        self.assertEqual(ours[1]["hardware"]["gpu"], "H200")
        self.assertNotIn("durationS", ours[1])
        self.assertNotEqual(agree(second, BODY, {}, 1)[0], ours[0])

    def test_a_store_that_fails_leaves_the_other_ways(self):
        class Broken:
            def compare_set(self, *_):
                raise RuntimeError("the peer is gone")

        first, second = ranks(store=Broken(), launch_ids=SLURM)
        with self.assertLogs("stallscope"):
            ours = agree(first, BODY, {"gpu": "H200"}, 0)
            self.assertEqual(agree(second, BODY, {"gpu": "H100"}, 0), ours)
        self.assertNotIn("hardware", ours[1])

    def test_ids_of_a_scheduler_give_the_same_words_and_its_start(self):
        first, second = ranks(launch_ids=SLURM)
        ours = agree(first, BODY, {"gpu": "H200"}, 0)
        self.assertEqual(agree(second, BODY, {"gpu": "H100"}, 0), ours)
        self.assertEqual(ours[1], {**BODY, "startedAt": "2023-11-14T22:13:20.000Z"})

    def test_another_step_restart_recording_or_body_is_another_run(self):
        keys = [
            agree(Job(0, 2, launch_ids={**SLURM, **ids}), {**BODY, **body}, {}, ordinal)[0]
            for ids, body, ordinal in (
                ({}, {}, 0),
                ({}, {}, 1),
                ({"SLURM_STEP_ID": "1"}, {}, 0),
                ({"SLURM_RESTART_COUNT": "1"}, {}, 0),
                ({}, {"commit": "x"}, 0),
            )
        ]
        self.assertEqual(len(set(keys)), 5)
        self.assertTrue(all(len(key) <= 255 and key.isascii() for key in keys))

    def test_a_word_of_the_user_goes_before_all(self):
        first = Job(0, 2, launch_ids=SLURM, store=Store())
        second = Job(1, 2, launch_ids={**SLURM, "SLURM_JOB_ID": "8"})
        self.assertEqual(agree(first, BODY, {}, 0, "word"), agree(second, BODY, {}, 0, "word"))

    def test_torchrun_without_an_id_is_no_launch_over_machines(self):
        self.assertIsNone(launch_of(Job(0, 2, launch_ids={"TORCHELASTIC_RUN_ID": "none", "MASTER_PORT": "29500"})))
        with self.assertLogs("stallscope", "WARNING"):
            first, second = (agree(rank, BODY, {}, 0)[0] for rank in ranks())
        self.assertNotEqual(first, second)

    @staticmethod
    def launch(**env):
        """A launcher with two ranks below it, as torchrun has; what they agreed on."""
        code = "import os, subprocess, sys\nfor rank in '01':\n  env = {**os.environ, 'RANK': rank}\n  subprocess.run([sys.executable, '-c', sys.argv[1]], check=True, env=env)"
        command = [sys.executable, "-c", code, RANK]
        done = subprocess.run(command, cwd=HERE, env={**os.environ, **env}, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_ranks_of_one_machine_know_each_other_by_their_launcher(self):
        env = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "none"}
        (first, second), (another, _) = self.launch(**env), self.launch(**env)
        # Where the system tells no parents, each rank is alone.
        self.assertEqual(first == second, parent_process() is not None)
        self.assertNotEqual(another[0], first[0])
