"""The app's name and its elector's addresses."""

from __future__ import annotations

import os
import re
import socket
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ._errors import ElectorError

WhenUnknown = Literal["follow", "raise", "lead"]

_LEAST_BELIEF = 3.0
_MOST_BELIEF = 300.0


@dataclass(frozen=True)
class Settings:
    """The complete settings of an ``Elector``. Addresses have a scheme and no trailing slash."""

    name: str
    url: str
    sse_url: str
    believe: float
    when_unknown: WhenUnknown


def settings_of(
    name: str | None, url: str | None, sse_url: str | None, believe: float, when_unknown: WhenUnknown
) -> Settings:
    """Adds defaults from the environment. Raises ``ElectorError`` if a value is missing or invalid."""
    env = os.environ
    who = name or env.get("HOSTNAME") or socket.gethostname()
    where = url or env.get("ELECTOR_GET_URL") or env.get("ELECTOR_PATH")
    if not where:
        raise ElectorError("the address of the elector is unknown: set ELECTOR_GET_URL or pass url")
    stream = sse_url or (None if url else env.get("ELECTOR_SSE_URL"))
    if not _LEAST_BELIEF <= believe <= _MOST_BELIEF:
        raise ElectorError(f"believe ({believe} s) must be from {_LEAST_BELIEF} to {_MOST_BELIEF} s")
    if when_unknown not in ("follow", "raise", "lead"):
        raise ElectorError(f"when_unknown ({when_unknown!r}) must be follow, raise or lead")
    base = _url(where, "url")
    return Settings(who, base, _url(stream, "sse_url") if stream else f"{base}/sse", believe, when_unknown)


def _url(given: str, what: str) -> str:
    text = given if re.match("https?://", given, re.IGNORECASE) else f"http://{given}"
    try:
        parts = urlsplit(text)
        well = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        well = False
    if not well or re.search(r"[\s\x00-\x1f]", text):
        raise ElectorError(f"{what} ({given[:100]}) is not an address; write it like http://localhost:4040/")
    return text.rstrip("/")
