"""--view: marks, differing words, colours and the selection of sentences."""

from __future__ import annotations

import json
import os
import re
import sys
from io import StringIO

import pytest

from jpevalb import evaluate
from jpevalb.base.errors import JpevalbError, SettingsError
from jpevalb.commands.evaluate import main
from jpevalb.report.view import chooser, view
from tests.support.commands import ROOT, jpevalb
from tests.support.terminal import in_terminal
from tests.support.with_gaps import evaluate_with_gaps

FILES = [str(ROOT / "examples" / name) for name in ("gold.mrg", "e2e.mrg")]

SHOWN = """\
Sentence 1: gold sentence 1, system sentence 1
recall 50.00, precision 50.00, F1 50.00; 2 of 5 tags correct
= 2 matched, - 2 missed, + 2 extra, x 1 crossing

gold
   TOP
=    S[0:4]
-      NP-SBJ[0:2] (DT the) (NN cat)
-      VP[2:4] (!VBD sat)
=        ADVP[3:4] (RB down)[1] (RB there)[1]

system
   TOP
=    S[0:4]
+      NP[0:1] (DT the)
+x     VP[1:4] (NN cat) (!VBN sat)
=        ADVP[3:4] (RB downthere)[1]

words that differ
[1] down there ~ downthere

corrections of the system's tree
NP boundary: move (NN cat) from VP to NP (- VP[2:4], - NP[0:2], + VP[1:4], +
    NP[0:1])
"""

GOLD = "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down) (RB there)))))"
SYSTEM = "(TOP (S (NP (DT the)) (VP (NN cat) (VBN sat) (ADVP (RB downthere)))))"


def one(gold, system, **options):
    (result,) = evaluate([gold], [system], metrics=("brackets",)).sentences
    return view(result, **options)


def test_a_pair_to_the_letter():
    assert one(GOLD, SYSTEM) == SHOWN


def test_colours_change_nothing_else():
    text = one(GOLD, SYSTEM, color=True)
    assert re.sub("\x1b\\[[0-9]+m", "", text).replace(" \n", "\n") == SHOWN
    for color, label in (("32", "S[0:4]"), ("31", "VP[2:4]"), ("33", "NP[0:1]"), ("35", "VP[1:4]")):
        assert f"\x1b[{color}m{label}\x1b[0m" in text
    assert "\x1b" not in one(GOLD, SYSTEM)


def test_corrections_are_named_by_cause():
    texts = {
        "(S (NP (A a) (B b)) (C c))": "add NP below S (- NP[0:2])",
        "(S (A a) (VP (B b) (C c)))": "remove VP below S (+ VP[1:3])",
    }
    flat = "(S (A a) (B b) (C c))"
    (added, shown), (removed, other) = texts.items()
    assert one(added, flat).splitlines()[-1].endswith(f": {shown}")
    assert one(flat, removed).splitlines()[-1].endswith(f": {other}")
    assert one("(S (X (A a)) (B b))", "(S (Y (A a)) (B b))").splitlines()[-1] == (
        "different label: relabel Y as X (- X[0:1], + Y[0:1])"
    )
    alone, without = f"(S (NP (D d) (E e)) (C {'c' * 50}))", f"(S (C {'c' * 50}))"
    found = [one(*sides).splitlines()[-1] for sides in ((alone, without), (without, alone))]
    over = "constituents over words without counterpart"
    assert found == [
        f"unaligned words: add {over} (- NP[0:0])",
        f"unaligned words: remove {over} (+ NP[0:0])",
    ]
    assert "corrections" not in one(flat, flat)
    lines = one(f"(S {'(X (A a)) (B b)' * 30})", f"(S {'(Y (A a)) (B b)' * 30})", width=40).splitlines()
    assert lines[-1] == "and 10 more"
    assert lines[-3:-1] == ["different label: relabel Y as X (-", "    X[38:39], + Y[38:39])"]
    unparsed = one(f"(S {'(X (A a)) (B b)' * 9})", "(())").splitlines()[-1]
    assert unparsed.endswith("and 5 more)")


def test_escape_sequences_in_words_and_labels_are_harmless():
    text = one("(S (N\x1b]0;title\x07 a\x1b[2J) (B \u202eb) (C c\x9b1m))", "(S (N\x1b[1m a) (B b) (C c))")
    assert not set(text) & set("\x1b\x07\x9b\u202e")
    assert "(!N\\x1b]0;title\\x07 a\\x1b[2J)" in text
    assert "\\u202eb" in text


def test_words_next_to_constituents_stay_in_order():
    text = one("(S (A a) (X (B b) (C c)) (D d) (E e) (Y (F f)) (G g))", "(S a (X b) c d e f g)")
    gold = text[text.index("gold\n") : text.index("system\n")].splitlines()[1:-1]
    assert gold == [
        "=  S[0:7] (!A a)",
        "-    X[1:3] (!B b) (!C c)",
        "     (!D d) (!E e)",
        "-    Y[5:6] (!F f)",
        "     (!G g)",
    ]


@pytest.mark.slow
def test_wide_trees_wrap_and_deep_trees_do_not_run_away():
    words = " ".join(f"(NN word{i})" for i in range(200))
    text = one(f"(S (NP {words}) (VP (VB ends)))", f"(S {words} (VP (VB ends)))", width=60)
    assert max(map(len, text.splitlines()[4:])) <= 60
    assert re.findall(r"word\d+", text) == [f"word{i}" for i in range(200)] * 2
    depth = 100_000
    tree = "(S " * depth + "(NN a) (NN b)" + ")" * depth
    text = one(tree, "(S (NN a) (NN b))")
    assert len(text) < 80 * depth
    assert f"{' ' * 40}{depth - 1}: S[0:2] (NN a) (NN b)" in text
    cjk = " ".join("(NN 国家国家)" for _ in range(20))
    lines = one(f"(S {cjk})", f"(S {cjk})", width=40).splitlines()[4:]
    assert max(len(line) + line.count("国") + line.count("家") for line in lines) <= 40


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (18, ["=  S[0:3] (A aaaa)", "       (B bbbb)", "       (C cccc)"]),
        (24, ["=  S[0:3] (A aaaa)", "       (B bbbb) (C cccc)"]),
        (27, ["=  S[0:3] (A aaaa) (B bbbb)", "       (C cccc)"]),
        (36, ["=  S[0:3] (A aaaa) (B bbbb) (C cccc)"]),
    ],
)
def test_lines_go_on_where_they_are_as_wide_as_they_may_be(width, lines):
    tree = "(S (A aaaa) (B bbbb) (C cccc))"
    assert one(tree, tree, width=width).split("\ngold\n")[1].split("\n\n")[0].splitlines() == lines


@pytest.mark.parametrize(("depth", "columns"), [(1, 2), (20, 40), (21, 21)])
def test_trees_deeper_than_20_are_indented_by_one_column(depth, columns):
    tree = "(S " * (depth + 1) + "(A a) (B b)" + ")" * (depth + 1)
    assert f"\n=  {' ' * columns}S[0:2] (A a) (B b)\n" in one(tree, tree)


def test_tags_of_words_aligned_one_to_one_are_compared():
    text = one("(S (X ab) (Y cd) (V e))", "(S (Z abc) (Y d) (W e))")
    assert "\n=  S[0:2] (X ab)[1] (Y cd)[1] (!V e)\n" in text
    assert "\n=  S[0:2] (Z abc)[1] (Y d)[1] (!W e)\n" in text


def test_sides_without_words():
    text = one("(S (A a))", "")
    assert "system\n   (no tree)\n" in text
    assert "recall 0.00, precision undefined, F1 0.00" in text
    assert "[1] a ~ (no word)" in text
    assert "gold\n   (NN fine)\n" in one("(NN fine)", "(NN fine)")


def test_several_sentences_and_one_that_cannot_be_read():
    results = evaluate(["(S (A a) (B b))", "(S (C c))"], ["(S (A a) (B b)) (S", "(S (C c))"], on_error="skip")
    text = view(results.sentences[0])
    assert re.search(r"^system sentence 1 cannot be read: ", text, re.MULTILINE)


def test_marks_agree_with_the_counts():
    """Every counted constituent of both sides has one line with a mark."""
    result = evaluate(*FILES)
    for sentence in result.sentences:
        text = view(sentence)
        gold, _, system = text.partition("\nsystem\n")
        brackets = sentence.record.brackets
        gold = gold[gold.index("\ngold\n") :]
        marks = [re.findall(rf"^{re.escape(mark)}x? +\S+\[", side, re.MULTILINE)
                 for side, mark in ((gold, "="), (gold, "-"), (system, "="), (system, "+"))]  # fmt: skip
        assert [len(found) for found in marks] == [
            brackets.matched,
            brackets.gold - brackets.matched,
            brackets.matched,
            brackets.system - brackets.matched,
        ]


# -- which sentences --------------------------------------------------------------


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [
        ("2", [2]),
        ("3,1", [1, 3]),
        ("1-3", [1, 2, 3]),
        ("gold:1", [1]),
        ("gold:2", [2]),
        ("gold:4", [3]),
        ("gold:4,gold:2,gold:4", [2, 3]),
        ("gold:3-4,sys:1", [1, 3]),
        ("3, sys:3", [3]),
    ],
)
def test_selections(selection, numbers):
    found = chooser(selection)(evaluate(*FILES).sentences)
    assert [result.number for result in found] == numbers


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [("sys:1", [3]), ("sys:3", [1]), ("sys:2-3", [1, 2]), ("sys:1,gold:2,sys:1-2", [2, 3])],
)
def test_sentences_of_the_system_that_ids_pair_up_in_another_order(selection, numbers):
    texts = {n: f"#BOS {n}\nw{n}\t--\tN\t--\t--\t500\n#500\t--\tS\t--\t--\t0\n#EOS {n}\n" for n in (1, 2, 3)}
    gold, system = [
        StringIO("#FORMAT 4\n" + "".join([texts[n] for n in order])) for order in ((1, 2, 3), (3, 2, 1))
    ]
    results = evaluate_with_gaps(gold, system, format="export").sentences
    assert [result.number for result in chooser(selection)(results)] == numbers
    with pytest.raises(JpevalbError, match="--view sys:4: the system's file has 3 sentences"):
        chooser(f"{selection},sys:4")(results)


@pytest.mark.parametrize(
    "selection", ["", "x", "0", "-1", "3-1", "1,,2", "gold:", "tree:1", "1-", "٣", "1" * 30]
)
def test_invalid_selections(selection, capsys):
    with pytest.raises(SettingsError, match="expected a number from 1 such as 3"):
        chooser(selection)
    assert main([*FILES, f"--view={selection}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("4", "--view 4: the report has 3 sentences"),
        ("2-999999999999", "--view 4: the report has 3 sentences"),
        ("gold:5", "--view gold:5: the gold file has 4 sentences"),
        ("1,sys:77", "--view sys:77: the system's file has 3 sentences"),
        ("4,gold:5", "--view 4: the report has 3 sentences"),
    ],
)
def test_sentences_that_do_not_exist(selection, message, capsys):
    with pytest.raises(JpevalbError, match=message):
        chooser(selection)(evaluate(*FILES).sentences)
    assert main([*FILES, "--view", selection]) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"jpevalb: {message}\n")


@pytest.mark.parametrize(
    ("selection", "where"),
    [("1", "the report"), ("gold:1", "the gold file"), ("sys:1", "the system's file")],
)
def test_of_no_sentence_the_first_does_not_exist(selection, where):
    with pytest.raises(JpevalbError, match=f"--view {selection}: {where} has 0 sentences"):
        chooser(selection)([])


def test_no_more_is_read_than_is_shown(tmp_path, capsys):
    good = "".join(f"(S (A a{i}) (B b{i}))\n" for i in range(5_000))
    (tmp_path / "gold").write_text(good + "(S")
    assert main([str(tmp_path / "gold"), str(tmp_path / "gold"), "--view", "2"]) == 0
    assert "(A a1) (B b1)" in capsys.readouterr().out


def test_only_text(capsys, tmp_path):
    assert main([*FILES, "--view", "1", "--output", "json"]) == 2
    assert capsys.readouterr().err == "jpevalb: --view writes text; leave out --as json\n"
    out = tmp_path / "out.txt"
    assert main([*FILES, "--view", "1", "--out", str(out)]) == 0
    main([*FILES, "--view", "1"])
    assert capsys.readouterr().out == out.read_text()


def terminal_of(**environment: str) -> str:
    """Return what ``--view 2`` writes to a terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PAGER": "cat", **environment}
    status, text = in_terminal(
        [sys.executable, "-m", "jpevalb", *FILES, "--view", "2"], environment=environment
    )
    assert status == 0
    return text


def test_colours_on_a_terminal_unless_no_color_is_set(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[32mS[0:9]\x1b[0m" in terminal_of(TERM="xterm")
    plain = jpevalb(*FILES, "--view", "2").stdout.decode()
    assert terminal_of(TERM="xterm", NO_COLOR="1") == plain
    assert terminal_of(TERM="dumb") == plain
    assert "\x1b" not in plain


def test_answers_show_their_text_and_why_they_are_no_tree(tmp_path, capsys):
    """The first answer is a tree after repairs, the second is prose, the third needs nothing."""
    tree = "(S (NP (N we)) (VP (V ran)))"
    outputs = [f"Sure:\n{tree[:-2]}", "I cannot parse this.\x1b", tree]
    (tmp_path / "gold").write_text(f"{tree}\n" * 3)
    lines = [json.dumps({"output": output}) for output in outputs]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines) + "\n")
    paths = [str(tmp_path / "gold"), str(tmp_path / "answers.jsonl")]
    assert main([*paths, "--view", "1-3", "--on-error", "skip"]) == 0
    first, second, third = capsys.readouterr().out.split("Sentence ")[1:]
    assert "answer of system sentence 1: a tree after the repairs prefix, unclosed\n" in first
    assert f"  | Sure:\n  | {tree[:-2]}\n" in first
    assert "answer of system sentence 2: no tree, no tree in the answer: it has no bracket\n" in second
    assert "  | I cannot parse this.\\x1b\n" in second
    assert "answer of" not in third
