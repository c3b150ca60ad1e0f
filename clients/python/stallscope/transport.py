"""HTTP and nothing else, with an end: urllib opens `file:` and `ftp:`, too, and its timeout begins anew with each byte."""

from __future__ import annotations

import functools
import http.client
import io
import socket
import time
import urllib.request
from typing import Any, Callable
from urllib.parse import urlsplit


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token goes to the address that it was given for, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class TimedRequest(urllib.request.Request):
    """A request that must have its whole answer at `deadline_s`, by the monotonic clock."""

    deadline_s: float = float("inf")


class TimedReader(io.RawIOBase):
    """What comes from a socket, until the deadline."""

    def __init__(self, sock: socket.socket, deadline_s: float) -> None:
        self._sock, self._raw, self._deadline_s = sock, sock.makefile("rb", 0), deadline_s

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self._sock.settimeout(seconds_left(self._deadline_s, self._sock.gettimeout()))
        return self._raw.readinto(buffer)  # type: ignore[attr-defined]

    def close(self) -> None:
        self._raw.close()
        super().close()


class TimedResponse(http.client.HTTPResponse):
    """An answer whose status line, headers and body all come before the deadline."""

    def __init__(self, deadline_s: float, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.close()
        self.fp = io.BufferedReader(TimedReader(sock, deadline_s))


class Http(urllib.request.HTTPHandler):
    def http_open(self, req: Any) -> Any:
        return self.do_open(timed(http.client.HTTPConnection, req), req)


class Https(urllib.request.HTTPSHandler):
    def https_open(self, req: Any) -> Any:
        return self.do_open(timed(http.client.HTTPSConnection, req), req)


def timed(make: Callable[..., Any], request: Any) -> Any:
    """Makes connections whose answers end with the request."""

    def connect(host: str, **options: Any) -> Any:
        connection = make(host, **options)
        connection.response_class = functools.partial(TimedResponse, request.deadline_s)
        return connection

    return connect


def http_only() -> urllib.request.OpenerDirector:
    """Opens http:// and https://, by way of the proxies of the environment, and follows no redirect."""
    opener = urllib.request.OpenerDirector()
    handlers = (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        Http(),
        Https(),
        urllib.request.HTTPDefaultErrorHandler(),
        NoRedirects(),
        urllib.request.HTTPErrorProcessor(),
    )
    for handler in handlers:
        opener.add_handler(handler)
    return opener


def seconds_left(deadline_s: float, most_s: "float | None") -> float:
    """Until the deadline, `most_s` at most; raises TimeoutError after it."""
    left_s = deadline_s - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("the whole answer did not come in time")
    return left_s if most_s is None else min(left_s, most_s)


def is_http_url(url: Any) -> bool:
    """Whether this is an absolute http:// or https:// address that can be asked as it is."""
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        # Reading a port that is none raises.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
