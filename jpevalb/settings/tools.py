"""The rules of each tool, as far as they differ from the defaults of :class:`Convention`."""

from __future__ import annotations

from typing import Any


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COLLINS = _words("-NONE- , : `` '' .")
_NEW = _COLLINS | {"?", "!"}
_FIVE = _COLLINS - {"-NONE-"}
_QUOTES = _words("`` '' POS NN CD VBZ :")
_PENN = _words(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG "
    "VBN VBP VBZ WDT WP WP$ WRB"
)
_CORENLP = _words("{ } '' ' `` ` -LRB- -RRB- ( ) -LCB- -RCB- . ? ! , : - -- ... ;")
_PROPER = _words(
    "$, $( $[ $. PUNCT punct LET[] LET() LET let[] let() let , : `` '' . -NONE- NOPARSE TOP ROOT VROOT"
)
_PROPER_WORDS = _words(". , : ; ' ` \" `` '' - ( ) / & $ ! !!! ? ?? ??? .. ... « »")
_TRACE = frozenset(("-NONE-",))
_PRT: dict[str, Any] = {"equal": (("ADVP", "PRT"),)}
_SKIPS: dict[str, Any] = {"compare": "words", "no_parse": "left out"}
_ROOTS = frozenset(("TOP", "ROOT", ""))


def _row(base: dict[str, Any], tool: str, source: str, figure: str, **rules: Any) -> dict[str, Any]:
    return {**base, "tool": tool, "source": source, "figure": figure, **rules}


_PLAIN: dict[str, Any] = {}
_EVALB = _row(
    _PLAIN,
    "evalb, COLLINS.prm",
    "Sekine & Collins 1997; evalb 20131109",
    "Bracketing FMeasure",
    cut="^-=",
    no_bracket=_COLLINS | {"TOP"},
    drop_tags=_COLLINS | {"TOP"},
    tags="equal labels",
    unmeasured=_TRACE,
    max_errors=11,  # its MAX_ERROR of 10 allows one more
    **_PRT,
    **_SKIPS,
)
_NK = _EVALB | {
    "no_bracket": _NEW | {"TOP", "S1"}, "drop_tags": _NEW | {"TOP", "S1"}, "quote_tags": _QUOTES
}  # fmt: skip
_SUPAR = {"no_bracket": _NEW | {"TOP", "S1", ""}, "drop_tags": _NEW | {"TOP", "S1", ""}, **_PRT}
_INDUCED = {"labeled": False, "least": 2, "whole": "drop all", "repeats": "once"}
_KIM = _INDUCED | {"whole": "drop root", "words": (2, 150)}
_WORDS_ONLY = _INDUCED | {"only_tags": _PENN, "decided_by": "gold", "mean": "sentences"}
_BY_GOLD = _INDUCED | {"whole": "drop gold"}
_TN = _BY_GOLD | {"no_parse": "left out"}
_BERKELEY_NLP = "self-attentive-parser 24435a1"
# fmt: off
TOOLS = {
    "jpevalb": _row(_PLAIN, "jpevalb", "Jo et al. 2024", "Bracketing FMeasure", cut="^-=", no_bracket=_ROOTS,
                    compare="aligned", tags="as written",
                    unmeasured=frozenset()),
    "evalb": _EVALB,
    "benepar": _row(_NK, "benepar (evalb, nk.prm)", f"Kitaev & Klein 2018; {_BERKELEY_NLP}", "FScore"),
    "evalb_spmrl": _row(_PLAIN, "evalb_spmrl, spmrl.prm", f"Seddah et al. 2013; {_BERKELEY_NLP}",
           "Bracketing FMeasure", cut="^-=#", cut_tags="compared", no_bracket=_ROOTS | {"S1", "VROOT"},
           unlike="counted", tags="as written", unmeasured=_TRACE, max_errors=11, **_SKIPS),
    "allennlp": _row(_EVALB, "AllenNLP", "Gardner et al. 2018; allennlp 80fb606", "evalb_f1_measure",
           tags="none"),
    "supar": _row(_SUPAR, "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "LF"),
    "supar-unlabeled": _row(_SUPAR, "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "UF",
           labeled=False),
    "hanlp": _row(_SUPAR, "HanLP", "He & Choi 2021; HanLP 0477ed8", "LF"),
    "hanlp-unlabeled": _row(_SUPAR, "HanLP", "He & Choi 2021; HanLP 0477ed8", "UF", labeled=False),
    "stanza": _row(_PLAIN, "Stanza, CoreNLP", "Qi et al. 2020; CoreNLP 1b7edd1, stanza 1f4bfdd", "F1",
           cut="~-=|#^~_[", cut_tags="all", equal=(("PRT", "ADVP"),), no_bracket=_ROOTS - {""},
           root_children="first", drop_tags=_FIVE, drop_words=_CORENLP, decided_by="gold", repeats="once",
           empty="incomplete", compare="number", no_parse="left out"),
    "pyevalb": _row(_PLAIN, "PYEVALB", "PYEVALB 59f5c38 (0.1.3)", "Bracketing FMeasure", repeats="first",
           tags="as written", **_SKIPS),
    "jp-evalb": _row(_PLAIN, "jp-evalb -evalb", "Park et al. 2024; jp-evalb f82c4fc", "Bracketing FMeasure",
           cut="^-", no_bracket=_ROOTS - {"ROOT"}, no_bracket_system=frozenset({"S1"}),
           drop_whole=_COLLINS | {"TOP"}, repeats="first", compare="words", tags="as written", **_PRT),
    "berkeley": _row(_PLAIN, "Berkeley parser", "Petrov & Klein 2007; berkeleyparser 0df1ae7", "F1",
           no_bracket=frozenset({"ROOT", "PSEUDO"}), drop_tags=_FIVE, least=0, repeats="once"),
    "disco-dop": _row(_PLAIN, "disco-dop, proper.prm", "van Cranenburgh et al. 2016; disco-dop dd181a6",
           "labeled f-measure", cut=".-=", cut_tags="all", equal_words=(("-LRB-", "("), ("-RRB-", ")")),
           no_bracket=_PROPER, drop_tags=_PROPER, drop_words=_PROPER_WORDS, decided_by="token",
           compare="words", unlike="stop", tags="as written", **_PRT),
    "kim": _row(_KIM, "compound-PCFG", "Kim et al. 2019; compound-pcfg 4af1eb0", "Sentence F1",
           mean="sentences"),
    "kim-corpus": _row(_KIM, "compound-PCFG", "Kim et al. 2019; compound-pcfg 4af1eb0", "Corpus F1"),
    "urnng": _row(_EVALB, "URNNG (evalb, its COLLINS.prm)", "Kim et al. 2019; urnng b1eeffa",
           "Bracketing FMeasure", labeled=False),
    "tnpcfg": _row(_TN, "TN-PCFG", "Yang et al. 2021; TN-PCFG fa519b5", "Sentence F1", mean="sentences"),
    "tnpcfg-corpus": _row(_TN, "TN-PCFG", "Yang et al. 2021; TN-PCFG fa519b5", "Corpus F1", repeats="any"),
    "diora": _row(_PLAIN, "DIORA (evalb, diora.prm)", "Drozdov et al. 2019; diora 110b9b0",
           "Bracketing FMeasure", cut="^-=", labeled=False, no_bracket=_NEW | {"ROOT", "S1"}, only_tags=_PENN,
           decided_by="gold", bare_tags=frozenset({"DT"}), unmeasured=_TRACE, max_errors=11, **_SKIPS),
    "on-lstm": _row(_WORDS_ONLY, "ON-LSTM", "Shen et al. 2019; ON-LSTM 46d63cd", "Mean F1",
           words=(1, None)),
    "prpn-wsj10": _row(_WORDS_ONLY, "PRPN, WSJ10", "Shen et al. 2018; PRPN 42212fb", "Mean F1",
           words=(1, 10)),
    "taa": _row(_BY_GOLD, "TN-LCFRS, tree averaging", "Yang et al. 2023, Shayegh et al. 2024; "
           "TN-LCFRS 596de77", "F1", most_gaps=1, repeats="any"),
    "ctb-nopunct": _row(_EVALB, "evalb, COLLINS_ch.prm", "Liu & Zhang 2017; InOrderParser ab24676",
           "Bracketing FMeasure", no_bracket=_COLLINS | {"TOP", "PU"}, drop_tags=_COLLINS | {"TOP", "PU"}),
    "ctb-punct": _row(_NK, "benepar, Chinese Treebank", f"Kitaev et al. 2019; {_BERKELEY_NLP}", "FScore"),
}
# fmt: on
"""The rules of the conventions by name, jpevalb's own first."""
FOR_GAPS = ("disco-dop", "taa")  # tools for trees with gaps
OTHERS = {
    "own": _PLAIN,
    "discontinuous": _row(
        TOOLS["jpevalb"],
        "jpevalb",
        "trees over the same words",
        "Bracketing FMeasure",
        no_bracket=_ROOTS | {"VROOT"},
        decided_by="gold",
        empty="parsed",
        compare="words",
        unlike="stop",
        equal_words=tuple(zip(["-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"], "()[]{}")),
    ),
}
"""Conventions that no tool has: the defaults of all rules, and jpevalb's for trees over the same words."""
