"""Oracle F1 of n-best lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..alignment.pair import Pair
from ..base.counts import ratio
from ..settings.rules import RunRules
from ..settings.settings import Settings
from . import Line, Metric
from .brackets import BracketCounts, Brackets
from .unlabeled import UnlabeledCounts, sentence_figures


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OracleCounts(UnlabeledCounts):
    """Matched constituents of the best parses of some sentences, with their labels."""

    lists: int = 0  #: system sentences with a parse
    parses: int = 0  #: parses of these


class Oracle(Metric):
    """The parse of each list with the best F1 of its sentence, the first of equals.

    In a bead of several system sentences, the best parse of each is chosen in turn.

    Source: Charniak & Johnson 2005.
    """

    name = "oracle"
    counts = OracleCounts
    heading = "N-best lists"
    figures = sentence_figures("oracle", "Oracle", "Oracle")

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._brackets = Brackets(settings, rules)
        self._same_words = settings.identical_words

    def count(self, pair: Pair) -> OracleCounts:
        best = self._brackets.count(pair)
        chosen = list(pair.system_sentences)
        parses = [getattr(sentence.source, "others", None) for sentence in chosen]
        for index, others in enumerate(parses):
            for tree in others or ():
                sentence = chosen[index]._replace(tree=tree, source=tree)
                sentences = [*chosen[:index], sentence, *chosen[index + 1 :]]
                counts = self._brackets.count(
                    Pair.of_identical_words(pair.gold_sentences[0], sentences[0], self._rules, pair.bead)
                    if self._same_words
                    else pair.with_system(sentences)
                )
                if _f1(counts) > _f1(best):
                    best, chosen = counts, sentences
        numbers = [1 + len(others) for others in parses if others is not None]
        return OracleCounts(
            best.sentences, best.gold, best.system, best.matched, best.complete, len(numbers), sum(numbers)
        )

    def lines(self, record: OracleCounts) -> Sequence[Line]:
        parses = Line("Parses per sentence", ratio(record.parses, record.lists), "number")
        return (*super().lines(record), parses)


def _f1(counts: BracketCounts) -> float:
    return 1.0 if counts.f1 is None else counts.f1
