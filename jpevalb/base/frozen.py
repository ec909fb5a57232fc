"""Frozen records and named tuples: like those of the standard library, but ten times faster to create.

Importing ``dataclasses`` and ``typing``, and compiling the methods of all classes, would take a third of
a run on a short file.  Methods are compiled on first use.  The functions of ``dataclasses`` accept
frozen records as dataclasses.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from functools import partial
from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar
    from typing import NamedTuple as NamedTuple

    from typing_extensions import dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_):
        """Do nothing at run time; type checkers know the decorator."""
        return lambda function: function


class _Factory:
    """Default value in the signature of a record whose field has a factory, as ``dataclasses`` shows it."""

    def __repr__(self) -> str:
        return "<factory>"


_SLOW_CALLS = 16  # number of records from which compiling their `__init__` pays
_UNSET, _FACTORY = object(), _Factory()


class FieldOptions(dict):  # type: ignore[type-arg]
    """The arguments of :func:`field` that were given, by name."""


def field(
    *,
    default: Any = _UNSET,
    default_factory: Any = _UNSET,
    compare: bool = True,
    repr: bool = True,
    metadata: Any = _UNSET,
) -> Any:
    """Declare a field of a frozen record, with the arguments of ``dataclasses.field``."""
    return FieldOptions({name: value for name, value in locals().items() if value is not _UNSET})


class _Compiled:
    """Descriptor for a method that is compiled on first access, or after some calls of ``slow``."""

    def __init__(self, method: Callable[[Any], Any], slow: Callable[..., Any] | None = None) -> None:
        self._method, self._slow, self._calls = method, slow, 0

    def __set_name__(self, owner: Any, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, record: Any, kind: Any) -> Any:
        if record is not None and self._slow is not None and self._calls < _SLOW_CALLS:
            self._calls += 1
            return partial(self._slow, self._owner, record)
        setattr(self._owner, self._name, self._method(self._owner))
        return self._owner.__dict__[self._name].__get__(record, kind)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Turn a class with annotated fields, as strings, into a record with slots and a dataclass's methods."""
    fields: dict[str, dict[str, Any]] = {}
    types: dict[str, str] = {}
    for base in cls.__mro__[-2:0:-1]:
        inherited, inherited_types = base.__dict__.get("_frozen", ({}, {}))
        fields.update(inherited)
        types.update(inherited_types)
    content = dict(cls.__dict__)
    for name in ("__dict__", "__weakref__"):  # which a class without slots has for its instances
        content.pop(name, None)
    own = []
    for name, kind in cls.__annotations__.items():
        if not kind.startswith("ClassVar"):
            own.append(name)
            types[name] = kind
            value = content.pop(name, _UNSET)
            fields[name] = (
                value if isinstance(value, FieldOptions) else {} if value is _UNSET else {"default": value}
            )
    added = {
        **_SHARED,
        "__init__": _Compiled(_initializer, _initialize),
        "__slots__": tuple(own),
        "__qualname__": cls.__qualname__,
        "__match_args__": tuple(fields),
        "_frozen": (fields, types),
        "_compared": attrgetter(*[name for name, one in fields.items() if one.get("compare", True)]),
    }
    metaclass: Any = type(cls)
    return metaclass(cls.__name__, cls.__bases__, {**added, **content})  # type: ignore[no-any-return]


def replace(record: T, **changes: Any) -> T:
    """Copy a frozen record, with some fields changed."""
    kind: Any = _kind_of(record)
    return kind(**{**{name: getattr(record, name) for name in kind.__match_args__}, **changes})  # type: ignore[no-any-return]


def defaults(kind: type) -> dict[str, Any]:
    """Return the default of each field of a frozen record."""
    return {name: one.get("default", _UNSET) for name, one in kind._frozen[0].items()}  # type: ignore[attr-defined]


def _initialize(kind: Any, record: Any, *args: Any, **given: Any) -> None:
    """Set the fields as the compiled ``__init__`` does."""
    fields = kind._frozen[0]
    values = {**dict(zip(fields, args)), **given}
    wrong = len(values) < len(args) + len(given)
    for name, one in fields.items():
        if name not in values:
            if "default_factory" in one:
                values[name] = one["default_factory"]()
            elif "default" in one:
                values[name] = one["default"]
    if wrong or values.keys() != fields.keys():
        # It raises the usual TypeError.
        _initializer(kind)(record, *args, **given)
    for name, value in values.items():
        object.__setattr__(record, name, value)
    if hasattr(kind, "__post_init__"):
        record.__post_init__()


def _initializer(made: Any) -> Any:
    """Compile ``__init__``: many records are made, and a loop over the fields would be slow."""
    fields, types = made._frozen
    names: dict[str, Any] = {"_FACTORY": _FACTORY}
    parameters, lines = ["self"], []
    for name, one in fields.items():
        value = name
        if "default_factory" in one:
            names[f"_make_{name}"] = one["default_factory"]
            value = f"_make_{name}() if {name} is _FACTORY else {name}"
            parameters.append(f"{name}=_FACTORY")
        elif "default" in one:
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


def _kind_of(record: Any) -> Any:
    """Return the class that a record is copied and compared as, which a subclass may name."""
    return getattr(record, "copied_as", type(record))


def _equal(self: Any, other: Any) -> Any:
    if _kind_of(other) is not _kind_of(self):
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _repr(self: Any) -> str:
    names = [name for name, one in self._frozen[0].items() if one.get("repr", True)]
    shown = [f"{name}={getattr(self, name)!r}" for name in names]
    return f"{type(self).__qualname__}({', '.join(shown)})"


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
        parts = [(name, types[name], dataclasses.field(**one)) for name, one in fields.items()]
        made = dataclasses.make_dataclass(kind.__name__, parts, frozen=True, slots=True)
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            setattr(kind, name, getattr(made, name))
        return getattr(made, self._name)


_SHARED = {
    "__eq__": _equal,
    "__hash__": lambda self: hash(self._compared(self)),
    "__repr__": _repr,
    "__getstate__": lambda self: [getattr(self, name) for name in self.__match_args__],
    "__setstate__": _restore,
    "__setattr__": _reject,
    "__delattr__": _reject,
    "__dataclass_fields__": _DataclassAttribute("__dataclass_fields__"),
    "__dataclass_params__": _DataclassAttribute("__dataclass_params__"),
}


def _constructor(kind: Any) -> Any:
    """Compile ``__new__`` of a named tuple."""
    names = ", ".join(kind._fields)
    made = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})
    made.__name__, made.__qualname__ = "__new__", f"{kind.__name__}.__new__"
    made.__defaults__ = tuple(kind._field_defaults.values())
    made.__annotations__ = kind.__annotations__
    return staticmethod(made)


def _tuple_repr(self: Any) -> str:
    shown = [f"{name}={value!r}" for name, value in zip(self._fields, self)]
    return f"{type(self).__name__}({', '.join(shown)})"


_SHARED_OF_TUPLES = {
    "__slots__": (),
    "__repr__": _tuple_repr,
    "__getnewargs__": lambda self: tuple(self),
    "_asdict": lambda self: dict(zip(self._fields, self)),
    "_replace": lambda self, **changes: type(self)(**{**self._asdict(), **changes}),
}


class _NamedTuples(type):
    """Metaclass that turns a class with annotated fields into a named tuple, an instance of ``type``."""

    def __new__(cls, name: str, bases: tuple[Any, ...], content: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, content)
        fields = tuple(content["__annotations__"])
        given = {field: content.pop(field) for field in fields if field in content}
        getters = {field: _tuplegetter(index, None) for index, field in enumerate(fields)}
        made = {"_fields": fields, "_field_defaults": given, "__match_args__": fields, **getters}
        methods = {**_SHARED_OF_TUPLES, "__new__": _Compiled(_constructor)}
        return type(name, (tuple,), {**methods, **made, **content})


if not TYPE_CHECKING:

    class NamedTuple(metaclass=_NamedTuples):
        """Base of named tuples: like ``typing.NamedTuple``."""
