"""Tree mappings: which node of one tree corresponds to which node of the other.

Source: Zhang & Shasha 1989; Thomae et al. 2003 (costs of labels); Shi et al. 2024 (overlaps).
"""

from collections.abc import Callable, Hashable, Iterator, Mapping as AbstractMapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias

from ..alignment.pair import Pair
from ..base.errors import SettingsError, TooLargeError, TreeError
from ..formats.read import as_tree
from ..kernels.mapping import TOO_LARGE, LabelledNodes, map_labels, typed_nodes
from ..settings.rules import UNCOUNTED, RunRules, representatives
from ..settings.settings import LABEL, MOST_MEMORY, NODE_TYPES, NONE, POSITION, Settings
from ..trees.tree import Tree
from ..trees.words import word_numbers
from . import Line, Mapping, Metric

Types: TypeAlias = str | Callable[[str, str], Hashable] | AbstractMapping[str, Hashable]
"""Node types, see :func:`tree_mapping`."""

Rows: TypeAlias = tuple[Any, ...]  # A tree as the kernels take it; the first item is the number of rows

MOST_STEPS = 20_000_000_000  # Maximum number of steps for the tables of one pair: half a minute, compiled


class _Numbers(dict[str, int]):
    """Numbers of labels or of tags; looking up a new label assigns a number."""

    def __init__(self, counted: Callable[[str], str | None] | None, numbers: dict[str, int]) -> None:
        self.counted = counted or str
        self.numbers = numbers  # by counted name, of labels and tags

    def __missing__(self, label: str) -> int:
        name = self.counted(label)
        self[label] = number = -1 if name is None else self.numbers.setdefault(name, len(self.numbers))
        return number


class LabelNumbers:
    """Numbers for labels; labels that count as equal have the same number.

    Keep one object for a whole corpus: the functions are called once per label.

    Args:
        label: Returns the name under which a label counts, or ``None`` to take the node out, so that its
            children hang from the node above it.  Labels as written, if not given.  Also called for roots.
        tag: The same for preterminals.

    >>> from jpevalb.metrics.struct_iou import struct_iou_counts
    >>> gold, system = Tree.parse("(S (NP-SBJ (NN it)))"), Tree.parse("(S (NP (NN it)))")
    >>> struct_iou_counts(gold, system).mean
    0.6666666666666666
    >>> cut = LabelNumbers(label=lambda label: label.split("-")[0])
    >>> struct_iou_counts(gold, system, names=cut).mean
    1.0
    """

    __slots__ = ("labels", "tags")

    _MOST = 100_000  # Labels kept, so that a file of nonsense does not fill the memory.

    def __init__(
        self, label: Callable[[str], str | None] | None = None, tag: Callable[[str], str | None] | None = None
    ) -> None:
        numbers: dict[str, int] = {}
        self.labels, self.tags = _Numbers(label, numbers), _Numbers(tag, numbers)

    @property
    def tables(self) -> tuple[dict[str, int], dict[str, int]]:
        if len(self.labels) + len(self.tags) > self._MOST:
            for table in (self.labels, self.tags, self.labels.numbers):
                table.clear()
        return self.labels, self.tags

    def nodes(self, gold: Tree, system: Tree) -> list[LabelledNodes]:
        """Return the nodes of two trees with the numbers of labels and words."""
        words, tables = word_numbers(gold, system), self.tables
        return [LabelledNodes(tree.with_tags, side, tables) for tree, side in zip((gold, system), words)]

    def number(self, label: str, *, tag: bool = False) -> int:
        """Return the number of a label or tag; -1 if it is deleted."""
        return self.tables[tag][label]

    def counted(self, label: str, *, tag: bool = False) -> str | None:
        """Return the name under which a label or tag counts; ``None`` if it is deleted."""
        return (self.tags if tag else self.labels).counted(label)


def label_numbers(rules: RunRules) -> LabelNumbers:
    """Return numbers for labels as the brackets of the run have them: cut, deleted and equated."""
    one_of = representatives(rules.equal_tags)
    return LabelNumbers(partial(_counted, rules, one_of), partial(_counted, None, one_of))


# A function at module level, so that metrics can be pickled.
def _counted(rules: RunRules | None, one_of: dict[str, str], text: str) -> str | None:
    name = text if rules is None else rules.resolve(text)
    return None if name is None else one_of.get(name, name)


def tree_mapping(
    gold: Any,
    system: Any,
    *,
    types: Types | None = None,
    names: LabelNumbers | None = None,
    most_memory: int = MOST_MEMORY,
) -> Mapping:
    """Return the cheapest mapping between two trees: substitution 4, deletion and insertion 3, match 0.

    A node maps only to a node of its type; by default these are phrase, tag (a preterminal) and word.
    Roots labelled TOP, ROOT or nothing, and the root of a bead, are dummy roots; a tree without one is
    treated as if it had one.  Of several cheapest mappings, one with most correct nodes is returned, that
    is with fewest substitutions; further ties are broken deterministically.

    Args:
        gold: A tree, its text or an nltk tree; children may be words and phrases mixed.
        system: The system's tree, in any of the same forms.
        types: Which nodes may map to each other.  ``"position"`` (default): phrases to phrases,
            tags to tags, words to words.  ``"label"``: nodes of equal labels, at any depth, so
            that only words are substituted.  ``"none"``: any node or word to any; a label never equals
            a word.  A dict from labels to types (any hashable; other labels have the type
            ``"phrase"`` or ``"tag"``), or a function of a label and one of ``"phrase"``, ``"tag"``,
            ``"word"`` that returns the type; with a dict, words map to words only.
        names: Which labels are equal; labels as written, if not given.
        most_memory: Maximum size of the tables in bytes.

    Returns:
        The mapping of nodes and of words.

    Raises:
        TreeError: a tree cannot be read, or is discontinuous.
        TooLargeError: the tables need more than ``most_memory``, or more than 2 * 10**10 steps.

    Between the first and the last difference, memory is O(n * m) and time
    O(n * m * min(depth, leaves) of both trees).

    Source: Zhang & Shasha 1989, section 3; types and costs Thomae et al. 2003.

    >>> gold, system = "(S (NP (DT the) (NN cat)) (VP (VB ran)))", "(S (DT the) (NN cat) (VP (VB sat)))"
    >>> mapping = tree_mapping(gold, system)
    >>> mapping.pairs, mapping.gold_only, mapping.word_pairs
    (((0, 0), (2, 1), (3, 2), (4, 3), (5, 4)), (1,), ((0, 0), (1, 1), (2, 2)))
    """
    gold, system, nodes = with_nodes(gold, system, names, "tree node accuracy")
    gold_rows, system_rows = label_rows(gold, system, nodes, types, names)
    result = map_labels(gold_rows, system_rows, True, most_memory / 8, MOST_STEPS)
    check_size(result[0], result[-1], most_memory)
    pairs, word_pairs = result[-1]
    # Without types the words are numbered after the nodes.
    n, m = len(gold.labels), len(system.labels)
    word_pairs += [(x - n, y - m) for x, y in pairs if x >= n and y >= m]
    node_words = [(x, y - m) for x, y in pairs if x < n and y >= m]
    word_nodes = [(x - n, y) for x, y in pairs if x >= n and y < m]
    pairs = [(x, y) for x, y in pairs if x < n and y < m]
    return Mapping(
        pairs=tuple(pairs),
        gold_only=without([x for x in nodes_of(gold_rows) if x < n], [x for x, _ in pairs + node_words]),
        system_only=without([y for y in nodes_of(system_rows) if y < m], [y for _, y in pairs + word_nodes]),
        word_pairs=tuple(word_pairs),
        gold_words_only=without(range(len(gold.words)), [x for x, _ in word_pairs + word_nodes]),
        system_words_only=without(range(len(system.words)), [y for _, y in word_pairs + node_words]),
        node_word_pairs=tuple(node_words),
        word_node_pairs=tuple(word_nodes),
    )


def label_rows(
    gold: Tree, system: Tree, nodes: Sequence[LabelledNodes], types: Types | None, names: LabelNumbers | None
) -> list[Rows]:
    """Return both trees as rows of nodes and words with types."""
    sides = zip(nodes, _kinds((gold, system), types, names or LabelNumbers()))
    return [typed_nodes(*side, UNCOUNTED, types == NONE) for side in sides]


def with_nodes(
    gold: Any, system: Any, names: LabelNumbers | None, metric: str
) -> tuple[Tree, Tree, list[LabelledNodes]]:
    """Return two trees and their nodes; raise a TreeError if a tree has gaps."""
    trees = as_tree(gold), as_tree(system)
    for side, tree in zip(("gold", "system"), trees):
        if tree.columns.gaps:
            raise TreeError(
                f"the {side} tree is discontinuous; {metric} needs continuous trees, use discontinuous_f1"
            )
    return *trees, (names or LabelNumbers()).nodes(*trees)


def nodes_of(rows: Rows) -> list[int]:
    count, stride, numbers = rows[:3]
    return [node for node in numbers[4 * stride : 4 * stride + count] if node >= 0]


def check_size(code: int, details: Any, most_memory: int) -> None:
    """Raise TooLargeError if a kernel refused; its tables have numbers of 8 bytes."""
    if code == TOO_LARGE:
        n, m, cells, steps = details
        raise TooLargeError(
            f"the trees differ in parts of {n:,} and {m:,} nodes; mapping them needs "
            f"{cells * 8 / 1e9:,.1f} GB and {steps:.1e} steps, more than the limits of "
            f"{most_memory / 1e9:g} GB and {MOST_STEPS:.0e} steps; allow more memory, or cut the sentence"
        )


def without(numbers: Any, taken: Sequence[int]) -> tuple[int, ...]:
    gone = set(taken)
    return tuple([number for number in numbers if number not in gone])


_Kinds: TypeAlias = tuple[list[int], list[int]] | None


def _kinds(trees: tuple[Tree, Tree], types: Types | None, names: LabelNumbers) -> list[_Kinds]:
    """Return the types of nodes and of words as numbers, for each tree; ``None`` for the default types."""
    if types is None or types in (POSITION, NONE):
        return [None, None]
    if callable(types):
        type_of = types
    elif types == LABEL:

        def type_of(label: str, kind: str) -> Hashable:
            return kind if kind == "word" else names.number(label, tag=kind == "tag")

    elif isinstance(types, AbstractMapping):
        table = types

        def type_of(label: str, kind: str) -> Hashable:
            return kind if kind == "word" else table.get(label, kind)

    else:
        value = repr(types) if isinstance(types, str) else type(types).__name__
        raise SettingsError(
            f"got {value} for types; expected {', '.join(map(repr, NODE_TYPES))}, a dict from labels to "
            "types or a function"
        )
    numbers: dict[Hashable, int] = {}
    words: dict[Hashable, int] = {}
    kinds: list[_Kinds] = []
    for tree in trees:
        # By position, as the kernel: without tags, too, a node over one word alone is of the type of tags.
        tree = tree.replace(tagged=True)
        labels = zip(tree.labels, ["tag" if tag else "phrase" for tag in tree.preterminals])
        node_kinds = [numbers.setdefault(type_of(*label), len(numbers)) for label in labels]
        word_kinds = [words.setdefault(type_of(word, "word"), len(words)) for word in tree.words]
        kinds.append((node_kinds, word_kinds))
    return kinds


class MappingMetric(Metric):
    """Base class of metrics without a value for sentences that are too large or have gaps."""

    # Name of each part, and how to read it from a record.
    parts: ClassVar[Sequence[tuple[str, Callable[[Any], Any]]]]

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._names = label_numbers(rules)

    def _both(self, pair: Pair) -> tuple[Tree, Tree, list[LabelledNodes]] | None:
        """Return both trees and their nodes, made once for all metrics; ``None`` if a tree has gaps."""
        if pair.label_nodes is None and not pair.has_gaps:
            gold, system = pair.gold, pair.system
            pair.label_nodes = gold, system, self._names.nodes(gold, system)
        return pair.label_nodes  # type: ignore[no-any-return]

    def _undefined(self, record: Any) -> Iterator[tuple[int, str, str]]:
        """Yield numbers of sentences that are too large or have gaps, their title, and the reason."""
        for name, read in self.parts:
            counts = read(record)
            large = counts.undefined - counts.with_gaps
            yield large, f"Too large for {name}", f"sentences too large for {name}"
            yield counts.with_gaps, f"Gaps: no {name}", f"sentences with gaps, without {name}"

    def lines(self, record: Any) -> Sequence[Line]:
        undefined = [Line(title, count, "count") for count, title, _ in self._undefined(record) if count]
        return [*super().lines(record), *undefined]

    def left_out(self, record: Any) -> Sequence[tuple[int, str]]:
        return [(count, reason) for count, _, reason in self._undefined(record)]
