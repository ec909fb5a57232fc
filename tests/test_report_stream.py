"""Reports written as the results come are those of the whole evaluation."""

from __future__ import annotations

import pytest

from jpevalb import JpevalbError, SettingsError, evaluate, evaluate_discontinuous
from jpevalb.flow.run import Run
from jpevalb.flow.run import Run as DiscontinuousRun
from jpevalb.model.settings import DiscontinuousSettings, Settings
from jpevalb.report import FORMATS, write_report

from .test_discontinuous_parallel import treebanks as trees_with_gaps
from .test_parallel import treebanks


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("number", [0, 1, 16, 50])
def test_alignment_mode(format, quiet, number):
    gold, system = (side[:number] for side in treebanks(4, 60, 0.2))
    settings = Settings(by_label=number != 16, analysis=number == 1)
    pieces = []
    run = Run(gold, system, settings)
    write_report(run, format, pieces.append, quiet=quiet)
    assert "".join(pieces) == evaluate(gold, system, settings=settings).report(format, quiet=quiet)


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("format", [name for name in FORMATS if name != "html"])
@pytest.mark.parametrize("number", [0, 1, 30])
def test_discontinuous_mode(format, quiet, number):
    gold, system = (side[:number] for side in trees_with_gaps(4, 60))
    pieces = []
    run = DiscontinuousRun(gold, system, DiscontinuousSettings(pair="order"))
    write_report(run, format, pieces.append, quiet=quiet)
    expected = evaluate_discontinuous(gold, system, pair="order").report(format, quiet=quiet)
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
    with pytest.raises(SettingsError, match="found the output format 'yaml'"):
        write_report(run, "yaml", print)
    with pytest.raises(SettingsError, match="found the output format 'yaml'"):
        write_report(run, "yaml", print, quiet=True)
    gaps = DiscontinuousRun([], [], DiscontinuousSettings())
    with pytest.raises(SettingsError, match="found the output format 'yaml'"):
        write_report(gaps, "yaml", print)
