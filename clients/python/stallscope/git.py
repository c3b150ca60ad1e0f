"""Commit and branch of the code that runs, read from files: no process is started beside a training run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Optional

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def read_commit(start: Path) -> "tuple[Optional[str], Optional[str]]":
    """Commit and branch of the checkout that has `start`; None for what cannot be told."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            try:
                return _read(_git_folder(folder / ".git"))
            except (OSError, ValueError):
                return None, None
    return None, None


def _git_folder(git: Path) -> Path:
    """Worktrees and submodules have a file that says where the folder is."""
    if git.is_dir():
        return git
    return (git.parent / _text(git).partition("gitdir:")[2].strip()).resolve()


def _read(git: Path) -> "tuple[Optional[str], Optional[str]]":
    head = _text(git / "HEAD").strip()
    if not head.startswith("ref:"):
        return (head if COMMIT.fullmatch(head) else None), None
    ref = head[len("ref:") :].strip()
    branch = ref[len("refs/heads/") :] if ref.startswith("refs/heads/") else None
    shared = git / "commondir"
    roots = [git, (git / _text(shared).strip()).resolve()] if shared.exists() else [git]
    for root in roots:
        if (root / ref).is_file():
            commit = _text(root / ref).strip()
            return (commit if COMMIT.fullmatch(commit) else None), branch
    for root in roots:
        for line in _text(root / "packed-refs").splitlines() if (root / "packed-refs").is_file() else ():
            commit, _, name = line.partition(" ")
            if name.strip() == ref and COMMIT.fullmatch(commit):
                return commit, branch
    return None, branch


def _text(path: Path) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(4 << 20)
