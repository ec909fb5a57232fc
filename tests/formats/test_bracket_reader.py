"""The bracket reader: layouts, unusual trees and invalid input."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given, settings, strategies as st

from jpevalb.base.errors import InputError, SettingsError, TreeError
from jpevalb.formats import bracket, lines as lines_module
from jpevalb.formats.bracket import read_bracket
from jpevalb.formats.lines import parse_sentence
from jpevalb.formats.read import read
from jpevalb.trees import parse as parse_module, tree as tree_module
from jpevalb.trees.tree import EMPTY, Tree, side_by_side
from tests.support.random_trees import trees


def words(lines, **options):
    return [" ".join(tree.words) for tree in read_bracket(lines, **options)]


def split(text):
    return text.splitlines(keepends=True)


@pytest.fixture
def columns(kernel, monkeypatch):
    """Trees are read and shown with one implementation of the kernel, then with the other."""
    module = kernel("columns")
    monkeypatch.setattr(tree_module, "kernel", module)
    for user in (lines_module, tree_module, parse_module, bracket):
        for name in vars(user).keys() & vars(module).keys():
            if not name.startswith("_") and name not in ("annotations",):
                monkeypatch.setattr(user, name, getattr(module, name))
    return module


# -- one tree -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "labels", "tokens", "tags"),
    [
        ("(S (NP (DT a) (NN b)))", ("S", "NP", "DT", "NN"), ("a", "b"), ("DT", "NN")),
        ("( (S (NN a)) )", ("", "S", "NN"), ("a",), ("NN",)),
        ("((S (NN a)))", ("", "S", "NN"), ("a",), ("NN",)),
        ("( S (NP (NN a)))", ("S", "NP", "NN"), ("a",), ("NN",)),
        ("(\tS\n( NN a ))", ("S", "NN"), ("a",), ("NN",)),
        ("( cat)", ("",), ("cat",), ("",)),
        ("(S ( cat))", ("S", ""), ("cat",), ("",)),
        ("(NP the cat)", ("NP",), ("the", "cat"), (None, None)),
        ("(NP the (NN cat) sat)", ("NP", "NN"), ("the", "cat", "sat"), (None, "NN", None)),
        ("(S (NP ) (VP) (NN a))", ("S", "NP", "VP", "NN"), ("a",), ("NN",)),
        ("(())", ("", ""), (), ()),
        ("()", ("",), (), ()),
        ("(S (NN a)) (S (NN b))", ("", "S", "NN", "S", "NN"), ("a", "b"), ("NN", "NN")),
        ("(-LRB- -LRB-)", ("-LRB-",), ("-LRB-",), ("-LRB-",)),
        ("(NN a\u00a0b\u3000c\x1cd)", ("NN",), ("a\u00a0b\u3000c\x1cd",), ("NN",)),
        ("(NN a\0b)", ("NN",), ("a\0b",), ("NN",)),
        ("(NP-서울=1 (NN Straße))\r\n", ("NP-서울=1", "NN"), ("Straße",), ("NN",)),
    ],
)
def test_one_tree(columns, text, labels, tokens, tags):
    tree = Tree.parse(text)
    assert tree.labels == labels
    assert tree.words == tokens
    assert tree.tags == tags


def test_blanks_alone_are_the_empty_tree():
    assert Tree.parse(" \t\r\n") is EMPTY
    assert parse_sentence(b"") is EMPTY


def test_blank_lines_between_all_of_three_trees_or_more_are_no_sentences():
    for count in (1, 2, 3, 9):
        texts = [f"(S (N w{number}))" for number in range(count)]
        read_back = list(map(str, read(io.StringIO("\n\n".join(texts) + "\n" * 6), "bracket")))
        assert read_back == (texts if count != 2 else [texts[0], "", texts[1]])


@given(trees(tagged=False, continuous=True))
def test_text_of_a_tree_reads_back(tree):
    # A node without label takes its first word for one, where more follows it.
    spoilt = any(
        not tree.labels[node] and word == tree.starts[node] and tree.ends[node] - word > 1
        for word, node in enumerate(tree.word_parents)
    )
    if not spoilt:
        assert Tree.parse(tree.to_bracket()) == tree


@given(st.lists(trees(continuous=True), min_size=1, max_size=4))
def test_trees_side_by_side_keep_their_nodes(several):
    merged = side_by_side(several, "@S")
    assert merged.labels[0] == "@S"
    assert merged.labels[1:] == tuple(label for tree in several for label in tree.labels)
    assert merged.words == tuple(word for tree in several for word in tree.words)
    assert merged.tags == tuple(tag for tree in several for tag in tree.tags)
    spans, offset = [(0, len(merged.words))], 0
    for tree in several:
        spans += [(start + offset, end + offset) for start, end in zip(tree.starts, tree.ends)]
        offset += len(tree.words)
    assert list(zip(merged.starts, merged.ends)) == spans


def test_depth_is_unlimited(columns):
    depth = 20_000
    tree = Tree.parse("(NP " * depth + "(NN a)" + ")" * depth)
    assert len(tree) == depth + 1
    assert tree.parents[-1] == depth - 1
    assert tree.ends == (1,) * (depth + 1)


# -- layouts ------------------------------------------------------------------

MRG = """
( (S
    (NP-SBJ (NN a) )
    (VP (VBD b) ) ))

( (S (NN c)) )
( (S
  (NN d)) )
"""

UNINDENTED = """(
(S
(NP (NN a))
(VP (VBD b))))
(
(S (NN c)))
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["(S (NN a))\n", "\n", "(())\n", "(S (NN b)) (S (NN c))\n", "\n", "\n"], ["a", "", "", "b c"]),
        # Blank lines before a sentence are sentences; an empty file has none.
        (["\n", "(S (NN a))\n"], ["", "a"]),
        ([], []),
        (["\n", " \n"], []),
        # Trees over several lines
        (split(MRG), ["a b", "c", "d"]),
        (split(MRG.replace("\n", "\r\n")), ["a b", "c", "d"]),
        (split(UNINDENTED), ["a b", "c"]),
        (["((S (NN z)))\n", *split(UNINDENTED)], ["z", "a b", "c"]),
        # Trees of one line first do not hide the layout.
        (["( (S (NN a)) )\n", "\n", "( (S\n", "   (NN b)) )\n"], ["a", "b"]),
        # A tree that opens again at the beginning of a line shows the layout.
        (["(S\n", "(NN a))\n"], ["a"]),
        (["(S (-RRB- ))\n", "  (-LRB- ())\n"], ["-RRB- -LRB-"]),
        (["(S\n", "(NP (NN a)\n", "))\n"], ["a"]),
        # Several trees on a line of the long layout are sentences.
        (["((S\n", " (NN a))) ((S (NN b)))\n"], ["a", "b"]),
        # A byte order mark, and a last line without an end
        ([b"\xef\xbb\xbf(S (NN a))\n", b"(S (NN b))"], ["a", "b"]),
        ([b"\xef\xbb\xbf( (S\n", b" (NN a)))"], ["a"]),
        (["\ufeff(S (NN a))"], ["a"]),
    ],
)
def test_layouts(lines, expected):
    assert words(lines) == expected


@given(st.lists(trees(continuous=True), max_size=6), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_either_layout_gives_the_same_trees(several, last_newline, newline):
    lines = [tree.to_bracket() for tree in several]
    long = [f"( {line.replace(' (', newline + '  (')} )" for line in lines]
    ends = newline if last_newline else ""
    assert list(read(lines, "bracket")) == several
    one_a_line = io.BytesIO((newline.join(lines) + ends).encode())
    over_lines = io.BytesIO((newline.join(long) + ends).encode())
    assert list(read(one_a_line, "bracket")) == several
    assert [tree.labels[1:] for tree in read(over_lines, "bracket")] == [tree.labels for tree in several]


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["(S (NN a))\n", "(S (NN a)\n"], "f:2:1: the tree that begins here is not closed: 1 ')' is missing"),
        (
            ["(S (NN a))  (S (NN (NN a)\n"],
            "f:1:13: the tree that begins here is not closed: 2 ')' are missing",
        ),
        (
            ["(S (NN a))\n", "(S (NN é)))\n"],
            "f:2:11: ')' outside a tree; expected '(' or the end of the sentence: one ')' too many",
        ),
        (["(S (NN a))\n", "\n", "(S (NN b)) cat (S\n"], "f:3:12: 'cat' outside a tree; expected '('"),
        (["x" * 30 + "\n"], f"f:1:1: '{'x' * 30}' outside a tree; expected '('"),
        (["x" * 31 + "\n"], f"f:1:1: '{'x' * 30}...' outside a tree; expected '('"),
        (["1 (S (NN a))\n"], "f:1:1: '1' outside a tree; expected '('"),
        (["( (S\n", "  (NN a))\n"], "f:1:1: the tree that begins here is not closed: 1 ')' is missing"),
        (["( (S\n", "  (NN a)))\n", "x\n"], "f:3:1: 'x' outside a tree; expected '('"),
        (
            ["( (S\n", "  (NN a)))\n", "\n", "( (S (NN b))\n", "( (S (NN c)))\n"],
            "f:4:1: the tree that begins here is not closed: 1 ')' is missing",
        ),
        (
            ["( (S\n", "  (NN a)))\n", "( (S (NN b))\n", "  (NN\n", "c))))\n"],
            "f:5:4: ')' outside a tree; expected '(' or the end of the sentence: one ')' too many",
        ),
        (
            [b"(S (NN a))\n", b"(S (NN caf\xe9))\n"],
            "f:2:11: byte 0xe9 (byte 21 of the file, from 0) is not UTF-8; try encoding='latin-1'",
        ),
        (
            [b"( (S\n", b"  (NN a)))\n", b"( (S\n", b"  (NN \xc3\xa9\xe9)))\n"],
            "f:4:8: byte 0xe9 (byte 29 of the file, from 0) is not UTF-8; try encoding='latin-1'",
        ),
        (
            [b"\xff\xfe(\0S\0"],
            "f:1:1: byte 0xff (byte 0 of the file, from 0) is not UTF-8; try encoding='utf-16'",
        ),
    ],
)
def test_errors_name_the_place(columns, lines, message):
    with pytest.raises(TreeError) as caught:
        list(read_bracket(lines, source="f"))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("lines", "expected", "places"),
    [
        # A first line that is not closed opens no tree over lines.
        (["(S (NN a)\n", *["(S (NN b))\n"] * 7, "\n", "(S c) (S d)\n"], ["", *"bbbbbbb", "", "c d"], [1]),
        (["(S (A a)\n", "(S b)\n", "\n", *["(S (A c)\n"] * 4], ["", "b", "", *[""] * 4], [1, 4, 5, 6, 7]),
        (["(S (NN a)))\n", "\n", "(S (NN b)\n", "c\n", "(S (NN d))\n"], ["", "", "", "", "d"], [1, 3, 4]),
        (["\n", "(S\n", "(S (NN a))\n"], ["", "", "a"], [2]),
        # A tree that is not closed ends where the next one begins.
        (["( (S\n", "  (NN a)))\n", "( (S\n", "  (NN b))\n", "( (S\n", "  (NN c)))\n"], ["a", "", "c"], [3]),
        # So it does if it is the first, though only the end of the file tells.
        (["( (S\n", "  (NN a))\n", "( (S\n", "  (NN b)))\n", "( (S (NN c)))\n"], ["", "b", "c"], [1]),
        (["( (S\n", "  (NN a))))\n", "( (S (NN c)))\n"], ["", "c"], [2]),
        (["( (S\n", "  (NN a))) ((S\n"], ["a", ""], [2]),
    ],
)
def test_a_skipped_sentence_is_one_without_a_parse(lines, expected, places):
    errors = []
    assert words(lines, on_error=errors.append) == expected
    assert [error.line for error in errors] == places


@pytest.mark.parametrize(
    ("lines", "expected", "messages"),
    [
        (
            # The third tree is not closed; the fourth begins at byte 30, and its bad byte is number 6 there.
            [b"( (S\n", b" (A a)))\n", b"( (S\n", b" (B b))\n", b"( (S (C \xe9)))\n", b"x\n"],
            ["a", "", "", ""],
            [
                "f:3:1: the tree that begins here is not closed: 1 ')' is missing",
                "f:5:9: byte 0xe9 (byte 35 of the file, from 0) is not UTF-8; try encoding='latin-1'",
                "f:6:1: 'x' outside a tree; expected '('",
            ],
        ),
        (
            # What the end of the file alone tells: the first is not closed.
            [b"( (S\n", b" (A a))\n", b"( (S\n", b" (B b)))\n", b"\xe9\n"],
            ["", "b", ""],
            [
                "f:1:1: the tree that begins here is not closed: 1 ')' is missing",
                "f:5:1: byte 0xe9 (byte 27 of the file, from 0) is not UTF-8; try encoding='latin-1'",
            ],
        ),
    ],
)
def test_places_behind_a_tree_that_is_not_closed(lines, expected, messages):
    errors = []
    assert words(lines, source="f", on_error=errors.append) == expected
    assert [str(error) for error in errors] == messages


def test_a_tree_may_be_as_long_as_the_longest(monkeypatch):
    # Trees of 13 bytes, and before the last one that is not closed.
    lines = ["((S\n", " (A a)))\n", "((S\n", " (B b)))\n", "((S\n", " (C c))\n", "((S\n", " (D d)))\n"]
    monkeypatch.setattr("jpevalb.base.files.LONGEST", 13)
    assert words(lines, on_error=[].append) == ["a", "b", "", "d"]
    monkeypatch.setattr("jpevalb.base.files.LONGEST", 12)
    with pytest.raises(InputError, match="the tree that begins here is longer than"):
        words(lines)


def test_a_skipped_sentence_is_reported_before_it_is_yielded():
    told = []
    seen = []
    lines = ["(S (NN a))\n", "\n", "(S\n", "(S (NN b))\n", "(\n"]
    for number, _ in enumerate(read_bracket(lines, on_error=told.append)):
        if told:
            seen.append(number)
            told.clear()
    assert seen == [2, 4]


def test_a_line_that_cannot_be_decoded_at_all_is_named():
    lines = ["(S (A a))\n".encode("utf-16-le"), b"(\0\n"]
    with pytest.raises(
        TreeError,
        match=r"^f:2: the line is not UTF-16-LE \(.*\); try encoding='utf-8'$",
    ):
        words(lines, source="f", encoding="utf-16-le")


@pytest.mark.slow
@given(st.lists(trees(continuous=True), min_size=2, max_size=6), st.data())
@settings(max_examples=110)
def test_one_damaged_line_does_not_affect_others(several, data):
    lines = [tree.to_bracket() + "\n" for tree in several]
    place = data.draw(st.integers(0, len(lines) - 1))
    damaged = data.draw(
        st.sampled_from([lines[place].replace(")", "", 1), ")" + lines[place], "x" + lines[place]])
    )
    errors = []
    found = list(read_bracket([*lines[:place], damaged, *lines[place + 1 :]], on_error=errors.append))
    assert found == [*several[:place], EMPTY, *several[place + 1 :]]
    assert [error.line for error in errors] == [place + 1]


# -- the front ----------------------------------------------------------------


def test_read_takes_paths_files_and_objects(tmp_path):
    text = "(S (NN é))\n(S (NN b))\n"
    expected = [("é",), ("b",)]
    path = tmp_path / "gold.mrg"
    path.write_bytes(text.encode())
    (tmp_path / "gold.mrg.gz").write_bytes(gzip.compress(text.encode()))
    assert [tree.words for tree in read(path)] == expected
    assert [tree.words for tree in read(str(path))] == expected
    assert [tree.words for tree in read(f"{path}.gz")] == expected
    with path.open("rb") as file:
        assert [tree.words for tree in read(file)] == expected
    with path.open(encoding="utf-8") as file:
        assert [tree.words for tree in read(file)] == expected
    assert [tree.words for tree in read(text.splitlines())] == expected
    assert [tree.words for tree in read([Tree.parse(line) for line in text.splitlines()])] == expected
    assert [tree.words for tree in read(Tree.parse("(S (NN é))"))] == expected[:1]


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "euc-kr", "gb18030"]
)
def test_encodings(tmp_path, encoding):
    word = "서울" if encoding == "euc-kr" else "né"
    path = tmp_path / "f"
    path.write_bytes(f"(S (NN {word}))\n(S (NN b))\n".encode(encoding))
    assert [tree.words for tree in read(path, "bracket", encoding=encoding)] == [(word,), ("b",)]


def test_bytes_outside_the_named_encoding(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"(S (NN a))\n(S (NN \xff\xff))\n")
    with pytest.raises(TreeError) as caught:
        list(read(path, "bracket", encoding="euc-kr"))
    assert str(caught.value).startswith(f"{path}:2:8: byte 0xff is not EUC-KR; try encoding='utf-8'")
    errors = []
    found = list(read(path, "bracket", encoding="euc-kr", on_error=errors.append))
    assert [tree.words for tree in found] == [("a",), ()]
    assert len(errors) == 1
    path.write_bytes(b"\xff\xfe(\0\n")
    with pytest.raises(InputError, match="not in the encoding that was named"):
        list(read(path, "bracket", encoding="utf-16"))


def test_an_unknown_format():
    with pytest.raises(SettingsError, match="format='penn'; expected one of auto, bracket"):
        read([], "penn")


@pytest.mark.parametrize("text", [3, None, b"(S (A a))"])
def test_input_that_is_not_text(text):
    with pytest.raises(TreeError, match=f"got an object of type {type(text).__name__}; expected the text"):
        Tree.parse(text)


# -- lines --------------------------------------------------------------------


@given(st.lists(trees(continuous=True), max_size=6))
def test_each_tree_comes_after_its_line(some):
    lines = [tree.to_bracket() + "\n" for tree in some if tree.labels] + ["\n", "(S a) (S b)"]
    kept: list = []
    for source in (io.StringIO("".join(lines)), io.BytesIO("".join(lines).encode())):
        kept.clear()
        for tree in read(source, "bracket", on_line=lambda *line: kept.append(line)):
            if tree.words:
                parse, line = kept[-1]
                assert parse(line) == tree
        assert [line.decode() for _, line in kept] == [line for line in lines if line != "\n"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(S (A a) (B b))", "(X a b)", True),
        ("(S a\tb\nc\vd\fe\rf g)", "(S a b c d e f g)", True),
        ("(S a\x0eb)", "(S a b)", False),
        ("(S a\x08b)", "(S a b)", False),
        ("(S (A a))", "( a)", True),  # a word without a label before it
        ("( S a)", "(T a)", True),
        ("( S (A a))", "((A a))", True),
        ("( S )", "(X S)", True),
        ("(S)", "(T () ( ))", True),
        ("(A (B) c)", "(A c (B))", True),
        ("(A (B c)d)", "(A c d)", True),
    ],
)
def test_lines_with_the_same_words(one, other, same):
    assert (Tree.parse(one).words == Tree.parse(other).words) is same


def test_lines_before_an_error_are_yielded_first():
    def failing():
        yield from [b"(S (N a))\n"] * 1200
        raise OSError("no more")

    found = read_bracket(failing())
    assert len([next(found) for _ in range(1200)]) == 1200
    with pytest.raises(OSError, match="no more"):
        next(found)
