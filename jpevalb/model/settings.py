"""Settings: every option of the alignment mode that changes a score."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias, TypeVar, cast

from .errors import SettingsError
from .params import Params

PathLike: TypeAlias = "str | os.PathLike[str]"

METRICS = ("brackets", "tags", "siou", "nodes")
"""What ``metrics`` may name, and its default; evalb's twelve columns are made of the first two."""

UNITS = ("auto", "word", "char")

DEFAULT_CUTOFF = 40

C = TypeVar("C", bound="CommonSettings")


class CommonSettings:
    """What the settings of all modes have: a .prm, and copies with changes.

    Attributes:
        prm: A .prm file by name or path, a ``Params``, or none.
    """

    __slots__ = ()

    prm: PathLike | Params | None

    @classmethod
    def of(cls: type[C], settings: C | None, options: dict[str, Any]) -> C:
        """The settings given, or else the default ones, with some changed.

        Raises:
            SettingsError: settings of another kind, or an option that does not exist.
        """
        if settings is not None and not isinstance(settings, cls):
            raise SettingsError(f"found settings={settings!r}; expected {cls.__name__}(...)")
        return (settings or cls()).replace(**options)

    def check_types(self) -> None:
        """Raises SettingsError where a file, a format or an encoding is not named."""
        for name in ("prm", "exceptions", "gold_times", "sys_times"):
            value = getattr(self, name, None)
            fits = isinstance(value, (str, os.PathLike)) or (name == "prm" and isinstance(value, Params))
            if value is not None and not fits:
                raise SettingsError(f"found {name}={value!r}; expected the name of a file")
        for name in ("format", "encoding"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise SettingsError(f"found {name}={value!r}; expected a name, a str")

    def replace(self: C, **options: Any) -> C:
        """A copy with some settings changed.

        Raises:
            SettingsError: an option that does not exist.
        """
        names = [field.name for field in fields(cast(Any, self))]
        for name in options:
            if name not in names:
                raise SettingsError(f"found the option {name!r}; expected some of {', '.join(names)}")
        return cast(C, replace(cast(Any, self), **options))

    def params(self) -> Params:
        """The labels and words of the .prm; those of ``Params()`` where there is none.

        Raises:
            ParamsError: there is no such file.
        """
        if self.prm is None:
            return Params()
        return self.prm if isinstance(self.prm, Params) else Params.load(self.prm)

    def prm_name(self) -> str:
        """What a signature calls the .prm: its name and a digest of what it says."""
        if self.prm is None:
            return "none"
        params = self.params()
        name = _base(params.name) if params.name else "given"
        said = [getattr(params, field) for field in ("delete_labels", "delete_labels_for_length")]
        said += [params.eq_labels, params.eq_words, params.labeled]
        return f"{name}#{_digest(repr(said).encode('utf-8', 'surrogatepass'))}"


@dataclass(frozen=True, slots=True)
class Settings(CommonSettings):
    """How two treebanks are read, aligned and scored.

    Attributes:
        metrics: Names of what is computed; brackets and tags always are.
        prm: A .prm file by name or path, or a ``Params``: labels and words that
            are left out or equated, as evalb means them.
        lang: Code of the exception list for the word alignment.
        exceptions: Path of an exception list to use instead of the language's.
        align_ratio: The largest edit distance over the gold text's length at
            which two sentences are similar.
        unit: Length of a word for Struct-IoU: ``"word"`` 1, ``"char"`` its grapheme
            clusters; ``"auto"`` ``"word"`` in a bead with the same words on both
            sides, else ``"char"``.
        gold_times: A CTM file, a TextGrid or a folder of TextGrids with the times of
            the gold words, for Struct-IoU.
        sys_times: The same of the system's words.
        remove_silence: Whether time in which neither side has a word is cut out.
        strict_terminals: Whether Struct-IoU aligns preterminals only to equal labels.
        unlabeled: Whether brackets match whatever their labels.
        cutoff: Longest sentence of the second summary, in units; the .prm's
            CUTOFF_LEN or 40 if not given.
        by_label: Whether labels are counted one by one.
        analysis: Whether errors are: labels, confusions, attachments, lengths.
        format: Format of both files, or ``"auto"``.
        encoding: Of both files; UTF-8 if not given.
        on_error: ``"stop"`` at a sentence that cannot be read, or ``"skip"`` it:
            then it counts as a sentence without a parse.

    Raises:
        SettingsError: a value without meaning.

    >>> Settings().replace(unlabeled=True, cutoff=20).cutoff
    20
    """

    metrics: tuple[str, ...] = METRICS
    prm: PathLike | Params | None = None
    lang: str = "en"
    exceptions: PathLike | None = None
    align_ratio: float = 0.15
    unit: str = "auto"
    gold_times: PathLike | None = None
    sys_times: PathLike | None = None
    remove_silence: bool = False
    strict_terminals: bool = False
    unlabeled: bool = False
    cutoff: int | None = None
    by_label: bool = False
    analysis: bool = False
    format: str = "auto"
    encoding: str | None = None
    on_error: str = "stop"

    def __post_init__(self) -> None:
        self.check_types()
        names = self.metrics.split(",") if isinstance(self.metrics, str) else self.metrics
        if not isinstance(names, (list, tuple, set, frozenset)):
            raise SettingsError(f"found metrics {names!r}; expected some of {', '.join(METRICS)}")
        unknown = [name for name in names if name not in METRICS]
        if unknown:
            raise SettingsError(f"found the metric {unknown[0]!r}; expected some of {', '.join(METRICS)}")
        # One order, so that settings which mean the same are equal.
        object.__setattr__(self, "metrics", tuple(name for name in METRICS if name in names))
        if not isinstance(self.align_ratio, (int, float)) or not 0 <= self.align_ratio <= 1:
            raise SettingsError(f"found the align ratio {self.align_ratio!r}; expected a number from 0 to 1")
        if self.cutoff is not None and not isinstance(self.cutoff, int):
            raise SettingsError(f"found the cutoff {self.cutoff!r}; expected a whole number of units")
        if self.unit not in UNITS:
            raise SettingsError(f"found the unit {self.unit!r}; expected {', '.join(UNITS)}")
        if self.remove_silence and not (self.gold_times or self.sys_times):
            raise SettingsError("silence can be removed only where times are given; give --gold-times")
        if self.on_error not in ("stop", "skip"):
            raise SettingsError(f"found on_error {self.on_error!r}; expected 'stop' or 'skip'")

    def signature(self) -> str:
        """Everything that a score depends on beside the two files, in one line.

        >>> Settings(lang="fr").signature()
        'jpevalb:0.1.0 mode:alignment prm:none lang:fr'
        """
        from .. import __version__

        parts = [f"jpevalb:{__version__}", "mode:alignment", f"prm:{self.prm_name()}"]
        if self.exceptions is None:
            parts.append(f"lang:{self.lang}")
        else:
            with open(self.exceptions, "rb") as file:
                parts.append(f"exceptions:{_base(self.exceptions)}#{_digest(file.read())}")
        default = Settings()
        scored = ("unit", "strict_terminals", "remove_silence") if "siou" in self.metrics else ()
        for name in ("align_ratio", "unlabeled", *scored, "format", "encoding", "on_error"):
            value = getattr(self, name)
            if value != getattr(default, name):
                parts.append(f"{name.replace('_', '-')}:{_text(value)}")
        for name in ("gold_times", "sys_times") if scored else ():
            if getattr(self, name):
                parts.append(f"{name.replace('_', '-')}:{_base(getattr(self, name))}")
        return " ".join(parts)


def _base(path: PathLike) -> str:
    # The signature is a list of words; a name must stay one of them.
    return "_".join(os.path.basename(os.fspath(path)).split())


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()[:8]


def _text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
