"""A client of an elector beside an app. The elector is ``doyen elector`` or the NAIS elector.

Use ``Elector`` with threads and ``AsyncElector`` with asyncio. Decorate a function with ``@leader_only`` to run it only
on the leader. This package never ends the process.
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
