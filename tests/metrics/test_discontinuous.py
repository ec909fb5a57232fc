"""Discontinuous F1 of single pairs of trees: worked examples and laws; test_disco_oracle has the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from jpevalb import Params, SettingsError, Tree, TreeError
from jpevalb.alignment.pair import Matching, Pair
from jpevalb.formats.bracket import parse_discbracket
from jpevalb.kernels import implementation
from jpevalb.metrics.discontinuous import DiscontinuousCounts, MatchCounts, discontinuous_f1
from jpevalb.settings.rules import RunRules
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Constituent
from tests.support.random_trees import trees
from tests.support.with_gaps import discontinuous_settings

LABELS = ("S", "NP", "NP-SBJ", "NP=2", "VP", "TOP", "ROOT", "VROOT", "", "-NONE-", "X")
TAGS = ("N", "V", ",", "$.")


def disc(text: str) -> Tree:
    return parse_discbracket(text)


def compare(gold: Tree, system: Tree, **options) -> Matching:
    """Match the constituents of two trees over the same words."""
    labels = RunRules(discontinuous_settings(**options))
    sides = [Sentence(1, tree, tree) for tree in (gold, system)]
    return Pair.of_identical_words(*sides, labels).matching


def shown(item: Constituent) -> tuple[str, int, int]:
    return item.label, item.words, len(item.blocks)


@st.composite
def pairs(draw, max_words: int = 7, **options):
    """Two trees over the same words; the system's is sometimes gold's own."""
    gold = draw(trees(max_words=max_words, labels=LABELS, tags=TAGS, **options))
    n = len(gold.words)
    system = draw(
        st.one_of(
            st.just(gold),
            trees(max_words=n, min_words=n, words=st.just("?"), labels=LABELS, tags=TAGS, **options),
        )
    )
    return gold, Tree.build(system.labels, system.parents, gold.words, system.word_parents)


def blocks(words: frozenset[int]) -> int:
    return sum(word - 1 not in words for word in words)


@given(
    pairs(),
    st.booleans(),
    st.sampled_from(["", " least:2 whole:drop-all"]),
    st.sampled_from(["", " most-gaps:0", " most-gaps:1"]),
)
def test_constituents_are_those_that_are_counted(pair, unlabeled, trivial, gaps):
    options = {"unlabeled": unlabeled, "convention": f"discontinuous{trivial}{gaps}"}
    counted, compared = discontinuous_f1(*pair, **options).overall, compare(*pair, **options)
    found = len(compared.matched), len(compared.extra), len(compared.missed)
    assert found == (counted.tp, counted.fp, counted.fn)
    for mine, other in compared.matched:
        assert (mine.words, mine.blocks) == (other.words, other.blocks)
    for item in compared.missed + compared.extra:
        assert len(item.blocks) == blocks(frozenset(i for i in range(9) if item.words >> i & 1))


@given(pairs(continuous=True), st.booleans())
def test_trees_without_gaps_score_as_in_alignment_mode(pair, unlabeled):
    """The two modes count the same where trees have no gaps and the same words (VROOT aside)."""
    from jpevalb import evaluate

    gold, system = (
        Tree(
            tuple(label.replace("VROOT", "ROOT") for label in tree.labels),
            *[getattr(tree, name) for name in ("parents", "starts", "ends", "words", "word_parents")],
        )
        for tree in pair
    )
    found = discontinuous_f1(gold, system, unlabeled=False)
    expected = evaluate([gold], [system]).total
    assert found.discontinuous == MatchCounts()
    assert (found.overall.tp, found.overall.tp + found.overall.fn, found.overall.tp + found.overall.fp) == (
        expected.brackets.matched,
        expected.brackets.gold,
        expected.brackets.system,
    )
    assert found.exact == expected.brackets.complete
    assert found.sentence_f1 == expected.brackets.sentence_f1


# -- by hand ----------------------------------------------------------------------

GOLD = disc("(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))")


def counts(record: DiscontinuousCounts) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return tuple((c.tp, c.fp, c.fn) for c in (record.continuous, record.discontinuous))  # type: ignore


@pytest.mark.parametrize(
    ("system", "options", "expected"),
    [
        ("(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))", {}, ((2, 0, 0), (1, 0, 0))),
        # The label is wrong; the set of words is right.
        ("(S (XP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))", {}, ((2, 0, 0), (0, 1, 1))),
        (
            "(S (XP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))",
            {"unlabeled": True},
            ((2, 0, 0), (1, 0, 0)),
        ),
        # The discontinuous constituent comes out continuous: missed among those, extra among these.
        ("(S (VP (VB 0=wake) (NP (PRP 1=me)) (RP 2=up)) ($. 3=!))", {}, ((2, 1, 0), (0, 0, 1))),
        ("(X (VB 0=wake) (PRP 1=me) (RP 2=up) ($. 3=!))", {}, ((0, 1, 2), (0, 0, 1))),
        # Trivial constituents: NP is one word, S the whole sentence.
        (
            "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))",
            {"convention": "discontinuous least:2 whole:drop-all"},
            ((0, 0, 0), (1, 0, 0)),
        ),
        # Without the punctuation VP of three words is the whole sentence.
        (
            "(S (VP (VB 0=wake) (NP (PRP 1=me)) (RP 2=up)) ($. 3=!))",
            {"convention": "discontinuous least:2 whole:drop-all", "punctuation": "$."},
            ((0, 0, 0), (0, 0, 1)),
        ),
        (
            "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)) ($. 3=!))",
            {"convention": "discontinuous most-gaps:0"},
            ((2, 0, 0), (0, 0, 0)),
        ),
        # A unary chain: twice the same constituent where labelled, once where not.
        ("(S (NP (NP (PRP 1=me))) (VP (VB 0=wake) (RP 2=up)) ($. 3=!))", {}, ((2, 1, 0), (1, 0, 0))),
        (
            "(S (NP (NP (PRP 1=me))) (VP (VB 0=wake) (RP 2=up)) ($. 3=!))",
            {"unlabeled": True},
            ((2, 0, 0), (1, 0, 0)),
        ),
        # LABELED 0 is not the same: evalb's brackets are a multiset.
        (
            "(S (NP (NP (PRP 1=me))) (VP (VB 0=wake) (RP 2=up)) ($. 3=!))",
            {"prm": Params(labeled=False)},
            ((2, 1, 0), (1, 0, 0)),
        ),
        ("(S (VP (VB 0=wake) (RP 2=up)) (NX (PRP 1=me)) ($. 3=!))", {}, ((1, 1, 1), (1, 0, 0))),
        (
            "(S (VP (VB 0=wake) (RP 2=up)) (NX (PRP 1=me)) ($. 3=!))",
            {"prm": Params(eq_labels=(("NP", "NX"),))},
            ((2, 0, 0), (1, 0, 0)),
        ),
        # DELETE_LABEL goes through EQ_LABEL for brackets.
        (
            "(S (VP (VB 0=wake) (RP 2=up)) (NX (PRP 1=me)) ($. 3=!))",
            {"prm": Params(eq_labels=(("NP", "NX"),), delete_labels=("NX",))},
            ((1, 0, 0), (1, 0, 0)),
        ),
        # Function tags and indices are cut; virtual roots never count.
        ("(TOP (S-1 (VP=2 (VB 0=wake) (RP 2=up)) (NP-OBJ (PRP 1=me)) ($. 3=!)))", {}, ((2, 0, 0), (1, 0, 0))),
        ("(VROOT (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me))) ($. 3=!))", {}, ((1, 1, 1), (1, 0, 0))),
        (
            "(VROOT (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me))) ($. 3=!))",
            {"punctuation": ["$."]},
            ((2, 0, 0), (1, 0, 0)),
        ),
    ],
)
def test_by_hand(system, options, expected):
    assert counts(discontinuous_f1(GOLD, disc(system), **options)) == expected


def test_punctuation_closes_gaps():
    """A constituent whose only gap is a comma is continuous once the comma is taken out."""
    gold = disc("(S (NP (N 0=a) (N 2=b)) (, 1=,))")
    system = disc("(S (NP (N 0=a) (, 1=,) (N 2=b)))")
    assert counts(discontinuous_f1(gold, system)) == ((1, 1, 0), (0, 0, 1))
    assert counts(discontinuous_f1(gold, system, punctuation=",")) == ((2, 0, 0), (0, 0, 0))
    assert discontinuous_f1(gold, system, punctuation=",").tags == 2


def test_constituents_left_without_words_are_dropped():
    gold = disc("(S (N 0=a) (PX (, 1=,)))")
    assert counts(discontinuous_f1(gold, gold, punctuation=",")) == ((1, 0, 0), (0, 0, 0))
    assert counts(discontinuous_f1(gold, gold, punctuation=", N")) == ((0, 0, 0), (0, 0, 0))


def test_gold_tags_decide_which_words_are_punctuation():
    gold = disc("(S (N 0=a) (N 1=b) (, 2=,))")
    system = disc("(S (N 0=a) (, 1=b) (N 2=,))")
    record = discontinuous_f1(gold, system, punctuation=",")
    assert (record.tags, record.correct_tags, record.overall.f1) == (2, 1, 1.0)
    assert discontinuous_f1(gold, system, prm=Params(delete_labels=(",",))) == record


def test_traces_that_only_gold_has():
    gold = disc("(S (NP (-NONE- 0=*T*)) (VP (V 1=go)))")
    system = disc("(S (VP (V 0=go)))")
    with pytest.raises(TreeError, match=r"^word 1 is 'go', but '\*T\*' in gold \(1 word, gold 2\)"):
        discontinuous_f1(gold, system)
    record = discontinuous_f1(gold, system, prm=Params(delete_labels=("-NONE-",)))
    assert counts(record) == ((2, 0, 0), (0, 0, 0))


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        ("(S 0=a 1=b)", "(S 0=a 1=c)", r"word 2 is 'c', but 'b' in gold \(2 words, gold 2\)"),
        ("(S 0=a 1=b)", "(S 0=a)", r"word 2 is the end, but 'b' in gold \(1 word, gold 2\)"),
        ("(S 0=a)", "(S 0=a 1=b)", r"word 2 is 'b', but the end in gold \(2 words, gold 1\)"),
    ],
)
def test_words_that_differ(gold, system, message):
    with pytest.raises(TreeError, match=rf"^{message}; expected trees over the same words$"):
        discontinuous_f1(gold, system)


def test_words_that_are_equal_all_the_same():
    assert discontinuous_f1("(S 0=#LRB# 1=a)", "(S -LRB- a)").overall.f1 == 1
    assert (
        discontinuous_f1("(S 0=colour)", "(S 0=color)", prm=Params(eq_words=(("color", "colour"),))).exact
        == 1
    )


def test_tags():
    gold = disc("(S (N 0=a) (V 1=b) (X 2=c 3=d))")
    system = disc("(S (N 0=a) (X 1=b) (X 2=c 3=d))")
    record = discontinuous_f1(gold, system)
    assert (record.tags, record.correct_tags, record.tag_accuracy) == (2, 1, 0.5)
    assert discontinuous_f1(gold, system, prm=Params(eq_labels=(("X", "V"),))).correct_tags == 2


def test_undefined_figures():
    empty = discontinuous_f1("", "")
    assert empty == DiscontinuousCounts(sentences=1, exact=1)
    assert (empty.overall.f1, empty.overall.precision, empty.overall.recall) == (None, None, None)
    assert (empty.tag_accuracy, empty.sentence_f1, empty.exact_match) == (None, None, 1.0)
    assert DiscontinuousCounts().exact_match is None
    nothing = MatchCounts(0, 0, 3)
    assert (nothing.f1, nothing.precision, nothing.recall) == (0.0, None, 0.0)


def test_compare_shows_labels_as_they_count():
    system = disc("(S (VP-X (VB 0=wake) (RP 2=up) ($. 3=!)) (NP (PRP 1=me)))")
    compared = compare(GOLD, system, unlabeled=True)
    assert [shown(item) for item in compared.missed] == [("VP", 0b0101, 2)]
    assert [shown(item) for item in compared.extra] == [("VP", 0b1101, 2)]
    assert [(shown(mine), shown(other)) for mine, other in compared.matched] == [
        (("S", 0b1111, 1), ("S", 0b1111, 1)),
        (("NP", 0b0010, 1), ("NP", 0b0010, 1)),
    ]
    assert [str(item) for item in compared.missed + compared.extra] == ["VP[0,2]", "VP[0,2:4]"]


def test_large_trees():
    # Equal spans are compared with each other: without a compiler that takes minutes.
    n = 100_000 if implementation() == "compiled" else 2_000
    text = "(X " * n + "a" + ")" * n
    assert discontinuous_f1(text, text).overall.tp == n - 1  # the innermost is a tag
    wide = Tree.build(["S", "NP"], [-1, 0], ["w"] * n, [i % 2 for i in range(n)])
    assert (
        discontinuous_f1(wide, wide, convention=f"discontinuous most-gaps:{n // 2 - 1}").discontinuous.tp == 1
    )
    assert (
        discontinuous_f1(wide, wide, convention=f"discontinuous most-gaps:{n // 2 - 2}").discontinuous.tp == 0
    )
    n //= 5
    right = Tree.build(["X"] * n, list(range(-1, n - 1)), ["w"] * n, list(range(n)))
    assert discontinuous_f1(right, right).overall.tp == n - 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"convention": "discontinuous most-gaps:-1"},
            "rule most-gaps of a convention: '-1'; expected a whole number",
        ),
        ({"pair": "name"}, "pair='name'; expected one of align, order, id, words, auto"),
        ({"on_error": "go"}, "on_error='go'; expected one of stop, skip"),
        ({"unlabelled": True}, r"unknown option 'unlabelled'; did you mean 'unlabeled'\?"),
    ],
)
def test_options_that_mean_nothing(options, message):
    with pytest.raises(SettingsError, match=f"^{message}"):
        discontinuous_f1("", "", **options)
