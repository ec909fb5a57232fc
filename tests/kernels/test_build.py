"""Trees from nodes in any order and from nested objects, and their texts, compared with recursive code."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree, TreeError
from jpevalb.trees.tree import flatten
from tests.support.random_trees import trees


def by_recursion(parents, word_parents):
    """Preorder by the definition: first words by looking below, children sorted by them."""
    parents, word_parents = list(parents), list(word_parents)
    n = len(parents)
    if parents.count(-1) > 1 or -1 in word_parents:
        parents = [n if parent < 0 else parent for parent in parents] + [-1]
        word_parents = [n if parent < 0 else parent for parent in word_parents]

    def below(node):
        found = [place for place, parent in enumerate(word_parents) if parent == node]
        return found + [place for child in children(node) for place in below(child)]

    def children(node):
        return [child for child, parent in enumerate(parents) if parent == node]

    order: list[int] = []
    starts: list[int] = []
    ends: list[int] = []

    def walk(node, end_above):
        words = below(node)
        order.append(node)
        starts.append(min(words) if words else end_above)
        ends.append(max(words) + 1 if words else end_above)
        end = ends[-1]
        for child in sorted(children(node), key=lambda child: min(below(child), default=len(word_parents))):
            walk(child, end)

    if parents:
        walk(parents.index(-1), 0)
    number = {node: place for place, node in enumerate(order)}
    return (
        order,
        [number[parents[node]] if parents[node] >= 0 else -1 for node in order],
        starts,
        ends,
        [number[parent] for parent in word_parents],
    )


def built(columns, parents, word_parents):
    """Build a tree whose nodes are labelled with their numbers; an added root has the next number."""
    labels, words = list(map(str, range(len(parents)))), [""] * len(word_parents)
    code, bad, *made = columns.build(columns.Names(), labels, parents, words, word_parents)
    if code != columns.TREE:
        return code, bad
    names, *fields = columns.nodes_of(made[0])
    assert made[1] == [int(name or -1) for name in names]
    order = [len(parents) if name == "" else int(name) for name in names]
    return code, bad, order, *map(list, [*fields[:3], fields[4]])


@given(trees(tagged=False), st.integers(0, 3), st.integers(0, 3), st.randoms(use_true_random=False))
def _as_by_recursion(columns, tree, n_empty, n_loose, rng):
    """Random trees, nodes renumbered, some nodes without words and some words and nodes set loose."""
    parents, word_parents = list(tree.parents), list(tree.word_parents)
    for _ in range(n_empty):
        parents.append(rng.randrange(len(parents)))
    for _ in range(n_loose):
        values = rng.choice([parents, word_parents])
        values[rng.randrange(len(values))] = -1
    names = list(range(len(parents)))
    rng.shuffle(names)
    shuffled = [0] * len(parents)
    for node, parent in enumerate(parents):
        shuffled[names[node]] = names[parent] if parent >= 0 else -1
    word_parents = [names[parent] if parent >= 0 else -1 for parent in word_parents]
    code, _, *found = built(columns, shuffled, tuple(word_parents))
    assert code == columns.TREE
    assert tuple(found) == by_recursion(shuffled, word_parents)


def test_against_recursion(kernel):
    _as_by_recursion(kernel("columns"))


def test_small_trees_against_recursion(kernel):
    """Nodes without words, loose words, several roots, gaps: all come up in 200 of them."""
    columns, rng = kernel("columns"), random.Random(2)
    for _ in range(200):
        n = rng.randint(1, 6)
        names = rng.sample(range(n), n)
        parents = [-1] * n
        for place in range(1, n):
            parents[names[place]] = rng.choice([-1, *names[:place], *names[:place]])
        word_parents = [rng.choice([-1, *names, *names]) for _ in range(rng.randrange(5))]
        code, _, *found = built(columns, parents, word_parents)
        assert code == columns.TREE
        assert tuple(found) == by_recursion(parents, word_parents)


@pytest.mark.parametrize(
    ("parents", "word_parents", "code", "place"),
    [
        ([-1, 2], [], "BAD_NODE", 1),
        ([-2], [], "BAD_NODE", 0),
        ([10**30], [], "BAD_NODE", 0),
        ([-1], [0, 1], "BAD_WORD", 1),
        ([], [0], "BAD_WORD", 0),
        ([-1], [-(10**30)], "BAD_WORD", 0),
        ([0], [], "NO_ROOT", 0),
        ([1, 0], [0], "NO_ROOT", 0),
        ([-1, 2, 1, 1], [3], "CYCLE", 1),
        ([-1, 1], [0], "CYCLE", 1),
        ([-1, -1, 3, 4, 2], [-1], "CYCLE", 2),
    ],
)
def test_invalid_trees(kernel, parents, word_parents, code, place):
    columns = kernel("columns")
    assert built(columns, parents, word_parents) == (getattr(columns, code), place)


def test_nothing(kernel):
    assert built(kernel("columns"), [], []) == (0, 0, [], [], [], [], [])
    assert built(kernel("columns"), [], [-1]) == (0, 0, [0], [-1], [0], [1], [0])


def test_large(kernel):
    columns = kernel("columns")
    n = 30_000
    names = list(range(n))
    random.Random(1).shuffle(names)
    parents = [0] * n
    for depth in range(n):
        parents[names[depth]] = names[depth - 1] if depth else -1
    code, _, order, *_ = built(columns, parents, [names[-1]])
    assert (code, order) == (columns.TREE, names)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["S"], [1], [], []), "the parent of node 0 is 1, but the nodes are 0 to 0"),
        ((["S"], [-1], ["a"], [7]), "the parent of word 0 is 7, but the nodes are 0 to 0"),
        ((["S"], [0], [], []), "no node is a root; expected one whose parent is -1"),
        ((["S", "A", "B"], [-1, 2, 1], [], []), "node 1 is not below the root: its parents form a cycle"),
        (
            (["S"], [], ["a"], [0]),
            "got 1 labels with 0 parents, 1 words with 1; expected one parent for each",
        ),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(TreeError) as caught:
        Tree.build(*arguments)
    assert str(caught.value) == message


def children_of(tree):
    """Tree.children, with words as -1 - index, by the definition."""
    children = [[] for _ in tree.labels]
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append((tree.starts[node], 0, node))
    for index, node in enumerate(tree.word_parents):
        children[node].append((index, 1, -1 - index))
    return [[child for *_, child in sorted(items)] for items in children]


def text_of(tree, labels, leaves):
    def written(node):
        parts = [leaves[-1 - child] if child < 0 else written(child) for child in children_of(tree)[node]]
        return f"({' '.join([labels[node], *parts])})"

    return written(0) if labels else ""


class Nested(list):
    def __init__(self, label, items):
        super().__init__(items)
        self._label = label

    def label(self):
        return self._label


class Mirrored(Nested):
    """A list whose items are not those that it holds."""

    def __iter__(self):
        return reversed(self[:])


class NotAList:
    def __init__(self, label, items):
        self.label, self._items = (lambda: label), items

    def __iter__(self):
        return iter(self._items)


def nested(tree, kind):
    def made(node):
        items = [made(child) if child >= 0 else tree.words[-1 - child] for child in children_of(tree)[node]]
        return kind(tree.labels[node], items[:: -1 if kind is Mirrored else 1])

    return made(0)


FEW = [
    Tree.parse(text)
    for text in (
        "(S)",
        "(S (A) a)",
        "(S a (A) b (B (C)))",
        "( (S (NP x) y))",
        "(S (A (B)) (C c) (D))",
        "(((a)))",
    )
]


@given(trees(tagged=False), st.booleans())
def _as_by_definition(columns, tree, tagged):
    fields = tuple([getattr(tree, name) for name in Tree.__match_args__[:6]])
    made = columns.of_nodes(columns.Names(), fields, tagged)
    assert columns.nodes_of(made) == fields
    assert made.gaps != all(
        words == (1 << end) - (1 << start) for words, start, end in zip(tree.yields(), tree.starts, tree.ends)
    )
    leaves = [f"{index}={word}" for index, word in enumerate(tree.words)]
    assert columns.bracket_text(made, leaves) == text_of(tree, tree.labels, leaves)
    numbers = [str(node) for node in tree]
    assert columns.bracket_text(made, leaves, numbers) == text_of(tree, numbers, leaves)
    if tree.is_continuous:
        for kind in (Nested, Mirrored, NotAList):
            assert tuple(map(tuple, flatten(nested(tree, kind)))) == fields


def test_texts_and_nested_objects(kernel):
    columns = kernel("columns")
    _as_by_definition(columns)
    for tree in FEW:
        for tagged in (True, False):
            _as_by_definition.hypothesis.inner_test(columns, tree, tagged)
    assert columns.bracket_text(columns.read(b"", columns.Names()), ()) == ""
    # Words of other types, and labels that are no text.
    item = Nested(None, [Nested(7, [3.5, None]), b"x"])
    assert flatten(item) == (["", "7"], [-1, 0], [0, 0], [3, 2], ["3.5", "None", "b'x'"], [1, 1, 0])
    deep = Nested("S", ["a"])
    for _ in range(30_000):
        deep = Nested("S", [deep])
    assert Tree.from_nltk(deep).to_bracket() == "(S " * 30_000 + "(S a" + ")" * 30_001


def test_lists_with_a_label():
    """Static methods and items in an order of their own are respected."""

    class Node(list):
        def __init__(self, name, children):
            super().__init__(children)
            self.name = name

        def label(self):
            return self.name

    class Static(Node):
        @staticmethod
        def label():
            return "static"

    class Sorted(Node):
        def __iter__(self):
            return iter(sorted(self[:]))

    tree = Node("S", [Node("A", ["a"]), Static("B", ["b"]), Sorted("C", ["d", "c"]), Node("D", ["e"])])
    assert flatten(tree)[0] == ["S", "A", "static", "C", "D"]
    assert flatten(tree)[4] == ["a", "b", "c", "d", "e"]
