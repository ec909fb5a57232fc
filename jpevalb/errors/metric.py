"""The metric of the error analysis: corrections by cause, labels, confusions, scores by length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ..alignment.pair import Pair
from ..metrics import F1_COUNTS, LENGTHS_GROUP, Figure, Metric
from ..metrics.brackets import BracketCounts, counts_of, length
from ..metrics.by_label import label_counts
from ..metrics.segmentation import boundary_errors
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.tree import Constituent, Tree
from .analysis import F1_STEPS, LENGTH_STEP, LENGTHS, LONGEST_STEP, AnalysisCounts, CauseCount, LengthClass
from .causes import CAUSES, Classes, cause_of, load_classes
from .corrections import ConstituentTree, Step
from .steps import steps

CAUSES_GROUP = "Points of F1 lost by cause"  # Heading of the causes in a comparison of systems


def _cause_figure(cause: str) -> Figure:
    """Return the cost of a cause's errors; the sum over all causes is 1 - F1."""

    def counts(record: AnalysisCounts) -> tuple[int, int]:
        errors = record.causes.get(cause)
        brackets = record.lengths.values()
        return errors.brackets if errors else 0, sum([item.gold + item.system for item in brackets])

    name = "cause_" + re.sub("[^a-z0-9]+", "_", cause.lower())
    return Figure(name, cause, larger_is_better=False, group=CAUSES_GROUP, counts=counts)


def length_class(length: int) -> int:
    """Return the class of a length in units; an empty sentence is in class 0."""
    return (min(length, LONGEST_STEP + 1) - 1) // LENGTH_STEP if length else 0


def _length_figure(length: LengthClass) -> Figure:
    """Return the F1 of the sentences of some lengths."""
    index = length_class(length.shortest)
    return Figure(
        f"length_{length.shortest}",
        length.name,
        counts=lambda record: F1_COUNTS(record.lengths.get(index, BracketCounts())),
        group=LENGTHS_GROUP,
        shown=lambda record: index in record.lengths,
    )


class ErrorAnalysis(Metric):
    """The error analysis of ``--analysis``."""

    name = "analysis"
    has_table = True
    counts = AnalysisCounts
    settings = ("error_classes", "lang")
    figures = (*map(_cause_figure, CAUSES), *map(_length_figure, LENGTHS))

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        self._rules = rules
        self.classes = load_classes(settings.error_classes, lang=settings.lang)

    def count(self, pair: Pair) -> AnalysisCounts:
        made = corrections_of(pair, self.classes)
        return analysis_counts(pair, made, length(pair))


def analysis_counts(pair: Pair, made: Sequence[CausedStep], length: int) -> AnalysisCounts:
    """Return the counts of one pair."""
    match = pair.matching
    brackets = counts_of(pair)
    causes: dict[str, list[int]] = {}
    for cause, step in made:
        counts = causes.setdefault(cause, [0, 0, 0])
        counts[0] += 1
        counts[1] += len(step.missed)
        counts[2] += len(step.extra)
    f1 = f1_class(brackets)
    return AnalysisCounts(
        label_counts(match),
        {cause: CauseCount(*counts) for cause, counts in causes.items()},
        {length_class(length): brackets},
        {} if f1 is None else {f1: 1},
        int(f1 is None),
        label_counts(match.picked(lambda side, item: item.gaps)).labels if match.has_gaps else {},
    )


def f1_class(counts: BracketCounts) -> int | None:
    """Return the class of a sentence's F1, ``F1_STEPS`` for F1 = 1, ``None`` without F1; exact."""
    total = counts.gold + counts.system
    return 2 * counts.matched * F1_STEPS // total if total else None


class Correction(NamedTuple):
    """One correction of a sentence, with the constituents that its step refers to."""

    cause: str  #: one of ``jpevalb.errors.causes.CAUSES``
    step: Step  #: the change of the tree
    missed: tuple[Constituent, ...]  #: gold constituents that it adds
    extra: tuple[Constituent, ...]  #: system constituents that it corrects or removes

    @property
    def nodes(self) -> tuple[int, ...]:
        """System nodes that move or are grouped; for a word its preterminal."""
        return self.step.run


CausedStep: TypeAlias = tuple[str, Step]
"""The cause of a correction, and its step."""

_CODE_OF_CAUSE = {cause: number for number, cause in enumerate(CAUSES)}
_CODE_OF_KIND = {
    **{"relabel": "l", "add": "a", "remove": "r", "move": "m"},
    **{"alone": "n", "unparsed": "u", "unexpected": "x", "boundary": "b", "empty": "b", "unaligned": "w"},
}


def correction_codes(made: Sequence[CausedStep]) -> str:
    """Return corrections as compact text for pages.

    A correction is the index of its cause in ``CAUSES``, a letter for its kind, the system nodes that a move
    moves, ``-`` and the gold nodes that it adds, ``+`` and the system nodes that it corrects or removes.
    """
    codes = []
    for cause, step in made:
        run = step.run if step.kind == "move" else ()
        moved, added, wrong = (",".join(map(str, nodes)) for nodes in (run, step.missed, step.extra))
        codes.append(f"{_CODE_OF_CAUSE[cause]}{_CODE_OF_KIND[step.kind]}{moved}-{added}+{wrong}")
    return ";".join(codes)


def corrections_of(pair: Pair, classes: Classes) -> list[CausedStep]:
    """Return the corrections of a pair, cached; each missed or extra constituent is in one of them."""
    if pair.corrections is None or pair.corrections[0] is not classes:
        made = [(cause_of(step, classes), step) for step in _steps(pair)]
        pair.corrections = classes, made
    return pair.corrections[1]  # type: ignore[no-any-return]


def described(pair: Pair, made: Sequence[CausedStep]) -> list[Correction]:
    """Return corrections of a pair with their constituents."""
    match = pair.matching
    missed, extra = ({item.node: item for item in items} for items in (match.missed, match.extra))
    return [
        Correction(
            cause,
            step,
            tuple([missed[node] for node in step.missed]),
            tuple([extra[node] for node in step.extra]),
        )
        for cause, step in made
    ]


def _steps(pair: Pair) -> list[Step]:
    """Return the steps of the corrections."""
    match = pair.matching
    gold, system, partners, *_ = match
    matched = len(partners) - partners.count(-1)
    if matched == len(partners) == len(system):
        return []
    if not matched and not (partners and system):
        kind = "unexpected" if system else "unparsed"
        if not (pair.gold_sentences and pair.system_sentences):
            kind = "alone"
        return [_without_tree(kind, gold, system)]
    if pair.rules.convention.least == 0:
        # The search needs brackets over words.
        return [_without_tree("empty", match.missed, match.extra)]
    made = []
    unaligned = [_unaligned(*side) for side in ((pair.gold, gold), (pair.system, system))]
    if any(unaligned):
        made += [_without_tree("unaligned", nodes, ()) for nodes in unaligned[0]]
        made += [_without_tree("unaligned", (), nodes) for nodes in unaligned[1]]
        match = match.picked(lambda side, item: item.start < item.end)
    if len(pair.gold_sentences) > 1 or len(pair.system_sentences) > 1:
        lost = boundary_errors(pair, pair.matching)
        if any(lost):
            made.append(_without_tree("boundary", *lost))
            gone = [{item.node for item in items} for items in lost]
            match = match.picked(lambda side, item: item.node not in gone[side])
    of_system = [-1] * len(match.system)
    for index, partner in enumerate(match.partners):
        if partner >= 0:
            of_system[partner] = index
    gold_units, system_units, size = pair.unit_of_words()
    # Units with one word on each side need no translation.
    units = None if gold_units == system_units == [*range(size)] else (gold_units, system_units)
    sides = (pair.gold, match.gold, match.partners), (pair.system, match.system, of_system)
    gold_tree, system_tree = [
        ConstituentTree(
            tree,
            [item.label for item in items],
            [item.node for item in items],
            partners,
            pair.rules.representative,
        )
        for tree, items, partners in sides
    ]
    return made + steps(gold_tree, system_tree, units)


def _unaligned(tree: Tree, constituents: Sequence[Constituent]) -> list[list[Constituent]]:
    """Return the constituents over unaligned words, each with those below it."""
    groups: list[list[Constituent]] = []
    for item in constituents:
        if item.start == item.end and groups and tree.starts[item.node] < tree.ends[groups[-1][0].node]:
            groups[-1].append(item)
        elif item.start == item.end:
            groups.append([item])
    return groups


def _without_tree(kind: str, missed: Sequence[Constituent], extra: Sequence[Constituent]) -> Step:
    """Return a step for which no tree is searched."""
    nodes = [tuple([item.node for item in items]) for items in (missed, extra)]
    return Step(kind, missed=nodes[0], extra=nodes[1])
