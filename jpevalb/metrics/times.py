"""Times of the scored words: assigns the utterances of a file of times to sentences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from ..alignment.pair import Pair
from ..base.claims import Claim
from ..base.errors import TimingError
from ..base.text import counted
from ..base.values import ROUNDING
from ..formats.timings import Utterance
from ..trees.tree import Tree
from ..trees.words import NO_EXCEPTIONS, read_as, texts

_ENOUGH = 10  # Minimum number of words before the "words differ" warning


class Timings:
    """Finds the times of sentences that come one after another.

    If the id of the first sentence with words is the name of an utterance, all are found by name.
    Otherwise utterances and sentences with words are paired in order.  A single utterance for several
    sentences is a whole recording: each sentence takes its words from where the previous one ended.

    >>> from jpevalb.formats.timings import read_ctm
    >>> timings = Timings(read_ctm(["rec 1 0 1 it", "rec 1 1 1 is", "rec 1 2 2 late"]))
    >>> timings.times(Tree.parse("(S it is)")), timings.times(Tree.parse("(S late)"))
    ([(0.0, 1.0), (1.0, 2.0)], [(2.0, 4.0)])
    >>> timings.finish()
    """

    def __init__(
        self, utterances: Iterable[Utterance], exceptions: Mapping[str, str] = NO_EXCEPTIONS
    ) -> None:
        self._utterances = list(utterances)
        self._exceptions = exceptions
        self._words = self._different = 0  # words compared, and those that differ
        self._names = {utterance.name: utterance for utterance in self._utterances}
        self._sentences = 0  # sentences asked for
        self._next = 0  # index of the next utterance; in a whole recording, of the next word
        self._mode = ""
        self._used: set[str] = set()

    def times(self, tree: Tree) -> list[tuple[float, float]]:
        """Return the times of the next sentence's words."""
        self._sentences += 1
        if not tree.words:
            return []
        if not self._mode:
            by_name = tree.id in self._names and len(self._names) == len(self._utterances)
            self._mode = "name" if by_name else "recording" if len(self._utterances) == 1 else "order"
        if self._mode == "recording":
            whole = self._utterances[0]
            begin, self._next = self._next, self._next + len(tree.words)
            if self._next > len(whole.words):
                raise TimingError(
                    f"utterance {whole.name!r} ends after {counted(len(whole.words), 'word')}, in sentence "
                    f"{self._sentences}: no time for its word {len(whole.words) - begin + 1} "
                    f"({tree.words[len(whole.words) - begin]!r})",
                    source=whole.source,
                    line=whole.lines[-1] if whole.lines else None,
                )
            self._compare(whole.words[begin : self._next], tree.words)
            return whole.times[begin : self._next]
        if self._mode == "name":
            utterance = self._names.get(tree.id or "")
            if utterance is None:
                raise TimingError(
                    f"no utterance {tree.id!r}, the id of sentence {self._sentences} "
                    f"({_beginning(tree.words)})",
                    source=self._source(),
                )
            self._used.add(utterance.name)
            return self._times_of(utterance, tree)
        if self._next == len(self._utterances):
            raise TimingError(
                f"got {self._next} utterances, none for sentence {self._sentences} "
                f"({_beginning(tree.words)}); expected one per sentence",
                source=self._source(),
            )
        self._next += 1
        return self._times_of(self._utterances[self._next - 1], tree)

    def of(self, pair: Pair, side: int) -> list[tuple[float, float]]:
        """Return the times of the words of a side, 0 for gold, without words that the .prm deletes."""
        sentences = (pair.gold_sentences, pair.system_sentences)[side]
        found = [self.times(sentence.source) for sentence in sentences]
        return joined([[*compress(times, kept)] for times, kept in zip(found, pair.kept_words(side))])

    def finish(self) -> None:
        """Raise TimingError if an utterance or a word is unused."""
        if self._mode == "recording":
            whole = self._utterances[0]
            if self._next < len(whole.words):
                raise TimingError(
                    f"word {self._next + 1} ({whole.words[self._next]!r}) of utterance {whole.name!r} is in "
                    f"no sentence: there are {self._sentences} sentences with {self._next} words",
                    source=whole.source,
                    line=whole.lines[self._next],
                )
            return
        left = self._utterances[self._next :]
        if self._mode == "name":
            left = [item for item in self._utterances if item.name not in self._used]
        for item in left:
            raise TimingError(
                f"utterance {item.name!r} ({_beginning(item.words)}) belongs to none of the "
                f"{self._sentences} sentences; remove it or add its sentence",
                source=item.source,
                line=item.lines[0] if item.lines else None,
            )

    def _times_of(self, utterance: Utterance, tree: Tree) -> list[tuple[float, float]]:
        words, expected = utterance.words, tree.words
        if len(words) == len(expected):
            self._compare(words, expected)
            return utterance.times
        shorter = min(len(words), len(expected))
        pairs = enumerate(zip(words, expected))
        at = next((index for index, (a, b) in pairs if a.lower() != b.lower()), shorter)
        lines = utterance.lines
        raise TimingError(
            f"utterance {utterance.name!r} has {counted(len(words), 'word')}, sentence {self._sentences} has "
            f"{len(expected)}; they differ at word {at + 1}: "
            f"got {repr(words[at]) if at < len(words) else 'nothing more'}, "
            f"expected {repr(expected[at]) if at < len(expected) else 'nothing more'}",
            source=utterance.source,
            line=lines[min(at, len(lines) - 1)] if lines else None,
        )

    def _compare(self, words: Sequence[str], expected: Sequence[str]) -> None:
        words, expected = texts(words), texts(expected)
        self._words += len(words)
        if words != expected:
            read = read_as(words, self._exceptions), read_as(expected, self._exceptions)
            differs = [a != b and c != d for a, b, c, d in zip(words, expected, *read)]
            self._different += sum(differs)

    def warnings(self) -> Iterator[Claim]:
        """Warn if most words differ; a recogniser may spell or hear some differently."""
        if self._words >= _ENOUGH and 2 * self._different > self._words:
            numbers = {"source": self._source(), "count": self._different, "words": self._words}
            yield Claim("other_times", numbers)

    def _source(self) -> str | None:
        """Return the file of the utterances, or the folder if there are several files."""
        sources = sorted({item.source for item in self._utterances if item.source})
        return os.path.dirname(sources[0]) if len(sources) > 1 else sources[0] if sources else None


def _beginning(words: Sequence[str]) -> str:
    return repr(" ".join(words[:4])) + (" ..." if len(words) > 4 else "")


def joined(sentences: Iterable[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Concatenate the times of consecutive sentences."""
    joint: list[tuple[float, float]] = []
    shift = 0.0
    for times in sentences:
        # Every utterance may count from 0.
        if joint and times and times[0][0] + shift < joint[-1][1] - ROUNDING:
            shift = joint[-1][1]
        joint.extend((start + shift, end + shift) for start, end in times)
    return joint
