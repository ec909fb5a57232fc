"""Workers: processes, threads or machines that score parts of the files, whatever runs them."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ..trees.errors import SettingsError, WorkerError

# The modules for processes are imported when there are some: most calls have none.
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor

T = TypeVar("T")

# Windows can wait for no more than 61.
MOST = 61

INTERRUPTED = 130
"""Exit status after Ctrl-C."""

IN_FLIGHT = 16
"""Tasks given out and not yet taken back: so many are held in memory."""

PIPE = 1 << 20
"""Bytes that may wait on their way to the workers, or back; Linux lets only root have more."""


class Team:
    """An executor, with what is known of its workers.

    Args:
        executor: Any ``concurrent.futures.Executor``.
        in_flight: How many tasks may be given out at a time.
    """

    def __init__(self, executor: Executor, in_flight: int = IN_FLIGHT) -> None:
        self._executor = executor
        self.in_flight = in_flight

    @staticmethod
    def of(executor: Executor | Team) -> Team:
        """The executor as a team.

        Raises:
            SettingsError: it is no executor.
        """
        if isinstance(executor, Team):
            return executor
        if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
            raise SettingsError(
                f"found {executor!r} as executor; expected a concurrent.futures.Executor, "
                "such as ProcessPoolExecutor(4)"
            )
        workers = getattr(executor, "_max_workers", None)
        return Team(executor, max(IN_FLIGHT, 3 * workers) if isinstance(workers, int) else IN_FLIGHT)

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """Gives out a task.

        Raises:
            WorkerError: there is nobody to do it.
        """
        try:
            return self._executor.submit(function, *arguments)
        except RuntimeError as error:
            raise self.explained(error) from None

    def result(self, future: Future[T]) -> T:
        """Waits for what a task gave.

        Raises:
            WorkerError: whoever did it has died.
        """
        from concurrent.futures import BrokenExecutor, CancelledError

        try:
            return future.result()
        except (BrokenExecutor, CancelledError) as error:
            raise self.explained(error) from None

    def answers(
        self, function: Callable[..., T], calls: Iterator[Sequence[Any]]
    ) -> Iterator[tuple[Sequence[Any], T]]:
        """What a function gives for each call, in the order of the calls.

        So many calls are under way at a time that no worker waits for one; the next ones are
        not made before an answer has been taken.

        Args:
            function: A function of a module.
            calls: The arguments of each call.

        Raises:
            WorkerError: whoever did the work has died.
            Exception: what ``calls`` raises, once all calls before it have been answered.
        """
        waiting: deque[tuple[Sequence[Any], Future[T]]] = deque()
        trouble: Exception | None = None
        try:
            while True:
                while len(waiting) < self.in_flight:
                    try:
                        call = next(calls, None)
                    except Exception as error:
                        trouble, call = error, None
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
        if trouble is not None:
            raise trouble

    def explained(self, error: BaseException) -> WorkerError:
        """What to say of workers that are gone."""
        from concurrent.futures import BrokenExecutor

        if isinstance(error, BrokenExecutor):
            return WorkerError("a worker process has died, perhaps for want of memory; try fewer --jobs")
        reason = str(error) or type(error).__name__
        return WorkerError(f"the workers take no more tasks ({reason}); give an executor that is open")


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of ``jobs`` processes that leaves none behind, whatever ends the work.

    More processes than MOST would only eat up memory: the pool may start all of
    them at once.
    """
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(min(jobs, MOST), initializer=_become_worker)
    _widen(pool)
    wait = True
    try:
        with _interrupts_held():
            pool.submit(int)  # starts the processes
        yield pool
    except KeyboardInterrupt:
        # Nobody waits for what they are doing, nor for the pool, which may not get over it, and
        # whose thread would say so in many lines.
        import threading

        threading.excepthook = lambda found: None
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.kill()
        wait = False
        raise
    finally:
        pool.shutdown(wait=wait, cancel_futures=True)


def _widen(pool: Any) -> None:
    """Makes room for whole tasks and answers in the pipes to and from the workers, where the system can.

    A usual pipe holds 64 KiB: the rest of a task would be sent only while a worker waits for it.
    """
    for name in ("_call_queue", "_result_queue"):
        with suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(getattr(pool, name)._writer.fileno(), fcntl.F_SETPIPE_SZ, PIPE)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Puts Ctrl-C off: in the middle of its start it would leave a process that nobody knows of."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


def leave(status: int) -> int:
    """What a command does at its very end, given its exit status.

    After Ctrl-C it ends on the spot: the exit would wait for the threads of a pool whose
    processes are gone.
    """
    if status == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    return status


def _become_worker() -> None:
    import gc
    import signal
    import threading

    # Trees have no cycles; to look for some takes a twentieth of the time where many trees live.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    # Ctrl-C reaches every process of the group; the parent is the one to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when its parent has gone without a word, as when it was killed."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
