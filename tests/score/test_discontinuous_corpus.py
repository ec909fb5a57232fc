"""Discontinuous mode on files: pairing, skipped sentences, reports and the command."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from hypothesis import given, strategies as st

from jpevalb import SettingsError, Tree, TreeError, evaluate
from jpevalb.base.errors import InputError
from jpevalb.cli import main
from jpevalb.formats.writers import write
from jpevalb.metrics.discontinuous import (
    DiscontinuousCounts,
    MatchCounts,
    discontinuous_f1,
)
from jpevalb.score.run import Run
from jpevalb.score.signature import OF_EVERY_RUN, signature_of
from jpevalb.settings.params import Params
from jpevalb.settings.settings import OPTIONS
from tests.support.commands import without_hints
from tests.support.random_trees import trees
from tests.support.with_gaps import (
    discontinuous_settings,
    evaluate_with_gaps,
    left_out_lines,
    matches_of,
    unparsed_in,
)

WAKE = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
WRONG = "(S (VP (VB 0=wake) (NP (PRP 1=me))) (RP 2=up))"
RAIN = "(S (NP (PRP 0=it)) (VP (VBZ 1=rains)))"
GO = "(S (VP (VB 0=go)))"


def named(text: str, id: str) -> Tree:
    from jpevalb.formats.read import as_tree

    return dataclasses.replace(as_tree(text), id=id)


def file(tmp_path, name: str, texts, format: str = "discbracket", ids=None):
    path = tmp_path / name
    write([named(text, id) for text, id in zip(texts, ids)] if ids else texts, path, format)
    return str(path)


def export(tmp_path, name: str, sentences: dict[str, str], format: str = "export"):
    return file(tmp_path, name, sentences.values(), format, list(sentences))


TIGER = (
    "<corpus><body><s id='{}'><graph><t id='a' word='it' pos='PRP'/><t id='b' word='rains' pos='VBZ'/>"
    "<nt id='n' cat='NP'><edge idref='a'/></nt><nt id='v' cat='VP'><edge idref='b'/></nt>"
    "<nt id='s' cat='S'><edge idref='n'/><edge idref='v'/></nt></graph></s></body></corpus>"
)


# -- pairing ----------------------------------------------------------------------


def test_by_id_in_any_order_and_format(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN, "c": GO})
    system = export(tmp_path, "sys.export", {"c": GO, "a": WRONG, "b": RAIN}, "export3")
    result = evaluate_with_gaps(gold, system)
    assert result.paired_by == "id"
    assert [sentence.id for sentence in result.sentences] == ["a", "b", "c"]
    assert [sentence.status for sentence in result.sentences] == ["ok", "ok", "ok"]
    assert [matches_of(sentence.record).overall.fp for sentence in result.sentences] == [1, 0, 0]
    assert matches_of(result.total).discontinuous == MatchCounts(0, 0, 1)
    assert matches_of(result.total).continuous == MatchCounts(7, 1, 0)


def test_missing_and_extra_sentences(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN})
    system = export(tmp_path, "sys.export", {"x": GO, "b": RAIN, "y": GO})
    result = evaluate_with_gaps(gold, system)
    assert (
        result.states["missing"],
        result.states["extra"],
        result.states["no parse"],
        result.states["unreadable"],
    ) == (1, 2, 0, 0)
    assert [sentence.status for sentence in result.sentences] == ["missing", "ok"]
    assert matches_of(result.total).overall == MatchCounts(3, 0, 3)
    assert matches_of(result.total).discontinuous == MatchCounts(0, 0, 1)
    assert (matches_of(result.total).tags, matches_of(result.total).correct_tags, unparsed_in(result)) == (
        5,
        2,
        1,
    )
    assert left_out_lines(result) == (
        "missing: sentence 'a' has no parse in the system's file",
        "extra: sentence 'x' of the system's file has no gold",
        "extra: sentence 'y' of the system's file has no gold",
    )


def test_only_the_first_five_are_named():
    gold = [named(GO, str(i)) for i in range(12)]
    result = evaluate_with_gaps(gold, gold[:1])
    assert left_out_lines(result) == (
        *[f"missing: sentence '{i}' has no parse in the system's file" for i in range(1, 6)],
        "missing: and 6 more",
    )


def test_by_order_where_a_file_has_no_ids(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN})
    system = file(tmp_path, "sys.discbracket", [WRONG, RAIN, GO])
    result = evaluate_with_gaps(gold, system)
    assert result.paired_by == "order"
    assert [sentence.name for sentence in result.sentences] == ["a", "b"]
    assert left_out_lines(result) == ("extra: sentence 3 of the system's file has no gold",)
    back = evaluate_with_gaps(system, gold)
    assert left_out_lines(back) == ("missing: sentence 3 has no parse in the system's file",)
    assert [sentence.name for sentence in back.sentences] == ["1", "2", "3"]


def test_pairing_may_be_asked_for(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN})
    system = export(tmp_path, "sys.export", {"b": WAKE, "a": RAIN})
    assert evaluate_with_gaps(gold, system, pair="order").f1 == 1
    with pytest.raises(TreeError, match="sentence 'a': word 1 is 'it', but 'wake' in gold"):
        evaluate_with_gaps(gold, system, pair="id")
    plain = file(tmp_path, "plain", [WAKE])
    with pytest.raises(TreeError) as caught:
        evaluate_with_gaps(plain, system, pair="id")
    assert str(caught.value) == (
        f"{plain}: sentence 1 has no id; expected one on each sentence, "
        "or pair='order' to pair sentences by their order"
    )


def test_ids_that_have_nothing_in_common(tmp_path):
    gold = export(tmp_path, "gold.export", {"1": RAIN})
    system = tmp_path / "sys.xml"
    system.write_text(TIGER.format("s1"))
    with pytest.raises(TreeError) as caught:
        evaluate_with_gaps(gold, system)
    assert str(caught.value) == (
        "no sentence id is in both files: gold has '1', the system 's1'; "
        "use pair='order' to pair sentences by their order"
    )
    assert matches_of(evaluate_with_gaps(gold, system, pair="order").total).overall == MatchCounts(3, 0, 0)
    sides = [[named(GO, id) for id in ids] for ids in ("abc", "wxyz")]
    with pytest.raises(
        TreeError, match=r"gold has 'a', 'b', 'c', the system 'w', 'x', 'y', \.\.\.; use pair="
    ):
        evaluate_with_gaps(*sides)


def test_ids_twice():
    with pytest.raises(TreeError, match=r"^<system>: the sentence id 'a' occurs twice"):
        evaluate_with_gaps([named(GO, "a")], [named(GO, "a"), named(GO, "a")])
    with pytest.raises(TreeError, match=r"^<gold>: the sentence id 'a' occurs twice"):
        evaluate_with_gaps([named(GO, "a"), named(GO, "a")], [named(GO, "a")])


def test_formats_may_differ(tmp_path):
    gold = tmp_path / "gold.xml"
    gold.write_text(TIGER.format("1"))
    brackets = file(tmp_path, "sys.mrg", [RAIN], "bracket")
    for system in (brackets, file(tmp_path, "sys.db", [RAIN]), export(tmp_path, "sys.ex", {"1": RAIN})):
        assert matches_of(evaluate_with_gaps(gold, system).total).overall == MatchCounts(3, 0, 0)
    with open(brackets) as text, open(gold, "rb") as binary:
        assert matches_of(evaluate_with_gaps(binary, text).total).overall == MatchCounts(3, 0, 0)
    with pytest.raises(SettingsError, match="format='conll'"):
        evaluate_with_gaps(gold, brackets, format="conll")
    with pytest.raises(InputError, match="cannot read the file"):
        evaluate_with_gaps(gold, tmp_path / "no such file")


@given(
    st.lists(trees(max_words=4), min_size=1, max_size=6), st.randoms(use_true_random=False), st.integers(0, 6)
)
def test_the_order_of_sentences_changes_nothing_but_the_order(some, random, n_lost):
    gold = [dataclasses.replace(tree, id=str(number)) for number, tree in enumerate(some)]
    system = [
        dataclasses.replace(
            Tree.build(tree.labels, tree.parents, tree.words, [0] * len(tree.words)), id=tree.id
        )
        for tree in gold
    ]
    first = evaluate_with_gaps(gold, system, tags="yes")
    random.shuffle(system)
    result = evaluate_with_gaps(gold, system, pair="id", tags="yes")
    assert [sentence.record for sentence in result.sentences] == [
        sentence.record for sentence in first.sentences
    ]
    assert (
        matches_of(result.total)
        == matches_of(first.total)
        == DiscontinuousCounts.sum(
            discontinuous_f1(tree, Tree.build(tree.labels, tree.parents, tree.words, [0] * len(tree.words)))
            for tree in gold
        )
    )
    fewer = system[n_lost:]
    if fewer or not gold:
        result = evaluate_with_gaps(gold, fewer, pair="id")
        assert result.states["missing"] == len(gold) - len(fewer)
        assert matches_of(result.total).sentences == len(gold)
        assert [sentence.number for sentence in result.sentences] == list(range(1, len(gold) + 1))
        overall, before = matches_of(result.total).overall, matches_of(first.total).overall
        assert overall.tp + overall.fn == before.tp + before.fn


# -- what cannot be scored --------------------------------------------------------


def test_words_that_differ(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": RAIN, "b": GO})
    system = export(tmp_path, "sys.export", {"a": RAIN.replace("rains", "pours"), "b": GO})
    with pytest.raises(TreeError) as caught:
        evaluate_with_gaps(gold, system)
    assert str(caught.value) == (
        f"{system}: sentence 'a': word 2 is 'pours', but 'rains' in gold (2 words, gold 2); expected trees "
        "over the same words; on_error='skip' counts it as unparsed, "
        "convention='discontinuous compare:number' compares words by position, "
        "pair='align' aligns the words"
    )
    result = evaluate_with_gaps(gold, system, on_error="skip")
    assert result.states["no parse"] == unparsed_in(result) == 1
    assert matches_of(result.total).overall == MatchCounts(2, 0, 3)
    assert left_out_lines(result) == (
        f"no parse: sentence 'a': {system}: sentence 'a': word 2 is 'pours', but 'rains' in gold "
        "(2 words, gold 2); expected trees over the same words",
    )


def test_a_sentence_without_a_parse(tmp_path):
    gold = file(tmp_path, "gold", [RAIN, GO])
    system = tmp_path / "sys"
    system.write_text(f"(())\n{GO}\n")
    result = evaluate_with_gaps(gold, system, format="discbracket")
    assert [sentence.status for sentence in result.sentences] == ["no parse", "ok"]
    assert matches_of(result.total).overall == MatchCounts(2, 0, 3)
    assert left_out_lines(result) == ("no parse: sentence 1: the parse has no words",)
    nothing = evaluate_with_gaps(system, system, format="discbracket")
    assert (
        nothing.states["no parse"],
        matches_of(nothing.total).exact,
        matches_of(nothing.total).overall.f1,
    ) == (
        0,
        2,
        1.0,
    )


def test_sentences_that_cannot_be_read(tmp_path):
    gold = tmp_path / "gold"
    gold.write_text(f"{RAIN}\n(S (NP 0=it)\n{GO}\n")
    system = tmp_path / "sys"
    system.write_text(f"(S (NP 0=it) (VP 0=rains))\n{GO}\n{GO}\n")
    with pytest.raises(
        TreeError, match=r"(gold:2:1: the tree that begins here|sys:1:18: index 0 occurs twice)"
    ):
        evaluate_with_gaps(gold, system)
    result = evaluate_with_gaps(gold, system, on_error="skip")
    assert [sentence.status for sentence in result.sentences] == ["no parse", "unreadable", "ok"]
    assert (
        result.states["no parse"],
        result.states["unreadable"],
        matches_of(result.total).sentences,
    ) == (1, 1, 2)
    assert matches_of(result.total).overall == MatchCounts(2, 0, 3)
    assert left_out_lines(result) == (
        f"no parse: sentence 1: {system}:1:18: index 0 occurs twice; each word has one index, from 0 to 1",
        f"unreadable: sentence 2: {gold}:2:1: the tree that begins here is not closed: 1 ')' is missing",
    )


def test_damaged_export_files_skipped(tmp_path):
    gold = export(tmp_path, "gold", {"a": GO, "b": GO, "c": GO})
    export(tmp_path, "sys", {"a": GO, "b": GO, "c": GO})
    text = (tmp_path / "sys").read_text()
    (tmp_path / "sys").write_text(text.replace("#EOS b", "#EOS a") + "#BOS a\n#EOS a\n#BOS\n#EOS\n")
    result = evaluate_with_gaps(gold, tmp_path / "sys", on_error="skip")
    assert [sentence.status for sentence in result.sentences] == ["ok", "no parse", "ok"]
    assert result.states["extra"] == 2


def test_warnings():
    assert evaluate_with_gaps([GO], [GO], punctuation="$,").warnings == (
        "no label or tag of either file is among those to leave out: $,",
    )
    assert evaluate_with_gaps([GO], [GO], punctuation="VB").warnings == ()


def test_memory_does_not_grow_where_the_order_is_the_same():
    """Sentences are let go of once they are scored, also behind one that is missing."""
    import tracemalloc

    def side(begin):
        for number in range(begin, 1_500):
            yield named(WAKE, str(number))

    tracemalloc.start()
    try:
        run = Run(side(1), side(0), discontinuous_settings(pair="id"))
        n = sum(1 for _ in run)
        assert tracemalloc.get_traced_memory()[1] < 1_200_000
    finally:
        tracemalloc.stop()
    assert n == run.evaluation().n_sentences == 1_499


def test_sentences_that_wait_come_back_as_they_were(tmp_path):
    """Each side from its own format."""
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN, "c": GO, "d": GO})
    system = export(tmp_path, "sys.export", {"d": GO, "c": GO, "x": GO, "b": RAIN, "a": WRONG})
    result = evaluate_with_gaps(gold, system)
    assert [matches_of(one.record).overall for one in result.sentences] == [
        MatchCounts(2, 1, 1),
        MatchCounts(3, 0, 0),
        MatchCounts(2, 0, 0),
        MatchCounts(2, 0, 0),
    ]
    assert left_out_lines(result) == ("extra: sentence 'x' of the system's file has no gold",)
    total = evaluate(
        gold, system, convention="jpevalb", pair="id", prm=Params(delete_labels=("VP", "RP"))
    ).total.brackets
    assert (total.matched, total.gold, total.system) == (6, 6, 7)
    (tmp_path / "gold.xml").write_text(TIGER.format("b"))
    result = evaluate_with_gaps(tmp_path / "gold.xml", system)
    assert (matches_of(result.total).overall, result.states["extra"]) == (MatchCounts(3, 0, 0), 4)


def test_one_pair_is_enough_for_ids_to_have_something_in_common():
    gold, system = [named(WAKE, "a"), named(GO, "b")], [named(GO, "b"), named(RAIN, "x")]
    result = evaluate_with_gaps(gold, system)
    assert [one.status for one in result.sentences] == ["missing", "ok"]
    assert (result.states["missing"], result.states["extra"]) == (1, 1)


def test_skipped_sentences_are_counted():
    gold = [named(text, id) for text, id in ((GO, "a"), (RAIN, "b"), (RAIN, "c"), (WAKE, "d"))]
    system = [named(text, id) for text, id in ((GO, "b"), (GO, "c"), (WAKE, "d"))]
    result = evaluate_with_gaps(gold, system, on_error="skip", cutoff=2, by_label=True)
    assert (result.states["missing"], result.states["no parse"], unparsed_in(result)) == (
        1,
        2,
        3,
    )
    content = result.to_dict()
    assert (content["states"]["missing"], content["states"]["no parse"]) == (1, 2)
    assert (content["cutoff_length"], content["cutoff"]["brackets"]["sentences"]) == (2, 3)
    assert set(content["cutoff"]) == set(content["total"])
    result = evaluate_with_gaps(gold[:2], system[:1], on_error="skip")
    assert (result.states["missing"], result.states["no parse"], unparsed_in(result)) == (
        1,
        1,
        2,
    )
    assert set(content["total"]) == {"sentences", "brackets", "tags", "gaps", "labels"}
    content = evaluate_with_gaps(gold, gold, convention="discontinuous words:2").to_dict()
    assert content["states"]["short"] == 1
    short, *_, last = evaluate_with_gaps(gold, gold, convention="discontinuous words:2").sentences
    assert (short.status, short.details()["missed"]) == ("short", [])
    assert short.details()["matched"] == short.details()["extra"] == []
    assert [item["label"] for item in last.details()["matched"]] == ["S", "VP", "NP"]
    assert [one.name for one in evaluate_with_gaps([GO, RAIN], [GO, RAIN]).sentences] == ["1", "2"]


def test_an_open_file_is_called_by_its_name(tmp_path):
    path = file(tmp_path, "plain", [WAKE])
    with open(path) as gold, pytest.raises(TreeError, match=f"^{path}: sentence 1 has no id"):
        evaluate_with_gaps(gold, [named(WAKE, "a")], pair="id")


@pytest.mark.parametrize("pair", ["id", "order"])
def test_rows_before_an_unreadable_sentence_come_first(pair):
    def side():
        yield from [named(WAKE, "a"), named(RAIN, "b")]
        raise TreeError("the end")

    found = iter(Run(side(), side(), discontinuous_settings(pair=pair)))
    assert [next(found).id for _ in range(2)] == ["a", "b"]
    with pytest.raises(TreeError, match="the end"):
        next(found)


# -- reports ----------------------------------------------------------------------

REPORT = """\
                           -------- Overall -------- ----- Discontinuous ----- -- Tags --
Sent. ID             Len.     TP    FP    FN  FMeas.    TP    FP    FN  FMeas. Words Corr. Exact Status
=======================================================================================================
    1 a                  3     2     1     1   66.67     0     0     1    0.00     3     3     0 ok
    2 b                  2     3     0     0  100.00     0     0     0       -     2     2     1 ok
    3 c                  1     0     0     2    0.00     0     0     0       -     1     0     0 missing
=======================================================================================================

=== Summary ===                All  len<=40
Sentences                 =      3        3   1 missing, 1 of the system without gold
Words                     =      6        6
Bracketing Recall         =  62.50    62.50
Bracketing Precision      =  83.33    83.33
Bracketing FMeasure       =  71.43    71.43
Sentence-mean F1          =  55.56    55.56
Complete match            =  33.33    33.33
Average crossing          =   0.33     0.33
Tagging accuracy          =  83.33    83.33

-- Constituents --             recall  precision         F1
Continuous                =     71.43      83.33      76.92   5 matched, 2 missed, 1 extra
Discontinuous             =      0.00          -       0.00   0 matched, 1 missed, 0 extra
# missing: sentence 'c' has no parse in the system's file
# extra: sentence 'd' of the system's file has no gold

F1 71.43   continuous 76.92   discontinuous 0.00   up to 40 words 71.43
# signature: jpevalb:0.1.0 convention:discontinuous prm:none pair:id
"""


@pytest.fixture
def both(tmp_path):
    gold = export(tmp_path, "gold.export", {"a": WAKE, "b": RAIN, "c": GO})
    return gold, export(tmp_path, "sys.export", {"a": WRONG, "b": RAIN, "d": GO})


def test_the_text_report(both):
    result = evaluate_with_gaps(*both)
    assert result.report() == REPORT
    assert result.report(quiet=True) == REPORT[REPORT.index("=== Summary") :]
    rows = [line.split() for line in REPORT.split("\n")[3:6]]
    assert {len(row) for row in rows} == {15}
    figures = [line.split("=")[0].strip() for line in REPORT.split("\n") if " = " in line]
    assert len(figures) == len(set(figures))


def test_ids_of_any_text_keep_their_field():
    [line] = evaluate_with_gaps([named(GO, "a b\x1b[1m\n")], [GO]).report().split("\n")[3:4]
    assert line.split()[:3] == ["1", "a_b_[1m_", "1"]
    for id, shown in (("", "-"), ("50%d", "50%d")):
        assert evaluate_with_gaps([named(GO, id)], [GO]).report().split("\n")[3].split()[1] == shown


def test_the_json_report(both):
    result = evaluate_with_gaps(*both)
    content = json.loads(result.report("json"))
    assert content == json.loads(json.dumps(result.to_dict()))
    brackets = content["total"]["brackets"]
    assert [brackets[name] for name in ("gold", "system", "matched", "precision", "recall", "f1")] == [
        *(8, 6, 5),
        *(5 / 6, 0.625, 10 / 14),
    ]
    assert content["sentences"][2]["status"] == "missing"
    assert content["signature"] == "jpevalb:0.1.0 convention:discontinuous prm:none pair:id"
    assert "sentences" not in json.loads(result.report("json", quiet=True))
    with pytest.raises(SettingsError, match=r"^unknown output format 'yaml'; expected one of text, json"):
        result.report("yaml")


def test_signatures():
    settings = discontinuous_settings(
        unlabeled=True,
        convention="discontinuous most-gaps:1",
        prm="COLLINS.prm",
        format="export",
        encoding="latin-1",
        on_error="skip",
    )
    text = signature_of(settings, "order")
    assert text.startswith("jpevalb:0.1.0 convention:discontinuous most-gaps:1 prm:COLLINS.prm#")
    assert text.endswith(" pair:order unlabeled:yes format:export encoding:latin-1 on-error:skip")


def test_sentences_can_be_looked_into(both):
    first, _, third = evaluate_with_gaps(*both).sentences
    compared = first
    assert [(item.label, item.words) for item in compared.missed] == [("VP", 0b101)]
    assert [(item.label, item.words) for item in compared.extra] == [("VP", 0b011)]
    assert [item.label for item in third.missed] == ["VP", "S"] or third.status == "missing"


# -- the command line -------------------------------------------------------------


def run(capsys, *argv: str) -> tuple[int, str, str]:
    status = main(list(argv))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_files_that_are_not_brackets_choose_the_mode(both, capsys):
    status, out, err = run(capsys, *both)
    assert (status, without_hints(out), err) == (0, REPORT, "")
    status, out, err = run(capsys, *both, "--quiet")
    assert (status, out, err) == (0, REPORT[REPORT.index("=== Summary") :], "")
    _, out, _ = run(capsys, *both, "--output", "json")
    assert json.loads(out) == evaluate_with_gaps(*both).to_dict()
    _, out, _ = run(capsys, *both, "--output", "json", "--quiet")
    assert "sentences" not in json.loads(out)


def test_options_reach_the_settings(both, capsys):
    options = {
        "unlabeled": True, "convention": "discontinuous least:2 most-gaps:2", "punctuation": "VBZ NN",
        "prm": "COLLINS.prm", "pair": "id", "format": "export", "encoding": "latin-1", "on_error": "skip",
        "gold_format": "export", "sys_format": "export", "gold_encoding": "latin-1", "sys_encoding": "utf-8",
        "by_label": True, "analysis": True, "metrics": "brackets,tags", "cutoff": 3,
        "traces": "keep", "drop_subtrees": "EDITED",
        "tags": "auto", "chains": "keep", "binarised": "undo",
    }  # fmt: skip
    # Other options go with other metrics and formats, with words that are aligned, or with several trees.
    tried = {*OF_EVERY_RUN, "by_label", "analysis", "metrics", "cutoff"} - {"nbest"}
    tried = {name for name in tried if OPTIONS[name].in_command}
    assert set(options) == tried
    argv = []
    for name, value in options.items():
        argv.append("--" + name.replace("_", "-"))
        if value is not True:
            argv.append(str(value))
    status, out, _ = run(capsys, *both, *argv)
    assert (status, without_hints(out)) == (0, evaluate_with_gaps(*both, **options).report())


def test_plain_brackets(tmp_path, capsys):
    gold = file(tmp_path, "gold.mrg", [RAIN], "bracket")
    assert "convention:jpevalb" in run(capsys, gold, gold)[1]
    for options in (
        ["--convention", "discontinuous"],
        ["--convention", "discontinuous least:2"],
        ["--punctuation", "X"],
    ):
        status, out, _ = run(capsys, gold, gold, *options)
        assert status == 0
        assert re.search("(mode|convention):discontinuous", out)
    assert "convention:discontinuous" in run(capsys, gold, file(tmp_path, "sys", [RAIN]))[1]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--convention", "discontinuous least:x"], 2, "rule least of a convention: 'x'; expected a whole"),
        (
            ["--lang", "fr"],
            2,
            "--lang fr has no effect with identical words; "
            "it needs aligned words or word times or "
            "the option analysis",
        ),
        (["--prm", "no.prm"], 1, "no.prm: cannot read this parameter file"),
        (
            ["--format", "discbracket"],
            1,
            "gold.export:3:1: 'wake' outside a tree; expected '('",
        ),
    ],
)
def test_mistakes(both, capsys, options, status, message):
    found, _, err = run(capsys, *both, *options)
    assert found == status
    assert err.count("\n") == 1
    assert err.startswith("jpevalb: ")
    assert message in err


def test_rows_paired_by_id_name_their_sentences():
    """In the order of gold, with the places of both files; what gold lacks comes last."""

    def side(*sentences):
        return [
            Tree.build(["S"], [-1], words.split(), [0] * len(words.split()), id) for id, words in sentences
        ]

    gold = side(("a", "x y"), ("b", "u v"), ("c", "p q"), ("d", "r s"))
    system = side(("d", "r s"), ("a", "x y"), ("e", "m"), ("c", "p q"))
    found = evaluate(gold, system, pair="id")
    assert [(row.bead.gold, row.bead.system) for row in found.sentences] == [
        ((0, 1), (1, 2)),
        ((1, 2), (0, 0)),
        ((2, 3), (3, 4)),
        ((3, 4), (0, 1)),
        ((4, 4), (2, 3)),
    ]
    found = evaluate_with_gaps(gold, system, pair="id")
    assert [(row.bead.gold, row.bead.system, row.bead.aligned) for row in found.sentences] == [
        ((0, 1), (1, 2), True),
        ((1, 2), (0, 0), True),
        ((2, 3), (3, 4), True),
        ((3, 4), (0, 1), True),
    ]
    found = evaluate(gold, system[:2], pair="order")
    assert [(row.bead.gold, row.bead.system) for row in found.sentences] == [
        ((0, 1), (0, 1)),
        ((1, 2), (1, 2)),
        ((2, 3), (2, 2)),
        ((3, 4), (2, 2)),
    ]
