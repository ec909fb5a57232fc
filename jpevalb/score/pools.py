"""Workers that a call asks for: processes, an executor, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..trees.errors import SettingsError
from .workers import Team, process_pool

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def team_of(jobs: int, dask: str | None = None) -> Iterator[Team | None]:
    """The workers that a command line asks for; ``None`` if it asks for none.

    Args:
        jobs: Processes.
        dask: The address of a Dask scheduler.

    Raises:
        SettingsError: both are asked for.
        WorkerError: the scheduler or its workers cannot be used.
    """
    if dask is not None:
        if jobs > 1:
            raise SettingsError(
                "found --jobs and --dask; the scheduler's workers do all the work, leave out --jobs"
            )
        from .dask import dask_team

        with dask_team(dask) as team:
            yield team
    elif jobs > 1:
        with process_pool(jobs) as pool:
            yield Team.of(pool)
    else:
        yield None


@contextmanager
def workers(jobs: int, executor: Executor | Team | None) -> Iterator[Executor | Team | None]:
    """The workers that a function call asks for; ``None`` if it asks for none.

    Args:
        jobs: Processes to start for the call.
        executor: Workers that the caller has.

    Raises:
        SettingsError: ``jobs`` is no whole number from 1 on, or there is an executor beside it.
    """
    if type(jobs) is not int or jobs < 1:
        raise SettingsError(f"found jobs={jobs!r}; expected a whole number from 1 on")
    if executor is None:
        with team_of(jobs) as team:
            yield team
    elif jobs > 1:
        raise SettingsError("found jobs and executor; the executor's workers do all the work, leave out jobs")
    else:
        yield executor
