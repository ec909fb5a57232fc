"""The command in alignment mode, and the exact text of its reports."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import random
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from jpevalb import cli, evaluate
from jpevalb.base.version import version_line
from jpevalb.commands.average import main as average_main, parser as average_parser
from jpevalb.commands.evaluate import main
from jpevalb.commands.options import LEGACY_ROWS, OF_COMPARISONS, ROWS, parser
from jpevalb.metrics.labels import LabelCount, LabelCounts
from jpevalb.report import FORMATS, render
from jpevalb.score.signature import signature_of
from jpevalb.settings.settings import Settings
from tests.benchmarks.treebank import make_treebank
from tests.support.commands import COMMAND, ROOT, jpevalb, start, without_hints
from tests.support.files import write_files

# The variable that chooses the kernels, for processes that get no other
KERNELS = {name: value for name, value in os.environ.items() if name == "JPEVALB_PURE"}

GOLD = """\
(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NNS mats)))) (. .)))
(TOP (S (NP (PRP I)) (VP (MD ca) (RB n't) (VP (VB go))) (. .)))
(TOP (FRAG (NN fine)))
(TOP (S (NP (NNS dogs)) (VP (VBP bark))))
(TOP (S (NP (NNS birds)) (VP (VBP sing))))
"""
SYSTEM = """\
(TOP (S (NP (DT the)) (VP (NN cat) (VBD sat) (PP (IN on) (NP (NN mats)))) (. .)))
(TOP (S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go))) (. .)))
(())
(TOP (S (S (NP (NNS dogs)) (VP (VBP bark))) (S (NP (NNS birds)) (ADJP (VBP sing)))))
"""

TEXT = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    6    0   60.00  60.00     3      5    5      1      6     5    83.33
   2    5    0  100.00 100.00     4      4    4      0      5     3    60.00
   3    1    0    0.00   0.00     0      1    0      0      1     0     0.00
   4    4    0   83.33  71.43     5      6    7      0      4     4   100.00
============================================================================
                 75.00  75.00     12    16    16      1     16    12    75.00

=== Summary ===                All  len<=4
Sentences                 =      5       3   4 of the system: 2 one to one, 1 joined, 1 without a parse
Words                     =     16       5
Bracketing Recall         =  75.00   71.43
Bracketing Precision      =  75.00   71.43
Bracketing FMeasure       =  75.00   71.43
Sentence-mean F1          =  59.23   38.46
Complete match            =  25.00    0.00
Average crossing          =   0.25    0.00
Tagging accuracy          =  75.00   80.00
Tags of aligned words     =  93.33  100.00
# no parse: gold sentence 3, system sentence 3

-- Labels --
Label gold system matched missed extra  Recal  Prec. FMeas. confused with
NP       5      5       4      1     1  80.00  80.00  80.00
VP       5      4       3      2     1  60.00  75.00  66.67 ADJP:1
S        4      5       4      0     1 100.00  80.00  88.89
FRAG     1      0       0      1     0   0.00      -   0.00
PP       1      1       1      0     0 100.00 100.00 100.00
ADJP     0      1       0      0     1      -   0.00   0.00

F1 75.00   up to 4 words 71.43
# signature: jpevalb:0.1.0 convention:jpevalb prm:none lang:en
"""


PLAIN = ["--cutoff", "4", "--by-label", "--metrics", "brackets,tags"]


@pytest.fixture
def files(tmp_path):
    folder = write_files(tmp_path, {"gold": GOLD, "sys": SYSTEM})
    return str(folder / "gold"), str(folder / "sys")


@pytest.mark.parametrize("pure", [False, True])
def test_the_report_to_the_letter(files, pure):
    done = jpevalb(*files, *PLAIN, pure=pure)
    assert (done.returncode, done.stderr) == (0, b"")
    *above, headline, note, signature = done.stdout.decode().splitlines()
    assert [*above, headline.split("   worst")[0], signature] == TEXT.splitlines()
    assert headline == "F1 75.00   up to 4 words 71.43   worst: 1, 4, 3 (--view worst:3)   causes: --analysis"
    assert note == "# evalb and most tools need the same words; here tokens and sentences differ"


def test_the_library_makes_the_same_report(files):
    result = evaluate(*files, cutoff=4, by_label=True, metrics="brackets,tags")
    assert result.report() == TEXT
    assert result.report("text", quiet=True) == TEXT[TEXT.index("=== Summary") :]


def test_quiet_leaves_out_the_sentences(files, capsys):
    assert main([*files, *PLAIN, "--quiet"]) == 0
    assert capsys.readouterr().out == TEXT[TEXT.index("=== Summary") :]


def test_json_has_every_count_and_rate(files, capsys):
    assert main([*files, "--output", "json", "--by-label"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == [
        "version",
        "convention",
        "signature",
        "paired_by",
        "figures",
        "intervals",
        "total",
        "cutoff_length",
        "cutoff",
        "states",
        "left_out",
        "warnings",
        "standardised",
        "claims",
        "sentences",
    ]
    brackets = content["total"]["brackets"]
    assert (brackets["matched"], brackets["gold"], brackets["recall"]) == (12, 16, 0.75)
    assert content["total"]["labels"]["VP"]["confused"] == {"ADJP": 1}
    assert content["sentences"][2]["brackets"]["precision"] is None
    assert [item["number"] for item in content["sentences"]] == [1, 2, 3, 4]
    assert content["sentences"][3]["gold"] == [3, 5]
    (item,) = content["left_out"]
    assert (item["state"], item["number"], item["gold"], item["system"]) == ("no parse", 3, [2, 3], [2, 3])
    assert content == evaluate(*files, by_label=True).to_dict()
    main([*files, "--output", "json", "--quiet"])
    assert "sentences" not in json.loads(capsys.readouterr().out)


def long_gap(folder, lost=300):
    """The names of a gold file, and of a system's that lacks sentences of its middle."""
    lines = [f"{line}\n" for line in make_treebank(500, 1)]
    names = [str(folder / "gold"), str(folder / "sys")]
    for name, some in zip(names, (lines, lines[:100] + lines[100 + lost :])):
        Path(name).write_text("".join(some))
    return names


@pytest.mark.slow
def test_a_long_gap_is_one_line(tmp_path, capsys):
    names = long_gap(tmp_path)
    assert main([*names, "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if line.startswith("# unaligned")] == [
        "# unaligned: gold sentences 101-400"
    ]
    assert err == (
        "jpevalb: warning: 300 of 500 gold sentences have no counterpart; "
        "the files may be of different texts, or one is incomplete\n"
    )
    assert main([*names, "--output", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    (item,) = content["left_out"]
    assert (item["state"], item["number"], item["gold"], item["system"]) == (
        "unaligned",
        101,
        [100, 400],
        [100, 100],
    )
    beads = content["total"]["sentences"]
    assert (beads["unaligned"], beads["gold_alone"], beads["system_alone"]) == (300, 300, 0)
    assert main([names[1], names[0], "--output", "html"]) == 0
    assert "unaligned: system sentences 101-400" in capsys.readouterr().out


def test_files_of_different_texts_are_reported(tmp_path, capsys):
    for name, letters in (("gold", "abcdefgh"), ("sys", "stuvwxyz")):
        rng = random.Random(name)
        lines = [
            "(S {})\n".format(" ".join(f"(N {''.join(rng.choices(letters, k=6))})" for _ in range(9)))
            for _ in range(40)
        ]
        (tmp_path / name).write_text("".join(lines))
    names = [str(tmp_path / "gold"), str(tmp_path / "sys")]
    assert main([*names, "--quiet"]) == 0
    assert capsys.readouterr().err == (
        "jpevalb: warning: 40 of 40 pairs are of texts that are not similar; "
        "the files are probably not of the same text\n"
    )
    # Sentences that could not be parsed have their place.
    (tmp_path / "blank").write_text("(())\n" * 40)
    assert main([names[0], str(tmp_path / "blank"), "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert err == "jpevalb: warning: no sentence of the system has a parse, so its figures are 0\n"
    assert "# no parse: gold sentences 1-40, system sentences 1-40\n" in out


def test_only_five_are_named(tmp_path, capsys):
    gold = "".join(f"(S (NN a{i}) (NN b{i}))\n(S (NN c{i}) (NN d{i}))\n" for i in range(7))
    system = "".join(f"(S (NN a{i}) (NN b{i}))\n(S (NN c{i}) (NN d{i})\n" for i in range(7))
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "sys").write_text(system)
    names = [str(tmp_path / "gold"), str(tmp_path / "sys")]
    assert main([*names, "--on-error", "skip", "--quiet", "--verbose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Unaligned sentences       =      0" in lines
    assert "Sentences no parse        =      7" in lines
    assert "Unparsed gold sentences   =      0" in lines
    assert "Unparsed system sentences =      7" in lines
    assert [line for line in lines if line.startswith("# no parse")] == [
        *[f"# no parse: gold sentence {i}, system sentence {i}" for i in (2, 4, 6, 8, 10)],
        "# no parse: and 2 more",
    ]
    assert [line for line in lines if line.startswith("# unreadable")] == [
        *[
            f"# unreadable: system sentence {i}: {names[1]}:{i}:1: "
            "the tree that begins here is not closed: 1 ')' is missing"
            for i in (2, 4, 6, 8, 10)
        ],
        "# unreadable: and 2 more",
    ]
    assert lines[-1].endswith(" on-error:skip")


def test_bad_input_is_one_line_and_exit_1(tmp_path):
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "sys").write_text(SYSTEM + "(S (NN a)\n")
    done = jpevalb("gold", "sys", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        b"jpevalb: sys:5:1: the tree that begins here is not closed: 1 ')' is missing; "
        b"use --on-error skip to skip such sentences\n"
    )
    (tmp_path / "sys").write_bytes(b"(S (NN caf\xe9))\n")
    done = jpevalb("gold", "sys", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == (
        b"jpevalb: sys:1:11: byte 0xe9 (byte 10 of the file, from 0) is not UTF-8; "
        b"try --sys-encoding latin-1\n"
    )
    assert jpevalb("gold", "sys", "--encoding", "latin-1", cwd=tmp_path).returncode == 0
    done = jpevalb("gold", "nothing", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"jpevalb: nothing: cannot read the file: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["gold"],
            "required: SYSTEM; usage: jpevalb [options] GOLD SYSTEM [SYSTEM ...]\n",
        ),
        (["gold", "sys", "--no-such-option"], "unknown option --no-such-option"),
        (
            ["gold", "sys", "--colums", "F"],
            "unknown option --colums; did you mean --columns?\n",
        ),
        (
            ["gold", "sys", "--cutoff", "x"],
            "--cutoff: got 'x'; expected a whole number from 0, or several such as 10,20,40\n",
        ),
        (
            ["gold", "sys", "--samples", "0"],
            "--samples: got '0'; expected a whole number from 1, or auto\n",
        ),
        (
            ["gold", "sys", "--confidence", "x"],
            "--confidence: got 'x'; expected a number such as 0.95\n",
        ),
        (
            ["gold", "sys", "--metrics", ","],
            "--metrics: got ','; expected names with commas between them\n",
        ),
        (["gold", "sys", "--metrics", "bleu"], "unknown metric 'bleu'; expected some of"),
        (
            ["gold", "sys", "--output", "pdf"],
            "--as: got 'pdf'; expected one of text, json, csv, tsv, markdown, latex, html\n",
        ),
        (["-", "-"], "both files are '-'; only one can be the standard input"),
    ],
)
def test_usage_is_exit_2(arguments, message, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.startswith("jpevalb: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(("made", "brief"), [(parser, 45), (average_parser, 45)])
def test_help_is_a_line_an_option(made, brief, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    texts = [made().help(everything=everything).splitlines() for everything in (False, True)]
    assert len(texts[0]) <= brief
    for lines, whole in zip(texts, (False, True)):
        assert max(map(len, lines)) <= 80
        # An option is one line, so that the eye finds it; lists of names may take two.
        options = [number for number, line in enumerate(lines) if line.startswith("  -")]
        assert all(len(lines[number].split("  ")) > 2 for number in options)
        wrapped = {
            lines[number - 1].split()[0] for number in range(len(lines)) if lines[number].startswith(" " * 20)
        }
        assert wrapped <= {"--metrics", "--to"}
        if whole:
            assert len(options) == sum(bool(action.option_strings) for action in made()._actions)
    examples = lines[lines.index("examples:") + 1 :]
    assert len(examples) == 3
    for example in examples:
        command = example.strip().partition("  ")[0]
        words = shlex.split(command.partition(" | ")[0])
        assert words[0] == made().prog
        made().parse_args(words[1:])


def test_the_first_screen_has_everyday_options_and_all_formats(capsys):
    assert main(["--help"]) == 0
    first = capsys.readouterr().out
    assert main(["--help", "all"]) == 0
    everything = capsys.readouterr().out
    shown = [
        [line.split()[0] for line in text.splitlines() if line.startswith("  -")]
        for text in (first, everything)
    ]
    assert {"--metrics", "--prm", "--as", "-o,", "--jobs", "-evalb"} < set(shown[0]) < set(shown[1])
    assert ", ".join(FORMATS) in first
    assert "jpevalb [options] GOLD SYSTEM [SYSTEM ...]" in first


def test_help_is_grouped(capsys):
    expected = ["files", "metrics", "input", "report", "speed", "several systems"]
    expected += ["evalb's report", "other"]
    added = {"alignment": 1, "trees with gaps": 3, "answers of a language model": 5}
    for arguments in (["--help"], ["-h", "all"]):
        assert main(arguments) == 0
        lines = capsys.readouterr().out.splitlines()
        groups = [line.split(" (")[0].rstrip(":") for line in lines if line.endswith(":")]
        assert [group for group in groups if group != "examples"] == expected
        for group, place in added.items():
            expected.insert(place, group)


def test_legacy_help_is_found_from_the_help(capsys):
    assert main(["--help"]) == 0
    hint = re.search(r"jpevalb (-evalb --help)", capsys.readouterr().out)
    assert cli.main(hint[1].split()) == 0
    assert capsys.readouterr().out.startswith("usage: evalb [-d|-D] [-c N] [-e N] [-p PRM] GOLD SYSTEM\n")


def test_a_bare_call_prints_eight_lines_and_fails(capsys):
    assert cli.main([]) == 2
    bare = capsys.readouterr()
    lines = bare.err.splitlines()
    assert (bare.out, len(lines)) == ("", 8)
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("usage: jpevalb [options] GOLD SYSTEM")
    assert cli.main(["--help"]) == 0
    assert "\n".join(lines[2:6]) in capsys.readouterr().out


@pytest.mark.parametrize("word", ["-c", "-c10", "-e", "-e3"])
def test_a_flag_of_evalb_alone_is_refused(word, files, capsys):
    """Without -evalb or -p it may mean either report, and the message has both spellings."""
    assert cli.main([*files, word, *(["10"] if len(word) == 2 else [])]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"jpevalb: unknown option {word}; for evalb's report")
    assert f"give -evalb {word[:2]} N" in said
    assert ("--cutoff N" in said) == (word[1] == "c")
    assert cli.main([*files, "-evalb", word[:2], "10"]) != 2


def test_version(capsys):
    for run in (cli.main, main, average_main):
        assert run(["--version"]) == 0
        assert capsys.readouterr().out == version_line() + "\n"


def test_standard_input_and_out_file(files, tmp_path):
    out = tmp_path / "report.txt"
    done = jpevalb("-", files[1], *PLAIN, "--out", out, stdin=GOLD.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert without_hints(out.read_text()) == TEXT
    # A run that fails leaves the older report as it was, and nothing beside it.
    done = jpevalb("-", files[1], "--out", out, stdin=b"(S")
    assert done.returncode == 1
    assert without_hints(out.read_text()) == TEXT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold", "report.txt", "sys"]
    done = jpevalb(*files, "--out", tmp_path / "no" / "report.txt")
    assert done.returncode == 1
    assert b"cannot write the file: No such file or directory" in done.stderr


def test_characters_that_stdout_cannot_encode_are_escaped(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (tmp_path / "f").write_text("(절 (명사구 (NN 개)))\n", encoding="utf-8")
    done = jpevalb("f", "f", "--by-label", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\n\\uc808" in done.stdout


def test_times_of_another_recording_are_reported(tmp_path, capsys):
    words = [f"word{i}" for i in range(12)]
    (tmp_path / "f").write_text("".join(f"(S (NP (N {word})))\n" for word in words))
    for name, spelt in (("right", words), ("wrong", words[::-1])):
        times = [f"{name} 1 {i} 1 {word.upper()}\n" for i, word in enumerate(spelt)]
        (tmp_path / name).write_text("".join(times))
    paths = [str(tmp_path / name) for name in ("f", "f", "right", "wrong")]
    assert main([*paths[:2], "--gold-times", paths[2], "--sys-times", paths[2], "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*paths[:2], "--gold-times", paths[2], "--sys-times", paths[3], "--quiet"]) == 0
    assert capsys.readouterr().err == (
        f"jpevalb: warning: {paths[3]}: 12 of 12 words differ from those of the trees; "
        "are these the times of another recording?\n"
    )


def test_warnings_go_to_stderr(tmp_path, capsys):
    trees = "".join(f"(S1 (S (NN w{i})))\n" for i in range(12))
    (tmp_path / "f").write_text(trees)
    assert main([str(tmp_path / "f")] * 2) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("jpevalb: warning: gold has S1 (")
    assert "warning" not in captured.out


def test_the_signature_names_the_prm(files, capsys):
    assert main([*files, "--prm", "COLLINS", "--quiet"]) == 0
    assert "# signature: jpevalb:0.1.0 convention:jpevalb prm:COLLINS#" in capsys.readouterr().out


def test_the_signature_changes_with_every_setting_that_changes_a_score(tmp_path):
    own = tmp_path / "my list.tsv"
    own.write_text("gonna\tgoing to\t# spoken\n")
    changed = {
        "prm": "COLLINS.prm",
        "lang": "fr",
        "exceptions": own,
        "align_ratio": 0.2,
        "unit": "char",
        "gold_times": "gold.ctm",
        "sys_times": "sys.ctm",
        "strict_terminals": True,
        "node_types": "label",
        "unlabeled": True,
        "pair": "order",
        "format": "bracket",
        "gold_format": "export",
        "sys_format": "bracket",
        "encoding": "latin-1",
        "gold_encoding": "utf-8",
        "sys_encoding": "latin-1",
        "tags": "none",
        "gold_tags": "none",
        "sys_tags": "none",
        "chains": "split",
        "gold_chains": "keep",
        "sys_chains": "split",
        "binarised": "undo",
        "on_error": "skip",
        "unlike": "alone",
        "empty_f1": "one",
        "most_memory": 4_000_000_000,
        "traces": "drop",
        "drop_subtrees": "EDITED",
        "convention": "jpevalb cut-at:_",
        "nbest": True,
    }
    # These change what is computed and shown, not a score.
    others = {"metrics", "cutoff", "by_label", "analysis"}
    others |= {"punctuation"}
    # These say how a system's answers are read; tests/formats/test_answers.py has their signatures.
    others |= {"repair", "several", "field", "gold_field", "id_field", "separator"}
    # The table of causes alone depends on this one.
    others |= {"error_classes"}
    silent = {"gold_times": "gold.ctm", "silence": "drop"}
    shared = {"gold_times": "gold.ctm", "silence": "shared"}
    tier = {"gold_times": "gold.ctm", "tier": "words"}
    known = {name for one in (changed, silent, shared, tier) for name in one}
    assert {field.name for field in fields(Settings)} == known | others
    signatures = {signature_of(Settings(convention="jpevalb"))}
    for name, value in changed.items():
        signatures.add(signature_of(Settings(**{"convention": "jpevalb", name: value})))
    signatures.add(signature_of(Settings(convention="jpevalb", **silent)))
    signatures.add(signature_of(Settings(convention="jpevalb", **shared)))
    signatures.add(signature_of(Settings(convention="jpevalb", **tier)))
    assert len(signatures) == len(changed) + 4
    assert all(
        len(part.split(":")) == 2
        for part in signature_of(Settings(**{"convention": "jpevalb", **changed})).split()
    )


def test_errors_spell_options_as_the_command_line_does(files, capsys):
    assert main([*files, "--metrics", "brackets", "--node-types", "label"]) == 2
    assert capsys.readouterr().err == (
        "jpevalb: --node-types label has no effect with the metrics brackets, tags; "
        "it needs the metric nodes\n"
    )


def test_command_line_and_library_take_the_same_options():
    declared = {action.dest for action in parser()._actions}
    options = declared - {"help", argparse.SUPPRESS, "evalb", "p", *LEGACY_ROWS}
    settings = {field.name for field in fields(Settings)}
    shown = {"gold", "more_gold", "system", "output", "out", "quiet", "view", "jobs", "details", "published"}
    shown |= {"score_only", "fail_under", "baseline", "max_drop", "allow_excluded", "rows", "verbose"}
    assert options - settings == {*shown, *OF_COMPARISONS}
    in_python = {"align_ratio", "unlike", "strict_terminals", "most_memory", "empty_f1"}
    in_python |= {f"{side}_{name}" for side in ("gold", "sys") for name in ("tags", "chains")}
    assert settings - options == in_python
    # What is not given is left to the convention.
    assert not settings & set(vars(parser().parse_args(["g", "s"])))


def test_reports_come_from_a_registry():
    result = evaluate(["(S (A a))"], ["(())"])
    for name in FORMATS:
        assert isinstance(render(result, name), str)
    assert ROWS["output"].values.choices() == list(FORMATS)
    assert "format" in inspect.signature(result.report).parameters


def test_a_closed_pipe_ends_quietly(tmp_path):
    (tmp_path / "f").write_text("".join(f"(S (NN word{i}))\n" for i in range(20_000)))
    with start(COMMAND, "f", "f", cwd=tmp_path, environment={"PATH": "", **KERNELS}) as process:
        assert process.stdout.readline().startswith(b"  Sent.")
        process.stdout.close()
        assert process.stderr.read() == b""


def test_label_counts_with_labels_equated():
    counts = LabelCounts({"ADVP": LabelCount(4, 2, 3, 1)}, {("A", "C"): 1, ("A", "B"): 1, ("A", "D"): 2})
    label = counts.labels["ADVP"]
    assert (label.recall, label.precision, label.f1) == (0.75, 0.5, 0.6)
    assert counts.all_confusions()["A"] == [("D", 2), ("B", 1), ("C", 1)]
    assert (counts + counts).labels["ADVP"] == LabelCount(8, 4, 6, 2)
    assert LabelCount(3, 0, 0, 0).f1 == 0.0


def test_a_short_run_imports_nothing_heavy(tmp_path):
    """Each of these modules would take 2 % of the run or more."""
    (tmp_path / "f").write_text("(S (NN a))\n")
    code = (
        "import sys; from jpevalb.cli import main; status = main(['f', 'f', '--quiet']);"
        "heavy = {'shutil', 'tempfile', 'subprocess', 'difflib', 'json', 'numpy',"
        " 'tabulate', 'tqdm', 'regex', 'rapidfuzz'};"
        "print(status, sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path, capture_output=True, env={"PYTHONPATH": str(ROOT), **KERNELS}, check=True,
    )  # fmt: skip
    assert done.stderr == b"0 []\n"
