"""Discbracket: reading and writing both dialects, and error messages."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from jpevalb import Tree, TreeError, discontinuous_f1, read
from jpevalb.formats.bracket import parse_discbracket, read_discbracket
from jpevalb.formats.read import detect_format
from jpevalb.formats.writers import to_discbracket, write
from jpevalb.trees.tree import EMPTY
from tests.support.random_trees import trees

WAKE = Tree.build(["S", "VP", "VB", "RP", "NP", "PRP"], [-1, 0, 1, 1, 0, 4], ["wake", "me", "up"], [2, 5, 3])


@pytest.mark.parametrize(
    "line",
    [
        "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))",
        "(S (NP (PRP 1=me)) (VP (RP 2=up) (VB 0=wake)))",
        "  ( S(VP(VB 0=wake)(RP 2=up))(NP(PRP 1=me)) )\r\n".replace("( S", "(S"),
        "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))\ta comment (not a tree) 7=x\n",
        "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me))) \tcomment",
        "(S (VP (VB 0) (RP 2)) (NP (PRP 1)))\twake me up\n",
        "(S (VP (VB 0) (RP 2)) (NP (PRP 1)))\twake me  up \tcomment",
        "(S (VP (VB 00=wake) (RP 2=up)) (NP (PRP 01=me)))",
        "\ufeff(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))",
    ],
)
def test_spellings_of_one_tree(line):
    assert list(read_discbracket([line])) == [WAKE]
    assert list(read_discbracket([line.encode()])) == [WAKE]
    assert list(read_discbracket(io.BytesIO(line.encode()))) == [WAKE]


@pytest.mark.parametrize(
    ("leaf", "word"),
    [("0=a=b", "a=b"), ("0==", "="), ("0=#LRB#", "("), ("0=:#RRB#x", ":)x"), ("0=0=1", "0=1"), ("0=#", "#")],
)
def test_words(leaf, word):
    assert parse_discbracket(f"(S (X {leaf}))").words == (word,)


def test_brackets_in_labels():
    tree = parse_discbracket("(S ($#LRB# 0=#LRB#) (N 1=x))")
    assert tree.labels == ("S", "$(", "N")
    assert to_discbracket(tree) == "(S ($#LRB# 0=#LRB#) (N 1=x))"
    assert to_discbracket(tree, words=False) == "(S ($#LRB# 0) (N 1))\t( x"
    assert parse_discbracket(to_discbracket(tree, words=False)) == tree


def test_the_older_dialect_does_not_unescape_words():
    assert parse_discbracket("(S (A 0) (B 1))\t#LRB# (").words == ("#LRB#", "(")


def test_children_are_ordered_by_their_first_word():
    tree = parse_discbracket("(S (B 1=b) (A 0=a 2=c))")
    assert tree.labels == ("S", "A", "B")
    assert tree.yields() == [0b111, 0b101, 0b010]


def test_lines_without_words():
    lines = ["\n", "(S (A 0=a))\n", "(())\n", "  \n", "(S (B 0=b))\n", "(S)", "\n", "\n"]
    assert [tree.words for tree in read_discbracket(lines)] == [(), ("a",), (), (), ("b",), ()]
    assert list(read_discbracket([])) == []


def test_deep_trees_need_no_recursion():
    n = 100_000
    line = "(X " * n + "0=a" + ")" * n
    tree = parse_discbracket(line)
    assert len(tree) == n
    assert to_discbracket(tree) == line.replace(" (", "(").replace("(", " (").lstrip()
    disc = "(Y 1=b " + "(X " * n + "0=a 2=c" + ")" * n + ")"
    assert parse_discbracket(to_discbracket(parse_discbracket(disc))) == parse_discbracket(disc)


@given(st.lists(trees(), max_size=4), st.sampled_from(["discbracket", "discbracket-indices"]))
def test_round_trip(some, format):
    file = io.StringIO()
    assert write(some, file, format) == len(some)
    wanted = list(map(rooted, some))
    assert list(read_discbracket(io.StringIO(file.getvalue()))) == wanted
    assert list(read_discbracket(file.getvalue().encode().split(b"\n"))) == wanted
    if some:
        assert detect_format(file.getvalue()) == "discbracket"
    half = file.getvalue()[: len(file.getvalue()) // 2 + 8]
    # A deep tree's first half may have no word yet.
    if "=" in half and format == "discbracket":
        assert detect_format(half.encode()) == "discbracket"


def rooted(tree):
    """The tree as it comes back: a root without label has a name."""
    if not tree.labels or tree.labels[0] or tree.preterminals[0]:
        return tree
    return replace(tree, labels=("ROOT", *tree.labels[1:]))


@given(trees(tagged=False), st.sampled_from(["discbracket", "discbracket-indices"]))
def test_round_trip_of_words_without_tags(tree, format):
    file = io.StringIO()
    write(tree, file, format)
    assert list(read_discbracket(io.StringIO(file.getvalue()))) == [rooted(tree)]


def test_the_virtual_root_has_a_name():
    """Other programs count a constituent without label, and none of them one called ROOT."""
    text = "#BOS 1\na\tN\t--\t--\t500\nb\tV\t--\t--\t500\n.\t$.\t--\t--\t0\n#500\tS\t--\t--\t0\n#EOS 1\n"
    (tree,) = read(io.StringIO(text), "export")
    assert tree.labels[0] == ""
    assert to_discbracket(tree) == "(ROOT (S (N 0=a) (V 1=b)) ($. 2=.))"
    assert to_discbracket(tree, words=False) == "(ROOT (S (N 0) (V 1)) ($. 2))\ta b ."
    again = parse_discbracket(to_discbracket(tree))
    found = discontinuous_f1(tree, again)
    assert (found.overall.tp, found.overall.fp, found.overall.fn) == (1, 0, 0)
    # A word of its own has a tag without label, which is no root.
    assert to_discbracket(Tree.build([""], [-1], ["a"], [0])) == "( 0=a)"


@given(trees(words=st.text(st.sampled_from("()=#a\tb LRB\n\u3000"), max_size=4), max_words=3))
def test_any_word_comes_back_or_is_refused(tree):
    for words in (True, False):
        if any(not word or set(word) & set("\t\n ") or (words and "#LRB#" in word) for word in tree.words):
            with pytest.raises(TreeError, match="discbracket cannot represent"):
                to_discbracket(tree, words=words)
        else:
            assert parse_discbracket(to_discbracket(tree, words=words)) == rooted(tree)


@pytest.mark.parametrize("word", ["a b", "", "a\tb", "#LRB#", "x\n"])
def test_a_word_that_cannot_be_carried(word):
    tree = Tree.build(["S"], [-1], ["a", word], [0, 0])
    with pytest.raises(TreeError, match=r"tree 2: discbracket cannot represent (an empty|.* in the) word"):
        write([WAKE, tree], io.StringIO(), "discbracket")


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("(S (A 0=a) (B 0=b))", 15, "index 0 occurs twice; each word has one index, from 0 to 1"),
        ("(S (A 0=a) (B 2=b))", None, "index 1 is missing: the indices of 2 words are 0 to 1, in any order"),
        ("(S (A 1=a))", None, "index 0 is missing: the indices of 1 words are 0 to 0, in any order"),
        ("(S (A 0=a) (B 1=b)", 1, "the tree that begins here is not closed: 1 ')' is missing"),
        ("(S (A 0=a)) )", 13, "')' after the tree; expected the end of the line, or a tab"),
        ("(S (A 0=a)) (S (A 0=a))", 13, "'(S' after the tree; expected the end of the line, or a tab"),
        ("S (A 0=a)", 1, "'S' outside a tree; expected '('"),
        ("S" * 30 + " (A 0=a)", 1, f"{'S' * 30!r} outside a tree; expected '('"),
        (
            "(S (A 0=a)) " + "x" * 30,
            13,
            f"{'x' * 20!r} after the tree; expected the end of the line, or a tab",
        ),
        ("(S (A 0=a) (B b))", 15, "got the leaf 'b'; expected index=word"),
        ("(S (A a) (B 1=b))", 7, "got the leaf 'a'; expected index=word"),
        ("(S (A 0=) (B 1=b))", 7, "got the leaf '0='; expected index=word"),
        ("(S (A -1=a))", 7, "got the leaf '-1=a'; expected index=word"),
        ("(S (A ²=a))", 7, "got the leaf '²=a'; expected index=word"),
        ("(S (A 0=a) (B 1))", 15, "got the leaf '1'; expected index=word"),
        ("(S (A 0) (B 1=b))\ta b", 13, "got the leaf '1=b'; expected a bare index as before"),
        (
            "(S (A 0) (B 1))\ta",
            None,
            "1 word after the tree of 2 indices; expected a tab and then as many words, "
            "with blanks between them",
        ),
        (
            "(S (A 0) (B 1))\ta b c",
            None,
            "3 words after the tree of 2 indices; expected a tab and then as many words, "
            "with blanks between them",
        ),
        (
            "(S (A 0) (B 1))",
            None,
            "0 words after the tree of 2 indices; expected a tab and then as many words, "
            "with blanks between them",
        ),
        ("(S (A " + "9" * 5000 + "=a))", 7, "got the leaf '" + "9" * 40 + "'; expected index=word"),
    ],
)
def test_bad_lines(line, column, message):
    good = "(S (A 0=a))\n"
    with pytest.raises(TreeError) as caught:
        list(read_discbracket([good, line + "\n"], source="dev.discbracket"))
    place = "dev.discbracket:2" + (f":{column}" if column else "")
    assert str(caught.value) == f"{place}: {message}"
    errors: list[TreeError] = []
    read = list(read_discbracket([good, line, good], on_error=errors.append))
    assert [tree.words for tree in read] == [("a",), (), ("a",)]
    assert [error.message for error in errors] == [message]


def test_bytes_that_are_not_utf8():
    with pytest.raises(
        TreeError,
        match=r"^f:1:8: byte 0xe9 \(byte 7 of the file, from 0\) is not UTF-8; try encoding='latin-1'",
    ):
        list(read_discbracket([b"(S (A 0\xe9=a))"], source="f"))
    assert next(read_discbracket([b"(S (A 0=\xe9))"], encoding="latin-1")).words == ("é",)


def test_an_index_is_not_a_label():
    assert parse_discbracket("( 0=a)") == Tree.build([""], [-1], ["a"], [0])
    assert parse_discbracket("(S ( 1=b) (X 0=a))").labels == ("S", "X", "")
    # Not even where the sign that stands for no label is one.
    assert parse_discbracket("(\0 ( 0=a))").labels == ("\0", "")


def test_the_empty_tree():
    assert to_discbracket(EMPTY) == "(())"
    assert parse_discbracket("(())") is EMPTY


def test_a_byte_that_cannot_be_read_costs_its_line_only():
    line = b"(S (NP 0=it) (VP 1=rains))\n"
    data = line + line.replace(b"it", b"\xff") + b"\n" + line
    errors = []
    found = list(read(io.BytesIO(data), "discbracket", on_error=errors.append))
    assert [tree.words for tree in found] == [("it", "rains"), (), (), ("it", "rains")]
    assert [str(error) for error in errors] == [
        "<file>:2:10: byte 0xff (byte 36 of the file, from 0) is not UTF-8; try encoding='latin-1'"
    ]
    with pytest.raises(TreeError, match=r"^<file>:2:10: byte 0xff .* is not UTF-8"):
        list(read(io.BytesIO(data), "discbracket"))


def test_each_tree_comes_after_its_line():
    text = io.StringIO("(S (A 0=a))\n(S (A 0))\tb\n\n(S (#LRB# 0=ä))")
    kept = []
    found = list(read(text, "discbracket", on_line=lambda *line: kept.append(line)))
    assert [tree.words for tree in found] == [("a",), ("b",), (), ("ä",)]
    assert [parse(line) for parse, line in kept] == [tree for tree in found if tree.words]
