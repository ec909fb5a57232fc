"""Readers of bracket text, one sentence per line or trees over several lines, and of discbracket."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from ..base.errors import TreeError
from ..base.files import check_length
from ..base.text import counted
from ..kernels.columns import AFTER, LEAF, BadTreeError, balance, current_names, read, read_trees, tree_ends
from ..trees.parse import WORD_BRACKETS, read_text, reading_error, without_bracket_words
from ..trees.tree import EMPTY, Tree
from .lines import BLANKS, Lines, OnLine, Parse, ReadSentence, parse_sentence, reader, sample_of, tree_part

_BLANKS = BLANKS.encode()
SAMPLE_BYTES = 1 << 20  # number of bytes that are looked at to detect the layout


@reader
def read_bracket(lines: Lines, on_line: OnLine | None = None) -> Iterator[ReadSentence | Tree]:
    """Read bracket trees; the layout is detected by the beginning of the file.

    *One sentence per line*: every line holds whole trees.  Several on one line are one sentence.  A blank
    line is a sentence without a parse, unless every second line is blank, as BLLIP separates trees; blank
    lines at the end are ignored.  *Trees over several lines* (``.mrg``): each outermost bracket is a
    sentence, and blank lines are ignored.  Lines around trees (:mod:`jpevalb.formats.around`) are skipped,
    with the blank lines next to them.
    """
    data = lines.as_utf8()
    sample = sample_of(data, SAMPLE_BYTES)
    if _is_one_per_line(sample):
        filled = [bool(line.strip(_BLANKS)) for line in sample]
        apart = not any(filled[1::2]) and sum(filled) >= max(3, len(filled) // 3)
        return read_lines(sample, data, lines, parse_sentence, on_line, apart)
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
    depths = [*accumulate(map(_balance, lines), initial=0)]
    lowest = [*accumulate(reversed(depths), min)][::-1]  # open at each line, and never closed
    inside = sum([max(ends) > low for ends, low in zip(pairwise(depths), lowest)])
    return lowest[0] == 0 and depths[-1] < len(lines) // 4 and 2 * inside > len(lines)


def _balance(line: bytes) -> int:
    """Return the number of open brackets of a line minus that of closed ones, without those of words."""
    depth, may_have_words = balance(line)
    if may_have_words:
        depth, _ = balance(without_bracket_words(line)[0])
    return int(depth)


def read_lines(
    first: list[bytes],
    data: Iterator[bytes],
    lines: Lines,
    parse_line: Parse,
    on_line: OnLine | None,
    apart: bool = False,
) -> Iterator[ReadSentence | Tree]:
    """Read a sentence from each line; with ``apart``, every second line is ignored if blank."""
    encoding = lines.encoding or "utf-8"
    number = offset = blanks = 0  # blank lines count only if a sentence follows
    skipped = False  # True after a line around trees
    for block in lines.blocks(first, data):
        texts, index = io.BytesIO(block).readlines(), 0
        while index < len(texts):
            if not (blanks or skipped) and parse_line is parse_sentence:
                begin, found = index, read_trees(texts, index, current_names())
                index += len(found)
                if on_line is None:
                    yield from map(Tree.of_columns, found)
                else:
                    for text, columns in zip(texts[begin:index], found):
                        on_line(parse_line, text)
                        yield Tree.of_columns(columns)
                number, offset = number + len(found), offset + sum(map(len, texts[begin:index]))
                if index == len(texts):
                    break
            text = texts[index]
            before, offset = offset, offset + len(text)
            number, index = number + 1, index + 1
            if text[:1] != b"(":
                part = tree_part(text)
                if part is None:
                    blanks, skipped = 0, True
                    continue
                if not part.strip(_BLANKS):
                    blanks += not (skipped or (apart and number % 2 == 0))
                    continue
                text = part
            result: Tree | TreeError
            try:
                result = parse_line(text)
            except ValueError as error:
                result = reading_error(error, text, 0, encoding, number, before)
            yield from [EMPTY] * blanks
            blanks, skipped = 0, False
            if on_line is not None and isinstance(result, Tree):
                on_line(parse_line, text)
            yield ReadSentence(result)


def read_pieces(lines: Iterable[bytes], file: Lines) -> Iterator[ReadSentence]:
    """Read each outermost bracket of the :func:`_pieces` as a sentence."""
    encoding = file.encoding or "utf-8"
    for piece, line, offset in _pieces(lines, resume=file.skips):
        sentences: list[ReadSentence] = []
        begin = 0
        data, count = without_bracket_words(piece)
        try:
            for end in (*tree_ends(data), len(data)):
                text = data[begin:end]
                if text.strip(_BLANKS):
                    tree = Tree.of_columns(read_text(text))
                    if count:
                        tree.columns.rewritten, count = {WORD_BRACKETS: count}, 0
                    sentences.append(ReadSentence(tree))
                begin = end
        except (UnicodeDecodeError, BadTreeError) as error:
            # Text after a tree makes it unreadable; an unclosed tree is a sentence by itself.
            if sentences and data[begin:].lstrip(_BLANKS)[:1] != b"(":
                sentences.pop()
            sentences.append(ReadSentence(reading_error(error, data, begin, encoding, line, offset)))
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


# Few files need these, so the start does not compile them.
_BARE = r"(?<=[ \t\n\v\f\r)])[0-9]+(?=[ \t\n\v\f\r()])"
_GAP = r"[ \t\n\v\f\r]+"
_PIECE = r"\([^ \t\n\v\f\r()]*|\)|[^ \t\n\v\f\r()]+"


@reader
def read_discbracket(lines: Lines, on_line: OnLine | None = None) -> Iterator[ReadSentence | Tree]:
    """Read one possibly discontinuous tree from each line.

    The leaves have the indices of their words.  Each line has one of two dialects::

        (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))<TAB>optional comment
        (S (VP (VB 0) (RP 2)) (NP (PRP 1)))<TAB>wake me up

    In the first, a leaf is split at its first ``=``, and ``#LRB#`` and ``#RRB#`` stand for brackets in words
    and labels; in the second, in labels only.  Indices count from 0 and occur once each.  A line without
    words, blank or ``(())``, is a sentence without a tree; blank lines at the end of the file, and lines
    around trees, are ignored.
    """
    data = lines.as_utf8()
    return read_lines(sample_of(data, 1), data, lines, _parse_line, on_line)


def parse_discbracket(text: str) -> Tree:
    """Parse one line; a tree without words is the empty tree."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return _parse_line(data)
    except ValueError as error:
        raise reading_error(error, data) from None


def _parse_line(data: bytes) -> Tree:
    text = data.decode("utf-8")
    try:
        return Tree.of_columns(read(data, current_names(), indexed=True))
    except BadTreeError as error:
        problem, index, *leaves = error.args
        if problem not in (LEAF, AFTER):
            raise
    if problem == LEAF:
        return _of_bare_indices(text, len(data[:index].decode()), *leaves)
    rest = data[index:].decode()
    message = f"{re.split(_GAP, rest)[0][:20]!r} after the tree; expected the end of the line, or a tab"
    raise TreeError(message, column=len(text) - len(rest) + 1)


def _of_bare_indices(text: str, end: int, leaves: list[str]) -> Tree:
    """Parse a tree of bare indices, up to ``end``, with the words behind it."""
    wrong = _wrong_leaf(leaves)
    if wrong is not None:
        message, number = wrong
        begins = [piece.start() for piece in re.finditer(_PIECE, text) if piece[0][0] not in "()"]
        raise TreeError(message, column=None if number is None else begins[number] + 1)
    tail = text[end:].split("\t")
    words = re.split(_GAP, tail[1].strip(BLANKS)) if len(tail) > 1 and tail[1].strip(BLANKS) else []
    if len(words) != len(leaves):
        raise TreeError(
            f"{counted(len(words), 'word')} after the tree of {len(leaves)} indices; "
            "expected a tab and then as many words, with blanks between them"
        )
    # Words may have brackets, so each index stands for its word while the tree is read.
    names = current_names()
    columns = read(re.sub(_BARE, r"\g<0>=\g<0>", text[:end]).encode(), names, indexed=True)
    for index, word in enumerate(words, 4 * columns.brackets):
        columns.cells[index] = names.number(word)
    return Tree.of_columns(columns)


def _wrong_leaf(leaves: Sequence[str]) -> tuple[str, int | None] | None:
    """Return why leaves are invalid, and the number of the first invalid one, if any."""
    with_words = "=" in leaves[0]
    for number, leaf in enumerate(leaves):
        index, sign, word = leaf.partition("=")
        valid = re.fullmatch("[0-9]{1,15}", index) is not None
        if not valid or bool(sign) != with_words or (with_words and not word):
            expected = "index=word" if with_words or not valid else "a bare index as before"
            return f"got the leaf {leaf[:40]!r}; expected {expected}", number
    n = len(leaves)
    seen: set[int] = set()
    for number, leaf in enumerate(leaves):
        word_index = int(leaf.partition("=")[0])
        if word_index in seen:
            return f"index {word_index} occurs twice; each word has one index, from 0 to {n - 1}", number
        seen.add(word_index)
    missing = set(range(n)) - seen
    if not missing:
        return None
    return f"index {min(missing)} is missing: the indices of {n} words are 0 to {n - 1}, in any order", None
