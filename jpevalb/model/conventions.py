"""Conventions: what is counted in one way in one mode and in another way in the other."""

from __future__ import annotations

from typing import NamedTuple

ALIGNMENT, DISCONTINUOUS = "alignment", "discontinuous"
"""Modes: presets of what is equal and what counts, and of how sentences pair up."""


class Conventions(NamedTuple):
    """What a mode counts in a way of its own."""

    virtual_roots: bool
    """Whether VROOT, which a treebank's tools added, never counts, as TOP, ROOT and the empty label."""
    unlabeled_sets: bool
    """Whether constituents without labels are sets, so that a unary chain counts once, or multisets."""
    gold_deletes: bool
    """Whether gold's tags say which words both sides leave out, if their words agree, or each its own."""
    tags_in_place: bool
    """Whether tags are compared word by word, over gold words that have one, or as sets of (tag, word)."""
    same_words: bool
    """Whether both sides of a pair must have the same words; else they are aligned to units."""
    empty_is_complete: bool
    """Whether a gold sentence without constituents and without a parse is completely matched."""
    equality_is_transitive: bool
    """Whether labels and words that equal one another by way of a third are equal."""


CONVENTIONS = {
    ALIGNMENT: Conventions(False, False, False, False, False, True, False),
    DISCONTINUOUS: Conventions(True, True, True, True, True, False, True),
}
"""For each mode its conventions."""
