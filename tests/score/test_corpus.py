"""Evaluation of a corpus: worked examples, .prm files, properties, and evalb as an oracle."""

from __future__ import annotations

import io
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import assume, given, settings, strategies as st

from jpevalb import evaluate, legacy
from jpevalb.base.errors import JpevalbError, ParamsError, SettingsError, TreeError
from jpevalb.metrics.brackets import BracketCounts
from jpevalb.metrics.record import Record
from jpevalb.report import FORMATS
from jpevalb.score.run import Run
from jpevalb.settings.params import Params
from jpevalb.settings.rules import DUMMY_ROOT
from jpevalb.settings.settings import METRICS, Settings
from jpevalb.trees.tree import Tree
from tests.support.random_trees import trees
from tests.support.with_gaps import evaluate_with_gaps, spans_of, unreadable_in

CA = "(S (NP (PRP I)) (VP (MD ca) (RB n't) (VP (VB go))) (. .))"
CAN = "(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go))) (. .))"


def counts(gold, system, **options):
    total = evaluate(gold, system, **options).total
    return total.brackets.matched, total.brackets.gold, total.brackets.system


def said(items):
    return [str(item) for item in items]


# -- worked examples ----------------------------------------------------------


def test_hebrew_units():
    gold = "(S (X (T B) (T H) (T CL)) (Y (T FL) (T HM) (Z (T H) (T NEIM))))"
    system = "(S (X (T B) (T CL)) (Y (T FL) (T HM) (Z (T HNEIM))))"
    result = evaluate([gold], [system])
    assert [tuple(unit)[:2] for unit in result.sentences[0].units] == [(0, 1), (2, 3), (3, 4), (4, 5), (5, 7)]
    assert counts([gold], [system]) == (4, 4, 4)
    tags = result.total.tags
    assert (tags.correct, tags.gold, tags.system) == (4, 7, 5)


def test_the_root_of_merged_sentences_is_not_scored():
    result = evaluate(["(S (NN a))", "(S (NN b))"], ["(S (S (NN a)) (S (NN b)))"])
    sentence = result.sentences[0]
    assert sentence.bead.gold == (0, 2)
    assert sentence.gold.labels == (DUMMY_ROOT, "S", "NN", "S", "NN")
    assert said(sentence.extra) == ["S[0:2]"]
    assert counts(["(S (NN a))", "(S (NN b))"], ["(S (S (NN a)) (S (NN b)))"]) == (2, 2, 3)


def test_details_of_a_sentence():
    gold = "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mats))))))"
    system = "(TOP (S (NP (DT the)) (VP (NN cat) (VBD sat)) (NP (IN on) (NP (NN mats)))))"
    sentence = evaluate([gold], [system]).sentences[0]
    assert [f"{one}={other}" for one, other in sentence.matched] == ["S[0:5]=S[0:5]", "NP[4:5]=NP[4:5]"]
    assert said(sentence.missed) == ["NP[0:2]", "VP[2:5]", "PP[3:5]"]
    assert said(sentence.extra) == ["NP[0:1]", "VP[1:3]", "NP[3:5]"]
    assert said(sentence.crossing) == ["VP[1:3]"]
    assert [sentence.gold.labels[item.node] for item in sentence.missed] == ["NP-SBJ", "VP", "PP"]
    assert sentence.record.brackets.crossing == 1
    assert (sentence.number, sentence.bead.aligned) == (1, True)


def test_a_unary_chain_of_one_label_counts_each_time():
    assert counts(["(S (NP (NP (NP (NN a)))))"], ["(S (NP (NP (NN a))))"]) == (3, 4, 3)
    assert counts(["(NP (VP (NP (NN a))))"], ["(VP (NP (VP (NN a))))"]) == (2, 3, 3)


def test_an_empty_parse_misses_everything():
    for empty in ("(())", "", "(S)"):
        result = evaluate([CA, CA.replace("go", "stay")], [empty, CA.replace("go", "stay")])
        assert (result.total.brackets.matched, result.total.brackets.gold) == (4, 8)
        assert result.total["alignment"].kinds["no_parse"].groups == len(spans_of(result, "no parse")) == 1
        assert result.total.sentences.unaligned == len(spans_of(result, "unaligned")) == 0
        assert result.total.sentences.gold == result.total.sentences.system == 2


def test_an_empty_gold_sentence_is_unaligned():
    for pair in ("order", "align"):
        total = evaluate(["", CA], ["(S (A words))", CA], pair=pair).total.sentences
        assert (total.unaligned, total.gold_alone, total.system_alone) == (1, 0, 0)
        total = evaluate([CA, ""], [CA, "(S (A words))"], pair=pair, on_error="skip").total
        assert (total.sentences.unaligned, total.brackets.matched, total.brackets.system) == (1, 4, 5)
        total = evaluate([CA, "(S (A b))"], [CA], pair=pair).total.sentences
        assert (total.unaligned, total.gold_alone, total.system_alone) == (1, 1, 0)
        total = evaluate([CA], [CA, "(S (A b))"], pair=pair).total.sentences
        assert (total.unaligned, total.gold_alone, total.system_alone) == (1, 0, 1)


def test_words_without_tags_and_words_next_to_phrases():
    tree = "(NP the (AP very (JJ old)) cat)"
    result = evaluate([tree], [tree], tags="yes")
    assert counts([tree], [tree], tags="yes") == (2, 2, 2)
    assert (result.total.tags.correct, result.total.tags.gold) == (4, 4)


@pytest.mark.parametrize(
    ("gold", "system", "rates"),
    [
        (["(NN a)"], ["(NN a)"], (None, None, None, None, 1.0, 1.0)),
        (["(S (NN a))"], ["(NN a)"], (0.0, None, 0.0, 0.0, 0.0, 1.0)),
        (["(NN a)"], ["(S (NN a))"], (None, 0.0, 0.0, 0.0, 0.0, 1.0)),
        (["(S (NN a))"], ["(())"], (0.0, None, 0.0, 0.0, 0.0, 0.0)),
        (["(S (NN a))"], ["(X (NN a))"], (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
    ],
)
def test_rates_where_there_is_little_or_nothing(gold, system, rates):
    total = evaluate(gold, system).total
    counts = total.brackets
    assert (
        counts.recall,
        counts.precision,
        counts.f1,
        counts.sentence_f1,
        counts.complete_match,
        total.tags.accuracy,
    ) == rates


# -- .prm ---------------------------------------------------------------------


def test_deleted_words_are_removed_before_alignment():
    gold = ["(S (NP (NN a) (, ,)) (VP (VB b)) (. .))"]
    system = ["(S (NP (NN a)) (VP (VB b)))"]
    params = Params(delete_labels=(",", "."), delete_labels_for_length=(".",))
    result = evaluate(gold, system, prm=params)
    assert counts(gold, system, prm=params) == (3, 3, 3)
    assert result.sentences[0].record.sentences.length == 3  # the comma has a length, the full stop none
    assert result.total.tags.gold == 2


def test_words_without_length_that_are_not_deleted():
    params = Params(delete_labels_for_length=("X",))
    one = evaluate(["(S (X a) (NN b) (X c))"], ["(S (X a) (NN b) (X c))"], prm=params)
    assert one.total.sentences.length == 1
    joined = evaluate(["(S (X a) (NN b) (X c))"], ["(S (NN ab) (X c))"], prm=params)
    assert joined.total.sentences.length == 1


def test_equal_labels_and_words():
    params = Params(eq_labels=(("ADVP", "PRT"),), eq_words=(("colour", "color"), ("x", "quite")))
    gold = ["(S (ADVP (RB quite)) (NP (NN colour)))"]
    system = ["(S (PRT (RB x)) (NP (NN color)))"]
    result = evaluate(gold, system, prm=params)
    assert counts(gold, system, prm=params) == (3, 3, 3)
    assert len(result.sentences[0].units) == 2
    assert result.total.tags.correct == 2
    assert counts(gold, system) == (2, 3, 3)


def test_unlabeled_by_option_and_by_prm():
    gold, system = ["(S (NP (NN a)) (VP (VB b)))"], ["(X (Y (NN a)) (TOP (VB b)))"]
    assert counts(gold, system) == (0, 3, 2)
    assert (
        counts(gold, system, unlabeled=True) == counts(gold, system, prm=Params(labeled=False)) == (2, 3, 2)
    )
    matched = evaluate(gold, system, unlabeled=True).sentences[0].matched
    assert [f"{one}={other}" for one, other in matched] == ["S[0:2]=X[0:2]", "NP[0:1]=Y[0:1]"]


def test_the_cutoff_is_the_options_then_the_prms_then_40():
    gold = ["(S (NN a))", "(S (NN b) (NN c))"]
    assert evaluate(gold, gold).cutoff_length == 40
    assert evaluate(gold, gold, prm=Params(cutoff=1)).cutoff.brackets.sentences == 1
    assert evaluate(gold, gold, prm=Params(cutoff=1), cutoff=2).cutoff.brackets.sentences == 2
    assert evaluate(gold, gold, cutoff=0).cutoff.brackets == BracketCounts()


# -- properties ---------------------------------------------------------------

corpora = st.lists(trees(tagged=False, continuous=True), min_size=1, max_size=5).filter(
    lambda several: any(tree.words for tree in several)
)


@given(corpora)
def test_a_treebank_against_itself_is_perfect(several):
    result = evaluate(several, several, by_label=True)
    total = result.total
    brackets = total.brackets
    assert brackets.matched == brackets.gold == brackets.system
    assert total.tags.correct == total.tags.gold == total.tags.system
    assert brackets.crossing == total.sentences.unaligned == 0
    assert brackets.complete == brackets.no_crossing == brackets.sentences == len(several)
    assert brackets.sentence_f1 in (None, 1.0)
    assert not total["labels"].confused
    for sentence in result.sentences:
        assert not sentence.missed
        assert not sentence.extra
        assert all(one[:3] == other[:3] for one, other in sentence.matched)


@st.composite
def noisy_pairs(draw):
    """A corpus and another one over much the same words."""
    gold = draw(corpora)
    system = []
    for tree in gold:
        kind = draw(st.sampled_from(["same", "other", "drop", "none"]))
        if kind == "other":
            system.append(draw(trees(tagged=False, continuous=True, words=st.sampled_from(tree.words))))
        elif kind != "drop":
            system.append(tree if kind == "same" else Tree.parse("(())"))
    assume(any(tree.words for tree in system))
    return gold, system


@given(noisy_pairs())
def test_swapping_the_sides_swaps_recall_and_precision(pair):
    gold, system = pair
    # The alignment may choose otherwise the other way round; the counts of one alignment may not.
    one, other = evaluate(gold, system), evaluate(system, gold)
    assume(beads_and_units(one) == beads_and_units(other, swapped=True))
    forth, back = one.total.brackets, other.total.brackets
    assert (forth.matched, forth.gold, forth.system) == (back.matched, back.system, back.gold)
    assert (forth.recall, forth.precision, forth.f1) == (back.precision, back.recall, back.f1)
    assert (one.total.tags.correct, one.total.tags.gold) == (
        other.total.tags.correct,
        other.total.tags.system,
    )


def test_matched_constituents_can_cross():
    """X and Y share a unit in both trees, so that each crosses the other tree's; evalb counts both."""
    gold = "(S (X (A w) (B ab)) (Y (C cd) (D e)))"
    system = "(S (X (A w) (B abc)) (Y (C d) (D e)))"
    result = evaluate([gold], [system])
    (sentence,) = result.sentences
    assert [tuple(unit) for unit in sentence.units] == [(0, 1, 0, 1), (1, 3, 1, 3), (3, 4, 3, 4)]
    assert [str(item) for item, _ in sentence.matched] == ["S[0:3]", "X[0:2]", "Y[1:3]"]
    assert (result.total.brackets.matched, result.total.brackets.crossing) == (3, 2)
    assert [str(item) for item in sentence.crossing] == ["X[0:2]", "Y[1:3]"]
    other = evaluate([gold], ["(S (Z (A w) (B abc)) (Y (C d) (D e)))"])
    assert [str(item) for item in other.sentences[0].crossing] == ["Z[0:2]", "Y[1:3]"]


def beads_and_units(result, swapped=False):
    order = (2, 3, 0, 1) if swapped else (0, 1, 2, 3)
    return [
        [tuple((*item.bead.gold, *item.bead.system)[place] for place in order)]
        + [tuple(unit[place] for place in order) for unit in item.units]
        for item in result.sentences
    ]


@given(noisy_pairs())
def test_the_details_of_sentences_add_up_to_the_record(pair):
    result = evaluate(*pair, by_label=True)
    total = result.total
    brackets = total.brackets
    assert sum(len(sentence.matched) for sentence in result.sentences) == brackets.matched
    assert sum(len(sentence.missed) for sentence in result.sentences) == brackets.gold - brackets.matched
    assert sum(len(sentence.extra) for sentence in result.sentences) == brackets.system - brackets.matched
    assert sum(len(sentence.crossing) for sentence in result.sentences) == brackets.crossing
    if result.sentences:
        assert Record.sum(sentence.record for sentence in result.sentences) == total
    labels = total["labels"].labels.values()
    assert sum(label.gold for label in labels) == brackets.gold
    assert sum(label.system for label in labels) == brackets.system
    assert sum(label.matched for label in labels) == brackets.matched
    assert sum(total["labels"].confused.values()) <= brackets.gold - brackets.matched


@given(noisy_pairs())
def test_every_sentence_and_token_is_in_one_bead_and_unit(pair):
    gold, system = pair
    result = evaluate(gold, system)
    assert [i for sentence in result.sentences for i in range(*sentence.bead.gold)] == list(range(len(gold)))
    assert [i for sentence in result.sentences for i in range(*sentence.bead.system)] == list(
        range(len(system))
    )
    assert (result.total.sentences.gold, result.total.sentences.system) == (len(gold), len(system))
    for sentence in result.sentences:
        for words, (first, last) in ((sentence.gold.words, (0, 1)), (sentence.system.words, (2, 3))):
            covered = [i for unit in sentence.pair.all_units for i in range(unit[first], unit[last])]
            assert covered == list(range(len(words)))


@given(st.lists(noisy_pairs(), min_size=2, max_size=3))
def test_records_add_in_any_grouping(several):
    records = [sentence.record for pair in several for sentence in evaluate(*pair, by_label=True).sentences]
    total = Record.sum(records)
    for place in range(len(records) + 1):
        assert Record.sum(records[:place]) + Record.sum(records[place:]) == total
    assert Record.sum(reversed(records)) == total
    assert pickle.loads(pickle.dumps(total)) == total


@pytest.mark.parametrize("function", [evaluate, evaluate_with_gaps])
def test_an_evaluation_with_every_metric_is_pickled_and_reported(function):
    gold, system = ["(S (NP (A a) (B b)) (C c))"], ["(S (NP-X (A a)) (VP (B b) (C c)))"]
    wanted = {"prm": "COLLINS", "node_types": {"NP": "x"}, "by_label": True, "analysis": True}
    found = function(gold, system, metrics=METRICS, **wanted)
    again = pickle.loads(pickle.dumps(found))
    for format in FORMATS:
        assert again.report(format) == found.report(format)


def test_records_add_where_some_lack_a_metric():
    """Records add by metric name, in any order."""
    result = evaluate(["(S (NN a) (NN b))"], ["(X (NN a) (NN b))"], by_label=True)
    (whole,) = [sentence.record for sentence in result.sentences]
    names = "sentences brackets tags gaps alignment segmentation siou nodes labels"
    assert " ".join(whole.names) == names
    less = Record.of({name: whole[name] for name in whole.names[:4]})
    for records in ([whole, less, less], [whole, less, less, Record()]):
        total = Record.sum(records)
        assert total["labels"] == whole["labels"]
        assert total.brackets.gold == 3 * whole.brackets.gold
        assert total.names == whole.names
    assert "labels" in whole
    assert "labels" not in less
    with pytest.raises(
        KeyError, match="unknown metric 'labels', or not computed; there are sentences, brackets, tags, gaps"
    ):
        less["labels"]


# -- evalb as an oracle -------------------------------------------------------

LABELS = ("S", "NP-SBJ", "NP", "VP=1", "ADVP", "PRT", "X")
PARAMS = st.builds(
    Params,
    delete_labels=st.lists(st.sampled_from(["X", "PRT", ",", "V"]), unique=True).map(tuple),
    delete_labels_for_length=st.lists(st.sampled_from([",", "N"]), unique=True).map(tuple),
    eq_labels=st.sampled_from([(), (("ADVP", "PRT"),), (("ADVP", "PRT"), ("PRT", "NP"))]),
    labeled=st.booleans(),
)


@given(st.data(), PARAMS)
@settings(max_examples=100)
def test_over_the_same_words_it_counts_what_evalb_counts(data, params):
    words = data.draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=7))
    tags = [data.draw(st.sampled_from(["N", "V", ","])) for _ in words]
    gold, system = (
        data.draw(
            trees(
                labels=LABELS,
                tags=("N", "V", ","),
                continuous=True,
                min_words=len(words),
                max_words=len(words),
            )
        )
        for _ in range(2)
    )
    # Both trees over the same words and tags, so that nothing is an error to evalb.
    gold, system = (
        Tree(
            tuple(tags[tree.starts[node]] if tree.preterminals[node] else tree.labels[node] for node in tree),
            tree.parents,
            tree.starts,
            tree.ends,
            tuple(words),
            tree.word_parents,
        )
        for tree in (gold, system)
    )
    # An outermost bracket without label counts for evalb and not for us.
    gold, system = (f"(S {tree.to_bracket()})".replace("(S ( (", "(S (S (") for tree in (gold, system))
    if params.labeled is False:
        params = params.replace(eq_labels=())
    expected = legacy.evaluate([gold], [system], params).sentences[0]
    if expected.status:
        return
    record = evaluate([gold], [system], prm=params).sentences[0].record
    counted = record.brackets
    assert (counted.matched, counted.gold, counted.system, counted.crossing, record.sentences.length) == (
        expected.matched,
        expected.gold,
        expected.system,
        expected.crossing,
        expected.length,
    )
    assert (record.tags.correct, record.tags.gold) == (expected.tags, expected.words)


# -- input and options --------------------------------------------------------


def test_any_kind_of_input_gives_the_same(tmp_path):
    gold = [CA, "(S (NN a) (NN b))"]
    system = [CAN, "(S (NP (NN a)) (NN b))"]
    (tmp_path / "g").write_text("\n".join(gold))
    (tmp_path / "s").write_text("\n".join(system))
    expected = evaluate(gold, system).total
    assert evaluate(tmp_path / "g", str(tmp_path / "s")).total == expected
    assert evaluate(io.StringIO("\n".join(gold)), io.BytesIO("\n".join(system).encode())).total == expected
    assert evaluate(map(Tree.parse, gold), iter(system)).total == expected


@pytest.mark.slow
def test_nltk_trees():
    nltk = pytest.importorskip("nltk.tree")
    gold = nltk.Tree.fromstring(CA)
    assert evaluate([gold], [CAN]).total == evaluate([CA], [CAN]).total
    assert evaluate(gold, [CAN]).total == evaluate([CA], [CAN]).total
    for text in (CA, "(S a (NP (N b) c (E)) (X))", "(S a)"):
        made = Tree.parse(text).to_nltk()
        assert made == nltk.Tree.fromstring(text)
        assert Tree.from_nltk(made) == Tree.parse(text)
    for tree in (Tree.parse(""), Tree.build(["VP", "NP"], [-1, 0], ["wake", "me", "up"], [1, 0, 1])):
        with pytest.raises(TreeError, match="nltk"):
            tree.to_nltk()


def test_skipped_sentences_are_counted_and_named():
    gold = [f"(S (NN w{i}) (NN x{i}))" for i in range(20)]
    system = [line if i % 3 else line + ")" for i, line in enumerate(gold)]
    with pytest.raises(TreeError, match=r"^system sentence 1:"):
        evaluate(gold, system)
    result = evaluate(gold, system, on_error="skip")
    assert result.total.sentences.system_unparsed == 7
    assert result.total.sentences.gold_unparsed == 0
    assert unreadable_in(result) == [("system", i) for i in (1, 4, 7, 10, 13)]
    assert [item.reason for item in result.left_out if item.state == "unreadable"][1].startswith(
        "system sentence 4:"
    )
    assert result.total.brackets.matched == 13
    assert result.total.sentences.system == 20


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"cutof": 3}, SettingsError, "unknown option 'cutof'; did you mean 'cutoff'?"),
        (
            {"metrics": ("bracket",)},
            SettingsError,
            "unknown metric 'bracket'; expected some of brackets, tags, segmentation, unlabeled, "
            "functions, leaf, tedeval, siou, nodes",
        ),
        ({"align_ratio": 1.5}, SettingsError, "align_ratio=1.5"),
        ({"align_ratio": "a"}, SettingsError, "align_ratio='a'; expected a number from 0 to 1"),
        ({"cutoff": "x"}, SettingsError, "cutoff='x'; expected a whole number from 0"),
        (
            {"metrics": 3},
            SettingsError,
            "got metrics 3; expected some of brackets, tags, segmentation, unlabeled, functions, "
            "leaf, tedeval, siou, nodes",
        ),
        ({"on_error": "ignore"}, SettingsError, "on_error='ignore'"),
        ({"format": "penn"}, SettingsError, "format='penn'"),
        ({"lang": "xx"}, SettingsError, "lang='xx'"),
        ({"prm": "no.prm"}, ParamsError, "no.prm: cannot read this parameter file"),
        ({"exceptions": "no.tsv"}, JpevalbError, "no.tsv"),
    ],
)
def test_options_without_meaning(options, error, message):
    with pytest.raises(error) as caught:
        evaluate([], [], **options)
    assert message in str(caught.value)


def test_options_override_settings():
    settings = Settings(unlabeled=True, cutoff=3)
    result = evaluate(["(S (NN a))"], ["(X (NN a))"], settings=settings, cutoff=7)
    assert result.total.brackets.matched == 1
    assert result.settings == Settings(convention="jpevalb", unlabeled=True, cutoff=7)


def test_warnings():
    gold = [f"(S1 (S (NN w{i})))" for i in range(12)]
    assert evaluate(gold, gold).warnings == (
        "gold has S1 (12 of 12 first roots), the system has S1 (12 of 12 first roots); such a root counts as "
        "a constituent; to leave it out give a .prm with DELETE_LABEL S1",
    )
    assert evaluate(gold, gold, prm=Params(delete_labels=("S1",))).warnings == ()
    # The name of a root is evidence in one tree, a single child in three.
    assert len(evaluate(gold[:1], gold[:1]).warnings) == 1
    unnamed = ["(UTT (NP (NN a) (NN b)))"] * 3
    assert [len(evaluate(unnamed[:n], unnamed[:n]).warnings) for n in (1, 2, 3)] == [0, 0, 1]
    # A phrase of ten sentences is no tool's root, nor is one that branches or holds a word only.
    for tree in (
        "(S (NP (NN a) (NN b)))",
        "(FRAG (NP (NN a) (NN b)))",
        "(ABC (NN a) (NN b))",
        "(UTT (UH a))",
    ):
        assert evaluate([tree] * 12, [tree] * 12).warnings == ()
    for label, tree in (
        ("VROOT", "(VROOT (S (NN a)) ($. .))"),
        ("S1", "(S1 (UH a))"),
        ("UTT", "(UTT (NP (NN a) (NN b)))"),
        ("UTT", "(UTT (NP (NP (NN a))))"),
    ):
        (warning,) = evaluate([tree] * 12, [tree] * 12).warnings
        assert warning.startswith(f"gold has {label} (12 of 12 first roots), the system has {label} (")
    assert evaluate([*["(UTT (NP (NN a) (NN b)))"] * 12, "(UTT (A a) (B b))"], ["(())"]).warnings[1:] == ()
    nested = [*gold, "(S (S1 (NN a)))"]
    assert evaluate(nested, nested).warnings == ()
    rooted = [line.replace("S1", "ROOT") for line in gold]
    assert evaluate(rooted, rooted).warnings == ()
    # A root that the system's tool alone has added.
    for sides, alone in (((rooted, gold), " alone"), ((nested, gold), "")):
        assert evaluate(*sides).warnings == (
            f"the system{alone} has S1 (12 of 12 first roots); such a root counts as a constituent; to leave "
            "it out give a .prm with DELETE_LABEL S1",
        )
        assert evaluate(*sides, prm=Params(delete_labels=("S1",))).warnings == ()
    with ThreadPoolExecutor(2) as executor:
        assert len(evaluate(rooted * 200, gold * 200, executor=executor).warnings) == 1
    assert evaluate(rooted, rooted, prm=Params(delete_labels=("TOP", "."))).warnings == (
        "no label or tag of either file is a DELETE_LABEL of the .prm: . TOP",
    )


@pytest.mark.parametrize("mark", ["##", "#", "_", "|", "^", "~", "*", ":"])
def test_labels_that_differ_in_a_suffix(mark):
    gold = ["(S (NP (D a) (N b)) (VP (V c)))"] * 3
    system = [text.replace("NP", f"NP{mark}X").replace("VP", f"VP{mark}Y") for text in gold]
    (warning,) = evaluate(gold, system).warnings
    assert warning.startswith("the system alone has NP")
    assert f"use convention='jpevalb cut-at:{mark}' to compare" in warning
    assert evaluate(gold, system, convention=f"jpevalb cut-at:{mark}").f1 == 1


def test_labels_of_which_none_is_in_both_files():
    gold = ["(S (NP (D a) (N b)) (VP (V c)))"] * 3
    lower = [text.replace("S ", "s ").replace("NP", "np").replace("VP", "vp") for text in gold]
    found = evaluate(gold, lower)
    assert (found.f1, found.warnings) == (
        0.0,
        (
            "gold alone has S, NP, VP (9 of 9 first brackets), the system alone has s, np, vp "
            "(9 of 9 first brackets); check that both have the labels of one treebank, or use unlabeled=True",
        ),
    )
    with ThreadPoolExecutor(2) as executor:
        again = evaluate(gold * 300, lower * 300, executor=executor)
        assert again.warnings == evaluate(gold * 17, lower * 17).warnings
    assert evaluate(gold, lower, unlabeled=True).warnings == ()
    # One label in common is enough, and so is the root; a single label may be wrong by itself.
    assert evaluate(gold, [text.replace("vp", "VP") for text in lower]).warnings == ()
    assert evaluate(["(S (N a) (N b))"], ["(X (N a) (N b))"]).warnings == ()


def test_the_signature_names_fields_and_separators(tmp_path):
    tree = "(S (NP (D a) (N b)) (VP (V c)))"
    (tmp_path / "gold").write_text(f'{{"g": "{tree}"}}\n')
    (tmp_path / "sys").write_text(f'{{"a": [{{"b": "{tree}"}}]}}\n')
    (tmp_path / "text").write_text(f"{tree}\n= =\n")
    gold, system, text = [str(tmp_path / name) for name in ("gold", "sys", "text")]
    signature = evaluate(gold, system, gold_field="g", field="a.0.b").signature
    assert "field:a.0.b gold-field:g" in signature
    assert "separator:=_=" in evaluate(gold, text, gold_field="g", separator="= =", repair=True).signature


def test_a_run_keeps_nothing_but_sums():
    run = Run(iter([CA] * 2000), iter([CA] * 2000), Settings())
    assert sum(1 for _ in run) == 2000
    evaluation = run.evaluation()
    assert evaluation.sentences == ()
    assert evaluation.total.brackets.matched == 8000
    assert {len(one._records) for one in (run.tally._total, *run.tally._short.values())} == {1}


def test_node_pairs_sum_up_to_struct_iou():
    gold, system = ["(S (NP (D a) (N b)) (V c))"], ["(S (D a) (NP (N b) (V c)))"]
    result = evaluate(gold, system)
    (sentence,) = result.to_dict()["sentences"]
    pairs = sentence["node_pairs"]
    assert 2 * sum(iou for *_, iou in pairs) / 10 == pytest.approx(result.total["siou"].mean)
    assert [pair[:2] for pair in pairs] == [
        list(pair) for pair in result.node_mapping(result.sentences[0]).pairs
    ]
    assert result.node_mapping(result.sentences[0], "nodes").word_pairs == ((0, 0), (1, 1), (2, 2))
    assert "node_pairs" not in evaluate(gold, system, metrics="tags").to_dict()["sentences"][0]
    with pytest.raises(KeyError):
        result.node_mapping(result.sentences[0], "colour")
