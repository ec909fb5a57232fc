"""Examples of small functions that have no test of their own."""

from __future__ import annotations

from jpevalb.alignment.exceptions import languages
from jpevalb.base.counts import rounded
from jpevalb.base.plugins import plugin_names
from jpevalb.base.text import visible
from jpevalb.formats.answers import is_one_tree, parse_answer, read_answer
from jpevalb.formats.around import bare_line, without_around
from jpevalb.formats.export import find_cycle, is_node_mark
from jpevalb.formats.timings import read_ctm
from jpevalb.formats.writers import to_discbracket, to_export
from jpevalb.settings.params import Params, atoi
from jpevalb.settings.rules import closed, cut, representatives, with_equal_words
from jpevalb.trees.parse import shorten
from jpevalb.trees.tree import Tree, blocks_of
from jpevalb.trees.words import alike, compared
from tests.support.rules import rules_of


def test_parse_answer():
    assert [
        parse_answer(text).words for text in ("(S (VB 0=wake) (RP 2=up) (NP 1=me))", "(S (NN 0=a) (NN b))")
    ] == [("wake", "me", "up"), ("0=a", "b")]


def test_read_answer():
    assert (
        read_answer("(S (NN 0=a) (NN 2=b))").reason
        == "index 1 is missing: the indices of 2 words are 0 to 1, in any order"
    )


def test_bare_line():
    assert [bare_line(line) for line in (b"# 1", b"<S ID=1>", b"; a (b", b"50 7", b"*x*x*", b"-12.5")] == [
        None,
        None,
        None,
        None,
        None,
        None,
    ]
    assert (bare_line(b"None"), bare_line(b"<s> (S (NN a)) </s>"), bare_line(b"cat")) == (
        b"(())",
        b"    (S (NN a))     ",
        b"cat",
    )


def test_without_around():
    assert (without_around("# 1\n(S (NN #)\n   (NN a))\n"), without_around("</s>"), without_around("")) == (
        "(S (NN #)\n   (NN a))\n",
        None,
        "",
    )


def test_rounded():
    assert (rounded(5, 2), rounded(4, 3)) == (3, 1)


def test_find_cycle():
    assert (find_cycle([2, -1, 3, 2]), find_cycle([1, -1])) == ([2, 3], [])


def test_is_node_mark():
    assert (
        is_node_mark("#500", 0),
        is_node_mark("#1000", 500),
        is_node_mark("#1000", 2),
        is_node_mark("#1", 0),
    ) == (True, True, False, False)


def test_cut():
    assert (cut("NP-SBJ=2"), cut("-NONE-")) == ("NP", "")


def test_representatives():
    assert representatives({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)}) == {
        "ADVP": "ADVP",
        "PRT": "ADVP",
        "AVP": "ADVP",
    }


def test_closed():
    assert closed({"PRT": ("ADVP",), "ADVP": ("PRT", "AVP"), "AVP": ("ADVP",)})["PRT"] == ("ADVP", "AVP")


def test_with_equal_words():
    assert with_equal_words({"n't": "not"}, {"not": ("nicht",), "nicht": ("not",)}) == {
        "n't": "nicht",
        "nicht": "nicht",
        "not": "nicht",
    }


def test_atoi():
    assert (atoi(" 10words"), atoi("-3"), atoi("many"), atoi("+ 1")) == (10, -3, 0, 0)


def test_shorten():
    assert (shorten("cat"), shorten("a" * 99)) == ("'cat'", f"'{'a' * 30}...'")


def test_plugin_names():
    assert plugin_names("jpevalb.no-such-group") == []


def test_is_one_tree():
    assert [
        is_one_tree(text) for text in ("(S (NN rain))", "(S (NN rain)) </s>", "(see below) (S (NN rain))")
    ] == [True, False, False]


def test_visible():
    assert visible("red \x1b[31mword\n") == r"red \x1b[31mword\x0a"


def test_read_ctm():
    utterances = read_ctm(["a 1 0.00 0.25 so", "a 1 0.25 0.5 it", "b 1 1.0 0.2 goes 0.98"])
    assert [(utterance.name, utterance.times) for utterance in utterances] == [
        ("a", [(0.0, 0.25), (0.25, 0.75)]),
        ("b", [(1.0, 1.2)]),
    ]


def test_blocks_of():
    assert blocks_of(0b11001) == [(0, 1), (3, 5)]


def test_languages():
    assert "en" in languages()


def test_compared():
    assert (compared("Ca"), compared("New York"), compared("ＡＢＣ"), compared("ΟΔΟΣ")) == (
        "ca",
        "newyork",
        "abc",
        "οδοσ",
    )
    assert compared("하") + compared("ㄴ") == compared("한")


def test_alike():
    assert alike(("``", "n't", "-LRB-", "Ca"), ("“", "n’t", "(", "ca", "can"))[1] == (
        "``",
        "n't",
        "-LRB-",
        "Ca",
        "can",
    )


def test_to_discbracket():
    assert to_discbracket(Tree.parse("(S (NP it) (VP rains))"), words=False) == "(S (NP 0) (VP 1))\tit rains"


def test_rules_of_a_run():
    labels = rules_of(Params(delete_labels=("S1",), eq_labels=(("ADVP", "PRT"),)))
    assert [labels.resolve(label) for label in ("S1", "NP-SBJ", "TOP")] == [None, "NP", None]
    assert labels.equal_brackets == {"ADVP": ("PRT",), "PRT": ("ADVP",)}


def test_to_export():
    lines = to_export(Tree.parse("(S (NP it) (VP rains))"), "1", version=3).expandtabs(8).splitlines()
    assert lines == [
        "#BOS 1",
        "it      NP      --      --      500",
        "rains   VP      --      --      500",
        "#500    S       --      --      0",
        "#EOS 1",
    ]
