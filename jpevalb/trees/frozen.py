"""Frozen records: like ``dataclass(frozen=True, slots=True)``, but ten times faster to create.

Importing ``dataclasses`` and creating the classes with it would take a third of a run on a short file.
The functions of ``dataclasses`` accept these records as dataclasses.
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
        """Do nothing at run time; type checkers know the decorator."""
        return lambda function: function


class _Sentinel:
    """Default value that stands for "no value" in a signature."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


_UNSET = _Sentinel("<unset>")
_FACTORY = _Sentinel("<factory>")


class FieldOptions(dict):  # type: ignore[type-arg]
    """The arguments of :func:`field`, by name."""


def field(
    *,
    default: Any = _UNSET,
    default_factory: Any = _UNSET,
    compare: bool = True,
    repr: bool = True,
    metadata: Any = _UNSET,
) -> Any:
    """Declare a field of a frozen record, with the arguments of ``dataclasses.field``."""
    return FieldOptions(
        default=default, default_factory=default_factory, compare=compare, repr=repr, metadata=metadata
    )


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Turn a class with annotated fields into a frozen record.

    The record has slots and the methods of a dataclass; methods that the class defines take precedence.
    The module of the class needs ``from __future__ import annotations``.

    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    """
    fields: dict[str, FieldOptions] = {}
    types: dict[str, str] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited, inherited_types = base.__dict__.get("_frozen", ({}, {}))
        fields.update(inherited)
        types.update(inherited_types)
    own = {name: kind for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar")}
    types.update(own)
    content = {name: value for name, value in cls.__dict__.items() if name not in _INSTANCE_ATTRIBUTES}
    for name in own:
        value = content.pop(name, _UNSET)
        fields[name] = value if isinstance(value, FieldOptions) else field(default=value)
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
    """Copy a frozen record, with some fields changed."""
    kind: Any = type(record)
    return kind(**{**{name: getattr(record, name) for name in kind.__match_args__}, **changes})  # type: ignore[no-any-return]


def defaults(kind: type) -> dict[str, Any]:
    """Return the default of each field of a frozen record."""
    fields: dict[str, FieldOptions] = kind._frozen[0]  # type: ignore[attr-defined]
    return {name: one["default"] for name, one in fields.items()}


def _initializer(made: Any) -> Any:
    """Compile ``__init__``: many records are made, and a loop over the fields would be slow."""
    fields, types = made._frozen
    names: dict[str, Any] = {"_FACTORY": _FACTORY}
    parameters, lines = ["self"], []
    for name, one in fields.items():
        value = name
        if one["default_factory"] is not _UNSET:
            names[f"_make_{name}"] = one["default_factory"]
            value = f"_make_{name}() if {name} is _FACTORY else {name}"
            parameters.append(f"{name}=_FACTORY")
        elif one["default"] is not _UNSET:
            names[f"_default_{name}"] = one["default"]
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        # The slot's own setter takes half the time of `object.__setattr__`.
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


def _repr(self: Any) -> str:
    shown = [f"{name}={getattr(self, name)!r}" for name, one in self._frozen[0].items() if one["repr"]]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state):
        object.__setattr__(self, name, value)


def _reject(self: Any, name: str, *value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


class _DataclassAttribute:
    """An attribute that ``dataclasses`` keeps on its classes, created on first access."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, record: object, kind: Any) -> Any:
        import dataclasses

        fields, types = kind._frozen
        parts = []
        for name, one in fields.items():
            given = {key: value for key, value in one.items() if value is not _UNSET}
            parts.append((name, types[name], dataclasses.field(**given)))
        made = dataclasses.make_dataclass(kind.__name__, parts, frozen=True, slots=True)
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            setattr(kind, name, getattr(made, name))
        return getattr(made, self._name)


# Attributes that a class without slots has for its instances.
_INSTANCE_ATTRIBUTES = ("__dict__", "__weakref__")

_SHARED = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _repr,
    "__getstate__": _state,
    "__setstate__": _restore,
    "__setattr__": _reject,
    "__delattr__": _reject,
    "__dataclass_fields__": _DataclassAttribute("__dataclass_fields__"),
    "__dataclass_params__": _DataclassAttribute("__dataclass_params__"),
}
