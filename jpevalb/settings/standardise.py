"""Standardise: the words and brackets of both trees of a pair that count under a convention."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, compress, islice
from operator import and_
from typing import Any, NamedTuple

from ..kernels.brackets import count_matches, looked_up, spans_over
from ..trees.tree import EMPTY, Tree
from .convention import Convention, cutter

NO_TAG = "\0"  # stands for the tag of a word without one, which is not the empty tag


class View:
    """The words and brackets of one tree, as the rules look at them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.words = tree.words
        self.tags = [NO_TAG if tag is None else tag for tag in tree.tags]
        tagged = tree.preterminals
        # Nodes without words, as in "(())", are no brackets to any tool.
        self.nodes = [
            i for i, (start, end) in enumerate(zip(tree.starts, tree.ends)) if start < end and not tagged[i]
        ]
        self.labels = [tree.labels[node] for node in self.nodes]
        self.has_root = bool(self.nodes) and self.nodes[0] == 0  # False for a tree that is one tag
        self.spans: dict[bytes, Spans] = {}  # cache: by the words that stay

    @cached_property
    def yields(self) -> list[int] | None:
        """Bit sets of words of the nodes; ``None`` for a continuous tree."""
        if self.tree.is_continuous:
            return None
        every = self.tree.yields()
        return [every[node] for node in self.nodes]

    @cached_property
    def ranges(self) -> tuple[list[int], list[int]]:
        """First words and last words + 1 of the nodes."""
        starts, ends = self.tree.starts, self.tree.ends
        return [starts[node] for node in self.nodes], [ends[node] for node in self.nodes]


class Spans(NamedTuple):
    """The yields of the nodes over the words that stay, which are numbered anew."""

    keys: list[int]  # of a range end * end + start, of a yield with gaps its bit set, negative
    widths: list[int]
    length: int  # number of words that stay


def spans_of(view: View, kept: bytes) -> Spans:
    """Return the yields of a tree's nodes over the kept words."""
    if kept not in view.spans:
        keys, widths, place = spans_over(kept, *view.ranges)
        for index, words in enumerate(view.yields or ()):
            bits = 0
            for word, keep in enumerate(kept):
                bits |= (keep and words >> word & 1) << place[word]
            low, end = (bits & -bits).bit_length() - 1, bits.bit_length()
            if not bits:
                low = end = place[view.ranges[0][index]]
            widths[index] = width = bits.bit_count()
            keys[index] = end * end + low if end - low == width else -bits
        view.spans[kept] = Spans(keys, widths, place[-1])
    return view.spans[kept]


def word_rules(convention: Convention) -> tuple[Any, ...]:
    """Return the rules that decide which words stay; equal ones are applied once."""
    first = convention.root_children == "first"
    return (
        *(convention.drop_whole, convention.drop_tags, convention.drop_words, convention.only_tags),
        *(convention.decided_by, convention.quote_tags, convention.root_children),
        *(convention.drop_below_root, convention.cut_at),
        convention.cut if convention.cut_tags == "all" else "",
        convention.no_bracket if first else None,
    )


class WordRules:
    """Decides which words of a pair stay."""

    def __init__(self, convention: Convention) -> None:
        self._rules = rules = convention
        self._by_gold = rules.decided_by == "gold"
        self._stays: dict[str, bool] = {}  # cache: by tag, True if its words stay
        self._cut = cutter(rules.cut if rules.cut_tags == "all" else "", rules.cut_at)
        self._subtrees = bool(rules.drop_whole) or rules.root_children == "first"
        self._first = rules.root_children == "first"

    def kept(self, gold: View, system: View) -> tuple[bytes, bytes]:
        """Return for each word of both sides 1 if it stays, else 0."""
        full = self.own(gold)
        gold_read, system_read = (
            _read(view, self._rules) if self._subtrees else None for view in (gold, system)
        )
        if self._by_gold:
            # Word by word, in the order in which the words of the system are read.
            decided = full if gold_read is None or self._first else bytes(compress(full, gold_read))
            kept = decided.ljust(len(system.words), b"\1")[: len(system.words)]
            if system_read is not None:
                rest = iter(kept)
                kept = bytes([read and next(rest) for read in system_read])
        else:
            kept = self.own(system)
        sides = [
            side if read is None else bytes(map(and_, side, read))
            for side, read in ((full, gold_read), (kept, system_read))
        ]
        if self._rules.quote_tags and sides[0].count(1) != sides[1].count(1):
            sides = self._with_quotes((gold, system), sides)
        return sides[0], sides[1]

    def own(self, view: View) -> bytes:
        """Return the words that the tree's own tags and words keep."""
        kept = bytes(looked_up(self._stays, self._has_staying, view.tags))
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

    def _with_quotes(self, views: Sequence[View], kept: Sequence[bytes]) -> list[bytes]:
        """Restore quotation marks that one side only has dropped, as evalb does (``fix_quote``)."""
        sides = list(map(bytearray, kept))
        drops = self._rules.drop_tags
        marks: list[list[list[Any]]] = []  # of each side: place among the kept words, word, tag
        for view, side in zip(views, kept):
            place = accumulate(side, initial=0)
            tagged = zip(place, range(len(side)), view.tags, view.words)
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
        return list(map(bytes, sides))


_QUOTES = ("'", '"', "/")


def below_root(tree: Tree) -> list[bool]:
    """Return for each word True if its preterminal is a child of the root, as disco-dop counts roots."""
    parents, children = tree.parents, Counter([*tree.parents, *tree.word_parents])
    root = -1 if tree.below_root and cutter("^-=")(tree.labels[0]) not in VIRTUAL_ROOTS else 0
    return [parents[node] == root and children[node] == 1 for node in tree.word_parents]


VIRTUAL_ROOTS = frozenset(("", "TOP", "ROOT", "VROOT"))


def _read(view: View, rules: Convention) -> list[bool] | None:
    """Return a flag for each word, False inside subtrees that are not read; ``None`` if all are read."""
    tree, whole = view.tree, rules.drop_whole
    words = [True] * len(tree.words)
    gone = set()
    if rules.root_children == "first":
        for node, label in zip(view.nodes, view.labels):
            if label in rules.no_bracket and tree.parents.count(node) + tree.word_parents.count(node) > 1:
                for child in tree.children()[node][1:]:
                    if child < 0:
                        words[-1 - child] = False
                    else:
                        gone.add(child)
    for node, label in zip(view.nodes, view.labels):
        if label in whole and (node > 0 or [*tree.parents, *tree.word_parents].count(0) > 1):
            gone.add(node)
    if gone:
        inside = [False] * len(tree)
        for node, parent in enumerate(tree.parents):
            inside[node] = node in gone or (parent >= 0 and inside[parent])
        words = [read and not inside[node] for read, node in zip(words, tree.word_parents)]
    if whole:
        # A tree that is one tag keeps its word: its only child is a word.
        single = len(tree) == 1
        words = [read and (single or tag not in whole) for read, tag in zip(words, view.tags)]
    return None if all(words) else words


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


def bracket_rules(convention: Convention) -> tuple[Any, ...]:
    """Return the rules that name and keep brackets; equal ones are applied once."""
    return (
        *(convention.cut, convention.cut_at, convention.equal, convention.labeled, convention.no_bracket),
        *(convention.no_bracket_system, convention.least, convention.whole, convention.most_gaps),
        convention.only_gaps,
    )


class BracketRules:
    """Names and keeps the brackets of a tree."""

    def __init__(self, convention: Convention) -> None:
        self._rules = convention
        self._known: dict[str, int] = {}  # number of each name
        never = convention.no_bracket, convention.no_bracket | convention.no_bracket_system
        self._names = [_Names(convention, labels) for labels in never]
        self._numbers: list[dict[str, int]] = [{}, {}]  # caches of both sides: by label

    def count(self, views: Sequence[View], spans: Sequence[Spans]) -> dict[str, tuple[int, int, int]]:
        """Return matched, gold and system brackets of a pair by the rule ``repeats``."""
        sides = [self._side(view, spans[side], side) for side, view in enumerate(views)]
        return count_matches(*sides, len(self._known))  # type: ignore[no-any-return]

    def nodes(self, view: View, spans: Spans, side: int) -> list[tuple[tuple[int, int], int]]:
        """Return the brackets of a side, 0 for gold and 1 for the system, with the numbers of their nodes.

        A bracket is the number of its name, and the key of its yield.
        """
        names, keys, widths, first, least, most = self._side(view, spans, side)
        return [
            ((name, key), node)
            for name, key, width, node in islice(zip(names, keys, widths, view.nodes), first, None)
            if name >= 0 and least <= width <= most
        ]

    def _side(self, view: View, spans: Spans, side: int) -> tuple[Any, ...]:
        """Return the brackets of a side as :func:`count_matches` takes them."""
        keys, widths, length = spans
        rules = self._rules
        if not rules.least and (read := _read(view, rules)) is not None:
            # A bracket over dropped words counts, one in a subtree that is not read does not.
            spanned = zip(*view.ranges)
            widths = [width if any(read[a:b]) else -1 for width, (a, b) in zip(widths, spanned)]
        if rules.only_gaps:
            widths = [-1 if key >= 0 else width for key, width in zip(keys, widths)]
        if rules.most_gaps is not None and view.yields is not None:
            widths = [-1 if _gaps(key) > rules.most_gaps else width for key, width in zip(keys, widths)]
        first = int(rules.whole == "drop root" and view.has_root)
        most = length - 1 if rules.whole == "drop all" else length
        names = looked_up(self._numbers[side], partial(self._number, side), view.labels)
        return names, keys, widths, first, rules.least, most

    def _number(self, side: int, label: str) -> int:
        """Return the number of the name that a label of a side counts as, -1 if it is no bracket."""
        name = self._names[side][label]
        return -1 if name is None else self._known.setdefault(name, len(self._known))


def _gaps(key: int) -> int:
    return 0 if key >= 0 else (-key & ~(-key << 1)).bit_count() - 1


def classes(equal: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the name that each label in some pairs counts as: that of the second, transitively."""
    names: dict[str, str] = {}
    for first, second in equal:
        old, new = names.setdefault(first, first), names.setdefault(second, second)
        names.update({label: new for label, name in names.items() if name == old})
    return names


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


def tag_names(convention: Convention) -> Callable[[list[str]], list[str]] | None:
    """Return the function that names the tags of kept words for comparison; ``None`` if tags do not count."""
    if convention.tags == "none":
        return None
    cut = cutter(convention.cut if convention.cut_tags else "", convention.cut_at)
    equal = classes(convention.equal) if convention.tags == "equal labels" else {}
    known: dict[str, str] = {}
    return lambda tags: looked_up(known, lambda tag: equal.get(cut(tag), cut(tag)), tags)


def excluded(rules: Convention, views: Sequence[View], kept: Sequence[bytes]) -> str:
    """Return why a pair does not count, or an empty text."""
    gold_length, system_length = [side.count(1) for side in kept]
    least, most = rules.words
    if rules.no_parse == "left out" and not system_length:
        return "no word of the system"
    if gold_length < least or (most is not None and gold_length > most):
        return f"gold words: {gold_length}"
    left, right = [view.words for view in views]
    if rules.compare == "no" or (left == right and kept[0] == kept[1]):
        return ""
    if rules.compare == "number":
        alike = len(left) == len(right) and gold_length == system_length
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
        self._words, self._brackets = WordRules(rules), BracketRules(rules)
        # Labels match whatever they are, so they stay as written.
        self._shown = _Names(rules.replace(labeled=True), frozenset())
        self._tag_names = tag_names(rules) or list
        self._last: tuple[View, ...] = ()  # of the last pair, for what was done to it

    def __call__(self, gold: Tree, system: Tree) -> tuple[Tree, Tree, str]:
        """Return both trees, and the reason if the pair does not count, else an empty text."""
        self._last = views = View(gold), View(system)
        kept = self._words.kept(*views)
        spans = [spans_of(view, side) for view, side in zip(views, kept)]
        brackets = [self._brackets.nodes(view, spans[side], side) for side, view in enumerate(views)]
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
        for word, (node, tag) in enumerate(zip(tree.word_parents, self._tag_names(view.tags))):
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
        view = next((one for one in self._last if one.tree is source), None) or View(source)
        dropped = len(source.words) - len(tree.words)
        traces = view.tags.count("-NONE-") if "-NONE-" in rules.drop_tags | rules.drop_whole else 0
        cut = cutter(rules.cut, rules.cut_at)
        yield from {
            "roots not counted": view.has_root and cut(view.labels[0]) in rules.no_bracket,
            "labels cut": sum([cut(label) != label for label in view.labels]),
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
