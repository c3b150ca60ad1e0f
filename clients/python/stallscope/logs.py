"""Logs beside the training that are sent when asked for: the GPU monitor's and NCCL's."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Mapping, Optional

from .guard import log

#: Power, use, clocks and memory, once a second, with date and time.
DMON = ("nvidia-smi", "dmon", "-s", "pucm", "-o", "DT", "-d", "1")
#: It ends by itself when the job is killed: two hours of samples.
DMON_SAMPLES = 7_200
MOST_LOG_BYTES = 64 << 20


class GpuMonitor:
    """`nvidia-smi dmon` of this machine, from now on until it is stopped. Without the program it says nothing."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="stallscope-"))
        self._file = self._folder / "dmon.log"
        self._process: Optional["subprocess.Popen[bytes]"] = None
        try:
            with open(self._file, "wb") as out:
                command = [*DMON, "-c", str(DMON_SAMPLES)]
                self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        except OSError as error:
            log.warning("no GPU monitor: %s", error)

    def collect(self, folder: Path) -> None:
        """Copies what it has said so far."""
        copy_log(self._file, folder / f"dmon.{socket.gethostname()}.log")

    def stop(self) -> None:
        """Ends it. What is collected later is what it had said."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(5)
            self._process = None

    def remove(self) -> None:
        """Deletes what it has said, when nobody will collect it any more."""
        shutil.rmtree(self._folder, ignore_errors=True)


def collect_nccl_log(folder: Path, rank: int, environ: Optional[Mapping[str, str]] = None) -> None:
    """Copies the log that NCCL_DEBUG_FILE names, if it is this process's own: its name has the process id (%p)."""
    pattern = (os.environ if environ is None else environ).get("NCCL_DEBUG_FILE", "")
    if "%p" not in pattern:
        log.warning("no NCCL log is sent: NCCL_DEBUG_FILE names none with %%p in it, so it would not be of this rank alone")
        return
    path = pattern.replace("%p", str(os.getpid())).replace("%h", socket.gethostname())
    copy_log(Path(path), folder / f"nccl.rank{rank}.log")


def copy_log(source: Path, target: Path) -> None:
    """Copies the first part of a log that still grows."""
    if not source.is_file() or source.stat().st_size == 0:
        return
    part = target.with_name(f"{target.name}.part")
    with open(source, "rb") as log_file, open(part, "wb") as copy:
        left = MOST_LOG_BYTES
        while left > 0:
            piece = log_file.read(min(1 << 20, left))
            if not piece:
                break
            copy.write(piece)
            left -= len(piece)
    os.replace(part, target)
