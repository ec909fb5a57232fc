"""Machines: the workers of a Dask scheduler as a team."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from ..trees.errors import SettingsError, WorkerError
from ..trees.version import __version__
from .workers import IN_FLIGHT, Team

T = TypeVar("T")

TIMEOUT = 10
"""Seconds to wait for the scheduler, and for its first worker."""

_ADDRESS = re.compile(r"(?:[a-z]+://)?(?:[^\s:/\[\]]+|\[[0-9a-fA-F:.%]+\]):[0-9]{1,5}")

_LOOK = 5.0
"""Seconds without an answer after which it is looked whether there are workers at all."""


class DaskTeam(Team):
    """The workers of a scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        threads = sum(client.nthreads().values())
        # A worker that is killed takes nothing along: the scheduler gives its tasks to another.
        executor: Executor = client.get_executor(pure=False, retries=2)
        super().__init__(executor, max(IN_FLIGHT, 3 * threads))

    def submit(self, function: Any, *arguments: Any) -> Future[Any]:
        try:
            return super().submit(function, *arguments)
        except Exception as error:
            raise self.explained(error) from None

    def result(self, future: Future[T]) -> T:
        while True:
            try:
                return future.result(timeout=_LOOK)
            except TimeoutError as error:
                if future.done():
                    raise self.explained(error) from None
                self._check_workers()
            except Exception as error:
                raise self.explained(error) from None

    def explained(self, error: BaseException) -> WorkerError:
        if self._client.status != "running":
            # Whatever the error is called: a task may be cancelled, or lost.
            return self._gone()
        reason = _reason(error)
        if len(reason) > 300:
            reason = reason[:300] + "..."
        return WorkerError(
            f"the Dask workers at {self._address} cannot go on: {type(error).__name__}: {reason}"
        )

    def _check_workers(self) -> None:
        """Makes sure that somebody may still answer.

        Raises:
            WorkerError: no worker is left, or the scheduler has gone.
        """
        try:
            workers = self._client.scheduler_info()["workers"] if self._client.status == "running" else None
        except Exception:
            workers = None
        if workers is None:
            raise self._gone()
        if not workers:
            raise WorkerError(f"all workers of the Dask scheduler at {self._address} have gone; start some")

    def _gone(self) -> WorkerError:
        return WorkerError(f"the Dask scheduler at {self._address} has gone; start it again")

    def check_versions(self) -> None:
        """Makes sure that every worker has this jpevalb.

        Raises:
            WorkerError: one has none, or another version.
        """
        try:
            found = self._client.run(worker_version, on_error="return")
        except Exception as error:
            raise self._unfit(f"a worker of the Dask scheduler at {self._address}", error) from None
        if not found:
            raise WorkerError(f"the Dask scheduler at {self._address} has no workers; start some")
        for worker in sorted(found):
            version = found[worker]
            if isinstance(version, BaseException):
                raise self._unfit(f"the Dask worker {worker}", version)
            if version != __version__:
                raise WorkerError(
                    f"the Dask worker {worker} has jpevalb {version}, and this is {__version__}; "
                    f"install jpevalb {__version__} where it runs"
                )

    def _unfit(self, who: str, error: BaseException) -> WorkerError:
        """What to say of a worker that cannot tell its version; its error may come as the text of another."""
        missing = re.search(r"No module named \\?'([\w.]+)\\?'", str(error))
        if missing is None:
            return self.explained(error)
        return WorkerError(f"{who} cannot import {missing[1]}; install jpevalb {__version__} where it runs")


@contextmanager
def dask_team(address: str) -> Iterator[DaskTeam]:
    """Connects to a scheduler.

    Raises:
        SettingsError: ``distributed`` is not installed.
        WorkerError: there is no scheduler, it has no workers, or they lack this jpevalb.
    """
    try:
        import distributed
    except ImportError:
        raise SettingsError("--dask needs the package distributed: pip install 'jpevalb[dask]'") from None
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(f"found --dask {address!r}; expected an address such as tcp://host:8786")
    # What it logs of a connection that is lost, in many lines, is said here in one.  Its
    # loggers have levels of their own, some of them set only now, by the import.
    for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            # Of versions that differ; what matters of them is checked below.
            warnings.simplefilter("ignore")
            connect: Any = distributed.Client
            client: Any = connect(address, timeout=TIMEOUT, set_as_default=False)
    except Exception as error:
        raise WorkerError(
            f"cannot reach a Dask scheduler at {address!r}: {_reason(error)[:300]}; expected an address "
            "such as tcp://host:8786 of one that is running"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except Exception:
            raise WorkerError(f"the Dask scheduler at {address} has no workers; start some") from None
        team = DaskTeam(client, address)
        team.check_versions()
        yield team
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def worker_version() -> str:
    """The version of the jpevalb that a worker has."""
    return __version__
