"""A client of the elector beside an app: ``doyen elector``, or NAIS' elector.

``Elector`` is for threads and ``AsyncElector`` for asyncio. ``@leader_only`` is for a function that only the leader
runs. This package never ends the process.
"""

from ._aio import AsyncElector, Leading
from ._elector import Elector, Leadership
from ._errors import ElectorError, LeadershipLost
from ._leader import Leader
from ._leader_only import leader_only
from ._platform import Stop

__all__ = [
    "AsyncElector",
    "Elector",
    "ElectorError",
    "Leader",
    "Leadership",
    "LeadershipLost",
    "Leading",
    "Stop",
    "leader_only",
]
