"""write(): formats, files, and content that bracket text cannot express."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os

import pytest
from hypothesis import given

from jpevalb import SettingsError, Tree, TreeError
from jpevalb.base.errors import InputError
from jpevalb.formats.lines import parse_sentence
from jpevalb.formats.read import as_tree, read
from jpevalb.formats.writers import to_bracket, to_export, write
from jpevalb.trees.tree import EMPTY
from tests.support.random_trees import trees

TREE = Tree.parse("(S (NP it) (VP rains))")
WAKE = Tree.build(["S", "VP", "NP"], [-1, 0, 0], ["wake", "me", "up"], [1, 2, 1])


@given(trees(tagged=False, continuous=True))
def test_round_trip_of_brackets(tree):
    if parse_sentence(tree.to_bracket().encode()) == tree:
        assert to_bracket(tree) == tree.to_bracket()
    else:
        with pytest.raises(TreeError, match=r"the first child of a node without label"):
            to_bracket(tree)


@pytest.mark.parametrize(
    ("format", "word", "message"),
    [
        ("bracket", "a(", "bracket cannot represent '(' in the word 'a('; discbracket and export can"),
        ("bracket", "a b", "bracket cannot represent ' ' in the word 'a b'"),
        ("discbracket", "a b", "discbracket cannot represent ' ' in the word 'a b'"),
        ("export", "a\t", "export cannot represent '\\t' in the word 'a\\t'"),
    ],
)
def test_formats_differ_in_what_they_can_express(format, word, message):
    with pytest.raises(TreeError) as caught:
        write(Tree.build(["S"], [-1], [word, "b"], [0, 0]), io.StringIO(), format)
    assert str(caught.value) == f"tree 1: {message}"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7", "iso2022_jp"])
@pytest.mark.parametrize("format", ["bracket", "discbracket", "export"])
def test_several_trees_in_any_encoding_are_read_again(format, encoding, tmp_path):
    trees = [Tree.build(["S", "NP"], [-1, 0], ["\u65e5", word], [1, 0], id=word) for word in "123"]
    write(trees, tmp_path / "f", format, encoding=encoding)
    made = io.BytesIO()
    write(trees, made, format, encoding=encoding)
    assert made.getvalue() == (tmp_path / "f").read_bytes()
    made.seek(0)
    for source in (tmp_path / "f", made):
        assert [tree.words for tree in read(source, encoding=encoding)] == [tree.words for tree in trees]
    assert not made.closed


def test_an_encoding_that_nobody_knows(tmp_path):
    with pytest.raises(SettingsError, match=r"^encoding='nope'; expected an encoding that Python knows"):
        write([TREE], tmp_path / "f", encoding="nope")
    assert not [*tmp_path.iterdir()]


def test_a_node_without_label_may_begin_with_a_node():
    # The word behind it is read as a word; one before it would be read as the label.
    tree = Tree.build(["", "NP"], [-1, 0], ["it", "rains", "now"], [1, 0, 0])
    assert to_bracket(tree) == "( (NP it) rains now)"
    assert Tree.parse(to_bracket(tree)) == tree
    with pytest.raises(TreeError, match="would parse the word 'it', the first child of a node without"):
        to_bracket(Tree.build(["", "NP"], [-1, 0], ["it", "rains", "now"], [0, 1, 0]))
    with pytest.raises(TreeError, match="bracket would parse the word 'it'"):
        to_bracket(Tree.build([""], [-1], ["it", "rains"], [0, 0]))
    assert to_bracket(Tree.build([""], [-1], ["it"], [0])) == "( it)"


def test_export_has_a_field_for_the_lemma_unless_it_is_version_3():
    assert to_export(TREE, "1") == to_export(TREE, "1", version=4)
    for format, version in (("export", 4), ("export4", 4), ("export3", 3)):
        out = io.StringIO()
        write(TREE, out, format)
        assert out.getvalue() == f"#FORMAT {version}\n" + to_export(TREE, "1", version=version)
    assert to_export(TREE, "1").splitlines()[1] == "it\t--\tNP\t--\t--\t500"
    assert to_export(TREE, "1", version=3).splitlines()[1] == "it\tNP\t--\t--\t500"
    assert to_export(Tree.parse("(N it)"), "1").splitlines()[1:-1] == ["it\t--\tN\t--\t--\t0"]


def test_nodes_without_words_stay_where_they_are():
    text = "(S (X) (NP (Y) it (Z (W))) (VP rains) (V))"
    assert to_bracket(Tree.parse(text)) == text
    discbracket = "(S (X) (NP (Y) 0=it (Z (W))) (VP 1=rains) (V))"
    out = io.StringIO()
    write(text, out, "discbracket")
    write(text, out, "discbracket-indices")
    indices = discbracket.replace("=it", "").replace("=rains", "")
    assert out.getvalue() == f"{discbracket}\n{indices}\tit rains\n"
    assert as_tree(discbracket) == Tree.parse(text)


@pytest.mark.parametrize("text", ["a(", ")", "a b", "", "\t"])
def test_trees_that_brackets_cannot_express(text):
    with pytest.raises(TreeError, match=r"^tree 1: bracket cannot represent (an empty|.* in the) word"):
        write(Tree.build(["S"], [-1], [text], [0]), io.StringIO())
    if text:
        with pytest.raises(TreeError, match=r"^tree 1: bracket cannot represent .* in the label"):
            write(Tree.build([text], [-1], ["a"], [0]), io.StringIO())
    # A reader takes a no-break space in a label for a blank.
    with pytest.raises(TreeError, match=r"^tree 1: bracket cannot represent '\\xa0' in the label"):
        write(Tree.build(["S\xa0X"], [-1], ["a"], [0]), io.StringIO())


def test_a_discontinuous_tree_has_no_brackets():
    with pytest.raises(TreeError, match=r"^tree 2: a discontinuous tree has no bracket notation"):
        write([TREE, WAKE], io.StringIO())


@pytest.mark.slow
def test_types_accepted_as_trees():
    from nltk.tree import Tree as NltkTree

    out = io.StringIO()
    given_trees = [
        TREE,
        "(S (NP it) (VP rains))",
        NltkTree.fromstring("(S (NP it) (VP rains))"),
        "(S (VP 1=rains) (NP 0=it))\n",
        "#BOS 1\nit NP -- -- 500\nrains VP -- -- 500\n#500 S -- -- 0\n#EOS 1\n",
        "<s id='1'><graph><t id='a' word='it' pos='NP'/><t id='b' word='rains' pos='VP'/>"
        "<nt id='c' cat='S'><edge idref='a'/><edge idref='b'/></nt></graph></s>",
    ]
    assert write(given_trees, out) == 6
    assert out.getvalue() == "(S (NP it) (VP rains))\n" * 6
    assert write(EMPTY, out) == write("(S (A b))", out) == 1
    with pytest.raises(
        TreeError, match=r"^tree 1: got an object of type int; expected a Tree, the text of a tree"
    ):
        write([7], io.StringIO())
    with pytest.raises(TreeError, match=r"^tree 1: got 0 sentences in the text; expected one tree"):
        write(["%% nothing"], io.StringIO())


@pytest.mark.parametrize(
    ("suffix", "opener"), [("", open), (".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open)]
)
def test_paths(tmp_path, suffix, opener):
    path = tmp_path / ("out.discbracket" + suffix)
    for target in (path, str(path)):
        assert write([TREE, WAKE], target, "discbracket") == 2
        with opener(path, "rb") as file:
            assert file.read() == b"(S (NP 0=it) (VP 1=rains))\n(S (VP 0=wake 2=up) (NP 1=me))\n"
        assert os.listdir(tmp_path) == [path.name]


def test_a_file_stays_as_it_was_if_writing_fails(tmp_path):
    path = tmp_path / "out"
    path.write_text("as it was")
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(TreeError):
        write([TREE, WAKE], link)
    assert path.read_text() == "as it was"
    write([TREE], link)
    assert path.read_text() == "(S (NP it) (VP rains))\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link", "out"]


def test_open_files_stay_open(tmp_path):
    binary = io.BytesIO()
    write(Tree.parse("(N é)"), binary, encoding="latin-1")
    assert binary.getvalue() == b"(N \xe9)\n"
    text = io.StringIO()
    write(TREE, text)
    assert not text.closed


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match=r"cannot write the file: "):
        write(TREE, tmp_path)
    with pytest.raises(InputError, match=r"out: cannot write the file: No such file or directory"):
        write(TREE, tmp_path / "no" / "out")
    with pytest.raises(InputError, match=r"^ascii has no character 'é'; choose another encoding$"):
        write(Tree.parse("(N é)"), tmp_path / "out", encoding="ascii")
    assert os.listdir(tmp_path) == []
    if os.path.exists("/dev/full"):
        with pytest.raises(InputError, match=r"^/dev/full: cannot write the file: No space left"):
            write(TREE, "/dev/full")
    if os.path.exists("/dev/null"):
        assert write(TREE, "/dev/null") == 1


def test_an_unknown_format():
    with pytest.raises(SettingsError, match=r"^format='conll'; expected one of bracket, discbracket, "):
        write(TREE, io.StringIO(), "conll")
