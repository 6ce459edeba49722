"""The client for threads."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from urllib.parse import quote, urlsplit

from ._errors import ElectorError
from ._leader import Leader
from ._outages import Outages
from ._platform import Platform, Stop, System
from ._request import request_leader
from ._settings import Settings, WhenUnknown, settings_of
from ._watch import Watch, Watched


class Leadership:
    """A leadership of this app. It ends when the app stops leading or when the leader becomes unknown."""

    def __init__(self, name: str, term: int | None) -> None:
        self.name = name
        """This app's name."""
        self.term = term
        """The fencing token. None if no election is named, because only ``/v1`` sends the token."""
        self._lost = threading.Event()
        self._why = ""

    @property
    def is_leading(self) -> bool:
        """True if the app leads according to the last answer. False if it does not lead or the leader is unknown."""
        return not self._lost.is_set()

    @property
    def why_lost(self) -> str:
        """The reason why the leadership was lost; empty before the loss."""
        return self._why

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the leadership is lost, but at most ``timeout`` seconds. Returns true after the loss."""
        return self._lost.wait(timeout)

    def end(self, why: str) -> None:
        """Ends the leadership. Only this package and tests call this method. Later calls do not change the reason."""
        if not self._lost.is_set():
            self._why = why
            self._lost.set()


class Elector:
    """A client of the elector beside the app. The elector is ``doyen elector`` or the NAIS elector.

    An answer contains the state at the time of sending, and can be outdated when it arrives. Therefore a process can
    still write after it has lost the leadership. To reject late writes, let the resource check the term. Any thread may
    call the methods.
    """

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
        """All arguments are optional.

        ``name`` is this app's name; the default is ``HOSTNAME``, or else the host's name. ``url`` is the elector's
        address for requests; the default is ``ELECTOR_GET_URL``, or else ``ELECTOR_PATH``. ``sse_url`` is the elector's
        address for streams; the default is ``sse`` below ``url``. Without the argument ``url``, ``ELECTOR_SSE_URL``
        replaces this default. ``http://`` may be omitted.

        ``believe`` is the time for which an answer is valid, from 3 to 300 seconds. After this time without another
        answer, the leader is unknown and a leadership ends. ``when_unknown`` defines what ``is_leader`` does without a
        valid answer: it returns false (``"follow"``), raises (``"raise"``) or returns true (``"lead"``). Use ``"lead"``
        only for work that may run twice. Raises ``ElectorError`` if a value is missing, malformed or out of bounds.

        The logger ``doyen`` gets a warning when the elector begins to fail, and another one when it answers again. A
        failure that a method raises is not logged.
        """
        self._settings: Settings = settings_of(name, url, sse_url, believe, when_unknown)
        self._platform: Platform = platform or System()
        self._outages = Outages()

    @property
    def name(self) -> str:
        """This app's name."""
        return self._settings.name

    def is_leader(self, election: str | None = None) -> bool:
        """Asks the elector whether this app leads now. Waits for at most 0.4 of ``believe``.

        Without a valid answer, ``when_unknown`` decides the result. By default the result is false.
        """
        url = self._request_url(election)
        try:
            is_me = self.leader(election).is_me
            self._outages.answered(url)
            return is_me
        except (ElectorError, OSError, HTTPException, ValueError) as failure:
            if self._settings.when_unknown == "raise":
                raise
            self._outages.failed(url, failure)
            return self._settings.when_unknown == "lead"

    def leader(self, election: str | None = None) -> Leader:
        """Requests the present leader. Raises an exception if no valid answer arrives."""
        return request_leader(self._platform, self._settings, self._request_url(election), self._settings.believe * 0.4)

    def watch(self, election: str | None = None, *, stop: Stop | None = None) -> Iterator[Leader]:
        """Yields the leader and then each change, until the loop ends or another thread calls ``stop.ask()``.

        If an election is named, the method also yields the changes that it missed while it was disconnected. A slow
        loop receives changes late, so run long work under ``leading``. Raises ``ElectorError`` if a retry cannot help.
        """
        return iter(self.watching(election, replay=True, stop=stop if stop is not None else Stop()))

    @contextmanager
    def leading(
        self, election: str | None = None, *, stop: Stop | None = None, timeout: float | None = None
    ) -> Generator[Leadership, None, None]:
        """Waits until this app leads, and then runs the block.

        Nothing interrupts the block, so the block must check ``is_leading`` between its steps. Raises
        ``InterruptedError`` if another thread calls ``stop.ask()`` before this app leads. Raises ``TimeoutError`` if
        this app does not lead within ``timeout`` seconds. The default is no time limit. Before this app leads, raises
        ``ElectorError`` in the same cases as ``watch``. Later, a failed watch ends the leadership. Events that the
        client missed are ignored, because they describe past leaderships.
        """
        check_timeout(timeout)
        # The time limit and the end of the block ask only the inner stop, so the caller can reuse its own.
        with (stop if stop is not None else Stop()).inner() as ending:
            yield from self._leading(election, ending, timeout)

    def _leading(
        self, election: str | None, ending: Stop, timeout: float | None
    ) -> Generator[Leadership, None, None]:
        changes = iter(self.watching(election, replay=False, stop=ending))
        late = threading.Event()
        timer = None if timeout is None else threading.Timer(timeout, lambda: (late.set(), ending.ask()))
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            won = next((leader for leader in changes if leader.is_me), None)
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()
        if late.is_set():
            raise TimeoutError(too_late(timeout))
        if won is None:
            raise InterruptedError("this app was stopped before it led")
        leadership = Leadership(self.name, won.term)
        follower = threading.Thread(target=_follow, args=(won, changes, leadership), name="doyen-leading", daemon=True)
        try:
            follower.start()
        except BaseException:
            ending.ask()
            raise
        try:
            yield leadership
        finally:
            ending.ask()
            follower.join()

    def watching(self, election: str | None, *, replay: bool, stop: Stop) -> Watch:
        """Returns the watch that the other methods use. The watch sends nothing until it is iterated."""
        if election is None:
            watched = Watched(self._settings.sse_url, self._settings.url, replay=False)
        else:
            watched = Watched(f"{self._under(election)}/events", None, replay)
        return Watch(self._platform, self._settings, watched, self._outages, stop)

    def _request_url(self, election: str | None) -> str:
        return self._settings.url if election is None else self._under(election)

    def _under(self, election: str) -> str:
        parts = urlsplit(self._settings.url)
        return f"{parts.scheme}://{parts.netloc}/v1/elections/{quote(election, safe='')}"


def check_timeout(timeout: float | None) -> None:
    """Raises ``ElectorError`` if a timer cannot wait for this time, in seconds."""
    if timeout is not None and not 0 < timeout <= threading.TIMEOUT_MAX:
        raise ElectorError(f"timeout ({timeout} s) must be more than 0 s and at most {threading.TIMEOUT_MAX} s")


def too_late(timeout: float | None) -> str:
    """Returns the message of the ``TimeoutError`` of ``leading``."""
    return f"this app did not lead within {timeout} s"


def why_over(won: Leader, leader: Leader) -> str:
    """Returns the reason why the leadership ``won`` has ended, or an empty string if it still lasts."""
    if leader.is_me and leader.term == won.term:
        return ""
    if not leader.known:
        return "the elector did not answer for too long, so the leader is unknown"
    if leader.is_me:
        return f"another term has begun: {leader.term}"
    return f"{leader.name} leads" if leader.name else "nobody leads any more"


def why_failed(failure: BaseException) -> str:
    """Returns the reason for a leadership that a failed watch has ended. Without the watch the leader is unknown."""
    return str(failure) if isinstance(failure, ElectorError) else f"the watch failed: {failure!r}"


def _follow(won: Leader, changes: Iterator[Leader], leadership: Leadership) -> None:
    try:
        for leader in changes:
            if why := why_over(won, leader):
                leadership.end(why)
                return
    except Exception as failure:
        leadership.end(why_failed(failure))
    finally:
        leadership.end("the app stopped watching the elector")
