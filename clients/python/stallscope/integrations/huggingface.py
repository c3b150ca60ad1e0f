"""Hugging Face Trainer. transformers is imported only when a callback is asked for."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..guard import never_raises
from .loop import Watch
from .profiler import DEFAULT_WINDOW


def hf_callback(window: Optional[Tuple[int, int, int]] = DEFAULT_WINDOW, **options: Any) -> Any:
    """
    A TrainerCallback that times steps and records one window: `Trainer(..., callbacks=[stallscope.hf_callback()])`.

    Raises ImportError without transformers. Options: see Hook.
    """
    from transformers import TrainerCallback

    class StallscopeCallback(TrainerCallback):
        """One step is one optimizer step, with its gradient accumulation."""

        _watch: Optional[Watch] = None

        def on_train_begin(self, args: Any, state: Any, control: Any, **objects: Any) -> None:
            self._watch = begin(args, window, objects, options)

        def on_step_end(self, args: Any, state: Any, control: Any, **objects: Any) -> None:
            if self._watch is not None:
                self._watch.step()

        def on_evaluate(self, args: Any, state: Any, control: Any, **objects: Any) -> None:
            if self._watch is not None:
                self._watch.hook.pause()

        def on_train_end(self, args: Any, state: Any, control: Any, **objects: Any) -> None:
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    return StallscopeCallback()


@never_raises
def begin(args: Any, window: Any, objects: "dict[str, Any]", options: "dict[str, Any]") -> Watch:
    """Starts to watch a Trainer, described by its arguments and objects; what the options say goes before it."""
    found = {
        "module": objects.get("model"),
        "optimizer": objects.get("optimizer"),
        "loader": objects.get("train_dataloader"),
        "batch_size": getattr(args, "per_device_train_batch_size", None),
        "grad_accum": getattr(args, "gradient_accumulation_steps", None),
        "dtype": "bf16" if getattr(args, "bf16", False) else "fp16" if getattr(args, "fp16", False) else None,
        "compile": True if getattr(args, "torch_compile", False) else None,
        "parallel": next((name for name in ("fsdp", "deepspeed") if getattr(args, name, None)), None),
    }
    watch = Watch(window, **{**found, **options})
    watch.hook.facts.setdefault("framework", "huggingface-trainer")
    watch.start()
    return watch
