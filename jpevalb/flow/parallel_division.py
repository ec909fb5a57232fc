"""Division: cuts two treebanks, in passing, where both are likely to have a sentence boundary.

Nothing depends on a cut being right: whoever aligns what is before it finds out where the
next bead begins, and what was aligned from another place is not used.  So cuts are found by
looking at few sentences, and cost next to nothing beside reading them all.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from typing import Any

from ..formats import FORMATS, Source, read, read_items
from ..formats.bracket import SAMPLE_LINES, as_utf8, is_one_a_line, sample_of
from ..formats.detect import BLOCK, detect_format
from ..formats.files import LONGEST, guarded, input_name, is_utf8, is_wide, open_blocks, too_long
from ..model.errors import JpevalbError, TreeError
from ..model.tree import Tree
from .parallel_stretches import EXPORT, ITEMS, LINES, TREES, FilePart, Layout, Place, Stretch

FIRST_SHARE, SHARE = 1 << 16, 1 << 19
"""Bytes of a side in the first stretches, and in those of a large file."""

FIRST_ITEMS, ITEMS_SHARE = 100, 1000
"""The same in items."""

AHEAD = 1 << 14
"""Bytes behind a stretch that may be looked ahead at."""

ITEMS_AHEAD = 40

LONG = 20
"""Bytes of text from which two sentences that have the same text are taken for the same sentence."""

LOOKED_AT = 12
"""Sentences near the end of a share that a cut may come before."""

_WORD = re.compile(rb"([^\s()]+)[ \t\n\v\f\r]*\)")
_BLANKS = b" \t\n\v\f\r"


class Feed:
    """One file from the first sentence on that is in no stretch yet.

    Attributes:
        layout: How it is read.
        start: The place of that sentence; its number of sentences is not kept.
        data: Bytes or items; from ``place`` on they are those behind ``start``.
        place: See there.
        ended: Whether nothing comes behind ``data``.
        trouble: What went wrong in getting more of it; told once all else has been read.
        whole: Whether it cannot be cut.
        path: The file itself, where workers may read it.
    """

    def __init__(
        self, layout: Layout, empty: bytes | list[Any], source: Iterator[Any], *, look_ahead: bool = True
    ) -> None:
        self.layout = layout
        self.start = Place()
        self.data: Any = empty
        self.place = 0
        self.ended = False
        self.trouble: JpevalbError | None = None
        self._source = source
        items = layout.kind == ITEMS
        self._share = FIRST_ITEMS if items else FIRST_SHARE
        self._most = ITEMS_SHARE if items else SHARE
        self._ahead = ITEMS_AHEAD if items else AHEAD if look_ahead else 0
        self._marker = {TREES: b"\n(", EXPORT: b"\n#BOS"}.get(layout.kind, b"\n")
        self.whole = False
        self.path: FilePart | None = None

    # -- what is there -----------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Bytes or items at hand."""
        return len(self.data) - self.place

    @property
    def more(self) -> bool:
        """Whether there may be more than what is at hand."""
        return not self.ended and self.trouble is None

    def fill(self, least: int) -> None:
        """Gets at least so many bytes or items to hand, if there are as many."""
        if self.size >= least or not self.more:
            return
        got = [self.data[self.place :]]
        size = len(got[0])
        try:
            while size < least:
                piece = next(self._source, None)
                if piece is None:
                    self.ended = True
                    break
                got.append(piece)
                size += len(piece)
        except JpevalbError as error:
            self.trouble = error
        self.data = b"".join(got) if isinstance(got[0], bytes) else list(chain.from_iterable(got))
        self.place = 0

    def rest(self, begin: int = 0, *, keep: bool = True) -> Iterator[Any]:
        """The lines or items from so many bytes or items behind ``start`` on, to the very end.

        Args:
            begin: Where to begin.
            keep: Whether ``start`` stays where it is.

        Raises:
            JpevalbError: the trouble that there was, in its place.
        """
        is_text = isinstance(self.data, bytes)
        step = size = 1 << 18 if is_text else 100
        while True:
            self.fill(begin + size)
            at, end = self.place + begin, len(self.data)
            if is_text and not self.ended:
                end = max(at, self.data.rfind(b"\n", at) + 1)
            if end == at and self.more and size < LONGEST:
                size *= 2  # a line longer than that
                continue
            size = step
            found = self.data[at:end]
            if is_text and max(end, len(self.data)) - at >= LONGEST:
                self._check_lines(at)
            begin += end - at
            if not keep:
                self.skip_to(self.start.offset + begin)
                begin = 0
            yield from lines_of(found) if is_text else found
            if not self.more and self.place + begin >= end:
                if self.trouble is not None:
                    raise self.trouble
                return

    def _check_lines(self, at: int) -> None:
        """Makes sure that no line from a place in ``data`` on is too long.

        Raises:
            InputError: one is.
        """
        number = self.start.line + self.data.count(b"\n", self.place, at) + 1
        for line in lines_of(self.data[at:]):
            if len(line) >= LONGEST:
                raise too_long("the line", self.layout.source, number)
            number += 1

    # -- where sentences begin -----------------------------------------------------------------

    def starts(self, begin: int, number: int) -> list[int]:
        """The first few places of sentences from a place in ``data`` on, or behind it."""
        if not isinstance(self.data, bytes):
            return list(range(begin, min(begin + number, len(self.data))))
        found: list[int] = []
        at = max(begin - 1, 0)
        while len(found) < number:
            at = self.data.find(self._marker, at) + 1
            if at <= 0 or at >= len(self.data):
                break
            found.append(at)
        return found

    def text(self, at: int) -> bytes:
        """The words of the sentence that begins at a place in ``data``, without blanks."""
        if isinstance(self.data, bytes):
            end = self.data.find(self._marker, at)
            sentence = self.data[at:] if end < 0 else self.data[at:end]
        else:
            if at == len(self.data):
                return b""
            item = self.data[at]
            if isinstance(item, TreeError):
                return b""
            if isinstance(item, Tree):
                return "".join(item.words).encode("utf-8", "surrogatepass")
            sentence = item.encode("utf-8", "surrogatepass")
        return b"".join(_WORD.findall(sentence))

    def count(self, at: int) -> int:
        """How many sentences begin behind ``start``, up to a place in ``data``."""
        if isinstance(self.data, bytes):
            return self.data.count(self._marker, self.place, at + len(self._marker) - 1)
        return at - self.place

    def nth(self, number: int) -> int:
        """Where the sentence begins before which so many begin; the end of ``data`` if there are too few."""
        if not isinstance(self.data, bytes):
            return min(self.place + number, len(self.data))
        at, step = self.place, 1 << 15
        while number > 0 and at < len(self.data):
            found = self.data.count(self._marker, at, at + step + len(self._marker) - 1)
            if found < number:
                number -= found
                at += step
            elif step > 64:
                step //= 4
            else:
                at = self.data.find(self._marker, at) + 1
                number -= 1
        return min(at, len(self.data))

    def sentences_before(self, at: int) -> int:
        """How many sentences of a text begin from ``start`` on and before another in ``data``."""
        return self.count(at) - self._uncounted()

    def behind(self, number: int) -> int:
        """Where the sentence begins that as many are before, from ``start`` on."""
        return self.nth(number + self._uncounted())

    def _uncounted(self) -> int:
        """What :meth:`count` has too many: the last one, unless one is at ``start`` that it has not."""
        return int(self.layout.kind == EXPORT and not self.data.startswith(b"#BOS", self.place))

    # -- giving it away ------------------------------------------------------------------------

    def share(self) -> int:
        """How large the next stretch should be."""
        return self._share

    def ahead(self) -> int:
        """How much may be looked ahead at."""
        return self._ahead

    def take(self, at: int) -> Stretch:
        """Gives away what is before a place in ``data``."""
        if self.layout.kind == TREES and at < len(self.data):
            at = _after_text(self.data, self.place, at)
        end = min(at + self._ahead, len(self.data))
        data = self.data[self.place : end]
        last = end == len(self.data) and self.ended
        size = at - self.place
        stretch = Stretch(self.layout, self.start, data, self.start.offset + size, last)
        self._move(at)
        self._share = min(2 * self._share, self._most)
        return stretch

    def _move(self, at: int) -> None:
        lines = at - self.place
        if isinstance(self.data, bytes):
            lines = self.data.count(b"\n", self.place, at)
        self.start = Place(self.start.offset + at - self.place, self.start.line + lines)
        self.place = at

    def skip_to(self, offset: int) -> None:
        """Gives away what is before a place in the file, and is read already."""
        self.fill(offset - self.start.offset)
        self._move(min(self.place + max(0, offset - self.start.offset), len(self.data)))


def lines_of(data: bytes) -> list[bytes]:
    """The lines of some bytes, each with its end."""
    found = data.split(b"\n")
    rest = found.pop()
    lines = [line + b"\n" for line in found]
    return [*lines, rest] if rest else lines


def _after_text(data: bytes, begin: int, at: int) -> int:
    """The line's beginning behind the last text before a place: blank lines before a tree go with it."""
    text = data[max(begin, at - 4096) : at].rstrip(_BLANKS)
    if not text:
        return at
    behind = data.find(b"\n", max(begin, at - 4096) + len(text)) + 1
    return behind if 0 < behind < at else at


class Cuts:
    """Cuts two feeds into pairs of stretches, in order.

    Args:
        gold: The gold file.
        system: The system's.
    """

    def __init__(self, gold: Feed, system: Feed) -> None:
        self.gold = gold
        self.system = system
        self._ratio = 1.0

    def next(self) -> tuple[Stretch, Stretch] | None:
        """The next pair; ``None`` where nothing is left, or what is left must be read as a whole.

        Cost: O(bytes of the stretches) at the speed of a search for line ends.
        """
        gold, system = self.gold, self.system
        share = max(gold.share(), 1)
        gold.fill(2 * share + gold.ahead())
        system.fill(int(2.5 * share * self._ratio) + system.ahead())
        if gold.whole or system.whole or not (gold.size or system.size):
            return None
        before = gold.start.offset, system.start.offset
        if gold.ended and system.ended and gold.size <= 1.5 * share and system.size <= 3 * share:
            places = len(gold.data), len(system.data)
        else:
            places = self._places(share)
        if gold.trouble or system.trouble or gold.whole or system.whole:
            return None
        taken = gold.take(places[0]), system.take(places[1])
        sizes = gold.start.offset - before[0], system.start.offset - before[1]
        if all(sizes):
            self._ratio = sizes[1] / sizes[0]
        return taken

    def _places(self, share: int) -> tuple[int, int]:
        """Where to cut: before sentences of one text, if any are found; else after as many sentences."""
        gold, system = self.gold, self.system
        candidates = starts_behind(gold, share)
        if not candidates:
            if not gold.size:
                return len(gold.data), (starts_behind(system, share) or [len(system.data)])[0]
            candidates = [len(gold.data)]
        texts = [gold.text(at) for at in candidates]
        expected = int((candidates[0] - gold.place) * self._ratio)
        span = max(share // 4, 4 * system.ahead())
        system.fill(expected + span)
        number = gold.count(candidates[0])
        others = system.starts(system.nth(number), LOOKED_AT)
        for at, text, other in zip(candidates, texts, others):
            if len(text) >= LONG and system.text(other) == text:
                return at, other
        # Sentences are split or merged, or some are missing: look around.
        wanted = {text: at for at, text in zip(candidates, texts) if len(text) >= LONG}
        for other in self._around(expected, span) if wanted else ():
            found = wanted.get(system.text(other))
            if found is not None:
                return found, other
        return candidates[0], others[0] if others else len(system.data)

    def _around(self, expected: int, span: int) -> list[int]:
        """The system's sentences so far behind its beginning, or near there; the nearest first."""
        system = self.system
        expected += system.place
        starts = system.starts(max(system.place, expected - span), 4 * span)
        near = [at for at in starts if at <= expected + span]
        return sorted(near, key=lambda at: abs(at - expected))


def starts_behind(feed: Feed, share: int) -> list[int]:
    """Places of sentences behind a share; more is read until there is one."""
    while True:
        feed.fill(share + feed.ahead())
        found = feed.starts(feed.place + share, LOOKED_AT)
        if found or not feed.more:
            return found
        if share >= LONGEST:
            # Whoever reads it here will say that it is too long.
            feed.whole = True
            return []
        share *= 2


# -- sources -------------------------------------------------------------------------------------


def feed_of(source: Source, format: str, encoding: str | None, *, resume: bool, stack: ExitStack) -> Feed:
    """A feed of a source in any format; it may have nothing but trouble.

    Args:
        source: As for :func:`jpevalb.formats.read`.
        format: The same.
        encoding: The same.
        resume: Whether to go on after sentences that cannot be read.
        stack: Closes what is opened.

    Raises:
        SettingsError: an unknown format.
    """
    if format not in ("auto", *FORMATS):
        read((), format)
    try:
        if isinstance(source, (str, os.PathLike)):
            if is_wide(encoding):
                return _tree_feed(source, format, encoding, resume)
            blocks = stack.enter_context(open_blocks(source))
            feed = _text_feed(blocks, input_name(source), format, encoding, resume, as_text=False)
            if is_utf8(encoding) and feed.layout.kind != ITEMS:
                feed.path = readable_by_others(source)
            return feed
        if hasattr(source, "read"):
            name = getattr(source, "name", None)
            name = name if isinstance(name, str) else "<file>"
            lines = guarded(source, name)
            first = next(lines, b"")
            as_text = isinstance(first, str)
            return _text_feed(
                _joined(_encoded(chain([first], lines))), name, format, encoding, resume, as_text=as_text
            )
    except JpevalbError as error:
        return _no_feed(error)
    if isinstance(source, Tree) or callable(getattr(source, "label", None)):
        source = [source]
    return _items_feed(_simple(source, format, resume), format)


def _no_feed(error: JpevalbError) -> Feed:
    feed = Feed(Layout(LINES), b"", iter(()))
    feed.trouble = error
    return feed


def _text_feed(
    blocks: Iterator[bytes],
    name: str,
    format: str,
    encoding: str | None,
    resume: bool,
    *,
    as_text: bool,
) -> Feed:
    """A feed of a file's bytes, whose format and layout are told as the readers tell them."""
    reader = _BlockLines(blocks)
    lines: Iterator[bytes] = iter(reader)
    if format == "auto":
        sample: list[bytes] = []
        size = 0
        for line in lines:
            sample.append(line)
            size += len(line)
            if size >= BLOCK or len(sample) >= SAMPLE_LINES:
                break
        try:
            format = detect_format(b"".join(sample))
        except TreeError as error:
            raise TreeError(error.message, source=name) from None
        lines = chain(sample, lines)
    if format != "bracket":
        given: Iterator[Any] = lines
        if as_text:
            given = (line.decode("utf-8", "surrogatepass") for line in lines)
        return _tree_feed(_Handed(given, name), format, encoding, resume)
    named = encoding or "utf-8"
    stored = "utf-8" if as_text else named
    lines = as_utf8(lines, name, stored)
    head = sample_of(lines)
    kind = LINES if is_one_a_line(head) else TREES
    indented = _indented(head) if kind == TREES else None
    # Bytes that are UTF-8 need not be looked at line by line any more.
    rest = reader.blocks() if is_utf8(stored) and len(head) >= SAMPLE_LINES else _joined(lines)
    feed = Feed(Layout(kind, name, "bracket", named, indented), b"", chain([b"".join(head)], rest))
    feed.whole = kind == TREES and indented is None
    return feed


def _tree_feed(source: Any, format: str, encoding: str | None, resume: bool) -> Feed:
    """A feed of trees that are read here."""
    errors: list[TreeError] = []
    trees = read(source, format, encoding=encoding, on_error=errors.append if resume else None)
    found = (errors.pop() if errors else tree for tree in trees)
    return _items_feed(found, format)


def _items_feed(items: Iterator[Any], format: str) -> Feed:
    return Feed(Layout(ITEMS, None, format), [], _batches(items))


def _simple(items: Iterable[Any], format: str, resume: bool) -> Iterator[Any]:
    """Sentences as texts, trees and errors, which travel well."""
    errors: list[TreeError] = []
    for number, item in enumerate(items, 1):
        if isinstance(item, (str, Tree)):
            yield item
        else:
            for tree in read_items((item,), format, errors.append if resume else None, number):
                yield errors.pop() if errors else tree


def _batches(items: Iterator[Any]) -> Iterator[list[Any]]:
    """The items in lists; what goes wrong does so after those before it."""
    batch: list[Any] = []
    try:
        for item in items:
            batch.append(item)
            if len(batch) == ITEMS_AHEAD:
                yield batch
                batch = []
    except JpevalbError:
        yield batch
        raise
    yield batch


class _Handed:
    """Lines as an open file."""

    def __init__(self, lines: Iterator[Any], name: str) -> None:
        self._lines = lines
        self.name = name

    def __iter__(self) -> Iterator[Any]:
        return self._lines

    def read(self) -> bytes:
        """There, so that this is taken for a file."""
        return b"".join(self._lines)


class _BlockLines:
    """The lines of a file that comes in blocks, as long as they are wanted, and then the blocks."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        for block in self._blocks:
            head, end, tail = block.rpartition(b"\n")
            if not end:
                self._rest.append(block)
                continue
            self._lines.extend(lines_of(b"".join([*self._rest, head, end])))
            self._rest = [tail]
            while self._lines:
                yield self._lines.popleft()
        rest = b"".join(self._rest)
        self._rest = []
        if rest:
            yield rest

    def blocks(self) -> Iterator[bytes]:
        """What is left."""
        yield b"".join([*self._lines, *self._rest])
        yield from self._blocks


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in blocks; what goes wrong does so after those before it."""
    while True:
        block: list[bytes] = []
        try:
            block.extend(islice(lines, 512))
        except JpevalbError:
            yield b"".join(block)
            raise
        if not block:
            return
        yield b"".join(block)


def _encoded(lines: Iterable[Any]) -> Iterator[bytes]:
    for line in lines:
        yield line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line


def _indented(lines: Iterable[bytes]) -> bool | None:
    """Whether the first tree of several lines has no open bracket at the beginning of its later lines."""
    held = depth = 0
    restart = False
    for data in lines:
        if held:
            restart = restart or data[:1] == b"("
        elif not data.strip(_BLANKS):
            continue
        held += 1
        depth += data.count(b"(") - data.count(b")")
        if depth <= 0:
            if held > 1:
                return not restart
            held = depth = 0
            restart = False
    return None


def readable_by_others(path: str | os.PathLike[str]) -> FilePart | None:
    """A file that others can read as well: a regular one that is not compressed."""
    name = os.fspath(path)
    if not os.path.isfile(name) or name.endswith((".gz", ".bz2", ".xz")):
        return None
    found = os.stat(name)
    return FilePart(os.path.abspath(name), found.st_size, found.st_mtime_ns, 0, 0)
