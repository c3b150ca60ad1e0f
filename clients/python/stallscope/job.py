"""What the process knows of the job that it is one rank of. No torch import: only what the script has loaded is asked."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from .allow_list import LAUNCH_NAMES, RANK_NAMES, named

#: Rank and number of ranks, by launcher; torchrun, accelerate and deepspeed set the first pair.
RANK_PAIRS = (
    ("RANK", "WORLD_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
)
LOCAL_SIZES = ("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")


@dataclass(frozen=True)
class Job:
    rank: int = 0
    world_size: int = 1
    #: Ranks on this machine; None when nobody says.
    local_world_size: Optional[int] = None
    #: The same for all ranks of the launch.
    launch_ids: Mapping[str, str] = field(default_factory=dict)
    #: Where this rank is.
    rank_ids: Mapping[str, str] = field(default_factory=dict)
    #: torch.distributed's key-value store, when the script has set it up.
    store: Any = None

    @property
    def is_on_one_node(self) -> bool:
        return self.local_world_size is not None and self.local_world_size >= self.world_size


def read_job(environ: Optional[Mapping[str, str]] = None) -> Job:
    """torch.distributed before the environment: a script may have ranks that its launcher knows nothing of."""
    env = os.environ if environ is None else environ
    rank, world_size = next(
        ((int(env[r]), int(env[w])) for r, w in RANK_PAIRS if env.get(r, "").isdigit() and env.get(w, "").isdigit()),
        (0, 1),
    )
    local = next((int(env[name]) for name in LOCAL_SIZES if env.get(name, "").isdigit()), None)
    store = None
    distributed = initialised_distributed()
    if distributed is not None:
        rank, world_size = distributed.get_rank(), distributed.get_world_size()
        store = default_store(distributed)
    ids, place = named(env, LAUNCH_NAMES), named(env, RANK_NAMES)
    return Job(rank, max(1, world_size), local, ids, place, store)


def initialised_distributed() -> Any:
    """torch.distributed when the script uses it, else None."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed


def default_store(distributed: Any) -> Any:
    """The store by which the ranks found each other; None where there is none, as with MPI."""
    try:
        return distributed.distributed_c10d._get_default_store()
    except Exception:
        return None
