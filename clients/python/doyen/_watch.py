"""Watches the leader and reconnects after faults."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from http.client import HTTPException

from ._backoff import Backoff
from ._errors import ElectorError
from ._leader import UNKNOWN, Leader, leader_in
from ._outages import Outages
from ._platform import Platform, Stop
from ._request import refused, request_leader
from ._settings import Settings
from ._stream import EventStreamParser


_LOG = logging.getLogger("doyen")
_MOST_REPORTED = 100


@dataclass(frozen=True)
class Watched:
    """The addresses to watch.

    If a stream without heartbeats is silent, the watch sends a request to ``request_url``. This address is None if the
    stream certainly sends heartbeats. With ``replay``, a new connection requests missed events, which can be outdated.
    """

    stream_url: str
    request_url: str | None
    replay: bool


class Watch:
    """Yields the present leader, and then each change, until ``stop.ask()`` is called.

    ``outages`` receives each failure after which the watch opens another connection.

    If a connection is silent for 0.6 of ``believe``, the watch closes it. If the connection has no heartbeats, the
    watch first sends a request, and reconnects at once after a valid answer. Therefore the watch detects a crashed
    elector before the last answer is outdated. The iterating thread does all the work.

    If bytes arrive after the last answer is outdated, the watch ignores them and opens another connection. They may
    have been in a buffer while this process was suspended.
    """

    def __init__(self, platform: Platform, settings: Settings, watched: Watched, outages: Outages, stop: Stop) -> None:
        self._platform = platform
        self._settings = settings
        self._watched = watched
        self._url = f"{watched.stream_url}?heartbeat={max(1, int(settings.believe / 2.5))}s"
        self._outages = outages
        self._stop = stop
        self._backoff = Backoff()
        self._last: Leader | None = None
        self._last_id = ""
        self._believed_until = platform.now()
        self._reported: set[str] = set()

    def __iter__(self) -> Iterator[Leader]:
        """Raises ``ElectorError`` if a retry cannot help."""
        while not self._stop.is_asked:
            again_at_once = False
            try:
                again_at_once = yield from self._connection()
            except ElectorError:
                raise
            except (OSError, HTTPException, ValueError) as failure:
                if not self._stop.is_asked:
                    self._outages.failed(self._url, failure)
            except Exception as failure:  # For example, no memory is left.
                self._report(failure)
            if self._stop.is_asked or again_at_once:
                continue
            comes = self._platform.now() + self._backoff.next(self._platform.random())
            self._platform.wait(self._stop, self._patience(comes - self._platform.now()))
            if not self._stop.is_asked and self._is_doubtful():
                yield from self._changed(UNKNOWN)
            self._platform.wait(self._stop, comes - self._platform.now())

    def _report(self, failure: Exception) -> None:
        kind = repr(failure)
        if kind not in self._reported and len(self._reported) < _MOST_REPORTED:
            self._reported.add(kind)
            _LOG.error("a connection to the elector failed; another follows", exc_info=failure)

    def _connection(self) -> Generator[Leader, None, bool]:
        """Uses one connection until it fails, which raises an exception, or until another connection must replace it.

        Returns true if the next connection may begin at once.
        """
        believe = self._settings.believe
        if not self._is_known():
            # An unknown leader has no time limit, so the limit for the bytes starts with the connection.
            self._received(self._platform.now())
        headers = {"Accept": "text/event-stream"}
        if self._watched.replay and self._last_id:
            headers["Last-Event-ID"] = self._last_id
        url = self._url
        answer = self._platform.get(url, headers, self._patience(believe * 0.2))
        self._stop.reads(answer)
        try:
            if answer.status != 200:
                raise refused(answer.status, url)
            if not answer.content_type.startswith("text/event-stream"):
                raise ElectorError(f"the response of {url} is not an event stream; check the address")
            parser = EventStreamParser(self._last_id)
            while not self._stop.is_asked:
                try:
                    piece = answer.read(self._patience(believe * 0.6))
                except TimeoutError:
                    if self._watched.request_url is None or parser.comments > 0:
                        raise OSError(f"the elector at {url} sent nothing for too long") from None
                    return (yield from self._request(self._watched.request_url))
                if self._is_outdated():
                    return False
                if not piece:
                    raise OSError(f"the elector at {url} ended the stream")
                self._received(self._platform.now())
                events = parser.feed(piece)
                if parser.retry_millis is not None:
                    self._backoff.retry(parser.retry_millis)
                for event in events:
                    self._last_id = event.id
                    if event.type in ("message", "leader"):
                        leader = leader_in(event.data, self._settings.name)
                        self._backoff.worked()
                        self._outages.answered(url)
                        yield from self._changed(leader)
            return False
        finally:
            self._stop.reads(None)
            answer.close()

    def _request(self, url: str) -> Generator[Leader, None, bool]:
        if self._stop.is_asked or self._is_outdated():
            return False
        sent_at = self._platform.now()
        leader = request_leader(self._platform, self._settings, url, self._patience(self._settings.believe * 0.2))
        self._received(sent_at)
        yield from self._changed(leader)
        return True

    def _received(self, at: float) -> None:
        self._believed_until = at + self._settings.believe

    def _changed(self, leader: Leader) -> Iterator[Leader]:
        if leader != self._last:
            self._last = leader
            yield leader

    def _patience(self, seconds: float) -> float:
        """Limits a wait, so that it ends before the last answer is outdated."""
        return min(seconds, self._believed_until - self._platform.now()) if self._is_known() else seconds

    def _is_known(self) -> bool:
        return self._last is not None and self._last.known

    def _is_outdated(self) -> bool:
        return self._platform.now() >= self._believed_until

    def _is_doubtful(self) -> bool:
        return not self._is_known() or self._is_outdated()
