# cython: infer_types=True
"""Kernel: score pairs of bracketed lines exactly as the C program evalb does.

A :class:`EvalbScorer` reads two buffers of lines and writes one row of counts for each pair; messages and the
``-D`` trace are collected as bytes.  The package ``jpevalb.legacy`` prints them.

evalb reads the lines of both files into one line buffer.  If a line ends inside a bracket, it reads on behind
the line's end, where earlier and longer lines have left their text.

Source: Sekine & Collins (1997), the program evalb; Seddah et al. (2013) for the variant evalb_spmrl.  Buffers
have no limits here; everything else is meant to be identical, including stray close brackets and quotation
marks that are put back.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

COMPILED: bool = cython.compiled

# Declared names are C variables when compiled, invisible to Python.
# Columns of a row: those of the report without its rates.
ROW_ID = cython.declare(cython.int, 0)
ROW_LENGTH = cython.declare(cython.int, 1)
ROW_STATUS = cython.declare(cython.int, 2)
ROW_MATCHED = cython.declare(cython.int, 3)
ROW_GOLD = cython.declare(cython.int, 4)
ROW_TEST = cython.declare(cython.int, 5)
ROW_CROSSING = cython.declare(cython.int, 6)
ROW_WORDS = cython.declare(cython.int, 7)
ROW_TAGS = cython.declare(cython.int, 8)
ROW_SIZE = cython.declare(cython.int, 9)

# Sums, twelve over all rows, then twelve up to the cut-off length: sentences, those of status 1 and of 2, the
# columns of a row from ROW_MATCHED on, then sentences: complete, with no and with up to two crossings.
SUM_COMPLETE = cython.declare(cython.int, 9)
SUM_SIZE = cython.declare(cython.int, 12)

# Properties of a label, a set of bits
DELETED_TAG = cython.declare(cython.int, 1)  # words with this tag are left out
NOT_COUNTED = cython.declare(cython.int, 2)  # words with this tag do not count for the length
QUOTE_TAG = cython.declare(cython.int, 4)  # quotation marks with this tag may be put back
DELETED_BRACKET = cython.declare(cython.int, 8)  # brackets with this (cut) label are left out
DELETABLE = cython.declare(cython.int, 16)  # in the deletion list, for the repair of quotation marks
DELETABLE_AT_FIRST = cython.declare(cython.int, 32)  # the same, until evalb_spmrl has cut that list

# Result of a word or a bracket, as in the debugging output
UNMATCHED = cython.declare(cython.int, 0)
MATCHED = cython.declare(cython.int, 1)
DELETED = cython.declare(cython.int, 5)
UNDEFINED = cython.declare(cython.int, 9)

# Result codes of run()
MORE = 0  # one buffer is used up, more data may come
FULL = 1  # the row buffer is full
DEAD = 2  # too many errors: the run is over
LAST = 3  # the line limit of evalb_spmrl is reached

MAX_LABELS = cython.declare(cython.int, 65536)
# evalb pops from the empty stack what is in the memory before it: zeros, until it pushes something there.
BELOW = cython.declare(cython.int, 7)
SHORT_LINE = cython.declare(cython.int, 4096)
# run() returns after a pair that makes the trace longer than this.
MOST_TRACE = cython.declare(cython.Py_ssize_t, 1 << 20)
# Slots of the cache of short labels, and the multiplier that spreads their keys over it
SLOTS = cython.declare(cython.int, 1024)
SPREAD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)

# 1 for blanks, 2 and 3 for open and close brackets
KINDS = bytes(1 if c == 32 or 9 <= c <= 13 else 2 if c == 40 else 3 if c == 41 else 0 for c in range(256))


def numbers(size: cython.Py_ssize_t) -> object:
    """Return ``size`` 64-bit zeros."""
    return array("q", bytes(8 * size))


def larger(old: object, size: cython.Py_ssize_t) -> object:
    """Return a copy of some numbers with room for at least ``size`` of them."""
    held = memoryview(old)
    new = array(held.format, held.tobytes())
    new.frombytes(bytes(held.itemsize * (size + size // 2 + 16 - len(new))))
    return new


@cython.cclass
class EvalbLine:
    """One parsed line: its words, brackets and quotation marks.

    ``data`` has the bytes of the words; the texts of brackets are counted from the beginning of the line.
    """

    data: bytes
    length: cython.Py_ssize_t
    n_words: cython.Py_ssize_t
    n_brackets: cython.Py_ssize_t
    n_quotes: cython.Py_ssize_t
    word_room: cython.Py_ssize_t
    bracket_room: cython.Py_ssize_t
    word_begin: cython.longlong[::1]
    word_end: cython.longlong[::1]
    tag: cython.longlong[::1]
    word_result: cython.longlong[::1]
    # Of each quotation mark: number of words and of brackets before it, tag, place of its text
    quote_index: cython.longlong[::1]
    quote_brackets: cython.longlong[::1]
    quote_tag: cython.longlong[::1]
    quote_begin: cython.longlong[::1]
    start: cython.longlong[::1]
    end: cython.longlong[::1]
    label: cython.longlong[::1]
    text_begin: cython.longlong[::1]
    text_end: cython.longlong[::1]
    open_until: cython.longlong[::1]
    result: cython.longlong[::1]
    stack: cython.longlong[::1]

    def __init__(self):
        self.data = b""
        self.length = self.n_words = self.n_brackets = self.n_quotes = 0
        # Kept between lines: a bracket that is never closed has the end of an earlier one.
        self.text_end = numbers(0)
        self.word_room = self.bracket_room = 0
        self.make_room(16)

    @cython.ccall
    def make_room(self, size: cython.Py_ssize_t):
        """Make room for ``size`` brackets and as many words."""
        if size > self.bracket_room:
            self.bracket_room = size = size + size // 2
            new: list = [numbers(size) for _ in range(6)]
            self.start, self.end, self.label, self.text_begin, self.open_until, self.result = new
            self.stack = numbers(size + 2)
            if size > len(self.text_end):
                self.text_end = larger(self.text_end, size)
        if size > self.word_room:
            self.word_room = size
            self.word_begin, self.word_end, self.tag, self.word_result = [numbers(size) for _ in range(4)]
            marks: list = [numbers(size) for _ in range(4)]
            self.quote_index, self.quote_brackets, self.quote_tag, self.quote_begin = marks

    @cython.ccall
    def put_back(self, mark: cython.Py_ssize_t):
        """Put a quotation mark back among the words; move the later marks and the brackets.

        A bracket moves if the mark was read before it; it gets longer if the mark was read while it was open.
        """
        index: cython.Py_ssize_t = self.quote_index[mark]
        if self.n_words == len(self.word_end):
            old: list = [self.word_begin, self.word_end, self.tag, self.word_result]
            new: list = [larger(column, self.n_words + 1) for column in old]
            self.word_begin, self.word_end, self.tag, self.word_result = new
        for i in range(self.n_words, index, -1):
            self.word_begin[i] = self.word_begin[i - 1]
            self.word_end[i] = self.word_end[i - 1]
            self.tag[i] = self.tag[i - 1]
            self.word_result[i] = self.word_result[i - 1]
        self.n_words += 1
        self.word_begin[index] = self.quote_begin[mark]
        self.word_end[index] = self.quote_begin[mark] + 1
        self.tag[index] = self.quote_tag[mark]
        self.word_result[index] = UNDEFINED
        for i in range(self.n_brackets):
            if i >= self.quote_brackets[mark]:
                self.start[i] += 1
                self.end[i] += 1
            elif self.open_until[i] > self.quote_begin[mark]:
                self.end[i] += 1
        for i in range(mark, self.n_quotes):
            self.quote_index[i] += 1


@cython.cclass
class EvalbScorer:
    """Scorer of pairs of lines; keeps the error count and the line number between calls."""

    # ``params`` are tuples of bytes: DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, QUOTE_LABEL, EQ_LABEL and
    # EQ_WORD in pairs.  ``debug`` is 1 for tables, 2 and more also for the trace;
    # ``score_skipped`` is option -X of evalb_spmrl, ``last_line`` the last line to read, or -1.
    n_delete_labels: cython.Py_ssize_t
    delete_counts: dict
    delete_at_first: frozenset
    deleted_brackets: frozenset
    list_is_cut: cython.bint
    delete_for_length: frozenset
    quote_labels: frozenset
    equal_labels: dict
    equal_words: frozenset
    labeled: cython.bint
    spmrl: cython.bint
    score_skipped: cython.bint
    max_error: cython.longlong
    debug: cython.longlong
    last_line: cython.longlong
    line: cython.longlong
    errors: cython.longlong
    dead: cython.bint
    # Earlier lines of which evalb's line buffer still has the end: each is longer than the next
    kept: list
    buffer: bytes  # the line buffer, made for the trace and for a line that is cut
    gold_copy: bytearray  # evalb's copy of the gold line, for the trace
    # Slots below the bottom of evalb's stack, the topmost first
    below: list
    early: dict
    # True if evalb has read behind the text in its line buffer
    ran_out = cython.declare(cython.bint, visibility="readonly")
    # Where the next lines begin in the two buffers
    gold_place = cython.declare(cython.Py_ssize_t, visibility="readonly")
    test_place = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_rows: cython.Py_ssize_t
    row_room: cython.Py_ssize_t
    messages: list
    trace: list
    piece: bytearray  # output that is not yet in the trace
    # Called within a pair whose trace is long: takes the rows, messages and trace so far
    drain = cython.declare(object, visibility="public")
    n_trace: cython.Py_ssize_t
    gold: EvalbLine
    test: EvalbLine
    # The label table: numbers of texts, and the properties of each number.
    texts: list
    numbers_of: dict
    keys: cython.ulonglong[::1]
    props: cython.longlong[::1]
    cut: cython.longlong[::1]
    slots: cython.longlong[::1]  # numbers of short labels that were looked up last, by their keys
    n_labels: cython.Py_ssize_t
    label_room: cython.Py_ssize_t
    rows: cython.longlong[::1]

    def __init__(self, params, labeled, max_error, debug, spmrl, score_skipped, last_line):
        delete_labels, delete_for_length, quote_labels, eq_labels, eq_words = params
        self.labeled = labeled
        self.max_error = max_error
        self.debug = debug
        self.spmrl = spmrl
        self.n_delete_labels = len(delete_labels)
        self.delete_counts = {}
        for text in delete_labels:
            if spmrl:
                text = self._cut_text(text)
            self.delete_counts[text] = self.delete_counts.get(text, 0) + 1
        self.delete_at_first = frozenset(delete_labels)
        self.list_is_cut = False
        self.delete_for_length = frozenset(delete_for_length)
        self.quote_labels = frozenset(quote_labels)
        self.equal_labels = {}
        for first, second in eq_labels:
            self.equal_labels.setdefault(first, set()).add(second)
            self.equal_labels.setdefault(second, set()).add(first)
        self.deleted_brackets = frozenset(self.delete_counts).union(
            *(self.equal_labels.get(text, ()) for text in self.delete_counts)
        )
        self.equal_words = frozenset(eq_words) | {(second, first) for first, second in eq_words}
        self.score_skipped = score_skipped
        self.last_line = last_line
        self.line = self.errors = 0
        self.gold_place = self.test_place = 0
        self.kept = []
        self.buffer = b""
        self.gold_copy = bytearray()
        self.below = [0] * BELOW
        self.early = {}
        self.ran_out = self.dead = False
        self.n_rows = self.n_trace = 0
        self.row_room = 4096
        self.rows = numbers(4096 * ROW_SIZE)
        self.messages = []
        self.trace = []
        self.piece = bytearray()
        self.drain = None
        self.gold = EvalbLine()
        self.test = EvalbLine()
        self._forget_labels()

    # -- labels ---------------------------------------------------------------

    @cython.cfunc
    def _forget_labels(self):
        """Empty the label table; numbers need to be valid for one pair of lines only."""
        self.texts = []
        self.numbers_of = {}
        self.label_room = 256
        self.keys = array("Q", bytes(8 * 256))
        self.props = numbers(256)
        self.cut = numbers(256)
        self.slots = numbers(SLOTS)
        self.n_labels = 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.locals(text=bytes)
    def _number(self, text) -> cython.longlong:
        """Return the number of a label; assign one to a new label."""
        number = self.numbers_of.get(text)
        return self._new(text) if number is None else number

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.locals(text=bytes)
    def _new(self, text) -> cython.longlong:
        """Assign a number to a new label, which ends at its first NUL."""
        if b"\0" in text:
            return self._number(text.partition(b"\0")[0])
        n: cython.Py_ssize_t = self.n_labels
        if n == self.label_room:
            self.props = larger(self.props, n + 1)
            self.cut = larger(self.cut, n + 1)
            self.keys = larger(self.keys, n + 1)
            self.label_room = min(len(self.props), len(self.cut), len(self.keys))
        self.n_labels = n + 1
        self.texts.append(text)
        self.numbers_of[text] = n
        self.keys[n] = (len(text) + 1) << 56 | int.from_bytes(text, "big") if len(text) < 8 else 0
        short = text
        if b"-" in text or b"=" in text or (self.spmrl and b"#" in text):
            short = self._cut_text(text)
        self.cut[n] = n if short == text else self._number(short)
        self.props[n] = self._properties(text, short)
        return n

    @cython.cfunc
    def _cut_text(self, text):
        """Return the label up to the first ``-`` or ``=``; up to ``#`` too in evalb_spmrl."""
        short = text.partition(b"-")[0].partition(b"=")[0]
        return short.partition(b"#")[0] if self.spmrl else short

    @cython.cfunc
    def _properties(self, text, short) -> cython.longlong:
        properties: cython.longlong = 0
        if text in self.delete_for_length:
            properties |= NOT_COUNTED
        if text in self.quote_labels:
            properties |= QUOTE_TAG
        if text in self.delete_counts:
            properties |= DELETABLE if self.spmrl else DELETED_TAG | DELETABLE
        if text in self.delete_at_first:
            properties |= DELETABLE_AT_FIRST
        if short in self.deleted_brackets:
            properties |= DELETED_BRACKET
        return properties

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.inline
    @cython.locals(data=bytes)
    def _intern(
        self, data, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, key: cython.ulonglong
    ) -> cython.longlong:
        """Return the number of the label ``data[begin:end]``, whose last eight bytes are ``key``.

        The length and up to seven bytes identify a short label.
        """
        size: cython.ulonglong = end - begin
        number: cython.longlong
        if not cython.compiled or size > 7:
            return self._number(data[begin:end])
        key |= (size + 1) << 56
        slot: cython.Py_ssize_t = ((key * SPREAD) >> 32) % SLOTS
        number = self.slots[slot]
        if self.keys[number] != key:
            number = self._number(data[begin:end])
            self.slots[slot] = number
        return number

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.inline
    def _equal(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Return True if two labels are identical or equal by an EQ_LABEL line."""
        if a == b:
            return True
        return bool(self.equal_labels) and self.texts[b] in self.equal_labels.get(self.texts[a], ())

    # -- messages -------------------------------------------------------------

    @cython.cfunc
    def _tell(self, text, times):
        """Record a message, its repetitions, and the number of rows before it: of pieces, with the trace."""
        if self.debug > 0:
            self._end_piece()
        self.messages.append((text, times, len(self.trace) if self.debug > 0 else self.n_rows))

    @cython.cfunc
    def _error(self, text) -> cython.bint:
        """Record a numbered message; return True if it ends the run."""
        self._tell(b"%d : %s\n" % (self.line, text), 1)
        if self.errors > self.max_error:
            self.dead = True
        self.errors += 1
        return self.dead

    # -- reading --------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.locals(data=bytes)
    def _read_line(
        self, side: EvalbLine, data, begin: cython.Py_ssize_t, after: cython.Py_ssize_t
    ) -> cython.bint:
        """Read the line before ``after`` into ``side``; return True if it has errors."""
        line: bytes = data[begin:after]
        n: cython.Py_ssize_t = len(self.kept)
        while n > 0 and len(cython.cast(bytes, self.kept[n - 1])) <= len(line):
            self.kept.pop()
            n -= 1
        self.kept.append(line)
        # A C string ends at its first NUL; what follows is read only if that is inside a bracket.
        end: cython.Py_ssize_t = _until_nul(data, begin, after) if b"\0" in line else after
        is_cut: cython.bint = _is_cut(data, begin, end)
        if is_cut or self.debug > 0:
            self.buffer = _joined(self.kept)
        if self.debug > 0:
            self._end_piece()
            if side is self.gold:
                self.gold_copy[: end - begin + 1] = data[begin:end] + b"\0"
        errors: cython.longlong = self.errors
        if is_cut:
            data = self.buffer
            self._read(side, data, 0, len(data))
            for i in range(side.n_words):
                side.word_end[i] = _until_nul(data, side.word_begin[i], side.word_end[i])
        else:
            self._read(side, data, begin, end)
        if self.early:
            index: cython.Py_ssize_t
            for index, position in self.early.items():
                if index < side.n_brackets and side.end[index] < 0:
                    side.end[index] = position
            self.early.clear()
        return self.errors != errors

    @cython.cfunc
    @cython.locals(data=bytes)
    @cython.locals(j=cython.Py_ssize_t, word=cython.Py_ssize_t, kind=cython.int, stray=cython.bint)
    @cython.locals(label=cython.longlong, props=cython.longlong, key=cython.ulonglong, b=cython.Py_ssize_t)
    def _read(self, side: EvalbLine, data, begin: cython.Py_ssize_t, end: cython.Py_ssize_t):
        """Read one line into ``side``, up to an error that ends the run.

        A line that is cut is read in the line buffer: outside of brackets it ends at a NUL, inside of them it
        goes on behind.  If the buffer ends inside a bracket, nothing is known of what evalb finds there.
        """
        text: cython.p_const_uchar = data
        kinds: cython.p_const_uchar = KINDS
        i: cython.Py_ssize_t = begin
        top: cython.Py_ssize_t = 0
        n_words: cython.Py_ssize_t = 0
        n_brackets: cython.Py_ssize_t = 0
        tables: cython.bint = self.debug > 0
        side.data = data
        side.length = side.n_quotes = 0
        room: cython.Py_ssize_t = end - begin + 2
        if room > SHORT_LINE:
            room = data.count(b"(", begin, end) + 2
        if room > side.bracket_room or room > side.word_room:
            side.make_room(room)
        while i < end:
            kind = kinds[text[i]]
            if kind == 1:
                i += 1
            elif kind == 2:
                i += 1
                j = i
                key = 0
                while j < end and kinds[text[j]] == 0:
                    if cython.compiled:
                        key = (key << 8) | text[j]
                    j += 1
                if j == end:
                    self.ran_out = True
                label = self._intern(data, i, j, key)
                i = j
                if i < end and kinds[text[i]] == 1:
                    while i < end and kinds[text[i]] == 1:
                        i += 1
                    word = i
                    while i < end and kinds[text[i]] == 0:
                        i += 1
                    if tables and self.debug > 1:
                        self.piece += b"label=%s, word=%s, wid=%d\n" % (
                            self.texts[label],
                            data[word : _until_nul(data, word, i)],
                            n_words,
                        )
                    if i < end and text[i] == 41:
                        props = self.props[label]
                        if not props & NOT_COUNTED:
                            side.length += 1
                        if (
                            props & QUOTE_TAG
                            and (text[word] == 39 or text[word] == 34 or text[word] == 47)
                            and (i - word == 1 or text[word + 1] == 0)
                        ):
                            side.quote_index[side.n_quotes] = n_words
                            side.quote_brackets[side.n_quotes] = n_brackets
                            side.quote_tag[side.n_quotes] = label
                            side.quote_begin[side.n_quotes] = word
                            side.n_quotes += 1
                        if not props & DELETED_TAG:
                            side.word_begin[n_words] = word
                            side.word_end[n_words] = i
                            side.tag[n_words] = label
                            if tables:
                                side.word_result[n_words] = UNDEFINED
                            n_words += 1
                        i += 1
                        continue
                    if i == end or i > word:
                        # To evalb a word directly before an open bracket is stray text, no second element.
                        if i == end:
                            self.ran_out = True
                            stray = text[word] != 0
                        else:
                            stray = text[i] != 40
                        if stray:
                            if self.spmrl:
                                self._tell(b"debug djam: q= " + data[i : _until_nul(data, i, end)] + b"\n", 1)
                            if self._error(b"More than two elements in a bracket"):
                                return
                        i = word
                side.start[n_brackets] = n_words
                side.end[n_brackets] = -1
                if tables:
                    side.result[n_brackets] = UNDEFINED
                    side.text_begin[n_brackets] = j - begin
                side.label[n_brackets] = label
                top += 1
                if top > 0:
                    side.stack[top] = n_brackets
                    side.open_until[n_brackets] = end
                else:
                    # It is not open for marks read inside it.
                    side.open_until[n_brackets] = -1
                    if -top < BELOW:
                        self.below[-top] = n_brackets
                n_brackets += 1
            elif kind == 3:
                if top > 0:
                    b = side.stack[top]
                    side.open_until[b] = i
                    side.end[b] = n_words
                    if tables:
                        side.text_end[b] = i - begin
                elif self._close_below(side, top, n_brackets, n_words, i - begin):
                    return
                top -= 1
                i += 1
            elif text[i] == 0:
                break
            else:
                # Text outside brackets: evalb repeats one message until the errors end the run.
                left: cython.longlong = max(self.max_error - self.errors + 2, 1)
                self._tell(b"%d : Reading sentence\n" % self.line, left)
                self.errors += left
                self.dead = True
                return
        side.n_words = n_words
        side.n_brackets = n_brackets
        if top != 0:
            self._error(b"Bracketing is unbalanced (too many open bracket)")

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _close_below(
        self,
        side: EvalbLine,
        top: cython.Py_ssize_t,
        n_brackets: cython.Py_ssize_t,
        n_words: cython.Py_ssize_t,
        text_end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Pop from the empty stack and end that bracket; return True if the message ends the run."""
        if top < 0 and self._error(b"Bracketing unbalance (too many close bracket)"):
            return True
        number: cython.Py_ssize_t = self.below[-top] if -top < BELOW else 0
        if number < n_brackets:
            side.end[number] = n_words
        else:
            # Ended before it has begun
            self.early[number] = n_words
        if number >= len(side.text_end):
            side.text_end = larger(side.text_end, number + 1)
        side.text_end[number] = text_end
        return False

    # -- quotation marks ------------------------------------------------------

    @cython.cfunc
    def _repair_quotes(self):
        """Put deleted quotation marks back if the other side keeps them.

        Marks are paired by word index while the lists change.  Each test mark meets the first gold mark that
        has its index and, of the two labels, exactly one deletable.  The deletable mark is put back.
        """
        gold: EvalbLine = self.gold
        test: EvalbLine = self.test
        # evalb_spmrl cuts the labels of its deletion list when it scores its first bracket.
        deletable: cython.longlong = DELETABLE if self.list_is_cut else DELETABLE_AT_FIRST
        if self.debug > 1:
            for i in range(max(gold.n_quotes, test.n_quotes)):
                self._trace_quote(gold, i)
                self._trace_quote(test, i)
        for j in range(test.n_quotes):
            test_deletable: cython.bint = self.props[test.quote_tag[j]] & deletable != 0
            for i in range(gold.n_quotes):
                if gold.quote_index[i] == test.quote_index[j] and test_deletable != (
                    self.props[gold.quote_tag[i]] & deletable != 0
                ):
                    side = test if test_deletable else gold
                    mark = j if test_deletable else i
                    if self.debug > 1:
                        self._trace_put_back(side, mark)
                    side.put_back(mark)
                    break

    @cython.cfunc
    def _trace_quote(self, side: EvalbLine, i: cython.Py_ssize_t):
        if i < side.n_quotes:
            begin: cython.Py_ssize_t = side.quote_begin[i]
            shown = side.quote_index[i], self.texts[side.quote_tag[i]], side.data[begin : begin + 1]
            self.piece += b"%d: %s - %s\n" % shown

    @cython.cfunc
    def _trace_put_back(self, side: EvalbLine, mark: cython.Py_ssize_t):
        n_open: cython.Py_ssize_t = 0
        self.piece += b"bra=%d, ind=%d\n" % (side.quote_brackets[mark], side.quote_index[mark])
        for i in range(side.n_brackets):
            self.piece += b"bracket[%d]={%d,%d}\n" % (i, side.start[i], side.end[i])
            if i < side.quote_brackets[mark] and side.open_until[i] > side.quote_begin[mark]:
                n_open += 1
        self.piece += b"endslen=%d\n" % n_open

    # -- scoring --------------------------------------------------------------

    @cython.cfunc
    def _row(
        self,
        status: cython.longlong,
        matched: cython.longlong,
        n_gold: cython.longlong,
        n_test: cython.longlong,
        crossing: cython.longlong,
        words: cython.longlong,
        tags: cython.longlong,
    ):
        at: cython.Py_ssize_t = self.n_rows * ROW_SIZE
        self.rows[at + ROW_ID] = self.line
        self.rows[at + ROW_LENGTH] = self.gold.length
        self.rows[at + ROW_STATUS] = status
        self.rows[at + ROW_MATCHED] = matched
        self.rows[at + ROW_GOLD] = n_gold
        self.rows[at + ROW_TEST] = n_test
        self.rows[at + ROW_CROSSING] = crossing
        self.rows[at + ROW_WORDS] = words
        self.rows[at + ROW_TAGS] = tags
        if self.debug > 0:
            self._end_piece()
            self.trace.append(self.n_rows)
        self.n_rows += 1

    @cython.cfunc
    @cython.locals(gold_data=bytes, test_data=bytes)
    @cython.locals(a=cython.Py_ssize_t, b=cython.Py_ssize_t, matched=cython.longlong)
    @cython.locals(crossing=cython.longlong)
    def _score(
        self,
        gold_data,
        gold_begin: cython.Py_ssize_t,
        gold_next: cython.Py_ssize_t,
        test_data,
        test_begin: cython.Py_ssize_t,
        test_next: cython.Py_ssize_t,
    ) -> cython.bint:
        """Score one pair of lines; return False if the run ended inside it."""
        gold: EvalbLine = self.gold
        test: EvalbLine = self.test
        status: cython.longlong = 0
        if self.n_labels > MAX_LABELS:
            self._forget_labels()
        if self._read_line(gold, gold_data, gold_begin, gold_next):
            status = 1
        if self.dead:
            return False
        if self._read_line(test, test_data, test_begin, test_next):
            status = 1
        if self.dead:
            return False
        if self.debug > 1:
            self.piece += b"\n"
        if test.n_words == 0:
            if self.score_skipped:
                self._row(3, 0, self._weight_of_skipped(), 0, 0, gold.n_words, 0)
            else:
                self._row(2, 0, 0, 0, 0, 0, 0)
            return True
        if gold.n_words != test.n_words:
            self._repair_quotes()
        if gold.n_words != test.n_words:
            if self.spmrl:
                self._row(status, 0, 0, 0, 0, 0, 0)
            if not self.spmrl or gold.n_words > 1:
                if self._error(b"Length unmatch (%d|%d)" % (gold.n_words, test.n_words)):
                    return False
                if not self.spmrl:
                    self._row(1, 0, 0, 0, 0, 0, 0)
                return True
        for i in range(min(gold.n_words, test.n_words)):
            if _same_word(gold, i, test, i):
                continue
            gold_word = gold.data[gold.word_begin[i] : gold.word_end[i]]
            test_word = test.data[test.word_begin[i] : test.word_end[i]]
            if (gold_word, test_word) not in self.equal_words:
                if self._error(b"Words unmatch (%s|%s)" % (gold_word, test_word)):
                    return False
                self._row(1, 0, 0, 0, 0, 0, 0)
                return True
        n_gold: cython.longlong = self._settle(gold)
        n_test: cython.longlong = self._settle(test)
        matched = self._match()
        crossing = self._cross(status == 0)
        tags: cython.longlong = 0
        tables: cython.bint = self.debug > 0
        for i in range(min(gold.n_words, test.n_words)):
            a = gold.tag[i]
            b = test.tag[i]
            if self.spmrl:
                a = self.cut[a]
                b = self.cut[b]
                gold.tag[i] = a
                test.tag[i] = b
            if a == b or self._equal(a, b):
                tags += 1
                if tables:
                    gold.word_result[i] = MATCHED
                    test.word_result[i] = MATCHED
            elif tables:
                gold.word_result[i] = UNMATCHED
                test.word_result[i] = UNMATCHED
        self._row(status, matched, n_gold, n_test, crossing, gold.n_words, tags)
        return True

    @cython.cfunc
    def _weight_of_skipped(self) -> cython.longlong:
        """Return evalb_spmrl's count for a line without words.

        It is one for each gold bracket that has words, plus one for each DELETE_LABEL that the bracket does
        not equal.
        """
        gold: EvalbLine = self.gold
        total: cython.longlong = 0
        for i in range(gold.n_brackets):
            gold.result[i] = UNMATCHED
            if gold.start[i] == gold.end[i]:
                continue
            short = self.texts[self.cut[gold.label[i]]]
            total += 1 + self.n_delete_labels
            for text in {short, *self.equal_labels.get(short, ())}:
                total -= self.delete_counts.get(text, 0)
            self.list_is_cut = self.spmrl
        return total

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _settle(self, side: EvalbLine) -> cython.longlong:
        """Cut the labels, mark the brackets that do not count, and count the others."""
        count: cython.longlong = 0
        for i in range(side.n_brackets):
            if side.start[i] == side.end[i]:
                side.result[i] = DELETED
                continue
            self.list_is_cut = self.spmrl
            side.label[i] = self.cut[side.label[i]]
            if self.props[side.label[i]] & DELETED_BRACKET:
                side.result[i] = DELETED
            else:
                side.result[i] = UNMATCHED
                count += 1
        return count

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.locals(tracing=cython.bint, same_span=cython.bint)
    @cython.locals(start=cython.longlong, end=cython.longlong, label=cython.longlong, other=cython.longlong)
    def _match(self) -> cython.longlong:
        """Match brackets: each gold bracket, as opened, takes the first free test bracket like it.

        Alike are brackets of one span with equal labels.
        """
        gold: EvalbLine = self.gold
        test: EvalbLine = self.test
        matched: cython.longlong = 0
        tracing = self.debug > 1
        shown: set = set()
        for i in range(gold.n_brackets):
            if gold.result[i] == DELETED and not tracing:
                continue
            same_span = False
            start = gold.start[i]
            end = gold.end[i]
            label = gold.label[i]
            equal: object = None  # the texts that equal the label, once they are needed
            for j in range(test.n_brackets):
                if tracing:
                    self.piece += b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d\n" % (
                        *(gold.result[i], test.result[j], start, test.start[j]),
                        *(end, test.end[j]),
                    )
                if start != test.start[j] or end != test.end[j]:
                    continue
                if test.result[j] != UNMATCHED or gold.result[i] == DELETED:
                    continue
                same_span = True
                other = test.label[j]
                if self.labeled and label != other:
                    if equal is None:
                        equal = self.equal_labels.get(self.texts[label], ())
                    if not equal or self.texts[other] not in equal:
                        if tracing:
                            self._trace_bracket(b"LABEL", gold, i)
                            shown.add(j)
                        continue
                gold.result[i] = MATCHED
                test.result[j] = MATCHED
                matched += 1
                break
            if tracing:
                if not same_span and gold.result[i] != DELETED:
                    self._trace_bracket(b"BRACKET", gold, i)
                self._drain()
        for j in range(test.n_brackets if tracing else 0):
            if test.result[j] == UNMATCHED and j not in shown:
                self._trace_bracket(b"EXTRA", test, j)
        return matched

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    @cython.locals(start=cython.longlong, end=cython.longlong, balanced=cython.bint)
    def _cross(self, balanced) -> cython.longlong:
        """Count the test brackets that cross a gold bracket.

        A bracket that has matched one of a balanced gold tree crosses none.
        """
        gold: EvalbLine = self.gold
        test: EvalbLine = self.test
        shown: cython.Py_ssize_t = -1
        count: cython.longlong = 0
        for j in range(test.n_brackets):
            if test.result[j] == DELETED or (balanced and test.result[j] == MATCHED):
                continue
            start = test.start[j]
            end = test.end[j]
            for i in range(gold.n_brackets):
                if gold.result[i] != DELETED and (
                    gold.start[i] < start < gold.end[i] < end or start < gold.start[i] < end < gold.end[i]
                ):
                    if self.debug > 1 and i != shown:
                        self._trace_bracket(b"CROSSING", gold, i)
                        shown = i
                    count += 1
                    break
        return count

    @cython.cfunc
    def _trace_bracket(self, title, side: EvalbLine, i: cython.Py_ssize_t):
        data: object = self.buffer if side is self.test else self.gold_copy
        text = bytes(data[side.text_begin[i] : side.text_end[i]]).partition(b"\0")[0]
        self.piece += b"  %s[%d-%d]: %s\n" % (title, side.start[i], side.end[i] - 1, text)
        self._drain()

    @cython.cfunc
    def _drain(self):
        """Print the trace of a long pair while it grows: it has the square of the number of brackets."""
        if self.drain is not None and len(self.piece) > MOST_TRACE:
            self._end_piece()
            self.drain()

    @cython.cfunc
    def _end_piece(self):
        """Move the output into the trace."""
        if self.piece:
            self.trace.append(bytes(self.piece))
            self.n_trace += len(self.piece)
            self.piece.clear()

    @cython.cfunc
    def _write_tables(self):
        """Write the tables of ``-d``: words, then brackets, gold at the left; columns are padded by bytes."""
        gold: EvalbLine = self.gold
        test: EvalbLine = self.test
        self.piece += b"-<1>---(wn1=%3d, bn1=%3d)-           -<2>---(wn2=%3d, bn2=%3d)-\n" % (
            *(gold.n_words, gold.n_brackets, test.n_words, test.n_brackets),
        )
        for i in range(max(gold.n_words, test.n_words)):
            left = self._word_cells(gold, i)
            self.piece += b"%-40s%s\n" % (
                left if len(left) < 34 else left + b" " * 6,
                self._word_cells(test, i),
            )
        self.piece += b"\n"
        for i in range(max(gold.n_brackets, test.n_brackets)):
            left = self._bracket_cells(gold, i)
            right = self._bracket_cells(test, i)
            self.piece += b"%-32s%s\n" % (left if len(left) < 26 else left + b" " * 6, right)
        self.piece += b"\n========\n"
        self._end_piece()

    @cython.cfunc
    def _word_cells(self, side: EvalbLine, i: cython.Py_ssize_t) -> bytes:
        # evalb takes an empty word for the end of the shorter list.
        if i >= side.n_words or side.word_begin[i] == side.word_end[i]:
            return b""
        word = side.data[side.word_begin[i] : side.word_end[i]]
        return b"%3d : %d : %-6s  %-16s" % (i, side.word_result[i], self.texts[side.tag[i]], word)

    @cython.cfunc
    def _bracket_cells(self, side: EvalbLine, i: cython.Py_ssize_t) -> bytes:
        if i >= side.n_brackets:
            return b""
        label = self.texts[side.label[i]]
        return b"%3d : %d : %3d  %3d  %-6s" % (i, side.result[i], side.start[i], side.end[i], label)

    # -- running --------------------------------------------------------------

    @cython.ccall
    @cython.locals(gold_data=bytes, test_data=bytes)
    @cython.locals(gold_next=cython.Py_ssize_t, test_next=cython.Py_ssize_t)
    def run(
        self,
        gold_data,
        gold_begin: cython.Py_ssize_t,
        gold_last: cython.bint,
        test_data,
        test_begin: cython.Py_ssize_t,
        test_last: cython.bint,
    ) -> cython.int:
        """Score pairs of lines from two buffers until one is used up; the places are then behind them.

        ``gold_last``, ``test_last``: the file ends with the buffer, so the last line may lack its line end.
        Return MORE, FULL, DEAD or LAST.
        """
        self.gold_place = gold_begin
        self.test_place = test_begin
        while True:
            # Checked first: nothing behind the last line is read.
            if self.last_line >= 0 and self.line >= self.last_line:
                return LAST
            if self.n_rows + 2 > self.row_room or self.n_trace > MOST_TRACE:
                return FULL
            gold_next = _line_end(gold_data, self.gold_place, gold_last)
            test_next = _line_end(test_data, self.test_place, test_last)
            if gold_next < 0 or test_next < 0:
                return MORE
            self.line += 1
            if not self._score(gold_data, self.gold_place, gold_next, test_data, self.test_place, test_next):
                return DEAD
            if self.debug > 0:
                self._write_tables()
            self.gold_place = gold_next
            self.test_place = test_next

    @cython.locals(gold_data=bytes)
    def fail(self, text: bytes, gold_data, begin: cython.Py_ssize_t) -> bool:
        """Record a message under the next line number; return True if it ends the run.

        It follows the messages of the gold line from ``begin``, if there is one, which evalb has read before.
        """
        self.line += 1
        if begin < len(gold_data):
            after: cython.Py_ssize_t = gold_data.find(b"\n", begin) + 1
            self._read_line(self.gold, gold_data, begin, after if after > 0 else len(gold_data))
        return self.dead or bool(self._error(text))

    def take_rows(self) -> memoryview:
        """Return the rows since the last call, nine numbers each, and make room for more."""
        taken = memoryview(bytes(memoryview(self.rows)[: self.n_rows * ROW_SIZE])).cast("q")
        self.n_rows = 0
        return taken

    def take_messages(self) -> list:
        """Return the messages since the last call.

        A message is its text, its repetitions, and the number of rows that are printed before it: with
        debugging, the number of items of the trace.
        """
        taken = self.messages
        self.messages = []
        return taken

    def take_trace(self) -> list:
        """Return the trace and tables since the last call: bytes, with numbers of rows in between."""
        self._end_piece()
        self.n_trace = 0
        taken = self.trace
        self.trace = []
        return taken


@cython.cfunc
@cython.exceptval(-2, check=False)
@cython.locals(data=bytes)
def _line_end(data, begin: cython.Py_ssize_t, is_last: cython.bint) -> cython.Py_ssize_t:
    """Return the index after a line; -1 if it is not whole, or if there is none."""
    end: cython.Py_ssize_t = data.find(b"\n", begin) + 1
    if end == 0:
        return len(data) if is_last and begin < len(data) else -1
    return end


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _same_word(gold: EvalbLine, a: cython.Py_ssize_t, test: EvalbLine, b: cython.Py_ssize_t) -> cython.bint:
    """Return True if word ``a`` of one line and word ``b`` of another have the same bytes."""
    first: cython.p_const_uchar = gold.data
    second: cython.p_const_uchar = test.data
    i: cython.Py_ssize_t = gold.word_begin[a]
    j: cython.Py_ssize_t = test.word_begin[b]
    end: cython.Py_ssize_t = gold.word_end[a]
    if end - i != test.word_end[b] - j:
        return False
    while i < end and first[i] == second[j]:
        i += 1
        j += 1
    return i == end


@cython.cfunc
def _joined(lines: list) -> bytes:
    """Return what is in a line buffer after these lines were read into it."""
    text = bytearray()
    for line in reversed(lines):
        text += (line + b"\0")[len(text) :]
    return bytes(text)


@cython.cfunc
@cython.exceptval(check=False)
@cython.locals(data=bytes)
def _is_cut(data, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Return True if a line ends in or behind the label of its last bracket, or in the word behind it."""
    text: cython.p_const_uchar = data
    kinds: cython.p_const_uchar = KINDS
    i: cython.Py_ssize_t = end
    while i > begin and text[i - 1] != 40:
        i -= 1
    if i == begin:
        return False
    while i < end and kinds[text[i]] == 0:
        i += 1
    while i < end and kinds[text[i]] == 1:
        i += 1
    while i < end and kinds[text[i]] == 0:
        i += 1
    return i == end


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.locals(data=bytes)
def _until_nul(data, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the place of the first NUL, or ``end``."""
    place: cython.Py_ssize_t = data.find(b"\0", begin, end)
    return end if place < 0 else place


# -- rows ---------------------------------------------------------------------


@cython.locals(status=cython.longlong)
def add_rows(rows: memoryview, cutoff: cython.longlong, sums: memoryview) -> None:
    """Add rows to the ``2 * SUM_SIZE`` sums: over all rows, then over lengths up to ``cutoff``."""
    r: cython.const[cython.longlong][:] = rows
    s: cython.longlong[:] = sums
    for offset in range(0, len(rows), ROW_SIZE):
        for base in range(0, 2 * SUM_SIZE, SUM_SIZE):
            if base and r[offset + ROW_LENGTH] > cutoff:
                break
            s[base] += 1
            status = r[offset + ROW_STATUS]
            if status == 1 or status == 2:
                s[base + status] += 1
                continue
            for k in range(ROW_MATCHED, ROW_SIZE):
                s[base + k] += r[offset + k]
            complete: cython.bint = r[offset + ROW_MATCHED] == r[offset + ROW_GOLD] == r[offset + ROW_TEST]
            s[base + SUM_COMPLETE] += complete
            s[base + SUM_COMPLETE + 1] += r[offset + ROW_CROSSING] == 0
            s[base + SUM_COMPLETE + 2] += r[offset + ROW_CROSSING] <= 2


def format_rows(rows: memoryview) -> bytes:
    """Format rows as evalb prints them, one line each.

    Rates are rounded as integers where that provably equals C's ``%.2f`` of the quotient, otherwise by
    Python.
    """
    r: cython.const[cython.longlong][:] = rows
    n: cython.Py_ssize_t = len(rows)
    room: cython.Py_ssize_t = n // ROW_SIZE * 192 + 16
    pieces = bytearray(room)
    out: cython.uchar[:] = pieces
    k: cython.Py_ssize_t = 0
    for offset in range(0, n, ROW_SIZE):
        k = _put(out, k, r[offset + ROW_ID], 0, 4)
        k = _put(out, k, r[offset + ROW_LENGTH], 2, 3)
        k = _put(out, k, r[offset + ROW_STATUS], 4, 1)
        k = _put_rate(out, k, r[offset + ROW_MATCHED], r[offset + ROW_GOLD], 2)
        k = _put_rate(out, k, r[offset + ROW_MATCHED], r[offset + ROW_TEST], 1)
        k = _put(out, k, r[offset + ROW_MATCHED], 3, 3)
        k = _put(out, k, r[offset + ROW_GOLD], 4, 3)
        k = _put(out, k, r[offset + ROW_TEST], 2, 3)
        k = _put(out, k, r[offset + ROW_CROSSING], 4, 3)
        k = _put(out, k, r[offset + ROW_WORDS], 3, 4)
        k = _put(out, k, r[offset + ROW_TAGS], 2, 4)
        k = _put_rate(out, k, r[offset + ROW_TAGS], r[offset + ROW_WORDS], 3)
        out[k] = 10
        k += 1
    return bytes(pieces[:k])


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.inline
@cython.locals(out=cython.uchar[:])
def _put(
    out, k: cython.Py_ssize_t, value: cython.longlong, blanks: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write blanks and a right-aligned number; return the index behind it."""
    size: cython.Py_ssize_t = 1
    rest: cython.longlong = value
    while rest > 9:
        rest //= 10
        size += 1
    if size < width:
        size = width
    end: cython.Py_ssize_t = k + blanks + size
    j: cython.Py_ssize_t = end - 1
    out[j] = 48 + value % 10
    value //= 10
    while value > 0:
        j -= 1
        out[j] = 48 + value % 10
        value //= 10
    while j > k:
        j -= 1
        out[j] = 32
    return end


@cython.cfunc
@cython.exceptval(-1, check=False)
@cython.inline
@cython.locals(out=cython.uchar[:])
def _put_rate(
    out, k: cython.Py_ssize_t, part: cython.longlong, whole: cython.longlong, blanks: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write blanks and 100 * part / whole as ``%6.2f`` does, 0.00 for 0/0."""
    hundredths: cython.longlong = 0
    left: cython.longlong = 0
    if whole > 0:
        hundredths = part * 10000 // whole
        left = 2 * (part * 10000 - hundredths * whole)
        # The double nearest to an exact tie may lie on either side of it.  Other quotients of numbers this
        # small are far from ties.
        if left == whole or whole > 1000000:
            text: bytes = b" " * blanks + b"%6.2f" % (100.0 * part / whole)
            for i in range(len(text)):
                out[k + i] = text[i]
            return k + len(text)
        if left > whole:
            hundredths += 1
    k = _put(out, k, hundredths // 100, blanks, 3)
    out[k] = 46
    out[k + 1] = 48 + hundredths // 10 % 10
    out[k + 2] = 48 + hundredths % 10
    return k + 3
