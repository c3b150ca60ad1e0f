"""Folders and files of the spool are the user's alone: who can write there says what is sent with the token, and where to."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO, Optional

from .guard import log

#: Windows has no such owners and bits; a profile there is the user's by itself.
HAS_OWNERS = hasattr(os, "geteuid")
#: Nor these: what is opened is no link, and does not wait for a writer as a pipe would.
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotPrivate(ValueError):
    """A folder is not the user's alone; the message says why, and what to do."""


def why_not_private(path: Path) -> Optional[str]:
    """None when the user owns it and nobody else may write to it. Raises OSError when there is none."""
    found = path.stat()
    if not HAS_OWNERS:
        return None
    if found.st_uid != os.geteuid():
        return f"it belongs to the user with the id {found.st_uid}"
    return "its group or others may write to it" if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else None


def make_private(folder: Path) -> None:
    """Makes a folder, and what is lacking above it, for the user alone. Raises NotPrivate for one that is there and is not."""
    if not folder.is_dir():
        for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
    reason = why_not_private(folder)
    if reason:
        beside = beside_of(folder)
        raise NotPrivate(
            f"{folder} is not used: {reason}; `chmod go-w` it, or name another spool"
            f"{f'; what was recorded meanwhile is in {beside}' if beside.is_dir() else ''}"
        )


def beside_of(folder: Path) -> Path:
    """Where this user records instead of a folder that is not private."""
    return folder.with_name(f"{folder.name}-{os.geteuid()}") if HAS_OWNERS else folder


def private_or_beside(folder: Path) -> Path:
    """The folder itself, there or not; a private one beside it, and a line in the log, when others could write to it."""
    reason = why_not_private(folder) if folder.is_dir() else None
    if not reason:
        return folder
    beside = beside_of(folder)
    try:
        # Not by a link, which another user may have put there.
        beside.mkdir(mode=0o700, exist_ok=True)
        if beside.is_symlink() or why_not_private(beside):
            raise NotPrivate(str(beside))
    except (OSError, NotPrivate):
        beside = Path(tempfile.mkdtemp(prefix=f"{beside.name}-", dir=folder.parent))
    log.warning("%s is not used: %s; recordings go to %s: stallscope flush --spool %s", folder, reason, beside, beside)
    return beside


def is_own_folder(path: Path) -> bool:
    """Whether this is a folder, no link to one, that is the user's alone."""
    return path.is_dir() and not path.is_symlink() and not why_not_private(path)


def is_regular(path: Path) -> bool:
    """Whether this is a file, not a link to one, a pipe or a device."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def open_regular(path: Path) -> BinaryIO:
    """Opens a file to read; raises OSError for what is_regular is not, also when it became that just now."""
    handle = os.open(path, os.O_RDONLY | NOFOLLOW)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path.name} is no regular file")
    return os.fdopen(handle, "rb")


def create_new(path: Path) -> BinaryIO:
    """Opens a new file to write, in the place of any file or link of this name."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW, 0o600), "wb")
