"""A small noise benchmark: its reference alignment is correct, and the alignment reaches the targets."""

from __future__ import annotations

import random
import statistics

import pytest

from tests.benchmarks import alignment_gaps
from tests.benchmarks.alignment_noise import Noise, make_sample
from tests.support.treebanks import make_treebank, treebank_words

pytestmark = pytest.mark.slow

GAPS = ((300, "gold"), (300, "system"), (250, "both"), (400, "begin"), (400, "end"), (220, "again"))

SENTENCES = [["the", "cat", "sat", "."], ["dogs", "bark", "."], ["it", "rained", "again", "."]]


@pytest.fixture(autouse=True, scope="module")
def _kept():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment_gaps, "make_treebank", make_treebank)
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
    assert sample(lose=1.0).beads == [(0, 1, 0, 0), (1, 2, 0, 0), (2, 3, 0, 0)]
    made_up = sample(invent=1.0)
    assert made_up.beads[:3] == [(0, 0, 0, 1), (0, 1, 1, 2), (1, 1, 2, 3)]
    assert made_up.system[1::2] == SENTENCES
    doubled = sample(insert=1.0)
    assert [len(words) for words in doubled.system] == [8, 6, 8]
    assert doubled.units[:2] == [(0, 1, 0, 1), (1, 2, 2, 3)]  # a word alone is in no unit


def mean_found(noise, sentences, seeds, lang="en"):
    """Return the mean shares of true beads and units that are found."""
    samples = [
        make_sample(treebank_words(sentences, seed), noise, random.Random(f"noise {seed}"))
        for seed in range(seeds)
    ]
    return tuple(map(statistics.mean, zip(*[sample.found(lang) for sample in samples])))


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("lang", ["en", "none"])
def test_with_the_same_characters_everything_is_found(rate, lang):
    assert mean_found(Noise(rate, rate, rate, rate), 150, 3, lang) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("rate", "more", "beads"),
    [
        (0.1, {}, 0.995),
        (0.3, {}, 0.99),
        # Sentences and words that one side lacks
        (0.1, {"insert": 0.02, "lose": 0.02, "invent": 0.02}, 0.985),
    ],
)
def test_with_errors_nearly_everything_is_found(rate, more, beads):
    found = mean_found(Noise(rate, rate, rate, rate, 0.025, 0.025, **more), 200, 4)
    assert found[0] >= beads
    assert found[1] >= 0.99


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
