"""The parts of a run, and the refusal of settings that none of them looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..formats import SETTINGS as FORMAT_SETTINGS
from ..metrics import computed, uses
from ..model.plugins import METRICS as GROUP
from ..model.plugins import plugin_names
from ..model.registry import REGISTRY
from ..model.settings import Settings
from ..model.uses import Part, refuse_unused
from ..model.values import PAIRINGS

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

    Cost: O(settings); the classes of the metrics are loaded.
    """

    def parts() -> Iterator[Part]:
        yield from _parts(settings, formats())
        yield report

    refuse_unused(settings, parts, lambda: [*_known(), *reports()])


def _parts(settings: Settings, formats: tuple[str | None, str | None]) -> Iterator[Part]:
    yield Part("pairing", settings.pair, PAIRINGS[settings.pair])
    if settings.conventions.same_words:
        yield _SAME
    else:
        yield _ALIGNED
    names = computed(settings)
    yield from uses(names)
    if "siou" in names and (settings.gold_times or settings.sys_times):
        yield _TIMES
    for side, format in zip(_OTHERS, formats):
        yield from _formats(side, FORMAT_SETTINGS if format is None else (format,))


def _formats(side: str, names: Iterable[str]) -> Iterator[Part]:
    for name in names:
        own = [setting for setting in FORMAT_SETTINGS.get(name, ()) if setting not in _OTHERS[side]]
        yield Part(f"{side} format", name, own)


def _known() -> Iterator[Part]:
    for name, settings in PAIRINGS.items():
        yield Part("pairing", name, settings)
    yield from (_ALIGNED, _SAME, _TIMES)
    yield from uses([*REGISTRY, *plugin_names(GROUP)])
    for side in _OTHERS:
        yield from _formats(side, FORMAT_SETTINGS)
