"""disco-dop's parameter files, compared with plain Python: deleted words, gaps and label classes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Params, Tree, discontinuous_f1, evaluate
from tests.support.plain_tree import Plain
from tests.support.random_trees import trees

LABELS = ("S", "NP", "NP-SBJ", "NP=2", "VP", "PP", "X", "ROOT", "", "-NONE-")
TAGS = ("N", "V", "D", ",", "X")
WORDS = ("a", "b", "c", ".", "!", "?")
ROOTS = {"", "ROOT", "TOP", "VROOT"}


def classes(pairs):
    """For each label of some pair the set of all that it is connected to: sets are joined until none meet."""
    groups = [set(pair) for pair in pairs]
    changed = True
    while changed:
        changed = False
        for one in groups:
            for other in groups:
                if one is not other and one & other:
                    one |= other
                    groups.remove(other)
                    changed = True
                    break
            if changed:
                break
    return {label: frozenset(group) for group in groups for label in group}


def has_gap(places, kept):
    """True if another kept word lies between two of these words."""
    return any(min(places) < place < max(places) for place in kept - places)


def blocks(places, kept):
    """Count the runs of neighbouring words."""
    order = sorted(kept)
    return sum(place in places and before not in places for before, place in zip([None, *order], order))


def constituents(plain, kept, prm, of, *, unlabeled=False, exclude_trivial=False, max_fanout=None):
    """Count the constituents of a tree as (class of labels, words)."""
    gone = {other for label in prm.delete_labels for other in of.get(label, {label})}
    found = Counter()
    for written, places in plain.nodes:
        label = written.split("-")[0].split("=")[0]
        if label in ROOTS or label in gone:
            continue
        if (prm.disc_only and not has_gap(places, kept)) or blocks(places, kept) > (max_fanout or 99):
            continue
        if exclude_trivial and len(places) in (1, len(kept)):
            continue
        of_label = "" if unlabeled or not prm.labeled else of.get(label, label)
        found[of_label, frozenset(places)] += 1
    return Counter(dict.fromkeys(found, 1)) if unlabeled else found


def expected(gold, system, prm, *, punctuation=(), **options):
    """For all constituents and for those with gaps tp, fp and fn; words with tags, and right tags."""
    mine, other = Plain(gold), Plain(system)
    of = classes(prm.eq_labels)
    tag_of = mine.tags
    kept = {place for place in mine.kept(prm) if tag_of.get(place) not in punctuation}
    mine.without(kept)
    other.without(kept)
    first, second = (constituents(one, kept, prm, of, **options) for one in (mine, other))
    tp, fp, fn = first & second, second - first, first - second
    whole = tuple(part.total() for part in (tp, fp, fn))
    gaps = tuple(
        sum([times for (_, places), times in part.items() if has_gap(places, kept)]) for part in (tp, fp, fn)
    )
    tags, others = mine.tags, other.tags
    right = sum([of.get(tag, tag) == of.get(others.get(k), others.get(k)) for k, tag in tags.items()])
    return whole, gaps, len(tags), right


def found(counts):
    overall, gaps = counts.overall, counts.discontinuous
    return (
        (overall.tp, overall.fp, overall.fn),
        (gaps.tp, gaps.fp, gaps.fn),
        counts.tags,
        counts.correct_tags,
    )


@st.composite
def pairs(draw, tagged=None):
    """Two trees over the same words, of which some have no tag."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
    made = [
        draw(
            trees(
                min_words=len(words),
                max_words=len(words),
                labels=LABELS,
                tags=TAGS,
                words=st.just("w"),
                tagged=draw(st.booleans()) if tagged is None else tagged,
            )
        )
        for _ in range(2)
    ]
    return [replace(tree, words=tuple(words)) for tree in made]


some = st.lists(st.tuples(st.sampled_from(TAGS + LABELS[:4]), st.sampled_from(TAGS + LABELS[:4])), max_size=4)
params = st.builds(
    Params,
    delete_words=st.lists(st.sampled_from(WORDS), max_size=2, unique=True).map(tuple),
    delete_labels=st.lists(st.sampled_from(("VP", ",", "X", "N")), max_size=2, unique=True).map(tuple),
    delete_root_preterms=st.booleans(),
    disc_only=st.booleans(),
    eq_labels=some.map(tuple),
    labeled=st.booleans(),
)
options = st.fixed_dictionaries(
    {
        "unlabeled": st.booleans(),
        "exclude_trivial": st.booleans(),
        "max_fanout": st.sampled_from([None, 1, 2]),
        "punctuation": st.sampled_from([(), (",",), (",", "D")]),
    }
)


@pytest.mark.slow
@settings(max_examples=250)
@given(pairs(), params, options)
def test_over_the_same_words(sides, prm, options):
    rules = " least:2 whole:drop-all" if options["exclude_trivial"] else ""
    if options["max_fanout"]:
        rules += f" most-gaps:{options['max_fanout'] - 1}"
    counts = discontinuous_f1(
        *sides,
        prm=prm,
        convention=f"discontinuous{rules}",
        unlabeled=options["unlabeled"],
        punctuation=options["punctuation"],
    )
    whole, gaps, tags, right = expected(*sides, prm, **options)
    assert found(counts) == (whole, gaps, tags, right)
    tp, fp, fn = whole
    f1 = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None
    assert (counts.exact, counts.sentence_f1) == (fp == fn == 0, f1 if f1 is None else pytest.approx(f1))


@settings(max_examples=40)
@given(pairs(), st.permutations(range(4)), st.integers(2, 4))
def test_classes_of_words_are_transitive(sides, order, size):
    """Words that are connected by pairs, in any order, are one word."""
    letters = ["a", "b", "c", "?"]
    chain = [letters[place] for place in order][:size]
    prm = Params(eq_words=tuple(pairwise(chain)))
    gold, system = sides
    turned = tuple([chain[-1 - chain.index(word)] if word in chain else word for word in system.words])
    counts = discontinuous_f1(gold, replace(system, words=turned), prm=prm)
    assert found(counts) == expected(gold, system, Params())


@settings(max_examples=60)
@given(
    pairs(tagged=True),
    st.lists(st.sampled_from(WORDS), max_size=3, unique=True),
    st.booleans(),
)
def test_aligned_words(sides, words, disc_only):
    """With aligned words DELETE_WORD applies to both sides, and labels match exactly."""
    prm = Params(delete_words=tuple(words), disc_only=disc_only)
    gold, system = sides
    if not set(gold.words) - set(words):
        return
    total = evaluate([gold], [system], prm=prm, metrics="brackets", pair="order").total
    mine, other = Plain(gold), Plain(system)
    kept = mine.kept(prm)
    mine.without(kept)
    other.without(kept)
    ours, theirs = (constituents(one, kept, prm, {}) for one in (mine, other))
    # VROOT is no label here, so that the roots of both modes are the same.
    counts = total.brackets.matched, total.brackets.gold, total.brackets.system
    assert counts == ((ours & theirs).total(), ours.total(), theirs.total())
    assert total.tags.gold == len(kept)


def test_a_label_equal_to_a_deleted_one_by_way_of_another_is_deleted():
    prm = Params(eq_labels=(("A", "B"), ("B", "C")), delete_labels=("A",))
    tree = Tree.parse("(S (C (N a)) (D (N b)))")
    counts = discontinuous_f1(tree, tree, prm=prm)
    assert (counts.overall.tp, counts.overall.fp, counts.overall.fn) == (2, 0, 0)


@pytest.mark.parametrize("flag", ["delete_root_preterms", "disc_only"])
def test_the_oracle_sees_each_switch(flag):
    gold = Tree.parse("(S (NP (N a) (N b)) (V c))")
    assert expected(gold, gold, Params()) != expected(gold, gold, Params(**{flag: True}))
