"""Pairs: the gold and system side of a bead, the input of metrics, and the constituents that match."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, compress, count, islice
from operator import is_not, ne
from typing import Any, NamedTuple

from ..base.errors import LeftOutError, TreeError
from ..base.text import counted
from ..kernels.columns import Columns, current_names
from ..kernels.counting import COUNTED, DROPPED, UNLIKE, Rules, inverse, unmatched
from ..settings.rules import DUMMY_ROOT, RunRules, of_brackets, shortened, without_words
from ..trees.parse import REWRITTEN
from ..trees.prepare import PREPARED
from ..trees.sentence import Sentence
from ..trees.tree import EMPTY, Constituent, Tree, side_by_side
from ..trees.words import NO_EXCEPTIONS
from . import Bead, Unit, with_unaligned


class Constituents(NamedTuple):
    """The constituents of one side of a pair, column by column: the fields of :class:`Constituent`."""

    labels: list[str]
    starts: list[int]
    ends: list[int]
    nodes: list[int]
    gaps: list[int]

    def at(self, indices: Iterable[int]) -> list[Constituent]:
        """Return some constituents as objects."""
        return [Constituent._make([column[index] for column in self]) for index in indices]


class Matching:
    """The constituents of both sides of a pair and their matches; labels have no function tags."""

    def __init__(self, sides: Sequence[Constituents], partners: list[int], crossed: list[bool]) -> None:
        self.sides = sides
        self.partners = partners  # for each gold constituent the index of its system constituent, or -1
        self.crossed = crossed  # for each system constituent True if it crosses a gold one

    @cached_property
    def gold(self) -> list[Constituent]:
        """Gold constituents."""
        return list(map(Constituent._make, zip(*self.sides[0])))

    @cached_property
    def system(self) -> list[Constituent]:
        """System constituents."""
        return list(map(Constituent._make, zip(*self.sides[1])))

    @property
    def matched(self) -> list[tuple[Constituent, Constituent]]:
        """Gold and system constituent of each match."""
        pairs = zip(self.gold, self.partners)
        return [(item, self.system[partner]) for item, partner in pairs if partner >= 0]

    @cached_property
    def system_partners(self) -> list[int]:
        """For each system constituent the index of its gold constituent, or -1."""
        return inverse(self.partners, len(self.crossed))

    @cached_property
    def missed(self) -> list[Constituent]:
        """Gold constituents without a match."""
        return self.sides[0].at(unmatched(self.partners))

    @cached_property
    def extra(self) -> list[Constituent]:
        """System constituents without a match."""
        return self.sides[1].at(unmatched(self.system_partners))

    @property
    def crossing(self) -> list[Constituent]:
        """System constituents that cross a gold constituent, matched or not."""
        return self.sides[1].at(compress(count(), self.crossed))

    def picked(self, places: Iterable[Iterable[int]]) -> Matching:
        """Return the matching of some constituents of both sides, in this order: of a match both or none."""
        some = gold, system = [list(indices) for indices in places]
        new = {index: number for number, index in enumerate(system)}
        sides = [
            Constituents._make([[column[i] for i in one] for column in side])
            for side, one in zip(self.sides, some)
        ]
        partners = [new.get(self.partners[index], -1) for index in gold]
        return Matching(sides, partners, [self.crossed[index] for index in system])


def scored_tree(tree: Tree, kept: Sequence[bool] | None, rules: RunRules) -> tuple[Tree, list[int] | None]:
    """Return the tree of the words that stay, and the node that each node was if these have changed."""
    nodes = None
    if kept is not None and not all(kept):
        tree, nodes = without_words(tree, kept)
    return shortened(tree, rules.convention.cut_at), nodes


def _scored_side(
    tree: Tree, kept: Sequence[bool] | None, found: Constituents, rules: RunRules
) -> tuple[Tree, Constituents]:
    """Return the scored tree of a side, and its constituents, given those of the tree as read."""
    old: list[int] | None  # the node that each node was, if these have changed
    if rules.standardises:
        flags = [True] * len(tree.words) if kept is None else kept
        scored, old = of_brackets(tree, flags, Counter(found.nodes), rules.convention, rules.tag_name)
    else:
        scored, old = scored_tree(tree, kept, rules)
    if scored is tree:
        return tree, found
    nodes = found.nodes
    if old is not None:
        numbers: defaultdict[int, deque[int]] = defaultdict(deque)
        for node, source in enumerate(old):
            if scored.labels[node] is not DUMMY_ROOT:
                numbers[source].append(node)
        nodes = [numbers[source].popleft() for source in nodes]
    labels = [rules.shown(scored.labels[node]) for node in nodes]
    return scored, found._replace(labels=labels, nodes=nodes)


def _repeated(partners: Sequence[int], system_partners: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return gold's constituents and their matches, by index, repeated as often as the system has them."""
    wanted: dict[int, list[int]] = {}
    for index, partner in enumerate(system_partners):
        if partner >= 0:
            wanted.setdefault(partner, []).append(index)
    chosen: list[int] = []
    made: list[int] = []
    for index, partner in enumerate(partners):
        mine = [-1] if partner < 0 else wanted.get(index, ())
        chosen += [index] * len(mine)
        made += mine
    return chosen, made


# States of a pair
OK = "ok"
NO_PARSE = "no parse"  # no usable system tree
MISSING = "missing"  # no system sentence
EXTRA = "extra"  # no gold sentence
UNREADABLE = "unreadable"  # a gold sentence cannot be read
SHORT = "short"  # gold has too few words to count
EXCLUDED = "excluded"  # left out by the rules of a convention
BY_POSITION = "words that differ from gold at their position"
OTHER_LENGTH = "sentences of another length, which count without brackets"
CHANGES = (
    *(*REWRITTEN, *PREPARED),
    *("roots not counted", "labels cut", "words dropped", "traces removed", "subtrees dropped"),
    *("quotes put back", BY_POSITION, OTHER_LENGTH),
)
"""What readers rewrite in texts, and rules change in trees, in the order of reports."""
IN_UNITS = COUNTED.index("in_units")
WORDS = slice(COUNTED.index("gold_words"), COUNTED.index("gold_words") + 2)
PLAIN = COUNTED.index("plain")
FIRST = Bead((0, 1), (0, 1), True)  # the first sentence of both sides


class Pair:
    """Gold and system sentences that carry the same text."""

    #: cache of the metrics, nodes that Struct-IoU aligns with their overlaps
    node_pairs: list[tuple[int, int, float]] | None = None
    label_nodes: Any = None  #: cache of the metrics, both trees and their nodes with numbers of labels
    cuts: Any = None  #: cache of the metrics, common token boundaries
    #: cache of the error analysis, classes of labels and the corrections with their causes
    corrections: Any = None

    def __init__(
        self,
        bead: Bead,
        gold: Sequence[Sentence],
        system: Sequence[Sentence],
        rules: RunRules,
        exceptions: Mapping[str, str] | None = None,
        units: tuple[Unit, ...] | None = None,
        *,
        equal_share: float | None = None,
        excluded: str = "",
        known: tuple[Any, ...] = (None, None, None),
    ) -> None:
        """Make a pair.  Without ``exceptions`` words correspond one by one.

        ``units`` align the words of both sides, except deleted traces.  They, and what
        ``Rules.count_all`` returns of a pair, may be known.
        """
        self.bead = bead  #: position of the sentences in the two files
        self.gold_sentences = gold
        self.system_sentences = system
        self.rules = rules
        self._exceptions = exceptions
        self._units = units
        self.equal_share = equal_share  #: share of equal characters in [0, 1] if the texts are dissimilar
        # The state of a pair that does not count by the rules of a convention; gold has sentences then
        self._left_out = (EXCLUDED, excluded) if excluded else None
        # Of both sides a flag for each word, True if it stays, and the brackets
        counted, self._kept, self._brackets = known
        if counted is not None:
            self.counted = counted

    @classmethod
    def of_identical_words(
        cls, gold: Sentence, system: Sentence | None, rules: RunRules, bead: Bead = FIRST
    ) -> Pair:
        """Make a pair of sentences with identical words; gold is unaligned if the system has no usable parse.

        Raise a TreeError if their words differ, and a LeftOutError if a convention leaves them out.
        """
        if system is not None and (
            system.error is not None or (_has_words([gold]) and not _has_words([system]))
        ):
            system = system._replace(tree=EMPTY)
        pair = cls(bead, [gold], [] if system is None else [system], rules)
        reason = pair.counted[0]
        if reason == UNLIKE and rules.convention.unlike == "stop":
            raise TreeError(pair.difference)
        if reason:
            raise LeftOutError(reason)
        length, (least, most) = pair.words[0], rules.lengths
        if gold.error is None:
            if most is not None and length > most:
                pair._left_out = EXCLUDED, f"gold words: {length}"
            elif length < least:
                pair._left_out = SHORT, f"too few scored words: {length}"
        return pair

    @cached_property
    def counted(self) -> tuple[Any, ...]:
        """What :data:`jpevalb.kernels.counting.COUNTED` lists."""
        return self._count()

    def _count(self) -> tuple[Any, ...]:
        kernel = self.rules.kernel()
        counted: tuple[Any, ...] = kernel.count(*self._columns(), self._numbers)
        if counted[0] == UNLIKE and self._exceptions is not None:
            # The unit of each word of gold and of the system, -1 for none
            places, units = self._alignment
            sizes = [sum([len(one.tree.words) for one in side]) for side in self._sides()]
            gold, system = [array("i", [-1]) * (1 + size) for size in sizes]
            for number, (a, b, c, d) in enumerate(units):
                for place in places[0][a:b]:
                    gold[place] = number
                for place in places[1][c:d]:
                    system[place] = number
            self._numbers = gold, system, len(units)
            counted = kernel.count(*self._columns(), self._numbers)
        if counted[0] or any(counted[DROPPED]):
            self._kept = kernel.kept()
        kernel.last = self
        return counted

    _numbers: tuple[array[int], array[int], int] | None = None  # units of all words; None if these agree
    _kept: tuple[list[bool], list[bool]] | None

    @property
    def kept(self) -> tuple[list[bool], list[bool]] | None:
        """Of both sides a flag for each word, True if it stays; ``None`` if all do."""
        counted = self.counted
        if self._kept is None and (counted[0] or any(counted[DROPPED])):
            self._kernel()
        return self._kept

    def _kernel(self) -> Rules:
        """Return the compiled rules, which have counted this pair last."""
        kernel = self.rules.kernel()
        if kernel.last is not self:
            self.counted = self._count()
        return kernel

    def _columns(self) -> tuple[Columns, Columns]:
        """Return both trees as read, with the same table of texts."""
        names = current_names()
        gold, system = [_merged(side).columns.moved(names) for side in self._sides()]
        return gold, system

    def _sides(self) -> tuple[Sequence[Sentence], Sequence[Sentence]]:
        return self.gold_sentences, self.system_sentences

    @cached_property
    def _alignment(self) -> tuple[list[list[int]], tuple[Unit, ...]]:
        """The indices of the words that are aligned on both sides, and the units of these words."""
        places: list[list[int]] = []
        words: list[tuple[str, ...]] = []
        for sentences in self._sides():
            every = [word for one in sentences for word in one.tree.words]
            flags = [flag for one in sentences for flag in self.rules.aligned(one.tree)]
            places.append([index for index, flag in enumerate(flags) if flag])
            words.append(tuple(compress(every, flags)))
        units = self._units
        if units is None:
            from .solve import word_units

            units = word_units(words[0], words[1], self.exceptions)
        return places, units

    @cached_property
    def _scored(self) -> tuple[Tree, Tree, Matching]:
        rules = self.rules
        if self._brackets is None:
            kernel = self._kernel()
            kernel.lists, self._brackets = True, kernel.brackets()
        (*gold, partners, _), (*system, system_partners, crossed) = self._brackets
        match = Matching([Constituents(*gold), Constituents(*system)], partners, crossed)
        if rules.convention.repeats == "any":
            chosen, partners = _repeated(partners, system_partners)
            match = match.picked([chosen, range(len(crossed))])
        trees = [_merged(side) for side in self._sides()]
        sides = zip(trees, self.kept or (None, None), match.sides)
        scored, found = zip(*[_scored_side(*side, rules) for side in sides])
        match = Matching(found, partners, crossed)
        least = rules.convention.least
        if any(map(is_not, scored, trees)) or not least:
            # In the order of the nodes, but brackets over dropped words only come last.
            keys = [
                [(not least and start == end, node) for _, start, end, node, _ in zip(*side)]
                for side in match.sides
            ]
            match = match.picked([sorted(range(len(some)), key=some.__getitem__) for some in keys])
        return *scored, match

    @cached_property
    def _trees(self) -> tuple[Tree, Tree]:
        gold, system = _merged(self.gold_sentences), _merged(self.system_sentences)
        if self.counted[0]:
            return gold, system
        if self.rules.standardises:
            return self._scored[:2]
        kept = self.kept or (None, None)
        if kept[0] is None and not self.rules.convention.cut_at:
            return gold, system
        return scored_tree(gold, kept[0], self.rules)[0], scored_tree(system, kept[1], self.rules)[0]

    @property
    def gold(self) -> Tree:
        """The gold tree as scored; several sentences are joined under one root ``@S``."""
        return self._trees[0]

    @property
    def system(self) -> Tree:
        """The system tree as scored."""
        return self._trees[1]

    @property
    def matching(self) -> Matching:
        """The constituents of both sides that count, and which correspond."""
        return self._scored[2]

    @property
    def sizes(self) -> tuple[list[int], list[int]]:
        """Of each sentence of both sides the number of words that stay."""
        if not self.counted[0] and len(self.gold_sentences) == len(self.system_sentences) == 1:
            gold, system = self.words
            return [gold], [system]
        first, second = [list(map(sum, self.kept_words(side))) for side in (0, 1)]
        return first, second

    def kept_words(self, side: int) -> list[list[bool]]:
        """Return for each sentence of a side, 0 for gold, a flag for each word, True if it stays."""
        lengths = [len(one.tree.words) for one in self._sides()[side]]
        if self.kept is None:
            return [[True] * length for length in lengths]
        flags = iter(self.kept[side])
        return [list(islice(flags, length)) for length in lengths]

    def constituents(self, side: int) -> list[Constituent]:
        """Return the constituents of a side, 0 for gold, over its own words."""
        tree = self._columns()[side]
        kept = [True] * tree.words if self.kept is None else self.kept[side]
        return self.rules.constituents(tree, kept)

    @property
    def is_plain(self) -> bool:
        """True for one sentence a side, over the same words, and with brackets in gold."""
        return (
            self.counted[PLAIN]
            and len(self.gold_sentences) == len(self.system_sentences) == 1
            and self.bead.aligned
            and self.equal_share is None
        )

    @property
    def words(self) -> tuple[int, int]:
        """Numbers of words of gold and of the system that stay."""
        return self.counted[WORDS]

    @property
    def identical_words(self) -> bool:
        """True if word ``i`` is unit ``i`` on both sides, if both have words."""
        return self._exceptions is None or not (self.counted[IN_UNITS] or self.words[0] != self.words[1])

    def forget(self) -> None:
        """Clear the caches, since pairs may be kept."""
        self.cuts = self.corrections = self.label_nodes = self._brackets = None
        for name in ("_scored", "_trees", "_alignment"):
            vars(self).pop(name, None)

    def __getstate__(self) -> dict[str, Any]:
        self.forget()
        return vars(self)

    @property
    def status(self) -> str:
        """State of the pair, :data:`OK` or the reason why nothing is compared."""
        return self.state[0]

    @property
    def state(self) -> tuple[str, str | None]:
        """The status, and details about it or ``None``."""
        if self._left_out:
            return self._left_out
        if self.is_plain:
            return OK, None
        gold, system = self._sides()
        if not gold:
            return EXTRA, None
        for status, sentences in ((UNREADABLE, gold), (NO_PARSE, system)):
            for sentence in sentences:
                if sentence.error is not None:
                    return status, str(sentence.error)
                answer = sentence.answer
                if answer is not None and not answer.valid and not sentence.source.words:
                    return status, answer.trouble
        if not system:
            return MISSING, None
        if not _has_words(system) and _has_words(gold):
            return NO_PARSE, "the parse has no words"
        return OK, None

    @property
    def difference(self) -> str:
        """Difference between the words of both sides, for a message."""
        (gold,), (system,) = self._sides()
        rules = self.rules
        words, others = gold.tree.words, system.tree.words
        if not rules.standardises:
            index = rules.difference(words, others)
            gold_word, system_word = (
                repr(side[index]) if index < len(side) else "the end" for side in (words, others)
            )
            return (
                f"word {index + 1} is {system_word}, but {gold_word} in gold "
                f"({counted(len(others), 'word')}, gold {len(words)}); expected trees over the same words"
            )
        stop = (
            f"{rules.convention.name} stops here" if rules.is_tool else "expected trees over the same words"
        )
        if len(words) != len(others):
            return f"{len(others)} words, but {len(words)} in gold; {stop}"
        first = next((i for i, (one, other) in enumerate(zip(words, others)) if one != other), None)
        if first is None:
            return f"other words are left out than in gold; {stop}"
        return f"word {first + 1} is {others[first]!r}, but {words[first]!r} in gold; {stop}"

    def done(self) -> list[tuple[tuple[str, str], int]]:
        """Return what the rules have changed on each side, with counts."""
        rules, state = self.rules, self.status
        found = []
        shown = state not in (EXCLUDED, UNREADABLE), state in (OK, SHORT)
        for side, sentences, sizes, is_shown in zip(("gold", "system"), self._sides(), self.sizes, shown):
            for sentence, words in zip(sentences, sizes) if is_shown else ():
                found += [((side, what), count) for what, count in rules.changes(sentence.source, words)]
        compare = rules.convention.compare
        if rules.convention.unlike == "counted" and state == OK and self.words[0] != self.words[1]:
            found.append((("system", OTHER_LENGTH), 1))
        if compare in ("number", "no") and self.gold.words != self.system.words:
            found.append((("system", BY_POSITION), sum(map(ne, self.gold.words, self.system.words))))
        return found

    @property
    def had_words(self) -> bool:
        """True if both sides have words before any are deleted."""
        return all(map(_has_words, self._sides()))

    def with_system(self, system: Sequence[Sentence]) -> Pair:
        """Return a pair of the same gold sentences with other system sentences."""
        return Pair(self.bead, self.gold_sentences, system, self.rules, self._exceptions)

    @property
    def parsed(self) -> bool:
        """True if the system has a usable parse: readable, with words if gold has words."""
        return self.status in (OK, UNREADABLE, SHORT)

    @property
    def has_gaps(self) -> bool:
        """True if a yield of either tree is more than one block of words."""
        gold, system = self._trees
        return bool(gold.columns.gaps or system.columns.gaps)

    @property
    def exceptions(self) -> Mapping[str, str]:
        """The exception list of the word alignment."""
        return self._exceptions or NO_EXCEPTIONS

    @property
    def units(self) -> tuple[Unit, ...]:
        """The word alignment: tokens of both sides.  A token without a counterpart is in no unit.

        If one side has no tokens, each token of the other is a unit.
        """
        gold, system = self.gold.words, self.system.words
        if self.identical_words or self._numbers is None:
            if self.identical_words and len(gold) == len(system):
                system = gold
            from .solve import word_units

            return word_units(gold, system, self.exceptions)
        if not gold or not system:
            return with_unaligned((), len(gold), len(system))
        places, units = self._alignment
        if self.kept is None:
            return units
        first, second = [
            list(accumulate([kept[index] for index in side], initial=0))
            for kept, side in zip(self.kept, places)
        ]
        moved = [Unit(first[a], first[b], second[c], second[d]) for a, b, c, d in units]
        return tuple([unit for unit in moved if unit[0] < unit[1] and unit[2] < unit[3]])

    @cached_property
    def all_units(self) -> tuple[Unit, ...]:
        """The units, and one for each token that is in none."""
        return with_unaligned(self.units, len(self.gold.words), len(self.system.words))

    def unit_of_words(self) -> tuple[list[int], list[int], int]:
        """Return the unit of each gold and each system token, -1 for none, and the number of units."""
        return self._kernel().slots()


def _has_words(sentences: Sequence[Sentence]) -> bool:
    return any(sentence.source.columns.words for sentence in sentences)


def _merged(sentences: Sequence[Sentence]) -> Tree:
    if len(sentences) == 1:
        return sentences[0].tree
    return side_by_side([sentence.tree for sentence in sentences], DUMMY_ROOT) if sentences else EMPTY
