"""Conventions: the rules by which a tool decides what counts, one row of data a tool; and presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

from ..base.counts import Fields
from ..base.errors import SettingsError
from ..base.text import number_of
from ..base.values import Values, whole_number

NONE: frozenset[str] = frozenset()


def _rule(default: Any, words: str | Mapping[Any, str]) -> Any:
    """Return a field with words for its value: a text for each value, or one in which ``{}`` is the value."""
    return field(default=default, metadata={"words": words})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Convention(Fields):
    """The rules that decide which words and brackets count, and the tool whose rules they are.

    The rules act in this order: read, drop words, name and keep brackets, match, add up.  Sets of labels may
    be given as any iterable of strings, or as text with blanks between them.

    Attributes:
        name: Name in tables and signatures.
        tool: The program.
        source: Paper, repository and commit.
        figure: The name under which the tool prints its F1.
        max_errors: Largest number of sentences of other words with which the tool still gives a figure;
            ``None`` for no limit.
        cut: Where labels end. ``""``: as written; ``^MARKS``: before the first of these marks; ``.MARKS``:
            the same, but labels that begin with a mark do not end at it; ``~MARKS``: a label that begins with
            a mark may hold it once more, as in ``-NONE-``, and ends at the next.
        cut_tags: Whether tags are cut: ``""``, ``"all"``, or ``"compared"`` (only where tags are compared).
        cut_at: Marks of any length at which labels and tags end first, unless they begin with it.
        equal: Pairs (a, b) of labels: a counts as b, transitively.
        equal_words: The same for words, only where words are compared.
        labeled: False if brackets match whatever their labels.
        no_bracket: Labels, after the cut, that are never brackets.
        no_bracket_system: The same, in the system only.
        root_children: ``"all"``, or ``"first"``: below a label of ``no_bracket`` only the first child is
            read.
        drop_whole: Labels, as written, of subtrees that go with their words; the root only if it has several
            children.
        drop_tags: Words with these tags are dropped.
        drop_words: These words are dropped.
        drop_below_root: True if words whose preterminal is a child of the root are dropped.
        only_tags: If not empty, words with any other tag are dropped.
        decided_by: Whose tags and words decide which words are dropped: ``"own"``; ``"gold"`` for both, by
            position; or ``"token"``: for a word of the system, gold's next equal one.
        quote_tags: Where the numbers of words differ, quotation marks with these tags that only one side
            dropped are restored.
        least: Number of words that a bracket needs once words are dropped; with 0, brackets over dropped
            words only count, too.
        whole: Brackets over all words: ``"keep"``, ``"drop all"``, ``"drop gold"`` (on both sides those from
            the first word over as many as gold has), or ``"drop root"`` (the root's own only).
        most_gaps: Maximum number of gaps of a bracket; ``None`` for no limit.
        only_gaps: True if only brackets with gaps count.
        repeats: A label twice over one span: ``"each"`` (multisets), ``"once"`` (sets), ``"first"`` (matched
            as sets, counted as lists), ``"any"`` (each bracket that the other side has is matched).
        bare_tags: If not empty, a sentence of one word without a bracket is one: of the system, and of gold
            with one of these tags.
        empty: Sentences without a bracket on either side: ``"complete"``, ``"parsed"`` (complete if the
            system has a parse) or ``"incomplete"``.
        no_parse: Sentences without a word of the system: ``"missed"`` or ``"left out"``.
        words: Smallest and largest number of gold words of a sentence that counts.
        compare: What must agree: ``"words"``, their ``"number"``, ``"no"``thing; or ``"aligned"``: words are
            aligned, so nothing must.
        unlike: Sentences that do not agree: ``"left out"``; ``"stop"`` to end the run; or ``"counted"``:
            those of another length count, without their brackets.
        unmeasured: Words with these tags do not count for the length, all others do, also those that are
            dropped; ``None`` if the length is the number of words that stay.
        mean: F1 of the ``"corpus"``, or the mean of the ``"sentences"`` (1 if both sides lack brackets).
        tags: How tags are compared, by position: ``"none"``, ``"as written"`` or ``"equal labels"`` (with
            ``equal``).

    >>> Convention.of("supar").no_bracket >= {"TOP", "S1", ""}
    True
    >>> Convention.of("supar").replace(least=2).signature
    'convention:supar least:2'
    >>> Convention.parse("convention:supar least:2").least
    2
    """

    name: str = "own"
    tool: str = ""
    source: str = ""
    figure: str = "F1"
    max_errors: int | None = None
    # fmt: off
    cut: str = _rule("", "labels end at {}")
    cut_tags: str = _rule("", {
        "": "tags as written", "all": "tags cut", "compared": "tags cut where compared"})
    cut_at: frozenset[str] = _rule(NONE, "labels and tags end at {}")
    equal: tuple[tuple[str, str], ...] = _rule((), "equal labels {}")
    equal_words: tuple[tuple[str, str], ...] = _rule((), "equal words {}")
    labeled: bool = _rule(True, {True: "labelled", False: "unlabelled"})
    no_bracket: frozenset[str] = _rule(NONE, "never brackets {}")
    no_bracket_system: frozenset[str] = _rule(NONE, "never brackets of the system {}")
    root_children: str = _rule("all", {"all": "all children of the root", "first": "first child of the root"})
    drop_whole: frozenset[str] = _rule(NONE, "dropped subtrees {}")
    drop_tags: frozenset[str] = _rule(NONE, "dropped tags {}")
    drop_words: frozenset[str] = _rule(NONE, "dropped words {}")
    drop_below_root: bool = _rule(False, {True: "no words below the root", False: "words below the root"})
    only_tags: frozenset[str] = _rule(NONE, "kept tags {}")
    decided_by: str = _rule("own", {"own": "own tags decide", "gold": "gold's tags decide",
        "token": "tags of gold's equal words decide"})
    quote_tags: frozenset[str] = _rule(NONE, "restored quotes {}")
    least: int = _rule(1, "brackets from {}")
    whole: str = _rule("keep", {
        "keep": "whole sentence counts", "drop all": "no bracket of the whole sentence",
        "drop gold": "no bracket of gold's length", "drop root": "no bracket of the root node"})
    most_gaps: int | None = _rule(None, "up to {} gaps")
    only_gaps: bool = _rule(False, {True: "only brackets with gaps", False: "brackets without gaps, too"})
    repeats: str = _rule("each", {
        "each": "repeated brackets count each", "once": "repeated brackets count once",
        "first": "repeated brackets match once", "any": "repeated brackets match any"})
    bare_tags: frozenset[str] = _rule(NONE, "words alone are brackets {}")
    empty: str = _rule("complete", {
        "complete": "empty sentences are complete", "parsed": "empty sentences with a parse are complete",
        "incomplete": "empty sentences are not complete"})
    no_parse: str = _rule("missed", {"missed": "no parse is missed", "left out": "no parse is left out"})
    words: tuple[int, int | None] = _rule((0, None), "sentences of {} words")
    compare: str = _rule("no", {
        "no": "words are not compared", "number": "numbers of words agree", "words": "words agree",
        "aligned": "words are aligned"})
    unlike: str = _rule("left out", {
        "left out": "others are left out", "stop": "others end the run",
        "counted": "others of another length count without brackets"})
    unmeasured: frozenset[str] | None = _rule(None, "length without {}")
    mean: str = _rule("corpus", {"corpus": "sums of the corpus", "sentences": "mean of sentences"})
    tags: str = _rule("none", {
        "none": "no tags", "as written": "tags compared", "equal labels": "tags compared with equal labels"})
    # fmt: on

    def __post_init__(self) -> None:
        for rule in RULES:
            value, default = getattr(self, rule), _DEFAULTS[rule]
            if isinstance(default, frozenset) or (rule == "unmeasured" and value is not None):
                value = frozenset(value.split() if isinstance(value, str) else value)
                object.__setattr__(self, rule, value)
            values, known, expected = _VALUES.get(rule), _WORDS[rule], ""
            if values and not values.accepts(value):
                expected = values.text
            if isinstance(known, Mapping):
                if isinstance(value, str):
                    value = value.replace("-", " ")  # as signatures and command lines spell it
                    object.__setattr__(self, rule, value)
                if value not in known:
                    expected = "one of " + ", ".join([_text(rule, one) or "''" for one in known])
            if expected:
                raise SettingsError(f"rule {_spelled(rule)} of a convention: {value!r}; expected {expected}")

    @classmethod
    def of(cls, convention: str | Convention) -> Convention:
        """Return a convention by its name; raise a SettingsError if it is unknown."""
        if isinstance(convention, cls):
            return convention
        if convention not in TOOLS and convention not in OTHERS:
            from difflib import get_close_matches

            near = get_close_matches(str(convention), [*TOOLS, *PRESETS], n=1)
            advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(TOOLS)}"
            if convention == "all" or "," in str(convention):
                advice = "for a table of several call jpevalb.conventions"
            if convention in PRESETS:
                advice = "it is a preset, which has settings of its own; give it alone"
            raise SettingsError(f"unknown convention {convention!r}; {advice}")
        return _made(convention)

    @classmethod
    def parse(cls, signature: str) -> Convention:
        """Return the convention that a signature names, with its changed rules."""
        parts = dict(part.partition(":")[::2] for part in signature.split())
        if "convention" not in parts:
            raise SettingsError(f"{signature!r} names no convention; expected a part convention:NAME")
        rules = {name.replace("-", "_"): text for name, text in parts.items()}
        changed = {name: _value(name, rules[name]) for name in RULES if name in rules}
        return cls.of(parts["convention"]).replace(**changed)

    @classmethod
    @lru_cache(64)
    def named(cls, text: str) -> Convention:
        """Return the convention of a name, followed by changed rules: ``"supar least:2"``."""
        for part in text.split()[1:]:
            rule, colon, _ = part.partition(":")
            if rule.replace("-", "_") not in RULES or not colon:
                listed = ", ".join(map(_spelled, RULES))
                raise SettingsError(
                    f"{part!r} is no rule of a convention; expected RULE:VALUE, with {listed}"
                )
        return cls.parse(f"convention:{text}")

    def replace(self, **rules: Any) -> Convention:
        """Return a copy with some rules changed; its name stays."""
        unknown = set(rules).difference(_DEFAULTS)
        if unknown:
            raise SettingsError(f"unknown rule {min(unknown)!r}; expected some of {', '.join(RULES)}")
        return replace(self, **rules) if rules else self

    @property
    def changed(self) -> dict[str, Any]:
        """The rules that differ from those of the convention with this name."""
        base = _made(self.name)
        return {name: getattr(self, name) for name in RULES if getattr(self, name) != getattr(base, name)}

    @property
    def signature(self) -> str:
        """The name, and the rules that differ from those of the convention with this name."""
        changed = [f"{_spelled(name)}:{_text(name, value)}" for name, value in self.changed.items()]
        return " ".join([f"convention:{_made(self.name).name}", *changed])

    def differences(self, other: Convention) -> list[str]:
        """Return a short description of each rule that differs from another convention."""
        return [
            _describe(name, getattr(self, name), getattr(other, name))
            for name in _DESCRIBED
            if getattr(self, name) != getattr(other, name)
        ]


@lru_cache(None)
def _made(name: str) -> Convention:
    name = name if name in TOOLS or name in OTHERS else "own"
    return Convention(name=name, **(OTHERS.get(name) or TOOLS.get(name, {})))


_WORDS: dict[str, Any] = {item.name: item.metadata["words"] for item in fields(Convention) if item.metadata}
_DEFAULTS: dict[str, Any] = {item.name: item.default for item in fields(Convention)}
RULES = tuple(_WORDS)
"""The names of the rules, in the order in which they act."""

OF_FIGURES = tuple([rule for rule in RULES if rule != "unmeasured"])
"""The rules that may change a figure of all sentences."""

# The rules that change most figures most come first in a description.
_FIRST = ("labeled", "mean", "cut", "words", "whole", "least", "repeats", "drop_tags")
_DESCRIBED = (*_FIRST, *[rule for rule in OF_FIGURES if rule not in _FIRST])


def rules_text() -> str:
    """Return the help of the rules: a line for each, with its values or its meaning."""
    lines = ["Rules that may follow a name, as in --convention 'supar least:2 whole:drop-all':"]
    for rule, words in _WORDS.items():
        if isinstance(words, Mapping):
            said = "; ".join([f"{_text(rule, value) or 'none'}: {text}" for value, text in words.items()])
        else:
            said = words.format("...")
        lines.append(f"  {_spelled(rule):<20}{said}")
    return "\n".join(lines) + "\n"


def _describe(rule: str, value: Any, other: Any) -> str:
    """Return a description of the value of a rule; for a set, of the difference from another set."""
    words = _WORDS[rule]
    if isinstance(words, Mapping):
        return str(words[value])
    if rule == "cut" and not value:
        return "labels as written"
    if isinstance(value, frozenset):
        shown = " ".join([*_some("+", value - other), *_some("-", other - value)])
    elif rule == "words":
        shown = f"{value[0]} {'or more' if value[1] is None else f'to {value[1]}'}"
    elif isinstance(value, tuple):
        shown = " ".join(["=".join(pair) for pair in value]) or "none"
    elif rule == "least":
        shown = f"{value} word{'s' * (value != 1)}"
    else:
        shown = "any number of" if value is None else value.lstrip("^.~") if rule == "cut" else str(value)
    return str(words).format(shown)


def _some(sign: str, labels: frozenset[str]) -> list[str]:
    """Return up to two labels with a sign, or the number of more."""
    if len(labels) > 2:
        return [f"{sign}{len(labels)}"]
    return [sign + (label or '""') for label in sorted(labels)]


def _spelled(rule: str) -> str:
    return rule.replace("_", "-")


def _text(rule: str, value: Any) -> str:
    """Return the value of a rule as one word of a signature; :func:`_value` reads it."""
    from urllib.parse import quote

    def word(text: object) -> str:
        return quote(
            "" if text is None else str(text), safe="`'.,:;!?$#-=()[]{}&~^_@*+/", errors="surrogatepass"
        )

    if isinstance(value, frozenset):
        # A set with the empty label ends in a bar, so that it differs from the empty set.
        return "|".join([*sorted(map(word, value - {""})), *([""] if "" in value else [])]) or "none"
    if isinstance(value, tuple):
        return "|".join([">".join(map(word, one)) if isinstance(one, tuple) else word(one) for one in value])
    if isinstance(_WORDS[rule], Mapping) and isinstance(value, str):
        return value.replace(" ", "-")
    return "yes" if value is True else "no" if value is False else word(value)


def _value(rule: str, text: str) -> Any:
    """Read the value of a rule in a signature."""
    from urllib.parse import unquote

    default = _DEFAULTS[rule]
    if isinstance(default, frozenset) or (rule == "unmeasured" and text):
        return frozenset() if text == "none" else frozenset(map(unquote, text.split("|")))
    if rule == "words":
        # Without a bar there is no largest number.
        least, _, most = text.partition("|")
        return _number(least), _number(most) if most else None
    if isinstance(default, tuple):
        return tuple([tuple(map(unquote, pair.split(">", 1))) for pair in text.split("|") if pair])
    if isinstance(default, bool):
        return {"yes": True, "no": False}.get(text, text)
    if rule in ("least", "most_gaps", "unmeasured"):
        return _number(text) if text else None
    return unquote(text)


def _number(text: str) -> Any:
    """Return a number, or the text if it is not a number."""
    number = number_of(text)
    return text if number is None else number


def _are_pairs(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value)


def _is_range(value: Any) -> bool:
    if not (isinstance(value, tuple) and len(value) == 2 and _COUNT.accepts(value[0])):
        return False
    return value[1] is None or (_COUNT.accepts(value[1]) and value[0] <= value[1])


_COUNT = whole_number()
# The values of some rules
_VALUES = {
    "cut": Values(
        "marks after ^, . or ~, such as ^-=",
        lambda value: isinstance(value, str) and (not value or value[0] in "^.~"),
    ),
    "equal": Values("pairs of labels, such as ADVP>PRT", _are_pairs),
    "equal_words": Values("pairs of words, such as -LRB->(", _are_pairs),
    "least": _COUNT,
    "most_gaps": Values(_COUNT.text, lambda value: value is None or _COUNT.accepts(value)),
    "words": Values("the smallest and the largest number, such as 2|40 or 2|", _is_range),
}


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


# fmt: off
# Its MAX_ERROR of 10 allows one more.
_EVALB = _row({}, "evalb, COLLINS.prm", "Sekine & Collins 1997; evalb 20131109", "Bracketing FMeasure",
           cut="^-=", no_bracket=_COLLINS | {"TOP"}, drop_tags=_COLLINS | {"TOP"}, tags="equal labels",
           unmeasured=_TRACE, max_errors=11, **_PRT, **_SKIPS)
_NK = _EVALB | {
    "no_bracket": _NEW | {"TOP", "S1"}, "drop_tags": _NEW | {"TOP", "S1"}, "quote_tags": _QUOTES}
_SUPAR = {"no_bracket": _NEW | {"TOP", "S1", ""}, "drop_tags": _NEW | {"TOP", "S1", ""}, **_PRT}
_INDUCED = {"labeled": False, "least": 2, "whole": "drop all", "repeats": "once"}
_KIM = _INDUCED | {"whole": "drop root", "words": (2, 150)}
_WORDS_ONLY = _INDUCED | {"only_tags": _PENN, "decided_by": "gold", "mean": "sentences"}
_BY_GOLD = _INDUCED | {"whole": "drop gold"}
_TN = _BY_GOLD | {"no_parse": "left out"}
_BERKELEY_NLP = "self-attentive-parser 24435a1"
TOOLS = {
    "jpevalb": _row({}, "jpevalb", "Jo et al. 2024", "Bracketing FMeasure", cut="^-=", no_bracket=_ROOTS,
                    compare="aligned", tags="as written",
                    unmeasured=frozenset()),
    "evalb": _EVALB,
    "benepar": _row(_NK, "benepar (evalb, nk.prm)", f"Kitaev & Klein 2018; {_BERKELEY_NLP}", "FScore"),
    "evalb_spmrl": _row({}, "evalb_spmrl, spmrl.prm", f"Seddah et al. 2013; {_BERKELEY_NLP}",
           "Bracketing FMeasure", cut="^-=#", cut_tags="compared", no_bracket=_ROOTS | {"S1", "VROOT"},
           unlike="counted", tags="as written", unmeasured=_TRACE, max_errors=11, **_SKIPS),
    "allennlp": _row(_EVALB, "AllenNLP", "Gardner et al. 2018; allennlp 80fb606", "evalb_f1_measure",
           tags="none"),
    "supar": _row(_SUPAR, "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "LF"),
    "supar-unlabeled": _row(_SUPAR, "supar", "Zhang et al. 2020; yzhangcs/parser bebdd35", "UF",
           labeled=False),
    "hanlp": _row(_SUPAR, "HanLP", "He & Choi 2021; HanLP 0477ed8", "LF"),
    "hanlp-unlabeled": _row(_SUPAR, "HanLP", "He & Choi 2021; HanLP 0477ed8", "UF", labeled=False),
    "stanza": _row({}, "Stanza, CoreNLP", "Qi et al. 2020; CoreNLP 1b7edd1, stanza 1f4bfdd", "F1",
           cut="~-=|#^~_[", cut_tags="all", equal=(("PRT", "ADVP"),), no_bracket=_ROOTS - {""},
           root_children="first", drop_tags=_FIVE, drop_words=_CORENLP, decided_by="gold", repeats="once",
           empty="incomplete", compare="number", no_parse="left out"),
    "pyevalb": _row({}, "PYEVALB", "PYEVALB 59f5c38 (0.1.3)", "Bracketing FMeasure", repeats="first",
           tags="as written", **_SKIPS),
    "jp-evalb": _row({}, "jp-evalb -evalb", "Park et al. 2024; jp-evalb f82c4fc", "Bracketing FMeasure",
           cut="^-", no_bracket=_ROOTS - {"ROOT"}, no_bracket_system=frozenset({"S1"}),
           drop_whole=_COLLINS | {"TOP"}, repeats="first", compare="words", tags="as written", **_PRT),
    "berkeley": _row({}, "Berkeley parser", "Petrov & Klein 2007; berkeleyparser 0df1ae7", "F1",
           no_bracket=frozenset({"ROOT", "PSEUDO"}), drop_tags=_FIVE, least=0, repeats="once"),
    "disco-dop": _row({}, "disco-dop, proper.prm", "van Cranenburgh et al. 2016; disco-dop dd181a6",
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
    "diora": _row({}, "DIORA (evalb, diora.prm)", "Drozdov et al. 2019; diora 110b9b0",
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
"""The rules of the conventions by name, jpevalb's own first."""
FOR_GAPS = ("disco-dop", "taa")  # tools for trees with gaps
OTHERS = {
    "own": {},
    "discontinuous": _row(TOOLS["jpevalb"], "jpevalb", "trees over the same words", "Bracketing FMeasure",
           no_bracket=_ROOTS | {"VROOT"}, decided_by="gold", empty="parsed", compare="words", unlike="stop",
           equal_words=tuple(zip(["-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"], "()[]{}"))),
}
# fmt: on
"""Conventions that no tool has: the defaults of all rules, and jpevalb's for trees over the same words."""

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "ptb": {"convention": "jpevalb", "prm": "COLLINS"},
    "ctb": {"convention": "jpevalb", "prm": "ctb", "lang": "none"},
    "spmrl": {"convention": "jpevalb cut-at:##", "prm": "spmrl"},
    "sejong": {"convention": "jpevalb cut-at:_", "prm": "spmrl", "lang": "ko"},
    "negra": {"convention": "discontinuous", "prm": "negra"},
    "tnlcfrs": {"convention": "discontinuous least:2 whole:drop-all most-gaps:1", "unlabeled": True},
    "unsupervised": {
        "convention": "discontinuous least:2 whole:drop-all words:2 compare:number",
        "unlabeled": True,
        # Punctuation, currency signs, traces
        "punctuation": (",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "$", "#", "-NONE-"),
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
