"""Times of steps on the GPU: an event at the beginning of a step, one at its end, read when the GPU has passed both."""

from __future__ import annotations

import sys
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple

#: Steps whose times are kept; the oldest go first.
MOST_TIMES = 10_000
#: Steps that the GPU may be behind before a time on it is given up.
MOST_PENDING = 64
#: Pairs asked after at one mark. More than one, so that those that wait grow fewer.
READS_PER_MARK = 2


def cuda_event() -> Any:
    """A new event that takes times; None where the script does not use CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    return torch.cuda.Event(enable_timing=True)


class DeviceTimes:
    """Never waits for the GPU. Whatever fails there ends these times, and nothing else."""

    def __init__(self, make_event: Callable[[], Any]) -> None:
        self._make_event: Optional[Callable[[], Any]] = make_event
        self._spare: List[Any] = []
        #: Step, its two events, and whether the second is the first of the next step.
        self._pending: "Deque[Tuple[int, Any, Any, bool]]" = deque()
        self._times: "Deque[Tuple[int, float]]" = deque(maxlen=MOST_TIMES)
        self._before: Any = None

    @property
    def is_timing(self) -> bool:
        """Whether the step that goes on began with an event."""
        return self._before is not None

    def mark(self, ended: int, begins: bool) -> None:
        """Ends the step `ended` if it began with an event, and begins the next with one if `begins`."""
        if self._make_event is None:
            return
        try:
            before, event = self._before, None
            if before is not None or begins:
                event = self._spare.pop() if self._spare else self._make_event()
            if event is not None:
                event.record()
                if before is not None:
                    self._pending.append((ended, before, event, begins))
            self._before = event if begins else None
            self._read(READS_PER_MARK)
            if len(self._pending) > MOST_PENDING:
                self._pending.popleft()
        except Exception:
            # A GPU that has failed tells no times; the host's remain.
            self._make_event, self._before = None, None
            self._pending.clear()

    def forget(self, first: int) -> None:
        """Drops the steps from `first` on, and the one that goes on."""
        self._before = None
        while self._pending and self._pending[-1][0] >= first:
            self._pending.pop()
        while self._times and self._times[-1][0] >= first:
            self._times.pop()

    def take(self, kept: int) -> "Dict[int, float]":
        """Milliseconds by step, of those that the GPU has passed; all but the last `kept` are forgotten here."""
        try:
            self._read(len(self._pending))
        except Exception:
            self._make_event = None
        taken = dict(self._times)
        while len(self._times) > kept:
            self._times.popleft()
        return taken

    def _read(self, most: int) -> None:
        for _ in range(min(most, len(self._pending))):
            step, before, after, is_shared = self._pending[0]
            if not after.query():
                return
            self._times.append((step, before.elapsed_time(after)))
            self._pending.popleft()
            self._spare.append(before)
            if not is_shared:
                self._spare.append(after)
