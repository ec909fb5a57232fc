"""Records of counts add field by field and key by key, in any grouping."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import dataclass, field

import pytest

from jpevalb.base.counts import Counts, Matched, RunningSum, brief, by_key, f1, ratio, sums


@dataclass(frozen=True, slots=True)
class Single(Counts):
    """A record of one field."""

    n: int = 0


@dataclass(frozen=True, slots=True)
class Nested(Counts):
    """A number, a record, and a table of each."""

    n: int = 0
    whole: Matched = Matched()  # noqa: RUF009
    numbers: dict[str, int] = field(default_factory=dict)
    records: dict[str, Matched] = field(default_factory=dict)

    @property
    def half(self) -> float:
        return self.n / 2

    @property
    def twice(self) -> int:
        return self.n * 2


ONE = Nested(1, Matched(1, 2, 1), {"b": 1, "a": 2}, {"x": Matched(1, 1, 1)})
TWO = Nested(2, Matched(3, 2, 0), {"a": 5, "c": 7}, {"y": Matched(1, 0, 0), "x": Matched(2, 3, 1)})


def test_fields_and_keys_are_added_up():
    total = ONE + TWO
    assert total == Nested(
        3,
        Matched(4, 4, 1),
        {"b": 1, "a": 7, "c": 7},
        {"x": Matched(3, 4, 2), "y": Matched(1, 0, 0)},
    )
    assert list(total.numbers) == ["b", "a", "c"]
    assert Nested.sum([ONE, TWO, ONE]) == ONE + TWO + ONE == ONE + (TWO + ONE)
    assert Nested.sum([]) == Nested.zero() == Nested()
    assert ONE + Nested() == Nested() + ONE == ONE
    assert Single.sum([Single(2), Single(5)]) == Single(7)
    assert Single.sum([]) == Single()


def test_tables_are_added_up_without_being_changed():
    tables = [{}, {"a": 1}, {"b": 2, "a": 3}, {"b": 4}]
    assert by_key(tables) == {"a": 4, "b": 6}
    assert tables == [{}, {"a": 1}, {"b": 2, "a": 3}, {"b": 4}]
    assert by_key([{}, {}]) == by_key([]) == {}
    records = [{"x": Matched(1, 1, 1)}, {"x": Matched(1, 0, 0)}, {"y": Matched(5)}, {"x": Matched(2, 2, 0)}]
    assert by_key(records) == {"x": Matched(4, 3, 1), "y": Matched(5)}


def test_records_of_two_kinds_do_not_add_up():
    with pytest.raises(TypeError):
        Single(1) + Matched(1)


def test_a_record_travels_as_its_fields():
    assert pickle.loads(pickle.dumps(ONE)) == ONE
    assert Single(3).__reduce__() == (Single, (3,))


def test_dictionaries_have_the_fields_and_then_the_rates():
    found = Nested(3, Matched(4, 2, 1)).to_dict()
    assert list(found) == ["n", "whole", "numbers", "records", "half", "twice"]
    assert (found["half"], found["twice"]) == (1.5, 6)
    assert found["whole"] == {
        "gold": 4,
        "system": 2,
        "matched": 1,
        "recall": 0.25,
        "precision": 0.5,
        "f1": 2 / 6,
    }
    assert ONE.of_bead() == ONE.to_dict()
    assert ONE.shown


def test_rates():
    assert (ratio(1, 4), ratio(0, 3), ratio(5, 0)) == (0.25, 0.0, None)
    assert Matched(4, 6, 3).wrong() == 4
    assert (f1(1, 1, 3), f1(0, 0, 2), f1(0, 0, 0)) == (0.5, 0.0, None)
    assert brief(ONE, f1=0.123456, n=3, name="a") == "Nested(f1=0.1235, n=3, name='a')"


@pytest.mark.parametrize("n", [0, 1, 511, 512, 513, 1023, 1024, 1025, 2000])
@pytest.mark.parametrize("asked", [1000, 514, 7])
def test_a_running_sum_keeps_few_records(n, asked):
    """512 at most and a sum, whenever it is asked for the total."""
    running = RunningSum(Single(0))
    for number in range(1, n + 1):
        running.add(Single(number))
        assert len(running._records) <= 513
        if number % asked == 0:
            assert running.total() == Single(number * (number + 1) // 2)
    assert running.total() == running.total() == Single(n * (n + 1) // 2)
    assert len(running._records) == 1


def test_sums_of_columns_are_the_sums_of_their_rows():
    pair = sums("2 * gold - matched", "gold + -3 * system + matched")
    rows = [Matched(4, 6, 3), Matched(0, 0, 0), Matched(1, 9, 1)]
    columns = {
        name: array("q", [getattr(row, name) for row in rows]) for name in ("gold", "system", "matched")
    }
    assert pair(rows[0]) == (5, -11)
    assert list(zip(*pair.of_columns(columns))) == [pair(row) for row in rows]


def test_a_column_of_its_own_is_a_copy():
    columns = {name: array("q", [1]) for name in ("gold", "matched")}
    sums("matched", "gold").of_columns(columns)[0][0] = 7
    assert columns["matched"][0] == 1
