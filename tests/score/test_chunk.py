"""Chunks: the pairs of a stretch, and rows in batches."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jpevalb import JpevalbError, Settings, evaluate
from jpevalb.alignment.stream import TOGETHER
from jpevalb.score.outcome import no_rows
from jpevalb.score.run import Run
from tests.support.executors import Here
from tests.support.with_gaps import evaluate_with_gaps


@pytest.mark.parametrize("count", [2, TOGETHER, 2 * TOGETHER + 3])
def test_results_come_in_batches_those_before_an_error_first(count):
    """Sentences in step and other sentences are in one batch."""
    gold = [f"(S (A a{number}) (B b{number}))" for number in range(count)]
    system = [text.replace("a", "ab") if number % 3 == 0 else text for number, text in enumerate(gold)]
    expected = [TOGETHER] * (count // TOGETHER) + [count % TOGETHER] * (count % TOGETHER > 0)
    assert [rows.size for rows in Run(gold, system, Settings()).rows(no_rows)] == expected
    rows = Run([*gold, "(S (A"], gold, Settings()).rows(no_rows)
    assert [next(rows).size for _ in expected] == expected
    with pytest.raises(JpevalbError, match=f"gold sentence {count + 1}"):
        next(rows)


def test_dissimilar_texts_whichever_comes_first_in_the_alphabet():
    one = "(S (A a) (X (B dog) (C barks)))"
    other = "(S (A x) (X (B yyg) (C zzzzz)))"
    for gold, system in ((one, other), (other, one)):
        result = evaluate(["(S (A the) (B cats))", gold], ["(S (A the) (B cats))", system])
        assert [(item.state, item.number, item.equal) for item in result.left_out] == [("unlike", 2, 1 / 9)]
        alone = evaluate([gold], [system], unlike="alone")
        assert [(one.bead.gold, one.bead.system, one.bead.aligned) for one in alone.sentences] == [
            *(((0, 1), (0, 0), False), ((1, 1), (0, 1), False))
        ]
    # Nothing in common at all.
    (item,) = evaluate(["(S (A aa) (B bb) (C cc))"], ["(S (A xx) (B yy) (C zz))"]).left_out
    assert (item.state, item.equal) == ("unlike", 0.0)


def test_beads_of_sentences_in_step():
    texts = [f"(S (A a{number}) (B b))" for number in range(4)]
    result = evaluate(texts, [*texts[:2], "", texts[3]], pair="order")
    assert [(one.bead.gold, one.bead.system, one.bead.aligned) for one in result.sentences] == [
        *(((0, 1), (0, 1), True), ((1, 2), (1, 2), True), ((2, 3), (2, 3), False), ((3, 4), (3, 4), True))
    ]
    assert (
        result.total.sentences.unaligned,
        result.total.sentences.gold_alone,
        result.total.sentences.system_alone,
    ) == (*(0, 0, 0),)


def test_beads_over_identical_words():
    texts = [f"(S (N a{number}) (N b))" for number in range(4)]
    result = evaluate_with_gaps(texts, texts[:2])
    assert [(one.bead.gold, one.bead.system, one.bead.aligned) for one in result.sentences] == [
        *(((0, 1), (0, 1), True), ((1, 2), (1, 2), True), ((2, 3), (0, 0), True), ((3, 4), (0, 0), True))
    ]
    extra = evaluate_with_gaps(texts[:2], texts)
    assert [tuple(item[:4]) for item in extra.left_out] == [
        *(("extra", 0, (0, 0), (2, 3)), ("extra", 0, (0, 0), (3, 4)))
    ]
    assert (extra.states["extra"], extra.n_sentences) == (2, 2)
    assert evaluate_with_gaps(texts[:2], texts, executor=Here()).left_out == extra.left_out


def test_short_sentences_and_unreadable_gold():
    gold = ["(S (N a) (N b))", "(S (N a))", "(S"]
    result = evaluate_with_gaps(
        gold, [*gold[:2], "(S (N a))"], convention="discontinuous words:2", on_error="skip"
    )
    assert {state: count for state, count in result.states.items() if count} == {"unreadable": 1, "short": 1}
    assert [one.status for one in result.sentences] == ["ok", "short", "unreadable"]


def test_sentences_that_cannot_be_read_are_counted_by_side():
    texts = ["(S (N a))"] * 3
    result = evaluate(texts, [texts[0], "(S", "(S"], pair="order", on_error="skip")
    beads = result.total.sentences
    assert (beads.gold_unparsed, beads.system_unparsed, beads.groups) == (0, 2, 3)
    assert [tuple(item[:4]) for item in result.left_out if item.state == "unreadable"] == [
        *(("unreadable", 2, (0, 0), (1, 2)), ("unreadable", 3, (0, 0), (2, 3)))
    ]


@pytest.mark.parametrize(("place", "seen"), [(50, True), (51, False)])
def test_labels_are_compared_in_the_first_fifty_pairs_also_on_workers(tmp_path, monkeypatch, place, seen):
    monkeypatch.setattr("jpevalb.score.run.FIRST_CHUNK", 36)  # the second chunk begins at line 19
    gold = [f"(S {'(NP (N a)) ' * 20})\n"] * 60
    system = [*gold[: place - 1], gold[0].replace("NP", "NP_X"), *gold[place:]]
    for name, lines in (("gold", gold), ("sys", system)):
        (tmp_path / name).write_text("".join(lines))
    files = str(tmp_path / "gold"), str(tmp_path / "sys")
    with ThreadPoolExecutor(2) as executor:
        found = [evaluate(*files, metrics="brackets", **how).warnings for how in ({}, {"executor": executor})]
    assert found[0] == found[1]
    assert [("without the suffix" in warning) for warning in found[0]] == [True] * seen
