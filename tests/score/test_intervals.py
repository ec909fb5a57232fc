"""Intervals of one system's figures."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from jpevalb import compare, evaluate
from jpevalb.cli import main
from tests.support import gapped
from tests.support.report_pages import treebank_pair
from tests.support.with_gaps import evaluate_with_gaps


@pytest.fixture(scope="module")
def pair():
    return treebank_pair(60)


def test_they_are_those_of_a_comparison(pair):
    alone = evaluate(*pair).intervals
    system = compare(pair[0], {"a": pair[1]}, test=None).systems[0]
    assert alone["f1"] is not None
    assert alone["f1"][0] < evaluate(*pair).f1 < alone["f1"][1]
    shared = alone.keys() & system.intervals.keys()
    assert {"f1", "recall", "precision", "complete_match", "struct_iou"} <= shared
    assert {name: alone[name] for name in shared} == {name: system.intervals[name] for name in shared}


@pytest.mark.parametrize("metrics", ["brackets,tags", None])
def test_json_has_those_of_python(pair, metrics, tmp_path, capsys):
    paths = [str(tmp_path / name) for name in ("gold", "system")]
    for path, trees in zip(paths, pair):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{tree}\n" for tree in trees)
    options = [] if metrics is None else ["--metrics", metrics]
    assert main([*paths, "--output", "json", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    given = {} if metrics is None else {"metrics": metrics}
    assert found == json.loads(json.dumps(evaluate(*paths, **given).to_dict()))
    assert list(found["intervals"]) == list(found["figures"])


def test_gaps_have_intervals():
    found = evaluate_with_gaps(gapped.GOLD * 4, gapped.SYSTEM * 4)
    low, high = found.intervals["f1"]
    assert low <= found.f1 <= high


def test_they_need_ten_sentences_and_the_sentences_kept(pair):
    found = evaluate(*[trees[:9] for trees in pair])
    assert set(found.intervals.values()) == {None}
    assert evaluate(*[trees[:10] for trees in pair]).intervals["f1"] is not None
    without = replace(found, sentences=())
    assert without.intervals == {}
    assert "intervals" not in without.to_dict()
    assert "intervals" not in json.loads(found.report("json", quiet=True))


@pytest.mark.parametrize(("most", "has"), [(60, True), (59, False)])
def test_reports_of_very_many_sentences_have_none(pair, tmp_path, capsys, monkeypatch, most, has):
    """Memory does not grow with them, and the resamples do not outlast the evaluation."""
    for module in ("report.json", "metrics.significance", "page.collected"):
        monkeypatch.setattr(f"jpevalb.{module}.MOST_RESAMPLED", most)
    for name, trees in zip(("gold", "sys"), pair):
        (tmp_path / name).write_text("".join([f"{tree}\n" for tree in trees]), encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("gold", "sys")]
    assert main([*paths, "--output", "json"]) == 0
    assert ("intervals" in json.loads(capsys.readouterr().out)) is has
    assert main([*paths, "--output", "html"]) == 0
    assert ("95 % interval" in capsys.readouterr().out) is has
