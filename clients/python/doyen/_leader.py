"""Who leads, as the elector says it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast


@dataclass(frozen=True)
class Leader:
    """Who leads, as the elector said it last."""

    name: str
    """The leader's name; empty if nobody leads, and if it is not known who does."""
    known: bool
    """False if the elector has not been heard for longer than it is believed, or not yet."""
    is_me: bool
    """Whether that is this app. Never true if it is not known. Of an event that is replayed it tells the past."""
    term: int | None = None
    """The leader's term, a fencing token; told under ``/v1`` only."""


UNKNOWN = Leader("", known=False, is_me=False)


def leader_in(text: str, me: str) -> Leader:
    """Reads ``{"name","last_update"}`` and an election of ``/v1``. Raises ``ValueError`` if it is neither."""
    try:
        said = _object(json.loads(text))
    except (ValueError, RecursionError):
        said = None
    # NAIS' elector says no more before it knows anything; an election has no leader when nobody leads.
    if said == {} or (said is not None and "leader" in said and said["leader"] is None):
        return Leader("", known=True, is_me=False)
    if said is not None:
        if "leader" in said:
            leader = _object(said["leader"]) or {}
            name, term = leader.get("id"), leader.get("term")
            if isinstance(name, str) and isinstance(term, int) and not isinstance(term, bool):
                return Leader(name, known=True, is_me=name == me, term=term)
        elif isinstance(name := said.get("name"), str):
            return Leader(name, known=True, is_me=name != "" and name == me)
    raise ValueError(f"this is no answer of an elector: {text[:100]}")


def _object(value: object) -> dict[str, object] | None:
    return cast("dict[str, object]", value) if isinstance(value, dict) else None
