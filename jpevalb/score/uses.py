"""The parts of a run, and the refusal of settings that none of them looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..metrics import computed, metric_of
from ..trees.errors import SettingsError
from ..trees.formats import SETTINGS as FORMAT_SETTINGS
from ..trees.plugins import METRICS as GROUP
from ..trees.plugins import plugin_names
from ..trees.registry import ALIGNED, ALWAYS, DEFAULT, NAMED, REGISTRY, UNNAMED
from ..trees.settings import Settings
from ..trees.values import PAIRINGS

_COUNTED = "prm unlabeled exclude_trivial max_fanout punctuation empty_f1 traces"
_READ = "pair on_error format gold_format sys_format encoding gold_encoding sys_encoding"
EVERY_RUN = frozenset((*_COUNTED.split(), *_READ.split()))
"""Settings that every run looks at: how files are read and paired, and which labels and words count."""


class Part(NamedTuple):
    """A part that a run may have: a metric, a format, a way to pair, a report."""

    kind: str
    """What it is: ``"metric"``."""
    name: str
    """What it is called, or, of words and times, what they are like: ``"that are aligned"``."""
    settings: Sequence[str]
    """The settings that it looks at."""


RESULTS = Part("report", "of a run", ("metrics", "by_label", "analysis", "cutoff", "error_classes"))
"""An evaluation, which has everything that a report may show."""

_ALIGNED = Part("words", "that are aligned", ("lang", "exceptions"))
_SAME = Part("words", "that must be the same", ("least_words",))
_TIMES = Part("times", "of words", ("silence", "lang", "exceptions"))
OF_WORDS = (*_ALIGNED.settings, *_SAME.settings)
"""The settings that say which words of two files go together."""

_OTHERS = {"gold": ("repair", "several", "separator"), "system": ("gold_field",)}
"""For each side the settings of formats that are of the other side alone."""


def refuse(
    settings: Settings,
    formats: Callable[[], tuple[str | None, str | None]] = lambda: (None, None),
    report: Part = RESULTS,
    reports: Callable[[], Iterable[Part]] = lambda: (RESULTS,),
) -> None:
    """Makes sure that something in a run looks at each setting that is not as its mode has it.

    Args:
        settings: The settings of the run.
        formats: Gives the formats of the gold and the system's file, as far as they are known.
        report: What shows the results.
        reports: Gives all that may show them, to tell what would look at a setting.

    Raises:
        SettingsError: a setting that no part of the run looks at.

    Cost: O(settings * parts); the classes of the metrics are loaded only for settings that not every run
    looks at.
    """
    asked = {name: value for name, value in settings.given().items() if name not in EVERY_RUN}
    if not asked:
        return
    here = [*_parts(settings, formats()), report]
    used = {name for part in here for name in part.settings}
    for name, value in asked.items():
        if name not in used:
            could = _by_kind([part for part in (*_known(), *reports()) if name in part.settings])
            have = _by_kind(here)
            users = " or ".join([_said(kind, names) for kind, names in could.items()])
            found = " and ".join([_said(kind, have.get(kind, [])) for kind in could])
            raise SettingsError(
                f"found {name}={value!r}, which only {users} can use; this run has {found}; leave it out"
            )


def _parts(settings: Settings, formats: tuple[str | None, str | None]) -> Iterator[Part]:
    yield Part("pairing", settings.pair, PAIRINGS[settings.pair])
    if settings.conventions.same_words:
        yield _SAME
    else:
        yield _ALIGNED
    names = computed(settings)
    yield from _metrics(names)
    if "siou" in names and (settings.gold_times or settings.sys_times):
        yield _TIMES
    for side, format in zip(_OTHERS, formats):
        yield from _formats(side, FORMAT_SETTINGS if format is None else (format,))


def _metrics(names: Iterable[str]) -> Iterator[Part]:
    """What metrics look at; those that no user can name are told by what asks for them."""
    for name in names:
        when = REGISTRY[name].when if name in REGISTRY else NAMED
        if when in (ALWAYS, DEFAULT, NAMED):
            yield Part("metric", name, metric_of(name).settings)
        elif when not in (UNNAMED, ALIGNED):
            yield Part("tables", f"of {when}", metric_of(name).settings)


def _formats(side: str, names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        own = [setting for setting in FORMAT_SETTINGS.get(name, ()) if setting not in _OTHERS[side]]
        yield Part(f"{side} format", name, own)


def _known() -> Iterator[Part]:
    for name, settings in PAIRINGS.items():
        yield Part("pairing", name, settings)
    yield from (_ALIGNED, _SAME, _TIMES)
    yield from _metrics([*REGISTRY, *plugin_names(GROUP)])
    for side in _OTHERS:
        yield from _formats(side, FORMAT_SETTINGS)


def _said(kind: str, names: Sequence[str]) -> str:
    """Some parts of one kind in words.

    >>> _said("metric", ["siou", "nodes"]), _said("words", ["that are aligned"]), _said("times", [])
    ('the metrics siou, nodes', 'words that are aligned', 'no times')
    """
    plural = kind if kind.endswith("s") else f"{kind}s"
    if not names:
        return f"no {plural}"
    if kind == plural:
        return f"{kind} {', '.join(names)}"
    return f"the {kind if len(names) == 1 else plural} {', '.join(names)}"


def _by_kind(parts: Iterable[Part]) -> dict[str, list[str]]:
    """The names of some parts, each once, by their kind."""
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        found.setdefault(part.kind, {})[part.name] = None
    return {kind: list(names) for kind, names in found.items()}
