"""Which utterance of a file of times each sentence is, and the times of the words that are scored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from ..trees.errors import TimingError
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import PathLike
from ..trees.timings import Utterance, read_timings
from ..trees.tree import Tree
from ..trees.words import NO_EXCEPTIONS, read_as, texts
from .intervals import Times, joined

_ENOUGH = 10
"""Words from which it is told that most of them differ."""


class Timings:
    """Finds the times of sentences that come one after another.

    Where the first sentence with words has an id that is the name of an utterance,
    all are found by name.  Otherwise utterances and sentences (those that have
    words) go together in order.  A single utterance for several sentences is a whole
    recording: each sentence takes its words from where the one before it ended.

    >>> from jpevalb.trees.timings import read_ctm
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
        self._words = self._unlike = 0  # compared, and found to differ
        self._names = {utterance.name: utterance for utterance in self._utterances}
        self._sentences = 0  # sentences asked for
        self._at = 0  # the next utterance; of a whole recording, the next word
        self._mode = ""
        self._used: set[str] = set()

    def times(self, tree: Tree) -> list[tuple[float, float]]:
        """The times of the next sentence's words.

        Raises:
            TimingError: there is no utterance for it, or not one time per word.
        """
        self._sentences += 1
        if not tree.words:
            return []
        if not self._mode:
            by_name = tree.id in self._names and len(self._names) == len(self._utterances)
            self._mode = "name" if by_name else "recording" if len(self._utterances) == 1 else "order"
        if self._mode == "name":
            return self._by_name(tree)
        if self._mode == "recording":
            return self._next_words(tree)
        if self._at == len(self._utterances):
            raise TimingError(
                f"found {self._at} utterances, none for sentence {self._sentences} ({_begin(tree.words)})",
                source=self._source(),
            )
        utterance = self._utterances[self._at]
        self._at += 1
        return self._fitted(utterance, tree)

    def finish(self) -> None:
        """Makes sure that no utterance and no word is left over.

        Raises:
            TimingError: there is one.
        """
        if self._mode == "name":
            left = [item for item in self._utterances if item.name not in self._used]
        elif self._mode == "recording":
            whole = self._utterances[0]
            if self._at < len(whole.words):
                raise TimingError(
                    f"word {self._at + 1} ({whole.words[self._at]!r}) of utterance {whole.name!r} is in no "
                    f"sentence: there are {self._sentences} sentences with {self._at} words",
                    source=whole.source,
                    line=whole.lines[self._at],
                )
            return
        else:
            left = self._utterances[self._at :]
        for item in left:
            raise TimingError(
                f"utterance {item.name!r} ({_begin(item.words)}) is unknown: it belongs to none of the "
                f"{self._sentences} sentences",
                source=item.source,
                line=item.lines[0] if item.lines else None,
            )

    def _by_name(self, tree: Tree) -> list[tuple[float, float]]:
        utterance = self._names.get(tree.id or "")
        if utterance is None:
            raise TimingError(
                f"found no utterance {tree.id!r}, the id of sentence {self._sentences} "
                f"({_begin(tree.words)})",
                source=self._source(),
            )
        self._used.add(utterance.name)
        return self._fitted(utterance, tree)

    def _next_words(self, tree: Tree) -> list[tuple[float, float]]:
        whole = self._utterances[0]
        begin, self._at = self._at, self._at + len(tree.words)
        if self._at > len(whole.words):
            raise TimingError(
                f"utterance {whole.name!r} ends behind {len(whole.words)} words, in sentence "
                f"{self._sentences}: found no time for its word {len(whole.words) - begin + 1} "
                f"({tree.words[len(whole.words) - begin]!r})",
                source=whole.source,
                line=whole.lines[-1] if whole.lines else None,
            )
        self._compare(whole.words[begin : self._at], tree.words)
        return whole.times[begin : self._at]

    def _fitted(self, utterance: Utterance, tree: Tree) -> list[tuple[float, float]]:
        if len(utterance.words) == len(tree.words):
            self._compare(utterance.words, tree.words)
            return utterance.times
        pairs = zip(utterance.words, tree.words)
        shorter = min(len(utterance.words), len(tree.words))
        at = next((i for i, (one, two) in enumerate(pairs) if one.lower() != two.lower()), shorter)
        found = repr(utterance.words[at]) if at < len(utterance.words) else "nothing more"
        expected = repr(tree.words[at]) if at < len(tree.words) else "nothing more"
        lines = utterance.lines
        raise TimingError(
            f"utterance {utterance.name!r} has {len(utterance.words)} words, sentence {self._sentences} has "
            f"{len(tree.words)}; they part at word {at + 1}: found {found}, expected {expected}",
            source=utterance.source,
            line=lines[min(at, len(lines) - 1)] if lines else None,
        )

    def _compare(self, found: Sequence[str], expected: Sequence[str]) -> None:
        one, two = texts(found), texts(expected)
        self._words += len(one)
        if one != two:
            pairs = zip(one, read_as(one, self._exceptions), two, read_as(two, self._exceptions))
            self._unlike += sum([a != b and c != d for a, c, b, d in pairs])

    def warnings(self) -> Iterator[str]:
        """Says that the times are probably of another recording, where most words are other ones.

        A recogniser may spell some words as it likes, or hear other words.
        """
        if self._words >= _ENOUGH and 2 * self._unlike > self._words:
            yield (
                f"{self._source()}: {self._unlike} of {self._words} words are not those of the trees; "
                "are these the times of another recording?"
            )

    def _source(self) -> str | None:
        """The file of the utterances, or the folder where they are in several."""
        sources = sorted({item.source for item in self._utterances if item.source})
        return os.path.dirname(sources[0]) if len(sources) > 1 else sources[0] if sources else None


def _begin(words: Iterable[str]) -> str:
    listed = list(words)
    return repr(" ".join(listed[:4])) + (" ..." if len(listed) > 4 else "")


class SentenceTimes(Timings):
    """The times of one side's words, bead by bead, from a file of times."""

    def __init__(
        self, path: PathLike, labels: LabelPolicy, exceptions: Mapping[str, str] = NO_EXCEPTIONS
    ) -> None:
        super().__init__(read_timings(path), exceptions)
        self._labels = labels

    def of(self, sentences: Sequence[Sentence]) -> Times:
        """The times of a bead's words; those of words that the .prm deletes are left out."""
        return joined([self._scored(sentence) for sentence in sentences])

    def _scored(self, sentence: Sentence) -> Times:
        times = self.times(sentence.source)
        if len(times) == len(sentence.tree.words):
            return times
        kept = self._labels.kept(sentence.source)
        return times if kept is None else [*compress(times, kept)]
