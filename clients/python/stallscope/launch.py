"""
How the ranks of a job come to one run without a collective.

The server gives one run to all who send the same body under the same Idempotency-Key, and refuses another body under it. So
ranks need one key and one body. Whoever comes first creates the run, in whatever order they come, late ones too. From the
surest way down:

1. A job of one process: a random key; the body has all that the process found out.
2. `STALLSCOPE_RUN_KEY`: the script, or who launched it, says which processes are one run.
3. `torch.distributed` is set up: the first rank to come puts key and body into its key-value store with one
   `compare_set`, and all take what is there. That is one round trip and waits for nobody. Body and start time are the
   first rank's.
4. All ranks are on one machine: they have the same parent process (torchrun, mp.spawn, mpirun). Its id, its start, and
   the boot of the machine are the launch, with the scheduler's ids and the restart count.
5. The ids of the scheduler (Slurm with step and restart, PBS, LSF) or torchrun's run id with the address of its rank 0.
6. Nothing of that: every rank makes a run of its own, and a line in the log says how to join them.

In 2, 4 and 5 the body holds only what every rank says in the same words: what the script was told, the ids, and as start
Slurm's `SLURM_JOB_START_TIME`, else none, which the server takes as the time of creation. What one rank found out is in its
metadata file. The key is a hash over launch, number of the recording and body, so ranks that disagree make two runs, and are
never refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Mapping, Optional, Tuple

from .guard import log, one_line
from .job import Job
from .run_body import body_with_facts

Agreement = Tuple[str, "dict[str, Any]"]
STORE_KEY = "stallscope/recording/"


def agree(
    job: Job, body: Mapping[str, Any], facts: Mapping[str, Any], ordinal: int, run_key: Optional[str] = None
) -> Agreement:
    """
    The Idempotency-Key and the body of the recording with this number, the same for all ranks of the job.

    `body` is what all ranks say (body_of_launch), `facts` what this one found out.
    """
    ours = body_of(job, body, facts, run_key)
    if run_key:
        return key_of(f"given {run_key}", ordinal, ours), ours
    if job.world_size == 1:
        return key_of(uuid.uuid4().hex, ordinal, {}), ours
    if job.store is not None:
        try:
            return _agree_by_store(job.store, ours, ordinal)
        except Exception as error:
            log.warning("the store of torch.distributed did not answer: %s", one_line(error))
            ours = _with_start(job, body)
    launch = launch_of(job)
    if launch is None:
        log.warning(
            "nothing tells which processes are one job, so each rank makes a run of its own; set STALLSCOPE_RUN_KEY to one "
            "word for all ranks, another for each launch"
        )
        launch = uuid.uuid4().hex
    return key_of(launch, ordinal, ours), ours


def body_of(job: Job, body: Mapping[str, Any], facts: Mapping[str, Any], run_key: Optional[str]) -> "dict[str, Any]":
    """With what this rank found out where the others need not say the same or take it from it, else without."""
    if run_key or (job.world_size > 1 and job.store is None):
        return _with_start(job, body)
    # Only a job of one process knows how long the job runs.
    own = dict(facts) if job.world_size == 1 else {**facts, "duration_s": None}
    return body_with_facts(body, own, job.world_size)


def launch_of(job: Job) -> Optional[str]:
    """A text that all ranks of this launch have, and no other launch; None when nothing gives one."""
    ids = json.dumps(dict(job.launch_ids), sort_keys=True)
    if job.is_on_one_node:
        parent = parent_process()
        if parent is not None:
            return f"{parent} {ids}"
    scheduled = any(job.launch_ids.get(name) for name in ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"))
    # torchrun says "none" when it was given no id.
    elastic = job.launch_ids.get("TORCHELASTIC_RUN_ID", "none") != "none"
    return ids if scheduled or elastic else None


def parent_process(proc: Path = Path("/proc")) -> Optional[str]:
    """The parent of this process for good: boot, id and start in clock ticks. None where the system does not tell."""
    try:
        boot = (proc / "sys/kernel/random/boot_id").read_text().strip()
        stat = (proc / str(os.getppid()) / "stat").read_text()
        # The second field is a name in brackets, which may hold anything; the start is the 22nd.
        return f"{boot} {os.getppid()} {stat.rpartition(')')[2].split()[19]}"
    except (OSError, IndexError):
        return None


def key_of(launch: str, ordinal: int, body: Mapping[str, Any]) -> str:
    """An Idempotency-Key."""
    text = json.dumps([launch, ordinal, body], sort_keys=True, ensure_ascii=False)
    return f"stallscope-{hashlib.sha256(text.encode()).hexdigest()}"


def _with_start(job: Job, body: Mapping[str, Any]) -> "dict[str, Any]":
    start = job.launch_ids.get("SLURM_JOB_START_TIME", "")
    started = {"startedAt": point_in_time(float(start))} if start.isdigit() else {}
    return {**started, **body}


def _agree_by_store(store: Any, body: "dict[str, Any]", ordinal: int) -> Agreement:
    ours = json.dumps([key_of(uuid.uuid4().hex, ordinal, {}), body])
    answer = store.compare_set(f"{STORE_KEY}{ordinal}", "", ours)
    key, agreed = json.loads(answer)
    return key, agreed


def point_in_time(epoch_s: float) -> str:
    """RFC 3339 in UTC."""
    return datetime.fromtimestamp(epoch_s, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
