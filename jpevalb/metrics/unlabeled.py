"""Unlabelled brackets, in addition to the labelled ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..alignment.pair import Pair
from ..base.counts import MatchedCounts, sums
from ..settings.rules import RunRules
from ..settings.settings import Settings
from . import Figure, Metric, matched_figures
from .brackets import COMPLETE_MATCH, is_skipped


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnlabeledCounts(MatchedCounts):
    """Constituents of some sentences, and pairs with the same span, ignoring labels."""

    sentences: int = 0  #: number of sentences, or groups of them
    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: pairs of both over the same span; in n-best lists with the same label, too
    complete: int = 0  #: sentences without missed or extra constituents

    complete_match = COMPLETE_MATCH


def sentence_figures(name: str, title: str, line: str) -> tuple[Figure, ...]:
    """Return recall, precision, F1 and complete match of a record of :class:`UnlabeledCounts`."""
    counts = sums("complete", "sentences")
    return (
        *matched_figures(f"{name}_f1", f"{title} F", line=line + " {}", column=title + "F"),
        Figure(f"{name}_complete_match", f"{title} CM", line=f"{line} complete match", counts=counts),
    )


class Unlabeled(Metric):
    """Constituents that match in their span, ignoring labels."""

    name = "unlabeled"
    counts = UnlabeledCounts
    heading = "Unlabelled brackets"
    figures = sentence_figures("unlabeled", "Unlab.", "Unlabelled")

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        # Where words must agree, a unary chain counts once.
        self._sets = settings.discontinuous

    def count(self, pair: Pair) -> UnlabeledCounts:
        if is_skipped(pair):
            return UnlabeledCounts()
        gold, system, *_ = pair.matching
        made = set if self._sets else list
        gold_spans, system_spans = [Counter(made([item.span for item in side])) for side in (gold, system)]
        n, m, common = gold_spans.total(), system_spans.total(), gold_spans & system_spans
        # Only a convention that counts brackets over no words matches these.
        least = pair.rules.convention.least
        matched = sum([times for (start, end, _), times in common.items() if start < end or not least])
        complete = matched == n == m and (n > 0 or pair.rules.empty_is_complete(pair.parsed))
        return UnlabeledCounts(1, n, m, matched, int(complete))
