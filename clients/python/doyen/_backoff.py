"""The delay before the next connection."""

_LEAST = 0.1
_MOST = 10.0
_FIRST = 1.0


class Backoff:
    """Exponential backoff with jitter, in seconds.

    The delay starts with the server's ``retry:`` (or 1 s), and doubles with each consecutive failure up to 10 s. Up to
    half of the delay is random, so that many apps do not reconnect at the same time.
    """

    def __init__(self) -> None:
        self._base = _FIRST
        self._failures = 0

    def worked(self) -> None:
        """Resets the backoff after a valid answer."""
        self._failures = 0

    def retry(self, millis: int) -> None:
        """Sets the first delay to the server's ``retry:``, in milliseconds."""
        self._base = min(max(millis / 1000, _LEAST), _MOST)

    def next(self, random: float) -> float:
        """Returns the next delay. ``random`` is from 0 to 1."""
        whole = min(self._base * 2 ** min(self._failures, 10), _MOST)
        self._failures += 1
        return float(whole * (0.5 + random / 2))
