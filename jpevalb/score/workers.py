"""Worker pools: processes, threads or machines that score chunks of the files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
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
# Tasks that a worker process has at a time: one in work, and one that it begins at once after it
AHEAD = 2
# Size of the pipes to and from the workers, in bytes; Linux lets only root have more
PIPE = 1 << 20
# What a script does whose processes import it
GUARD = "in a script, call jpevalb under \"if __name__ == '__main__':\", or use jobs=1"
DIED = "a worker process died, probably out of memory; use fewer jobs"

_STARTING = Lock()


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
        """Yield the arguments and the result of each call, in order; then raise an error of ``calls``."""
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
            return WorkerError(DIED)
        reason = str(error) or type(error).__name__
        return WorkerError(f"the executor accepts no more tasks ({reason}); pass one that is not shut down")


class ProcessPool(WorkerPool):
    """Worker processes, each with a pipe for its tasks and one for its results.

    No two processes share a lock or a pipe, so a worker that is killed stops no other process: its end is
    seen at once.  The calling thread does everything, so there is no thread that could wait for ever, as that
    of ``ProcessPoolExecutor`` does for the rest of a result if a worker is killed while it writes one.
    """

    def __init__(self, jobs: int) -> None:
        self.in_flight = max(IN_FLIGHT, 3 * jobs)
        self._queue: deque[tuple[Future[Any], tuple[Any, ...]]] = deque()
        self._workers: list[_Worker] = []
        self._jobs = jobs

    def start(self) -> None:
        """Start the processes; raise a WorkerError where none may be started."""
        from multiprocessing import current_process

        if current_process().daemon:
            raise WorkerError(
                "a daemon process, such as a worker of a DataLoader, cannot start processes; use jobs=1"
            )
        try:
            # A process started by another thread meanwhile would keep the other ends of the pipes open.
            with _STARTING, _interrupts_delayed():
                for _ in range(min(self._jobs, MAX_PROCESSES)):
                    self._workers.append(_Worker())
        except OSError as error:
            raise WorkerError(
                f"cannot start {self._jobs} processes: {error.strerror}; use fewer jobs"
            ) from None
        except RuntimeError:  # a process that imports the script that started it
            raise WorkerError(f"a process that imports this script would start others; {GUARD}") from None

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        from concurrent.futures import Future

        future: Future[T] = Future()
        self._queue.append((future, (function, *arguments)))
        self._advance(0)
        return future

    def result(self, future: Future[T]) -> T:
        while not future.done():
            self._advance(None)
        return future.result()

    def _advance(self, timeout: float | None) -> None:
        """Take the results that have arrived, wait for one if ``timeout`` is ``None``, and send tasks."""
        from multiprocessing import get_start_method
        from multiprocessing.connection import wait

        try:
            self._send()
            workers: dict[Any, _Worker] = {worker.results: worker for worker in self._workers}
            for results in wait(list(workers), timeout):
                workers[results].receive()
            self._send()
        except (EOFError, OSError):
            reason = DIED
            if get_start_method() != "fork" and not any(worker.has_answered for worker in self._workers):
                reason = f"the worker processes ended before their first result; {GUARD}"
            raise WorkerError(reason) from None

    def _send(self) -> None:
        """Send tasks to the workers that have the fewest, as long as one has room."""
        while self._queue:
            worker = min(self._workers, key=lambda one: len(one.futures))
            if len(worker.futures) >= AHEAD:
                return
            future, task = self._queue.popleft()
            if future.set_running_or_notify_cancel():
                worker.send(future, task)

    def close(self) -> None:
        """End the processes; those that still have tasks are killed."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process with its two pipes, as the parent sees it."""

    def __init__(self) -> None:
        import multiprocessing

        tasks, self._tasks = multiprocessing.Pipe(duplex=False)
        self.results, results = multiprocessing.Pipe(duplex=False)
        # Wider than 64 KiB, so that a task is sent before it is needed
        with suppress(ImportError, AttributeError, OSError):
            import fcntl

            for pipe in (self._tasks, results):
                fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE)
        self.futures: deque[Future[Any]] = deque()  # of the tasks without a result
        self.has_answered = False
        # A daemon ends with its parent.
        self._process = multiprocessing.Process(target=_work, args=(tasks, results), daemon=True)
        self._process.start()
        # Only the worker has this end, so the results end when it dies.
        results.close()
        tasks.close()

    def send(self, future: Future[Any], task: tuple[Any, ...]) -> None:
        self.futures.append(future)
        self._tasks.send(task)

    def receive(self) -> None:
        """Take one result; raise an EOFError if the process has ended."""
        result, error = self.results.recv()
        self.has_answered = True
        future = self.futures.popleft()
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def close(self) -> None:
        """End the process; kill it if it still has tasks."""
        try:
            if self.futures:
                self._process.kill()
            else:
                self._tasks.send(None)
        except OSError:
            pass  # it has ended
        self._process.join()
        self._tasks.close()
        self.results.close()


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPool]:
    """Start a pool of ``jobs`` processes, and stop all of them however the work ends."""
    pool = ProcessPool(jobs)
    try:
        pool.start()
        yield pool
    finally:
        pool.close()


@contextmanager
def workers(jobs: int, executor: Executor | WorkerPool | None = None) -> Iterator[WorkerPool | None]:
    """Return the executor of a call as a pool, or start its processes; ``None`` for a single job."""
    if type(jobs) is not int or jobs < 1:
        raise SettingsError(f"jobs={jobs!r}; expected a whole number from 1")
    if executor is not None and jobs > 1:
        raise SettingsError("jobs and executor; the executor does all the work, leave out jobs")
    if jobs > 1:
        with process_pool(jobs) as processes:
            yield processes
    else:
        yield None if executor is None else WorkerPool.of(executor)


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


def _work(tasks: Any, results: Any) -> None:
    """Do the tasks of a pipe until it ends; run by a worker."""
    import gc
    import queue
    import signal
    import threading

    # Trees have no cycles; searching for some takes 5 % of the time when many trees are alive.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    # Ctrl-C reaches every process of the group; only the parent reacts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    received: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
    # A parent that sends a task must never wait for a worker that sends a result.
    threading.Thread(target=_receive, args=(tasks, received), daemon=True).start()
    while (task := received.get()) is not None:
        function, *arguments = task
        answer: tuple[Any, Exception | None]
        try:
            answer = function(*arguments), None
        except Exception as error:
            answer = None, error
        try:
            results.send(answer)
        except OSError:
            return  # the parent has ended
        except Exception as error:
            results.send((None, error))  # the answer cannot be pickled


def _receive(tasks: Any, received: Any) -> None:
    """Pass on the tasks of a pipe up to ``None``, which ends the worker."""
    with suppress(EOFError, OSError):
        while (task := tasks.recv()) is not None:
            received.put(task)
    received.put(None)


def _exit_with_parent() -> None:
    """Exit when the parent process ends, even if it was killed."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
