"""Worker pools and tasks, with fake executors."""

from __future__ import annotations

import io
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace

import pytest

from jpevalb import (
    Params,
    Settings,
    SettingsError,
    TreeError,
    WorkerError,
    compare,
    evaluate,
)
from jpevalb.alignment.pair import MISSING, OK
from jpevalb.score.run import Run, score_chunk
from jpevalb.score.tally import Tally
from jpevalb.score.workers import WorkerPool, process_pool, workers
from tests.support.commands import ROOT
from tests.support.executors import Here
from tests.support.with_gaps import evaluate_with_gaps, left_out_lines, spans_of, unreadable_in


class Late:
    """An executor whose tasks are done when somebody asks for them."""

    def __init__(self, error=None):
        self.given = []
        self.futures = []
        self.error = error

    def submit(self, function, *arguments):
        if self.error is not None:
            raise self.error
        future = Future()
        plain = future.result

        def result(timeout=None):
            if not future.done():
                future.set_result(function(*arguments))
            return plain(timeout)

        future.result = result
        self.given.append(arguments)
        self.futures.append(future)
        return future


class Eager(Late):
    """An executor whose tasks are done at once."""

    def submit(self, function, *arguments):
        future = super().submit(function, *arguments)
        future.result()
        return future


# -- worker pools ------------------------------------------------------------------------


def test_any_executor_makes_a_pool():
    for threads, in_flight in ((2, 16), (5, 16), (6, 18), (20, 60)):
        with ThreadPoolExecutor(threads) as pool:
            assert WorkerPool.of(pool).in_flight == in_flight
    late = Late()
    pool = WorkerPool.of(late)
    assert (pool.in_flight, WorkerPool.of(pool)) == (16, pool)
    late._max_workers = "many"
    assert WorkerPool.of(late).in_flight == 16
    for wrong in (ThreadPoolExecutor, 4, SimpleNamespace(submit=3)):
        with pytest.raises(SettingsError, match="expected a concurrent"):
            WorkerPool.of(wrong)


def test_answers_come_in_order_and_few_tasks_wait():
    late = Late()
    answers = WorkerPool(late, 3).map_calls(divmod, ((number, 4) for number in range(10)))
    assert late.given == []
    assert next(answers) == ((0, 4), (0, 0))
    # Three were given out; another one only when the next answer is asked for.
    assert late.given == [(0, 4), (1, 4), (2, 4)]
    assert next(answers) == ((1, 4), (0, 1))
    assert late.given[3:] == [(3, 4)]
    assert [answer for _, answer in answers] == [divmod(number, 4) for number in range(2, 10)]
    assert len(late.given) == 10


def test_a_finished_result_is_returned_before_more_is_read():
    eager = Eager()
    answers = WorkerPool(eager, 3).map_calls(abs, ((number,) for number in (-1, -2, -3)))
    assert next(answers) == ((-1,), 1)
    assert eager.given == [(-1,)]
    assert [answer for _, answer in answers] == [2, 3]

    class Slow(Late):
        """The first task is done when the second one is given out."""

        def submit(self, function, *arguments):
            future = super().submit(function, *arguments)
            if len(self.futures) == 2:
                self.futures[0].result()
            return future

    slow = Slow()
    answers = WorkerPool(slow, 3).map_calls(abs, ((number,) for number in (-1, -2, -3)))
    assert next(answers) == ((-1,), 1)
    assert slow.given == [(-1,), (-2,)]


def test_abandoned_tasks_are_cancelled():
    late = Late()
    answers = WorkerPool(late, 3).map_calls(abs, ((number,) for number in range(10)))
    next(answers)
    answers.close()
    assert [future.cancelled() for future in late.futures] == [False, True, True]


def test_an_error_comes_after_earlier_results():
    def calls():
        yield (-1,)
        yield (-2,)
        raise ValueError("the third")

    answers = WorkerPool(Late()).map_calls(abs, calls())
    assert [next(answers)[1], next(answers)[1]] == [1, 2]
    with pytest.raises(ValueError, match="the third"):
        next(answers)


def test_dead_workers():
    gone = "the executor accepts no more tasks ({}); pass one that is not shut down"
    with pytest.raises(WorkerError) as found:
        WorkerPool(Late(RuntimeError("closed"))).submit(abs, 1)
    assert str(found.value) == gone.format("closed")
    died = "a worker process died, probably out of memory; use fewer jobs"
    for error, message in (
        (CancelledError(), gone.format("CancelledError")),
        (BrokenProcessPool("x"), died),
    ):
        future = Future()
        future.set_exception(error)
        with pytest.raises(WorkerError) as found:
            WorkerPool(Late()).result(future)
        assert str(found.value) == message
    with pytest.raises(WorkerError) as found:
        WorkerPool(Late(BrokenProcessPool("x"))).submit(abs, 1)
    assert str(found.value) == died
    # What a task itself says is left as it is.
    future = Future()
    future.set_exception(KeyError("x"))
    with pytest.raises(KeyError):
        WorkerPool(Late()).result(future)


# -- pools of processes --------------------------------------------------------------------


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever():
    signal.pause()


def divide(number):
    return 10 // number


def unpicklable():
    return lambda: None


def processes(pool):
    return [worker._process for worker in pool._workers]


def test_results_of_processes_come_in_order():
    with process_pool(2) as pool:
        numbers = list(range(100))
        answers = pool.map_calls(divmod, ((number, 7) for number in numbers))
        assert [answer for _, answer in answers] == [divmod(number, 7) for number in numbers]
        alive = processes(pool)
    # They end by themselves when there is nothing left to do.
    assert [process.exitcode for process in alive] == [0, 0]


def test_errors_of_tasks_are_raised_and_the_pool_goes_on():
    with process_pool(1) as pool:
        with pytest.raises(ZeroDivisionError):
            pool.result(pool.submit(divide, 0))
        with pytest.raises(Exception, match=r"pickle|local object"):
            pool.result(pool.submit(unpicklable))
        assert pool.result(pool.submit(divide, 5)) == 2


def test_cancelled_tasks_are_not_sent():
    with process_pool(1) as pool:
        futures = [pool.submit(divide, number) for number in (1, 2, 5, 10)]
        assert futures[-1].cancel()
        assert [pool.result(future) for future in futures[:3]] == [10, 5, 2]


def test_a_daemon_process_may_start_none(monkeypatch):
    monkeypatch.setattr(multiprocessing.current_process(), "_config", {"daemon": True})
    with pytest.raises(WorkerError, match="a daemon process, such as"):
        evaluate(["(S (A a))"] * 3, ["(S (A a))"] * 3, jobs=2)


def test_a_script_without_a_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import multiprocessing, jpevalb\n"
        "multiprocessing.set_start_method('spawn', force=True)\n"
        "print(jpevalb.evaluate('examples/gold.mrg', 'examples/sys.mrg', jobs=2).f1)\n"
    )
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert (
        "the worker processes ended before their first result; in a script, call jpevalb under" in done.stderr
    )
    script.write_text(script.read_text().replace("print(", "if __name__ == '__main__': print("))
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout[:5]) == (0, "0.897")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_dead_process_is_an_error_and_ends_the_others():
    message = "a worker process died, probably out of memory; use fewer jobs"
    with process_pool(2) as pool:
        alive = processes(pool)
        waiting = pool.submit(wait_for_ever)
        pool.submit(die)
        with pytest.raises(WorkerError) as error:
            pool.result(waiting)
    assert str(error.value) == message
    assert [process.exitcode for process in alive] == [-signal.SIGKILL] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_busy_processes_are_killed():
    with process_pool(2) as pool:
        alive = processes(pool)
        pool.submit(wait_for_ever)
    assert sorted(process.exitcode for process in alive) == [-signal.SIGKILL, 0]


def test_a_pool_has_no_more_processes_than_can_be_waited_for(monkeypatch):
    monkeypatch.setattr("jpevalb.score.workers.MAX_PROCESSES", 2)
    for jobs, size, in_flight in ((1, 1, 16), (2, 2, 16), (3, 2, 16), (10, 2, 30)):
        with process_pool(jobs) as pool:
            assert (len(processes(pool)), pool.in_flight) == (size, in_flight)


def test_an_interrupt_of_the_start_waits_for_it(monkeypatch):
    """In the middle of the start it would leave a process that nobody knows of."""
    from jpevalb.score import workers as module

    started = []

    class Interrupted(module._Worker):
        def __init__(self):
            signal.raise_signal(signal.SIGINT)
            super().__init__()
            started.append(self._process)

    monkeypatch.setattr(module, "_Worker", Interrupted)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), process_pool(2):
        raise AssertionError("the work begins")
    assert [process.exitcode for process in started] == [0, 0]
    assert signal.getsignal(signal.SIGINT) is handler


def test_threads_may_have_a_pool_each():
    """Signals are the business of the main thread alone."""
    found = []

    def work():
        with process_pool(2) as pool:
            found.append([answer for _, answer in pool.map_calls(abs, ((-number,) for number in range(40)))])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert found == [list(range(40))] * 4


WORKER = """\
import gc, os, signal, sys, threading
from jpevalb.score.workers import process_pool

def seen():
    held = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    own = [thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()]
    return held, gc.get_threshold(), gc.get_freeze_count() > 0, True in own

if __name__ == "__main__":
    with process_pool(1) as pool:
        print(pool.result(pool.submit(seen)), flush=True)
        if sys.argv[1:]:
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_looks_for_few_cycles_and_ends_with_its_parent(tmp_path):
    (tmp_path / "worker.py").write_text(WORKER)
    # The worker has the output too: only when it has ended is that at its end.
    done = subprocess.run(
        [sys.executable, "worker.py", "die"],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.decode() == "(True, (100000, 50, 50), True, True)\n"


# -- what a call asks for -------------------------------------------------------------------


def test_the_workers_of_a_command_line():
    with workers(1) as pool:
        assert pool is None
    with workers(7) as pool:
        assert len(processes(pool)) == 7


def test_the_workers_of_a_function_call():
    with workers(1, None) as pool:
        assert pool is None
    with workers(3, None) as pool:
        assert len(processes(pool)) == 3
    late = Late()
    with workers(1, late) as pool:
        assert pool._executor is late
    with pytest.raises(SettingsError, match="jobs and executor"):
        workers(2, late).__enter__()
    for wrong in (0, -1, 2.0, True, "2", None):
        with pytest.raises(SettingsError, match="expected a whole number from 1"):
            workers(wrong, None).__enter__()


# -- tasks ----------------------------------------------------------------------------------

GOLD = ["(S (NP (N a)) (VP (V b)))", "(S (NP (N c)) (VP (V d)))", "(S (NP (N e)))"]
SYSTEM = ["(S (NP (N a)) (VP (V b)))", "(S (NP (N c) (V d)))", "(S (NP (N e)))"]


def test_the_result_of_a_task():
    """Its sums, and what the row maker makes of the results: what they are made of, or rows of a report."""
    here = Here()
    found = evaluate(GOLD, SYSTEM, executor=here)
    assert found.to_dict() == evaluate(GOLD, SYSTEM).to_dict()
    (((job, task), answer),) = here.done[:1]
    assert (answer.size, answer.error) == (3, None)
    assert [state for _, _, state in answer.rows] == [item.state for item in found.sentences]
    assert [record for record, _, _ in answer.rows] == [item.record for item in found.sentences]
    assert (answer.tally.total, answer.tally.count) == (found.total, 3)
    compared = compare(GOLD, [SYSTEM, GOLD], executor=here, samples=20)
    assert compared.to_dict() == compare(GOLD, [SYSTEM, GOLD], samples=20).to_dict()
    made = score_chunk(job._replace(rows=lambda results, scorer: [str(len(results))]), task)
    assert (made.size, made.rows) == (3, ["3"])
    assert made.tally.total == found.total


def test_workers_compare_words_without_traces_of_one_side():
    """Words that are the same in the files may differ once the traces of one side are left out."""
    gold = "(S (NP (-NONE- a) (N b)) (VP (V c)))\n(S (N d) (X (V e)))\n" * 3
    system = "(S (N a) (X (N b) (V c)))\n(S (N d) (V e))\n" * 3
    here, found = (
        evaluate(io.StringIO(gold), io.StringIO(system), executor=executor) for executor in (None, Here())
    )
    assert found.to_dict() == here.to_dict()
    assert found.total["alignment"].system_words_alone == 3


def test_a_worker_reports_skipped_sentences():
    """A label that is left out nowhere is a warning; a worker tells that it has met one."""
    sentences = ["(S (NP (N a)) (X b))"]
    for label, count in (("X", 0), ("Y", 1)):
        prm = Params(delete_labels=(label,))
        found = evaluate(sentences, sentences, prm=prm, executor=Here())
        assert found.to_dict() == evaluate(sentences, sentences, prm=prm).to_dict()
        assert len(found.warnings) == count


def test_an_error_comes_behind_the_results_before_it():
    """Words that differ where they must not."""
    here = Here()
    gold = ["(S (N a))", "(S (N b))", "(S (N c))"]
    system = ["(S (N a))", "(S (N x))", "(S (N c))"]
    with pytest.raises(TreeError, match="'x'"):
        evaluate_with_gaps(gold, system, executor=here)
    (_, answer), *_ = here.done
    assert (answer.size, len(answer.rows), answer.tally.count) == (1, 1, 1)
    assert isinstance(answer.error, TreeError)
    here = Here()
    found = evaluate_with_gaps(gold, system[:1], executor=here)
    assert found.to_dict() == evaluate_with_gaps(gold, system[:1]).to_dict()
    assert [state[0] for _, _, state in here.done[0][1].rows] == [OK, MISSING, MISSING]


# -- what results add up to -------------------------------------------------------------------


def words(number):
    """A sentence of three words that no other one has."""
    return f"(S (N alpha{number}) (N beta{number}) (N gamma{number}))"


BAD = "(S (N a"
WHOLE = [words(number) for number in range(20)]
LACKING = [*WHOLE[:3], *WHOLE[5:7], "(())", *WHOLE[8:10], "(X (N kk))", "(X (N mm))", *WHOLE[10:12]]
SIDES = {
    "alone": (WHOLE, [*LACKING, "(())", "(())", *WHOLE[14:]], {}),
    "unlike": (["(S (N ab))"] * 14, ["(S (N ab))" if n % 2 else "(S (N xy))" for n in range(14)], {}),
    "unreadable": (
        [BAD if n in (1, 2, 9) else WHOLE[n] for n in range(12)],
        [BAD if n in (2, 4, 5, 6) else WHOLE[n] for n in range(12)],
        {"on_error": "skip", "pair": "order"},
    ),
    "root": ([words(n).replace("(S", "(TREE (S") + ")" for n in range(12)],) * 2 + ({},),
}


def summary(name, executor=None):
    gold, system, options = SIDES[name]
    return evaluate(gold, system, executor=executor, **options)


def test_names_in_reports():
    alone = summary("alone")
    # Sentences in a row are named together, by the first of their beads.
    assert spans_of(alone, "unaligned") == [
        (4, (3, 5), (3, 3)),
        (11, (10, 10), (8, 10)),
    ]
    assert spans_of(alone, "no parse") == [
        (8, (7, 8), (5, 6)),
        (15, (12, 14), (12, 14)),
    ]
    assert (alone.n_sentences, alone.cutoff) == (22, alone.total)
    # Half of the pairs are not alike; five of them are named.
    unlike = summary("unlike")
    assert [(item.number, item.gold, item.equal) for item in unlike.left_out] == [
        (number, (number - 1, number), 0.0) for number in (1, 3, 5, 7, 9)
    ]
    unreadable = summary("unreadable")
    assert unreadable_in(unreadable) == [
        ("gold", 2),
        ("gold", 3),
        ("system", 3),
        ("system", 5),
        ("system", 6),
    ]
    assert [line for line in summary("root").warnings if "TREE" in line]
    # One of the sentences is longer than the others.
    sums = evaluate(
        [*WHOLE, "(S (N a) (N b) (N c) (N d))"], [*WHOLE, "(S (N a) (N b) (N c) (N d))"], cutoff=3
    )
    assert (sums.total.sentences.groups, sums.cutoff.sentences.groups) == (21, 20)


def test_skipped_sentences_over_identical_words():
    system = ["(())" if n in (1, 4) else BAD if n in (2, *range(5, 11)) else WHOLE[n] for n in range(14)]
    for executor in (None, Here()):
        found = evaluate_with_gaps(WHOLE[:16], system, on_error="skip", executor=executor)
        lines = left_out_lines(found)
        assert [line.partition(":")[0] for line in lines] == ["missing"] * 2 + ["no parse"] * 6
        assert lines[:3] == (
            "missing: sentence 15 has no parse in the system's file",
            "missing: sentence 16 has no parse in the system's file",
            "no parse: sentence 2: the parse has no words",
        )
        assert lines[-1] == "no parse: and 4 more"
        counts = found.to_dict()["states"]
        assert (counts["missing"], counts["no parse"], found.n_sentences) == (2, 9, 16)


def tally_of(run, results):
    """The tally of some results of a run, as one who knows no others makes it."""
    made = Tally(run.scorer, 2)
    for number, result in enumerate(results, 1):
        result.number = number
        made.add([result])
    return made


def content(tally):
    """All that a tally has."""
    names = [name for name in vars(tally) if not name.startswith("_")]
    return {name: getattr(tally, name) for name in (*names, "total", "short") if name != "roots"}


@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
@pytest.mark.parametrize("name", SIDES)
def test_tallies_of_parts_make_that_of_the_whole(name, convention):
    gold, system, options = SIDES[name]
    if convention == "discontinuous":
        options = {**options, "on_error": "skip", "pair": "order"}
        system = [text if text in (gold[n], BAD) else "(())" for n, text in enumerate(system)]
    run = Run(gold, system, Settings(convention=convention, **options))
    results = list(run)
    whole = tally_of(run, results)
    for cuts in ([1], [6], [3, 4, 10], range(len(results))):
        bounds = [0, *cuts, len(results)]
        again = tally_of(run, [])
        for begin, end in itertools.pairwise(bounds):
            again.extend(tally_of(run, results[begin:end]))
        assert content(again) == content(whole)
        assert again.inventories == whole.inventories
    assert whole.count == len(results)


def test_the_executor_of_a_dask_client():
    distributed = pytest.importorskip("distributed")
    gold = ["(S (NP (NN a) (NN b)) (VP (VB c)))", "(S (NN a) (NN b))"] * 700
    system = ["(S (NP (NN a)) (VP (NN b) (VB c)))", "(S (NN a) (NN b))"] * 700
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = evaluate(gold, system, executor=client.get_executor(pure=False))
    alone = evaluate(gold, system)
    assert (found.total, found.report()) == (alone.total, alone.report())
