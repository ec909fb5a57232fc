"""Trees without labels: brackets, nested lists, words and spans."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, strategies as st

from jpevalb import TreeError, average, compare, evaluate, read
from jpevalb.formats.read import as_tree
from jpevalb.trees.nested import looks_unlabelled, tree_of_lists, tree_of_spans, tree_of_unlabeled
from tests.support.commands import jpevalb

GOLD = ["((the cat) (sat (on (the mat))))", "(it (rains now))"]
SYSTEM = ["((the cat) ((sat on) (the mat)))", "((it rains) now)"]
LISTS = [[["the", "cat"], ["sat", ["on", ["the", "mat"]]]], ["it", ["rains", "now"]]]
SPANS = [
    (["the", "cat", "sat", "on", "the", "mat"], {(0, 6), (0, 2), (2, 6), (3, 6), (4, 6)}),
    (["it", "rains", "now"], [[0, 3], [1, 3]]),
]
# Gold has 5 and 2 brackets, the system 5 and 2; 4 and 1 match.
COUNTS = (5, 7, 7)


def counts(result):
    brackets = result.total.brackets
    return brackets.matched, brackets.gold, brackets.system


@pytest.mark.parametrize("gold", [GOLD, LISTS, SPANS], ids=["brackets", "lists", "spans"])
def test_evaluate(gold):
    found = evaluate(gold, SYSTEM)
    assert counts(found) == COUNTS
    assert found.total.tags.accuracy is None
    assert counts(evaluate(gold, gold)) == (7, 7, 7)


@pytest.mark.parametrize("name", ["brackets", "json"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_command(folder, name, jobs):
    gold = GOLD if name == "brackets" else list(map(json.dumps, LISTS))
    (folder / "gold").write_text("\n".join(gold) + "\n")
    (folder / "system.gz").write_bytes(gzip.compress("\n".join(SYSTEM).encode()))
    done = jpevalb("gold", "system.gz", "--output", "json", "--jobs", jobs)
    assert done.returncode == 0
    total = json.loads(done.stdout)
    assert [total["total"]["brackets"][key] for key in ("matched", "gold", "system")] == list(COUNTS)
    assert {"side": "gold", "what": "trees without labels: each bracket counts as NT", "count": 2} in total[
        "standardised"
    ]
    assert (
        jpevalb("-", "system.gz", "--score-only", stdin=(folder / "gold").read_bytes()).stdout == b"71.43\n"
    )


@pytest.mark.parametrize(
    ("text", "unlabelled"),
    [
        ("((the cat) (sat (on (the mat))))\n(it (rains now))", True),
        # What one tree shows is not held against the next one.
        ("(S (NP (NN it)) (VP (VB rains)))\n" * 3 + "((the cat) (sat (on (the mat))))", False),
        ("((the cat) (sat down))\n(x y)\n(S (A a) (B b) (C c))\n(S (A a) (B b) (C c))", False),
        ("(S (A a) (B b) (C c))\n" * 2 + "((the cat) (sat down))\n((a dog) (ran (far away)))", False),
        ("((the cat) sat)\n(a (b c))\n(NP (d e) (f g))", True),
        ("(a b c)\n(S (d e) (f g))\n((h i) (j k))", True),
        ("(x)\n((x))", False),
        ("(((a b)))\n(x)\n(a b)\n(a b)", True),
        ("((a b) (c d) (e f) (G h) (I j))", True),
        ("((it) ((a b)) ((a b)))\n(it (X y))\n(S (A a))", False),
        ("(X y)\n((it) x)", True),
        ("((it (a b)))\n((NN cat) x)", False),
    ],
)
def test_texts_of_several_trees(text, unlabelled):
    assert looks_unlabelled(text) is unlabelled


def test_compare_and_average():
    found = compare(GOLD, {"a": SYSTEM, "b": LISTS})
    assert [system.total.brackets.matched for system in found.systems] == [5, 7]
    trees = [as_tree(lists) for lists in LISTS]
    assert average([trees[0], trees[0], tree_of_unlabeled(SYSTEM[0])]) == trees[0]


def test_blank_lines_are_sentences_without_a_parse(folder):
    (folder / "trees").write_text("\n((the cat) sat)\n\n(a b)\n\n\n")
    assert [tree.words for tree in read("trees")] == [(), ("the", "cat", "sat"), (), ("a", "b")]


@pytest.mark.parametrize(
    ("format", "lines", "message"),
    [
        ("unlabeled", "((a b) c\n", r"trees:1: the tree is not closed: a '\)' is missing"),
        ("unlabeled", "((a b) c))\n", r"trees:1: '\)' outside a tree: one '\)' too many"),
        ("unlabeled", '["a", 1]\n', r"trees:1: 1 in a nested list is not a word; write words as texts"),
        ("unlabeled", '["a", "b"\n', r"trees:1:10: invalid JSON: "),
        ("lists", "5\n", "trees:1: 5 in a nested list is not a word"),
        (
            "lists",
            '["A", "a"]\n["S",\n"b" "c"]\n',
            "trees:3:5: invalid JSON: Expecting ',' delimiter; expected",
        ),
    ],
)
def test_errors_name_their_line(folder, format, lines, message):
    (folder / "trees").write_text(lines)
    with pytest.raises(TreeError, match=message):
        list(read("trees", format))


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 2), (1, 3)], "the spans 0 to 2 and 1 to 3 cross"),
        ([(0, 4, "NP")], "the span 0 to 4 is outside the 3 words; expected"),
        ([(2, 2)], "the span 2 to 2 is outside"),
        ([(-1, 2)], "the span -1 to 2 is outside"),
        ([(0,)], r"\(0,\) is not a span"),
        ([(0, 1, "NP", "VP")], "is not a span; expected"),
        ([(0, "1")], r"\(0, '1'\) is not a span"),
    ],
)
def test_invalid_spans(spans, message):
    with pytest.raises(TreeError, match=message):
        tree_of_spans(["a", "b", "c"], spans)


def test_labels_of_spans_and_their_order():
    tree = tree_of_spans(["a", "b"], [(0, 2, "S"), (0, 2, "VP"), (1, 2, "NP")])
    assert str(tree) == "(S (VP a (NP b)))"
    equal = [(0, 2, "VP"), (0, 2, "S")]
    assert str(tree_of_spans(["a", "b"], equal)) == "(VP (S a b))"
    assert str(tree_of_spans(["a", "b"], set(equal))) == "(S (VP a b))"
    tree = tree_of_spans(["a", "b"], [(0, 1, "NP"), (1, 2, "VP")])
    assert (tree.labels, tree.parents, tree.word_parents) == (("", "NP", "VP"), (-1, 0, 0), (1, 2))
    assert str(tree_of_spans(["a", "b", "c"], [(1, 3, "NP")])) == "( a (NP b c))"


nested = st.recursive(
    st.sampled_from(["a", "b", "中国"]), lambda items: st.lists(items, min_size=1, max_size=4)
)


@given(nested.filter(lambda item: isinstance(item, list)))
def test_lists_and_brackets_are_the_same_trees(lists):
    text = json.dumps(lists, ensure_ascii=False)
    brackets = text.replace("[", "(").replace("]", ")").replace('"', "").replace(",", "")
    tree = tree_of_lists(lists)
    assert tree == tree_of_unlabeled(brackets)
    assert len(tree) == text.count("[")


@given(nested.filter(lambda item: isinstance(item, list)))
def test_a_tree_from_its_spans(lists):
    tree = tree_of_lists(lists)
    spans = list(zip(tree.starts, tree.ends, tree.labels))
    assert tree_of_spans(tree.words, spans) == tree


def test_one_label_in_capitals_makes_labels_of_all():
    assert str(tree_of_lists(["S", ["-", "a"], ["-", "b"]])) == "(S (- a) (- b))"
    assert str(tree_of_lists(["+", ["-", "a"], ["-", "b"]])) == "(NT + (NT - a) (NT - b))"


def test_deep_trees():
    depth = 50_000
    assert len(tree_of_unlabeled("(" * depth + "a" + ")" * depth)) == depth


@pytest.mark.parametrize("name", ["tree", "spans"])
def test_records(folder, name):
    """DIORA writes nested lists into the field tree of JSON Lines."""
    if name == "tree":
        records = [{"example_id": str(number), "tree": tree} for number, tree in enumerate(LISTS)]
    else:
        records = [{"words": words, "spans": sorted(map(list, spans))} for words, spans in SPANS]
    (folder / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "system").write_text("\n".join(SYSTEM) + "\n")
    options = ["--field", "tree"] if name == "tree" else ["--format", "auto"]
    for files in (["gold.jsonl", "system"], ["system", "gold.jsonl"]):
        done = jpevalb(*files, *options, "--output", "json", "--unlabeled")
        assert done.returncode == 0, done.stderr
        total = json.loads(done.stdout)["total"]["brackets"]
        assert [total[key] for key in ("matched", "gold", "system")] == list(COUNTS)


def test_records_of_actions_and_words(folder):
    words, steps = ["a", "b", "c"], "NT(S) NT(NP) SHIFT GEN REDUCE NT(VP) SHIFT REDUCE REDUCE"
    records = [{"words": words, "actions": actions} for actions in (steps, steps.split())] + [
        {"output": words}
    ]
    (folder / "trees").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert list(map(str, read("trees"))) == ["(S (NP a b) (VP c))"] * 2 + ["(NT a b c)"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"spans": [[0, 1]]}, "'spans' without 'words'; expected words and"),
        ({"words": ["a"], "spans": [["a", 1]]}, "'spans' without 'words'; expected words and"),
        ({"words": ["a", "b", "c"], "spans": [[0, 2], [1, 3]]}, "the spans 0 to 2 and 1 to 3 cross"),
        ({"output": [["a"], 1]}, "1 in a nested list is not a word"),
        ({"words": ["a"], "actions": "SHIFT NT(S) REDUCE"}, "the action 'SHIFT' does not fit here"),
        ({"words": ["a"], "actions": "NT(S) SHIFT SHIFT REDUCE"}, "the action 'SHIFT' does not fit here"),
        ({"words": ["a"], "actions": "NT(S) SHIFT REDUCE REDUCE"}, "the action 'REDUCE' does not fit here"),
        ({"words": ["a", "b"], "actions": "NT(S) SHIFT REDUCE"}, "after 1 of 2 words"),
        ({"words": ["a"], "actions": "NT(S) SHIFT"}, "in an open bracket"),
    ],
)
def test_records_that_are_no_trees(folder, record, message):
    (folder / "trees").write_text(json.dumps(record) + "\n")
    with pytest.raises(TreeError, match=message):
        list(read("trees"))
