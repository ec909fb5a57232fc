"""Presets: the settings that a field of research uses, under one name."""

from __future__ import annotations

from collections.abc import Mapping

from .typed import Any

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
        "by_label": True,
        "metrics": ("brackets", "tags", "baselines"),
    },
    "concepts": {"mode": "alignment", "metrics": ("brackets", "tags", "nodes", "concepts")},
}
"""The settings of each preset.

- ``ptb``: evalb's COLLINS.prm, on aligned words (Sekine & Collins 1997; Jo et al. 2024).
- ``ctb``: the same for the Chinese Treebank: root labels, traces and punctuation (PU) are deleted.  Papers
  differ in whether PU counts; ``--preset ctb --prm nk`` has it.
- ``spmrl``: root labels are deleted, punctuation counts, labels and tags end at ``##`` (Seddah et al. 2013).
- ``sejong``: the Sejong treebank and similar ones, with labels such as ``NP_SBJ``: the same, in Korean.
- ``negra``, ``disco``: discontinuous trees, with the rules of disco-dop's ``proper.prm``: roots and all
  punctuation, by tag and by word, are deleted (van Cranenburgh, Scha & Bod 2016).
- ``tnlcfrs``: constituents without labels, none of one word or of the whole sentence, two blocks
  at most (Yang, Liu & Tu 2022; Shayegh et al. 2024).  Their files have no punctuation.
- ``unsupervised``: constituents without labels, none of one word or of the whole sentence; punctuation
  is deleted by gold's tags, and sentences of one word are left out; the F1 of a sentence without a
  constituent on either side is 1 (Kim, Dyer & Rush 2019 and their program).  With recall by gold label
  and baselines.
- ``concepts``: semantic trees: tree node, word and concept accuracy (Thomae et al. 2003).
"""
