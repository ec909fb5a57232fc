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


@cython.cclass
class TagTable:
    """The words of pairs of trees whose tags are compared, and those with the same tag.

    Attributes:
        tagged: Kept words of gold.
        correct: Those that have the tag of the system's word there.
    """

    tagged = cython.declare(cython.Py_ssize_t, visibility="readonly")
    correct = cython.declare(cython.Py_ssize_t, visibility="readonly")
    texts: Texts
    names: list  # what each tag counts as
    name_of: object  # function that returns it, or None if tags are not compared

    def __init__(self, texts: Texts, name_of):
        self.texts, self.name_of, self.names = texts, name_of, []
        self.tagged = self.correct = 0

    @cython.locals(tag=cython.Py_ssize_t, other=cython.Py_ssize_t, j=cython.Py_ssize_t)
    @cython.locals(tagged=cython.Py_ssize_t, correct=cython.Py_ssize_t)
    def add(self, gold: list, system: list, gold_kept: bytes, system_kept: bytes):
        """Add the tags of a pair."""
        if self.name_of is None:
            return
        self.texts.complete(self.names, self.name_of)
        j = tagged = correct = 0
        for i in range(len(gold)):
            if not gold_kept[i]:
                continue
            tagged += 1
            while j < len(system) and not system_kept[j]:
                j += 1
            if j < len(system):
                tag = gold[i]
                other = system[j]
                if tag == other or self.names[tag] == self.names[other]:
                    correct += 1
                j += 1
        self.tagged += tagged
        self.correct += correct


@cython.cclass
class KeptTree:
    """A tree without the words that a convention drops: its labels, and their yields in kept words.

    A yield has a key and a width.  The key of a range of words is ``end * end + start``, that of a yield
    with gaps a negative number.
    """

    yields = cython.declare(list, visibility="readonly")
    dropped = cython.declare(cython.Py_ssize_t, visibility="readonly")  # number of words
    numbers: cython.longlong[::1]  # of each node: label, key, width
    count: cython.Py_ssize_t  # of nodes
    length: cython.longlong  # of the kept words
    has_root: cython.bint

    @cython.locals(start=cython.longlong, end=cython.longlong, word=cython.Py_ssize_t)
    def __init__(self, labels: list, starts: list, ends: list, kept: bytes, yields: list | None, has_root):
        """Make a side of the number of each node's label, and of its range of words.

        Args:
            labels: Number of each node's label.
            starts: Its first word.
            ends: The word after its last one.
            kept: For each word 1 if it is kept.
            yields: For each node the key and the width of a yield with gaps, or ``None``; ``None`` if the
                tree has no gaps.
            has_root: True if the first node is the root.
        """
        self.yields, self.has_root, self.count = yields, has_root, len(labels)
        self.numbers = array("q", bytes(24 * self.count + 8 * len(kept) + 8))
        places: cython.Py_ssize_t = 3 * self.count  # from here on: kept words before each word
        self.length = 0
        for word in range(len(kept)):
            self.length += kept[word]
            self.numbers[places + word + 1] = self.length
        self.dropped = len(kept) - self.length
        for i in range(self.count):
            start = self.numbers[places + cython.cast(cython.Py_ssize_t, starts[i])]
            end = self.numbers[places + cython.cast(cython.Py_ssize_t, ends[i])]
            self.numbers[3 * i] = cython.cast(cython.Py_ssize_t, labels[i])
            self.numbers[3 * i + 1] = end * end + start
            self.numbers[3 * i + 2] = end - start
            if yields is not None and yields[i] is not None:
                self.numbers[3 * i + 1] = yields[i][0]
                self.numbers[3 * i + 2] = yields[i][1]


@cython.cclass
class BracketSums:
    """Sums over pairs under one rule ``repeats``: brackets, pairs whose brackets all match, and their F1."""

    matched = cython.declare(cython.longlong, visibility="readonly")
    gold = cython.declare(cython.longlong, visibility="readonly")
    system = cython.declare(cython.longlong, visibility="readonly")
    complete = cython.declare(cython.longlong, visibility="readonly")
    f1 = cython.declare(object, visibility="readonly")  # may exceed 64 bits

    def __init__(self):
        self.matched = self.gold = self.system = self.complete = self.f1 = 0


@cython.cclass
class BracketTable:
    """The brackets of pairs of trees under the rules of a convention, and the sums over all pairs.

    A bracket is the number of its name and the key of its yield.
    """

    least: cython.Py_ssize_t
    drops_whole: cython.bint  # True if brackets over all kept words do not count
    drops_root: cython.bint  # True if the root is no bracket
    names: dict  # number of each name
    texts: Texts
    numbers: list  # of gold and of the system: the number of each label's name, -1 if it is no bracket
    name_of: tuple  # of both sides: function that returns the name of a label, or None
    name: cython.longlong[::1]
    key: cython.longlong[::1]
    node: cython.longlong[::1]
    # A hash table with open addressing: a bracket, and how often either side has it; 0 between two pairs
    slot: cython.longlong[::1]
    in_gold: cython.longlong[::1]
    in_system: cython.longlong[::1]
    used: cython.longlong[::1]  # the slots with brackets
    sums: dict  # by the rule ``repeats``

    def __init__(self, texts: Texts, name_of: tuple, least: cython.Py_ssize_t, whole: str, sums: dict):
        self.texts, self.name_of, self.least, self.sums = texts, name_of, least, sums
        self.drops_whole, self.drops_root = whole == "drop all", whole == "drop root"
        self.names = {}
        self.numbers = [[], []]
        # The buffers grow when they are needed.
        self.name = self.slot = array("q")

    def nodes(self, side: KeptTree, skipped: list | None, index: cython.int) -> list:
        """Return the brackets of gold (0) or the system (1), each with the number of its node."""
        self._make_room(side.count)
        count = self._read(side, skipped, index, 0)
        return [((self.name[i], self.key[i]), self.node[i]) for i in range(count)]

    @cython.locals(times=cython.longlong, found=cython.longlong, key=cython.longlong, at=cython.Py_ssize_t)
    def add(self, gold: KeptTree, system: KeptTree, gold_skipped: list | None, system_skipped: list | None):
        """Add the brackets of a pair to the sums; ``skipped`` is true for nodes that are no brackets."""
        self._make_room(gold.count + system.count)
        n: cython.Py_ssize_t = self._read(gold, gold_skipped, 0, 0)
        m: cython.Py_ssize_t = self._read(system, system_skipped, 1, n) - n
        names: cython.longlong = len(self.names)
        shift: cython.int = 60
        size: cython.Py_ssize_t = 16
        while size < 2 * (n + m):
            size *= 2
            shift -= 1
        if len(self.slot) < size:
            self.slot, self.in_gold, self.in_system, self.used = [
                array("q", bytes(8 * size)) for _ in range(4)
            ]
        count: cython.Py_ssize_t = 0
        for i in range(n + m):
            key = self.key[i] * names + self.name[i]
            at = (cython.cast(cython.ulonglong, key) * SPREAD & BITS) >> shift
            while self.in_gold[at] + self.in_system[at] > 0 and self.slot[at] != key:
                at = at + 1 if at + 1 < size else 0
            if self.in_gold[at] + self.in_system[at] == 0:
                self.slot[at] = key
                self.used[count] = at
                count += 1
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
        for i in range(count):
            at = self.used[i]
            times = self.in_gold[at]
            found = self.in_system[at]
            self.in_gold[at] = self.in_system[at] = 0
            gold_once += times > 0
            system_once += found > 0
            if times > 0 and found > 0:
                common += 1
                each += times if times < found else found
                shared += found
            else:
                alone += times
        self._add(self.sums.get("each"), each, n, m)
        self._add(self.sums.get("once"), common, gold_once, system_once)
        self._add(self.sums.get("first"), common, n, m)
        # Each bracket of the system that gold has is matched, so gold gets as many.
        self._add(self.sums.get("any"), shared, shared + alone, m)

    @cython.cfunc
    def _add(
        self,
        sums: BracketSums | None,
        matched: cython.longlong,
        gold: cython.longlong,
        system: cython.longlong,
    ):
        if sums is None:
            return
        sums.matched += matched
        sums.gold += gold
        sums.system += system
        if matched == gold and matched == system:
            sums.complete += 1
            sums.f1 += F1_UNIT
        elif matched > 0:
            total: object = gold + system
            sums.f1 += (4 * matched * F1_UNIT + total) // (2 * total)

    @cython.cfunc
    def _make_room(self, nodes: cython.Py_ssize_t):
        if len(self.name) < nodes:
            self.name, self.key, self.node = [array("q", bytes(16 * nodes)) for _ in range(3)]

    @cython.cfunc
    @cython.locals(number=cython.longlong, width=cython.longlong)
    def _read(
        self, side: KeptTree, skipped: list | None, index: cython.int, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Add the brackets of a side to ``count`` others; return the number of all."""
        first: cython.Py_ssize_t = 1 if self.drops_root and side.has_root else 0
        numbers: list = self.numbers[index]
        while len(numbers) < len(self.texts.texts):
            name = self.name_of[index](self.texts.texts[len(numbers)])
            numbers.append(-1 if name is None else self.names.setdefault(name, len(self.names)))
        for i in range(first, side.count):
            number = numbers[side.numbers[3 * i]]
            width = side.numbers[3 * i + 2]
            if number < 0 or width < self.least or (self.drops_whole and width == side.length):
                continue
            if skipped is None or not skipped[i]:
                self.name[count] = number
                self.key[count] = side.numbers[3 * i + 1]
                self.node[count] = i
                count += 1
        return count
