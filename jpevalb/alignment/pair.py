"""Pairs: the gold and system side of a bead, the input of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from operator import ne
from typing import Any

from ..kernels.brackets import unit_numbers
from ..settings.labels import DUMMY_ROOT, LabelPolicy, without_words
from ..trees.sentence import Sentence
from ..trees.tree import EMPTY, Tree, side_by_side
from ..trees.words import NO_EXCEPTIONS
from . import Bead, Unit
from .stream import Stretch

# States of a pair
OK = "ok"
NO_PARSE = "no parse"  # no usable system tree
MISSING = "missing"  # no system sentence
EXTRA = "extra"  # no gold sentence
UNREADABLE = "unreadable"  # a gold sentence cannot be read
SHORT = "short"  # gold has too few words to count
EXCLUDED = "excluded"  # left out by the rules of a convention
BY_POSITION = "words that differ from gold at their position"
CHANGES = (
    *("roots not counted", "labels cut", "words dropped", "traces removed", "subtrees dropped"),
    *("quotes put back", BY_POSITION),
)
"""What rules change in trees, in the order of reports."""
DELETED = tuple([(side, what) for side in ("gold", "system") for what in ("words dropped", "traces removed")])
"""Side and kind of each number in :attr:`PlainPair.deleted`."""
FIRST = Bead((0, 1), (0, 1), True)  # the first sentence of both sides


class Pair:
    """Gold and system sentences that carry the same text."""

    #: the numbers :data:`jpevalb.base.counts.PLAIN`, if the kernel has counted the texts
    plain: tuple[int, ...] = ()
    matching: Any = None  #: cache of the metrics, matched constituents
    crossed: Any = None  #: cache of the metrics, a matching and whether its system constituents cross others
    tables: Any = None  #: nodes of both trees as the kernel ``mapping`` takes them, if known without trees
    #: cache of the metrics, nodes that Struct-IoU aligns with their overlaps
    node_pairs: list[tuple[int, int, float]] | None = None
    cuts: Any = None  #: cache of the metrics, common token boundaries
    repairs: Any = None  #: cache of the error analysis, classes of labels and the repairs with their causes

    def __init__(
        self,
        bead: Bead,
        gold: Sequence[Sentence],
        system: Sequence[Sentence],
        exceptions: Mapping[str, str] | None,
        units: tuple[Unit, ...] | None = None,
        *,
        equal_share: float | None = None,
        too_short: bool = False,
        excluded: str = "",
    ) -> None:
        """Make a pair.  Without ``exceptions`` words correspond one by one; ``units`` may be known."""
        self.bead = bead  #: position of the sentences in the two files
        self.gold_sentences = gold
        self.system_sentences = system
        # The trees as scored; several are joined under one root ``@S``
        self.gold = gold[0].tree if len(gold) == 1 else _merged(gold)
        self.system = system[0].tree if len(system) == 1 else _merged(system)
        # True if word ``i`` is unit ``i`` on both sides, if both have words
        self.identical_words = exceptions is None or self.gold.words == self.system.words
        self._exceptions = exceptions
        self._units = units
        self.equal_share = equal_share  #: share of equal characters in [0, 1] if the texts are dissimilar
        self._too_short = too_short  # True if gold has too few words for the pair to count
        self._excluded = excluded  # why a convention leaves the pair out; empty if it does not

    @classmethod
    def of_identical_words(
        cls, gold: Sentence, system: Sentence | None, labels: LabelPolicy, bead: Bead = FIRST
    ) -> Pair:
        """Make a pair of sentences with identical words; gold is unaligned if the system has no usable parse.

        Words deleted by ``labels`` are omitted.  The rest of gold may be too short or too long to count.

        Raises:
            TreeError: The sentences have different words.
        """
        if system is None or system.error is not None or (gold.source.words and not system.source.words):
            tree = labels.prune(gold.source)
            system_sentences = [] if system is None else [system._replace(tree=EMPTY)]
        else:
            tree, system_tree = labels.prune_both(gold.source, system.source)
            system_sentences = [system if system_tree is system.tree else system._replace(tree=system_tree)]
        scored_gold = gold if tree is gold.tree else gold._replace(tree=tree)
        length, (least, most) = len(tree.words), labels.lengths
        is_read = gold.error is None
        too_long = is_read and most is not None and length > most
        return cls(
            bead,
            [scored_gold],
            system_sentences,
            None,
            too_short=is_read and length < least,
            excluded=f"gold words: {length}" if too_long else "",
        )

    def without_deleted(self, labels: LabelPolicy) -> Pair:
        """Return the pair without deleted words, now that all words are aligned.

        The words of a unit are deleted if all its gold words are; the words of a unit without gold words,
        if their own tags say so.  Other words of gold are deleted by their own tags.
        """
        sides = self.gold_sentences, self.system_sentences
        own = [[labels.kept(one.tree) or [True] * len(one.words) for one in side] for side in sides]
        gold, system = ([keep for some in side for keep in some] for side in own)
        if all(gold) and all(system):
            return self
        units = None
        if self.identical_words and len(gold) == len(system):
            system = gold
        elif gold and system:
            for a, b, c, d in self.units:
                if a < b:
                    system[c:d] = [any(gold[a:b])] * (d - c)
            first, second = (list(accumulate(side, initial=0)) for side in (gold, system))
            moved = [Unit(first[a], first[b], second[c], second[d]) for a, b, c, d in self.units]
            units = tuple([unit for unit in moved if unit[0] < unit[1] or unit[2] < unit[3]])
        gold_left, system_left = _without(sides[0], gold), _without(sides[1], system)
        return Pair(self.bead, gold_left, system_left, self._exceptions, units, equal_share=self.equal_share)

    def forget(self) -> None:
        """Clear the caches of the metrics, since pairs may be kept."""
        self.matching = self.crossed = self.cuts = self.tables = self.repairs = None

    @property
    def status(self) -> str:
        """State of the pair, :data:`OK` or the reason why nothing is compared."""
        return self.state[0]

    @cached_property
    def state(self) -> tuple[str, str | None]:
        """The status, and details about it or ``None``."""
        gold, system = self.gold_sentences, self.system_sentences
        if not gold:
            return EXTRA, None
        if self._excluded:
            return EXCLUDED, self._excluded
        if self._too_short:
            return SHORT, f"too few scored words: {len(self.gold.words)}"
        for status, sentences in ((UNREADABLE, gold), (NO_PARSE, system)):
            for sentence in sentences:
                if sentence.error is not None:
                    return status, str(sentence.error)
                answer = sentence.answer
                if answer is not None and not answer.valid and not sentence.source.words:
                    return status, answer.trouble
        if not system:
            return MISSING, None
        if not _has_words(system) and _has_words(gold):
            return NO_PARSE, "the parse has no words"
        return OK, None

    def done(self, labels: LabelPolicy) -> Iterable[tuple[tuple[str, str], int]]:
        """Yield what the rules have changed on each side, with counts."""
        state = self.status
        sides = [("gold", self.gold_sentences)] if state not in (EXCLUDED, UNREADABLE) else []
        sides += [("system", self.system_sentences)] if state in (OK, SHORT) else []
        for side, sentences in sides:
            for sentence in sentences:
                for what, count in labels.done(sentence.source, sentence.tree):
                    yield (side, what), count
        if labels.rules.compare in ("number", "no") and self.gold.words != self.system.words:
            yield ("system", BY_POSITION), sum(map(ne, self.gold.words, self.system.words))

    @property
    def had_words(self) -> bool:
        """True if both sides have words before any are deleted."""
        return _has_words(self.gold_sentences) and _has_words(self.system_sentences)

    def with_system(self, system: Sequence[Sentence]) -> Pair:
        """Return a pair of the same gold sentences with other system sentences."""
        return Pair(self.bead, self.gold_sentences, system, self._exceptions)

    @property
    def parsed(self) -> bool:
        """True if the system has a usable parse: readable, with words if gold has words."""
        return self.status in (OK, UNREADABLE, SHORT)

    @property
    def read(self) -> tuple[Tree, Tree]:
        """Both trees; those of a plain pair still have their deleted words."""
        return self.gold, self.system

    @cached_property
    def has_gaps(self) -> bool:
        """True if a yield of either tree is more than one block of words."""
        # Words in the order of their nodes leave no gaps.
        return any(
            list(tree.word_parents) != sorted(tree.word_parents) and not tree.is_continuous
            for tree in (self.gold, self.system)
        )

    @property
    def exceptions(self) -> Mapping[str, str]:
        """The exception list of the word alignment."""
        return self._exceptions or NO_EXCEPTIONS

    @property
    def units(self) -> tuple[Unit, ...]:
        """The word alignment: each token of both sides is in one unit."""
        if self._units is None:
            from .solve import word_units

            gold, system = self.gold.words, self.system.words
            if self._exceptions is None and len(gold) == len(system):
                system = gold
            self._units = word_units(gold, system, self.exceptions)
        return self._units

    def unit_of_words(self) -> tuple[list[int] | None, list[int] | None, int]:
        """Return the units of gold and system tokens (``None``: token i is unit i) and their number."""
        if self.identical_words:
            n, m = len(self.gold.words), len(self.system.words)
            # A convention may compare sentences of different lengths, word by word.
            return (list(range(n)), list(range(m)), max(n, m)) if 0 < n != m > 0 else (None, None, max(n, m))
        return *unit_numbers(self.units), len(self.units)


class PlainPair(Pair):
    """Two sentences with the same words whose texts the kernel has counted; trees are read on access."""

    identical_words = True
    equal_share = None
    state = OK, None
    _units = None

    def __init__(
        self,
        stretch: Stretch,
        index: int,  # of the pair in the stretch
        exceptions: Mapping[str, str],
        plain: tuple[int, ...],
        tables: Any,
        deleted: tuple[int, ...],
    ) -> None:
        self._stretch = stretch
        self._index = index
        self._exceptions = exceptions
        self.plain = plain
        self.tables = tables
        self.deleted = deleted  #: the numbers of :data:`DELETED`; empty if nothing was deleted

    def __getstate__(self) -> dict[str, Any]:
        (i, _), (j, _) = self.bead.gold, self.bead.system
        alone = Stretch(self.gold_sentences, self.system_sentences, True, i, j)
        return {**vars(self), "_stretch": alone, "_index": 0}

    @cached_property
    def gold_sentences(self) -> Sequence[Sentence]:  # type: ignore[override]
        return (self._stretch.gold[self._index],)

    @cached_property
    def system_sentences(self) -> Sequence[Sentence]:  # type: ignore[override]
        return (self._stretch.system[self._index],)

    @cached_property
    def gold(self) -> Tree:  # type: ignore[override]
        return self.gold_sentences[0].tree

    @cached_property
    def system(self) -> Tree:  # type: ignore[override]
        return self.system_sentences[0].tree

    @property
    def read(self) -> tuple[Tree, Tree]:
        return self.gold_sentences[0].source, self.system_sentences[0].source

    @property
    def bead(self) -> Bead:  # type: ignore[override]
        i, j = self._stretch.gold_start + self._index, self._stretch.system_start + self._index
        return Bead((i, i + 1), (j, j + 1), True)

    def done(self, labels: LabelPolicy) -> Iterable[tuple[tuple[str, str], int]]:
        return zip(DELETED, self.deleted)


def _without(sentences: Sequence[Sentence], kept: Sequence[bool]) -> list[Sentence]:
    """Return sentences without the words whose flag is False; ``kept`` has the flags of all in a row."""
    rest = iter(kept)
    masks = [list(islice(rest, len(one.words))) for one in sentences]
    return [
        one if all(mask) else one._replace(tree=without_words(one.tree, mask))
        for one, mask in zip(sentences, masks)
    ]


def _has_words(sentences: Sequence[Sentence]) -> bool:
    return any(sentence.source.words for sentence in sentences)


def _merged(sentences: Sequence[Sentence]) -> Tree:
    return side_by_side([sentence.tree for sentence in sentences], DUMMY_ROOT) if sentences else EMPTY
