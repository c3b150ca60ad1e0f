"""The public API over HTTP, as much of it as an upload needs."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional

from .answers import Page, WrongAnswer, page_of, run_id_of
from .private_folder import open_regular
from .transport import TimedRequest, http_only, is_http_url, seconds_left

PIECE_BYTES = 1 << 20
MOST_ANSWER_BYTES = 1 << 20
#: For a part, besides the time that its bytes may take: it may have a gibibyte, over a slow line.
PART_TIMEOUT_S = 600.0
SLOWEST_BYTES_PER_S = 256 << 10


class Unreachable(Exception):
    """The server did not answer; it may later."""


class Refused(Exception):
    """The server answered with a problem; `code` says which (docs/problems.md)."""

    def __init__(self, status: int, code: str, message: str, retry_after_s: Optional[float]) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.status, self.code, self.retry_after_s = status, code, retry_after_s


class Client:
    """Sends requests of one token. Every method raises Unreachable, Refused or WrongAnswer, and retries nothing."""

    def __init__(self, server: str, token: str, timeout_s: float = 60.0) -> None:
        if not is_http_url(server):
            raise ValueError(f"the address of the server must begin with http:// or https://, not {server[:80]!r}")
        self.server = server.rstrip("/")
        self._token, self._timeout_s = token, timeout_s
        self._opener = http_only()

    def create_run(self, body: Mapping[str, Any], key: str) -> str:
        """POST /v1/runs: the id of the run of this key."""
        return run_id_of(self._call("POST", "/v1/runs", body, {"Idempotency-Key": key}))

    def register(self, run_id: str, name: str, size_bytes: int, sha256: str) -> Page:
        """Registers a file; the answer has URLs for its first parts, none when the server has its content already."""
        file = {"name": name, "sizeBytes": size_bytes, "sha256": sha256}
        return page_of(self._call("POST", f"/v1/runs/{run_id}/artifacts", file), 1, size_bytes)

    def parts(self, run_id: str, artifact_id: str, first: int, size_bytes: int) -> Page:
        """Fresh URLs for at most 100 parts from `first` on, of a file of so many bytes; and what became of it."""
        path = f"/v1/runs/{run_id}/artifacts/{artifact_id}/parts?from={first}"
        return page_of(self._call("GET", path), first, size_bytes)

    def complete(self, run_id: str, artifact_ids: "list[str]") -> None:
        """Ends the upload of these artifacts, and has them analysed."""
        self._call("POST", f"/v1/runs/{run_id}/complete", {"artifacts": artifact_ids})

    def put_part(self, url: str, path: Path, offset: int, size_bytes: int) -> None:
        """Sends a piece of a file to the object store, at most a mebibyte of it in memory."""
        # Without the empty type urllib would name one, which the signature of the URL does not cover.
        headers = {"Content-Length": str(size_bytes), "Content-Type": ""}
        deadline_s = time.monotonic() + PART_TIMEOUT_S + size_bytes / SLOWEST_BYTES_PER_S
        body = pieces(path, offset, size_bytes, deadline_s)
        self._send(TimedRequest(url, body, headers, method="PUT"), PART_TIMEOUT_S, deadline_s)

    def _call(self, method: str, path: str, body: Any = None, headers: Optional[Mapping[str, str]] = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = TimedRequest(self.server + path, data, dict(headers or {}), method=method)
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        text = self._send(request, self._timeout_s, time.monotonic() + self._timeout_s)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise Unreachable("the answer is not JSON; is there a Stallscope server at this address?") from None

    def _send(self, request: TimedRequest, timeout_s: float, deadline_s: float) -> bytes:
        request.deadline_s = deadline_s
        try:
            with self._opener.open(request, timeout=timeout_s) as response:
                answer = response.read(MOST_ANSWER_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise refused(error) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise Unreachable(str(getattr(error, "reason", None) or error or type(error).__name__)) from None
        if len(answer) > MOST_ANSWER_BYTES:
            raise WrongAnswer(f"the answer has more than {MOST_ANSWER_BYTES} bytes")
        return answer


def refused(error: urllib.error.HTTPError) -> Refused:
    """Reads an error answer, problem+json or not."""
    try:
        text = error.read(64 << 10).decode(errors="replace")
    except (OSError, http.client.HTTPException):
        text = ""
    try:
        problem = json.loads(text)
    except (ValueError, RecursionError):
        problem = None
    problem = problem if isinstance(problem, dict) else {}
    errors = problem.get("errors")
    listed = [e for e in errors if isinstance(e, dict)] if isinstance(errors, list) else []
    fields = "; ".join(f"{e.get('field')}: {e.get('message')}" for e in listed)
    said = [problem.get("detail") or problem.get("title"), fields, problem.get("action")]
    message = " ".join(str(part) for part in said if part) or " ".join(text.split())[:200]
    after = error.headers.get("Retry-After", "") if error.headers else ""
    retry_after_s = float(after) if after.isascii() and after.strip().isdigit() else None
    return Refused(error.code, str(problem.get("code") or f"http-{error.code}")[:100], message[:600], retry_after_s)


def pieces(path: Path, offset: int, size_bytes: int, deadline_s: float = float("inf")) -> Iterator[bytes]:
    """Bytes `offset` to `offset + size_bytes` of a file; raises OSError when it has become shorter, and after the deadline."""
    with open_regular(path) as file:
        file.seek(offset)
        left = size_bytes
        while left > 0:
            seconds_left(deadline_s, None)
            piece = file.read(min(PIECE_BYTES, left))
            if not piece:
                raise OSError(f"{path.name} became shorter while it was sent")
            left -= len(piece)
            yield piece
