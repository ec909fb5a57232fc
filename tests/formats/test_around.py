"""Lines around trees are skipped, and marks of unparsed sentences are sentences without a parse."""

from __future__ import annotations

import io

import pytest

from jpevalb import TreeError, evaluate, read, struct_iou
from jpevalb.cli import main
from jpevalb.formats.bracket import read_bracket

HEADER = "*x*x*x*x*x*\n*x*  Copyright (C) (a  *x*\n*x*x*x*x*x*\n\n"
CTB = """\
<DOC>
<DOCID> CTB (1) </DOCID>
<BODY>
<S ID=1>
( (S (NN a)
   (VB #)) )
</S>

<S ID=2>
( (S (NN b)) )
</S>
"""
STANFORD = """\
(ROOT
  (S (NN a)))

Sentence skipped: no PCFG fallback.
SENTENCE_SKIPPED_OR_UNPARSABLE

(ROOT
  (S (NN b)))
"""
FILES = [
    ("# 1 (\n(S (NN a))\n\n; 2\n(S (NN b))\n", [("a",), ("b",)]),
    ("<s>\n(S (NN a))\n</s>\n<s>\n(S (NN b))\n</s>\n", [("a",), ("b",)]),
    ("<s> (S (NN a)) </s>\n<s> (S (NN <s>)) </s>\n", [("a",), ("<s>",)]),
    ("(S (NN a))\nnull\n(())\n(S (NN b))\nNone\n", [("a",), (), (), ("b",), ()]),
    (STANFORD, [("a",), (), ("b",)]),
    ("1 0\n-12.25\n(S1 (S (NN a)))\n\n1 x1\n-1.5e+2\n(S1 (S (NN b)))\n\n", [("a",), ("b",)]),
    (HEADER + "( (S (NN a)\n   (VB b)) )\n" + HEADER + "( (S (NN c)) )\n", [("a", "b"), ("c",)]),
    (CTB, [("a", "#"), ("b",)]),
    (" # 1\n(S (NN 1=b) (NN 0=a))\n# 2\n\n(S (NN 0=c))\nnull\n", [("a", "b"), ("c",), ()]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FILES)
def test_every_kind_of_source(text, expected, tmp_path):
    path = tmp_path / "trees"
    path.write_text(text, encoding="utf-8")
    for source in (path, io.StringIO(text), io.BytesIO(text.encode())):
        assert [tree.words for tree in read(source)] == expected
    assert [tree.words for tree in read(io.BytesIO(("\ufeff" + text).encode("utf-8")))] == expected
    result = evaluate(path, path)
    assert result.f1 == 1.0
    assert main([str(path), str(path), "--score-only"]) == 0
    if "\n  " not in text:  # a list has one sentence, or one line around sentences, in each item
        items = [line for line in text.split("\n") if line]
        assert [tree.words for tree in read(items)] == expected


def test_trees_with_a_blank_line_after_each():
    first, second, third = "(S (NN a))", "(S (NN b))", "(S (NN c))"
    expected = [("a",), ("b",), ("c",)]
    for lines in ([first, "", second, "", third], [first, "", second, "", third, ""]):
        assert [tree.words for tree in read(io.StringIO("\n".join(lines)))] == expected
    # A blank line in place of a tree is a sentence without a parse; so is every one if there are few trees.
    lines = [first, "", second, "", "", "", third]
    assert [tree.words for tree in read(io.StringIO("\n".join(lines)))] == [("a",), ("b",), (), ("c",)]
    lines = [first, "", second, third]
    assert [tree.words for tree in read(io.StringIO("\n".join(lines)))] == [("a",), (), ("b",), ("c",)]
    assert [tree.words for tree in read(io.StringIO("\n".join(lines[:3])))] == [("a",), (), ("b",)]


def test_items_of_a_list():
    text = "# a comment (\n( (S (NN a)\n#\n   (VB b)) )\n</s>"
    (tree,) = read([text, "; more"])
    assert tree.words == ("a", "#", "b")
    assert next(iter(read(["# 1\n(S (NN\na) (VB\nb))"]))).words == ("a", "b")
    with pytest.raises(TreeError, match="no tree in '# 1'; expected the text of one tree"):
        struct_iou("# 1", "(S (NN a))")


def test_an_unparsed_sentence_is_missed():
    gold = ["(S (NP (NN a)) (VB b))", "(S (NP (NN c)) (VB d))"]
    for convention in ("jpevalb", "discontinuous"):
        result = evaluate(gold, io.StringIO(gold[0] + "\nnull\n"), convention=convention)
        assert [sentence.status for sentence in result.sentences] == ["ok", "no parse"]
        assert result.total.brackets.matched == 2
        assert result.total.brackets.gold == 4


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<s> a cat </s>", "f:2:1: '<s>' outside a tree; expected '('"),
        ("# 1 (\ncat", "f:3:1: 'cat' outside a tree; expected '('"),
        ("1 (S (NN a))", "f:2:1: '1' outside a tree; expected '('"),
        ("null null", "f:2:1: 'null' outside a tree; expected '('"),
        ("<s> (S (NN a)", "f:2:5: the tree that begins here is not closed: 1 ')' is missing"),
        ("<s>\n(S (NN \xe9))", "f:3:8: byte 0xe9 (byte 22 of the file, from 0) is not UTF-8; "
         "try encoding='latin-1'"),
        ("<s>\n  null  \n( (S\n (NN \xe9)))", "f:5:6: byte 0xe9 (byte 34 of the file, from 0) is not UTF-8; "
         "try encoding='latin-1'"),
    ],
)  # fmt: skip
def test_other_text_is_an_error(line, message):
    with pytest.raises(TreeError) as caught:
        list(read_bracket(io.BytesIO(("(S (NN a))\n" + line).encode("latin-1")), source="f"))
    assert str(caught.value) == message
