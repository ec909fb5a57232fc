"""Presets: the settings that a field of research uses, under one name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENGLISH_PUNCTUATION = [",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "$", "#", "-NONE-"]
"""Tags of English treebanks that grammar induction deletes: punctuation, currency signs, traces."""

_GAPS = {"mode": "discontinuous"}
_NEGRA = {**_GAPS, "prm": "negra"}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ptb": {"mode": "alignment", "prm": "COLLINS"},
    "ctb": {"mode": "alignment", "prm": "ctb", "lang": "none"},
    "spmrl": {"mode": "alignment", "prm": "spmrl", "cut_at": ("##",)},
    "sejong": {"mode": "alignment", "prm": "spmrl", "lang": "ko", "cut_at": ("_",)},
    "negra": _NEGRA,
    "disco": _NEGRA,
    "tnlcfrs": {**_GAPS, "unlabeled": True, "exclude_trivial": True, "max_fanout": 2},
    "unsupervised": {
        **_GAPS,
        "unlabeled": True,
        "exclude_trivial": True,
        "punctuation": tuple(ENGLISH_PUNCTUATION),
        "empty_f1": "one",
        "least_words": 2,
        "compare": "number",
        "by_label": True,
        "metrics": ("brackets", "tags", "baselines"),
    },
    "concepts": {"mode": "alignment", "metrics": ("brackets", "tags", "nodes", "concepts")},
}
"""The settings of each preset; ``docs/conventions.md`` explains them.

Papers: Sekine & Collins 1997 and Jo et al. 2024 (``ptb``), Seddah et al. 2013 (``spmrl``), van Cranenburgh,
Scha & Bod 2016 (``negra``), Yang, Levy & Kim 2023 and Shayegh et al. 2024 (``tnlcfrs``), Kim, Dyer &
Rush 2019 and their program (``unsupervised``), Thomae et al. 2003 (``concepts``).
"""
