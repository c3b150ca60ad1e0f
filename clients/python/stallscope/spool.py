"""
Recordings on disk, from the moment they are made until the server has them.

    <spool>/<recording>/run.json     key, body and server; the run's id once it is known; why it is still here
    <spool>/<recording>/lock         held by the process that writes or sends it, and free when that dies
    <spool>/<recording>/files/…      what is sent, each file deleted when the server has it
    <spool>/runs/<hash of the key>   id of the run, for other ranks and later days: the server forgets keys after a day

A token is never written. Folders are the user's alone, and links in them are not followed (private_folder.py).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import time
import uuid
from pathlib import Path
from typing import Any, BinaryIO, Iterator, List, Mapping, Optional

from .guard import log
from .private_folder import create_new, is_own_folder, is_regular, make_private, open_regular

try:
    import fcntl
except ImportError:  # Windows has no such locks; two senders at once would send the same, which the server takes as one.
    fcntl = None  # type: ignore[assignment]

PIECE_BYTES = 1 << 20
#: The cores of the job matter more than a few bytes.
GZIP_LEVEL = 1
RUN_IDS_KEPT_S = 60 * 86_400
MANIFEST = "run.json"
MOST_MANIFEST_BYTES = 16 << 20


class Recording:
    """One rank's files of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files_folder = folder / "files"
        self._lock: Optional[BinaryIO] = None
        self.manifest: "dict[str, Any]" = {}

    @classmethod
    def create(cls, spool: Path, manifest: Mapping[str, Any]) -> "Recording":
        """
        A new one, locked by this process until `release`.

        Raises OSError when the disk does not let us, and NotPrivate when others could write to the spool.
        """
        make_private(spool)
        recording = cls(spool / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:12]}")
        recording.folder.mkdir(mode=0o700)
        recording.files_folder.mkdir(mode=0o700)
        recording.try_lock()
        recording.update(manifest)
        return recording

    def update(self, changes: Mapping[str, Any]) -> None:
        """Changes the manifest, on disk too, all or nothing."""
        self.manifest = {**self.manifest, **changes}
        write_whole(self.folder / MANIFEST, json.dumps(self.manifest, indent=1).encode())

    def read(self) -> bool:
        """Reads the manifest; False when there is none that can be read."""
        try:
            with open_regular(self.folder / MANIFEST) as file:
                manifest = json.loads(file.read(MOST_MANIFEST_BYTES))
        except (OSError, ValueError, RecursionError):
            return False
        self.manifest = manifest if isinstance(manifest, dict) else {}
        return isinstance(self.manifest.get("key"), str) and isinstance(self.manifest.get("body"), dict)

    def try_lock(self) -> bool:
        """False when another process, or another part of this one, has it."""
        if self._lock is not None:
            return True
        try:
            file = open(self.folder / "lock", "ab")
        except FileNotFoundError:
            return False
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._lock = file
        return self.folder.is_dir()

    def release(self) -> None:
        """Lets others send it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def files(self) -> List[Path]:
        """What is to be sent, by name: regular files, and no links, which might lead to what is none of this run's."""
        return sorted(p for p in self.files_folder.iterdir() if is_regular(p) and not p.name.endswith(".part"))

    def pack(self) -> None:
        """Compresses traces. A copy cut short by a crash is made again; empty files go. Says what is not sent."""
        for path in sorted(self.files_folder.iterdir()):
            if not is_regular(path) and not path.name.endswith(".part"):
                log.warning("%s: left out, for it is no regular file", path)
        for path in self.files():
            if path.stat().st_size == 0:
                path.unlink()
            elif path.name.endswith(".trace.json"):
                compress(path)

    def remove(self) -> None:
        """Deletes it; a crash on the way leaves nothing that would be sent again."""
        (self.folder / MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()


class Spool:
    """All recordings of a user on this machine, or of a cluster when the folder is on a file system they share."""

    def __init__(self, folder: "str | Path") -> None:
        self.folder = Path(folder)
        #: Recordings that were passed over because others could have written them.
        self.refused = 0

    def recordings(self) -> Iterator[Recording]:
        """The oldest first, with their manifests; folders that are none are passed over. Raises NotPrivate."""
        if not self.folder.is_dir():
            return
        make_private(self.folder)
        for path in sorted(self.folder.iterdir()):
            recording = Recording(path)
            if not recording.read():
                continue
            if is_own_folder(path) and is_own_folder(recording.files_folder):
                yield recording
            else:
                self.refused += 1
                log.warning("%s: left alone, for it is not this user's alone; chmod go-w it if it is yours", path)

    def size_bytes(self) -> int:
        """Bytes of all files in it."""
        return sum(size_of(path) for path in self.folder.rglob("*")) if self.folder.is_dir() else 0

    def run_id(self, server: str, key: str) -> Optional[str]:
        """The run that a key got from a server, as far as this spool knows."""
        try:
            return self._run_file(server, key).read_text().strip() or None
        except OSError:
            return None

    def remember_run(self, server: str, key: str, run_id: str) -> None:
        """Keeps it for other ranks and later days."""
        path = self._run_file(server, key)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, run_id.encode())

    def forget_old_runs(self, now_s: Optional[float] = None) -> None:
        """Drops ids that nothing can need any more."""
        oldest = (time.time() if now_s is None else now_s) - RUN_IDS_KEPT_S
        for path in (self.folder / "runs").glob("*"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)

    def _run_file(self, server: str, key: str) -> Path:
        return self.folder / "runs" / hashlib.sha256(f"{server} {key}".encode()).hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that others see all of it or what was there before."""
    part = path.with_name(f"{path.name}.{os.getpid()}.{uuid.uuid4().hex[:8]}.part")
    with open(part, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def compress(path: Path) -> Path:
    """Puts a .gz in the place of a file, in pieces; the same content gives the same bytes."""
    target = path.with_name(f"{path.name}.gz")
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        with open_regular(path) as source, create_new(part) as raw:
            with gzip.GzipFile("", "wb", GZIP_LEVEL, raw, mtime=0) as packed:
                shutil.copyfileobj(source, packed, PIECE_BYTES)
        os.replace(part, target)
    path.unlink()
    return target


def size_of(path: Path) -> int:
    """Bytes of a file; 0 for what is gone or no file."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
