"""The generated treebank of the benchmarks: reproducible, and with the shape of a real one."""

from __future__ import annotations

import random
import statistics
from collections import Counter

from jpevalb.base.counts import f1
from jpevalb.trees.tree import Tree
from tests.benchmarks.treebank import make_treebank, perturb_parse


def test_a_seed_gives_one_treebank():
    assert list(make_treebank(50, 3)) == list(make_treebank(50, 3))
    assert list(make_treebank(50, 3)) != list(make_treebank(50, 4))
    assert list(make_treebank(80, 3))[:50] == list(make_treebank(50, 3))


def test_lines_are_trees_of_treebank_length():
    lines = list(make_treebank(1000, 1))
    trees = [Tree.parse(line) for line in lines]
    assert [tree.to_bracket() for tree in trees] == lines
    lengths = [len(tree.words) for tree in trees]
    assert 22 < statistics.mean(lengths) < 26
    assert 9 < statistics.pstdev(lengths) < 13
    assert all(tag is not None for tree in trees for tag in tree.tags)


def test_errors_change_the_tree_and_keep_the_words():
    rng = random.Random(5)
    matched = golds = systems = 0
    for line in make_treebank(500, 2):
        gold, system = Tree.parse(line), Tree.parse(perturb_parse(line, rng))
        assert gold.words == system.words
        mine, theirs = Counter(gold.constituents()), Counter(system.constituents())
        matched += (mine & theirs).total()
        golds += mine.total()
        systems += theirs.total()
    score = f1(matched, golds, systems)
    assert score is not None
    assert 0.88 < score < 0.96
