"""The kernel that counts a pair: by the definitions, and the same compiled and interpreted."""

from __future__ import annotations

import random
from array import array
from collections import Counter

import pytest

import jpevalb.settings.rules as compiler
from jpevalb import Params
from jpevalb.formats.bracket import parse_discbracket
from jpevalb.kernels.columns import current_names
from jpevalb.kernels.counting import COUNTED, UNLIKE
from jpevalb.settings.convention import TOOLS, Convention
from jpevalb.trees.tree import Tree
from tests.support.kernels import load_kernel
from tests.support.odd_trees import odd_pair
from tests.support.rules import counts_of, rules_of

FEW = {"convention": "discontinuous least:2 whole:drop-all"}
EQUAL = Params(eq_labels=(("A", "B"), ("B", "C")))
QUOTES = "(S (NP (NN a)) ('' ') (VP (VB b)))", "(S (NP (NN a)) (POS ') (VP (VB b)))"


@pytest.mark.parametrize(
    ("gold", "system", "options", "expected"),
    [
        # Equality of labels is symmetric, and not transitive.
        ("(S (A a b) (B c d))", "(S (B a b) (A c d))", {"params": EQUAL}, {"matched": 3}),
        ("(S (A a b))", "(S (C a b))", {"params": EQUAL}, {"matched": 1}),
        # Each bracket of gold takes the first free one; "B" takes "C", so "A" gets "B".
        ("(B (A a b))", "(C (B a b))", {"params": EQUAL}, {"matched": 2}),
        ("(A (B a b))", "(B (C a b))", {"params": EQUAL}, {"matched": 2}),
        ("(A (C a b))", "(B (B a b))", {"params": EQUAL}, {"matched": 2}),
        ("(S (NP a b) c)", "(S a (NP b c))", {}, {"matched": 1, "crossing": 1}),
        # Words and tags: the same pairs, wherever they are.
        ("(S (A x) (B x))", "(S (B x) (A x))", {}, {"correct_tags": 2, "in_place": 2, "correct_in_place": 0}),
        ("(S (A x) (D y))", "(S (B x) (D y))", {"params": EQUAL}, {"correct_tags": 2, "correct_in_place": 2}),
        # Gold's tags decide; a trace that is dropped is no word to align.
        ("(S (, x) (NN x))", "(S (NN x) (, x))", {"params": Params(delete_labels=(",",))}, {"gold_words": 1}),
        ("(S (-NONE- *) (NN x))", "(S (NN x))", {"traces": "drop"}, {"length": 1, "gold_dropped": 1}),
        ("(S (NN x))", "(S (NN y))", {}, {"reason": UNLIKE, "gold": 0}),
        ("(S (NN x))", "", {}, {"reason": "", "gold": 1, "system": 0}),
        # Without tags in one tree nothing is compared.
        ("(S (A x))", Tree.parse("(S (A x))").replace(tagged=False), {}, {"gold_tagged": 0}),
        # Sets, trivial brackets, and gaps.
        ("(S (S a b) c)", "(S (S a b) c)", {"unlabeled": True, **FEW}, {"gold": 1}),
    ],
)  # fmt: skip
def test_what_is_counted(gold, system, options, expected):
    found = counts_of(gold, system, rules_of(**options))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({}, (3, 3, 3)),
        ({"repeats": "once"}, (2, 2, 2)),
        ({"repeats": "first"}, (2, 3, 3)),
        ({"repeats": "any"}, (3, 3, 3)),
        ({"whole": "drop all"}, (2, 2, 2)),
        ({"whole": "drop root"}, (2, 2, 2)),
        ({"least": 2}, (1, 1, 1)),
        ({"no_bracket_system": "NP"}, (1, 3, 1)),
        ({"drop_tags": "VB"}, (3, 3, 3)),
        ({"drop_whole": "NP"}, (1, 1, 1)),
        ({"labeled": False, "repeats": "once"}, (2, 2, 2)),
        ({"most_gaps": 0}, (3, 3, 3)),
        ({"only_gaps": True}, (0, 0, 0)),
    ],
)
def test_rules_of_brackets(row, expected):
    tree = Tree.parse("(S (NP (NP (NN a))) (VB b))").columns.moved(current_names())
    counted = dict(zip(COUNTED, compiler.of_tool(Convention().replace(**row), tree.names).count(tree, tree)))
    assert (counted["matched"], counted["gold"], counted["system"]) == expected


def test_repeated_brackets_with_gaps_are_matched_as_often():
    """Gold counts a bracket as often as the system has it, also among those with gaps."""
    names = current_names()
    texts = "(S (VP (A 0=a) (B 2=b)) (C 1=c))", "(S (VP (VP (A 0=a) (B 2=b))) (C 1=c))"
    for sides, expected in ((texts, (2, 2, 2, 3)), (texts[::-1], (1, 1, 1, 2))):
        trees = [parse_discbracket(text).columns.moved(names) for text in sides]
        row = Convention().replace(repeats="any")
        found = dict(zip(COUNTED, compiler.of_tool(row, names).count(*trees)))
        assert (
            tuple([found[name] for name in ("gold_gaps", "system_gaps", "matched_gaps", "gold")]) == expected
        )


def test_quotation_marks_are_restored():
    """evalb restores a quotation mark that only one side has dropped."""
    for name, words in (("evalb", UNLIKE), ("benepar", "")):
        names = current_names()
        trees = [Tree.parse(text).columns.moved(names) for text in QUOTES]
        counted = compiler.of_tool(Convention.of(name), names).count(*trees)
        assert counted[0] == words
        assert words or dict(zip(COUNTED, counted))["gold_words"] == 3


def test_units_are_slots():
    """Gold has one word where the system has two, and then one that the system lacks."""
    units = array("i", [0, 1, 2]), array("i", [0, 0, 2]), 3
    found = counts_of("(S (X a b) c)", "(S (X a1 a2) c)", rules_of(), units)
    expected = {"gold": 2, "system": 2, "matched": 2, "crossing": 0, "length": 2, "in_units": True}
    assert {name: found[name] for name in expected} == expected
    # The tag of a word of gold decides for all words of its unit.
    rules = rules_of(Params(delete_labels=(",",)))
    found = counts_of("(S (, a) (N b) (N c))", "(S (N a1) (, a2) (, c))", rules, units)
    assert (found["gold_words"], found["system_words"], found["length"]) == (2, 1, 2)


def test_words_without_counterpart_take_no_place():
    """Gold has two words that the system lacks, which has two others before words of both."""
    units = array("i", [0, 1, -1, -1, 2]), array("i", [-1, -1, 0, 1, 2]), 3
    texts = "(S (X a b) (Y c d) (Z (N e)))", "(S (Y y z) (X a b) (Z (N e)))"
    found = counts_of(*texts, rules_of(), units)
    # The brackets over unaligned words are missed and extra, and cross nothing.
    assert tuple([found[name] for name in ("gold", "system", "matched", "crossing", "length")]) == (
        *(4, 4, 3, 0, 3),
    )
    # No word has a counterpart: nothing is matched, although the labels and places are the same.
    none = array("i", [-1] * 5), array("i", [-1] * 5), 0
    found = counts_of(texts[0], "(S (X f g) (Y h i) (Z (N j)))", rules_of(), none)
    assert (found["gold"], found["system"], found["matched"], found["length"]) == (4, 4, 0, 0)


def kernels(compiled, interpreted, monkeypatch):
    """Return the rules of all tools and some modes, by both kernels."""
    names = current_names()
    for row in map(Convention.of, TOOLS):
        if row.compare != "aligned":
            yield [
                _with(kernel, monkeypatch, compiler.of_tool, row, names) for kernel in (compiled, interpreted)
            ]
    prm = Params(delete_labels=(",", "X"), eq_labels=(("NN", "VB"), ("VB", "DT"), ("NP", "VP"), ("VP", "S")))
    for options in ({}, {"unlabeled": True}, FEW, {"drop_subtrees": "PRN"}):
        for convention in ("jpevalb", "discontinuous"):
            if options is FEW and convention == "jpevalb":
                continue
            rules = rules_of(prm, **{"convention": convention, **options})
            yield [_with(kernel, monkeypatch, rules._compiled, names) for kernel in (compiled, interpreted)]


def _with(kernel, monkeypatch, make, *arguments):
    with monkeypatch.context() as patched:
        patched.setattr(compiler, "Rules", kernel.Rules)
        patched.setattr(compiler, "TextTable", kernel.TextTable)
        return make(*arguments)


@pytest.mark.parametrize("gaps", [False, True])
def test_both_kernels_count_the_same(monkeypatch, gaps):
    compiled, interpreted = (load_kernel("counting", kind) for kind in ("compiled", "interpreted"))
    dice = random.Random(f"counting {gaps}")
    parse = parse_discbracket if gaps else Tree.parse
    pairs = [odd_pair(dice, gaps=gaps, other_words=0.05) for _ in range(25)]
    for both in kernels(compiled, interpreted, monkeypatch):
        for texts in pairs:
            trees = [parse(text).columns.moved(current_names()) for text in texts]
            rows = [one.count(*trees) for one in both]
            assert rows[0] == rows[1]
            assert both[0].kept() == both[1].kept()
            assert both[0].brackets() == both[1].brackets()


@pytest.mark.parametrize("gaps", [False, True])
def test_matches_and_crossings_follow_the_definition(gaps):
    dice = random.Random(f"definition {gaps}")
    rules = rules_of(convention="discontinuous" if gaps else "jpevalb")
    for _ in range(150):
        trees = [(parse_discbracket if gaps else Tree.parse)(text) for text in odd_pair(dice, gaps=gaps)]
        sides = []
        for tree in trees:
            nodes = zip(tree.labels, tree.yields(), tree.preterminals)
            sides.append(
                [(rules.resolve(label), bits) for label, bits, is_tag in nodes if bits and not is_tag]
            )
        gold, system = [[item for item in side if item[0] is not None] for side in sides]
        found = counts_of(*trees, rules)
        assert (found["gold"], found["system"]) == (len(gold), len(system))
        assert found["matched"] == (Counter(gold) & Counter(system)).total()
        assert found["crossing"] == sum(
            any(one & bits and one & ~bits and bits & ~one for _, one in gold) for _, bits in system
        )
        has_gaps = [bits & (bits + (bits & -bits)) != 0 for _, bits in gold]
        assert found["gold_gaps"] == sum(has_gaps)
