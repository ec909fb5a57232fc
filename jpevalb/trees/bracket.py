"""Reader of bracket text: one sentence per line, or Penn Treebank trees over several lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

from ..kernels.scan import LabelCache, is_tree
from .errors import TreeError, encoding_error
from .files import LONGEST, too_long
from .frozen import replace
from .lines import BLANKS, OnError, OnText, sample_of, tree_part
from .parse import NO_FILE, Origin, parse, scan
from .text import is_utf8
from .tree import EMPTY, Tree
from .typed import Any, NamedTuple

_BLANKS = BLANKS.encode()
BOM = b"\xef\xbb\xbf"
SAMPLE_BYTES = 1 << 20  # number of bytes that are looked at to detect the layout, or yielded together
TOGETHER = 512  # maximum number of lines that are yielded together


def read_bracket(
    lines: Iterable[str] | Iterable[bytes],
    *,
    source: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError | None = None,
    on_text: OnText | None = None,
    unread: bool = False,
) -> Iterator[Tree]:
    """Read bracket trees; the layout is detected by the beginning of the file.

    *One sentence per line*: every line holds whole trees.  Several on one line are one sentence.  A blank
    line is a sentence without a parse, unless every second line is blank, as BLLIP separates trees; blank
    lines at the end are ignored.  *Trees over several lines* (``.mrg``): each outermost bracket is a
    sentence, and blank lines are ignored.  Lines around trees (:mod:`jpevalb.trees.around`) are skipped,
    with the blank lines next to them.

    With ``unread``, lines that begin with a bracket are yielded together, as :class:`UnreadLines`.

    >>> [tree.words for tree in read_bracket(["( (S (NN a))", "  )", "( (S (NN b)) )"])]
    [('a',), ('b',)]
    >>> [tree.words for tree in read_bracket(["(S (NN a))", "", "(S (NN b)) (S (NN c))"])]
    [('a',), (), ('b', 'c')]
    """
    data = as_utf8(lines, source, encoding)
    sample = sample_of(data, SAMPLE_BYTES)
    origin = Origin(source, encoding, LabelCache())
    if _is_one_per_line(sample):
        filled = [bool(line.strip(_BLANKS)) for line in sample]
        apart = not any(filled[1::2]) and sum(filled) >= max(3, len(filled) // 3)
        lines = chain(sample, data)
        return read_lines(lines, origin, Unread, on_error, on_text, unread, apart)
    pieces = _pieces(chain(sample, data), source, resume=on_error is not None)
    return _read_pieces(pieces, origin, on_error, on_text)


def as_utf8(lines: Iterable[str] | Iterable[bytes], source: str | None, encoding: str) -> Iterator[bytes]:
    """Recode lines as UTF-8, with blanks for a byte order mark; undecodable bytes are kept."""
    same = is_utf8(encoding)
    line: Any
    rest = iter(lines)
    for number, line in enumerate(rest, 1):
        if isinstance(line, str):
            data = line.encode("utf-8", "surrogatepass")
        elif same:
            data = line
        else:
            try:
                data = line.decode(encoding, "surrogateescape").encode("utf-8", "surrogateescape")
            except UnicodeError as error:
                problem = f"the line is not {encoding.upper()} ({error})"
                raise encoding_error(problem, encoding, line, source=source, line=number) from None
        if number == 1 and data.startswith(BOM):
            data = b"   " + data[3:]
        yield data
        if same and isinstance(line, bytes):
            yield from rest  # type: ignore[misc]


def _is_one_per_line(sample: list[bytes]) -> bool:
    """Return True if a file that begins with these lines has one sentence per line."""
    for index, line in enumerate(sample):
        if line[:1] != b"(" and tree_part(line) is None:
            continue
        balance = line.count(b"(") - line.count(b")")
        if balance < 0:
            return True
        if balance > 0:
            for after in sample[index + 1 :]:
                if after.strip(_BLANKS) and tree_part(after) is not None:
                    begins = after[:1] == b"("
                    return begins and after.count(b"(") == after.count(b")")
            return True
    return True


def read_lines(
    lines: Iterable[bytes],
    origin: Origin,
    kind: type[Unread],
    on_error: OnError | None,
    on_text: OnText | None,
    unread: bool,
    apart: bool = False,
) -> Iterator[Any]:
    """Read a sentence from each line; with ``apart``, every second blank line is none."""
    number = offset = 0
    blanks = 0  # blank lines count only if a sentence follows
    skipped = False  # True after a line around trees
    item: Any
    for item in _in_groups(lines) if unread and not apart else lines:
        if isinstance(item, list):
            yield from [EMPTY] * blanks
            yield UnreadLines(item, kind, origin._replace(cache=None), number + 1, offset)
            number, offset, blanks, skipped = number + len(item), offset + sum(map(len, item)), 0, False
            continue
        data: bytes = item
        number += 1
        begin, offset = offset, offset + len(data)
        if data[:1] != b"(":
            part = tree_part(data)
            if part is None:
                blanks, skipped = 0, True
                continue
            if not part.strip(_BLANKS):
                blanks += not (skipped or (apart and number % 2 == 0))
                continue
            data = part
        skipped = False
        for _ in range(blanks):
            if on_text is not None:
                on_text(b"")
            yield EMPTY
        blanks = 0
        try:
            tree = kind.from_text(data, origin, number, begin)
        except TreeError as error:
            if on_error is None:
                raise
            on_error(error)
            tree = EMPTY
        if on_text is not None:
            on_text(data)
        yield tree


def _in_groups(lines: Iterable[bytes]) -> Iterator[bytes | list[bytes]]:
    """Yield lines that begin with a bracket in lists, and the others one by one."""
    rest = iter(lines)
    error = None
    batch = [b""]
    while batch and error is None:
        batch, size = [], 0
        try:
            for line in rest:
                batch.append(line)
                size += len(line)
                if len(batch) == TOGETHER or size >= SAMPLE_BYTES:
                    break
        except Exception as raised:
            error = raised  # behind the lines that could be read
        for first, group in groupby(batch, itemgetter(slice(0, 1))):
            if first == b"(":
                yield list(group)
            else:
                yield from group
    if error is not None:
        raise error


def _read_pieces(
    pieces: Iterable[tuple[bytes, int, int]],
    origin: Origin,
    on_error: OnError | None,
    on_text: OnText | None = None,
) -> Iterator[Tree]:
    """Read each outermost bracket of the :func:`_pieces` as a sentence."""
    for data, line, offset in pieces:
        sentences: list[tuple[Tree, int, int]] = []
        error = None
        end = 0
        while error is None:
            begin = end
            try:
                parts, end = scan(data, begin, origin, line, offset)
            except TreeError as caught:
                error = caught
                # Text after a tree makes it unreadable; an unclosed tree is a sentence by itself.
                if sentences and data[begin:].lstrip(_BLANKS)[:1] != b"(":
                    sentences.pop()
            else:
                if parts is None:
                    break
                sentences.append((Tree(*parts), begin, end))
        for tree, begin, end in sentences:
            if on_text is not None:
                on_text(data[begin:end])
            yield tree
        if error is not None:
            if on_error is None:
                raise error
            on_error(error)
            if on_text is not None:
                on_text(b"")
            yield EMPTY


def _pieces(lines: Iterable[bytes], source: str | None, *, resume: bool) -> Iterator[tuple[bytes, int, int]]:
    """Cut a file into pieces of whole lines with balanced brackets; yield data, first line and offset.

    An unclosed tree would swallow the rest of the file.  A line that begins with an open bracket ends it
    if the later lines of the trees so far were indented.  Otherwise only the end of the file does; then
    ``resume`` goes back and ends it at the first such line.
    """
    number, offset = 1, 0
    indented: bool | None = None  # True if later lines of trees are indented; unknown at first
    rest = iter(lines)
    held: list[bytes] = []
    restart = 0
    depth = 0
    size = 0
    while True:
        for data in rest:
            if held:
                if data[:1] == b"(" and not restart:
                    restart = len(held)
                if restart and indented:
                    yield b"".join(held), number, offset
                    number, offset = number + len(held), offset + sum(map(len, held))
                    held, restart, depth, size = [], 0, 0, 0
            elif data[:1] != b"(":
                part = tree_part(data)
                if part is None or not part.strip(_BLANKS):
                    number, offset = number + 1, offset + len(data)
                    continue
                data = part
            held.append(data)
            size += len(data)
            if size > LONGEST:
                raise too_long("the tree", number, source)
            depth += data.count(b"(") - data.count(b")")
            if depth <= 0:
                if indented is None and len(held) > 1:
                    indented = not restart
                yield b"".join(held), number, offset
                number, offset = number + len(held), offset + sum(map(len, held))
                held, restart, depth, size = [], 0, 0, 0
        if not held:
            return
        end = restart if restart and resume else len(held)
        yield b"".join(held[:end]), number, offset
        number, offset = number + end, offset + sum(map(len, held[:end]))
        rest = iter(held[end:])
        held, restart, depth, size, indented = [], 0, 0, 0, True


def parse_sentence(
    data: bytes, origin: Origin = NO_FILE, line: int | None = None, offset: int | None = None
) -> Tree:
    """Parse one sentence of UTF-8 bytes, on one line or several; blank text gives the empty tree."""
    parts = parse(data, origin, line, offset)
    return EMPTY if parts is None else Tree(*parts)


def text_parser() -> Callable[[bytes], Tree]:
    """Return the parser of the texts given to ``on_text``."""
    return partial(parse_sentence, origin=Origin(cache=LabelCache()))


class Unread(Tree):
    """A tree that is parsed from its valid UTF-8 bracket text on first access."""

    __slots__ = ("_read", "data")

    copied_as = Tree
    is_valid = staticmethod(is_tree)
    from_text = staticmethod(parse_sentence)

    def __repr__(self) -> str:
        return repr(replace(self))

    def __init__(self, data: bytes, read: Callable[[bytes], Tree]) -> None:
        _set_data(self, data)
        _set_read(self, read)

    def __getattr__(self, name: str) -> Any:
        # Called only while the slots are unset.
        if name not in Tree.__match_args__:
            raise AttributeError(name)
        self.__setstate__(self._read(self.data).__getstate__())
        return getattr(self, name)


class UnreadLines(NamedTuple):
    """Consecutive lines of a file that hold a sentence each, not parsed yet."""

    texts: list[bytes]
    kind: type[Unread]
    origin: Origin
    line: int  # number of the first line
    offset: int  # number of bytes before it in the file
    number: int = 0  # number of the first sentence

    def parse(self, index: int) -> Tree:
        """Parse a line; raise a TreeError with its place."""
        offset = self.offset + sum(map(len, self.texts[:index]))
        tree: Tree = self.kind.from_text(self.texts[index], self.origin, self.line + index, offset)
        return tree

    def split(self, count: int) -> tuple[UnreadLines, UnreadLines]:
        """Return the first lines and the others."""
        place = self.line + count, self.offset + sum(map(len, self.texts[:count])), self.number + count
        return self._replace(texts=self.texts[:count]), UnreadLines(self.texts[count:], *self[1:3], *place)


_set_data, _set_read = Unread.data.__set__, Unread._read.__set__  # type: ignore[attr-defined]
