"""Alignment of two treebanks whose sentences and words differ."""

from .sentences import Bead, beads
from .words import Unit, word_units

__all__ = ["Bead", "Unit", "beads", "word_units"]
