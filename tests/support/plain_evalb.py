"""A slow second implementation of evalb and evalb_spmrl, independent of the kernel.

Everything is a list of small objects and is compared with everything, as the C programs do.  Their stored
outputs check it (test_plain_evalb.py), and it checks the kernel on generated input (fuzz/legacy.py).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import zip_longest

from jpevalb import Params

OPENED = re.compile(rb"\(([^\s()]*)(?:\s+([^\s()]*))?")
BELOW = 7
ROW = b"%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n"


class KilledError(Exception):
    """One message too many: C exits at once."""


@dataclass
class Word:
    tag: bytes
    text: bytes
    result: int = 9


@dataclass
class Bracket:
    label: bytes
    start: int
    text_begin: int
    end: int = -1
    text_end: int = -1
    result: int = 9

    def source(self, line: bytes) -> bytes:
        return _string(line[self.text_begin : self.text_end])


@dataclass
class Mark:
    """A quotation mark: the words and brackets before it, and the brackets that were open."""

    word: Word
    index: int
    n_brackets: int
    open: list[int]


@dataclass
class Line:
    source: bytes
    words: list[Word] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    length: int = 0
    bad: bool = False


class PlainEvalb:
    """One run over two texts; ``rows``, ``messages`` (text, times), ``out``, ``killed``: its results."""

    def __init__(
        self, params: Params, *, dialect: str = "evalb", score_skipped: bool = False, last_line: int = -1
    ) -> None:
        def raw(texts: object) -> list:
            return [
                text.encode("utf-8", "surrogateescape") if isinstance(text, str) else tuple(raw(text))
                for text in texts  # type: ignore[attr-defined]
            ]

        self.delete = raw(params.delete_labels)
        self.delete_for_length = raw(params.delete_labels_for_length)
        self.quote = raw(params.quote_labels)
        self.eq_labels = raw(params.eq_labels)
        self.eq_words = raw(params.eq_words)
        self.params = params
        self.trace = params.debug > 1
        self.spmrl = dialect == "spmrl"
        self.score_skipped = score_skipped
        self.last_line = last_line
        self.line = 0
        self.errors = 0
        self.rows: list[tuple[int, ...]] = []
        self.messages: list[tuple[bytes, int, int]] = []
        # C's line buffer, its copy of gold, and where brackets of earlier lines of a side end.
        self.buffer = bytearray()
        self.copy = bytearray()
        # C's stack: the top is 1 if it has one bracket; the memory before it has zeros at first.
        self.slots: dict[int, int] = defaultdict(int)
        self.text_ends: tuple[dict[int, int], ...] = (defaultdict(int), defaultdict(int))
        self.out: list[bytes] = []
        self.killed = False

    def run(self, gold: bytes, system: bytes) -> PlainEvalb:
        try:
            self._run(_lines(gold), _lines(system))
        except KilledError:
            self.killed = True
        return self

    def _run(self, gold: list[bytes], system: list[bytes]) -> None:
        for number, text in enumerate(gold):
            if self.last_line != -1 and number >= self.last_line:
                return
            self.line = number + 1
            one = self._read(text, 0)
            if number >= len(system):
                self._error(b"Number of lines unmatch (too many lines in gold file)")
                return
            other = self._read(system[number], 1)
            if self.trace:
                self.out.append(b"\n")
            self._score(one, other)
            if self.params.debug > 0:
                self.out.append(_tables(one, other))
        if len(system) > len(gold) and not (self.last_line != -1 and len(gold) >= self.last_line):
            self.line = len(gold) + 1
            self._error(b"Number of lines unmatch (too many lines in test file)")

    # -- messages and rows

    def _tell_user(self, text: bytes, times: int = 1) -> None:
        """Keep a message, and how much is printed before it."""
        self.messages.append((text, times, sum(map(len, self.out))))

    def _error(self, text: bytes) -> None:
        self._tell_user(b"%d : %s\n" % (self.line, text))
        self.errors += 1
        if self.errors > self.params.max_error + 1:
            raise KilledError

    def _stuck(self) -> None:
        """C repeats the message until it exits; a count replaces the loop, which may be very long."""
        times = max(1, self.params.max_error + 2 - self.errors)
        self._tell_user(b"%d : Reading sentence\n" % self.line, times)
        raise KilledError

    def _row(self, gold: Line, status: int, *numbers: int) -> None:
        matched, n_gold, n_test, crossing, words, tags = numbers or (0,) * 6
        self.rows.append((self.line, gold.length, status, matched, n_gold, n_test, crossing, words, tags))
        rates = [
            100.0 * part / whole if whole else 0.0 for part, whole in ((matched, n_gold), (matched, n_test))
        ]
        accuracy = 100.0 * tags / words if words else 0.0
        row = (
            self.line,
            gold.length,
            status,
            *rates,
            matched,
            n_gold,
            n_test,
            crossing,
            words,
            tags,
            accuracy,
        )
        self.out.append(ROW % row)

    # -- labels

    def _cut(self, label: bytes) -> bytes:
        return re.split(rb"[-=#]" if self.spmrl else rb"[-=]", label, maxsplit=1)[0]

    def _same(self, a: bytes, b: bytes) -> bool:
        return a == b or (a, b) in self.eq_labels or (b, a) in self.eq_labels

    def _others(self, bracket: Bracket) -> int:
        """Count the DELETE_LABEL entries that differ from a bracket; evalb_spmrl truncates them for good."""
        if self.spmrl:
            self.delete = [self._cut(entry) for entry in self.delete]
        return sum(not self._same(self._cut(bracket.label), entry) for entry in self.delete)

    # -- reading

    def _read(self, source: bytes, side: int) -> Line:
        self.buffer[: len(source) + 1] = source + b"\0"
        text = bytes(self.buffer)
        if side == 0:
            start = _string(source)
            self.copy[: len(start) + 1] = start + b"\0"
        line = Line(bytes(self.buffer if side else self.copy))
        ends: dict[int, int] = defaultdict(lambda: -1)
        slots = self.slots
        top = 0
        at = 0
        # Outside of brackets a NUL ends the line; inside, C reads on in what earlier lines have left.
        while text[at : at + 1] not in (b"", b"\0"):
            if text[at : at + 1].isspace():
                at += 1
            elif text[at : at + 1] == b")":
                if top < 0:
                    line.bad = True
                    self._error(b"Bracketing unbalance (too many close bracket)")
                number = slots[top] if top > -BELOW else 0
                top -= 1
                ends[number] = len(line.words)
                self.text_ends[side][number] = at
                at += 1
            elif text[at : at + 1] == b"(":
                found = OPENED.match(text, at)
                assert found is not None
                label = _string(found[1])
                word = None if found[2] is None else _string(found[2])
                after = text[found.end() : found.end() + 1]
                if word is not None:
                    self._tell(b"label=%s, word=%s, wid=%d\n" % (label, word, len(line.words)))
                    if after == b")":
                        self._terminal(line, label, word, [slots[slot] for slot in range(1, top + 1)])
                        at = found.end() + 1
                        continue
                    if after.isspace() or (not after and word):
                        if self.spmrl:
                            self._tell_user(b"debug djam: q= %s\n" % _string(text[found.end() :]))
                        line.bad = True
                        self._error(b"More than two elements in a bracket")
                at = found.end(1)
                top += 1
                slots[top] = len(line.brackets)
                line.brackets.append(Bracket(label, len(line.words), at))
            else:
                self._stuck()
        for number, bracket in enumerate(line.brackets):
            bracket.end, bracket.text_end = ends[number], self.text_ends[side][number]
        if top != 0:
            line.bad = True
            self._error(b"Bracketing is unbalanced (too many open bracket)")
        return line

    def _terminal(self, line: Line, tag: bytes, text: bytes, opened: list[int]) -> None:
        word = Word(tag, text)
        line.length += tag not in self.delete_for_length
        if tag in self.quote and text in (b"'", b'"', b"/"):
            line.marks.append(Mark(word, len(line.words), len(line.brackets), opened))
        if self.spmrl or tag not in self.delete:
            line.words.append(word)

    # -- quotation marks

    def _repair(self, gold: Line, system: Line) -> None:
        if self.trace:
            for pair in zip_longest(gold.marks, system.marks):
                for mark in filter(None, pair):
                    self.out.append(b"%d: %s - %s\n" % (mark.index, mark.word.tag, mark.word.text))
        for other in system.marks:
            for one in gold.marks:
                deleted = one.word.tag in self.delete, other.word.tag in self.delete
                if one.index == other.index and deleted[0] != deleted[1]:
                    self._put_back(gold, one) if deleted[0] else self._put_back(system, other)
                    break

    def _put_back(self, line: Line, mark: Mark) -> None:
        if self.trace:
            self.out.append(b"bra=%d, ind=%d\n" % (mark.n_brackets, mark.index))
            for number, bracket in enumerate(line.brackets):
                self.out.append(b"bracket[%d]={%d,%d}\n" % (number, bracket.start, bracket.end))
            self.out.append(b"endslen=%d\n" % len(mark.open))
        line.words.insert(mark.index, Word(mark.word.tag, mark.word.text))
        for bracket in line.brackets[mark.n_brackets :]:
            bracket.start += 1
            bracket.end += 1
        for number in mark.open:
            line.brackets[number].end += 1
        later = False
        for each in line.marks:
            later = later or each is mark
            each.index += later

    # -- scoring

    def _score(self, gold: Line, system: Line) -> None:
        status = int(gold.bad or system.bad)
        if not system.words:
            if self.score_skipped:
                wide = [bracket for bracket in gold.brackets if bracket.start != bracket.end]
                for bracket in gold.brackets:
                    bracket.result = 0
                weight = sum(1 + self._others(bracket) for bracket in wide)
                self._row(gold, 3, 0, weight, 0, 0, len(gold.words), 0)
            else:
                self._row(gold, 2)
            return
        if len(gold.words) != len(system.words):
            self._repair(gold, system)
        if len(gold.words) != len(system.words):
            if self.spmrl:
                self._row(gold, status)
            if not self.spmrl or len(gold.words) > 1:
                self._error(b"Length unmatch (%d|%d)" % (len(gold.words), len(system.words)))
                if not self.spmrl:
                    self._row(gold, 1)
                return
        for one, other in zip(gold.words, system.words):
            pair = one.text, other.text
            if pair[0] != pair[1] and pair not in self.eq_words and pair[::-1] not in self.eq_words:
                self._error(b"Words unmatch (%s|%s)" % pair)
                self._row(gold, 1)
                return
        counted = [self._settle(gold), self._settle(system)]
        matched = self._match(gold, system)
        crossing = self._cross(gold, system)
        tags = 0
        for one, other in zip(gold.words, system.words):
            if self.spmrl:
                one.tag, other.tag = self._cut(one.tag), self._cut(other.tag)
            one.result = other.result = int(self._same(one.tag, other.tag))
            tags += one.result
        self._row(gold, status, matched, *counted, crossing, len(gold.words), tags)

    def _settle(self, line: Line) -> int:
        for bracket in line.brackets:
            bracket.result = 5
            if bracket.start != bracket.end:
                bracket.label = self._cut(bracket.label)
                if self._others(bracket) == len(self.delete):
                    bracket.result = 0
        return sum(bracket.result == 0 for bracket in line.brackets)

    def _match(self, gold: Line, system: Line) -> int:
        matched = 0
        shown: set[int] = set()
        for one in gold.brackets:
            same_span = False
            for number, other in enumerate(system.brackets):
                self._tell(
                    b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d\n"
                    % (one.result, other.result, one.start, other.start, one.end, other.end)
                )
                if one.result or other.result or (one.start, one.end) != (other.start, other.end):
                    continue
                same_span = True
                if not self.params.labeled or self._same(one.label, other.label):
                    one.result = other.result = 1
                    matched += 1
                    break
                self._tell_bracket(b"LABEL", one, gold)
                shown.add(number)
            if not same_span and one.result != 5:
                self._tell_bracket(b"BRACKET", one, gold)
        for number, other in enumerate(system.brackets):
            if other.result == 0 and number not in shown:
                self._tell_bracket(b"EXTRA", other, system)
        return matched

    def _cross(self, gold: Line, system: Line) -> int:
        crossing = 0
        shown = None
        for other in system.brackets:
            for one in gold.brackets:
                if 5 not in (one.result, other.result) and (
                    one.start < other.start < one.end < other.end
                    or other.start < one.start < other.end < one.end
                ):
                    if shown is not one:
                        self._tell_bracket(b"CROSSING", one, gold)
                        shown = one
                    crossing += 1
                    break
        return crossing

    def _tell(self, text: bytes) -> None:
        if self.trace:
            self.out.append(text)

    def _tell_bracket(self, what: bytes, bracket: Bracket, line: Line) -> None:
        place = what, bracket.start, bracket.end - 1, bracket.source(line.source)
        self._tell(b"  %s[%d-%d]: %s\n" % place)


def _string(text: bytes) -> bytes:
    """A string of C ends at its first NUL."""
    return text.partition(b"\0")[0]


def _lines(text: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def _tables(gold: Line, system: Line) -> bytes:
    counts = len(gold.words), len(gold.brackets), len(system.words), len(system.brackets)
    lines = [b"-<1>---(wn1=%3d, bn1=%3d)-           -<2>---(wn2=%3d, bn2=%3d)-" % counts]
    # C takes a word without letters for one behind the end of the list.
    columns = [
        [
            b"%3d : %d : %-6b  %-16b" % (number, word.result, word.tag, word.text) if word.text else b""
            for number, word in enumerate(line.words)
        ]
        for line in (gold, system)
    ]
    lines += [b"%-34b      %b" % pair for pair in zip_longest(*columns, fillvalue=b"")]
    columns = [
        [
            b"%3d : %d : %3d  %3d  %-6b" % (number, bracket.result, bracket.start, bracket.end, bracket.label)
            for number, bracket in enumerate(line.brackets)
        ]
        for line in (gold, system)
    ]
    lines += [b"", *(b"%-26b      %b" % pair for pair in zip_longest(*columns, fillvalue=b""))]
    return b"\n".join([*lines, b"", b"========", b""])
