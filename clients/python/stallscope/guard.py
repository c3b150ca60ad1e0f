"""The wall between this package and the training loop."""

from __future__ import annotations

import functools
import logging
from typing import Any, Callable, TypeVar

log = logging.getLogger("stallscope")
Function = TypeVar("Function", bound=Callable[..., Any])


def one_line(error: BaseException) -> str:
    """What went wrong, on one line, for a log."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]


def say_failed(what: str, error: BaseException) -> None:
    """The line in the log in the place of an exception."""
    log.warning("%s failed, training goes on without it: %s", what, one_line(error))


def never_raises(function: Function) -> Function:
    """Makes a function answer None where it would raise, with one line in the log. KeyboardInterrupt passes."""

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            say_failed(function.__qualname__, error)
            return None

    return guarded  # type: ignore[return-value]
