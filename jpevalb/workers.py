"""Worker processes for ``--jobs``."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

# Windows can wait for no more than 61.
MOST = 61


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of ``jobs`` processes that leaves none behind, whatever ends the work.

    More processes than MOST would only eat up memory: the pool may start all of
    them at once.
    """
    pool = ProcessPoolExecutor(min(jobs, MOST), initializer=_begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    # Ctrl-C reaches every process of the group; the parent is the one to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A parent that is killed tells nobody, and its workers would wait for work for ever.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
