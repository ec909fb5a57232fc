"""Worker pools for a command or a function call: processes or an executor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..base.errors import SettingsError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .workers import WorkerPool


@contextmanager
def worker_pool(jobs: int) -> Iterator[WorkerPool | None]:
    """Start the processes of a command; ``None`` for a single job."""
    if jobs > 1:
        from .workers import process_pool

        with process_pool(jobs) as processes:
            yield processes
    else:
        yield None


@contextmanager
def workers(jobs: int, executor: Executor | WorkerPool | None) -> Iterator[Executor | WorkerPool | None]:
    """Return the executor of a function call, or start its processes; ``None`` for a single job."""
    if type(jobs) is not int or jobs < 1:
        raise SettingsError(f"jobs={jobs!r}; expected a whole number from 1")
    if executor is None:
        with worker_pool(jobs) as pool:
            yield pool
    elif jobs > 1:
        raise SettingsError("jobs and executor; the executor does all the work, leave out jobs")
    else:
        yield executor
