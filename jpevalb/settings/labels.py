"""Labels: how the labels of treebanks are cut, compared and equated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

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


def cutter(cut: str, cut_at: Iterable[str] = ()) -> Callable[[str], str]:
    """Return the function that cuts labels by the rules ``cut`` and ``cut_at`` of a :class:`Convention`."""
    how, marks = cut[:1], cut[1:]
    if cut_at:
        rest = cutter(cut)
        return lru_cache(100_000)(lambda label: rest(label[: end_of(label, cut_at)[0]]))

    def at_first(label: str) -> str:
        for mark in marks:
            at = label.find(mark)
            if at > 0 or (at == 0 and how == "^"):
                label = label[:at]
        return label

    def basic(label: str) -> str:
        for index, mark in enumerate(label):
            if not index or mark not in marks:
                continue
            again = index > 1 and mark == label[0] and mark not in label[1:index]
            if not again:
                return label[:index]
        return label

    return str if not cut else lru_cache(100_000)(basic if how == "~" else at_first)


def end_of(label: str, marks: Iterable[str]) -> tuple[int, str]:
    """Return the end of a label at one of the marks, and the mark; an empty mark if the label has none."""
    return min([(label.find(mark, 1), mark) for mark in marks if mark in label[1:]], default=(len(label), ""))


cut = cutter("^-=")
"""Return a label up to its first ``-`` or ``=``, without function tags and indices."""


def neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return for each label the labels that it is paired with: symmetric, not transitive."""
    neighbours: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if first != second:
            neighbours.setdefault(first, {})[second] = None
            neighbours.setdefault(second, {})[first] = None
    return {label: tuple(others) for label, others in neighbours.items()}


def classes(equal: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the name that each label in some pairs counts as: that of the second, transitively."""
    names: dict[str, str] = {}
    for first, second in equal:
        old, new = names.setdefault(first, first), names.setdefault(second, second)
        names.update({label: new for label, name in names.items() if name == old})
    return names


def representatives(equal: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each label the alphabetically first label connected to it."""
    names = classes([(label, other) for label, others in equal.items() for other in others])
    first = {names[label]: label for label in sorted(names, reverse=True)}
    return {label: first[name] for label, name in names.items()}


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
