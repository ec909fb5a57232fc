"""Pairs: the two sides of a bead, as the metrics get them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..kernels.brackets import unit_numbers
from ..trees.labels import DUMMY_ROOT, LabelPolicy
from ..trees.sentence import Sentence
from ..trees.tree import EMPTY, Tree, side_by_side
from ..trees.words import NO_EXCEPTIONS
from . import Bead, Unit

OK, NO_PARSE, MISSING, EXTRA, UNREADABLE = "ok", "no parse", "missing", "extra", "unreadable"
SHORT = "short"
"""What a pair may be: scored as it is; without a usable system tree; without a system sentence;
without a gold sentence; with a gold sentence that cannot be read; with one of too few words to count."""


FIRST = Bead((0, 1), (0, 1), True)
"""The first sentence of both sides."""


class Pair:
    """Gold and system sentences that carry the same text, side by side.

    Attributes:
        bead: Which sentences of the two files these are.
        gold_sentences: The gold sentences.
        system_sentences: The system's sentences.
        gold: Their trees as scored; several stand under one root ``@S``.
        system: The system's trees as scored; several stand under one root ``@S``.
        same_words: Whether word ``i`` is unit ``i`` on both sides, where both have words.
        matching: What the metrics have found out about its constituents, for one another.
        cuts: What they have found out about where both sides cut the text.
        equal_share: Of texts that are not similar the share of equal characters, in [0, 1]; else ``None``.
        too_short: Whether gold has so few words that the pair counts nowhere.
    """

    __slots__ = (
        "_exceptions",
        "_gaps",
        "_state",
        "_units",
        "bead",
        "cuts",
        "equal_share",
        "gold",
        "gold_sentences",
        "matching",
        "same_words",
        "system",
        "system_sentences",
        "too_short",
    )

    def __init__(
        self,
        bead: Bead,
        gold: Sequence[Sentence],
        system: Sequence[Sentence],
        exceptions: Mapping[str, str] | None,
        units: tuple[Unit, ...] | None = None,
    ) -> None:
        """A pair of sentences.

        Args:
            bead: Which sentences of the two files these are.
            gold: The gold sentences.
            system: The system's sentences.
            exceptions: The exception list for the alignment of the words; ``None`` where
                word ``i`` of one side stands for word ``i`` of the other.
            units: The alignment of the words, where it is known.
        """
        self.bead = bead
        self.gold_sentences = gold
        self.system_sentences = system
        self.gold = gold[0].tree if len(gold) == 1 else _merged(gold)
        self.system = system[0].tree if len(system) == 1 else _merged(system)
        self.same_words = exceptions is None or self.gold.words == self.system.words
        self._exceptions = exceptions
        self._units = units
        self._gaps: bool | None = None
        self._state: tuple[str, str | None] | None = None
        self.matching: Any = None
        self.cuts: Any = None
        self.equal_share: float | None = None
        self.too_short = False

    @classmethod
    def of_same_words(
        cls, gold: Sentence, system: Sentence | None, labels: LabelPolicy, bead: Bead = FIRST
    ) -> Pair:
        """A gold sentence and the system's over the same words; without a usable parse gold stands alone.

        Args:
            gold: As it was read.
            system: As it was read; ``None`` if there is none.
            labels: Which words are left out.
            bead: Which sentences of the two files these are.

        Raises:
            TreeError: they have different words.
        """
        if system is None or system.error is not None or (gold.source.words and not system.source.words):
            tree, outside = labels.prune(gold.source)
            others = [] if system is None else [system._replace(tree=EMPTY)]
        else:
            tree, other, outside = labels.prune_both(gold.source, system.source)
            others = [system if other is system.tree else system._replace(tree=other)]
        mine = gold if tree is gold.tree else gold._replace(tree=tree, outside=outside)
        return cls(bead, [mine], others, None)

    @property
    def status(self) -> str:
        """:data:`OK`, or why there is nothing to compare."""
        return self.state[0]

    @property
    def state(self) -> tuple[str, str | None]:
        """The status, and more about it where there is more to say."""
        if self._state is None:
            self._state = self._found_state()
        return self._state

    def _found_state(self) -> tuple[str, str | None]:
        gold, system = self.gold_sentences, self.system_sentences
        if not gold:
            return EXTRA, None
        if self.too_short:
            return SHORT, f"it has {len(self.gold.words)} of the words that are scored"
        for status, side in ((UNREADABLE, gold), (NO_PARSE, system)):
            for sentence in side:
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

    def with_system(self, system: Sequence[Sentence]) -> Pair:
        """The gold sentences of this pair beside other sentences of the system.

        Args:
            system: Sentences of the system that stand in place of those of this pair.
        """
        return Pair(self.bead, self.gold_sentences, system, self._exceptions)

    @property
    def parsed(self) -> bool:
        """Whether the system has a usable parse: one that can be read, with words where gold has some."""
        return self.status in (OK, UNREADABLE, SHORT)

    @property
    def has_gaps(self) -> bool:
        """Whether a yield of either tree is more than one block of words.  Cost: O(nodes + words)."""
        if self._gaps is None:
            # There are none where the words come in the order of their nodes.
            self._gaps = any(
                list(tree.word_parents) != sorted(tree.word_parents) and not tree.is_continuous
                for tree in (self.gold, self.system)
            )
        return self._gaps

    @property
    def exceptions(self) -> Mapping[str, str]:
        """What tokens are read as in the alignment of the words."""
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
        """For each gold token its unit, for each system token its unit, and the number of units.

        ``None`` stands for lists where token ``i`` is unit ``i``.
        """
        if self.same_words:
            return None, None, len(self.gold.words)
        return *unit_numbers(self.units), len(self.units)


def _has_words(sentences: Sequence[Sentence]) -> bool:
    return any(sentence.source.words for sentence in sentences)


def _merged(sentences: Sequence[Sentence]) -> Tree:
    if not sentences:
        return EMPTY
    return side_by_side([sentence.tree for sentence in sentences], DUMMY_ROOT)
