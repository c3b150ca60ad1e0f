"""Facts of the objects that a script trains with. They are asked by duck typing: whatever does not answer says nothing."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path
from typing import Any, Optional

#: How wrappers name themselves, and what the server calls their way of data parallelism.
STRATEGIES = (
    ("DistributedDataParallel", "ddp"),
    ("FullyShardedDataParallel", "fsdp"),
    ("DeepSpeedEngine", "deepspeed"),
    ("DataParallel", "dp"),
    ("FSDP", "fsdp2"),
)
MOST_WRAPPERS = 8
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "float64": "fp64"}
DRIVER = re.compile(r"(?:Kernel Module(?: for \S+)?|Module)\s+(\d+(?:\.\d+)+)")


def describe_module(module: Any) -> "dict[str, Any]":
    """Parameters, dtype, wrapper and compile mode of an nn.Module, seen through its wrappers."""
    facts: "dict[str, Any]" = {}
    for _ in range(MOST_WRAPPERS):
        name = type(module).__name__
        strategy = next((s for prefix, s in STRATEGIES if name.startswith(prefix)), None)
        if strategy == "deepspeed":
            stage = _call(module, "zero_optimization_stage")
            strategy = f"zero{stage}" if stage else "ddp"
        if strategy:
            facts.setdefault("parallel", strategy)
        inner = getattr(module, "_orig_mod", None)
        if inner is not None:
            facts["compile"] = True
        elif strategy in ("ddp", "dp", "fsdp") or strategy and strategy.startswith("zero"):
            inner = getattr(module, "module", None)
        if inner is None:
            break
        module = inner
    facts["model_class"] = type(module).__name__
    _count_parameters(module, facts)
    config = getattr(module, "config", None)
    for key in ("num_hidden_layers", "hidden_size", "n_layer", "n_embd"):
        value = getattr(config, key, None)
        if isinstance(value, int) and not isinstance(value, bool):
            facts[key] = value
    attention = getattr(config, "_attn_implementation", None)
    if isinstance(attention, str):
        facts["attention"] = attention
    return facts


def _count_parameters(module: Any, facts: "dict[str, Any]") -> None:
    """A rank of FSDP or ZeRO 3 sees its shard only, which would be too few: then nothing is said, or what ZeRO notes."""
    total = trainable = 0
    by_dtype: "dict[str, int]" = {}
    for parameter in module.parameters():
        count = int(getattr(parameter, "ds_numel", None) or parameter.numel())
        total += count
        trainable += count if getattr(parameter, "requires_grad", True) else 0
        dtype = str(parameter.dtype).replace("torch.", "")
        by_dtype[dtype] = by_dtype.get(dtype, 0) + count
    if by_dtype:
        widest = max(by_dtype, key=lambda dtype: by_dtype[dtype])
        facts["dtype"] = DTYPES.get(widest, widest)
    if total and facts.get("parallel") != "fsdp":
        facts["params"] = total
        if trainable != total:
            facts["trainable_params"] = trainable


def describe_loader(loader: Any) -> "dict[str, Any]":
    """Arguments of a DataLoader that decide about speed, and its batch size."""
    names = ("num_workers", "pin_memory", "prefetch_factor", "persistent_workers")
    arguments = {name: getattr(loader, name) for name in names if _plain(getattr(loader, name, None))}
    batch = getattr(loader, "batch_size", None) or getattr(getattr(loader, "batch_sampler", None), "batch_size", None)
    return {"loader": arguments, **({"batch_size": batch} if isinstance(batch, int) else {})}


def describe_optimizer(optimizer: Any) -> "dict[str, Any]":
    """Its class, and whether it is fused."""
    while type(optimizer).__name__ == "AcceleratedOptimizer" and hasattr(optimizer, "optimizer"):
        optimizer = optimizer.optimizer
    defaults = getattr(optimizer, "defaults", None) or {}
    form = next((name for name in ("fused", "foreach") if defaults.get(name)), None)
    return {"optimizer": type(optimizer).__name__ + (f"({form})" if form else "")}


def describe_software() -> "dict[str, Any]":
    """Versions, GPU and driver. Only modules that the script has loaded are asked, CUDA only when it is in use."""
    facts: "dict[str, Any]" = {"python": platform.python_version()}
    driver = read_driver()
    if driver:
        facts["driver"] = driver
    torch = sys.modules.get("torch")
    if torch is None:
        return facts
    facts["torch"] = str(torch.__version__)
    for name in ("transformers", "accelerate", "lightning", "pytorch_lightning", "deepspeed"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if isinstance(version, str):
            facts[name] = version
    cuda = getattr(getattr(torch, "version", None), "cuda", None) or getattr(torch.version, "hip", None)
    if cuda:
        facts["cuda"] = str(cuda)
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        facts["gpu"] = torch.cuda.get_device_name()
        facts["peak_mem"] = int(torch.cuda.max_memory_allocated())
        nccl = _call(getattr(torch.cuda, "nccl", None), "version")
        if isinstance(nccl, tuple):
            facts["nccl"] = ".".join(str(part) for part in nccl)
    return facts


def read_driver(path: Path = Path("/proc/driver/nvidia/version")) -> Optional[str]:
    """Version of the NVIDIA driver; None without one."""
    try:
        match = DRIVER.search(path.read_text(encoding="utf-8", errors="replace")[:4_000])
    except OSError:
        return None
    return match.group(1) if match else None


def _plain(value: Any) -> bool:
    return isinstance(value, (bool, int))


def _call(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name)()
    except Exception:
        return None
