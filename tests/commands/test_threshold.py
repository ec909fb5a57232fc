"""The score alone, the threshold, the format by the name of the file, and the sentences of a view."""

from __future__ import annotations

import json
import os
import sys

import pytest

from jpevalb import cli, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.base.version import __version__
from jpevalb.commands import threshold
from jpevalb.commands.evaluate import main
from jpevalb.commands.options import parser
from jpevalb.report.view import chooser, confused, worst
from jpevalb.score.inputs import Input, decide
from jpevalb.settings.settings import OPTIONS, Settings
from tests.support.commands import ROOT
from tests.support.terminal import in_terminal
from tests.support.with_gaps import evaluate_with_gaps

README = ROOT / "examples"
GOLD, SYSTEM, E2E = (str(README / name) for name in ("gold.mrg", "sys.mrg", "e2e.mrg"))
DISCONTINUOUS = [str(README / "gold.discbracket"), str(README / "sys.discbracket")]


# -- the score alone, and the bar -------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "options", "out", "status"),
    [
        ([SYSTEM], [], "89.80\n", 0),
        ([SYSTEM, GOLD], [], "89.80\n100.00\n", 0),
        ([SYSTEM], ["--fail-under", "89.79"], "89.80\n", 0),
        # 44 / 49 = 0.897959...: what is below is not what is printed, but what is counted.
        ([SYSTEM], ["--fail-under", "89.8"], "89.80\n", 3),
        ([GOLD, SYSTEM], ["--fail-under", "95"], "100.00\n89.80\n", 3),
        ([GOLD], ["--fail-under", "100"], "100.00\n", 0),
        ([SYSTEM], ["--metrics", "brackets"], "89.80\n", 0),
        ([SYSTEM], ["--convention", "concepts", "--names", "ours", "--fail-under", "2"], "89.80\n", 0),
    ],
)
def test_the_score_alone_and_the_status(systems, options, out, status, capsys):
    assert main([GOLD, *systems, "--score-only", *options]) == status
    shown, said = capsys.readouterr()
    assert shown == out
    assert said.count("(--fail-under)") == (status == 3)


def test_the_report_is_whole_below_the_bar(capsys):
    assert main([GOLD, SYSTEM, "--quiet"]) == 0
    whole = capsys.readouterr().out
    assert main([GOLD, SYSTEM, "--quiet", "--fail-under", "90"]) == 3
    assert capsys.readouterr() == (
        whole,
        "jpevalb: F1 of sys.mrg is 89.7959, below 90 (--fail-under)\n",
    )


@pytest.mark.parametrize("legacy", [[], ["-evalb"]])
def test_any_figure_can_be_alone_and_have_a_threshold(legacy, capfd):
    names = ["--score-only", "tag_accuracy", "--score-only", "F", "--score-only=average_crossing"]
    tags, f1 = ("95.83", "89.80") if legacy else ("96.43", "89.80")
    assert cli.main([GOLD, SYSTEM, *names, *legacy]) == 0
    assert capfd.readouterr().out == f"{tags}\n{f1}\n0.00\n"
    assert cli.main(["--score-only", GOLD, SYSTEM, SYSTEM, *legacy]) == 0
    assert capfd.readouterr().out == f"{f1}\n{f1}\n"
    limits = ["--fail-under", "89", "--fail-under", "tags=97", "--fail-under", "crossing=0"]
    assert cli.main([GOLD, SYSTEM, "--score-only", *limits, *legacy]) == 3
    out, err = capfd.readouterr()
    assert out == f"{f1}\n"
    whole = "95.8333" if legacy else "96.4286"
    assert err == f"jpevalb: tag_accuracy of sys.mrg is {whole}, below 97 (--fail-under)\n"
    assert cli.main([GOLD, SYSTEM, "--score-only", "foo", *legacy]) == 2
    assert (
        "--score-only: no figure 'foo' in this run; it has precision, recall, f1, " in capfd.readouterr().err
    )
    assert cli.main([GOLD, SYSTEM, "--fail-under", "0.9", *legacy]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == (
        "",
        "jpevalb: --fail-under: 0.9 is not above 1 and up to 100; give per cent, such as 92.5\n",
    )


def test_a_figure_or_a_file_follows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f1").write_text("")
    for words, expected in (
        (["--score-only"], ["--score-only=f1"]),
        (["--score-only", "f1", "sys"], ["--score-only=f1", "f1", "sys"]),
        (["--score-only", "--", "tags", "--score-only"], ["--score-only=f1", "--", "tags", "--score-only"]),
        (["--score-only", "--score-only", "tags"], ["--score-only=f1", "--score-only=tags"]),
        (["--score-only", "a.mrg", "-"], ["--score-only=f1", "a.mrg", "-"]),
    ):
        assert threshold.with_figures(words) == expected


def test_metrics_add_figures(capsys):
    assert main([GOLD, SYSTEM, "--score-only", "s-iou"]) == 0
    assert capsys.readouterr().out == "0.9333\n"
    assert main([GOLD, SYSTEM, "--score-only", "unlabeled_f1"]) == 2
    assert "no figure 'unlabeled_f1' in this run; it has precision, " in capsys.readouterr().err
    assert main([GOLD, SYSTEM, "--score-only", "unlabeled_f1", "--metrics", "unlabeled"]) == 0
    assert capsys.readouterr().out == "93.88\n"


def test_more_crossing_brackets_are_worse(tmp_path, capfd):
    right, wrong, old = (str(tmp_path / name) for name in ("right", "wrong", "old.json"))
    (tmp_path / "right").write_text("(S (X (A a) (B b)) (C c))\n")
    (tmp_path / "wrong").write_text("(S (A a) (X (B b) (C c)))\n")
    for before, now, status in ((right, wrong, 3), (wrong, right, 0)):
        assert cli.main([right, before, "--output", "json", "-o", old]) == 0
        call = [right, now, "--score-only", "--baseline", old, "--max-drop"]
        assert cli.main([*call, "crossing=0.9"]) == status
        assert ("crossing of wrong is 1.0000, more than 0.9 worse" in capfd.readouterr().err) == (status == 3)
        assert cli.main([*call, "crossing=1"]) == 0


@pytest.mark.parametrize("legacy", [[], ["-evalb"]])
def test_a_stored_report_is_the_baseline(legacy, tmp_path, capfd):
    old = str(tmp_path / "old.json")
    assert cli.main([GOLD, GOLD, "--output", "json", "-o", old, *legacy]) == 0
    call = [GOLD, SYSTEM, "--score-only", "--baseline", old, *legacy]
    assert cli.main([*call, "--max-drop", "10.3"]) == 0
    assert capfd.readouterr() == ("89.80\n", "")
    assert cli.main([*call, "--max-drop", "10.2"]) == 3
    assert capfd.readouterr().err == (
        f"jpevalb: F1 of sys.mrg is 89.7959, more than 10.2 worse than 100.0000 in {old} (--max-drop)\n"
    )
    assert cli.main([*call, "--max-drop", "tags=5"]) == 0
    # What is better is no drop.
    assert cli.main([GOLD, GOLD, "--score-only", "--baseline", old, "--max-drop", "0", *legacy]) == 0
    capfd.readouterr()
    assert cli.main([GOLD, SYSTEM, "--score-only", "--max-drop", "1", *legacy]) == 2
    assert capfd.readouterr().err == "jpevalb: --max-drop needs --baseline FILE, a JSON report\n"
    for content, message in (
        ("{}", "not a JSON report of one system; write one with --as json"),
        ('{"figures": {"f1": "x"}, "signature": "x"}', "not a JSON report of one system"),
        ('{"figures": [1], "signature": "x"}', "not a JSON report of one system"),
        (None, "cannot read"),
    ):
        if content is None:
            os.remove(old)
        else:
            (tmp_path / "old.json").write_text(content)
        assert cli.main([*call, "--max-drop", "1"]) == 1
        assert message in capfd.readouterr().err


def test_a_baseline_of_other_settings_is_an_error(tmp_path, capsys):
    old = tmp_path / "old.json"
    call = [GOLD, SYSTEM, "--score-only", "--baseline", str(old), "--max-drop", "9"]
    assert main([GOLD, SYSTEM, "--unlabeled", "--output", "json", "-o", str(old)]) == 0
    assert main(call) == 2
    words = "(unlabeled:yes; now -)"
    assert f"{old}: made with other settings {words}; write it again" in capsys.readouterr().err
    assert main([GOLD, SYSTEM, "--output", "json", "-o", str(old)]) == 0
    old.write_text(old.read_text().replace(f"jpevalb:{__version__} ", "jpevalb:0.0.9 "))
    assert main(call) == 0  # of another version


def test_trees_with_gaps_have_a_score_too(capsys):
    f1 = evaluate_with_gaps(*DISCONTINUOUS).f1
    assert main([*DISCONTINUOUS, "--score-only", "--fail-under", "99.9"]) == 3
    assert capsys.readouterr().out == f"{100 * f1:.2f}\n"


def test_an_undefined_score_is_below_every_bar(tmp_path, capsys):
    path = tmp_path / "none"
    path.write_text("(A a)\n")
    none = str(path)
    assert main([none, none, "--score-only"]) == 1
    assert capsys.readouterr() == ("-\n", f"jpevalb: F1 of {none} is undefined: nothing to divide by\n")
    assert main([none, none, none, "--score-only"]) == 1
    assert capsys.readouterr().out == "-\n-\n"
    assert main([none, none, "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]["f1"] is None
    assert main([none, none, "--score-only", "--fail-under", "2"]) == threshold.BELOW
    assert "undefined, below 2" in capsys.readouterr().err


RIGHT, OTHER = "(S (NP (N a)) (VP (V b) (NP (N c))))", "(S (NP (N a)) (VP (V x) (NP (N c))))"
FILES = {
    "gold": [RIGHT] * 30,
    "one": [RIGHT] * 29 + [OTHER],
    "eleven": [RIGHT] * 19 + [OTHER] * 11,
    "twelve": [RIGHT] * 18 + [OTHER] * 12,
    "most": [RIGHT] * 14 + ["(())"] * 16,
    "failed": ["(())"] * 30,
    "empty": [],
}


@pytest.mark.parametrize(
    ("call", "status", "out", "err"),
    [
        # Sentences that a convention leaves out
        ("gold one --convention evalb", 0, "100.00\n", "only 29 of 30 gold sentences are scored"),
        ("gold one --convention evalb --fail-under 75", 3, "100.00\n", "3.33 % of the sentences of one"),
        ("gold one --convention evalb --fail-under 75 --allow-excluded 3.4", 0, "100.00\n", "only 29"),
        ("gold one --convention evalb --fail-under 75 --allow-excluded 3.3", 3, "100.00\n", "than 3.3 "),
        ("gold eleven --convention evalb", 0, "100.00\n", "only 19 of 30"),
        ("gold twelve --convention evalb", 1, "", "12 sentences have other words than gold, and evalb stops"),
        ("gold twelve --convention evalb --on-error skip", 0, "100.00\n", "only 18 of 30"),
        ("gold twelve --convention evalb --on-error skip --fail-under 75", 3, "100.00\n", "40.00 %"),
        ("gold twelve --convention pyevalb", 0, "100.00\n", "only 18 of 30"),
        ("gold most --convention stanza", 1, "", "16 of 30 sentences have no parse or no word"),
        ("gold most --convention stanza --on-error skip", 0, "100.00\n", "only 14 of 30"),
        ("gold twelve", 0, "100.00\n", ""),
        # Nothing to score
        ("gold empty", 1, "", "empty: no sentence of the system, so there is nothing to score"),
        ("empty gold", 1, "", "empty: no sentence of gold has words, so there is nothing to score"),
        ("failed gold", 1, "", "failed: no sentence of gold has words"),
        # No parse of any sentence
        ("gold failed", 0, "0.00\n", "no sentence of the system has a parse, so its figures are 0"),
        ("gold failed --fail-under tags=2", 3, "0.00\n", "failed has no parse of any sentence"),
        # One of several systems
        ("gold one empty", 1, "100.00\n-\n", "empty: no sentence of the system"),
        ("gold one twelve --convention evalb", 1, "100.00\n-\n", "evalb stops after 11"),
        ("gold one failed", 0, "100.00\n0.00\n", "failed: no sentence of the system has a parse"),
        ("gold one failed --fail-under tags=2", 3, "100.00\n0.00\n", "failed has no parse of any sentence"),
        ("gold one gold --convention evalb --fail-under 75", 3, "100.00\n100.00\n", "sentences of one"),
        ("gold most empty --convention stanza", 1, "", "most: 16 of 30 sentences have no parse"),
        ("gold one --allow-excluded 3", 2, "", "--allow-excluded needs --fail-under or --max-drop"),
    ],
)
def test_runs_that_must_fail(call, status, out, err, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, lines in FILES.items():
        (tmp_path / name).write_text("".join([f"{line}\n" for line in lines]))
    argv = call.split()
    assert main([*argv, "--score-only"]) == status
    found = capsys.readouterr()
    assert (found.out, err in found.err) == (out, True), found.err
    for output in ("text", "json", "csv", "markdown", "latex", "html") if len(argv) < 8 else ():
        assert main([*argv, "--output", output, "--out", f"r.{output}"]) == status, output
        assert err in capsys.readouterr().err
        assert os.path.exists(f"r.{output}") == (status in (0, 3) or bool(out))


@pytest.mark.parametrize(
    "options",
    [
        ["--fail-under", "101"],
        ["--fail-under", "-1"],
        ["--score-only", "--output", "json"],
        ["--score-only", "--view", "1"],
        ["--fail-under", "90", "--view", "1"],
        ["--details"],
        ["--details", "--output", "csv"],
    ],
)
def test_options_that_exclude_each_other(options, capsys):
    assert main([GOLD, SYSTEM, *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


# -- formats ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("r.html", "<!DOCTYPE html>"),
        ("r.JSON", "{\n"),
        ("r.csv", "sentence,"),
        ("r.tsv", "sentence\t"),
        ("r.md", "## Sentences"),
        ("r.tex", "% \\usepackage"),
        ("r.txt", "  Sent."),
    ],
)
def test_the_file_name_selects_the_format(name, begin, tmp_path):
    assert main([GOLD, SYSTEM, "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_options_override_the_file_name(tmp_path):
    out = tmp_path / "r.html"
    assert main([GOLD, SYSTEM, "--output", "csv", "--out", str(out)]) == 0
    assert out.read_text().startswith("sentence,")
    assert main([GOLD, SYSTEM, "--view", "1", "--out", str(out)]) == 0
    assert out.read_text().startswith("Sentence 1:")


def terminal_of(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run jpevalb in a terminal."""
    command = [sys.executable, "-m", "jpevalb", *arguments]
    return in_terminal(
        command, cwd=ROOT, environment={**os.environ, "TERM": "xterm", "NO_COLOR": "1", **environment}
    )


def test_a_page_does_not_go_to_a_terminal():
    status, text = terminal_of(GOLD, SYSTEM, "--output", "html")
    assert (status, text.count("\n")) == (2, 1)
    assert "--out r.html" in text


# -- which sentences ------------------------------------------------------------------------


def test_the_worst_sentences_come_first(capsys):
    results = evaluate(GOLD, SYSTEM).sentences
    errors = [
        one.record.brackets.gold + one.record.brackets.system - 2 * one.record.brackets.matched
        for one in results
    ]
    assert errors == [0, 1, 1, 3]
    assert [one.number for one in worst(results, 2)] == [4, 2]
    assert [one.number for one in worst(results, 9)] == [4, 2, 3]
    assert main([GOLD, SYSTEM, "--view", "worst:1"]) == 0
    assert capsys.readouterr().out.startswith("Sentence 4:")


def test_sentences_with_a_confusion_of_labels(capsys):
    results = evaluate(GOLD, SYSTEM).sentences
    assert [one.number for one in confused(results, "SQ", "S")] == [4]
    assert confused(results, "S", "SQ") == []
    other = evaluate(["(T (VP (A a) (B b)) (C c))"], ["(T (S (A a) (B b)) (C c))"]).sentences
    found = {label: len(confused(other, label, "S")) for label in ("NP", "VP", "X")}
    assert found == {"NP": 0, "VP": 1, "X": 0}
    assert main([GOLD, SYSTEM, "--view", "NP/PP"]) == 0
    assert capsys.readouterr().out.startswith("# there is no such sentence\n")


@pytest.mark.parametrize("text", ["worst:0", "worst:", "worst:x", "/S", "NP/", "0", "a"])
def test_invalid_selections(text):
    with pytest.raises(SettingsError, match="expected a number from 1"):
        chooser(text)


# -- details ----------------------------------------------------------------------------------


@pytest.mark.parametrize("files", [[GOLD, E2E], DISCONTINUOUS])
def test_details_are_what_the_figures_are_made_of(files, capsys):
    assert main([*files, "--output", "json", "--details"]) == 0
    content = json.loads(capsys.readouterr().out)
    function = evaluate if files[1] == E2E else evaluate_with_gaps
    assert json.loads(function(*files).report("json", details=True)) == content
    assert main([*files, "--output", "json", "--details", "--jobs", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == content
    for item in content["sentences"]:
        if "brackets" in item:
            gold, system, matched = (item["brackets"][name] for name in ("gold", "system", "matched"))
        else:
            matched = item["overall"]["tp"]
            gold, system = matched + item["overall"]["fn"], matched + item["overall"]["fp"]
        sizes = len(item["matched"]), len(item["missed"]), len(item["extra"])
        assert sizes == (matched, gold - matched, system - matched)
        for side, (begin, end) in (("gold", (0, 1)), ("system", (2, 3))):
            covered = [place for unit in item["units"] for place in range(unit[begin], unit[end])]
            assert covered == list(range(len(item["words"][side])))
    assert "units" not in json.loads(function(*files).report("json"))["sentences"][0]


def test_the_details_by_hand():
    result = evaluate(["(S (NP (D H) (N CL)) (V s))"], ["(S (VP (N CL)) (V s))"])
    (item,) = json.loads(result.report("json", details=True))["sentences"]
    assert item["words"] == {"gold": ["H", "CL", "s"], "system": ["CL", "s"]}
    assert item["units"] == [[1, 2, 0, 1], [2, 3, 1, 2]]
    assert item["matched"] == [{"label": "S", "span": [0, 2]}]
    assert item["missed"] == [{"label": "NP", "span": [0, 1]}]
    assert item["extra"] == [{"label": "VP", "span": [0, 1]}]
    with pytest.raises(SettingsError, match="details of sentences are for JSON"):
        result.report("csv", details=True)


def test_json_has_a_line_for_each_sentence_and_characters_as_they_are(tmp_path, capsys):
    result = evaluate(["(É (A ä))"] * 2, ["(É (A ä))"] * 2, by_label=True)
    head, _, rest = result.report("json", details=True).partition('\n "sentences": [\n')
    assert '"É": {' in head
    lines = rest.splitlines()
    assert [line[:15] for line in lines[:2]] == ['  {"number": 1,', '  {"number": 2,']
    assert '{"label": "É", "span": [0, 1]}' in lines[0]
    assert '{"gold": ["ä"], "system": ["ä"]}' in lines[0]
    assert lines[2:] == [" ]", "}"]
    for name, text in (("some", "(É (A ä))\n" * 2), ("none", "(A a)\n")):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert main([str(path), str(path), "--output", "json"]) == 0
        assert capsys.readouterr().out == evaluate(path, path).report("json")


# -- the command and its modes --------------------------------------------------------------


def test_details_are_of_one_system(capsys):
    assert main([GOLD, SYSTEM, "--output", "json", "--details"]) == 0
    assert capsys.readouterr().out == evaluate(GOLD, SYSTEM).report("json", details=True)
    assert main([GOLD, SYSTEM, SYSTEM, "--output", "json", "--details"]) == 2
    assert capsys.readouterr().err == ("jpevalb: --details needs one system, without a test\n")


@pytest.mark.parametrize(
    ("options", "convention"),
    [
        ([], "jpevalb"),
        (["--convention", "discontinuous"], "discontinuous"),
        (["--convention", "discontinuous least:2"], "discontinuous least:2"),
        (["--convention", "ptb"], "jpevalb"),
        (["--convention", "negra"], "discontinuous"),
        (["--encoding", "utf-16"], "discontinuous"),
        (["--gold-encoding", "utf-16"], "discontinuous"),
        (["--gold-format", "bracket"], "jpevalb"),
        (["--sys-format", "export"], "discontinuous"),
        (["--sys-format", "export", "--repair"], "jpevalb"),
    ],
)
def test_the_convention_of_a_call(options, convention, tmp_path):
    # In UTF-16 a file in the export format, in UTF-8 nothing.
    (tmp_path / "gold").write_text("#FORMAT 4\n#BOS 1\n", encoding="utf-16")
    given = vars(parser().parse_args([str(tmp_path / "gold"), SYSTEM, *options]))
    found = Settings.of(None, {name: given[name] for name in given.keys() & OPTIONS.keys()})
    inputs = [Input(tmp_path / "gold", "gold", found), Input(SYSTEM, "sys", found)]
    assert decide(found, inputs).convention == convention


WORDS = ("aaa", "aaaa")


def test_a_view_is_80_columns_wide_and_plain_but_on_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    # "=  S[0:9]" takes 9 columns, and eight words with a blank before each 71 or 72: one too many.
    (tmp_path / "gold").write_text("".join([f"(S {'(A aaaa) ' * 7}(A {word}) (A aaaa))\n" for word in WORDS]))
    path = str(tmp_path / "gold")
    assert main([path, path, "--view", "1-2"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("=  S")]
    begin = "=  S[0:9]" + " (A aaaa)" * 7
    assert lines == [f"{begin} (A aaa)"] * 2 + [begin] * 2


def test_several_references_are_those_of_the_call(capsys):
    assert main([GOLD, SYSTEM, "--more-gold", SYSTEM, "--quiet"]) == 0
    assert capsys.readouterr().out == evaluate(GOLD, SYSTEM, more_gold=[SYSTEM]).report(quiet=True)
