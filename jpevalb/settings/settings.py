"""Settings: every option that changes a score, with the defaults of each convention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, cast

from ..base import values
from ..base.counts import Fields
from ..base.errors import SettingsError
from ..base.files import Path
from ..base.plugins import METRICS as GROUP, METRICS_HERE, late, plugin_names
from ..base.values import FILE, LIST, Values, decimal, is_path, one_of, whole_number
from ..formats.read import FORMAT
from ..trees.prepare import Preparation
from ..trees.sentence import SEVERAL
from .convention import PRESETS, TOOLS, Convention
from .options import ALIGNED_WORDS, EVERY_RUN, READ_OPTIONS, WORD_TIMES, option, options_of
from .params import Params

ALWAYS, UNNAMED, IF_ALIGNED, DEFAULT, NAMED = "always", "unnamed", "aligned", "default", "named"
"""Runs that compute a metric: every run; every run, without a public name; those that align words;
runs that align words without ``metrics``; those that name it."""

REGISTRY = {name: runs for name, (runs, _) in METRICS_HERE.items()}
"""For each metric the runs that compute it: one of the five constants above, or the attribute of the settings
that adds it.  They are in the order of the report."""


def _computed(*when: str) -> tuple[str, ...]:
    return tuple([name for name, runs in REGISTRY.items() if runs in when])


METRICS = _computed(ALWAYS, DEFAULT, NAMED)  # in the order of the report; evalb's columns are the first two's
DEFAULT_METRICS = _computed(ALWAYS, DEFAULT)  # default metrics if words are aligned
ALWAYS_NAMED = _computed(ALWAYS)  # default metrics if words must agree
IN_EVERY_RUN = _computed(ALWAYS, UNNAMED)  # the first columns of a report come from these


def metric_names(given: object) -> tuple[str, ...]:
    """Return metrics, or a text with commas between them, in the order of the report, plugins last."""
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, (list, tuple, set, frozenset)):
        raise SettingsError(f"got metrics {names!r}; expected some of {', '.join(METRICS)}")
    others = sorted({name for name in names if name not in METRICS}, key=str)
    installed = plugin_names(GROUP) if others else []
    for name in others:
        if name not in installed:
            known = ", ".join([*METRICS, *installed])
            raise SettingsError(f"unknown metric {name!r}; expected some of {known}")
    return (*(name for name in METRICS if name in names), *others)


SILENCE = ("keep", "drop", "shared")  # treatments of the time between words
POSITION, LABEL, NONE = NODE_TYPES = ("position", "label", "none")  # need no file or dict
NO_LIST = "none"  # the language code of an empty list of contractions
ANSWERS = ("answers", "jsonl")  # formats of language model output
WITHOUT_TREES = ("tokens", "text")  # formats of words alone
PAIRINGS = {"align": ("align_ratio", "unlike"), **dict.fromkeys(("order", "id", "words", "auto"), ())}
"""For each way to pair sentences, the settings that only it uses; ``auto`` is by id or by order."""


def _size(text: str) -> int:
    """Read a number of bytes, such as ``1.5G``, ``200M`` or ``4096``."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMG]?)", text.upper())
    return int(float(match[1]) * 1000 ** " KMG".index(match[2] or " ")) if match else 0


TAGGED = one_of("auto", "yes", "none")
TAGS = Values("tags with blanks between them", LIST.accepts, lambda text: tuple(text.split()))


def _limit(text: str) -> tuple[str, float]:
    name, equals, number = text.rpartition("=")
    return (name if equals else "f1"), float(number)


LIMIT = Values(
    "a number such as 92.5, or FIGURE=NUMBER such as f1=92.5",
    lambda value: isinstance(value, tuple) and bool(value[0]) and isfinite(value[1]) and value[1] >= 0,
    _limit,
)


def _lengths(text: str) -> int | tuple[int, ...]:
    lengths = tuple(sorted(set(map(int, text.split(",")))))
    return lengths if len(lengths) > 1 else lengths[0]


LENGTHS = Values(
    "a whole number from 0, or several such as 10,20,40",
    lambda value: (
        value != ()
        and all(isinstance(one, int) and one >= 0 for one in (value if isinstance(value, tuple) else [value]))
    ),
    _lengths,
)
SHARE = decimal("per cent from 0 to 100, such as 2.5", lambda value: 0 <= value <= 100)
PERCENT = decimal("per cent above 1 up to 100, such as 92.5", lambda value: 1 < value <= 100)
SIZE = Values("a number of bytes from 1, or a size such as 500M", whole_number(1).accepts, _size)
# Codes that are not the beginning of the language's English name
_CODES = {"german": "de", "greek": "el", "spanish": "es", "galician": "gl", "dutch": "nl", "portuguese": "pt"}


def _is_language(value: object) -> bool:
    """Return True for a code; raise a SettingsError for the name of a language."""
    if value in ("en", NO_LIST):
        return True
    known = late("languages")()
    code = _CODES.get(str(value).lower(), str(value)[:2].lower())
    if value not in known and len(str(value)) > 3 and code in known:
        raise SettingsError(f"unknown language {value!r}; did you mean {code}?")
    return value in known


LANGUAGE = Values(
    "one of {} (no list); to use your own list, give exceptions='FILE'",
    _is_language,
    choices=lambda: [*late("languages")(), NO_LIST],
)
TIMES = Values("the name of a file or a folder", is_path)
CONVENTION = Values(
    "one of {}, and after a blank changed rules, such as least:2",
    lambda value: isinstance(value, str) and bool(value.strip()) and bool(Convention.named(value)),
    choices=lambda: list(TOOLS),
)
PRM = Values("the name of a file or Params", lambda value: is_path(value) or isinstance(value, Params))
TYPES = Values(
    f"one of {', '.join(NODE_TYPES)}, the name of a file, or a dict from labels to types, which are strings",
    lambda value: (
        is_path(value)
        or (isinstance(value, tuple) and all(isinstance(part, str) for pair in value for part in pair))
    ),
)

FILES = (FILE, TIMES, PRM, TYPES)  # values that name a file, or may name one

ALIGNED, DISCONTINUOUS = "jpevalb", "discontinuous"
"""jpevalb's own conventions: words are aligned, and words must agree."""

CHAINED = ("auto", "keep", "split")  # the choices for labels of collapsed chains

_GAPS = "trees with gaps"  # heading of the options that ask for the convention discontinuous
_MODEL = "answers of a language model"

DEFAULT_CUTOFF = 40
MOST_MEMORY = 1_000_000_000  # default limit of the tables of a tree metric for one sentence pair, in bytes

_BY_WORDS: dict[bool | None, dict[str, Any]] = {
    None: {},
    False: {"pair": "align", "metrics": DEFAULT_METRICS},
    True: {"pair": "auto", "metrics": ALWAYS_NAMED},
}
"""Defaults of conventions that align words (False) and of those whose words must agree (True)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Settings(Fields):
    """How two treebanks are read, paired and scored.

    ``docs/options.md`` explains each option with its values and defaults.  ``prm`` may also be a
    :class:`Params`, ``node_types`` a dict from labels to types, ``punctuation`` and ``metrics`` sequences.

    Without a convention, ``"jpevalb"`` or ``"discontinuous"`` is chosen when the inputs are opened
    (:func:`jpevalb.score.inputs.decide`).  The convention sets the defaults of ``pair`` and ``metrics``.

    Attributes:
        {options}

    Raises:
        SettingsError: an invalid value.

    >>> Settings().replace(unlabeled=True, cutoff=20)
    Settings(unlabeled=True, cutoff=20)
    """

    # Signatures show options in this order.  None is the convention's default, and stays without one.
    # fmt: off
    metrics: tuple[str, ...] = option(
        "metrics", "LIST", ", ".join(METRICS), values.list_of(*METRICS),
        default=cast("tuple[str, ...]", None), everyday=True, signed=False)
    convention: str | Convention | None = option(
        "metrics", "NAME", "what counts: evalb, supar, ..., several, or all", CONVENTION,
        default=None, everyday=True, used_by=EVERY_RUN)
    prm: Path | Params | None = option(
        "metrics", "PRM", "labels and words as in this .prm, bundled or a path", PRM, default=None,
        everyday=True, signed=False, used_by=EVERY_RUN)
    lang: str = option(
        "alignment", "CODE", "language of the list of contractions (default: en)", LANGUAGE,
        default="en", signed=False, used_by=(*ALIGNED_WORDS, *WORD_TIMES))
    exceptions: Path | None = option(
        "alignment", "FILE", "your own list of contractions instead", values.FILE, default=None,
        used_by=(*ALIGNED_WORDS, *WORD_TIMES))
    align_ratio: float = option(
        "alignment", "R", "edit distance of similar sentences (default: 0.15)",
        values.decimal("a number from 0 to 1", lambda ratio: 0 <= ratio <= 1), default=0.15,
        in_command=False)
    unlike: str = option(
        "alignment", "HOW", "score dissimilar sentences as pair (default) or alone",
        values.one_of("pair", "alone"), default="pair", in_command=False)
    pair: str = option(
        "alignment", "HOW", "pair by align, order, id, words or auto (by format)",
        values.one_of(*PAIRINGS), default=cast(str, None), signed=False, used_by=EVERY_RUN)
    unlabeled: bool = option(
        "metrics", "", "brackets match whatever their labels", default=False, everyday=True,
        used_by=EVERY_RUN)
    punctuation: tuple[str, ...] = option(
        _GAPS, "TAGS", "leave out words with these tags", TAGS, default=(), used_by=EVERY_RUN)
    drop_subtrees: tuple[str, ...] = option(
        "metrics", "LIST", "remove subtrees with their words, such as EDITED", values.LIST, default=(),
        used_by=EVERY_RUN)
    empty_f1: str = option(
        "metrics", "F1", "F1 of sentences without brackets: none (default), one",
        values.one_of("none", "one"), default="none", used_by=EVERY_RUN, in_command=False)
    cutoff: int | tuple[int, ...] | None = option(
        "metrics", "N", "figures of sentences up to N, N, ... (default: 40)", LENGTHS,
        default=None, signed=False)
    traces: str = option(
        "metrics", "HOW", "traces (-NONE-): keep, drop, auto: drop if in one file",
        values.one_of("auto", "keep", "drop"), default="auto", used_by=EVERY_RUN)
    unit: str = option(
        "metrics", "UNIT", "Struct-IoU by word, char, auto: char if words differ",
        values.one_of("auto", "word", "char"), default="auto")
    strict_terminals: bool = option(
        "metrics", "", "Struct-IoU aligns tags only to equal tags", default=False, in_command=False)
    silence: str = option(
        "metrics", "HOW", "time between words: keep, drop, shared by both sides",
        values.one_of(*SILENCE), default="keep", used_by=WORD_TIMES)
    most_memory: int = option(
        "metrics", "SIZE", "memory of a tree metric for one pair (default: 1G)", SIZE,
        default=MOST_MEMORY, in_command=False)
    format: str = option(*READ_OPTIONS["format"], default="auto")
    gold_format: str | None = option(
        "input", "FORMAT", "format of the gold file only", FORMAT, default=None, used_by=EVERY_RUN)
    sys_format: str | None = option(
        "input", "FORMAT", "format of the systems' files only", FORMAT, default=None, used_by=EVERY_RUN)
    nbest: bool = option(
        "input", "", "system files list several parses a sentence", default=False,
        used_by=EVERY_RUN)
    encoding: str | None = option(*READ_OPTIONS["encoding"], default=None)
    gold_encoding: str | None = option(
        "input", "NAME", "encoding of the gold file only", values.ENCODING, default=None, used_by=EVERY_RUN)
    sys_encoding: str | None = option(
        "input", "NAME", "encoding of the systems' files only", values.ENCODING, default=None,
        used_by=EVERY_RUN)
    tags: str = option(
        "input", "HOW", "trees have tags: yes, none, auto: by the first trees", TAGGED,
        default="auto", used_by=EVERY_RUN)
    gold_tags: str | None = option(
        "input", "HOW", "--tags of the gold file only", TAGGED, default=None, used_by=EVERY_RUN,
        in_command=False)
    sys_tags: str | None = option(
        "input", "HOW", "--tags of the systems' files only", TAGGED, default=None,
        used_by=EVERY_RUN, in_command=False)
    chains: str = option(
        "input", "HOW", "labels of collapsed chains, S+VP: auto, keep, split", values.one_of(*CHAINED),
        default="auto", used_by=EVERY_RUN)
    gold_chains: str | None = option(
        "input", "HOW", "--chains of the gold file only", values.one_of(*CHAINED), default=None,
        used_by=EVERY_RUN, in_command=False)
    sys_chains: str | None = option(
        "input", "HOW", "--chains of the systems' files only", values.one_of(*CHAINED), default=None,
        used_by=EVERY_RUN, in_command=False)
    binarised: str = option(
        "input", "HOW", "brackets of a binarisation, as @NP: keep, undo",
        values.one_of("keep", "undo"), default="keep", used_by=EVERY_RUN)
    on_error: str = option(*READ_OPTIONS["on_error"], default="stop")
    by_label: bool = option(
        "report", "", "add a table of labels and their confusions", default=False, signed=False)
    analysis: bool = option(
        "report", "", "add an error analysis: causes, labels, lengths", default=False, everyday=True,
        signed=False)
    error_classes: Path | None = option(
        "report", "FILE", "label classes of causes: ptb, sejong, tiger or a file", values.FILE, default=None)
    node_types: Path | Mapping[str, str] | tuple[tuple[str, str], ...] = option(
        "metrics", "HOW", "node accuracy maps by position, label, none or a FILE", TYPES,
        default=POSITION)
    gold_times: Path | None = option(
        "metrics", "FILE", "word times: a CTM file, TextGrid, or folder of them", TIMES, default=None)
    sys_times: Path | None = option(
        "metrics", "FILE", "times of the system's words", TIMES, default=None)
    tier: str | None = option(
        "metrics", "NAME", "the tier of the words in TextGrids (default: words)", values.NAME, default=None,
        used_by=WORD_TIMES)
    repair: bool = option(
        _MODEL, "", "repair answers that are not one tree as written", default=False, signed=False)
    several: str = option(
        _MODEL, "HOW", "of several trees: first (default), last, longest, join", values.one_of(*SEVERAL),
        default="first", signed=False)
    field: str | None = option(*READ_OPTIONS["field"], default=None)
    gold_field: str | None = option(
        _MODEL, "NAME", "--field of the gold file only", values.NAME, default=None)
    id_field: str | None = option(
        _MODEL, "NAME", "the field of jsonl with the sentence's id", values.NAME, default=None, signed=False)
    separator: str | None = option(
        _MODEL, "LINE", "the line between two answers (default: one per line)", values.NAME, default=None)
    # fmt: on

    def __post_init__(self) -> None:
        if isinstance(self.convention, Convention):
            object.__setattr__(self, "convention", self.convention.signature.removeprefix("convention:"))
        if self.convention in PRESETS:
            raise SettingsError(
                f"{self.convention!r} has other settings, too; give Settings().replace(convention=...)"
            )
        if self.convention is not None:
            values.check("convention", self.convention, OPTIONS["convention"].values)
        for name in ("pair", "metrics"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, self._default(name))
        if isinstance(self.node_types, Mapping):
            # Settings are hashable.
            object.__setattr__(self, "node_types", tuple(self.node_types.items()))
        # One order of names, so that equal meanings are equal.
        if self.metrics is not None:
            object.__setattr__(self, "metrics", metric_names(self.metrics))
        for name in ("punctuation", "drop_subtrees"):
            given: object = getattr(self, name)
            if isinstance(given, Iterable):
                if isinstance(given, str):
                    given = (given.replace(",", " ") if name == "drop_subtrees" else given).split()
                object.__setattr__(self, name, tuple(sorted(set(given))))
        if self.nbest and (self.answers or (self.sys_format or self.format) in ANSWERS):
            raise SettingsError("got nbest with an option for answers of a language model; leave one out")
        if isinstance(self.cutoff, list):
            object.__setattr__(self, "cutoff", tuple(self.cutoff))
        if type(self.align_ratio) in (int, float) and self.align_ratio in (0, 1):
            object.__setattr__(self, "align_ratio", abs(float(self.align_ratio)))
        for name, row in OPTIONS.items():
            value = getattr(self, name)
            if value is not _DEFAULTS[name]:
                values.check(name, value, row.values)

    def _default(self, name: str) -> object:
        if name == "pair" and self.answers and self.convention is not None:
            return "auto"
        own = _BY_WORDS[None if self.convention is None else self.discontinuous]
        return own.get(name, _DEFAULTS[name])

    def __repr__(self) -> str:
        """Show the settings that differ from the defaults of the convention."""
        shown = [f"{name}={value!r}" for name, value in self._changed().items()]
        return f"Settings({', '.join(shown)})"

    @classmethod
    def of(cls, settings: Settings | None, options: Mapping[str, Any]) -> Settings:
        """Return the settings given, or the defaults, with some changed; a SettingsError if invalid."""
        if settings is None:
            return cls(**_checked(options))
        if not isinstance(settings, cls):
            raise SettingsError(f"settings={settings!r}; expected Settings(...)")
        return settings.replace(**options) if options else settings

    def replace(self, **options: Any) -> Settings:
        """Return a copy with some settings changed; defaults of the convention follow it.

        Raises:
            SettingsError: an unknown option, or an invalid value.
        """
        defaults = {name: None for name in ("pair", "metrics") if getattr(self, name) == self._default(name)}
        return replace(self, **{**defaults, **_checked(options)}) if options else self

    @property
    def discontinuous(self) -> bool:
        """True if the convention aligns no words: equality is transitive, unlabelled brackets are sets.

        A gold sentence without constituents and without a parse is no complete match there.
        """
        if self.convention is None:
            raise SettingsError("these settings have no convention; give convention='jpevalb' or another")
        return self._named.compare != "aligned"

    @property
    def identical_words(self) -> bool:
        """True if both sides of a pair must have the same words, so that the rows of a report are sentences.

        Otherwise words are aligned to units, and the rows are beads.
        """
        return self.discontinuous and self.pair != "align"

    def reading(self, side: str) -> tuple[str, str | None]:
        """Return format and encoding of the file of a side, ``"gold"`` or ``"sys"``."""
        # Answers and lists are formats of the system only.
        both = "auto" if side == "gold" and self.format in (*ANSWERS, "nbest") else self.format
        own = "nbest" if side == "sys" and self.nbest else getattr(self, f"{side}_format")
        return own or both, getattr(self, f"{side}_encoding") or self.encoding

    def of_side(self, name: str, side: str) -> str:
        """Return ``tags`` or ``chains`` of a side, ``"gold"`` or ``"sys"``."""
        return str(getattr(self, f"{side}_{name}") or getattr(self, name))

    def preparation(self, side: str) -> Preparation:
        """Return what the settings alone say about the trees of a side, ``"gold"`` or ``"sys"``."""
        return Preparation(
            split=self.of_side("chains", side) == "split",
            undo=self.binarised == "undo",
            untagged=self.of_side("tags", side) == "none",
        )

    @property
    def answers(self) -> bool:
        """True if options say that the system's sentences are answers of a language model."""
        known = self.reading("sys")[0] in ANSWERS
        has_field = self.field is not None and self.reading("sys")[0] != "table"
        return known or self.repair or has_field or self.separator is not None

    @property
    def has_trees(self) -> bool:
        """False if a file has words alone, so that words, tags and sentence boundaries are compared."""
        return not any(self.reading(side)[0] in WITHOUT_TREES for side in ("gold", "sys"))

    @property
    def has_tags(self) -> bool:
        """False if a file has no tags; with ``tags="auto"`` known once the files are open."""
        return all(
            self.of_side("tags", side) != "none" and self.reading(side)[0] != "text"
            for side in ("gold", "sys")
        )

    @property
    def rated(self) -> bool:
        """True if invalid sentences of the system are counted: answers, and skipped sentences."""
        return self.answers or (self.on_error == "skip" and not self.identical_words)

    def answer_options(self, side: str) -> dict[str, Any]:
        """Return the arguments of :func:`jpevalb.read` for the answers of a side, ``"gold"`` or ``"sys"``."""
        if side == "sys":
            names = ("repair", "several", "field", "id_field", "separator")
            return {name: getattr(self, name) for name in names}
        if self.reading(side)[0] not in ("auto", "jsonl"):
            return {}
        return {"field": self.gold_field or self.field, "id_field": self.id_field}

    def params(self) -> Params:
        """Return the labels and words of the .prm, or the defaults; a ParamsError if it cannot be read."""
        if self.prm is None:
            return Params()
        return self.prm if isinstance(self.prm, Params) else Params.load(self.prm)

    @property
    def row(self) -> Convention:
        """The rules of jpevalb's own convention that is nearest: the defaults of changed rules."""
        if not self.discontinuous:
            return Convention.of(ALIGNED)
        row = Convention.of(DISCONTINUOUS)
        return (
            row.replace(compare="aligned", decided_by="own", equal_words=()) if self.pair == "align" else row
        )

    @property
    def tool(self) -> bool:
        return self.convention is not None and self.discontinuous and self._named.name != DISCONTINUOUS

    @property
    def is_mean(self) -> bool:
        """True if F1 is the mean of the sentences' F1."""
        return self.tool and self._named.mean == "sentences"

    @property
    def _named(self) -> Convention:
        return Convention.named(str(self.convention))

    def rules(self) -> Convention:
        """Return the rules of counting: those of the convention, with the changes by settings."""
        base = self._named
        if self.tool and self.pair == "align":
            raise SettingsError(
                f"pair='align' aligns words, but convention={self.convention!r} compares them in order; "
                "leave one of them out"
            )
        if not self.tool:
            if base.name not in (ALIGNED, DISCONTINUOUS):
                raise SettingsError(
                    f"convention={self.convention!r}: only jpevalb aligns words; leave out compare:aligned"
                )
            base = self.row.replace(**base.changed)
        return base.replace(**self._changed_rules(base))

    def _changed_rules(self, rules: Convention) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        if self.prm is not None:
            params = self.params()
            drops = frozenset(params.delete_labels)
            changed = {
                "drop_tags": drops,
                "no_bracket": drops | (rules.no_bracket - rules.drop_tags),
                "drop_words": frozenset(params.delete_words),
                "drop_below_root": params.delete_root_preterms,
                "labeled": params.labeled,
                "equal": params.eq_labels,
                "equal_words": (*(() if self.tool else rules.equal_words), *params.eq_words),
                "quote_tags": frozenset(params.quote_labels),
                "only_gaps": params.disc_only,
            }
            if rules.unmeasured is not None:
                changed["unmeasured"] = frozenset(params.delete_labels_for_length)
        added = {*self.punctuation, *(["-NONE-"] if self.traces == "drop" else [])}
        if added:
            changed["drop_tags"] = changed.get("drop_tags", rules.drop_tags) | added
            if rules.unmeasured is not None and not self.tool:
                changed["unmeasured"] = changed.get("unmeasured", rules.unmeasured) | added
        if self.drop_subtrees:
            changed["drop_whole"] = rules.drop_whole | set(self.drop_subtrees)
        if self.unlabeled:
            changed["labeled"] = False
            if not self.tool and self.discontinuous:
                changed["repeats"] = "once"
        return changed

    def given(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, by name, without jpevalb's own conventions."""
        changed = self._changed()
        if self.convention in (ALIGNED, DISCONTINUOUS):
            del changed["convention"]
        return changed

    def _changed(self) -> dict[str, Any]:
        current = {name: getattr(self, name) for name in _DEFAULTS}
        return {name: value for name, value in current.items() if value != self._default(name)}


OPTIONS = options_of(Settings)  # the rows of all settings
RULES_OF_OPTIONS = ("convention", "prm", "punctuation", "traces", "drop_subtrees", "unlabeled")
"""Settings that are rules of a convention if one is given."""
ASK_FOR_GAPS = tuple([name for name, row in OPTIONS.items() if row.group == _GAPS])
READING = tuple([name for name in OPTIONS if name.endswith(("format", "encoding"))])  # how to decode files
_DEFAULTS = {one.name: one.default for one in fields(Settings)}


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as fields: a convention that is a preset or a .prm stands for others."""
    for name in options:
        if name not in _DEFAULTS:
            from difflib import get_close_matches

            near = get_close_matches(name, _DEFAULTS, n=1)
            advice = f"did you mean {near[0]!r}?" if near else f"expected some of {', '.join(_DEFAULTS)}"
            if name in ("evalb", "mode", "preset"):
                advice = "what counts is the convention: give convention='evalb'"
            raise SettingsError(f"unknown option {name!r}; {advice}")
    convention = options.get("convention")
    own: Mapping[str, Any] = {"convention": convention} if "convention" in options else {}
    if isinstance(convention, str):
        own = PRESETS.get(convention, {"prm": convention} if convention.endswith(".prm") else own)
    return {**own, **{name: value for name, value in options.items() if name != "convention"}}
