"""The repr of results: one line, whatever their size."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from jpevalb import Params, Tree, compare, evaluate, legacy
from jpevalb.base.errors import InputError, SettingsError
from jpevalb.errors.causes import load_classes, parse_classes
from jpevalb.metrics import Figure
from jpevalb.metrics.record import Record
from jpevalb.trees import drawing
from tests.support.with_gaps import evaluate_with_gaps, unreadable_in

GOLD = ["(S (NP (DT the) (NN cat)) (VP (VBD slept)))"] * 30
POOR = ["(S (NP (DT the)) (VP (NN cat) (VBD slept)))"] * 30
DISCONTINUOUS = "(S (VP (PP 0=in) (V 2=slept)) (NP 1=it))"


def test_evaluation(tmp_path):
    assert repr(evaluate(GOLD, POOR)) == (
        "Evaluation(f1=0.3333, n_sentences=30, signature='jpevalb:0.1.0 convention:jpevalb prm:none lang:en')"
    )
    assert repr(evaluate(["(A a)"], ["(A a)"])).startswith("Evaluation(f1=None, n_sentences=1, ")
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n")
    result = evaluate(GOLD, GOLD, exceptions=str(path))
    assert "exceptions:mine.tsv#" in str(result)
    path.unlink()
    assert str(result) == "Evaluation(f1=1.0000, n_sentences=30, signature='?')"


def test_discontinuous_evaluation():
    result = evaluate_with_gaps([DISCONTINUOUS] * 9, [DISCONTINUOUS] * 9)
    assert repr(result) == (f"Evaluation(f1=1.0000, n_sentences=9, signature='{result.signature}')")


def test_records_and_analyses():
    result = evaluate(GOLD, POOR, metrics="brackets")
    assert (
        repr(result.total) == "<Record: sentences 30, F1 0.3333; sentences, brackets, tags, gaps, alignment>"
    )
    assert "F1 undefined" in repr(evaluate(["(A a)"], ["(A a)"]).total)
    assert repr(Record()) == "<Record without metrics>"
    assert repr(Figure("f1", "F", counts=len)).endswith("column='', page='', evalb='')")
    assert repr(result.analysis()) == "<Analysis: errors 120, causes 1, labels 3, confusions 0>"


def html(result):
    """Return the text above the trees in a notebook, True if trees are drawn, and True if there are none."""
    text, _, drawn = result._repr_html_().partition('</small><div style="overflow-x: auto">')
    assert drawn.endswith("</div></div>")
    return text, drawn.startswith("<svg"), drawn == "</div></div>"


def test_sentences_in_a_notebook(monkeypatch):
    (first, *_) = evaluate(GOLD[:1], POOR[:1]).sentences
    assert html(first) == (
        "<div><small>sentence 1 · 1 matched, 2 missed, 2 extra, 1 crossing · F1 33.33",
        True,
        False,
    )
    named = dataclasses.replace(Tree.parse("(A (B b))"), id="<x>")
    (_, second) = evaluate_with_gaps(["(A a)", named], ["(A a)"]).sentences
    assert html(second)[0] == (
        "<div><small>sentence 2 (&lt;x&gt;) · missing · 0 matched, 1 missed, 0 extra, 0 crossing · F1 0.00"
    )
    (third,) = evaluate_with_gaps(["(A (B b))"], ["(A (B c))"], on_error="skip").sentences
    assert " · no parse: &lt;system&gt;: sentence 1: word 1 is &#x27;c&#x27;, but " in html(third)[0]
    assert html(evaluate(["(B b)"], ["(B b)"]).sentences[0])[0].endswith(" · no F1")
    monkeypatch.setattr(drawing, "svg", lambda *_: None)
    assert html(first)[0].endswith(" · F1 33.33 · too large to be drawn")
    assert html(first)[1:] == (False, True)


def test_marks_of_a_notebook():
    """A crossing system constituent may match another gold constituent."""
    gold, system = ["(S (A (B b) (B c)) (D d) (D e))"], ["(S (B b) (A (B c) (D d)) (X (D e)))"]
    (result,) = evaluate(gold, system).sentences
    assert [str(item) for item in result.crossing] == ["A[1:3]"]
    marks = result.marks()[1]
    at = {str(item): item.node for item in [*result.extra, *(pair[1] for pair in result.matched)]}
    assert [marks[at[name]] for name in ("S[0:4]", "A[1:3]", "X[3:4]")] == [
        drawing.MATCHED,
        drawing.CROSSING,
        drawing.EXTRA,
    ]


def test_corrections_are_those_of_the_classes_that_were_asked_for():
    """The last ones are kept, and not taken for those of other classes."""
    gold = "(S (NP (NN a)) (VP (VBD b) (NP (NN c)) (PP (IN d) (NP (NN e)))))"
    system = "(S (NP (NN a)) (VP (VBD b) (NP (NP (NN c)) (PP (IN d) (NP (NN e))))))"
    (result,) = evaluate([gold], [system]).sentences
    ours = parse_classes(["preposition P"])
    found, other = result.corrections(), result.corrections(ours)
    assert found == result.corrections(load_classes())
    again = result.corrections(ours)
    assert found != other == again
    steps = result.corrections(ours)
    assert result.corrections(ours) is steps
    result.pair.forget()
    assert result.corrections(ours) is not steps


def test_equal_results():
    assert evaluate(["(A a)"], ["(A a)"]) == evaluate(["(A a)"], ["(A a)"])
    assert evaluate(["(A a)"], ["(A a)"]) != evaluate(["(A a)"], ["(())"])
    one = evaluate_with_gaps([DISCONTINUOUS] * 2, [DISCONTINUOUS] * 2)
    assert one == evaluate_with_gaps([DISCONTINUOUS] * 2, [DISCONTINUOUS] * 2)
    first, second = one.sentences
    assert first == evaluate_with_gaps([DISCONTINUOUS], [DISCONTINUOUS]).sentences[0]
    assert first != second
    assert first != "sentence 1"


def test_optional_contents_of_dictionaries():
    result = evaluate(["(S (A a))", "(S (B b))"], ["", "(S (B b))"])
    (item,) = result.to_dict()["left_out"]
    assert (item["state"], item["number"], item["gold"], item["system"]) == ("no parse", 1, [0, 1], [0, 1])
    assert evaluate(["(A a)"], ["(A a)"]).to_dict()["left_out"] == []
    (first, _) = result.sentences
    assert (first.status, first.reason, first.id) == ("no parse", "the parse has no words", None)


def test_analyses_of_kept_sentences_and_of_sums():
    kept = evaluate(GOLD[:2], POOR[:2], analysis=True, metrics="brackets")
    looked = evaluate(GOLD[:2], POOR[:2], metrics="brackets")
    assert kept.analysis() == looked.analysis()
    assert replace(kept, sentences=()).analysis().to_dict() == looked.analysis().to_dict()
    with pytest.raises(SettingsError, match=r"^the sentences were not kept; evaluate with analysis=True"):
        replace(looked, sentences=()).analysis()
    classes = load_classes()
    for one, other in zip(kept.sentences, looked.sentences):
        assert one.analysis_counts() == other.analysis_counts() == other.analysis_counts(classes)


def test_details_name_another_label_of_the_system():
    texts = ["(S (A (N a) (N b)) (N c))"], ["(S (B (N a) (N b)) (N c))"]
    for (gold, system), (mine, other) in ((texts, "AB"), (texts[::-1], "BA")):
        (one,) = evaluate(gold, system, unlabeled=True).sentences
        assert one.details()["matched"] == [
            {"label": "S", "span": [0, 3]},
            {"label": mine, "span": [0, 2], "system_label": other},
        ]


def test_headlines_are_properties():
    result = evaluate(["(S (NP (N a)) (N b))"], ["(S (N a) (N b))"])
    assert (result.precision, result.recall, result.f1, result.n_sentences) == (1.0, 0.5, 2 / 3, 1)
    result = evaluate_with_gaps(["(S (NP (N a)) (N b))"], ["(S (N a) (N b))"])
    assert (result.precision, result.recall, result.f1, result.n_sentences) == (1.0, 0.5, 2 / 3, 1)


def test_both_sides_may_have_sentences_that_cannot_be_read():
    result = evaluate([*GOLD[:1], "(S", *GOLD[:1]], [*GOLD[:1], *GOLD[:1], "(S"], on_error="skip")
    assert unreadable_in(result) == [("gold", 2), ("system", 3)]


def test_comparison():
    result = compare(GOLD, {"poor": POOR, "good": GOLD, "none": []}, samples=100)
    assert repr(result) == (
        "Comparison(f1={'poor': 0.3333, 'good': 1.0, 'none': None}, test='permutation', gold_sentences=30, "
        f"signature='{result.signature}')"
    )


def test_legacy_result():
    assert repr(legacy.evaluate(GOLD, POOR, Params())) == (
        "LegacyResult(f1=0.3333, n_sentences=30, params=None, dialect='evalb')"
    )
    many = Params.load("COLLINS.prm").replace(max_error=99)
    assert repr(legacy.evaluate(GOLD, ["(S (A b))"] * 30, many)) == (
        "LegacyResult(f1=None, n_sentences=30, params='COLLINS.prm', dialect='evalb')"
    )


@pytest.mark.parametrize("on_workers", [False, True])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(S (A a))", "'(S (A a))'"),
        ("\n(S\n  (A a))\n" * 99, "'(S (A a)) (S (A a)) (S (A a)) (S (A a...'"),
        ("(S (A 0=a))", "'(S (A 0=a))'"),
    ],
)
def test_bracket_text_is_not_a_file_name(on_workers, text, shown):
    with ThreadPoolExecutor(1) as pool:
        executor = pool if on_workers else None
        for run, options in ((evaluate, {}), (evaluate_with_gaps, {}), (compare, {"samples": 10})):
            for gold, system in ((text, [text]), ([text], text)):
                with pytest.raises(InputError) as caught:
                    run(gold, [system, system] if run is compare else system, executor=executor, **options)
                assert str(caught.value) == (
                    f"got the bracket text {shown}, expected the name of a file; "
                    "put text in a list, or read it with Tree.parse"
                )
