"""evalb's counts as a record that adds up."""

from __future__ import annotations

from typing import Any

from ..trees.counts import MatchedCounts, ratio
from ..trees.frozen import frozen


@frozen
class LegacyCounts(MatchedCounts):
    """evalb's counts over any number of sentences; ``+`` adds them.

    A sentence in error or skipped counts as a sentence and in its own column,
    and nowhere else.  Rates are in [0, 1], None where evalb would divide by 0.

    Attributes:
        sentences: Rows of the report.
        errors: Sentences of status 1.
        skipped: Sentences of status 2.
        matched: Brackets that match.
        gold: Brackets of gold.
        system: Brackets of the system.
        crossing: System brackets that cross a gold bracket.
        words: Words.
        tags: Words whose tags agree.
        complete: Sentences whose brackets all match, on both sides.
        no_crossing: Sentences without a crossing bracket.
        two_or_less_crossing: Sentences with at most two.
    """

    sentences: int = 0
    errors: int = 0
    skipped: int = 0
    matched: int = 0
    gold: int = 0
    system: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0
    complete: int = 0
    no_crossing: int = 0
    two_or_less_crossing: int = 0

    @property
    def valid(self) -> int:
        """Sentences that count."""
        return self.sentences - self.errors - self.skipped

    @property
    def complete_match(self) -> float | None:
        return ratio(self.complete, self.valid)

    @property
    def average_crossing(self) -> float | None:
        """Crossing brackets a valid sentence."""
        return ratio(self.crossing, self.valid)

    @property
    def tagging_accuracy(self) -> float | None:
        return ratio(self.tags, self.words)

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates, ready for JSON."""
        counts: dict[str, Any] = {name: getattr(self, name) for name in self.__match_args__}
        rates = ("recall", "precision", "f1", "complete_match", "average_crossing", "tagging_accuracy")
        return {**counts, "valid": self.valid, **{name: getattr(self, name) for name in rates}}
