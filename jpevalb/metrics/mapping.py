"""Mapping: which node of one tree is which node of the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Mapping as AbstractMapping
from functools import partial
from typing import Any, TypeAlias

from ..kernels.mapping import SCALE, TOO_LARGE, map_intervals, map_labels
from ..kernels.nodes import interval_nodes, typed_nodes
from ..trees.detect import as_tree
from ..trees.errors import SettingsError, TooLargeError, TreeError
from ..trees.frozen import frozen
from ..trees.labels import UNCOUNTED, LabelPolicy, representatives
from ..trees.settings import MOST_MEMORY
from ..trees.tree import Tree
from ..trees.values import LABEL, NODE_TYPES, NONE, POSITION
from . import Figure
from .intervals import axes

Types: TypeAlias = str | Callable[[str, str], Hashable] | AbstractMapping[str, Hashable]
"""Node types, see :func:`tree_mapping`."""

Tables: TypeAlias = tuple[dict[str, int], Callable[[str], int], dict[str, int], Callable[[str], int]]
"""Numbers of labels and of tags, each with a function for those that it lacks, as the kernels want them."""

MOST_STEPS = 20_000_000_000
"""The most steps that filling the tables of one pair may take: half a minute, compiled."""


class LabelNumbers:
    """Numbers for labels, the same for labels that count as equal.

    Keep one object for a whole corpus: the functions are called once per label.

    Args:
        label: What the label of a node counts as; ``None`` takes the node out, its
            children hang from the node above it then.  Labels as they are, if not given.
        tag: The same of preterminals.

    >>> from jpevalb.metrics.struct_iou import struct_iou_counts
    >>> gold, system = Tree.parse("(S (NP-SBJ (NN it)))"), Tree.parse("(S (NP (NN it)))")
    >>> struct_iou_counts(gold, system).mean
    0.6666666666666666
    >>> cut = LabelNumbers(label=lambda label: label.split("-")[0])
    >>> struct_iou_counts(gold, system, names=cut).mean
    1.0
    """

    __slots__ = ("_label", "_tag", "_values", "labels", "tags")

    _MOST = 100_000  # labels kept, so that a file of nonsense does not fill the memory

    def __init__(
        self,
        label: Callable[[str], str | None] | None = None,
        tag: Callable[[str], str | None] | None = None,
    ) -> None:
        self._label = label
        self._tag = tag
        self._values: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.tags: dict[str, int] = {}

    @property
    def tables(self) -> Tables:
        """The dicts and the functions for labels they lack."""
        if len(self.labels) + len(self.tags) > self._MOST:
            self._values.clear()
            self.labels.clear()
            self.tags.clear()
        return self.labels, self._add_label, self.tags, self._add_tag

    def number(self, label: str, *, tag: bool = False) -> int:
        """The number of a node's label, or of a preterminal's; -1 for one that is taken out."""
        known, add, tags, add_tag = self.tables
        if tag:
            return tags[label] if label in tags else add_tag(label)
        return known[label] if label in known else add(label)

    def counted(self, label: str, *, tag: bool = False) -> str | None:
        """What a node's label counts as, or a preterminal's; ``None`` for one that is taken out."""
        count = self._tag if tag else self._label
        return count(label) if count else label

    def _add_label(self, label: str) -> int:
        self.labels[label] = number = self._number(self.counted(label))
        return number

    def _add_tag(self, tag: str) -> int:
        self.tags[tag] = number = self._number(self.counted(tag, tag=True))
        return number

    def _number(self, value: str | None) -> int:
        return -1 if value is None else self._values.setdefault(value, len(self._values))


def label_numbers(labels: LabelPolicy) -> LabelNumbers:
    """Labels as the brackets of the same run have them: cut, deleted and equated.

    Labels and tags that a .prm equates, directly or through others, are one here:
    a mapping needs one kind for each node.
    """
    tag = partial(_counted, None, representatives(labels.equal_tags))
    return LabelNumbers(label=counted_label(labels), tag=tag)


def counted_label(labels: LabelPolicy) -> Callable[[str], str | None]:
    """What a label counts as, one text for all that are equal; ``None`` for labels that do not count."""
    return partial(_counted, labels, representatives(labels.equal_tags))


def _counted(labels: LabelPolicy | None, one_of: dict[str, str], text: str) -> str | None:
    name = text if labels is None else labels.resolve(text)
    return None if name is None else one_of.get(name, name)


@frozen
class Mapping:
    """Which node of the gold tree is which node of the system's, and what is left over.

    Ancestors stay ancestors, left stays left, and every node is in at most one pair.
    Nodes are numbered in preorder as in :class:`Tree`, words in sentence order.
    Dummy roots, and nodes that the metric does not look at, are in no list.

    Attributes:
        pairs: (gold node, system node), in gold's preorder.
        gold_only: Gold nodes that no node is mapped to.
        system_only: Nodes of the system's tree that no node is mapped to.
        word_pairs: (gold word, system word); empty for Struct-IoU.
        gold_words_only: Gold words that no word is mapped to.
        system_words_only: The system's words that no word is mapped to.
        overlaps: For each of ``pairs`` the intersection of the two intervals over
            their union, in (0, 1]; ``None`` unless mapped by overlap.
        node_word_pairs: (gold node, system word); only nodes without types map to words.
        word_node_pairs: (gold word, system node).
    """

    pairs: tuple[tuple[int, int], ...]
    gold_only: tuple[int, ...]
    system_only: tuple[int, ...]
    word_pairs: tuple[tuple[int, int], ...] = ()
    gold_words_only: tuple[int, ...] = ()
    system_words_only: tuple[int, ...] = ()
    overlaps: tuple[float, ...] | None = None
    node_word_pairs: tuple[tuple[int, int], ...] = ()
    word_node_pairs: tuple[tuple[int, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The lists by name, JSON-ready."""
        lists = {name: getattr(self, name) for name in self.__match_args__}
        return {
            name: [list(item) if isinstance(item, tuple) else item for item in items]
            for name, items in lists.items()
            if items or (items is not None and name not in ("node_word_pairs", "word_node_pairs"))
        }


def tree_mapping(
    gold: Any,
    system: Any,
    *,
    types: Types | None = None,
    names: LabelNumbers | None = None,
    most_memory: int = MOST_MEMORY,
) -> Mapping:
    """The cheapest mapping between two trees: substitution 4, deletion and insertion 3, match 0.

    A node maps only to a node of its type.  If ``types`` does not say otherwise these are phrase, tag (a
    preterminal) and word; roots labelled TOP, ROOT or nothing, and the root of a
    bead, are dummy roots, and a tree without one is thought to have it.  Of several
    cheapest mappings one with most correct nodes is taken, which is one with fewest
    substitutions; what is still open is settled the same way each time.

    Args:
        gold: A tree, its text or an nltk tree.  Children may be words and
            phrases mixed.
        system: The system's side, of the types that gold may have.
        types: Which nodes may map to each other.  ``"position"`` (or nothing): phrases to phrases,
            tags to tags, words to words.  ``"label"``: nodes of equal labels, at whatever depth, so
            that words alone are substituted.  ``"none"``: any node or word to any; a label equals
            no word.  A dict from labels to types (any hashable; labels that it lacks keep
            ``"phrase"`` or ``"tag"``), or a function of a label and one of ``"phrase"``, ``"tag"``,
            ``"word"`` that returns the type; with these words map to words only.
        names: Which labels are equal; as they are written, if not given.
        most_memory: Bytes that the tables may take.

    Returns:
        The mapping of nodes and of words.

    Raises:
        TreeError: a tree that cannot be read, or a discontinuous one.
        TooLargeError: the tables would need more than ``most_memory``, or more than 2 * 10**10 steps.

    Cost: O(n * m) memory; O(n * m * min(depth, leaves) of both) time between the
    first and the last difference; O(n + m) where the trees are equal.

    Source: Zhang & Shasha 1989, section 3; types and costs Thomae et al. 2003.

    >>> gold, system = "(S (NP (DT the) (NN cat)) (VP (VB ran)))", "(S (DT the) (NN cat) (VP (VB sat)))"
    >>> found = tree_mapping(gold, system)
    >>> found.pairs, found.gold_only, found.word_pairs
    (((0, 0), (2, 1), (3, 2), (4, 3), (5, 4)), (1,), ((0, 0), (1, 1), (2, 2)))
    """
    one, two = as_tree(gold), as_tree(system)
    rows1, rows2 = label_rows(one, two, types=types, names=names)
    result = map_labels(rows1, rows2, True, most_memory / 8, MOST_STEPS)
    check_size(result[0], result[-1], most_memory)
    pairs, word_pairs = result[-1]
    # Without types the words are numbered behind the nodes.
    n, m = len(one.labels), len(two.labels)
    word_pairs += [(x - n, y - m) for x, y in pairs if x >= n and y >= m]
    node_words = [(x, y - m) for x, y in pairs if x < n and y >= m]
    word_nodes = [(x - n, y) for x, y in pairs if x >= n and y < m]
    pairs = [(x, y) for x, y in pairs if x < n and y < m]
    return Mapping(
        pairs=tuple(pairs),
        gold_only=_left([x for x in _numbers(rows1) if x < n], [x for x, _ in pairs + node_words]),
        system_only=_left([y for y in _numbers(rows2) if y < m], [y for _, y in pairs + word_nodes]),
        word_pairs=tuple(word_pairs),
        gold_words_only=_left(range(len(one.words)), [x for x, _ in word_pairs + word_nodes]),
        system_words_only=_left(range(len(two.words)), [y for _, y in word_pairs + node_words]),
        node_word_pairs=tuple(node_words),
        word_node_pairs=tuple(word_nodes),
    )


def overlap_mapping(
    gold: Any,
    system: Any,
    *,
    strict_terminals: bool = False,
    most_memory: int = MOST_MEMORY,
    **options: Any,
) -> Mapping:
    """The alignment behind Struct-IoU: node pairs and how far they overlap.

    The arguments, errors and cost are those of :func:`jpevalb.metrics.struct_iou.struct_iou`; twice the
    sum of the overlaps over the nodes of both trees is its score.  Of several best alignments one with
    most equal labels is taken if the smaller tree has less than 2,000 nodes.

    >>> found = overlap_mapping("(S (NP (D a) (N b)) (V c))", "(S (D a) (NP (N b) (V c)))")
    >>> found.pairs, found.overlaps
    (((0, 0), (2, 1), (3, 3), (4, 4)), (1.0, 1.0, 1.0, 1.0))
    """
    rows1, rows2 = interval_rows(as_tree(gold), as_tree(system), **options)
    total, found = map_intervals(rows1, rows2, strict_terminals, True, most_memory / 8, MOST_STEPS)
    check_size(total, found, most_memory)
    ours, theirs, overlaps = zip(*found) if found else ((), (), ())
    return Mapping(
        pairs=tuple(zip(ours, theirs)),
        gold_only=_left(_numbers(rows1), ours),
        system_only=_left(_numbers(rows2), theirs),
        overlaps=tuple([overlap / SCALE for overlap in overlaps]),
    )


Rows: TypeAlias = tuple[Any, ...]
"""What the kernels take for a tree; the first item is the number of rows."""


def label_rows(
    gold: Tree, system: Tree, *, types: Types | None = None, names: LabelNumbers | None = None
) -> tuple[Rows, Rows]:
    """Both trees as rows of nodes and words with types.

    Raises:
        TreeError: a discontinuous tree.

    Cost: O(nodes + words).
    """
    names = names or LabelNumbers()
    tables = names.tables
    kinds1, kinds2 = _kinds(gold, system, types, names)
    words: dict[str, int] = {}
    untyped = types == NONE
    one = typed_nodes((*_shape(gold), gold.words, *kinds1), tables, words, UNCOUNTED, untyped)
    two = typed_nodes((*_shape(system), system.words, *kinds2), tables, words, UNCOUNTED, untyped)
    return _continuous(one, "gold", "tree node accuracy"), _continuous(two, "system", "tree node accuracy")


def interval_rows(
    gold: Tree,
    system: Tree,
    *,
    drop_roots: bool = False,
    names: LabelNumbers | None = None,
    **options: Any,
) -> tuple[Rows, Rows]:
    """Both trees as rows of constituents and preterminals with intervals on one axis.

    ``**options`` are those of :func:`jpevalb.metrics.intervals.axes`, whose errors are raised too.

    Raises:
        TreeError: a discontinuous tree.

    Cost: O(nodes + words).
    """
    axis1, axis2 = axes(gold, system, **options)
    tables = (names or LabelNumbers()).tables
    skip = UNCOUNTED if drop_roots else None
    one = interval_nodes((*_shape(gold), *(axis1 or (None, None))), tables, skip)
    two = interval_nodes((*_shape(system), *(axis2 or (None, None))), tables, skip)
    return _continuous(one, "gold", "Struct-IoU"), _continuous(two, "system", "Struct-IoU")


def _shape(tree: Tree) -> tuple[Any, ...]:
    return tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents


def _continuous(rows: Rows | None, side: str, metric: str) -> Rows:
    if rows is None:
        raise TreeError(
            f"the {side} tree is discontinuous; {metric} takes continuous trees only, use discontinuous_f1"
        )
    return rows


def _numbers(rows: Rows) -> list[int]:
    """The numbers of the nodes among the rows, in preorder."""
    count, stride, numbers = rows[:3]
    return [node for node in numbers[6 * stride : 6 * stride + count] if node >= 0]


def check_size(code: int, details: Any, most_memory: int) -> None:
    """Raises TooLargeError where a kernel refused; the tables have numbers of 8 bytes."""
    if code == TOO_LARGE:
        n, m, cells, steps = details
        raise TooLargeError(
            f"the trees differ in parts of {n:,} and {m:,} nodes; mapping them needs "
            f"{cells * 8 / 1e9:,.1f} GB and {steps:.1e} steps, more than the limits of "
            f"{most_memory / 1e9:g} GB and {MOST_STEPS:.0e} steps; allow more memory, or cut the sentence"
        )


def _left(numbers: Any, taken: Sequence[int]) -> tuple[int, ...]:
    gone = set(taken)
    return tuple([number for number in numbers if number not in gone])


_Kinds: TypeAlias = tuple[list[int] | None, list[int] | None]


def _kinds(gold: Tree, system: Tree, types: Types | None, names: LabelNumbers) -> tuple[_Kinds, _Kinds]:
    """The types as numbers, for the nodes and the words of both trees; ``None`` for the default ones."""
    if types is None or types in (POSITION, NONE):
        return (None, None), (None, None)
    if callable(types):
        of = types
    elif types == LABEL:

        def of(label: str, kind: str) -> Hashable:
            return kind if kind == "word" else names.number(label, tag=kind == "tag")

    elif isinstance(types, AbstractMapping):
        table = types

        def of(label: str, kind: str) -> Hashable:
            return kind if kind == "word" else table.get(label, kind)

    else:
        found = repr(types) if isinstance(types, str) else type(types).__name__
        raise SettingsError(
            f"found {found} for types; expected {', '.join(map(repr, NODE_TYPES))}, a dict from labels to "
            "types or a function"
        )
    numbers: dict[Hashable, int] = {}
    word_numbers: dict[Hashable, int] = {}

    def number(value: Hashable, table: dict[Hashable, int]) -> int:
        return table.setdefault(value, len(table))

    kinds = []
    for tree in (gold, system):
        nodes = [
            number(of(label, "tag" if tag else "phrase"), numbers)
            for label, tag in zip(tree.labels, tree.preterminals)
        ]
        kinds.append((nodes, [number(of(word, "word"), word_numbers) for word in tree.words]))
    return kinds[0], kinds[1]


def undefined_figures(record: Any, what: str) -> list[Figure]:
    """Why sentences have no figure, where some have none."""
    counts = {
        f"Too large for {what}": record.undefined - record.with_gaps,
        f"Gaps: no {what}": record.with_gaps,
    }
    return [Figure(name, count, "count") for name, count in counts.items() if count]


def undefined_sentences(record: Any, what: str) -> list[tuple[int, str]]:
    return [
        (record.undefined - record.with_gaps, f"sentences too large for {what}"),
        (record.with_gaps, f"sentences with gaps, without {what}"),
    ]
