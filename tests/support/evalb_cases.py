"""Stored output of the C programs."""

from __future__ import annotations

from tests.support.commands import ROOT

CASES = sorted(path.parent for path in (ROOT / "golden_outputs" / "evalb").glob("*/about"))
