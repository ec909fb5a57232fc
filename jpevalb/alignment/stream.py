"""Stream: both files cut into stretches that can be aligned one by one, reading no further than needed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from .run import Run

Item = TypeVar("Item")

WINDOWS = (1 << 13, 1 << 16, 1 << 19, 1 << 22)
"""Characters of either file that are looked at for a place to cut at, one window after the other."""

TOGETHER = 16
"""Most sentences of a stretch in step, and of one where the other file has ended."""

NEAR = 8
"""Sentences that may differ before both files are in step again, for a stretch without a window."""

SURE = 64
"""Characters in step, of two sentences at least, that show that they are."""

KEY = 16
"""Characters on either side of a sentence end by which it is known again."""

LINKS = 8
"""Sentence ends known again, in one order, that show that two windows are of the same text."""

SHAPE = 16
"""Sentences with equally many words each that show that two windows belong together."""

_END: Any = object()


class Stretch(NamedTuple):
    """Sentences of both files that are paired among themselves, whatever comes before and behind."""

    gold: list[Any]
    """The gold sentences, in order."""
    system: list[Any]
    """The system's sentences, in order."""
    in_step: bool
    """Whether sentence k of one side goes with sentence k of the other; else they are aligned."""
    gold_start: int
    """Gold sentences before the stretch."""
    system_start: int
    """The system's sentences before the stretch."""
    runs: tuple[Run, Run] | None = None
    """Both sides as runs of characters, where these were made to find the end of the stretch."""


def stretches(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    words: Callable[[Item], Sequence[str]] = attrgetter("words"),
    same: Callable[[Item, Item], bool] | None = None,
) -> Iterator[Stretch]:
    """Cuts two files into stretches, each of which is aligned by itself.

    While sentences have the same words they are a stretch in step.  Where they differ a stretch
    goes on up to a sentence end of both files that lies in equal text, known by the characters
    around it, which both windows have once.  Where a stretch ends depends on the words from its
    beginning on and on nothing else.

    Args:
        gold: The gold file's sentences, whatever they are.
        system: The system's sentences.
        words: Gives the words of a sentence.
        same: Whether two sentences have the same words, where that is known without these.

    Yields:
        The stretches; each sentence of both files is in one, in order.

    Cost: O(words); a window holds 8,192 characters of each file, or where no place to cut at is
    found up to 4 million.

    Source: Jo et al. 2024, section 3, whose walk this replaces.

    >>> gold = [["Go", "home", "!"], ["I", "saw", "it", "."]]
    >>> [one.in_step for one in stretches(gold, [["Go", "home", "!"], ["I", "saw", "her", "."]], words=list)]
    [True, False]
    """
    mine, other = _Side(gold, words), _Side(system, words)
    equal = same or (lambda first, second: words(first) == words(second))
    i = j = 0
    while True:
        golds: list[Item] = []
        systems: list[Item] = []
        error: Exception | None = None
        try:
            while len(golds) < TOGETHER:
                first, second = mine.next(), other.next()
                if first is _END or second is _END or not equal(first, second):
                    mine.put_back(first)
                    other.put_back(second)
                    break
                golds.append(first)
                systems.append(second)
        except Exception as caught:
            # What was in step before a sentence that cannot be read is not lost with it.
            error = caught
        n = m = len(golds)
        if golds:
            yield Stretch(golds, systems, True, i, j)
        if error is not None:
            raise error
        if not golds:
            n, m, runs = _next_cut(mine, other)
            if not n and not m:
                return
            yield Stretch(mine.take(n), other.take(m), False, i, j, runs)
        i += n
        j += m


class _Side(Generic[Item]):
    """One file from its first sentence that is in no stretch yet, read as far as was needed."""

    __slots__ = ("ahead", "source", "words")

    def __init__(self, source: Iterable[Item], words: Callable[[Item], Sequence[str]]) -> None:
        self.source = iter(source)
        self.words = words
        self.ahead: deque[Item] = deque()

    def next(self) -> Any:
        """The next sentence, or the end."""
        return self.ahead.popleft() if self.ahead else next(self.source, _END)

    def put_back(self, item: Any) -> None:
        """Gives back a sentence, or the end."""
        if item is not _END:
            self.ahead.appendleft(item)

    def has(self, k: int) -> bool:
        """Whether there is a sentence ``k`` from here; reads it."""
        while len(self.ahead) <= k:
            item = next(self.source, _END)
            if item is _END:
                return False
            self.ahead.append(item)
        return True

    def window(self, characters: int) -> tuple[list[Sequence[str]], bool]:
        """The words of the next sentences, so many characters at least; and whether the file ends with them.

        They are the same whatever has been read before: a walk begun here sees no more.
        """
        found: list[Sequence[str]] = []
        read: Iterator[Item] = iter(self.ahead)
        while characters > 0:
            item: Any = next(read, _END)
            if item is _END:
                item = next(self.source, _END)
                if item is _END:
                    return found, True
                self.ahead.append(item)
                read = iter(())
            found.append(self.words(item))
            # A sentence without words takes room too.
            characters -= 1 + len("".join(found[-1]))
        return found, False

    def take(self, n: int) -> list[Item]:
        """Gives away the first ``n`` sentences."""
        return [self.ahead.popleft() for _ in range(n)]


def _next_cut(mine: _Side[Any], other: _Side[Any]) -> tuple[int, int, tuple[Run, Run] | None]:
    """How many sentences of either side the next stretch has, which does not begin in step; their runs."""
    more = mine.has(0), other.has(0)
    if not all(more):
        side = mine if more[0] else other
        count = 0
        while count < TOGETHER and side.has(count):
            count += 1
        return (count, 0, None) if more[0] else (0, count, None)
    near = _near(mine, other)
    if near:
        return near, near, None
    for characters in WINDOWS:
        gold, gold_ended = mine.window(characters)
        system, system_ended = other.window(characters)
        if gold_ended and system_ended:
            return len(gold), len(system), None
        from .run import Run

        window = Run.of(gold), Run.of(system)
        limit = characters * 3 // 4
        cut = _equal(*window, limit // 3) or _alike(gold, system) or _known_again(*window, limit)
        if cut is None and characters == WINDOWS[-1]:
            return *_anywhere(gold, system, *window, limit), None
        if cut is not None:
            i, j = cut
            runs = window[0].head(i), window[1].head(j)
            return _sentences(gold, i), _sentences(system, j), runs
    raise AssertionError


def _near(mine: _Side[Any], other: _Side[Any]) -> int:
    """After how many sentences that differ both files are in step again; 0 if that is not near."""
    words = mine.words
    for first in range(1, NEAR + 1):
        size = 0
        k = first
        while mine.has(k) and other.has(k) and words(mine.ahead[k]) == words(other.ahead[k]):
            if words(mine.ahead[k]) == words(other.ahead[k - 1]) or words(other.ahead[k]) == words(
                mine.ahead[k - 1]
            ):
                return 0  # the same sentence again and again shows nothing
            size += sum(map(len, words(mine.ahead[k])))
            k += 1
            if size >= SURE and k >= first + 2:
                return first
        if not (mine.has(k) and other.has(k)):
            return 0
    return 0


def _sentences(side: Sequence[Sequence[str]], full: int) -> int:
    """How many sentences there are up to the end of one, counted among those with words."""
    count = 0
    for number, words in enumerate(side, 1):
        count += bool(words)
        if count == full:
            return number
    return len(side)


# -- where a window is cut: numbers of sentences that have words ---------------------------------


def _alike(gold: Sequence[Sequence[str]], system: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Where all sentences have as many words as their counterparts, however these are written."""
    count = min(len(gold), len(system))
    if count < SHAPE:
        return None
    lengths = list(map(len, gold[:count]))
    if lengths != list(map(len, system[:count])) or len(set(lengths)) < SHAPE // 3:
        return None
    places = [k for k in range(1, count * 3 // 4 + 1) if lengths[k - 1]]
    if not places:
        return None
    # Best where the words around the sentence end are the same, so that it is one of the text.
    for full in range(len(places), len(places) // 2, -1):
        k = places[full - 1]
        if gold[k - 1][-1] == system[k - 1][-1] and gold[k][:1] == system[k][:1]:
            return full, full
    return len(places), len(places)


def _equal(gold: Run, system: Run, least: int) -> tuple[int, int] | None:
    """The last sentence end of both sides up to which they have the same characters."""
    from .run import shared_prefix

    low = shared_prefix(gold.text, system.text, len(gold.text))
    places = {gold.starts[end]: number for number, end in enumerate(gold.ends)}
    for number in range(len(system.ends) - 1, 0, -1):
        place = system.starts[system.ends[number]]
        if place < least:
            return None
        if place <= low and place in places:
            return places[place], number
    return None


def _known_again(gold: Run, system: Run, limit: int) -> tuple[int, int] | None:
    """The last sentence end before the limit that lies in equal text of both sides."""
    from .anchors import longest_chain

    mine, other = _ends(gold), _ends(system)
    links = [(number, other[key]) for key, number in mine.items() if number and other.get(key)]
    chain = longest_chain(links)
    if len(chain) < LINKS or 4 * len(chain) < 3 * len(links):
        return None
    for i, j in reversed(chain[:-1]):
        p, q = gold.starts[gold.ends[i]], system.starts[system.ends[j]]
        around = gold.levels[p - KEY : p + KEY + 1] == system.levels[q - KEY : q + KEY + 1]
        if p <= limit and q <= limit and around:
            return i, j
    return None


def _ends(run: Run) -> dict[str, int]:
    """For each text around a sentence end the number of sentences up to it; 0 if it comes again."""
    found: dict[str, int] = {}
    for number, end in enumerate(run.ends):
        place = run.starts[end]
        key = run.text[max(0, place - KEY) : place + KEY]
        if len(key) == 2 * KEY:
            found[key] = 0 if key in found else number
    return found


def _anywhere(
    gold: Sequence[Sequence[str]], system: Sequence[Sequence[str]], mine: Run, other: Run, limit: int
) -> tuple[int, int]:
    """Numbers of all sentences up to a cut where there is no good place for one."""
    from bisect import bisect_right

    from ..kernels.path import links as shared
    from .anchors import GRAM, grams, longest_chain

    left = grams(mine, 0, len(mine.tokens), GRAM, inside=True)
    right = grams(other, 0, len(other.tokens), GRAM, inside=True)
    links = shared(left, right)
    chain = longest_chain(links)
    if len(chain) > 4 * len(links) ** 0.5:
        for i, j in reversed(chain):
            if mine.starts[i] <= limit and other.starts[j] <= limit:
                a, b = bisect_right(mine.ends, i) - 1, bisect_right(other.ends, j) - 1
                if a and b:
                    return _sentences(gold, a), _sentences(system, b)
    return (len(gold) + 1) // 2, (len(system) + 1) // 2
