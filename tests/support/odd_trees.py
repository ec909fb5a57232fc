"""Random pairs of trees with what treebanks seldom have: bare words, odd labels, quotes, gaps."""

from __future__ import annotations

import random
from typing import Any

LABELS = [
    "S",
    "NP",
    "NP-SBJ",
    "VP",
    "VP=1",
    "ADVP",
    "PRT",
    "PRN",
    "TOP",
    "ROOT",
    "S1",
    "VROOT",
    "X",
    "-NONE-",
    "S|x",
    "EDITED",
]
TAGS = ["NN", "VB", ",", ".", "``", "''", ":", "-NONE-", "POS", "CD", "DT", "$[", "ADVP", "TOP"]
WORDS = ["a", "b", "c", "'", '"', "/", ",", ".", "``", "-LRB-", "?"]
Node = Any  # a word, or [label, children]


def grown(dice: random.Random, words: list[tuple[str, str]], bare: float, depth: int = 0) -> Node:
    """Return a nested tree over words with their tags, some of which are left out."""
    if len(words) == 1 and dice.random() < 0.7:
        tag, word = words[0]
        leaf = word if dice.random() < bare else [tag, [word]]
        return leaf if depth and dice.random() < 0.75 else [dice.choice(LABELS), [leaf]]
    if depth and dice.random() < 0.15:
        return [dice.choice(LABELS), [grown(dice, words, bare, depth + 1)]]
    parts, rest = [], list(words)
    while rest:
        size = min(len(rest), dice.choice((1, 1, 2, 3)))
        size -= not parts and size == len(rest) > 1
        parts.append(grown(dice, rest[:size], bare, depth + 1))
        rest = rest[size:]
    return [dice.choice(LABELS), parts]


def written(node: Node, indices: Any = None) -> str:
    """Return the text of a tree; with the indices of its words, one with gaps."""
    if isinstance(node, str):
        return node if indices is None else f"{next(indices)}={node}"
    return f"({node[0]} {' '.join([written(child, indices) for child in node[1]])})"


def odd_pair(
    dice: random.Random, bare: float = 0.1, gaps: bool = False, other_words: float = 0.0, most: int = 9
) -> tuple[str, str]:
    """Return the texts of a gold tree and of a system's tree."""
    words = [(dice.choice(TAGS), dice.choice(WORDS)) for _ in range(dice.randint(1, most))]
    state = dice.getstate()
    texts = []
    for side in (0, 1):
        mine = list(words)
        if side:
            mine = [(dice.choice(TAGS) if dice.random() < 0.1 else tag, word) for tag, word in mine]
            mine = [(tag, dice.choice(WORDS) if dice.random() < other_words else word) for tag, word in mine]
            if dice.random() < other_words and len(mine) > 1:
                del mine[dice.randrange(len(mine))]
            if dice.random() < 0.5:
                dice.setstate(state)  # much the same tree
        places = list(range(len(mine)))
        for _ in range(dice.randrange(4) if gaps else 0):
            places.insert(dice.randrange(len(mine)), places.pop(dice.randrange(len(mine))))
        tree = grown(dice, [mine[place] for place in places], bare)
        texts.append(written(tree, iter(places) if gaps else None))
    return texts[0], texts[1]
