"""Yields and the labels over them: read from trees, and put together to a tree.

A yield is a set of words, as a bit set: bit ``i`` is word ``i``.  The labels over one yield are its chain, a
tuple from the top down; it has several labels if a constituent's only child is a constituent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..trees.tree import Tree, has_gaps

Chain: TypeAlias = tuple[str, ...]


class Yields(NamedTuple):
    """A tree as yields; nodes without words are left out."""

    chains: dict[int, Chain]  # by yield, in preorder; tags are in none
    tags: Sequence[Chain]  # of each word, ``()`` for none

    @classmethod
    def of(cls, tree: Tree) -> Yields:
        """Read a tree; a node over one word alone is a tag."""
        tree = Tree.of_columns(tree.with_tags)
        chains: dict[int, list[str]] = {}
        for label, words in tree.constituents():
            chains.setdefault(words, []).append(label)
        return cls(
            {words: tuple(chain) for words, chain in chains.items()},
            [() if tag is None else (tag,) for tag in tree.tags],
        )

    def inner(self) -> list[int]:
        """Return the yields of more than one and fewer than all words."""
        whole = (1 << len(self.tags)) - 1
        return [words for words in self.chains if words & words - 1 and words != whole]


def in_order(yields: Iterable[int]) -> list[int]:
    """Order yields by first word, then longer before shorter, then by the first word not in both."""

    def rank(words: int) -> tuple[int, int, str]:
        start, end = (words & -words).bit_length() - 1, words.bit_length()
        # From the first word on, 0 for a word of the yield and 1 for a gap
        gaps = f"{(1 << end) - 1 ^ words:0{end}b}"[::-1][start:] if has_gaps(words) else ""
        return start, -words.bit_count(), gaps

    return sorted(yields, key=rank)


def majority(chains: Sequence[Chain], weights: Sequence[int]) -> Chain:
    """Return the chain with the greatest weight of votes; ties: the first one in order."""
    votes = dict.fromkeys(chains, 0)
    if len(votes) > 1:
        for chain, weight in zip(chains, weights):
            votes[chain] += weight
    return min(votes, key=lambda chain: (-votes[chain], chain))


def supports(keys_of_trees: Iterable[Iterable[int]]) -> dict[int, int]:
    """Return for each key the trees that have it, as a bit set."""
    found: dict[int, int] = {}
    for tree, keys in enumerate(keys_of_trees):
        for key in keys:
            found[key] = found.get(key, 0) | 1 << tree
    return found


def assembled(
    words: Sequence[str],
    chains: Mapping[int, Chain],
    tags: Sequence[Chain],
    id: str | None = None,
    *,
    binary: bool = False,
) -> Tree:
    """Return the tree with these yields, which are disjoint or nested, and tags.

    With ``binary``, children c1 c2 c3 ... become c1 and a new constituent of c2 c3 ... with the lowest label
    of the old one.
    """
    labels: list[str] = []
    parents: list[int] = []
    # By first word: a yield, and its highest node so far, or ~w for word w
    tops = [(1 << word, ~word) for word in range(len(words))]
    homes = [-1] * len(words)

    def add(label: str, children: Sequence[int]) -> int:
        node = len(labels)
        labels.append(label)
        parents.append(-1)
        for child in children:
            if child < 0:
                homes[~child] = node
            else:
                parents[child] = node
        return node

    for word, tag in enumerate(tags):
        for label in tag:
            tops[word] = 1 << word, add(label, [~word])
    # The smallest first
    for bits, chain in sorted(chains.items(), key=lambda item: item[0].bit_count()):
        children: list[int] = []
        rest = bits
        while rest and chain:
            inside, child = tops[(rest & -rest).bit_length() - 1]
            children.append(child)
            rest ^= inside
        while binary and len(children) > 2:
            children[-2:] = [add(chain[-1], children[-2:])]
        for label in reversed(chain):
            children = [add(label, children)]
        if chain:
            tops[(bits & -bits).bit_length() - 1] = bits, children[0]
    return Tree.build(labels, parents, words, homes, id)
