"""evalb's report: compute and print what the C program evalb and its variant evalb_spmrl do.

>>> from jpevalb import Params, legacy
>>> gold = ["(S (NP (DT the) (NN cat)) (VP (VBD slept)))"]
>>> system = ["(S (NP (DT the)) (VP (NN cat) (VBD slept)))"]
>>> result = legacy.evaluate(gold, system, Params())
>>> result.total.matched, result.total.gold, result.total.system, result.total.crossing
(1, 3, 3, 1)
>>> print(result.report().splitlines()[3])
   1    3    0   33.33  33.33     1      3    3      1      3     3   100.00
"""

from __future__ import annotations

# Imported on first use: evalb's command line needs none of these names.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from .result import LegacyCounts, LegacyResult, LegacySentence, evaluate

__all__ = ["LegacyCounts", "LegacyResult", "LegacySentence", "evaluate"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import result

    return getattr(result, name)
