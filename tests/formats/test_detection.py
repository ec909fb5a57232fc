"""Detection of formats: files and lists that begin like another format."""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import sys

import pytest

from jpevalb import Tree, evaluate, read
from jpevalb.base.errors import InputError, TreeError
from jpevalb.formats.read import detect_format, format_of_lines

NUMBER = "(CD 0=0)"
SENTENCE = "(S (NN it) (VBZ rains))"
GAPPED = "(S (VP 0=wake 2=up) (NP 1=me))"


@pytest.mark.parametrize(
    ("head", "format"),
    [
        # Bracketed trees with indices or without, and the marks of other formats
        (b"", "bracket"),
        (b"\n\n", "bracket"),
        (b"(S (NP it))", "bracket"),
        (b"( (S\n  (NP it) ) )", "bracket"),
        (b"( (S\n  (NP 0=it) ) )", "discbracket"),
        (b"(())\n\n(S (NP 0=it))", "discbracket"),
        (b"\xef\xbb\xbf(S (NP 0=it))", "discbracket"),
        (b"(S (A 0=a) (B 0=b))", "discbracket"),
        (b"(S (A 0=a) (B 1=b", "discbracket"),
        (b"(S (A 0=a) (B 1", "discbracket"),
        (b"(S (A 0=a) (B", "discbracket"),
        (b"(S (A 0=a) (B 1=b) (C 2", "discbracket"),
        (b"(S (A 0=a) (B 1) (C 2=", "bracket"),
        (b"(S (A 0=a", "discbracket"),
        (b"(S (A 0", "bracket"),
        (b"(S (A 0=a) (B b))", "bracket"),
        (b"(S (A 0=a) (. !))", "bracket"),
        (b"(())\n(S)\n", "bracket"),
        (b"(S (A b) (B 0=a))", "bracket"),
        (b"(((A 0=a)))\n(S (A 0=b) (A 1=c))", "discbracket"),
        (b"(((A 0=a)))\n(S (A b))", "bracket"),
        (b"(S (A 0) (B 1))\ta b", "discbracket"),
        (b"(S (A 1) (B 1))\ta b", "discbracket"),
        (b"(S (A (B 0)) (C 1))\ta b", "discbracket"),
        (b"(S (CD 0) (CD 1))", "bracket"),
        (b"(S (CD 0) (CD 1)) a b", "bracket"),
        (b"(S (CD 0) (CD one))\ta b", "bracket"),
        (b"(S (CD 0) (CD 1))\t\n(S (CD 0))", "bracket"),
        (b"(S (NP it))\n#BOS 1", "bracket"),
        (b"#BOS 1\n", "export"),
        (b"#FORMAT 3\n", "export"),
        (b"%% (S (NP it))\n", "export"),
        (b"anything\nat all\n#BOS\t1 2\n", "export"),
        (b"'anything'\n#BOS\t1 2\n", "export"),
        (b"#BOSS 1\n", "bracket"),
        (b" \n<?xml version='1.0'?>", "tigerxml"),
        (b"<corpus>", "tigerxml"),
        (b'<corpus id="(a)">', "tigerxml"),
        # Lines around trees
        ("<s>\n(S (NN a))", "bracket"),
        ("<S ID=1>\n\n<s>\n  ( (S", "bracket"),
        ("<?xml version='1.0'?>\n<DOC>\n(S (NN a))\n</DOC>\n", "bracket"),
        ("<corpus>\n<s>\n(S (NN a))", "bracket"),
        ('<s id="s1"><graph root="a">\n<t word="(" />', "tigerxml"),
        ("<?xml version='1.0'?>\n<!-- a\n(b) -->\n<corpus>", "tigerxml"),
        ("# 1\n(S (NN 0=a))", "discbracket"),
        ("null\n(S (NN 0=a))", "discbracket"),
        ('null\n{"output": null}', "jsonl"),
        ("#BOS 1\n(\t$(\t--\t--\t0", "export"),
        ("*x*\n#FORMAT 4\n", "export"),
        ("# nothing else\n", "bracket"),
        # Files of tools
        ("#begin document x\n", "conll2012"),
        ("a 0 0 the DT (NP* -\n", "conll2012"),
        ("1\ta" + 8 * "\t_" + "\n", "tokens"),
        ("1-2\tau" + 8 * "\t_" + "\n", "tokens"),
        ("1\ta" + 8 * "\t_" + "\n\n# constituency = (S (A b))\n", "conllu"),
        ("# a\n# constituency = (S)\n", "conllu"),
        ("<!-- a -->\n<treebank>\n<alpino_ds version='1'>", "alpino"),
        ('<a b="("' + 980 * " " + "><alpino_ds>", "alpino"),
        ('<a b="("' + 981 * " " + "><alpino_ds>", "tigerxml"),
        ('{"sentences": ["a"]}', "jsonl"),
        ('{"output": "sentences"}', "jsonl"),
        # Trees without labels
        ("((the cat) sat)\n(it rains)\n", "unlabeled"),
        ("(((The Cat) Sat) Down)\n", "unlabeled"),
        ("((中国 经济) 发展)\n", "unlabeled"),
        ('["it", ["rains", "now"]]\n', "unlabeled"),
        ("(((the cat) sat))\n", "unlabeled"),
        # A tree with a word at its root may have labels or not.
        ("((the cat) sat)\n" + "(then (it rains) (all day))\n" * 2, "unlabeled"),
        ("((S (np (n haus)) (vp (v steht))))\n", "bracket"),
        ("( (S (NP (NN haus))) ($. .) )\n", "bracket"),  # NEGRA's root, with several children
        ("((S (NP it) (VP rains)))\n", "bracket"),
        ("(S (NP It) (VP sleeps (ADVP well)) .)\n", "bracket"),
        ("(S (NP a)) (S (NP b))\n", "bracket"),
        ("((the cat) sat)\n" + "(S (NP (NN a)) (VP (VB b) (NN c)))\n" * 2, "bracket"),
        ('[{"output": "(S (NN a))"}]', "jsonl"),
        (b'\xef\xbb\xbf{"output": "(S (NN a))"}\n', "jsonl"),
    ],
)
def test_the_format_of_a_beginning(head, format):
    text, data = (head.decode(), head) if isinstance(head, bytes) else (head, head.encode())
    if format != "unlabeled":  # which whole lines show
        assert detect_format(text) == detect_format(data) == format
    assert format_of_lines([text]) == format_of_lines([data]) == format


def words(source, format="auto", **options):
    return [tree.words for tree in read(source, format, **options)]


def test_trees_of_sinica_are_refused_with_advice():
    with pytest.raises(TreeError, match=r"Sinica treebank.* convert them to bracket trees") as caught:
        detect_format("#1:1.[0] S(agent:NP(Head:Nhaa:我)|Head:VC2:吃)#\n")
    assert caught.value.line == 1


def test_one_word_with_an_index_in_a_list():
    """It has the format of the sentences beside it, as in a file."""
    for texts in ([NUMBER, SENTENCE], [SENTENCE, NUMBER], [NUMBER, NUMBER, SENTENCE, NUMBER]):
        expected = [("0=0",) if text == NUMBER else ("it", "rains") for text in texts]
        for given in (texts, iter(texts), io.StringIO("\n".join(texts))):
            assert words(given) == expected
        assert words(texts, repair=True) == expected
        assert words(io.StringIO("\n".join(texts)), repair=True) == expected
        records = [json.dumps({"output": text}) for text in texts]
        assert words(io.StringIO("\n".join(records))) == expected
    for texts in ([NUMBER, GAPPED], [GAPPED, NUMBER], [NUMBER, "", GAPPED]):
        expected = [{NUMBER: ("0",), GAPPED: ("wake", "me", "up")}.get(text, ()) for text in texts]
        assert words(texts) == words(io.StringIO("\n".join(texts))) == expected
    assert words([SENTENCE, NUMBER, GAPPED]) == [("it", "rains"), ("0=0",), ("wake", "me", "up")]
    # What is no tree has no dialect, and a repaired answer its own.
    for broken in ("(CD 0=0) (CD 1=1", "(S (A 0=0) 1=1", "Tree: (CD 0=0)"):
        (alone,) = words([broken], repair=True)
        assert words([SENTENCE, broken], repair=True)[1] == alone
        assert words(io.StringIO(f"{SENTENCE}\n{broken}\n"), "answers", repair=True)[1] == alone
    assert words(["I (see) a\n))", NUMBER, GAPPED], repair=True, on_answer=print)[1] == ("0",)
    assert words([NUMBER]) == words(io.StringIO(NUMBER)) == [("0",)]
    assert words([Tree.parse(NUMBER), NUMBER, SENTENCE])[:2] == [("0=0",), ("0=0",)]


def test_items_before_an_error_are_read():
    def items():
        yield NUMBER
        raise OSError("gone")

    trees = read(items())
    assert next(trees).words == ("0",)
    with pytest.raises(OSError, match="gone"):
        next(trees)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("corenlp", '{"sentences": [{"index": 0, "parse": "(ROOT (CD 0=0))"}]}'),
        ("conllu", "# constituency = (ROOT (CD 0=0))\n1\t0=0" + 8 * "\t_" + "\n"),
        ("conll2012", "a 0 0 0=0 CD (TOP*) -\n"),
    ],
)
def test_trees_of_tools_have_no_indices(format, text):
    assert detect_format(text) == format
    assert words(io.StringIO(text)) == words(io.StringIO(text), format) == [("0=0",)]


@pytest.mark.parametrize("word", ["<", "<s>", "<t", "{", "[{", '{"a":1}', "("])
@pytest.mark.parametrize("header", ["", "#FORMAT 4\n", "%% a comment\n"])
def test_export_whose_first_word_is_markup(word, header):
    text = f"{header}#BOS 1\n{word}\t--\t$(\t--\t--\t0\n#EOS 1\n"
    assert detect_format(text) == "export"
    assert words(io.StringIO(text)) == [(word,)]


def test_a_sentence_of_ontonotes_without_a_parse_has_no_bracket():
    text = "a 0 0 Hm UH (NOPARSE* -\na 0 1 . . *) -\n"
    (tree,) = read(io.StringIO(text))
    assert (str(tree), tree.words) == ("( (UH Hm) (. .))", ("Hm", "."))
    assert evaluate(io.StringIO(text), io.StringIO(text)).total.brackets.gold == 0


def test_gzip_by_its_first_bytes(tmp_path, monkeypatch):
    data = gzip.compress(f"{SENTENCE}\n{SENTENCE}\n".encode())
    path = tmp_path / "gold.mrg"
    path.write_bytes(data)
    assert words(path) == words(str(path), encoding="latin-1") == [("it", "rains")] * 2
    assert evaluate(path, [SENTENCE] * 2).f1 == 1.0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    assert evaluate(path, "-").f1 == 1.0
    path.write_bytes(data[:-12])
    with pytest.raises(InputError, match=r"gold\.mrg: cannot read the file"):
        words(path)


def test_zstd_by_its_first_bytes(tmp_path, monkeypatch):
    """One frame with one block that is not compressed."""
    text = f"{SENTENCE}\n".encode()
    block = (len(text) << 3 | 1).to_bytes(3, "little") + text
    path = tmp_path / "gold.mrg"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x20" + bytes([len(text)]) + block)
    if any(importlib.util.find_spec(name) for name in ("compression", "zstandard")):
        assert words(path) == [("it", "rains")]
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"gold\.mrg: the file is compressed with zstd; install the package"):
        words(path)


def test_carriage_returns_end_lines(tmp_path):
    text = f"{SENTENCE}\r(S\r  (NN a))\r"
    (tmp_path / "file").write_bytes(text.encode())
    for source in (io.StringIO(text, newline="\n"), io.BytesIO(text.encode()), tmp_path / "file"):
        assert words(source) == [("it", "rains"), ("a",)]
    export = "#BOS 1\ra\tN\t--\t--\t0\r#EOS 1\r#BOS 2\rb\tN\t--\t--\t0\r#EOS 2\r"
    (tmp_path / "file").write_bytes(export.encode())
    assert words(tmp_path / "file") == [("a",), ("b",)]
    assert evaluate(tmp_path / "file", tmp_path / "file").n_sentences == 2
    with_feeds = f"{SENTENCE}\r\n{SENTENCE}\r\n"
    assert words(io.StringIO(with_feeds, newline="\n")) == [("it", "rains")] * 2
