"""What is tried again, and when."""

from __future__ import annotations

import random
import time
from typing import Callable, TypeVar

from .client import Refused, Unreachable

MOST_ATTEMPTS = 6
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 10.0
#: A server that asks for more says that waiting is of no use now, as with a quota of the day.
LONGEST_ASKED_S = 60.0
HEALING = frozenset((408, 425, 429, 500, 502, 503, 504))
Answer = TypeVar("Answer")


def may_heal(error: Exception) -> bool:
    """Whether the same request may succeed in a while."""
    if isinstance(error, Refused):
        return error.status in HEALING or (error.status == 409 and error.retry_after_s is not None)
    return isinstance(error, Unreachable)


def with_retries(attempt: Callable[[], Answer], sleep: Callable[[float], None] = time.sleep) -> Answer:
    """Tries again with growing pauses, or as long as the server asks; raises the last error."""
    for n in range(1, MOST_ATTEMPTS + 1):
        try:
            return attempt()
        except (Refused, Unreachable) as error:
            asked_s = error.retry_after_s if isinstance(error, Refused) else None
            if n == MOST_ATTEMPTS or not may_heal(error) or (asked_s or 0) > LONGEST_ASKED_S:
                raise
            # Ranks fail together; the jitter keeps them from coming back together.
            grown_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (n - 1)) * random.uniform(0.7, 1.3)
            sleep(grown_s if asked_s is None else asked_s + random.uniform(0, 1))
    raise AssertionError("unreachable")
