"""Formats, metrics and reports of other packages; docs/extending.md has an example of each."""

from __future__ import annotations

import sys

import pytest

import jpevalb
from jpevalb import Settings, SettingsError
from jpevalb.commands.evaluate import main
from jpevalb.formats.read import FORMATS, reader_of
from jpevalb.settings.settings import METRICS, REGISTRY
from tests.support.files import write_files


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a package with a module and entry points."""

    def install(name: str, module: str, points: str) -> None:
        (tmp_path / f"{name}.py").write_text(module)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(points)
        monkeypatch.delitem(sys.modules, name, raising=False)

    monkeypatch.syspath_prepend(str(tmp_path))
    return install


READER = """
from jpevalb import Tree

def read(lines, *, source=None, encoding="utf-8", on_error=None):
    for line in lines:
        yield Tree.parse(f"(S {line.decode(encoding).strip()})")
"""

METRIC = """
from jpevalb.metrics import Figure, Line, Metric
from jpevalb.base.counts import Matched

class Words(Metric):
    name = "wordcount"
    def __init__(self, settings, labels): pass
    def zero(self): return Matched()
    def count(self, pair): return Matched(gold=len(pair.gold.words))
    figures = (
        Figure("half", column="Half", value_of=lambda record: record.gold / 2),
        Figure("words", form="share", column="Words", value_of=lambda record: record.gold),
        Figure("share", form="share", line="Share", value_of=lambda record: 1 / record.gold),
        Figure("quarter", "Quarter", line="Quarter", counts=lambda record: (record.gold, 4)),
    )
    def lines(self, record):
        return [
            Line("Gold words", record.gold, "count"),
            *super().lines(record),
            Line("Words a bead", record.gold / 2, "number"),
            Line("No number", None, "number"),
        ]
"""


@pytest.mark.parametrize("name", ["plain", "a-plain"])
def test_a_format_of_another_package(installed, tmp_path, name):
    installed("plain_words", READER, f"[jpevalb.formats]\n{name} = plain_words:read\n")
    file = tmp_path / "a.txt"
    file.write_text("the cat\nsat\n")
    assert [tree.words for tree in jpevalb.read(file, name)] == [("the", "cat"), ("sat",)]
    signature = jpevalb.evaluate(file, file, format=name).signature
    assert " convention:discontinuous " in signature  # its trees may have gaps
    assert signature.endswith(f" format:{name} plugins:{name}@plain_words-1.0")
    with pytest.raises(SettingsError, match=rf"expected one of auto, bracket, .*, jsonl, table, {name}$"):
        jpevalb.read(file, "other")


def test_a_metric_of_another_package(installed):
    installed("wordcounts", METRIC, "[jpevalb.metrics]\nwordcount = wordcounts:Words\n")
    settings = Settings(metrics=("wordcount", "tags"))
    assert settings.metrics == ("tags", "wordcount")
    trees = ["(S (A a) (B b))", "(S (A c))"]
    found = jpevalb.evaluate(trees, trees, settings=settings)
    assert found.total["wordcount"].gold == 3
    assert found.signature.endswith(" plugins:wordcount@wordcounts-1.0")
    assert (
        "Gold words                =      3        3\n"
        "Share                     = 0.3333   0.3333\n"
        "Quarter                   =  75.00    75.00\n"
        "Words a bead              =   1.50     1.50\n"
        "No number                 =      -        -\n"
    ) in found.report("text")
    # A column is a rate in per cent unless it says otherwise.
    rows = found.report("text").splitlines()[3:5]
    assert [row.split()[-2:] for row in rows] == [["100.00", "2.0000"], ["50.00", "1.0000"]]


def test_no_such_names():
    with pytest.raises(SettingsError, match="unknown metric 'f2'; expected some of brackets, tags"):
        Settings(metrics=("f2",))
    for name in ("xls", "abc"):
        with pytest.raises(SettingsError, match=f"format='{name}'; expected one of auto, bracket"):
            jpevalb.read([], name)
    with pytest.raises(SettingsError, match="no installed package has an entry point 'xls'"):
        reader_of("xls")


def test_packages_that_do_not_fit(installed):
    installed("broken", "", "[jpevalb.metrics]\nlost = broken:Lost\ngone = no_such_module:Gone\n")
    for name in ("lost", "gone"):
        with pytest.raises(SettingsError, match=f"the entry point {name} = .* cannot be loaded: "):
            jpevalb.evaluate([], [], metrics=(name,))
    installed("twice", "", "[jpevalb.metrics]\nlost = twice:Lost\n")
    with pytest.raises(SettingsError, match="two packages have an entry point 'lost'"):
        jpevalb.evaluate([], [], metrics=("lost",))


POINTS = "[jpevalb.metrics]\ntags = thief:Words\n[jpevalb.formats]\nbracket = thief:Words\n"


def test_own_names_come_first(installed):
    installed("thief", METRIC, POINTS)
    assert jpevalb.evaluate(["(S (A a))"], ["(S (A a))"], metrics=("tags",)).total.tags.correct == 1
    assert next(jpevalb.read(["(S (A a))"], "bracket")).words == ("a",)
    assert set(METRICS) <= set(REGISTRY)
    assert "bracket" in FORMATS


REPORT = """
from jpevalb.report import Format
from jpevalb.report.sheet import sections

class Lines(Format):
    def write(self, run, sentences, write, *, quiet=False, **names):
        evaluation = run.evaluation(list(sentences))
        figures = [item.line for section in sections(evaluation) for item in section.lines]
        write("".join(f"{figure.name}={figure.value}\\n" for figure in figures if figure.form == "count"))

LINES = Lines()
"""


def test_a_report_of_another_package(installed, tmp_path, capsys):
    installed("count_lines", REPORT, "[jpevalb.reports]\nlines = count_lines:LINES\n")
    gold = ["(S (NN a))", "(S (NN b))"]
    expected = "Sentences=2\nUnaligned sentences=1\nUnparsed gold sentences=0\n"
    expected += "Unparsed system sentences=0\nUnparsed sentences=0\n"
    expected += "Gold sentences=2\nSystem sentences=1\nSentence groups 1:1=1\n"
    expected += "Sentence groups 1:n=0\nSentence groups n:1=0\nSentence groups n:m=0\n"
    expected += "Sentences gold only=1\nSentences system only=0\nSentences no parse=0\n"
    expected += "Aligned words 1:1=1\nAligned words changed=0\nAligned words regrouped=0\n"
    expected += "Gold words alone=1\nSystem words alone=0\n"
    assert jpevalb.evaluate(gold, gold[:1]).report("lines") == expected
    with pytest.raises(SettingsError, match=r"expected one of text, .*, html, lines$"):
        jpevalb.evaluate(gold, gold).report("other")
    write_files(tmp_path, {"gold": gold, "system": gold[:1]})
    files = [str(tmp_path / name) for name in ("gold", "system")]
    assert main([*files, "--output", "lines"]) == 0
    assert capsys.readouterr().out == expected
    assert main([*files, files[0], "--output", "lines"]) == 2
    assert capsys.readouterr().err == (
        "jpevalb: this output format is for one system; choose another for a comparison\n"
    )
    assert main([*files, "--output", "line"]) == 2
