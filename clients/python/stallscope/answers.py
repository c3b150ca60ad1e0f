"""What the server answers, checked before it is believed: another server, or a proxy, may have answered in its place."""

from __future__ import annotations

import re
from typing import Any, List, NamedTuple, Optional

from .transport import is_http_url

#: As S3 bounds them, and with it the server.
MOST_PARTS = 10_000
ID = re.compile(r"[A-Za-z0-9-]{1,64}")
#: States of an artifact whose bytes the server has.
KEPT_STATES = frozenset(("uploaded", "verified"))


class WrongAnswer(Exception):
    """The answer is none of a Stallscope server; nothing that follows from it is done."""


class Part(NamedTuple):
    number: int
    offset: int
    size_bytes: int
    url: str
    is_uploaded: bool


class Page(NamedTuple):
    """An artifact, and some of its parts."""

    artifact_id: str
    is_kept: bool
    parts: List[Part]
    #: First part of the next page.
    following: Optional[int]


def run_id_of(answer: Any) -> str:
    """The id of the run that was created."""
    return _id(_object(answer).get("id"))


def page_of(answer: Any, first: int, file_bytes: int) -> Page:
    """A page that was asked for from part `first` on, of a file of so many bytes. Its numbers rise, so that pages have an end."""
    answer = _object(answer)
    part_bytes, listed, following = answer.get("partSizeBytes"), answer.get("parts"), answer.get("nextPart")
    _require(isinstance(listed, list), "it lists no parts")
    parts = [_part(part, part_bytes, file_bytes) for part in listed]
    numbers = [first - 1, *(part.number for part in parts)]
    _require(all(a < b for a, b in zip(numbers, numbers[1:])), "part numbers do not rise")
    if following is not None:
        _require(_is_count(following) and max(first, numbers[-1]) < following <= MOST_PARTS, "nextPart does not rise")
    return Page(_id(answer.get("id")), answer.get("state") in KEPT_STATES, parts, following)


def _part(part: Any, part_bytes: Any, file_bytes: int) -> Part:
    part = _object(part)
    number, size_bytes, url = part.get("partNumber"), part.get("sizeBytes"), part.get("url")
    _require(_is_count(number) and number <= MOST_PARTS and _is_count(size_bytes) and _is_count(part_bytes), "no part")
    offset = (number - 1) * part_bytes
    _require(offset + size_bytes <= file_bytes, f"part {number} is beyond the end of the file")
    _require(is_http_url(url), f"the address of part {number} is not http:// or https://")
    return Part(number, offset, size_bytes, url, part.get("uploaded") is True)


def _id(value: Any) -> str:
    _require(isinstance(value, str) and ID.fullmatch(value) is not None, "it has no id")
    return value


def _object(answer: Any) -> "dict[str, Any]":
    _require(isinstance(answer, dict), "it is no object")
    return answer


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise WrongAnswer(f"the answer is not that of a Stallscope server: {what}")
