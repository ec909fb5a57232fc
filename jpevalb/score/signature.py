"""Settings that a run uses: rejects the others, and quotes those that change a score in its signature."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..base import plugins
from ..base.plugins import METRICS as GROUP, plugin_names
from ..base.streams import read_small
from ..base.values import FILE, OptionError
from ..base.version import __version__
from ..formats.read import FORMATS, format_named
from ..metrics import computed, metric_of
from ..settings.convention import Convention
from ..settings.options import ALIGNED_WORDS, EVERY_RUN, IDENTICAL_WORDS, WORD_TIMES
from ..settings.params import Params
from ..settings.settings import (
    ALWAYS,
    DEFAULT,
    IF_ALIGNED,
    METRICS,
    NAMED,
    NODE_TYPES,
    OPTIONS,
    PAIRINGS,
    REGISTRY,
    RULES_OF_OPTIONS,
    TIMES,
    TYPES,
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
    formats: tuple[str | None, str | None] = (None, None),
    report: SettingsUser = RESULTS,
    reports: Callable[[], Iterable[SettingsUser]] = lambda: (RESULTS,),
) -> None:
    """Raise a SettingsError for a setting that differs from its default and that nothing uses.

    ``formats`` are those of both files, None if unknown; a message names ``reports`` that use the setting.
    """
    # Classes of metrics are loaded only for settings that not every run uses.
    given = {name: value for name, value in settings.given().items() if name not in OF_EVERY_RUN}
    if not given:
        return
    here = [*_users(settings, formats), report]
    used = {name for user in here for name in user.settings}
    for name, value in given.items():
        if name not in used:
            pairings = [SettingsUser("pairing", *one) for one in PAIRINGS.items()]
            words = map(_words, (ALIGNED_WORDS, IDENTICAL_WORDS, WORD_TIMES))
            metrics = _metrics([*REGISTRY, *plugin_names(GROUP)])
            formats_known = [one for side in _SIDES for one in _formats(side, _FORMATS)]
            known = *pairings, *words, *metrics, *formats_known, *reports()
            could = _by_kind([user for user in known if name in user.settings])
            have = _by_kind(here)
            users = " or ".join([_phrase(kind, names) for kind, names in could.items()])
            kinds = [kind for kind in could if kind in have] or [*could]
            found = " and ".join([_phrase(kind, have.get(kind, [])) for kind in kinds])
            raise OptionError.of(name, value, f" has no effect with {found}; it needs {users}")


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


def signature_of(settings: Settings, paired_by: str | None = None) -> str:
    """Return the convention of a run, and the options that it uses and that are not the defaults.

    >>> signature_of(Settings(convention="jpevalb", lang="fr"))
    'jpevalb:0.1.0 convention:jpevalb prm:none lang:fr'
    >>> signature_of(Settings(convention="discontinuous", punctuation="$. $,"), "id")
    'jpevalb:0.1.0 convention:discontinuous prm:none pair:id punctuation:$,|$.'
    """
    paired_by = paired_by or settings.pair
    parts = [f"jpevalb:{__version__}"]
    rules = settings.rules() if settings.tool else None
    if rules:
        parts.append(rules.signature)
    else:
        named = Convention.named(str(settings.convention))
        parts.append(named.signature)
        if settings.prm is not None:
            parts.append(f"prm:{prm_name(settings.params())}")
        elif not named.changed:
            parts.append("prm:none")
    if settings.discontinuous or paired_by != "align":
        parts.append(f"pair:{paired_by}")
    if settings.exceptions is None and not (settings.identical_words and settings.lang == "en"):
        parts.append(f"lang:{settings.lang}")
    users = _users(settings, (None, None))  # any formats
    used = {*OF_EVERY_RUN, *(name for user in users for name in user.settings)}
    for name, value in settings.given().items():
        shown = OPTIONS[name].signed and name in used and name != "convention"
        if shown and not (rules and name in RULES_OF_OPTIONS):
            parts.append(f"{name.replace('_', '-')}:{_text(name, value)}")
    others = [(plugins.METRICS, name) for name in settings.metrics if name not in METRICS]
    formats = dict.fromkeys([settings.reading(side)[0] for side in ("gold", "sys")])
    others += [(plugins.FORMATS, name) for name in formats if name != "auto" and name not in FORMATS]
    if others:
        parts.append(f"plugins:{'|'.join([plugins.plugin_version(*one) for one in others])}")
    if settings.answers:
        parts.append(f"answers:{'strict' if not settings.repair else f'repaired-{settings.several}'}")
    return " ".join(parts)


def prm_name(params: Params) -> str:
    """Return the name of a .prm in signatures: that of the file, and a digest of its content."""
    name = _base(params.name) if params.name else "given"
    content: list[object] = [params.delete_labels, params.delete_labels_for_length]
    content += [params.eq_labels, params.eq_words, params.labeled]
    added = (params.delete_words, params.delete_root_preterms, params.disc_only)
    if any(added):
        content += added
    return f"{name}#{_digest(repr(content).encode('utf-8', 'surrogatepass'))}"


def _text(name: str, value: Any) -> str:
    values = OPTIONS[name].values
    if values is TIMES:
        return _base(value)
    if values is TYPES and isinstance(value, tuple):
        return f"given#{_digest(repr(sorted(value)).encode('utf-8', 'surrogatepass'))}"
    if values is FILE or (values is TYPES and value not in NODE_TYPES):
        # A table that comes with the package, such as ptb, has a name only.
        if name == "error_classes" and not os.path.exists(value):
            return _base(value)
        return f"{_base(value)}#{_digest(read_small(value))}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    # Words of the signature have no blanks.
    return "_".join(("|".join(value) if isinstance(value, tuple) else str(value)).split())


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()[:8]


def _base(path: str | os.PathLike[str]) -> str:
    # The signature is a list of words; a name must stay one of them.
    return "_".join(os.path.basename(os.fspath(path)).split())
