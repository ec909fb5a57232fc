"""Segmentation: scores of tokens and sentence ends, and of brackets that respect both."""

from __future__ import annotations

from itertools import accumulate

from ..alignment.pair import Pair
from ..kernels import path as kernel
from ..kernels.brackets import matches
from ..trees.counts import Counts, Matched
from ..trees.frozen import field, frozen
from ..trees.labels import LabelPolicy
from ..trees.tree import Tree, blocks_of
from ..trees.typed import Any, NamedTuple
from ..trees.words import texts
from . import Metric, matched_figures
from .brackets import ConstituentTable, constituents_of, matching

MOST_CELLS = 4_000_000
"""Maximum number of character pairs of a unit for which the path through it is computed."""


@frozen
class SegmentationCounts(Counts):
    """Tokens, sentences and constituents that match only if both sides cut the text at the same positions.

    Attributes:
        differing: Beads in which tokens or sentence ends differ.
        tokens: Gold tokens, system tokens, and gold tokens with a counterpart (as many system tokens have
            one). The rates are those of the CoNLL 2018 shared task.
        sentences: Gold sentences, system sentences, and beads of one sentence on each side.
        brackets: Gold constituents, system constituents, and pairs of both over the same text that is cut
            at the same positions.

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
    """Where one side of a bead is cut into tokens, compared with the other side."""

    places: list[int]
    """For each token boundary (n + 1 for n tokens), its number among those common to both sides, or -1.
    Boundaries without a pair of aligned characters between them share a number."""
    bare: list[int]
    """For each token boundary, the number of tokens before it that the other side lacks."""


def common_cuts(pair: Pair) -> tuple[Cuts, Cuts, list[int]]:
    """Return gold's cuts, the system's, and for each gold token the index of its counterpart or -1.

    The path is that of the alignment: its units, and inside a unit of several tokens the path between them.
    Between two adjacent common cuts, if both sides advance, some characters are paired: skipping characters
    of one side and then of the other costs more than pairing two of them.  So two tokens are counterparts
    if and only if each is the only token between two such cuts.
    """
    if pair.cuts is None:
        gold, system = pair.gold.words, pair.system.words
        ends = [
            [len(words)] if len(side) == 1 else list(accumulate([len(one.words) for one in side]))
            for words, side in ((gold, pair.gold_sentences), (system, pair.system_sentences))
        ]
        places, bare, system_places, system_bare, partners = kernel.common_cuts(
            pair.units, gold, system, ends[0], ends[1], pair.exceptions, MOST_CELLS, texts
        )
        pair.cuts = Cuts(places, bare), Cuts(system_places, system_bare), partners
    cuts: tuple[Cuts, Cuts, list[int]] = pair.cuts
    return cuts


def differing(pair: Pair) -> tuple[Any, ...]:
    """Return the counts for :class:`AlignmentCounts` of a pair whose words differ.

    These are gold words and system words without counterpart; units of one word per side with equal
    spelling, with different spelling, and larger units; and how often each pair of texts differs.
    """
    gold, system, _ = common_cuts(pair)
    units = kernel.differing(pair.units, pair.gold.words, pair.system.words, gold.bare, system.bare)
    return gold.bare[-1], system.bare[-1], *units


def _strict(tree: Tree, cuts: Cuts, labels: LabelPolicy) -> tuple[ConstituentTable, int]:
    """Return the constituents whose blocks all run from cut to cut, and the number of all constituents."""
    names, starts, ends, nodes, _, gaps = constituents_of(tree, None, len(tree.words), labels)
    places, bare = cuts
    kept, sets = [], []
    for k, (start, end) in enumerate(zip(starts, ends)):
        bits = gaps[k] if gaps else 0
        blocks = blocks_of(bits) if bits else [(start, end)]
        if all(places[a] >= 0 and places[b] >= 0 and bare[a] == bare[b] for a, b in blocks):
            kept.append(k)
            sets.append(sum([(1 << places[b]) - (1 << places[a]) for a, b in blocks]) if bits else 0)
    table = (
        [names[k] for k in kept],
        [places[starts[k]] for k in kept],
        [places[ends[k]] for k in kept],
        [nodes[k] for k in kept],
        False,
        sets if any(sets) else None,
    )
    return table, len(names)


_ONE_SENTENCE = Matched(1, 1, 1)


class Segmentation(Metric):
    """Scores of tokens, sentences and strict brackets; reported if tokens or sentence ends differ anywhere.

    Two tokens are counterparts if the alignment pairs the characters of each only with characters of the
    other: token boundaries are scored, not spelling.  Two sentences are counterparts if no other sentence
    is in their bead.  Two constituents with equal labels match if their first and last boundaries are the
    same common token cuts and neither covers a token that the other side lacks; tokens inside may differ.

    Source: Zeman et al. 2018 (tokens; CoNLL shared task), here also for texts that differ; the brackets are
    the labelled F1 over character spans of joint segmentation and parsing.
    """

    name = "segmentation"
    counts = SegmentationCounts
    heading = "Segmentation"
    figures = (
        *matched_figures("token_f1", "Token F", lambda record: record.tokens, line="Token {}"),
        *matched_figures(
            "sentence_end_f1", "Sent. ends F", lambda record: record.sentences, line="Sentence {}"
        ),
        *matched_figures("strict_f1", "Strict F", lambda record: record.brackets, line="Strict bracket {}"),
    )

    def count(self, pair: Pair) -> SegmentationCounts:
        gold, system, labels = pair.gold, pair.system, self._labels
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if n == m == 1 and gold.words == system.words:
            # The matches are those of the brackets metric, which are cached.
            _, constituents, partners, words = matching(pair, labels)
            matched = len(partners) - partners.count(-1)
            brackets = Matched(len(partners), len(constituents[0]), matched)
            return SegmentationCounts(0, Matched(words, words, words), _ONE_SENTENCE, brackets)
        gold_cuts, system_cuts, counterparts = common_cuts(pair)
        gold_table, gold_size = _strict(gold, gold_cuts, labels)
        system_table, system_size = _strict(system, system_cuts, labels)
        partners = matches(gold_table, system_table, labels.equal_brackets)
        return SegmentationCounts(
            1,
            Matched(len(gold.words), len(system.words), len(counterparts) - counterparts.count(-1)),
            Matched(n, m, int(n == m == 1 and pair.bead.aligned)),
            Matched(gold_size, system_size, len(partners) - partners.count(-1)),
        )
