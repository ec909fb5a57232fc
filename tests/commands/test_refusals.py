"""Every option in every mode: it changes the run, or the message says correctly why it cannot."""

from __future__ import annotations

import json
import os

import pytest

from jpevalb import Evaluator, Settings, SettingsError, cli
from jpevalb.commands.evaluate import main
from jpevalb.score.signature import reject_unused
from jpevalb.settings.settings import OPTIONS
from tests.support.files import write_files
from tests.support.with_gaps import evaluate_with_gaps

GOLD = """\
(S (NP (DT The) (NN cat)) (VP (VB sat) (RP down)) (. .))
(S (NP (DT A) (NN dog)) (VP (VB ran)) (. .))
(NN Rain)
"""
SYSTEM = """\
(S (NP (DT The)) (NP (NN cat)) (VP (VB sat) (RP down)) (. .))
(S (NP (DT A) (NN dog) (VB ran)) (. .))
(NN Rain)
"""
TIMES = """\
1 1 0.0 0.2 The
1 1 0.2 0.2 cat
1 1 0.4 0.2 sat
1 1 0.6 0.2 down
1 1 0.8 0.2 .
2 1 0.0 0.2 A
2 1 0.3 0.2 dog
2 1 0.6 0.2 ran
2 1 0.9 0.2 .
3 1 0.0 0.2 Rain
"""

MODES = {
    "alignment": [],
    "discontinuous": ["--convention", "discontinuous"],
    "aligned gaps": ["--convention", "discontinuous", "--pair", "align"],
    "answers": ["--sys-format", "answers"],
    "answers over the same words": ["--sys-format", "answers", "--convention", "discontinuous"],
}

VALUES = {
    "metrics": "leaf",
    "convention": "jpevalb cut-at:_",
    "prm": "COLLINS",
    "lang": "ko",
    "exceptions": "list.tsv",
    "unit": "char",
    "gold_times": "gold.ctm",
    "sys_times": "gold.ctm",
    "silence": "drop",
    "tier": "words",
    "node_types": "label",
    "unlabeled": None,
    "cutoff": "3",
    "by_label": None,
    "analysis": None,
    "error_classes": "tiger",
    "format": "bracket",
    "encoding": "latin-1",
    "tags": "yes",
    "chains": "keep",
    "binarised": "undo",
    "on_error": "skip",
    "pair": "order",
    "nbest": None,
    "punctuation": ".",
    "drop_subtrees": "X",
    "traces": "keep",
    "gold_format": "bracket",
    "sys_format": "bracket",
    "gold_encoding": "latin-1",
    "sys_encoding": "latin-1",
    "repair": None,
    "several": "join",
    "field": "tree",
    "gold_field": "tree",
    "id_field": "id",
    "separator": "==",
}

REASONS = {
    "lang": "aligned words or word times or the option analysis",
    "exceptions": "aligned words or word times",
    "unit": "the metric siou",
    "gold_times": "the metric siou",
    "sys_times": "the metric siou",
    "silence": "word times",
    "tier": "word times",
    "node_types": "the metric nodes",
    "error_classes": "the option analysis or the report html",
    "several": "the system formats answers, jsonl",
    "field": "the gold formats jsonl, table or the system formats jsonl, table",
    "gold_field": "the gold formats jsonl, table",
    "id_field": "the gold formats jsonl, table or the system formats jsonl, table",
}
"""What can use an option, wherever a run refuses it."""

_ALWAYS = {"silence", "tier", "error_classes", "field", "gold_field", "id_field"}
"""They want a file of times, a page or an analysis, JSON Lines: no run here has them."""
_TREES = {"unit", "gold_times", "sys_times", "node_types"}

REFUSED = {
    "alignment": _ALWAYS | {"several"},
    "discontinuous": _ALWAYS | _TREES | {"several", "lang", "exceptions"},
    "aligned gaps": _ALWAYS | _TREES | {"several"},
    "answers": _ALWAYS,
    "answers over the same words": _ALWAYS | _TREES | {"lang", "exceptions"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("refusals")
    # One of the answers has two trees.
    files = {
        "gold": GOLD,
        "sys": SYSTEM,
        "answers": SYSTEM.replace("(NN Rain)", "(S (NN Rain)) (S (NN Rain))"),
        "gold.ctm": TIMES,
        "lists": SYSTEM.replace("\n", "\n\n"),
        "list.tsv": "cat\tdog\t# a reason\n",
    }
    return write_files(made, files)


def report(capsys, *options):
    system = "answers" if "answers" in options and options[-1] != "bracket" else "sys"
    system = "lists" if "--nbest" in options else system
    status = main(["gold", system, "--as", "json", *options])
    out, err = capsys.readouterr()
    return status, out, err


def test_every_option_has_a_value():
    assert set(VALUES) == {name for name, row in OPTIONS.items() if row.in_command}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("mode", MODES)
def test_an_option_shows_or_is_refused(mode, name, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    # Another pairing than the mode's, which is by order where it is not by alignment.
    value = "align" if name == "pair" and mode not in ("alignment", "aligned gaps") else VALUES[name]
    option = ["--" + name.replace("_", "-"), *([] if value is None else [value])]
    status, out, err = report(capsys, *MODES[mode], *option)
    if name in REFUSED[mode]:
        assert (status, out) == (2, "")
        assert err.startswith(f"jpevalb: --{name.replace('_', '-')}")
        assert " has no effect with " in err
        assert err.endswith(f"; it needs {REASONS[name]}\n")
        assert err.count("\n") == 1
    elif name == "nbest" and "answers" in mode:
        assert (status, out) == (2, "")
        assert "got nbest with an option for answers of a language model; leave one out" in err
    elif mode == "answers" and name in ("gold_times", "sys_times"):
        # The sentence without a parse has no words of the system's.
        assert (status, out) == (2, "")
        assert "words have times, and the words differ; give " in err
    else:
        assert status == 0, err
        _, plain, _ = report(capsys, *MODES[mode])
        assert out != plain, "nothing tells that it was used"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--as", "csv", "--cutoff", "3"], "; it needs the reports text, json, markdown, latex, html"),
        (["--view", "1", "--analysis"], "--view does not show --analysis; leave one of them out"),
        (
            ["--view", "1", "--silence", "drop"],
            "--silence drop has no effect with no word times; it needs word times",
        ),
        (["--view", "1", "--gold-times", "gold.ctm"], "; it needs the metric siou"),
        (["--score-only", "--gold-times", "/no/such"], "; it needs the metric siou"),
        (["--score-only", "--metrics", "siou"], "--score-only does not show --metrics; leave one of"),
        (["--score-only", "--by-label"], "--score-only does not show --by-label; leave one of them out"),
        (["--score-only", "--names", "a"], "--score-only does not show --names; leave one of them out"),
        (["sys", "--score-only", "--sort", "F"], "--score-only does not show --sort; leave one of them"),
        (
            ["sys", "--score-only", "--unit", "char"],
            "--unit char has no effect with the metrics brackets, tags; it needs the metric siou",
        ),
        (
            ["sys", "--metrics", "baselines"],
            "the metric 'baselines', which tables of systems do not show",
        ),
        (
            ["sys", "--as", "json", "--columns", "zz"],
            "columns=('zz',), which json cannot use: it always has",
        ),
        (
            ["sys", "--as", "html", "--columns", "F"],
            "columns=('F',), which html cannot use: it always has",
        ),
        (["sys", "--as", "html", "--sort", "zz"], "unknown measure 'zz'; expected one of"),
        (["sys", "--as", "csv", "--verbose"], "--verbose, which csv cannot use: it always has all"),
        (["sys", "--as", "html", "--verbose"], "--verbose, which html cannot use: it always has"),
        (["--as", "html", "--samples", "9"], "an HTML page of one system takes --confidence only"),
        (["sys", "-evalb", "-c", "5"], "-c has no effect in comparisons of systems; leave it out"),
        (
            ["--confidence", "0.9", "--cutoff", "3"],
            "--cutoff 3 has no effect with the report of a comparison; it needs the report",
        ),
    ],
)
def test_options_that_a_report_does_not_show_are_rejected(options, message, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert cli.main(["gold", "sys", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--jobs", "0", "a whole number from 1"),
        ("--cutoff", "-1", "a whole number from 0, or several such as 10,20,40"),
        ("--cutoff", "x", "a whole number from 0, or several such as 10,20,40"),
        ("--fail-under", "69%", "a number such as 92.5, or FIGURE=NUMBER such as f1=92.5"),
        ("--metrics", " , ", "names with commas between them"),
    ],
)
def test_values_that_no_option_takes(option, value, expected, capsys):
    assert main(["gold", "sys", f"{option}={value}"]) == 2
    assert capsys.readouterr().err == (f"jpevalb: {option}: got {value!r}; expected {expected}\n")


def test_two_names_of_one_pipe(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("one")
    os.link("one", "two")
    assert main(["one", "two"]) == 2
    assert capsys.readouterr().err == (
        "jpevalb: 'one' and 'two' are one pipe, which is read once; give a file\n"
    )


@pytest.mark.parametrize("sides", [["gold"], ["sys"], ["gold", "sys"]], ids="-".join)
def test_silence_is_of_use_where_either_side_has_times(sides):
    times = {f"{side}_times": "a.ctm" for side in sides}
    reject_unused(Settings(convention="jpevalb", metrics="siou", silence="drop", **times))
    with pytest.raises(
        SettingsError, match=r"^silence='drop' has no effect with no word times; it needs word times"
    ):
        reject_unused(Settings(convention="jpevalb", metrics="siou", silence="drop"))


def test_an_evaluator_rejects_options_that_it_does_not_use():
    with pytest.raises(
        SettingsError,
        match=r"^cutoff=3 has no effect with the report of an evaluator; it needs the report of a run",
    ):
        Evaluator(cutoff=3)
    with pytest.raises(
        SettingsError, match=r"^several='join'.*has no effect with the system format bracket; "
    ):
        Evaluator(several="join")
    assert Evaluator(repair=True, several="join").settings.several == "join"


WAKE = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
ANSWERS = [
    WAKE,
    "Sure: (S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me))",
    # The second word is missing, so the places of the others are not known.
    "(S (VP (VB 0=wake) (RP 2=up",
    # Another word: no parse of the gold sentence.
    "Sure: (S (VP (VB 0=wake) (RP 2=it)) (NP (PRP 1=me)))",
]


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_with_indices_are_trees_with_gaps(jobs, tmp_path):
    gold, system = tmp_path / "gold", tmp_path / "answers.jsonl"
    gold.write_text(f"{WAKE}\n" * 4)
    system.write_text("".join(json.dumps({"output": text}) + "\n" for text in ANSWERS))
    repaired = evaluate_with_gaps(gold, system, repair=True, jobs=jobs)
    strict = evaluate_with_gaps(gold, system, jobs=jobs)
    assert [one.status for one in repaired.sentences] == ["ok", "ok", "no parse", "no parse"]
    assert [one.status for one in strict.sentences] == ["ok", "no parse", "no parse", "no parse"]
    # S, VP and NP; VP has a gap.
    assert (repaired.total.brackets.matched, repaired.total.brackets.gold) == (6, 12)
    assert (repaired.total["gaps"].matched, repaired.total["gaps"].gold) == (2, 4)
    assert (strict.total.brackets.matched, strict.total.brackets.gold) == (3, 12)
    for found in (repaired, strict):
        counts = found.total["answers"]
        assert (counts.answers, counts.valid, counts.repaired, counts.invalid) == (4, 1, 2, 1)
        assert (counts.faithful, counts.words.changed) == (2, 1)
        assert (counts.strict.f1, counts.with_repairs.f1) == (2 * 3 / (3 + 12), 2 * 6 / (6 + 12))
    assert "index 1 is missing: the indices of 2 words are 0 to 1" in repaired.left_out[0].reason
    assert "   2 prefix, " in repaired.report()
