"""Settings: presets of the modes, what nothing in a run looks at, and signatures."""

from __future__ import annotations

import pickle

import pytest

from jpevalb import DiscontinuousSettings, Settings, SettingsError, evaluate, evaluate_discontinuous
from jpevalb.model.settings import CONVENTIONS, DEFAULT_METRICS


def test_presets():
    alignment, gaps = Settings.preset("alignment"), Settings.preset("discontinuous")
    assert alignment == Settings()
    assert (alignment.pair, alignment.metrics) == ("align", DEFAULT_METRICS)
    assert (gaps.pair, gaps.metrics) == ("auto", ("brackets", "tags"))
    assert gaps == Settings(mode="discontinuous") == DiscontinuousSettings()
    assert gaps.conventions is CONVENTIONS["discontinuous"] is not alignment.conventions
    assert DiscontinuousSettings(pair="id", prm="COLLINS") == gaps.replace(pair="id", prm="COLLINS")


def test_another_mode_brings_its_own_defaults():
    assert Settings(unlabeled=True).replace(mode="discontinuous") == DiscontinuousSettings(unlabeled=True)
    assert DiscontinuousSettings(pair="id").replace(mode="alignment") == Settings()
    assert DiscontinuousSettings(pair="id").replace(mode="discontinuous").pair == "id"
    assert Settings(lang="ko").replace(mode="discontinuous") == DiscontinuousSettings(lang="ko")


def test_repr_says_what_is_not_as_the_preset_has_it():
    assert repr(Settings()) == "Settings()"
    assert repr(Settings(unlabeled=True, cutoff=20)) == "Settings(unlabeled=True, cutoff=20)"
    made = DiscontinuousSettings(pair="order", punctuation="$, $.")
    assert repr(made) == "Settings(mode='discontinuous', pair='order', punctuation=('$,', '$.'))"
    assert eval(repr(made)) == made
    assert pickle.loads(pickle.dumps(made)) == made


def test_silence_that_is_removed_is_shared():
    assert Settings(remove_silence=True) == Settings(silence="shared") != Settings()
    with pytest.raises(SettingsError, match=r"^found silence='drop' and remove_silence, which is 'shared'"):
        Settings(silence="drop", remove_silence=True)


def test_each_file_has_its_own_format_and_encoding_or_that_of_both():
    one = Settings(format="bracket", sys_format="export", encoding="utf-16", gold_encoding="latin-1")
    assert (one.reading("gold"), one.reading("sys")) == (("bracket", "latin-1"), ("export", "utf-16"))
    # What a language model wrote is the system's alone.
    assert [Settings(format="jsonl").reading(side) for side in ("gold", "sys")] == [
        ("auto", None),
        ("jsonl", None),
    ]


TREE = ["(S (NN a))"]


@pytest.mark.parametrize(
    ("score", "options", "reason"),
    [
        (
            evaluate,
            {"least_words": 2},
            "words that must be the same can use; this run has words that are aligned",
        ),
        (
            evaluate_discontinuous,
            {"lang": "ko"},
            "words that are aligned or times of words or tables of analysis can use; "
            "this run has words that must be the same and no times and no tables",
        ),
        (
            evaluate_discontinuous,
            {"align_ratio": 0.5},
            "the pairing align can use; this run has the pairing auto",
        ),
        (
            evaluate,
            {"unlike": "alone", "pair": "id"},
            "the pairing align can use; this run has the pairing id",
        ),
        (evaluate, {"silence": "shared"}, "times of words can use; this run has no times"),
        (
            evaluate,
            {"most_memory": 5, "metrics": "functions"},
            "the metrics tedeval, siou, nodes can use; this run has the metrics brackets, tags, functions",
        ),
        (
            evaluate,
            {"repair": True, "sys_format": "export"},
            "the system formats answers, jsonl can use; this run has the system format export",
        ),
        (
            evaluate,
            {"gold_field": "tree", "gold_format": "bracket"},
            "the gold format jsonl can use; this run has the gold format bracket",
        ),
    ],
)
def test_a_setting_that_nothing_in_a_run_looks_at_is_refused(score, options, reason):
    name, value = next(iter(options.items()))
    with pytest.raises(SettingsError) as caught:
        score(TREE, TREE, **options)
    assert str(caught.value) == f"found {name}={value!r}, which only {reason}; leave it out"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "legacy"}, "found the mode 'legacy'; expected one of alignment, discontinuous"),
        ({"pair": "x"}, "found pair 'x'; expected one of align, order, id, auto"),
        (
            {"mode": "discontinuous", "max_fanout": "x"},
            "found max_fanout x; expected a number of blocks from 1",
        ),
        ({"align_ratio": -0.1}, "found the align ratio -0.1; expected a number from 0 to 1"),
        ({"most_memory": 0}, "found most_memory 0; expected a number of bytes from 1 on"),
    ],
)
def test_values_without_meaning(options, message):
    with pytest.raises(SettingsError) as caught:
        Settings(**options)
    assert str(caught.value) == message


def test_the_least_values():
    least = Settings(align_ratio=0, most_memory=1, least_words=0, max_fanout=1)
    assert least.given() == {"align_ratio": 0, "most_memory": 1, "max_fanout": 1}


def test_an_option_that_does_not_exist():
    for make in (
        DiscontinuousSettings,
        Settings().replace,
        lambda **told: Settings.preset("alignment", **told),
    ):
        with pytest.raises(
            SettingsError, match=r"^found the option 'colour'; expected some of metrics, prm, "
        ):
            make(colour=1)


def test_signatures_of_both_modes():
    assert Settings().signature() == "jpevalb:0.1.0 mode:alignment prm:none lang:en"
    given = Settings(unlabeled=True, unit="char", on_error="skip", align_ratio=0.2, strict_terminals=True)
    assert given.signature().split(" ", 3)[3] == (
        "lang:en align-ratio:0.2 unlabeled:yes unit:char strict-terminals:yes on-error:skip"
    )
    assert given.replace(metrics="tags").signature().split(" ", 3)[3] == (
        "lang:en align-ratio:0.2 unlabeled:yes on-error:skip"
    )
    # Classes of labels are of the analysis alone.
    classes = Settings(error_classes="tiger")
    assert "error-classes" not in classes.signature()
    assert classes.replace(analysis=True).signature().endswith(" lang:en error-classes:tiger")
    assert DiscontinuousSettings().signature() == "jpevalb:0.1.0 mode:discontinuous prm:none pair:auto"
    gaps = DiscontinuousSettings(
        unlabeled=True, exclude_trivial=True, max_fanout=2, punctuation=("$,", "$."), encoding="latin-1"
    )
    assert gaps.signature("order") == (
        "jpevalb:0.1.0 mode:discontinuous prm:none pair:order unlabeled:yes exclude-trivial:yes max-fanout:2 "
        "punctuation:$,|$. encoding:latin-1"
    )
