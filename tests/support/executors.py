"""Executors for tests of what workers are given, and what a run gives with one."""

from __future__ import annotations

import pickle
from concurrent.futures import Future
from typing import Any

from jpevalb import JpevalbError, Settings
from jpevalb.report import write_report
from jpevalb.score.run import Run
from jpevalb.score.workers import WorkerPool


class Here:
    """An executor that does each task at once, and keeps what was given and what came of it."""

    def __init__(self):
        self.done = []

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        self.done.append((arguments, future.result()))
        return future


class Elsewhere(Here):
    """An executor whose tasks and results are sent."""

    def submit(self, function, *arguments):
        return super().submit(lambda *given: _sent(function(*given)), *_sent(arguments))


def _sent(item):
    return pickle.loads(pickle.dumps(item))


class Late(Elsewhere):
    """An executor whose tasks run when their results are asked for, so that many are sent before."""

    def submit(self, function, *arguments):
        return _LateFuture(super().submit, function, *arguments)


class _LateFuture(Future):
    def __init__(self, submit, *call):
        super().__init__()
        self._run = lambda: submit(*call)

    def result(self, timeout=None):
        return self._run().result()


def outcome(
    gold: Any, system: Any, executor: Any = None, format: str = "json", **options: Any
) -> tuple[Any, ...]:
    """Return what comes of a run: the report up to an error, the error or else the sums and warnings."""
    written: list[str] = []
    run = Run(gold, system, Settings(**options), executor and WorkerPool.of(executor))
    try:
        write_report(run, format, written.append)
    except JpevalbError as error:
        return "".join(written), type(error), str(error)
    found = run.evaluation()
    return "".join(written), found.warnings, found.standardised, found.left_out, found.to_dict()
