"""Uses: which parts of a run look at a setting, and the refusal of one that none looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import SettingsError

if TYPE_CHECKING:
    from .settings import Settings

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


def refuse_unused(
    settings: Settings, parts: Callable[[], Iterable[Part]], known: Callable[[], Iterable[Part]]
) -> None:
    """Makes sure that something in a run looks at each setting that is not as its mode has it.

    Args:
        settings: The settings of the run.
        parts: Gives the parts of the run; asked only where a setting is not of every run.
        known: Gives all parts that runs may have, to tell what would look at a setting.

    Raises:
        SettingsError: a setting that no part of the run looks at.

    Cost: O(settings * parts).
    """
    asked = {name: value for name, value in settings.given().items() if name not in EVERY_RUN}
    if not asked:
        return
    here = list(parts())
    used = {name for part in here for name in part.settings}
    for name, value in asked.items():
        if name not in used:
            could = _by_kind([part for part in known() if name in part.settings])
            have = _by_kind(here)
            users = " or ".join([_said(kind, names) for kind, names in could.items()])
            found = " and ".join([_said(kind, have.get(kind, [])) for kind in could])
            raise SettingsError(
                f"found {name}={value!r}, which only {users} can use; this run has {found}; leave it out"
            )


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
