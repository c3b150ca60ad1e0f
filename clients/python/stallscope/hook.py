"""What a training script holds: takes traces and step times, and hands them over."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Optional

from .allow_list import allowed
from .background import Background
from .config import Config
from .describe import describe_loader, describe_module, describe_optimizer, describe_software
from .git import read_commit
from .guard import log, never_raises, one_line, say_failed
from .integrations.profiler import saw_no_step, steps_of_window
from .job import Job, read_job
from .logs import GpuMonitor, collect_nccl_log
from .launch import agree, body_of, point_in_time
from .private_folder import make_private, private_or_beside
from .run_body import body_of_launch, metadata_file, script_folder, script_name
from .spool import Recording, Spool, write_whole
from .step_timer import StepTimer, StepTimes

#: Keywords that say a fact of the metadata file, which the script knows better than its objects.
FACTS = ("batch_size", "seq_len", "tokens_per_step", "grad_accum", "dtype", "params", "attention", "compile", "parallel")
SAID = ("branch", "commit", "comparability", "tags", "metadata")
#: Lines of step times that are made before others may run: a tenth of a millisecond's, and the pause after them.
LINES_AT_ONCE, PAUSE_S = 100, 0.001


class Hook:
    """
    Records of one rank. A recording is what the profiler saw in one window, with the steps timed without it before and after;
    each recording is a run of the server.

    Keywords: the fields of Config; `module`, `loader`, `optimizer` to be described; facts (FACTS) that go before what these
    say; fields of POST /v1/runs (SAID), and any other in `setup`. Nothing here raises into the caller.
    """

    def __init__(
        self, *, module: Any = None, loader: Any = None, optimizer: Any = None, setup: Any = None, **said: Any
    ) -> None:
        self.objects = {"module": module, "loader": loader, "optimizer": optimizer}
        self.facts: Dict[str, Any] = {name: said[name] for name in FACTS if said.get(name) is not None}
        self._setup, self._said = dict(setup or {}), said
        self._started_s = time.time()
        self._pid = os.getpid()
        self._count = 0
        self._said_enough = False
        self._open: Optional[Recording] = None
        self._steps_left = 0
        self._monitor: Optional[GpuMonitor] = None
        self._closed = True
        self.timer = StepTimer()
        self._start()

    @never_raises
    def _start(self) -> None:
        unknown = set(self._said) - set(FACTS) - set(SAID) - set(Config.__dataclass_fields__)
        if unknown:
            log.warning("unknown keywords, left out: %s", ", ".join(sorted(unknown)))
        config = Config.read(self._said)
        self.config = replace(config, spool=str(private_or_beside(Path(config.spool))))
        self._background = Background(self.config)
        if self.config.monitor and read_job().rank_ids.get("LOCAL_RANK", "0") == "0":
            self._monitor = GpuMonitor()
        self._closed = False
        atexit.register(self.close)

    @never_raises
    def __call__(self, profile: Any) -> None:
        """For `on_trace_ready` of torch.profiler.profile: takes its trace."""
        if self._closed:
            return
        self.timer.forget(steps_of_window(profile))
        if saw_no_step(profile):
            log.info("a window was stopped before its first step had ended; it is left out")
            return
        if self._open is not None:
            self._finish()
        if self._count >= self.config.most_recordings:
            if not self._said_enough:
                log.info("%d windows are recorded; the next ones are left out", self._count)
            self._said_enough = True
            return
        recording, job = self._new_recording()
        # Uncompressed: that is done on the other thread.
        trace = recording.files_folder / f"rank{job.rank}.pt.trace.json"
        try:
            profile.export_chrome_trace(str(trace))
        except Exception:
            recording.remove()
            raise
        self._open = recording
        self._steps_left = self.config.steps_after
        # Without marks there is nothing to wait for.
        if self.timer.marks == 0 or self._steps_left <= 0:
            self._finish()

    def step(self) -> None:
        """Marks the end of a training step; what that may cost, step_timer.py says."""
        if self._closed:
            return
        # As never_raises does, without the call that it costs.
        try:
            self.timer.mark()
            if self._open is not None:
                self._steps_left -= 1
                if self._steps_left <= 0:
                    self._finish()
        except Exception as error:
            say_failed("Hook.step", error)

    @never_raises
    def pause(self) -> None:
        """What goes on since the last mark is no training step, but an evaluation, say."""
        self.timer.forget(0)

    @never_raises
    def close(self) -> None:
        """Hands over what is open, and waits for uploads at most `exit_wait_s` seconds. Called when the process ends, too."""
        if self._closed or os.getpid() != self._pid:
            return
        self._closed = True
        atexit.unregister(self.close)
        try:
            if self._open is None and self._count == 0 and len(self.timer) > 0:
                self._open, _ = self._new_recording(is_last=True)
            if self._open is not None:
                self._finish()
        finally:
            if self._monitor is not None:
                self._monitor.stop()
            is_done = self._background.close(self.config.exit_wait_s)
            if self._monitor is not None and is_done:
                self._monitor.remove()

    def preview(self) -> "dict[str, Any]":
        """What would be sent if a recording were made now: the body of POST /v1/runs, and the metadata file."""
        job = read_job()
        facts = self._gather(job)
        body = body_of(job, self._body(job), facts, self.config.run_key)
        return {"run": body, "metadataFile": metadata_file(facts, job.rank, job.world_size)}

    def _new_recording(self, is_last: bool = False) -> "tuple[Recording, Job]":
        config, job = self.config, read_job()
        self._refuse_full_disk()
        facts = self._gather(job)
        if is_last:
            facts["duration_s"] = max(1, round(time.time() - self._started_s))
        key, body = agree(job, self._body(job), facts, self._count, config.run_key)
        self._count += 1
        # The next one is of the time from here on.
        self._started_s = time.time()
        manifest = {"key": key, "body": body, "server": config.server, "rank": job.rank}
        recording = Recording.create(Path(config.spool), manifest)
        # Now, so that a job that is killed leaves it.
        text = json.dumps(metadata_file(facts, job.rank, job.world_size), indent=1)
        write_whole(recording.files_folder / f"meta.rank{job.rank}.json", text.encode())
        return recording, job

    def _finish(self) -> None:
        recording, self._open = self._open, None
        assert recording is not None
        steps, rank, monitor = self.timer.take(), recording.manifest["rank"], self._monitor

        def write_rest(target: Recording) -> None:
            write_steps(target, rank, steps)
            if self.config.nccl_log:
                collect_nccl_log(target.files_folder, rank)
            if monitor is not None:
                monitor.collect(target.files_folder)

        self._background.submit(recording, write_rest)

    def _gather(self, job: Job) -> "dict[str, Any]":
        facts: Dict[str, Any] = {
            "started_at": point_in_time(self._started_s),
            "env": allowed(os.environ, self.config.env.split(",")),
        }
        describers = {"module": describe_module, "loader": describe_loader, "optimizer": describe_optimizer}
        for name, describe in describers.items():
            if self.objects[name] is not None:
                facts.update(_attempt(name, lambda: describe(self.objects[name])))
        facts.update(_attempt("software", describe_software))
        facts["place"] = dict(job.rank_ids) or None
        facts["gpus_per_node"] = job.local_world_size if facts.get("gpu") else None
        return {**facts, **self.facts}

    def _body(self, job: Job) -> "dict[str, Any]":
        said = {name: self._said[name] for name in SAID if self._said.get(name) is not None}
        commit, branch = read_commit(script_folder())
        named = {"model": self.config.model or script_name(), "cluster": self.config.cluster}
        found = {"commit": commit, "branch": branch, "workload": self.config.workload}
        return body_of_launch({**found, **self._setup, **said, **named}, job.launch_ids, job.world_size)

    def _refuse_full_disk(self) -> None:
        spool = Path(self.config.spool)
        make_private(spool)
        if shutil.disk_usage(spool).free < self.config.disk_free_bytes:
            raise OSError(f"less than {self.config.disk_free_bytes} bytes are free for {spool}")
        if Spool(spool).size_bytes() > self.config.spool_max_bytes:
            raise OSError(f"{spool} has more than {self.config.spool_max_bytes} bytes; stallscope flush sends them")


def write_steps(recording: Recording, rank: int, steps: StepTimes) -> None:
    """Writes the step times of a rank as the analysis reads them. Lets the training have Python's lock after some lines."""
    lines, pieces = steps.lines(), []
    while piece := "".join(islice(lines, LINES_AT_ONCE)):
        pieces.append(piece)
        time.sleep(PAUSE_S)
    if pieces:
        write_whole(recording.files_folder / f"step_times.rank{rank}.jsonl", "".join(pieces).encode())


def _attempt(what: str, describe: Any) -> "dict[str, Any]":
    try:
        return describe()
    except Exception as error:
        log.warning("the %s says nothing of itself: %s", what, one_line(error))
        return {}
