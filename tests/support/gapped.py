"""Sentences with gaps for tests of reports, scored node by node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jpevalb import Evaluation, evaluate
from jpevalb.alignment import Bead
from jpevalb.alignment.pair import Pair
from jpevalb.formats.discbracket import read_discbracket
from jpevalb.metrics.alignment import Alignment
from jpevalb.metrics.brackets import BracketCounts, BracketMatch, Constituent, GapCounts
from jpevalb.metrics.discontinuous import DiscontinuousCounts
from jpevalb.metrics.record import BeadCounts, Record
from jpevalb.metrics.tags import TagCounts
from jpevalb.score.scorer import Scorer
from jpevalb.score.sentence import SentenceResult
from jpevalb.settings.settings import Settings
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Tree

ROOTS = {"", "ROOT", "TOP", "VROOT"}

# 1: a VP of three blocks is found.  2: a VP of three blocks is missed, a WHNP of two is extra.  3: no gap.
_WAKE = (
    "(ROOT (S (VP (VB 0=wake) (NP (PRP$ 2=your) (NN 3=friend)) (RP 5=up))"
    " (NP (PRP 1=please)) (ADVP (RB 4=soon))))"
)
GOLD = [
    _WAKE,
    "(ROOT (S (VP (WP 0=what) (VB 3=say) (PP (IN 5=about)))"
    " (SQ (VBD 1=did) (NP (PRP 2=they))) (NP (NN 4=there))))",
    "(ROOT (S (NP (DT 0=the) (NN 1=cat)) (VP (VBD 2=slept))))",
]
SYSTEM = [
    _WAKE,
    "(ROOT (S (WHNP (WP 0=what) (IN 5=about))"
    " (SQ (VBD 1=did) (NP (PRP 2=they)) (VP (VB 3=say) (NP (NN 4=there))))))",
    "(ROOT (S (NP (DT 0=the)) (VP (NN 1=cat) (VBD 2=slept))))",
]


def gaps_of(found: BracketMatch) -> GapCounts:
    """Count the constituents with gaps."""
    matched = sum([bool(mine.gaps) for mine, _ in found.matched])
    missed, extra = (sum([bool(item.gaps) for item in side]) for side in (found.missed, found.extra))
    return GapCounts(matched + missed, matched + extra, matched)


def figures_of(total: DiscontinuousCounts) -> list[float | None]:
    """List the figures of a comparison of trees with gaps, in the order of its columns."""
    return [
        total.overall.precision,
        total.overall.recall,
        total.overall.f1,
        total.continuous.f1,
        total.discontinuous.f1,
        total.sentence_f1,
        total.exact_match,
        total.tag_accuracy,
    ]


class Result(SentenceResult):
    """A sentence result whose constituents are compared by their words, or units, one with one."""

    def __init__(self, number: int, gold: Tree, system: Tree) -> None:
        self.number = number
        self._scorer = Scorer(Settings.preset("alignment"))
        self._repaired = self._tags = None
        sides = [[Sentence(1, tree, tree)] for tree in (gold, system)]
        self.made = Pair(Bead((number - 1, number), (number - 1, number), True), *sides, {})
        self.found = compared(self.made)
        matched, missed, extra, crossing = map(len, self.found)
        tags = sum(a == b for a, b in zip(gold.tags, system.tags))
        self.counted = Record.of(
            {
                "beads": BeadCounts(1, 1, 1, length=len(self.made.units)),
                "brackets": BracketCounts.of_sentence(matched + missed, matched + extra, matched, crossing),
                "tags": TagCounts(len(gold.words), len(system.words), tags),
                "gaps": gaps_of(self.found),
                "alignment": Alignment(Settings.preset("alignment"), self._scorer.labels).count(self.made),
            }
        )

    record = property(lambda self: self.counted)
    pair = property(lambda self: self.made)
    bead = property(lambda self: self.made.bead)

    def _compared(self) -> BracketMatch:
        return self.found


def compared(pair: Pair) -> BracketMatch:
    """Constituents are nodes over words that are no tags and no roots; they match by label and units."""
    gold_units, system_units, _ = pair.unit_of_words()
    gold, system = constituents(pair.gold, gold_units), constituents(pair.system, system_units)
    matched, missed, rest = [], [], list(system)
    for item, units in gold:
        partner = next((other for other in rest if (other[0].label, other[1]) == (item.label, units)), None)
        if partner is None:
            missed.append(item)
        else:
            rest.remove(partner)
            matched.append((item, partner[0]))
    crossing = [
        item
        for item, units in system
        if any(units & other and units - other and other - units for _, other in gold)
    ]
    return BracketMatch(matched, missed, [item for item, _ in rest], crossing)


def constituents(tree: Tree, units: Sequence[int] | None) -> list[tuple[Constituent, set[int]]]:
    """Each constituent with its units."""
    found = []
    for node, (label, words, tag) in enumerate(zip(tree.labels, tree.yields(), tree.preterminals)):
        places = {
            place if units is None else units[place] for place in range(len(tree.words)) if words >> place & 1
        }
        if places and not tag and label not in ROOTS:
            first, last = min(places), max(places)
            gaps = sum([1 << place for place in places]) if last - first >= len(places) else 0
            found.append((Constituent(label, first, last + 1, node, gaps), places))
    return found


def results(gold: Sequence[str] = GOLD, system: Sequence[str] = SYSTEM) -> list[Result]:
    """The results of trees in discbracket."""
    sides = [read_discbracket([line + "\n" for line in side]) for side in (gold, system)]
    return [Result(number, *pair) for number, pair in enumerate(zip(*sides, strict=True), 1)]


def named(tree: Tree, id: str) -> Tree:
    """The tree with an id."""
    return Tree(tree.labels, tree.parents, tree.starts, tree.ends, tree.words, tree.word_parents, id)


def evaluation(found: Sequence[Result]) -> Evaluation:
    """The evaluation that has these results."""
    total = Record.sum([result.record for result in found])
    empty = evaluate([], [], metrics=("brackets", "tags"))
    return replace(empty, sentences=found, total=total, cutoff=total)
