"""Presets, disco-dop's parameter files and scores of grammar induction, compared with slow oracles."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from jpevalb import (
    Params,
    Settings,
    Tree,
    discontinuous_f1,
    evaluate,
)
from jpevalb.metrics.variants import DRAWS, random_matches
from jpevalb.score.signature import signature_of
from jpevalb.settings.convention import PRESETS
from jpevalb.settings.rules import closed
from tests.support.commands import jpevalb
from tests.support.with_gaps import evaluate_with_gaps, matches_of


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_equals_its_options(name):
    made = Settings().replace(convention=name)
    assert made == Settings(**PRESETS[name]) == Settings.of(None, {"convention": name})
    assert Settings().replace(convention=name, cutoff=10) == made.replace(cutoff=10)


def test_signatures_spell_presets_out():
    def spelled(name):
        return signature_of(Settings().replace(convention=name)).split(" ", 1)[1]

    assert spelled("tnlcfrs") == (
        "convention:discontinuous least:2 whole:drop-all most-gaps:1 pair:auto unlabeled:yes"
    )
    assert spelled("unsupervised") == (
        "convention:discontinuous least:2 whole:drop-all words:2| compare:number pair:auto "
        "unlabeled:yes punctuation:#|$|''|,|-LRB-|-NONE-|-RRB-|.|:|HYPH|NFP|`` empty-f1:one"
    )
    assert spelled("ptb").startswith("convention:jpevalb prm:COLLINS.prm#") or spelled("ptb").startswith(
        "convention:jpevalb prm:COLLINS#"
    )


def test_ptb_skips_the_same_as_collins():
    gold = ["(TOP (S (NP (N a)) (ADVP (R b)) (VP (V c)) (. .)))"]
    system = ["(TOP (S (NP (N a)) (PRT (R b)) (VP (V c) (. .))))"]
    found = evaluate(gold, system, settings=Settings().replace(convention="ptb")).total
    assert (found.brackets.matched, found.brackets.gold, found.tags.gold) == (4, 4, 3)


def test_ctb_leaves_out_pu():
    gold, system = ["(IP (NP (NN a)) (VP (VV b)) (PU .))"], ["(IP (NP (NN a)) (VP (VV b) (PU .)))"]
    found = evaluate(gold, system, settings=Settings().replace(convention="ctb")).total
    assert (found.brackets.matched, found.tags.gold) == (3, 2)
    found = evaluate(gold, system, settings=Settings().replace(convention="ctb", prm="nk")).total
    assert (found.brackets.matched, found.tags.gold) == (2, 3)


def test_the_command_has_the_presets(tmp_path):
    (tmp_path / "gold").write_text("(TOP (S (NP (N a) (N b)) (VP (V c) (N d)) (. .)))\n(S (N a))\n")
    (tmp_path / "sys").write_text("(X (X (X (X (X a) (X b)) (X c)) (X d)) (X .))\n(X a)\n")
    done = jpevalb("gold", "sys", "--convention", "unsupervised", "--quiet", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    for line in (
        "Sentences                 =      1        1   1 too short",
        "Bracketing FMeasure       =  50.00    50.00",
        "Sentence-mean F1          =  50.00    50.00",
        "# short: sentence 2: too few scored words: 1",
    ):
        assert line in lines
    whole = jpevalb(
        *("gold", "sys", "--convention", "discontinuous least:2 whole:drop-all words:2 compare:number"),
        *("--unlabeled", "--by-label", "--metrics", "brackets,tags,baselines", "--quiet"),
        *("--punctuation", ", . : `` '' -LRB- -RRB- HYPH NFP $ # -NONE-"),
        cwd=tmp_path,
    )
    ends = b" empty-f1:one\n"
    assert done.stdout.endswith(ends)
    spelled = done.stdout.removesuffix(ends).splitlines()
    # Without empty_f1, which only Python has, a sentence without brackets has no F1.
    assert set(spelled) ^ set(whole.stdout.splitlines()) <= {line for line in spelled if b"F1" in line}
    done = jpevalb("gold", "sys", "--convention", "ptbb", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == b"jpevalb: unknown convention 'ptbb'; did you mean ptb?\n"


# -- grammar induction ------------------------------------------------------------


def published(gold: list[Tree], system: list[Tree], punctuation: frozenset[str]) -> tuple[float, float, int]:
    """Compute corpus F1, sentence F1 and sentences as the program of Kim, Dyer & Rush does.

    Spans of one word and that of the sentence are left out, both sides are sets; for the mean a
    side that gold has nothing of has recall 1, and precision 1 if the system has nothing either.
    """
    tp = fp = fn = 0
    scores = []
    for one, other in zip(gold, system):
        kept = [tag not in punctuation for tag in one.tags]
        place = [sum(kept[:k]) for k in range(len(kept) + 1)]
        n = place[-1]
        if n < 2:
            continue

        def spans(tree, place=place, n=n):
            found = {(place[a], place[b]) for a, b in zip(tree.starts, tree.ends)}
            return {(a, b) for a, b in found if 1 < b - a < n}

        mine, others = spans(one), spans(other)
        both = len(mine & others)
        tp, fp, fn = tp + both, fp + len(others) - both, fn + len(mine) - both
        precision, recall = both / (len(others) + 1e-8), both / (len(mine) + 1e-8)
        if not mine:
            recall, precision = 1.0, precision if others else 1.0
        scores.append(2 * precision * recall / (precision + recall + 1e-8))
    corpus = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0
    return corpus, sum(scores) / len(scores), len(scores)


def made(words: list[tuple[str, str]], chance: random.Random) -> str:
    """A random tree over (tag, word), unary chains and n-ary nodes among them."""
    if len(words) == 1 and chance.random() < 0.7:
        return f"({words[0][0]} {words[0][1]})"
    if len(words) == 1:
        return f"(NP {made(words, chance)})"
    cuts = sorted(chance.sample(range(1, len(words)), min(len(words) - 1, chance.choice((0, 1, 1, 2)))))
    if not cuts:
        return f"(S {made(words, chance)})"
    parts = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)])]
    return f"({chance.choice(('NP', 'VP', 'S'))} {' '.join(made(part, chance) for part in parts)})"


@pytest.mark.parametrize("seed", range(5))
def test_the_figures_of_the_published_program(seed):
    chance = random.Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(60):
        tags = [chance.choice(("N", "V", ",", ".")) for _ in range(chance.randint(1, 7))]
        words = [(tag, f"w{k}") for k, tag in enumerate(tags)]
        for side in sides:
            side.append(made(words, chance))
    result = evaluate_with_gaps(*sides, settings=Settings().replace(convention="unsupervised"))
    corpus, mean, sentences = published(
        *[[Tree.parse(text) for text in side] for side in sides], frozenset((",", "."))
    )
    assert matches_of(result.total).overall.f1 == pytest.approx(corpus, abs=1e-9)
    assert matches_of(result.total).sentence_f1 == pytest.approx(mean, abs=1e-7)
    assert matches_of(result.total).sentences == matches_of(result.total).f1_sentences == sentences
    assert result.states["short"] == 60 - sentences > 0
    assert {one.status for one in result.sentences} == {"ok", "short"}
    assert "labels" in result.total.to_dict()


def test_a_missing_parse_has_no_share_in_the_convention():
    settings = Settings().replace(convention="unsupervised")
    gold = ["(S (N a) (N b))", "(S (N a) (N b))", "(S (N a) (N b))"]
    found = evaluate_with_gaps(gold, [gold[0], "(())"], settings=settings)
    assert (matches_of(found.total).sentence_f1, matches_of(found.total).f1_sentences) == (
        pytest.approx(1 / 3),
        3,
    )
    plain = evaluate_with_gaps(gold, [gold[0], "(())"], settings=settings.replace(empty_f1="none"))
    assert (matches_of(plain.total).sentence_f1, matches_of(plain.total).f1_sentences) == (None, 0)


def test_sums_up_to_a_length(tmp_path):
    gold = ["(S (NP (A a) (B b)) (C c))", "(S (NP (A a) (B b)) (VP (C c) (D d)))"]
    system = ["(S (A a) (X (B b) (C c)))", gold[1]]
    found = evaluate_with_gaps(gold, system, settings=Settings().replace(convention="unsupervised", cutoff=3))
    assert found.cutoff.brackets.f1 == 0
    assert found.cutoff.brackets.sentences == 1
    assert matches_of(found.total).overall.f1 == pytest.approx(4 / 6)
    assert found.to_dict()["cutoff"]["brackets"]["f1"] == 0
    text = found.report(quiet=True)
    assert "Sentences                 =      2       1\n" in text
    assert "Bracketing Recall         =  66.67    0.00\n" in text
    assert "-- len<=3 --\nNumber of sentence        =      1\n" in found.report(quiet=True, verbose=True)


def test_a_length_without_punctuation():
    """WSJ10 has sentences of ten words after punctuation is taken out."""
    gold = ["(S (NP (A a) (B b)) (C c) (. .))", "(S (NP (A a) (B b)) (VP (C c) (D d)))"]
    found = evaluate_with_gaps(gold, gold, settings=Settings().replace(convention="unsupervised", cutoff=3))
    assert ([one.length for one in found.sentences], found.cutoff.brackets.sentences) == ([3, 4], 1)


# -- baselines --------------------------------------------------------------------


def baselines(gold, **options):
    return evaluate_with_gaps(gold, gold, metrics="baselines", **options).total["baselines"]


def test_baselines_by_hand():
    # {0,1} and {2,3}: left-branching has {0,1} and {0,1,2}, right-branching {1,2,3} and {2,3}.
    found = baselines(["(S (NP (A a) (B b)) (VP (C c) (D d)))"])
    assert (found.left.matched, found.left.gold, found.left.system) == (1, 2, 2)
    assert (found.right.matched, found.right.gold, found.right.system) == (1, 2, 2)
    assert (found.oracle.matched, found.oracle.f1, found.oracle.sentence_f1) == (2, 1.0, 1.0)
    assert (found.random.gold, found.random.system) == (2 * DRAWS, 2 * DRAWS)
    # A unary chain counts once, and what is trivial not at all, whatever else is counted.
    assert baselines(["(S (X (NP (NP (A a) (B b))) (VP (C c))))"]).left.gold == 1
    # One with gaps is in the oracle's tree alone.
    found = baselines(["(S (VP (A 0=a) (C 2=c)) (B 1=b) (D 3=d))"])
    assert (found.left.matched, found.right.matched, found.random.matched) == (0, 0, 0)
    assert (found.oracle.matched, found.oracle.gold, found.oracle.system) == (1, 1, 2)


def test_baselines_of_sentences_without_constituents():
    found = baselines(["(S (A a) (B b))"])
    assert (found.left.gold, found.left.system, found.left.f1, found.random.sentence_f1) == (0, 0, None, None)
    found = baselines(["(S (A a) (B b))"], empty_f1="one")
    assert (found.left.gold, found.left.f1_sentences, found.random.f1_sentences) == (0, 1, DRAWS)
    assert found.left.sentence_f1 == found.random.sentence_f1 == found.oracle.sentence_f1 == 1.0
    # What every tree has is in none of them.
    assert random_matches(3, [(0, 1), (0, 3)], 1) == 0


def test_figures_of_baselines():
    gold = ["(S (NP (A a) (B b)) (C c))"]
    found = evaluate(gold, gold, metrics="baselines")
    (metric,) = [one for one in found.metrics if one.name == "baselines"]
    shown = {line.name: line.value for line in metric.lines(found.total["baselines"])}
    random = random_matches(3, [(0, 2)], 1) / DRAWS
    expected = {"Left-branching": 1.0, "Right-branching": 0.0, "Random": random, "Oracle binary": 1.0}
    assert 0 < random < 1
    assert shown == {
        f"{name} {what}": value for name, value in expected.items() for what in ("F1", "sent. F1")
    }


def test_baselines_in_alignment_mode_are_those_of_each_gold_sentence():
    gold = ["(S (NP (A a) (B b)) (C c))", "(S (D d) (NP (E e) (F f)))"]
    joined = ["(S (S (NP (A a) (B b)) (C c)) (S (D d) (NP (E e) (F f))))"]
    found = evaluate(gold, joined, metrics="baselines").total["baselines"]
    assert (found.left.matched, found.right.matched, found.left.gold, found.left.system) == (1, 1, 2, 2)


def expected_matches(size: int, spans: set[tuple[int, int]]) -> Fraction:
    """Return the mean number of spans of uniformly split trees, by enumerating all trees."""

    @cache
    def below(start: int, end: int) -> Fraction:
        if end - start < 2:
            return Fraction(0)
        found = Fraction(0)
        for middle in range(start + 1, end):
            for part in ((start, middle), (middle, end)):
                found += (part in spans) + below(*part)
        return found / (end - start - 1)

    return below(0, size)


def test_random_trees_are_split_uniformly():
    chance = random.Random(7)
    total, expected = 0, Fraction(0)
    for number in range(1, 121):
        size = chance.randint(2, 9)
        every = [(a, b) for a in range(size) for b in range(a + 2, size + 1) if b - a < size]
        spans = set(chance.sample(every, min(len(every), 5)))
        drawn = random_matches(size, sorted(spans), number)
        assert drawn == random_matches(size, sorted(spans), number)
        total += drawn
        expected += expected_matches(size, spans) * DRAWS
    # 12,000 trees: the standard error is below 1 %.
    assert total == pytest.approx(float(expected), rel=0.03)


# -- disco-dop's parameter files --------------------------------------------------

DISCO = b"""DELETE_WORD .
DELETE_ROOT_PRETERMS 1
DISC_ONLY 1
EQ_LABEL A B
EQ_LABEL B C
TED 1
"""


def test_unknown_keywords_are_reported_in_legacy_mode_only():
    params = Params().parse(DISCO)
    assert (params.delete_words, params.delete_root_preterms, params.disc_only) == ((".",), True, True)
    assert params.messages == (
        "Unknown keyword (DELETE_WORD .) in parameter file",
        "Unknown keyword (DELETE_ROOT_PRETERMS 1) in parameter file",
        "Unknown keyword (DISC_ONLY 1) in parameter file",
        "Unknown keyword (TED 1) in parameter file",
    )
    assert params.warnings == params.messages[3:]
    assert Params().parse(b"DELETE_WORDS .\nDELETE_WORD\n").warnings == (
        "Unknown keyword (DELETE_WORDS .) in parameter file",
        "Unknown keyword (DELETE_WORD) in parameter file",
    )
    assert Params().parse(b"DISC_ONLY 0\n") == Params()


def test_classes_of_equal_labels_are_transitive_over_the_same_words():
    prm = Params(eq_labels=(("A", "B"), ("B", "C")), eq_words=(("x", "y"), ("y", "z")))
    found = discontinuous_f1("(S (A (T x) (A u)))", "(S (C (T z) (C u)))", prm=prm)
    assert (found.overall.tp, found.overall.fp, found.correct_tags) == (2, 0, 2)
    # Another class stays apart.
    two = Params(eq_labels=(("A", "B"), ("D", "C")))
    assert discontinuous_f1("(S (A (T x) (A u)))", "(S (C (T x) (C u)))", prm=two).overall.tp == 1
    # evalb's are, those of the word alignment are not.
    for options, matched in (({"convention": "evalb"}, 2), ({}, 1)):
        found = evaluate(["(S (A (T x)))"], ["(S (C (T x)))"], prm=prm, **options)
        assert found.total.brackets.matched == matched
    assert closed({}) == {}


def test_the_bundled_file_of_negra():
    params = Params.load("negra")
    assert params.warnings == ()
    assert {".", "?", "«"} <= set(params.delete_words)
    gold = "(VROOT (S (NP (ART 0=der) (NN 1=Hund)) (VVFIN 2=bellt)) ($. 3=.))"
    system = "(VROOT (S (NP (ART 0=der) (NN 1=Hund)) (VVFIN 2=bellt) (XY 3=.)))"
    found = discontinuous_f1(gold, system, convention="negra")
    assert (found.overall.tp, found.overall.fp, found.overall.fn, found.tags) == (2, 0, 0, 3)
