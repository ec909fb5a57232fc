"""The counting rules of a run, compiled for the kernel ``counting``; labels, and trees of what counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import accumulate, compress
from threading import local
from typing import Any

from ..base.errors import SettingsError
from ..kernels.columns import Columns, Names, build, current_names, without
from ..kernels.counting import Rules, TextTable
from ..trees.prepare import TRACE as TRACE
from ..trees.tree import EMPTY, Constituent, Tree
from ..trees.words import alike
from .convention import Convention
from .settings import Settings


class _Mark(str):
    """A label that equals only itself, unlike any label of a file."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce__(self) -> str:
        return "DUMMY_ROOT"


DUMMY_ROOT = _Mark("@S")  # label of the root over the sentences of one bead
UNCOUNTED = frozenset(("", "TOP", "ROOT", DUMMY_ROOT))  # never constituents (design of Jo et al. 2024)


@cache
def cutter(cut: str, cut_at: frozenset[str] = frozenset()) -> Callable[[str], str]:
    """Return the function that cuts labels by the rules ``cut`` and ``cut_at`` of a :class:`Convention`."""
    how, marks = cut[:1], cut[1:]
    if cut_at:
        rest = cutter(cut)
        return lru_cache(100_000)(lambda label: rest(label[: end_of(label, cut_at)[0]]))

    def at_first(label: str) -> str:
        for mark in marks:
            at = label.find(mark)
            if at > 0 or (at == 0 and how == "^"):
                label = label[:at]
        return label

    def basic(label: str) -> str:
        for index, mark in enumerate(label):
            if not index or mark not in marks:
                continue
            again = index > 1 and mark == label[0] and mark not in label[1:index]
            if not again:
                return label[:index]
        return label

    return str if not cut else lru_cache(100_000)(basic if how == "~" else at_first)


def end_of(label: str, marks: Iterable[str]) -> tuple[int, str]:
    """Return the end of a label at one of the marks, and the mark; an empty mark if the label has none."""
    return min([(label.find(mark, 1), mark) for mark in marks if mark in label[1:]], default=(len(label), ""))


cut = cutter("^-=")
"""Return a label up to its first ``-`` or ``=``, without function tags and indices."""


def neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return for each label the labels that it is paired with: symmetric, not transitive."""
    neighbours: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            neighbours.setdefault(first, {})[second] = None
            neighbours.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in neighbours.items()}


def classes(equal: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the name that each label in some pairs counts as: that of the second, transitively."""
    names: dict[str, str] = {}
    for first, second in equal:
        old, new = names.setdefault(first, first), names.setdefault(second, second)
        names.update({label: new for label, name in names.items() if name == old})
    return names


def representatives(equal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each label the alphabetically first label connected to it."""
    names = classes([(label, other) for label, others in equal.items() for other in others])
    first = {names[label]: label for label in sorted(names, reverse=True)}
    return {label: first[name] for label, name in names.items()}


def closed(equal: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the transitive closure of an equality."""
    names = sorted(representatives(equal).items())
    return {
        label: tuple([other for other, first in names if first == name and other != label])
        for label, name in names
    }


def with_equal_words(exceptions: Mapping[str, str], equal: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Add EQ_WORD to an exception list: equal words, transitively, get one comparison text."""
    if not equal:
        return exceptions
    texts: dict[str, str] = {}
    for word, first in representatives(equal).items():
        text = first.lower()
        texts[word.lower()] = exceptions.get(text, text)
    return {**{word: texts.get(text, text) for word, text in exceptions.items()}, **texts}


def without_words(tree: Tree, kept: Sequence[bool]) -> tuple[Tree, list[int]]:
    """Return the tree without some words and the nodes that become empty, and the node that each node was."""
    if not any(kept):
        return EMPTY, []
    columns, sources = without(tree.columns, list(kept))
    edges = tuple([tree.edges[node] for node in sources]) if tree.edges else ()
    return Tree.of_columns(columns, tree.id, edges if any(edges) else ()), sources


def shortened(tree: Tree, marks: frozenset[str]) -> Tree:
    """Return the tree with tags cut at marks, and ``-`` for such a mark in other labels."""
    if not marks:
        return tree
    labels = []
    for label, is_tag in zip(tree.labels, tree.preterminals):
        end, mark = end_of(label, marks)
        if mark:
            rest = "" if is_tag else "-" + label[end + len(mark) :].replace(mark, "-")
            label = label[:end] + rest
        labels.append(label)
    return tree.replace(labels=tuple(labels))


def of_brackets(
    tree: Tree,
    kept: Sequence[bool],
    times: Mapping[int, int],
    rules: Convention,
    tag_name: Callable[[str], str],
) -> tuple[Tree, list[int]]:
    """Return the tree of the words and brackets that count for a tool, and the node that each node was.

    Its labels and tags are those that count.  ``times`` has for each node that counts how often it is
    repeated.
    """
    short, equal = cutter(rules.cut, rules.cut_at), classes(rules.equal)
    labels = {node: short(tree.labels[node]) for node in times}
    names = {node: [equal.get(label, label)] * times[node] for node, label in labels.items()}
    tagged = tree.preterminals
    for keep, node in zip(kept, tree.word_parents):
        if keep and tagged[node]:
            names.setdefault(node, []).append(tag_name(tree.labels[node]))
    lowest: list[int] = []
    new: list[str] = [DUMMY_ROOT]  # labels of the nodes
    parents, sources = [-1], [0]
    for node, parent in enumerate(tree.parents):
        above = lowest[parent] if parent >= 0 else 0
        for label in names.get(node, ()):
            new.append(label)
            parents.append(above)
            sources.append(node)
            above = len(new) - 1
        lowest.append(above)
    words = list(compress(tree.words, kept))
    word_parents = [lowest[node] for node in compress(tree.word_parents, kept)]
    if parents.count(0) == 1 and 0 not in word_parents and len(new) > 2 and word_parents.count(1) != 1:
        # The only top node is the root itself.
        del new[0], parents[0], sources[0]
        parents = [parent - 1 for parent in parents]
        word_parents = [parent - 1 for parent in word_parents]
    if rules.least > 0 or not tree.labels or not tree.is_continuous:
        if not words:
            return EMPTY, []
        # Where there are gaps, children may change places with their first words.
        _, _, columns, order = build(current_names(), new, parents, words, word_parents)
        sources = [sources[node] for node in order]
        edges = tuple([tree.edges[node] for node in sources]) if tree.edges else ()
        made = Tree.of_columns(columns, tree.id, edges if any(edges) else ())
        return made if tree.tagged else made.replace(tagged=False), sources
    # Brackets over dropped words keep their place.
    place = list(accumulate(kept, initial=0))
    starts, ends = (tuple([place[side[node]] for node in sources]) for side in (tree.starts, tree.ends))
    shape = tuple(new), tuple(parents), starts, ends, tuple(words), tuple(word_parents)
    return Tree(*shape, tree.id, tagged=tree.tagged), sources


def _top_nodes(tree: Tree, is_one: Callable[[str], bool]) -> int:
    """Return the number of nodes with some label, none below another; a root with one child is none."""
    inside: list[bool] = []
    count = 0
    only = [*tree.parents, *tree.word_parents].count(0) < 2
    for label, parent in zip(tree.labels, tree.parents):
        below = parent >= 0 and inside[parent]
        inside.append(below or (is_one(label) and not (only and parent < 0)))
        count += inside[-1] and not below
    return count


QUOTES = ("'", '"', "/")
VIRTUAL_ROOTS = frozenset(("", "TOP", "ROOT", "VROOT"))
# Brackets cannot hold the tag $( of German treebanks, so tools write it as $[.
_SAME_TAG = ("$(", "$[")


class RunRules:
    """The rules of a run: one row of ``Convention``, with the changes by a .prm and by options.

    Bracket labels are cut before they are compared, tags under some conventions only.  A bracket is deleted
    if its label is a DELETE_LABEL or equal to one, a word if its tag is exactly a DELETE_LABEL.
    """

    def __init__(self, settings: Settings, row: Convention | None = None) -> None:
        """Compile the rules of some settings, or another row in their place; reads the .prm."""
        self._settings, self._row = settings, row
        self.convention = rules = settings.rules() if row is None else row
        self.is_tool = settings.tool
        row = settings.row
        # The rules that differ from those of jpevalb, apart from those that aligned words may have
        others = [name for name in _IN_ORDER if getattr(rules, name) != getattr(row, name)]
        if (rules.least, rules.whole) not in ((1, "keep"), (2, "drop all")):
            others.append("least" if rules.least > 1 else "whole")
        if rules.repeats not in ("each", "once"):
            others.append("repeats")
        in_order = others if rules.words == row.words else [*others, "words"]
        if in_order and not self.is_tool and row.compare == "aligned":
            raise SettingsError(
                f"rule {in_order[0].replace('_', '-')} needs words that are compared in order; "
                f"give convention={str(settings.convention).replace('jpevalb', 'discontinuous', 1)!r}"
            )
        #: True if metrics take trees of the words and brackets that count, with the names that count
        self.standardises = self.is_tool or bool(others)
        #: True if some words may be deleted
        self.deletes_words = any(
            (rules.drop_tags, rules.only_tags, rules.drop_words, rules.drop_below_root, rules.drop_whole)
        )
        self._never_aligned = rules.drop_tags & {TRACE}
        self.unlabeled = not rules.labeled  # all bracket labels count as one
        #: function that returns a label as lists of constituents show it
        self.shown: Callable[[str], str] = str if self.standardises and not self.unlabeled else cut
        # True if a sentence without constituents on either side has F1 1, by a tool even without a parse
        self.empty_has_f1 = settings.empty_f1 == "one" or rules.mean == "sentences"
        # Smallest and largest number of gold words; a tool leaves out other sentences
        self.lengths = (0, None) if self.is_tool else rules.words
        # Trees by the rules of a tool have the names that count, so that nothing else is equal or deleted.
        of_mode = Convention.of("own") if self.standardises else rules
        self.deleted = of_mode.drop_tags  # of words
        self.dropped = of_mode.drop_whole  # labels of subtrees
        equal, self.equal_words = neighbours(of_mode.equal), neighbours(of_mode.equal_words)
        if settings.discontinuous:
            equal, self.equal_words = closed(equal), closed(self.equal_words)
        self.equal_brackets = {} if self.unlabeled else equal
        self.equal_tags = {**neighbours([_SAME_TAG]), **equal}  # for a tag the other tags equal to it
        deleted = rules.drop_tags & rules.no_bracket
        self._gone = deleted.union(*[self.equal_tags.get(label, ()) for label in deleted])
        self.seen_deleted = False  # True once a deleted label or tag has occurred
        self._of_thread = local()
        #: function that returns the name that equal labels of scored trees share
        self.representative = lru_cache(100_000)(self._representative)

    def __reduce__(self) -> tuple[Any, ...]:
        return RunRules, (self._settings, self._row)

    def empty_is_complete(self, parsed: bool) -> bool:
        """Return True if a sentence without constituents on either side is a complete match."""
        by_tool = self.convention.empty == "complete" and self.is_tool
        return by_tool or (self.convention.empty != "incomplete" and parsed)

    @cached_property
    def representatives(self) -> dict[str, str]:
        """For each bracket label with equal ones, the name of its group."""
        equal = self.equal_brackets
        names: dict[str, str] = {}
        for label, others in equal.items():
            group = {label, *others}
            # Equality need not be transitive; if it is not, labels stand for themselves.
            alike = all({other, *equal.get(other, ())} == group for other in group)
            names[label] = min(group) if alike else label
        return names

    @cached_property
    def without_labels(self) -> RunRules:
        """Rules that compare sets of unlabelled constituents without the trivial ones."""
        least = max(2, self.convention.least)
        row = self.convention.replace(labeled=False, repeats="once", whole="drop all", least=least)
        return RunRules(self._settings, row)

    def resolve(self, label: str) -> str | None:
        """Return the name that the label of a scored tree counts as; ``None`` if it does not count."""
        name = label if self.standardises else cut(label)
        if label is DUMMY_ROOT or (
            not self.standardises and (name in self._gone or name in self.convention.no_bracket)
        ):
            return None
        return "" if self.unlabeled else name

    def _representative(self, label: str) -> str:
        name = self.resolve(label) or ""
        return self.representatives.get(name, name)

    @cached_property
    def tag_name(self) -> Callable[[str], str]:
        """The function that returns what a tag counts as."""
        if self.standardises:
            return _tag_namer(self.convention) or str
        return cutter("", self.convention.cut_at)

    def kernel(self, names: Names | None = None) -> Rules:
        """Return the compiled rules of this thread for a table of texts, by default the current one."""
        names = current_names() if names is None else names
        known = getattr(self._of_thread, "known", None)
        if known is None or known[0] is not names:
            known = self._of_thread.known = names, self._compiled(names)
        return known[1]

    def aligned(self, tree: Tree) -> list[bool]:
        """Return for each word of a tree True if it is aligned, so not a deleted trace."""
        if not self._never_aligned:
            return [True] * len(tree.words)
        return [tag is None or self.tag_name(tag) not in self._never_aligned for tag in tree.tags]

    def aligned_words(self, tree: Tree) -> tuple[str, ...]:
        return tuple(compress(tree.words, self.aligned(tree))) if self._never_aligned else tree.words

    def agree(self, gold: Tree, system: Tree) -> bool:
        """Return True if two trees have the same words, all of them or those that their own tags keep."""
        names = current_names()
        return bool(self.kernel(names).agree(gold.columns.moved(names), system.columns.moved(names)))

    def constituents(self, tree: Columns, kept: Sequence[bool]) -> list[Constituent]:
        """Return the constituents of a tree over the words that stay; labels are those that count."""
        tree = tree.moved(current_names())
        names, numbers, starts, ends, gaps = self.kernel().constituents(tree, list(kept))
        labels = [tree.names.texts[name] for name in names]
        return list(map(Constituent, labels, starts, ends, numbers, gaps or [0] * len(labels)))

    def changes(self, tree: Tree, words: int) -> list[tuple[str, int]]:
        """Return what the rules change in a tree that keeps some words, with counts."""
        rules, columns = self.convention, tree.columns
        found = []
        if dropped := columns.words - words:
            drops_traces = TRACE in rules.drop_tags or (self.standardises and TRACE in rules.drop_whole)
            traces = min(dropped, columns.count_tag(TRACE)) if drops_traces else 0
            found = [("words dropped", dropped - traces), *([("traces removed", traces)] if traces else [])]
        if rules.drop_whole:
            short = str if self.standardises else cut
            subtrees = _top_nodes(tree, lambda label: short(label) in rules.drop_whole)
            found.append(("subtrees dropped", subtrees))
        if not self.standardises:
            if rules.cut_at:
                labels = [label for label in tree.labels if end_of(label, rules.cut_at)[1]]
                found.append(("labels cut", len(labels)))
            return found
        short, texts = cutter(rules.cut, rules.cut_at), columns.names.texts
        numbers, _, starts, ends, *_ = columns.lists()
        labels = [texts[number] for number, start, end in zip(numbers, starts, ends) if start < end]
        found.append(("labels cut", sum([short(label) != label for label in labels])))
        is_left_out = bool(labels) and ends[0] > 0 and short(labels[0]) in rules.no_bracket
        found.append(("roots not counted", int(is_left_out)))
        if rules.quote_tags:
            own = self.kernel().own(columns.moved(current_names()))
            found.append(("quotes put back", max(0, words - sum(own))))
        return found

    def _compiled(self, names: Names) -> Rules:
        rules, settings = self.convention, self._settings
        given: dict[str, Any] = {
            "seen": partial(setattr, self, "seen_deleted", True),
            "misses_empty": not self.is_tool or rules.unlike == "stop",
            "tags": "tagged" if settings.identical_words else "pairs",
        }
        name = self.tag_name
        if not self.is_tool:
            given |= {"is_tool": False, "words": (0, None)}
            if rules.compare == "aligned":
                given |= {
                    "never_aligned": lambda tag: name(tag) in self._never_aligned,
                    "alike": None,
                    "spellings": lambda gold, system: [
                        list(map(names.number, side)) for side in alike(tuple(gold), tuple(system))
                    ],
                }
            else:
                given["alike"] = lambda gold, system: self.difference(gold, system) < 0
                if rules.decided_by == "gold":
                    given["decided_by"] = "alike"
        if not self.standardises:
            given["never"] = self._gone
        if self.standardises or settings.discontinuous:
            # Equality is transitive, so equal labels and tags have one name.
            one_of = classes([*([] if self.standardises else rules.equal), _SAME_TAG])
            given["tag"] = lambda tag: one_of.get(name(tag), name(tag))
        else:
            given |= {
                "tag": name,
                "equal": _ranked(self.equal_brackets, names),
                "equal_tags": _ranked(self.equal_tags, names),
                "equal_words": _ranked(self.equal_words, names),
            }
        if not settings.has_tags:
            given["tag"] = None
        return _compiled(rules, names, shown=self.shown, **given)

    def difference(self, gold: Sequence[str], system: Sequence[str]) -> int:
        """Return the index of the first word that differs, as jpevalb compares words; -1 for none."""
        keys = alike(tuple(gold), tuple(system))
        equal = closed(neighbours(self.convention.equal_words)) if self.standardises else self.equal_words
        for index, (word, other, key, other_key) in enumerate(zip(gold, system, *keys)):
            if key != other_key and other not in equal.get(word, ()):
                return index
        return -1 if len(gold) == len(system) else min(len(gold), len(system))


# Rules that need words that are compared in order if they are not those of the convention jpevalb
_IN_ORDER = (
    *("cut", "cut_tags", "no_bracket_system", "root_children", "only_tags", "decided_by", "no_parse"),
    *("compare", "unlike", "mean", "tags", "bare_tags"),
)


def _ranked(equal: Mapping[str, Sequence[str]], names: Names) -> dict[int, int] | None:
    """Return the pairs of equal texts as numbers, with the rank of the second; ``None`` if there are none."""
    found = {
        names.number(text) << 32 | names.number(other): rank
        for text, others in equal.items()
        for rank, other in enumerate(others, 1)
    }
    return found or None


def of_tool(row: Convention, names: Names) -> Rules:
    """Return the compiled rules of a tool; texts are numbers of ``names``."""
    return _compiled(row, names, tag=_tag_namer(row))


def _compiled(
    row: Convention,
    names: Names,
    *,
    is_tool: bool = True,
    never: frozenset[str] = frozenset(),  # more labels that are never brackets
    tag: Callable[[str], str] | None = None,
    shown: Callable[[str], str] = str,
    never_aligned: Callable[[str], bool] | None = None,
    seen: Callable[[], None] = lambda: None,  # called once a label or tag occurs that is deleted
    **rules: Any,
) -> Rules:
    """Return the tables and rules of a row, as the kernel takes them."""
    cut_label = cutter(row.cut, row.cut_at)
    equal = {} if "equal" in rules else classes(row.equal)
    words = classes(row.equal_words)

    def agree(gold: list[str], system: list[str]) -> bool:
        return [words.get(word, word) for word in gold] == [words.get(word, word) for word in system]

    as_written = row.no_bracket if row.root_children == "first" else frozenset[str]()
    deleted = never | (row.no_bracket & row.drop_tags)

    def namer(never: frozenset[str]) -> Callable[[str], int]:
        def name(label: str) -> int:
            short = cut_label(label)
            if short in deleted:
                seen()
            if label is DUMMY_ROOT or short in never or label in as_written:
                return -1
            return int(names.number(equal.get(short, short) if row.labeled else ""))

        return name

    def watched(is_one: Callable[[str], bool]) -> Callable[[str], bool]:
        def found(text: str) -> bool:
            if is_one(text):
                seen()
                return True
            return False

        return found

    # Before tags are compared they are cut by these rules only.
    tag_end, whole_end = cutter("", row.cut_at), str if is_tool else cut
    kept, unmeasured = row.only_tags, row.unmeasured
    short = cutter(row.cut, row.cut_at) if row.cut_tags == "all" else tag_end
    tables: dict[str, Callable[[str], int] | None] = {
        "name": namer(never | row.no_bracket),
        "system_name": namer(never | row.no_bracket | row.no_bracket_system)
        if row.no_bracket_system
        else None,
        "dropped": watched(lambda tag: short(tag) in row.drop_tags or bool(kept and short(tag) not in kept))
        if row.drop_tags or kept
        else None,
        "dropped_word": watched(row.drop_words.__contains__) if row.drop_words else None,
        "never_aligned": never_aligned if TRACE in row.drop_tags else None,
        "hidden_root": (lambda label: cut(label) in VIRTUAL_ROOTS) if row.drop_below_root else None,
        "whole": watched(lambda label: whole_end(label) in row.drop_whole) if row.drop_whole else None,
        "first": row.no_bracket.__contains__ if row.root_children == "first" else None,
        "quote": row.quote_tags.__contains__ if row.quote_tags and is_tool else None,
        "quote_word": QUOTES.__contains__ if row.quote_tags and is_tool else None,
        "tag": (lambda text: names.number(tag(text))) if tag else None,
        "shown": lambda text: names.number(shown(text)),
        "measured": (lambda tag: tag_end(tag) not in unmeasured) if unmeasured else None,
        "bare": row.bare_tags.__contains__ if row.bare_tags else None,
    }
    given: dict[str, Any] = {name: getattr(row, name) for name in _AS_THEY_ARE}
    given |= {"alike": agree if words else None, "own_length": unmeasured is None, "subtrees_last": is_tool}
    learnt = {name: TextTable(names.texts, learn) for name, learn in tables.items() if learn is not None}
    return Rules(learnt, **{**given, **rules})


# The rules that the kernel takes as they are
_AS_THEY_ARE = (
    *("drop_below_root", "decided_by", "compare", "least", "whole", "most_gaps", "only_gaps", "repeats"),
    *("empty", "no_parse", "unlike", "words"),
)


def _tag_namer(row: Convention) -> Callable[[str], str] | None:
    """Return the function that names a tag for comparison; ``None`` if tags do not count."""
    if row.tags == "none":
        return None
    short = cutter(row.cut if row.cut_tags else "", row.cut_at)
    equal = classes(row.equal) if row.tags == "equal labels" else {}
    return lambda tag: equal.get(short(tag), short(tag))
