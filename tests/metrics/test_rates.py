"""The quotient of the two numbers that a comparison resamples is the figure in the report."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import re

import pytest

from jpevalb import evaluate, legacy, metrics as all_metrics
from jpevalb.base.counts import Counts
from jpevalb.metrics import brackets, metric_of
from jpevalb.metrics.brackets import BracketCounts, GapCounts, TagCounts
from jpevalb.metrics.record import Record, SentenceCounts
from jpevalb.score.evaluation import figures_of as figures_of_run
from jpevalb.settings.params import Params
from jpevalb.settings.settings import REGISTRY
from tests.support.commands import ROOT
from tests.support.gapped import figures_of
from tests.support.with_gaps import evaluate_with_gaps, matches_of

README = ROOT / "examples"
GOLD = (README / "gold.mrg").read_text().splitlines()
# A third system differs in tags, in function tags and in a bracket of one word.
POOR = [line.replace("NP-SBJ", "NP").replace("(DT the)", "(XX the)") for line in GOLD]


@pytest.fixture(scope="module")
def totals():
    chosen = "functions,leaf,tedeval,siou,nodes,segmentation"
    return [
        evaluate(GOLD, (README / name).read_text().splitlines(), metrics=chosen).total
        for name in ("e2e.mrg", "sys.mrg")
    ] + [evaluate(GOLD, POOR, metrics=chosen).total]


def check(figures, records):
    """Returns how many of the quotients say something: they are neither 0 nor 1."""
    telling = 0
    for figure in figures:
        parts, value = figure.counts, figure.value
        for record in records:
            part, whole = parts(record)
            assert (value(record) is None) == (whole == 0), figure
            if whole:
                assert part / whole == pytest.approx(value(record), rel=1e-9), figure
                telling += part not in (0, whole)
    return telling


@pytest.mark.parametrize("name", ["segmentation", "functions", "leaf", "tedeval", "siou", "nodes"])
def test_each_metric(totals, name):
    figures = [figure for figure in metric_of(name).figures if figure.title]
    assert figures
    assert check(figures, [total[name] for total in totals]) >= len(figures)


def test_brackets_and_tags(totals):
    assert check(brackets.ALIGNMENT, totals) > len(brackets.ALIGNMENT)


def test_the_rates_of_a_run_are_read_from_its_records():
    system = (README / "sys.mrg").read_text().splitlines()
    found = evaluate(GOLD, system, metrics="leaf,nodes")
    made = figures_of_run(found.metrics, found.settings)
    assert made[: len(brackets.ALIGNMENT)] == list(brackets.ALIGNMENT)
    own = [(metric.name, figure) for metric in found.metrics for figure in metric.figures if figure.title]
    assert {"leaf", "nodes", "gaps"} <= {name for name, _ in own}
    for mine, (name, figure) in zip(made[len(brackets.ALIGNMENT) :], own, strict=True):
        record = found.total[name]
        assert mine == figure
        assert (mine.counts(found.total), mine.value(found.total), mine.shown(found.total)) == (
            figure.counts(record),
            figure.value(record),
            record.shown,
        )
    # Over the same words constituents with gaps are counted by the mode itself.
    gold, other = README / "gold.discbracket", README / "sys.discbracket"
    found = evaluate_with_gaps(gold, other)
    made = figures_of_run(found.metrics, found.settings)
    assert made == list(brackets.DISCONTINUOUS)
    assert [figure.value(found.total) for figure in made] == figures_of(matches_of(found.total))


def test_figures_compare_and_pickle_by_their_data():
    for figure in (brackets.SENTENCE_F1, *metric_of("siou").figures):
        copy = pickle.loads(pickle.dumps(figure))
        assert (copy, hash(copy)) == (figure, hash(figure))
        with pytest.raises(TypeError, match="this figure has no functions"):
            copy.value(None)
    assert brackets.SENTENCE_F1 != brackets.F1


def test_no_two_figures_have_one_name():
    metrics = [metric_of(name) for name in REGISTRY]
    names = [figure.name for metric in metrics for figure in metric.figures]
    names += [figure.name for figure in brackets.SUMMARY]
    assert len(names) == len(set(names))


def test_legacy():
    system = (README / "sys.mrg").read_text().splitlines()
    record = legacy.evaluate(GOLD, system, "COLLINS").total
    assert check(brackets.LEGACY, [record, legacy.evaluate(GOLD, POOR, None).total]) >= 5


def test_discontinuous():
    record = evaluate_with_gaps(README / "gold.discbracket", README / "sys.discbracket").total
    assert check(brackets.DISCONTINUOUS, [record]) >= 5


def test_discontinuous_by_hand():
    counted = BracketCounts(4, 12, 12, 7, complete=1, f1_sum=2 * 10**12, f1_sentences=3)
    counts = SentenceCounts(4), counted, TagCounts(9, 9, 8), GapCounts(3, 5, 1)
    record = Record.of(dict(zip(("sentences", "brackets", "tags", "gaps"), counts)))
    # 12 gold and 12 system constituents, 7 matched; 9 and 7 without gaps, 3 and 5 with.
    assert {figure.name: figure.value(record) for figure in brackets.DISCONTINUOUS} == {
        "precision": 7 / 12,
        "recall": 7 / 12,
        "f1": 7 / 12,
        "continuous_f1": 12 / 16,
        "discontinuous_f1": 2 / 8,
        "sentence_f1": 2 / 3,
        "complete_match": 1 / 4,
        "tag_accuracy": 8 / 9,
    }


def test_larger_is_better_except_for_crossing_brackets():
    every = {*brackets.ALIGNMENT, *brackets.LEGACY, *brackets.DISCONTINUOUS}
    assert {figure.name for figure in every if not figure.larger_is_better} == {"average_crossing"}


@pytest.mark.parametrize("length", [1, 2**62, 2**70, True, 0.5])
def test_numbers_of_any_size_and_type_add_up(length):
    found = Record.sum(
        [Record.of({"sentences": SentenceCounts(1, 1, 1, length=length)})] * 3
    ).sentences.length
    assert (found, type(found)) == (3 * length, type(3 * length))


def test_records_add_by_name():
    beads, brackets, tags = SentenceCounts(1, 1, 1), BracketCounts(1, 2, 3, 1), TagCounts(3, 3, 2)
    counts = {"sentences": beads, "brackets": brackets, "tags": tags}
    one = Record.of(counts)
    two = Record.of({**counts, "gaps": GapCounts(1, 0, 0)})
    assert (one.sentences, one.brackets, one.tags) == (beads, brackets, tags)
    twice = Record.of(
        {"sentences": SentenceCounts(2, 2, 2), "brackets": brackets + brackets, "tags": tags + tags}
    )
    assert Record.sum([one, one]) == twice
    total = Record.sum([one, two, two])
    assert total.names == two.names
    assert (total.sentences, total.tags, total["gaps"]) == (
        SentenceCounts(3, 3, 3),
        TagCounts(9, 9, 6),
        GapCounts(2),
    )
    assert ("gaps" in total, "gaps" in one) == (True, False)
    with pytest.raises(
        KeyError, match="unknown metric 'gaps', or not computed; there are sentences, brackets, tags"
    ):
        one["gaps"]
    assert Record.sum([]) == Record()
    assert SentenceCounts() == SentenceCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    # Also where there are no gaps.
    assert list(two.to_dict()) == list(two.of_bead()) == list(two.names)
    assert list(Record.of({**counts, "gaps": GapCounts()}).to_dict()) == list(two.names)


@pytest.mark.parametrize(
    ("counts", "f1"),
    [
        # Sentences, gold, system, matched, crossing; complete, none crossing, two or fewer; F1 in 10^-12.
        ((1, 4, 5, 3, 2, 0, 0, 1, 666_666_666_667, 1), 0.666666666667),
        ((1, 2, 2, 2, 0, 1, 1, 1, 10**12, 1), 1.0),
        ((1, 1, 0, 0, 0, 0, 1, 1, 0, 1), 0.0),
        ((1, 0, 0, 0, 0, 1, 1, 1, 0, 0), None),
    ],
)
def test_rates_of_brackets(counts, f1):
    found = BracketCounts(*counts)
    assert BracketCounts() == BracketCounts(*[0] * 10)
    assert found.average_crossing == counts[4]
    assert (found.complete_match, found.no_crossing_share) == counts[5:7]
    assert (found + found).two_or_less_crossing_share == counts[7]
    assert found.sentence_f1 == f1


@pytest.mark.parametrize(
    ("system", "length"),
    [
        ("(S (A ab) (, x) (B c))", 2),
        # Units of several words: one counts as long as one of its gold words does.
        ("(S (A a) (A b) (, x) (B c))", 2),
        ("(S (A ab) (A xc))", 2),
    ],
)
def test_words_that_do_not_count_for_the_length(system, length):
    params = Params(delete_labels_for_length=(",",))
    total = evaluate(["(S (A ab) (, x) (B c))"], [system], metrics="brackets", prm=params).total
    assert total.sentences.length == length


def test_words_that_are_left_out_count_for_the_length():
    gold = ["(S (A ab) (, x) (B c))"]
    for how, length in (((), 3), ((",",), 2)):
        params = Params(delete_labels=(",",), delete_labels_for_length=how)
        total = evaluate(gold, gold, metrics="brackets", prm=params).total
        assert (total.tags.gold, total.sentences.length) == (2, length)


def kinds_of(kind):
    for one in kind.__subclasses__():
        yield one
        yield from kinds_of(one)


def test_records_begin_with_nothing():
    for module in pkgutil.iter_modules(all_metrics.__path__):
        importlib.import_module(f"{all_metrics.__name__}.{module.name}")
    kinds = {kind for kind in kinds_of(Counts) if kind.__module__.startswith("jpevalb.metrics")}
    assert len(kinds) > 20
    for kind in kinds:
        assert set(re.findall(r"(?<!\w)-?\d+", repr(kind()))) <= {"0"}, kind
