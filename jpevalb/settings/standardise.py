"""Standardise: the words and brackets of both trees of a pair that count under a convention."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress
from operator import and_
from typing import Any

from ..kernels.brackets import constituents
from ..kernels.rules import BracketSums, BracketTable, KeptTree, Texts, kept_words
from ..trees.tree import EMPTY, Tree
from .convention import Convention, classes, cutter

NO_TAG = "\0"  # stands for the tag of a word without one, which is not the empty tag


class View:
    """The words and brackets of one tree, as the rules look at them."""

    def __init__(self, tree: Tree, texts: Texts, seen: dict[Any, Any]) -> None:
        """Read a tree.  ``texts`` are those of a run; the trees of one sentence share ``seen``."""
        self.tree, self._texts, self._seen = tree, texts, seen
        self.words = seen.setdefault(tree.words, tree.words)  # equal words are one object
        shape = tree.parents, tree.starts, tree.ends, tree.word_parents
        # Tags and labels are numbers of texts.
        self.tags = list(texts.all(tuple([NO_TAG if tag is None else tag for tag in tree.tags])))
        # Nodes without words, as in "(())", are no brackets to any tool.
        self.labels, self.starts, self.ends, self.nodes, _, self.yields = constituents(
            tree.labels, *shape, None, 0, texts.numbers, texts.add, False, 0, tree.tagged
        )
        self.has_root = bool(self.nodes) and self.nodes[0] == 0  # False for a tree that is one tag
        self._sides: dict[bytes, KeptTree] = {}  # cache: by the words that stay

    def tag_texts(self) -> list[str]:
        """Return the tag of each word."""
        texts = self._texts.texts
        return [texts[number] for number in self.tags]

    def labelled(self, labels: set[int]) -> list[int]:
        """Return the nodes with one of these labels, given by number."""
        if not labels or labels.isdisjoint(self.labels):
            return []
        return [node for node, label in zip(self.nodes, self.labels) if label in labels]

    def side(self, kept: bytes) -> KeptTree:
        """Return the tree without some words as ``BracketTable`` takes it."""
        side = self._sides.get(kept)
        if side is None:
            yields = None
            if self.yields is not None:
                yields = [self._yield(index, kept) for index in range(len(self.nodes))]
            side = KeptTree(self.labels, self.starts, self.ends, kept, yields, self.has_root)
            self._sides[kept] = side
        return side

    def _yield(self, index: int, kept: bytes) -> tuple[int, int, int] | None:
        """Return key, width and number of gaps of a yield over the kept words; ``None`` if it has none."""
        words = self.yields and self.yields[index]
        if not words:
            return None
        place = list(accumulate(kept, initial=0))
        bits = sum([1 << place[word] for word, keep in enumerate(kept) if keep and words >> word & 1])
        low, end = (bits & -bits).bit_length() - 1, bits.bit_length()
        if not bits:
            low = end = place[self.starts[index]]
        width = bits.bit_count()
        if end - low == width:
            return end * end + low, width, 0
        key = -1 - self._seen.setdefault(bits, len(self._seen))
        return key, width, (bits & ~(bits << 1)).bit_count() - 1


class WordRules:
    """Decides which words of a pair stay."""

    def __init__(self, convention: Convention, texts: Texts) -> None:
        self._rules, self._texts = convention, texts
        rules = convention
        self._by_gold = rules.decided_by == "gold"
        self._stays: list[bool] = []  # True for tags whose words stay
        self._cut = cutter(rules.cut if rules.cut_tags == "all" else "", rules.cut_at)
        self._subtrees = Subtrees(rules, texts)
        self._first = rules.root_children == "first"

    def kept(self, gold: View, system: View) -> tuple[bytes, bytes]:
        """Return for each word of both sides 1 if it stays, else 0."""
        full = self.own(gold)
        gold_read, system_read = self._subtrees.read(gold), self._subtrees.read(system)
        if self._by_gold:
            # Word by word, in the order in which the words of the system are read.
            decided = full if gold_read is None or self._first else bytes(compress(full, gold_read))
            kept = decided.ljust(len(system.words), b"\1")[: len(system.words)]
            if system_read is not None:
                rest = iter(kept)
                kept = bytes([read and next(rest) for read in system_read])
        else:
            kept = self.own(system)
        if gold_read is not None:
            full = bytes(map(and_, full, gold_read))
        if system_read is not None:
            kept = bytes(map(and_, kept, system_read))
        if self._rules.quote_tags and full.count(1) != kept.count(1):
            return self._with_quotes((gold, system), (full, kept))
        return full, kept

    def own(self, view: View) -> bytes:
        """Return the words that the tree's own tags and words keep."""
        kept: bytes = kept_words(view.tags, self._texts, self._stays, self._has_staying)
        words = self._rules.drop_words
        if words and not words.isdisjoint(view.words):
            kept = bytes([keep and word not in words for keep, word in zip(kept, view.words)])
        if self._rules.drop_below_root:
            kept = bytes([keep and not low for keep, low in zip(kept, below_root(view.tree))])
        return kept

    def _has_staying(self, tag: str) -> bool:
        """Return True if words with a tag stay."""
        name, only = self._cut(tag), self._rules.only_tags
        return name not in self._rules.drop_tags and (not only or name in only)

    def _with_quotes(self, views: Sequence[View], kept: Sequence[bytes]) -> tuple[bytes, bytes]:
        """Restore quotation marks that one side only has dropped, as evalb does (``fix_quote``)."""
        sides = list(map(bytearray, kept))
        drops = self._rules.drop_tags
        marks: list[list[list[Any]]] = []  # of each side: place among the kept words, word, tag
        for view, side in zip(views, kept):
            place = accumulate(side, initial=0)
            tagged = zip(place, range(len(side)), view.tag_texts(), view.words)
            marks.append(
                [[at, i, t] for at, i, t, w in tagged if t in self._rules.quote_tags and w in _QUOTES]
            )
        for index, mark in enumerate(marks[1]):
            at, place_of, tag = mark
            for other, (gold_at, gold_word, gold_tag) in enumerate(marks[0]):
                if gold_at != at or gold_tag == tag or (gold_tag in drops) == (tag in drops):
                    continue
                number, first, back = (0, other, gold_word) if gold_tag in drops else (1, index, place_of)
                sides[number][back] = True
                for later in marks[number][first:]:
                    later[0] += 1
        return bytes(sides[0]), bytes(sides[1])


_QUOTES = ("'", '"', "/")


def below_root(tree: Tree) -> list[bool]:
    """Return for each word True if its preterminal is a child of the root, as disco-dop counts roots."""
    parents, children = tree.parents, Counter([*tree.parents, *tree.word_parents])
    root = -1 if tree.below_root and cutter("^-=")(tree.labels[0]) not in VIRTUAL_ROOTS else 0
    return [parents[node] == root and children[node] == 1 for node in tree.word_parents]


VIRTUAL_ROOTS = frozenset(("", "TOP", "ROOT", "VROOT"))


class Subtrees:
    """Decides which subtrees are read: a convention may drop whole subtrees by the label of their node."""

    def __init__(self, rules: Convention, texts: Texts) -> None:
        # Numbers of labels: of nodes that are dropped, and of those of which only the first child is read.
        self._dropped = {texts.add(label) for label in rules.drop_whole}
        self._first = {texts.add(label) for label in rules.no_bracket if rules.root_children == "first"}

    def read(self, view: View) -> list[bool] | None:
        """Return a flag for each word, False inside subtrees that are not read; ``None`` if all are read."""
        if not (self._dropped or self._first):
            return None
        tree, dropped = view.tree, self._dropped
        words = None
        # A tree that is one tag keeps its word: its only child is a word.
        if dropped and not dropped.isdisjoint(view.tags) and len(tree) > 1:
            words = [tag not in dropped for tag in view.tags]
        gone = set()  # nodes that go with their words
        for node in view.labelled(self._first):
            if tree.parents.count(node) + tree.word_parents.count(node) > 1:
                for child in tree.children()[node][1:]:
                    if child < 0:
                        words = words or [True] * len(tree.words)
                        words[-1 - child] = False
                    else:
                        gone.add(child)
        for node in view.labelled(dropped):
            if node > 0 or [*tree.parents, *tree.word_parents].count(0) > 1:
                gone.add(node)
        if gone:
            inside = [False] * len(tree)
            for node, parent in enumerate(tree.parents):
                inside[node] = node in gone or (parent >= 0 and inside[parent])
            words = words or [True] * len(tree.words)
            words = [read and not inside[node] for read, node in zip(words, tree.word_parents)]
        return None if words is None or all(words) else words


def top_nodes(tree: Tree, is_one: Callable[[str], bool], *, keeps_root: bool = False) -> int:
    """Return the number of nodes with some label that are not below another such node."""
    inside: list[bool] = []
    count = 0
    only = keeps_root and [*tree.parents, *tree.word_parents].count(0) < 2
    for label, parent in zip(tree.labels, tree.parents):
        below = parent >= 0 and inside[parent]
        inside.append(below or (is_one(label) and not (only and parent < 0)))
        count += inside[-1] and not below
    return count


class BracketRules:
    """Names, keeps and counts brackets by the rules that some conventions share."""

    def __init__(self, conventions: Sequence[Convention], texts: Texts) -> None:
        self._rules = convention = conventions[0]
        self.sums = {one.repeats: BracketSums() for one in conventions}
        never = convention.no_bracket, convention.no_bracket | convention.no_bracket_system
        names = tuple([_Names(convention, labels).__getitem__ for labels in never])
        self._table = BracketTable(texts, names, convention.least, convention.whole, self.sums)
        self._subtrees = Subtrees(convention, texts)
        # True if the labels decide alone
        self._by_label = convention.least > 0 and convention.most_gaps is None and not convention.only_gaps

    def add(self, views: Sequence[View], sides: Sequence[KeptTree]) -> None:
        """Count the brackets of a pair, whose sides :meth:`View.side` returns."""
        if self._by_label:
            self._table.add(*sides, None, None)
        else:
            self._table.add(*sides, *map(self._skipped, views, sides))

    def nodes(self, view: View, kept: bytes, index: int) -> list[tuple[tuple[int, int], int]]:
        """Return the brackets of gold (0) or the system (1), with the numbers of their nodes.

        A bracket is the number of its name, and the key of its yield.
        """
        side = view.side(kept)
        brackets = self._table.nodes(side, self._skipped(view, side), index)
        return [(bracket, view.nodes[place]) for bracket, place in brackets]

    def _skipped(self, view: View, side: KeptTree) -> list[bool] | None:
        """Return for each node True if it is no bracket, whatever its label; ``None`` if there is none."""
        rules, yields = self._rules, side.yields
        if not rules.least and (read := self._subtrees.read(view)) is not None:
            # A bracket over dropped words counts, one in a subtree that is not read does not.
            skipped = [not any(read[start:end]) for start, end in zip(view.starts, view.ends)]
        elif not rules.only_gaps and (rules.most_gaps is None or not yields):
            return None
        else:
            skipped = [False] * len(view.nodes)
        most = rules.most_gaps
        gaps = [0 if one is None else one[2] for one in yields or [None] * len(skipped)]
        return [
            skip or (rules.only_gaps and not number) or (most is not None and number > most)
            for skip, number in zip(skipped, gaps)
        ]


class _Names(dict[str, "str | None"]):
    """Cache of the name that a label counts as; ``None`` if it is not a bracket."""

    def __init__(self, rules: Convention, never: frozenset[str]) -> None:
        self._rules, self._never = rules, never
        self._cut, self._equal = cutter(rules.cut, rules.cut_at), classes(rules.equal)
        # If only the first child of a root is read, its label is as written.
        self._skipped = rules.no_bracket if rules.root_children == "first" else frozenset[str]()

    def __missing__(self, label: str) -> str | None:
        name: str | None = self._cut(label)
        if name in self._never or label in self._skipped:
            name = None
        elif not self._rules.labeled:
            name = ""
        else:
            name = self._equal.get(str(name), name)
        self[label] = name
        return name


def tag_namer(convention: Convention) -> Callable[[str], str] | None:
    """Return the function that names a tag for comparison; ``None`` if tags do not count."""
    if convention.tags == "none":
        return None
    cut = cutter(convention.cut if convention.cut_tags else "", convention.cut_at)
    equal = classes(convention.equal) if convention.tags == "equal labels" else {}
    return lru_cache(100_000)(lambda tag: equal.get(cut(tag), cut(tag)))


def excluded(rules: Convention, views: Sequence[View], kept: Sequence[bytes]) -> str:
    """Return why a pair does not count, or an empty text."""
    gold, system = kept
    least, most = rules.words
    if rules.no_parse == "left out" and 1 not in system:
        return "no word of the system"
    if least or most is not None:
        length = gold.count(1)
        if length < least or (most is not None and length > most):
            return f"gold words: {length}"
    left, right = views[0].words, views[1].words
    if rules.compare == "no" or (gold == system and left is right):
        return ""
    if rules.compare == "number":
        alike = len(left) == len(right) and gold.count(1) == system.count(1)
    else:
        equal = classes(rules.equal_words)
        sides = zip((left, right), kept)
        first, second = ([equal.get(word, word) for word in compress(*side)] for side in sides)
        alike = first == second
    return "" if alike else UNLIKE


UNLIKE = "words differ"


class Standardiser:
    """Applies a convention to both trees of a pair.

    The trees that it returns have the words that stay, the brackets that count, and the tags, with the
    names that these count as.  Everything else is computed from these trees.
    """

    def __init__(self, rules: Convention, root: str) -> None:
        """``root`` is the label of a root over trees without one; it is not a bracket."""
        self.rules, self._root = rules, root
        self._texts = Texts()
        self._words, self._brackets = WordRules(rules, self._texts), BracketRules([rules], self._texts)
        # Labels match whatever they are, so they stay as written.
        self._shown = _Names(rules.replace(labeled=True), frozenset())
        self._tag_name = tag_namer(rules) or str
        self._last: tuple[View, ...] = ()  # of the last pair, for what was done to it

    def __call__(self, gold: Tree, system: Tree) -> tuple[Tree, Tree, str]:
        """Return both trees, and the reason if the pair does not count, else an empty text."""
        seen: dict[Any, Any] = {}
        self._last = views = View(gold, self._texts, seen), View(system, self._texts, seen)
        kept = self._words.kept(*views)
        brackets = [self._brackets.nodes(view, kept[side], side) for side, view in enumerate(views)]
        chosen = [{node: 1 for _, node in side} for side in brackets]
        if self.rules.repeats == "once":
            chosen = [dict.fromkeys(_first(side).values(), 1) for side in brackets]
        elif self.rules.repeats == "any":
            # Each bracket of the system that gold has is matched, so gold gets as many.
            times = Counter([key for key, _ in brackets[1]])
            shared = {node: times[key] for key, node in _first(brackets[0]).items() if key in times}
            rest = {node: 1 for key, node in brackets[0] if key not in times}
            chosen[0] = {**shared, **rest}
        built = [self._built(view, side, nodes) for view, side, nodes in zip(views, kept, chosen)]
        built = [one if view.tree.tagged else one.replace(tagged=False) for one, view in zip(built, views)]
        return built[0], built[1], excluded(self.rules, views, kept)

    def _built(self, view: View, kept: bytes, times: Mapping[int, int]) -> Tree:
        """Return the tree of the kept words, their tags, and some nodes, each repeated as often as given."""
        tree = view.tree
        names: dict[int, list[str]] = {
            node: [self._shown[tree.labels[node]] or ""] * times[node] for node in times
        }
        tagged = tree.preterminals
        for word, (node, tag) in enumerate(zip(tree.word_parents, map(self._tag_name, view.tag_texts()))):
            if kept[word] and node not in times and tagged[node]:
                names[node] = [tag]
        lowest: list[int] = []
        labels, parents = [self._root], [-1]
        sources = [0]  # the node of the tree for each new node
        for node, parent in enumerate(tree.parents):
            above = lowest[parent] if parent >= 0 else 0
            for label in names.get(node, ()):
                labels.append(label)
                parents.append(above)
                sources.append(node)
                above = len(labels) - 1
            lowest.append(above)
        words = list(compress(tree.words, kept))
        word_parents = [lowest[node] for node in compress(tree.word_parents, kept)]
        if parents.count(0) == 1 and 0 not in word_parents and len(labels) > 2 and word_parents.count(1) != 1:
            # The only top node is the root itself.
            del labels[0], parents[0], sources[0]
            parents = [parent - 1 for parent in parents]
            word_parents = [parent - 1 for parent in word_parents]
        if self.rules.least > 0 or not tree.labels or not tree.is_continuous:
            edges = [tree.edges[node] for node in sources] if tree.edges else ()
            return Tree.build(labels, parents, words, word_parents, tree.id, edges) if words else EMPTY
        # Brackets over dropped words keep their place.
        place = list(accumulate(kept, initial=0))
        starts, ends = (tuple([place[side[node]] for node in sources]) for side in (tree.starts, tree.ends))
        shape = tuple(labels), tuple(parents), starts, ends, tuple(words), tuple(word_parents)
        return Tree(*shape, tree.id)

    def done(self, source: Tree, tree: Tree) -> Iterator[tuple[str, int]]:
        """Yield what makes a standardised tree of its source, with counts."""
        rules = self.rules
        view = next((one for one in self._last if one.tree is source), None)
        view = view or View(source, self._texts, {})
        dropped = len(source.words) - len(tree.words)
        traces = view.tag_texts().count("-NONE-") if "-NONE-" in rules.drop_tags | rules.drop_whole else 0
        cut = cutter(rules.cut, rules.cut_at)
        yield from {
            "roots not counted": view.has_root and cut(source.labels[0]) in rules.no_bracket,
            "labels cut": sum(
                [cut(label) != label for label in [source.labels[node] for node in view.nodes]]
            ),
            "words dropped": dropped - min(dropped, traces),
            "traces removed": min(dropped, traces),
        }.items()
        if rules.drop_whole:
            yield "subtrees dropped", top_nodes(source, rules.drop_whole.__contains__, keeps_root=True)
        if rules.quote_tags:
            yield "quotes put back", max(0, len(tree.words) - sum(self._words.own(view)))

    def difference(self, gold: Tree, system: Tree) -> str:
        """Return in what the words of two trees differ."""
        if len(gold.words) != len(system.words):
            return f"{len(system.words)} words, but {len(gold.words)} in gold"
        pairs = zip(gold.words, system.words)
        first = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
        if first is None:
            return "other words are left out than in gold"
        return f"word {first + 1} is {system.words[first]!r}, but {gold.words[first]!r} in gold"


def _first(brackets: Sequence[tuple[tuple[int, int], int]]) -> dict[tuple[int, int], int]:
    """Return the first node of each bracket."""
    found: dict[tuple[int, int], int] = {}
    for key, node in brackets:
        found.setdefault(key, node)
    return found
