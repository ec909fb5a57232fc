"""Reader of bracket text: one sentence per line, or Penn Treebank trees over several lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from ..base.errors import TreeError
from ..base.files import check_length
from ..kernels.columns import BadTreeError, current_names, read_trees, tree_ends
from ..trees.lines import LineBlock, Parse, parse_sentence
from ..trees.parse import Origin, reading_error
from ..trees.tree import EMPTY, Tree
from ..trees.unusual import WORD_BRACKETS, may_have_bracket_words, read_text, without_bracket_words
from .lines import BLANKS, Lines, ReadSentence, reader, sample_of, tree_part

_BLANKS = BLANKS.encode()
SAMPLE_BYTES = 1 << 20  # number of bytes that are looked at to detect the layout


@reader
def read_bracket(lines: Lines, unread: bool = False) -> Iterator[ReadSentence]:
    """Read bracket trees; the layout is detected by the beginning of the file.

    *One sentence per line*: every line holds whole trees.  Several on one line are one sentence.  A blank
    line is a sentence without a parse, unless every second line is blank, as BLLIP separates trees; blank
    lines at the end are ignored.  *Trees over several lines* (``.mrg``): each outermost bracket is a
    sentence, and blank lines are ignored.  Lines around trees (:mod:`jpevalb.formats.around`) are skipped,
    with the blank lines next to them.

    With ``unread``, a file of one sentence per line is yielded as :class:`LineBlock`, unless every second
    line is blank.

    >>> [tree.words for tree in read_bracket(["( (S (NN a))", "  )", "( (S (NN b)) )"])]
    [('a',), ('b',)]
    >>> [tree.words for tree in read_bracket(["(S (NN a))", "", "(S (NN b)) (S (NN c))"])]
    [('a',), (), ('b', 'c')]
    """
    data = lines.as_utf8()
    sample = sample_of(data, SAMPLE_BYTES)
    if _is_one_per_line(sample):
        filled = [bool(line.strip(_BLANKS)) for line in sample]
        apart = not any(filled[1::2]) and sum(filled) >= max(3, len(filled) // 3)
        return read_lines(sample, data, lines, parse_sentence, unread, apart)
    return read_pieces(chain(sample, data), lines)


def _is_one_per_line(sample: list[bytes]) -> bool:
    """Return True if a file that begins with these lines has one sentence per line."""
    trees = [
        line for line in sample if line[:1] == b"(" or (line.strip(_BLANKS) and tree_part(line) is not None)
    ]
    for line, after in zip(trees, [*trees[1:], b"()"]):
        depth = _balance(line)
        if depth != 0:
            return depth < 0 or (after[:1] == b"(" and _balance(after) == 0 and not _spans_lines(trees))
    return True


def _spans_lines(lines: list[bytes]) -> bool:
    """Return True if most lines are parts of trees over several lines that are closed."""
    depth = inside = outside = 0
    for line in lines:
        before = depth
        depth += _balance(line)
        if depth < 0:
            return False
        inside += before > 0 or depth > 0
        outside += before == depth == 0
    return depth < len(lines) // 4 and inside > outside


def _balance(line: bytes) -> int:
    """Return the number of open brackets of a line minus that of closed ones, without those of words."""
    if may_have_bracket_words(line):
        line = without_bracket_words(line)[0]
    return line.count(b"(") - line.count(b")")


def read_lines(
    first: list[bytes],
    data: Iterator[bytes],
    lines: Lines,
    parse_line: Parse,
    unread: bool,
    apart: bool = False,
) -> Iterator[ReadSentence]:
    """Read a sentence from each line of ``first`` and ``data``."""
    origin = Origin(lines.source, lines.encoding or "utf-8")
    if unread and not apart:
        block = LineBlock(b"", 0, parse_line, origin)
        for piece in lines.blocks(first, data):
            block = block.followed_by(piece)
            yield ReadSentence(block)
        return
    offset = 0
    line_reader = LineReader(parse_line, origin, apart)
    for number, text in enumerate(chain(first, data), 1):
        yield from line_reader.read(text, number, offset)
        offset += len(text)


class LineReader:
    """Reads a sentence from each line of a file; with ``apart``, every second line is ignored if blank."""

    def __init__(self, parse_line: Parse, origin: Origin, apart: bool = False) -> None:
        self._parse_line = parse_line
        self._origin = origin
        self._apart = apart
        self._blanks = 0  # blank lines count only if a sentence follows
        self._skipped = False  # True after a line around trees

    def blanks(self) -> list[ReadSentence]:
        """Return the blank lines before a line with a tree, as sentences."""
        blanks, self._blanks, self._skipped = self._blanks, 0, False
        return [_BLANK] * blanks

    def trees(self, lines: list[bytes], begin: int) -> list[Tree]:
        """Return the trees of lines from one on, up to a line that :meth:`read` must look at."""
        if self._blanks or self._skipped or self._parse_line is not parse_sentence:
            return []
        return list(map(Tree.of_columns, read_trees(lines, begin, current_names())))

    def read(self, text: bytes, number: int, offset: int) -> list[ReadSentence]:
        """Return the sentence of a line, and blank lines before it that are sentences."""
        if text[:1] != b"(":
            part = tree_part(text)
            if part is None:
                self._blanks, self._skipped = 0, True
                return []
            if not part.strip(_BLANKS):
                self._blanks += not (self._skipped or (self._apart and number % 2 == 0))
                return []
            text = part
        result: Tree | TreeError
        try:
            result = self._parse_line(text, self._origin, number, offset)
        except TreeError as error:
            result = error
        return [*self.blanks(), ReadSentence(result)]


def read_pieces(lines: Iterable[bytes], file: Lines) -> Iterator[ReadSentence]:
    """Read each outermost bracket of the :func:`_pieces` as a sentence."""
    origin = Origin(file.source, file.encoding or "utf-8")
    for piece, line, offset in _pieces(lines, resume=file.skips):
        sentences: list[ReadSentence] = []
        begin = 0
        data, count = without_bracket_words(piece)
        try:
            for end in (*tree_ends(data), len(data)):
                text = data[begin:end]
                if text.strip(_BLANKS):
                    tree = Tree.of_columns(read_text(text, current_names()))
                    if count:
                        tree.columns.rewritten, count = {WORD_BRACKETS: count}, 0
                    sentences.append(ReadSentence(tree))
                begin = end
        except (UnicodeDecodeError, BadTreeError) as error:
            # Text after a tree makes it unreadable; an unclosed tree is a sentence by itself.
            if sentences and data[begin:].lstrip(_BLANKS)[:1] != b"(":
                sentences.pop()
            sentences.append(ReadSentence(reading_error(error, data, begin, origin, line, offset)))
        yield from sentences


def _pieces(lines: Iterable[bytes], *, resume: bool) -> Iterator[tuple[bytes, int, int]]:
    """Cut a file into pieces of whole lines with balanced brackets; yield data, first line and offset.

    An unclosed tree would swallow the rest of the file.  A line that begins with an open bracket ends it
    if the later lines of the trees so far were indented.  Otherwise only the end of the file does; then
    ``resume`` goes back and ends it at the first such line.
    """
    number, offset = 1, 0
    indented: bool | None = None  # True if later lines of trees are indented; unknown at first
    rest = iter(lines)
    held: list[bytes] = []
    restart = depth = size = 0

    def take(count: int) -> tuple[bytes, int, int]:
        nonlocal number, offset, held, restart, depth, size
        piece = b"".join(held[:count]), number, offset
        number, offset = number + count, offset + len(piece[0])
        held, restart, depth, size = held[count:], 0, 0, 0
        return piece

    while True:
        for data in rest:
            if held:
                if data[:1] == b"(" and not restart:
                    restart = len(held)
                if restart and indented:
                    yield take(len(held))
            elif data[:1] != b"(":
                part = tree_part(data)
                if part is None or not part.strip(_BLANKS):
                    number, offset = number + 1, offset + len(data)
                    continue
                data = part
            held.append(data)
            size += len(data)
            check_length(size, "the tree", number)
            depth += _balance(data)
            if depth <= 0:
                if indented is None and len(held) > 1:
                    indented = not restart
                yield take(len(held))
        if not held:
            return
        yield take(restart if restart and resume else len(held))
        rest, held, indented = iter(held), [], True


_BLANK = ReadSentence(EMPTY)
