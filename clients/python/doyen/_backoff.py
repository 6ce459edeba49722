"""How long to wait before the next connection."""

_LEAST = 0.1
_MOST = 10.0
_FIRST = 1.0


class Backoff:
    """What the server asked for, doubled with each failure in a row, at most 10 s, and then something between half of
    that and all of it, so that many apps do not come back at once. Seconds.
    """

    def __init__(self) -> None:
        self._base = _FIRST
        self._failures = 0

    def worked(self) -> None:
        """A connection worked: it named a leader, or nobody."""
        self._failures = 0

    def asked(self, millis: int) -> None:
        """The server's ``retry:``."""
        self._base = min(max(millis / 1000, _LEAST), _MOST)

    def next(self, random: float) -> float:
        """``random`` is from 0 to 1."""
        whole = min(self._base * 2 ** min(self._failures, 10), _MOST)
        self._failures += 1
        return float(whole * (0.5 + random / 2))
