"""Brings one recording to the server. May be cut anywhere and begun again: nothing is sent twice, nothing is lost."""

from __future__ import annotations

import hashlib
from pathlib import Path

from .answers import Page, Part, WrongAnswer
from .client import Client, Refused, Unreachable
from .guard import one_line
from .private_folder import open_regular
from .retries import with_retries
from .spool import PIECE_BYTES, Recording, Spool

#: What the server answers when an upload has to be done once more, from its registration on.
ONCE_MORE = frozenset(("upload-incomplete", "artifact-rejected", "size-mismatch"))
#: What it answers when the run takes nothing more: its upload was given up, or its day for late ranks is over.
CLOSED = frozenset(("run-not-awaiting-upload", "upload-closed"))


class NotSent(Exception):
    """The recording, or a part of it, stays in the spool; the message says why."""

    def __init__(self, message: str, cause: Exception) -> None:
        super().__init__(message)
        self.cause = cause


def deliver(recording: Recording, spool: Spool, client: Client) -> str:
    """
    Sends a recording that the caller has locked, and deletes it. The answer is the id of the run.

    Raises NotSent when anything of it stays; what the server has is deleted here even then.
    """
    try:
        recording.pack()
        run_id = recording.manifest.get("runId") or ""
        if recording.files():
            run_id, refusals = _send(recording, spool, client)
        else:
            refusals = {}
        if recording.files() and not refusals:
            raise WrongAnswer("the server does not say that it has every file")
    except (Refused, Unreachable, WrongAnswer, OSError, ValueError) as error:
        recording.update({"problem": one_line(error)})
        raise NotSent(one_line(error), error) from error
    if refusals:
        name, error = next(iter(refusals.items()))
        message = f"{name}: {one_line(error)}"
        recording.update({"problem": message})
        raise NotSent(message, error)
    recording.remove()
    return run_id


def _send(recording: Recording, spool: Spool, client: Client) -> "tuple[str, dict[str, Exception]]":
    """Run and refusals. When the run is closed, ranks that are still to come make the next one together."""
    run_id = _run_of(recording, spool, client)
    refusals = _send_files(recording, run_id, client)
    if not any(isinstance(error, Refused) and error.code in CLOSED for error in refusals.values()):
        return run_id, refusals
    following = hashlib.sha256(f"{recording.manifest['key']} {run_id}".encode()).hexdigest()
    recording.update({"key": f"stallscope-{following}", "runId": None})
    run_id = _run_of(recording, spool, client)
    return run_id, _send_files(recording, run_id, client)


def _run_of(recording: Recording, spool: Spool, client: Client) -> str:
    """The run of the recording's key: as this recording, or another rank's in this spool, knows it, or a new one."""
    key, body = recording.manifest["key"], recording.manifest["body"]
    known = recording.manifest.get("runId") if recording.manifest.get("sentTo") == client.server else None
    run_id = known or spool.run_id(client.server, key)
    if run_id is None:
        run_id = with_retries(lambda: client.create_run(body, key))
        spool.remember_run(client.server, key, run_id)
    if run_id != known:
        recording.update({"runId": run_id, "sentTo": client.server})
    return run_id


def _send_files(recording: Recording, run_id: str, client: Client) -> "dict[str, Exception]":
    """All files, and their completion in one call, so that one analysis has them together. The answer is what was refused."""
    for is_last in (False, True):
        refusals: "dict[str, Exception]" = {}
        sent: "dict[str, Path]" = {}
        for path in recording.files():
            try:
                artifact_id = _send_file(path, run_id, client)
                if artifact_id in sent:
                    raise WrongAnswer("the server gives two files one id")
                sent[artifact_id] = path
            except Refused as error:
                # Of one file; the others may be fine. What concerns all of them ends the attempt.
                if error.status in (401, 403, 404, 429) or error.status >= 500:
                    raise
                refusals[path.name] = error
        try:
            if sent:
                with_retries(lambda: client.complete(run_id, list(sent)))
        except Refused as error:
            if error.code in ONCE_MORE and not is_last:
                continue
            raise
        for artifact_id, path in sent.items():
            _delete_when_kept(path, run_id, artifact_id, client)
        return refusals
    raise AssertionError("unreachable")


def _delete_when_kept(path: Path, run_id: str, artifact_id: str, client: Client) -> None:
    """Deletes a file that the server itself lists as uploaded."""
    page = with_retries(lambda: client.parts(run_id, artifact_id, 1, path.stat().st_size))
    if page.artifact_id != artifact_id or not page.is_kept:
        raise WrongAnswer(f"the server does not say that it has {path.name}")
    path.unlink(missing_ok=True)


def _send_file(path: Path, run_id: str, client: Client) -> str:
    """Registers one file and sends the parts that the server does not have; the answer is the id of the artifact."""
    size_bytes, digest = path.stat().st_size, sha256(path)
    page = with_retries(lambda: client.register(run_id, path.name, size_bytes, digest))
    artifact_id = page.artifact_id
    while True:
        for part in page.parts:
            if not part.is_uploaded:
                _send_part(path, run_id, page, part, client)
        following = page.following
        if following is None:
            return artifact_id
        page = with_retries(lambda: client.parts(run_id, artifact_id, following, size_bytes))


def _send_part(path: Path, run_id: str, page: Page, part: Part, client: Client) -> None:
    def put(url: str) -> None:
        with_retries(lambda: client.put_part(url, path, part.offset, part.size_bytes))

    try:
        put(part.url)
    except Refused as error:
        if error.status != 403:
            raise
        # The URL has expired.
        size_bytes = path.stat().st_size
        fresh = with_retries(lambda: client.parts(run_id, page.artifact_id, part.number, size_bytes)).parts[:1]
        if [one.number for one in fresh] != [part.number]:
            raise WrongAnswer(f"the server gives no fresh address for part {part.number}") from error
        put(fresh[0].url)


def sha256(path: Path) -> str:
    """Of a file, hex, in pieces."""
    digest = hashlib.sha256()
    with open_regular(path) as file:
        for piece in iter(lambda: file.read(PIECE_BYTES), b""):
            digest.update(piece)
    return digest.hexdigest()
