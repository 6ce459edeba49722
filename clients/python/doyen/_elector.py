"""The client for threads."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from urllib.parse import quote, urlsplit

from ._ask import ask
from ._errors import ElectorError
from ._leader import Leader
from ._platform import Platform, Stop, System
from ._settings import Settings, WhenUnknown, settings_of
from ._watch import Watch, Watched


class Leadership:
    """A leadership of this app, until it ends or the leader becomes unknown."""

    def __init__(self, name: str, term: int | None) -> None:
        self.name = name
        """This app's name."""
        self.term = term
        """The fencing token. None unless an election is named, because only ``/v1`` sends it."""
        self._lost = threading.Event()
        self._why = ""

    @property
    def is_leading(self) -> bool:
        """True means that the app led at the last answer. False means only that it is not certain."""
        return not self._lost.is_set()

    @property
    def why_lost(self) -> str:
        """Why the leadership was lost; empty before that."""
        return self._why

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the leadership is lost, for ``timeout`` seconds at most. Returns whether it is."""
        return self._lost.wait(timeout)

    def end(self, why: str) -> None:
        """Ends the leadership. For the watch and for tests. The first reason counts."""
        if not self._lost.is_set():
            self._why = why
            self._lost.set()


class Elector:
    """A client of the elector beside this app: ``doyen elector``, or NAIS' elector.

    An answer was true when the elector sent it. Only a resource that checks the term is safe from a late leader. Any
    thread may use it.
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

        ``name`` is this app's name, by default ``HOSTNAME`` or the host's name. ``url`` is the elector's address for
        questions, by default ``ELECTOR_GET_URL`` or ``ELECTOR_PATH``. ``sse_url`` is its address for streams, by
        default ``ELECTOR_SSE_URL`` or ``sse`` below ``url``. ``http://`` may be omitted.

        ``believe`` is how many seconds an answer counts, 3 to 300. After this time without another answer the leader
        is unknown, and a leadership is over. ``when_unknown`` is what ``is_leader`` does without an answer: return
        false (``"follow"``), raise (``"raise"``) or return true (``"lead"``). Use ``"lead"`` only for work that may run
        twice. Raises ``ElectorError`` if a value is missing or out of bounds.
        """
        self._settings: Settings = settings_of(name, url, sse_url, believe, when_unknown)
        self._platform: Platform = platform or System()

    @property
    def name(self) -> str:
        """This app's name."""
        return self._settings.name

    def is_leader(self, election: str | None = None) -> bool:
        """Asks the elector whether this app leads now. Waits for 0.4 of ``believe`` at most.

        Without a valid answer, ``when_unknown`` decides the result. By default it is false.
        """
        try:
            return self.leader(election).is_me
        except (ElectorError, OSError, HTTPException, ValueError):
            if self._settings.when_unknown == "raise":
                raise
            return self._settings.when_unknown == "lead"

    def leader(self, election: str | None = None) -> Leader:
        """Asks the elector who leads now. Raises if there is no valid answer."""
        url = self._settings.url if election is None else self._under(election)
        return ask(self._platform, self._settings, url, self._settings.believe * 0.4)

    def watch(self, election: str | None = None, *, stop: Stop | None = None) -> Iterator[Leader]:
        """Yields the leader and then each change, until the loop ends or another thread calls ``stop.ask()``.

        If an election is named, it also yields the changes that a broken connection has missed. A slow loop receives
        changes late, so put work under ``leading``. Raises ``ElectorError`` if a retry cannot help.
        """
        return iter(self.watching(election, replay=True, stop=stop if stop is not None else Stop()))

    @contextmanager
    def leading(self, election: str | None = None, *, stop: Stop | None = None) -> Generator[Leadership, None, None]:
        """Waits until this app leads, and then runs the body.

        Nothing interrupts the body, so it must check ``is_leading`` between its steps. Raises ``InterruptedError`` if
        another thread calls ``stop.ask()`` first, and ``ElectorError`` as ``watch`` does. It ignores missed events,
        because a leadership in them is over.
        """
        ending = stop if stop is not None else Stop()
        news = iter(self.watching(election, replay=False, stop=ending))
        won = next((leader for leader in news if leader.is_me), None)
        if won is None:
            raise InterruptedError("this app was told to stop before it led")
        leadership = Leadership(self.name, won.term)
        follower = threading.Thread(target=_follow, args=(won, news, leadership), name="doyen-leading", daemon=True)
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
        """Returns the watch behind the other methods. It sends nothing before it is iterated."""
        if election is None:
            watched = Watched(self._settings.sse_url, self._settings.url, replay=False)
        else:
            watched = Watched(f"{self._under(election)}/events", None, replay)
        return Watch(self._platform, self._settings, watched, stop)

    def _under(self, election: str) -> str:
        parts = urlsplit(self._settings.url)
        return f"{parts.scheme}://{parts.netloc}/v1/elections/{quote(election, safe='')}"


def why_over(won: Leader, leader: Leader) -> str:
    """Returns why the leadership ``won`` is over after this answer; empty if it is not."""
    if leader.is_me and leader.term == won.term:
        return ""
    if not leader.known:
        return "the elector was not heard for too long: it is not known who leads"
    if leader.is_me:
        return f"another term has begun: {leader.term}"
    return f"{leader.name} leads" if leader.name else "nobody leads any more"


def _follow(won: Leader, news: Iterator[Leader], leadership: Leadership) -> None:
    try:
        for leader in news:
            if why := why_over(won, leader):
                leadership.end(why)
                return
    except ElectorError as refused:
        leadership.end(str(refused))
    finally:
        leadership.end("the work has ended, or was told to")
