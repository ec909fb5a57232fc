"""Which nodes of two trees correspond."""

from typing import Any, NamedTuple


class Mapping(NamedTuple):
    """Corresponding nodes of the gold and the system tree, and nodes without a counterpart.

    Ancestors stay ancestors, left stays left, and every node is in at most one pair.
    Nodes are numbered in preorder as in :class:`Tree`, words in sentence order.
    Dummy roots, and nodes that the metric ignores, are in no list.
    """

    pairs: tuple[tuple[int, int], ...]  #: (gold node, system node), in gold's preorder
    gold_only: tuple[int, ...]  #: gold nodes without a counterpart
    system_only: tuple[int, ...]  #: system nodes without a counterpart
    word_pairs: tuple[tuple[int, int], ...] = ()  #: (gold word, system word); empty for Struct-IoU
    gold_words_only: tuple[int, ...] = ()  #: gold words without a counterpart
    system_words_only: tuple[int, ...] = ()  #: system words without a counterpart
    #: For each of ``pairs`` the intersection of the two intervals over their union, in (0, 1]; ``None``
    #: unless mapped by overlap.
    overlaps: tuple[float, ...] | None = None
    #: (gold node, system word); only nodes without types map to words.
    node_word_pairs: tuple[tuple[int, int], ...] = ()
    word_node_pairs: tuple[tuple[int, int], ...] = ()  #: (gold word, system node)

    def to_dict(self) -> dict[str, Any]:
        """Return the lists by name, JSON-ready."""
        return {
            name: [list(item) if isinstance(item, tuple) else item for item in items]
            for name, items in self._asdict().items()
            if items or (items is not None and name not in ("node_word_pairs", "word_node_pairs"))
        }
