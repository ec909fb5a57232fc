"""Labels that are scored, with and without a .prm file."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.base.errors import TreeError
from jpevalb.metrics.brackets import length
from jpevalb.settings.params import Params
from jpevalb.settings.rules import DUMMY_ROOT, with_equal_words, without_words
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Tree
from tests.support.random_trees import trees
from tests.support.rules import counts_of, rules_of

COLLINS = Params(
    delete_labels=("TOP", "-NONE-", ",", "."),
    delete_labels_for_length=("-NONE-",),
    eq_labels=(("ADVP", "PRT"),),
)


def scored(tree, rules):
    """Return a gold tree as scored."""
    one = Sentence(1, tree, tree)
    return Pair(FIRST, [one], [one], rules, {}).gold


def outside(tree, rules):
    """Return the number of deleted words that count for the length."""
    return counts_of(tree, tree, rules)["length"] - len(scored(tree, rules).words)


def pair_of(gold, system, rules):
    """Return the scored trees of a pair over the same words, and its length."""
    pair = Pair.of_identical_words(Sentence(1, gold, gold), Sentence(1, system, system), rules)
    return pair.gold, pair.system, length(pair)


@pytest.mark.parametrize(
    ("label", "counts_as"),
    [
        ("NP", "NP"),
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("WHNP=1-2", "WHNP"),
        ("S1", "S1"),
        ("", None),
        ("TOP", None),
        ("ROOT", None),
        ("ROOT-X", None),
        ("@S", "@S"),
        (DUMMY_ROOT, None),
        ("-NONE-", None),
        ("=", None),
    ],
)
def test_labels_that_count(label, counts_as):
    assert rules_of().resolve(label) == counts_as


def test_deletion_goes_through_equal_labels_for_brackets_and_not_for_tags():
    labels = rules_of(Params(delete_labels=("ADVP",), eq_labels=(("ADVP", "PRT"),)))
    assert [labels.resolve(label) for label in ("ADVP", "PRT-CLR", "NP")] == [None, None, "NP"]
    assert labels.deleted == {"ADVP"}


def test_equality_is_symmetric_and_not_transitive():
    labels = rules_of(Params(eq_labels=(("A", "B"), ("B", "C"), ("A", "B"), ("D", "D"))))
    assert labels.equal_brackets == {"A": ("B",), "B": ("A", "C"), "C": ("B",)}
    # The tags of brackets are equal in all runs.
    assert labels.equal_tags == {**labels.equal_brackets, "$(": ("$[",), "$[": ("$(",)}


def test_without_labels_deleted_ones_stay_deleted():
    for labels in (
        rules_of(Params(delete_labels=("S1",)), unlabeled=True),
        rules_of(Params(labeled=False, delete_labels=("S1",))),
    ):
        assert [labels.resolve(label) for label in ("NP", "VP-X", "S1", "TOP")] == ["", "", None, None]


def test_pruning_removes_words_and_empty_nodes():
    tree = Tree.parse("(S (NP (-NONE- *)) (VP (VBD slept) (PP (IN in) (NP (-NONE- *T*))) (, ,)) (. .))")
    labels = rules_of(COLLINS)
    pruned = scored(tree, labels)
    assert pruned.to_bracket() == "(S (VP (VBD slept) (PP (IN in))))"
    assert outside(tree, labels) == 2  # the traces have no length, the punctuation has
    assert (pruned.starts, pruned.ends) == ((0, 0, 0, 1, 1), (2, 2, 1, 2, 2))
    assert pruned.parents == (-1, 0, 1, 1, 3)


def test_pruning_notes_whether_it_fired():
    labels = rules_of(COLLINS)
    tree = Tree.parse("(S (NP (NN a)))")
    assert (scored(tree, labels), outside(tree, labels)) == (tree, 0)
    assert not labels.seen_deleted
    scored(Tree.parse("(S (. .))"), labels)
    assert labels.seen_deleted
    labels = rules_of(COLLINS)
    scored(Tree.parse("(TOP (S (NN a)))"), labels)
    assert labels.seen_deleted


@given(trees(tagged=False), st.data())
def test_taking_words_out_keeps_the_other_yields(tree, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(tree.words), max_size=len(tree.words)))
    place = [sum(kept[:i]) for i in range(len(kept))]

    def moved(words):
        return sum(1 << place[i] for i in range(len(kept)) if kept[i] and words >> i & 1)

    pruned, sources = without_words(tree, kept)
    assert [tree.labels[node] for node in sources] == list(pruned.labels)
    assert pruned.words == tuple(word for word, keep in zip(tree.words, kept) if keep)
    expected = sorted(
        (label, moved(words)) for label, words in zip(tree.labels, tree.yields()) if moved(words)
    )
    assert sorted(zip(pruned.labels, pruned.yields())) == expected
    assert pruned == Tree.build(pruned.labels, pruned.parents, pruned.words, pruned.word_parents)


def test_equal_words_share_one_text_with_their_exceptions():
    equal = {"can't": ("cannot",), "cannot": ("can't", "can_not"), "can_not": ("cannot",)}
    merged = with_equal_words({"cannot": "can", "n't": "not"}, equal)
    assert merged["can't"] == merged["cannot"] == merged["can_not"]
    assert merged["n't"] == "not"
    assert with_equal_words({"a": "b"}, {}) == {"a": "b"}
    # What an exception leads to is equal to its equals too.
    assert with_equal_words({"n't": "not"}, {"not": ("nicht",), "nicht": ("not",)})["n't"] == "nicht"


def test_nothing_is_left_out_unless_something_asks_for_it():
    assert not rules_of().deletes_words
    for asked in ({"delete_labels": ("X",)}, {"delete_words": ("a",)}, {"delete_root_preterms": True}):
        assert rules_of(Params(**asked)).deletes_words


def test_traces_are_skipped_if_settings_ask_for_it():
    tree = Tree.parse("(S (-NONE- *) (NN a))")
    for traces, words, size in (("drop", ("a",), 1), ("keep", ("*", "a"), 2)):
        rules = rules_of(traces=traces)
        assert (scored(tree, rules).words, counts_of(tree, tree, rules)["length"]) == (words, size)


def test_a_version_without_labels_changes_nothing_else():
    rules = rules_of(Params(delete_labels=("S1",), eq_labels=(("A", "B"),)))
    bare = rules.without_labels
    assert bare.equal_brackets == {}
    assert [bare.resolve(label) for label in ("NP", "S1")] == ["", None]
    assert rules.resolve("NP") == "NP"
    tree = Tree.parse("(S (A (B (N a) (N b))) (S1 (N c) (N d)))")
    assert [counts_of(tree, tree, one)["gold"] for one in (rules, bare)] == [3, 1]


def test_words_below_the_root_are_left_out_where_they_alone_hang_from_their_node():
    rules = rules_of(Params(delete_root_preterms=True))
    # "e" hangs from the root itself, "b" deeper, "c" beside "d"; below an empty node there is no word.
    tree = Tree.build(
        ["S", "N", "NP", "N", "X", "Y", "Z"],
        [-1, 0, 0, 2, 0, 0, 5],
        ["a", "b", "c", "d", "e", "f"],
        [1, 3, 4, 4, 0, 5],
    )
    assert scored(tree, rules).words == ("b", "c", "d", "e", "f")
    assert scored(Tree.parse("(S (NP (N a)))"), rules).words == ("a",)


def test_differing_words_are_reported():
    rules = rules_of(Params(eq_words=(("x", "y"),)), "discontinuous")
    gold, other = (
        Tree.parse("(S (A x) (B -LRB-))"),
        Tree.build(["S", "A", "B"], [-1, 0, 0], ["y", "("], [1, 2]),
    )
    assert pair_of(gold, other, rules)[:2] == (gold, other)
    for gold, system, told in (
        ("(S (A a))", "(S (A b))", "word 1 is 'b', but 'a' in gold (1 word, gold 1)"),
        ("(S (A b))", "(S (A a))", "word 1 is 'a', but 'b' in gold (1 word, gold 1)"),
        ("(S (A a) (A b))", "(S (A a))", "word 2 is the end, but 'b' in gold (1 word, gold 2)"),
        ("(S (A a))", "(S (A a) (A b))", "word 2 is 'b', but the end in gold (2 words, gold 1)"),
    ):
        with pytest.raises(TreeError) as raised:
            pair_of(Tree.parse(gold), Tree.parse(system), rules)
        assert str(raised.value) == f"{told}; expected trees over the same words"


def test_each_side_leaves_out_its_own_words_where_the_words_differ():
    rules = rules_of(COLLINS, "discontinuous")
    gold, system = Tree.parse("(S (-NONE- *) (NN a) (. .))"), Tree.parse("(S (NN a))")
    assert pair_of(gold, system, rules) == (system, system, 2)
    with pytest.raises(TreeError, match=r"word 1 is 'b', but '\*' in gold \(1 word, gold 3\)"):
        pair_of(gold, Tree.parse("(S (NN b))"), rules)
