"""Settings: presets of the modes, unused options and signatures."""

from __future__ import annotations

import io
import pickle
from hashlib import sha256

import pytest

from jpevalb import Settings, SettingsError, evaluate
from jpevalb.score.signature import prm_name, signature_of
from jpevalb.settings.params import Params
from jpevalb.settings.settings import DEFAULT_METRICS
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps, matches_of


def test_conventions_of_jpevalb():
    alignment, gaps = Settings(convention="jpevalb"), Settings(convention="discontinuous")
    assert alignment != Settings()
    assert (Settings().pair, Settings().metrics) == (None, None)
    assert (alignment.pair, alignment.metrics) == ("align", DEFAULT_METRICS)
    assert (gaps.pair, gaps.metrics) == ("auto", ("brackets", "tags"))
    assert gaps == discontinuous_settings()
    assert (alignment.discontinuous, alignment.identical_words) == (False, False)
    assert (gaps.discontinuous, gaps.identical_words) == (True, True)
    aligned = gaps.replace(pair="align")
    assert (aligned.discontinuous, aligned.identical_words) == (True, False)
    assert discontinuous_settings(pair="id", prm="COLLINS") == gaps.replace(pair="id", prm="COLLINS")


def test_another_convention_brings_its_own_defaults():
    assert Settings(unlabeled=True).replace(convention="discontinuous") == discontinuous_settings(
        unlabeled=True
    )
    assert discontinuous_settings().replace(convention="jpevalb") == Settings(convention="jpevalb")
    assert discontinuous_settings(pair="id").replace(convention="jpevalb").pair == "id"
    assert discontinuous_settings(pair="id").replace(convention="discontinuous").pair == "id"
    assert Settings(lang="ko").replace(convention="discontinuous") == discontinuous_settings(lang="ko")


def test_conventions_differ_in_some_counts():
    tree = "(S (A a) (B b))"
    # VROOT, which evalb does not know, counts there.
    roots = [f"(VROOT {tree})"], [tree]
    assert evaluate(*roots).total.brackets.gold == 2
    found = matches_of(evaluate_with_gaps(*roots).total).continuous
    assert (found.tp, found.fp, found.fn) == (1, 0, 0)
    # Nothing to find in gold, and no parse: only evalb calls it complete.
    none = [tree, "(A a)"], [tree, "(())"]
    assert evaluate(*none).total.brackets.complete == 1
    assert matches_of(evaluate_with_gaps(*none).total).exact == 1
    # A word of gold without a tag counts, but not where tags are compared word by word.
    tags = ["(S a (B b))"], [tree]
    for how in ({}, {"pair": "order"}):
        assert evaluate(*tags, **how, tags="yes").total.tags.gold == 2
    assert matches_of(evaluate_with_gaps(*tags, tags="yes").total).tags == 1
    # A is B and B is C: evalb knows of no third.
    labels = ["(S (A (X a)) (X b))"], ["(S (C (X a)) (X b))"]
    third = Params(eq_labels=[("A", "B"), ("B", "C")])
    assert evaluate(*labels, prm=third).total.brackets.matched == 1
    assert matches_of(evaluate_with_gaps(*labels, prm=third).total).continuous.tp == 2


def test_repr_shows_differences_from_the_defaults():
    assert repr(Settings()) == "Settings()"
    assert repr(Settings(unlabeled=True, cutoff=20)) == "Settings(unlabeled=True, cutoff=20)"
    made = discontinuous_settings(pair="order", punctuation="$, $.")
    assert repr(made) == "Settings(convention='discontinuous', pair='order', punctuation=('$,', '$.'))"
    assert eval(repr(made)) == made
    assert pickle.loads(pickle.dumps(made)) == made


def test_each_file_has_its_own_format_and_encoding_or_that_of_both():
    one = Settings(format="bracket", sys_format="export", encoding="utf-16", gold_encoding="latin-1")
    assert (one.reading("gold"), one.reading("sys")) == (("bracket", "latin-1"), ("export", "utf-16"))
    # What a language model wrote is the system's alone.
    assert [Settings(format="jsonl").reading(side) for side in ("gold", "sys")] == [
        ("auto", None),
        ("jsonl", None),
    ]


def test_whether_sentences_are_answers_of_a_language_model():
    for options in ({"format": "jsonl"}, {"sys_format": "answers"}, {"repair": True}, {"separator": "="}):
        one = Settings(convention="jpevalb", **options)
        assert (one.answers, one.rated, one.pair) == (True, True, "auto")
    assert [
        (one.answers, one.rated)
        for one in (
            Settings(),
            Settings(gold_format="jsonl"),
            Settings(convention="jpevalb", on_error="skip"),
            discontinuous_settings(on_error="skip"),
            discontinuous_settings(on_error="skip", pair="align"),
        )
    ] == [(False, False), (False, False), (False, True), (False, False), (False, True)]


def test_how_answers_are_read():
    one = Settings(field="tree", id_field="id", repair=True)
    assert one.answer_options("sys") == {
        "repair": True,
        "several": "first",
        "field": "tree",
        "id_field": "id",
        "separator": None,
    }
    assert one.answer_options("gold") == {"field": "tree", "id_field": "id"}
    other = one.replace(gold_field="gold", gold_format="jsonl")
    assert other.answer_options("gold") == {"field": "gold", "id_field": "id"}
    assert one.replace(gold_format="export").answer_options("gold") == {}


def test_params_of_a_name_and_of_an_object():
    given = Params(labeled=0)
    assert Settings(prm=given).params() is given
    assert Settings(prm="COLLINS").params() == Params.load("COLLINS")
    assert Settings().params() == Params()


TREE = ["(S (NN a))"]


@pytest.mark.parametrize(
    ("score", "options", "reason"),
    [
        (
            evaluate,
            {"lang": "ko", "convention": "discontinuous"},
            "identical words; it needs aligned words or word times or the option analysis",
        ),
        (
            evaluate_with_gaps,
            {"lang": "ko"},
            "identical words; it needs aligned words or word times or the option analysis",
        ),
        (evaluate_with_gaps, {"align_ratio": 0.5}, "the pairing auto; it needs the pairing align"),
        (evaluate, {"unlike": "alone", "pair": "id"}, "the pairing id; it needs the pairing align"),
        (evaluate, {"silence": "shared"}, "no word times; it needs word times"),
        (
            evaluate,
            {"most_memory": 5, "metrics": "functions"},
            "the metrics brackets, tags, functions; it needs the metrics tedeval, siou, nodes",
        ),
        (
            lambda gold, _, **options: evaluate(gold, io.StringIO("#FORMAT 4\n"), **options),
            {"repair": True, "sys_format": "export"},
            "the system format export; it needs the system formats answers, jsonl",
        ),
        (
            evaluate,
            {"gold_field": "tree", "gold_format": "bracket"},
            "the gold format bracket; it needs the gold formats jsonl, table",
        ),
    ],
)
def test_an_unused_setting_is_rejected(score, options, reason):
    name, value = next(iter(options.items()))
    with pytest.raises(SettingsError) as caught:
        score(TREE, TREE, **options)
    assert str(caught.value) == f"{name}={value!r} has no effect with {reason}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pair": "x"}, "pair='x'; expected one of align, order, id, words, auto"),
        ({"align_ratio": 1.01}, "align_ratio=1.01; expected a number from 0 to 1"),
        ({"align_ratio": -1}, "align_ratio=-1; expected a number from 0 to 1"),
        ({"align_ratio": "0"}, "align_ratio='0'; expected a number from 0 to 1"),
        ({"unlike": "x"}, "unlike='x'; expected one of pair, alone"),
        ({"cutoff": 1.5}, "cutoff=1.5; expected a whole number from 0, or several such as 10,20,40"),
        ({"most_memory": 0}, "most_memory=0; expected a number of bytes from 1, or a size such as 500M"),
        ({"most_memory": 1.5}, "most_memory=1.5; expected a number of bytes from 1, or a size such as 500M"),
        ({"unit": "x"}, "unit='x'; expected one of auto, word, char"),
        ({"silence": "x"}, "silence='x'; expected one of keep, drop, shared"),
        ({"on_error": "x"}, "on_error='x'; expected one of stop, skip"),
        ({"empty_f1": "x"}, "empty_f1='x'; expected one of none, one"),
        ({"traces": "x"}, "traces='x'; expected one of auto, keep, drop"),
        ({"several": "x"}, "several='x'; expected one of first, last, longest, join"),
        ({"prm": 3}, "prm=3; expected the name of a file or Params"),
        ({"exceptions": Params()}, f"exceptions={Params()!r}; expected the name of a file"),
        ({"gold_times": 3}, "gold_times=3; expected the name of a file or a folder"),
        ({"separator": 3}, "separator=3; expected a name"),
        (
            {"sys_encoding": b"x"},
            "sys_encoding=b'x'; expected an encoding that Python knows, such as latin-1",
        ),
        (
            {"node_types": 3},
            "node_types=3; expected one of position, label, none, the name of a file, "
            "or a dict from labels to types, which are strings",
        ),
        (
            {"node_types": {"A": 3}},
            "node_types=(('A', 3),); expected one of position, label, none, the name of a file, "
            "or a dict from labels to types, which are strings",
        ),
    ],
)
def test_values_without_meaning(options, message):
    with pytest.raises(SettingsError) as caught:
        Settings(**options)
    assert str(caught.value) == message


def test_the_first_and_the_last_values_with_a_meaning():
    given = {"cutoff": 0, "most_memory": 1, "node_types": {"A": "x"}}
    made = Settings(align_ratio=0, prm=Params(), **given)
    assert (made.align_ratio, made.cutoff, made.most_memory) == (0, 0, 1)
    assert Settings(align_ratio=1, cutoff=None) == Settings(align_ratio=1)


@pytest.mark.parametrize(
    ("options", "paired_by", "shown"),
    [
        ({}, "align", "convention:jpevalb prm:none lang:en"),
        ({}, "id", "convention:jpevalb prm:none pair:id lang:en"),
        ({"convention": "discontinuous"}, "order", "convention:discontinuous prm:none pair:order"),
        (
            {"convention": "discontinuous", "lang": "ko"},
            "id",
            "convention:discontinuous prm:none pair:id lang:ko",
        ),
        # Defaults of the convention are left out, and times and units without their metric.
        (
            {"metrics": "brackets", "traces": "auto", "unit": "char", "silence": "drop"},
            "align",
            "convention:jpevalb prm:none lang:en",
        ),
        (
            {"metrics": "siou", "unit": "char", "silence": "drop", "most_memory": 9, "gold_times": "a/b c"},
            "align",
            "convention:jpevalb prm:none lang:en unit:char silence:drop most-memory:9 gold-times:b_c",
        ),
        ({"metrics": "functions", "most_memory": 9}, "align", "convention:jpevalb prm:none lang:en"),
        (
            {"unlabeled": True, "punctuation": ", .", "on_error": "skip"},
            "align",
            "convention:jpevalb prm:none lang:en unlabeled:yes punctuation:,|. on-error:skip",
        ),
        (
            {"sys_format": "answers"},
            "align",
            "convention:jpevalb prm:none lang:en sys-format:answers answers:strict",
        ),
        (
            {"sys_format": "answers", "repair": True, "several": "join"},
            "align",
            "convention:jpevalb prm:none lang:en sys-format:answers answers:repaired-join",
        ),
        (
            {"metrics": "nodes", "node_types": "label"},
            "align",
            "convention:jpevalb prm:none lang:en node-types:label",
        ),
        ({"metrics": "brackets", "node_types": "label"}, "align", "convention:jpevalb prm:none lang:en"),
        ({"error_classes": "x"}, "align", "convention:jpevalb prm:none lang:en"),
        (
            {"align_ratio": 0.2, "unit": "char", "strict_terminals": True, "encoding": "latin-1"},
            "align",
            "convention:jpevalb prm:none lang:en align-ratio:0.2 unit:char strict-terminals:yes "
            "encoding:latin-1",
        ),
        (
            {"convention": "discontinuous least:2", "punctuation": ("$,", "$.")},
            "auto",
            "convention:discontinuous least:2 pair:auto punctuation:$,|$.",
        ),
        (
            {"analysis": True, "error_classes": "x y"},
            "align",
            "convention:jpevalb prm:none lang:en error-classes:x_y",
        ),
    ],
)
def test_signatures_by_hand(options, paired_by, shown):
    assert signature_of(Settings(**{"convention": "jpevalb", **options}), paired_by).split(" ", 1)[1] == shown


def digest(data):
    return sha256(data).hexdigest()[:8]


def test_signatures_have_digests_of_files(tmp_path):
    path = tmp_path / "my list"
    path.write_bytes(b"a\tb\n")
    found = signature_of(Settings(convention="jpevalb", exceptions=str(path)), "align")
    assert found.split()[3:] == [f"exceptions:my_list#{digest(path.read_bytes())}"]
    chosen = {"metrics": "nodes", "analysis": True, "error_classes": str(path), "node_types": str(path)}
    assert signature_of(Settings(convention="jpevalb", **chosen), "align").split()[4:] == [
        f"error-classes:my_list#{digest(path.read_bytes())}",
        f"node-types:my_list#{digest(path.read_bytes())}",
    ]
    given = signature_of(
        Settings(convention="jpevalb", metrics="nodes", node_types={"B": "x", "A": "y"}), "align"
    )
    assert given.split()[-1] == f"node-types:given#{digest(repr([('A', 'y'), ('B', 'x')]).encode())}"
    said = [("X",), (), (), (), True]
    params = Params(delete_labels=("X",))
    assert prm_name(params) == f"given#{digest(repr(said).encode())}"
    named = Params(delete_labels=("X",), delete_words=("a",), name="b/my prm")
    more = repr([*said, ("a",), False, False])
    assert prm_name(named) == f"my_prm#{digest(more.encode())}"


def test_an_option_that_does_not_exist():
    for name, advice in (
        ("colour", "expected some of metrics, convention, prm, "),
        ("lan", r"did you mean 'lang'\?"),
        ("mode", "what counts is the convention: give convention='evalb'"),
        ("preset", "what counts is the convention: give convention='evalb'"),
        ("evalb", "what counts is the convention: give convention='evalb'"),
    ):
        with pytest.raises(SettingsError, match=f"^unknown option '{name}'; {advice}"):
            Settings().replace(**{name: 1})


def test_several_cutoffs():
    assert Settings(cutoff=[10, 20]) == Settings(cutoff=(10, 20))
    found = evaluate(TREE, TREE, cutoff=[1, 0])
    assert (found.cutoff_length, [length for length, _ in found.more_cutoffs]) == (1, [0])
    for wrong in ((), (10, -1), "10"):
        with pytest.raises(
            SettingsError, match=r"expected a whole number from 0, or several such as 10,20,40"
        ):
            Settings(cutoff=wrong)
