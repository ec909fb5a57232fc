"""Stream: cut both files into stretches that are aligned separately, reading no further than needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from operator import attrgetter, eq
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from .run import CharacterRun

Item = TypeVar("Item")

WINDOWS = (1 << 13, 1 << 16, 1 << 19, 1 << 22)  # numbers of characters of each file searched for a cut
TOGETHER = 64  # maximum number of sentences of a stretch in step, and of a stretch behind the end of one file
NEAR = 8  # maximum number of differing sentences of a stretch that ends without searching a window
SURE = 64  # number of characters, in at least two sentences, that shows that both files are in step again
KEY = 16  # characters on either side of a sentence end that identify it
LINKS = 8  # number of identified sentence ends in order that shows that two windows have the same text


class Stretch(NamedTuple):
    """Sentences of both files that are aligned with each other only."""

    gold: Sequence[Any]
    system: Sequence[Any]
    in_step: bool  # sentence k of one side belongs to sentence k of the other; else they are to be aligned
    gold_start: int  # number of gold sentences before the stretch
    system_start: int
    compared: Sequence[Any] | None = None  # what ``same`` returned of each pair in step


def stretches(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    words: Callable[[Item], Sequence[str]] = attrgetter("words"),
    same: Callable[[Sequence[Item], Sequence[Item]], Sequence[object]] | None = None,
    by_order: bool = False,
) -> Iterator[Stretch]:
    """Cut two files into stretches that are aligned separately; yield them in order.

    Sentences with the same words form a stretch in step; with ``by_order`` all sentences do, while both files
    have some.  Where words differ, a stretch extends to the next sentence end that both files have in equal
    text.  ``same`` returns a list with a value for each of the leading pairs with the same words.

    Memory: 8,192 characters of each file, or up to 4 million if there is no place for a cut.

    Source: Jo et al. 2024, section 3, whose walk this replaces.

    >>> gold = [["Go", "home", "!"], ["I", "saw", "it", "."]]
    >>> [one.in_step for one in stretches(gold, [["Go", "home", "!"], ["I", "saw", "her", "."]], words=list)]
    [True, False]
    """
    gold_reader: _SentenceReader[Item] = _SentenceReader(gold, words)
    system_reader: _SentenceReader[Item] = _SentenceReader(system, words)
    i = j = 0
    while True:
        golds, systems = gold_reader.first(TOGETHER), system_reader.first(TOGETHER)
        compared: Sequence[object] | None = None
        if by_order:
            n = m = min(len(golds), len(systems))
        else:
            equal = map(eq, map(words, golds), map(words, systems))
            compared = same(golds, systems) if same else list(takewhile(bool, equal))
            n = m = len(compared)
        if n:
            yield Stretch(gold_reader.take(n), system_reader.take(n), True, i, j, compared)
        else:
            if not all([gold_reader.has(0), system_reader.has(0)]):
                n, m = len(golds), len(systems)
            elif near := _until_in_step(gold_reader, system_reader):
                n = m = near
            else:
                n, m = _next_cut(gold_reader, system_reader)
            if not n and not m:
                return
            yield Stretch(gold_reader.take(n), system_reader.take(m), False, i, j)
        i += n
        j += m


class _SentenceReader(Generic[Item]):
    """Reads one file ahead as needed; begins at the first sentence that is in no stretch yet."""

    __slots__ = ("ahead", "source", "words")

    def __init__(self, source: Iterable[Item], words: Callable[[Item], Sequence[str]]) -> None:
        self.source = iter(source)
        self.words = words
        self.ahead: list[Item] = []

    def first(self, count: int) -> Sequence[Item]:
        """Return up to ``count`` of the next sentences; empty at the end or before an error of the source."""
        try:
            self.ahead.extend(islice(self.source, max(0, count - len(self.ahead))))
        except Exception as error:
            self.source = raising(error)  # once the sentences before it are used up
        return self.ahead[:count]

    def has(self, k: int) -> bool:
        """Return True if there is a sentence ``k``, counted from here."""
        self.ahead.extend(islice(self.source, max(0, k + 1 - len(self.ahead))))
        return len(self.ahead) > k

    def window(self, characters: int) -> tuple[list[Sequence[str]], bool]:
        """Return the words of the next sentences, ``characters`` or more, and True if the file ends there."""
        sentences: list[Sequence[str]] = []
        while characters > 0:
            if not self.has(len(sentences)):
                return sentences, True
            sentences.append(self.words(self.ahead[len(sentences)]))
            # A sentence without words takes room too.
            characters -= 1 + len("".join(sentences[-1]))
        return sentences, False

    def take(self, n: int) -> Sequence[Item]:
        taken = self.ahead[:n]
        del self.ahead[:n]
        return taken


def raising(error: Exception) -> Iterator[Any]:
    """Return an iterator that raises an error instead of yielding its first item."""
    raise error
    yield


def _next_cut(gold_reader: _SentenceReader[Any], system_reader: _SentenceReader[Any]) -> tuple[int, int]:
    """Return the lengths in sentences of the next stretch, which does not begin in step."""
    for characters in WINDOWS:
        gold, gold_ended = gold_reader.window(characters)
        system, system_ended = system_reader.window(characters)
        if gold_ended and system_ended:
            return len(gold), len(system)
        from .run import CharacterRun

        window = CharacterRun.of(gold), CharacterRun.of(system)
        limit = characters * 3 // 4
        is_last = characters == WINDOWS[-1]
        cut = _equal_text(*window, limit // 3) or _identified_ends(*window, limit, 1 if is_last else LINKS)
        if cut is not None:
            return _count_up_to(gold, cut[0]), _count_up_to(system, cut[1])
    # No place is known to be the same.
    return (len(gold) + 1) // 2, (len(system) + 1) // 2


def _until_in_step(gold: _SentenceReader[Any], system: _SentenceReader[Any]) -> int:
    """Return the number of differing sentences before both files are in step again; 0 if not soon."""
    words = gold.words
    for first in range(1, NEAR + 1):
        size = 0
        k = first
        while gold.has(k) and system.has(k) and words(gold.ahead[k]) == words(system.ahead[k]):
            shared = words(gold.ahead[k])
            if shared in (words(system.ahead[k - 1]), words(gold.ahead[k - 1])):
                return 0  # repeated sentences show nothing
            size += sum(map(len, shared))
            k += 1
            if size >= SURE and k >= first + 2:
                return first
        if not (gold.has(k) and system.has(k)):
            return 0
    return 0


def _count_up_to(sentences: Sequence[Sequence[str]], full: int) -> int:
    """Return the number of sentences up to the end of sentence ``full``, counted among those with words."""
    count = 0
    for number, words in enumerate(sentences, 1):
        count += bool(words)
        if count == full:
            return number
    return len(sentences)


# -- cuts of a window, as numbers of sentences with words ----------------------------------------


def _equal_text(gold: CharacterRun, system: CharacterRun, least: int) -> tuple[int, int] | None:
    """Return the last common sentence end before which both sides have the same characters."""
    shared = sum(takewhile(bool, map(eq, gold.text, system.text)))
    numbers = {gold.starts[end]: number for number, end in enumerate(gold.ends)}
    for number in range(len(system.ends) - 1, 0, -1):
        position = system.starts[system.ends[number]]
        if position < least:
            return None
        if position <= shared and position in numbers:
            return numbers[position], number
    return None


def _identified_ends(
    gold: CharacterRun, system: CharacterRun, limit: int, least: int
) -> tuple[int, int] | None:
    """Return the last sentence end before the limit that lies in equal text, if ``least`` or more do."""
    from .run import longest_chain

    gold_ends, system_ends = _sentence_ends(gold), _sentence_ends(system)
    links = [
        (number, system_ends[key]) for key, number in gold_ends.items() if number and system_ends.get(key)
    ]
    chain = longest_chain(links)
    if len(chain) < least or 4 * len(chain) < 3 * len(links):
        return None
    for i, j in reversed(chain[:-1]):
        p, q = gold.starts[gold.ends[i]], system.starts[system.ends[j]]
        around = gold.levels[p - KEY : p + KEY + 1] == system.levels[q - KEY : q + KEY + 1]
        if p <= limit and q <= limit and around:
            return i, j
    return None


def _sentence_ends(run: CharacterRun) -> dict[str, int]:
    """Return the number of sentences up to the end with each text around it; 0 if the text occurs again."""
    ends: dict[str, int] = {}
    for number, end in enumerate(run.ends):
        position = run.starts[end]
        key = run.text[max(0, position - KEY) : position + KEY]
        if len(key) == 2 * KEY:
            ends[key] = 0 if key in ends else number
    return ends
