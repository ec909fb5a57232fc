"""What the interpreter shows of results: a line, however large they are."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from jpevalb import Params, compare, evaluate, evaluate_discontinuous, legacy
from jpevalb.model.errors import InputError

GOLD = ["(S (NP (DT the) (NN cat)) (VP (VBD slept)))"] * 30
POOR = ["(S (NP (DT the)) (VP (NN cat) (VBD slept)))"] * 30
DISCONTINUOUS = "(S (VP (PP 0=in) (V 2=slept)) (NP 1=it))"


def test_evaluation(tmp_path):
    assert repr(evaluate(GOLD, POOR)) == (
        "Evaluation(f1=0.3333, n_sentences=30, signature='jpevalb:0.1.0 mode:alignment prm:none lang:en')"
    )
    assert repr(evaluate([], [])).startswith("Evaluation(f1=None, n_sentences=0, ")
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n")
    result = evaluate(GOLD, GOLD, exceptions=str(path))
    assert "exceptions:mine.tsv#" in str(result)
    path.unlink()
    assert str(result) == "Evaluation(f1=1.0000, n_sentences=30, signature='?')"


def test_discontinuous_evaluation():
    result = evaluate_discontinuous([DISCONTINUOUS] * 9, [DISCONTINUOUS] * 9)
    assert repr(result) == (
        f"DiscontinuousEvaluation(f1=1.0000, n_sentences=9, signature='{result.signature}')"
    )


def test_comparison():
    result = compare(GOLD, {"poor": POOR, "good": GOLD, "none": []}, samples=100)
    assert repr(result) == (
        "Comparison(f1={'poor': 0.3333, 'good': 1.0, 'none': 0.0}, test='bootstrap', gold_sentences=30, "
        f"signature='{result.signature}')"
    )


def test_legacy_result():
    assert repr(legacy.evaluate(GOLD, POOR, Params())) == (
        "LegacyResult(f1=0.3333, n_sentences=30, params=None, dialect='evalb')"
    )
    assert repr(legacy.evaluate(GOLD, ["(S (A b))"] * 30, "COLLINS.prm")) == (
        "LegacyResult(f1=None, n_sentences=11, killed=True, params='COLLINS.prm', dialect='evalb')"
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
def test_bracket_text_is_no_file_name(on_workers, text, shown):
    with ThreadPoolExecutor(1) as pool:
        executor = pool if on_workers else None
        for run, options in ((evaluate, {}), (evaluate_discontinuous, {}), (compare, {"samples": 10})):
            for gold, system in ((text, [text]), ([text], text)):
                with pytest.raises(InputError) as caught:
                    run(gold, [system, system] if run is compare else system, executor=executor, **options)
                assert str(caught.value) == (
                    f"found the bracket text {shown}, expected the name of a file; "
                    "put text in a list, or read it with Tree.parse"
                )
