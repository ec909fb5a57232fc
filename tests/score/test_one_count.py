"""The same pair has the same score wherever it is, and however it is asked for."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from jpevalb import Params, conventions, evaluate, legacy
from jpevalb.base.errors import InputError, TreeError
from jpevalb.settings.convention import TOOLS
from tests.support.convention_oracle import noisy_pair
from tests.support.odd_trees import odd_pair

IN_ORDER = [name for name in TOOLS if name != "jpevalb"]
A = "(TOP (S (NP (. x)) (VP (NN x))))", "(TOP (S (NP (NN x)) (VP (. x))))"
B = "(TOP (S (NN a) (NN b)))", "(TOP (S (NN a) (NN c) (NN b)))"
C = "(TOP (S (NP (NN d) (NN e)) (VP (VB f) (. .))))", "(TOP (S (NP (NN d)) (VP (NN e) (VB f) (. .))))"


@pytest.mark.parametrize("pairs", [[A], *permutations([A, B, C]), [B, *[A] * 70], [*[C] * 70, A, B]])
@pytest.mark.parametrize("executor", [False, True])
def test_a_pair_has_the_same_score_alone_and_beside_others(pairs, executor, threads):
    """Gold's tags decide which words count, whether or not the sentences around have the same words."""
    options = {"executor": threads} if executor else {}
    found = evaluate(*zip(*pairs), prm="COLLINS", metrics="brackets", **options)
    scores = {A: 1.0, B: 1.0, C: 0.8}
    for pair, result in zip(pairs, found.sentences):
        assert (result.bead.aligned, result.gold.words != ("x", "x")) == (True, True)
        assert pair is not A or (result.f1, result["brackets"].matched) == (scores[A], 2)
    alone = {pair: evaluate([pair[0]], [pair[1]], prm="COLLINS").sentences[0].record for pair in (A, B, C)}
    for pair, result in zip(pairs, found.sentences):
        assert result["brackets"] == alone[pair]["brackets"]
        assert result["tags"] == alone[pair]["tags"]


def test_words_without_a_counterpart_are_dropped_by_their_own_tags():
    """Here all others are the same words."""
    gold = "(S (NP (DT the) (NN cat) (, ,)) (VP (VB sleeps)))"
    system = "(S (NP (DT the) (. !) (NN cat)) (VP (VB sleeps) (. .)))"
    for pair in ((gold, system), (system, gold)):
        for before in ([], [B]):
            found = evaluate(*zip(*before, pair), prm="COLLINS").sentences[-1]
            assert found.gold.words == found.system.words == ("the", "cat", "sleeps")
            assert (found.f1, found.record.sentences.unlike) == (1, 0)


def test_a_pair_is_as_like_as_beside_others():
    """Words that both sides drop do not make a pair unlike, also between sentences that are aligned."""
    gold = "(S (NN a) (. abcdefghijklmnop) (VB b))"
    system = "(S (NN a) (VB b) (. qrstuvwxyz) (. qrstuvwxyz))"
    for before in ([], [B]):
        found = evaluate(*zip(*before, (gold, system)), prm="COLLINS").sentences[-1]
        assert (found.f1, found.record.sentences.unlike) == (1, 0)


@pytest.mark.parametrize("name", IN_ORDER)
def test_a_convention_has_one_figure(name):
    """``convention=X`` and the table of conventions agree, also on trees with bare words."""
    dice = random.Random(f"one figure {name}")
    compared = 0
    for _ in range(12):
        gold, system = map(list, zip(*[odd_pair(dice, other_words=0.01) for _ in range(4)]))
        (row,) = conventions(gold, {"sys": system}, [name]).results[0]
        try:
            found = evaluate(gold, system, convention=name, metrics=("brackets", "tags"), on_error="skip")
            if row.convention.unlike == "stop" and row.stopped:
                continue
        except TreeError:
            assert row.stopped
            continue
        except InputError:
            assert not row.sentences
            continue
        assert not row.stopped
        brackets = found.total.brackets
        assert (brackets.gold, brackets.system, brackets.matched, brackets.complete) == (
            row.gold,
            row.predicted,
            row.matched,
            row.complete,
        )
        if row.convention.tags != "none":
            tags = found.total.tags
            assert (tags.gold, tags.correct) == (row.tagged, row.correct_tags)
        assert (brackets.sentences, brackets.sentences + row.left_out) == (row.sentences, len(gold))
        if row.convention.mean == "sentences":
            assert brackets.f1_sum == row.f1_sum
        compared += row.sentences
    assert compared


def test_a_bracket_over_one_bare_word_stays_a_bracket():
    gold = ["(S (X a (-NONE- b)) (NN c))"]
    assert evaluate(gold, gold, convention="evalb").total.brackets.gold == 2
    assert conventions(gold, {"sys": gold}, ["evalb"]).results[0][0].gold == 2
    assert evaluate(gold, gold, prm="COLLINS", tags="yes").total.brackets.gold == 2


def test_an_emptied_bracket_crosses_nothing():
    """berkeley counts brackets over dropped words only; trees may have gaps."""
    gold = "(S (X (NP (. 0=.) (. 1=.)) (A 3=a) (B 5=b)) (Y (C 2=c) (D 4=d)))"
    found = evaluate([gold], [gold], convention="berkeley")
    brackets = found.total.brackets
    assert (brackets.gold, brackets.matched, brackets.crossing) == (4, 4, 0)
    other = gold.replace("(NP (. 0=.) (. 1=.))", "(VP (. 0=.) (. 1=.))")
    brackets = evaluate([gold], [other], convention="berkeley").total.brackets
    assert (brackets.matched, brackets.crossing) == (3, 0)


@pytest.mark.parametrize("seed", range(20))
def test_evalb_and_its_convention_have_the_same_figures(seed):
    """Of 25 corpora: with traces, punctuation, bare words, other words, missing parses and long sentences.

    All words count for the length but traces, also those that are dropped.
    """
    dice = random.Random(f"evalb {seed}")
    params = Params.load("COLLINS.prm").replace(max_error=1000)
    compared = 0
    for _ in range(25):
        differ = dice.choice([0.0, 0.1, 1.0])
        pairs = [noisy_pair(dice, differ) for _ in range(dice.randint(1, 12))]
        for size in dice.sample(range(36, 46), 3):
            for tags in (["NN"], ["NN", ","], ["NN", "-NONE-", "."]):
                leaves = " ".join([f"({tags[index % len(tags)]} w{index})" for index in range(size)])
                pairs.append((f"(S (NP {leaves}))", f"(S (VP {leaves}))"))
        gold, system = zip(*pairs)
        theirs = legacy.evaluate(gold, system, params=params)
        mine = evaluate(gold, system, convention="evalb", on_error="skip", metrics="brackets,tags")
        for figures, record in ((theirs.total, mine.total), (theirs.cutoff, mine.cutoff)):
            brackets, tags = record.brackets, record.tags
            assert (figures.gold, figures.system, figures.matched, figures.valid) == (
                *(brackets.gold, brackets.system, brackets.matched, brackets.sentences),
            )
            assert (
                figures.complete,
                figures.crossing,
                figures.no_crossing,
                figures.two_or_less_crossing,
            ) == (
                *(brackets.complete, brackets.crossing),
                *(brackets.no_crossing, brackets.two_or_less_crossing),
            )
            assert (figures.words, figures.tags) == (tags.gold, tags.correct)
        lengths = [one.length for one in theirs.sentences if one.status == 0]
        assert [one.length for one in mine.sentences if one.status == "ok"] == lengths
        compared += theirs.cutoff.sentences < theirs.total.sentences
    assert compared > 15


def test_a_root_with_one_child_is_no_subtree_to_drop():
    """The rule is the same in modes and under conventions."""
    gold = ["(PRN (S (NN a) (PRN (NN b) (NN c))))"]
    for options in ({}, {"convention": "discontinuous"}, {"convention": "evalb"}):
        found = evaluate(gold, gold, drop_subtrees="PRN", **options)
        assert (found.sentences[0].gold.words, found.total.brackets.gold) == (("a",), 2)
        changed = {item.what: item.count for item in found.standardised}
        assert changed["subtrees dropped"] == 1
