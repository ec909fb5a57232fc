"""Trees with gaps in reports: blocks and outlines of sentences."""

from __future__ import annotations

from jpevalb.report.view import view
from jpevalb.trees.tree import Tree
from tests.support.gapped import evaluated

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

corrections of the system's tree
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


def test_units_that_several_words_share_close_a_gap():
    # Words 0 and 2 are in one unit with word 1: of units the constituent has one block.
    gold = Tree.build(["S", "A", "B"], [-1, 0, 0], ["c", "ann", "ot"], [1, 2, 1])
    system = Tree.build(["S", "A", "T"], [-1, 0, 1], ["cannot"], [2])
    (result,) = results([gold], [system], tags="yes")
    assert [tuple(unit) for unit in result.units] == [(0, 3, 0, 1)]
    assert "\n=    A[0:1] c[1] 2=ot[1]\n     (B 1=ann)[1]\n" in view(result)
