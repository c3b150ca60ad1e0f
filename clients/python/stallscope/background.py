"""The thread that packs and sends, so that the training thread never waits for a disk or a network."""

from __future__ import annotations

import queue
import threading
import time
from typing import Callable, List, Optional, Tuple

from .client import Client
from .config import Config
from .guard import log, one_line
from .retries import may_heal
from .spool import Recording, Spool
from .uploader import NotSent, deliver

#: How long after a failure a recording is tried again while the training goes on, seconds; it doubles up to the second.
FIRST_RETRY_S = 30.0
LONGEST_RETRY_S = 900.0

#: A recording, and what is to be written into it before it is sent.
Work = Tuple[Recording, Callable[[Recording], None]]


class Background:
    """One daemon thread. It must be started before the process ends: Python starts none after that."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._spool = Spool(config.spool)
        self._queue: "queue.Queue[Optional[Work]]" = queue.Queue()
        #: When to try again, how long to wait after that, and what.
        self._later: "List[Tuple[float, float, Recording]]" = []
        self._thread = threading.Thread(target=self._run, name="stallscope", daemon=True)
        self._thread.start()

    def submit(self, recording: Recording, finish: Callable[[Recording], None]) -> None:
        """Has `finish` write the last files of a recording, and sends it. Returns at once."""
        self._queue.put((recording, finish))

    def close(self, wait_s: float) -> bool:
        """Waits for what was submitted, at most so long, and says whether all was done; what is left stays in the spool."""
        self._queue.put(None)
        self._thread.join(wait_s)
        if self._thread.is_alive():
            log.warning("not all was sent within %g s; the rest is in %s: stallscope flush", wait_s, self._spool.folder)
            return False
        return True

    def _run(self) -> None:
        while True:
            try:
                work = self._queue.get(timeout=self._pause_s())
            except queue.Empty:
                self._try_due()
                continue
            if work is None:
                return self._end()
            recording, finish = work
            try:
                finish(recording)
            except Exception as error:
                log.warning("a recording is not complete: %s", one_line(error))
            self._try(recording, FIRST_RETRY_S)

    def _pause_s(self) -> Optional[float]:
        return max(0.0, min(due for due, _, _ in self._later) - time.monotonic()) if self._later else None

    def _try_due(self) -> None:
        now = time.monotonic()
        due, self._later = [e for e in self._later if e[0] <= now], [e for e in self._later if e[0] > now]
        for _, pause_s, recording in due:
            self._try(recording, pause_s)

    def _end(self) -> None:
        """Tries once more what failed before, and leaves it to `stallscope flush`."""
        waiting, self._later = self._later, []
        for _, _, recording in waiting:
            self._try(recording, LONGEST_RETRY_S)
            recording.release()

    def _try(self, recording: Recording, pause_s: float) -> None:
        config = self._config
        try:
            if not config.can_send:
                log.warning("no server or no token is set; the recording is in %s: stallscope flush", recording.folder)
                recording.pack()
                return recording.release()
            run_id = deliver(recording, self._spool, Client(str(config.server), str(config.token), config.timeout_s))
            log.info("sent: %s/v1/runs/%s/report", str(config.server).rstrip("/"), run_id)
        except NotSent as error:
            log.warning("not sent, kept in %s: %s", recording.folder, error)
            if may_heal(error.cause):
                self._later.append((time.monotonic() + pause_s, min(2 * pause_s, LONGEST_RETRY_S), recording))
            else:
                recording.release()
        except Exception as error:
            log.warning("not sent, kept in %s: %s", recording.folder, one_line(error))
            recording.release()
