"""Settings: every option that changes a score, with a preset for each mode."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from .errors import SettingsError
from .frozen import defaults, frozen, replace
from .params import Params
from .registry import ALWAYS_NAMED, DEFAULT_METRICS, metric_names
from .values import ANSWERS, POSITION, check_types, check_values

PathLike: TypeAlias = "str | os.PathLike[str]"

ALIGNMENT, DISCONTINUOUS = "alignment", "discontinuous"
"""Modes: presets of what is equal and what counts, and of how sentences pair up."""


class Conventions(NamedTuple):
    """What a mode counts in a way of its own."""

    virtual_roots: bool
    """Whether VROOT, which a treebank's tools added, never counts, as TOP, ROOT and the empty label."""
    unlabeled_sets: bool
    """Whether constituents without labels are sets, so that a unary chain counts once, or multisets."""
    gold_deletes: bool
    """Whether gold's tags say which words both sides leave out, if their words agree, or each its own."""
    tags_in_place: bool
    """Whether tags are compared word by word, over gold words that have one, or as sets of (tag, word)."""
    same_words: bool
    """Whether both sides of a pair must have the same words; else they are aligned to units."""
    empty_is_complete: bool
    """Whether a gold sentence without constituents and without a parse is completely matched."""
    equality_is_transitive: bool
    """Whether labels and words that equal one another by way of a third are equal."""


CONVENTIONS = {
    ALIGNMENT: Conventions(False, False, False, False, False, True, False),
    DISCONTINUOUS: Conventions(True, True, True, True, True, False, True),
}
"""For each mode its conventions."""

DEFAULT_CUTOFF = 40

MOST_MEMORY = 1_000_000_000
"""Bytes that the tables of a tree metric may take for one sentence pair if the settings do not say."""

_PRESETS: dict[str, dict[str, Any]] = {
    ALIGNMENT: {"pair": "align", "metrics": DEFAULT_METRICS},
    DISCONTINUOUS: {"pair": "auto", "metrics": ALWAYS_NAMED},
}


@frozen
class Settings:
    """How two treebanks are read, paired and scored.

    Attributes:
        metrics: Names of what is computed; brackets and tags always are.  Other packages may
            have metrics too, as entry points of the group ``jpevalb.metrics``.
        prm: A .prm file by name or path, or a ``Params``: labels and words that
            are left out or equated, as evalb means them.
        lang: Code of the exception list for the word alignment.
        exceptions: Path of an exception list to use instead of the language's.
        align_ratio: The largest edit distance over the gold text's length at
            which two sentences are similar; beads beyond it are told.
        unlike: What is made of these: ``"pair"`` scores them as pairs, ``"alone"`` each of their
            sentences as missed or extra.
        unit: Length of a word for Struct-IoU: ``"word"`` 1, ``"char"`` its grapheme
            clusters; ``"auto"`` ``"word"`` in a bead with the same words on both
            sides, else ``"char"``.
        gold_times: A CTM file, a TextGrid or a folder of TextGrids with the times of
            the gold words, for Struct-IoU.
        sys_times: A CTM file, a TextGrid or a folder of TextGrids with the times of
            the system's words.
        remove_silence: Another name of ``silence="shared"``.
        silence: What is made of the time between words: ``"keep"`` leaves it; ``"drop"`` takes it out on
            each side, so that words follow one another; ``"shared"`` cuts out the time in which neither
            side has a word.
        strict_terminals: Whether Struct-IoU aligns preterminals only to equal labels.
        node_types: Which nodes tree node accuracy may map to each other: ``"position"``, phrases to phrases,
            tags to tags, words to words; ``"label"``, nodes of equal labels, words to words; ``"none"``,
            any to any; or a file of lines with a type and its labels, or a dict from labels
            to types: nodes of one type, and by position labels that it lacks.
        unlabeled: Whether brackets match whatever their labels.  In the discontinuous
            mode they are then sets, and a unary chain counts once; with LABELED 0 in
            the .prm instead they stay multisets, as in evalb.
        cutoff: Longest sentence of the second summary, in units; the .prm's
            CUTOFF_LEN or 40 if not given.
        most_memory: Bytes that the tables of Struct-IoU, node accuracy and TedEval may take for one
            sentence pair, in each process.  It needs 16 * (n + 1) * (m + 1) for n and m nodes in
            the part where the trees differ; a pair beyond that is counted as undefined, on
            every machine the same.
        by_label: Whether labels are counted one by one.
        analysis: Whether errors are: causes, labels, confusions, lengths.
        error_classes: What labels are, for the causes of errors: a file, or the name of a
            table (``"ptb"``, ``"sejong"``, ``"tiger"``); the language's if not given.
        format: Format of both files, or ``"auto"``, which tells each by its beginning; ``"answers"``
            and ``"jsonl"`` are of the system's alone.
        encoding: Of both files; UTF-8, or what a document declares, if not given.
        on_error: ``"stop"`` at a sentence that cannot be read, or ``"skip"`` it:
            then it counts as a sentence without a parse.  So does, in the discontinuous
            mode, a sentence with other words than gold.
        mode: ``"alignment"``, or ``"discontinuous"``: the preset of trees over the same
            words.  It decides what ``conventions`` says, and the defaults of ``pair`` and ``metrics``.
        pair: How sentences pair up: ``"align"`` by their text, ``"id"``, ``"order"``, or
            ``"auto"``: by id where both files have ids, else by order.
        exclude_trivial: Leave out constituents of one word and of the whole sentence.
        max_fanout: Leave out constituents of more blocks of words than this, on both sides.
        gold_format: Format of the gold file where it is not ``format``.
        sys_format: Format of the system's file where it is not ``format``.
        gold_encoding: Encoding of the gold file where it is not ``encoding``.
        sys_encoding: Encoding of the system's file where it is not ``encoding``.
        repair: Whether the system's sentences are answers of a language model, of which trees are made by
            the repairs of :func:`jpevalb.repair`; without it an answer that is not one tree as written
            has no parse.  Gold is never repaired.
        several: Which trees of an answer are taken: ``"first"``, or ``"join"`` for all of them
            under one root.
        field: The field of JSON Lines that has the tree; ``"output"`` if not given.
        gold_field: The field of a gold file of JSON Lines, where it is not ``field``.
        id_field: The field of JSON Lines that has the sentence's id.
        separator: The line between two answers of the system, which else are a line each.
        punctuation: Tags (a text is split at blanks).  Words that have one are taken
            out of both trees, and constituents that are left without a word.
        empty_f1: The F1 of a sentence that has no constituent on either side: ``"none"``, it is no part
            of the mean over sentences; or ``"one"``, as in the programs of grammar induction.
            A sentence without a parse then has 0.
        traces: ``"keep"`` counts words tagged ``-NONE-``, ``"drop"`` takes them out, ``"auto"`` does so
            where one of the two files has some and the other none: a parser's output has no traces.
            Of sentences that come one by one, from a generator or to an ``Evaluator``, it is ``"keep"``.
        least_words: Sentences of fewer gold words, without those that are left out, count nowhere.

    Raises:
        SettingsError: a value without meaning.

    >>> Settings().replace(unlabeled=True, cutoff=20)
    Settings(unlabeled=True, cutoff=20)
    """

    # None stands for the preset's, and is not left there.
    metrics: tuple[str, ...] = cast("tuple[str, ...]", None)
    prm: PathLike | Params | None = None
    lang: str = "en"
    exceptions: PathLike | None = None
    align_ratio: float = 0.15
    unlike: str = "pair"
    unit: str = "auto"
    gold_times: PathLike | None = None
    sys_times: PathLike | None = None
    remove_silence: bool = False
    silence: str = "keep"
    strict_terminals: bool = False
    node_types: PathLike | Mapping[str, str] | tuple[tuple[str, str], ...] = POSITION
    unlabeled: bool = False
    cutoff: int | None = None
    most_memory: int = MOST_MEMORY
    by_label: bool = False
    analysis: bool = False
    error_classes: PathLike | None = None
    format: str = "auto"
    encoding: str | None = None
    on_error: str = "stop"
    mode: str = ALIGNMENT
    pair: str = cast(str, None)
    exclude_trivial: bool = False
    max_fanout: int | None = None
    punctuation: tuple[str, ...] = ()
    empty_f1: str = "none"
    least_words: int = 0
    traces: str = "auto"
    gold_format: str | None = None
    sys_format: str | None = None
    gold_encoding: str | None = None
    sys_encoding: str | None = None
    repair: bool = False
    several: str = "first"
    field: str | None = None
    gold_field: str | None = None
    id_field: str | None = None
    separator: str | None = None

    def __post_init__(self) -> None:
        if self.mode not in _PRESETS:
            raise SettingsError(f"found the mode {self.mode!r}; expected one of {', '.join(_PRESETS)}")
        for name, value in _PRESETS[self.mode].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, "auto" if name == "pair" and self.answers else value)
        if isinstance(self.node_types, Mapping):
            # Settings are hashable.
            object.__setattr__(self, "node_types", tuple(self.node_types.items()))
        check_types(self)
        # One order of names, so that settings which mean the same are equal.
        object.__setattr__(self, "metrics", metric_names(self.metrics))
        given: str | Iterable[str] = self.punctuation
        tags = given.split() if isinstance(given, str) else given
        object.__setattr__(self, "punctuation", tuple(sorted(set(tags))))
        if self.remove_silence:
            if self.silence == "drop":
                raise SettingsError(
                    "found silence='drop' and remove_silence, which is 'shared'; leave one out"
                )
            # One setting, so that what means the same is equal.
            object.__setattr__(self, "silence", "shared")
            object.__setattr__(self, "remove_silence", False)
        check_values(self)

    def _default(self, name: str) -> object:
        if name == "pair" and self.answers:
            return "auto"
        return _PRESETS[self.mode].get(name, _DEFAULTS[name])

    def __repr__(self) -> str:
        """The mode, if it is not alignment, and what is not as its preset has it."""
        shown = [] if self.mode == ALIGNMENT else [f"mode={self.mode!r}"]
        shown += [f"{name}={value!r}" for name, value in self.given().items()]
        return f"Settings({', '.join(shown)})"

    @classmethod
    def preset(cls, name: str, **options: Any) -> Settings:
        """The settings of a mode, or of a field of research, with some changed.

        Args:
            name: ``"alignment"`` or ``"discontinuous"``, or one of ``jpevalb.trees.presets.PRESETS``,
                which stands for the settings that it lists and is spelled out in the signature.
            **options: Fields that are not as the preset has them.

        Raises:
            SettingsError: an unknown preset or option, or a value without meaning.

        >>> Settings.preset("discontinuous").pair, Settings.preset("alignment").pair
        ('auto', 'align')
        >>> Settings.preset("tnlcfrs")
        Settings(mode='discontinuous', unlabeled=True, exclude_trivial=True, max_fanout=2)
        """
        from .presets import PRESETS

        _check_names(options)
        if name in _PRESETS:
            return cls(**{"mode": name, **options})
        if name not in PRESETS:
            known = ", ".join([*_PRESETS, *PRESETS])
            raise SettingsError(f"found the preset {name!r}; expected one of {known}")
        return cls(**{**PRESETS[name], **options})

    @classmethod
    def of(cls, settings: Settings | None, options: dict[str, Any], mode: str = ALIGNMENT) -> Settings:
        """The settings given, or else those of a mode, with some changed.

        Raises:
            SettingsError: settings of another mode, or an option that does not exist.
        """
        found = settings if settings is not None else cls.preset(mode)
        if isinstance(found, cls):
            found = found.replace(**options)
        if not isinstance(found, cls) or found.mode != mode:
            expected = "Settings(...)" if mode == ALIGNMENT else f"Settings.preset({mode!r})"
            other = "evaluate_discontinuous" if mode == ALIGNMENT else "evaluate"
            advice = f"; jpevalb.{other} takes these" if isinstance(found, cls) else ""
            raise SettingsError(f"found settings={found!r}; expected {expected}{advice}")
        return found

    def replace(self, **options: Any) -> Settings:
        """A copy with some settings changed; another ``mode`` brings its ``pair`` and ``metrics``.

        Raises:
            SettingsError: an option that does not exist, or a value without meaning.
        """
        _check_names(options)
        if options.get("mode", self.mode) != self.mode:
            options = {**dict.fromkeys(_PRESETS[self.mode]), **options}
        elif "pair" not in options and self.pair == self._default("pair"):
            options = {"pair": None, **options}
        return replace(self, **options)

    @property
    def conventions(self) -> Conventions:
        """What the mode counts in a way of its own; of trees that are aligned words may differ."""
        found = CONVENTIONS[self.mode]
        if self.pair == "align":
            # What is aligned may have other words, so nothing can go by their places.
            return found._replace(gold_deletes=False, tags_in_place=False, same_words=False)
        return found

    def reading(self, side: str) -> tuple[str, str | None]:
        """Format and encoding of one file.  ``format`` is of the system's alone if a language model wrote it.

        Args:
            side: ``"gold"`` or ``"sys"``.
        """
        both = "auto" if side == "gold" and self.format in ANSWERS else self.format
        return (
            getattr(self, f"{side}_format") or both,
            getattr(self, f"{side}_encoding") or self.encoding,
        )

    @property
    def answers(self) -> bool:
        """Whether the system's sentences are answers of a language model, by what was asked for."""
        known = self.reading("sys")[0] in ANSWERS
        return known or self.repair or self.field is not None or self.separator is not None

    @property
    def rated(self) -> bool:
        """Whether it is counted how many of the system's sentences are trees: it is so of answers, and of
        other files where sentences that are none are skipped."""
        return self.answers or (self.on_error == "skip" and not self.conventions.same_words)

    def answer_options(self, side: str) -> dict[str, Any]:
        """How the answers of one file are read, as :func:`jpevalb.read` takes it.

        Args:
            side: ``"gold"`` or ``"sys"``.
        """
        if side == "sys":
            names = ("repair", "several", "field", "id_field", "separator")
            return {name: getattr(self, name) for name in names}
        if self.reading(side)[0] not in ("auto", "jsonl"):
            return {}
        return {"field": self.gold_field or self.field, "id_field": self.id_field}

    def params(self) -> Params:
        """The labels and words of the .prm; those of ``Params()`` where there is none.

        Raises:
            ParamsError: there is no such file.
        """
        if self.prm is None:
            return Params()
        return self.prm if isinstance(self.prm, Params) else Params.load(self.prm)

    def signature(self, paired_by: str | None = None) -> str:
        """Everything that a score depends on beside the two files, in one line.

        Args:
            paired_by: How the sentences were paired, where ``pair`` left that to the
                files; ``pair`` if not given.

        >>> Settings(lang="fr").signature()
        'jpevalb:0.1.0 mode:alignment prm:none lang:fr'
        >>> Settings.preset("discontinuous", punctuation="$. $,").signature("id")
        'jpevalb:0.1.0 mode:discontinuous prm:none pair:id punctuation:$,|$.'
        """
        from .signature import signature_of

        return signature_of(self, paired_by or self.pair)

    def given(self) -> dict[str, Any]:
        """The settings that are not as the mode has them, by name."""
        values = {name: getattr(self, name) for name in _DEFAULTS}
        return {
            name: value for name, value in values.items() if name != "mode" and value != self._default(name)
        }


_DEFAULTS = defaults(Settings)

NAMES = frozenset(_DEFAULTS)
"""The names of all settings."""


def DiscontinuousSettings(**options: Any) -> Settings:  # noqa: N802
    """The settings of the discontinuous mode: :meth:`Settings.preset` of that name.

    Args:
        **options: Fields of :class:`Settings` that are not as the mode has them.

    Raises:
        SettingsError: an option that does not exist, or a value without meaning.

    >>> DiscontinuousSettings(exclude_trivial=True)
    Settings(mode='discontinuous', exclude_trivial=True)
    """
    return Settings.preset(DISCONTINUOUS, **options)


def _check_names(options: dict[str, Any]) -> None:
    for name in options:
        if name not in _DEFAULTS:
            raise SettingsError(f"found the option {name!r}; expected some of {', '.join(_DEFAULTS)}")
