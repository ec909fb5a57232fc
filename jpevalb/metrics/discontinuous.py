"""Discontinuous F1: constituents as labels and sets of words, with and without gaps told apart.

What a paper reports as F1 and discontinuous F1 depends on choices that this module
makes as follows; a comparison with published figures needs the same ones.

- The discontinuous score compares the discontinuous constituents of both trees with
  one another and leaves the others out; it is no score of sentences that have one.
- Whether a constituent has gaps, and how many, is seen after punctuation is taken out.
  Published figures on German and Dutch leave out punctuation and the root node, which
  is ``punctuation="$, $. $("`` here; nothing is taken out unless asked for.
- Gold's tags say what is punctuation, on both sides.
- Labels are cut at ``-`` and ``=``, as evalb cuts them; tools that compare labels as
  written give lower figures where trees carry function tags.
- Unlabelled constituents are sets.  ``LABELED 0`` of a .prm compares multisets, as
  evalb does, and so gives other figures where trees have unary chains.
- Sentences without a parse count, as missed; some tools leave them out, which raises recall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._core.brackets import matches, tags
from .._core.gaps import constituents
from ..formats.detect import as_tree
from ..model.counts import Counts, f1, ratio
from ..model.errors import TreeError
from ..model.labels import Labels, cut, without_words
from ..model.settings import DISCONTINUOUS, Settings
from ..model.tree import Tree
from .brackets import F1_UNIT

VIRTUAL_ROOTS = frozenset(("VROOT",))
"""Labels of roots that a treebank's tools added; like TOP, ROOT and the empty label they never count."""

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


@dataclass(frozen=True, slots=True)
class MatchCounts(Counts):
    """Constituents found, wrongly found and not found.

    Attributes:
        tp: Pairs of a gold and a system constituent of one yield and label.
        fp: The system's constituents without a partner.
        fn: Gold constituents without a partner.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float | None:
        """Matched of the system's constituents; ``None`` if there are none."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Matched of the gold constituents; ``None`` if there are none."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """F1; 0 if nothing matched, ``None`` if neither side has a constituent."""
        return f1(self.tp, self.tp + self.fn, self.tp + self.fp)


@dataclass(frozen=True, slots=True)
class DiscontinuousCounts(Counts):
    """What a gold sentence and its parse add to the sums.

    Attributes:
        sentences: Gold sentences.
        unparsed: Those of them that the system has no usable parse of.
        continuous: Matches among constituents whose yield is one block of words.
        discontinuous: Matches among constituents whose yield has gaps.
        exact: Sentences whose parse has all gold constituents and no other.
        tags: Gold words that have a tag.
        correct_tags: Those of them that the system gave the same tag.
        f1_sum: Sum of the sentences' overall F1, in units of 1 / ``F1_UNIT``.
        f1_sentences: Sentences that have an F1: a constituent on either side.
    """

    sentences: int = 0
    unparsed: int = 0
    continuous: MatchCounts = MatchCounts()
    discontinuous: MatchCounts = MatchCounts()
    exact: int = 0
    tags: int = 0
    correct_tags: int = 0
    f1_sum: int = 0
    f1_sentences: int = 0

    @property
    def overall(self) -> MatchCounts:
        """Matches among all constituents: a pair agrees in its yield, so in having gaps too."""
        return self.continuous + self.discontinuous

    @property
    def exact_match(self) -> float | None:
        """Share of sentences that match exactly."""
        return ratio(self.exact, self.sentences)

    @property
    def tag_accuracy(self) -> float | None:
        """Correct tags of the gold words that have one."""
        return ratio(self.correct_tags, self.tags)

    @property
    def sentence_f1(self) -> float | None:
        """Macro F1: the mean of overall F1 over the sentences that have one."""
        return ratio(self.f1_sum / F1_UNIT, self.f1_sentences)


class Constituent(NamedTuple):
    """A labelled set of words."""

    label: str
    words: int
    """Bit set of word numbers, among the words that are scored."""
    fanout: int
    """Number of blocks of words: 1 for a continuous constituent."""


class Comparison(NamedTuple):
    """The constituents of a pair of trees, told apart."""

    matched: list[tuple[Constituent, Constituent]]
    """Gold and system constituent of each match."""
    missed: list[Constituent]
    """Gold constituents without a match."""
    extra: list[Constituent]
    """The system's constituents without a match."""


class Scorer:
    """Scores pairs of trees with the same settings."""

    def __init__(self, settings: Settings) -> None:
        params = settings.params()
        self.labels = Labels(params, unlabeled=settings.unlabeled)
        self._unlabeled = settings.unlabeled
        self._trivial = settings.exclude_trivial
        self._max_fanout = settings.max_fanout or 0
        self._deleted = self.labels.deleted.union(settings.punctuation)

    def score(self, gold: Tree, system: Tree) -> DiscontinuousCounts:
        """The counts of one pair.

        Raises:
            TreeError: the trees have different words.

        Cost: O(nodes + words), and O(words / 64) for each node below one with gaps.
        """
        gold, system = self._same_words(gold, system)
        labels, _, fanouts, _ = of_gold = self._constituents(gold)
        of_system = self._constituents(system)
        partners = self._partners(of_gold, of_system)
        n, n_continuous = len(labels), fanouts.count(1)
        m, m_continuous = len(of_system[0]), of_system[2].count(1)
        tp = n - partners.count(-1)
        tp_gaps = 0
        if n_continuous < n:
            tp_gaps = sum(fanout > 1 and partner >= 0 for fanout, partner in zip(fanouts, partners))
        tp_continuous = tp - tp_gaps
        gold_tags, system_tags = _tags(gold), _tags(system)
        total = n + m
        return DiscontinuousCounts(
            1,
            0,
            MatchCounts(tp_continuous, m_continuous - tp_continuous, n_continuous - tp_continuous),
            MatchCounts(tp_gaps, m - m_continuous - tp_gaps, n - n_continuous - tp_gaps),
            int(tp == n == m),
            len(gold_tags) - gold_tags.count(None),
            self._correct_tags(gold_tags, system_tags),
            (2 * tp * F1_UNIT + total // 2) // total if total else 0,
            int(total > 0),
        )

    def score_unparsed(self, gold: Tree) -> DiscontinuousCounts:
        """The counts of a gold sentence without a parse: all is missed.  Cost: as of :meth:`score`."""
        gold = self._pruned(gold)
        _, _, fanouts, _ = self._constituents(gold)
        n, continuous = len(fanouts), fanouts.count(1)
        gold_tags = _tags(gold)
        return DiscontinuousCounts(
            1,
            1,
            MatchCounts(0, 0, continuous),
            MatchCounts(0, 0, n - continuous),
            0,
            len(gold_tags) - gold_tags.count(None),
            0,
            0,
            int(n > 0),
        )

    def compare(self, gold: Tree, system: Tree) -> Comparison:
        """Which constituents of one pair match, are missed and are extra.

        Raises:
            TreeError: the trees have different words.

        Cost: O((nodes + words) * words / 64).
        """
        gold, system = self._same_words(gold, system)
        of_gold, of_system = self._constituents(gold), self._constituents(system)
        partners = self._partners(of_gold, of_system)
        shown = _shown(gold, of_gold), _shown(system, of_system)
        taken = set(partners)
        return Comparison(
            [(item, shown[1][partner]) for item, partner in zip(shown[0], partners) if partner >= 0],
            [item for item, partner in zip(shown[0], partners) if partner < 0],
            [item for place, item in enumerate(shown[1]) if place not in taken],
        )

    def length(self, gold: Tree) -> int:
        """Words of a gold sentence, but for those of DELETE_LABEL_FOR_LENGTH."""
        unmeasured = self.labels.unmeasured
        if not unmeasured:
            return len(gold.words)
        return sum(tag not in unmeasured for tag in _tags(gold))

    def _resolve(self, label: str) -> str | None:
        return None if cut(label) in VIRTUAL_ROOTS else self.labels.resolve(label)

    def _constituents(self, tree: Tree) -> tuple[list[str], list[int], list[int], list[int]]:
        found: tuple[list[str], list[int], list[int], list[int]] = constituents(
            tree.labels,
            tree.parents,
            tree.starts,
            tree.ends,
            tree.word_parents,
            self.labels.counted,
            self._resolve,
            self._trivial,
            self._max_fanout,
        )
        if self._unlabeled:
            first: dict[int, int] = {}
            for place, key in enumerate(found[1]):
                first.setdefault(key, place)
            labels, keys, fanouts, nodes = ([column[place] for place in first.values()] for column in found)
            return labels, keys, fanouts, nodes  # type: ignore[return-value]
        return found

    def _partners(
        self,
        gold: tuple[list[str], list[int], list[int], list[int]],
        system: tuple[list[str], list[int], list[int], list[int]],
    ) -> list[int]:
        # Fan-outs stand in for the second end of a span; these keys are in no order.
        partners: list[int] = matches((*gold, False), (*system, False), self.labels.equal_brackets)
        return partners

    def _correct_tags(self, gold: list[str | None], system: list[str | None]) -> int:
        equal = self.labels.equal_tags
        if gold == system:
            return len(gold) - gold.count(None)
        return sum(
            mine is not None and (mine == other or other in equal.get(mine, ()))
            for mine, other in zip(gold, system)
        )

    def _pruned(self, tree: Tree) -> Tree:
        """The tree without the words that its own tags delete."""
        if not self._deleted:
            return tree
        kept = [tag not in self._deleted for tag in _tags(tree)]
        if all(kept):
            return tree
        self.labels.fired = True
        return without_words(tree, kept)

    def _same_words(self, gold: Tree, system: Tree) -> tuple[Tree, Tree]:
        """Both trees over the words that are scored.

        Where the words agree gold's tags say which are deleted, so that a wrong tag
        of the system's costs that tag and no more.  Otherwise each side's own tags do,
        as in evalb: the gold sentence may hold traces that the system's does not.
        """
        place = self._difference(gold.words, system.words)
        if place < 0:
            if not self._deleted:
                return gold, system
            kept = [tag not in self._deleted for tag in _tags(gold)]
            if all(kept):
                return gold, system
            self.labels.fired = True
            return without_words(gold, kept), without_words(system, kept)
        if self._deleted:
            pruned = self._pruned(gold), self._pruned(system)
            if self._difference(pruned[0].words, pruned[1].words) < 0:
                return pruned
        raise TreeError(_told(gold.words, system.words, place))

    def _difference(self, gold: Sequence[str], system: Sequence[str]) -> int:
        """The first place where the words differ, or -1."""
        if gold == system:
            return -1
        equal: Mapping[str, Sequence[str]] = self.labels.equal_words
        for place, (mine, other) in enumerate(zip(gold, system)):
            if (
                mine != other
                and other not in equal.get(mine, ())
                and _BRACKETS.get(mine, mine) != _BRACKETS.get(other, other)
            ):
                return place
        return -1 if len(gold) == len(system) else min(len(gold), len(system))


def discontinuous_f1(
    gold: Any, system: Any, *, settings: Settings | None = None, **options: Any
) -> DiscontinuousCounts:
    """Compares the constituents of two trees over the same words, gaps or not.

    A constituent is a label and the set of its words.  All nodes above preterminals
    count, except those labelled TOP, ROOT, VROOT or nothing; labels are cut at the
    first ``-`` or ``=``.  Labelled constituents are multisets, as in evalb; with
    ``unlabeled`` they are sets, and a unary chain counts once.

    Args:
        gold: A ``Tree``, the text of one in any format, or an nltk tree.
        system: The same, over the same words; PTB's names for brackets (``-LRB-``) equal the brackets.
        settings: What counts; ``Settings.preset("discontinuous")`` if not given.
        **options: Single fields of the settings, on top of them.

    Returns:
        The record: ``.overall``, ``.continuous`` and ``.discontinuous``, each with
        ``.tp``, ``.fp``, ``.fn``, ``.precision``, ``.recall`` and ``.f1``.

    Raises:
        TreeError: the trees have different words, or cannot be read.
        SettingsError: an option that means nothing.

    Cost: O(nodes + words), and O(words / 64) for each node below one with gaps.

    Source: Maier & Kallmeyer 2010, Evang & Kallmeyer 2011 (yields as sets of words);
    van Cranenburgh, Scha & Bod 2016 (the conventions of disco-dop).

    >>> gold = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
    >>> system = "(S (VP (VB 0=wake) (NP (PRP 1=me))) (RP 2=up))"
    >>> record = discontinuous_f1(gold, system)
    >>> record.overall, record.discontinuous
    (MatchCounts(tp=2, fp=1, fn=1), MatchCounts(tp=0, fp=0, fn=1))
    >>> round(record.overall.f1, 4), record.discontinuous.f1, record.discontinuous.precision
    (0.6667, 0.0, None)
    """
    scorer = Scorer(Settings.of(settings, options, DISCONTINUOUS))
    return scorer.score(as_tree(gold), as_tree(system))


def _tags(tree: Tree) -> list[str | None]:
    found: list[str | None] = tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents)
    return found


def _shown(tree: Tree, found: tuple[list[str], list[int], list[int], list[int]]) -> list[Constituent]:
    yields = tree.yields()
    return [
        Constituent(cut(tree.labels[node]), yields[node], fanout) for fanout, node in zip(found[2], found[3])
    ]


def _told(gold: Sequence[str], system: Sequence[str], place: int) -> str:
    def word(words: Sequence[str]) -> str:
        return repr(words[place]) if place < len(words) else "the end"

    return (
        f"word {place + 1} is {word(system)}, but {word(gold)} in gold "
        f"({len(system)} words, gold {len(gold)}); expected trees over the same words"
    )
