"""The callbacks, against modules that look like those of the trainers."""

import json
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import stallscope
from stallscope.spool import Spool
from tests.fakes import AdamW, DistributedDataParallel, Loader, Net, Profile, find, window


def modules(**attributes):
    """Modules by dotted name (with __ for dots), each with the given attributes."""
    made = {}
    for name, values in attributes.items():
        module = types.ModuleType(name.replace("__", "."))
        vars(module).update(values)
        made[module.__name__] = module
    return mock.patch.dict(sys.modules, made)


class Base:
    """TrainerCallback and Callback: every hook is there and does nothing."""


class Cuda:
    @staticmethod
    def is_available():
        return False


class Started(Profile):
    """torch.profiler.profile, with the calls that a callback makes."""

    made = []

    def __init__(self, *, activities, schedule, on_trace_ready, record_shapes):
        super().__init__(on_trace_ready, b'{"traceEvents": []}', schedule)
        self.calls = []
        Started.made.append(self)

    def start(self):
        self.calls.append("start")

    def stop(self):
        self.calls.append("stop")


def torch_modules():
    activity = types.SimpleNamespace(CPU="cpu", CUDA="cuda")
    profiler = types.ModuleType("torch.profiler")
    profiler.ProfilerActivity, profiler.profile = activity, Started
    profiler.schedule = lambda wait, warmup, active, repeat: window(wait, warmup, active, repeat)
    version = types.SimpleNamespace(cuda=None, hip=None)
    return {
        "torch": {"__version__": "2.9.0", "cuda": Cuda, "version": version, "profiler": profiler},
        "torch__profiler": vars(profiler),
    }


class IntegrationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.spool = Path(folder.name)
        logs = self.assertLogs("stallscope")
        logs.__enter__()
        self.addCleanup(logs.__exit__, None, None, None)
        Started.made.clear()
        self.options = {"spool": folder.name, "model": "m", "cluster": "c", "steps_after": 2, "window": (3, 1, 2)}

    def body(self):
        (recording,) = Spool(self.spool).recordings()
        return recording.manifest["body"]

    def assert_recorded(self, calls):
        """A trace, and the steps without the profiler: 0 to 2 before it, and one after it."""
        self.assertEqual(Started.made[0].calls, calls)
        self.assertIsNotNone(find(self.spool, "rank0.pt.trace.json.gz"))
        lines = find(self.spool, "step_times.rank0.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line)["step"] for line in lines], [0, 1, 2, 7])

    def test_hugging_face(self):
        args = types.SimpleNamespace(
            per_device_train_batch_size=4, gradient_accumulation_steps=8, bf16=True, torch_compile=True, fsdp=["full_shard"]
        )
        objects = {"model": Net(), "optimizer": AdamW(), "train_dataloader": Loader()}
        with modules(transformers={"TrainerCallback": Base, "__version__": "4.57.0"}, **torch_modules()):
            callback = stallscope.hf_callback(**self.options)
            self.assertIsInstance(callback, Base)
            callback.on_train_begin(args, None, None, **objects)
            for _ in range(12):
                callback.on_step_end(args, None, None)
            callback.on_evaluate(args, None, None)
            callback.on_train_end(args, None, None)
        self.assert_recorded(["start", "stop"])
        body = self.body()
        self.assertEqual(body["batch"], {"micro": 4, "gradientAccumulation": 8, "global": 32})
        self.assertEqual((body["dtype"], body["framework"]["version"]), ("bf16", "2.9.0"))
        meta = json.loads(find(self.spool, "meta.rank0.json").read_text())
        self.assertEqual((meta["transformers"], meta["compile"], meta["parallel"]), ("4.57.0", True, "fsdp"))

    def test_lightning_under_both_names(self):
        trainer = types.SimpleNamespace(
            optimizers=[AdamW()],
            accumulate_grad_batches=2,
            precision="bf16-mixed",
            strategy=types.SimpleNamespace(model=DistributedDataParallel(Net())),
            train_dataloader=Loader(),
            global_step=0,
        )
        for package in ("lightning__pytorch__callbacks", "pytorch_lightning__callbacks"):
            Started.made.clear()
            spool = self.spool / package
            parents = {package.split("__")[0]: {"__path__": []}}
            if package.startswith("lightning"):
                parents["lightning__pytorch"] = {"__path__": []}
            trainer.global_step = 0
            with modules(**parents, **{package: {"Callback": Base}}, **torch_modules()):
                callback = stallscope.lightning_callback(**{**self.options, "spool": str(spool)})
                self.assertIsInstance(callback, Base)
                callback.on_train_start(trainer, Net())
                for batch in range(24):
                    trainer.global_step = (batch + 1) // 2
                    callback.on_train_batch_end(trainer, None, None, None, batch)
                callback.on_train_end(trainer, None)
            whole, self.spool = self.spool, spool
            self.assert_recorded(["start", "stop"])
            meta = json.loads(find(spool, "meta.rank0.json").read_text())
            self.assertEqual((meta["grad_accum"], meta["dtype"], meta["parallel"]), (2, "bf16", "ddp"))
            self.spool = whole

    def test_a_loop_of_ones_own_that_ends_by_an_exception(self):
        with modules(**torch_modules()), self.assertRaisesRegex(ValueError, "the script's own"):
            with stallscope.watch(**self.options) as watch:
                for n in watch.steps(range(100)):
                    if n == 12:
                        raise ValueError("the script's own")
        self.assert_recorded(["start", "stop"])

    def test_a_profiler_that_fails_is_left_out(self):
        class Failing(Started):
            def step(self):
                raise RuntimeError("CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED")

        fakes = torch_modules()
        fakes["torch__profiler"]["profile"] = Failing
        with modules(**fakes):
            with stallscope.watch(**self.options) as watch:
                self.assertEqual(len(list(watch.steps(range(5)))), 5)
        self.assertEqual(len(find(self.spool, "step_times.rank0.jsonl").read_text().splitlines()), 5)

    def test_without_the_trainer_the_callback_says_so(self):
        with mock.patch.dict(sys.modules, {"transformers": None, "lightning": None, "pytorch_lightning": None}):
            for make in (stallscope.hf_callback, stallscope.lightning_callback):
                with self.assertRaises(ImportError):
                    make()
        with stallscope.watch(**self.options) as watch:
            watch.step()
