"""Times of training steps, by the host's clock and, where there is a GPU, by CUDA events. A mark costs microseconds."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import Any, Callable, Deque, List, Optional, Tuple

#: Steps kept; the oldest go first.
MOST_STEPS = 10_000
#: Steps that the GPU may be behind before their time on it is given up.
MOST_PENDING = 256
#: Events asked after in one mark.
LOOKS_PER_MARK = 4


def cuda_event() -> Any:
    """A new event that takes times; None where the script does not use CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    return torch.cuda.Event(enable_timing=True)


class StepTimer:
    """Times what lies between two marks. Never waits for the GPU: it asks later whether an event has passed."""

    def __init__(
        self, make_event: Callable[[], Any] = cuda_event, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._make_event, self._clock = make_event, clock
        self._steps: "Deque[dict[str, float]]" = deque(maxlen=MOST_STEPS)
        self._pending: "Deque[Tuple[dict[str, float], Any, Any]]" = deque()
        self._last: "Optional[Tuple[float, Any]]" = None
        self._spare: List[Any] = []
        self.marks = 0

    def __len__(self) -> int:
        return len(self._steps)

    def mark(self) -> None:
        """Ends a step, and begins the next."""
        now, event = self._clock(), self._spare.pop() if self._spare else self._make_event()
        if event is not None:
            event.record()
        if self._last is not None:
            then, before = self._last
            step = {"step": self.marks - 1, "host_s": round(now - then, 7)}
            self._steps.append(step)
            if event is not None and before is not None:
                self._pending.append((step, before, event))
        self._last = (now, event)
        self.marks += 1
        self._look(LOOKS_PER_MARK)
        if len(self._pending) > MOST_PENDING:
            self._pending.popleft()

    def forget(self, count: int) -> None:
        """Drops the last steps, which the profiler slowed, and what goes on since the last mark."""
        for _ in range(min(count, len(self._steps))):
            self._steps.pop()
        self._last = None

    def take(self) -> "List[dict[str, float]]":
        """The steps so far, `host_s` in seconds and `device_ms` in milliseconds; they are forgotten here."""
        self._look(len(self._pending))
        taken = list(self._steps)
        self._steps.clear()
        self._pending.clear()
        return taken

    def _look(self, most: int) -> None:
        for _ in range(min(most, len(self._pending))):
            step, before, after = self._pending[0]
            try:
                if not after.query():
                    return
                step["device_ms"] = round(before.elapsed_time(after), 4)
            except Exception:
                # A GPU that has failed tells no times; the host's remain.
                self._pending.clear()
                return
            self._pending.popleft()
            # The other end of it is the beginning of the next.
            self._spare.append(before)
