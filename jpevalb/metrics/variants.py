"""Variants of the bracket counts: unlabelled brackets, the best of n-best lists, and baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from ..alignment.pair import Pair
from ..base.counts import Counts, Matched, MatchedCounts, ratio, rounded, sums
from ..kernels.counting import F1_UNIT
from ..trees.sentence import Sentence
from . import Figure, Line, Metric, matched_figures
from .brackets import COMPLETE_MATCH, MACRO_F1, BracketCounts, Brackets, is_skipped


@dataclass(slots=True, eq=False, repr=False)
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

    def count(self, pair: Pair) -> UnlabeledCounts:
        if is_skipped(pair):
            return UnlabeledCounts()
        # Where words must agree, a unary chain counts once.
        made = set if self._settings.discontinuous else list
        sides = pair.matching.sides
        gold_spans, system_spans = [Counter(made(zip(one.starts, one.ends, one.gaps))) for one in sides]
        n, m, common = gold_spans.total(), system_spans.total(), gold_spans & system_spans
        # Only a convention that counts brackets over no words matches these.
        least = pair.rules.convention.least
        matched = sum([times for (start, end, _), times in common.items() if start < end or not least])
        complete = matched == n == m and (n > 0 or pair.rules.empty_is_complete(pair.parsed))
        return UnlabeledCounts(1, n, m, matched, int(complete))


@dataclass(slots=True, eq=False, repr=False)
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

    def count(self, pair: Pair) -> OracleCounts:
        brackets = Brackets(self._settings, self._rules)
        best = brackets.count(pair)
        chosen = list(pair.system_sentences)
        parses = [getattr(sentence.source, "others", None) for sentence in chosen]
        for index, others in enumerate(parses):
            for tree in others or ():
                sentence = chosen[index]._replace(tree=tree, source=tree)
                sentences = [*chosen[:index], sentence, *chosen[index + 1 :]]
                counts = brackets.count(
                    Pair.of_identical_words(pair.gold_sentences[0], sentences[0], self._rules, pair.bead)
                    if self._settings.identical_words
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


DRAWS = 100  # Random trees per sentence; the random baseline is their mean
SEED = 12345  # Seed of the random trees, combined with the number of the gold sentence


@dataclass(slots=True, eq=False, repr=False)
class BaselineCount(Matched):
    """Constituents of one kind of trees; for random trees, the sum over all draws."""

    _internal = ("shown", "f1_sum")

    f1_sum: int = 0  #: sum of the sentences' F1, in units of 10**-12
    f1_sentences: int = 0  #: sentences that have an F1

    sentence_f1 = MACRO_F1


@dataclass(slots=True, eq=False, repr=False)
class BaselineCounts(Counts):
    """The baselines of some sentences."""

    left: BaselineCount = field(default_factory=BaselineCount)  #: left-branching trees: (((a b) c) d)
    right: BaselineCount = field(default_factory=BaselineCount)  #: right-branching trees: (a (b (c d)))
    random: BaselineCount = field(default_factory=BaselineCount)  #: random binary trees, 100 per sentence
    oracle: BaselineCount = field(default_factory=BaselineCount)  #: gold trees made binary


class Baselines(Metric):
    """Left-branching, right-branching, random and oracle binary trees over gold's words.

    Source: Klein & Manning 2002 (branching baselines, and the bound for binary trees); Kim, Dyer & Rush
    2019, whose program draws transitions uniformly, which gives another distribution of random trees.
    """

    name = "baselines"
    counts = BaselineCounts
    heading = "Baselines"
    spans_only = True

    def count(self, pair: Pair) -> BaselineCounts:
        sentences = zip(pair.gold_sentences, pair.kept_words(0))
        return BaselineCounts.sum([self._of_sentence(*sentence) for sentence in sentences])

    def _of_sentence(self, sentence: Sentence, kept: Sequence[bool]) -> BaselineCounts:
        """Return the counts of a gold sentence that keeps some words."""
        size = sum(kept)
        found = self._rules.without_labels.constituents(sentence.tree.columns, kept)
        n = len(found)
        blocks = [(item.start, item.end) for item in found if not item.gaps]

        def count(matched: int, draws: int = 1) -> BaselineCount:
            total = n + max(0, size - 2)
            if not total:
                known = draws if self._rules.empty_has_f1 else 0
                return BaselineCount(0, 0, 0, known * F1_UNIT, known)
            f1_sum = rounded(2 * matched * F1_UNIT, total)
            return BaselineCount(draws * n, draws * (total - n), matched, f1_sum, draws)

        return BaselineCounts(
            count(sum([start == 0 for start, _ in blocks])),
            count(sum([end == size for _, end in blocks])),
            count(random_matches(size, blocks, sentence.number), DRAWS),
            count(n),
        )

    def lines(self, record: BaselineCounts) -> Sequence[Line]:
        names = ("Left-branching", "Right-branching", "Random", "Oracle binary")
        found: list[Line] = []
        for name, counts in zip(names, (record.left, record.right, record.random, record.oracle)):
            found += [Line(f"{name} F1", counts.f1), Line(f"{name} sent. F1", counts.sentence_f1)]
        return found


def random_matches(size: int, spans: Sequence[tuple[int, int]], number: int) -> int:
    """Count the spans in :data:`DRAWS` random trees over ``size`` words, seeded by the sentence number.

    >>> random_matches(3, [(0, 2), (1, 3)], 1)  # each tree has one of the two
    100
    """
    wanted = {start * (size + 1) + end for start, end in spans}
    draw = Random(f"{SEED}:{number}").random
    matches = 0
    for _ in range(DRAWS if wanted else 0):
        parts = [(0, size)]
        while parts:
            start, end = parts.pop()
            middle = start + 1 + int(draw() * (end - start - 1))
            for first, last in ((start, middle), (middle, end)):
                if last - first >= 2:
                    matches += first * (size + 1) + last in wanted
                    if last - first > 2:
                        parts.append((first, last))
    return matches
