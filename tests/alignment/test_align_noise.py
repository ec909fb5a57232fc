"""A small noise benchmark: its reference alignment is correct, and the alignment reaches the targets."""

from __future__ import annotations

import random

import pytest

from tests.benchmarks import alignment_gaps, alignment_noise
from tests.benchmarks.alignment_noise import (
    Noise,
    aligner,
    kinds,
    make_sample,
    samples,
    score,
    sum_found,
)
from tests.support.treebanks import make_treebank

pytestmark = pytest.mark.slow

GAPS = ((300, "gold"), (300, "system"), (250, "both"), (400, "begin"), (400, "end"), (220, "again"))

SENTENCES = [["the", "cat", "sat", "."], ["dogs", "bark", "."], ["it", "rained", "again", "."]]


@pytest.fixture(autouse=True, scope="module")
def _kept():
    with pytest.MonkeyPatch.context() as patch:
        for module in (alignment_gaps, alignment_noise):
            patch.setattr(module, "make_treebank", make_treebank)
        yield


def sample(**noise):
    return make_sample(SENTENCES, Noise(**noise), random.Random(1))


def test_no_noise():
    clean = sample()
    assert clean.system == SENTENCES
    assert clean.beads == [(0, 1, 0, 1), (1, 2, 1, 2), (2, 3, 2, 3)]
    assert clean.units == [(i, i + 1, i, i + 1) for i in range(11)]


def test_all_merged_and_joined():
    merged = sample(merge=1.0, join_tokens=1.0)
    assert merged.system == [["thecatsat.dogsbark.itrainedagain."]]
    assert merged.beads == [(0, 3, 0, 1)]
    assert merged.units == [(0, 11, 0, 1)]


def test_all_split():
    split = sample(split=1.0, split_token=1.0)
    assert len(split.system) == 6
    assert split.beads == [(i, i + 1, 2 * i, 2 * i + 2) for i in range(3)]
    assert [unit[:2] for unit in split.units] == [(i, i + 1) for i in range(11)]
    assert split.units[-1][3] == sum(map(len, split.system)) == 11 + 8


def test_lost_and_made_up():
    lost = sample(lose=1.0)
    assert lost.system == [SENTENCES[0], SENTENCES[2]]
    assert lost.beads == [(0, 1, 0, 1), (1, 2, 1, 1), (2, 3, 1, 2)]
    dropped = sample(drop=1.0)
    assert [len(words) for words in dropped.system] == [1, 1, 1]
    assert [unit[:2] for unit in dropped.units] == [(0, 4), (4, 7), (7, 11)]


def test_a_sample_counts_what_an_aligner_finds():
    def one_bead(gold, system):
        yield (0, len(gold), 0, len(system)), [(0, 1, 0, 1), (1, 11, 1, 11)]

    def broken(gold, system):
        raise IndexError

    found = score(sample(), one_bead)
    assert (found.beads, found.true_beads, found.units, found.true_units, found.failures) == (0, 3, 1, 11, 0)
    assert score(sample(), broken).failures == 1


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("lang", ["en", "none"])
def test_with_the_same_characters_everything_is_found(rate, lang):
    total = sum_found(
        score(sample, aligner(lang)) for sample in samples(kinds(rate)["characters kept"], 150, range(3))
    )
    assert total.failures == 0
    assert total.beads == total.true_beads
    assert total.units == total.true_units


@pytest.mark.parametrize(("rate", "aim"), [(0.1, 0.995), (0.3, 0.99)])
def test_with_errors_nearly_everything_is_found(rate, aim):
    total = sum_found(
        score(sample, aligner()) for sample in samples(kinds(rate)["+ 5 % errors"], 200, range(4))
    )
    assert total.failures == 0
    assert total.beads >= aim * total.true_beads
    assert total.units >= 0.995 * total.true_units


def test_with_missing_and_extra_sentences_most_is_found():
    total = sum_found(score(sample, aligner()) for sample in samples(kinds(0.1)["+ extra"], 200, range(4)))
    assert total.failures == 0
    assert total.beads >= 0.985 * total.true_beads
    assert total.units >= 0.985 * total.true_units


@pytest.mark.parametrize(("kind", "lost"), [("equal", 0), ("noisy", 4), ("very noisy", 8)])
@pytest.mark.parametrize(("length", "place"), GAPS)
def test_after_long_stretches_of_one_side_nearly_everything_is_found(kind, lost, length, place):
    made = alignment_gaps.make(kind, place, length, 300, seed=2)
    count, _ = alignment_gaps.found(made)
    assert count >= len(made.beads) - lost


def test_stretches_are_put_where_they_should_be():
    made = alignment_gaps.make("equal", "again", 10, 60, seed=3)
    assert (len(made.gold), len(made.system)) == (60 + 30, 60 + 20)
    assert made.beads[:11] == [(i, i + 1, i, i + 1) for i in range(10)] + [(20, 21, 10, 11)]
    assert made.beads[-1] == (89, 90, 79, 80)
    assert all(made.gold[a:b] == made.system[c:d] for a, b, c, d in made.beads)
    assert alignment_gaps.found(made)[0] == 60
