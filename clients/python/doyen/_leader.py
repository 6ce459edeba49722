"""The leader in an elector's answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast


@dataclass(frozen=True)
class Leader:
    """The leader in the elector's last answer."""

    name: str
    """The leader's name; empty if there is no leader or the leader is unknown."""
    known: bool
    """False before the first answer, and if the last answer is outdated."""
    is_me: bool
    """True if this app is the leader; false if the leader is unknown. A replayed event describes the past."""
    term: int | None = None
    """The leader's term, which is a fencing token. Only ``/v1`` sends the term."""


UNKNOWN = Leader("", known=False, is_me=False)


def leader_in(text: str, me: str) -> Leader:
    """Parses ``{"name","last_update"}`` or an election of ``/v1``. Raises ``ValueError`` if the text is neither."""
    try:
        fields = _object(json.loads(text))
    except (ValueError, RecursionError):
        fields = None
    # The NAIS elector sends {} before it has found a leader. On /v1, the field leader is null while the election has no
    # leader.
    if fields == {} or (fields is not None and "leader" in fields and fields["leader"] is None):
        return Leader("", known=True, is_me=False)
    if fields is not None:
        if "leader" in fields:
            leader = _object(fields["leader"]) or {}
            name, term = leader.get("id"), leader.get("term")
            if isinstance(name, str) and isinstance(term, int) and not isinstance(term, bool):
                return Leader(name, known=True, is_me=name == me, term=term)
        elif isinstance(name := fields.get("name"), str):
            return Leader(name, known=True, is_me=name != "" and name == me)
    raise ValueError(f"the response is not an answer of an elector: {text[:100]}")


def _object(value: object) -> dict[str, object] | None:
    return cast("dict[str, object]", value) if isinstance(value, dict) else None
