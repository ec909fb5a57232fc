"""Alignment of two treebanks whose sentences and words differ."""

from typing import NamedTuple


class Unit(NamedTuple):
    """Smallest span of whole tokens on both sides, as half-open ranges of the bead's tokens.

    In a bead of one side each token is a unit.
    """

    gold_start: int  #: first gold token
    gold_end: int  #: last gold token + 1
    system_start: int  #: first system token
    system_end: int  #: last system token + 1


class Bead(NamedTuple):
    """Gold and system sentences that carry the same text (Gale & Church 1993)."""

    gold: tuple[int, int]  #: half-open range of 0-based gold sentence numbers; may be empty
    system: tuple[int, int]  #: half-open range of 0-based system sentence numbers; may be empty
    aligned: bool  #: False if exactly one side has text
