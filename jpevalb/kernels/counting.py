# cython: infer_types=True
"""Kernel: the counts of one pair of trees under the rules of a run.

What a rule says of a label, a tag or a word is a number in a table, found when the text is first met.  The
rest is loops over the columns of both trees:

    keep    which words stay: by their own tags, by gold's, or by those of the aligned words
    place   the slot of each word that stays: its place among them, or its unit; none without a counterpart
    list    name, first and last slot of each bracket that counts
    match   each bracket of gold takes the first free one of the system over the same slots
    cross   brackets of the system that overlap one of gold, and neither contains the other

Matching and crossing compare every bracket with every other one: a sentence has few.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from jpevalb.kernels import cython_shim as cython
if cython.compiled:
    from cython.cimports.cpython import array as carray
from jpevalb.kernels.columns import bracket_nodes

COMPILED: bool = cython.compiled

# Values of rules, each in the order in which ``Rules`` lists its names
OWN = cython.declare(cython.int, 0)
GOLD = cython.declare(cython.int, 1)
ALIKE = cython.declare(cython.int, 2)
TOKEN = cython.declare(cython.int, 3)
NOTHING = cython.declare(cython.int, 0)
NUMBER = cython.declare(cython.int, 1)
WORDS = cython.declare(cython.int, 2)
ALIGNED = cython.declare(cython.int, 3)
EACH = cython.declare(cython.int, 0)
ONCE = cython.declare(cython.int, 1)
FIRST = cython.declare(cython.int, 2)
ANY = cython.declare(cython.int, 3)
SAME = cython.declare(cython.int, 0)
DIFFERENT = cython.declare(cython.int, 1)
ONE_SIDED = cython.declare(cython.int, 2)
TAGGED = cython.declare(cython.int, 0)
PAIRS = cython.declare(cython.int, 1)

UNLIKE = "words differ"
UNPARSED = "no word of the system"
EXCLUDING = UNLIKE, UNPARSED  # reasons that are faults of the system, not of the length
NO_TAG = "\0"  # the tag that rules are asked about for a word without one; it is not the empty tag
COUNTED = (
    "reason",  # why the pair does not count; empty if it does
    "in_units",  # True if the words that stay differ, so that brackets are over units
    "length",
    "gold_words",  # that stay
    "system_words",
    "gold_tagged",  # words whose tags are compared
    "system_tagged",
    "correct_tags",
    "in_place",  # units of one word a side, whose tags are compared
    "correct_in_place",
    "gold",  # brackets
    "system",
    "matched",
    "crossing",  # brackets of the system
    "gold_gaps",  # brackets with gaps
    "system_gaps",
    "matched_gaps",
    "gold_dropped",  # words
    "system_dropped",
    "plain",  # True if the same words stay on both sides, and gold has brackets
    "complete",  # 1 if all brackets of both sides match
    "no_crossing",
    "two_or_less_crossing",
    "f1",  # of the brackets, in units of 1 / F1_UNIT; 1 without brackets
    "one",
    "zero",
)
"""What ``Rules.count`` returns, in this order."""
F1_UNIT = 10**12
"""An F1 is an integer in units of 1 / F1_UNIT, so that sums do not depend on their order."""
NOTHING_COUNTED = cython.declare(tuple, (0,) * (len(COUNTED) - 1))
DROPPED = slice(COUNTED.index("gold_dropped"), COUNTED.index("gold_dropped") + 2)


@cython.cfunc
@cython.inline
def ints(block, at: cython.Py_ssize_t = 0) -> cython.p_int:
    if cython.compiled:
        return cython.cast(carray.array, block).data.as_ints + at
    return memoryview(block)[at:]


@cython.cclass
class TextTable:
    """A number for each text, found when it is first asked for.  Texts are numbers of ``Names``."""

    texts: list  # of the run
    learn: object  # function that returns the number of a text
    numbers: object
    size: cython.Py_ssize_t
    none: cython.int  # number of a word without tag

    def __init__(self, texts: list, learn):
        self.texts, self.learn, self.numbers, self.size = texts, learn, array("i"), 0
        self.none = learn(NO_TAG)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-3)
    def of(self, text: cython.int) -> cython.int:
        if text < 0:
            return self.none
        if text < self.size:
            number: cython.int = ints(self.numbers)[text]
            if number != -2:
                return number
        return self._learned(text)

    @cython.cfunc
    @cython.exceptval(-3)
    def _learned(self, text: cython.int) -> cython.int:
        if text >= self.size:
            more: cython.Py_ssize_t = len(self.texts) + self.size // 2 + 256 - self.size
            self.numbers.extend(array("i", (-2,)) * more)
            self.size += more
        number: cython.int = self.learn(self.texts[text])
        self.numbers[text] = number
        return number


@cython.cclass
class PairSide:
    """One tree of a pair: which of its words stay, where they are, and which brackets count.

    Its memory is used again for the next pair.
    """

    tree: object
    n: cython.int  # brackets of the tree
    m: cython.int  # words of the tree
    gaps: cython.bint
    # The columns of the tree
    label: cython.p_int
    parent: cython.p_int
    left: cython.p_int
    right: cython.p_int
    text: cython.p_int
    tag: cython.p_int
    home: cython.p_int
    block: object  # memory of the following
    kept: cython.p_int  # of each word: 1 if it stays
    read: cython.p_int  # of each word: 0 if it is in a subtree that is not read
    place: cython.p_int  # of each word, and of the end: words that stay before it
    slot: cython.p_int  # of each word that stays: its slot, or -1
    word: cython.p_int  # of each word that stays: its index in the tree
    name: cython.p_int  # of each bracket that counts
    start: cython.p_int
    end: cython.p_int
    node: cython.p_int
    partner: cython.p_int  # the matched bracket of the other side, or -1
    crosses: cython.p_int  # 1 if it crosses a bracket of the other side
    number: cython.p_int  # of each word that stays: what its tag counts as; then its text or spelling
    all_read: cython.bint
    length: cython.int  # words that stay
    count: cython.int  # brackets that count
    bits: list  # of each bracket that counts: its slots if they have gaps, else 0; None if none has gaps

    def __init__(self):
        self.block = array("i")

    @cython.cfunc
    def take(self, tree):
        """Begin a pair."""
        self.tree = tree
        self.n = tree.brackets
        self.m = tree.words
        self.gaps = tree.gaps
        n: cython.Py_ssize_t = self.n
        m: cython.Py_ssize_t = self.m
        cells = tree.cells
        self.label = ints(cells)
        self.parent = ints(cells, n)
        self.left = ints(cells, 2 * n)
        self.right = ints(cells, 3 * n)
        self.text = ints(cells, 4 * n)
        self.tag = ints(cells, 4 * n + m)
        self.home = ints(cells, 4 * n + 2 * m)
        if len(self.block) < 6 * n + 7 * m + 7:
            self.block = array("i", bytes(56 * (n + m + 1)))
        self.kept = ints(self.block)
        self.read = ints(self.block, m)
        self.slot = ints(self.block, 2 * m)
        self.word = ints(self.block, 3 * m)
        self.place = ints(self.block, 4 * m)
        n += 1  # a word alone may be a bracket
        self.name = ints(self.block, 5 * m + 1)
        self.start = ints(self.block, 5 * m + n + 1)
        self.end = ints(self.block, 5 * m + 2 * n + 1)
        self.node = ints(self.block, 5 * m + 3 * n + 1)
        self.partner = ints(self.block, 5 * m + 4 * n + 1)
        self.crosses = ints(self.block, 5 * m + 5 * n + 1)
        self.number = ints(self.block, 5 * m + 6 * n + 1)
        self.all_read = True
        self.bits = None

    @cython.cfunc
    def settle(self):
        """Number the words that stay."""
        k: cython.int = 0
        for i in range(self.m):
            self.place[i] = k
            if self.kept[i]:
                self.slot[k] = k
                self.word[k] = i
                k += 1
        self.place[self.m] = k
        self.length = k

    @cython.cfunc
    def count_words(self):
        """Set ``node`` to the number of words that stay in each bracket, until brackets are listed there."""
        for i in range(self.n):
            self.node[i] = 0
        for k in range(self.length):
            if self.home[self.word[k]] >= 0:
                self.node[self.home[self.word[k]]] += 1
        for i in range(self.n - 1, 0, -1):
            self.node[self.parent[i]] += self.node[i]

    @cython.cfunc
    @cython.locals(up=cython.int)
    def set_of(self, node: cython.int, first: cython.int, last: cython.int):
        """Return the slots of a bracket as bits; its words are some from ``first`` to ``last`` - 1."""
        one: object = 1
        bits: object = 0
        for k in range(first, last):
            up = self.home[self.word[k]]
            while up > node:
                up = self.parent[up]
            if up == node and self.slot[k] >= 0:
                bits |= one << self.slot[k]
        return bits

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def slots_before(self, k: cython.int) -> cython.int:
        """Return the number of slots up to that of the last word before word ``k`` that has one."""
        while k > 0 and self.slot[k - 1] < 0:
            k -= 1
        return self.slot[k - 1] + 1 if k > 0 else 0

    @cython.cfunc
    def children(self, node: cython.int) -> cython.int:
        """Return the number of children of a bracket, words and brackets."""
        count: cython.int = 0
        for i in range(self.n):
            count += self.parent[i] == node
        for i in range(self.m):
            count += self.home[i] == node
        return count


@cython.cclass
class Rules:
    """The rules of a run as tables; ``jpevalb.settings.convention.Convention`` says what each rule means.

    A table is ``None`` where its rule does nothing.  The memory of a pair is used again for the next one, so
    each thread needs an object of its own.
    """

    last = cython.declare(object, visibility="public")  # for the caller: the pair that was counted last
    lists = cython.declare(cython.bint, visibility="public")  # True to list the brackets of all pairs
    gold: PairSide
    system: PairSide
    in_units: cython.bint  # True if the slots of the last pair are units
    size: cython.int  # its slots
    shown: TextTable  # of a label: number of its text in lists of brackets
    name: TextTable  # of a label as a bracket of gold: number of its name, -1 if it is none
    system_name: TextTable
    equal: dict  # pairs of names that are equal, as first * 2**32 + second; None if equal names are one
    dropped: TextTable  # 1 for a tag whose words are dropped
    dropped_word: TextTable
    never_aligned: TextTable  # 1 for a tag whose words are dropped before words are aligned
    drop_below_root: cython.bint
    hidden_root: TextTable  # 1 for the label of a root that is one, even if it hangs from another one
    whole: TextTable  # 1 for a label whose subtrees go with their words
    first: TextTable  # 1 for a label of which only the first child is read
    quote: TextTable  # 1 for a tag of quotation marks that may be restored
    quote_word: TextTable
    decided_by: cython.int  # OWN, GOLD, TOKEN, or ALIKE: gold where the words agree, else own
    compare: cython.int  # NOTHING, NUMBER, WORDS or ALIGNED
    alike: object  # function that compares two lists of words that differ; None if these never agree
    misses_empty: cython.bint  # True if a system without words is a missing parse, whose words need not agree
    least: cython.int
    drops_all: cython.bint
    drops_gold: cython.bint  # True if brackets over as many words as gold has are dropped, on both sides
    drops_root: cython.bint
    most_gaps: cython.int  # -1 for no limit
    only_gaps: cython.bint
    bare: TextTable  # 1 for a tag of gold whose word alone is a bracket; None if no word alone is one
    repeats: cython.int  # EACH, ONCE, FIRST or ANY
    empty_is_complete: cython.bint  # True if a sentence without brackets on either side is complete
    counts_unlike: cython.bint  # True if a sentence of another length counts, as one without brackets
    leaves_out_no_parse: cython.bint
    shortest: cython.int  # gold words of a sentence that counts
    longest: cython.int  # -1 for no limit
    tag: TextTable  # what a tag counts as; None if tags are not compared
    tags: cython.int  # TAGGED: tags are compared in order, of words that have one; PAIRS: of word and tag
    equal_tags: dict  # like ``equal``; the value is the rank among the equal tags of the first
    spellings: object  # function that returns numbers of words for PAIRS, of both sides of a pair
    equal_words: dict  # like ``equal_tags``, of words in PAIRS
    measured: TextTable  # 0 for a tag whose words do not count for the length
    own_length: cython.bint  # True if dropped words do not count for the length
    subtrees_last: cython.bint  # False if gold's dropped subtrees decide for the system, too

    def __init__(self, tables: dict, **rules):
        self.gold, self.system = PairSide(), PairSide()
        self.last, self.lists = None, False
        get = tables.get
        self.name, self.system_name = get("name"), get("system_name") or get("name")
        self.dropped, self.dropped_word = get("dropped"), get("dropped_word")
        self.never_aligned, self.shown = get("never_aligned"), get("shown")
        self.whole, self.first = get("whole"), get("first")
        self.quote, self.quote_word, self.hidden_root = get("quote"), get("quote_word"), get("hidden_root")
        self.tag, self.measured, self.bare = get("tag"), get("measured"), get("bare")
        get = rules.get
        self.equal, self.equal_tags, self.equal_words = get("equal"), get("equal_tags"), get("equal_words")
        self.alike, self.spellings = get("alike"), get("spellings")
        self.misses_empty = get("misses_empty", False)
        self.drop_below_root, self.least = get("drop_below_root", False), get("least", 1)
        self.decided_by = ("own", "gold", "alike", "token").index(get("decided_by", "own"))
        self.compare = ("no", "number", "words", "aligned").index(get("compare", "no"))
        whole = get("whole")
        self.drops_gold, self.drops_root = whole == "drop gold", whole == "drop root"
        self.drops_all = whole == "drop all" or self.drops_gold
        most = get("most_gaps")
        self.most_gaps, self.only_gaps = -1 if most is None else most, get("only_gaps", False)
        self.repeats = ("each", "once", "first", "any").index(get("repeats", "each"))
        self.tags = ("tagged", "pairs").index(get("tags", "tagged"))
        self.leaves_out_no_parse = get("no_parse") == "left out"
        self.empty_is_complete = get("empty") != "incomplete"
        self.counts_unlike = get("unlike") == "counted"
        self.shortest, longest = get("words", (0, None))
        self.longest = -1 if longest is None else longest
        self.own_length, self.subtrees_last = get("own_length", False), get("subtrees_last", False)

    @cython.ccall
    def count(self, gold, system, units=None) -> tuple:
        """Return the counts of a pair, those of ``COUNTED``.

        ``units`` are the unit of each word of gold and of the system (two ``array("i")``, -1 for none), and
        their number.  Without units the words must agree as the rules say, or else the reason is ``UNLIKE``.
        """
        self.last = None
        g: PairSide = self.gold
        s: PairSide = self.system
        g.take(gold)
        s.take(system)
        reason: str = self._keep(units)
        self.in_units = units is not None and not self._alike(True)
        if not self.in_units:
            units = None
        self._place(units)
        hollow: cython.bint = False
        if reason:
            g.count = s.count = 0
            hollow = reason == UNLIKE and self.counts_unlike and g.length != s.length
            if not hollow:
                return (reason, *NOTHING_COUNTED)
        else:
            self._list(g, self.name)
            self._list(s, self.system_name)
        gold_count: cython.longlong = g.count
        matched: cython.longlong = self._match()
        if self.repeats == ANY:
            # Each bracket of the system that gold has is matched, so gold gets as many.
            for i in range(g.count):
                gold_count -= g.partner[i] >= 0
            gold_count += matched
        crossing: cython.int = self._cross() if matched != s.count or self.in_units else 0
        tags: tuple = (0, 0, 0, 0, 0) if self.tag is None or hollow else self._count_tags(units)
        gaps: tuple = (0, 0, 0) if g.bits is None and s.bits is None else self._count_gaps()
        total: cython.longlong = gold_count + s.count
        f1: cython.longlong = F1_UNIT
        if total:
            f1 = (2 * f1 * matched + total // 2) // total  # rounded half up
        return (  # compiled code would make a list to unpack the tuples
            "",
            self.in_units,
            self._length(),
            g.length,
            s.length,
            tags[0],
            tags[1],
            tags[2],
            tags[3],
            tags[4],
            gold_count,
            s.count,
            matched,
            crossing,
            gaps[0],
            gaps[1],
            gaps[2],
            g.m - g.length,
            s.m - s.length,
            gold_count > 0 and not self.in_units and g.length == s.length,
            1 if gold_count == matched == s.count and (gold_count > 0 or self.empty_is_complete) else 0,
            1 if crossing == 0 else 0,
            1 if crossing <= 2 else 0,
            f1,
            1,
            0,
        )

    def sums(self, golds: list, systems: list, places: list, stops: cython.bint) -> list:
        """Return the number of some pairs of trees, and the sums of counts at some places in ``COUNTED``.

        With ``stops`` these are the pairs before the first one whose words differ.
        """
        rows: list = []
        for gold, system in zip(golds, systems):
            row: tuple = self.count(gold, system)
            if stops and row[0] == UNLIKE:
                break
            rows.append(row)
        return [len(rows), *[sum([row[place] for row in rows]) for place in places]]

    def count_all(self, golds: list, systems: list) -> list:
        """Return what is known of the first pairs of trees, up to one whose words do not agree.

        It is the counts of each, and if ``lists``, flags of words if some are dropped, and brackets.
        """
        found: list = []
        for gold, system in zip(golds, systems):
            counted: tuple = self.count(gold, system)
            # A side without words to align agrees with anything.
            if counted[0] or self.gold.length != self.system.length:
                break
            kept = self.kept() if self.lists and any(counted[DROPPED]) else None
            found.append((counted, kept, self.brackets() if self.lists else None))
        return found

    def kept(self) -> tuple:
        """Return a flag for each word of gold and of the system of the last pair: True if it stays."""
        gold: list = [self.gold.kept[i] != 0 for i in range(self.gold.m)]
        return gold, [self.system.kept[i] != 0 for i in range(self.system.m)]

    def brackets(self) -> tuple:
        """Return the brackets of gold and of the system that count in the last pair.

        Those of a side are lists: label, first slot, last slot + 1, node, slots as a bit set where they have
        gaps, else 0, index of the matched bracket of the other side or -1, and for the system whether it
        crosses a bracket of gold.  Nodes are those of the tree as read, labels those of ``shown``.
        """
        found: list = []
        for side in (self.gold, self.system):
            one: PairSide = side
            texts: list = one.tree.names.texts
            # The bracket of a tree that is one tag is the node of the tag.
            node_of: list = bracket_nodes(one.tree) or [0]
            label: cython.p_int = one.label if one.n else one.tag
            found.append(
                (
                    [texts[self.shown.of(label[one.node[i]])] for i in range(one.count)],
                    [one.start[i] for i in range(one.count)],
                    [one.end[i] for i in range(one.count)],
                    [node_of[one.node[i]] for i in range(one.count)],
                    one.bits or [0] * one.count,
                    [one.partner[i] for i in range(one.count)],
                    [one.crosses[i] != 0 for i in range(one.count)],
                )
            )
        return found[0], found[1]

    def slots(self) -> tuple:
        """Return the slot of each word that stays in the last pair, -1 for none, and the number of slots."""
        gold: list = [self.gold.slot[k] for k in range(self.gold.length)]
        return gold, [self.system.slot[k] for k in range(self.system.length)], self.size

    def constituents(self, tree, kept: list) -> tuple:
        """Return the brackets of one tree that count, over the words that stay, as lists.

        They are the names, numbers in the tree, first words, last words + 1, and words as a bit set where
        they have gaps (``None`` if none has).
        """
        self.last = None
        side: PairSide = self.gold
        side.take(tree)
        for i in range(side.m):
            side.kept[i] = kept[i]
        side.settle()
        self.in_units = False
        self._list(side, self.name)
        return (
            [side.name[i] for i in range(side.count)],
            [side.node[i] for i in range(side.count)],
            [side.start[i] for i in range(side.count)],
            [side.end[i] for i in range(side.count)],
            side.bits,
        )

    def own(self, tree) -> list:
        """Return a flag for each word of a tree: True if its own tag and text keep it."""
        self.last = None
        side: PairSide = self.gold
        side.take(tree)
        self._keep_own(side)
        return [side.kept[i] != 0 for i in range(side.m)]

    def agree(self, gold, system) -> bool:
        """Return True if both sides have the same words, or the same ones that their own tags keep."""
        self.last = None
        self.gold.take(gold)
        self.system.take(system)
        self._keep_own_words()
        self.gold.settle()
        self.system.settle()
        return self._alike(True) or self._aligned_alike() == SAME

    # --- keep -------------------------------------------------------------------------------------------

    @cython.cfunc
    def _keep_own_words(self):
        """Keep the words of both sides that their own tags, texts and subtrees keep."""
        self._keep_own(self.gold)
        self._keep_own(self.system)
        if self.whole is not None or self.first is not None:
            self._skip_subtrees(self.gold)
            self._skip_subtrees(self.system)
        if not self.subtrees_last:
            # A dropped subtree is one more way to drop words.
            self._drop_unread(self.gold)
            self._drop_unread(self.system)

    @cython.cfunc
    def _drop_unread(self, side: PairSide):
        """Drop the words of subtrees that are not read."""
        if not side.all_read:
            for i in range(side.m):
                side.kept[i] = side.kept[i] and side.read[i]

    @cython.cfunc
    def _keep(self, units) -> str:
        """Decide which words stay; return why the pair does not count, or an empty text."""
        g: PairSide = self.gold
        s: PairSide = self.system
        self._keep_own_words()
        agrees: cython.bint = True
        misses: cython.bint = self.misses_empty and s.m == 0
        if units is not None:
            self._keep_units(units)
        elif self.compare == ALIGNED:
            agrees = self._keep_aligned()
        elif self.decided_by == TOKEN and self.compare == WORDS:
            agrees = self._keep_by_token()
        elif self.decided_by in (GOLD, TOKEN) or (self.decided_by == ALIKE and self._may_decide_for_both()):
            self._keep_as_gold()
        if self.subtrees_last:
            self._drop_unread(g)
            self._drop_unread(s)
        g.settle()
        s.settle()
        if self.quote is not None and g.length != s.length:
            self._restore_quotes()
        if self.leaves_out_no_parse and s.length == 0:
            return UNPARSED
        if g.length < self.shortest or 0 <= self.longest < g.length:
            return f"gold words: {g.length}"
        if units is not None or misses:
            return ""
        if self.compare == NUMBER:
            agrees = g.m == s.m and g.length == s.length
        elif self.compare == WORDS:
            agrees = agrees and self._alike(True)
        return "" if agrees else UNLIKE

    @cython.cfunc
    def _may_decide_for_both(self) -> cython.bint:
        """Return True if gold has a word for each of the system's, as far as words are compared."""
        if self.compare == NUMBER:
            return self.gold.m == self.system.m
        return self.compare == NOTHING or self._alike(False)

    @cython.cfunc
    @cython.exceptval(-1)
    def _is_aligned(self, side: PairSide, word: cython.int) -> cython.bint:
        return self.never_aligned is None or not self.never_aligned.of(side.tag[word])

    @cython.cfunc
    @cython.locals(i=cython.int, j=cython.int)
    def _aligned_alike(self) -> cython.int:
        """Return whether the words that are aligned are the same, different, or on one side only."""
        g: PairSide = self.gold
        s: PairSide = self.system
        equal: cython.bint = True
        count: cython.int = 0  # words of gold
        others: cython.int = 0  # words of the system
        i = j = 0
        while i < g.m or j < s.m:
            if i < g.m and not self._is_aligned(g, i):
                i += 1
            elif j < s.m and not self._is_aligned(s, j):
                j += 1
            else:
                equal = equal and i < g.m and j < s.m and g.text[i] == s.text[j]
                count += i < g.m
                others += j < s.m
                if not equal and count and others:
                    return DIFFERENT
                i += 1
                j += 1
        return SAME if equal else ONE_SIDED

    @cython.cfunc
    @cython.locals(i=cython.int)
    def _keep_aligned(self) -> cython.bint:
        """Keep the words of the system where gold does, if both sides have the same words to align.

        Return False if neither these are the same nor those that each side keeps.
        """
        g: PairSide = self.gold
        s: PairSide = self.system
        alike: cython.int = self._aligned_alike()
        if alike == DIFFERENT:
            g.settle()
            s.settle()
            return self._alike(True)
        if alike == ONE_SIDED:
            return True
        i = 0
        for j in range(s.m):
            if not self._is_aligned(s, j):
                continue
            while i < g.m and not self._is_aligned(g, i):
                i += 1
            s.kept[j] = g.kept[i]
            i += 1
        return True

    @cython.cfunc
    def _keep_own(self, side: PairSide):
        """Keep the words that their own tags and texts keep."""
        for i in range(side.m):
            side.kept[i] = 1
        if self.dropped is not None:
            for i in range(side.m):
                side.kept[i] = not self.dropped.of(side.tag[i])
        if self.dropped_word is not None:
            for i in range(side.m):
                if self.dropped_word.of(side.text[i]):
                    side.kept[i] = 0
        if self.drop_below_root:
            root: cython.int = 0
            if side.tree.below_root and not (side.n and self.hidden_root.of(side.label[0])):
                root = -1
            home: cython.int
            for i in range(side.m):
                home = side.home[i]
                if side.tag[i] < 0 and home >= 0:
                    # Without tags, a bracket over one word alone is like one.
                    home = side.parent[home] if side.children(home) == 1 else -2
                if home == root:
                    side.kept[i] = 0

    @cython.cfunc
    def _skip_subtrees(self, side: PairSide):
        """Mark the words of subtrees that are not read."""
        gone: cython.p_int = side.node  # of each bracket: 1 if it is not read
        up: cython.int
        best: cython.int
        for i in range(side.m):
            side.read[i] = 1
            if self.whole is not None and side.n > 0 and self.whole.of(side.tag[i]):
                side.read[i] = 0
        for node in range(side.n):
            gone[node] = 0
        for node in range(side.n):
            if side.left[node] == side.right[node]:
                continue
            if self.whole is not None and self.whole.of(side.label[node]):
                gone[node] = node > 0 or side.children(0) > 1
            if self.first is not None and self.first.of(side.label[node]) and side.children(node) > 1:
                best = 2 * side.m + 1  # place of the first child
                for i in range(side.n):
                    if side.parent[i] == node:
                        best = min(best, 2 * side.left[i])
                for i in range(side.m):
                    if side.home[i] == node and 2 * i < best:
                        best = 2 * i + 1
                for i in range(side.n):
                    if side.parent[i] == node and 2 * side.left[i] == best:
                        best = -1  # the others go
                    elif side.parent[i] == node:
                        gone[i] = 1
                for i in range(side.m):
                    if side.home[i] == node and 2 * i + 1 != best:
                        side.read[i] = 0
        for node in range(1, side.n):
            up = side.parent[node]
            if gone[up]:
                gone[node] = 1
        for i in range(side.m):
            if side.home[i] >= 0 and gone[side.home[i]]:
                side.read[i] = 0
            if not side.read[i]:
                side.all_read = False

    @cython.cfunc
    def _keep_as_gold(self):
        """Keep the words of the system where gold does: word by word, in the order in which they are read."""
        g: PairSide = self.gold
        s: PairSide = self.system
        k: cython.int = 0
        for i in range(s.m):
            s.kept[i] = 1
            if self.subtrees_last and not s.all_read and not s.read[i]:
                continue
            while self.subtrees_last and self.first is None and not g.all_read and k < g.m and not g.read[k]:
                k += 1
            if k < g.m:
                s.kept[i] = g.kept[k]
                k += 1

    @cython.cfunc
    def _keep_by_token(self) -> cython.bint:
        """Keep each word of the system where the next equal one of gold stays; return False without one."""
        g: PairSide = self.gold
        s: PairSide = self.system
        k: cython.int = 0
        texts: list = s.tree.names.texts
        for i in range(s.m):
            while k < g.m and g.text[k] != s.text[i]:
                if self.alike is not None and self.alike([texts[g.text[k]]], [texts[s.text[i]]]):
                    break
                k += 1
            if k == g.m:
                return False
            s.kept[i] = g.kept[k]
            k += 1
        return True

    @cython.cfunc
    def _keep_units(self, units):
        """Keep a unit's words of the system if any of its gold words stays; without these, by own tags."""
        g: PairSide = self.gold
        s: PairSide = self.system
        gold_unit: cython.p_int = ints(units[0])
        system_unit: cython.p_int = ints(units[1])
        block = array("i", bytes(4 * units[2] + 4))
        stays: cython.p_int = ints(block)  # 0 without words of gold, 1 if none of these stays, else 2
        for i in range(g.m):
            if gold_unit[i] >= 0:
                stays[gold_unit[i]] = max(stays[gold_unit[i]], 1 + g.kept[i])
        for i in range(s.m):
            if system_unit[i] >= 0 and stays[system_unit[i]] > 0:
                s.kept[i] = stays[system_unit[i]] == 2

    @cython.cfunc
    def _alike(self, only_kept: cython.bint) -> cython.bint:
        """Return True if the words of both sides agree, all or those that stay."""
        g: PairSide = self.gold
        s: PairSide = self.system
        count: cython.int = g.length if only_kept else g.m
        if count != (s.length if only_kept else s.m):
            return False
        for k in range(count):
            if g.text[g.word[k] if only_kept else k] != s.text[s.word[k] if only_kept else k]:
                return self.alike is not None and self.alike(_words(g, only_kept), _words(s, only_kept))
        return True

    @cython.cfunc
    def _restore_quotes(self):
        """Restore quotation marks that one side only has dropped, as evalb does (``fix_quote``)."""
        sides: list = []
        for side in (self.gold, self.system):
            one: PairSide = side
            marks: list = [
                [one.place[i], i]
                for i in range(one.m)
                if self.quote.of(one.tag[i]) and self.quote_word.of(one.text[i])
            ]
            sides.append(marks)
        g: PairSide = self.gold
        s: PairSide = self.system
        for index, mark in enumerate(sides[1]):
            for other, gold_mark in enumerate(sides[0]):
                gold_tag: cython.int = g.tag[gold_mark[1]]
                tag: cython.int = s.tag[mark[1]]
                gold_drops: cython.bint = self.dropped.of(gold_tag)
                if gold_mark[0] != mark[0] or gold_tag == tag or gold_drops == self.dropped.of(tag):
                    continue
                later = sides[0][other:] if gold_drops else sides[1][index:]
                if gold_drops:
                    g.kept[gold_mark[1]] = 1
                else:
                    s.kept[mark[1]] = 1
                for moved in later:
                    moved[0] += 1
        g.settle()
        s.settle()

    # --- place ------------------------------------------------------------------------------------------

    @cython.cfunc
    def _place(self, units):
        """Give each word that stays its slot: its place among them, which ``settle`` found, or its unit.

        Only units that have words of both sides are slots, unless one side has no words.
        """
        g: PairSide = self.gold
        s: PairSide = self.system
        self.size = max(g.length, s.length)
        if units is None or g.length == 0 or s.length == 0:
            return
        gold_unit: cython.p_int = ints(units[0])
        system_unit: cython.p_int = ints(units[1])
        block = array("i", bytes(4 * units[2] + 4))
        # Of each unit 1 with words of gold, 2 with words of the system, then its slot
        number: cython.p_int = ints(block)
        for k in range(g.length):
            g.slot[k] = gold_unit[g.word[k]]
            if g.slot[k] >= 0:
                number[g.slot[k]] = 1
        for k in range(s.length):
            s.slot[k] = system_unit[s.word[k]]
            if s.slot[k] >= 0:
                number[s.slot[k]] |= 2
        self.size = 0
        for k in range(units[2]):
            if number[k] == 3:
                number[k] = self.size
                self.size += 1
            else:
                number[k] = -1
        for side in (g, s):
            one: PairSide = side
            for k in range(one.length):
                if one.slot[k] >= 0:
                    one.slot[k] = number[one.slot[k]]

    # --- list -------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.locals(first=cython.int, last=cython.int, width=cython.int, start=cython.int, end=cython.int)
    @cython.locals(name=cython.int, count=cython.int, whole=cython.int, words=cython.int)
    def _list(self, side: PairSide, names: TextTable):
        """List the brackets that count.

        One whose words have no slots has the empty range behind the slot before it.
        """
        count = 0
        whole = self.size if self.in_units else self.gold.length if self.drops_gold else side.length
        bits: object = 0
        if side.gaps:
            side.bits = []
            side.count_words()
        for i in range(1 if self.drops_root else 0, side.n):
            if side.left[i] == side.right[i]:
                continue
            name = names.of(side.label[i])
            if name < 0:
                continue
            first = side.place[side.left[i]]
            last = side.place[side.right[i]]
            words = side.node[i] if side.gaps else last - first
            bits = 0
            if words == 0:
                # A bracket over dropped words only.
                if self.least or not self._is_read(side, i):
                    continue
                start = end = first
                width = 0
            elif words == last - first:
                while first < last and side.slot[first] < 0:
                    first += 1
                end = side.slots_before(last)
                start = side.slot[first] if first < last else end
                width = end - start
            else:
                bits = side.set_of(i, first, last)
                width = bits.bit_count()
                end = bits.bit_length() if width else side.slots_before(last)
                start = (bits & -bits).bit_length() - 1 if width else end
                if end - start == width:
                    bits = 0
                elif 0 <= self.most_gaps < (bits & ~(bits << 1)).bit_count() - 1:
                    continue
            if (
                (width or words) < self.least
                or (self.drops_all and end - start == whole and not (start or bits))
                or (self.only_gaps and not bits)
            ):
                continue
            side.name[count] = name
            side.start[count] = start
            side.end[count] = end
            side.node[count] = i
            if side.gaps:
                side.bits.append(bits)
            if self.repeats == ONCE and self._seen(side, count):
                if side.gaps:
                    side.bits.pop()
                continue
            count += 1
        alone: cython.bint = side.n == 0 and side.m == side.length == 1
        if alone and self.bare is not None and (side is self.system or self.bare.of(side.tag[0])):
            # Its name is the empty text; its tag is its node.
            side.name[0] = side.start[0] = side.node[0] = 0
            side.end[0] = count = 1
        side.count = count
        if side.gaps and not any(side.bits):
            side.bits = None

    @cython.cfunc
    @cython.exceptval(-1)
    def _seen(self, side: PairSide, count: cython.int) -> cython.bint:
        """Return True if a bracket before one of some slots has its name and these slots."""
        if self.in_units and side.start[count] == side.end[count]:
            return False
        for i in range(count):
            if (
                side.start[i] == side.start[count]
                and side.end[i] == side.end[count]
                and side.name[i] == side.name[count]
                and _bits(side, i) == _bits(side, count)
            ):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(-1)
    def _is_read(self, side: PairSide, node: cython.int) -> cython.bint:
        """Return True if some word of a bracket is read."""
        if side.all_read:
            return True
        for i in range(side.left[node], side.right[node]):
            if side.read[i]:
                return True
        return False

    # --- match and cross --------------------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1)
    def _equal(self, equal: dict | None, one: cython.longlong, other: cython.longlong) -> cython.bint:
        return one == other or (equal is not None and (one << 32 | other) in equal)

    @cython.cfunc
    @cython.locals(start=cython.int, end=cython.int, matched=cython.int)
    def _match(self) -> cython.int:
        """Match brackets, each of gold in order with the first free one; return the number of matches."""
        g: PairSide = self.gold
        s: PairSide = self.system
        sets: cython.bint = g.bits is not None or s.bits is not None
        many: cython.bint = self.repeats == ANY
        # Without gaps, brackets are in the order of their first slots.
        in_order: cython.bint = not (self.in_units or g.gaps or s.gaps)
        first: cython.int = 0  # the first bracket of the system that may match
        matched = 0
        for j in range(s.count):
            s.partner[j] = -1
            s.crosses[j] = 0
        for i in range(g.count):
            g.partner[i] = -1
            g.crosses[i] = 0
            start = g.start[i]
            end = g.end[i]
            if (self.in_units and start == end) or (self.repeats == FIRST and self._seen(g, i)):
                continue
            while in_order and first < s.count and s.start[first] < start:
                first += 1
            for j in range(first, s.count):
                if s.start[j] > start and in_order:
                    break
                if s.start[j] != start or s.end[j] != end or (s.partner[j] >= 0 and not many):
                    continue
                if sets and _bits(g, i) != _bits(s, j):
                    continue
                if self._equal(self.equal, g.name[i], s.name[j]):
                    matched += s.partner[j] < 0
                    g.partner[i] = j
                    if s.partner[j] < 0:
                        s.partner[j] = i
                    if not many:
                        break
        return matched

    @cython.cfunc
    @cython.locals(start=cython.int, end=cython.int, crossing=cython.int, a=cython.int, b=cython.int)
    def _cross(self) -> cython.int:
        """Mark the brackets of the system that cross one of gold; return their number.

        Brackets of gold cross each other only if they share a unit, and so do those that match them.
        """
        g: PairSide = self.gold
        s: PairSide = self.system
        sets: cython.bint = g.bits is not None or s.bits is not None
        crossing = 0
        for j in range(s.count):
            if s.partner[j] >= 0 and not self.in_units:
                continue
            start = s.start[j]
            end = s.end[j]
            other: object = _set(s, j) if sets else 0
            for i in range(g.count):
                a = g.start[i]
                b = g.end[i]
                if a >= end or b <= start:
                    continue
                crosses: cython.bint = (a < start and b < end) or (start < a and end < b)
                if sets and (_bits(g, i) or _bits(s, j)):
                    one = _set(g, i)
                    both = one & other
                    crosses = both != 0 and both != one and both != other
                if crosses:
                    s.crosses[j] = 1
                    crossing += 1
                    break
        return crossing

    @cython.cfunc
    def _count_gaps(self) -> tuple:
        """Return the brackets with gaps of gold and of the system, and those of gold that are matched."""
        g: PairSide = self.gold
        s: PairSide = self.system
        of_gold: list = [g.partner[i] >= 0 for i in range(g.count) if _bits(g, i)]
        of_system: list = [s.partner[i] >= 0 for i in range(s.count) if _bits(s, i)]
        # If brackets of gold may be taken more than once, as many of gold as of the system are matched.
        matched: cython.int = sum(of_system if self.repeats == ANY else of_gold)
        return len(of_gold) - sum(of_gold) + matched, len(of_system), matched

    # --- tags and length --------------------------------------------------------------------------------

    @cython.cfunc
    @cython.locals(tag=cython.int, other=cython.int, correct=cython.int, tagged=cython.int, i=cython.int)
    @cython.locals(others=cython.int)
    def _count_tags(self, units) -> tuple:
        """Return tagged words of both sides, correct ones, units of one word a side, and correct units."""
        g: PairSide = self.gold
        s: PairSide = self.system
        if not (g.tree.tagged and s.tree.tagged):
            return 0, 0, 0, 0, 0
        if self.in_units and self.tags == PAIRS:
            return self._count_pairs()
        correct = tagged = others = 0
        for k in range(g.length):
            i = g.word[k]
            tag = g.tag[i]
            if self.tags == TAGGED and tag < 0:
                continue
            tagged += 1
            if k < s.length:
                other = s.tag[s.word[k]]
                if tag == other or self._equal(self.equal_tags, self.tag.of(tag), self.tag.of(other)):
                    correct += 1
        for k in range(s.length):
            others += self.tags != TAGGED or s.tag[s.word[k]] >= 0
        if self.tags == PAIRS and (correct < tagged or g.length != s.length):
            return self._count_pairs()
        return tagged, others, correct, tagged, correct

    @cython.cfunc
    @cython.locals(n=cython.int, m=cython.int, correct=cython.int, shared=cython.int, same=cython.int)
    @cython.locals(one=cython.int, other=cython.int, rank=cython.longlong, second=cython.longlong)
    def _count_pairs(self) -> tuple:
        """Count pairs of word and tag as multisets: at the same place, then identical, then equal ones."""
        g: PairSide = self.gold
        s: PairSide = self.system
        n = g.length
        m = s.length
        shared = min(n, m)
        self._number_words_and_tags()
        gold: cython.p_int = g.number  # tags, then words
        system: cython.p_int = s.number
        correct = same = 0
        rest: list = []
        free: list = []
        for i in range(max(n, m)):
            if i < shared and self._rank(self.equal_tags, gold[i], system[i]) >= 0:
                same += 1
                if self._rank(self.equal_words, gold[n + i], system[m + i]) >= 0:
                    correct += 1
                    continue
            if i < n:
                rest.append(i)
            if i < m:
                free.append(i)
        # How often the system has each other pair of word and tag
        left: dict = {}
        for k in free:
            pair: tuple = (system[m + k], system[k])
            left[pair] = left.get(pair, 0) + 1
        for one in rest:
            pair = (gold[n + one], gold[one])
            if pair not in left and (self.equal_words is not None or self.equal_tags is not None):
                ranked: list = []
                for other_pair in left:
                    rank = self._rank(self.equal_words, gold[n + one], other_pair[0])
                    second = self._rank(self.equal_tags, gold[one], other_pair[1])
                    if rank >= 0 and second >= 0:
                        ranked.append((second, rank, other_pair))
                if ranked:
                    pair = min(ranked)[2]
            if pair in left:
                correct += 1
                left[pair] -= 1
                if not left[pair]:
                    del left[pair]
        if not self.in_units:  # each place is a unit
            return n, m, correct, shared, same
        # Units of one word a side
        block = array("i", bytes(16 * self.size + 16))
        words: cython.p_int = ints(block)  # number of words of gold, its last one; the same of the system
        for i in range(n):
            if g.slot[i] >= 0:
                words[4 * g.slot[i]] += 1
                words[4 * g.slot[i] + 1] = i
        for i in range(m):
            if s.slot[i] >= 0:
                words[4 * s.slot[i] + 2] += 1
                words[4 * s.slot[i] + 3] = i
        one = other = 0
        for i in range(self.size):
            if words[4 * i] == 1 and words[4 * i + 2] == 1:
                one += 1
                other += self._rank(self.equal_tags, gold[words[4 * i + 1]], system[words[4 * i + 3]]) >= 0
        return n, m, correct, one, other

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _rank(self, equal: dict | None, one: cython.longlong, other: cython.longlong) -> cython.longlong:
        """Return the rank of a number among those equal to another: 0 for itself, -1 if it is not equal."""
        if one == other:
            return 0
        if equal is None:
            return -1
        rank: cython.longlong = equal.get(one << 32 | other, -1)
        return rank

    @cython.cfunc
    @cython.locals(k=cython.int)
    def _number_words_and_tags(self):
        """Fill ``number`` of both sides: tags, then texts, or spellings where the words differ."""
        for side in (self.gold, self.system):
            one: PairSide = side
            for k in range(one.length):
                one.number[k] = self.tag.of(one.tag[one.word[k]])
                one.number[one.length + k] = one.text[one.word[k]]
        if self.in_units:
            words = self.spellings(_words(self.gold, True), _words(self.system, True))
            for side, spelled in zip((self.gold, self.system), words):
                one = side
                for k in range(one.length):
                    one.number[one.length + k] = spelled[k]

    @cython.cfunc
    @cython.locals(length=cython.int)
    def _length(self) -> cython.int:
        """Return the length: slots, and gold's dropped words unless their tags are unmeasured."""
        g: PairSide = self.gold
        length = self.size
        if self.own_length:
            return length
        for i in range(g.m):
            if not g.kept[i] and (g.all_read or g.read[i]):
                length += self.measured is None or self.measured.of(g.tag[i])
        if self.measured is not None:
            # Slots whose gold words all have unmeasured tags do not count.
            good: cython.p_int = g.number  # of each slot with words of gold: 2 if a tag is measured, else 1
            for k in range(g.length):
                good[k] = 0
            for k in range(g.length):
                if g.slot[k] >= 0:
                    good[g.slot[k]] = max(good[g.slot[k]], 1 + self.measured.of(g.tag[g.word[k]]))
            for k in range(g.length):
                length -= good[k] == 1
        return length


def picked(values: tuple, places) -> tuple:
    """Return some values; ``places`` is an ``array("i")``.  It costs a fifth of ``itemgetter``."""
    at: cython.p_int = ints(places)
    return tuple([values[at[i]] for i in range(len(places))])


def inverse(partners: list, count: cython.Py_ssize_t) -> list:
    """Return for each of ``count`` items the index in ``partners`` at which it is, or -1."""
    found: list = [-1] * count
    for i in range(len(partners)):
        if partners[i] >= 0:
            found[partners[i]] = i
    return found


def unmatched(partners: list) -> list:
    """Return the indices of the items whose partner is -1."""
    return [i for i in range(len(partners)) if partners[i] < 0]


def differing(first: tuple, second: tuple) -> list:
    """Return the indices at which two tuples of the same length differ."""
    return [i for i in range(len(first)) if first[i] != second[i]]


def by_label(gold: list, system: list, partners: list) -> dict:
    """Return for each label of two lists how often it is in each, and how many of these have a partner.

    ``partners`` has for each item of ``gold`` the index of its partner in ``system``, or -1.
    """
    places: dict = {}  # of each label the place of its numbers
    n: cython.Py_ssize_t = len(gold)
    every: list = gold + system
    block = array("i", bytes(20 * len(every)))
    counts: cython.p_int = ints(block)
    place_of: cython.p_int = ints(block, 4 * len(every))
    partner: cython.Py_ssize_t
    for i in range(len(every)):
        place = places.get(every[i])
        if place is None:
            place = places[every[i]] = 4 * len(places)
        place_of[i] = place
        counts[place_of[i] + (i >= n)] += 1
    for i in range(n):
        partner = partners[i]
        if partner >= 0:
            counts[place_of[i] + 2] += 1
            counts[place_of[n + partner] + 3] += 1
    at: cython.int = -4
    for label in places:  # in the order of their places
        at += 4
        places[label] = counts[at], counts[at + 1], counts[at + 2], counts[at + 3]
    return places


@cython.cfunc
def _words(side: PairSide, only_kept: cython.bint) -> list:
    """Return the words of a side, or those that stay."""
    texts: list = side.tree.names.texts
    if only_kept:
        return [texts[side.text[side.word[k]]] for k in range(side.length)]
    return [texts[side.text[i]] for i in range(side.m)]


@cython.cfunc
@cython.inline
def _bits(side: PairSide, index: cython.Py_ssize_t):
    """Return the slots of a bracket if they have gaps, else 0."""
    return 0 if side.bits is None else side.bits[index]


@cython.cfunc
def _set(side: PairSide, index: cython.Py_ssize_t):
    """Return the slots of a bracket."""
    one: object = 1
    return _bits(side, index) or (one << side.end[index]) - (one << side.start[index])
