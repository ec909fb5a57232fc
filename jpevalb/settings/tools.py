"""The conventions of the tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .convention import NONE, OWN, Convention


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
_PRT: dict[str, Any] = {"equal": (("ADVP", "PRT"),)}
_SKIPS: dict[str, Any] = {"compare": "words", "no_parse": "left out"}
_PLAIN = OWN["own"]
_ROOTS = OWN["jpevalb"].no_bracket
_EVALB = Convention(
    name="evalb",
    tool="evalb, COLLINS.prm",
    source="Sekine & Collins 1997; evalb 20131109",
    figure="Bracketing FMeasure",
    cut="^-=",
    no_bracket=_COLLINS | {"TOP"},
    drop_tags=_COLLINS | {"TOP"},
    tags="equal labels",
    **_PRT,
    **_SKIPS,
)
_NK = _EVALB.replace(
    no_bracket=_NEW | {"TOP", "S1"}, drop_tags=_NEW | {"TOP", "S1"}, quote_tags=_QUOTES
)  # fmt: skip
_SUPAR = Convention(no_bracket=_NEW | {"TOP", "S1", ""}, drop_tags=_NEW | {"TOP", "S1", ""}, **_PRT)
_INDUCED = Convention(labeled=False, least=2, whole="drop all", repeats="once")
_KIM = _INDUCED.replace(whole="drop root", words=(2, 150), compare="number", unlike="stop")
_WORDS_ONLY = _INDUCED.replace(only_tags=_PENN, decided_by="gold", mean="sentences")
_TN = _INDUCED.replace(no_parse="left out")


def _named(base: Convention, name: str, tool: str, source: str, figure: str, **rules: Any) -> Convention:
    return replace(base, name=name, tool=tool, source=source, figure=figure, **rules)


_BERKELEY_NLP = "self-attentive-parser 24435a1"
# fmt: off
_TABLE = (
    OWN["jpevalb"],
    _EVALB,
    _named(_NK, "benepar", "benepar (evalb, nk.prm)", f"Kitaev & Klein 2018; {_BERKELEY_NLP}", "FScore"),
    _named(_PLAIN, "evalb_spmrl", "evalb_spmrl, spmrl.prm", f"Seddah et al. 2013; {_BERKELEY_NLP}",
           "Bracketing FMeasure", cut="^-=#", cut_tags="compared", no_bracket=_ROOTS | {"S1", "VROOT"},
           drop_tags=(_ROOTS | {"S1", "VROOT"}) - {""}, tags="as written", **_SKIPS),
    _named(_EVALB, "allennlp", "AllenNLP", "Gardner et al. 2018; allennlp 80fb606", "evalb_f1_measure",
           tags="none"),
    _named(_SUPAR, "supar", "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "LF"),
    _named(_SUPAR, "supar-unlabeled", "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "UF",
           labeled=False),
    _named(_SUPAR, "hanlp", "HanLP", "He & Choi 2021; HanLP 0477ed8", "LF"),
    _named(_SUPAR, "hanlp-unlabeled", "HanLP", "He & Choi 2021; HanLP 0477ed8", "UF", labeled=False),
    _named(_PLAIN, "stanza", "Stanza, CoreNLP", "Qi et al. 2020; CoreNLP 1b7edd1, stanza 1f4bfdd", "F1",
           cut="~-=|#^~_[", cut_tags="all", equal=(("PRT", "ADVP"),), no_bracket=_ROOTS - {""},
           root_children="first", drop_tags=_FIVE, drop_words=_CORENLP, decided_by="gold", repeats="once",
           compare="number", no_parse="left out"),
    _named(_PLAIN, "pyevalb", "PYEVALB", "PYEVALB 59f5c38 (0.1.3)", "Bracketing FMeasure", repeats="first",
           tags="as written", **_SKIPS),
    _named(_PLAIN, "jp-evalb", "jp-evalb -evalb", "Park et al. 2024; jp-evalb f82c4fc", "Bracketing FMeasure",
           cut="^-", no_bracket=_ROOTS - {"ROOT"}, no_bracket_system=NONE | {"S1"},
           drop_whole=_COLLINS | {"TOP"}, repeats="first", compare="words", tags="as written", **_PRT),
    _named(_PLAIN, "berkeley", "Berkeley parser", "Petrov & Klein 2007; berkeleyparser 0df1ae7", "F1",
           no_bracket=NONE | {"ROOT", "PSEUDO"}, drop_tags=_FIVE, least=0, repeats="once"),
    _named(_PLAIN, "disco-dop", "disco-dop, proper.prm", "van Cranenburgh et al. 2016; disco-dop dd181a6",
           "labeled f-measure", cut=".-=", cut_tags="all", equal_words=(("-LRB-", "("), ("-RRB-", ")")),
           no_bracket=_PROPER, drop_tags=_PROPER, drop_words=_PROPER_WORDS, decided_by="gold",
           compare="words", unlike="stop", tags="as written", **_PRT),
    _named(_KIM, "kim", "compound-PCFG", "Kim et al. 2019; compound-pcfg 4af1eb0", "Sentence F1",
           mean="sentences"),
    _named(_KIM, "kim-corpus", "compound-PCFG", "Kim et al. 2019; compound-pcfg 4af1eb0", "Corpus F1"),
    _named(_EVALB, "urnng", "URNNG (evalb, its COLLINS.prm)", "Kim et al. 2019; urnng b1eeffa",
           "Bracketing FMeasure", labeled=False),
    _named(_TN, "tnpcfg", "TN-PCFG", "Yang et al. 2021; TN-PCFG fa519b5", "Sentence F1", mean="sentences"),
    _named(_TN, "tnpcfg-corpus", "TN-PCFG", "Yang et al. 2021; TN-PCFG fa519b5", "Corpus F1", repeats="any"),
    _named(_PLAIN, "diora", "DIORA (evalb, diora.prm)", "Drozdov et al. 2019; diora 110b9b0",
           "Bracketing FMeasure", cut="^-=", labeled=False, no_bracket=_NEW | {"ROOT", "S1"}, only_tags=_PENN,
           decided_by="gold", **_SKIPS),
    _named(_WORDS_ONLY, "on-lstm", "ON-LSTM", "Shen et al. 2019; ON-LSTM 46d63cd", "Mean F1",
           words=(1, None)),
    _named(_WORDS_ONLY, "prpn-wsj10", "PRPN, WSJ10", "Shen et al. 2018; PRPN 42212fb", "Mean F1",
           words=(1, 10)),
    _named(_INDUCED, "taa", "TN-LCFRS, tree averaging", "Yang et al. 2023, Shayegh et al. 2024; "
           "TN-LCFRS 596de77", "F1", most_gaps=1, repeats="any"),
    _named(_EVALB, "ctb-nopunct", "evalb, COLLINS_ch.prm", "Liu & Zhang 2017; InOrderParser ab24676",
           "Bracketing FMeasure", no_bracket=_COLLINS | {"TOP", "PU"}, drop_tags=_COLLINS | {"TOP", "PU"}),
    _named(_NK, "ctb-punct", "benepar, Chinese Treebank", f"Kitaev et al. 2019; {_BERKELEY_NLP}", "FScore"),
)
# fmt: on
CONVENTIONS = {convention.name: convention for convention in _TABLE}
"""The conventions by name, jpevalb's own first."""
