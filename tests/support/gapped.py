"""Sentences with gaps for tests of reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jpevalb import Evaluation, Tree, evaluate
from jpevalb.formats.read import as_tree
from jpevalb.metrics.discontinuous import DiscontinuousCounts

ROOTS = {"", "ROOT", "TOP", "VROOT"}

# 1: a VP of three blocks is found.  2: a VP of three blocks is missed, a WHNP of two is extra.  3: no gap.
_WAKE = (
    "(ROOT (S (VP (VB 0=wake) (NP (PRP$ 2=your) (NN 3=friend)) (RP 5=up))"
    " (NP (PRP 1=please)) (ADVP (RB 4=soon))))"
)
GOLD = [
    _WAKE,
    "(ROOT (S (VP (WP 0=what) (VB 3=say) (PP (IN 5=about)))"
    " (SQ (VBD 1=did) (NP (PRP 2=they))) (NP (NN 4=there))))",
    "(ROOT (S (NP (DT 0=the) (NN 1=cat)) (VP (VBD 2=slept))))",
]
SYSTEM = [
    _WAKE,
    "(ROOT (S (WHNP (WP 0=what) (IN 5=about))"
    " (SQ (VBD 1=did) (NP (PRP 2=they)) (VP (VB 3=say) (NP (NN 4=there))))))",
    "(ROOT (S (NP (DT 0=the)) (VP (NN 1=cat) (VBD 2=slept))))",
]


def figures_of(total: DiscontinuousCounts) -> list[float | None]:
    """List the figures of a comparison of trees with gaps, in the order of its columns."""
    return [
        total.overall.precision,
        total.overall.recall,
        total.overall.f1,
        total.continuous.f1,
        total.discontinuous.f1,
        total.sentence_f1,
        total.exact_match,
        total.tag_accuracy,
    ]


def evaluated(
    gold: Sequence[str | Tree] = GOLD,
    system: Sequence[str | Tree] = SYSTEM,
    *,
    ids: Sequence[str] = (),
    **options,
) -> Evaluation:
    """Evaluate trees with aligned words; both sides have the ids."""
    sides = [[as_tree(tree) for tree in side] for side in (gold, system)]
    if ids:
        sides = [[replace(tree, id=id) for tree, id in zip(side, ids, strict=True)] for side in sides]
    return evaluate(*sides, convention="jpevalb", pair="order", metrics=("brackets", "tags"), **options)
