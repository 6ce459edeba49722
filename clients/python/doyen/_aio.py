"""The client for asyncio. One thread per watch reads from the elector, so the event loop never blocks."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import AsyncGenerator
from types import TracebackType

from ._elector import Elector, Leadership, check_timeout, too_late, why_failed, why_over
from ._errors import ElectorError, LeadershipLost
from ._leader import Leader
from ._platform import Platform, Stop
from ._settings import WhenUnknown
from ._watch import Watch

_MAX_CHANGES = 256


class AsyncElector:
    """``Elector`` for asyncio, with the same settings."""

    def __init__(
        self,
        *,
        name: str | None = None,
        url: str | None = None,
        sse_url: str | None = None,
        believe: float = 5.0,
        when_unknown: WhenUnknown = "follow",
        platform: Platform | None = None,
    ) -> None:
        self._elector = Elector(
            name=name, url=url, sse_url=sse_url, believe=believe, when_unknown=when_unknown, platform=platform
        )

    @property
    def name(self) -> str:
        """This app's name."""
        return self._elector.name

    async def is_leader(self, election: str | None = None) -> bool:
        """See ``Elector.is_leader``."""
        return await asyncio.to_thread(self._elector.is_leader, election)

    async def leader(self, election: str | None = None) -> Leader:
        """See ``Elector.leader``."""
        return await asyncio.to_thread(self._elector.leader, election)

    async def watch(self, election: str | None = None) -> AsyncGenerator[Leader, None]:
        """See ``Elector.watch``. If more than 256 changes wait for the caller, the oldest changes are dropped."""
        stop = Stop()
        try:
            async for leader in _Changes(self._elector.watching(election, replay=True, stop=stop)):
                yield leader
        finally:
            stop.ask()

    def leading(self, election: str | None = None, *, timeout: float | None = None) -> Leading:
        """Runs a block while this app leads: ``async with elector.leading() as leadership:``.

        The block starts when this app leads. If the app stops leading or the leader becomes unknown, the block is
        cancelled. If this cancellation ends the block, ``async with`` raises ``LeadershipLost``. Before the block
        starts, it raises ``ElectorError`` in the same cases as ``watch``, and ``TimeoutError`` if this app does not
        lead within ``timeout`` seconds. The default is no time limit. Later, a failed watch ends the leadership.
        Events that the client missed are ignored, because they describe past leaderships.
        """
        check_timeout(timeout)
        stop = Stop()
        watch = self._elector.watching(election, replay=False, stop=stop)
        return Leading(self._elector.name, watch, stop, timeout)


class Leading:
    """Waits for the leadership and runs one block under it. Use each object only once, in one task."""

    def __init__(self, name: str, watch: Watch, stop: Stop, timeout: float | None) -> None:
        self._name = name
        self._watch = watch
        self._stop = stop
        self._timeout = timeout
        self._follower: asyncio.Task[None] | None = None
        self._leadership: Leadership | None = None
        self._cancelled = False
        self._cancelling = 0

    async def __aenter__(self) -> Leadership:
        if self._leadership is not None:
            raise RuntimeError("this block was entered before; call leading() for each")
        body = asyncio.current_task()
        assert body is not None
        changes = _Changes(self._watch)
        try:
            leader = await asyncio.wait_for(_won(changes), self._timeout)
        except asyncio.TimeoutError:
            self._stop.ask()
            raise TimeoutError(too_late(self._timeout)) from None
        except BaseException:
            self._stop.ask()
            raise
        self._leadership = Leadership(self._name, leader.term)
        if sys.version_info >= (3, 11):
            self._cancelling = body.cancelling()
        self._follower = asyncio.create_task(self._follow(leader, changes, self._leadership, body))
        return self._leadership

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Await nothing here. The block has ended, and a cancellation that arrives now must not count as a lost
        # leadership.
        assert self._follower is not None and self._leadership is not None
        why = self._leadership.why_lost
        self._leadership.end("the work has ended")
        self._stop.ask()
        self._follower.cancel()
        if not self._cancelled:
            return
        body = asyncio.current_task()
        by_others = False
        if sys.version_info >= (3, 11):
            # Python 3.10 does not report who has cancelled the task.
            by_others = body is not None and body.uncancel() > self._cancelling
        if kind is not None and issubclass(kind, asyncio.CancelledError) and not by_others:
            raise LeadershipLost(why) from error

    async def _follow(self, won: Leader, changes: _Changes, leadership: Leadership, body: asyncio.Task[object]) -> None:
        why = "the watch has ended"
        try:
            async for leader in changes:
                if why := why_over(won, leader):
                    break
        except asyncio.CancelledError:
            raise  # The block has ended.
        except BaseException as failure:
            why = why_failed(failure)
        self._stop.ask()
        leadership.end(why)
        self._cancelled = True
        body.cancel()


async def _won(changes: _Changes) -> Leader:
    async for leader in changes:
        if leader.is_me:
            return leader
    raise ElectorError("the watch has ended")


class _Changes:
    """Passes changes from the watch's thread to the event loop. Only one reader may use it."""

    def __init__(self, watch: Watch) -> None:
        self._loop = asyncio.get_running_loop()
        self._received: deque[Leader] = deque(maxlen=_MAX_CHANGES)
        self._something = asyncio.Event()
        self._over = False
        self._failure: BaseException | None = None
        threading.Thread(target=self._read, args=(watch,), name="doyen-watch", daemon=True).start()

    def __aiter__(self) -> _Changes:
        return self

    async def __anext__(self) -> Leader:
        while not self._received:
            if self._failure is not None:
                raise self._failure
            if self._over:
                raise StopAsyncIteration
            self._something.clear()
            await self._something.wait()
        return self._received.popleft()

    def _read(self, watch: Watch) -> None:
        failure: BaseException | None = None
        try:
            for leader in watch:
                self._loop.call_soon_threadsafe(self._add, leader)
        except BaseException as refused:
            if self._loop.is_closed():
                return  # No reader is left.
            failure = refused
        try:
            self._loop.call_soon_threadsafe(self._end, failure)
        except RuntimeError:
            pass

    def _add(self, leader: Leader) -> None:
        self._received.append(leader)
        self._something.set()

    def _end(self, failure: BaseException | None) -> None:
        self._failure = failure
        self._over = True
        self._something.set()
