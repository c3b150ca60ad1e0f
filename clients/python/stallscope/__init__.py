"""Sends what a PyTorch training run records to Stallscope: one line, off the training thread, never in its way.

    with torch.profiler.profile(..., on_trace_ready=stallscope.trace_handler(model="gpt-136m", cluster="a")) as prof:

No call of this package raises into the training loop: every failure is one line in the log ``stallscope``.
"""

from .hook import Hook
from .integrations.huggingface import hf_callback
from .integrations.lightning import lightning_callback
from .integrations.loop import trace_handler, watch

__version__ = "0.1.0"
__all__ = ["Hook", "hf_callback", "lightning_callback", "trace_handler", "watch"]
