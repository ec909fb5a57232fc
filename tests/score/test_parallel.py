"""Runs with workers give the rows, sums and errors of one process, in both modes."""

from __future__ import annotations

import gzip
import io
import random
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from jpevalb import (
    InputError,
    Params,
    Settings,
    SettingsError,
    Tree,
    TreeError,
    WorkerError,
    compare,
    evaluate,
    write,
)
from jpevalb.score import workers
from jpevalb.score.run import Run
from tests.support.commands import jpevalb
from tests.support.executors import Here, outcome
from tests.support.treebanks import gapped_tree, gapped_treebanks, noisy_treebanks
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps

pytestmark = pytest.mark.slow

GAPS = {"convention": "discontinuous"}


def same(gold, system, executor, format="json", **options):
    """Check that both give the same result; sources that are functions are called for each."""

    def result_of(*executors):
        sides = [side() if callable(side) else side for side in (gold, system)]
        return outcome(*sides, *(executors or [None]), format, **options)

    one = result_of()
    assert result_of(executor) == one
    return one


def lines_of(folder, gold, system, end="\n"):
    """Write a sentence a line."""
    for name, side in (("gold", gold), ("sys", system)):
        (folder / name).write_bytes(end.join(side).encode("utf-8", "surrogateescape"))
    return str(folder / "gold"), str(folder / "sys")


def files_of(folder, gold, system, format="export"):
    """Write trees with gaps."""
    for name, side in (("gold", gold), ("sys", system)):
        write(side, folder / f"{name}.{format}", format)
    return folder / f"gold.{format}", folder / f"sys.{format}"


def indented(sentence):
    return "( " + sentence.replace(" (VP", "\n    (VP").replace(" (NP", "\n    (NP") + " )"


# -- words and sentences that differ ---------------------------------------------------------------


@pytest.mark.parametrize(("seed", "noise"), [(0, 0.0), (0, 0.03), (1, 0.4), (2, 0.03)])
def test_files_of_one_tree_a_line(tmp_path, small, threads, noise, seed):
    gold, system = noisy_treebanks(seed, 250, noise)
    paths = lines_of(tmp_path, [*gold, *[""] * (2 * seed)], [*system, *[""] * (seed % 2)])
    for format in ("text", "json", "csv", "tsv", "markdown", "latex") if seed == 0 else ("text",):
        same(*paths, threads, format, metrics=("brackets",), by_label=seed % 2 == 1)


@pytest.mark.parametrize(
    ("windows", "lost", "noise"),
    [
        ((400, 2000), 20, 0.1),
        ((30, 60), 90, 0.1),
        ((30, 60), 230, 0.0),
    ],
)
def test_long_stretches_of_one_side(tmp_path, small, threads, monkeypatch, noise, lost, windows):
    # The short windows do not see over the longer gaps: then a step is open for long.
    monkeypatch.setattr("jpevalb.alignment.stream.WINDOWS", windows)
    gold, system = noisy_treebanks(11, 500, noise)
    other = noisy_treebanks(12, 200, noise)[0]
    del system[120 : 120 + lost]
    del gold[400 : 400 + lost // 3]
    for one, two in ((gold, system), (gold + other, other + system), (gold + other, system)):
        _, warnings, _, left_out, _ = same(*lines_of(tmp_path, one, two), threads, metrics=())
        assert left_out
        assert len(warnings) <= 1


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("layout", [lambda text: text, indented, lambda text: text.replace(" (VP", "\n(VP")])
@pytest.mark.parametrize("between", ["\n", "\n\n \n"])
def test_trees_over_several_lines(tmp_path, small, threads, noise, layout, between):
    gold, system = noisy_treebanks(7, 150, noise)
    # Two trees on one line, now and then: no stretch can begin at the second.
    texts = [layout(text) + (" " if place % 7 == 3 else between) for place, text in enumerate(gold)]
    paths = lines_of(tmp_path, ["".join(texts)], map(layout, system), between)
    same(*paths, threads, metrics=())


KINDS = {
    "strings": lambda lines, path: lines,
    "trees": lambda lines, path: iter([Tree.parse(text) for text in lines]),
    "mixed": lambda lines, path: (
        Tree.parse(text) if place % 2 else text.encode() for place, text in enumerate(lines)
    ),
    "text file": lambda lines, path: io.StringIO("\n".join(lines)),
    "binary file": lambda lines, path: io.BytesIO("\n".join(lines).encode()),
    "buffered": lambda lines, path: io.BufferedReader(io.BytesIO("\n".join(lines).encode())),
    "pipe": lambda lines, path: Pipe("\n".join(lines).encode()),
    "gzip": lambda lines, path: _written(path.with_suffix(".gz"), gzip.compress("\n".join(lines).encode())),
    **{
        encoding: lambda lines, path, encoding=encoding: _written(path, "\n".join(lines).encode(encoding))
        for encoding in ("latin-1", "utf-16", "utf-8-sig")
    },
}


class Pipe(io.BytesIO):
    def seekable(self):
        return False


def _written(path, data):
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("traces", ["auto", "keep"])  # pipes are searched for traces as they are read
@pytest.mark.parametrize("kind", KINDS)
def test_sources_of_every_kind(tmp_path, small, threads, kind, traces):
    gold, system = noisy_treebanks(3, 150, 0.1)
    encoding = kind if kind in ("latin-1", "utf-16") else None
    same(
        lambda: KINDS[kind](gold, tmp_path / "gold"),
        lambda: KINDS[kind](system, tmp_path / "sys"),
        threads,
        encoding=encoding,
        traces=traces,
    )


# -- errors ----------------------------------------------------------------------------------------

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
    found = same(*lines_of(tmp_path, gold, system), threads, "text", on_error=on_error, metrics=())
    assert found[0]
    assert (on_error == "stop") == (isinstance(found[1], type) and issubclass(found[1], TreeError))
    if damage != "not UTF-8":
        same(gold, system, threads, on_error=on_error, metrics=())


def test_a_generator_that_fails(small, threads):
    gold, system = noisy_treebanks(5, 100, 0.0)

    def failing():
        yield from system[:70]
        raise TreeError("this far and no further")

    found = same(gold, failing, threads, "text", metrics=())
    assert found[1:] == (TreeError, "this far and no further")
    # All that came before it stands in the report.
    assert len(found[0].splitlines()) == 3 + 70


def test_files_that_are_not_there(tmp_path, threads):
    for name, data in (("gold", "(S (X a))\n"), ("damaged", "(S (X a)\n"), ("empty", "")):
        (tmp_path / name).write_text(data)
    (tmp_path / "wide").write_text("(S (X a))\n", encoding="utf-16")
    for pair in (
        *(("gold", "none"), ("none", "gold"), ("damaged", "none"), ("gold", "wide"), ("empty", "gold")),
        *(("gold", "empty"), ("empty", "empty"), ("gold", ".")),
    ):
        same(*[str(tmp_path / name) for name in pair], threads)


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("place", [30, 101])
def test_damaged_export_files(tmp_path, small, threads, on_error, place):
    """In the middle of what a worker gets, on either side of its end, and at the end of the file."""
    paths = files_of(tmp_path, *gapped_treebanks(6, 110))
    text = paths[1].read_text()
    begin, end = f"#BOS s{place}\n", f"#EOS s{place}\n"
    for damaged in (
        text.replace(end, ""),
        text.replace(begin, ""),
        text.replace(begin, f"{begin}only\ttwo\n"),
        text.replace(begin, f"{begin}more\tD\t--\t--\t0\n"),
        text.replace(begin, "#BOS s7\n").replace(end, "#EOS s7\n"),
        text.replace(begin, f"{begin}#BOSx\tN\t--\t--\t0\n"),
        text.replace(begin, f"#BOS s{place}\udcff\n"),
        text.replace(end, f"\udcff\n{end}"),
    ):
        assert damaged != text
        paths[1].write_bytes(damaged.encode("utf-8", "surrogateescape"))
        same(*paths, threads, **GAPS, on_error=on_error)


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("pair", ["order", "id", "auto"])
@pytest.mark.parametrize("places", [(2, 190), (100, 101), (198, 199)])
def test_a_repeated_id(tmp_path, small, threads, places, pair, on_error):
    paths = files_of(tmp_path, *gapped_treebanks(7, 200))
    first, second = places
    text = paths[1].read_text()
    for mark in ("#BOS", "#EOS"):
        text = text.replace(f"{mark} s{second + 1}\n", f"{mark} s{first + 1}\n")
    paths[1].write_text(text)
    found = same(*paths, threads, **GAPS, pair=pair, on_error=on_error)
    assert (found[1] is TreeError) == (on_error == "stop")
    assert on_error == "skip" or f"sentence 's{first + 1}': the id occurs twice" in found[2]


# -- trees with gaps -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["export", "discbracket"])
@pytest.mark.parametrize("seed", range(3))
def test_trees_with_gaps(tmp_path, small, threads, format, seed):
    paths = files_of(tmp_path, *gapped_treebanks(seed, 200), format)
    for options in (
        {},
        {"convention": "discontinuous least:2 whole:drop-all", "punctuation": "D"},
        {"pair": "order"},
        {"punctuation": "X"},
    ):
        *_, sums = same(*paths, threads, **{**GAPS, **options})
        assert sums["total"]["brackets"]["sentences"] == 200


@pytest.mark.parametrize("pair", ["auto", "order"])
def test_missing_extra_and_moved_sentences(tmp_path, small, threads, pair):
    gold, system = gapped_treebanks(5, 240)
    rng = random.Random(1)
    del system[200:203], gold[40:45], system[17]
    system.insert(60, system.pop(150))
    system.insert(9, system.pop(10))
    system.append(gapped_tree(rng, "x1", ["a", "b"]))
    system.insert(0, gapped_tree(rng, "x2", ["a", "b"]))
    paths = files_of(tmp_path, gold, system)
    *_, sums = same(*paths, threads, **GAPS, pair=pair, on_error="skip")
    assert pair == "order" or (sums["states"]["missing"], sums["states"]["extra"]) == (4, 7)
    same(*paths, threads, **GAPS, pair=pair)


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_lines_of_trees_with_gaps(tmp_path, small, threads, on_error):
    paths = files_of(tmp_path, *gapped_treebanks(8, 200), "discbracket")
    lines = paths[1].read_text().splitlines()
    for change in (
        *({50: ""}, {120: "", 121: "(())", 122: ""}, {77: "(S"}, {199: "", 198: ""}, {60: lines[61]}),
    ):
        changed = [change.get(place, line) for place, line in enumerate(lines)]
        paths[1].write_text("\n".join(changed) + "\n")
        same(*paths, threads, **GAPS, on_error=on_error)
    for some in (lines[:150], [*lines, *lines[:50]]):
        paths[1].write_text("\n".join(some))
        same(*paths, threads, **GAPS)
    paths[1].write_text("\n".join(["(S (A a) (B b))"] * 300))
    text = "\n".join(["(S (A a) (B b))"] * 150 + ["(S (A a) (B b))\r"] * 150)
    paths[0].write_text(text, encoding="utf-8-sig")
    same(*paths, threads, **GAPS)


def test_no_id_in_both(tmp_path, small, threads):
    gold, system = gapped_treebanks(9, 100)
    system = [tree.replace(id=f"y{number}") for number, tree in enumerate(system)]
    found = same(*files_of(tmp_path, gold, system), threads, **GAPS)
    assert found[1] is TreeError
    assert "no sentence id is in both files" in found[2]


# -- results, processes and calls ------------------------------------------------------------------


def test_results_are_the_same_in_every_part(small, threads):
    gold, system = noisy_treebanks(13, 120, 0.3)
    gaps = gapped_treebanks(9, 100)
    prm = Params(delete_labels=("TOP", "D"))
    for sides, options in (((gold, system), {"prm": prm}), (gaps, GAPS)):
        one, two = evaluate(*sides, **options), evaluate(*sides, **options, executor=threads)
        assert two.to_dict() == one.to_dict()
        for a, b in zip(one.sentences, two.sentences):
            assert (a.number, a.bead, a.units, a.gold) == (b.number, b.bead, b.units, b.gold)
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
        assert run.evaluation().total.sentences.groups == number


def test_processes(tmp_path):
    paths = lines_of(tmp_path, *noisy_treebanks(2, 3000, 0.02))
    gaps = files_of(tmp_path, *gapped_treebanks(10, 400))
    with ProcessPoolExecutor(2) as pool:
        same(*paths, pool, metrics=())
        same(*gaps, pool, **GAPS)


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
    paths = lines_of(tmp_path, *noisy_treebanks(2, 600, 0.05))
    sides = [paths] if "siou" in options else [paths, files_of(tmp_path, *gapped_treebanks(10, 200))]
    for gold, system in sides:
        one, two = (jpevalb(gold, system, *options, "--jobs", jobs) for jobs in ("1", "2"))
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


@pytest.mark.parametrize("output", ["text", "json", "html", "csv"])
def test_standard_input(tmp_path, output):
    gold, system = (("\n".join(side) + "\n").encode() * 4 for side in noisy_treebanks(2, 400, 0.02))
    (tmp_path / "sys").write_bytes(system)
    alone, *others = (
        jpevalb("-", "sys", "--output", output, "--jobs", jobs, cwd=tmp_path, stdin=gold)
        for jobs in ("1", "3")
    )
    assert alone.returncode == 0
    for found in others:
        assert (found.stdout, found.stderr, found.returncode) == (alone.stdout, alone.stderr, 0)


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("place", [0, 30, 49])
def test_an_error_of_a_pair_ends_the_run(tmp_path, output, place):
    """Words that must be the same are compared by workers; the error is not taken for lines that are left."""
    gold = ["(S (N 0=a) (V 1=b))"] * 50
    system = [*gold[:place], "(S (N 0=a) (V 1=b) (V 2=c))", *gold[place + 1 :]]
    paths = lines_of(tmp_path, gold, system)
    one, two = (jpevalb(*paths, "--pair", "order", "--output", output, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.returncode == 1
    assert f"sentence {place + 1}: word 3 is 'c'".encode() in one.stderr
    assert (two.returncode, two.stdout, two.stderr) == (one.returncode, one.stdout, one.stderr)


def test_processes_search_for_traces(tmp_path):
    lines = ["(S (NP (D the) (N cat)) (VP (V sat)))"] * 40
    sides = {
        "plain": lines,
        "traces": [line.replace("(D the)", "(-NONE- *)") for line in lines],
        "word": [line.replace("sat", "-NONE-") for line in lines],
    }
    for name, side in sides.items():
        (tmp_path / name).write_text("\n".join(side))
    found = {}
    for gold in sides:
        for system in ("plain", "traces", "none"):
            paths, found[gold, system] = (tmp_path / gold, tmp_path / system), []
            for jobs in (1, 2):
                try:
                    result = evaluate(*paths, jobs=jobs)
                    found[gold, system].append((result.settings.traces, result.warnings, result.to_dict()))
                except InputError as error:
                    found[gold, system].append(str(error))
            alone, parallel = found[gold, system]
            assert alone == parallel
    pairs = ("traces", "plain"), ("plain", "traces"), ("traces", "traces"), ("word", "plain")
    assert [found[pair][1][0] for pair in pairs] == ["drop", "drop", "auto", "auto"]


def test_bad_requests():
    for value in ("0", "-1", "many", "1.5"):
        done = jpevalb("gold", "sys", "--jobs", value)
        assert done.returncode == 2
        assert b"expected a whole number from 1" in done.stderr
    tree = ["(S (X a))"]
    with pytest.raises(SettingsError, match="format='unknown'"):
        evaluate(tree, tree, format="unknown", executor=Here())
    for executor in (3, "dask", ThreadPoolExecutor):
        with pytest.raises(SettingsError, match=r"as executor; expected a concurrent\.futures\.Executor"):
            evaluate(tree, tree, executor=executor)
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(WorkerError, match="pass one that is not shut down"):
        evaluate(tree, tree, executor=pool)


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


def test_a_system_sentence_without_gold():
    """It has no pair, so the pairs of a chunk, which a page needs, do not count it."""
    gold, system = ["(S (NN a))", "(S (NN b))"], ["(S (NN a))", "(S (NN x))", "(S (NN b))"]
    alone, found = [evaluate(gold, system, convention="evalb", pair="words", jobs=jobs) for jobs in (1, 2)]
    assert found.report("html") == alone.report("html")
    assert [result.pair.status for result in found.sentences] == ["ok", "ok"]
