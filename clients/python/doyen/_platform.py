"""The time, chance and network that an elector's client runs on."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from typing import Protocol
from urllib.parse import urlsplit


class Stop:
    """Ends a watch from another thread, also one that waits for its elector just now."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._answer: Answer | None = None

    @property
    def is_asked(self) -> bool:
        return self._asked.is_set()

    def wait(self, seconds: float) -> None:
        """Waits so long, or until it is asked for."""
        self._asked.wait(max(seconds, 0))

    def reads(self, answer: Answer | None) -> None:
        """Says which answer is read from now on."""
        with self._lock:
            self._answer = answer
            if answer is not None and self.is_asked:
                answer.hang_up()

    def ask(self) -> None:
        """May be called by any thread, and more than once."""
        with self._lock:
            self._asked.set()
            if self._answer is not None:
                self._answer.hang_up()


class Answer(Protocol):
    """What a server answers, as far as it has."""

    status: int
    content_type: str

    def read(self, timeout: float) -> bytes:
        """What comes next, empty at the end. Raises ``TimeoutError`` if nothing comes for so many seconds."""
        ...

    def hang_up(self) -> None:
        """Ends a ``read`` that waits; any thread may."""
        ...

    def close(self) -> None: ...


class Platform(Protocol):
    """Tests bring their own."""

    def now(self) -> float:
        """Seconds that never go back; any origin."""
        ...

    def random(self) -> float:
        """From 0 to 1."""
        ...

    def wait(self, stop: Stop, seconds: float) -> None: ...

    def get(self, url: str, headers: dict[str, str], timeout: float) -> Answer:
        """Raises ``OSError`` or ``HTTPException`` if there is no answer, or none in time."""
        ...


class System:
    """The real one: the monotonic clock, and ``http.client``, which knows no proxies: an elector is beside its app."""

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
            pass  # It has ended by itself.

    def close(self) -> None:
        self._response.close()
        self._connection.close()
