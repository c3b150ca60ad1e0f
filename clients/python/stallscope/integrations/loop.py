"""Loops of one's own."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Tuple, TypeVar

from ..guard import never_raises
from ..hook import Hook
from .profiler import DEFAULT_WINDOW, profile_of

Item = TypeVar("Item")


def trace_handler(**options: Any) -> Hook:
    """
    For torch.profiler: `profile(..., on_trace_ready=stallscope.trace_handler(model="gpt-136m", cluster="a"))`.

    Call its `step()` beside `prof.step()`, and the steps without the profiler are timed, too. Options: see Hook.
    """
    return Hook(**options)


class Watch:
    """A training loop that is watched: step times, and one window of a profile."""

    def __init__(self, window: Optional[Tuple[int, int, int]], **options: Any) -> None:
        self.hook = Hook(**options)
        self._window, self._profile = window, None
        self._is_over = False

    def __enter__(self) -> "Watch":
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @never_raises
    def start(self) -> None:
        """Begins; the first step begins with it."""
        self.hook.step()
        if self._window is not None:
            self._profile = profile_of(self._window, self._traced)

    def step(self) -> None:
        """Marks the end of a training step."""
        self.hook.step()
        if self._profile is not None:
            self._step_profile()

    def steps(self, batches: Iterable[Item]) -> Iterator[Item]:
        """Gives the batches, and marks the end of a step after each."""
        for batch in batches:
            yield batch
            self.step()

    @never_raises
    def close(self) -> None:
        """Ends a profile that still goes on, and hands everything over."""
        try:
            if self._profile is not None:
                self._profile.stop()
                self._profile = None
        finally:
            self.hook.close()

    @never_raises
    def _step_profile(self) -> None:
        profile = self._profile
        try:
            profile.step()
            if self._is_over:
                # What it would cost from here on, however little, is saved.
                self._profile = None
                profile.stop()
        except Exception:
            self._profile = None
            raise

    def _traced(self, profile: Any) -> None:
        self.hook(profile)
        self._is_over = True


def watch(window: Optional[Tuple[int, int, int]] = DEFAULT_WINDOW, **options: Any) -> Watch:
    """
    A context manager for a loop without a profiler of its own; `window` is (steps to wait, to warm up, to record), or None.

        with stallscope.watch(model="gpt-136m", cluster="a", module=net, loader=loader) as watch:
            for batch in watch.steps(loader):
                train_step(batch)
    """
    return Watch(window, **options)
