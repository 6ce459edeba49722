"""A parser for Server-Sent Events."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

MAX_LINE = 65_536
"""Limit for a line and for the data of an event, in characters. The elector sends less than 2,000."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_RETRY = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class StreamEvent:
    """One event of a stream. ``id`` is the last id received so far, or empty."""

    type: str
    data: str
    id: str


class EventStreamParser:
    """Parses ``text/event-stream`` by the HTML standard, in pieces of any size.

    The parser has no I/O and no clock. A line or an event above its limit raises ``ValueError``, and the caller must
    then close the stream.
    """

    def __init__(self, last_id: str = "") -> None:
        """``last_id`` is the last id of the previous connection."""
        self.retry_millis: int | None = None
        self.comments = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = False
        self._rest = ""
        self._after_return = False
        self._type = ""
        self._data: list[str] = []
        self._length = 0
        self._id = last_id

    def feed(self, piece: bytes) -> list[StreamEvent]:
        """Returns the events that end in this piece."""
        text = self._decoder.decode(piece)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        # If a piece ends between CR and LF, the LF at the start of the next piece does not end another line.
        if self._after_return and text.startswith("\n"):
            text = text[1:]
            self._after_return = False
        if text:
            self._after_return = text.endswith("\r")
        lines = _LINE_END.split(self._rest + text)
        self._rest = lines.pop()
        events: list[StreamEvent] = []
        for line in lines:
            self._line(line, events)
        _bounded(len(self._rest), "a line")
        return events

    def _line(self, line: str, events: list[StreamEvent]) -> None:
        _bounded(len(line), "a line")
        if not line:
            if self._data:
                events.append(StreamEvent(self._type or "message", "\n".join(self._data), self._id))
            self._type, self._data, self._length = "", [], 0
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name:
            self.comments += 1
        elif name == "data":
            self._length += len(value) + 1
            _bounded(self._length, "an event")
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id":
            if "\0" not in value:
                self._id = value
        elif name == "retry" and _RETRY.fullmatch(value):
            self.retry_millis = int(value)


def _bounded(length: int, what: str) -> None:
    if length > MAX_LINE:
        raise ValueError(f"{what} of the stream has more than {MAX_LINE} characters")
