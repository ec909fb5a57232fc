"""Frozen records, compared with dataclasses of the same fields."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import typing
from typing import Any, ClassVar

import pytest

from jpevalb.base.frozen import NamedTuple, defaults, field, frozen, replace


@frozen
class Place:
    """A place."""

    unit: ClassVar[str] = "m"

    x: int
    y: int = 0

    @property
    def sum(self) -> int:
        return self.x + self.y


@frozen
class Named(Place):
    name: str = field(default="", compare=False)
    parts: list[int] = field(default_factory=list, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class StandardPlace:
    """A place."""

    unit: ClassVar[str] = "m"

    x: int
    y: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class StandardNamed(StandardPlace):
    name: str = dataclasses.field(default="", compare=False)
    parts: list[int] = dataclasses.field(default_factory=list, repr=False)


@frozen
class Checked:
    x: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", self.x * 10)

    def __repr__(self) -> str:
        return f"<{self.x}>"


PAIRS = [(Place, StandardPlace), (Named, StandardNamed)]
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 2), {}),
    ((), {"y": 3, "x": 1}),
    ((2,), {"y": 0}),
]


@pytest.mark.parametrize(("ours", "standard"), PAIRS)
def test_equality_and_repr_are_those_of_dataclasses(ours, standard):
    for args, named in CALLS:
        one, other = ours(*args, **named), standard(*args, **named)
        assert repr(one) == repr(other).replace("Standard", "")
        assert (one.x, one.y) == (other.x, other.y)
        for more, names in CALLS:
            assert (one == ours(*more, **names)) is (other == standard(*more, **names))
    assert ours(1) != other
    assert ours(1).__eq__(other) is NotImplemented


def test_fields_without_compare_do_not_affect_equality():
    assert Named(1, name="a") == Named(1, name="b") != Named(1, name="a", parts=[2])
    assert hash(Place(1, 2)) == hash(Place(1, 2))
    assert len({Place(1, 2), Place(1, 2), Place(2, 1)}) == 2


def test_defaults_are_not_shared():
    one, other = Named(1), Named(1)
    assert one.parts == other.parts == []
    assert one.parts is not other.parts


def test_lacking_and_unknown_arguments_are_errors():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Place()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        Place(1, z=2)  # type: ignore[call-arg]


def test_a_record_cannot_be_changed():
    for record in (Place(1), Named(1)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
            record.x = 2  # type: ignore[misc]
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
            del record.x
        with pytest.raises(dataclasses.FrozenInstanceError):
            record.other = 2  # type: ignore[attr-defined]
        assert not hasattr(record, "__dict__")


def test_a_record_is_pickled_and_copied_with_all_its_fields():
    record = Named(1, 2, "three", [4])
    for made in (pickle.loads(pickle.dumps(record)), copy.copy(record), copy.deepcopy(record)):
        assert made == record
        assert (made.name, made.parts) == ("three", [4])


def test_methods_of_the_class_are_kept():
    assert repr(Checked(2)) == "<20>"
    assert Checked.__doc__ is None
    assert Place.__doc__ == "A place."
    assert (Place.unit, Place(3, 4).sum) == ("m", 7)


def test_fields_are_replaced_and_read_by_position():
    assert replace(Named(1, 2, "a", [3]), y=5, name="b") == Named(1, 5, parts=[3])
    with pytest.raises(TypeError):
        replace(Place(1), z=1)
    match Place(1, 2):
        case Place(x, y):
            assert (x, y) == (1, 2)
    assert list(defaults(Named)) == ["x", "y", "name", "parts"]
    assert defaults(Named)["name"] == ""


@pytest.mark.parametrize(("ours", "standard"), PAIRS)
def test_dataclasses_functions_accept_frozen_records(ours, standard):
    assert dataclasses.is_dataclass(ours)
    assert ours.__dataclass_params__.frozen
    kept = ("name", "type", "init", "repr", "compare", "default_factory")
    for one, other in zip(dataclasses.fields(ours), dataclasses.fields(standard), strict=True):
        assert [getattr(one, name) for name in kept] == [getattr(other, name) for name in kept]
    assert dataclasses.asdict(ours(1, 2)) == dataclasses.asdict(standard(1, 2))
    assert dataclasses.replace(ours(1), x=3) == ours(3)
    signatures = [str(inspect.signature(kind)) for kind in (ours, standard)]
    assert signatures[0] == signatures[1]


def test_a_dataclass_may_be_made_of_a_frozen_record():
    @dataclasses.dataclass(frozen=True)
    class Third(Place):
        z: int = 5

    assert Third(1, z=2) == Third(1, 0, 2)
    assert repr(Third(1)).endswith("Third(x=1, y=0, z=5)")


class Spot(NamedTuple):
    """A spot."""

    x: int
    y: int = 0

    @property
    def sum(self) -> int:
        return self.x + self.y


class StandardSpot(typing.NamedTuple):
    x: int
    y: int = 0


class Marked(Spot):
    __slots__ = ()

    def __new__(cls, x: int) -> Marked:
        return super().__new__(cls, x, 9)


def test_named_tuples_are_those_of_typing():
    for args, named in [*CALLS, ((1, 2, 3), {}), ((), {}), ((1,), {"z": 1})]:
        results = []
        for kind in (Spot, StandardSpot):
            try:
                made = kind(*args, **named)
                again = [made._asdict(), made._replace(y=7), pickle.loads(pickle.dumps(made)), made.y, *made]
                results.append(repr([made, again]))
            except TypeError as error:
                results.append(str(error))
        assert results[0] == results[1].replace("Standard", "")
    assert str(inspect.signature(Spot)) == "(x: 'int', y: 'int' = 0)"
    assert (Spot._fields, Spot._field_defaults) == (("x", "y"), {"y": 0})
    match Spot(3, 4):
        case Spot(x, y):
            assert (x, y) == (3, 4)
    assert (Spot(1, 2).sum, Spot(1) == (1, 0), Spot.__doc__) == (3, True, "A spot.")
    assert (Marked(1), Marked(1).sum) == ((1, 9), 10)


def test_methods_are_compiled_on_first_use():
    code = (
        "import sys; from jpevalb.base import frozen\n"
        "compiled = []; sys.addaudithook(lambda event, args: event == 'compile' and compiled.append(args))\n"
        "class A(frozen.NamedTuple):\n    x: 'int'\n"
        "B = frozen.frozen(type('B', (), {'__annotations__': {'x': 'int'}}))\n"
        "before = len(compiled); A(1), A(2), [B(x) for x in range(16)]\n"
        "assert not [code for code in compiled if b'__init__' in code[0]]; B(2)\n"
        "print(before, len(compiled), 'typing' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "2", "False"]
