"""Logs when the elector begins to fail and when it answers again."""

from __future__ import annotations

import logging
import threading

_LOG = logging.getLogger("doyen")


class Outages:
    """Logs each outage of an address once, and its end once. Any thread may call the methods.

    All calls of an ``Elector`` share one object, so a repeated call does not repeat a message. Both messages are
    warnings, because Python prints only warnings by default.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failing: set[str] = set()

    def failed(self, url: str, failure: Exception) -> None:
        with self._lock:
            if url in self._failing:
                return
            self._failing.add(url)
        _LOG.warning("%s", _message(url, failure))

    def answered(self, url: str) -> None:
        with self._lock:
            if url not in self._failing:
                return
            self._failing.remove(url)
        _LOG.warning("the elector at %s answers again", url)


def _message(url: str, failure: Exception) -> str:
    text = str(failure)
    if url in text:
        return text
    reason = f"{type(failure).__name__}: {text}"
    return f"the elector at {url} gave no valid answer: {reason}; check the address and that the elector runs"
