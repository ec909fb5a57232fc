"""Segmentation: what it costs that two sides cut their text into other tokens and other sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from ..alignment.pair import Pair
from ..kernels import path as _core
from ..kernels.brackets import matches
from ..trees.counts import Counts, Matched
from ..trees.frozen import field, frozen
from ..trees.labels import LabelPolicy
from ..trees.tree import Tree, blocks_of
from ..trees.words import texts
from . import Figure, Measure, Metric, f1_rate
from .brackets import Side, constituents_of, matching

MOST_CELLS = 4_000_000
"""Pairs of characters of a unit up to which the path through it is looked for."""


@frozen
class SegmentationCounts(Counts):
    """Tokens, sentences and constituents, matched only where both sides cut the text alike.

    Attributes:
        differing: Beads in which tokens or sentence ends differ.
        tokens: Gold tokens, the system's, and gold tokens with a counterpart; as many of the system's have
            one.  Their rates are the measure of the CoNLL 2018 shared task.
        sentences: Gold sentences, the system's, and beads of one of each.
        brackets: Gold constituents, the system's, and pairs of both over the same text, cut out of it at the
            same places.

    >>> SegmentationCounts(1, Matched(4, 5, 3)).tokens.f1
    0.6666666666666666
    """

    differing: int = 0
    tokens: Matched = field(default_factory=Matched)
    sentences: Matched = field(default_factory=Matched)
    brackets: Matched = field(default_factory=Matched)

    @property
    def shown(self) -> bool:
        return self.differing > 0


class Cuts(NamedTuple):
    """How one side of a bead is cut, beside the other."""

    places: list[int]
    """For each place before, between and behind tokens its number among the cuts that both sides
    have, or -1; cuts with no pair of characters between them have one number."""
    bare: list[int]
    """For each of these places how many tokens before it the other side does not have."""


def common_cuts(pair: Pair) -> tuple[Cuts, Cuts, list[int]]:
    """Where both sides of a pair are cut, and which tokens are each other's counterparts.

    The path is that of the alignment: its units, and inside a unit of several tokens the path
    between them.  Between two cuts of both sides next to each other that both sides have moved
    on between, characters are paired: a path that passes characters of one side and then of the
    other is dearer than one that pairs two of them.  So tokens stand for each other alone if and
    only if there is one on either side between two such cuts.

    Returns:
        Gold's cuts, the system's, and for each gold token the number of its counterpart, or -1.

    Cost: O(tokens); between cuts of both sides the cost of the alignment once more.
    """
    if pair.cuts is None:
        gold, system = pair.gold.words, pair.system.words
        ends = [
            [len(words)] if len(side) == 1 else list(accumulate([len(one.words) for one in side]))
            for words, side in ((gold, pair.gold_sentences), (system, pair.system_sentences))
        ]
        places, bare, others, bare_too, partners = _core.common_cuts(
            pair.units, gold, system, ends[0], ends[1], pair.exceptions, MOST_CELLS, texts
        )
        pair.cuts = Cuts(places, bare), Cuts(others, bare_too), partners
    known: tuple[Cuts, Cuts, list[int]] = pair.cuts
    return known


def differing(pair: Pair) -> tuple[Any, ...]:
    """What an alignment counts of a pair whose words differ.

    Returns:
        Gold words without counterpart, the system's; units of one word a side that are spelled alike,
        that are not, and units of more; and how often which words stand for which, where they differ.

    Cost: that of :func:`common_cuts`.
    """
    one, two, _ = common_cuts(pair)
    found = _core.differing(pair.units, pair.gold.words, pair.system.words, one.bare, two.bare)
    return one.bare[-1], two.bare[-1], *found


def _strict(tree: Tree, cuts: Cuts, labels: LabelPolicy) -> tuple[Side, int]:
    """The constituents that can match, from cut to cut in each of their blocks, and the number of all."""
    names, starts, ends, nodes, _, gaps = constituents_of(tree, None, len(tree.words), labels)
    places, bare = cuts
    kept, sets = [], []
    for k, (start, end) in enumerate(zip(starts, ends)):
        bits = gaps[k] if gaps else 0
        blocks = blocks_of(bits) if bits else [(start, end)]
        if all(places[a] >= 0 and places[b] >= 0 and bare[a] == bare[b] for a, b in blocks):
            kept.append(k)
            sets.append(sum([(1 << places[b]) - (1 << places[a]) for a, b in blocks]) if bits else 0)
    found = (
        [names[k] for k in kept],
        [places[starts[k]] for k in kept],
        [places[ends[k]] for k in kept],
        [nodes[k] for k in kept],
        False,
        sets if any(sets) else None,
    )
    return found, len(names)


_ONE_SENTENCE = Matched(1, 1, 1)


class Segmentation(Metric):
    """Tokens, sentences and strict brackets; told where tokens or sentence ends differ anywhere."""

    name = "segmentation"
    counts = SegmentationCounts
    heading = "Segmentation"
    rates = (
        f1_rate(Measure("token_f1", "Token F"), lambda record: record.tokens),
        f1_rate(Measure("sentence_end_f1", "Sent. ends F"), lambda record: record.sentences),
        f1_rate(Measure("strict_f1", "Strict F"), lambda record: record.brackets),
    )

    def count(self, pair: Pair) -> SegmentationCounts:
        """The segmentation counts of one pair.

        A token has a counterpart if the alignment pairs characters of it with characters of one token
        of the other side only, and that token's with it only: it is where tokens end that is scored,
        not how they are spelled.  A sentence has one if it is alone with it in a bead.

        A constituent matches one of an equal label if both begin, and both end, at one place of the
        alignment that is a token cut of both sides, and neither covers a token without any paired
        character: a word that the other side does not have.  How tokens are cut inside does not matter.

        Cost: O(nodes + tokens) where tokens and sentence ends agree, else that of :func:`common_cuts`.

        Source: tokens Zeman et al. 2018 (CoNLL shared task), here also for texts that differ; brackets
        the labelled F1 over spans of characters of joint segmentation and parsing.
        """
        gold, system, labels = pair.gold, pair.system, self._labels
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if n == m == 1 and gold.words == system.words:
            # What matches is known from the brackets, which have been counted before.
            _, others, partners, words = matching(pair, labels)
            matched = len(partners) - partners.count(-1)
            brackets = Matched(len(partners), len(others[0]), matched)
            return SegmentationCounts(0, Matched(words, words, words), _ONE_SENTENCE, brackets)
        mine, other, counterparts = common_cuts(pair)
        one, golds = _strict(gold, mine, labels)
        two, systems = _strict(system, other, labels)
        found = matches(one, two, labels.equal_brackets)
        return SegmentationCounts(
            1,
            Matched(len(gold.words), len(system.words), len(counterparts) - counterparts.count(-1)),
            Matched(n, m, int(n == m == 1 and pair.bead.aligned)),
            Matched(golds, systems, len(found) - found.count(-1)),
        )

    def figures(self, record: SegmentationCounts) -> Sequence[Figure]:
        return [
            Figure(f"{what} {rate}", getattr(part, name))
            for what, part in (
                ("Token", record.tokens),
                ("Sentence", record.sentences),
                ("Strict bracket", record.brackets),
            )
            for rate, name in (("recall", "recall"), ("precision", "precision"), ("F1", "f1"))
        ]
