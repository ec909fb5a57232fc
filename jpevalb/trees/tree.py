"""Tree: one flat, immutable constituency tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..base.errors import TreeError
from ..kernels import columns as kernel
from ..kernels.columns import Columns, bracket_text, current_names, nodes_of, of_nodes, tags_of, words_of
from .parse import read_text, reading_error

_END = object()  # on a stack, the end of a node


def is_node(item: Any) -> bool:
    """Return True for a tree of nltk or Stanza, or an object like them."""
    label = getattr(item, "label", None)
    return callable(label) or (label is not None and hasattr(item, "children"))


def flatten(root: Any) -> tuple[Sequence[Any], ...]:
    """Return labels, parents, starts, ends, words and word parents, as :meth:`Tree.from_nltk` finds them."""
    stack = [root]
    labels, parents, starts, ends = list[str](), list[int](), list[int](), list[int]()
    words, word_parents = list[str](), list[int]()
    top = -1
    children: Any
    while stack:
        item = stack.pop()
        if item is _END:
            ends[top] = len(words)
            top = parents[top]
            continue
        # Most words are strings, which have no label.
        name = None if type(item) is str else getattr(item, "label", None)
        if callable(name):
            name, children = name(), item
        else:
            children = None if type(item) is str else getattr(item, "children", None)
            if not children:
                word = item if children is None or name is None else name
                words.append(word if type(word) is str else str(word))
                word_parents.append(top)
                continue
        stack.append(_END)
        stack.extend(reversed(list(children)))
        labels.append("" if name is None else str(name))
        parents.append(top)
        starts.append(len(words))
        ends.append(len(words))
        top = len(labels) - 1
    return labels, parents, starts, ends, words, word_parents


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A constituency tree as flat tuples; no node objects, no recursion.

    It is a view of its ``columns``: those of a tree that was read are all that is kept until a field is first
    asked for.

    Node ``i`` is the ``i``-th in preorder; node 0 is the root and its parent is -1.  Preterminals are
    nodes; words are not.  Children are ordered by their first word.  Spans are half-open token indices.
    In a discontinuous tree ``starts[i]`` and ``ends[i]`` are the first word and the last word + 1 of the
    yield, and :meth:`yields` has the gaps.  A tree without nodes is the empty tree.

    >>> tree = Tree.parse("(S (NP (DT the) (NN cat)) (VP (VBD slept)))")
    >>> tree.words, tree.tags
    (('the', 'cat', 'slept'), ('DT', 'NN', 'VBD'))
    >>> [(label, bin(yield_)) for label, yield_ in tree.constituents()]
    [('S', '0b111'), ('NP', '0b11'), ('VP', '0b100')]
    """

    labels: tuple[str, ...]  #: label of each node; may be empty
    parents: tuple[int, ...]  #: parent of each node, -1 for the root
    starts: tuple[int, ...]  #: first word of each node's yield
    ends: tuple[int, ...]  #: last word + 1; equal to the start for a node that dominates no word
    words: tuple[str, ...]  #: the tokens in sentence order
    word_parents: tuple[int, ...]  #: parent node of each word
    id: str | None = None  #: Id of the sentence in its file, if the format has ids. Ignored by ``==``.
    #: True if node 0 hangs from a root that is not a node of the tree, as the only top node of a sentence in
    #: export or TIGER XML does. Ignored by ``==``.
    below_root: bool = False
    #: False in a file without tags, where a node over one word is a constituent like any other. Ignored by
    #: ``==``.
    tagged: bool = True
    #: Grammatical function of each node, such as ``SB``, which export, TIGER XML and Alpino XML write at the
    #: edge to its parent; empty texts for nodes without one, ``()`` for trees without any. Ignored by ``==``.
    edges: tuple[str, ...] = ()
    #: the tree as columns of numbers; those of a tree made of fields are made on first access, which raises a
    #: ``TreeError`` if the fields are of no tree
    columns: Columns = field(init=False, repr=False)

    @classmethod
    def of_columns(cls, columns: Columns, id: str | None = None, edges: tuple[str, ...] = ()) -> Tree:
        """Return the tree with these columns."""
        if not columns.words and not columns.brackets and id is None and cls is Tree:
            return EMPTY
        tree = cls.__new__(cls)
        _set_columns(tree, columns)
        if id is not None:
            object.__setattr__(tree, "id", id)
        if edges:
            object.__setattr__(tree, "edges", edges)
        return tree

    def __getattr__(self, name: str) -> Any:
        # Called only while a slot is unset: the columns of a tree of fields, or fields of a tree of columns.
        if name == "columns":
            value: Any = of_nodes(current_names(), self._checked(), self.tagged, self.below_root)
        elif name in ("tagged", "below_root"):
            value = getattr(self.columns, name)
        elif name == "words":
            value = words_of(self.columns)
        elif name in _LACKING:
            value = _LACKING[name]
        elif name in _NODES:
            for field_name, value in zip(_NODES, nodes_of(self.columns), strict=True):
                object.__setattr__(self, field_name, value)
            return getattr(self, name)
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        object.__setattr__(self, name, value)
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        return Tree.of_columns, (self.columns, self.id, self.edges)

    def _compared(self) -> tuple[Any, ...]:
        return self.labels, self.parents, self.starts, self.ends, self.words, self.word_parents

    def _checked(self) -> tuple[Any, ...]:
        """Return the fields, or raise a TreeError: the kernel believes every number."""
        n, words = len(self.labels), len(self.words)
        sizes = [*map(len, (self.parents, self.starts, self.ends)), len(self.word_parents)]
        if (
            sizes != [n, n, n, words]
            or not all(-1 <= up < node for node, up in enumerate(self.parents))
            or not all(0 <= start <= end <= words for start, end in zip(self.starts, self.ends))
            or not all(0 <= node < n for node in self.word_parents)
        ):
            raise TreeError("the fields are of no tree with its nodes in preorder; use Tree.build")
        return self._compared()

    def __eq__(self, other: object) -> bool:
        return self._compared() == other._compared() if isinstance(other, Tree) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())

    @property
    def with_tags(self) -> Columns:
        """Columns in which a node over one word alone is a tag, also in a tree without tags."""
        columns = self.columns
        return columns if columns.tagged else self.replace(tagged=True).columns

    def replace(self, **changes: Any) -> Tree:
        """Return a copy with some fields changed; it is a plain tree, also of a subclass."""
        values: dict[str, Any] = {name: getattr(self, name) for name in Tree.__match_args__}
        return Tree(**{**values, **changes})

    @classmethod
    def parse(cls, text: str) -> Tree:
        """Parse one tree from bracket text.

        Several trees are put under one root without label.  Blank text gives the empty tree.

        Raises:
            TreeError: unbalanced brackets, text outside brackets, or not a ``str``.
        """
        if not isinstance(text, str):
            problem = f"got an object of type {type(text).__name__}; expected the text of a tree, a str"
            raise TreeError(problem)
        data = text.encode("utf-8", "surrogatepass")
        try:
            return cls.of_columns(read_text(data))
        except (UnicodeDecodeError, kernel.BadTreeError) as error:
            raise reading_error(error, data) from None

    @classmethod
    def build(
        cls,
        labels: Sequence[str],
        parents: Sequence[int],
        words: Sequence[str],
        word_parents: Sequence[int],
        id: str | None = None,
        edges: Sequence[str] = (),
    ) -> Tree:
        """Build a tree, possibly discontinuous, from nodes in any order.

        Nodes are put into preorder, children ordered by their first word.  Nodes without words come
        after their sisters, in the given order.

        Args:
            labels: Label of each node.
            parents: Parent of each node; -1 for a root.  Several roots are put under one root without
                label.
            words: The tokens in sentence order.
            word_parents: Parent node of each word; -1 for none.
            id: Id of the sentence.
            edges: Function of each node; empty for trees without functions.

        Raises:
            TreeError: a parent that does not exist, a cycle, or lists of different lengths.

        >>> t = Tree.build(["PP", "S", "NP"], [1, -1, 1], ["a", "b", "c"], [0, 2, 0])
        >>> t.labels, t.starts, t.ends, [bin(y) for y in t.yields()]
        (('S', 'PP', 'NP'), (0, 0, 1), (3, 3, 2), ['0b111', '0b101', '0b10'])
        """
        if len(parents) != len(labels) or len(word_parents) != len(words):
            raise TreeError(
                f"got {len(labels)} labels with {len(parents)} parents, {len(words)} words with "
                f"{len(word_parents)}; expected one parent for each"
            )
        if len(edges) not in (0, len(labels)):
            raise TreeError(f"{len(edges)} edges for {len(labels)} labels; give one for each, or none")
        code, bad, *made = kernel.build(current_names(), labels, parents, words, word_parents)
        if code == kernel.NO_ROOT:
            raise TreeError("no node is a root; expected one whose parent is -1")
        if code == kernel.CYCLE:
            raise TreeError(f"node {bad} is not below the root: its parents form a cycle")
        if code != kernel.TREE:
            name, values = ("node", parents) if code == kernel.BAD_NODE else ("word", word_parents)
            raise TreeError(
                f"the parent of {name} {bad} is {values[bad]}, but the nodes are 0 to {len(labels) - 1}"
            )
        columns, order = made
        arranged = tuple([edges[node] if node >= 0 else "" for node in order]) if any(edges) else ()
        return cls.of_columns(columns, id, arranged)

    @classmethod
    def from_nltk(cls, tree: Any) -> Tree:
        """Convert an ``nltk.Tree``, a tree of Stanza, or any object like them; neither is imported.

        An object with a ``label()`` method is a node, and iterating over it yields its children.  An object
        with the attributes ``label`` and ``children`` is a node if it has a child, else a word.  Every other
        child is a word, converted by ``str``.

        Raises:
            TreeError: the argument is not a node.
        """
        if not is_node(tree):
            raise TreeError(f"got an object of type {type(tree).__name__}; expected a tree of nltk or Stanza")
        return cls.of_columns(of_nodes(current_names(), flatten(tree)))

    def __len__(self) -> int:
        """Number of nodes, including preterminals; words are not nodes."""
        return len(self.labels)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the node numbers in preorder."""
        return iter(range(len(self.labels)))

    def __str__(self) -> str:
        return self.to_bracket() if self.is_continuous else repr(self)

    def _repr_svg_(self) -> str | None:
        """Draw the tree for a notebook; ``None`` for a very large tree."""
        from .drawing import svg

        return svg([self], [{}])

    @property
    def preterminals(self) -> tuple[bool, ...]:
        """For each node, True if its only child is a word; all False without tags."""
        # In preorder a node has a child node if and only if it is the parent of the next node.
        spans = zip(self.starts, self.ends, (*self.parents[1:], -1))
        tagged = self.tagged
        return tuple(
            [tagged and end - start == 1 and child != node for node, (start, end, child) in enumerate(spans)]
        )

    @property
    def tags(self) -> tuple[str | None, ...]:
        """For each word, the label of its preterminal, or ``None`` for a word without one."""
        return tags_of(self.columns)

    @property
    def is_continuous(self) -> bool:
        """True if the yield of every node is one block of words."""
        return not self.columns.gaps

    def yields(self) -> list[int]:
        """Return each node's yield as a bit set: bit ``i`` is word ``i``.

        Time and memory grow with nodes times words.
        """
        sets = [0] * len(self.labels)
        for index, parent in enumerate(self.word_parents):
            sets[parent] |= 1 << index
        for node in range(len(sets) - 1, 0, -1):
            sets[self.parents[node]] |= sets[node]
        return sets

    def blocks(self) -> list[list[tuple[int, int]]]:
        """Return each node's yield as half-open ranges of words."""
        if self.is_continuous:
            return [[(start, end)] if end > start else [] for start, end in zip(self.starts, self.ends)]
        return [blocks_of(words) for words in self.yields()]

    def constituents(self) -> list[tuple[str, int]]:
        """Return label and yield (bit set) of each constituent, in preorder.

        Constituents are the nodes that dominate a word and are not preterminals.
        """
        return [(label, words) for words, chain in kernel.chains(self.columns).items() for label in chain]

    def children(self) -> list[list[int]]:
        """Return each node's children in order: node numbers, and ``-1 - i`` for word ``i``.

        A node without words comes before a word at the same position.

        >>> Tree.parse("(S (NP (DT the) (NN cat)) slept)").children()
        [[1, -3], [2, 3], [-1], [-2]]
        """
        children: list[list[int]] = [[] for _ in self.labels]
        for node in range(1, len(children)):
            children[self.parents[node]].append(node)
        for index, node in enumerate(self.word_parents):
            children[node].append(-1 - index)
        # Words were added after nodes.  Sort mixed children by twice the position, plus 1 for a word.
        for mixed in children:
            if len(mixed) > 1 and mixed[0] >= 0 > mixed[-1]:
                mixed.sort(key=lambda child: 2 * self.starts[child] if child >= 0 else -1 - 2 * child)
        return children

    def to_bracket(self) -> str:
        """Return the tree as one line of bracket text, which :meth:`parse` reads back.

        Raises:
            TreeError: the tree is discontinuous; the discbracket and export formats can hold it.

        >>> Tree.parse(" (S (NP(DT the)(NN cat)) (VP (VBD slept)) )").to_bracket()
        '(S (NP (DT the) (NN cat)) (VP (VBD slept)))'
        """
        if not self.is_continuous:
            raise TreeError(
                "a discontinuous tree has no bracket notation; write it with the discbracket or export format"
            )
        return str(bracket_text(self.columns, words_of(self.columns)))

    def to_nltk(self, tree_class: Any = None) -> Any:
        """Convert to an ``nltk.Tree``, or to ``tree_class(label, children)``.

        Raises:
            TreeError: the tree is discontinuous or empty.
            ImportError: nltk is not installed and no class was given.
        """
        if not self.labels:
            raise TreeError("the empty tree cannot be converted: an nltk tree has at least one node")
        if not self.is_continuous:
            raise TreeError("a discontinuous tree cannot be converted to an nltk tree")
        if tree_class is None:
            import nltk.tree

            tree_class = nltk.tree.Tree
        converted: dict[int, Any] = {-1 - index: word for index, word in enumerate(self.words)}
        for node, children in reversed(list(enumerate(self.children()))):
            converted[node] = tree_class(self.labels[node], [converted.pop(child) for child in children])
        return converted[0]


_set_columns = Tree.__dict__["columns"].__set__  # at half the cost of object.__setattr__
_NODES = Tree.__match_args__[:6]
_LACKING: dict[str, Any] = {"id": None, "edges": ()}  # fields that most trees lack, and columns do not have
EMPTY = Tree((), (), (), (), (), ())


class Constituent(NamedTuple):
    """A labelled set of units of a bead: a span, which is empty over unaligned words, or a set with gaps.

    >>> str(Constituent("NP", 0, 2, 1)), str(Constituent("VP", 0, 5, 1, 0b11001))
    ('NP[0:2]', 'VP[0,3:5]')
    """

    label: str  #: label
    start: int  #: first unit
    end: int  #: last unit + 1
    node: int  #: number of the node in its tree
    gaps: int = 0  #: bit set of its units if they have gaps, else 0

    @property
    def span(self) -> tuple[int, int, int]:
        """Key of its units, without the label."""
        return self[1], self[2], self[4]

    @property
    def words(self) -> int:
        """Bit set of its units; these are words where both sides have the same words."""
        return self.gaps or (1 << self.end) - (1 << self.start)

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """Its blocks as half-open ranges of units."""
        return blocks_of(self.gaps) if self.gaps else [(self.start, self.end)]

    @property
    def place(self) -> str:
        """Its units as shown in reports."""
        if not self.gaps:
            return f"[{self.start}:{self.end}]"
        parts = [str(start) if end == start + 1 else f"{start}:{end}" for start, end in self.blocks]
        return f"[{','.join(parts)}]"

    def __str__(self) -> str:
        return self.label + self.place


def side_by_side(trees: Sequence[Tree], label: str = "") -> Tree:
    """Put trees under one new root, in order."""
    edges: tuple[str, ...] = ()
    if any(tree.edges for tree in trees):
        edges = ("", *[edge for tree in trees for edge in tree.edges or [""] * len(tree)])
    columns = kernel.side_by_side([tree.columns for tree in trees], current_names(), label)
    return Tree.of_columns(columns, edges=edges)


def blocks_of(bits: int) -> list[tuple[int, int]]:
    """Return the blocks of a bit set as half-open ranges, in order."""
    blocks = []
    last, rest = 0, bits
    while rest:
        start = last + (rest & -rest).bit_length() - 1
        rest = bits >> start
        last = start + (~rest & (rest + 1)).bit_length() - 1
        rest = bits >> last
        blocks.append((start, last))
    return blocks


def has_gaps(words: int) -> bool:
    """Return True if the words of a set, bit ``i`` for word ``i``, are not one block."""
    return words & words + (words & -words) != 0


def flat_tree(words: Sequence[str], tags: Sequence[str | None] | None = None, id: str | None = None) -> Tree:
    """Return a tree without constituents: a root without label over words, or over words with their tags."""
    n = len(words)
    if not words:
        return EMPTY.replace(id=id)
    if tags is None:
        return Tree.build([""], [-1], words, [0] * n, id).replace(tagged=False)
    labels = ["", *[tag or "" for tag in tags]]
    return Tree.build(labels, [-1, *[0] * n], words, range(1, n + 1), id)
