"""Alignment mode gives the same rows, sums and errors with workers as in one process."""

from __future__ import annotations

import gzip
import io
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from jpevalb import (
    JpevalbError,
    Params,
    Settings,
    SettingsError,
    Tree,
    TreeError,
    WorkerError,
    compare,
    evaluate,
)
from jpevalb.report import write_report
from jpevalb.score import workers
from jpevalb.score.chunk import no_rows
from jpevalb.score.run import Run
from tests.support.commands import jpevalb
from tests.support.treebanks import noisy_treebanks
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps

pytestmark = pytest.mark.slow


def result_of(gold, system, executor=None, format="text", **options):
    """Everything that comes of an evaluation: what is written up to an error, the error, the rest."""
    written = []
    error = evaluation = None
    run = Run(gold, system, Settings(**options), executor)
    try:
        write_report(run, format, written.append)
        evaluation = run.evaluation()
    except JpevalbError as found:
        error = type(found), str(found)
    # How much is written at once is nobody's business.
    text = "".join(written)
    if evaluation is None:
        return text, error
    return (
        text,
        evaluation.total,
        evaluation.cutoff,
        evaluation.states,
        evaluation.left_out,
        evaluation.warnings,
    )


def same(gold, system, executor, **options):
    """Check that both give the same result; the sources are created for each."""
    one = result_of(gold(), system(), **options)
    two = result_of(gold(), system(), executor, **options)
    assert two == one
    return one


def indented(sentence):
    return "( " + sentence.replace(" (VP", "\n    (VP").replace(" (NP", "\n    (NP") + " )"


@pytest.mark.parametrize(
    ("seed", "noise"), [(0, 0.0), (0, 0.03), (0, 0.4), (1, 0.03), (2, 0.4), (3, 0.4), (4, 0.0), (5, 0.03)]
)
def test_files_of_one_tree_a_line(tmp_path, small, threads, noise, seed):
    gold, system = noisy_treebanks(seed, 250, noise)
    (tmp_path / "gold").write_text("\n".join(gold) + "\n\n" * (seed % 3))
    (tmp_path / "sys").write_text("\n".join(system) + "\n" * (seed % 2))
    names = [lambda name=name: str(tmp_path / name) for name in ("gold", "sys")]
    same(*names, threads, metrics=("brackets",), by_label=seed % 2 == 1)
    if seed == 0:
        for format in ("json", "csv", "tsv", "markdown", "latex"):
            same(*names, threads, format=format)


@pytest.mark.parametrize(
    ("windows", "lost", "noise"),
    [
        *(((400, 2000), lost, noise) for lost, noise in ((20, 0.1), (90, 0.0), (230, 0.1))),
        *(((30, 60), lost, noise) for lost, noise in ((20, 0.0), (90, 0.1), (230, 0.0))),
    ],
)
def test_long_stretches_of_one_side(tmp_path, small, threads, monkeypatch, noise, lost, windows):
    # The short windows do not see over the longer gaps: then a step is open for long.
    monkeypatch.setattr("jpevalb.alignment.stream.WINDOWS", windows)
    gold, system = noisy_treebanks(11, 500, noise)
    other = noisy_treebanks(12, 200, noise)[0]
    del system[120 : 120 + lost]
    del gold[400 : 400 + lost // 3]
    for side, names in ((gold, "gold"), (system, "sys"), (gold + other, "more"), (other + system, "before")):
        (tmp_path / names).write_text("\n".join(side))
    for one, two in (("gold", "sys"), ("more", "before"), ("more", "sys")):
        *_, unaligned, _, warnings = same(
            lambda one=one: str(tmp_path / one), lambda two=two: str(tmp_path / two), threads, metrics=()
        )
        assert unaligned
        assert len(warnings) <= 1


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("layout", [lambda text: text, indented, lambda text: text.replace(" (VP", "\n(VP")])
@pytest.mark.parametrize("between", ["\n", "\n\n \n"])
def test_trees_over_several_lines(tmp_path, small, threads, noise, layout, between):
    gold, system = noisy_treebanks(7, 150, noise)
    # Two trees on one line, now and then: no stretch can begin at the second.
    texts = [layout(text) + (" " if place % 7 == 3 else between) for place, text in enumerate(gold)]
    (tmp_path / "gold").write_text("".join(texts))
    (tmp_path / "sys").write_text(between.join(map(layout, system)))
    same(lambda: str(tmp_path / "gold"), lambda: str(tmp_path / "sys"), threads, metrics=())


@pytest.mark.parametrize(
    "kind", ["strings", "trees", "mixed", "text file", "binary file", "gzip", "latin-1", "bom"]
)
def test_sources_of_every_kind(tmp_path, small, threads, kind):
    gold, system = noisy_treebanks(3, 150, 0.1)
    options = {}

    def source(side, number):
        text = "\n".join(side)
        path = tmp_path / f"{kind}{number}"
        if kind == "strings":
            return side
        if kind == "trees":
            return iter([Tree.parse(text) for text in side])
        if kind == "mixed":
            return (Tree.parse(text) if place % 2 else text.encode() for place, text in enumerate(side))
        if kind == "text file":
            return io.StringIO(text)
        if kind == "binary file":
            return io.BytesIO(text.encode())
        if kind == "gzip":
            path = path.with_suffix(".gz")
            path.write_bytes(gzip.compress(text.encode()))
        elif kind == "latin-1":
            path.write_text(text, encoding="latin-1")
            options["encoding"] = "latin-1"
        else:
            path.write_text(text, encoding="utf-8-sig")
        return path

    source(gold, 0)
    same(lambda: source(gold, 1), lambda: source(system, 2), threads, **options)


DAMAGE = {
    "not closed": lambda text: text[:-1],
    "closed twice": lambda text: text + ")",
    "stray": lambda text: "stray " + text,
    "not UTF-8": lambda text: text.replace("(", "(\udcff", 1),
}


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("layout", [lambda text: text, indented])
def test_errors_come_at_the_same_place(tmp_path, small, threads, on_error, damage, layout):
    gold, system = (list(map(layout, side)) for side in noisy_treebanks(11, 150, 0.1))
    for side, places in ((gold, [120]), (system, [60, 61, 130])):
        for place in places:
            side[place] = DAMAGE[damage](side[place])
    for name, side in (("gold", gold), ("sys", system)):
        (tmp_path / name).write_bytes("\n".join(side).encode("utf-8", "surrogateescape"))
    names = [lambda name=name: str(tmp_path / name) for name in ("gold", "sys")]
    found = same(*names, threads, on_error=on_error, metrics=())
    assert (len(found) == 2) == (on_error == "stop")
    if on_error == "stop":
        assert issubclass(found[1][0], TreeError)
        assert found[0]
    items = [lambda side=side: side for side in (gold, system)]
    if damage != "not UTF-8":
        same(*items, threads, on_error=on_error, metrics=())


def test_a_generator_that_fails(small, threads):
    gold, system = noisy_treebanks(5, 100, 0.0)

    def failing():
        yield from system[:70]
        raise TreeError("this far and no further")

    found = same(lambda: gold, failing, threads, metrics=())
    assert found[1] == (TreeError, "this far and no further")
    # All that came before it stands in the report.
    assert len(found[0].splitlines()) == 3 + 70


def test_files_that_are_not_there(tmp_path, threads):
    (tmp_path / "gold").write_text("(S (X a))\n")
    (tmp_path / "damaged").write_text("(S (X a)\n")
    (tmp_path / "wide").write_text("(S (X a))\n", encoding="utf-16")
    (tmp_path / "empty").write_text("")
    for pair in (
        ("gold", "none"),
        ("none", "gold"),
        ("damaged", "none"),
        ("gold", "wide"),
        ("empty", "gold"),
        ("gold", "empty"),
        ("empty", "empty"),
        ("gold", "."),
    ):
        same(*[lambda name=name: str(tmp_path / name) for name in pair], threads)
    same(lambda: str(tmp_path / "wide"), lambda: str(tmp_path / "wide"), threads, encoding="utf-16")


def test_one_file_much_longer_than_the_other(small, threads):
    gold, system = noisy_treebanks(5, 400, 0.0)
    same(lambda: gold, lambda: system[:30], threads, metrics=())
    same(lambda: gold[:30], lambda: system, threads, metrics=())
    same(lambda: gold, lambda: [], threads, metrics=())


def test_other_formats_and_sentences_with_gaps(tmp_path, threads):
    lines = ["(S (A 0=a) (B 1=b))"] * 3 + ["(S (VP (A 0=a) (B 2=c)) (C 1=b))"]
    path = tmp_path / "d"
    for number in (3, 4):
        path.write_text("\n".join(lines[:number]))
        assert len(same(lambda: str(path), lambda: str(path), threads)) == 6


def test_results_are_the_same_in_every_part(small, threads):
    gold, system = noisy_treebanks(13, 120, 0.3)
    one = evaluate(gold, system, prm=Params(delete_labels=("TOP", "D")))
    two = evaluate(gold, system, prm=Params(delete_labels=("TOP", "D")), executor=threads)
    assert two.to_dict() == one.to_dict()
    for a, b in zip(one.sentences, two.sentences):
        assert (a.number, a.bead, a.units, a.gold, a.system) == (b.number, b.bead, b.units, b.gold, b.system)
        assert (a.matched, a.missed, a.extra, a.crossing) == (b.matched, b.missed, b.extra, b.crossing)
        assert a.record == b.record
    assert two.report("html") == one.report("html")


def test_sums_of_a_part():
    gold, system = noisy_treebanks(13, 120, 0.3)
    for number in (1, 17, 60):
        run = Run(gold, system, Settings(metrics=()))
        results = iter(run)
        for _ in range(number):
            next(results)
        assert run.evaluation().total.beads.beads == number


def test_sums_alone(small, threads):
    gold, system = noisy_treebanks(13, 120, 0.3)
    run = Run(gold, system, Settings(), threads)
    assert sum(rows.size for rows in run.rows(no_rows)) == len(evaluate(gold, system).sentences)
    assert run.evaluation().total == evaluate(gold, system).total


def test_processes(tmp_path):
    gold, system = noisy_treebanks(2, 3000, 0.02)
    (tmp_path / "gold").write_text("\n".join(gold))
    (tmp_path / "sys").write_text("\n".join(system))
    with ProcessPoolExecutor(2) as pool:
        same(lambda: tmp_path / "gold", lambda: tmp_path / "sys", pool, metrics=())


@pytest.mark.parametrize("size", [workers.PIPE, -1])
def test_a_pool_takes_tasks_whatever_size_its_pipes_may_have(monkeypatch, size):
    monkeypatch.setattr(workers, "PIPE", size)
    with workers.process_pool(1) as pool:
        if sys.platform == "linux" and size > 0:
            import fcntl

            [worker] = pool._workers
            pipes = [pipe.fileno() for pipe in (worker._tasks, worker.results)]
            assert [fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) for pipe in pipes] == [size, size]
        # Longer than the pipes: neither side waits for the other.
        texts = [b"a" * 3_000_000] * 5
        answers = pool.map_calls(bytes.upper, ((text,) for text in texts))
        assert [answer for _, answer in answers] == [text.upper() for text in texts]


@pytest.mark.parametrize(
    "options", [[], ["--output", "json", "--metrics", "siou"], ["--quiet"], ["--view", "5"]]
)
def test_command(tmp_path, options):
    gold, system = noisy_treebanks(2, 600, 0.05)
    (tmp_path / "gold").write_text("\n".join(gold))
    (tmp_path / "sys").write_text("\n".join(system))
    one = jpevalb("gold", "sys", *options, cwd=tmp_path)
    two = jpevalb("gold", "sys", *options, "--jobs", "2", cwd=tmp_path)
    assert (two.stdout, two.stderr, two.returncode) == (one.stdout, one.stderr, one.returncode)
    assert one.returncode == 0
    assert one.stdout


def test_comparisons(small, threads):
    gold, system = noisy_treebanks(13, 120, 0.2)
    for settings in (
        Settings(metrics=()),
        Params(max_error=1000),
        discontinuous_settings(pair="order", on_error="skip"),
    ):
        systems = {"one": system if isinstance(settings, Settings) else gold, "two": gold[::-1]}
        one = compare(gold, systems, samples=50, settings=settings)
        two = compare(gold, systems, samples=50, settings=settings, executor=threads)
        assert two == one
        assert one.gold_sentences == 120


def test_bad_requests():
    for value in ("0", "-1", "many", "1.5"):
        done = jpevalb("gold", "sys", "--jobs", value)
        assert done.returncode == 2
        assert b"expected a whole number from 1" in done.stderr
    done = jpevalb("gold", "sys", "--jobs", "2", "--dask", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert b"leave out --jobs" in done.stderr
    with pytest.raises(SettingsError):
        evaluate([], [], format="unknown", executor=ThreadPoolExecutor(1))


@pytest.mark.parametrize("executor", [3, "dask", ThreadPoolExecutor])
def test_invalid_executors(executor):
    with pytest.raises(SettingsError, match=r"as executor; expected a concurrent\.futures\.Executor"):
        evaluate(["(S (X a))"], ["(S (X a))"], executor=executor)


def test_a_closed_executor():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(WorkerError, match="pass one that is not shut down"):
        evaluate(["(S (X a))"], ["(S (X a))"], executor=pool)


@pytest.mark.parametrize(
    "run",
    [
        evaluate,
        evaluate_with_gaps,
        lambda gold, system, **how: compare(gold, [system, gold], samples=10, **how),
    ],
)
def test_jobs_of_a_call(run):
    """A call that starts its own processes gives what one process gives."""
    gold = ["(S (NP (D the) (N cat)) (VP (V slept)))"] * 200
    system = ["(S (NP (D the)) (VP (N cat) (V slept)))"] * 200
    alone, found = run(gold, system), run(gold, system, jobs=2)
    assert found.to_dict() == alone.to_dict()
    assert found.report("text") == alone.report("text")
    with pytest.raises(SettingsError, match=r"^jobs=0; expected a whole number from 1$"):
        run(gold, system, jobs=0)
    with ThreadPoolExecutor(1) as pool, pytest.raises(SettingsError, match=r"^jobs and executor;"):
        run(gold, system, jobs=2, executor=pool)
