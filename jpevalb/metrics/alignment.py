"""How sentences and words are paired, the scores of each kind of group, and segmentation."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from ..alignment.pair import NO_PARSE, Pair
from ..base.counts import Counts, Matched, MatchedCounts, sums
from ..trees.tree import Constituent
from ..trees.words import texts
from . import Figure, Line, Metric, matched_figures
from .brackets import counts_of, matches

KINDS = (  # kinds of groups of sentences, gold first: JSON key, and name in reports
    ("one_to_one", "1:1"),
    ("one_to_many", "1:n"),
    ("many_to_one", "n:1"),
    ("many_to_many", "n:m"),
    ("gold_only", "gold only"),
    ("system_only", "system only"),
    ("no_parse", "no parse"),
)
_ONE_SIDED = ("gold_only", "system_only", "no_parse")


@dataclass(slots=True, eq=False, repr=False)
class KindCounts(MatchedCounts):
    """The groups of aligned sentences of one kind, and their constituents."""

    groups: int = 0  #: groups of the kind
    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: pairs of matching constituents


@dataclass(slots=True, eq=False, repr=False)
class UnitCounts(Counts):
    """Units with words of both sides; words without a counterpart are ignored."""

    equal: int = 0  #: one word on each side, spelled alike
    changed: int = 0  #: one word on each side, spelled differently
    resegmented: int = 0  #: several words on a side


MOST_DIFFERING = 10_000
"""Maximum number of texts that differ, in the order of the file: it bounds the memory of an evaluator."""


class FirstTexts(dict[tuple[str, str], int]):
    """Numbers of (gold, system) texts of a unit that differ; sums keep the first :data:`MOST_DIFFERING`."""

    def __init__(self, table: Mapping[tuple[str, str], int] | None = None) -> None:
        super().__init__(islice((table or {}).items(), MOST_DIFFERING))


@dataclass(slots=True, eq=False, repr=False)
class AlignmentCounts(Counts):
    """Groups of sentences by kind, units by kind, and words without a counterpart.

    >>> counts = AlignmentCounts(differing={("can not", "cannot"): 1})
    >>> (counts + AlignmentCounts(differing={("can not", "cannot"): 2})).most()
    [('can not', 'cannot', 3)]
    """

    groups_differing: int = 0  #: groups in which words or sentence ends differ
    gold_sentences: int = 0  #: gold sentences of all groups
    system_sentences: int = 0  #: system sentences of all groups
    gold_words_alone: int = 0  #: gold words none of whose characters is paired
    system_words_alone: int = 0  #: system words none of whose characters is paired
    units: UnitCounts = field(default_factory=UnitCounts)  #: units by kind
    one_to_one: KindCounts = field(default_factory=KindCounts)  #: one gold and one system sentence
    one_to_many: KindCounts = field(default_factory=KindCounts)  #: one gold and several system sentences
    many_to_one: KindCounts = field(default_factory=KindCounts)  #: several gold and one system sentence
    many_to_many: KindCounts = field(default_factory=KindCounts)  #: several sentences on both sides
    gold_only: KindCounts = field(default_factory=KindCounts)  #: groups without a system sentence
    system_only: KindCounts = field(default_factory=KindCounts)  #: groups without a gold sentence
    no_parse: KindCounts = field(default_factory=KindCounts)  #: gold beside a system sentence without a parse
    #: Numbers of (gold, system) texts of a unit that differ; one is empty for a word without a counterpart.
    differing: Mapping[tuple[str, str], int] = field(default_factory=FirstTexts)

    @property
    def shown(self) -> bool:
        return bool(self.groups_differing)

    @property
    def spelled_alike(self) -> tuple[int, int]:
        """Units of one word a side that are spelled alike except for case, and those that are not."""
        units = self.units
        same = sum(
            times
            for (gold, system), times in self.differing.items()
            if " " not in gold and gold.casefold() == system.casefold()
        )
        return units.equal + same, units.changed - same

    @property
    def kinds(self) -> dict[str, KindCounts]:
        """Counts of each kind of groups, by the keys of :data:`KINDS`."""
        return {name: getattr(self, name) for name, _ in KINDS}

    def most(self, size: int = 20) -> list[tuple[str, str, int]]:
        """Return the most frequent pairs of texts that differ; ties are in alphabetical order."""
        pairs = sorted(self.differing.items(), key=lambda item: (-item[1], item[0]))[:size]
        return [(gold, system, count) for (gold, system), count in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, ready for JSON, with the kinds of groups that there are."""
        kinds = {name: counts.to_dict() for name, counts in self.kinds.items() if counts.groups}
        return {
            "differing": self.groups_differing,
            "gold_sentences": self.gold_sentences,
            "system_sentences": self.system_sentences,
            "groups": kinds,
            "units": self.units.to_dict(),
            "gold_words_alone": self.gold_words_alone,
            "system_words_alone": self.system_words_alone,
            "words": [
                {"gold": gold, "system": system, "times": times} for gold, system, times in self.most()
            ],
        }


def kind_of(pair: Pair) -> str:
    """Return the kind of a group; a system sentence that could not be read has no words and no parse."""
    gold, system = len(pair.gold_sentences), len(pair.system_sentences)
    if not system:
        return "gold_only"
    if not gold:
        return "system_only"
    if not pair.bead.aligned:
        return "no_parse" if pair.status == NO_PARSE else "system_only" if pair.words[1] else "gold_only"
    if gold == 1:
        return "one_to_one" if system == 1 else "one_to_many"
    return "many_to_one" if system == 1 else "many_to_many"


class Alignment(Metric):
    """Groups of sentences, units and unpaired words; reported if words or sentence ends differ anywhere."""

    name = "alignment"
    counts = AlignmentCounts
    plain: ClassVar[Any] = {
        **dict.fromkeys(("gold_sentences", "system_sentences", "one_to_one.groups"), "one"),
        **{f"one_to_one.{name}": name for name in ("gold", "system", "matched")},
        "units.equal": "gold_words",
    }
    heading = "Alignment"

    def count(self, pair: Pair) -> AlignmentCounts:
        brackets = counts_of(pair)
        kind: dict[str, Any] = {
            kind_of(pair): KindCounts(1, brackets.gold, brackets.system, brackets.matched)
        }
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        if pair.identical_words:
            return AlignmentCounts(int(n != 1 or m != 1), n, m, units=UnitCounts(pair.words[0]), **kind)
        # Imported only where words differ: the import takes as long as scoring a small file.
        from ..kernels.path import differing

        gold, system, _ = common_cuts(pair)
        *numbers, texts = differing(
            pair.all_units, pair.gold.words, pair.system.words, gold.bare, system.bare
        )
        return AlignmentCounts(
            1, n, m, gold.bare[-1], system.bare[-1], UnitCounts(*numbers), differing=texts, **kind
        )

    def lines(self, record: AlignmentCounts) -> Sequence[Line]:
        found = [
            Line("Gold sentences", record.gold_sentences, "count"),
            Line("System sentences", record.system_sentences, "count"),
        ]
        for (name, title), counts in zip(KINDS, record.kinds.values()):
            what = "Sentences" if name in _ONE_SIDED else "Sentence groups"
            found.append(Line(f"{what} {title}", counts.groups, "count"))
            # Nothing matches where one side has nothing.
            if counts.groups and name not in _ONE_SIDED:
                found.append(Line(f"F1 of sentence groups {title}", counts.f1))
        units = record.units
        return [
            *found,
            Line("Aligned words 1:1", units.equal, "count"),
            Line("Aligned words changed", units.changed, "count"),
            Line("Aligned words regrouped", units.resegmented, "count"),
            Line("Gold words alone", record.gold_words_alone, "count"),
            Line("System words alone", record.system_words_alone, "count"),
        ]


MOST_CELLS = 4_000_000
"""Maximum number of character pairs of a unit for which the path through it is computed."""


@dataclass(slots=True, eq=False, repr=False)
class SegmentationCounts(Counts):
    """Tokens, sentences and constituents that match only if both sides cut the text at the same positions."""

    differing: int = 0  #: groups in which tokens or sentence ends differ
    tokens: Matched = field(default_factory=Matched)  #: tokens; the rates are those of CoNLL 2018
    sentences: Matched = field(default_factory=Matched)  #: sentences, and groups of one sentence on each side
    brackets: Matched = field(default_factory=Matched)  #: constituents, and pairs over text that is cut alike
    token_errors: int = 0  #: constituents of both sides that match over units, but not as brackets
    sentence_errors: int = 0  #: missed and extra constituents that are due to sentence ends

    @property
    def shown(self) -> bool:
        return self.differing > 0


class Cuts(NamedTuple):
    """Token boundaries of one side of a bead, compared with the other side."""

    # For each token boundary (n + 1 for n tokens), its number among those common to both sides, or -1.
    # Boundaries without a pair of aligned characters between them share a number.
    places: list[int]
    bare: list[int]  # for each token boundary, the number of tokens before it that the other side lacks


def common_cuts(pair: Pair) -> tuple[Cuts, Cuts, list[int]]:
    """Return gold's cuts, the system's, and for each gold token the index of its counterpart or -1."""
    if pair.cuts is None:
        from ..kernels.path import common_cuts as cuts_of

        gold, system = pair.gold.words, pair.system.words
        ends = [list(accumulate(sizes)) for sizes in pair.sizes]
        places, bare, system_places, system_bare, partners = cuts_of(
            pair.all_units, gold, system, ends[0], ends[1], pair.exceptions, MOST_CELLS, texts
        )
        pair.cuts = Cuts(places, bare), Cuts(system_places, system_bare), partners
    cuts: tuple[Cuts, Cuts, list[int]] = pair.cuts
    return cuts


def _strict(constituents: Sequence[Constituent], cuts: Cuts) -> list[Constituent]:
    """Return the constituents whose blocks all run from cut to cut, over the cuts."""
    places, bare = cuts
    strict = []
    for item in constituents:
        blocks = item.blocks
        if all(places[a] >= 0 and places[b] >= 0 and bare[a] == bare[b] for a, b in blocks):
            bits = sum([(1 << places[b]) - (1 << places[a]) for a, b in blocks]) if item.gaps else 0
            strict.append(item._replace(start=places[item.start], end=places[item.end], gaps=bits))
    return strict


def boundary_errors(pair: Pair) -> tuple[list[Constituent], list[Constituent]]:
    """Return the missed and the extra constituents that are due to joined or split sentences.

    These constituents
    - cover parts of several sentences of the other side,
    - are the part of such a constituent in one sentence, with an equal label, or
    - are the root of a sentence that the other side lacks, and no relabelling repairs them.
    """
    units, rules, match = pair.unit_of_words(), pair.rules, pair.matching
    ranges = _ranges(pair.sizes[0], units[0]), _ranges(pair.sizes[1], units[1])
    # Constituents over unaligned words are in no sentence of the other side.
    errors = [[item for item in items if item.start < item.end] for items in (match.missed, match.extra)]
    same_ends = len(ranges[0][0]) == len(ranges[1][0]) == 1 or ranges[0] == ranges[1]
    if same_ends or not all(errors[side] or match.matched for side in (0, 1)):
        return [], []
    found: tuple[list[Constituent], list[Constituent]] = ([], [])
    spans = [{item.span for item in items} for items in errors]
    parts: tuple[set[Any], set[Any]] = (set(), set())
    inner: tuple[dict[str, int], dict[str, int]] = ({}, {})  # for each label the sentences that are parts

    def name_of(item: Constituent) -> str:
        name = rules.resolve(item.label) or ""
        return min((name, *rules.equal_brackets.get(name, ())))

    for side, other in ((0, 1), (1, 0)):
        starts, ends = ranges[other]
        for item in errors[side]:
            first, last = bisect_right(starts, item.start) - 1, bisect_left(ends, item.end)
            if first < last:
                found[side].append(item)
                name, words = name_of(item), item.words
                parts[other].add((name, first, (words & (1 << ends[first]) - 1) >> starts[first]))
                parts[other].add((name, last, words >> starts[last]))
                inner[other][name] = inner[other].get(name, 0) | (1 << last) - (2 << first)
    for side, other in ((0, 1), (1, 0)):
        starts, ends = ranges[side]
        of_sentence: dict[int, list[Constituent]] = {}
        for item in sorted([*errors[side], *[both[side] for both in match.matched]], key=attrgetter("node")):
            of_sentence.setdefault(bisect_right(starts, item.start) - 1, []).append(item)
        known = set(zip(*ranges[other]))
        crossing, lost = set(found[side]), set(errors[side])
        for k, items in of_sentence.items():
            whole, root = (starts[k], ends[k]), items[0]
            replaced = (
                whole in known or root.end < max([item.end for item in items]) or root.span in spans[other]
            )
            for item in items:
                if item in crossing or item not in lost:
                    continue
                name = name_of(item)
                if (
                    (name, k, item.words >> starts[k]) in parts[side]
                    or ((item.start, item.end) == whole and inner[side].get(name, 0) >> k & 1)
                    or (not replaced and item[:3] == root[:3] and item.gaps == root.gaps)
                ):
                    found[side].append(item)
    return found


def _ranges(sizes: Sequence[int], units: list[int]) -> tuple[list[int], list[int]]:
    """Return the first unit and the last unit + 1 of each sentence that has any."""
    ends = accumulate(sizes, initial=0)
    sentences = [[unit for unit in units[first:end] if unit >= 0] for first, end in pairwise(ends)]
    return [one[0] for one in sentences if one], [one[-1] + 1 for one in sentences if one]


def _lost_figure(name: str) -> Figure:
    """Return the points of strict F1 that errors cost; the denominator is that of strict F1."""
    counts = sums(f"{name}_errors", "brackets.gold + brackets.system")
    title = f"Strict F1 lost: {name}s"
    return Figure(f"strict_f1_lost_{name}s", line=title, larger_is_better=False, counts=counts)


class Segmentation(Metric):
    """Scores of tokens, sentences and strict brackets; reported if tokens or sentence ends differ anywhere.

    Two tokens are counterparts if all their characters are aligned with each other only.  So token
    boundaries are scored, not spelling.  Two sentences are counterparts if no other sentence
    is in their bead.  Two constituents with equal labels match if their first and last boundaries are the
    same common token cuts and neither covers a token that the other side lacks; tokens inside may differ.

    Source: Zeman et al. 2018 (tokens; CoNLL shared task), here also for texts that differ; the brackets are
    the labelled F1 over character spans of joint segmentation and parsing.
    """

    name = "segmentation"
    counts = SegmentationCounts
    plain: ClassVar[Any] = {
        **{f"tokens.{name}": "gold_words" for name in ("gold", "system", "matched")},
        **{f"sentences.{name}": "one" for name in ("gold", "system", "matched")},
        **{f"brackets.{name}": name for name in ("gold", "system", "matched")},
    }
    heading = "Segmentation"
    figures = (
        *matched_figures("token_f1", "Token F", "tokens", line="Token {}", page="Tokens F1"),
        *matched_figures(
            "sentence_end_f1", "Sent. ends F", "sentences", line="Sentence {}", page="Sentence ends F1"
        ),
        *matched_figures("strict_f1", "Strict F", "brackets", line="Strict bracket {}", page="Strict F1"),
        _lost_figure("token"),
        _lost_figure("sentence"),
    )

    def count(self, pair: Pair) -> SegmentationCounts:
        n, m = len(pair.gold_sentences), len(pair.system_sentences)
        over_units = counts_of(pair)
        if n == m == 1 and pair.identical_words:
            words = pair.words[0]
            brackets = Matched(over_units.gold, over_units.system, over_units.matched)
            return SegmentationCounts(0, Matched(words, words, words), Matched(1, 1, 1), brackets)
        gold_cuts, system_cuts, counterparts = common_cuts(pair)
        gold, system = pair.constituents(0), pair.constituents(1)
        strict = _strict(gold, gold_cuts), _strict(system, system_cuts)
        partners = matches(*strict, pair.rules.equal_brackets)
        matched = len(partners) - partners.count(-1)
        return SegmentationCounts(
            1,
            Matched(*pair.words, len(counterparts) - counterparts.count(-1)),
            Matched(n, m, int(n == m == 1 and pair.bead.aligned)),
            Matched(len(gold), len(system), matched),
            2 * (over_units.matched - matched),
            sum(map(len, boundary_errors(pair))) if (n, m) != (1, 1) else 0,
        )
