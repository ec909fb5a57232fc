"""The lines of the summary, each with all its blanks."""

from __future__ import annotations

import pytest

import jpevalb
from jpevalb.report.text import summary_lines

TREE = "(S (NP (D a) (N b)) (V c))"
OTHERS = ["(S (N d))", "(S (N e) (V f))"]


def summary(gold, system, **options):
    return summary_lines(jpevalb.evaluate(gold, system, **options))


@pytest.mark.parametrize(
    ("gold", "system", "lines"),
    [
        (
            [TREE],
            ["(S (NP (N ab)) (V c))"],
            [
                "Sentences                 =      1        1",
                "Words                     =      3        3   2 of the system",
            ],
        ),
        (
            [TREE],
            [TREE],
            [
                "Sentences                 =      1        1   words and sentence boundaries agree",
                "Words                     =      3        3",
            ],
        ),
        (
            [TREE],
            ["(S (NP (D a) (N b)) (V (V c) (V d)))"],
            [
                "Sentences                 =      1        1",
                "Words                     =      3        3   4 of the system",
            ],
        ),
        (
            [TREE, *OTHERS],
            ["(S (NP (D a) (N b)) (V c) (N d))", OTHERS[1]],
            [
                "Sentences                 =      3        3   2 of the system: 1 one to one, 1 joined",
                "Words                     =      6        6",
            ],
        ),
    ],
)
def test_the_sizes_name_what_differs(gold, system, lines):
    assert summary(gold, system)[1:3] == lines


def test_words_are_only_counted_without_the_metric_of_words():
    lines = summary([TREE], ["(S (NP (N ab)) (V c))"], metrics=["brackets", "tags"])
    assert lines[2] == "Words                     =      3        3"


def test_a_table_has_its_heads_above_its_columns():
    assert summary([TREE], ["(S (NP (N ab)) (V c))"])[-5:] == [
        "",
        "-- Words and sentences --      recall  precision         F1",
        "Tokens                    =     33.33      50.00      40.00",
        "Sentence boundaries       =    100.00     100.00     100.00",
        "Strict brackets           =    100.00     100.00     100.00"
        "   (brackets that begin and end with the same tokens)",
    ]


def test_broken_answers_have_a_line_if_there_are_any():
    answers = [TREE, TREE[:-1]]
    assert summary([TREE], answers[:1], sys_format="answers")[1:3] == [
        "Usable answers            = 100.00   100.00   1 of 1",
        "F1 as written             = 100.00   100.00",
    ]
    assert summary([TREE, TREE], answers, sys_format="answers")[1:4] == [
        "Usable answers            =  50.00    50.00   1 of 2",
        "Broken answers            =      1        1   1 unclosed",
        "F1 as written             =  66.67    66.67",
    ]


def test_a_count_that_short_sentences_lack_is_0_there():
    trees = ["(S (VP (V 0=a) (N 2=c)) (D 1=b))", "(S (V 0=a) (D 1=b))"]
    lines = summary(trees, trees, metrics=["tedeval"], cutoff=2, format="discbracket")
    assert "Without TedEval           =      1       0" in lines


def test_a_summary_has_heads_and_the_figures_by_which_systems_are_compared():
    assert summary([TREE], [TREE]) == [
        "=== Summary ===                All  len<=40",
        "Sentences                 =      1        1   words and sentence boundaries agree",
        "Words                     =      3        3",
        "Bracketing Recall         = 100.00   100.00",
        "Bracketing Precision      = 100.00   100.00",
        "Bracketing FMeasure       = 100.00   100.00",
        "Sentence-mean F1          = 100.00   100.00",
        "Complete match            = 100.00   100.00",
        "Average crossing          =   0.00     0.00",
        "Tagging accuracy          = 100.00   100.00",
        "Struct-IoU, sentence mean = 1.0000   1.0000",
        "Tree node accuracy        = 100.00   100.00",
    ]


def test_a_metric_that_was_asked_for_has_all_its_rates_and_no_count_of_0():
    assert summary([TREE], [TREE], metrics=["tedeval"])[-2:] == [
        "TedEval, sentence mean    = 100.00   100.00",
        "TedEval, global           = 100.00   100.00",
    ]


def test_notes_are_about_all_sentences_not_the_short_ones():
    answers = [TREE, TREE[:-1]]
    assert summary([TREE, TREE], answers, sys_format="answers", cutoff=2)[1:4] == [
        "Usable answers            =  50.00       -   1 of 2",
        "Broken answers            =      1       0   1 unclosed",
        "F1 as written             =  66.67       -",
    ]
    refusal = summary([TREE, TREE], [TREE, "No tree."], sys_format="answers", cutoff=2)[2]
    assert refusal == "Broken answers            =      1       0   1 no tree"
    systems = ["(S (NP (D a) (N b)) (V c) (N d))", OTHERS[1]]
    assert summary([TREE, *OTHERS], systems, cutoff=2)[1] == (
        "Sentences                 =      3       1   2 of the system: 1 one to one, 1 joined"
    )


def test_kinds_of_beads_are_named_if_the_numbers_of_sentences_agree():
    systems = ["(S (NP (D a) (N b)) (V c) (N d))", "(S (N e))", "(S (V f))"]
    assert summary([TREE, *OTHERS], systems)[1] == (
        "Sentences                 =      3        3   3 of the system: 1 joined, 1 split"
    )
