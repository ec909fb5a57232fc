"""The workers of a Dask scheduler as a worker pool."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as WaitedLong  # not the built-in one in Python 3.10
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from ..base.errors import SettingsError, WorkerError
from ..base.version import __version__
from .workers import IN_FLIGHT, WorkerPool

T = TypeVar("T")

# Seconds to wait for the scheduler, and for its first worker
TIMEOUT = 10

_ADDRESS = re.compile(r"(?:[a-z]+://)?(?:[^\s:/\[\]]+|\[[0-9a-fA-F:.%]+\]):[0-9]{1,5}")

# Seconds without a result after which the pool checks that there are workers
CHECK_AFTER = 5.0


class DaskPool(WorkerPool):
    """The workers of a Dask scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        threads = sum(client.nthreads().values())
        # With retries, the tasks of a worker that is killed run on another one.
        executor: Executor = client.get_executor(pure=False, retries=2)
        super().__init__(executor, max(IN_FLIGHT, 3 * threads))

    def submit(self, function: Any, *arguments: Any) -> Future[Any]:
        try:
            return super().submit(function, *arguments)
        except Exception as error:
            raise self.to_worker_error(error) from None

    def result(self, future: Future[T]) -> T:
        while True:
            try:
                return future.result(timeout=CHECK_AFTER)
            except (TimeoutError, WaitedLong) as error:
                if future.done():
                    raise self.to_worker_error(error) from None
                self._check_workers()
            except Exception as error:
                raise self.to_worker_error(error) from None

    def to_worker_error(self, error: BaseException) -> WorkerError:
        if self._client.status != "running":
            # Without a scheduler, tasks fail with various errors.
            return self._scheduler_lost()
        reason = _reason(error)
        if len(reason) > 300:
            reason = reason[:300] + "..."
        return WorkerError(f"the Dask workers at {self._address} failed: {type(error).__name__}: {reason}")

    def _check_workers(self) -> None:
        """Raise a WorkerError if the scheduler, or all its workers, stopped."""
        try:
            workers = self._client.scheduler_info()["workers"] if self._client.status == "running" else None
        except Exception:
            workers = None
        if workers is None:
            raise self._scheduler_lost()
        if not workers:
            raise WorkerError(f"all workers of the Dask scheduler at {self._address} stopped; start some")

    def _scheduler_lost(self) -> WorkerError:
        return WorkerError(f"the Dask scheduler at {self._address} stopped; start it again")

    def check_versions(self) -> None:
        """Raise a WorkerError if a worker lacks this version of jpevalb."""
        try:
            versions = self._client.run(worker_version, on_error="return")
        except Exception as error:
            raise self._import_error(f"a worker of the Dask scheduler at {self._address}", error) from None
        if not versions:
            raise WorkerError(f"the Dask scheduler at {self._address} has no workers; start some")
        for worker, version in sorted(versions.items()):
            if isinstance(version, BaseException):
                raise self._import_error(f"the Dask worker {worker}", version)
            if version != __version__:
                raise WorkerError(
                    f"the Dask worker {worker} has jpevalb {version}; expected {__version__}, "
                    f"install jpevalb {__version__} on its machine"
                )

    def _import_error(self, who: str, error: BaseException) -> WorkerError:
        """Name the missing package; the import error may be quoted in the text of another error."""
        missing = re.search(r"No module named \\?'([\w.]+)\\?'", str(error))
        if missing is None:
            return self.to_worker_error(error)
        return WorkerError(f"{who} cannot import {missing[1]}; install jpevalb {__version__} on its machine")


@contextmanager
def dask_pool(address: str) -> Iterator[DaskPool]:
    """Connect to a scheduler whose workers have this version of jpevalb."""
    try:
        import distributed
    except ImportError:
        raise SettingsError("--dask needs the package distributed: pip install 'jpevalb[dask]'") from None
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(f"--dask {address}: expected an address such as tcp://host:8786")
    # A lost connection is reported in one line, so the many lines that Dask logs are suppressed.
    # The import sets the level of some loggers, so each of them is set again.
    for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            # Dask warns of differing versions; those that matter are checked below.
            warnings.simplefilter("ignore")
            connect: Any = distributed.Client
            client: Any = connect(address, timeout=TIMEOUT, set_as_default=False)
    except Exception as error:
        raise WorkerError(
            f"cannot reach a Dask scheduler at {address!r}: {_reason(error)[:300]}; expected the address "
            "of a running one, such as tcp://host:8786"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except Exception:
            raise WorkerError(f"the Dask scheduler at {address} has no workers; start some") from None
        pool = DaskPool(client, address)
        pool.check_versions()
        yield pool
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def worker_version() -> str:
    """Return the version of jpevalb on a worker."""
    return __version__
