"""Lightning. It is imported only when a callback is asked for, under whichever of its two names is there."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..guard import never_raises
from .loop import Watch
from .profiler import DEFAULT_WINDOW


def lightning_callback(window: Optional[Tuple[int, int, int]] = DEFAULT_WINDOW, **options: Any) -> Any:
    """
    A Callback that times steps and records one window: `Trainer(callbacks=[stallscope.lightning_callback()])`.

    Raises ImportError without Lightning. Options: see Hook.
    """
    try:
        from lightning.pytorch.callbacks import Callback
    except ImportError:
        from pytorch_lightning.callbacks import Callback

    class StallscopeCallback(Callback):
        """One step is one optimizer step, with its gradient accumulation."""

        _watch: Optional[Watch] = None
        _seen = 0

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            self._watch = begin(trainer, pl_module, window, options)
            self._seen = trainer.global_step

        def on_train_batch_end(self, trainer: Any, pl_module: Any, *_: Any, **__: Any) -> None:
            if self._watch is not None and trainer.global_step != self._seen:
                self._seen = trainer.global_step
                self._watch.step()

        def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
            if self._watch is not None:
                self._watch.hook.pause()

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    return StallscopeCallback()


@never_raises
def begin(trainer: Any, module: Any, window: Any, options: "dict[str, Any]") -> Watch:
    """Starts to watch a Trainer; what the options say goes before what is found."""
    optimizers = getattr(trainer, "optimizers", None) or [None]
    accumulation = getattr(trainer, "accumulate_grad_batches", None)
    precision = str(getattr(trainer, "precision", ""))
    found = {
        # The strategy's is the wrapped one.
        "module": getattr(getattr(trainer, "strategy", None), "model", None) or module,
        "optimizer": optimizers[0],
        "loader": getattr(trainer, "train_dataloader", None),
        "grad_accum": accumulation if isinstance(accumulation, int) else None,
        "dtype": "bf16" if "bf16" in precision else "fp16" if precision.startswith("16") else None,
    }
    watch = Watch(window, **{**found, **options})
    watch.hook.facts.setdefault("framework", "lightning")
    watch.start()
    return watch
