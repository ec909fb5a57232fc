"""Templates of rows: what can be written without knowing the counts, and what cannot."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from jpevalb import Settings
from jpevalb.base.counts import Counts, Matched, Quotient, ratio
from jpevalb.metrics import PlainCounts, PlainRecord
from jpevalb.report.traced import Traced, row_template
from jpevalb.score.scorer import Scorer

PLAIN = PlainCounts(1, 3, 3, 2, 2, 4, 5, 3, 0, 0, 1, 1, 666666666667)


@dataclass(frozen=True, slots=True)
class Added(Counts):
    number: int = 0
    inner: Matched = field(default_factory=Matched)
    table: dict[str, int] = field(default_factory=dict)

    rate = Quotient("number", "inner", "", 2)

    def to_dict(self):
        return {
            "{number}": self.number,
            "sum": 2 + self.number - 1,
            "rate": ratio(2 * self.number / 4, self.inner.gold),
            "inner": self.inner.to_dict(),
            "half": self.number / 2,
        }


class Branching(Added):
    __slots__ = ()

    def to_dict(self):
        return {"some": 1} if self.number else {}


class Listed(Added):
    __slots__ = ()

    def to_dict(self):
        return {"words": list(self.table), "\x9b": "\x9b"}


class Found:
    """A metric that needs the pair."""

    def __init__(self, record):
        self.name, self.record = "found", record

    def zero(self):
        return type(self.record)()

    def of_plain(self, plain):
        return None


@pytest.mark.parametrize(
    "record",
    [
        kind(*counts)
        for kind in (Added, Branching, Listed)
        for counts in ((), (3, Matched(4, 3, 2), {"é": 1}))
    ],
)
def test_a_row_has_the_text_of_its_record(record):
    scorer = Scorer(Settings(mode="alignment", metrics="brackets,tags"))
    metric = Found(record)
    scorer.metrics, scorer.others = (*scorer.metrics, metric), [metric]
    scorer._names = (*scorer._names, "found")
    counts = PlainRecord(PLAIN, (record,))
    [row] = row_template(scorer)([(7, 9, counts)])
    content = {"id": None, "status": "ok", "reason": None, "gold": [6, 7], "system": [8, 9], "aligned": True}
    content.update(scorer.record_of(counts).to_dict())
    expected = json.dumps(content, ensure_ascii=False).replace("\x9b", "\\u009b")
    assert f"{{{row}" == expected


def test_rates_of_nothing_are_null():
    fill = row_template(Scorer(Settings(mode="alignment", metrics="brackets,tags")))
    [row] = fill([(1, 1, PlainRecord(PLAIN._replace(gold=0, matched=0), ()))])
    assert '"gold": 0, "system": 5, "matched": 0' in row
    assert '"recall": null, "precision": 0.0, "f1": 0.0' in row


@pytest.mark.parametrize(
    "use",
    [
        bool,
        str,
        hash,
        int,
        round,
        "{:d}".format,
        lambda one: one == 1,
        lambda one: one < 1,
        lambda one: max(one, 2),
        lambda one: 1 / one + 1,
        lambda one: one / one * 2,
        lambda one: one + "1",
        lambda one: one * 0.5,
    ],
)
def test_what_depends_on_the_value_raises(use):
    with pytest.raises(TypeError):
        use(Traced("number"))


def test_texts_are_kept_up_to_a_limit(monkeypatch):
    monkeypatch.setattr("jpevalb.report.traced._MOST", 3)
    fill = row_template(Scorer(Settings(mode="alignment", metrics="brackets,tags")))
    rows = [PlainRecord(PLAIN._replace(crossing=crossing), ()) for crossing in range(6)]
    found = [json.loads(f"{{{row}")["brackets"]["crossing"] for row in fill([(1, 1, row) for row in rows])]
    assert found == list(range(6))
