"""The clock, randomness and network of the client."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol
from urllib.parse import urlsplit


class Stop:
    """Ends a watch from another thread, even while the watch waits for the elector."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._answer: Answer | None = None
        self._inner: list[Stop] = []

    @property
    def is_asked(self) -> bool:
        return self._asked.is_set()

    def wait(self, seconds: float) -> None:
        """Waits for this time, or until ``ask`` is called."""
        self._asked.wait(max(seconds, 0))

    def reads(self, answer: Answer | None) -> None:
        """Sets the answer that the watch is reading."""
        with self._lock:
            self._answer = answer
            if answer is not None and self.is_asked:
                answer.hang_up()

    def ask(self) -> None:
        """Ends the watch. Any thread may call it, also repeatedly."""
        with self._lock:
            self._asked.set()
            if self._answer is not None:
                self._answer.hang_up()
            inner = list(self._inner)
        for each in inner:
            each.ask()

    @contextmanager
    def inner(self) -> Generator[Stop, None, None]:
        """Creates a stop that this stop also asks until the block ends. The new stop does not ask this stop."""
        inner = Stop()
        with self._lock:
            self._inner.append(inner)
        if self.is_asked:
            inner.ask()
        try:
            yield inner
        finally:
            with self._lock:
                self._inner.remove(inner)


class Answer(Protocol):
    """A server's response. The body arrives later, in pieces."""

    status: int
    content_type: str

    def read(self, timeout: float) -> bytes:
        """Returns the next bytes, empty at the end. Raises ``TimeoutError`` after ``timeout`` seconds."""
        ...

    def hang_up(self) -> None:
        """Ends a waiting ``read``. Any thread may call it."""
        ...

    def close(self) -> None: ...


class Platform(Protocol):
    """The client's environment, which tests replace."""

    def now(self) -> float:
        """Returns monotonic seconds with any origin."""
        ...

    def random(self) -> float:
        """Returns a random number from 0 to 1."""
        ...

    def wait(self, stop: Stop, seconds: float) -> None: ...

    def get(self, url: str, headers: dict[str, str], timeout: float) -> Answer:
        """Sends a request. Raises ``OSError`` or ``HTTPException`` if no answer arrives in time."""
        ...


class System:
    """Uses the monotonic clock and ``http.client``, without a proxy, because the elector runs beside the app."""

    def now(self) -> float:
        return time.monotonic()

    def random(self) -> float:
        return random.random()

    def wait(self, stop: Stop, seconds: float) -> None:
        stop.wait(seconds)

    def get(self, url: str, headers: dict[str, str], timeout: float) -> Answer:
        return _HttpAnswer(url, headers, timeout)


class _HttpAnswer:
    def __init__(self, url: str, headers: dict[str, str], timeout: float) -> None:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme.lower() == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=max(timeout, 0.001))
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers={**headers, "Cache-Control": "no-cache", "Connection": "close"})
            self._socket: socket.socket = connection.sock
            self._response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self.status = self._response.status
        self.content_type = self._response.headers.get("Content-Type", "")

    def read(self, timeout: float) -> bytes:
        self._socket.settimeout(max(timeout, 0.001))
        return self._response.read1(65_536)

    def hang_up(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The connection has already ended.

    def close(self) -> None:
        self._response.close()
        self._connection.close()
