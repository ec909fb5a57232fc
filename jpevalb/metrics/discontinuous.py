"""Discontinuous F1: constituents as labels and sets of words, with and without gaps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..alignment.pair import FIRST, Pair
from ..base.counts import Counts, Quotient, ratio
from ..base.errors import LeftOutError, TreeError
from ..formats.read import as_tree
from ..kernels.counting import UNLIKE
from ..settings.rules import RunRules
from ..settings.settings import DISCONTINUOUS, Settings
from ..trees.sentence import Sentence
from .brackets import MACRO_F1, BracketCounts, Brackets, GapCounts, Gaps, TagCounts, Tags


@dataclass(slots=True, eq=False, repr=False)
class MatchCounts(Counts):
    """True positives, false positives and false negatives."""

    tp: int = 0  #: pairs of a gold and a system constituent with the same yield and label
    fp: int = 0  #: system constituents without a partner
    fn: int = 0  #: gold constituents without a partner

    @property
    def precision(self) -> float | None:
        """Share of system constituents that matched; ``None`` if there are none."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Share of gold constituents that matched; ``None`` if there are none."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """F1; 0 if nothing matched, ``None`` if neither side has a constituent."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


@dataclass(slots=True, eq=False, repr=False)
class DiscontinuousCounts(Counts):
    """Counts of sentences whose sides have the same words."""

    _internal = ("shown", "f1_sum")

    sentences: int = 0  #: gold sentences
    continuous: MatchCounts = field(default_factory=MatchCounts)  #: constituents over one block of words
    discontinuous: MatchCounts = field(default_factory=MatchCounts)  #: constituents with gaps
    exact: int = 0  #: sentences without missed or extra constituents
    tags: int = 0  #: gold words with a tag
    correct_tags: int = 0  #: gold words with the same tag on both sides
    f1_sum: int = 0  #: sum of the sentences' F1, in units of 1 / F1_UNIT
    f1_sentences: int = 0  #: sentences that have an F1, that is a constituent on either side

    @classmethod
    def of(cls, brackets: BracketCounts, tags: TagCounts, gaps: GapCounts) -> DiscontinuousCounts:
        """Return the counts of the records of some sentences."""
        gap = gaps.matched, gaps.system - gaps.matched, gaps.gold - gaps.matched
        return cls(
            brackets.sentences,
            MatchCounts(
                brackets.matched - gap[0],
                brackets.system - brackets.matched - gap[1],
                brackets.gold - brackets.matched - gap[2],
            ),
            MatchCounts(*gap),
            brackets.complete,
            tags.gold,
            tags.correct,
            brackets.f1_sum,
            brackets.f1_sentences,
        )

    @property
    def overall(self) -> MatchCounts:
        """Matches of all constituents, with and without gaps."""
        one, other = self.continuous, self.discontinuous
        return MatchCounts(one.tp + other.tp, one.fp + other.fp, one.fn + other.fn)

    exact_match = Quotient("exact", "sentences", "Share of sentences without missed or extra constituents.")
    tag_accuracy = Quotient("correct_tags", "tags", "Share of gold words with a tag whose tag is correct.")
    sentence_f1 = MACRO_F1


def discontinuous_f1(
    gold: Any, system: Any, *, settings: Settings | None = None, **options: Any
) -> DiscontinuousCounts:
    """Compare the constituents of two trees over the same words, with or without gaps.

    A constituent is a label and the set of its words.  All nodes above preterminals
    count, except those labelled TOP, ROOT, VROOT or nothing; labels are cut at the
    first ``-`` or ``=``.  Labelled constituents are multisets, as in evalb; with
    ``unlabeled`` they are sets, and a unary chain counts once.

    Args:
        gold: A ``Tree``, its text in any format, or an nltk tree.
        system: The system's tree over the same words, in any of these forms; PTB's names of brackets
            (``-LRB-``) equal the brackets.
        settings: Settings; ``Settings(convention="discontinuous")`` by default.
        **options: Fields of the settings that replace those of ``settings``.

    Returns:
        The counts: ``.overall``, ``.continuous`` and ``.discontinuous``, each with
        ``.tp``, ``.fp``, ``.fn``, ``.precision``, ``.recall`` and ``.f1``.

    Raises:
        TreeError: the trees have different words, or cannot be read.
        SettingsError: an invalid option.

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
    given = Settings.of(settings, options)
    if given.convention is None:
        given = given.replace(convention=DISCONTINUOUS)
    rules = RunRules(given)
    sides = [Sentence(1, tree, tree) for tree in (as_tree(gold), as_tree(system))]
    # A tree without words is not a missing parse here.
    pair = Pair(FIRST, sides[:1], sides[1:], rules)
    reason = pair.counted[0]
    if reason == UNLIKE or bool(sides[0].words) != bool(sides[1].words):
        raise TreeError(pair.difference)
    if reason:
        raise LeftOutError(reason)
    brackets = Brackets(given, rules).count(pair)
    return DiscontinuousCounts.of(brackets, Tags(given, rules).count(pair), Gaps(given, rules).count(pair))
