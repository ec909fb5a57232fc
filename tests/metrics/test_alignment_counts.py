"""Alignment figures in reports: beads and units by kind, and unaligned words."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import assume, given, settings, strategies as st

from jpevalb import evaluate
from jpevalb.base.counts import Matched
from jpevalb.metrics.alignment import MOST_DIFFERING, AlignmentCounts, KindCounts, UnitCounts
from tests.support.with_gaps import spans_of


def counts(gold, system, **options) -> AlignmentCounts:
    gold, system = ([side] if isinstance(side, str) else side for side in (gold, system))
    return evaluate(gold, system, metrics="brackets", **options).total["alignment"]


CAT = "(S (NP (D the) (N cat)) (VP (V sat)))"
DOG = "(S (NP (D a) (N dog)) (VP (V ran)))"
BOTH = "(S (S (NP (D the) (N cat)) (VP (V sat))) (S (NP (D a) (N dog)) (VP (V ran))))"


@pytest.mark.parametrize(
    ("gold", "system", "kind", "brackets"),
    [
        ([CAT], [CAT], "one_to_one", (3, 3, 3)),
        ([CAT, DOG], [BOTH], "many_to_one", (6, 7, 6)),
        ([BOTH], [CAT, DOG], "one_to_many", (7, 6, 6)),
        ([CAT], [], "gold_only", (3, 0, 0)),
        ([], [CAT], "system_only", (0, 3, 0)),
        (["(())"], [CAT], "system_only", (0, 3, 0)),
        ([CAT], ["(())"], "no_parse", (3, 0, 0)),
        (["(())"], ["(())"], "one_to_one", (0, 0, 0)),
        (
            ["(S (A a) (B b) (C c))", "(S (D d) (E e))"],
            ["(S (A a) (B b))", "(S (C c) (D d) (E e))"],
            "many_to_many",
            (2, 2, 0),
        ),
    ],
)
def test_the_kinds_of_beads(gold, system, kind, brackets):
    # A run without a sentence on each side is an error, so each case has a pair without brackets before it.
    found = counts(["(A same)", *gold], ["(A same)", *system])
    assert {name: item for name, item in found.kinds.items() if item.groups} == {
        "one_to_one": KindCounts(1),
        kind: KindCounts(1 + (kind == "one_to_one"), *brackets),
    }
    assert (found.gold_sentences, found.system_sentences) == (1 + len(gold), 1 + len(system))
    assert found.shown == (gold != system)


def test_an_unreadable_sentence_counts_as_no_parse():
    result = evaluate([CAT, DOG], [CAT, "(S (NP"], on_error="skip")
    assert result.total["alignment"].kinds["no_parse"] == KindCounts(1, 3, 0, 0)
    assert (result.total.sentences.unaligned, spans_of(result, "unaligned")) == (0, [])
    assert spans_of(result, "no parse") == [(2, (1, 2), (1, 2))]
    text = result.report("text")
    assert "# no parse: gold sentence 2, system sentence 2\n" in text
    assert "# unaligned" not in text


@pytest.mark.parametrize(
    ("gold", "system", "units", "alone", "words"),
    [
        ("(S (A x) (B y))", "(S (A x) (B y))", (2, 0, 0), (0, 0), {}),
        ("(S (A colour) (B y))", "(S (A color) (B y))", (1, 1, 0), (0, 0), {("colour", "color"): 1}),
        ("(S (A can) (B not))", "(S (A cannot))", (0, 0, 1), (0, 0), {("can not", "cannot"): 1}),
        # In {H CL ~ CL} H has no counterpart, and CL is not re-segmented.
        ("(S (D H) (N CL))", "(S (N CL))", (1, 0, 0), (1, 0), {("H", ""): 1}),
        ("(S (N CL))", "(S (D H) (N CL))", (1, 0, 0), (0, 1), {("", "H"): 1}),
        (
            "(S (A so) (A so) (B good))",
            "(())",
            (0, 0, 0),
            (3, 0),
            {("so", ""): 2, ("good", ""): 1},
        ),
    ],
)
def test_units_and_words(gold, system, units, alone, words):
    found = counts(gold, system)
    assert found.units == UnitCounts(*units)
    assert (found.gold_words_alone, found.system_words_alone) == alone
    assert found.differing == words


SPLIT = st.lists(st.lists(st.sampled_from(["ab", "c", "de", "f", "gh"]), min_size=0, max_size=4), max_size=4)


def side(sentences):
    return [
        f"(S {' '.join(f'(NP (T {word}))' for word in words)})" if words else "(())" for words in sentences
    ]


@given(SPLIT, SPLIT)
@settings(max_examples=100, deadline=None)
def test_everything_is_in_one_kind(gold, system):
    """Beads, brackets, sentences and words: each is counted once."""
    assume(any(gold) and system)  # other runs have nothing to score
    result = evaluate(side(gold), side(system), metrics="brackets")
    total, found = result.total, result.total["alignment"]
    kinds = found.kinds.values()
    assert sum(item.groups for item in kinds) == total.sentences.groups
    assert Matched.sum([Matched(item.gold, item.system, item.matched) for item in kinds]) == Matched(
        total.brackets.gold, total.brackets.system, total.brackets.matched
    )
    assert (found.gold_sentences, found.system_sentences) == (total.sentences.gold, total.sentences.system)
    assert found == AlignmentCounts.sum([one.record["alignment"] for one in result.sentences])
    gold_words, system_words = (sum(map(len, sentences)) for sentences in (gold, system))
    for words, alone, place in (
        (gold_words, found.gold_words_alone, 0),
        (system_words, found.system_words_alone, 1),
    ):
        assert found.units.equal + found.units.changed + found.units.resegmented + alone <= words
        only = [times for key, times in found.differing.items() if not key[1 - place]]
        assert sum(only) == alone
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.groups_differing == sum(
        one.gold.words != one.system.words or len([*one.pair.gold_sentences, *one.pair.system_sentences]) != 2
        for one in result.sentences
    )


def test_equal_words_are_not_listed():
    result = evaluate([CAT, DOG], [CAT, "(S (D a) (NP (N dog) (V ran)))"])
    assert result.total["alignment"].kinds["one_to_one"] == KindCounts(2, 6, 5, 4)
    assert result.total["alignment"].units == UnitCounts(6)
    assert list(result.to_dict()["total"]["alignment"]["groups"]) == ["one_to_one"]
    for format in ("text", "markdown", "html"):
        assert "Beads 1:n" not in result.report(format)


def test_the_most_frequent_words_come_first():
    times = {("b", "c"): 2, ("a", "d"): 2, ("x", ""): 3}
    assert AlignmentCounts(differing=times).most(2) == [("x", "", 3), ("a", "d", 2)]


def test_json_has_the_twenty_most_frequent_words():
    found = AlignmentCounts(differing={(f"w{place:02}", ""): 30 - place for place in range(22)}).to_dict()
    assert [item["gold"] for item in found["words"]] == [f"w{place:02}" for place in range(20)]


def test_words_that_differ_in_case_alone_are_spelled_alike():
    found = counts(
        ["(S (A The) (B cat) (C sees) (D me))", "(S (A It) (B ran) (C can) (D not))"],
        ["(S (A the) (B cat) (C sees) (D we))", "(S (A it) (B ran) (C cannot))"],
    )
    # The and It are; me and we are not, and neither is "can not", which is two words.
    assert found.units == UnitCounts(3, 3, 1)
    assert found.spelled_alike == (5, 1)


@pytest.mark.slow
def test_texts_that_differ_are_bounded():
    """The first ones are kept with all of their counts, however the sentences are cut into chunks."""
    pairs = [(f"the{number}", f"thee{number}") for number in range(MOST_DIFFERING + 500)]
    records = [AlignmentCounts(differing={pair: 1}) for pair in pairs + pairs]
    whole = AlignmentCounts.sum(records)
    assert dict(whole.differing) == dict.fromkeys(pairs[:MOST_DIFFERING], 2)
    parts = [AlignmentCounts.sum(records[at : at + 300]) for at in range(0, len(records), 300)]
    assert AlignmentCounts.sum(parts) == whole
