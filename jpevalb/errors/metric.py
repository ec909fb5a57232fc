"""The metric of the error analysis: repairs of each pair by cause, labels, confusions, scores by length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter

from ..alignment.pair import Pair
from ..kernels.brackets import tags
from ..kernels.hanging import hanging
from ..metrics import LENGTHS_GROUP, Figure, Metric, f1_figure
from ..metrics.brackets import BracketCounts, BracketMatch, Constituent, compare_brackets, length
from ..metrics.by_label import label_counts
from ..metrics.segmentation import boundary_errors
from ..trees.frozen import NamedTuple
from ..trees.labels import LabelPolicy
from ..trees.settings import Settings
from ..trees.tree import Tree
from .analysis import F1_STEPS, LENGTH_STEP, LENGTHS, LONGEST_STEP, AnalysisCounts, CauseCount, LengthClass
from .causes import CAUSES, Classes, cause_of, load_classes
from .repair_tree import Step
from .repairs import ConstituentTree, repairs

CAUSES_GROUP = "Points of F1 lost by cause"
"""Heading of the causes in a comparison of systems."""


class ErrorAnalysis(Metric):
    """The error analysis of ``--analysis``."""

    name = "analysis"
    counts = AnalysisCounts
    settings = ("error_classes", "lang")

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._classes = load_classes(settings.error_classes, lang=settings.lang)
        self._last: list[Repair] | None = None

    def count(self, pair: Pair) -> AnalysisCounts:
        brackets = compare_brackets(pair, self._labels)
        self._last = repairs_of(brackets, pair, self._labels, self._classes)
        return analysis_counts(brackets, self._last, length(pair, self._labels))

    def last_codes(self) -> str | None:
        """Return the repairs of the pair counted last; ``None`` if a worker counts."""
        return None if self._last is None else repair_codes(self._last)


def _cause_figure(cause: str) -> Figure:
    """Return the cost of a cause's errors; the sum over all causes is 1 - F1."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        errors = record.causes.get(cause)
        brackets = record.lengths.values()
        return errors.brackets if errors else 0, sum([item.gold + item.system for item in brackets])

    name = "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower())
    return Figure(name, cause, larger_is_better=False, group=CAUSES_GROUP, counts=counts)


def analysis_counts(match: BracketMatch, made: Sequence[Repair], length: int) -> AnalysisCounts:
    """Return the counts of one pair."""
    matched = len(match.matched)
    brackets = BracketCounts.of_sentence(
        matched + len(match.missed), matched + len(match.extra), matched, len(match.crossing)
    )
    causes: dict[str, list[int]] = {}
    for repair in made:
        counts = causes.setdefault(repair.cause, [0, 0, 0])
        counts[0] += 1
        counts[1] += len(repair.missed)
        counts[2] += len(repair.extra)
    f1 = f1_class(brackets)
    return AnalysisCounts(
        label_counts(match),
        {cause: CauseCount(*counts) for cause, counts in causes.items()},
        {length_class(length): brackets},
        {} if f1 is None else {f1: 1},
        int(f1 is None),
        label_counts(with_gaps(match)).labels,
    )


def with_gaps(match: BracketMatch) -> BracketMatch:
    """Return the constituents with gaps."""
    matched = [both for both in match.matched if both[0].gaps]
    return BracketMatch(matched, *[[item for item in items if item.gaps] for items in match[1:]])


def f1_class(counts: BracketCounts) -> int | None:
    """Return the class of a sentence's F1, ``F1_STEPS`` for F1 = 1, ``None`` without F1; exact."""
    total = counts.gold + counts.system
    return 2 * counts.matched * F1_STEPS // total if total else None


def length_class(length: int) -> int:
    """Return the class of a length in units; 0 for empty sentences, too."""
    return (min(length, LONGEST_STEP + 1) - 1) // LENGTH_STEP if length else 0


def _length_figure(length: LengthClass) -> Figure:
    """Return the F1 of the sentences of some lengths."""
    index = length_class(length.shortest)
    return f1_figure(
        f"length_{length.shortest}",
        length.name,
        lambda record: record.lengths.get(index, BracketCounts()),
        group=LENGTHS_GROUP,
        shown=lambda record: index in record.lengths,
    )


ErrorAnalysis.figures = (*map(_cause_figure, CAUSES), *map(_length_figure, LENGTHS))


class Repair(NamedTuple):
    """One repair of a sentence, with the constituents that its step refers to."""

    cause: str
    """One of ``jpevalb.errors.causes.CAUSES``."""
    step: Step
    missed: tuple[Constituent, ...]
    """Gold constituents that it adds."""
    extra: tuple[Constituent, ...]
    """System constituents that it corrects or removes."""
    nodes: tuple[int, ...]
    """System nodes that move or are grouped; for a word its preterminal."""


_CODE_OF_CAUSE = {cause: number for number, cause in enumerate(CAUSES)}
_CODE_OF_KIND = {
    **{"relabel": "l", "add": "a", "remove": "r", "move": "m"},
    **{"unparsed": "u", "unexpected": "x", "boundary": "b"},
}


def repair_codes(made: Sequence[Repair]) -> str:
    """Return repairs as compact text for pages.

    A repair is the index of its cause in ``CAUSES``, a letter for its kind, the system nodes that a move
    moves, ``-`` and the gold nodes that it adds, ``+`` and the system nodes that it corrects or removes.
    """
    codes = []
    for repair in made:
        kind = repair.step.kind
        moved = ",".join(map(str, repair.nodes)) if kind == "move" else ""
        missed, extra = (
            ",".join([str(item.node) for item in items]) for items in (repair.missed, repair.extra)
        )
        codes.append(f"{_CODE_OF_CAUSE[repair.cause]}{_CODE_OF_KIND[kind]}{moved}-{missed}+{extra}")
    return ";".join(codes)


def repairs_of(match: BracketMatch, pair: Pair, labels: LabelPolicy, classes: Classes) -> list[Repair]:
    """Return repairs that cover each missed and each extra constituent of a pair once."""
    if not match.missed and not match.extra:
        return []
    if not match.matched and not (match.missed and match.extra):
        return [
            _without_tree("unexpected" if match.extra else "unparsed", match.missed, match.extra, classes)
        ]
    lost = boundary_errors(pair, match, labels)
    made = [_without_tree("boundary", *lost, classes)] if any(lost) else []
    node = attrgetter("node")
    gold, system = (
        sorted([*[both[side] for both in match.matched], *set(errors).difference(lost[side])], key=node)
        for side, errors in enumerate((match.missed, match.extra))
    )
    partner_node = {item.node: partner.node for item, partner in match.matched}
    index_of = {item.node: index for index, item in enumerate(system)}
    partners = [index_of.get(partner_node.get(item.node, -1), -1) for item in gold], [-1] * len(system)
    for index, partner in enumerate(partners[0]):
        if partner >= 0:
            partners[1][partner] = index
    gold_units, system_units, size = pair.unit_of_words()
    units = None
    # Units with one word on each side need no translation.
    if (
        gold_units is not None
        and system_units is not None
        and not list(gold_units) == list(system_units) == list(range(size))
    ):
        units = gold_units, system_units
    gold_tree = _constituent_tree(pair.gold, gold, partners[0], labels)
    system_tree = _constituent_tree(pair.system, system, partners[1], labels)
    words = pair.system.word_parents
    return made + [
        Repair(
            cause_of(step, classes),
            step,
            tuple([gold[index] for index in step.missed]),
            tuple([system[index] for index in step.extra]),
            tuple([system[index].node if index >= 0 else words[~index] for index in step.run]),
        )
        for step in repairs(gold_tree, system_tree, units)
    ]


def _without_tree(
    kind: str, missed: Sequence[Constituent], extra: Sequence[Constituent], classes: Classes
) -> Repair:
    """Return a repair for which no tree is searched."""
    step = Step(kind, "", "", None, (), (), None, False, (), (), ())
    return Repair(cause_of(step, classes), step, tuple(missed), tuple(extra), ())


def _constituent_tree(
    tree: Tree, items: list[Constituent], partners: list[int], labels: LabelPolicy
) -> ConstituentTree:
    names, starts, ends, nodes, gaps = zip(*items) if items else ((), (), (), (), ())
    parents, word_parents, below = hanging(tree.parents, tree.word_parents, list(nodes))
    known = labels.representatives
    return ConstituentTree(
        names,
        [known[name] if name in known else _representative(name, labels) for name in names],
        parents,
        list(zip(starts, ends, gaps)),
        partners,
        word_parents,
        tags(tree.labels, tree.parents, tree.starts, tree.ends, tree.word_parents),
        below,
    )


_MOST_LABELS = 100_000


def _representative(label: str, labels: LabelPolicy) -> str:
    """Return one name for all labels that are equal to one another."""
    equal = labels.equal_brackets
    group = {label, *equal.get(label, ())}
    name = label
    if labels.resolve(label) == "":
        name = ""
    # Equality need not be transitive; if it is not, labels stand for themselves.
    elif all({other, *equal.get(other, ())} == group for other in group):
        name = min(group)
    if len(labels.representatives) < _MOST_LABELS:
        labels.representatives[label] = name
    return name
