"""
Times of training steps, by the host's clock and, where there is a GPU, by CUDA events; both together for less than 0.5 % of
the step.

A mark that only reads the host's clock costs half a microsecond, which steps of SHORT_STEP_NS and more bear. What costs more
(events, tens of microseconds) is done at some marks only: each takes its own time, and the next waits until the training
has gone on for PAID_BACK times as long. So the events of a step of 30 ms are taken at each or every second one, those of a
step of 2 ms at each twentieth or so, as the machine is. Shorter steps are timed, by either clock, only where events are due;
at the others a mark counts, and returns.
"""

from __future__ import annotations

import time
from collections import deque
from itertools import islice
from typing import Any, Callable, Deque, Dict, Iterator, NamedTuple

from .device_times import DeviceTimes, cuda_event

#: Steps kept; the oldest go first.
MOST_STEPS = 10_000
#: Steps that are told once more with the next recording, which may come before there are enough others.
KEPT = 50
#: 0.25 % of the training.
PAID_BACK = 400
#: A mark that reads the clock is 0.25 % of it.
SHORT_STEP_NS = 200_000
#: Longest rest, whatever disturbed the mark before: a time, and steps too short to read the clock at.
LONGEST_REST_NS = 60_000_000_000
MOST_SKIPPED = 10_000
#: Steps over which the mean step is smoothed.
SMOOTHED_OVER = 8


class StepTimes(NamedTuple):
    """What was timed: number and host time of each step, and the times on the GPU that there are, by number."""

    numbers: "Deque[int]"
    hosts_ns: "Deque[int]"
    devices_ms: Dict[int, float]

    def lines(self) -> Iterator[str]:
        """One JSON object for each step, as the analysis reads them: `host_s` in seconds, `device_ms` in milliseconds."""
        for number, host_ns in zip(self.numbers, self.hosts_ns):
            device_ms = self.devices_ms.get(number)
            device = "" if device_ms is None else f', "device_ms": {device_ms:.4f}'
            yield f'{{"step": {number}, "host_s": {host_ns / 1e9:.9f}{device}}}\n'


class StepTimer:
    """Times what lies between two marks; what it does itself there is left out."""

    def __init__(
        self, make_event: Callable[[], Any] = cuda_event, clock_ns: Callable[[], int] = time.perf_counter_ns
    ) -> None:
        self._clock_ns = clock_ns
        self._device = DeviceTimes(make_event)
        self._numbers: "Deque[int]" = deque(maxlen=MOST_STEPS)
        self._hosts_ns: "Deque[int]" = deque(maxlen=MOST_STEPS)
        self.marks = 0
        #: Marks before this one only count.
        self._due = 0
        #: Until then a mark takes the host's time, and nothing else.
        self._quiet_until_ns = 0
        #: When all that was spent is paid back.
        self._paid_back_ns = 0
        #: When the step began that goes on; 0 when it is not timed.
        self._begun_ns = 0
        self._mean_step_ns = float(SHORT_STEP_NS)
        #: The last mark that did more, and when it was done.
        self._seen_mark, self._seen_ns = 0, 0

    def __len__(self) -> int:
        return len(self._numbers)

    def mark(self) -> None:
        """Ends a step, and begins the next."""
        self.marks = mark = self.marks + 1
        if mark < self._due:
            return
        now_ns = self._clock_ns()
        if now_ns < self._quiet_until_ns:
            self._numbers.append(mark - 2)
            self._hosts_ns.append(now_ns - self._begun_ns)
            self._begun_ns = now_ns
        else:
            self._mark_with_care(mark, now_ns)

    def forget(self, count: int) -> None:
        """Drops the last steps, which the profiler slowed, and what goes on since the last mark."""
        first = self.marks - 1 - count
        while self._numbers and self._numbers[-1] >= first:
            self._numbers.pop()
            self._hosts_ns.pop()
        self._device.forget(first)
        self._begun_ns = self._seen_ns = self._quiet_until_ns = self._due = 0

    def take(self) -> StepTimes:
        """The steps so far; all but the last KEPT are forgotten here."""
        numbers, hosts_ns, devices_ms = self._numbers, self._hosts_ns, self._device.take(KEPT)
        forgotten = max(0, len(numbers) - KEPT)
        self._numbers = deque(islice(numbers, forgotten, None), MOST_STEPS)
        self._hosts_ns = deque(islice(hosts_ns, forgotten, None), MOST_STEPS)
        return StepTimes(numbers, hosts_ns, devices_ms)

    def _mark_with_care(self, mark: int, now_ns: int) -> None:
        """A mark that may take events, and decides what the next ones do."""
        was_timed = self._begun_ns > 0
        if was_timed:
            self._numbers.append(mark - 2)
            self._hosts_ns.append(now_ns - self._begun_ns)
        is_short = self._smoothed_step_ns(mark, now_ns) < SHORT_STEP_NS
        times_next = not (is_short and was_timed)
        self._device.mark(mark - 2, times_next and (is_short or now_ns >= self._paid_back_ns))
        done_ns = self._clock_ns()
        rest_ns = min((done_ns - now_ns) * PAID_BACK, LONGEST_REST_NS)
        self._paid_back_ns = max(self._paid_back_ns, now_ns) + rest_ns
        self._seen_mark, self._seen_ns = mark, done_ns
        self._begun_ns = done_ns if times_next else 0
        if not times_next:
            self._due = mark + min(MOST_SKIPPED, 1 + int((self._paid_back_ns - done_ns) / self._mean_step_ns))
        must_look = is_short or self._device.is_timing
        self._quiet_until_ns = 0 if must_look else self._paid_back_ns

    def _smoothed_step_ns(self, mark: int, now_ns: int) -> float:
        steps = mark - self._seen_mark
        if self._seen_ns > 0:
            mean_ns = max(1, now_ns - self._seen_ns) / steps
            self._mean_step_ns += (mean_ns - self._mean_step_ns) * min(1.0, steps / SMOOTHED_OVER)
        return self._mean_step_ns
