"""Presets: the settings that a field of research uses, under one name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENGLISH_PUNCTUATION = [",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "$", "#", "-NONE-"]
"""Tags of English treebanks that grammar induction deletes: punctuation, currency signs, traces."""

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ptb": {"convention": "jpevalb", "prm": "COLLINS"},
    "ctb": {"convention": "jpevalb", "prm": "ctb", "lang": "none"},
    "spmrl": {"convention": "jpevalb cut-at:##", "prm": "spmrl"},
    "sejong": {"convention": "jpevalb cut-at:_", "prm": "spmrl", "lang": "ko"},
    "negra": {"convention": "discontinuous", "prm": "negra"},
    "tnlcfrs": {
        "convention": "discontinuous least:2 whole:drop-all most-gaps:1",
        "unlabeled": True,
    },
    "unsupervised": {
        "convention": "discontinuous least:2 whole:drop-all words:2 compare:number",
        "unlabeled": True,
        "punctuation": tuple(ENGLISH_PUNCTUATION),
        "empty_f1": "one",
        "by_label": True,
        "metrics": ("brackets", "tags", "baselines"),
    },
    "concepts": {"convention": "jpevalb", "metrics": ("brackets", "tags", "nodes", "concepts")},
}
"""The settings of each preset; ``docs/conventions.md`` explains them.

Papers: Sekine & Collins 1997 and Jo et al. 2024 (``ptb``), Seddah et al. 2013 (``spmrl``), van Cranenburgh,
Scha & Bod 2016 (``negra``), Yang, Levy & Kim 2023 and Shayegh et al. 2024 (``tnlcfrs``), Kim, Dyer &
Rush 2019 and their program (``unsupervised``), Thomae et al. 2003 (``concepts``).
"""

PURPOSES = {
    "ptb": "the Penn Treebank: COLLINS.prm; words are aligned",
    "ctb": "the Penn Chinese Treebank: ctb.prm, without punctuation",
    "spmrl": "the SPMRL shared tasks: spmrl.prm, labels end at ##",
    "sejong": "the Sejong treebank: spmrl.prm, labels end at _, Korean",
    "negra": "German and Dutch trees with gaps: negra.prm",
    "tnlcfrs": "unsupervised parsing with gaps, as TN-LCFRS",
    "unsupervised": "grammar induction: unlabelled, no trivial brackets, no punctuation",
    "concepts": "semantic trees: accuracy of nodes and concepts",
}
"""The field of research of each preset, for lists."""
