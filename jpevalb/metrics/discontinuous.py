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

from typing import TYPE_CHECKING, Any

from ..alignment.pair import FIRST, Pair
from ..trees.counts import Counts, f1, ratio
from ..trees.detect import as_tree
from ..trees.frozen import frozen
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import DISCONTINUOUS, Settings
from .brackets import F1_UNIT, BracketCounts, Brackets, GapCounts, Gaps
from .tags import TagCounts, Tags

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..trees.settings import Options


@frozen
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


@frozen
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

    @classmethod
    def of(
        cls, brackets: BracketCounts, tags: TagCounts, gaps: GapCounts, unparsed: int = 0
    ) -> DiscontinuousCounts:
        """These counts of the records of some sentences; ``unparsed`` says how many have no usable parse."""
        gap = gaps.matched, gaps.system - gaps.matched, gaps.gold - gaps.matched
        return cls(
            brackets.sentences,
            unparsed,
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
        """Matches among all constituents: a pair agrees in its yield, so in having gaps too."""
        one, other = self.continuous, self.discontinuous
        return MatchCounts(one.tp + other.tp, one.fp + other.fp, one.fn + other.fn)

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


def discontinuous_f1(
    gold: Any, system: Any, *, settings: Settings | None = None, **options: Unpack[Options]
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
    given = Settings.of(settings, {"mode": DISCONTINUOUS, **options})
    labels = LabelPolicy.of(given)
    sides = [Sentence(1, tree, tree) for tree in (as_tree(gold), as_tree(system))]
    # A tree without words is a tree here, not a missing parse.
    trees = labels.prune_both(sides[0].tree, sides[1].tree)
    pair = Pair(FIRST, [sides[0]._replace(tree=trees[0])], [sides[1]._replace(tree=trees[1])], None)
    brackets = Brackets(given, labels).count(pair)
    return DiscontinuousCounts.of(brackets, Tags(given, labels).count(pair), Gaps(given, labels).count(pair))
