"""Where recordings go, and the bounds of what this package may cost. Nothing else reads STALLSCOPE_* variables."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Optional

GIB = 1 << 30


@dataclass(frozen=True)
class Config:
    """Every field can be given as a keyword, or as STALLSCOPE_<FIELD> in the environment."""

    #: Address of the server; without one, recordings stay in the spool.
    server: Optional[str] = None
    #: Token with the scope runs:write. Never written to disk, never logged.
    token: Optional[str] = field(default=None, repr=False)
    #: Folder where recordings wait for the server.
    spool: str = ""
    #: What is trained, and where. Runs are compared within both.
    model: Optional[str] = None
    cluster: Optional[str] = None
    workload: Optional[str] = None
    #: A word that makes processes of several launches one run; normally it is found out.
    run_key: Optional[str] = None
    #: Names of further environment variables to send, separated by commas.
    env: str = ""
    #: Whether local rank 0 runs `nvidia-smi dmon` beside the training, and sends what it says.
    monitor: bool = False
    #: Whether the log that NCCL writes for this process (NCCL_DEBUG_FILE) is sent.
    nccl_log: bool = False
    #: Longest wait for uploads when the process ends, seconds; the rest stays in the spool.
    exit_wait_s: float = 20.0
    #: Steps without the profiler to time after a recording before it is sent.
    steps_after: int = 50
    #: Windows that are recorded; a schedule that repeats for ever would make runs for ever. The same number on all ranks.
    most_recordings: int = 3
    #: Nothing is recorded when the spool would be larger, or the disk emptier.
    spool_max_bytes: int = 20 * GIB
    disk_free_bytes: int = 2 * GIB
    #: Longest wait for an answer of the server, seconds.
    timeout_s: float = 60.0

    @classmethod
    def read(cls, given: Mapping[str, Any], environ: Optional[Mapping[str, str]] = None) -> "Config":
        """Keywords before the environment before defaults; raises ValueError for a number that is none."""
        env = os.environ if environ is None else environ
        values = {}
        for name, default in ((f.name, f.default) for f in cls.__dataclass_fields__.values()):
            value = given.get(name)
            if value is None:
                text = env.get(f"STALLSCOPE_{name.upper()}", "").strip()
                value = _parse(text, default) if text else default
            values[name] = value
        if not values["spool"]:
            values["spool"] = str(default_spool(env))
        return cls(**values)

    @property
    def can_send(self) -> bool:
        """Whether there is a server, and a token for it."""
        return bool(self.server and self.token)


def _parse(text: str, default: Any) -> Any:
    if isinstance(default, bool):
        return text.lower() in ("1", "true", "yes", "on")
    return type(default)(text) if isinstance(default, (int, float)) else text


def default_spool(env: Mapping[str, str]) -> Path:
    """A folder of the user that outlives the job."""
    state = env.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "stallscope" / "spool"
