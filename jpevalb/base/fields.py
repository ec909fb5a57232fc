"""Equality, hash and text of dataclasses, written once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar


def set_fields(record: object, names: Iterable[str], values: Iterable[Any]) -> None:
    """Set fields of a new frozen record."""
    for name, value in zip(names, values, strict=True):
        object.__setattr__(record, name, value)


class Fields:
    """Base class of frozen dataclasses with ``eq=False``: they compare and hash by what is pickled.

    Dataclasses would compile these methods for each class, in every run.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields only, at a tenth of the usual cost."""
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, Fields) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__reduce__())

    def __repr__(self) -> str:
        fields = zip(self.__match_args__, self.__reduce__()[1])
        return f"{type(self).__qualname__}({', '.join([f'{name}={value!r}' for name, value in fields])})"
