# cython: infer_types=True
"""Kernel: the words, tags and brackets of a pair of trees that count under a convention."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython

# Multiplier of the hash table of brackets
SPREAD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
# Sentence F1 is an integer in these units (``jpevalb.metrics.brackets.F1_UNIT``).
F1_UNIT = 10**12
BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cclass
class Texts:
    """The labels and tags of a run, numbered in the order of their first appearance."""

    numbers = cython.declare(dict, visibility="readonly")
    texts = cython.declare(list, visibility="readonly")

    def __init__(self):
        self.numbers, self.texts = {}, []

    def add(self, text) -> int:
        """Return the number of a text, which may be of a subclass; a new text gets the next number."""
        number = self.numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number

    def all(self, texts: tuple) -> tuple:
        """Return the numbers of some texts."""
        found: list = []
        for text in texts:
            number = self.numbers.get(text)
            found.append(self.add(text) if number is None else number)
        return tuple(found)

    @cython.ccall
    def complete(self, table: list, value_of):
        """Add the values of new texts to the table of all values."""
        while len(table) < len(self.texts):
            table.append(value_of(self.texts[len(table)]))


def kept_words(tags: list, texts: Texts, stays: list, has_staying) -> bytes:
    """Return 1 for each word that its tag keeps, else 0; ``stays`` is the table of ``has_staying``."""
    texts.complete(stays, has_staying)
    kept = bytearray(len(tags))
    for i in range(len(tags)):
        kept[i] = 1 if stays[cython.cast(cython.Py_ssize_t, tags[i])] else 0
    return bytes(kept)


@cython.locals(j=cython.Py_ssize_t, total=cython.Py_ssize_t, correct=cython.Py_ssize_t)
@cython.locals(tag=cython.Py_ssize_t, other=cython.Py_ssize_t)
def same_tags(
    gold: list, system: list, gold_kept: bytes, system_kept: bytes, texts: Texts, names: list, name_of
) -> tuple:
    """Return the number of kept gold words, and of those that have the tag of the system's word there.

    ``names`` is the table of ``name_of``: what a tag counts as.
    """
    texts.complete(names, name_of)
    j = total = correct = 0
    for i in range(len(gold)):
        if not gold_kept[i]:
            continue
        total += 1
        while j < len(system) and not system_kept[j]:
            j += 1
        if j < len(system):
            tag = gold[i]
            other = system[j]
            correct += tag == other or names[tag] == names[other]
            j += 1
    return total, correct


@cython.cclass
class BracketTable:
    """The brackets of pairs of trees under the rules of a convention, and the sums over all pairs.

    A side of a pair is a tuple: for each node the number of its label and its range of words, in three lists;
    for each word 1 if it is kept; a list with the key and the width of yields with gaps, ``None`` for
    others, or ``None`` if the tree has no gaps; True if the first node is the root.
    A bracket is the number of its name and the key of its yield: of a range of kept words
    ``end * end + start``, of others a negative number.
    """

    least: cython.Py_ssize_t
    drops_whole: cython.bint  # True if brackets over all kept words do not count
    drops_root: cython.bint  # True if the root is no bracket
    names: dict  # number of each name
    texts: Texts
    numbers: list  # of gold and of the system: the number of each label's name, -1 if it is no bracket
    name_of: tuple  # of both sides: function that returns the name of a label, or None
    place: cython.longlong[::1]  # kept words before each word
    name: cython.longlong[::1]
    key: cython.longlong[::1]
    node: cython.longlong[::1]
    # A hash table with open addressing: a bracket, and how often either side has it
    slot: cython.longlong[::1]
    in_gold: cython.longlong[::1]
    in_system: cython.longlong[::1]
    sums: dict  # by the rule ``repeats``: matched, gold, system, sentences where all match, and their F1

    def __init__(self, texts: Texts, name_of: tuple, least: cython.Py_ssize_t, whole: str, sums: dict):
        self.texts, self.name_of, self.least, self.sums = texts, name_of, least, sums
        self.drops_whole, self.drops_root = whole == "drop all", whole == "drop root"
        self.names = {}
        self.numbers = [[], []]
        # The buffers grow when they are needed.
        self.place = self.name = self.slot = array("q")

    def nodes(self, side: tuple, skipped: list | None, index: cython.int) -> list:
        """Return the brackets of gold (0) or the system (1), each with the number of its node."""
        self._make_room(len(side[0]))
        count = self._read(side, skipped, index, 0)
        return [((self.name[i], self.key[i]), self.node[i]) for i in range(count)]

    @cython.locals(times=cython.longlong, found=cython.longlong, key=cython.longlong, at=cython.Py_ssize_t)
    def add(self, gold: tuple, system: tuple, gold_skipped: list | None, system_skipped: list | None):
        """Add the brackets of a pair to the sums; ``skipped`` is true for nodes that are no brackets."""
        self._make_room(len(gold[0]) + len(system[0]))
        n: cython.Py_ssize_t = self._read(gold, gold_skipped, 0, 0)
        m: cython.Py_ssize_t = self._read(system, system_skipped, 1, n) - n
        names: cython.longlong = len(self.names)
        shift: cython.int = 60
        size: cython.Py_ssize_t = 16
        while size < 2 * (n + m):
            size *= 2
            shift -= 1
        if len(self.slot) < size:
            self.slot, self.in_gold, self.in_system = [array("q", bytes(8 * size)) for _ in range(3)]
        for at in range(size):
            self.in_gold[at] = self.in_system[at] = 0
        for i in range(n + m):
            key = self.key[i] * names + self.name[i]
            at = (cython.cast(cython.ulonglong, key) * SPREAD & BITS) >> shift
            while self.in_gold[at] + self.in_system[at] > 0 and self.slot[at] != key:
                at = at + 1 if at + 1 < size else 0
            self.slot[at] = key
            if i < n:
                self.in_gold[at] += 1
            else:
                self.in_system[at] += 1
        each: cython.Py_ssize_t = 0
        common: cython.Py_ssize_t = 0
        gold_once: cython.Py_ssize_t = 0
        system_once: cython.Py_ssize_t = 0
        shared: cython.Py_ssize_t = 0
        alone: cython.Py_ssize_t = 0
        for at in range(size):
            times = self.in_gold[at]
            found = self.in_system[at]
            gold_once += times > 0
            system_once += found > 0
            if times > 0 and found > 0:
                common += 1
                each += times if times < found else found
                shared += found
            else:
                alone += times
        self._add("each", each, n, m)
        self._add("once", common, gold_once, system_once)
        self._add("first", common, n, m)
        # Each bracket of the system that gold has is matched, so gold gets as many.
        self._add("any", shared, shared + alone, m)

    @cython.cfunc
    def _add(self, repeats: str, matched: cython.longlong, gold: cython.longlong, system: cython.longlong):
        sums: list = self.sums.get(repeats)
        if sums is None:
            return
        sums[0] += matched
        sums[1] += gold
        sums[2] += system
        sums[3] += matched == gold and gold == system
        total: object = gold + system
        sums[4] += (4 * matched * F1_UNIT + total) // (2 * total) if total else F1_UNIT

    @cython.cfunc
    def _make_room(self, nodes: cython.Py_ssize_t):
        if len(self.name) < nodes:
            self.name, self.key, self.node = [array("q", bytes(16 * nodes)) for _ in range(3)]

    @cython.cfunc
    @cython.locals(start=cython.longlong, end=cython.longlong, key=cython.longlong, width=cython.longlong)
    @cython.locals(number=cython.longlong, length=cython.longlong, word=cython.Py_ssize_t)
    def _read(
        self, side: tuple, skipped: list | None, index: cython.int, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Add the brackets of a side to ``count`` others; return the number of all."""
        labels: list = side[0]
        starts: list = side[1]
        ends: list = side[2]
        kept: bytes = side[3]
        yields: list = side[4]
        first: cython.Py_ssize_t = 1 if self.drops_root and side[5] else 0
        numbers: list = self.numbers[index]
        while len(numbers) < len(self.texts.texts):
            name = self.name_of[index](self.texts.texts[len(numbers)])
            numbers.append(-1 if name is None else self.names.setdefault(name, len(self.names)))
        if len(self.place) <= len(kept):
            self.place = array("q", bytes(16 * len(kept) + 8))
        length = 0
        for word in range(len(kept)):
            self.place[word] = length
            length += kept[word]
        self.place[len(kept)] = length
        for i in range(first, len(labels)):
            number = numbers[cython.cast(cython.Py_ssize_t, labels[i])]
            if number < 0 or (skipped is not None and skipped[i]):
                continue
            start = self.place[cython.cast(cython.Py_ssize_t, starts[i])]
            end = self.place[cython.cast(cython.Py_ssize_t, ends[i])]
            key = end * end + start
            width = end - start
            if yields is not None and yields[i] is not None:
                key, width = yields[i][0], yields[i][1]
            if width < self.least or (self.drops_whole and width == length):
                continue
            self.name[count] = number
            self.key[count] = key
            self.node[count] = i
            count += 1
        return count
