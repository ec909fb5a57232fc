"""Runs: what workers receive, output before an error, warnings, and detected formats."""

from __future__ import annotations

import weakref
from itertools import islice

import pytest

from jpevalb import JpevalbError, Params, Settings, TreeError, evaluate
from jpevalb.alignment.stream import TOGETHER
from jpevalb.base import files
from jpevalb.formats import bracket, lines as formats_lines
from jpevalb.score import run as run_module
from jpevalb.score.inputs import Input
from jpevalb.score.outcome import no_rows
from jpevalb.score.run import Run
from jpevalb.score.workers import WorkerPool
from tests.support.executors import Here
from tests.support.with_gaps import evaluate_with_gaps

pytestmark = pytest.mark.slow

TREE = "(S (NP (A a)) (X b))"


def sums(run):
    """Return the total of a run, and the first number and size of its chunks of rows."""
    rows = [(found.number, found.size) for found in run.rows(no_rows)]
    return run.tally.total, rows


def test_a_worker_needs_no_file_of_the_settings(tmp_path, monkeypatch):
    """It may be another machine."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "own.prm": "DELETE_LABEL X\n",
        "words.tsv": "cat\tdog\t# a reason\n",
        "zz-types": "one S NP\n",
    }
    settings = Settings(
        prm="own.prm", exceptions="words.tsv", node_types="./zz-types", metrics="nodes", pair="order"
    )
    for name in ("zz-types", "./zz-types"):
        for file, content in contents.items():
            (tmp_path / file).write_text(content)

        class Elsewhere(Here):
            def submit(self, function, *arguments):
                for file in contents:
                    (tmp_path / file).unlink(missing_ok=True)
                return super().submit(function, *arguments)

        how = settings.replace(node_types=name)
        expected, _ = sums(Run([TREE] * 3, [TREE] * 3, how))
        found, rows = sums(Run([TREE] * 3, [TREE] * 3, how, WorkerPool.of(Elsewhere())))
        assert not (tmp_path / "own.prm").exists()
        assert (found, rows) == (expected, [(1, 3)])
        # b is left out.
        assert found.tags.gold == 3


def test_rows_are_numbered_through(monkeypatch):
    monkeypatch.setattr(run_module, "FIRST_CHUNK", TOGETHER)
    monkeypatch.setattr(run_module, "CHUNK", 4 * TOGETHER)
    trees = [TREE.replace(" b", f" b{number}") for number in range(400)]
    alone, _ = sums(Run(trees, trees, Settings(pair="order")))
    here = Here()
    found, rows = sums(Run(trees, trees, Settings(pair="order"), WorkerPool.of(here)))
    assert found == alone
    assert len(rows) == len(here.done) > 2
    assert [number for number, _ in rows] == [1 + sum(size for _, size in rows[:k]) for k in range(len(rows))]
    assert sum(size for _, size in rows) == 400
    # The least size doubles; stretches in step are not cut.
    assert [size for _, size in rows] == [64, 64, 128, 128, 16]


def test_files_of_times_are_read_by_one_process(tmp_path):
    (tmp_path / "gold.ctm").write_text("1 1 0.0 0.2 a\n1 1 0.2 0.2 b\n")
    times = str(tmp_path / "gold.ctm")
    for sides in (["gold"], ["sys"], ["gold", "sys"]):
        settings = Settings(metrics="siou", **{f"{side}_times": times for side in sides})
        here = Here()
        found, _ = sums(Run([TREE], [TREE], settings, WorkerPool.of(here)))
        assert here.done == []
        assert found["siou"] == sums(Run([TREE], [TREE], settings))[0]["siou"]
    # That they are of another recording is said.
    words = [f"(S {' '.join(f'(N w{place})' for place in range(12))})"]
    (tmp_path / "gold.ctm").write_text("".join(f"1 1 {place} 1 v{place}\n" for place in range(12)))
    found = evaluate(words, words, metrics="siou", gold_times=times, sys_times=times)
    assert [line for line in found.warnings if "12 of 12 words differ from those of the trees" in line]


@pytest.mark.parametrize("executor", [None, Here])
def test_sentences_before_an_error_are_scored(executor):
    gold = [TREE] * 20 + ["(S (N a"]
    run = Run(gold, [TREE] * 21, Settings(pair="order"), executor and WorkerPool.of(executor()))
    results = iter(run)
    # A stretch of sixteen is whole before the error is met.
    assert [next(results).number for _ in range(16)] == [*range(1, 17)]
    with pytest.raises(TreeError, match="not closed"):
        list(results)


def test_texts_travel_to_workers(tmp_path):
    (tmp_path / "gold").write_text(f"{TREE}\n" * 3)
    for pair in ("order", "align"):
        here = Here()
        sums(Run(tmp_path / "gold", tmp_path / "gold", Settings(pair=pair), WorkerPool.of(here)))
        ((_, chunk), _), *_ = here.done
        (stretch,) = chunk
        assert [[one.line[1] for one in side] for side in stretch[:2]] == [[f"{TREE}\n".encode()] * 3] * 2


def test_warnings_of_words_by_the_way_of_pairing():
    one, other = ["(S (N abcdefgh) (N ijklmnop))"], ["(S (N abcdefgx) (N ijklmnox))"]
    assert evaluate(one, other, pair="align").warnings == ()
    (line,) = evaluate(one, other, pair="order").warnings
    assert line.startswith("2 of 2 words differ from the gold words beside them; ")
    unlike = ["(S (N xxxx) (N yyyy))"]
    assert evaluate(one, unlike, unlike="alone").warnings == (
        "1 of 1 gold sentences and 1 of 1 system sentences have no counterpart; "
        "the files are probably not of the same text",
    )


def test_labels_to_leave_out_that_no_file_has():
    for function, what in (
        (evaluate, "a DELETE_LABEL of the .prm: Y Z"),
        (evaluate_with_gaps, "among those to leave out: Y Z"),
    ):
        for labels, count in ((("Z", "Y"), 1), (("X", "Y"), 0)):
            found = function([TREE], [TREE], prm=Params(delete_labels=labels)).warnings
            assert list(found) == [f"no label or tag of either file is {what}"] * count


def test_tags_of_punctuation_are_of_no_prm():
    tags = Settings(convention="discontinuous", pair="align", punctuation="Y")
    expected = ["no label or tag of either file is among those to leave out: Y"]
    run = Run([TREE], [TREE], tags)
    assert [*run.evaluation([*run]).warnings] == expected


def test_files_of_different_texts():
    def warnings(gold, system, **options):
        return [line.partition(";")[0] for line in evaluate(gold, system, **options).warnings]

    one, other = ["(S (N ab))"], ["(S (N xy))"]
    for unlike, said in ((7, []), (8, ["8 of 14 pairs are of texts that are not similar"])):
        assert warnings(one * 14, other * unlike + one * (14 - unlike)) == said
    words = [f"(S (N alpha{n}) (N beta{n}) (N gamma{n}))" for n in range(6)]
    assert warnings(words, words[:3]) == []
    assert warnings(words, words[:2]) == ["4 of 6 gold sentences have no counterpart"]
    assert warnings(words[:2], words) == ["4 of 6 system sentences have no counterpart"]
    pairs = ["(S (N a) (N b))"] * 4
    changed = ["(S (N x) (N y))"] * 2
    # Five words of eight are other ones; of four no more than half.
    mixed = [*changed, "(S (N a) (N z))", pairs[0]]
    (line,) = evaluate(pairs, mixed, pair="order").warnings
    assert line.startswith("5 of 8 words differ from the gold words beside them; ")
    assert warnings(pairs, changed + pairs[:2], pair="order") == []


@pytest.mark.parametrize(
    ("settings", "gold", "system"),
    [
        ({}, ["bracket", "export", "jsonl", None], ["bracket", "export", "jsonl", None]),
        # A separator is for files only.
        ({"separator": "=="}, ["bracket", "export", "jsonl", None], ["answers"] * 3),
        ({"separator": "==", "sys_format": "jsonl"}, ["bracket", "export", "jsonl", None], ["jsonl"] * 3),
        # Brackets with repair=True are answers. The format of a pipe is detected by its content.
        ({"repair": True}, ["bracket", "export", "jsonl", None], ["answers", "answers", "jsonl", None]),
        ({"repair": True, "sys_format": "export"}, ["bracket", "export", "jsonl", None], ["export"] * 4),
        ({"repair": True, "sys_format": "bracket"}, ["bracket", "export", "jsonl", None], ["answers"] * 4),
        ({"format": "discbracket"}, ["discbracket"] * 4, ["discbracket"] * 4),
    ],
)
def test_detected_formats_of_sources(settings, gold, system, tmp_path):
    for name, text in (
        ("bracket", TREE),
        ("export", "#BOS 1\na\tN\t--\t--\t0\n#EOS 1\n"),
        ("jsonl", '{"output": "(S (N a))"}\n'),
    ):
        (tmp_path / name).write_text(text)
    sources = [*[tmp_path / name for name in ("bracket", "export", "jsonl")], [TREE]]
    made = Settings(**settings)
    assert [Input(source, "gold", made).format for source in sources] == gold
    assert [Input(source, "sys", made).format for source in sources[: len(system)]] == system
    assert Input(tmp_path / "not there", "gold", made).format == gold[-1]


LINES = [f"(S (NP (D the) (N n{number})) (VP (V saw) (N m{number})))" for number in range(40)]
OTHER = [line.replace("(VP (V saw)", "(VP (X saw)") for line in LINES]


@pytest.mark.parametrize("options", [{}, {"pair": "order"}, {"on_error": "skip"}])
@pytest.mark.parametrize("place", [0, 7, 39])
@pytest.mark.parametrize(
    "line",
    [
        "",
        "(S (N other) (N words))",
        "(S (N not",
        "# no tree",
        "(S (N a)) (S (N b))",
        " (S (N a))",
        "(S \xff)",
        None,
    ],
)
def test_lines_on_workers_give_what_one_process_gives(tmp_path, monkeypatch, line, place, options):
    monkeypatch.setattr(run_module, "FIRST_CHUNK", 7)
    monkeypatch.setattr(run_module, "CHUNK", 16)
    for module, name in ((bracket, "SAMPLE_BYTES"), (files, "_BUFFER"), (formats_lines, "BLOCK")):
        monkeypatch.setattr(module, name, 90)
    changed = OTHER[:place] + ([] if line is None else [line]) + OTHER[place + 1 :]
    for name, lines in (("gold", LINES), ("sys", changed)):
        (tmp_path / name).write_bytes("".join(f"{line}\n" for line in lines).encode("latin-1"))
    for sides in (("gold", "sys"), ("sys", "gold")):
        found = []
        for executor in (None, Here()):
            try:
                paths = [str(tmp_path / side) for side in sides]
                result = evaluate(*paths, executor=executor, **options)
                found.append((result.to_dict(), result.warnings, [one.details() for one in result.sentences]))
            except JpevalbError as error:
                found.append((type(error), str(error)))
        assert found[0] == found[1]


def test_pairs_that_the_caller_drops_take_no_memory():
    """A comparison reads many systems in step; those that wait would keep the caches of their pairs."""
    settings = Settings(convention="jpevalb")
    gold, system = [Input(["(S (N a) (N b))"] * 9, side, settings) for side in ("gold", "sys")]
    results = Run(gold, system, settings).results(kept=False)
    pairs = [weakref.ref(one.pair) for one in islice(results, 5)]
    next(results)
    assert [pair() for pair in pairs] == [None] * 5
