"""What counts and what is equal: labels, words and constituents, with a .prm or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from .errors import TreeError
from .params import Params
from .settings import Settings
from .tree import Tree

DUMMY_ROOT = "@S"
"""Label of the root over the sentences of one bead."""

UNCOUNTED = frozenset(("", "TOP", "ROOT", DUMMY_ROOT))
"""Labels of nodes that are never constituents (design of Jo et al. 2024)."""

VIRTUAL_ROOTS = frozenset(("VROOT",))
"""Labels of roots that a treebank's tools added, which count in alignment mode only."""

BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""The names that the Penn Treebank has for brackets."""

TRACE = "-NONE-"
"""The tag of words that nobody has said: traces and empty categories."""

_MEMO_LIMIT = 100_000


def cut(label: str) -> str:
    """The label up to its first ``-`` or ``=``: without function tags and indices.

    >>> cut("NP-SBJ=2"), cut("-NONE-")
    ('NP', '')
    """
    if "-" in label or "=" in label:
        return label.partition("-")[0].partition("=")[0]
    return label


class LabelPolicy:
    """What counts in one run, as evalb reads a .prm and as the run's mode has it.

    Bracket labels are cut before they are looked at, tags never are.  A bracket
    is deleted if its label is, or is equal to, a DELETE_LABEL; a word if its tag
    is one exactly.  TOP, ROOT, the empty label and the dummy root never count.

    Attributes:
        resolved: Cache: bracket label -> the label it counts as, or ``None`` if it does not count.
        representatives: Cache: bracket label -> one name for all labels that are equal to it.
        equal_brackets: For a bracket label the other labels equal to it.
        equal_tags: For a tag the other tags equal to it.
        equal_words: For a word the other words equal to it.
        deleted: Tags whose words are left out: each DELETE_LABEL, and punctuation.
        deleted_words: Words that are left out: each DELETE_WORD.
        unmeasured: Tags whose words do not count for a sentence's length.
        once: Whether constituents of one yield and label count once.
        exclude_trivial: Whether constituents of one unit and of all units are left out.
        only_gaps: Whether only constituents with gaps count: DISC_ONLY.
        max_fanout: The most blocks that a constituent may have; 0 for no limit.
        empty_is_complete: Whether a sentence that has neither gold constituents nor a parse is complete.
        empty_has_f1: Whether a sentence that has no constituent on either side has an F1, which is 1.
        seen_deleted: Whether any label or tag to leave out has been met.

    >>> labels = LabelPolicy(Params(delete_labels=("S1",), eq_labels=(("ADVP", "PRT"),)))
    >>> [labels.resolve(label) for label in ("S1", "NP-SBJ", "TOP")], labels.equal_brackets
    ([None, 'NP', None], {'ADVP': ('PRT',), 'PRT': ('ADVP',)})
    """

    def __init__(self, params: Params, *, unlabeled: bool = False, transitive: bool = False) -> None:
        self._unlabeled = unlabeled or not params.labeled
        self._roots = UNCOUNTED
        self.once = self.exclude_trivial = False
        self.max_fanout = 0
        self.empty_is_complete = True
        self.empty_has_f1 = False
        self.deleted = frozenset(params.delete_labels)
        self.deleted_words = frozenset(params.delete_words)
        self._root_words = params.delete_root_preterms
        self.only_gaps = params.disc_only
        self.unmeasured = frozenset(params.delete_labels_for_length)
        self.equal_tags = _neighbours(params.eq_labels)
        self.equal_words = _neighbours(params.eq_words)
        if transitive:
            self.equal_tags, self.equal_words = closed(self.equal_tags), closed(self.equal_words)
        self.equal_brackets = {} if self._unlabeled else self.equal_tags
        equal = [self.equal_tags.get(label, ()) for label in params.delete_labels]
        self._gone = self.deleted.union(*equal)
        self.resolved: dict[str, str | None] = {}
        self.representatives: dict[str, str] = {}
        self.seen_deleted = False

    @classmethod
    def of(cls, settings: Settings) -> LabelPolicy:
        """What counts with some settings.

        Raises:
            ParamsError: the .prm cannot be read.
        """
        params = settings.params()
        conventions = settings.conventions
        made = cls(params, unlabeled=settings.unlabeled, transitive=conventions.equality_is_transitive)
        if conventions.virtual_roots:
            made._roots = UNCOUNTED | VIRTUAL_ROOTS
        made.once = conventions.unlabeled_sets and settings.unlabeled
        made.exclude_trivial = settings.exclude_trivial
        made.max_fanout = settings.max_fanout or 0
        made.empty_is_complete = conventions.empty_is_complete
        made.empty_has_f1 = settings.empty_f1 == "one"
        made.deleted = made.deleted.union(settings.punctuation)
        # A length without punctuation is one without it, as in WSJ10.
        made.unmeasured = made.unmeasured.union(settings.punctuation)
        if settings.traces == "drop":
            made.leave_out_traces()
        return made

    def leave_out_traces(self) -> None:
        """Leaves out words tagged ``-NONE-``, which then do not count for the length either."""
        self.deleted = self.deleted.union((TRACE,))
        self.unmeasured = self.unmeasured.union((TRACE,))

    def without_labels(self) -> LabelPolicy:
        """These conventions for sets of constituents without labels and without those every tree has."""
        made = copy(self)
        made._unlabeled = made.once = made.exclude_trivial = True
        made.equal_brackets, made.resolved = {}, {}
        return made

    def resolve(self, label: str) -> str | None:
        """What a bracket label counts as; ``None`` if it does not count."""
        if len(self.resolved) >= _MEMO_LIMIT:
            self.resolved.clear()
        name = cut(label)
        if name in self._gone:
            self.seen_deleted = True
            return None
        if name in self._roots:
            return None
        return "" if self._unlabeled else name

    def prune(self, tree: Tree) -> tuple[Tree, int]:
        """The tree without deleted words and what they leave empty.

        Returns:
            The tree, and how many of the words left out count for its length.

        Cost: O(nodes + words).
        """
        kept = self.kept(tree)
        return (tree, 0) if kept is None else self._without(tree, kept)

    @property
    def leaves_out(self) -> bool:
        """Whether some words may be left out."""
        return bool(self.deleted or self.deleted_words or self._root_words)

    def kept(self, tree: Tree) -> list[bool] | None:
        """For each word whether it is scored; ``None`` where all are.  Cost: O(nodes + words)."""
        if not self.leaves_out:
            return None
        tags = tree.tags
        if not (self.deleted_words or self._root_words):
            if self.deleted.isdisjoint(tags):
                return None
            return [tag not in self.deleted for tag in tags]
        kept = [
            tag not in self.deleted and word not in self.deleted_words for tag, word in zip(tags, tree.words)
        ]
        if self._root_words:
            # A preterminal has a word and nothing else.
            parents, alone = tree.parents, Counter([*tree.parents, *tree.word_parents])
            for place, node in enumerate(tree.word_parents):
                if node and parents[node] == 0 and alone[node] == 1:
                    kept[place] = False
        return None if all(kept) else kept

    def prune_both(self, gold: Tree, system: Tree) -> tuple[Tree, Tree, int]:
        """Both trees over the words that are scored, which must be the same.

        Where the words agree gold's tags say which are left out, so that a wrong tag
        of the system's costs that tag and no more.  Otherwise each side's own tags do,
        as in evalb: the gold sentence may hold traces that the system's does not.

        Returns:
            Both trees, and how many gold words that are left out count for the length.

        Raises:
            TreeError: the trees have different words.

        Cost: O(nodes + words).
        """
        place = self._difference(gold.words, system.words)
        if place < 0:
            kept = self.kept(gold)
            if kept is None:
                return gold, system, 0
            pruned, outside = self._without(gold, kept)
            return pruned, without_words(system, kept), outside
        if self.leaves_out:
            pruned, outside = self.prune(gold)
            other, _ = self.prune(system)
            if self._difference(pruned.words, other.words) < 0:
                return pruned, other, outside
        raise TreeError(_told(gold.words, system.words, place))

    def _without(self, tree: Tree, kept: list[bool]) -> tuple[Tree, int]:
        self.seen_deleted = True
        outside = sum(not keep and tag not in self.unmeasured for keep, tag in zip(kept, tree.tags))
        return without_words(tree, kept), outside

    def _difference(self, gold: Sequence[str], system: Sequence[str]) -> int:
        """The first place where the words differ, or -1."""
        if gold == system:
            return -1
        for place, (mine, other) in enumerate(zip(gold, system)):
            if (
                mine != other
                and other not in self.equal_words.get(mine, ())
                and BRACKETS.get(mine, mine) != BRACKETS.get(other, other)
            ):
                return place
        return -1 if len(gold) == len(system) else min(len(gold), len(system))


def without_words(tree: Tree, kept: list[bool]) -> Tree:
    """The tree without some of its words, and without the nodes that have no word then.

    Cost: O(nodes + words).
    """
    place = [0]
    for keep in kept:
        place.append(place[-1] + keep)
    filled = [False] * len(tree)
    for node, keep in zip(tree.word_parents, kept):
        filled[node] = filled[node] or keep
    for node in range(len(tree) - 1, 0, -1):
        if filled[node]:
            filled[tree.parents[node]] = True
    nodes = [node for node in tree if filled[node]]
    number = {node: i for i, node in enumerate(nodes)}
    labels = tuple([tree.labels[node] for node in nodes])
    parents = tuple([number.get(tree.parents[node], -1) for node in nodes])
    words = tuple([word for word, keep in zip(tree.words, kept) if keep])
    word_parents = tuple([number[node] for node, keep in zip(tree.word_parents, kept) if keep])
    if not tree.is_continuous:
        # Children are ordered by their first word, which may have gone.
        return Tree.build(labels, parents, words, word_parents, id=tree.id)
    starts = tuple([place[tree.starts[node]] for node in nodes])
    ends = tuple([place[tree.ends[node]] for node in nodes])
    return Tree(labels, parents, starts, ends, words, word_parents, id=tree.id)


def _neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """For each member of a pair its other members: symmetric, not transitive."""
    found: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            found.setdefault(first, {})[second] = None
            found.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in found.items()}


def representatives(equal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each label with equals the first, in order, of all that it is connected to.

    Here, unlike in the counts, equality is transitive.

    >>> representatives({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)})
    {'ADVP': 'ADVP', 'PRT': 'ADVP', 'AVP': 'ADVP'}
    """
    found: dict[str, str] = {}
    for first in sorted(equal):
        waiting = [first] if first not in found else []
        for label in waiting:
            if label not in found:
                found[label] = first
                waiting.extend(equal[label])
    return found


def closed(equal: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The equality in which all labels that are connected are equal to one another.

    Cost: O(the pairs that are equal then).

    >>> closed({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)})["PRT"]
    ('ADVP', 'AVP')
    """
    classes: dict[str, list[str]] = {}
    for label, first in representatives(equal).items():
        classes.setdefault(first, []).append(label)
    return {label: tuple(sorted(set(members) - {label})) for members in classes.values() for label in members}


def with_equal_words(exceptions: Mapping[str, str], equal: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """The exception list with EQ_WORD on top: words that are equal are read as one of them.

    Here, unlike in the counts, equality is transitive: an alignment needs one text.

    >>> with_equal_words({"n't": "not"}, {"not": ("nicht",), "nicht": ("not",)})
    {"n't": 'nicht', 'nicht': 'nicht', 'not': 'nicht'}
    """
    if not equal:
        return exceptions
    texts: dict[str, str] = {}
    for word, first in representatives(equal).items():
        text = first.lower()
        texts[word.lower()] = exceptions.get(text, text)
    return {**{word: texts.get(text, text) for word, text in exceptions.items()}, **texts}


def _told(gold: Sequence[str], system: Sequence[str], place: int) -> str:
    def word(words: Sequence[str]) -> str:
        return repr(words[place]) if place < len(words) else "the end"

    return (
        f"word {place + 1} is {word(system)}, but {word(gold)} in gold "
        f"({len(system)} words, gold {len(gold)}); expected trees over the same words"
    )
