"""Worker pools: processes, threads or machines that score chunks of the files."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from ..trees.errors import SettingsError, WorkerError
from ..trees.typed import TYPE_CHECKING, Any, TypeVar

# Most calls start no process, so the modules for processes are imported on demand.
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

T = TypeVar("T")

# Largest pool of processes: Windows cannot wait for more
MAX_PROCESSES = 61
# Exit status after Ctrl-C
INTERRUPTED = 130
# Maximum number of tasks in flight; all are held in memory
IN_FLIGHT = 16
# Size of the pipes to and from the workers, in bytes; Linux lets only root have more
PIPE = 1 << 20


class WorkerPool:
    """An executor, and the number of tasks that it may have in flight."""

    def __init__(self, executor: Executor, in_flight: int = IN_FLIGHT) -> None:
        self._executor = executor
        self.in_flight = in_flight

    @staticmethod
    def of(executor: Executor | WorkerPool) -> WorkerPool:
        """Wrap any ``concurrent.futures.Executor``; raise a SettingsError for anything else."""
        if isinstance(executor, WorkerPool):
            return executor
        if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
            raise SettingsError(
                f"found {executor!r} as executor; expected a concurrent.futures.Executor, "
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
            return WorkerError("a worker process died, probably out of memory; use fewer jobs (--jobs)")
        reason = str(error) or type(error).__name__
        return WorkerError(f"the executor accepts no more tasks ({reason}); pass one that is not shut down")


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start a pool of ``jobs`` processes, and stop all of them however the work ends."""
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(min(jobs, MAX_PROCESSES), initializer=_init_worker)
    _widen_pipes(pool)
    wait = True
    try:
        with _interrupts_delayed():
            pool.submit(int)  # starts the processes
        yield pool
    except KeyboardInterrupt:
        # Do not wait: the pool may hang once its processes are killed.  The traceback of its
        # thread is suppressed.
        import threading

        threading.excepthook = lambda arguments: None
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.kill()
        wait = False
        raise
    finally:
        if sys.version_info < (3, 11, 5) and getattr(pool, "_broken", False):
            # A task that nobody reads any more would block the pool's threads (CPython issue 94777).
            pool._call_queue._reader.close()  # type: ignore[attr-defined]
        pool.shutdown(wait=wait, cancel_futures=True)


def _widen_pipes(pool: Any) -> None:
    """Widen the pipes to and from the workers from 64 KiB, so that a task is sent before it is needed."""
    for name in ("_call_queue", "_result_queue"):
        with suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(getattr(pool, name)._writer.fileno(), fcntl.F_SETPIPE_SZ, PIPE)


@contextmanager
def _interrupts_delayed() -> Iterator[None]:
    """Delay Ctrl-C: during the start of a process it would leave an orphan."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if received:
        raise KeyboardInterrupt


def exit_if_interrupted(status: int) -> int:
    """Exit at once after Ctrl-C, else return the exit status.

    A usual exit would wait for the threads of a pool whose processes were killed.
    """
    if status == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    return status


def _init_worker() -> None:
    import gc
    import signal
    import threading

    # Trees have no cycles; searching for some takes 5 % of the time when many trees are alive.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    # Ctrl-C reaches every process of the group; only the parent reacts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process ends, even if it was killed."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
