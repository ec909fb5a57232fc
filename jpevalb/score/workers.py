"""Worker pools: processes, threads or machines that score chunks of the files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.errors import SettingsError, WorkerError

# Most calls start no process, so the modules for processes are imported on demand.
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")

# Largest pool of processes: Windows cannot wait for more
MAX_PROCESSES = 61
# Maximum number of tasks in flight; all are held in memory
IN_FLIGHT = 16
# What a script does whose processes import it
GUARD = "in a script, call jpevalb under \"if __name__ == '__main__':\", or use jobs=1"


class WorkerPool:
    """An executor, and the number of tasks that it may have in flight.

    Args:
        executor: The executor.
        in_flight: Maximum number of tasks.
        first: A first task, if the workers are processes that read the files of this machine.
    """

    def __init__(
        self, executor: Executor, in_flight: int = IN_FLIGHT, first: Future[Any] | None = None
    ) -> None:
        self._executor = executor
        self._first = first
        self.in_flight = in_flight
        self.shares_files = first is not None

    @staticmethod
    def of(executor: Executor | WorkerPool) -> WorkerPool:
        """Wrap any ``concurrent.futures.Executor``; raise a SettingsError for anything else."""
        if isinstance(executor, WorkerPool):
            return executor
        if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
            raise SettingsError(
                f"got {executor!r} as executor; expected a concurrent.futures.Executor, "
                "such as ProcessPoolExecutor(4)"
            )
        workers = getattr(executor, "_max_workers", None)
        return WorkerPool(executor, max(IN_FLIGHT, 3 * workers) if isinstance(workers, int) else IN_FLIGHT)

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """Start a task; raise a WorkerError if the executor accepts none."""
        try:
            return self._executor.submit(function, *arguments)
        except RuntimeError as error:
            raise self.to_worker_error(error) from None

    def result(self, future: Future[T]) -> T:
        """Wait for the result of a task; raise a WorkerError if its worker died."""
        from concurrent.futures import BrokenExecutor, CancelledError

        try:
            return future.result()
        except (BrokenExecutor, CancelledError) as error:
            raise self.to_worker_error(error) from None

    def map_calls(
        self, function: Callable[..., T], calls: Iterator[Sequence[Any]]
    ) -> Iterator[tuple[Sequence[Any], T]]:
        """Yield the arguments and the result of each call, in order.

        At most ``in_flight`` calls run at a time.  An error of ``calls`` is raised after the results
        of all calls before it.
        """
        waiting: deque[tuple[Sequence[Any], Future[T]]] = deque()
        failure: Exception | None = None
        try:
            while True:
                while len(waiting) < self.in_flight:
                    try:
                        call = next(calls, None)
                    except Exception as error:
                        failure, call = error, None
                    if call is None:
                        break
                    waiting.append((call, self.submit(function, *call)))
                    if waiting[0][1].done():
                        break
                if not waiting:
                    break
                call, future = waiting.popleft()
                yield call, self.result(future)
        finally:
            for _, future in waiting:
                future.cancel()
        if failure is not None:
            raise failure

    def to_worker_error(self, error: BaseException) -> WorkerError:
        """Convert the error of an executor without usable workers."""
        from concurrent.futures import BrokenExecutor

        if isinstance(error, BrokenExecutor):
            if self._first is not None and self._first.exception() is not None and not _forks():
                return WorkerError(f"the worker processes ended before their first result; {GUARD}")
            return WorkerError("a worker process died, probably out of memory; use fewer jobs")
        reason = str(error) or type(error).__name__
        return WorkerError(f"the executor accepts no more tasks ({reason}); pass one that is not shut down")


@contextmanager
def process_pool(jobs: int) -> Iterator[WorkerPool]:
    """Start a pool of ``jobs`` processes, and stop all of them however the work ends.

    Raises:
        WorkerError: no process may be started here, or not as many.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import Pipe, current_process

    if current_process().daemon:
        raise WorkerError(
            "a daemon process, such as a worker of a DataLoader, cannot start processes; use jobs=1"
        )
    with ExitStack() as stack:
        try:
            # What is written into the pipe stays there, so that every process sees it.
            stopped, stop = map(stack.enter_context, Pipe(duplex=False))
            size = min(jobs, MAX_PROCESSES)
            executor = ProcessPoolExecutor(size, initializer=_begin, initargs=(stopped,))
            stack.callback(executor.shutdown, cancel_futures=True)
            stack.callback(stop.send, None)
            first = executor.submit(int)
        except OSError as error:
            raise WorkerError(f"cannot start {jobs} processes: {error.strerror}; use fewer jobs") from None
        except RuntimeError:  # a process that imports the script that started it
            raise WorkerError(f"a process that imports this script would start others; {GUARD}") from None
        yield WorkerPool(executor, max(IN_FLIGHT, 3 * jobs), first)


@contextmanager
def worker_pool(jobs: int) -> Iterator[WorkerPool | None]:
    """Start the processes of a command; ``None`` for a single job."""
    if jobs > 1:
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


def _forks() -> bool:
    """Return True if new processes do not import the script."""
    from multiprocessing import get_start_method

    return get_start_method() == "fork"


def _begin(stopped: Any) -> None:
    """Prepare a worker process."""
    import gc
    import signal
    import threading

    # Trees have no cycles; searching for some takes 5 % of the time when many trees are alive.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    # Ctrl-C reaches every process of the group; only the parent reacts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(stopped,), daemon=True).start()


def _exit_with_parent(stopped: Any) -> None:
    """Exit when the parent says so or ends, even if it was killed."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel, stopped])
    os._exit(0)
