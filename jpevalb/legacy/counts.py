"""Counts of evalb, as a record that can be added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.counts import MatchedCounts, Quotient


@dataclass(frozen=True, slots=True)
class LegacyCounts(MatchedCounts):
    """Counts of evalb over any number of sentences; ``+`` adds them.

    A sentence in error or skipped counts in ``sentences`` and in its own column only.  Rates are in [0, 1],
    or ``None`` where evalb would divide by 0.

    Attributes:
        sentences: Rows of the report.
        errors: Sentences of status 1.
        skipped: Sentences of status 2.
        matched: Matched brackets.
        gold: Gold brackets.
        system: System brackets.
        crossing: System brackets that cross a gold bracket.
        words: Words.
        tags: Words with equal tags.
        complete: Sentences whose brackets all match, on both sides.
        no_crossing: Sentences without crossing brackets.
        two_or_less_crossing: Sentences with at most two crossing brackets.
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
        """Number of sentences that are scored."""
        return self.sentences - self.errors - self.skipped

    complete_match = Quotient("complete", "valid", "Share of valid sentences whose brackets all match.")
    average_crossing = Quotient("crossing", "valid", "Crossing brackets per valid sentence.")
    tagging_accuracy = Quotient("tags", "words", "Share of words with equal tags.")

    def to_dict(self) -> dict[str, Any]:
        """Return counts and rates for JSON."""
        rates = ("recall", "precision", "f1", "complete_match", "average_crossing", "tagging_accuracy")
        return {name: getattr(self, name) for name in (*self.__match_args__, "valid", *rates)}
