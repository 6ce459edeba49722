"""Requests the present leader with one GET request."""

from __future__ import annotations

from ._errors import ElectorError
from ._leader import Leader, leader_in
from ._platform import Platform
from ._settings import Settings
from ._stream import MAX_LINE


def request_leader(platform: Platform, settings: Settings, url: str, timeout: float) -> Leader:
    """Returns the present leader. The timeout is in seconds.

    Raises ``OSError`` if no answer arrives in time, and another exception if the answer is invalid. An answer that this
    process reads later is too late, because the process may have been suspended since.
    """
    until = platform.now() + timeout
    answer = platform.get(url, {"Accept": "application/json"}, timeout)
    try:
        if answer.status != 200:
            raise refused(answer.status, url)
        body = b""
        while piece := answer.read(until - platform.now()):
            body += piece
            if len(body) > MAX_LINE:
                raise ValueError(f"the answer at {url} has more than {MAX_LINE} bytes")
        if platform.now() > until:
            raise TimeoutError(f"the elector at {url} did not answer within {timeout:.1f} s")
        return leader_in(body.decode("utf-8", "replace"), settings.name)
    finally:
        answer.close()


def refused(status: int, url: str) -> Exception:
    """Converts a status other than 200 to an exception, which is an ``ElectorError`` if a retry cannot help."""
    sentence = f"the elector at {url} answered with status {status}"
    if 400 <= status < 500 and status not in (408, 425, 429):
        return ElectorError(f"{sentence}; check the address and the name of the election")
    return OSError(sentence)
