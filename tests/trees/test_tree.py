"""Tree: conversion, inspection and writing."""

from __future__ import annotations

import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import pytest

from jpevalb import Evaluator, Tree, TreeError, align, evaluate, legacy, read, struct_iou, write
from jpevalb.trees.tree import EMPTY, side_by_side

UP = Tree.build(["S", "VP", "NP"], [-1, 0, 0], ["wake", "me", "up"], [1, 2, 1])


class Node(list):
    """As nltk's: a list of children with a label."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label


class StanzaTree:
    """As Stanza's: attributes ``label`` and ``children``; a leaf has its word as label."""

    def __init__(self, label, children=()):
        self.label, self.children = label, tuple(children)

    @classmethod
    def of(cls, tree, node=0):
        if node < 0:
            return cls(tree.words[-1 - node])
        return cls(tree.labels[node] or None, [cls.of(tree, child) for child in tree.children()[node]])


def test_trees_of_stanza():
    texts = [
        "(ROOT (S (NP (PRP I)) (VP (VBP see) (NP (NN TV)))))",
        "(ROOT (S (NP (PRP I)) (NP (-NONE- *T*))))",
    ]
    trees = [Tree.parse(text) for text in texts]
    objects = [StanzaTree.of(tree) for tree in trees]
    assert list(read(objects)) == [Tree.from_nltk(item) for item in objects] == trees
    assert list(read(objects[0])) == trees[:1]
    assert list(read(iter(objects))) == trees
    assert evaluate(objects, trees).f1 == evaluate(iter(trees), iter(objects)).f1 == 1.0
    assert evaluate(objects, texts, convention="discontinuous").f1 == 1.0
    # Traces of one side are found, as in other lists.
    assert evaluate(objects, trees[:1] * 2).settings.traces == "drop"
    evaluator = Evaluator()
    evaluator.update(objects[0], trees[0])
    evaluator.update(objects, texts)
    assert evaluator.compute()["f1"] == 1.0
    assert legacy.evaluate(objects, texts).total.matched == legacy.evaluate(texts, texts).total.matched
    assert align(objects, trees) == align(trees, trees)
    assert struct_iou(objects[0], trees[0]) == 1.0
    out = io.StringIO()
    write(objects, out, "bracket")
    assert out.getvalue().splitlines() == texts
    with pytest.raises(TreeError):
        Tree.from_nltk(3)
    # An object with a label and no children at all is a word.
    assert Tree.from_nltk(Node("S", [SimpleNamespace(label="x")])).words == ("namespace(label='x')",)


def test_from_nodes_with_labels():
    """Every object that is not a node is a word; an empty node starts where the previous word ends."""
    made = Tree.from_nltk(
        Node("S", [Node("NP", ["a", Node("N", ["b"]), 3]), Node(None, []), Node("V", [Node("X", ["d"])])])
    )
    assert made == Tree(
        ("S", "NP", "N", "", "V", "X"),
        (-1, 0, 1, 0, 0, 4),
        (0, 0, 1, 3, 3, 3),
        (4, 3, 2, 3, 4, 4),
        ("a", "b", "3", "d"),
        (1, 2, 1, 5),
    )
    assert made.to_bracket() == "(S (NP a (N b) 3) () (V (X d)))"
    assert made.to_nltk(Node)[0].label() == "NP"
    assert Tree.from_nltk(made.to_nltk(Node)) == made
    assert Tree.from_nltk(Node("S", [Node("A", ["a"]), "b"])) == Tree.parse("(S (A a) b)")
    assert Tree.from_nltk(Node("E", [])) == Tree(("E",), (-1,), (0,), (0,), (), ())
    with pytest.raises(TreeError, match="got an object of type str; expected a tree of nltk or Stanza"):
        Tree.from_nltk("(S (A a))")


def test_children_are_in_order():
    tree = Tree.parse("(S a (X) b (Y (Z)) (N c) (E) d)")
    children = tree.to_nltk(Node)
    assert [child if isinstance(child, str) else child.label() for child in children] == [
        "a", "X", "b", "Y", "N", "E", "d",
    ]  # fmt: skip


def test_several_roots_get_one_without_label():
    tree = Tree.build(["A", "B"], [-1, -1], ["a", "b"], [0, 1])
    assert (tree.labels, tree.parents) == (("", "A", "B"), (-1, 0, 0))
    assert Tree.build(["A", "B"], [-1, 0], ["a"], [1]).labels == ("A", "B")


def test_invalid_parents():
    with pytest.raises(TreeError, match=r"^the parent of node 1 is 5, but the nodes are 0 to 2$"):
        Tree.build(["A", "B", "C"], [-1, 5, 0], ["a"], [2])


def test_trees_with_and_without_gaps():
    assert [tree.is_continuous for tree in (EMPTY, UP, Tree.parse("(S a (E) (B (C c)))"))] == [
        True, False, True,
    ]  # fmt: skip
    assert UP.yields() == [0b111, 0b101, 0b010]
    for written in (UP.to_bracket, UP.to_nltk):
        with pytest.raises(TreeError, match="discontinuous"):
            written()
    with pytest.raises(TreeError, match="the empty tree cannot be converted"):
        EMPTY.to_nltk(Node)


def test_preterminals_have_a_word_and_nothing_else():
    tree = Tree.parse("(S (A a) (B b c) (C (D d)) (E) (F (G) f))")
    # The child of F has no word, so F is no preterminal.
    assert dict(zip(tree.labels, tree.preterminals)) == {
        "S": False, "A": True, "B": False, "C": False, "D": True, "E": False, "F": False, "G": False,
    }  # fmt: skip
    assert tree.tags == ("A", None, None, "D", None)
    assert [label for label, _ in tree.constituents()] == ["S", "B", "C", "F"]


def test_trees_side_by_side():
    both = side_by_side([Tree.parse("(S (A a) b)"), EMPTY, Tree.parse("(T (B c))")], "X")
    assert both == Tree.parse("(X (S (A a) b) (T (B c)))")
    assert both.parents == (-1, 0, 1, 0, 3)
    assert side_by_side([]) == Tree(("",), (-1,), (0,), (0,), (), ())


def as_fields(tree):
    """The same tree, made of its fields."""
    return Tree(*[getattr(tree, name) for name in Tree.__match_args__])


@pytest.mark.parametrize(
    "fields",
    [
        (("S",), (-1,), (0,), (2,), ("a", "b"), (0, -1)),
        ((), (), (), (), ("a",), (-1,)),
        (("S", "A"), (1, -1), (0, 0), (1, 1), ("a",), (1,)),
        (("S",), (-1,), (0,), (9,), ("a",), (0,)),
        (("S",), (-1,), (0,), (1,), ("a",), ()),
    ],
)
def test_fields_of_no_tree(fields):
    with pytest.raises(TreeError, match=r"no tree with its nodes in preorder; use Tree\.build"):
        Tree(*fields).constituents()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            ("S,VP,V,N,NP,D,E", (-1, 0, 1, 1, 0, 4, 4), (0, 2, 2, 3, 0, 0, 1), (4, 4, 3, 4, 2, 1, 2), "abcd"),
            "(S (NP (D a) (E b)) (VP (V c) (N d)))",
        ),
        (("S,H,A,B", (-1, 0, 0, 0), (0, 2, 0, 1), (2, 2, 1, 2), "ab"), "(S (A a) (B b) (H))"),
        (("S,A,B", (-1, 0, 0), (0, 1, 1), (2, 2, 2), "ab"), "(S (A a) (B b))"),
    ],
)
def test_fields_in_another_order(fields, text):
    """Children are ordered by their first words, also where wrong starts have been given."""
    labels, parents, starts, ends, words = fields
    homes = [text[: text.index(f" {word})")].split("(")[-1] for word in words]
    labels = tuple(labels.split(","))
    tree = Tree(labels, parents, starts, ends, tuple(words), tuple(map(labels.index, homes)), tagged=False)
    assert tree.to_bracket() == text


@pytest.mark.parametrize(
    "tree",
    [
        UP,
        Tree.parse("(S (NP (DT the) (NN cat)) slept () (X))"),
        Tree.parse("(S (NN a))").replace(tagged=False, below_root=True, id="7"),
        Tree.build(["S", "N"], [-1, 0], ["a"], [1], "7", ["", "SB"]),
    ],
)
def test_a_view_of_columns_is_the_tree_of_the_same_fields(tree):
    # Whether its fields have been asked for or not, and whatever texts other trees have
    for view in (Tree.of_columns(tree.columns, tree.id, tree.edges), tree):
        for copied in (pickle.loads(pickle.dumps(view)), copy(view), deepcopy(view)):
            assert as_fields(copied) == copied == as_fields(tree)
            assert hash(copied) == hash(tree)
            assert repr(copied) == repr(as_fields(tree))
            assert [copied.id, copied.edges] == [tree.id, tree.edges]
            assert (copied.tagged, copied.below_root) == (tree.tagged, tree.below_root)
            assert copied.tags == tree.tags
    assert not hasattr(Tree.of_columns(tree.columns), "gaps")
    with pytest.raises(FrozenInstanceError):
        tree.words = ()


def test_a_pickle_has_only_the_texts_of_its_tree():
    for number in range(1000):
        Tree.parse(f"(S (N word{number}))")
    assert len(pickle.dumps(Tree.parse("(S (NP (DT the) (NN cat)) (VP (VBD slept)))"))) < 400


def test_threads_have_texts_of_their_own():
    def read(thread):
        trees = [Tree.parse(f"(S (N{thread} a{number % 7}) (V{thread} b{number}))") for number in range(300)]
        return trees, trees[0].columns.names

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, range(4)))
    for thread, (trees, names) in enumerate(found):
        assert all(tree.columns.names is names for tree in trees)
        assert [tree.words for tree in trees] == [(f"a{number % 7}", f"b{number}") for number in range(300)]
        assert {tree.tags for tree in trees} == {(f"N{thread}", f"V{thread}")}
    joined = side_by_side([trees[0] for trees, _ in found])
    assert joined.labels == ("", *[label for n in range(4) for label in ("S", f"N{n}", f"V{n}")])
