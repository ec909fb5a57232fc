"""Rejects settings that no part of a run uses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..base.plugins import METRICS as GROUP
from ..base.plugins import plugin_names
from ..base.values import OptionError
from ..formats.read import FORMATS, format_named
from ..metrics import computed, metric_of
from ..settings.options import ALIGNED_WORDS, EVERY_RUN, IDENTICAL_WORDS, WORD_TIMES
from ..settings.settings import (
    ALWAYS,
    DEFAULT,
    IF_ALIGNED,
    NAMED,
    OPTIONS,
    PAIRINGS,
    REGISTRY,
    UNNAMED,
    Settings,
)


class SettingsUser(NamedTuple):
    """A part of a run that uses settings."""

    kind: str  # such as "metric", "words"
    name: str  # such as "siou", "aligned words"
    settings: Sequence[str]  # that it uses


# An evaluation, which has everything that a report may show.
RESULTS = SettingsUser("report", "of a run", ("metrics", "by_label", "analysis", "cutoff", "error_classes"))


def used_by(users: Sequence[str]) -> list[str]:
    """Return the settings whose rows name some of these users."""
    return [name for name, row in OPTIONS.items() if set(users) & set(row.used_by)]


# Settings that every run uses: how files are read and paired, and which labels and words count
OF_EVERY_RUN = frozenset(used_by(EVERY_RUN))
# Settings that decide which words of two files go together
OF_WORDS = used_by((*ALIGNED_WORDS, *IDENTICAL_WORDS))
_SIDES = ("gold", "system")
_FORMATS = [name for name, format in FORMATS.items() if format.settings]


def reject_unused(
    settings: Settings,
    formats: Callable[[], tuple[str | None, str | None]] = lambda: (None, None),
    report: SettingsUser = RESULTS,
    reports: Callable[[], Iterable[SettingsUser]] = lambda: (RESULTS,),
) -> None:
    """Raise a SettingsError for a setting that differs from its default and that nothing uses.

    ``formats`` returns those of both files, as far as they are known; ``reports`` those that may be named.
    """
    # Classes of metrics are loaded only for settings that not every run uses.
    given = {name: value for name, value in settings.given().items() if name not in OF_EVERY_RUN}
    if not given:
        return
    here = [*_users(settings, formats()), report]
    used = {name for user in here for name in user.settings}
    for name, value in given.items():
        if name not in used:
            could = _by_kind([user for user in (*_known(), *reports()) if name in user.settings])
            have = _by_kind(here)
            users = " or ".join([_phrase(kind, names) for kind, names in could.items()])
            kinds = [kind for kind in could if kind in have] or [*could]
            found = " and ".join([_phrase(kind, have.get(kind, [])) for kind in kinds])
            raise OptionError.of(name, value, f" has no effect with {found}; it needs {users}")


def used_settings(settings: Settings) -> set[str]:
    """Return the settings that a run uses, apart from its report; formats are not known here."""
    users = _users(settings, (None, None))
    return {*OF_EVERY_RUN, *(name for user in users for name in user.settings)}


def _users(settings: Settings, formats: tuple[str | None, str | None]) -> Iterator[SettingsUser]:
    yield SettingsUser("pairing", settings.pair, PAIRINGS[settings.pair])
    yield _words(IDENTICAL_WORDS if settings.identical_words else ALIGNED_WORDS)
    yield from _metrics(computed(settings))
    if settings.gold_times or settings.sys_times:
        yield _words(WORD_TIMES)
    for side, format in zip(_SIDES, formats):
        yield from _formats(side, _FORMATS if format is None else (format,))


def _words(users: Sequence[str]) -> SettingsUser:
    return SettingsUser("word times" if users == WORD_TIMES else "words", users[0], used_by(users))


def _metrics(names: Iterable[str]) -> Iterator[SettingsUser]:
    """Yield metrics; a metric without a public name has the name of the setting that adds it."""
    for name in names:
        when = REGISTRY.get(name, NAMED)
        if when in (ALWAYS, DEFAULT, NAMED):
            yield SettingsUser("metric", name, metric_of(name).settings)
        elif when not in (UNNAMED, IF_ALIGNED):
            yield SettingsUser("option", when, metric_of(name).settings)


def _formats(side: str, names: Iterable[str]) -> Iterator[SettingsUser]:
    for name in names:
        format = format_named(name)
        own = format.gold_settings if side == "gold" else format.settings
        yield SettingsUser(f"{side} format", name, own)


def _known() -> Iterator[SettingsUser]:
    for name, settings in PAIRINGS.items():
        yield SettingsUser("pairing", name, settings)
    yield from map(_words, (ALIGNED_WORDS, IDENTICAL_WORDS, WORD_TIMES))
    yield from _metrics([*REGISTRY, *plugin_names(GROUP)])
    for side in _SIDES:
        yield from _formats(side, _FORMATS)


def _phrase(kind: str, names: Sequence[str]) -> str:
    """Return some users of one kind in words.

    >>> _phrase("metric", ["siou", "nodes"]), _phrase("words", ["aligned words"]), _phrase("option", [])
    ('the metrics siou, nodes', 'aligned words', 'no option')
    """
    if not names:
        return f"no {kind}"
    listed = ", ".join(names)
    return listed if kind.startswith("word") else f"the {kind}{'s' * (len(names) > 1)} {listed}"


def _by_kind(users: Iterable[SettingsUser]) -> dict[str, list[str]]:
    """Return the names of some users, each once, by their kind."""
    names: dict[str, dict[str, None]] = {}
    for user in users:
        names.setdefault(user.kind, {})[user.name] = None
    return {kind: list(some) for kind, some in names.items()}
