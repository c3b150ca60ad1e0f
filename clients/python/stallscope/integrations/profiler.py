"""torch.profiler: which steps it saw, and a profile of our own."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Tuple

#: Steps to wait, to warm up and to record, by default: past the compilation of the first steps.
DEFAULT_WINDOW = (20, 3, 5)


def steps_of_window(profile: Any) -> int:
    """How many steps the window lasted that has just ended, its warm-up included; a profile without schedule saw all."""
    step = getattr(profile, "step_num", None)
    schedule = getattr(profile, "schedule", None)
    if not isinstance(step, int) or not callable(schedule):
        return sys.maxsize
    count = 0
    # The step that has just ended is counted in step_num where the trace is handed over by step(), not where by stop().
    while step - 1 - count >= 0 and getattr(schedule(step - 1 - count), "name", "NONE") != "NONE":
        count += 1
    return count


def saw_no_step(profile: Any) -> bool:
    """Whether the profile was stopped before one recorded step had ended: what it has then is the end of other work."""
    step = getattr(profile, "step_num", None)
    schedule = getattr(profile, "schedule", None)
    # A script that never calls step() has recorded all that it did.
    if not isinstance(step, int) or not callable(schedule) or step == 0:
        return False
    return not getattr(schedule(step - 1), "name", "RECORD").startswith("RECORD")


def profile_of(window: Tuple[int, int, int], on_trace_ready: Callable[[Any], None]) -> Optional[Any]:
    """A started torch profile of one window (wait, warm up, record); None where the script has not loaded torch."""
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    from torch import profiler

    wait, warmup, active = window
    activities = [profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(profiler.ProfilerActivity.CUDA)
    profile = profiler.profile(
        activities=activities,
        schedule=profiler.schedule(wait=wait, warmup=warmup, active=active, repeat=1),
        on_trace_ready=on_trace_ready,
        record_shapes=True,
    )
    profile.start()
    return profile
