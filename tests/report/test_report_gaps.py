"""Trees with gaps in reports: blocks, scores by fan-out, outlines of sentences, data of pages."""

from __future__ import annotations

import pytest

from jpevalb.base.counts import Matched
from jpevalb.report.findings import Findings, count_fan_outs
from jpevalb.report.html_data import GAP_ERRORS, GAPS, row_of, sentences_data
from jpevalb.report.view import view
from jpevalb.settings.settings import Settings
from jpevalb.trees.tree import Tree
from tests.support.gapped import GOLD, evaluated
from tests.support.report_pages import page_data, row_dict

SHOWN = """\
Sentence 2: gold sentence 2, system sentence 2
recall 50.00, precision 50.00, F1 50.00; 6 of 6 tags correct
= 3 matched, - 3 missed, + 3 extra, x 2 crossing

gold
   ROOT
=    S[0:6]
-      VP[0,3,5] (WP what) (VB 3=say)
-        PP[5:6] (IN 5=about)
-      SQ[1:3] (VBD 1=did)
=        NP[2:3] (PRP they)
=      NP[4:5] (NN 4=there)

system
   ROOT
=    S[0:6]
+      WHNP[0,5] (WP what) (IN 5=about)
+x     SQ[1:5] (VBD 1=did)
=        NP[2:3] (PRP they)
+x       VP[3:5] (VB say)
=          NP[4:5] (NN there)

repairs of the system's tree
VP attachment: move VP[3:5] from SQ to S (- SQ[1:3], + SQ[1:5])
verb arguments: remove VP below S (+ VP[3:5])
verb arguments: add VP below S (- VP[0,3,5])
single-word phrase: add PP below WHNP (- PP[5:6])
PP attachment: remove WHNP below VP (+ WHNP[0,5])
"""


def results(*sides, **options):
    return list(evaluated(*sides, **options).sentences)


def test_an_outline_to_the_letter():
    assert view(results()[1]) == SHOWN


def test_a_block_of_several_words_is_a_range():
    assert "=      VP[0,2:4,5] (VB wake)\n=        NP[2:4] (PRP$ 2=your) (NN friend)\n" in view(results()[0])


def test_a_sentence_has_its_id():
    shown = view(results(ids=["s 1", "s 3\x1b", "s 4"])[1])
    assert shown.startswith("Sentence 2, s 3\\x1b: gold sentence 2, system sentence 2\n")


def by_fan_out(some):
    """The constituents of some sentences by their number of blocks."""
    found = {}
    for result in some:
        count_fan_outs(result, found)
    return {blocks: Matched(*found[blocks]) for blocks in sorted(found)}


def test_units_that_several_words_share_close_a_gap():
    # Words 0 and 2 are in one unit with word 1: of units the constituent has one block.
    gold = Tree.build(["S", "A", "B"], [-1, 0, 0], ["c", "ann", "ot"], [1, 2, 1])
    system = Tree.build(["S", "A", "T"], [-1, 0, 1], ["cannot"], [2])
    (result,) = results([gold], [system], tags="yes")
    assert [tuple(unit) for unit in result.units] == [(0, 3, 0, 1)]
    assert "\n=    A[0:1] c[1] 2=ot[1]\n     (B 1=ann)[1]\n" in view(result)
    assert by_fan_out([result]) == {1: Matched(2, 2, 2)}


def test_scores_by_fan_out():
    # Worked by hand: of VP, VP and WHNP one VP is on both sides.
    found = by_fan_out(results())
    assert found == {1: Matched(12, 12, 8), 2: Matched(0, 1, 0), 3: Matched(2, 1, 1)}
    assert (found[2].recall, found[3].recall, found[3].precision) == (None, 0.5, 1.0)
    assert by_fan_out([]) == {}
    assert by_fan_out(results()[2:]) == {1: Matched(3, 3, 1)}


@pytest.mark.parametrize(
    ("gold", "system", "errors", "fan_outs"),
    [
        # The constituent with a gap is found, another is not.
        (
            "(S (VP (V 0=a) (R 2=c)) (X (N 1=b)))",
            "(S (VP (V 0=a) (R 2=c)) (Y (N 1=b)))",
            False,
            [(1, Matched(2, 2, 1)), (2, Matched(1, 1, 1))],
        ),
        # A constituent of two blocks is missed, or extra.
        (
            "(S (VP (V 0=a) (R 2=c)) (N 1=b))",
            "(S (V 0=a) (N 1=b) (R 2=c))",
            True,
            [(1, Matched(1, 1, 1)), (2, Matched(1, 0, 0))],
        ),
        (
            "(S (V 0=a) (N 1=b) (R 2=c))",
            "(S (VP (V 0=a) (R 2=c)) (N 1=b))",
            True,
            [(1, Matched(1, 1, 1)), (2, Matched(0, 1, 0))],
        ),
        ("(S (X (V 0=a)) (N 1=b))", "(S (Y (V 0=a)) (N 1=b))", False, []),
    ],
)
def test_errors_with_a_gap(gold, system, errors, fan_outs):
    found = results([gold], [system])
    (row,) = sentences_data([row_of(one, (), "") for one in found], ())["rows"]
    assert bool(row_dict(row)["flags"] & GAP_ERRORS) is errors
    findings = Findings(found, Settings.preset("alignment"), (), None)
    assert findings.fan_outs == fan_outs


def test_the_sums_by_fan_out_are_those_of_the_brackets():
    counts = list(by_fan_out(results()).values())
    brackets = evaluated().total.brackets
    for name in ("gold", "system", "matched"):
        assert sum(getattr(item, name) for item in counts) == getattr(brackets, name)


def test_a_page_has_the_gaps_and_the_ids():
    text = evaluated(ids=["1", "<i>2", "3"]).report("html")
    data = page_data(text)
    assert data["ids"]["2"] == "<i>2"
    assert [row["flags"] & (GAPS | GAP_ERRORS) for row in data["rows"]] == [GAPS, GAPS | GAP_ERRORS, 0]
    assert 'value="gaps"' in text
    assert text.count('id="gaps"') == 1


def test_a_page_without_gaps_does_not_mention_them():
    text = evaluated(GOLD[2:], GOLD[2:]).report("html")
    assert page_data(text)["ids"] == {}
    assert 'value="gaps"' not in text
    assert 'id="gaps"' not in text
    assert "with a gap" not in text
