"""The leader in an elector's answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast


@dataclass(frozen=True)
class Leader:
    """The leader in the elector's last answer."""

    name: str
    """The leader's name; empty if there is no leader or it is unknown."""
    known: bool
    """False if there is no answer yet, or the last one is outdated."""
    is_me: bool
    """Whether the leader is this app. False if the leader is unknown. In a replayed event it shows the past."""
    term: int | None = None
    """The leader's term, a fencing token. Only ``/v1`` sends it."""


UNKNOWN = Leader("", known=False, is_me=False)


def leader_in(text: str, me: str) -> Leader:
    """Parses ``{"name","last_update"}`` or an election of ``/v1``. Raises ``ValueError`` if it is neither."""
    try:
        said = _object(json.loads(text))
    except (ValueError, RecursionError):
        said = None
    # NAIS' elector sends {} before it knows a leader. An election without a leader has a null one.
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
