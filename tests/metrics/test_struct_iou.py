"""Struct-IoU: worked examples, units, times, empty input and records."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from jpevalb.alignment.pair import Pair
from jpevalb.base.errors import SettingsError, TimingError
from jpevalb.metrics.struct_iou import (
    StructIou,
    StructIouCounts,
    axes,
    character_axes,
    overlap_mapping,
    struct_iou,
    struct_iou_counts,
    without_gaps,
)
from jpevalb.settings.settings import Settings
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Tree
from tests.support.rules import rules_of
from tests.support.tree_oracles import (
    best_overlap,
    both,  # noqa: F401
    close,
    constituents,
    random_bracket,
)

pytestmark = pytest.mark.usefixtures("both")

# Shi et al. 2024, Figure 1 and the times of the worked example.
GOLD = "(NT (NT I) (NT (NT am) (NT (NT a) (NT cat))))"
SYSTEM = "(NT (NT (NT 1) (NT 2)) (NT (NT 3) (NT (NT 4) (NT 5))))"
GOLD_TIMES = [(1.0, 1.5), (1.8, 2.0), (2.0, 2.2), (2.2, 3.0)]
SYSTEM_TIMES = [(1.0, 1.2), (1.2, 1.4), (1.8, 2.1), (2.1, 2.3), (2.3, 2.8)]

# "in the shade of them the pleasant": tokens of gold, and the tokens of a system that joins two of them.
HEBREW_GOLD = "(PP (IN ב) (NP (H ה) (NP (NN צל) (POS של) (PRP הם)) (ADJP (H ה) (JJ נעים))))"
HEBREW_SYSTEM = "(PP (IN ב) (NP (NN צל) (POS של) (PRP הם) (ADJP (JJ הנעים))))"

KOREAN_GOLD = "(S (NP (NNP 프랑스) (JKG 의)) (NP (NNG 세계)))"
KOREAN_SYSTEM = "(S (NP (NNP 프랑스의)) (NP (NNG 세계)))"


def test_the_pairs_of_a_bead(tmp_path):
    """There are none with times, which are read once, or with gaps."""
    gold, system = "(S (NP (D a) (N b)) (V c))", "(S (D a) (NP (N b) (V c)))"
    labels = rules_of()

    def pair(*trees):
        return Pair.of_identical_words(*[Sentence(1, tree, tree) for tree in trees], labels)

    bead = pair(Tree.parse(gold), Tree.parse(system))
    metric = StructIou(Settings(), labels)
    pairs = [(0, 0), (2, 1), (3, 3), (4, 4)]
    found = metric.mapping(bead)
    assert ([*found.pairs], found.gold_only) == (pairs, (1,))
    gap = Tree.build(["S", "X"], [-1, 0], ["a", "b", "c"], [1, 0, 1])
    assert metric.mapping(pair(gap, gap)) is None
    times = tmp_path / "a.ctm"
    times.write_text("r 1 0 1 a\nr 1 1 1 b\nr 1 2 1 c\n")
    for side in ("gold_times", "sys_times"):
        timed = StructIou(Settings(**{side: str(times)}), labels)
        assert timed.mapping(bead) is None


class TestWorkedExamples:
    def test_speech(self):
        score = struct_iou(GOLD, SYSTEM, gold_times=GOLD_TIMES, system_times=SYSTEM_TIMES)
        assert round(score, 4) == 0.6073
        one = constituents(Tree.parse(GOLD), [(Fraction(a), Fraction(b)) for a, b in GOLD_TIMES])
        two = constituents(Tree.parse(SYSTEM), [(Fraction(a), Fraction(b)) for a, b in SYSTEM_TIMES])
        assert close(score, 2 * best_overlap(one, two) / 16)

    def test_hebrew(self):
        # Characters: gold 1 1 2 2 2 1 4, system 1 2 2 2 5, so gold's 13 are stretched by 12 and vice versa.
        gold, system = Tree.parse(HEBREW_GOLD), Tree.parse(HEBREW_SYSTEM)
        axis1, axis2 = character_axes(gold.words, system.words)
        assert axis1[1] == [12, 24, 48, 72, 96, 108, 156]
        assert axis2[1] == [13, 39, 65, 91, 156]
        one = constituents(gold, list(zip(*axis1)))
        two = constituents(system, list(zip(*axis2)))
        score = struct_iou(gold, system, unit="char")
        assert close(score, 2 * best_overlap(one, two) / (len(one) + len(two)))
        assert round(score, 4) == 0.6457
        assert struct_iou(gold, system, unit="auto") == score
        assert struct_iou(gold, gold, unit="auto") == 1

    def test_korean(self):
        # 3 + 1 + 2 syllables on both sides, so nothing is stretched: S, NP, NP and 세계 match whole,
        # 프랑스의 overlaps 프랑스 by three quarters and 의 is left over.
        assert struct_iou(KOREAN_GOLD, KOREAN_SYSTEM, unit="char") == 2 * 4.75 / 11
        found = overlap_mapping(KOREAN_GOLD, KOREAN_SYSTEM, unit="char")
        assert found.overlaps == (1, 1, 0.75, 1, 1)
        assert found.gold_only == (3,)

    def test_korean_decomposed(self):
        import unicodedata

        decomposed = unicodedata.normalize("NFD", KOREAN_SYSTEM)
        assert len(decomposed) > len(KOREAN_SYSTEM)
        assert struct_iou(KOREAN_GOLD, decomposed, unit="char") == 2 * 4.75 / 11


class TestTerminals:
    def test_flexible_and_strict(self):
        gold, system = "(S (A a) (B b))", "(S (A a) (C b))"
        assert struct_iou(gold, system) == 1
        assert struct_iou(gold, system, strict_terminals=True) == 2 / 3

    def test_a_preterminal_may_be_a_phrase(self):
        # The preterminal and the phrase over it: two nodes against one.
        gold, system = "(S (NP (N a) (N b)) (V c))", "(S (X ab) (V c))"
        assert struct_iou(gold, system, unit="char") == 2 * 3 / 8
        assert struct_iou(gold, system, unit="char", strict_terminals=True) == 2 * 2 / 8

    def test_phrases_need_equal_labels(self):
        assert struct_iou("(S (NP (N a) (N b)))", "(S (VP (N a) (N b)))") == 2 * 3 / 8


class TestEmptyCases:
    @pytest.mark.parametrize(
        ("gold", "system", "score"),
        [
            ("", "", None),
            ("()", "(S)", None),
            ("(S (A a))", "", 0),
            ("", "(S (A a))", 0),
            ("(S (NP) (A a))", "(S (A a))", 1),
            ("(S a)", "(S a)", 1),
        ],
    )
    def test_scores(self, gold, system, score):
        assert struct_iou(gold, system) == score
        counts = struct_iou_counts(gold, system)
        assert counts.mean == counts.corpus == score
        assert counts.sentences == (score is not None)

    def test_nodes_over_no_time_overlap_nothing_and_count(self):
        times = [(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)]
        tree = "(S (A a) (B (C b)) (D c))"
        # S, A and D overlap whole; B and C have no length on either side.
        assert struct_iou(tree, tree, gold_times=times) == 2 * 3 / 10
        assert struct_iou_counts(tree, tree, gold_times=times).gold == 5
        assert struct_iou("(A a)", "(A a)", gold_times=[(1.0, 1.0)]) == 0

    def test_roots(self):
        gold, system = "(ROOT (S (A a)))", "(TOP (ROOT (X (A a))))"
        assert struct_iou(gold, system, strict_terminals=True) == 2 * 2 / 7
        assert struct_iou(gold, system, drop_roots=True) == 2 * 1 / 4
        assert struct_iou("(TOP (A a))", "( (A a))", drop_roots=True) == 1
        assert struct_iou_counts("(TOP (A a))", "(A a)", drop_roots=True).gold == 1
        # A root over words alone is a root; one that is a preterminal is none.
        assert struct_iou_counts("(TOP a b)", "(TOP a)", drop_roots=True) == StructIouCounts.of(0, 0, 1)


class TestUnits:
    def test_auto_is_word_where_the_words_are_the_same(self):
        # The two NP are worth more than c, which cannot be below them and beside them.
        gold, system = "(S (NP (NP (A aaaa) (B b))) (C c))", "(S (NP (NP (A aaaa) (B b) (C c))))"
        assert close(struct_iou(gold, system), 2 * (3 + 2 * 2 / 3) / 12)
        assert close(struct_iou(gold, system, unit="char"), 2 * (3 + 2 * 5 / 6) / 12)
        assert struct_iou(gold, system, unit="auto") == struct_iou(gold, system)

    @pytest.mark.parametrize(("gold", "system"), [("(S a bc)", "(S ab c)"), ("(S ab c)", "(S a bc)")])
    def test_auto_is_char_where_the_words_differ(self, gold, system):
        trees = Tree.parse(gold), Tree.parse(system)
        assert axes(*trees, unit="auto") == axes(*trees, unit="char")

    def test_words_of_different_number_share_the_beginning_of_the_axis(self):
        assert struct_iou("(S (A a) (B b))", "(S (A a))") == 2 * 1.5 / 5

    def test_unknown(self):
        with pytest.raises(SettingsError, match="unknown unit 'byte'; expected 'word', 'char' or 'auto'"):
            struct_iou("(S a)", "(S a)", unit="byte")

    def test_a_sentence_of_empty_words(self):
        tree = Tree.build(["S"], [-1], ["", ""], [0, 0])
        assert struct_iou(tree, "(S a)", unit="char") == 0

    def test_nothing_is_stretched_where_the_lengths_agree(self):
        one, two = axes(Tree.parse("(S ab c)"), Tree.parse("(S a bc)"), unit="char")
        assert one == ([0, 2], [2, 3])
        assert two == ([0, 1], [1, 3])


class TestTimes:
    def test_one_side_is_enough_where_the_words_are_the_same(self):
        gold, system = "(S (A a) (NP (B b) (C c)))", "(S (NP (A a) (B b)) (C c))"
        times = [(0.0, 0.5), (0.75, 1.0), (1.0, 2.0)]
        assert struct_iou(gold, system, gold_times=times) == struct_iou(
            gold, system, gold_times=times, system_times=times
        )
        assert struct_iou(gold, system, system_times=times) == struct_iou(gold, system, gold_times=times)
        with pytest.raises(SettingsError, match="only the gold words have times, and the words differ"):
            struct_iou(gold, "(S (A a))", gold_times=times)

    @pytest.mark.parametrize(
        ("times", "message"),
        [
            ([(0, 1)], "got 1 time for 2 gold words; expected one (start, end) per word"),
            (
                [(0, 1), (1, 0.5)],
                "gold word 2 ('b') begins at 1 s and ends at 0.5 s; expected start <= end",
            ),
            (
                [(1, 2), (0.5, 3)],
                "gold word 2 ('b') begins at 0.5 s, before word 1 ('a', 1 to 2 s) ends; "
                "expected words in order",
            ),
            (
                [(1, 2), (1.9, 3)],
                "gold word 2 ('b') begins at 1.9 s, before word 1 ('a', 1 to 2 s) ends; "
                "expected words in order",
            ),
            (
                [(0, 0.5), (3, 3.01), (2.995, 4)],
                "gold word 3 ('c') begins at 2.995 s, before word 2 ('b', 3 to 3.01 s) ends; "
                "expected words in order",
            ),
            ([(0, 1), (1, math.nan)], "gold word 2 ('b') lies from 1.0 to nan; expected finite seconds"),
            ([(0, 1), (1, math.inf)], "gold word 2 ('b') lies from 1.0 to inf; expected finite seconds"),
            ([(0, 1), 3], "gold word 2 ('b') has the time 3; expected (start, end) in seconds"),
            (
                [(0, 1), (1, 2, 3)],
                "gold word 2 ('b') has the time (1, 2, 3); expected (start, end) in seconds",
            ),
        ],
    )
    def test_errors(self, times, message):
        tree = "(S a b c)" if len(times) == 3 else "(S a b)"
        with pytest.raises(TimingError) as caught:
            struct_iou(tree, tree, gold_times=times)
        assert str(caught.value) == message

    def test_overlaps_from_rounding_are_closed(self):
        found, _ = axes(Tree.parse("(S a b)"), Tree.parse("(S a b)"), gold_times=[(0.0, 1.01), (1.0, 2.0)])
        assert found == ([0.0, 1.0], [1.0, 2.0])
        tree = Tree.parse("(S a b c)")
        found, _ = axes(tree, tree, gold_times=[(0.0, 1.0), (1.0, 2.01), (2.0, 3.0)])
        assert found == ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])

    def test_silence_of_each_side_goes(self):
        """Footnote 4 of the paper: all time between words, on either side."""
        gold, system = "(S (NP (NP (A a) (B b))) (C c))", "(S (NP (NP (A a) (B b) (C c))))"
        pauses = [(0.0, 1.0), (11.0, 12.0), (12.0, 13.0)]
        later = [(5.0, 6.0), (6.0, 7.0), (9.5, 10.5)]
        assert without_gaps(tuple(list(one) for one in zip(*pauses))) == ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
        times = {"gold_times": pauses, "system_times": later}
        dropped = struct_iou(gold, system, **times, silence="drop")
        # Both sides are spoken from 0 to 3 s, a word a second.
        assert close(dropped, 2 * (3 + 2 * 2 / 3) / 12)
        assert dropped != struct_iou(gold, system, **times, silence="shared")
        assert struct_iou(gold, system, **times, silence="keep") == struct_iou(gold, system, **times)
        with pytest.raises(SettingsError, match="silence can be removed only if the words have times"):
            struct_iou(gold, system, silence="shared")
        with pytest.raises(SettingsError, match="unknown silence 'x'; expected one of keep, drop, shared"):
            struct_iou(gold, system, **times, silence="x")


class TestRecords:
    def test_sums_do_not_depend_on_the_grouping(self):
        rng = random.Random(5)
        trees = [(random_bracket(rng, 12), random_bracket(rng, 11)) for _ in range(30)]
        records = [struct_iou_counts(*pair) for pair in trees]
        total = StructIouCounts.sum(records)
        shuffled = list(records)
        rng.shuffle(shuffled)
        assert sum(shuffled, StructIouCounts.zero()) == total
        parts = [StructIouCounts.sum(records[i : i + 7]) for i in range(0, 30, 7)]
        assert StructIouCounts.sum(parts) == total
        assert total.mean == pytest.approx(math.fsum(struct_iou(*pair) for pair in trees) / 30, abs=1e-11)
        weighted = sum(struct_iou(*pair) * (r.gold + r.system) for pair, r in zip(trees, records))
        assert total.corpus == pytest.approx(weighted / sum(r.gold + r.system for r in records), abs=1e-11)

    def test_one_sentence(self):
        counts = struct_iou_counts("(S (A a) (B b))", "(S (A a))")
        assert counts.mean == counts.corpus == 0.6
        assert counts.to_dict() == {
            "overlap": 1.5,
            "gold_nodes": 3,
            "system_nodes": 2,
            "sentences": 1,
            "undefined": 0,
            "mean": 0.6,
            "corpus": 0.6,
        }

    def test_sentences_without_nodes_do_not_count(self):
        total = struct_iou_counts("", "") + struct_iou_counts("(S a)", "(S a)")
        assert (total.sentences, total.mean, total.corpus) == (1, 1, 1)
        assert StructIouCounts.zero().mean is None
        assert StructIouCounts.zero().corpus is None
