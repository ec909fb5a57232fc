"""A run gives the same rows and sums for every size of chunks and buffers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Tree, write
from jpevalb.alignment import stream
from jpevalb.score import run as run_module
from jpevalb.score.run import Run
from jpevalb.score.workers import WorkerPool
from jpevalb.settings.settings import Settings

SIZES = st.fixed_dictionaries(
    {
        "at_once": st.sampled_from([1, 2, 7, 1000]),
        "first_parcel": st.sampled_from([1, 5]),
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def tree(rng, id, words, gaps):
    """A tree over some words; with gaps more often than not where it may have some."""
    labels, parents, word_parents = ["S", "NP", "VP"], [-1, 0, 0], []
    turn = rng.randrange(len(words) + 1)
    for place in range(len(words)):
        word_parents.append(len(labels))
        labels.append(rng.choice(["N", "V", "-NONE-"]))
        parents.append(rng.randrange(3) if gaps else 1 + (place >= turn))
    return Tree.build(labels, parents, words, word_parents, id)


def treebanks(seed, pair, gaps):
    """Two sides of the same words by order and by id, of words that differ here and there by text."""
    rng = random.Random(seed)
    words = [[f"w{rng.randrange(60)}" for _ in range(rng.randrange(1, 8))] for _ in range(40)]
    sides = []
    for side in range(2):
        mine = list(words)
        if pair == "align" and side:
            mine = [
                [word + "x" if rng.random() < 0.1 else word for word in sentence]
                for sentence in mine
                if rng.random() < 0.9
            ]
        sentences = [tree(rng, f"s{place}", some, gaps) for place, some in enumerate(mine)]
        if pair == "id" and side:
            sentences = [sentence for sentence in sentences if rng.random() < 0.9]
            rng.shuffle(sentences)
        if pair == "order" and side:
            del sentences[rng.randrange(1, len(sentences)) :]
        sides.append(sentences)
    return sides


def outcome(gold, system, asked, executor=None):
    run = Run(gold, system, asked, executor and WorkerPool.of(executor))
    rows = [sentence.to_dict() for sentence in run]
    evaluation = run.evaluation()
    return rows, evaluation.to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
@pytest.mark.parametrize("pair", ["align", "order", "id"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1 << 30), gaps=st.booleans(), sizes=SIZES)
def test_any_size_gives_what_the_usual_one_gives(folder, threads, convention, pair, seed, gaps, sizes):
    gold, system = treebanks(seed, pair, gaps)
    if pair == "id":
        write(gold, folder / "gold.export", "export")
        write(system, folder / "system.export", "export")
        gold, system = folder / "gold.export", folder / "system.export"
    asked = Settings(
        convention=convention, pair=pair, metrics=("brackets", "tags", "segmentation"), by_label=True
    )
    expected = outcome(gold, system, asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "TOGETHER", sizes["at_once"])
        patch.setattr(run_module, "FIRST_CHUNK", sizes["first_parcel"])
        assert outcome(gold, system, asked) == expected
        assert outcome(gold, system, asked, threads) == expected
