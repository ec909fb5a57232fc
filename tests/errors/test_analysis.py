"""Error analysis: worked examples, and a slow oracle on random trees."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.cli import main
from jpevalb.errors.analysis import (
    CAUSES_GROUP,
    Analysis,
    AnalysisCounts,
    CauseCount,
    analyse,
    f1_class,
    length_class,
)
from jpevalb.metrics import LENGTHS_GROUP, metric_of
from jpevalb.metrics.brackets import BracketCounts
from jpevalb.metrics.labels import LabelCount, LabelCounts
from jpevalb.score.run import Run
from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from tests.support.commands import without_hints
from tests.support.files import write_files
from tests.support.random_trees import trees

FAST = ("brackets", "tags")
EQUAL = Params(eq_labels=(("NP", "X"), ("VP", "PP"), ("PP", "S")))
GOLD = [
    "(TOP (S (NP (PRP I)) (VP (VBP eat) (NP (NN fish)) (PP (IN with) (NP (NNS forks))))))",
    "(TOP (S (NP (NN time)) (VP (VBZ flies) (ADVP (RB fast)))))",
    "(TOP (S (NP (NN rain)) (VP (VBZ falls))))",
]
SYSTEM = [
    "(TOP (S (NP (PRP I)) (VP (VBP eat) (NP (NP (NN fish)) (PP (IN with) (NP (NNS forks)))))))",
    "(TOP (S (NP (NN time)) (VP (VBZ flies) (ADJP (RB fast)))))",
    "(TOP (S (NP (NN rain)) (VP (VBZ falls))))",
]


def analysis_of(gold, system, **options):
    return analyse(evaluate(gold, system, metrics=FAST, **options).sentences)


# -- worked examples ----------------------------------------------------------


def test_confusions():
    found = analysis_of(GOLD * 2, SYSTEM * 2)
    assert [(item.gold, item.system, item.count, item.sentences) for item in found.confusions] == [
        ("ADVP", "ADJP", 2, (2, 5))
    ]


def test_confusions_over_one_span_pair_up_in_preorder():
    gold = ["(S (A (B (T a))) (T b))"]
    system = ["(S (C (D (T a))) (T b))"]
    found = analysis_of(gold, system)
    assert [(item.gold, item.system) for item in found.confusions] == [("A", "C"), ("B", "D")]


def test_most_frequent_confusion_first_then_by_label():
    gold = ["(S (B (T a)) (T b))", "(S (A (T a)) (T c))", "(S (C (T a)) (T d))", "(S (C (T a)) (T e))"]
    system = [tree.replace("(B", "(X").replace("(A", "(X").replace("(C", "(X") for tree in gold]
    found = analysis_of(gold, system)
    assert [(item.gold, item.count) for item in found.confusions] == [("C", 2), ("A", 1), ("B", 1)]


def test_labels():
    found = analysis_of(GOLD, SYSTEM)
    table = {item.label: item for item in found.labels}
    assert [item.label for item in found.labels] == ["NP", "S", "VP", "ADVP", "PP", "ADJP"]
    assert (table["NP"].counts.gold, table["NP"].counts.system, table["NP"].missed, table["NP"].extra) == (
        5,
        6,
        0,
        1,
    )
    assert table["NP"].extra_in == (1,)
    assert (table["ADVP"].missed, table["ADVP"].missed_in, table["ADVP"].extra) == (1, (2,), 0)
    assert (table["ADJP"].missed, table["ADJP"].extra, table["ADJP"].extra_in) == (0, 1, (2,))


@pytest.mark.parametrize(
    ("counts", "f1"),
    [
        ((0, 0, 0, 0), None),
        ((4, 6, 2, 2), 4 / 10),
        # Where labels are equated as many are not matched on either side: the mean of two rates.
        ((4, 2, 2, 1), 0.5),
        ((4, 4, 2, 1), 2 * 0.5 * 0.25 / 0.75),
        ((4, 4, 0, 1), 0.0),
        ((0, 2, 0, 1), 0.0),
        ((2, 0, 1, 0), 0.0),
    ],
)
def test_f1_of_a_label(counts, f1):
    assert LabelCount(*counts).f1 == f1
    assert (LabelCount(7, 9, 2, 3).missed, LabelCount(7, 9, 2, 3).extra) == (5, 6)


def test_counts_of_labels_by_hand():
    gold, system = "(S (A (T a) (T b)) (B (T c)) (C (T d)))", "(S (X (T a) (T b)) (D (T c)) (E (C (T d))))"
    params = Params(eq_labels=(("A", "X"),))
    found = evaluate([gold], [system], metrics="brackets", by_label=True, prm=params).total["labels"]
    assert found.labels == {
        "S": LabelCount(1, 1, 1, 1),
        "A": LabelCount(1, 0, 1, 0),
        "X": LabelCount(0, 1, 0, 1),
        "B": LabelCount(1, 0, 0, 0),
        "C": LabelCount(1, 1, 1, 1),
        "D": LabelCount(0, 1, 0, 0),
        "E": LabelCount(0, 1, 0, 0),
    }
    assert found.confused == {("B", "D"): 1}
    many = LabelCounts({}, {("A", "Y"): 1, ("A", "X"): 1, ("A", "Z"): 3, ("B", "A"): 2})
    assert many.all_confusions() == {"A": [("Z", 3), ("X", 1), ("Y", 1)], "B": [("A", 2)]}


def test_causes():
    found = analysis_of(GOLD, SYSTEM)
    assert [(item.cause, item.times, item.counts.missed, item.counts.extra) for item in found.causes] == [
        ("different label", 1, 1, 1),
        ("PP attachment", 1, 0, 1),
    ]
    assert [item.sentences for item in found.causes] == [(2,), (1,)]
    # 13 gold and 14 system constituents, 12 of them matched.
    assert [item.share for item in found.causes] == [2 / 3, 1 / 3]
    assert [item.corrected_f1 for item in found.causes] == [2 * 13 / 27, 2 * 12 / 26]


def test_causes_with_most_brackets_come_first_then_those_with_most_corrections_then_by_name():
    counts = {
        "coordination": CauseCount(1, 1, 1),
        "unary": CauseCount(2, 2, 0),
        "other": CauseCount(2, 1, 1),
        "punctuation": CauseCount(1, 2, 1),
    }
    found = Analysis.of(AnalysisCounts(causes=counts, lengths={0: BracketCounts(1, 9, 9, 3)}))
    assert [item.cause for item in found.causes] == ["punctuation", "other", "unary", "coordination"]


def test_the_cost_of_a_cause_in_a_comparison():
    """Its bracket errors over the 13 gold and 14 system constituents: over all causes 1 - F1."""
    total = evaluate(GOLD, SYSTEM, metrics=FAST, analysis=True).total
    figures = {
        figure.title: figure for figure in metric_of("analysis").figures if figure.group == CAUSES_GROUP
    }
    counts = {cause: figure.counts(total["analysis"]) for cause, figure in figures.items()}
    assert counts.pop("different label") == (2, 27)
    assert counts.pop("PP attachment") == (1, 27)
    assert set(counts.values()) == {(0, 27)}
    assert sum(figure.value(total["analysis"]) for figure in figures.values()) == pytest.approx(
        1 - total.brackets.f1
    )
    # A system with fewer errors of a cause is the better one.
    assert not any(figure.larger_is_better for figure in figures.values())


def test_f1_by_length_in_a_comparison():
    total = evaluate(GOLD, SYSTEM, metrics=FAST, analysis=True).total["analysis"]
    figures = [one for one in metric_of("analysis").figures if one.group == LENGTHS_GROUP]
    assert [figure.title for figure in figures][::6] == ["1-10", "61+"]
    assert [figure.value(total) for figure in figures if figure.shown(total)] == [24 / 27]


def test_causes_are_seen_through_the_word_alignment():
    gold = ["(S (NP (PRP I)) (VP (MD ca) (RB n't) (VP (VB go) (NP (NN home)) (ADVP (RB now)))))"]
    system = ["(S (NP (PRP I)) (VP (MD cannot) (VP (VB go) (NP (NP (NN home)) (ADVP (RB now))))))"]
    found = analysis_of(gold, system)
    assert [(item.cause, item.brackets) for item in found.causes] == [("modifier attachment", 1)]


def test_trees_without_tags_that_end_in_a_constituent():
    found = analysis_of(["(S a (VP b (NP c d)))"], ["(S a b (NP c d))"])
    assert [(item.cause, item.brackets) for item in found.causes] == [("other", 1)]
    found = analysis_of(["(X a b)"], ["(Y a b)"])  # nothing matches
    assert [item.cause for item in found.causes] == ["different label"]


def test_score_by_length():
    def tree(n):
        return f"(S {' '.join(f'(T w{i})' for i in range(n))})"

    sizes = (1, 10, 11, 35, 60, 61, 200)
    found = analysis_of([tree(n) for n in sizes], [tree(n) for n in sizes])
    assert [(item.shortest, item.longest, item.sentences) for item in found.lengths] == [
        (1, 10, (1, 2)),
        (11, 20, (3,)),
        (21, 30, ()),
        (31, 40, (4,)),
        (41, 50, ()),
        (51, 60, (5,)),
        (61, None, (6, 7)),
    ]
    assert found.lengths[2].brackets.f1 is None
    assert found.lengths[0].brackets.f1 == 1.0


@pytest.mark.parametrize(
    ("gold", "system", "matched", "place"),
    [
        (1, 1, 1, 20),
        (20, 20, 19, 19),
        (20, 20, 20, 20),
        (10, 10, 5, 10),
        (999, 1000, 999, 19),
        (1, 39, 1, 1),
        (1, 40, 1, 0),
        (3, 0, 0, 0),
        (0, 0, 0, None),
    ],
)
def test_classes_of_f1_are_exact(gold, system, matched, place):
    assert f1_class(BracketCounts(1, gold, system, matched)) == place


@pytest.mark.parametrize(
    ("length", "place"), [(0, 0), (1, 0), (10, 0), (11, 1), (60, 5), (61, 6), (10**6, 6)]
)
def test_classes_of_length(length, place):
    assert length_class(length) == place


def test_nothing_to_analyse():
    found = analyse([])
    assert (found.labels, found.confusions, found.causes, found.lengths) == ((),) * 4
    assert (found.without_f1, found.without_f1_in) == (0, ())
    assert {(item.count, item.sentences) for item in found.f1} == {(0, ())}
    assert [item["sentences"] for item in found.to_dict()["f1"]] == [0] * 21


def test_sentences_without_constituents_have_no_f1():
    found = analysis_of(["(TOP (T a))", "(S (T a))"], ["(TOP (T a))", "(S (T a))"])
    assert (found.without_f1, found.without_f1_in) == (1, (1,))
    assert (found.f1[20].count, found.f1[20].sentences) == (1, (2,))
    assert (found.f1[20].low, found.f1[20].high, found.f1[19].low, found.f1[19].high) == (1, 1, 0.95, 1)


def test_to_dict_has_the_counts():
    found = json.loads(json.dumps(analysis_of(GOLD, SYSTEM).to_dict()))
    assert found["confusions"] == [{"gold": "ADVP", "system": "ADJP", "count": 1}]
    assert found["causes"]["PP attachment"] == {
        "times": 1,
        "missed": 0,
        "extra": 1,
        "brackets": 1,
        "share": 1 / 3,
        "corrected_f1": 24 / 26,
    }
    assert found["labels"]["NP"]["extra"] == 1
    assert found["lengths"][0]["gold"] == 13
    assert sum(item["sentences"] for item in found["f1"]) == 3


# -- as sums, and in reports ---------------------------------------------------


def test_the_sums_say_the_same_as_the_sentences():
    kept = evaluate(GOLD * 100, SYSTEM * 100, metrics=FAST, analysis=True)
    looked = evaluate(GOLD * 100, SYSTEM * 100, metrics=FAST).analysis()
    assert kept.analysis() == looked
    run = Run(GOLD * 100, SYSTEM * 100, Settings(metrics=FAST, analysis=True))
    for _ in run:
        pass
    streamed = run.evaluation()
    assert streamed.sentences == ()
    found = streamed.analysis()
    assert found.to_dict() == looked.to_dict()
    assert {item.sentences for item in found.confusions} == {()}
    assert looked.confusions[0].sentences[:3] == (2, 5, 8)
    assert looked.confusions[0].count == 100


def test_halves_add_up():
    halves = [evaluate(GOLD[:2], SYSTEM[:2], analysis=True), evaluate(GOLD[2:], SYSTEM[2:], analysis=True)]
    whole = evaluate(GOLD, SYSTEM, analysis=True)
    assert halves[0].total["analysis"] + halves[1].total["analysis"] == whole.total["analysis"]
    assert whole.total["analysis"] + AnalysisCounts.zero() == whole.total["analysis"]
    assert Analysis.of(whole.total["analysis"]).to_dict() == whole.analysis().to_dict()


def test_without_sentences_and_sums_there_is_nothing_to_analyse():
    run = Run(GOLD, SYSTEM, Settings(metrics=FAST))
    for _ in run:
        pass
    with pytest.raises(SettingsError, match=r"^the sentences were not kept; evaluate with analysis=True"):
        run.evaluation().analysis()


TEXT = """
-- Causes: what errors come from, and F1 without them --
Cause           times brackets % of errors F1 if corrected
different label     1        2       66.67           96.30
PP attachment       1        1       33.33           92.31

-- Labels --
Label gold system matched missed extra  Recal  Prec. FMeas.
NP       5      6       5      0     1 100.00  83.33  90.91
S        3      3       3      0     0 100.00 100.00 100.00
VP       3      3       3      0     0 100.00 100.00 100.00
ADVP     1      0       0      1     0   0.00      -   0.00
PP       1      1       1      0     0 100.00 100.00 100.00
ADJP     0      1       0      0     1      -   0.00   0.00

-- Confusions: the same words, another label --
count gold system
    1 ADVP ADJP

-- Length of the sentence --
Length sentences gold system matched  Recal  Prec. FMeas.
1-10           3   13     14      12  92.31  85.71  88.89

F1 88.89   up to 40 words 88.89
# signature: jpevalb:0.1.0 convention:jpevalb prm:none lang:en
"""


@pytest.fixture
def files(tmp_path):
    write_files(tmp_path, {"gold": GOLD, "sys": SYSTEM})
    return [str(tmp_path / "gold"), str(tmp_path / "sys"), "--metrics", "brackets,tags"]


@pytest.mark.parametrize("also", [[], ["--by-label"], ["--quiet"]])
def test_text_to_the_letter(files, capsys, also):
    assert main([*files, "--analysis", *also]) == 0
    shown = without_hints(capsys.readouterr().out)
    assert shown[shown.index("\n-- Causes") :] == TEXT
    assert shown.startswith("=== Summary") is ("--quiet" in also)


def test_the_library_s_text_is_the_same(files):
    shown = evaluate(*files[:2], metrics=FAST, analysis=True).report()
    assert shown[shown.index("\n-- Causes") :] == TEXT


def test_no_errors():
    shown = evaluate(GOLD[:1], GOLD[:1], metrics=FAST, analysis=True).report()
    assert "without them --\nnone\n\n-- Labels" in shown
    assert "another label --\nnone\n\n-- Length" in shown


def test_long_tables_mention_hidden_rows():
    gold = [f"(S (A{i} (T a)) (T b))" for i in range(23)] * 2
    system = [f"(S (B{i} (T a)) (T b))" for i in range(23)] * 2
    result = evaluate(gold, system, metrics=FAST, analysis=True)
    shown = result.report().split("-- Confusions")[1].split("--")[1].split("\nF1")[0].rstrip()
    assert shown.splitlines()[-1] == "# and 3 more kinds, 6 constituents"
    assert len(shown.splitlines()) == 23
    assert "\n- confusions: and 3 more kinds, 6 constituents\n" in result.report("markdown")
    assert "\n% confusions: and 3 more kinds, 6 constituents\n" in result.report("latex")
    assert len(json.loads(result.report("json"))["total"]["analysis"]["confusions"]) == 23


@pytest.mark.parametrize("option", ["by_label", "analysis"])
def test_labels_cannot_steer_a_terminal(option):
    label = "N\x1b[31mP\u202e"
    tree = f"(S ({label} (T a)) (T b))"
    shown = evaluate([tree], ["(S (X (T a)) (T b))"], metrics=FAST, **{option: True}).report()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\nN\\x1b[31mP\\u202e    1 " in shown


def test_labels_of_wide_letters_are_aligned():
    shown = evaluate(["(절 (명사구 (N 개)) (V 가))"], ["(절 (명사구 (N 개)) (V 가))"], by_label=True).report()
    lines = shown.split("-- Labels --\n")[1].splitlines()[:3]
    # A Korean syllable takes two columns.
    assert lines[1:] == [
        "명사구    1      1       1      0     0 100.00 100.00 100.00",
        "절        1      1       1      0     0 100.00 100.00 100.00",
    ]


def test_tables_of_markdown_and_latex():
    result = evaluate(GOLD, SYSTEM, metrics=FAST, analysis=True)
    titles = [line for line in result.report("markdown").splitlines() if line.startswith("## ")]
    assert titles[2:] == ["## Causes", "## Labels", "## Confusions", "## Length of the sentence"]
    rows = [" ".join(line.split()) for line in result.report("markdown").splitlines()]
    assert "| ADVP | ADJP | 1 |" in rows
    assert "| PP attachment | 1 | 1 | 33.33 | 92.31 |" in rows
    assert "| 1-10 | 3 | 13 | 14 | 12 | 92.31 | 85.71 | 88.89 |" in rows
    assert result.report("latex").count(r"\toprule") == 8


# -- properties -----------------------------------------------------------------

WORDS = st.sampled_from(["a", "b", "c"])


@st.composite
def corpora(draw):
    """Pairs of random trees over the same words, and some over different ones."""
    pairs = []
    for _ in range(draw(st.integers(1, 4))):
        gold = draw(trees(words=WORDS, continuous=True))
        system = draw(
            trees(words=WORDS, continuous=True, min_words=len(gold.words), max_words=len(gold.words))
        )
        if draw(st.booleans()):
            system = type(system)(
                system.labels, system.parents, system.starts, system.ends, gold.words, system.word_parents
            )
        pairs.append((gold, system))
    return [gold for gold, _ in pairs], [system for _, system in pairs]


@given(corpora())
@settings(max_examples=100)
def test_agrees_with_the_plain_reading(corpus):
    evaluation = evaluate(*corpus, metrics=FAST)
    found = analyse(evaluation.sentences)
    brackets = evaluation.total.brackets
    assert sum(item.counts.gold for item in found.labels) == brackets.gold
    assert sum(item.missed for item in found.labels) == brackets.gold - brackets.matched
    assert sum(item.extra for item in found.labels) == brackets.system - brackets.matched
    assert BracketCounts.sum([item.brackets for item in found.lengths]) == brackets
    numbers = [number for item in found.f1 for number in item.sentences]
    numbers += found.without_f1_in
    assert [item.count for item in found.f1] == [len(item.sentences) for item in found.f1]
    assert sorted(numbers) == [sentence.number for sentence in evaluation.sentences]
    # Over one span as many are confused as the smaller side has left.
    over = 0
    for sentence in evaluation.sentences:
        missed = Counter((item.start, item.end) for item in sentence.missed)
        extra = Counter((item.start, item.end) for item in sentence.extra)
        over += (missed & extra).total()
    assert sum(item.count for item in found.confusions) == over


@pytest.mark.slow
@given(corpora(), st.sampled_from([{}, {"unlabeled": True}, {"prm": EQUAL}]))
@settings(max_examples=100)
def test_causes_explain_every_error(corpus, options):
    evaluation = evaluate(*corpus, metrics=FAST, analysis=True, **options)
    brackets = evaluation.total.brackets
    causes = evaluation.total["analysis"].causes.values()
    assert sum(count.missed for count in causes) == brackets.gold - brackets.matched
    assert sum(count.extra for count in causes) == brackets.system - brackets.matched
    for sentence in evaluation.sentences:
        corrections = sentence.corrections()
        assert sorted(item for correction in corrections for item in correction.missed) == sorted(
            sentence.missed
        )
        assert Counter(item.node for correction in corrections for item in correction.extra) == Counter(
            item.node for item in sentence.extra
        )
        nodes = {node for correction in corrections for node in correction.nodes}
        assert nodes <= set(range(len(sentence.system)))
    shares = [item.share for item in Analysis.of(evaluation.total["analysis"]).causes]
    assert not shares or sum(shares) == pytest.approx(1)


@given(st.lists(trees(continuous=True, tagged=False), min_size=1, max_size=3))
@settings(max_examples=60)
def test_a_treebank_against_itself_has_no_errors(treebank):
    found = analyse(evaluate(treebank, treebank, metrics=FAST).sentences)
    assert found.confusions == found.causes == ()
    assert all(item.missed == item.extra == 0 for item in found.labels)
    assert not any(item.count for item in found.f1[:20])


def test_a_sentence_in_json_has_its_own_errors():
    content = json.loads(evaluate(GOLD, SYSTEM, metrics=FAST, analysis=True).report("json"))
    found = [sentence["analysis"] for sentence in content["sentences"]]
    assert [list(item) for item in found] == [list(content["total"]["analysis"])] * 3
    assert [item["confusions"] for item in found] == [
        [],
        [{"gold": "ADVP", "system": "ADJP", "count": 1}],
        [],
    ]
    assert [list(item["causes"]) for item in found] == [["PP attachment"], ["different label"], []]
    assert list(content["total"]["analysis"])[3:] == ["lengths", "f1", "without_f1", "gaps"]


def test_constituents_with_gaps_by_label():
    gold = [
        "(S (VP 0=wake (RP 2=up)) (NP 1=me))",
        "(S (VP 0=wake (RP 2=up)) (NP 1=me))",
        "(S (VP (NP 0=a (X 2=b)) 4=c) (V 1=d 3=e))",
    ]
    system = [gold[0], "(S (VP 0=wake) (NP 1=me (RP 2=up)))", gold[2].replace("NP", "AP")]
    result = evaluate(gold, system, analysis=True)
    found = {item.label: item.counts for item in result.analysis().gaps}
    assert {label: (count.gold, count.system, count.matched) for label, count in found.items()} == {
        "VP": (3, 2, 2), "NP": (1, 0, 0), "V": (1, 1, 1), "AP": (0, 1, 0),
    }  # fmt: skip
    assert [item.missed_in for item in result.analysis().gaps] == [(2,), (3,), (), ()]
    assert result.total["analysis"].gaps == found
    assert sum(count.matched for count in found.values()) == result.total.gaps.matched
    assert (
        "-- Constituents with gaps --\n"
        "Label gold system matched  Recal\n"
        "VP       3      2       2  66.67\n"
        "NP       1      0       0   0.00\n"
    ) in result.report("text")
    assert "Constituents with gaps" not in evaluate(GOLD, SYSTEM, analysis=True).report("text")


def test_struct_iou_of_sentences_whose_words_have_no_length(tmp_path):
    (tmp_path / "length.prm").write_text("DELETE_LABEL_FOR_LENGTH N\n")
    pair = ["(S (NP (N a) (N b)))"], ["(S (N a) (X (N b)))"]
    result = evaluate(*pair, analysis=True, prm=str(tmp_path / "length.prm"))
    counts = result.total["siou"]
    assert result.sentences[0].length == 0
    assert counts.of_lengths(1, 10).mean == counts.mean is not None
    assert counts.of_lengths(11, 20).mean is None


def test_struct_iou_by_length():
    gold = ["(S (NN a))", f"(S {'(NP (NN a) (NN b)) ' * 6})", f"(S {'(X (NN a)) ' * 12})", ""]
    system = ["(S (NN a))", f"(S {'(NP (NN a)) (NP (NN b)) ' * 6})", f"(S {'(X (NN a)) ' * 12})", ""]
    result = evaluate(gold, system, analysis=True, pair="order")
    long = [sentence.record["siou"].mean for sentence in result.sentences[1:3]]
    counts = result.total["siou"]
    assert counts.of_lengths(1, 10).mean == 1.0
    assert counts.of_lengths(11, 20).mean == counts.of_lengths(12, 12).mean == sum(long) / 2 < 1.0
    assert counts.of_lengths(21, None).mean is None
    text = result.report("text")
    assert " FMeas.  S-IoU\n" in text
    assert f" {sum(long) / 2:.4f}\n" in text
    assert not any("length" in name for name in result.total["siou"].to_dict())
    assert evaluate(gold, system).total["siou"].scores_by_length == {}
    assert "S-IoU" not in evaluate(gold, system, analysis=True, metrics="brackets").report("text")
