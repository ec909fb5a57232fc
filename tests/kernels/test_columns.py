"""Trees as columns of numbers: reading and joining."""

from __future__ import annotations

import pickle
import time
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from jpevalb.kernels import columns as of_package
from jpevalb.trees.tree import EMPTY, Tree, side_by_side
from tests.support.kernels import load_kernel
from tests.support.random_trees import trees


@pytest.fixture
def columns(kernel):
    return kernel("columns")


def shown(tree):
    """The columns of a tree, texts in place of numbers: those of its brackets, then those of its words."""
    label, parent, left, right, text, tag, home = tree.lists()
    texts = tree.names.texts
    brackets = [(texts[a], *rest) for a, *rest in zip(label, parent, left, right)]
    words = [(texts[a], None if b < 0 else texts[b], c) for a, b, c in zip(text, tag, home)]
    return brackets, words


def read(columns, text, **options):
    return columns.read(text.encode(), columns.Names(), **options)


@pytest.mark.parametrize(
    ("text", "brackets", "words"),
    [
        ("", [], []),
        (
            "(S (NP (DT the) (NN cat)) (VP (VBD slept)))",
            [("S", -1, 0, 3), ("NP", 0, 0, 2), ("VP", 0, 2, 3)],
            [("the", "DT", 1), ("cat", "NN", 1), ("slept", "VBD", 2)],
        ),
        ("(NN a)", [], [("a", "NN", -1)]),
        ("(S (X (Y a)))", [("S", -1, 0, 1), ("X", 0, 0, 1)], [("a", "Y", 1)]),
        ("(S a (NN b))", [("S", -1, 0, 2)], [("a", None, 0), ("b", "NN", 0)]),
        # A bracket beside the word: its parent is no tag.
        ("(S (X a ()))", [("S", -1, 0, 1), ("X", 0, 0, 1), ("", 1, 1, 1)], [("a", None, 1)]),
        ("(S (X () a))", [("S", -1, 0, 1), ("X", 0, 0, 1), ("", 1, 0, 0)], [("a", None, 1)]),
        ("( (S (NN a)) )", [("", -1, 0, 1), ("S", 0, 0, 1)], [("a", "NN", 1)]),
        ("( S ( NN a))", [("S", -1, 0, 1)], [("a", "NN", 0)]),
        ("(S ( cat))", [("S", -1, 0, 1)], [("cat", "", 0)]),
        # Several trees get a root.
        ("(S (NN a)) (NN b)", [("", -1, 0, 2), ("S", 0, 0, 1)], [("a", "NN", 1), ("b", "NN", 0)]),
        ("(S\u00a0 \u3000x)\t", [], [("\u3000x", "S\u00a0", -1)]),
    ],
)
def test_reading(columns, text, brackets, words):
    assert shown(read(columns, text)) == (brackets, words)


def test_without_tags_each_bracket_is_one(columns):
    tree = read(columns, "(S (NN a))", tagged=False)
    assert shown(tree) == ([("S", -1, 0, 1), ("NN", 0, 0, 1)], [("a", None, 1)])
    assert not tree.tagged


@pytest.mark.parametrize(
    ("text", "brackets", "words", "gaps"),
    [
        (
            "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))\tcomment )",
            [("S", -1, 0, 3), ("VP", 0, 0, 3), ("NP", 0, 1, 2)],
            [("wake", "VB", 1), ("me", "PRP", 2), ("up", "RP", 1)],
            True,
        ),
        ("(S (NN 1=b) 0=a)", [("S", -1, 0, 2)], [("a", None, 0), ("b", "NN", 0)], False),
        ("(S (X) (NN 0=a))", [("S", -1, 0, 1), ("X", 0, 0, 0)], [("a", "NN", 0)], False),
        ("(S (X) (N 1=b) 0=a)", [("S", -1, 0, 2), ("X", 0, 2, 2)], [("a", None, 0), ("b", "N", 0)], False),
        ("( 0=#LRB# (#RRB# 1==))", [("", -1, 0, 2)], [("(", None, 0), ("=", ")", 0)], False),
        ("(S (X ))", [], [], False),
    ],
)
def test_reading_indexed_leaves(columns, text, brackets, words, gaps):
    tree = read(columns, text, indexed=True)
    assert shown(tree) == (brackets, words)
    assert tree.gaps == gaps


@pytest.mark.parametrize(
    ("text", "indexed", "problem"),
    [
        ("(S (N a)", False, ("open", 0)),
        ("(S a) (S (b)", False, ("open", 6)),
        (" a", False, ("stray", 1)),
        ("(S a) )", False, ("stray", 6)),
        ("(S 0=a", True, ("open", 0)),
        ("(S 0=a) b", True, ("after", 8)),
        ("(S 0=a 0=b)", True, ("leaf", 11, ["0=a", "0=b"])),
        ("(S 0=a 2=#LRB#)", True, ("leaf", 15, ["0=a", "2=("])),
        ("(S 0=)", True, ("leaf", 6, ["0="])),
        ("(S 1 0)\ta b", True, ("leaf", 7, ["1", "0"])),
        ("(S a=#LRB#)", True, ("leaf", 11, ["a=#LRB#"])),
    ],
)
def test_texts_that_are_no_trees(columns, text, indexed, problem):
    with pytest.raises(columns.BadTreeError) as caught:
        read(columns, text, indexed=indexed)
    assert caught.value.args == problem


def test_text_that_is_not_utf8(columns):
    names = columns.Names()
    for text in (b"(S \xff)", b"(\xff a)", b"(S a) (S a\xc3 b"):
        with pytest.raises(UnicodeDecodeError):
            columns.read(text, names)
    assert shown(columns.read(b"(S a)", names)) == ([], [("a", "S", -1)])


def test_deep_and_long_lines(columns):
    tree = read(columns, "(X" * 10_000 + " (N a) b" + ")" * 10_000)
    assert (tree.brackets, tree.words) == (10_000, 2)
    tree = read(columns, "(S" + " (N a)" * 70_000 + ")")
    assert (tree.brackets, tree.words) == (1, 70_000)


def test_numbers_of_texts(columns):
    names = columns.Names(most=4)
    # More short texts than the cache has places for, of all sizes, and alike in their bytes
    middle = [f"{a}{b}{c}" for a in ("", "N", "\0", "é") for b in range(900) for c in ("", "\0", "-SBJ-1")]
    texts = ["", "\0", "\0\0", "é", *middle]
    numbers = [names.number(text) for text in texts]
    assert numbers == list(range(len(texts))) == [names.number(text) for text in texts]
    assert names.texts == texts
    for text in (texts[1:], texts[:0:-1]):
        tree = columns.read(f"(S {' '.join(text)})".encode(), names)
        assert columns.words_of(tree) == tuple(text)
    assert names.texts == [*texts, "S"]
    assert names.full
    assert not columns.Names(most=2).full
    assert columns.current_names() is columns.current_names()


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ("", []),
        (" (S (A a)) \t(T b (B)) ", [" (S (A a))", " \t(T b (B))"]),
        ("(S (A a)", []),
        ("(S a)(S (", ["(S a)"]),
        ("(S a)) (S b)", ["(S a)"]),
        ("(S a) b (S c)", ["(S a)"]),
        ("a (S b)", []),
    ],
)
def test_ends_of_trees(columns, text, trees):
    ends = columns.tree_ends(text.encode())
    assert [text[begin:end] for begin, end in pairwise([0, *ends])] == trees


def test_a_full_table_is_replaced(columns, monkeypatch):
    old = columns.current_names()
    for number in range(60_000):
        old.number(f"text {number}")
    new = columns.current_names()
    assert new is not old
    tree = columns.read(b"(S (N text) b)", old)
    moved = tree.moved(new)
    assert moved.names is new
    assert shown(moved) == shown(tree)
    assert tree.moved(old) is tree


def test_pickles_are_small(columns):
    names = columns.Names()
    for number in range(10_000):
        names.number(f"text {number}")
    tree = columns.read(b"(S (NP (D a) (N b)) (VP 3))", names, False)
    data = pickle.dumps(tree)
    assert len(data) < 450
    again = pickle.loads(data)
    assert shown(again) == shown(tree)
    assert (again.tagged, again.gaps, again.below_root) == (False, False, False)


@given(tree=trees(tagged=False))
def test_columns_of_a_tree(tree):
    """Columns have what the public fields say."""
    brackets, words = shown(tree.columns)
    tags = tree.preterminals
    kept = [node for node in tree if not tags[node]]
    number = {-1: -1, **{node: i for i, node in enumerate(kept)}}
    assert brackets == [
        (tree.labels[node], number[tree.parents[node]], tree.starts[node], tree.ends[node]) for node in kept
    ]
    homes = [tree.parents[node] if tags[node] else node for node in tree.word_parents]
    assert words == list(zip(tree.words, tree.tags, [number[home] for home in homes]))
    assert tree.columns.gaps != tree.is_continuous
    assert tree.columns is tree.columns


@given(first=trees(tagged=False), second=trees())
def test_trees_side_by_side(first, second):
    joined = of_package.side_by_side([first.columns, second.columns], of_package.Names(), "TOP")
    assert shown(joined) == shown(side_by_side([first, second], "TOP").columns)
    assert joined.gaps != (first.is_continuous and second.is_continuous)


def test_parents_of_nodes(columns):
    tree = Tree.parse("(ROOT (S (NP (D a) (N b)) (X (VP (V c)))) (. d))")
    nodes = [tree.labels.index(label) for label in ("S", "NP", "VP")]
    above, below, homes, alone = columns.chosen_tree(tree.columns, nodes)
    assert (above, below) == ([-1, 0, 0], [[1, 2], [~0, ~1], [~2], [0, ~3]])
    assert (tuple(homes), alone) == (tree.word_parents, [False, False, True])
    assert columns.chosen_tree(EMPTY.columns, []) == ([], [[]], [], [])


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
@given(tree=trees(max_words=12), data=st.data())
def test_parents_agree_with_climbing(kind, tree, data):
    nodes = [node for node, words in enumerate(tree.yields()) if words and data.draw(st.booleans())]
    chosen_tree = load_kernel("columns", kind).chosen_tree
    above, below, *_ = chosen_tree(tree.columns, nodes)

    def nearest(node):
        while node >= 0 and node not in nodes:
            node = tree.parents[node]
        return nodes.index(node) if node >= 0 else -1

    assert above == [nearest(tree.parents[node]) for node in nodes]
    words = [nearest(node) for node in tree.word_parents]
    for place, node in enumerate([*nodes, -1]):
        group = [other for other, up in enumerate(above) if up == (place if node >= 0 else -1)]
        group += [~word for word, up in enumerate(words) if up == (place if node >= 0 else -1)]
        assert below[place] == sorted(group, key=lambda item: ~item if item < 0 else tree.starts[nodes[item]])


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
@given(text=st.text("() a", max_size=9))
def test_balance(kind, text):
    expected = text.count("(") - text.count(")"), "()" in text or " ))" in text
    assert load_kernel("columns", kind).balance(text.encode()) == expected


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
@given(tree=trees(max_words=12))
def test_labels_over_sets_of_words_and_back(kind, tree):
    kernel = load_kernel("columns", kind)
    names = kernel.Names()
    columns = kernel.build(names, tree.labels, tree.parents, tree.words, tree.word_parents)[2]
    expected: dict[int, tuple[str, ...]] = {}
    for label, bits, is_tag in zip(tree.labels, tree.yields(), tree.preterminals):
        if bits and not is_tag:
            expected[bits] = (*expected.get(bits, ()), label)
    chains = kernel.chains(columns)
    assert list(chains.items()) == list(expected.items())
    made = kernel.of_chains(names, chains, tree.words, kernel.tags_of(columns))
    assert (shown(made), made.gaps) == (shown(columns), columns.gaps)


def test_votes_on_more_words_than_a_number_has_bits(columns):
    one, other = read(columns, f"(S (X{' (T a)' * 70}))"), read(columns, f"(S (X{' (T a)' * 69}) (T a))")
    found = {(1 << 70) - 1: [("S", "X"), ("S",)], (1 << 69) - 1: [None, ("X",)]}
    assert columns.votes([one, other]) == (found, {(1 << 69) - 1: 0b10}, [0, 1])


def test_many_labels_over_one_word_take_linear_time(columns):
    deep = read(columns, "(X " * 100_000 + "(T a)" + ")" * 100_000)
    begin = time.process_time()
    assert columns.chains(deep) == {1: ("X",) * 100_000}
    assert time.process_time() - begin < 3  # with copies of what there is so far: 6 seconds and more
