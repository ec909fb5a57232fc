"""Traces: words tagged -NONE- that only one of the two files has."""

from __future__ import annotations

import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from jpevalb import (
    Evaluator,
    InputError,
    Params,
    Settings,
    SettingsError,
    Tree,
    compare,
    evaluate,
    write,
)
from jpevalb.base import files
from jpevalb.score.inputs import Input
from jpevalb.score.prepared import decide_preparation
from jpevalb.score.signature import signature_of
from jpevalb.trees.prepare import EMPTIES
from tests.support.commands import jpevalb
from tests.support.with_gaps import evaluate_with_gaps, matches_of

# S, VP and PP match; gold's NP over the trace has no counterpart once that counts.
GOLD = "(S (NP (NN a)) (VP (VB b) (NP (-NONE- *T*)) (PP (IN c))))"
SYSTEM = "(S (NP (NN a)) (VP (VB b) (PP (IN c))))"
SAID = "alone has words tagged -NONE- ("
DROPPED = (4, 4, 4, 3)
"""Matched, gold and system constituents, and gold words."""


def counts(found):
    brackets, tags = found.total.brackets, found.total.tags
    return brackets.matched, brackets.gold, brackets.system, tags.gold


def many(first: str, last: str) -> list[str]:
    """A file whose only odd sentence is its last one."""
    return [first] * 40 + [last]


def test_traces_of_gold_only_are_removed():
    found = evaluate([GOLD], [SYSTEM])
    assert counts(found) == DROPPED
    assert found.settings.traces == "drop"
    assert signature_of(found.settings).endswith(" traces:drop")
    assert [line for line in found.warnings if SAID in line] == [
        "gold alone has words tagged -NONE- (1 word); they are removed; use traces='keep' to count them"
    ]
    assert found.total.sentences.length == 3


def test_traces_of_the_system_only_are_removed():
    found = evaluate([SYSTEM], [GOLD])
    assert counts(found) == DROPPED
    assert "the system alone has words tagged -NONE- (1 word)" in found.warnings[0]


@pytest.mark.parametrize("traces", ["auto", "drop"])
@pytest.mark.parametrize("gold_has_them", [True, False])
def test_traces_of_one_side_are_removed_where_trees_are_standardised(traces, gold_has_them):
    sides = [
        ["(S (NP (-NONE- 1=*)) (NP (D 0=a) (N 3=b)) (VP (V 2=c)))"],
        ["(S (NP (D 0=a) (N 2=b)) (VP (V 1=c)))"],
    ]
    gold, system = sides if gold_has_them else reversed(sides)
    found = evaluate(gold, system, convention="discontinuous least:2", traces=traces)
    assert counts(found) == (2, 2, 2, 3)
    assert found.settings.traces == "drop"


def test_traces_of_both_count():
    found = evaluate([GOLD, SYSTEM], [SYSTEM, GOLD], pair="order")
    assert found.settings.traces == "auto"
    assert not found.warnings
    assert found.total.brackets.gold == 9
    assert counts(evaluate([GOLD], [GOLD])) == (5, 5, 5, 4)
    assert "traces" not in signature_of(evaluate([SYSTEM], [SYSTEM]).settings)


def test_it_is_decided_for_the_whole_file():
    """One trace in the last sentence of the system is enough for gold's to count from the first one on."""
    gold = many(GOLD, GOLD)
    assert counts(evaluate(gold, many(SYSTEM, SYSTEM)))[1] == 4 * 41
    assert counts(evaluate(gold, many(SYSTEM, GOLD)))[1] == 5 * 41


def test_traces_are_kept_or_dropped_as_asked():
    kept = evaluate([GOLD], [SYSTEM], traces="keep")
    assert (kept.total.brackets.gold, kept.total.tags.gold) == (5, 4)
    assert signature_of(kept.settings).endswith("traces:keep")
    assert counts(evaluate([GOLD], [GOLD], traces="drop")) == DROPPED
    assert evaluate([SYSTEM], [SYSTEM], traces="drop").warnings == ()
    assert evaluate_with_gaps([SYSTEM], [SYSTEM], traces="drop").warnings == ()
    with pytest.raises(SettingsError, match=r"^traces='some'; expected one of auto, keep, drop$"):
        Settings(traces="some")


def test_a_prm_that_deletes_them_leaves_nothing_to_decide():
    found = evaluate([GOLD], [SYSTEM], prm=Params(delete_labels=("-NONE-",)))
    assert counts(found) == DROPPED
    assert found.settings.traces == "auto"
    assert not found.warnings


def test_over_the_same_words():
    found = evaluate_with_gaps([GOLD], [SYSTEM])
    assert (
        matches_of(found.total).overall.tp,
        matches_of(found.total).overall.fn,
        matches_of(found.total).tags,
    ) == (4, 0, 3)
    assert found.signature.endswith("traces:drop")
    assert SAID in found.warnings[0]


@pytest.mark.parametrize("jobs", [None, 3])
def test_workers_decide_alike(jobs, tmp_path):
    for name, lines in (("gold", many(SYSTEM, GOLD)), ("sys", many(SYSTEM, SYSTEM))):
        (tmp_path / name).write_text("".join([line + "\n" for line in lines]))
    alone = evaluate(tmp_path / "gold", tmp_path / "sys")
    with ThreadPoolExecutor(jobs) as pool:
        shared = evaluate(tmp_path / "gold", tmp_path / "sys", executor=pool)
    assert shared.to_dict() == alone.to_dict()
    assert (alone.total.brackets.f1, alone.settings.traces) == (1.0, "drop")


@pytest.mark.parametrize(
    ("gold", "system", "dropped"),
    [(GOLD, SYSTEM, True), (SYSTEM, GOLD, True), (GOLD, GOLD, False), (SYSTEM, SYSTEM, False)],
    ids=["gold", "system", "both", "neither"],
)
def test_files_lists_and_pipes_decide_alike(gold, system, dropped, tmp_path):
    sides = []
    for name, text in (("gold", gold), ("sys", system)):
        (tmp_path / name).write_text(f"{text}\n" * 3)
        sides.append([text] * 3)
    files = [str(tmp_path / "gold"), str(tmp_path / "sys")]

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    def pipe(side):
        return Pipe(("\n".join(side) + "\n").encode())

    def binary(side):
        return io.BytesIO(("\n".join(side) + "\n").encode())

    expected = evaluate(*files).total.to_dict()
    for left, right in (
        sides,
        [[Tree.parse(text) for text in side] for side in sides],
        [binary(side) for side in sides],
        [io.StringIO("\n".join(side)) for side in sides],
        [files[0], pipe(sides[1])],
        [pipe(sides[0]), files[1]],
        [pipe(sides[0]), pipe(sides[1])],
        [pipe(sides[0]), sides[1]],
    ):
        found = evaluate(left, right)
        assert found.total.to_dict() == expected
        assert (found.settings.traces == "drop") == dropped
        assert [SAID in line for line in found.warnings] == [True] * dropped


def test_standard_input(tmp_path):
    (tmp_path / "gold").write_text(GOLD + "\n")
    done = jpevalb(
        "gold", "-", "--quiet", "--metrics", "brackets", cwd=tmp_path, stdin=SYSTEM.encode() + b"\n"
    )
    assert b"Bracketing FMeasure       = 100.00   100.00\n" in done.stdout
    assert b" traces:drop\n" in done.stdout
    assert done.stderr.count(b"\n") == 1
    assert SAID.encode() in done.stderr


def test_the_beginning_of_a_generator_decides():
    assert (
        counts(evaluate(iter([GOLD]), iter([SYSTEM]))) == counts(evaluate([GOLD], iter([SYSTEM]))) == DROPPED
    )
    assert counts(evaluate(iter([GOLD]), iter([GOLD]))) == (5, 5, 5, 4)


UNTAGGED = {
    "(S (NP (NN a)) (VP (VB b) (NP-OB1 *T*-1) (PP (IN c))))": SYSTEM,
    "(S (NP-SBJ *con*) (CP (C 0) (VP (VB b) (NP (NN a)))))": "(S (CP (VP (VB b) (NP (NN a)))))",
    "(S (SBAR 0 (VP (VB b) (NP (NN a)))))": "(S (SBAR (VP (VB b) (NP (NN a)))))",
    "(S (SBAR (WHNP 0) (VP (VB b) (NP (NN a)))))": "(S (SBAR (VP (VB b) (NP (NN a)))))",
}


@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
@pytest.mark.parametrize("gold", UNTAGGED)
def test_empty_elements_without_their_tag(gold, convention):
    system = UNTAGGED[gold]
    tagged = gold.replace("*T*-1", "(-NONE- *T*-1)").replace("*con*", "(-NONE- *con*)")
    tagged = tagged.replace(" 0", " (-NONE- 0)")
    for sides in ([gold, system], [system, gold]):
        found = evaluate([sides[0]], [sides[1]], convention=convention)
        assert found.f1 == 1
        assert [item.count for item in found.standardised if item.what == EMPTIES] == [
            gold.count("*con*") + 1
        ]
        assert counts(found) == counts(evaluate([tagged], [system], convention=convention))
    # On both sides they are words; so are the words that a text has.
    assert evaluate([gold], [gold], convention=convention).settings.traces == "auto"
    assert evaluate(["(S (UH *sigh*) (CD 0))"], ["(S (UH x) (CD 1))"]).settings.traces == "auto"


@pytest.mark.parametrize("gold", [GOLD, *UNTAGGED])
def test_an_evaluator_decides_as_a_run(gold):
    system = UNTAGGED.get(gold, SYSTEM)
    for left, right in (
        ([gold, gold], [system, system]),
        ([system, gold], [gold, system]),
        ([gold, gold], [gold, system]),
    ):
        parts = [Evaluator(), Evaluator()]
        for part, one, other in zip(parts, left, right):
            part.update(one, other)
        whole = Evaluator()
        whole.update(left, right)
        expected = evaluate(left, right, pair="order").total.brackets
        for found in (whole, sum(parts), pickle.loads(pickle.dumps(whole))):
            assert found.record.brackets == expected


def test_other_formats(tmp_path):
    trees = [[Tree.parse(GOLD)], [Tree.parse(SYSTEM)]]
    for format in ("discbracket", "export"):
        paths = [tmp_path / f"{side}.{format}" for side in ("gold", "sys")]
        for path, side in zip(paths, trees):
            write(side, path, format)
        assert evaluate_with_gaps(*paths).signature.endswith("traces:drop")
    word = ["(S (NP (NN -NONE-)))"]
    assert evaluate(word, ["(S (NP (NN x)))"]).settings.traces == "auto"
    wide = tmp_path / "wide"
    wide.write_text(GOLD + "\n", encoding="utf-16")
    assert counts(evaluate(wide, [SYSTEM], gold_encoding="utf-16")) == DROPPED


def test_systems_with_and_without_side_by_side():
    found = compare([GOLD] * 3, {"with": [GOLD] * 3, "without": [SYSTEM] * 3}, test=None, confidence=None)
    assert [one["f1"] for one in found.systems] == [1.0, 1.0]
    assert found.signature.split(" ")[:4] == signature_of(Settings(convention="jpevalb")).split(" ")
    assert "traces:drop" in found.signature.split(" ")
    assert SAID in found.systems[1].warnings[0]
    assert not found.systems[0].warnings


# -- which side alone has some, before anything is read -------------------------------------------


class Pipe(io.BytesIO):
    """A stream that cannot be rewound."""

    def seekable(self):
        return False


NEITHER, GOLD_ALONE, SYSTEM_ALONE, WATCH_GOLD, WATCH_SYSTEM = range(5)


def alone(gold, system, encoding=None):
    """Which side alone has traces, or may have."""
    settings = Settings(convention="jpevalb", encoding=encoding)
    inputs = Input(gold, "gold", settings), Input(system, "sys", settings)
    answers = (False, False), (True, False), (False, True), (None, False), (False, None)
    return answers.index(decide_preparation(settings, inputs)[1])


def test_a_pipe_may_have_traces_where_the_other_side_has_none():
    for make in (Pipe, io.BytesIO):
        piped = make is Pipe

        def one(text, make=make):
            return make(f"{text}\n".encode())

        assert alone(one(GOLD), [SYSTEM]) == (WATCH_GOLD if piped else GOLD_ALONE)
        assert alone([SYSTEM], one(GOLD)) == (WATCH_SYSTEM if piped else SYSTEM_ALONE)
        assert alone(one(SYSTEM), [SYSTEM]) == (WATCH_GOLD if piped else NEITHER)
        assert alone([GOLD], one(GOLD)) == NEITHER
        assert alone(one(SYSTEM), [GOLD]) == SYSTEM_ALONE
    assert alone(Pipe(f"{GOLD}\n".encode("utf-16")), [GOLD], "utf-16") == NEITHER


def failing(error):
    """An open file that cannot be searched."""

    class File(io.BytesIO):
        def readline(self, *_size):
            raise error

    return File(GOLD.encode())


def test_unknown_errors_are_left_to_the_run(tmp_path):
    """The reader finds the error itself, and reports it."""
    (tmp_path / "gold.gz").write_bytes(b"no gzip")
    closed = io.BytesIO()
    closed.close()
    for source in (
        *("not there", str(tmp_path), tmp_path / "gold.gz", closed),
        *map(failing, (OSError("x"), EOFError("x"), ValueError("x"), AttributeError("x"), InputError("x"))),
    ):
        assert alone(source, [SYSTEM]) == alone([SYSTEM], source) == alone(source, [GOLD]) == NEITHER


@pytest.mark.parametrize("size", range(1, 9))
def test_a_tag_that_is_cut_by_the_end_of_a_block_is_found(size, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_BUFFER", size)
    for name, text in (("with", GOLD), ("without", SYSTEM), ("word", "(S (NN -NONE-))\n(S (NP -NONE-x))")):
        (tmp_path / name).write_text(text)
    assert alone(tmp_path / "with", [SYSTEM]) == GOLD_ALONE
    assert alone(tmp_path / "without", [SYSTEM]) == alone(tmp_path / "word", [SYSTEM]) == NEITHER


def test_sentences_of_a_list():
    def leaves(*tags):
        words = [SimpleNamespace(label=tag, children=["a"]) for tag in tags]
        return SimpleNamespace(label="S", children=words)

    assert alone([leaves("NN"), leaves("DT", "-NONE-")], [SYSTEM]) == GOLD_ALONE
    assert alone([leaves("NN", "-LRB-", "_", "")], [SYSTEM]) == NEITHER
    assert alone([SYSTEM, GOLD.encode()], [SYSTEM]) == alone([Tree.parse(GOLD)], [SYSTEM]) == GOLD_ALONE
    assert alone([Tree.parse(SYSTEM), SimpleNamespace(pos="NN")], [GOLD]) == SYSTEM_ALONE
