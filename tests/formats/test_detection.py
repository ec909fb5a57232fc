"""Detection of formats: files and lists that begin like another format."""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import sys

import pytest

from jpevalb import Tree, evaluate, read
from jpevalb.base.errors import InputError
from jpevalb.formats.detect import detect_format

NUMBER = "(CD 0=0)"
SENTENCE = "(S (NN it) (VBZ rains))"
GAPPED = "(S (VP 0=wake 2=up) (NP 1=me))"


def words(source, format="auto", **options):
    return [tree.words for tree in read(source, format, **options)]


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
