"""Several references: scores against the nearest, the mean over all, and their agreement."""

from __future__ import annotations

import dataclasses
import io
from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings, strategies as st

import jpevalb
from jpevalb import JpevalbError, Params, SettingsError, compare, evaluate
from jpevalb.cli import main
from jpevalb.report import FORMATS
from tests.support.commands import ROOT, jpevalb as process
from tests.support.files import write_files
from tests.support.with_gaps import evaluate_with_gaps, matches_of

A = ["(S (NP (N a) (N b)) (N c))", "(S (N a) (N b))", "(S (N a) (VP (N b) (N c)))"]
B = ["(S (N a) (VP (N b) (N c)))", "(S (NP (N a)) (N b))", "(S (N a) (VP (N b) (N c)))"]
SYSTEM = ["(S (N a) (VP (N b) (N c)))", "(S (N a) (N b))", "(S (NP (N a) (N b)) (N c))"]
BEST = (4, 5, 5)
AGAINST = [(3, 5, 5), (4, 6, 5)]
SCORES = ROOT / "golden_outputs" / "scores"


def counted(brackets):
    return brackets.matched, brackets.gold, brackets.system


def by_reference(found):
    record = found.total
    return [counted(one.brackets) for one in record["references"].each]


# -- worked by hand (docs/metrics.md) -----------------------------------------------


@pytest.mark.parametrize("score", [evaluate, evaluate_with_gaps])
def test_worked_by_hand(score):
    found = score(A, SYSTEM, more_gold=[B])
    record = found.total
    assert counted(record.brackets) == BEST
    assert by_reference(found) == AGAINST
    assert found.f1 == 0.8
    assert record["references"].mean_f1 == (6 / 10 + 8 / 11) / 2
    assert [one.taken for one in record["references"].each] == [2, 1]
    taken = [sentence.to_dict()["references"] for sentence in found.sentences]
    assert taken[0] == {"taken": 2, "f1": [0.5, 1.0]}
    assert taken[1] == {"taken": 1, "f1": [1.0, 2 / 3]}
    assert taken[2] == {"taken": 1, "f1": [0.5, 0.5]}  # of equals the first
    assert [sentence.number for sentence in found.sentences] == [1, 2, 3]
    assert found.signature.endswith(" references:2")


def test_the_agreement_is_not_symmetric_where_gold_says_which_words_are_left_out():
    one, other = ["(S (A (N a)) (B (P b)))"], ["(S (A (N a)) (B (N b)))"]
    found = evaluate_with_gaps(one, one, more_gold=[other], punctuation="P")
    first, second = found.to_dict()["references"]["agreement"]["pairs"]
    assert counted_of(first) == (2, 2, 2)  # S and A: b is left out on both sides
    assert counted_of(second) == (3, 3, 3)


def counted_of(pair):
    brackets = pair["counts"]["brackets"]
    return brackets["matched"], brackets["gold"], brackets["system"]


def test_one_reference_twice_changes_nothing_and_the_first_is_taken():
    once = evaluate(A, SYSTEM)
    twice = evaluate(A, SYSTEM, more_gold=[A])
    assert twice.total.brackets == once.total.brackets
    assert twice.total["siou"] == once.total["siou"]
    assert [one.taken for one in twice.total["references"].each] == [3, 0]
    assert all(one.record == once.total for one in twice.total["references"].each)
    agreement = twice.to_dict()["references"]["agreement"]
    assert agreement["mean"]["f1"] == 1.0


def test_no_brackets_on_both_sides_is_the_best():
    found = evaluate(["(S (N a))"], ["(TOP (N a))"], more_gold=[["(TOP (N a))"]])
    assert counted(found.total.brackets) == (0, 0, 0)
    assert found.f1 is None
    assert found.sentences[0].to_dict()["references"] == {"taken": 2, "f1": [0.0, None]}
    assert found.total["references"].mean_f1 is None


# -- against plain Python -----------------------------------------------------------

WORDS = 4


def span_trees():
    """Flat lists of (label, start, end) that nest, as a tree over four words."""

    def tree(cut, inner, label):
        nodes = [("S", 0, WORDS)]
        if cut:
            nodes.append((label, cut, WORDS))
        if inner and cut + 2 < WORDS:
            nodes.append((inner, cut + 1, WORDS))
        return tuple(nodes)

    return st.builds(tree, st.integers(0, 3), st.sampled_from(["", "X", "Y"]), st.sampled_from(["X", "Y"]))


def text_of(nodes):
    """The bracketed tree of nested right-hanging nodes."""
    opens = {}
    for label, start, _ in nodes:
        opens.setdefault(start, []).append(label)
    text = ""
    for place in range(WORDS):
        text += "".join([f"({label} " for label in opens.get(place, [])]) + f"(T w{place}) "
    return text + ")" * len(nodes)


def plain(references, system):
    """Compute scores by the definition, with multisets of brackets and exact fractions."""
    sums = [[0, 0, 0] for _ in references]
    best, taken = [0, 0, 0], [0 for _ in references]
    for place, mine in enumerate(system):
        found = []
        for reference in references:
            gold = reference[place]
            found.append(((Counter(gold) & Counter(mine)).total(), len(gold), len(mine)))
        scores = [Fraction(2 * matched, gold + own) for matched, gold, own in found]
        nearest = next(k for k, score in enumerate(scores) if score == max(scores))
        taken[nearest] += 1
        best = [a + b for a, b in zip(best, found[nearest])]
        sums = [[a + b for a, b in zip(one, more)] for one, more in zip(sums, found)]
    return tuple(best), [tuple(one) for one in sums], taken


@pytest.mark.slow
@settings(max_examples=50)
@given(
    st.integers(1, 4).flatmap(
        lambda size: st.tuples(
            st.lists(st.lists(span_trees(), min_size=size, max_size=size), min_size=2, max_size=4),
            st.lists(span_trees(), min_size=size, max_size=size),
        )
    ),
    st.sampled_from([evaluate, evaluate_with_gaps]),
)
def test_against_the_definition(trees, score):
    references, system = trees
    texts = [[text_of(one) for one in reference] for reference in references]
    found = score(texts[0], [text_of(one) for one in system], more_gold=texts[1:], metrics="brackets")
    record = found.total
    best, sums, taken = plain(references, system)
    assert counted(record.brackets) == best
    assert by_reference(found) == sums
    assert [one.taken for one in record["references"].each] == taken
    f1s = [2 * matched / (gold + own) for matched, gold, own in sums]
    assert record["references"].mean_f1 == pytest.approx(sum(f1s) / len(f1s), abs=1e-15)
    pairs = found.to_dict()["references"]["agreement"]["pairs"]
    assert len(pairs) == len(references) * (len(references) - 1)
    for (gold, other), pair in zip(permutations(references, 2), pairs):
        matched = sum([(Counter(one) & Counter(two)).total() for one, two in zip(gold, other)])
        assert counted_of(pair) == (matched, sum(map(len, gold)), sum(map(len, other)))


# -- alignment ------------------------------------------------------------------------


def test_references_may_differ_in_tokens():
    one = ["(S (NP (N can) (N not)) (VP (V go)))"]
    other = ["(S (NP (N cannot)) (V go))"]
    system = ["(S (NP (N cannot)) (VP (V go)))"]
    found = evaluate(one, system, more_gold=[other])
    assert by_reference(found) == [(3, 3, 3), (2, 2, 3)]
    assert found.f1 == 1.0
    pairs = found.to_dict()["references"]["agreement"]["pairs"]
    assert [counted_of(pair) for pair in pairs] == [(2, 3, 2), (2, 2, 3)]


def test_a_stretch_ends_where_beads_of_all_references_end():
    words = [f"word{k}" for k in range(12)]
    half = "(S {} (X {}))"

    def sentence(some):
        return half.format(" ".join([f"(N {word})" for word in some[:2]]), f"(N {some[2]})")

    apart = [sentence(words[place : place + 3]) for place in (0, 3, 6, 9)]
    # The other reference has sentences 1 and 2 as one, and a tree without a word in its place.
    joined = [f"(S {' '.join([f'(N {word})' for word in words[:6]])})", *apart[2:], "(S (N extra) (N end))"]
    system = [apart[0], "(S (Y (N word3)) (N word4) (X (N word5)))", apart[2], apart[3]]
    found = evaluate(apart, system, more_gold=[joined], metrics="brackets")
    # All beads of the first are single; the second has one of 1 with 2, and a gold sentence alone.
    assert [one.taken for one in found.total["references"].each] == [4, 0]
    assert found.total.sentences.system == 4
    other = evaluate(joined, system, metrics="brackets").total
    assert found.total["references"].each[1].record == other
    # All four sentences are one stretch: the references are at one place only at the end.
    assert [len(sentence.to_dict()["references"]["f1"]) for sentence in found.sentences] == [2, 0, 0, 0]
    assert found.sentences[0].to_dict()["references"]["f1"] == [16 / 17, other.brackets.f1]


def test_each_sentence_of_the_system_counts_once_where_a_reference_is_shifted():
    texts = [f"(S (N w{k}) (X (N v{k})))" for k in range(6)]
    system = texts[:]
    shifted = [*texts[1:], "(S (N other) (N end))"]
    found = evaluate(texts, system, more_gold=[shifted], metrics="brackets")
    assert found.total.sentences.system == 6
    assert counted(found.total.brackets) == (12, 12, 12)
    assert [one.taken for one in found.total["references"].each] == [6, 0]


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.integers(2, 4).flatmap(
        lambda size: st.tuples(
            st.lists(st.sets(st.integers(1, 9), min_size=size, max_size=size), min_size=2, max_size=3),
            st.sets(st.integers(1, 9), max_size=5),
        )
    )
)
def test_the_sentences_of_both_files_are_tiled(cuts):
    """Files of the same ten words, cut into sentences at different places."""
    words = [f"{letter}{letter}{letter}" for letter in "abcdefghij"]

    def made(places):
        ends = [0, *sorted(places), len(words)]
        parts = [words[a:b] for a, b in pairwise(ends)]
        return [f"(S {' '.join([f'(N {word})' for word in part])})" for part in parts]

    references, system = [made(places) for places in cuts[0]], made(cuts[1])
    found = evaluate(references[0], system, more_gold=references[1:], metrics="brackets", lang="none")
    at = (0, 0)
    for sentence in found.sentences:
        bead = sentence.bead
        assert (bead.gold[0], bead.system[0]) == at
        at = bead.gold[1], bead.system[1]
    assert at == (len(references[0]), len(system))
    assert sum([one.taken for one in found.total["references"].each]) == len(found.sentences)
    # What is counted against each is what it is when it is the only one.
    for one, reference in zip(found.total["references"].each, references):
        alone = evaluate(reference, system, metrics="brackets", lang="none").total
        assert one.record == alone


# -- trees with gaps ------------------------------------------------------------------

GAP = "(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))"
FLAT = "(S (VB 0=wake) (NP (PRP 1=me)) (RP 2=up))"


def test_trees_with_gaps():
    found = evaluate_with_gaps([GAP, FLAT], [FLAT, GAP], more_gold=[[FLAT, GAP]])
    assert found.f1 == 1.0
    assert counted(found.total["gaps"]) == (1, 1, 1)
    first, second = found.total["references"].each
    assert counted(first.record["gaps"]) == (0, 1, 1)
    assert (first.taken, second.taken) == (0, 2)
    aligned = evaluate([GAP, FLAT], [FLAT, GAP], more_gold=[[FLAT, GAP]])
    assert counted(aligned.total["gaps"]) == (1, 1, 1)


def test_incomparable_references_are_chosen_last():
    found = evaluate_with_gaps(["(S (N a", GAP], [GAP, GAP], more_gold=[[GAP, FLAT]], on_error="skip")
    assert [sentence.to_dict()["references"]["taken"] for sentence in found.sentences] == [2, 1]
    assert found.states["unreadable"] == 0
    assert matches_of(found.total).sentences == 2


def test_references_with_gaps_agree_as_they_are_aligned():
    options = {"pair": "align", "lang": "nl", "align_ratio": 0.3, "unlike": "alone"}
    found = evaluate_with_gaps([GAP, FLAT], [GAP, FLAT], more_gold=[[FLAT, GAP]], **options)
    both = found.report(quiet=True).split("-- Agreement")[1].splitlines()[1]
    assert " ".join(both.split()) == "References P R F Sent. F Complete Tags Crossing Disc. F"


def test_an_unreadable_reference_is_chosen_last_with_aligned_words():
    # Against the first there is no bracket on either side, as against a tree that has none.
    same = "(S (N b))"  # the first file of gold has no words otherwise, which is an error
    gold, system, other = ["(S (N a", same], ["(TOP (N a))", same], ["(S (N a))", same]
    found = evaluate(gold, system, more_gold=[other], on_error="skip")
    assert found.sentences[0].to_dict()["references"]["taken"] == 2
    measures = [measure.name for measure in found.metrics[-1].agreement.measures]
    assert measures[:3] == ["precision", "recall", "f1"]
    assert len(measures) == 7  # those of brackets and tags, and none of answers


def test_the_agreement_shows_what_any_pair_has():
    found = evaluate([FLAT], [FLAT], more_gold=[[FLAT], [GAP]])
    measures = [measure.name for measure in found.metrics[-1].agreement.measures]
    assert "discontinuous_f1" in measures


def test_missing_extra_and_short_sentences(tmp_path):
    gold = tmp_path / "gold.mrg"
    gold.write_text("(S (N a) (N b))\n(S (N c))\n(S (N d) (N e))\n")
    other = tmp_path / "other.mrg"
    other.write_text("(S (N a) (N b))\n(S (N c))\n(S (N d) (X (N e)))\n")
    system = tmp_path / "system.mrg"
    system.write_text("(S (N a) (N b))\n(S (N c))\n")
    found = evaluate_with_gaps(
        str(gold), str(system), more_gold=[str(other)], convention="discontinuous words:2"
    )
    assert (found.states["missing"], found.states["short"], found.states["extra"]) == (
        1,
        1,
        0,
    )
    assert matches_of(found.total).sentences == 2
    swapped = evaluate_with_gaps(str(system), str(gold), more_gold=[str(system)])
    assert swapped.states["extra"] == 1


def test_other_ids_are_refused(tmp_path):
    paths = [str(tmp_path / name) for name in ("gold", "other", "system")]
    for path, ids in zip(paths, ("12", "21", "21")):
        with open(path, "w") as file:
            file.write("".join([f"#BOS {k}\na\tN\t--\tHD\t0\n#EOS {k}\n" for k in ids]))
    options = {"format": "export", "pair": "id"}
    found = evaluate_with_gaps(paths[0], paths[2], more_gold=[paths[0]], **options)
    assert found.states["missing"] == 0
    with pytest.raises(JpevalbError, match="other: sentence 1 has the id '2'; expected '1', as in gold"):
        evaluate_with_gaps(paths[0], paths[2], more_gold=[paths[1]], **options)


# -- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize("score", [evaluate, evaluate_with_gaps])
@pytest.mark.parametrize(("references", "number"), [((A[:2], B), 1), ((A, B[:2]), 2), ((A, B[:2], B[:2]), 2)])
def test_another_number_of_sentences_is_refused(score, references, number):
    """Of several references that are shorter the first is named."""
    with pytest.raises(JpevalbError, match=f"reference {number}: got fewer sentences than in another"):
        score(references[0], SYSTEM, more_gold=references[1:])


@pytest.mark.parametrize(
    ("more_gold", "text"),
    [
        ("b.mrg", "got one reference; expected a list of references"),
        ({"b": B}, "got a mapping as more_gold; expected a list of references"),
        (3, "got an object of type int; expected a list of references"),
    ],
)
def test_a_list_of_references_is_expected(more_gold, text):
    with pytest.raises(JpevalbError, match=text):
        evaluate(A, SYSTEM, more_gold=more_gold)
    with pytest.raises(JpevalbError, match=text):
        compare(A, [SYSTEM], test=None, more_gold=more_gold)


def test_options_that_exclude_several_references():
    with pytest.raises(JpevalbError, match="word times belong to one reference"):
        evaluate(A, SYSTEM, more_gold=[B], gold_times="gold.ctm")
    with pytest.raises(JpevalbError, match="more_gold with Params, which score as evalb does"):
        compare(A, [SYSTEM, A], more_gold=[B], settings=Params())
    with pytest.raises(JpevalbError, match="keep=True with several references"):
        compare(A, [SYSTEM, A], more_gold=[B], keep=True)


# -- the same whoever does the work ---------------------------------------------------


@pytest.mark.parametrize("score", [evaluate, evaluate_with_gaps])
def test_on_workers(score, tmp_path):
    names = ["same-words.gold", "same-words.sys", "same-words.other"]
    gold, system, other = [str(SCORES / name) for name in names]
    alone = score(gold, system, more_gold=[other], on_error="skip")
    shared = score(gold, system, more_gold=[other], on_error="skip", jobs=2)
    for format in FORMATS:
        assert alone.report(format) == shared.report(format)


def test_sources_of_every_kind(tmp_path):
    path = tmp_path / "b.mrg"
    path.write_text("\n".join(B))
    expected = evaluate(A, SYSTEM, more_gold=[B]).total
    for more in (str(path), path, io.StringIO("\n".join(B)), iter(B), [jpevalb.Tree.parse(one) for one in B]):
        found = evaluate(iter(A), iter(SYSTEM), more_gold=[more])
        assert found.total == expected
        assert found.to_dict()["references"]["agreement"]["mean"]["f1"] == 8 / 11


def test_one_open_file_is_not_two_references():
    lines = ["(S (A a))"]
    file, items = io.StringIO(lines[0] + "\n"), iter(lines)
    for more_gold in ([file, file], (lines, items, items)):
        with pytest.raises(SettingsError, match="one open file or generator as two inputs"):
            evaluate(lines, lines, more_gold=more_gold)
    assert evaluate(file, lines, more_gold=[items]).f1 == 1.0


def test_sentences_are_paired_with_the_first_reference():
    gold, system = [
        [dataclasses.replace(jpevalb.Tree.parse(text), id=id) for text, id in zip(trees, ids)]
        for trees, ids in ((A, "xyz"), ([*SYSTEM, SYSTEM[0]], "xyza"))
    ]
    found = evaluate_with_gaps(gold, system, more_gold=[B])
    assert (found.paired_by, found.states["extra"]) == ("id", 1)
    assert by_reference(found) == AGAINST
    assert evaluate_with_gaps(A, system, more_gold=[gold]).paired_by == "order"


def test_traces_of_one_reference_alone():
    traced = ["(S (NP (N a) (N b)) (N c) (NP (-NONE- *)))", *A[1:]]
    found = evaluate(A, SYSTEM, more_gold=[traced])
    assert by_reference(found) == [AGAINST[0]] * 2
    assert found.signature.endswith("lang:en traces:drop references:2")
    assert [text for text in found.warnings if "-NONE-" in text] == [
        "against reference 2: gold alone has words tagged -NONE- (1 word); they are removed; use "
        "traces='keep' to count them"
    ]


def test_messages_of_all_references_are_printed_once():
    gold = ["(S (N a) (N b))", "(S (N c))"]
    found = evaluate(gold, ["(S (N a) (N b))"], more_gold=[gold])
    assert found.warnings == evaluate(gold, ["(S (N a) (N b))"]).warnings != []


# -- comparisons ----------------------------------------------------------------------


def test_comparison():
    names = ["same-words.gold", "same-words.other"]
    gold, more = (str(SCORES / name) for name in names)
    systems = [str(SCORES / "same-words.sys"), gold]
    options = {"metrics": "brackets", "samples": 200}
    found = compare(gold, systems, more_gold=[more], **options)
    plain = compare(gold, systems, **options)
    against = compare(more, systems, **options)
    # Against one reference the p-value and the interval are those of a comparison with that gold file.
    for name, alone in (("f1_reference_1", plain), ("f1_reference_2", against)):
        assert [one[name] for one in found.systems] == [one["f1"] for one in alone.systems]
        assert found.systems[1].p_values[name] == alone.systems[1].p_values["f1"]
        assert found.systems[1].intervals[name] == alone.systems[1].intervals["f1"]
    for place, one in enumerate(found.systems):
        assert one["f1"] == evaluate(gold, systems[place], more_gold=[more], metrics="brackets").f1
        scores = found.references[one.name]
        assert [score.name for score in scores] == [*names, "mean", "best per sentence"]
        assert scores[0].rates["f1"] == plain.systems[place]["f1"]
        assert scores[2].rates["f1"] == (plain.systems[place]["f1"] + against.systems[place]["f1"]) / 2
        assert scores[3].rates["f1"] == one["f1"]
    assert found.systems[1]["f1"] == 1.0 > against.systems[1]["f1"]
    assert found.agreement is not None
    assert len(found.agreement.pairs) == 2


# -- reports --------------------------------------------------------------------------


def test_file_names_are_escaped_as_formulas(tmp_path):
    write_files(tmp_path, {"a": A, "=b": B})
    how = {"more_gold": [tmp_path / "=b"], "metrics": "brackets"}
    agreement = [["a", "'=b"], ["'=b", "a"], ["mean", ""]]
    single = [["a", "2"], ["'=b", "1"], ["mean", ""], ["best per sentence", ""]]
    several = [[name, one] for name in ("'=one", "two") for one in ("a", "'=b", "mean", "best per sentence")]
    for found, scores in (
        (evaluate(tmp_path / "a", SYSTEM, **how), single),
        (compare(tmp_path / "a", {"=one": SYSTEM, "two": A}, test=None, confidence=None, **how), several),
    ):
        rows = [line.split(",") for line in found.report("csv").splitlines()]
        assert [row[1:3] for row in rows if row[0] == "references"] == scores
        assert [row[1:3] for row in rows if row[0] == "agreement"] == agreement


# -- the command line -----------------------------------------------------------------


@pytest.fixture
def called(folder, capsys):
    """Call the command in a folder with the files of the example; return status, stdout and stderr."""
    write_files(folder, {"a.mrg": A, "b.mrg": B, "s.mrg": SYSTEM})

    def call(*words):
        status = main(list(words))
        return status, *capsys.readouterr()

    return call


def test_command(called):
    status, out, err = called("a.mrg", "s.mrg", "--more-gold", "b.mrg", "--metrics", "brackets")
    assert (status, err) == (0, "")
    assert "b.mrg " in out
    assert "b.mrg against a.mrg 66.67 80.00 72.73" in out
    status, out, _ = called("a.mrg", "s.mrg", "--more-gold", "b.mrg", "--score-only", "--fail-under", "80.01")
    assert (status, out) == (3, "80.00\n")
    _, out, _ = called("a.mrg", "s.mrg", "--more-gold", "b.mrg", "--view", "1")
    assert out.startswith(
        "Sentence 1: gold sentence 1, system sentence 1; nearest of the references is number 2\n"
    )
    assert "references:2" in out
    _, out, _ = called("a.mrg", "s.mrg", "--more-gold", "b.mrg", "--more-gold", "b.mrg")
    assert "references:3" in out
    _, out, _ = called("a.mrg", "s.mrg", "a.mrg", "--more-gold", "b.mrg", "--out", "c.html")
    with open("c.html", encoding="utf-8") as page:
        text = page.read()
    assert "a.mrg against b.mrg" in text
    assert "a.mrg or b.mrg" in text
    called("a.mrg", "s.mrg", "--more-gold", "b.mrg", "--out", "r.html")
    with open("r.html", encoding="utf-8") as page:
        assert "a.mrg or b.mrg" in page.read()


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (("--more-gold", "none.mrg"), 1, "jpevalb: none.mrg: "),
        (("--more-gold", "b.mrg", "--out", "b.mrg"), 2, "jpevalb: "),
        (("--more-gold", "-", "--more-gold", "-"), 2, "jpevalb: both files are '-'"),
        (("--more-gold", "b.mrg", "-evalb"), 2, "jpevalb: unknown option '--more-gold' of evalb"),
        (("--more-gold", "b.mrg", "--gold-times", "t.ctm"), 2, "jpevalb: --gold-times t.ctm with sev"),
        (("--more-gold", "short.mrg"), 1, "jpevalb: short.mrg: got fewer sentences than in another"),
    ],
)
def test_bad_calls(called, words, status, text):
    with open("short.mrg", "w") as file:
        file.write(A[0])
    found, _, err = called("a.mrg", "s.mrg", *words)
    assert (found, err[: len(text)]) == (status, text)


def test_a_pipe_as_a_reference(called):
    done = process("a.mrg", "s.mrg", "--more-gold", "-", "--quiet", stdin="\n".join(B).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\n<stdin>                 1 80.00 66.67 72.73 " in done.stdout


def test_the_mode_is_that_of_the_formats_of_all_references(called):
    with open("gap.dbr", "w") as file:
        file.write("(S (VP (VB 0=wake) (RP 2=up)) (NP (PRP 1=me)))\n")
    with open("gold.mrg", "w") as file:
        file.write("(S (VB wake) (NP (PRP me)) (RP up))\n")
    status, out, err = called("gold.mrg", "gold.mrg", "--more-gold", "gap.dbr", "--quiet")
    assert (status, err) == (0, "")
    assert "convention:discontinuous" in out
