"""Groups of systems: seeds of one system, with the mean, the deviation and the best of each figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from ..metrics import Measure
from ..model.errors import SettingsError
from ..model.frozen import frozen


@frozen
class SystemGroup:
    """Systems that are one system trained several times, and their figures by the names of the measures.

    Attributes:
        name: What the group is called.
        systems: The names of its systems.
        mean: The mean of their figures; ``None`` where one of them has none.
        deviation: The standard deviation of the sample, with n - 1 below the sum of squares; ``None``
            where there is no mean, or one system only.
        best: The largest figure, or the smallest where less is better.
    """

    name: str
    systems: tuple[str, ...]
    mean: Mapping[str, float | None]
    deviation: Mapping[str, float | None]
    best: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        return {
            "name": self.name,
            "systems": list(self.systems),
            "mean": dict(self.mean),
            "deviation": dict(self.deviation),
            "best": dict(self.best),
        }


def group_of(
    name: str, systems: Sequence[tuple[str, Mapping[str, float | None]]], measures: Sequence[Measure]
) -> SystemGroup:
    """A group and its figures.

    >>> measure = Measure("f1", "F")
    >>> group = group_of("ours", [("a", {"f1": 0.5}), ("b", {"f1": 0.75})], [measure])
    >>> group.mean["f1"], round(group.deviation["f1"], 4), group.best["f1"]
    (0.625, 0.1768, 0.75)
    """
    mean: dict[str, float | None] = {}
    deviation: dict[str, float | None] = {}
    best: dict[str, float | None] = {}
    for measure in measures:
        key = measure.name
        known = [value for _, rates in systems if (value := rates[key]) is not None]
        whole = len(known) == len(systems)
        centre = sum(known) / len(known) if whole else None
        mean[key], deviation[key] = centre, None
        if centre is not None and len(known) > 1:
            deviation[key] = sqrt(sum([(value - centre) ** 2 for value in known]) / (len(known) - 1))
        best[key] = (max if measure.larger_is_better else min)(known) if known else None
    return SystemGroup(name, tuple([system for system, _ in systems]), mean, deviation, best)


def checked(groups: Mapping[str, Iterable[int]], systems: int) -> dict[str, tuple[int, ...]]:
    """Groups as places from 1.

    Raises:
        SettingsError: a place that no system has, or that a group has twice, or a group of none.
    """
    found = {}
    for name, given in groups.items():
        places = tuple(given)
        for place in places:
            if not isinstance(place, int) or not 1 <= place <= systems:
                raise SettingsError(
                    f"found the place {place!r} in the group {name!r}; expected the places of its systems, "
                    f"from 1 to {systems}"
                )
        if not places or len(set(places)) < len(places):
            raise SettingsError(
                f"found {list(places)} as the group {name!r}; expected one system or more, each once"
            )
        found[name] = places
    return found


def parsed(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Groups as a command line has them.

    Args:
        texts: For each group its name, ``=`` and the places of its systems with commas between them.

    Raises:
        SettingsError: another text, or a name twice.

    >>> parsed(["ours=1,2,3", "base=4"])
    {'ours': (1, 2, 3), 'base': (4,)}
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, places = text.rpartition("=")
        numbers = [part.strip() for part in places.split(",")]
        if not name or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in numbers):
            raise SettingsError(
                f"found the group {text!r}; expected a name and places of systems, such as ours=1,2,3"
            )
        if name in found:
            raise SettingsError(f"found the group {name!r} twice; give all its systems at once")
        found[name] = tuple(map(int, numbers))
    return found
