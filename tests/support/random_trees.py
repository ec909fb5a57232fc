"""Hypothesis strategies for random trees, with and without gaps."""

from __future__ import annotations

from hypothesis import strategies as st

from jpevalb import Tree

LABELS = ("S", "NP", "VP", "PP", "X")
TAGS = ("N", "V", "D", ",")
WORDS = st.sampled_from(["a", "b", "the", "sees", "Straße", "x=y", "#7", "=", "0=1", "日本", "%", "\u00a0"])


@st.composite
def trees(
    draw,
    *,
    max_words: int = 8,
    words=WORDS,
    labels=LABELS,
    tags=TAGS,
    tagged: bool = True,
    continuous: bool = False,
    min_words: int = 1,
) -> Tree:
    """Draw a tree over random words; any parts are joined until one is left.

    Unary chains, roots without label and, unless ``tagged``, words beside phrases come up too.
    """
    tokens = draw(st.lists(words, min_size=min_words, max_size=max_words))
    names: list[str] = []
    parents: list[int] = []
    word_parents: list[int] = []
    parts: list[tuple[str, int]] = []
    for place in range(len(tokens)):
        if tagged or draw(st.booleans()):
            word_parents.append(len(names))
            parts.append(("node", len(names)))
            names.append(draw(st.sampled_from(tags)))
            parents.append(-1)
        else:
            word_parents.append(-1)
            parts.append(("word", place))
    while len(parts) > 1 or draw(st.integers(0, 3)) == 0 or not names:
        size = draw(st.integers(1, min(4, len(parts))))
        if continuous:
            first = draw(st.integers(0, len(parts) - size))
            chosen = list(range(first, first + size))
        else:
            chosen = sorted(draw(st.permutations(range(len(parts))))[:size])
        node = len(names)
        names.append(draw(st.sampled_from(labels)))
        parents.append(-1)
        for place in chosen:
            kind, number = parts[place]
            (parents if kind == "node" else word_parents)[number] = node
        parts[chosen[0]] = ("node", node)
        for place in reversed(chosen[1:]):
            del parts[place]
        if draw(st.integers(0, 9)) == 0 and len(names) > 1:
            break  # several roots: Tree.build puts one without label above them
    return Tree.build(names, parents, tokens, word_parents)
