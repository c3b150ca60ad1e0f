"""
One rank of a training run with a recorded trace in the place of a GPU: `python fake_rank.py SAMPLE STEPS`.

It prints `trained` at the end of its loop, as a script that nothing has disturbed.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import stallscope  # noqa: E402
from tests.fakes import AdamW, DistributedDataParallel, Loader, Net, Profile, sample_trace  # noqa: E402


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    sample, steps = sys.argv[1], int(sys.argv[2])
    rank = int(os.environ.get("RANK", "0"))
    write_log(int(os.environ.get("FAKE_RANK_LOG_BYTES", "0")))
    handler = stallscope.trace_handler(
        module=DistributedDataParallel(Net()), loader=Loader(), optimizer=AdamW(), seq_len=1024, tokens_per_step=4096
    )
    profile = Profile(handler, sample_trace(sample, rank))
    handler.step()
    for _ in range(steps):
        time.sleep(0.002)
        handler.step()
        profile.step()
    print("trained", flush=True)
    # Stays, as a long training does, for as long as a test says.
    time.sleep(float(os.environ.get("FAKE_RANK_STAYS_S", "0")))


def write_log(size_bytes: int) -> None:
    """What NCCL would write, of any size: bytes that cannot be compressed, and are other ones in each process."""
    if size_bytes > 0:
        path = os.environ["NCCL_DEBUG_FILE"].replace("%p", str(os.getpid()))
        Path(path).write_bytes(os.urandom(size_bytes))


main()
