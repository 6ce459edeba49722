"""For programs with threads, or with nothing to wait for."""

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
    """That this app leads, until it does not, or until that is not known any more."""

    def __init__(self, name: str, term: int | None) -> None:
        self.name = name
        """This app's name."""
        self.term = term
        """The fencing token; None unless an election is named, for it is told under ``/v1`` only."""
        self._lost = threading.Event()
        self._why = ""

    @property
    def is_leading(self) -> bool:
        """True is a claim that held when it was read; false is only doubt."""
        return not self._lost.is_set()

    @property
    def why_lost(self) -> str:
        """Empty while it is not lost."""
        return self._why

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is lost, for so many seconds at most. Whether it is."""
        return self._lost.wait(timeout)

    def end(self, why: str) -> None:
        """For whoever follows the elector, and tests: the first reason counts."""
        if not self._lost.is_set():
            self._why = why
            self._lost.set()


class Elector:
    """Asks the elector beside this app who leads: ``doyen elector``, or NAIS' elector.

    What it says is a claim that held when it was said; only a term that the written-to resource checks keeps a late
    leader from doing harm. Any thread may use it.
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
        """What is left out is found: ``name``, this app's, is ``HOSTNAME`` or the host's name; ``url``, where the
        elector is asked, ``ELECTOR_GET_URL`` or ``ELECTOR_PATH``; ``sse_url``, where it streams, ``ELECTOR_SSE_URL`` or
        ``sse`` below ``url``. ``http://`` may be left out.

        ``believe``: for how many seconds a word of the elector is believed, 3 to 300; when nothing was heard for so
        long nobody is known to lead, and a leadership is over. ``when_unknown``: what ``is_leader`` does if there is no
        answer; it says no (``"follow"``), raises (``"raise"``) or says yes (``"lead"``: for work that is better done
        twice than not at all). Raises ``ElectorError`` if something is missing or out of bounds.
        """
        self._settings: Settings = settings_of(name, url, sse_url, believe, when_unknown)
        self._platform: Platform = platform or System()

    @property
    def name(self) -> str:
        """This app's name."""
        return self._settings.name

    def is_leader(self, election: str | None = None) -> bool:
        """Whether this app leads just now; asks each time, for 0.4 of ``believe`` at most. If there is no answer that
        can be understood, ``when_unknown`` says what this does: it is false unless told otherwise.
        """
        try:
            return self.leader(election).is_me
        except (ElectorError, OSError, HTTPException, ValueError):
            if self._settings.when_unknown == "raise":
                raise
            return self._settings.when_unknown == "lead"

    def leader(self, election: str | None = None) -> Leader:
        """Who leads just now. Raises if there is no answer that can be understood."""
        url = self._settings.url if election is None else self._under(election)
        return ask(self._platform, self._settings, url, self._settings.believe * 0.4)

    def watch(self, election: str | None = None, *, stop: Stop | None = None) -> Iterator[Leader]:
        """Who leads, and each change of it, until the loop is left or ``stop`` is asked for by another thread.

        With an election named, changes that were missed while the connection was away are told too. Somebody slow hears
        late: work belongs under ``leading``. Raises ``ElectorError`` if the elector says that this will never work.
        """
        return iter(self.watching(election, replay=True, stop=stop if stop is not None else Stop()))

    @contextmanager
    def leading(self, election: str | None = None, *, stop: Stop | None = None) -> Generator[Leadership, None, None]:
        """Waits until this app leads. The body looks at ``is_leading`` between its steps: nothing interrupts it.

        Raises ``InterruptedError`` if ``stop`` is asked for before, and ``ElectorError`` as ``watch`` does. Nothing is
        replayed here: a leadership that is over is none.
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
        """What the others here read; nothing is asked before it is iterated."""
        if election is None:
            watched = Watched(self._settings.sse_url, self._settings.url, replay=False)
        else:
            watched = Watched(f"{self._under(election)}/events", None, replay)
        return Watch(self._platform, self._settings, watched, stop)

    def _under(self, election: str) -> str:
        parts = urlsplit(self._settings.url)
        return f"{parts.scheme}://{parts.netloc}/v1/elections/{quote(election, safe='')}"


def why_over(won: Leader, leader: Leader) -> str:
    """Why what was won is over, now that this is heard; empty if it is not."""
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
