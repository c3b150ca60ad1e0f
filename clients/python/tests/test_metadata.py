"""What is said of a run, and what never is."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from stallscope import describe, run_body
from stallscope.allow_list import allowed
from stallscope.git import read_commit
from stallscope.hook import Hook
from stallscope.job import read_job
from tests.fakes import AdamW, DistributedDataParallel, Loader, Net, OptimizedModule

COMMIT = "a" * 40


class EnvironmentTest(unittest.TestCase):
    def test_sends_nothing_that_is_not_allowed(self):
        env = {
            "NCCL_DEBUG": "INFO",
            "OMP_NUM_THREADS": "8",
            "HF_TOKEN": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
            "HOME": "/home/somebody",
            "NCCL_SECRET": "x",
            "NCCL_TOPO_FILE": "a\nb",
            "NCCL_ALGO": "x" * 1_001,
        }
        self.assertEqual(allowed(env), {"NCCL_DEBUG": "INFO", "OMP_NUM_THREADS": "8"})

    def test_sends_what_the_user_names_unless_it_looks_like_a_secret(self):
        env = {"MY_SWITCH": "1", "MY_API_KEY": "x"}
        self.assertEqual(allowed(env, ["MY_SWITCH", " MY_API_KEY"]), {"MY_SWITCH": "1"})

    def test_no_preview_holds_another_variable_or_the_token(self):
        secret = "sst_very-secret"
        env = {"STALLSCOPE_TOKEN": secret, "WANDB_API_KEY": secret, "PRIVATE_PATH": secret, "NCCL_ALGO": "Ring"}
        with tempfile.TemporaryDirectory() as spool, mock.patch.dict(os.environ, env):
            hook = Hook(spool=spool, model="m", cluster="c")
            shown = hook.preview()
        self.assertNotIn(secret, str(shown))
        self.assertNotIn(secret, repr(hook.config))
        self.assertEqual(shown["run"]["environment"]["NCCL_ALGO"], "Ring")


class DescribeTest(unittest.TestCase):
    def test_sees_through_wrappers(self):
        facts = describe.describe_module(DistributedDataParallel(OptimizedModule(Net())))
        self.assertEqual(
            facts, {"parallel": "ddp", "compile": True, "model_class": "Net", "params": 1000, "dtype": "bf16"}
        )

    def test_describes_loader_and_optimizer(self):
        loader = {"num_workers": 2, "pin_memory": True, "persistent_workers": False}
        self.assertEqual(describe.describe_loader(Loader()), {"loader": loader, "batch_size": 4})
        self.assertEqual(describe.describe_optimizer(AdamW()), {"optimizer": "AdamW(fused)"})

    def test_reads_the_driver_of_both_kernel_modules(self):
        for text in (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023",
        ):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "version")
                path.write_text(text)
                self.assertIn(describe.read_driver(path), ("580.65.06", "535.104.05"))
        self.assertIsNone(describe.read_driver(Path("/nowhere")))

    def test_an_object_that_fails_costs_only_itself(self):
        class Broken:
            def parameters(self):
                raise RuntimeError("lazy\nmodule")

        with tempfile.TemporaryDirectory() as spool, self.assertLogs("stallscope") as logs:
            shown = Hook(spool=spool, module=Broken(), loader=Loader()).preview()
        self.assertEqual(shown["run"]["batch"]["micro"], 4)
        self.assertEqual([record.getMessage().count("\n") for record in logs.records], [0])


class BodyTest(unittest.TestCase):
    def test_maps_facts_to_the_fields_of_a_run(self):
        facts = {
            **describe.describe_module(DistributedDataParallel(Net())),
            **describe.describe_loader(Loader()),
            "grad_accum": 2,
            "gpu": "NVIDIA H200",
            "gpus_per_node": 4,
            "torch": "2.9.0",
        }
        launch = run_body.body_of_launch({"model": "m", "cluster": "c"}, {"SLURM_JOB_ID": "7"}, 8)
        body = run_body.body_with_facts(launch, facts, 8)
        self.assertEqual(body["batch"], {"micro": 4, "gradientAccumulation": 2, "global": 64})
        self.assertEqual(body["parallelism"], {"data": 8, "strategy": "ddp"})
        self.assertEqual(body["hardware"], {"gpu": "NVIDIA H200", "gpusPerNode": 4, "nodes": 2})
        self.assertEqual(body["framework"], {"name": "pytorch", "version": "2.9.0"})
        self.assertEqual(body["metadata"], {"launch": {"SLURM_JOB_ID": "7"}})
        self.assertEqual(body["loader"], {"numWorkers": 2, "pinMemory": True, "persistentWorkers": False})

    def test_what_the_script_says_goes_before_what_is_found(self):
        said = run_body.body_of_launch({"dtype": "fp8", "hardware": {"interconnect": "NVLink"}}, {}, 1)
        body = run_body.body_with_facts(said, {"dtype": "bf16", "gpu": "H200"}, 1)
        self.assertEqual(body["dtype"], "fp8")
        self.assertEqual(body["hardware"], {"gpu": "H200", "interconnect": "NVLink"})

    def test_texts_are_as_the_server_takes_them(self):
        body = run_body.body_of_launch({"model": "a\nb" + "x" * 300, "cluster": " \t"}, {}, 1)
        self.assertEqual((body["model"], body["cluster"]), ("ab" + "x" * 198, "unnamed"))


class JobTest(unittest.TestCase):
    def test_knows_the_launchers(self):
        for env, expected in (
            ({}, (0, 1)),
            ({"RANK": "3", "WORLD_SIZE": "8", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}, (3, 8)),
            ({"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"}, (1, 2)),
            # A script of sbatch itself is one process, however many tasks the job may start.
            ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, (0, 1)),
            ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}, (1, 4)),
            ({"RANK": "x", "WORLD_SIZE": "8"}, (0, 1)),
        ):
            job = read_job(env)
            self.assertEqual((job.rank, job.world_size), expected)


class GitTest(unittest.TestCase):
    def test_reads_branches_packed_refs_detached_heads_and_worktrees(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            git = root / "main" / ".git"
            (git / "refs/heads/feature").mkdir(parents=True)
            (git / "HEAD").write_text("ref: refs/heads/feature/x\n")
            (git / "refs/heads/feature/x").write_text(COMMIT + "\n")
            inner = root / "main/src"
            inner.mkdir()
            self.assertEqual(read_commit(inner), (COMMIT, "feature/x"))
            (git / "refs/heads/feature/x").unlink()
            (git / "packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/feature/x\n")
            self.assertEqual(read_commit(inner), (COMMIT, "feature/x"))
            tree = git / "worktrees/w"
            tree.mkdir(parents=True)
            (tree / "HEAD").write_text("ref: refs/heads/feature/x\n")
            (tree / "commondir").write_text("../..\n")
            (root / "w").mkdir()
            (root / "w/.git").write_text(f"gitdir: {tree}\n")
            self.assertEqual(read_commit(root / "w"), (COMMIT, "feature/x"))
            (git / "HEAD").write_text(COMMIT)
            self.assertEqual(read_commit(root / "main"), (COMMIT, None))
            (git / "HEAD").write_text("ref: refs/heads/none")
            self.assertEqual(read_commit(root / "main"), (None, "none"))
            self.assertEqual(read_commit(root), (None, None))


class ImportTest(unittest.TestCase):
    def test_importing_loads_neither_torch_nor_its_trainers(self):
        code = "import sys, stallscope; print([m for m in ('torch', 'transformers', 'lightning') if m in sys.modules])"
        here = Path(__file__).resolve().parents[1]
        done = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "[]")
