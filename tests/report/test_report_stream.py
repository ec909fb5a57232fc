"""Streamed reports equal those of a complete evaluation."""

from __future__ import annotations

import pytest

from jpevalb import JpevalbError, SettingsError, compare, evaluate
from jpevalb.report import FORMATS, Format, format_named, render, render_comparison, write_report
from jpevalb.score.run import Run, Run as DiscontinuousRun
from jpevalb.settings.settings import Settings
from tests.support.treebanks import gapped_treebanks, noisy_treebanks
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("number", [1, 16, 50])
def test_alignment_mode(format, quiet, number):
    gold, system = (side[:number] for side in noisy_treebanks(4, 60, 0.2))
    settings = Settings(by_label=number != 16, analysis=number == 1)
    pieces = []
    run = Run(gold, system, settings)
    write_report(run, format, pieces.append, quiet=quiet)
    assert "".join(pieces) == evaluate(gold, system, settings=settings).report(format, quiet=quiet)


def test_long_json_waits_in_a_file(monkeypatch):
    gold, system = noisy_treebanks(4, 90, 0.2)
    expected = evaluate(gold, system).report("json")
    monkeypatch.setattr("jpevalb.report.json._IN_MEMORY", 30_000)
    pieces = []
    write_report(Run(gold, system, Settings()), "json", pieces.append)
    assert "".join(pieces) == expected
    assert len(pieces) > 3  # head, file, the last rows, end


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("format", [name for name in FORMATS if name != "html"])
@pytest.mark.parametrize("number", [1, 30])
def test_discontinuous_mode(format, quiet, number):
    gold, system = (side[:number] for side in gapped_treebanks(4, 60))
    pieces = []
    run = DiscontinuousRun(gold, system, discontinuous_settings(pair="order"))
    write_report(run, format, pieces.append, quiet=quiet)
    expected = evaluate_with_gaps(gold, system, pair="order").report(format, quiet=quiet)
    assert "".join(pieces) == expected


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_written_before_something_could_be_read(tmp_path, format):
    pieces = []
    run = Run(tmp_path / "none", tmp_path / "none", Settings())
    with pytest.raises(JpevalbError, match="cannot read the file"):
        write_report(run, format, pieces.append)
    assert pieces == []


def test_unknown_format():
    run = Run([], [], Settings())
    with pytest.raises(SettingsError, match="unknown output format 'yaml'"):
        write_report(run, "yaml", print)
    with pytest.raises(SettingsError, match="unknown output format 'yaml'"):
        write_report(run, "yaml", print, quiet=True)
    gaps = DiscontinuousRun([], [], discontinuous_settings())
    with pytest.raises(SettingsError, match="unknown output format 'yaml'"):
        write_report(gaps, "yaml", print)


@pytest.fixture(scope="module")
def three():
    gold, system = (side[:3] for side in noisy_treebanks(4, 60, 0.2))
    return gold, system, evaluate(gold, system)


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_has_the_sentences_unless_it_is_quiet(format, three):
    gold, system, found = three
    whole = found.report(format)
    assert render(found, format) == whole
    assert render(found, format, quiet=True) == found.report(format, quiet=True) != whole
    pieces = []
    write_report(Run(gold, system, Settings()), format, pieces.append)
    assert "".join(pieces) == whole


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_a_comparison_has_one_table_by_default(format, three):
    gold, system, _ = three
    found = compare(gold, [system, gold], samples=20)
    assert render_comparison(found, format) == found.report(format) == format_named(format).comparison(found)
    assert found.report(format, verbose=True) != found.report(format)


def test_a_format_that_is_made_of_the_whole_evaluation(three):
    class Own(Format):
        def write(self, run, sentences, write, **how):
            write(f"{len(run.evaluation(list(sentences)).sentences)} {how}")

    gold, system, found = three
    pieces = []
    run = Run(gold, system, Settings())
    Own().write(run, run, pieces.append, gold_name="a")
    assert pieces == [f"{len(found.sentences)} {{'gold_name': 'a'}}"]
