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

    def in_variable(variable: str) -> str | None:
        value = env.get(variable)
        return _url(value, variable) if value else None

    who = name or env.get("HOSTNAME") or socket.gethostname()
    base = _url(url, "url") if url is not None else in_variable("ELECTOR_GET_URL") or in_variable("ELECTOR_PATH")
    if base is None:
        why = "is empty" if "ELECTOR_GET_URL" in env else "is not set"
        raise ElectorError(
            f"the address of the elector is unknown, because ELECTOR_GET_URL {why}; "
            "run the elector's sidecar in this pod, or set ELECTOR_GET_URL or pass url"
        )
    if sse_url is not None:
        stream = _url(sse_url, "sse_url")
    else:
        stream = (in_variable("ELECTOR_SSE_URL") if url is None else None) or f"{base}/sse"
    if not _LEAST_BELIEF <= believe <= _MOST_BELIEF:
        raise ElectorError(f"believe ({believe} s) must be from {_LEAST_BELIEF} to {_MOST_BELIEF} s")
    if when_unknown not in ("follow", "raise", "lead"):
        raise ElectorError(f"when_unknown ({when_unknown!r}) must be follow, raise or lead")
    return Settings(who, base, stream, believe, when_unknown)


def _url(given: str, what: str) -> str:
    text = given.strip()
    text = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(text)
        well = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        well = False
    if not well or re.search(r"[\s\x00-\x1f]", text):
        raise ElectorError(
            f"{what} ({given[:100]!r}) is not the address of an elector; write it like http://localhost:4040/"
        )
    return text.rstrip("/")
