"""Labels: how the labels of treebanks are cut, compared and equated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..trees.prepare import TRACE as TRACE


class _Mark(str):
    """A label that equals only itself, unlike any label of a file."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __reduce__(self) -> str:
        return "DUMMY_ROOT"


DUMMY_ROOT = _Mark("@S")  # label of the root over the sentences of one bead
UNCOUNTED = frozenset(("", "TOP", "ROOT", DUMMY_ROOT))  # never constituents (design of Jo et al. 2024)


def cut(label: str) -> str:
    """Return the label up to its first ``-`` or ``=``, without function tags and indices."""
    if "-" in label or "=" in label:
        return label.partition("-")[0].partition("=")[0]
    return label


def neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return for each label the labels that it is paired with: symmetric, not transitive."""
    neighbours: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            neighbours.setdefault(first, {})[second] = None
            neighbours.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in neighbours.items()}


def representatives(equal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each label the alphabetically first label connected to it."""
    representative: dict[str, str] = {}
    for first in sorted(equal):
        queue = [first] if first not in representative else []
        for label in queue:
            if label not in representative:
                representative[label] = first
                queue.extend(equal[label])
    return representative


def closed(equal: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the transitive closure of an equality."""
    classes: dict[str, list[str]] = {}
    for label, first in representatives(equal).items():
        classes.setdefault(first, []).append(label)
    return {label: tuple(sorted(set(members) - {label})) for members in classes.values() for label in members}


def with_equal_words(exceptions: Mapping[str, str], equal: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Add EQ_WORD to an exception list: equal words, transitively, get one comparison text."""
    if not equal:
        return exceptions
    texts: dict[str, str] = {}
    for word, first in representatives(equal).items():
        text = first.lower()
        texts[word.lower()] = exceptions.get(text, text)
    return {**{word: texts.get(text, text) for word, text in exceptions.items()}, **texts}
