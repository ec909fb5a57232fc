"""N-best lists: the first parse is scored, and the best one gives the oracle F1."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import pytest

from jpevalb import Evaluator, SettingsError, Tree, TreeError, compare, evaluate, read
from jpevalb.formats.read import detect_format
from jpevalb.metrics.variants import OracleCounts

GOLD = [
    "(S (NP (NN a)) (VP (VB b) (NP (NN c))))",
    "(S (NP (NN d)) (VP (VB e)))",
    "(S (NP (NN f)) (VP (VB g)))",
]
LISTS = [
    [
        "(S (NP (NN a)) (NP (VB b) (NP (NN c))))",  # 3 of 4
        "(S (NN a) (VP (VB b) (NP (NN c))))",  # 3 of 3
        "(X (X (NN a)) (X (VB b) (X (NN c))))",
    ],
    ["(S (NP (NN d)) (VP (VB e)))", "(X (NN d) (VB e))"],
    [],
]
BLLIP = """\
3 0
-12.25
{0[0]}
-13
{0[1]}
-1.5e2 -0.5
{0[2]}

2 x1
-1
{1[0]}
-2
{1[1]}

0 2

""".format(*LISTS)
BLANKS = "{0[0]}\n{0[1]}\n{0[2]}\n\n\n{1[0]}\n{1[1]}\n\nnull\n\n".format(*LISTS)
SCORES = "-1.5\t{0[0]}\n-2\t{0[1]}\n-3\t{0[2]}\n\n-1\t{1[0]}\n-2\t{1[1]}\n\nNone\n".format(*LISTS)
STANFORD = """\
# Parse 1 with score -1.5
{0[0]}

# Parse 2 with score -2
(S (NN a)
  (VP (VB b)
    (NP (NN c))))

# Parse 3 with score -2
{0[2]}

# Parse 1 with score -1
{1[0]}

# Parse 2 with score -1
{1[1]}

# Parse 1 with score -1
null
""".format(*LISTS)


@pytest.mark.parametrize("text", [BLLIP, BLANKS, SCORES, STANFORD])
@pytest.mark.parametrize("convention", ["jpevalb", "discontinuous"])
def test_the_first_and_the_best(text, convention, tmp_path):
    path = tmp_path / "lists"
    path.write_text(text, encoding="utf-8")
    expected = OracleCounts(3, 10, 6, 6, 1, 2, 5)
    for source in (path, io.StringIO(text), io.BytesIO(text.encode()), LISTS):
        result = evaluate(GOLD, source, nbest=True, convention=convention)
        assert result.total["oracle"] == expected
        assert (result.total.brackets.matched, result.total.brackets.system) == (6, 7)
        assert result.figures["oracle_f1"] == 12 / 16
        assert [sentence.status for sentence in result.sentences] == ["ok", "ok", "no parse"]
    with ThreadPoolExecutor(2) as executor:
        assert (
            evaluate(GOLD, path, nbest=True, convention=convention, executor=executor).total == result.total
        )


def test_lists_are_found_without_an_option():
    assert detect_format(BLLIP) == "nbest"
    stanford = "# Parse 1 with score -1\n(ROOT (S (NN a)))\n# Parse 2 with score -2\n(ROOT (X (NN a)))\n\n"
    assert detect_format(stanford) == "nbest"
    assert detect_format("# Parse 1\n(S (NN a))\n# Parse 1\n(S (NN b))\n") == "bracket"
    assert [str(tree) for tree in read(io.StringIO(BLLIP))] == [LISTS[0][0], LISTS[1][0], ""]
    result = evaluate(GOLD, io.StringIO(BLLIP))
    assert result.total.brackets.matched == 6
    assert "oracle" not in result.total
    # Counts of 1 are lines around trees.
    assert detect_format("1 0\n-2\n(S (NN a))\n") == "bracket"


def test_the_oracle_is_never_worse_and_finds_gold():
    lists = [[str(Tree.parse(gold)).replace("VP", "X"), gold] for gold in GOLD]
    result = evaluate(GOLD, lists, nbest=True)
    assert result.figures["oracle_f1"] == result.figures["oracle_complete_match"] == 1.0
    assert result.f1 < 1.0


def test_several_sentences_in_a_bead():
    gold = ["(T (S (NP (NN a)) (VP (VB b))) (S (NP (NN c)) (VP (VB d))))"]
    lists = [
        ["(S (X (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))"],
        ["(S (NP (NN c)) (X (VB d)))", "(S (NP (NN c)) (VP (VB d)))"],
    ]
    found = evaluate(gold, lists, nbest=True).total
    assert found.sentences.groups == 1
    assert (found.brackets.matched, found["oracle"].matched, found["oracle"].gold) == (4, 6, 7)


def test_words_left_out_and_cut_labels():
    gold = ["(S (NP_SBJ (NN a)) (VP (VB b)) (. .))"]
    lists = [["(S (X (NN a)) (VP (VB b) (. .)))", "(S (NP (NN a)) (VP (VB b) (. .)))"]]
    for convention in ("jpevalb", "discontinuous"):
        total = evaluate(gold, lists, nbest=True, prm="COLLINS", convention=f"{convention} cut-at:_").total
        assert (total.brackets.matched, total["oracle"].matched, total["oracle"].complete) == (2, 3, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n(S (NN b))\n",
         "f:2: parse 2 has other words than the first; expected a blank line, or a count such as '50 7', "
         "between the lists of two sentences"),
        ("2 0\n-1\n(S (NN a)\n-2\n", "f:3: the tree that begins here is not closed: 1 ')' is missing"),
        ("(S (NN a))\n\ncat\n", "f:3: 'cat' outside a tree; expected '('"),
    ],
)  # fmt: skip
def test_lists_that_cannot_be_read(text, message):
    file = io.StringIO(text)
    file.name = "f"
    with pytest.raises(TreeError) as caught:
        list(read(file, "nbest"))
    assert str(caught.value) == message
    errors = []
    list(read(io.StringIO(text), "nbest", on_error=errors.append))
    assert len(errors) == 1


def test_systems_are_compared(tmp_path):
    (tmp_path / "lists").write_text(BLLIP, encoding="utf-8")
    compared = compare(GOLD, [str(tmp_path / "lists")] * 2, nbest=True, test="permutation")
    assert compared.systems[0]["oracle_f1"] == 0.75


def test_options_that_exclude_each_other():
    with pytest.raises(SettingsError, match="got nbest with an option for answers"):
        evaluate(GOLD, LISTS, nbest=True, repair=True)
    with pytest.raises(SettingsError, match="nbest=True, which says how files"):
        Evaluator(nbest=True)


def test_several_references():
    other = [text.replace("VP", "X") for text in GOLD]
    result = evaluate(GOLD, LISTS, more_gold=[other], nbest=True)
    assert result.total["oracle"].matched == 6
    assert result.total["references"].each[0].taken == 3
