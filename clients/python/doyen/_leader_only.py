"""Functions that run only on the leader."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from ._elector import Elector

P = ParamSpec("P")
R = TypeVar("R")


class LeaderOnly(Protocol):
    """The decorator that ``leader_only`` with settings returns."""

    @overload
    def __call__(self, function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R | None]]: ...
    @overload
    def __call__(self, function: Callable[P, R]) -> Callable[P, R | None]: ...


@overload
def leader_only(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R | None]]: ...
@overload
def leader_only(function: Callable[P, R]) -> Callable[P, R | None]: ...
@overload
def leader_only(*, elector: Elector | None = None, election: str | None = None) -> LeaderOnly: ...
def leader_only(
    function: Callable[..., Any] | None = None, *, elector: Elector | None = None, election: str | None = None
) -> Any:
    """Runs a function or coroutine function only if this app leads at the time of the call.

    If this app does not lead, the call does nothing and returns None. A loss of the leadership does not end a running
    function, so use ``leading`` for long work. Without ``elector``, the first call creates a client from the
    environment.
    """
    if function is None:
        return functools.partial(leader_only, elector=elector, election=election)
    known = elector

    def leads() -> bool:
        nonlocal known
        if known is None:
            known = Elector()
        return known.is_leader(election)

    work = function
    if inspect.iscoroutinefunction(work):

        @functools.wraps(work)
        async def soon(*args: Any, **kwargs: Any) -> Any:
            return await work(*args, **kwargs) if await asyncio.to_thread(leads) else None

        return soon

    @functools.wraps(work)
    def now(*args: Any, **kwargs: Any) -> Any:
        return work(*args, **kwargs) if leads() else None

    return now
