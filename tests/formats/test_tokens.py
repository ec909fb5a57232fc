"""Files of words without trees: CoNLL-U without trees, and plain text.

Expected figures of tokens, sentences and tags are those of the evaluation script of CoNLL 2018 for the same
files.
"""

from __future__ import annotations

import io

import pytest

import jpevalb
from jpevalb import JpevalbError, Tree, TreeError
from jpevalb.formats.read import detect_format
from tests.support.commands import jpevalb as command

GOLD = [
    "Can/MD not/RB you/PRP go/VB ?/.",
    "The/DT cat/NN sat/VBD down/RB ./.",
    "It/PRP rains/VBZ ./.",
]
SYSTEM = [
    "Cannot/MD you/PRP go/VBP ?/.",
    "The/DT cat/NN sat/VBD",
    "do/X wn/RB ./. It/PRP rains/NNS ./.",
]


def conllu(sentences):
    blocks = []
    for number, sentence in enumerate(sentences, 1):
        rows = [f"# sent_id = s{number}"]
        for index, item in enumerate(sentence.split(), 1):
            word, _, tag = item.rpartition("/")
            rows.append("\t".join([str(index), word, "_", "X", tag, "_", "_", "_", "_", "_"]))
        blocks.append("\n".join(rows) + "\n")
    return "\n".join(blocks)


def plain(sentences):
    return "".join(" ".join(item.rpartition("/")[0] for item in one.split()) + "\n" for one in sentences)


def brackets(sentences):
    return "".join(
        "(S " + " ".join("({1} {0})".format(*item.split("/")) for item in one.split()) + ")\n"
        for one in sentences
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for side, sentences in (("gold", GOLD), ("system", SYSTEM)):
        (tmp_path / f"{side}.conllu").write_text(conllu(sentences))
        (tmp_path / f"{side}.txt").write_text(plain(sentences))
        (tmp_path / f"{side}.mrg").write_text(brackets(sentences))
    return tmp_path


def segmentation(total):
    found = total["segmentation"]
    return [(one.gold, one.system, one.matched) for one in (found.tokens, found.sentences)]


# The script prints tokens 76.92 of precision and recall (13 of each, 10 correct), sentences 33.33, and an
# accuracy of 80.00 on aligned words (10, of which 8 have the tag of gold).
COUNTS = [(13, 13, 10), (3, 3, 1)]


@pytest.mark.parametrize("gold", ["gold.conllu", "gold.mrg", "gold.txt"])
@pytest.mark.parametrize("system", ["system.conllu", "system.mrg", "system.txt"])
def test_tokens_sentences_and_tags(folder, gold, system):
    sides = (("gold", gold), ("sys", system))
    options = {f"{side}_format": "text" for side, name in sides if name[-3:] == "txt"}
    found = jpevalb.evaluate(gold, system, metrics=("segmentation", "tags"), **options)
    assert segmentation(found.total) == COUNTS
    tags = found.total.tags
    assert (tags.units, tags.units_correct) == ((0, 0) if options else (10, 8))
    assert found.figures["tag_accuracy"] == (None if options else pytest.approx(8 / 13))
    trees = gold[-3:] == system[-3:] == "mrg"
    for name in (
        "precision",
        "recall",
        "f1",
        "sentence_f1",
        "complete_match",
        "average_crossing",
        "strict_f1",
    ):
        assert (found.figures[name] is None) == (not trees), name
    notes = [(item.side, item.count) for item in found.standardised if "without trees" in item.what]
    assert notes == [(side, 3) for side, name in (("gold", gold), ("system", system)) if name[-3:] != "mrg"]


def test_the_command(folder):
    done = command("gold.mrg", "system.conllu", "--quiet", cwd=folder)
    lines = done.stdout.decode().splitlines()
    assert "Bracketing FMeasure       =      -        -" in lines
    assert "Complete match            =      -        -" in lines
    assert "Tokens                    =     76.92      76.92      76.92" in lines
    assert "Sentence boundaries       =     33.33      33.33      33.33" in lines
    assert "Tags of aligned words     =  80.00    80.00" in lines
    [note] = [line for line in lines if "without trees" in line]
    assert note == ("# system: 3 sentences without trees: words, tags and sentence boundaries are compared")
    done = command("gold.mrg", "system.conllu", "--metrics", "siou,tags", cwd=folder)
    assert done.returncode == 2
    assert b"--metrics siou: system has words and no trees; name some of brackets, tags, segm" in done.stderr


def test_texts_that_differ(folder):
    (folder / "other.txt").write_text("Can you go ?\nThe big cat sat down .\nIt rains .\n")
    found = jpevalb.evaluate("gold.conllu", "other.txt", sys_format="text")
    assert segmentation(found.total) == [(13, 13, 12), (3, 3, 3)]
    assert found.f1 is None


def test_unaligned_sentences_have_no_tags_either(folder):
    (folder / "one.txt").write_text(plain(GOLD[:1]))
    found = jpevalb.evaluate("gold.conllu", "one.txt", sys_format="text")
    assert found.figures["tag_accuracy"] is None


def test_lists_and_comparisons(folder):
    gold, system = [conllu([one]) for one in GOLD], [conllu([one]) for one in SYSTEM]
    assert segmentation(jpevalb.evaluate(gold, system).total) == COUNTS
    texts = [plain([one]) for one in SYSTEM]
    assert segmentation(jpevalb.evaluate("gold.mrg", texts, sys_format="text").total) == COUNTS
    found = jpevalb.compare("gold.mrg", ["system.conllu", "gold.conllu"], test=None)
    assert [one.rates["token_f1"] for one in found.systems] == [pytest.approx(10 / 13), 1]
    with pytest.raises(JpevalbError, match="some systems have trees and others words alone"):
        jpevalb.compare("gold.mrg", ["system.conllu", "system.mrg"])


def test_several_processes_find_the_same(folder):
    alone, several = [jpevalb.evaluate("gold.mrg", "system.conllu", jobs=jobs) for jobs in (1, 2)]
    assert alone.to_dict() == several.to_dict()


def test_rows_of_conllu():
    rows = [
        "# sent_id = 4",
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tde\t_\tADP\t_\t_\t_\t_\t_\t_",
        "2\tle\t_\tDET\t_\t_\t_\t_\t_\t_",
        "2.1\tvin\t_\tNOUN\t_\t_\t_\t_\t_\t_",
        "3\t20 000\t_\tNUM\tCD\t_\t_\t_\t_\t_",
    ]
    assert detect_format("\n".join(rows) + "\n") == "tokens"
    [tree] = jpevalb.read(["\n".join(rows) + "\n"], "tokens")
    assert (tree.id, tree.words, tree.tags) == ("4", ("du", "20000"), ("ADP+DET", "CD"))
    assert tree.constituents() == [("", 0b11)]
    for row in ("4 a", "4.1\ta", "x\ta" + "\t_" * 8):
        with pytest.raises(TreeError) as caught:
            list(jpevalb.read(["\n".join([*rows, row]) + "\n"], "tokens"))
        expected = "is no row of CoNLL-U; expected a number, a word, and ten columns"
        assert f"'{row}' {expected}" in str(caught.value).replace("\\t", "\t")


def test_other_line_ends_and_blank_lines(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfthe  cat\r\n\r\n \r\nsat .")
    assert [tree.words for tree in jpevalb.read(path, "text")] == [("the", "cat"), ("sat", ".")]
    (tmp_path / "c").write_bytes(b"the cat\rsat .\r")
    for source in (tmp_path / "c", io.StringIO("the cat\rsat .", newline="")):
        assert [tree.words for tree in jpevalb.read(source, "text")] == [("the", "cat"), ("sat", ".")]
    (tmp_path / "b").write_bytes(b"caf\xe9\n")
    with pytest.raises(TreeError, match="byte 0xe9 is not UTF-8"):
        list(jpevalb.read(tmp_path / "b", "text"))
    assert list(jpevalb.read(tmp_path / "b", "text", on_error=lambda error: None)) == [Tree.parse("")]


def test_trees_of_words(tmp_path):
    (tmp_path / "words").write_text("the cat\n")
    (plain,) = jpevalb.read(tmp_path / "words", "text")
    assert (plain.words, plain.tags, plain.tagged) == (("the", "cat"), (None, None), False)
    row = "{}\t{}" + 2 * "\t_" + "\t{}" + 5 * "\t_" + "\n"
    (tmp_path / "rows").write_text(row.format(1, "the", "DT") + row.format(2, "cat", "NN"))
    (tree,) = jpevalb.read(tmp_path / "rows", "tokens")
    assert tree == Tree.parse("( (DT the) (NN cat))")
    assert tree.parents == (-1, 0, 0)
