"""Error analysis: corrections, their causes, and the tables made from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .analysis import Analysis as Analysis, AnalysisCounts as AnalysisCounts
    from .causes import Classes as Classes
    from .corrections import Correction as Correction


def __getattr__(name: str) -> object:
    # Type hints of results name these classes, but most runs never make an analysis.
    if name not in ("Analysis", "AnalysisCounts", "Classes", "Correction"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.analysis"), name)
