"""Frozen records, compared with dataclasses of the same fields."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any, ClassVar

import pytest

from jpevalb.trees.frozen import defaults, field, frozen, replace


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


def test_a_run_does_without_dataclasses(tmp_path):
    """They take as long to import as a fifth of a run on a short file."""
    (tmp_path / "trees").write_text("(S (NP (N a)) (VP (V b)))\n")
    code = (
        "import sys; from jpevalb.cli import main; status = main(['trees', 'trees']);"
        "print(status, 'dataclasses' in sys.modules, 'inspect' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 False False"
