"""The public API over HTTP, as much of it as an upload needs."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional
from urllib.parse import urlsplit

PIECE_BYTES = 1 << 20
MOST_ANSWER_BYTES = 16 << 20
#: A part may have a gibibyte, over a slow line.
PART_TIMEOUT_S = 600.0


class Unreachable(Exception):
    """The server did not answer; it may later."""


class Refused(Exception):
    """The server answered with a problem; `code` says which (docs/problems.md)."""

    def __init__(self, status: int, code: str, message: str, retry_after_s: Optional[float]) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.status, self.code, self.retry_after_s = status, code, retry_after_s


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token goes to the address that it was given for, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """Sends requests of one token. Every method raises Unreachable or Refused, and retries nothing."""

    def __init__(self, server: str, token: str, timeout_s: float = 60.0) -> None:
        if urlsplit(server).scheme not in ("http", "https"):
            raise ValueError(f"the address of the server must begin with http:// or https://, not {server[:80]!r}")
        self.server = server.rstrip("/")
        self._token, self._timeout_s = token, timeout_s
        self._opener = urllib.request.build_opener(NoRedirects())

    def create_run(self, body: Mapping[str, Any], key: str) -> "dict[str, Any]":
        """POST /v1/runs: the run of this key."""
        return self._call("POST", "/v1/runs", body, {"Idempotency-Key": key})

    def register(self, run_id: str, name: str, size_bytes: int, sha256: str) -> "dict[str, Any]":
        """Registers a file; the answer has URLs for its first parts, none when the server has its content already."""
        file = {"name": name, "sizeBytes": size_bytes, "sha256": sha256}
        return self._call("POST", f"/v1/runs/{run_id}/artifacts", file)

    def parts(self, run_id: str, artifact_id: str, first: int) -> "dict[str, Any]":
        """Fresh URLs for at most 100 parts from `first` on."""
        return self._call("GET", f"/v1/runs/{run_id}/artifacts/{artifact_id}/parts?from={first}")

    def complete(self, run_id: str, artifact_ids: "list[str]") -> "dict[str, Any]":
        """Ends the upload of these artifacts, and has them analysed."""
        return self._call("POST", f"/v1/runs/{run_id}/complete", {"artifacts": artifact_ids})

    def put_part(self, url: str, path: Path, offset: int, size_bytes: int) -> None:
        """Sends a piece of a file to the object store, at most a mebibyte of it in memory."""
        # Without the empty type urllib would name one, which the signature of the URL does not cover.
        headers = {"Content-Length": str(size_bytes), "Content-Type": ""}
        request = urllib.request.Request(url, pieces(path, offset, size_bytes), headers, method="PUT")
        self._send(request, PART_TIMEOUT_S)

    def _call(self, method: str, path: str, body: Any = None, headers: Optional[Mapping[str, str]] = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, dict(headers or {}), method=method)
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        text = self._send(request, self._timeout_s)
        try:
            return json.loads(text)
        except ValueError:
            raise Unreachable("the answer is not JSON; is there a Stallscope server at this address?") from None

    def _send(self, request: urllib.request.Request, timeout_s: float) -> bytes:
        try:
            with self._opener.open(request, timeout=timeout_s) as response:
                return response.read(MOST_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            with error:
                raise refused(error) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise Unreachable(str(getattr(error, "reason", None) or error or type(error).__name__)) from None


def refused(error: urllib.error.HTTPError) -> Refused:
    """Reads an error answer, problem+json or not."""
    try:
        text = error.read(64 << 10).decode(errors="replace")
    except (OSError, http.client.HTTPException):
        text = ""
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    problem = problem if isinstance(problem, dict) else {}
    fields = "; ".join(f"{e.get('field')}: {e.get('message')}" for e in problem.get("errors") or [] if isinstance(e, dict))
    said = [problem.get("detail") or problem.get("title"), fields, problem.get("action")]
    message = " ".join(str(part) for part in said if part) or " ".join(text.split())[:200]
    after = error.headers.get("Retry-After", "") if error.headers else ""
    retry_after_s = float(after) if after.strip().isdigit() else None
    return Refused(error.code, str(problem.get("code") or f"http-{error.code}"), message[:600], retry_after_s)


def pieces(path: Path, offset: int, size_bytes: int) -> Iterator[bytes]:
    """Bytes `offset` to `offset + size_bytes` of a file; raises OSError when it has become shorter."""
    with open(path, "rb") as file:
        file.seek(offset)
        left = size_bytes
        while left > 0:
            piece = file.read(min(PIECE_BYTES, left))
            if not piece:
                raise OSError(f"{path.name} became shorter while it was sent")
            left -= len(piece)
            yield piece
