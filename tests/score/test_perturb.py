"""Perturbed boundaries: which move, which stay, and reproducibility from a seed."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import perturb
from jpevalb.base.errors import SettingsError, TimingError
from jpevalb.metrics.struct_iou import struct_iou, time_axis
from jpevalb.trees.tree import Tree
from tests.support.tree_oracles import brackets

TREE = "(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N dog))))"
TIMES = [(0.0, 0.25), (0.25, 1.0), (1.5, 2.0), (2.0, 2.25), (2.5, 3.0)]
quick = settings(max_examples=100, deadline=None)


@st.composite
def timed_trees(draw):
    tree = Tree.parse(draw(brackets(14)))
    cuts = sorted(draw(st.lists(st.floats(0, 9), min_size=2 * len(tree.words), max_size=2 * len(tree.words))))
    return tree, list(zip(cuts[::2], cuts[1::2]))


KINDS = (perturb.noise, perturb.insert, perturb.delete)


class TestEach:
    @pytest.mark.parametrize("kind", KINDS)
    @quick
    @given(timed_trees(), st.floats(0, 1), st.integers(0, 5))
    def test_the_result_is_a_tree_with_times_in_order(self, kind, timed, delta, seed):
        tree, times = timed
        found = kind(tree, times, delta, seed)
        begins, ends = time_axis(found.times, found.tree.words, "perturbed")
        assert found.times == list(zip(begins, ends))
        assert kind(tree, times, delta, seed) == found
        if times:
            assert found.times[0][0] == times[0][0]
            assert found.times[-1][1] == times[-1][1]

    @pytest.mark.parametrize("kind", KINDS)
    def test_delta_0_changes_nothing(self, kind):
        found = kind(TREE, TIMES, 0, 1)
        assert found == (Tree.parse(TREE), TIMES)
        score = struct_iou(TREE, found.tree, gold_times=TIMES, system_times=found.times)
        assert score == 1

    @pytest.mark.parametrize("kind", KINDS)
    def test_scores_fall_as_delta_grows(self, kind):
        def mean(delta):
            scores = []
            for seed in range(40):
                found = kind(TREE, TIMES, delta, seed)
                scores.append(struct_iou(TREE, found.tree, gold_times=TIMES, system_times=found.times))
            return sum(scores) / len(scores)

        means = [mean(delta) for delta in (0, 0.3, 0.9)]
        assert means[0] == 1 > means[1] > means[2] > 0

    @pytest.mark.parametrize("kind", KINDS)
    def test_seeds_differ(self, kind):
        assert len({repr(kind(TREE, TIMES, 0.5, seed)) for seed in range(9)}) > 3

    @pytest.mark.parametrize("kind", KINDS)
    def test_errors(self, kind):
        with pytest.raises(SettingsError, match=r"delta=1\.5; expected a number from 0 to 1"):
            kind(TREE, TIMES, 1.5, 1)
        with pytest.raises(SettingsError, match=r"delta=-0\.5; expected a number from 0 to 1"):
            kind(TREE, TIMES, -0.5, 1)
        with pytest.raises(TimingError, match="got 1 time for 5 given words"):
            kind(TREE, TIMES[:1], 0.5, 1)

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_words(self, kind):
        assert kind("", [], 1, 1).times == []


class TestNoise:
    def test_the_tree_stays(self):
        assert perturb.noise(TREE, TIMES, 1, 3).tree == Tree.parse(TREE)

    def test_a_boundary_moves_forwards_in_lengths_of_the_second_word(self):
        share = random.Random(2).uniform(-0.5, 0.5)
        assert share > 0
        found = perturb.noise("(S (A a) (B b))", [(0.0, 1.0), (1.5, 3.5)], 0.5, 2)
        assert found.times == [(0.0, 1 + 2 * share), (1.5 + 2 * share, 3.5)]

    @quick
    @given(st.floats(0, 1), st.integers(0, 99))
    def test_gaps_stay_and_no_boundary_moves_further_than_delta(self, delta, seed):
        times = [(float(i), i + 0.75) for i in range(6)]
        found = perturb.noise("(S a b c d e f)", times, delta, seed).times
        for (_, end), (begin, _) in pairwise(found):
            assert begin - end == pytest.approx(0.25)
        # Forwards by delta of the next word; backwards by delta of a word that may have grown.
        for (_, new), (_, old) in zip(found, times):
            assert -delta * 1.5 - 1e-9 <= new - old <= delta * 0.75 + 1e-9


class TestInsert:
    def test_every_word_is_cut(self):
        found = perturb.insert(TREE, TIMES, 1, 1)
        assert len(found.tree.words) == 10
        assert "".join(found.tree.words).replace("_", "") == "thecatsawthedog"
        assert found.tree.tags == ("D", "D", "N", "N", "V", "V", "D", "D", "N", "N")
        assert [label for label, _ in found.tree.constituents()] == ["S", "NP", "VP", "NP"]
        for i, (begin, end) in enumerate(TIMES):
            assert found.times[2 * i][0] == begin
            assert found.times[2 * i][1] == found.times[2 * i + 1][0]
            assert found.times[2 * i + 1][1] == end

    def test_words_next_to_phrases(self):
        found = perturb.insert("(S a (B b))", [(0, 1), (1, 2)], 1, 1)
        assert found.tree.tags == (None, None, "B", "B")

    def test_no_character_is_cut(self):
        for seed in range(20):
            found = perturb.insert("(S (A e\u0301e\u0301))", [(0, 1)], 1, seed)
            assert not any(word.startswith("\u0301") for word in found.tree.words)


class TestDelete:
    def test_all_words_become_one(self):
        found = perturb.delete(TREE, TIMES, 1, 1)
        assert found.tree.to_bracket() == "(S (NP (D thecatsawthedog)))"
        assert found.times == [(0.0, 3.0)]

    def test_some(self):
        found = perturb.delete(TREE, TIMES, 0.5, 1)
        assert found.tree.to_bracket() == "(S (NP (D thecat)) (VP (V saw) (NP (D thedog))))"
        assert found.times == [(0.0, 1.0), (1.5, 2.0), (2.0, 3.0)]
