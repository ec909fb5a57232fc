"""Pairs of sentences: their words, units and states."""

from __future__ import annotations

import pickle

import pytest

from jpevalb import Tree
from jpevalb.alignment import Bead, Unit
from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.base.errors import TreeError
from jpevalb.formats.lines import parse_sentence
from jpevalb.settings.params import Params
from jpevalb.settings.rules import DUMMY_ROOT
from jpevalb.trees.sentence import Answer, Sentence
from tests.support.rules import rules_of

ERROR = TreeError("it has no root")


def sentence(text: str, **known) -> Sentence:
    tree = Tree.parse(text)
    return Sentence(1, tree, tree, **known)


def flat(*words: str) -> Sentence:
    tree = Tree.build(["S"], [-1], words, [0] * len(words))
    return Sentence(1, tree, tree)


RULES, BY_PLACE = rules_of(), rules_of(convention="discontinuous compare:no")
AB, EMPTY = sentence("(S (A a) (B b))"), sentence("")


def test_a_sentence_is_called_by_its_id_or_else_its_number():
    named = Tree.build(["S"], [-1], ["a", "b"], [0, 0], "s 7")
    scored = Tree.build(["S"], [-1], ["a"], [0])
    assert Sentence(3, scored, named).name == "sentence 's 7'"
    assert Sentence(3, scored, scored).name == "sentence 3"
    # What is scored may have fewer words than the file.
    assert Sentence(3, scored, named).words == ("a",)


def test_a_sentence_is_pickled_with_its_trees_or_as_its_line():
    as_read = AB._replace(line=(parse_sentence, b"(S (A a) (B b))"))
    for one in (AB, as_read):
        assert pickle.loads(pickle.dumps(one)) == AB
    assert len(pickle.dumps(as_read)) < len(pickle.dumps(AB))


def test_several_sentences_get_one_root():
    pair = Pair(Bead((0, 2), (0, 0), False), [AB, sentence("(X (C c))")], [], RULES, {})
    assert (pair.gold.labels, pair.gold.words) == ((DUMMY_ROOT, "S", "A", "B", "X", "C"), ("a", "b", "c"))
    assert (len(pair.system), pair.system.words) == (0, ())
    turned = Pair(Bead((0, 1), (0, 2), True), [AB], [sentence("(X (A a))"), sentence("(Y (B b))")], RULES, {})
    assert turned.gold is AB.tree
    assert turned.system.labels == (DUMMY_ROOT, "X", "A", "Y", "B")
    assert turned.identical_words
    assert Pair(FIRST, [AB], [AB], RULES, {}).system is AB.tree


@pytest.mark.parametrize(
    ("gold", "system", "exceptions", "same", "units"),
    [
        (("ab", "c"), ("ab", "c"), {}, True, [(0, 1, 0, 1), (1, 2, 1, 2)]),
        (("ab", "c"), ("a", "bc"), {}, False, [(0, 2, 0, 2)]),
        (("a", "bc"), ("ab", "c"), {}, False, [(0, 2, 0, 2)]),
        # Word for word whatever they are, as long as there are as many.
        (("ab", "c"), ("a", "bc"), None, True, [(0, 1, 0, 1), (1, 2, 1, 2)]),
        (("ab", "c"), ("abc",), None, True, [(0, 2, 0, 1)]),
        (("x", "ab"), ("x", "c", "d"), {"ab": "cd"}, False, [(0, 1, 0, 1), (1, 2, 1, 3)]),
    ],
)
def test_units(gold, system, exceptions, same, units):
    pair = Pair(
        FIRST, [flat(*gold)], [flat(*system)], RULES if exceptions is not None else BY_PLACE, exceptions
    )
    assert pair.identical_words is same
    assert pair.units == pair.units == tuple(Unit(*unit) for unit in units)
    assert pair.exceptions == (exceptions or {})
    again = pair.with_system([flat(*gold)])
    assert (again.gold, again.identical_words, again.exceptions) == (pair.gold, True, pair.exceptions)


def test_the_unit_of_each_word():
    units = Unit(0, 1, 0, 1), Unit(1, 3, 2, 3)
    pair = Pair(FIRST, [flat("a", "b", "c", "f")], [flat("a", "d", "bc", "e", "e")], RULES, {}, units)
    assert pair.unit_of_words() == ([0, 1, 1, -1], [0, -1, 1, -1, -1], 2)
    assert pair.all_units == (
        *((0, 1, 0, 1), (1, 1, 1, 2), (1, 3, 2, 3)),
        *((3, 4, 3, 3), (4, 4, 3, 4), (4, 4, 4, 5)),
    )
    assert Pair(FIRST, [AB], [AB], RULES, {}).unit_of_words() == ([0, 1], [0, 1], 2)


@pytest.mark.parametrize(
    ("gold", "system", "status", "reason", "parsed"),
    [
        ([AB], [AB], "ok", None, True),
        ([], [AB], "extra", None, False),
        ([AB], [], "missing", None, False),
        ([AB], [EMPTY], "no parse", "the parse has no words", False),
        ([EMPTY], [EMPTY], "ok", None, True),
        ([EMPTY], [AB], "ok", None, True),
        ([AB, EMPTY._replace(error=ERROR)], [AB], "unreadable", "it has no root", True),
        ([AB], [AB, EMPTY._replace(error=ERROR)], "no parse", "it has no root", False),
        # An answer that is no tree has a reason of its own; one that has been repaired is a parse.
        ([AB], [EMPTY._replace(answer=Answer("", (), "it is prose"))], "no parse", "it is prose", False),
        ([AB], [AB._replace(answer=Answer("", ("fence",)))], "ok", None, True),
        ([AB], [EMPTY._replace(answer=Answer("(())"))], "no parse", "the parse has no words", False),
        ([AB], [AB._replace(answer=Answer("(S (A a) (B b))"))], "ok", None, True),
    ],
)
def test_states_of_a_pair(gold, system, status, reason, parsed):
    pair = Pair(FIRST, gold, system, RULES, {})
    assert (*pair.state, pair.parsed) == (status, reason, parsed)
    assert pair.state == (pair.status, reason)


def test_too_few_words_to_count():
    pair = Pair.of_identical_words(AB, AB, rules_of(convention="discontinuous words:3"))
    assert (*pair.state, pair.parsed) == ("short", "too few scored words: 2", True)


def test_gaps_of_either_side():
    gap = Tree.build(["S", "X", "A", "B", "C"], [-1, 0, 1, 0, 1], ["a", "b", "c"], [2, 3, 4])
    # Nodes in another order than their words, and no gap.
    turned = Tree.build(["S", "A", "B"], [-1, 0, 0], ["a", "b"], [2, 1])
    one, other = (Sentence(1, tree, tree) for tree in (gap, turned))
    found = [
        Pair(FIRST, [a], [b], RULES, {}).has_gaps for a, b in ((AB, AB), (one, AB), (AB, one), (AB, other))
    ]
    assert found == [False, True, True, False]


def test_over_the_same_words():
    labels = rules_of(Params(delete_labels=(",",)), "discontinuous")
    gold = sentence("(S (A a) (, x) (B b))")
    pair = Pair.of_identical_words(gold, sentence("(S (X a) (, x) (B b))"), labels)
    assert (pair.gold.words, pair.system.words, pair.status) == (("a", "b"), ("a", "b"), "ok")
    assert pair.bead == Bead((0, 1), (0, 1), True)
    assert pair.gold_sentences[0].source == gold.tree
    # Sentences of which nothing is left out are taken as they are.
    same = Pair.of_identical_words(AB, AB, labels)
    assert same.gold_sentences[0] is same.system_sentences[0] is AB
    with pytest.raises(TreeError):
        Pair.of_identical_words(AB, sentence("(S (A a))"), labels)


@pytest.mark.parametrize(
    ("system", "status"),
    [(None, "missing"), (AB._replace(error=ERROR), "no parse"), (EMPTY, "no parse")],
)
def test_without_a_usable_parse_gold_is_unpaired(system, status):
    gold = sentence("(S (A a) (, x) (B b))")
    pair = Pair.of_identical_words(gold, system, rules_of(Params(delete_labels=(",",)), "discontinuous"))
    assert (pair.status, pair.gold.words, pair.system.words) == (status, ("a", "b"), ())
    assert Pair.of_identical_words(EMPTY, EMPTY, rules_of(convention="discontinuous")).status == "ok"
