"""Repairs of a language model's answer: worked examples and properties."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given, settings, strategies as st

from jpevalb import SettingsError
from jpevalb.formats.answers import is_one_tree, repair
from jpevalb.trees.sentence import REPAIRS, Answer
from tests.fuzz.answers import AROUND, check_answer
from tests.support.commands import ROOT

pytestmark = pytest.mark.slow

CAT = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"

# Answer, the text that is read, and the repairs.
CASES = [
    # As written.
    (CAT, CAT, ()),
    (f"\n {CAT}\n\n", f"\n {CAT}\n\n", ()),
    ("(S (NP it)\n   (VP rains))", "(S (NP it)\n   (VP rains))", ()),
    ("( (S (NN a)) )", "( (S (NN a)) )", ()),
    ("(S (NP) (NN a))", "(S (NP) (NN a))", ()),
    # Text around the tree.
    (f"```\n{CAT}\n```", CAT, ("fence",)),
    (f"```lisp\n{CAT}\n```\nHope (this) helps!", CAT, ("fence",)),
    (f"```{CAT}```", CAT, ("fence",)),
    (f"{CAT}\n```", CAT, ("fence",)),
    (f"(NP (X no)) ```\n{CAT}\n```", CAT, ("fence",)),
    ("```\n(S (NN a)", "(S (NN a))", ("fence", "unclosed")),
    # What is inside of a fence comes first, where a tree is there.
    (f"```\nthe cat\n```\n{CAT}", CAT, ("fence",)),
    ("(UH Yes)\n```\n(see below) now\n```", "(UH Yes)", ("fence",)),
    (f"{CAT}</s>", CAT, ("end_mark",)),
    (f"<s> {CAT} </s></s>", CAT, ("end_mark",)),
    (f"{CAT}<|eot_id|>Sentence: (S (NN b))", CAT, ("end_mark",)),
    ("(S (NN a)<|im_end|>", "(S (NN a))", ("end_mark", "unclosed")),
    ("(S (SYM </s>) (NN a)", "(S (SYM </s>) (NN a))", ("unclosed",)),
    (f"Tree: {CAT}", CAT, ("prefix",)),
    (f"**Parse tree:**\n{CAT}", CAT, ("prefix",)),
    (f"tree = {CAT}", CAT, ("prefix",)),
    (f"The subject is the cat, so: {CAT}", CAT, ("prefix",)),
    (f"The subject is the cat. {CAT}", CAT, ("prose",)),
    (f"{CAT} I hope this (mostly) helps!", CAT, ("prose",)),
    (f"(see below) {CAT}", CAT, ("prose",)),
    (f'"{CAT}"', CAT, ("prose",)),
    (f"<think>(S (NN x))\nno</think>\n{CAT}", CAT, ("prose",)),
    ("(UH Yes) thanks", None, "brackets occur only inside text"),
    ("(UH Yes)</s>", "(UH Yes)", ("end_mark",)),
    # Several trees.
    ("(S (NN a)) (S (NN b))", "(S (NN a))", ("several",)),
    ("(UH a) (UH b)", "(UH a)", ("several",)),
    (f"{CAT} or (S (NN b))", CAT, ("prose", "several")),
    (f"{CAT} or (not)", CAT, ("prose",)),
    ("(S (NN a)) (S (NN", "(S (NN a))", ("unclosed", "cut_leaf")),
    # Brackets missing or too many.
    (CAT[:-1], CAT, ("unclosed",)),
    (CAT[:-2], CAT, ("unclosed",)),
    ("(S (NP (DT the) (NN cat)\n\nI hope this helps.", "(S (NP (DT the) (NN cat)))", ("prose", "unclosed")),
    (CAT + ")", CAT, ("extra",)),
    ("(S (NP (NN a))) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))", ("extra",)),
    ("S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))", ("unopened",)),
    ("S (NP (NN a))) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))", ("unopened", "extra")),
    ("(S (NP (DT the) (NN ca", "(S (NP (DT the) (NN ca)))", ("unclosed", "cut_leaf")),
    ("(S (NP (DT the) (NN ", "(S (NP (DT the)))", ("unclosed", "cut_leaf")),
    ("(S (NP (DT the)) (VP (", "(S (NP (DT the)))", ("unclosed", "cut_leaf")),
    ("(S (NP () (DT the)) (VP (", "(S (NP (DT the)))", ("unclosed", "cut_leaf", "empty_nodes")),
    ("(S (NP) (NN a)))", "(S (NN a))", ("extra", "empty_nodes")),
    ("( () cat sat) )", "(() cat sat)", ("extra", "empty_nodes")),
    ("( () cat) )", "( cat)", ("extra", "empty_nodes")),
    # Signs.
    (r"(S\n  (NP (DT the))\t(NN \"))", '(S (NP (DT the)) (NN "))', ("escapes",)),
    (r"(S (NN C:\new))\n", r"(S (NN C:\new))", ("escapes",)),
    (r"(S (CD 1\/2)", r"(S (CD 1\/2))", ("unclosed",)),
    (r"(S (-LRB- \() (NN a))", "(S (-LRB- -LRB-) (NN a))", ("escapes",)),
    ("[S [NP [NN cat]] [-LRB- (]]", "(S (NP (NN cat)) (-LRB- -LRB-))", ("other_brackets",)),
    ("[UH Yes]", "(UH Yes)", ("other_brackets",)),
    (
        "\uff08S \uff08NN \u732b\uff09\uff08PU (\uff09\uff09",
        "(S (NN \u732b) (PU -LRB-))",
        ("other_brackets",),
    ),
    (r"(S (NP (NN a) (NN \)) (VP b))", r"(S (NP (NN a) (NN \)) (VP b))", ()),
    ("(-LRB- ()(V b))", "(-LRB- -LRB- (V b))", ("word_brackets", "extra")),
    ("(S (PU \uff08) (NN a)", "(S (PU \uff08) (NN a))", ("unclosed",)),
    ("(S (-LRB- () (NN a) (-RRB- )))", "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-))", ("word_brackets",)),
    ("(S (-RRB- ))) (NN a)", "(S (-RRB- -RRB-))", ("several", "word_brackets")),
    ("(S (: :) (, () (NN a))", "(S (: :) (, -LRB-) (NN a))", ("word_brackets",)),
    ("(S (NN f(x)) (NN a))", "(S (NN f-LRB-x-RRB-) (NN a))", ("word_brackets",)),
    ("(S (UH :() (NN a)", "(S (UH :-LRB-) (NN a))", ("word_brackets", "unclosed")),
    ("(S (NN a\ud83d))", "(S (NN a\ufffd))", ("characters",)),
    # Nothing to be had.
    ("", None, "the answer is empty"),
    (" \n\t", None, "the answer is empty"),
    ("I cannot parse that.", None, "no tree in the answer: it has no bracket"),
    ("I cannot parse that (sorry, really).", None, "brackets occur only inside text"),
    ("Parse: the cat sleeps", None, "it has no bracket"),
    ("((((", None, "the tree has no word"),
    ("(S (NP) (VP))", None, "the tree has no word"),
    ("(S (NP (DT", None, "the tree has no word"),
    ("<think>it is (S (NN a))", None, "the answer ends inside an unclosed <think> block"),
]


@pytest.mark.parametrize(("text", "read", "repairs"), CASES)
def test_one_answer(text, read, repairs):
    answer = repair(text)
    if read is None:
        assert (answer.text, answer.repairs, answer.valid) == ("", (), False)
        assert repairs in answer.reason
    else:
        assert (answer.text, answer.repairs, answer.reason) == (read, repairs, None)
        assert answer.valid == is_one_tree(text) == (not repairs)


def test_the_table_of_the_docs():
    """The table lists the repairs in order, and its examples are correct."""
    page = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| .* \| `+ ?(.*?) ?`+(?: \(in JSON\))? \| `(.*)` \|$", page, re.MULTILINE
    )
    assert [name for name, _, _ in rows] == list(REPAIRS)
    for name, text, read in rows:
        answer = repair(text.replace("\\ud83d", "\ud83d"))
        assert name in answer.repairs, name
        assert answer.text == read, name


def test_every_repair_has_a_case():
    used = {name for _, read, repairs in CASES if read is not None for name in repairs}
    assert used == set(REPAIRS)


@pytest.mark.parametrize(
    ("text", "truncated"),
    [
        ("(S (NP (DT the) (NN ca", True),
        ("(S (NP (DT the)", True),
        ("```\n(S (NN a)", True),
        ("(S (NP (DT", True),
        ("(S (NN a)) (S (NN", True),
        ("(S (NN a)\n```", False),  # a fence, a mark or text behind it: the answer goes on
        ("(S (NN a)</s>", False),
        ("(S (NN a)\n\nThat is all.", False),
        ("(S (NN a)\n\nand (S (NN b", True),
        ("(S (NN a)) And", False),
        (CAT, False),
        ("", False),
    ],
)
def test_truncated(text, truncated):
    assert repair(text).truncated is truncated


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("(S (NN a)) (S (NN b))", "( (S (NN a)) (S (NN b)))"),
        ("(S (NN a))\nand\n(S (NN b)) (not this)", "( (S (NN a)) (S (NN b)))"),
        ("(S (NN a)) (X ()) (S (NN b", "( (S (NN a)) (S (NN b)))"),
        ("(S (NN a)) </s>", "(S (NN a))"),
    ],
)
def test_several_trees_are_joined(text, read):
    answer = repair(text, "join")
    assert answer.text == read
    assert ("several" in answer.repairs) == read.startswith("( ")
    assert repair(answer.text) == Answer(answer.text)


def test_empty_nodes_are_reported_for_the_tree_that_has_them():
    assert repair("(S (NN a)) (S (NN b))", "join").repairs == ("several",)
    assert repair("(S (NN a)) (S () (NN b))", "join").repairs == ("several", "empty_nodes")
    assert repair("(S (NN a)) (S () (NN b))").repairs == ("several",)


def test_reasons_why_an_answer_is_invalid():
    assert Answer("(S (A a))").trouble is None
    for repairs in ((), ("fence",)):
        assert Answer("", repairs, "it is prose").trouble == "it is prose"
    told = "the answer is not one tree; it would be with repairs: fence, prose"
    assert Answer("(S (A a))", ("fence", "prose")).trouble == told


def test_pieces_of_a_long_answer_in_which_no_token_is_rare():
    text = f"(A {'(A a) ' * 99}(A a))"
    assert Answer(text, ("prefix",), raw=f"Tree: {text}").pieces() == [("-", "Tree: "), ("=", text)]


def test_several_is_checked():
    with pytest.raises(SettingsError, match="several='all'; expected one of first, last, longest, join"):
        repair(CAT, "all")


def test_a_valid_tree_of_any_depth_is_not_changed():
    text = "(S " * 100_000 + "(NN a)" + ")" * 100_000
    assert repair(text) == Answer(text)
    cut = repair(text[:-50_000])
    assert (cut.text == text, cut.repairs, cut.truncated) == (True, ("unclosed",), True)


answers = st.lists(st.sampled_from([*AROUND, "(S ", "(NP ", "(NN cat)", "cat", "[NP [NN a]]"]), max_size=30)


@given(answers.map("".join), st.sampled_from(["first", "join"]))
@example("( () cat sat) (X", "join")
@example("\uff08\\n\uff08\\n(", "first")
@example(":(\\n\u00a0(NN cat)", "first")
@example("(S (NN \\()) (NP \ud800", "first")
@settings(max_examples=250, deadline=None)
def test_properties_of_any_answer(text, several):
    check_answer(text, several, repair(text, several))


@given(
    st.lists(
        st.tuples(st.sampled_from(["NN", "DT", ",", "-LRB-"]), st.sampled_from(["a", "f", ",", "-LRB-"])),
        min_size=1,
    )
)
@settings(deadline=None)
def test_a_tree_cut_anywhere_keeps_its_words_and_labels(leaves):
    """Cut between two leaves, what comes back is the tree of the leaves before."""
    text = "(S" + "".join(f" (NP ({tag} {word}))" for tag, word in leaves)
    for end in range(1, len(leaves) + 1):
        cut = "(S" + "".join(f" (NP ({tag} {word}))" for tag, word in leaves[:end])
        answer = repair(cut)
        assert (answer.text, answer.repairs) == (cut + ")", ("unclosed",))
    assert repair(text + ")") == Answer(text + ")")


UNITS = (
    *("(", "(a", "(a b ", "(a b) ", "((a b))x", ")", "\n", "\\", "```(a", "`", "<s>", "a(b)", "x("),
    *("_", ":", "(. ("),
    *("<think>", "\n \n x", "(()", "<|a", "\uff08a ", "[a [b c] ", "(a (b )", "word "),
    *("(a (b c)\n\n", "\\\\n"),
)


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length(unit):
    """Ten times the text takes about ten times as long: no pattern looks at the rest again and again."""

    def seconds(size: int) -> float:
        text = "(a (b c" + unit * (size // len(unit))
        best = 1e9
        for _ in range(3):
            begin = time.process_time()
            repair(text)
            best = min(best, time.process_time() - begin)
        return best

    small, large = seconds(10_000), seconds(100_000)
    assert large < 0.05 + 25 * small


@pytest.mark.parametrize(
    ("answer", "tree"),
    [
        ("(NP (JJ American) NN academic))", "(NP (JJ American) (NN academic))"),
        ("(S (NP (JJ a) NN b)) (VP (VBZ c)))", "(S (NP (JJ a) (NN b)) (VP (VBZ c)))"),
        ("(S (NP JJ a) (NN b)) (VP (VBZ c)))", "(S (NP (JJ a) (NN b)) (VP (VBZ c)))"),
        ("(S NP (DT the) (NN cat)) (VP (VBZ c)))", "(S (NP (DT the) (NN cat)) (VP (VBZ c)))"),
        ("(S (NP (NN a)) VP (VBZ c)) (. .))", "(S (NP (NN a)) (VP (VBZ c)) (. .))"),
        ("(S (NP (NN a)) (VP (VBZ c)) . .))", "(S (NP (NN a)) (VP (VBZ c)) (. .))"),
    ],
)
def test_a_lost_inner_bracket_leaves_a_label_and_not_a_word(answer, tree):
    repaired = repair(answer)
    assert (repaired.text, repaired.repairs) == (tree, ("unopened",))
    assert repair(repaired.text).repairs == ()


def test_words_beside_superfluous_brackets_stay_words():
    for answer in (
        "(S (NP (NNP USA) (NN team))))",
        "(S (NP the USA team)))",
        "(S (NP (DT a) USA today is)))",
    ):
        repaired = repair(answer)
        assert repaired.repairs == ("extra",)
        assert repaired.text == answer[:-1]


def test_an_escaped_line_end_before_a_full_width_bracket():
    found = repair("\uff08S\\n\uff08NN a\uff09\uff09")
    assert (found.text, found.repairs) == ("(S (NN a))", ("escapes", "other_brackets"))
