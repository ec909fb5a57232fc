"""Comparisons: the figures of an evaluation, tests on common units, and the exact text of reports."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import re
import threading
from dataclasses import replace
from fractions import Fraction
from itertools import chain, pairwise, product

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import __version__, compare, evaluate, legacy
from jpevalb.base.errors import InputError, JpevalbError, SettingsError
from jpevalb.cli import main
from jpevalb.commands.evaluate import compares
from jpevalb.commands.options import parser
from jpevalb.commands.tables import run_comparison
from jpevalb.comparison.sources import baseline_first, common_units
from jpevalb.score.inputs import names_of
from jpevalb.score.signature import signature_of
from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from jpevalb.trees.tree import Tree
from tests.support.commands import jpevalb
from tests.support.files import write_files
from tests.support.gapped import figures_of
from tests.support.random_trees import trees
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps, matches_of

RIGHT = "(S (NP (D the) (N cat)) (VP (V saw) (NP (N mats))))"
LEFT = "(S (NP (D the)) (VP (N cat) (V saw) (NP (N mats))))"
FLAT = "(S (D the) (N cat) (V saw) (N mats))"
WRONG = "(S (NP (D the) (V cat)) (NP (V saw) (VP (N mats))))"
NAMES = [
    "precision",
    "recall",
    "f1",
    "sentence_f1",
    "complete_match",
    "tag_accuracy",
    "average_crossing",
    "struct_iou",
    "node_accuracy",
]

GOLD = [RIGHT] * 6
GOOD = [RIGHT, RIGHT, LEFT, RIGHT, FLAT, RIGHT]
POOR = [LEFT, WRONG, LEFT, RIGHT, FLAT, WRONG]


def figures(evaluation):
    total = evaluation.total
    return [
        total.brackets.precision,
        total.brackets.recall,
        total.brackets.f1,
        total.brackets.sentence_f1,
        total.brackets.complete_match,
        total.tags.accuracy,
        total.brackets.average_crossing,
        total["siou"].mean,
        total["nodes"].nodes.accuracy,
    ]


# -- rates --------------------------------------------------------------------------


def test_rates_are_those_of_the_evaluation():
    result = compare(GOLD, [POOR, GOOD])
    assert [measure.name for measure in result.measures] == NAMES
    for system, trees_ in zip(result.systems, (POOR, GOOD)):
        evaluation = evaluate(GOLD, trees_)
        assert list(system.rates.values()) == figures(evaluation)
        assert system.total == evaluation.total
        assert [system[name] for name in NAMES] == figures(evaluation)
    assert result.gold_sentences == 6
    assert [system.units for system in result.systems] == [6, 6]
    assert result.baseline is result.systems[0]


@given(trees(continuous=True), trees(continuous=True))
@settings(max_examples=25, deadline=None)
def test_tested_figures_are_those_shown(gold, system):
    """A resample's figure equals the figure shown if all sentences are the same."""
    (row,) = compare([gold] * 10, [[system] * 10], test=None, samples=3, pair="order").systems
    for name in NAMES:
        ends = row.intervals[name]
        assert ends == (None if row[name] is None else pytest.approx((row[name], row[name]), abs=1e-11))


def test_metrics_that_were_not_computed_are_no_columns():
    result = compare(GOLD, [POOR, GOOD], metrics="brackets,nodes")
    assert [measure.name for measure in result.measures] == [*NAMES[:7], "node_accuracy"]
    assert set(result.p_values["system 2"]) == {*NAMES[:7], "node_accuracy"}


# -- tests --------------------------------------------------------------------------


def exact_p(gold, first, second):
    """Two-sided permutation p-values over all ways to swap sentences, by evaluating each."""
    differences = []
    for swaps in product((False, True), repeat=len(gold)):
        one = figures(evaluate(gold, [b if swap else a for a, b, swap in zip(first, second, swaps)]))
        two = figures(evaluate(gold, [a if swap else b for a, b, swap in zip(first, second, swaps)]))
        differences.append([y - x for x, y in zip(one, two)])
    return [
        float(
            Fraction(sum(abs(d[k]) >= abs(differences[0][k]) - 1e-12 for d in differences), len(differences))
        )
        for k in range(len(NAMES))
    ]


def test_permutation_swaps_sentences():
    result = compare(GOLD, {"poor": POOR, "good": GOOD}, test="permutation")
    assert list(result.p_values["good"].values()) == exact_p(GOLD, POOR, GOOD)
    assert len(set(result.p_values["good"].values())) > 1


def test_sign_counts_sentences():
    result = compare(GOLD, {"poor": POOR, "good": GOOD}, test="sign")
    # Better in sentences 1, 2 and 6, the same in 3, 4 and 5, which are left out.
    found = result.systems[1].outcomes["sentence_f1"]
    assert (found.wins, found.losses, found.ties) == (3, 0, 3)
    assert found.p == result.p_values["good"]["sentence_f1"] == 2 * 1 / 8
    split = compare(GOLD, {"poor": POOR, "good": GOOD}, test="sign", ties="split")
    assert split.p_values["good"]["sentence_f1"] == 2 * 6 / 32
    assert "ties" not in result.signature
    assert "test:sign ties:split" in split.signature
    # Fewer crossing constituents make a smaller figure.
    crossing = result.systems[1].outcomes["average_crossing"]
    assert (crossing.wins, crossing.losses, crossing.ties) == (0, 1, 5)


@pytest.mark.parametrize("test", ["bootstrap", "permutation", "sign"])
def test_identical_systems_do_not_differ(test):
    result = compare(GOLD, [POOR, list(POOR)], test=test)
    assert list(result.p_values["system 2"].values()) == [1.0] * 9


@pytest.mark.parametrize("test", ["bootstrap", "permutation", "sign"])
def test_the_order_of_the_systems_does_not_change_p(test):
    gold, poor, good = GOLD * 5, POOR * 5, GOOD * 5
    one = compare(gold, {"x": poor, "y": good}, test=test)
    two = compare(gold, {"y": good, "x": poor}, test=test)
    assert one.p_values["y"] == two.p_values["x"]
    for name in ("x", "y"):
        found = [next(row.intervals for row in both.systems if row.name == name) for both in (one, two)]
        assert found[0] == found[1]


@pytest.mark.parametrize("test", ["bootstrap", "permutation", "sign"])
def test_other_systems_and_metrics_change_nothing(test):
    gold, poor, good = GOLD * 5, POOR * 5, GOOD * 5
    merged = [f"(S {RIGHT} {RIGHT})"] + [RIGHT] * 28
    chosen = {"test": test, "samples": 99, "metrics": "siou,nodes"}
    alone = compare(gold, {"poor": poor, "good": good}, **chosen)
    among = compare(gold, {"poor": poor, "merged": merged, "good": good}, **chosen)
    assert among.systems[1].units == 29
    # Decisions are corrected for the number of systems.
    assert alone.systems == tuple(
        [replace(among.systems[k], decisions=alone.systems[k // 2].decisions) for k in (0, 2)]
    )
    fewer = compare(gold, {"poor": poor, "good": good}, test=test, samples=99, metrics="tags")
    assert fewer.p_values["good"] == {name: alone.p_values["good"][name] for name in NAMES[:7]}


def test_a_seed_fixes_the_result():
    gold, poor, good = GOLD * 5, POOR * 5, GOOD[::-1] * 5
    one = compare(gold, [poor, good], samples=200)
    assert compare(gold, [poor, good], samples=200) == one
    assert compare(gold, [poor, good], samples=200, seed=12345) == one
    other = compare(gold, [poor, good], samples=200, seed=1)
    assert other.systems[1].intervals != one.systems[1].intervals
    assert one.signature.endswith(
        " test:permutation samples:200 confidence:0.95 interval-samples:200 seed:12345"
    )
    assert other.signature.endswith("seed:1")


@pytest.mark.parametrize(
    ("options", "end"),
    [
        ({}, "test:permutation samples:10000 confidence:0.95 interval-samples:1000 seed:12345"),
        ({"confidence": None}, "test:permutation samples:10000 seed:12345"),
        (
            {"correction": "none"},
            "samples:10000 correction:none confidence:0.95 interval-samples:1000 seed:12345",
        ),
        (
            {"test": "bootstrap"},
            "test:bootstrap samples:10000 confidence:0.95 interval-samples:10000 seed:12345",
        ),
        ({"test": "sign", "confidence": None}, "test:sign"),
        ({"test": None, "confidence": 0.9}, "confidence:0.9 interval-samples:1000 seed:12345"),
        ({"test": None, "confidence": None}, "lang:en"),
    ],
)
def test_the_signature_names_the_test(options, end):
    found = compare(GOLD, [POOR, GOOD], **options).signature
    assert found.startswith(signature_of(Settings(convention="jpevalb")))
    assert found.endswith(end)


def test_more_tests_need_more_shuffles():
    """105 pairs of 15 systems are tested, or 14 with the first, or each as if it were the only one."""
    systems = {f"s{k}": POOR[:1] for k in range(15)}
    for correction, samples in (("pairs", 10_500), ("baseline", 10_000), ("none", 10_000)):
        found = compare(GOLD[:1], systems, correction=correction, confidence=None, metrics="brackets")
        assert f" samples:{samples} " in found.signature


def test_one_system_has_intervals_and_no_p_values():
    result = compare(GOLD * 10, [GOOD * 10], test=None, confidence=0.5)
    assert result.p_values == {}
    (row,) = result.systems
    low, high = row.intervals["f1"]
    assert low < row["f1"] < high
    wide = compare(GOLD * 10, [GOOD * 10], test=None, confidence=0.99).systems[0].intervals["f1"]
    assert wide[0] < low < high < wide[1]
    assert compare(GOLD, [GOOD], test=None, confidence=None).systems[0].intervals == {}


# -- units --------------------------------------------------------------------------


@st.composite
def partitions(draw, size):
    """Half-open ranges that cover a number of sentences, with empty ones among them."""
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=size + 3)))
    bounds = [0, *cuts, size]
    return [*pairwise(bounds)]


@given(
    st.integers(0, 9).flatmap(
        lambda size: st.tuples(st.just(size), st.lists(partitions(size), min_size=1, max_size=4))
    )
)
def test_units_are_the_finest_that_no_bead_crosses(drawn):
    size, alignments = drawn
    units = common_units(alignments)
    free = [
        place
        for place in range(1, size + 1)
        if all(any(end == place for _, end in ranges) for ranges in alignments)
    ]
    assert list(units.ends) == free
    assert units.gold == size
    for ranges, of in zip(alignments, units.of):
        assert len(of) == len(ranges)
        for (start, end), unit in zip(ranges, of):
            first = units.ends[unit - 1] if unit else 0
            last = units.ends[unit] if units.ends else 0
            assert first <= start <= end <= last
            # One without gold belongs to the unit before it, which it stands at the end of or inside.
            if start == end and size:
                assert first < end or end == 0
        assert list(of) == sorted(of)


def test_beads_that_overlap_are_one_unit():
    # One system joins sentences 1 and 2, the other 2 and 3; sentence 4 is apart, 5 and 6 are joined by both.
    one = [(0, 2), (2, 3), (3, 4), (4, 6)]
    two = [(0, 1), (1, 3), (3, 3), (3, 4), (4, 6), (6, 6)]
    units = common_units([one, two])
    assert units.ends == (3, 4, 6)
    assert units.of == ((0, 0, 1, 2), (0, 0, 0, 1, 2, 2))
    assert len(units) == 3


def test_without_gold_there_is_one_unit():
    assert len(common_units([[(0, 0), (0, 0)], []])) == 1
    assert len(common_units([[], []])) == 0


@pytest.mark.parametrize(
    ("alignments", "message"),
    [
        (
            [[(0, 1), (1, 2)], [(0, 3)]],
            "system 1 was scored against 2 gold sentences and system 2 against 3; "
            "a comparison needs the same gold sentences for all",
        ),
        (
            [[(0, 1)], [(0, 1)], []],
            "system 1 was scored against 1 gold sentences and system 3 against 0; "
            "a comparison needs the same gold sentences for all",
        ),
        (
            [[(0, 1), (2, 3)]],
            "system 1 has a bead of the gold sentences from 2 to 3; expected one that begins at 1",
        ),
        (
            [[(0, 2), (1, 3)]],
            "system 1 has a bead of the gold sentences from 1 to 3; expected one that begins at 2",
        ),
        (
            [[(0, 1), (1, 0)]],
            "system 1 has a bead of the gold sentences from 1 to 0; expected one that begins at 1",
        ),
    ],
)
def test_alignments_of_other_gold_are_an_error(alignments, message):
    with pytest.raises(SettingsError) as caught:
        common_units(alignments)
    assert str(caught.value) == message


WORDS = ["alpha beta gamma", "delta epsilon", "zeta eta theta", "iota kappa", "lambda my"]


def tree_of(words, label="NP"):
    tokens = words.split()
    return f"(S ({label} {' '.join(f'(N {word})' for word in tokens[:-1])}) (VP (V {tokens[-1]})))"


def test_systems_that_split_and_merge_differently_are_paired_over_gold():
    gold = [tree_of(words) for words in WORDS]
    # The first system merges sentences 1 and 2 and drops nothing; the second merges 2 and 3.
    first = [f"(S {tree_of(WORDS[0])} {tree_of(WORDS[1], 'X')})", *gold[2:4], tree_of(WORDS[4], "X")]
    second = [gold[0], f"(S {tree_of(WORDS[1])} {tree_of(WORDS[2], 'X')})", tree_of(WORDS[3], "X"), gold[4]]
    ones = [result.bead.gold for result in evaluate(gold, first).sentences]
    twos = [result.bead.gold for result in evaluate(gold, second).sentences]
    assert (ones, twos) == ([(0, 2), (2, 3), (3, 4), (4, 5)], [(0, 1), (1, 3), (3, 4), (4, 5)])

    result = compare(gold, {"first": first, "second": second}, test="permutation")
    assert [row.units for row in result.systems] == [4, 3]
    # Units are sentences 1-3, 4 and 5; swapping one means swapping a system's text of all of it.
    parts = ([first[:2], first[2:3], first[3:]], [second[:2], second[2:3], second[3:]])
    assert [len(part) for side in parts for part in side] == [2, 1, 1, 2, 1, 1]
    differences = []
    for swaps in product((0, 1), repeat=3):
        one = list(chain(*[parts[swap][k] for k, swap in enumerate(swaps)]))
        two = list(chain(*[parts[1 - swap][k] for k, swap in enumerate(swaps)]))
        differences.append(
            [y - x for x, y in zip(figures(evaluate(gold, one)), figures(evaluate(gold, two)))]
        )
    expected = [
        sum(abs(found[k]) >= abs(differences[0][k]) - 1e-12 for found in differences) / 8 for k in range(9)
    ]
    assert [result.p_values["second"][name] for name in NAMES] == expected


def test_text_without_gold_is_not_lost():
    gold = [tree_of(words) for words in WORDS]
    extra = [*gold[:3], tree_of("quite another sentence here"), *gold[3:]]
    result = compare(gold, {"all": gold, "more": extra})
    assert result.systems[1]["recall"] == 1.0
    assert result.systems[1]["precision"] < 1.0
    assert result.p_values["more"]["precision"] <= 1.0
    assert result.systems[1].notes == ("1 unaligned sentence",)
    assert result.systems[1].total.sentences.system == 6


# -- modes --------------------------------------------------------------------------

GAP = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
NO_GAP = "(S (VP (VB 0=wake)) (NP (PRP 1=me)) (RP 2=up))"


def test_discontinuous_trees():
    gold, one, two = [GAP] * 8, [NO_GAP] * 8, [GAP] * 7 + [NO_GAP]
    result = compare(gold, {"one": one, "two": two}, test="sign", settings=discontinuous_settings())
    assert [measure.title for measure in result.measures] == [
        "P",
        "R",
        "F",
        "Cont. F",
        "Disc. F",
        "Sent. F",
        "Complete",
        "Tags",
    ]
    for row, system in zip(result.systems, (one, two)):
        total = evaluate_with_gaps(gold, system).total
        assert row.total == total
        assert list(row.rates.values()) == figures_of(matches_of(total))
    # 7 wins and a tie, which is left out.
    assert result.p_values["two"]["sentence_f1"] == 2 / 2**7
    assert result.p_values["two"]["tag_accuracy"] == 1.0
    assert result.signature.startswith("jpevalb:")
    assert "convention:discontinuous prm:none pair:order test:sign" in result.signature


def test_discontinuous_sentences_without_a_parse_are_listed():
    result = compare([GAP] * 3, [[GAP] * 3, [GAP]], settings=discontinuous_settings())
    assert result.systems[1].notes == ("2 gold sentences without a parse in the file",)
    assert result.systems[1]["recall"] == pytest.approx(1 / 3)


def test_unscored_trees_with_gaps_are_listed():
    gold = ["(S (VP (V 0=wake) (R 2=up)) (N 1=me))", "(S (N 0=rain))"]
    settings = Settings(metrics="siou,concepts", convention="discontinuous words:2")
    result = compare(gold, [gold], test=None, settings=settings)
    assert result.systems[0].notes == (
        "1 gold sentence of fewer than 2 words",
        "1 sentence with gaps, without Struct-IoU",
    )
    assert result.systems[0]["word_accuracy"] == result.systems[0]["concept_accuracy"] == 1


def test_concepts_are_compared():
    # From Oslo, to Rome: one value of two is another one.
    gold, system = ["(TOP (From oslo) (To rome))"] * 3, ["(TOP (From bonn) (To rome))"] * 3
    result = compare(gold, [system, gold], test="permutation", metrics="concepts")
    assert [one["concept_accuracy"] for one in result.systems] == [0.5, 1]
    assert [one["word_accuracy"] for one in result.systems] == [0.5, 1]
    # The sign of the differences is one of 2 ** 3, two-sided.
    assert 0.2 < result.p_values["system 2"]["concept_accuracy"] < 0.3


def test_legacy_mode_gives_evalb_s_figures():
    params = Params.load("COLLINS.prm")
    result = compare(GOLD, {"poor": POOR, "good": GOOD}, test="permutation", settings=params)
    assert [measure.name for measure in result.measures] == [*NAMES[:3], *NAMES[4:7]]
    for row, system in zip(result.systems, (POOR, GOOD)):
        total = legacy.evaluate(GOLD, system, params).total
        assert row.total == total
        assert list(row.rates.values()) == [
            total.precision,
            total.recall,
            total.f1,
            total.complete_match,
            total.tagging_accuracy,
            total.average_crossing,
        ]
    aligned = compare(GOLD, {"poor": POOR, "good": GOOD}, test="permutation")
    for name in (*NAMES[:3], *NAMES[4:7]):
        assert result.p_values["good"][name] == aligned.p_values["good"][name]
    assert " dialect:evalb prm:COLLINS.prm#" in result.signature
    spmrl = compare(GOLD, [POOR, GOOD], settings=params, dialect="spmrl")
    assert " dialect:spmrl " in spmrl.signature


def test_legacy_mode_lists_errors_and_skipped_sentences():
    other = [*GOOD[:4], "(S (N quite) (N another))", "(())"]
    result = compare(GOLD, {"good": GOOD, "other": other}, settings=Params())
    assert result.systems[1].notes == ("1 sentence in error", "1 sentence skipped")


def test_legacy_mode_needs_as_many_lines(tmp_path):
    short = tmp_path / "short.mrg"
    short.write_text("\n".join(POOR[:4]) + "\n")
    with pytest.raises(InputError) as caught:
        compare(GOLD, [GOOD, short], settings=Params())
    expected = "gold: more lines than system (4); evalb scores line by line, so write each tree on one line, "
    expected += "on both sides; leave out -evalb if the sentences differ"
    assert str(caught.value) == f"{short}: {expected}"
    with pytest.raises(InputError, match=r"^system 2: gold: more lines than system \(4\)"):
        compare(GOLD, [GOOD, POOR[:4]], settings=Params())
    # evalb goes on after blank lines behind the last tree.
    whole, blank = [compare(GOLD, [GOOD, [*POOR, *more]], settings=Params()) for more in ([], ["", " "])]
    assert whole.f1 == blank.f1


def test_legacy_mode_that_gives_up_is_an_error():
    with pytest.raises(
        InputError,
        match=r"^bad: evalb gives up, because of more errors than MAX_ERROR \(1\) allows; the last one is",
    ):
        compare(GOLD, {"good": GOOD, "bad": ["(S (N x))"] * 6}, settings=Params(max_error=1))


# -- sources ------------------------------------------------------------------------


def expected():
    return [list(row.rates.values()) for row in compare(GOLD, [POOR, GOOD]).systems]


def rows(gold, systems, **options):
    return [list(row.rates.values()) for row in compare(gold, systems, **options).systems]


def test_gold_that_can_be_read_once_serves_all_systems(tmp_path):
    text = "\n".join(GOLD) + "\n"
    path = tmp_path / "gold.mrg"
    path.write_text(text)
    sources = [
        iter(GOLD),
        (Tree.parse(line) for line in GOLD),
        io.StringIO(text),
        io.BytesIO(text.encode()),
        str(path),
        path,
    ]
    for source in sources:
        assert rows(source, [POOR, GOOD]) == expected()
    with path.open() as file:
        assert rows(file, [POOR, GOOD]) == expected()


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no /dev/fd here")
def test_gold_from_a_pipe():
    read, write = os.pipe()

    def feed():
        with os.fdopen(write, "w") as stream:
            stream.write("\n".join(GOLD) + "\n")

    thread = threading.Thread(target=feed)
    thread.start()
    try:
        assert rows(f"/dev/fd/{read}", [POOR, GOOD]) == expected()
    finally:
        thread.join()
        os.close(read)


def test_gold_from_the_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(GOLD).encode())))
    assert rows("-", [POOR, GOOD]) == expected()


def test_gold_in_another_encoding(tmp_path):
    gold = [line.replace("cat", "κατ") for line in GOLD]
    path = tmp_path / "gold.mrg"
    path.write_text("\n".join(gold), encoding="utf-16")
    systems = []
    for place, system in enumerate((POOR, GOOD)):
        systems.append(tmp_path / f"{place}.mrg")
        systems[-1].write_text("\n".join(system).replace("cat", "κατ"), encoding="utf-16")
    assert rows(path, systems, encoding="utf-16") == expected()


def test_names(tmp_path):
    def written(name):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(GOOD))
        return path

    paths = [written(name) for name in ("x/a.mrg", "y/b.mrg", "y/a.mrg")]
    found = lambda systems: [row.name for row in compare(GOLD, systems, samples=1).systems]  # noqa: E731
    assert found(paths[:2]) == ["a", "b"]
    for kept in (["a.mrg", "a.jsonl"], ["run-0.5", "run-0.7"], ["a.mrg", "a .mrg"]):
        assert found([written(name) for name in kept]) == kept
    both = names_of([written("a.mrg.txt"), written("a.mrg")])
    assert [name for name, _ in both] == ["a.mrg", "a"]
    assert [name for name, _ in baseline_first("a.mrg", both, {})[0]] == ["a", "a.mrg"]
    assert found(paths) == [str(path) for path in paths]
    assert found([paths[0], paths[0]]) == [str(paths[0]), f"{paths[0]} (2)"]
    assert found([GOOD, POOR]) == ["system 1", "system 2"]
    assert found({"a\nb": GOOD, "a b": POOR, "": GOOD}) == ["a b", "a b (2)", "system"]


# -- errors -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ([], {}, "no system; expected one or more"),
        ([GOOD], {}, "one system with the permutation test; expected two or more, or leave out the test"),
        (
            [GOOD],
            {"test": "sign"},
            "one system with the sign test; expected two or more, or leave out the test",
        ),
        ([GOOD, POOR], {"test": "t"}, "unknown test 't'; expected one of bootstrap, permutation, sign"),
        ([GOOD, POOR], {"samples": 0}, "got 0 resamples; expected 1 or more"),
        ([GOOD, POOR], {"seed": -1}, "got the seed -1; expected 0 or more"),
        (
            [GOOD, POOR],
            {"confidence": 1.5},
            "got the confidence 1.5; expected a number between 0 and 1, such as 0.95",
        ),
        ("good.mrg", {}, "got one system; expected a list of systems, or a mapping of names to systems"),
        (["-", "-"], {}, "several files are '-'; only one can be the standard input"),
        (
            [GOOD, POOR],
            {"sys_times": "x.ctm"},
            "sys_times with several systems; word times belong to one system, leave out sys_times",
        ),
        (3, {}, "got an object of type int; expected a list of systems, or a mapping of names to systems"),
        ([GOOD, POOR], {"seed": "x"}, "got the seed 'x'; expected a whole number"),
        ([GOOD, POOR], {"samples": 1.5}, "got the number of resamples 1.5; expected a whole number"),
        (
            [GOOD, POOR],
            {"confidence": "high"},
            "got the confidence 'high'; expected a number between 0 and 1, such as 0.95",
        ),
    ],
)
def test_errors_are_one_clear_line(systems, options, message):
    with pytest.raises(SettingsError) as caught:
        compare(GOLD, systems, **options)
    assert str(caught.value) == message


def test_unknown_options_and_formats_are_errors():
    with pytest.raises(SettingsError, match="unknown option 'tests'"):
        compare(GOLD, [GOOD, POOR], tests="sign")
    with pytest.raises(
        SettingsError, match=r"unknown output format 'html5'; expected one of text, json, csv"
    ):
        compare(GOLD, [GOOD, POOR]).report("html5")
    with pytest.raises(JpevalbError, match=r"^/nowhere/gold.mrg: .*[Nn]o such file"):
        compare("/nowhere/gold.mrg", [GOOD, POOR])


# -- reports ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    systems = {"poor_1": [WRONG] * 6 + [LEFT, RIGHT], "good & new|*": [RIGHT] * 6 + [LEFT, FLAT]}
    return compare([RIGHT] * 8, systems, test="permutation", samples=256, confidence=None, metrics="brackets")


SIGNATURE = (
    f"jpevalb:{__version__} convention:jpevalb prm:none lang:en test:permutation samples:256 seed:12345"
)


def test_text(small):
    assert small.report(verbose=True, sort="none") == TEXT


def test_markdown(small):
    assert small.report("markdown", verbose=True, sort="none") == MARKDOWN


def test_latex(small):
    assert small.report("latex", verbose=True, sort="none") == LATEX


@pytest.mark.parametrize(
    ("name", "latex", "markdown"),
    [
        (r"50%_a&b#c$d{e}", r"50\%\_a\&b\#c\$d\{e\}", r"50%\_a&amp;b\#c\$d\{e\}"),
        (
            r"~a^b\c<d>",
            r"\textasciitilde{}a\textasciicircum{}b\textbackslash{}c\textless{}d\textgreater{}",
            r"\~a^b\\c&lt;d&gt;",
        ),
        ("[x]", "{[}x]", r"\[x\]"),
        ("*x|_y_", r"{*}x\textbar{}\_y\_", r"\*x\|\_y\_"),
        ("-", "-", "-"),
    ],
)
def test_names_of_figures(name, latex, markdown):
    report = compare(GOLD, {name: GOOD}, test=None, confidence=None).report
    assert report("latex").splitlines()[7].split(" & ")[0].strip() == latex
    assert re.split(r"(?<!\\)[|]", report("markdown").splitlines()[2])[1].strip() == markdown


def test_csv(small):
    assert small.report("csv", sort="none") == CSV
    read = list(csv.DictReader(io.StringIO(small.report("csv"))))
    assert [row["system"] for row in read] == ["good & new|*", "poor_1"]
    assert list(csv.reader(io.StringIO(small.report("tsv", sort="none")), delimiter="\t")) == list(
        csv.reader(io.StringIO(CSV))
    )


def test_marks_stand_for_levels():
    gold, poor, good = GOLD * 8, [WRONG, RIGHT] * 24, [RIGHT, LEFT] * 24
    result = compare(gold, {"a": poor, "b": good}, test="sign", confidence=None)
    line = result.report().splitlines()[3].split()
    assert line[0] == "b"
    for measure, cell in zip(result.measures, line[1:]):
        p = result.p_values["b"][measure.name]
        marks = "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""
        assert cell.lstrip("0123456789.") == marks, measure
    assert any("*" in cell for cell in line)
    assert not all("*" in cell for cell in line[1:])


def test_intervals_in_tables():
    result = compare(GOLD * 10, {"good": GOOD * 10}, test=None, metrics="tags")
    ends = result.systems[0].intervals["f1"]
    text = result.report(verbose=True)
    assert "\n95 % confidence intervals (expanded bootstrap percentiles, 1,000 resamples)\n" in text
    assert f"{100 * ends[0]:.2f} to {100 * ends[1]:.2f}" in text
    assert "p <" not in text
    (row,) = csv.DictReader(io.StringIO(result.report("csv")))
    assert (row["f1_low"], row["f1_high"]) == (f"{100 * ends[0]:.2f}", f"{100 * ends[1]:.2f}")
    assert "f1_p" not in row


def test_skipped_sentences_are_listed():
    gold = [tree_of(words) for words in WORDS]
    merged = [f"(S {gold[0]} {gold[1]})", *gold[2:]]
    extra = [*gold, tree_of("quite another sentence here")]
    result = compare(gold, {"gold": gold, "merged": merged, "extra": extra}, test="sign", confidence=None)
    lines = [line for line in result.report().splitlines() if line.startswith("# ")]
    assert lines[2:-1] == [
        "# 5 gold sentences",
        "# gold: Sent. F over 5 sentences",
        "# merged: Sent. F over 4 sentences, resampled in 4 units, as the alignment joins sentences",
        "# extra: Sent. F over 6 sentences, 1 unaligned sentence",
    ]
    assert "Wins, ties and losses against gold\n" in result.report(verbose=True)


# Gold has brackets in the first and the last sentence, "inventor" in the third, too.
EMPTY_GOLD = ["(S (NP (A a)) (B b))", "(A a)", "(A c)", "(S (A d) (B e))"]
EMPTY_SYSTEMS = {
    "inventor": ["(S (NP (A a)) (B b))", "(A a)", "(S (A c))", "(S (A d) (B e))"],
    "careful": ["(S (A a) (NP (B b)))", "(A a)", "(A c)", "(S (A d) (B e))"],
}


@pytest.mark.parametrize("options", [{"pair": "order"}, {"pair": "align"}, {"convention": "discontinuous"}])
def test_sentence_f1_is_over_the_same_sentences_for_all_systems(options):
    """Sentences 1, 3 and 4: 1, 0, 1 for the first system and 1/2, 1, 1 for the second."""
    found = compare(EMPTY_GOLD, EMPTY_SYSTEMS, metrics="brackets", test="sign", **options)
    inventor, careful = found.systems
    assert (inventor["sentence_f1"], careful["sentence_f1"]) == (2 / 3, 2.5 / 3)
    assert [system.f1_sentences for system in found.systems] == [3, 3]
    # Of F itself, too, the third sentence is a win; it was left out as undefined.
    for name in ("f1", "sentence_f1"):
        assert careful.outcomes[name][1:] == (1, 1, 1)
    assert "\n# 4 gold sentences; Sent. F over 3\n" in found.report()
    assert [system["f1_sentences"] for system in found.to_dict()["systems"]] == [3, 3]
    # The other figures and the counts are those of the evaluation.
    for system, trees_ in zip(found.systems, EMPTY_SYSTEMS.values()):
        alone = evaluate(EMPTY_GOLD, trees_, metrics="brackets", **options)
        assert system.total == alone.total
        assert (system["f1"], system["complete_match"]) == (alone.f1, alone.total.brackets.complete_match)
    back = compare(EMPTY_GOLD, dict(reversed(EMPTY_SYSTEMS.items())), metrics="brackets", **options)
    assert [system["sentence_f1"] for system in back.systems] == [2.5 / 3, 2 / 3]


def test_a_system_that_invents_a_bracket_makes_a_sentence_count():
    second = ["(S (NP (A a)) (B b))", "(X (A a))", "(A c)", "(S (A d) (B e))"]
    found = compare(EMPTY_GOLD, {**EMPTY_SYSTEMS, "second": second}, metrics="brackets")
    assert [system["sentence_f1"] for system in found.systems] == [3 / 4, 3.5 / 4, 3 / 4]
    assert compare(EMPTY_GOLD, [second], test=None, metrics="brackets").systems[0].f1_sentences == 3
    processes = compare(EMPTY_GOLD, {**EMPTY_SYSTEMS, "second": second}, metrics="brackets", jobs=2)
    assert processes == found


def test_a_missing_parse_has_sentence_f1_zero():
    for none, options in (("(())", {"pair": "order"}), ("(A c", {"pair": "order", "on_error": "skip"})):
        lazy = [*EMPTY_SYSTEMS["careful"][:2], none, EMPTY_SYSTEMS["careful"][3]]
        found = compare(EMPTY_GOLD, {**EMPTY_SYSTEMS, "lazy": lazy}, metrics="brackets", **options)
        assert [system["sentence_f1"] for system in found.systems] == [2 / 3, 2.5 / 3, 1.5 / 3]


def test_sentences_without_brackets_that_are_joined_or_extra():
    """A joined bead counts for both its sentences; an extra sentence counts for its own system only."""
    gold = [RIGHT, "(D quickly)", tree_of(WORDS[0])]
    systems = {
        "apart": gold,
        "joined": [f"(S {RIGHT} (D quickly))", tree_of(WORDS[0])],
        "empty": [*gold, "(Q unexpectedly)"],
        "extra": [*gold, tree_of(WORDS[3])],
    }
    found = compare(gold, systems, metrics="brackets", test=None)
    assert [system.f1_sentences for system in found.systems] == [3, 2, 3, 4]
    assert [found.systems[k]["sentence_f1"] for k in (0, 2, 3)] == [1.0, 1.0, 3 / 4]
    assert "# joined: Sent. F over 2 sentences, resampled in 2 units" in found.report()
    assert "Sent. F over 3 sentences" not in compare(gold, {"a": gold, "b": gold}, test=None).report()
    files = {"a": io.StringIO(RIGHT), "b": io.StringIO(json.dumps({"output": RIGHT}))}
    assert "# a: format bracket\n" in compare([RIGHT], files, test=None).report()


def test_empty_f1_counts_all_sentences_in_alignment_mode(tmp_path):
    for name, sentences in zip(("gold", *EMPTY_SYSTEMS), (EMPTY_GOLD, *EMPTY_SYSTEMS.values())):
        (tmp_path / name).write_text("\n".join(sentences) + "\n")
    paths = [str(tmp_path / name) for name in ("gold", "inventor")]
    text = evaluate(*paths, empty_f1="one").report()
    assert "Sentence-mean F1          =  75.00    75.00\n" in text
    assert " convention:jpevalb prm:none lang:en empty-f1:one" in text
    result = evaluate(*paths, empty_f1="one").total.brackets
    assert (result.sentence_f1, result.f1_sentences) == (3 / 4, 4)
    found = compare(EMPTY_GOLD, EMPTY_SYSTEMS, metrics="brackets", empty_f1="one")
    assert [(system["sentence_f1"], system.f1_sentences) for system in found.systems] == [
        (3 / 4, 4),
        (3.5 / 4, 4),
    ]


def test_undefined_figures():
    nothing = ["(N a)", "(N b)"]
    for test in ("bootstrap", "permutation", "sign"):
        result = compare(nothing, [nothing, nothing], test=test)
        assert result.systems[1]["f1"] is None
        assert result.p_values["system 2"]["f1"] is None
        assert result.systems[1].intervals["f1"] is None
        assert result.report().splitlines()[2].split()[2:6] == ["-", "-", "-", "-"]
        assert json.loads(result.report("json"))["systems"][1]["rates"]["f1"] is None
        assert next(csv.DictReader(io.StringIO(result.report("csv"))))["f1"] == ""
        assert r"& -- " in result.report("latex") or r"--" in result.report("latex")


def test_empty_files():
    with pytest.raises(InputError, match="no sentence of gold has words"):
        compare([], [[], []])
    result = compare(GOLD, {"good": GOOD, "none": []})
    assert set(result.systems[1].rates.values()) == {None}
    assert {one.outcome for one in result.systems[1].decisions.values()} == {"undefined"}
    assert result.report().startswith("System")
    assert json.loads(result.report("json"))["systems"][1]["problem"] == result.systems[1].problem


def test_crossing_wins_are_fewer_crossings():
    result = compare(GOLD, {"poor": POOR, "good": GOOD}, test="sign", confidence=None)
    table = result.report(verbose=True).split("Wins, ties and losses")[1].splitlines()
    assert table[3].split()[7] == "1/5/0"


def test_json_holds_everything(small):
    found = json.loads(small.report("json"))
    assert found == json.loads(json.dumps(small.to_dict()))
    assert found["signature"] == SIGNATURE
    assert found["baseline"] == "poor_1"
    assert found["test"] == "permutation"
    assert found["test_samples"] == 256
    assert found["systems"][1]["rates"]["f1"] == small.systems[1]["f1"]
    assert found["systems"][1]["p_values"] == dict(small.p_values["good & new|*"])
    assert found["systems"][0]["p_values"] == {}
    assert found["systems"][0]["counts"]["brackets"]["gold"] == 32
    assert [measure["name"] for measure in found["measures"]] == NAMES[:7]


def test_a_comparison_can_be_pickled(small):
    assert pickle.loads(pickle.dumps(small)) == small


# -- command line -------------------------------------------------------------------


def command(*argv):
    parsed = parser().parse_args([str(word) for word in argv])
    parsed.output = parsed.output or "text"
    return parsed


@pytest.fixture
def files(tmp_path):
    contents = {"gold.mrg": GOLD, "poor.mrg": POOR, "good.mrg": GOOD}
    return [write_files(tmp_path, contents) / name for name in contents]


def test_command_defaults_are_the_library_s(files, capsys):
    options = command(*files)
    assert compares(options)
    assert run_comparison(options, options.gold, options.system, Settings()) == 0
    captured = capsys.readouterr()
    assert captured.out == compare(files[0], files[1:]).report()
    assert captured.err == ""


def test_command_options(files, capsys, tmp_path):
    out = tmp_path / "table.csv"
    options = command(
        *files, "--test", "permutation", "--samples", "50", "--seed", "7", "--confidence", "0.8",
        "--output", "csv", "--out", out
    )  # fmt: skip
    assert run_comparison(options, options.gold, options.system, Settings()) == 0
    assert capsys.readouterr().out == ""
    expected = compare(files[0], files[1:], test="permutation", samples=50, seed=7, confidence=0.8)
    assert out.read_text() == expected.report("csv")


def test_command_with_one_system(files, capsys):
    options = command(*files[:2])
    assert not compares(options)
    options = command(*files[:2], "--confidence", "0.9")
    assert compares(options)
    run_comparison(options, options.gold, options.system, Settings())
    assert capsys.readouterr().out == compare(files[0], files[1:2], test=None, confidence=0.9).report()
    options = command(*files[:2], "--test", "sign")
    with pytest.raises(SettingsError, match="one system with the sign test"):
        run_comparison(options, options.gold, options.system, Settings())


def test_the_command_prints_each_warning_once(tmp_path, capsys):
    paths = []
    for name in ("gold", "one", "two"):
        paths.append(tmp_path / name)
        paths[-1].write_text("".join(f"(S1 {tree})\n" for tree in GOLD * 3))
    options = command(*paths)
    assert run_comparison(options, options.gold, options.system, Settings()) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("jpevalb: warning: one: gold has S1 (18 of 18 first roots)")


TEXT = """\
System            P      R      F  Sent. F  Complete    Tags  Crossing
------------  -----  -----  -----  -------  --------  ------  --------
poor_1        56.25  56.25  56.25    56.25     12.50   81.25      0.12
good & new|*  93.10  84.38  88.52    86.25     75.00  100.00      0.12

p-values of the difference from poor_1 (paired permutation, all shuffles, Holm over each table, F alone)
System             P       R       F  Sent. F  Complete    Tags  Crossing
------------  ------  ------  ------  -------  --------  ------  --------
good & new|*  0.1875  0.5000  0.0312   0.5000    0.5000  0.1875    1.0000

# good & new|* against poor_1: too few sentences to compare
# * p < 0.05, ** p < 0.01, *** p < 0.001 (paired permutation, all shuffles, against poor_1); two-sided, Holm over each table, F alone
# 8 gold sentences; Sent. F over 8
# signature: @SIG@
""".replace("@SIG@", SIGNATURE)  # noqa: E501

MARKDOWN = r"""
| System             |     P |     R |     F |   Sent. F |   Complete |   Tags |   Crossing |
|:-------------------|------:|------:|------:|----------:|-----------:|-------:|-----------:|
| poor\_1            | 56.25 | 56.25 | 56.25 |     56.25 |      12.50 |  81.25 |       0.12 |
| good &amp; new\|\* | 93.10 | 84.38 | 88.52 |     86.25 |      75.00 | 100.00 |       0.12 |

p-values of the difference from poor\_1 (paired permutation, all shuffles, Holm over each table, F alone)

| System             |      P |      R |      F |   Sent. F |   Complete |   Tags |   Crossing |
|:-------------------|-------:|-------:|-------:|----------:|-----------:|-------:|-----------:|
| good &amp; new\|\* | 0.1875 | 0.5000 | 0.0312 |    0.5000 |     0.5000 | 0.1875 |     1.0000 |

- good &amp; new\|\* against poor\_1: too few sentences to compare
- \* p &lt; 0.05, \*\* p &lt; 0.01, \*\*\* p &lt; 0.001 (paired permutation, all shuffles, against poor\_1); two-sided, Holm over each table, F alone
- 8 gold sentences; Sent. F over 8
- signature: @SIG@
""".replace("@SIG@", SIGNATURE)[1:]  # noqa: E501

LATEX = r"""
% \usepackage{booktabs,graphicx}

\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lrrrr}
\toprule
System                   &              P &              R &              F &        Sent. F \\
\midrule
poor\_1                  &          56.25 &          56.25 &          56.25 &          56.25 \\
good \& new\textbar{}{*} & \textbf{93.10} & \textbf{84.38} & \textbf{88.52} & \textbf{86.25} \\
\bottomrule
\end{tabular}}

\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lrrr}
\toprule
System                   &       Complete &            Tags &   Crossing \\
\midrule
poor\_1                  &          12.50 &           81.25 &       0.12 \\
good \& new\textbar{}{*} & \textbf{75.00} & \textbf{100.00} &       0.12 \\
\bottomrule
\end{tabular}}

\noindent{\small p-values of the difference from poor\_1 (paired permutation, all shuffles, Holm over each table, F alone).\par}
\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lrrrr}
\toprule
System                   &      P &      R &      F &   Sent. F \\
\midrule
good \& new\textbar{}{*} & 0.1875 & 0.5000 & 0.0312 &    0.5000 \\
\bottomrule
\end{tabular}}

\noindent{\small p-values of the difference from poor\_1 (paired permutation, all shuffles, Holm over each table, F alone).\par}
\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lrrr}
\toprule
System                   &   Complete &   Tags &   Crossing \\
\midrule
good \& new\textbar{}{*} &     0.5000 & 0.1875 &     1.0000 \\
\bottomrule
\end{tabular}}

% good & new|* against poor_1: too few sentences to compare
% * p < 0.05, ** p < 0.01, *** p < 0.001 (paired permutation, all shuffles, against poor_1); two-sided, Holm over each table, F alone
% 8 gold sentences; Sent. F over 8
% signature: @SIG@
""".replace("@SIG@", SIGNATURE)[1:]  # noqa: E501

CSV = """\
system,precision,precision_p,precision_p_holm,recall,recall_p,recall_p_holm,f1,f1_p,f1_p_holm,sentence_f1,sentence_f1_p,sentence_f1_p_holm,complete_match,complete_match_p,complete_match_p_holm,tag_accuracy,tag_accuracy_p,tag_accuracy_p_holm,average_crossing,average_crossing_p,average_crossing_p_holm,notes,signature
poor_1,56.25,,,56.25,,,56.25,,,56.25,,,12.50,,,81.25,,,0.12,,,,@SIG@
good & new|*,93.10,0.03125,0.1875,84.38,0.125,0.5,88.52,0.03125,0.03125,86.25,0.125,0.5,75.00,0.125,0.5,100.00,0.03125,0.1875,0.12,1,1,,@SIG@
""".replace("@SIG@", SIGNATURE)  # noqa: E501


# -- the whole command ----------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    return write_files(tmp_path, {"gold": GOLD, "poor": POOR, "good": GOOD, "short": POOR[:4]})


@pytest.mark.parametrize(
    "arguments",
    [
        ["gold", "poor", "good", "-evalb"],
        ["-evalb", "COLLINS.prm", "gold", "poor", "good"],
        ["-evalb", "gold", "poor", "good"],
        ["gold", "poor", "-p", "COLLINS.prm", "good", "--test", "permutation"],
        ["gold", "--test=permutation", "poor", "good", "-evalb"],
    ],
    ids=" ".join,
)
def test_evalb_s_figures_of_several_systems(folder, arguments):
    done = jpevalb(*arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    systems = [folder / "poor", folder / "good"]
    expected = compare(folder / "gold", systems, settings=Params.load("COLLINS.prm"))
    assert done.stdout.decode() == expected.report()
    assert "dialect:evalb prm:COLLINS.prm#" in expected.signature


def test_options_of_a_comparison_of_evalb_s_figures(folder):
    done = jpevalb(
        "gold", "poor", "good", "-evalb", "--dialect", "spmrl", "--test", "permutation", "--samples", "64",
        "--seed", "3", "--confidence", "0.8", "--output", "json", "--out", "r.json", cwd=folder
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    found = json.loads((folder / "r.json").read_text())
    expected = compare(
        GOLD, {"poor": POOR, "good": GOOD}, settings=Params.load("COLLINS.prm"), dialect="spmrl",
        test="permutation", samples=64, seed=3, confidence=0.8
    )  # fmt: skip
    assert found == json.loads(expected.report("json"))
    assert (found["convention"], found["version"]) == ("spmrl", 2)


def test_evalb_itself_ignores_a_third_name_and_knows_no_comparison(folder):
    two = jpevalb("-p", "COLLINS.prm", "gold", "poor", cwd=folder)
    for program, arguments in (
        ("jpevalb", ["-p", "COLLINS.prm", "gold", "poor", "good"]),
        ("evalb", ["-p", "COLLINS.prm", "gold", "poor", "good"]),
    ):
        three = jpevalb(*arguments, cwd=folder, program=program)
        assert (three.returncode, three.stdout, three.stderr) == (0, two.stdout, two.stderr)
    done = jpevalb("gold", "poor", "good", "--test", "sign", cwd=folder, program="evalb")
    assert done.returncode == 2
    assert done.stderr.startswith(
        b"jpevalb: unknown option '--test' of evalb; call jpevalb for jpevalb's own score"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ["gold", "good", "short", "-evalb"],
            1,
            "short: gold: more lines than system (4); evalb scores line by line, so write each tree on one "
            "line, on both sides; leave out -evalb if the sentences differ",
        ),
        (
            ["gold", "good", "-evalb", "--test", "sign"],
            2,
            "one system with the sign test; expected two or more, or leave out the test",
        ),
        (
            ["gold", "good", "--test", "sign"],
            2,
            "one system with the sign test; expected two or more, or leave out the test",
        ),
        (
            ["gold", "good", "poor", "-evalb", "-D"],
            2,
            "-D has no effect in comparisons of systems; leave it out",
        ),
        (
            ["gold", "good", "poor", "-evalb", "--dialect", "spmrl", "-X"],
            2,
            "-X has no effect in comparisons of systems; leave it out",
        ),
        (["gold", "good", "no", "-evalb"], 1, "no: cannot read the file: No such file or directory"),
        (
            ["gold", "good", "poor", "--out", "no/r.txt"],
            1,
            "no/r.txt: cannot write the file: No such file or directory",
        ),
        (
            ["gold", "good", "poor", "-evalb", "--out", ".", "--output", "text"],
            1,
            ".: cannot write the file: Is a directory",
        ),
        (["gold", "good", "poor", "-evalb", "--out", "poor"], 2, None),
        (["gold", "good", "poor", "-evalb", "--confidence", "much"], 2, None),
        (["gold", "good", "poor", "-evalb", "--test", "t"], 2, None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_mistakes_are_one_line(folder, arguments, status, message):
    before = sorted(path.name for path in folder.iterdir())
    done = jpevalb(*arguments, cwd=folder)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (status, b"")
    assert said.startswith("jpevalb: ")
    assert said.count("\n") == 1
    if message is not None:
        assert said == f"jpevalb: {message}\n"
    assert sorted(path.name for path in folder.iterdir()) == before
    assert (folder / "poor").read_text() == "\n".join(POOR) + "\n"


def test_a_report_of_one_system_has_evalb_s_form(folder):
    plain = jpevalb("gold", "good", "-evalb", cwd=folder)
    assert jpevalb("gold", "good", "-evalb", "-o", "r.txt", cwd=folder).returncode == 0
    assert (folder / "r.txt").read_bytes() == plain.stdout
    done = jpevalb("gold", "good", "-evalb", "--as", "csv", cwd=folder)
    assert (done.returncode, done.stderr) == (
        2,
        b"jpevalb: --as csv needs several systems with -evalb; give text or json\n",
    )


def test_discontinuous_comparisons_have_causes_labels_and_lengths(tmp_path):
    for name, line in (("gold", GAP), ("one", NO_GAP), ("two", GAP)):
        (tmp_path / name).write_text(line + "\n")
    options = ("--analysis", "--format", "discbracket", "--output", "json")
    done = jpevalb("gold", "one", "two", *options, cwd=tmp_path)
    [one, two] = json.loads(done.stdout)["systems"]
    alone = json.loads(jpevalb("gold", "one", *options, cwd=tmp_path).stdout)["total"]
    assert one["counts"]["analysis"] == alone["analysis"]
    lost = sum(rate for name, rate in one["rates"].items() if name.startswith("cause_"))
    assert lost == pytest.approx(1 - one["rates"]["f1"])
    assert two["rates"]["f1"] == 1
    assert not any(rate for name, rate in two["rates"].items() if name.startswith("cause_"))
    text = jpevalb("gold", "one", "two", "--analysis", "--format", "discbracket", cwd=tmp_path).stdout
    for title in (b"Points of F1 lost by cause", b"F by label", b"F by length of the sentence"):
        assert title in text


def test_the_mode_does_not_depend_on_the_order_of_the_systems(tmp_path):
    for name, line in (("plain", "(S (A a) (B b))"), ("indexed", "(S (A 0=a) (B 1=b))")):
        (tmp_path / name).write_text(line + "\n")
    for systems in (("plain", "indexed"), ("indexed", "plain")):
        done = jpevalb("plain", *systems, "--metrics", "brackets", cwd=tmp_path)
        assert b" convention:discontinuous " in done.stdout


def test_a_report_that_fails_half_way_leaves_the_file_as_it_was(folder, monkeypatch, capsys):
    (folder / "r.txt").write_text("before")
    monkeypatch.setattr("jpevalb.commands.tables.render_comparison", lambda *_, **__: _fail())
    files = [str(folder / name) for name in ("gold", "poor", "good")]
    assert main([*files, "--out", str(folder / "r.txt")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert (folder / "r.txt").read_text() == "before"
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "good", "poor", "r.txt", "short"]


def _fail():
    raise MemoryError


# -- the layout of the text ------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_tables_are_no_wider_than_asked_if_a_column_fits(width):
    gold, poor, good = GOLD * 8, [WRONG, RIGHT] * 24, [RIGHT, LEFT] * 24
    result = compare(gold, {"poor": poor, "good": good}, test="sign", analysis=True)
    title = "#|p-val|95|Wins|.*: intervals of the difference"
    lines = [
        line for line in result.report(width=width, verbose=True).splitlines() if not re.match(title, line)
    ]
    assert max(map(len, lines)) <= width
    # However it is cut, it holds the same cells.
    cells = sorted(word for line in lines for word in line.split() if re.fullmatch(r"[0-9./*]+", word))
    whole = [
        line for line in result.report(width=1000, verbose=True).splitlines() if not re.match(title, line)
    ]
    widest = [word for line in whole for word in line.split() if re.fullmatch(r"[0-9./*]+", word)]
    assert set(cells) == set(widest)


def test_names_of_wide_letters_and_controls_are_aligned():
    result = compare(GOLD, {"구문분석기": POOR, "b\x1b[31m": GOOD}, test=None, confidence=None)
    lines = result.report(sort="none").splitlines()
    assert "\x1b" not in result.report()
    # A Korean syllable takes two columns.
    assert lines[1].startswith("-" * 10 + "  ")
    assert lines[2].startswith("구문분석기  ")
    assert lines[3].startswith("b\\x1b[31m   ")


def test_f_by_label_and_by_length():
    result = compare(GOLD, {"poor": POOR, "good": GOOD}, test=None, confidence=None, analysis=True)
    rows = [line.split() for line in result.report().splitlines()]
    for system, column in ((POOR, 2), (GOOD, 3)):
        analysis = evaluate(GOLD, system).analysis()
        for item in analysis.labels:
            row = next(row for row in rows if row[:1] == [item.label])
            assert row[1] == "6" or item.counts.gold != 6
            assert row[column] == f"{100 * item.counts.f1:.2f}"
        row = next(row for row in rows if row[:1] == ["1-10"])
        assert row[column] == f"{100 * analysis.lengths[0].brackets.f1:.2f}"
    by_label = compare(GOLD, {"poor": POOR}, test=None, confidence=None, by_label=True).report()
    assert "F by label" in by_label
    assert "F by length" not in by_label
