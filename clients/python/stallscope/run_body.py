"""What is said of a run: the body of POST /v1/runs, and the metadata file of each rank."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Mapping, Optional

MAX_LINE = {"model": 200, "cluster": 200, "workload": 200, "branch": 255, "commit": 100}


def without_empty(value: Mapping[str, Any]) -> "dict[str, Any]":
    """Leaves out None, empty texts and empty objects, also inside."""
    kept = {k: without_empty(v) if isinstance(v, Mapping) else v for k, v in value.items()}
    return {k: v for k, v in kept.items() if v is not None and v != "" and v != {} and v != []}


def line(value: Any, most: int = 100) -> Optional[str]:
    """A text as the server takes it: printable, on one line, not too long."""
    if value is None:
        return None
    text = "".join(c for c in str(value) if c.isprintable()).strip()[:most].strip()
    return text or None


def body_of_launch(said: Mapping[str, Any], launch_ids: Mapping[str, str], world_size: int) -> "dict[str, Any]":
    """
    What every rank says in the same words, without asking any other: what the script was told, which launch this is.

    `said` has the fields of POST /v1/runs.
    """
    named = {name: line(said.get(name), most) for name, most in MAX_LINE.items()}
    named["model"] = named["model"] or "unnamed"
    named["cluster"] = named["cluster"] or line(launch_ids.get("SLURM_CLUSTER_NAME"), 200) or "unnamed"
    metadata = {**(said.get("metadata") or {}), "launch": dict(launch_ids)}
    return without_empty({**said, **named, "worldSize": world_size, "metadata": metadata})


def body_with_facts(body: Mapping[str, Any], facts: Mapping[str, Any], world_size: int) -> "dict[str, Any]":
    """The same with what one rank found out; what the script was told goes before it."""
    loader = facts.get("loader") or {}
    micro, accumulation = facts.get("batch_size"), facts.get("grad_accum")
    plain = facts.get("parallel") in ("ddp", "fsdp", "fsdp2", "dp") or world_size == 1
    replicas = world_size if plain else None
    per_rank = micro * (accumulation or 1) if micro else None
    per_node = facts.get("gpus_per_node")
    nodes = world_size // per_node if per_node and world_size % per_node == 0 else None
    found = {
        "hardware": {"gpu": line(facts.get("gpu"), 200), "gpusPerNode": per_node, "nodes": nodes},
        "framework": {
            "name": "pytorch",
            "version": line(facts.get("torch")),
            "cuda": line(facts.get("cuda")),
            "driver": line(facts.get("driver")),
        }
        if facts.get("torch")
        else None,
        "parallelism": {"data": replicas, "strategy": line(facts.get("parallel"))} if world_size > 1 else None,
        "dtype": line(facts.get("dtype"), 40),
        "parameters": facts.get("params"),
        "batch": {
            "micro": micro,
            "gradientAccumulation": accumulation,
            "global": per_rank * replicas if per_rank and replicas else None,
        },
        "sequenceLength": facts.get("seq_len"),
        "tokensPerStep": facts.get("tokens_per_step"),
        "samplesPerStep": per_rank,
        "loader": {
            "numWorkers": loader.get("num_workers"),
            "pinMemory": loader.get("pin_memory"),
            "prefetchFactor": loader.get("prefetch_factor"),
            "persistentWorkers": loader.get("persistent_workers"),
        },
        "environment": facts.get("env"),
        "durationS": facts.get("duration_s"),
        "startedAt": facts.get("started_at"),
    }
    return _merged(without_empty(found), body)


def metadata_file(facts: Mapping[str, Any], rank: int, world_size: int) -> "dict[str, Any]":
    """The flat object that the analysis reads beside the traces. Keys that are null let it recognise the file."""
    known = {k: v for k, v in facts.items() if v is not None and k not in ("started_at", "duration_s")}
    return {"rank": rank, "world_size": world_size, "batch_size": None, "params": None, **known}


def script_name() -> Optional[str]:
    """Name of the script without its ending, for a run that nobody named."""
    name = (sys.argv[0] if sys.argv else "").replace("\\", "/").rsplit("/", 1)[-1]
    return name.rsplit(".py", 1)[0] if name not in ("", "-c", "-m", "__main__.py") else None


def script_folder() -> Path:
    """Where the code lies that runs; the working folder when it is no file."""
    return Path(sys.argv[0]).resolve().parent if script_name() else Path.cwd()


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> "dict[str, Any]":
    result = dict(below)
    for key, value in above.items():
        inner = result.get(key)
        result[key] = _merged(inner, value) if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
    return result
