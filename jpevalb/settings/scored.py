"""Scored trees: the tree of the words that stay, or of the words and brackets that count for a tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, compress

from ..kernels.columns import build, current_names
from ..trees.tree import EMPTY, Tree
from .convention import Convention
from .labels import DUMMY_ROOT, TRACE, classes, cut, cutter, end_of


def without_words(tree: Tree, kept: Sequence[bool]) -> tuple[Tree, list[int]]:
    """Return the tree without some words and the nodes that become empty, and the node that each node was."""
    filled = [False] * len(tree)
    for node, keep in zip(tree.word_parents, kept):
        filled[node] = filled[node] or keep
    for node in range(len(tree) - 1, 0, -1):
        if filled[node]:
            filled[tree.parents[node]] = True
    nodes = [node for node in tree if filled[node]]
    number = {-1: -1, **{node: i for i, node in enumerate(nodes)}}
    return _built(
        tree,
        [tree.labels[node] for node in nodes],
        [number[tree.parents[node]] for node in nodes],
        list(compress(tree.words, kept)),
        [number[node] for node in compress(tree.word_parents, kept)],
        nodes,
    )


def _built(
    tree: Tree,
    labels: Sequence[str],
    parents: Sequence[int],
    words: Sequence[str],
    word_parents: Sequence[int],
    sources: Sequence[int],
) -> tuple[Tree, list[int]]:
    """Return the tree of nodes, parents first, and the node of another tree that each node was."""
    if not words:
        return EMPTY, []
    # Where there are gaps, children may change places with their first words.
    _, _, columns, order = build(current_names(), labels, parents, words, word_parents)
    edges = tuple([tree.edges[sources[node]] for node in order]) if tree.edges else ()
    made = Tree.of_columns(columns, tree.id, edges if any(edges) else ())
    if not tree.tagged:
        made = made.replace(tagged=False)
    return made, [sources[node] for node in order]


def shortened(tree: Tree, marks: frozenset[str]) -> Tree:
    """Return the tree with tags cut at marks, and ``-`` for such a mark in other labels."""
    if not marks:
        return tree
    labels = []
    for label, is_tag in zip(tree.labels, tree.preterminals):
        end, mark = end_of(label, marks)
        if mark:
            rest = "" if is_tag else "-" + label[end + len(mark) :].replace(mark, "-")
            label = label[:end] + rest
        labels.append(label)
    return tree.replace(labels=tuple(labels))


def of_brackets(
    tree: Tree,
    kept: Sequence[bool],
    times: Mapping[int, int],
    rules: Convention,
    tag_name: Callable[[str], str],
) -> tuple[Tree, list[int]]:
    """Return the tree of the words and brackets that count for a tool, and the node that each node was.

    Its labels and tags are those that count.

    Args:
        tree: A tree as read.
        kept: For each word True if it stays.
        times: For each node that counts, how often it is repeated.
        rules: The rules of the tool.
        tag_name: Returns what a tag counts as.
    """
    short, equal = cutter(rules.cut, rules.cut_at), classes(rules.equal)
    labels = {node: short(tree.labels[node]) for node in times}
    names = {node: [equal.get(label, label)] * times[node] for node, label in labels.items()}
    tagged = tree.preterminals
    for keep, node in zip(kept, tree.word_parents):
        if keep and tagged[node]:
            names.setdefault(node, []).append(tag_name(tree.labels[node]))
    lowest: list[int] = []
    new: list[str] = [DUMMY_ROOT]  # labels of the nodes
    parents, sources = [-1], [0]
    for node, parent in enumerate(tree.parents):
        above = lowest[parent] if parent >= 0 else 0
        for label in names.get(node, ()):
            new.append(label)
            parents.append(above)
            sources.append(node)
            above = len(new) - 1
        lowest.append(above)
    words = list(compress(tree.words, kept))
    word_parents = [lowest[node] for node in compress(tree.word_parents, kept)]
    if parents.count(0) == 1 and 0 not in word_parents and len(new) > 2 and word_parents.count(1) != 1:
        # The only top node is the root itself.
        del new[0], parents[0], sources[0]
        parents = [parent - 1 for parent in parents]
        word_parents = [parent - 1 for parent in word_parents]
    if rules.least > 0 or not tree.labels or not tree.is_continuous:
        return _built(tree, new, parents, words, word_parents, sources)
    # Brackets over dropped words keep their place.
    place = list(accumulate(kept, initial=0))
    starts, ends = (tuple([place[side[node]] for node in sources]) for side in (tree.starts, tree.ends))
    shape = tuple(new), tuple(parents), starts, ends, tuple(words), tuple(word_parents)
    return Tree(*shape, tree.id, tagged=tree.tagged), sources


def changes(
    source: Tree, words: int, rules: Convention, own: Sequence[bool] | None = None
) -> Iterator[tuple[str, int]]:
    """Yield what is changed in a tree that keeps some words, with counts.

    Under the rules of a tool ``own`` has for each word whether it stays by its own tag.
    """
    by_tool = own is not None
    dropped = source.columns.words - words
    traces = 0
    if dropped and TRACE in (rules.drop_tags | rules.drop_whole if by_tool else rules.drop_tags):
        traces = min(dropped, source.columns.count_tag(TRACE))
    yield from (("words dropped", dropped - traces), ("traces removed", traces))
    if rules.drop_whole:
        short = str if by_tool else cut
        yield "subtrees dropped", _top_nodes(source, lambda label: short(label) in rules.drop_whole)
    if own is None:
        if rules.cut_at:
            yield "labels cut", sum([bool(end_of(label, rules.cut_at)[1]) for label in source.labels])
        return
    short = cutter(rules.cut, rules.cut_at)
    names = zip(source.labels, source.preterminals, source.starts, source.ends)
    brackets = [(label, short(label)) for label, is_tag, start, end in names if start < end and not is_tag]
    yield "labels cut", sum([name != label for label, name in brackets])
    has_root = len(source) > 0 and source.ends[0] > 0 and not source.preterminals[0]
    yield "roots not counted", int(has_root and brackets[0][1] in rules.no_bracket)
    if rules.quote_tags:
        yield "quotes put back", max(0, words - sum(own))


def _top_nodes(tree: Tree, is_one: Callable[[str], bool]) -> int:
    """Return the number of nodes with some label, none below another; a root with one child is none."""
    inside: list[bool] = []
    count = 0
    only = [*tree.parents, *tree.word_parents].count(0) < 2
    for label, parent in zip(tree.labels, tree.parents):
        below = parent >= 0 and inside[parent]
        inside.append(below or (is_one(label) and not (only and parent < 0)))
        count += inside[-1] and not below
    return count
