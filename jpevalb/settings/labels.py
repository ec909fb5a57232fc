"""LabelPolicy: the labels and words that are deleted, equated or never counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ..base.errors import LeftOutError, SettingsError, TreeError
from ..base.text import counted
from ..trees.sentence import Sentence
from ..trees.tree import EMPTY, Tree
from ..trees.unread import Unread
from ..trees.words import alike
from .convention import RULES, end_of
from .params import Params
from .settings import ALIGNMENT, Settings
from .standardise import UNLIKE, Standardiser, below_root, top_nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..kernels.evalb import EvalbScorer


class _Mark(str):
    """A label that equals only itself, unlike any label of a file."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce__(self) -> str:
        return "DUMMY_ROOT"


DUMMY_ROOT = _Mark("@S")  # label of the root over the sentences of one bead
UNCOUNTED = frozenset(("", "TOP", "ROOT", DUMMY_ROOT))  # never constituents (design of Jo et al. 2024)
TRACE = "-NONE-"  # tag of traces and empty categories
_CACHE_LIMIT = 100_000
# Rules that LabelPolicy compiles: all their values, or some in the last row
_COMPILED = (
    *("cut_at", "equal", "equal_words", "labeled", "no_bracket", "drop_whole", "drop_tags", "drop_words"),
    *("drop_below_root", "quote_tags", "most_gaps", "only_gaps", "words"),
    *("least", "whole", "repeats"),
)


def cut(label: str) -> str:
    """Return the label up to its first ``-`` or ``=``, without function tags and indices."""
    if "-" in label or "=" in label:
        return label.partition("-")[0].partition("=")[0]
    return label


class LabelPolicy:
    """The labels and words that count in one run: the rules of a convention, compiled for speed.

    Bracket labels are cut before they are compared, tags never are.  A bracket is deleted if its label
    is a DELETE_LABEL or equal to one; a word if its tag is exactly a DELETE_LABEL.
    """

    def __init__(self, params: Params, settings: Settings | None = None) -> None:
        settings = (settings or Settings(mode=ALIGNMENT)).replace(prm=params)
        self.rules = rules = settings.rules()
        self.unlabeled = not rules.labeled  # all bracket labels count as one
        # True if constituents with the same yield and label count once
        self.once = rules.repeats == "once"
        # True if constituents over one unit or all units do not count
        self.exclude_trivial = rules.whole == "drop all"
        # Maximum number of blocks of a constituent; 0 for no limit
        self.max_fanout = 0 if rules.most_gaps is None else rules.most_gaps + 1
        self.only_gaps = rules.only_gaps  # True if only constituents with gaps count
        # True if a gold sentence without constituents and without a parse is a complete match
        self.empty_is_complete = not settings.discontinuous
        # True if a sentence without constituents on either side has F1 1
        self.empty_has_f1 = settings.empty_f1 == "one" or rules.mean == "sentences"
        self.lengths = rules.words  # smallest and largest number of gold words
        self.deleted = rules.drop_tags  # tags of deleted words
        traces = (TRACE,) if settings.traces == "drop" else ()
        # Tags of words that do not count for the length
        self.unmeasured = frozenset((*params.delete_labels_for_length, *settings.punctuation, *traces))
        self.deleted_words = rules.drop_words
        self._root_words = rules.drop_below_root
        self.equal_tags = neighbours(rules.equal)  # for a tag the other tags equal to it
        self.equal_words = neighbours(rules.equal_words)
        if settings.discontinuous:
            self.equal_tags, self.equal_words = closed(self.equal_tags), closed(self.equal_words)
        self.equal_brackets = {} if self.unlabeled else self.equal_tags
        # Brackets cannot hold the tag $( of German treebanks, so tools write it as $[.
        self.equal_tags = {**neighbours([("$(", "$[")]), **self.equal_tags}
        deleted = rules.drop_tags & rules.no_bracket
        self._gone = deleted.union(*[self.equal_tags.get(label, ()) for label in deleted])
        self._roots = rules.no_bracket | {DUMMY_ROOT}
        self.resolved: dict[str, str | None] = {}  # cache: the label that a label counts as; None for none
        self.seen_deleted = False  # True once a deleted label or tag has occurred
        self.cut_at = rules.cut_at  # marks at which labels and tags end, too
        self.dropped = rules.drop_whole  # labels of subtrees removed with their words
        self._short: dict[tuple[str, bool], str] = {}
        self._gold_deletes = rules.decided_by == "gold"
        # True if a bracket that occurs several times on both sides matches once
        self.matches_once = False
        self.counts_empty = False  # True if brackets over deleted words only count, at their place
        # True if a sentence without constituents has F1 1 even without a parse
        self.scores_empty = False

    @cached_property
    def representatives(self) -> dict[str, str]:
        """For each bracket label with equal ones, the name of its group."""
        equal = self.equal_brackets
        names: dict[str, str] = {}
        for label, others in equal.items():
            group = {label, *others}
            # Equality need not be transitive; if it is not, labels stand for themselves.
            alike = all({other, *equal.get(other, ())} == group for other in group)
            names[label] = min(group) if alike else label
        return names

    @classmethod
    def of(cls, settings: Settings) -> LabelPolicy:
        """Return the policy of these settings; reads the .prm."""
        if settings.tool:
            return ConventionPolicy(settings)
        rules, row = settings.rules(), settings.row
        others = [
            name for name in RULES if name not in _COMPILED and getattr(rules, name) != getattr(row, name)
        ]
        if (rules.least, rules.whole) not in ((1, "keep"), (2, "drop all")):
            others.append("least" if rules.least > 1 else "whole")
        if rules.repeats not in ("each", "once"):
            others.append("repeats")
        if not others:
            return cls(settings.params(), settings)
        if row.compare == "aligned":
            raise SettingsError(
                f"rule {others[0]} needs words that are compared in order; give mode='discontinuous' "
                "or leave the rule out"
            )
        return ConventionPolicy(settings)

    def without_labels(self) -> LabelPolicy:
        """Return a copy that compares sets of unlabelled constituents without the trivial ones."""
        from copy import copy

        made = copy(self)
        made.unlabeled = made.once = made.exclude_trivial = True
        made.equal_brackets, made.resolved = {}, {}
        return made

    def resolve(self, label: str) -> str | None:
        """Return the label that a bracket label counts as; ``None`` if it does not count."""
        if len(self.resolved) >= _CACHE_LIMIT:
            self.resolved.clear()
        name = cut(label)
        if name in self._gone:
            self.seen_deleted = True
            return None
        if name in self._roots:
            return None
        return "" if self.unlabeled else name

    def scored(self, tree: Tree) -> Tree:
        """Return the tree without deleted words, or the tree itself if gold's tags decide on these."""
        return tree if self._gold_deletes or not self.changes_trees else self.prune(tree)

    def prune(self, tree: Tree) -> Tree:
        """Return the tree without deleted words; an unparsed tree is pruned when it is parsed."""
        if isinstance(tree, Unread):
            return type(tree)(tree.data, lambda data: self.prune(tree.replace()))
        tree = self.shortened(tree)
        kept = self.kept(tree)
        return tree if kept is None else without_words(tree, kept)

    def aligned(self, sentence: Sentence) -> Sentence:
        """Return a sentence as its words are aligned: deleted words stay, apart from traces."""
        if not self.deletes_words:
            return sentence
        tree = self.shortened(sentence.source)
        if TRACE in self.deleted and TRACE in tree.labels:
            tree = without_words(tree, [tag != TRACE for tag in tree.tags])
        return sentence._replace(tree=tree)

    def outside(self, tree: Tree) -> int:
        """Return the number of deleted words that count for the length."""
        tree = self.shortened(tree)
        kept = self.kept(tree) or [True] * len(tree.words)
        for index in self._dropped(tree):
            kept[index] = True
        return sum(not keep and tag not in self.unmeasured for keep, tag in zip(kept, tree.tags))

    @property
    def deletes_words(self) -> bool:
        """True if some words may be deleted."""
        return bool(self.deleted or self.deleted_words or self._root_words or self.dropped)

    @property
    def skips_empty(self) -> bool:
        """True if a sentence whose words are all deleted counts nowhere, as in evalb."""
        return self.empty_is_complete and self.deletes_words

    @property
    def changes_trees(self) -> bool:
        """True if words may be deleted or labels shortened."""
        return self.deletes_words or bool(self.cut_at)

    @property
    def has_changes(self) -> bool:
        """True if :meth:`done` may yield something."""
        return self.changes_trees

    def done(self, source: Tree, tree: Tree) -> Iterator[tuple[str, int]]:
        """Yield the changes from the source of a tree to the scored tree, with counts."""
        dropped = len(source.words) - len(tree.words)
        traces = source.tags.count(TRACE) if dropped and TRACE in self.deleted else 0
        yield from (("words dropped", dropped - traces), ("traces removed", traces))
        if self.dropped:
            yield "subtrees dropped", top_nodes(source, lambda label: cut(label) in self.dropped)
        if self.cut_at:
            yield "labels cut", sum([bool(end_of(label, self.cut_at)[1]) for label in source.labels])

    def shortened(self, tree: Tree) -> Tree:
        """Return the tree with tags cut at ``cut_at``, and ``-`` for such a mark in other labels."""
        if not self.cut_at:
            return tree
        if len(self._short) >= _CACHE_LIMIT:
            self._short.clear()
        short = self._short
        keys = list(zip(tree.labels, tree.preterminals))
        for key in keys:
            if key not in short:
                label, is_tag = key
                end, mark = end_of(label, self.cut_at)
                rest = "" if is_tag or not mark else "-" + label[end + len(mark) :].replace(mark, "-")
                short[key] = label[:end] + rest
        return tree.replace(labels=tuple([short[key] for key in keys]))

    def kernel(self, indexed: bool) -> EvalbScorer | None:
        """Return a kernel that compares texts with these labels; ``None`` if this needs the trees.

        With ``indexed`` the texts have indices and are compared as in discontinuous mode.
        """
        from ..kernels.evalb import EvalbScorer

        # The kernel leaves pairs of different words to the trees if they may be equal as words.
        by_word = self.deletes_words or self.lengths != (0, None) if indexed else self.equal_words
        by_text = self.deleted_words or self._root_words or self.dropped or self.cut_at
        by_bracket = self.once or self.exclude_trivial or self.only_gaps or self.max_fanout
        if by_word or by_text or by_bracket:
            return None

        def raw(labels: Iterable[str]) -> tuple[bytes, ...]:
            return tuple([label.encode("utf-8", "surrogatepass") for label in labels])

        equal = [
            raw((first, other))
            for first, others in self.equal_tags.items()
            for other in others
            if "$(" not in (first, other)  # which no bracketed text has
        ]
        lists = (
            raw(self.deleted),
            raw(self.unmeasured),
            (),
            equal,
            (),
            raw(self._gone),
            raw(self._roots - {DUMMY_ROOT}),
        )
        return EvalbScorer(lists, not self.unlabeled, 0, 0, False, False, -1)

    def kept(self, tree: Tree) -> list[bool] | None:
        """Return for each word True if it is scored; ``None`` if all are."""
        if not self.deletes_words:
            return None
        tree = self.shortened(tree)
        tags = tree.tags
        dropped = self._dropped(tree)
        if not (self.deleted_words or self._root_words or dropped):
            if self.deleted.isdisjoint(tags):
                return None
            self.seen_deleted = True
            return [tag not in self.deleted for tag in tags]
        tagged = zip(tags, tree.words)
        kept = [tag not in self.deleted and word not in self.deleted_words for tag, word in tagged]
        if self._root_words:
            kept = [keep and not low for keep, low in zip(kept, below_root(tree))]
        for index in dropped:
            kept[index] = False
        if all(kept):
            return None
        self.seen_deleted = True
        return kept

    def _dropped(self, tree: Tree) -> list[int]:
        """Return the words of the subtrees that are removed."""
        if not self.dropped:
            return []
        inside: list[bool] = []
        for label, parent in zip(tree.labels, tree.parents):
            inside.append((parent >= 0 and inside[parent]) or cut(label) in self.dropped)
        return [index for index, node in enumerate(tree.word_parents) if inside[node]]

    def prune_both(self, gold: Tree, system: Tree) -> tuple[Tree, Tree]:
        """Return both trees without deleted words; a TreeError if their words differ."""
        # If the words agree, gold's tags decide, so that a wrong system tag costs only that tag.
        # Otherwise each side's own tags do, as in evalb: gold may hold traces that the system lacks.
        gold, system = self.shortened(gold), self.shortened(system)
        index = self._difference(gold.words, system.words)
        if index < 0:
            kept = self.kept(gold)
            if kept is None:
                return gold, system
            return without_words(gold, kept), without_words(system, kept)
        if self.deletes_words:
            pruned, pruned_system = self.prune(gold), self.prune(system)
            if self._difference(pruned.words, pruned_system.words) < 0:
                return pruned, pruned_system
        sides = gold.words, system.words
        gold_word, system_word = (repr(words[index]) if index < len(words) else "the end" for words in sides)
        raise TreeError(
            f"word {index + 1} is {system_word}, but {gold_word} in gold "
            f"({counted(len(system.words), 'word')}, gold {len(gold.words)}); "
            "expected trees over the same words"
        )

    def _difference(self, gold: tuple[str, ...], system: tuple[str, ...]) -> int:
        """Return the index of the first difference, or -1."""
        if gold == system:
            return -1
        for index, (word, other, key, other_key) in enumerate(zip(gold, system, *alike(gold, system))):
            if key != other_key and other not in self.equal_words.get(word, ()):
                return index
        return -1 if len(gold) == len(system) else min(len(gold), len(system))


class ConventionPolicy(LabelPolicy):
    """Policy of a convention: the trees of each pair are standardised; all remaining labels count."""

    def __init__(self, settings: Settings) -> None:
        rules = settings.rules()
        super().__init__(Params(labeled=rules.labeled), Settings(mode=ALIGNMENT))
        # A tool's sentences of other lengths are excluded; others are counted as short.
        self.rules, self.lengths = rules, (0, None)
        if not settings.tool:
            self.rules, self.lengths = rules.replace(words=(0, None)), rules.words
        self.matches_once = rules.repeats == "first"
        self.counts_empty = rules.least == 0
        self.empty_has_f1 = settings.empty_f1 == "one" or rules.mean == "sentences"
        self.empty_is_complete = settings.tool or not settings.discontinuous
        self.scores_empty = settings.tool
        self._roots = frozenset((DUMMY_ROOT,))
        self._standardise = Standardiser(self.rules, DUMMY_ROOT)
        # As in `LabelPolicy.prune_both`, each side's own tags decide if the words differ.
        self._by_own_tags: Standardiser | None = None
        if self.rules.decided_by == "gold" and not settings.tool:
            self._by_own_tags = Standardiser(self.rules.replace(decided_by="own"), DUMMY_ROOT)
        self._stops = rules.unlike == "stop"
        self._stop = f"{rules.name} stops here" if settings.tool else "expected trees over the same words"

    def resolve(self, label: str) -> str | None:
        if label is DUMMY_ROOT:
            return None
        return "" if self.unlabeled else label

    def kernel(self, indexed: bool) -> None:
        return None

    @property
    def has_changes(self) -> bool:
        return True

    def done(self, source: Tree, tree: Tree) -> Iterator[tuple[str, int]]:
        return self._standardise.done(source, tree)

    def prune(self, tree: Tree) -> Tree:
        gold, _, reason = self._standardise(tree, EMPTY)
        if reason and not (reason == UNLIKE and self._stops):
            raise LeftOutError(reason)
        return gold

    def prune_both(self, gold: Tree, system: Tree) -> tuple[Tree, Tree]:
        first, second, reason = self._standardise(gold, system)
        if reason == UNLIKE and self._by_own_tags is not None:
            first, second, reason = self._by_own_tags(gold, system)
        if reason == UNLIKE and self._stops:
            raise TreeError(f"{self._standardise.difference(gold, system)}; {self._stop}")
        if reason:
            raise LeftOutError(reason)
        return first, second


def without_words(tree: Tree, kept: list[bool]) -> Tree:
    """Return the tree without some words and the nodes that become empty."""
    filled = [False] * len(tree)
    for node, keep in zip(tree.word_parents, kept):
        filled[node] = filled[node] or keep
    for node in range(len(tree) - 1, 0, -1):
        if filled[node]:
            filled[tree.parents[node]] = True
    nodes = [node for node in tree if filled[node]]
    number = {node: i for i, node in enumerate(nodes)}
    labels = [tree.labels[node] for node in nodes]
    parents = [number.get(tree.parents[node], -1) for node in nodes]
    words = [word for word, keep in zip(tree.words, kept) if keep]
    word_parents = [number[node] for node, keep in zip(tree.word_parents, kept) if keep]
    # Where there are gaps, children may change places with their first words.
    edges = [tree.edges[node] for node in nodes] if tree.edges else ()
    built = Tree.build(labels, parents, words, word_parents, tree.id, edges)
    return built if tree.tagged else built.replace(tagged=False)


def neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return for each label the labels that it is paired with: symmetric, not transitive."""
    neighbours: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            neighbours.setdefault(first, {})[second] = None
            neighbours.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in neighbours.items()}


def representatives(equal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each label the alphabetically first label connected to it."""
    representative: dict[str, str] = {}
    for first in sorted(equal):
        queue = [first] if first not in representative else []
        for label in queue:
            if label not in representative:
                representative[label] = first
                queue.extend(equal[label])
    return representative


def closed(equal: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the transitive closure of an equality."""
    classes: dict[str, list[str]] = {}
    for label, first in representatives(equal).items():
        classes.setdefault(first, []).append(label)
    return {label: tuple(sorted(set(members) - {label})) for members in classes.values() for label in members}


def with_equal_words(exceptions: Mapping[str, str], equal: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Add EQ_WORD to an exception list: equal words, transitively, get one comparison text."""
    if not equal:
        return exceptions
    texts: dict[str, str] = {}
    for word, first in representatives(equal).items():
        text = first.lower()
        texts[word.lower()] = exceptions.get(text, text)
    return {**{word: texts.get(text, text) for word, text in exceptions.items()}, **texts}
