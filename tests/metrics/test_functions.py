"""Function tags: worked examples, the definition, and reports."""

from __future__ import annotations

import io
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb import Tree, TreeError, evaluate, read, write
from jpevalb.base.counts import Matched
from jpevalb.metrics.labels import FunctionCounts, function_tags
from jpevalb.settings.rules import cut
from tests.support.random_trees import trees


def counts(gold, system, **options) -> FunctionCounts:
    found: FunctionCounts = evaluate([gold], [system], metrics="functions", **options).total["functions"]
    return found


@pytest.mark.parametrize(
    ("gold", "system", "tags", "brackets"),
    [
        # Subject and object take each other's place: nothing is right, though F1 is 100.
        (
            "(S (NP-SBJ (N a)) (VP (V b) (NP-OBJ (N c))))",
            "(S (NP-OBJ (N a)) (VP (V b) (NP-SBJ (N c))))",
            (2, 2, 0), (4, 4, 2),
        ),
        # Order and indices mean nothing; one of two tags is right.
        ("(S (NP-SBJ-TMP-1 (N a)))", "(S (NP-TMP=2-SBJ (N a)))", (2, 2, 2), (2, 2, 2)),
        ("(S (NP-SBJ-TMP (N a)) (B b))", "(S (NP-TMP-LOC-DIR (N a)) (B b))", (2, 3, 1), (2, 2, 1)),
        # Tags of constituents that do not match count nowhere.
        ("(S (NP-SBJ (N a)) (B b))", "(S (VP-SBJ (N a)) (B b))", (0, 0, 0), (2, 2, 1)),
        # In a chain those with equal tags are the same.
        ("(NP-SBJ (NP (N a) (N b)))", "(NP (NP-SBJ (N a) (N b)))", (1, 1, 1), (2, 2, 2)),
        ("(NP-SBJ (NP (N a) (N b)))", "(NP-OBJ (X (N a) (N b)))", (1, 1, 0), (2, 2, 0)),
        # A span has two ends.
        ("(S (NP-SBJ (N a) (N b)) (B c))", "(S (NP-SBJ (N a) (N b) (B c)))", (0, 0, 0), (2, 2, 1)),
        # What has its match is not given another, though one of the same span is left.
        ("(NP-SBJ (N a) (N b))", "(NP-SBJ (NP-TMP (N a) (N b)))", (1, 1, 1), (1, 2, 1)),
        ("(NP-SBJ (N a) (N b))", "(NP-TMP (NP-SBJ (N a) (N b)))", (1, 1, 1), (1, 2, 1)),
    ],
)  # fmt: skip
def test_by_hand(gold, system, tags, brackets):
    assert counts(gold, system) == FunctionCounts(Matched(*tags), Matched(*brackets))


def test_gaps():
    """Two yields with the same first and last word are two."""
    gold = "(S (NP-SBJ (A 0=a) (C 2=c)) (B 1=b))"
    system = "(S (NP-SBJ (A 0=a) (B 1=b) (C 2=c)))"
    one, other = (list(read(io.StringIO(text), "discbracket")) for text in (gold, system))
    found = evaluate(one, other, metrics="functions").total["functions"]
    assert found == FunctionCounts(Matched(0, 0, 0), Matched(2, 2, 1))


def test_labels_of_a_prm(tmp_path):
    (tmp_path / "x.prm").write_text("EQ_LABEL ADVP PRT\nDELETE_LABEL TOP\n")
    found = counts(
        "(S (ADVP-TMP (N a)) (B b))", "(S (PRT-TMP (N a)) (B b))", prm=str(tmp_path / "x.prm")
    )  # fmt: skip
    assert found == FunctionCounts(Matched(1, 1, 1), Matched(2, 2, 2))
    assert counts("(S (X-TMP (N a)) (B b))", "(S (Y-TMP (N a)) (B b))", unlabeled=True).tags == Matched(
        1, 1, 1
    )


def slow(gold: Tree, system: Tree) -> FunctionCounts:
    """By trying all ways to match the constituents of one span and category: most equal ones first."""

    def groups(tree):
        found: dict = {}
        for node, tag in enumerate(tree.preterminals):
            label = tree.labels[node]
            if not tag and cut(label) not in ("", "TOP", "ROOT") and tree.ends[node] > tree.starts[node]:
                key = cut(label), tree.starts[node], tree.ends[node]
                found.setdefault(key, []).append(function_tags(label))
        return found

    one, two = groups(gold), groups(system)
    whole = 0
    for key in one.keys() & two.keys():
        mine, other = sorted((one[key], two[key]), key=len)
        whole += max(
            sum(a == b for a, b in zip(mine, order)) for order in permutations(other, len(mine))
        )  # fmt: skip
    return FunctionCounts(brackets=Matched(*(sum(map(len, side.values())) for side in (one, two)), whole))


LABELS = ("S", "NP-SBJ", "NP-OBJ", "NP", "VP-SBJ-TMP", "VP-TMP-SBJ", "TOP")


@given(trees(continuous=True, labels=LABELS, words=st.just("w")), trees(continuous=True, labels=LABELS))
@settings(max_examples=100, deadline=None)
def test_the_definition(gold, system):
    words = tuple("w" * len(gold.words))
    if len(system.words) != len(words):
        system = gold
    gold, system = (
        Tree(one.labels, one.parents, one.starts, one.ends, words, one.word_parents) for one in (gold, system)
    )
    found = counts(gold, system)
    assert found.brackets == slow(gold, system).brackets
    assert 0 <= found.tags.matched <= min(found.tags.gold, found.tags.system)
    same = counts(gold, gold)
    assert same.tags.gold == same.tags.matched
    assert same.brackets.gold == same.brackets.matched


EXPORT = """#BOS 1
Das\tART\t--\tNK\t500
Haus\tNN\t--\tNK\t500
brennt\tVVFIN\t--\tHD\t501
.\t$.\t--\t--\t0
#500\tNP\t--\tSB\t501
#501\tS\t--\t--\t0
#EOS 1
"""
TIGER = """<s id="1"><graph><t id="a" word="Das" pos="ART"/><t id="b" word="Haus" pos="NN"/>
<t id="c" word="brennt" pos="VVFIN"/><t id="d" word="." pos="$."/>
<nt id="n" cat="NP"><edge label="NK" idref="a"/><edge label="NK" idref="b"/></nt>
<nt id="s" cat="S"><edge label="SB" idref="n"/><edge label="HD" idref="c"/></nt>
<nt id="v" cat="VROOT"><edge label="--" idref="s"/><edge label="--" idref="d"/></nt></graph></s>
"""
ALPINO = """<alpino_ds><node cat="top" rel="top"><node cat="S" rel="--"><node cat="NP" rel="SB">
<node rel="NK" pt="ART" word="Das" begin="0"/><node rel="NK" pt="NN" word="Haus" begin="1"/></node>
<node rel="HD" pt="VVFIN" word="brennt" begin="2"/></node><node rel="--" pt="$." word="." begin="3"/>
</node></alpino_ds>
"""


@pytest.mark.parametrize("jobs", [None, 2])
@pytest.mark.parametrize("text", [EXPORT, TIGER, ALPINO], ids=["export", "tigerxml", "alpino"])
def test_functions_at_edges(folder, text, jobs):
    """One of four edges differs: disco-dop has 75.00."""
    (folder / "gold").write_text(text)
    (folder / "system").write_text(text.replace("SB", "OA"))
    options = {"metrics": "functions", "punctuation": "$."}
    with ProcessPoolExecutor(jobs) if jobs else nullcontext() as executor:
        found = evaluate("gold", "system", executor=executor, **options).total["functions"]
    assert found.tags == Matched(4, 4, 3)
    assert found.brackets == Matched(2, 2, 1)


def test_functions_at_edges_are_written_and_survive_deleted_words(folder):
    (folder / "gold").write_text(EXPORT)
    [tree] = read("gold")
    assert dict(zip(tree.labels, tree.edges)) == {
        "": "", "S": "", "NP": "SB", "ART": "NK", "NN": "NK", "VVFIN": "HD", "$.": "",
    }  # fmt: skip
    write([tree], "again", "export")
    assert next(read("again")).edges == tree.edges
    [first] = evaluate([tree], [tree], punctuation="$.").sentences
    assert sorted(first.gold.edges) == ["", "", "HD", "NK", "NK", "SB"]
    with pytest.raises(TreeError, match="export cannot represent the function 'S B'"):
        write([tree.replace(edges=("S B",) * len(tree))], "again", "export")
    with pytest.raises(TreeError, match="1 edges for 2 labels; give one for each, or none"):
        Tree.build(["S", "N"], [-1, 0], ["a"], [1], edges=["SB"])


def test_functions_of_words_need_the_same_tag():
    def tree(tag):
        return Tree.build(["S", tag, "N"], [-1, 0, 0], ["a", "b"], [1, 2], edges=["", "SB-X", "HD"])

    found = evaluate([tree("N")], [tree("N"), tree("V")][1:], metrics="functions").total["functions"]
    assert found.tags == Matched(1, 1, 1)
    found = evaluate([tree("N")], [tree("N")], metrics="functions").total["functions"]
    assert found.tags == Matched(3, 3, 3)
