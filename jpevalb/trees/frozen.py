"""Frozen records: what ``dataclass(frozen=True, slots=True)`` makes, in a tenth of its time at start-up.

The module ``dataclasses`` and the classes that it makes would take a third of a run on a short file.
A class made here is a dataclass to everybody who asks ``dataclasses`` about it.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from typing_extensions import dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_):
        """Tells type checkers, and nobody else, what the decorator does."""
        return lambda function: function


class Missing:
    """Stands for what is not there.

    Args:
        name: How a signature shows it.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


_NOTHING = Missing("<nothing>")
_MADE = Missing("<factory>")


class Field(dict):  # type: ignore[type-arg]
    """What a field has beside its name and type, by the names of the arguments of :func:`field`."""


def field(
    *, default: Any = _NOTHING, default_factory: Any = _NOTHING, compare: bool = True, repr: bool = True
) -> Any:
    """A field of a frozen record.

    Args:
        default: Its value where none is given.
        default_factory: Makes that value.
        compare: Whether records are equal only where their values of it are.
        repr: Whether ``repr`` shows it.
    """
    return Field(default=default, default_factory=default_factory, compare=compare, repr=repr)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Makes a frozen record of a class whose annotations are its fields; a decorator.

    It has slots, ``__init__``, ``__eq__``, ``__hash__``, ``__repr__``, ``__match_args__`` and
    ``__post_init__`` as a dataclass has them, but for what the class itself says.

    Args:
        cls: The class; its module has ``from __future__ import annotations``.

    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    """
    fields: dict[str, Field] = {}
    types: dict[str, str] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited, inherited_types = base.__dict__.get("_frozen", ({}, {}))
        fields.update(inherited)
        types.update(inherited_types)
    own = {name: kind for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar")}
    types.update(own)
    content = {name: value for name, value in cls.__dict__.items() if name not in _OF_OBJECTS}
    for name in own:
        value = content.pop(name, _NOTHING)
        fields[name] = value if isinstance(value, Field) else field(default=value)
    compared = [name for name, one in fields.items() if one["compare"]]
    added = {
        "__slots__": tuple(own),
        "__qualname__": cls.__qualname__,
        "__match_args__": tuple(fields),
        **_SHARED,
        "_frozen": (fields, types),
        "_compared": attrgetter(*compared),
    }
    metaclass: Any = type(cls)
    made: Any = metaclass(cls.__name__, cls.__bases__, {**added, **content})
    if "__init__" not in content:
        made.__init__ = _initializer(made)
    return made  # type: ignore[no-any-return]


def replace(record: T, **changes: Any) -> T:
    """A copy of a frozen record with some fields changed."""
    kind: Any = type(record)
    return kind(**{**{name: getattr(record, name) for name in kind.__match_args__}, **changes})  # type: ignore[no-any-return]


def defaults(kind: type) -> dict[str, Any]:
    """The fields of a frozen record and what each is where no value is given."""
    fields: dict[str, Field] = kind._frozen[0]  # type: ignore[attr-defined]
    return {name: one["default"] for name, one in fields.items()}


def _initializer(made: Any) -> Any:
    """The function that sets each field of a new record; compiled, since many are made."""
    fields, types = made._frozen
    names: dict[str, Any] = {"_MADE": _MADE}
    parameters, lines = ["self"], []
    for name, one in fields.items():
        value = name
        if one["default_factory"] is not _NOTHING:
            names[f"_make_{name}"] = one["default_factory"]
            value = f"_make_{name}() if {name} is _MADE else {name}"
            parameters.append(f"{name}=_MADE")
        elif one["default"] is not _NOTHING:
            names[f"_default_{name}"] = one["default"]
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        # What a slot has to set it does so in half the time of `object.__setattr__`.
        names[f"_set_{name}"] = getattr(made, name).__set__
        lines.append(f"_set_{name}(self, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}): {'; '.join(lines)}", names)
    initializer = names["__init__"]
    initializer.__annotations__ = {**types, "return": None}
    return initializer


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _shown(self: Any) -> str:
    shown = [f"{name}={getattr(self, name)!r}" for name, one in self._frozen[0].items() if one["repr"]]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state):
        object.__setattr__(self, name, value)


def _refuse(self: Any, name: str, *value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


class _Standard:
    """What ``dataclasses`` keeps of its classes; made when somebody first asks a frozen record for it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, record: object, kind: Any) -> Any:
        import dataclasses

        fields, types = kind._frozen
        parts = []
        for name, one in fields.items():
            given = {key: value for key, value in one.items() if value is not _NOTHING}
            parts.append((name, types[name], dataclasses.field(**given)))
        made = dataclasses.make_dataclass(kind.__name__, parts, frozen=True, slots=True)
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            setattr(kind, name, getattr(made, name))
        return getattr(made, self._name)


_OF_OBJECTS = ("__dict__", "__weakref__")
"""What a class has for its objects where they have no slots."""

_SHARED = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _shown,
    "__getstate__": _state,
    "__setstate__": _restore,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__dataclass_fields__": _Standard("__dataclass_fields__"),
    "__dataclass_params__": _Standard("__dataclass_params__"),
}
"""What is the same of all frozen records."""
