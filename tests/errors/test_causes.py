"""Error causes: a worked example for each rule, and the tables of label classes."""

from __future__ import annotations

import pytest

from jpevalb import evaluate
from jpevalb.base.errors import JpevalbError
from jpevalb.cli import main
from jpevalb.errors import corrections
from jpevalb.errors.analysis import CauseCount
from jpevalb.errors.causes import CAUSES, CLASSES, cause_of, load_classes, parse_classes, tables
from jpevalb.errors.search import Child, Step
from jpevalb.metrics.brackets import BracketCounts
from tests.support import gapped


def causes(gold, system, classes=None, **options):
    result = evaluate([gold], [system], metrics="brackets", **options).sentences[0]
    return [
        (correction.cause, len(correction.missed) + len(correction.extra))
        for correction in result.corrections(classes)
    ]


EXAMPLES = {
    "no counterpart": [],  # below
    "no parse": [("(S (NP (NN a)) (VP (VB b)))", "((NN a) (VB b))", [3])],
    "no gold parse": [("((NN a) (VB b))", "(S (NP (NN a)) (VP (VB b)))", [3])],
    "sentence boundary": [],  # tests/errors/test_boundaries.py
    "different label": [("(S (ADVP (RB a)) (VP (VB b)))", "(S (ADJP (RB a)) (VP (VB b)))", [2])],
    "unaligned words": [
        # The system lacks a phrase; the words beside it are attached as in gold.
        (
            "(S (NP (NN abc)) (PP (IN on) (NP (NN it))) (VP (VB runs)))",
            "(S (NP (NN abc)) (VP (VB runs)))",
            [2],
        ),
        (
            "(S (NP (NN abc)) (VP (VB runs)))",
            "(S (NP (NN abc)) (PP (IN on) (NP (NN it))) (VP (VB runs)))",
            [2],
        ),
        # It lacks two phrases.
        (
            "(S (NP (NN abc)) (ADVP (RB on)) (VP (VB runs)) (ADVP (RB up)) (. .))",
            "(S (NP (NN abc)) (VP (VB runs)) (. .))",
            [1, 1],
        ),
    ],
    "single-word phrase": [
        ("(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))", [1]),
        ("(S (NN a) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))", [1]),
    ],
    "unary": [
        ("(VP (VB a) (S (VP (TO to) (VB b))))", "(VP (VB a) (VP (TO to) (VB b)))", [1]),
        ("(VP (VB a) (VP (TO to) (VB b)))", "(VP (VB a) (S (VP (TO to) (VB b))))", [1]),
    ],
    "coordination": [
        # Old men and women: who is old?
        ("(NP (JJ a) (NNS b) (CC and) (NNS c))", "(NP (JJ a) (NP (NNS b) (CC and) (NNS c)))", [1]),
        # The second conjunct is put into the first one's phrase, and a node around both.
        (
            "(S (VP (VB a) (NP (NP (NN b)) (CC and) (NP (NN c) (NN d)))) (. .))",
            "(S (VP (VB a) (NP (NN b))) (CC and) (NP (NN c) (NN d)) (. .))",
            [3],
        ),
    ],
    "NP-internal structure": [
        ("(NP (DT a) (NML (NN b) (NN c)) (NN d))", "(NP (DT a) (NN b) (NN c) (NN d))", [1]),
        ("(NP (QP (RB a) (CD b)) (NN c))", "(NP (RB a) (CD b) (NN c))", [1]),
        (
            "(S (NP (QP (RB a) (CD b)) (NN c)) (VP (VB d)))",
            "(S (NP (QP (RB a)) (CD b) (NN c)) (VP (VB d)))",
            [2],
        ),
    ],
    "PP attachment": [
        (
            "(VP (VB a) (NP (NN b)) (PP (IN c) (NN d)))",
            "(VP (VB a) (NP (NP (NN b)) (PP (IN c) (NN d))))",
            [1],
        ),
        (
            "(VP (VB a) (NP (NP (NN b)) (PP (IN c) (NN d))))",
            "(VP (VB a) (NP (NN b)) (PP (IN c) (NN d)))",
            [1],
        ),
        (
            "(S (VP (VB a) (NP (NN b)) (PP (IN c) (NN d)) (, ,)) (X (NN e)))",
            "(S (VP (VB a) (NP (NN b))) (PP (IN c) (NN d)) (, ,) (X (NN e)))",
            [2],
        ),
    ],
    "NP attachment": [
        (
            "(S (NP (NN a) (NN b)) (VP (VB c) (NP (NN d) (NN e))))",
            "(S (NP (NN a) (NN b)) (VP (VB c)) (NP (NN d) (NN e)))",
            [2],
        ),
        # Of several phrases the first decides.
        (
            "(X (VP (VB a) (NP (NN b) (NN b)) (PP (IN c) (NN d))) (NN e))",
            "(X (VP (VB a)) (NP (NN b) (NN b)) (PP (IN c) (NN d)) (NN e))",
            [2],
        ),
    ],
    "VP attachment": [
        ("(NP (NP (NN a)) (VP (VBN b) (RB c)))", "(S (NP (NP (NN a)) (VP (VBN b) (RB c))))", None),
        (
            "(X (NP (NP (NN a)) (VP (VBN b) (RB c))) (NN d))",
            "(X (NP (NN a)) (VP (VBN b) (RB c)) (NN d))",
            [1],
        ),
    ],
    "clause attachment": [
        (
            "(X (NP (NP (NN a)) (SBAR (IN b) (NN c))) (NN d))",
            "(X (NP (NN a)) (SBAR (IN b) (NN c)) (NN d))",
            [1],
        ),
        # A subject and its predicate without a node over them.
        (
            "(X (VP (VB a) (NP (NN b)) (VP (VB c) (NN d))) (NN e))",
            "(X (VP (VB a)) (NP (NN b)) (VP (VB c) (NN d)) (NN e))",
            [2],
        ),
    ],
    "modifier attachment": [
        ("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b)) (RB c))", [2]),
        (
            "(S (NP (NN a)) (VP (VB b) (ADVP (RB c) (RB d))))",
            "(S (NP (NN a)) (VP (VB b)) (ADVP (RB c) (RB d)))",
            [2],
        ),
    ],
    "insertion attachment": [
        (
            "(X (VP (VB a) (PRN (-LRB- b) (NN c))) (NN d))",
            "(X (VP (VB a)) (PRN (-LRB- b) (NN c)) (NN d))",
            [2],
        )
    ],
    "punctuation": [
        ("(S (X (S (NN a) (VB b)) (. .)) (X c))", "(S (X (S (NN a) (VB b) (. .))) (X c))", None),
        ("(X (S (NN a) (VB b)) (. .) (NN c))", "(X (S (NN a) (VB b) (. .)) (NN c))", [2]),
    ],
    "verb arguments": [
        ("(S (NP (NN a)) (VP (VB b) (NN c)))", "(S (NP (NN a)) (VB b) (NN c))", [1]),
        ("(X (VP (VB a) (FW b) (RP c)) (NN d))", "(X (VP (VB a)) (FW b) (RP c) (NN d))", [2]),
    ],
    "clause structure": [
        (
            "(SBAR (IN a) (S (NP (NN b)) (VP (VB c) (NN c))))",
            "(SBAR (IN a) (NP (NN b)) (VP (VB c) (NN c)))",
            [1],
        )
    ],
    "PP structure": [
        ("(VP (VB a) (PP (IN b) (NP (NN c) (NN d))))", "(VP (VB a) (IN b) (NP (NN c) (NN d)))", [1]),
        ("(VP (VB a) (PP (TO b) (NP (NN c) (NN d))))", "(VP (VB a) (TO b) (NP (NN c) (NN d)))", [1]),
    ],
    "NP boundary": [
        ("(VP (VB a) (NP (DT b) (NN c)) (RB d))", "(VP (VB a) (DT b) (NN c) (RB d))", [1]),
        ("(S (NP (DT a) (NN b)) (VP (VB c) (VB d)))", "(S (NP (DT a)) (VP (NN b) (VB c) (VB d)))", [4]),
    ],
    "other": [
        ("(S (X (AA a) (AA b)) (AA c))", "(S (AA a) (AA b) (AA c))", [1]),
        ("(S (AA a) (AA b) (AA c))", "(S (X (AA a) (AA b)) (AA c))", [1]),
        ("(S (X (AA a) (AA b)) (AA c))", "(S (X (AA a)) (AA b) (AA c))", [2]),
    ],
}


CLASSES_BY_HAND = [
    "clause S SBAR",
    "noun NP NN",
    "verb VP VB",
    "preposition PP IN",
    "modifier ADJP RB",
    "conjunction CC",
    "punctuation ,",
]


def test_every_cause_has_an_example():
    assert list(EXAMPLES) == list(CAUSES)


@pytest.mark.parametrize(
    ("cause", "gold", "system", "brackets"),
    [(cause, *example) for cause, examples in EXAMPLES.items() for example in examples if example[2]],
)
def test_by_hand(cause, gold, system, brackets):
    assert causes(gold, system) == [(cause, count) for count in brackets]


@pytest.mark.parametrize(
    "options", [{}, {"convention": "discontinuous"}, {"unlike": "alone", "align_ratio": 0.1}]
)
def test_sentences_without_counterpart(options):
    """They are no failed parses: two gold sentences are missing, or two and two are of other texts."""
    gold = ["(S (NP (NN abc)) (VP (VB defg)))"] * 4
    system = ["(S (NP (NN xyzz)) (VP (VB uvww)))"] * 2 if "unlike" in options else []
    found = evaluate(gold, gold[:2] + system, analysis=True, **options).analysis()
    assert [(one.cause, one.times) for one in found.causes] == [("no counterpart", 2 + len(system))]


@pytest.mark.parametrize(
    ("kind", "was", "label", "above", "parts", "cause"),
    [
        # A conjunction inside a run says nothing of where the run hangs; at an end of it, it does.
        ("move", "NP", "NP", "X", "NN* CC* NN*", "NP-internal structure"),
        ("move", "NP", "NP", "X", "CC* NN*", "coordination"),
        ("move", "NP", "NP", "X", "NN* CC*", "coordination"),
        ("move", "NP", "X", "X", "NN* CC* NN*", "coordination"),
        ("add", "NP", "NP", "NP", "NP NN*", "NP-internal structure"),
        ("add", "NP", "NP", "NP", "NP ADJP", "NP-internal structure"),
        ("add", "NP", "NP", "NP", "NP PP", "PP attachment"),
        # Only words make a boundary; phrases are attached to the noun.
        ("add", "NP", "NP", "VP", "NP NN*", "NP boundary"),
        ("add", "NP", "NP", "VP", "NP X", "other"),
        ("add", "NP", "NP", "VP", "NP PP SBAR", "PP attachment"),
        ("add", "NP", "NP", "VP", "NN* PP", "PP attachment"),
        ("move", "NP", "VP", "X", "NN* PP", "PP attachment"),
        ("add", "ADJP", "ADJP", "VP", "RB* SBAR", "clause attachment"),
        ("add", "ADJP", "ADJP", "VP", "RB* RB*", "modifier attachment"),
        # A verb has arguments; adjuncts and coordinated phrases are attached to it.
        ("add", "VP", "VP", "X", "VB* PP", "PP attachment"),
        ("add", "VP", "VP", "X", "VB* NP PP", "verb arguments"),
        ("move", "VP", "X", "X", "PP ADJP", "PP attachment"),
        ("move", "VP", "X", "X", "ADJP PP", "modifier attachment"),
        ("move", "VP", "X", "X", "VP CC* VP", "VP attachment"),
        ("move", "VP", "X", "X", ",* CC* VP", "coordination"),
        ("add", "X", "X", "X", ",* NP", "unary"),
        ("add", "NP", "NP", "VP", "X X", "other"),
        ("add", "X", "X", "X", "NP NP", "other"),
        ("move", "X", "X", "X", "NN* NN*", "other"),
        ("move", "NP", "X", "X", "NN* AA*", "other"),
        ("move", "X", "NP", "X", "NN* AA*", "other"),
        # What comes first in a run of several kinds.
        ("move", "X", "X", "X", "PP NP", "PP attachment"),
        ("move", "X", "X", "X", "NP PP", "NP attachment"),
        ("move", "X", "X", "X", "VP PP", "VP attachment"),
        ("move", "X", "X", "X", "SBAR PP", "clause attachment"),
        ("move", "X", "X", "X", "IN* NP", "PP attachment"),
        ("move", "X", "X", "X", "IN* SBAR", "clause attachment"),
        ("add", "S", "S", "X", "VP X", "clause structure"),
        ("add", "S", "S", "X", "NP X", "clause structure"),
        ("add", "PP", "PP", "X", "IN* NP", "PP structure"),
        ("add", "PP", "PP", "X", "NP NP", "PP structure"),
    ],
)
def test_a_step_by_hand(kind, was, label, above, parts, cause):
    """A star marks a word; ``X`` and ``AA`` are in no class."""
    run = tuple(Child(part.rstrip("*"), part.endswith("*")) for part in parts.split())
    step = Step(kind, label, was, above, run)
    assert cause_of(step, parse_classes(CLASSES_BY_HAND)) == cause


# -- label classes ------------------------------------------------------------


def test_german_and_korean():
    gold = "(S (NP (ART a) (NN b)) (VP (VVPP c)) (AVP (ADV d) (ADV e)))"
    system = "(S (NP (ART a) (NN b)) (VP (VVPP c) (AVP (ADV d) (ADV e))))"
    assert causes(gold, system, load_classes("tiger")) == [("modifier attachment", 2)]
    assert causes(gold, system, load_classes(lang="de")) == [("modifier attachment", 2)]
    gold = "(S (NP_SBJ (NNG+JKS a) (NNG b)) (NP_OBJ (NP (NNG c)) (NP (NNG d))) (VP (VV+EF e)))"
    system = "(S (NP_SBJ (NNG+JKS a) (NNG b)) (NP (NNG c)) (NP (NNG d)) (VP (VV+EF e)))"
    # A compound of two nouns; the label is not cut at _, as it is in no treebank's figures.
    assert causes(gold, system, load_classes("sejong")) == [("NP attachment", 1)]


@pytest.mark.parametrize("name", tables())
def test_tables_that_come_with_the_package(name):
    classes = load_classes(name)
    assert {classes.of(label) for label in ("NP", "VP", "S")} == {"noun", "verb", "clause"}


def test_without_a_table_that_knows_the_labels_what_moves_is_other():
    classes = parse_classes(["noun N"])
    gold, system, _ = EXAMPLES["PP attachment"][2]
    assert causes(gold, system, classes) == [("other", 2)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["phrase NP"], f"t:1: got the class 'phrase'; expected one of {', '.join(CLASSES)}"),
        (
            ["# x", "noun"],
            "t:2: the class 'noun' without labels; expected labels after it, separated by blanks",
        ),
        (
            ["noun NP X", "verb VP X"],
            "t:2: 'X' in the class 'verb', and in 'noun' in line 1; "
            "expected one class per label (a second one only if it is coordination)",
        ),
        (
            ["verb VP", "noun NP VP"],
            "t:2: 'VP' in the class 'noun', and in 'verb' in line 1; "
            "expected one class per label (a second one only if it is coordination)",
        ),
        ([], "no class in t; expected lines such as 'noun NP NN'"),
    ],
)
def test_wrong_tables(lines, message):
    with pytest.raises(JpevalbError) as error:
        parse_classes(lines, "t")
    assert str(error.value) == message


def test_a_table_in_a_file(tmp_path, capsys):
    gold, system, _ = EXAMPLES["PP attachment"][0]
    for name, text in (("gold", gold), ("sys", system), ("mine", "noun NP\npreposition XP PP\n")):
        (tmp_path / name).write_text(text + "\n")
    call = [str(tmp_path / "gold"), str(tmp_path / "sys"), "--quiet", "--analysis", "--metrics", "brackets"]
    assert main([*call, "--error-classes", str(tmp_path / "mine")]) == 0
    shown = capsys.readouterr().out
    assert ["PP", "attachment", "1", "1", "100.00", "100.00"] in [line.split() for line in shown.splitlines()]
    assert " error-classes:mine#" in shown.splitlines()[-1]
    assert main([*call, "--error-classes", "tiger"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" error-classes:tiger")
    assert main([*call, "--error-classes", str(tmp_path / "none")]) == 1
    assert (
        "cannot read the table of error classes: No such file or directory; expected a file, or one of ptb"
        in capsys.readouterr().err
    )
    (tmp_path / "mine").write_bytes(b"noun N\xff\n")
    assert main([*call, "--error-classes", str(tmp_path / "mine")]) == 1
    assert capsys.readouterr().err == (
        f"jpevalb: {tmp_path / 'mine'}:1: byte 0xff is not UTF-8; save the table of error classes as UTF-8\n"
    )


# -- counts -------------------------------------------------------------------


def test_f1_if_corrected():
    # 4 gold, 5 system, 3 matched; a cause with one extra: 2 * 3 / (4 + 4).
    brackets = BracketCounts(1, 4, 5, 3)
    assert CauseCount(1, 0, 1).corrected_f1(brackets) == 6 / 8
    assert CauseCount(1, 1, 0).corrected_f1(brackets) == 8 / 10
    assert CauseCount(2, 1, 2).corrected_f1(brackets) == 1.0
    assert CauseCount().corrected_f1(BracketCounts()) is None


@pytest.mark.parametrize(
    ("gold", "system", "node"),
    [
        ("(S (NP (NN a)) (VP (VB b) (RB c)))", "(S (NP (NN a)) (VP (VB b)) (RB c))", 5),
        ("(S (VP (RB a) (VB b)) (NP (NN c)))", "(S (RB a) (VP (VB b)) (NP (NN c)))", 1),
    ],
)
def test_a_word_that_moves_has_its_preterminal(gold, system, node):
    (correction,) = evaluate([gold], [system], metrics="brackets").sentences[0].corrections()
    assert (correction.cause, correction.step.kind, correction.nodes) == (
        "modifier attachment",
        "move",
        (node,),
    )


def test_words_that_are_spelled_otherwise_change_no_correction(monkeypatch):
    """Units with one word of each side are corrected as equal words are, part by part."""
    tree, other = "(S (NP (NN {0})) (VP (VB b) (RB c)))", "(S (NP (NN {0})) (VP (VB b)) (RB c))"
    # The whole tree, of six constituents over three words, is too large for a move; the part below S is not.
    monkeypatch.setattr(corrections, "MOST_BITS", 17)
    expected = [("modifier attachment", 2)]
    assert causes(tree.format("colour"), other.format("colour")) == expected
    assert causes(tree.format("colour"), other.format("color")) == expected


def test_unlabelled_and_equal_labels():
    gold, system = "(S (NP (NN a) (NN b)) (VP (VB c)))", "(S (X (NN a) (NN b)) (VP (VB c)))"
    assert causes(gold, system, unlabeled=True) == []
    gold, system, _ = EXAMPLES["PP attachment"][2]
    assert causes(gold, system.replace("(VP", "(Y"), unlabeled=True) == [("PP attachment", 2)]
    # What is equal to brackets is equal where a run moves.
    gold, system = "(S (ADVP (RB a) (RB b)) (NN c) (FW d))", "(S (PRT (RB a) (RB b) (NN c)) (FW d))"
    assert causes(gold, system, prm="COLLINS") == [("other", 2)]
    assert causes(gold, system) == [("modifier attachment", 1), ("other", 1)]


def test_sentences_with_gaps():
    results = gapped.evaluated().sentences
    found = [result.corrections() for result in results]
    for result, made in zip(results, found):
        named = sorted(str(item) for correction in made for item in (*correction.missed, *correction.extra))
        assert named == sorted(str(item) for item in (*result.missed, *result.extra))
    assert found[0] == []
    assert [correction.cause for correction in found[2]] == ["NP boundary"]
