"""A fake elector and a fake clock, which a test controls."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from doyen import Stop

# Without a handler, Python would print the warnings of the client.
logging.getLogger("doyen").addHandler(logging.NullHandler())


def plain(name: str) -> bytes:
    """Returns an event of ``/sse``."""
    return f'data: {{"name":"{name}","last_update":"2026-11-22T10:00:00Z"}}\n\n'.encode()


def event(number: int, name: str, term: int) -> bytes:
    """Returns an event of ``/v1/elections/app/events``."""
    leader = f'{{"id":"{name}","term":{term}}}' if name else "null"
    body = f'{{"name":"app","leader":{leader},"lastTerm":{term}}}'
    return f"id: x-{number}\nevent: leader\ndata: {body}\n\n".encode()


@dataclass
class Suspension:
    """A step of a script. The process is suspended for this time, and then finds a piece in its buffer."""

    seconds: float
    piece: bytes


@dataclass
class Script:
    """A scripted answer. It sends each piece after a delay in seconds, and then ends or stays silent."""

    steps: Sequence[tuple[float, bytes] | Suspension]
    status: int = 200
    content_type: str = "text/event-stream; charset=utf-8"
    ends: bool = True
    closed: bool = False


@dataclass
class FakePlatform:
    """Answers each request with the next script in ``scripts``. Refuses the connection if no script is left."""

    scripts: list[Script] = field(default_factory=list[Script])
    requests: list[tuple[float, str, dict[str, str]]] = field(default_factory=list[tuple[float, str, dict[str, str]]])
    chance: float = 1.0
    time: float = 0.0

    def now(self) -> float:
        return self.time

    def random(self) -> float:
        return self.chance

    def wait(self, stop: Stop, seconds: float) -> None:
        self.time += max(seconds, 0)

    def get(self, url: str, headers: dict[str, str], timeout: float) -> FakeAnswer:
        self.requests.append((self.time, url, headers))
        if not self.scripts:
            raise ConnectionRefusedError("no script is left")
        return FakeAnswer(self, self.scripts.pop(0))


class FakeAnswer:
    def __init__(self, platform: FakePlatform, script: Script) -> None:
        self._platform = platform
        self._script = script
        self._steps = list(script.steps)
        self.status = script.status
        self.content_type = script.content_type

    def read(self, timeout: float) -> bytes:
        if not self._steps and self._script.ends:
            return b""
        step = self._steps[0] if self._steps else (float("inf"), b"")
        if isinstance(step, Suspension):
            self._platform.time += step.seconds
            self._steps.pop(0)
            return step.piece
        delay, piece = step
        if delay > timeout:
            self._platform.time += max(timeout, 0)
            raise TimeoutError
        self._platform.time += delay
        self._steps.pop(0)
        return piece

    def hang_up(self) -> None:
        self._steps = []

    def close(self) -> None:
        self._script.closed = True


class StandIn:
    """A local server that passes each request to ``answer``. The end of ``with`` closes the server."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with suppress(OSError):
                    answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> StandIn:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
