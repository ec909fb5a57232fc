"""The text of the HTML page of a comparison: its contents, and that user text is escaped."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

from jpevalb import compare, evaluate
from jpevalb.base.errors import SettingsError
from jpevalb.cli import main
from jpevalb.formats.discbracket import parse_discbracket
from jpevalb.report.html_data import MARKS_OF_NODES
from jpevalb.settings.params import Params
from jpevalb.trees.tree import Tree
from tests.support.commands import jpevalb
from tests.support.files import write_files
from tests.support.report_pages import (
    GOLD,
    HOSTILE,
    SYSTEM,
    Page,
    compared_page,
    hostile_trees,
    page_data,
    treebank_pair,
)
from tests.support.with_gaps import discontinuous_settings

OTHER = [SYSTEM[0], GOLD[1], SYSTEM[2], GOLD[3], SYSTEM[4], GOLD[5]]
SYSTEMS = {"one": SYSTEM, "two": OTHER}
NODE = re.compile(rf"(?<![:\d])(\d+)([{re.escape(MARKS_OF_NODES)}_]?)")


@pytest.fixture(scope="module")
def small():
    return compare(GOLD, SYSTEMS, keep=True, test="permutation")


def whole(row, base, labels):
    """Convert a row of a comparison to the row of a single system, with labels as text."""
    tree, words = row["goldTree"], row["goldWords"]
    if tree.startswith("@"):
        marks = iter(tree[1:])
        tree = NODE.sub(lambda found: f"{found[1]}{next(marks).replace('.', '')}", base["goldTree"])
        words = base["goldWords"]
    system = tree if row["systemTree"] == 0 else row["systemTree"]
    named = [NODE.sub(lambda found: f"{labels[int(found[1])]} {found[2]}", text) for text in (tree, system)]
    # Figures of other metrics, and the nodes that Struct-IoU aligns, are on a single system's page only.
    rest = {"columns": [], "pairs": 0}
    return {**row, "goldWords": words, "goldTree": named[0], "systemTree": named[1], **rest}


@pytest.mark.parametrize(
    "systems", [SYSTEMS, {"same": GOLD, "one": SYSTEM, "joined": [f"(T {GOLD[0]} {SYSTEM[1]})", *SYSTEM[2:]]}]
)
def test_the_rows_are_those_of_the_systems_own_pages(systems):
    data = page_data(compare(GOLD, systems, keep=True).report("html"))
    assert data["names"] == list(systems)
    places = list(accumulate(data["beads"][0]))
    for name, rows, beads in zip(data["names"], data["rows"], data["beads"], strict=True):
        alone = page_data(evaluate(GOLD, systems[name]).report("html"))
        assert len(rows) == len(beads) == len(alone["rows"])
        unit = 0
        for row, step, expected in zip(rows, beads, alone["rows"]):
            unit += step
            start, end = data["units"][unit][:2]
            assert start <= row["goldFirst"] <= row["goldEnd"] <= end
            base = next(first for first, place in zip(data["rows"][0], places) if place == unit)
            assert whole(row, base, data["labels"]) == whole(expected, {}, alone["labels"])


def test_the_gold_trees_are_stored_once(small):
    first, second = page_data(small.report("html"))["rows"]
    assert all(not row["goldTree"].startswith("@") for row in first)
    assert all(row["goldTree"].startswith("@") and row["goldWords"] == 0 for row in second)


def test_the_units_have_the_counts_of_f():
    joined = [f"(TOP {SYSTEM[0]} {SYSTEM[1]})", *SYSTEM[2:]]
    result = compare(GOLD, {"one": SYSTEM, "joined": joined}, keep=True)
    units = page_data(result.report("html"))["units"]
    assert [unit[:2] for unit in units] == [[0, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
    for place, system in enumerate((SYSTEM, joined)):
        brackets = evaluate(GOLD, system).total.brackets
        assert sum(unit[2 + 2 * place] for unit in units) == 2 * brackets.matched
        assert sum(unit[3 + 2 * place] for unit in units) == brackets.gold + brackets.system


def test_the_table_has_differences_p_values_and_intervals(small):
    page = Page(small.report("html", gold_name="gold.mrg"))
    assert page.texts["title"][0] == (
        "one and two are not distinguished in F1, too few sentences to tell – jpevalb"
    )
    brackets = small.systems[0].total.brackets.gold
    assert f"2 systems against gold.mrg · 6 sentences · {brackets} gold brackets" in page.text
    one, two = small.systems
    text = page.text
    for measure in small.measures:
        difference = two[measure.name] - one[measure.name]
        scale = 1 if measure.form == "number" else 100
        shown = f"{scale * difference:+.2f}".replace("-", "−")
        p = two.p_values[measure.name]
        assert f"{shown} p = {p:.4f}" in text, measure
        low, high = (f"{scale * end:.2f}" for end in two.intervals[measure.name])
        assert f"{low} to {high}" in text
    assert small.signature in text
    assert "not corrected for the number of tests" in text


def test_labels_and_lengths(small):
    text = Page(small.report("html")).text
    for system in (SYSTEM, OTHER):
        analysis = evaluate(GOLD, system).analysis()
        found = next(item.counts for item in analysis.labels if item.label == "NP")
        assert f"{100 * found.f1:.2f}" in text[text.index("F1 by label") :]
        assert f"{100 * analysis.lengths[0].brackets.f1:.2f}" in text[text.index("F1 by length") :]


def test_labels_have_differences_with_intervals():
    gold, first = treebank_pair(30)
    second = [line.replace("(NP ", "(XP ", 1) for line in first]
    result = compare(gold, {"one": first, "two": second}, keep=True, by_label=True)
    text = Page(result.report("html")).text
    rates = [
        next(item.counts.f1 for item in evaluate(gold, one).analysis().labels if item.label == "NP")
        for one in (first, second)
    ]
    shown = f"{100 * (rates[1] - rates[0]):+.2f}".replace("-", "−")
    low, high = re.search(rf"{shown} p = 0\.\d+ (−[\d.]+) to ([−+][\d.]+)", text).groups()
    assert float(low.replace("−", "-")) < 100 * (rates[1] - rates[0]) < float(high.replace("−", "-")) < 0


def test_a_page_lists_where_errors_differ_most():
    """Of three sentences the second differs by two errors, the third by one, the first not at all."""
    gold = ["(S (A (T a)) (T b))", "(S (A (T a)) (T b))", "(S (A (T a)) (T b))"]
    one = ["(S (B (T a)) (T b))", "(S (B (T a)) (T b))", "(S (A (T a)) (T b))"]
    two = ["(S (B (T a)) (T b))", "(S (A (T a)) (T b))", "(S (T a) (T b))"]
    result = compare(gold, {"one": one, "two": two}, keep=True, metrics=("brackets",))
    for worst, listed in ((1, [1]), (2, [1, 2]), (None, [0, 1, 2])):
        data = page_data(result.report("html", worst=worst))
        assert (data["listed"], len(data["units"])) == (listed, 3)
        assert [len(rows) for rows in data["rows"]] == [len(listed)] * 2


def test_without_sentences(small):
    page = Page(compare(GOLD, SYSTEMS).report("html"))
    assert "This report was made without the sentences." in page.text
    assert (
        "Trees are drawn where the sentences are kept: without --quiet, in Python with keep=True."
        in page.text
    )
    several = Page(compare(GOLD, SYSTEMS, more_gold=[GOLD], metrics="brackets").report("html"))
    assert "With several references each sentence counts against the nearest one" in several.text
    assert page_data(compare(GOLD, SYSTEMS).report("html"))["units"] == []
    assert "F1 by label" not in page.text
    assert "F1 by label" in Page(compare(GOLD, SYSTEMS, analysis=True).report("html")).text


def test_the_command_makes_a_page_with_sentences_unless_it_is_quiet(folder, capsys):
    write_files(folder, {"gold": GOLD[:2], "a": SYSTEM[:2], "b": GOLD[:2]})

    def made(*options):
        assert main(["gold", "a", "b", "--output", "html", "--samples", "9", *options]) == 0
        text = capsys.readouterr().out
        assert "Points of F1 lost by cause" in text
        return [len(rows) for rows in page_data(text)["rows"]]

    assert (made(), made("--quiet"), made("--more-gold", "b")) == ([2, 2], [], [])
    assert main(["gold", "a", "b", "-evalb", "--output", "html", "--samples", "9"]) == 0
    assert len(page_data(capsys.readouterr().out)["units"]) == 2


def test_legacy_mode_has_scores_and_no_trees():
    gold, systems = GOLD[:3], {"one": [SYSTEM[0], GOLD[1], GOLD[2]], "two": GOLD[:3]}
    result = compare(gold, systems, settings=Params(), keep=True, test="sign")
    data = page_data(result.report("html"))
    assert [unit[:2] for unit in data["units"]] == [[0, 1], [1, 2], [2, 3]]
    assert [unit[4] == unit[5] for unit in data["units"]] == [True] * 3
    assert data["rows"] == []
    assert "has no trees to draw" in Page(result.report("html")).text


def test_trees_with_gaps_are_drawn():
    gold = [Tree.parse("(S (A a) (B b) (C c))"), parse_discbracket("(S (X 0=a 2=c) (Y 1=b))")]
    systems = {"one": gold, "two": [gold[0], parse_discbracket("(S (X 0=a 1=b) (Y 2=c))")]}
    report = compare(gold, systems, settings=discontinuous_settings(), keep=True).report("html")
    data = page_data(report)
    assert [unit[:2] for unit in data["units"]] == [[0, 1], [1, 2]]
    assert len(data["rows"]) == 2
    assert "has no trees to draw" not in report
    assert "F1 by label" in Page(report).text


@pytest.mark.parametrize("size", [1, 5])
def test_any_number_of_systems(size):
    result = compare(GOLD, [SYSTEM] * size, keep=True, test="sign" if size > 1 else None, confidence=None)
    page = Page(result.report("html"))
    assert len(page_data(result.report("html"))["names"]) == size
    assert f"{size} system" in page.text


def test_nothing_at_all():
    result = compare([], [[], []], keep=True)
    assert page_data(result.report("html"))["units"] == []
    result = compare([], [GOLD[:2], []], keep=True)
    page = page_data(result.report("html"))
    assert [unit[:2] for unit in page["units"]] == [[0, 0]]
    assert [len(rows) for rows in page["rows"]] == [2, 0]


def test_hostile_words_labels_and_names_stay_text():
    gold, system = hostile_trees(HOSTILE, HOSTILE), hostile_trees(HOSTILE[1:] + HOSTILE[:1], HOSTILE)
    names = dict(zip(HOSTILE, (system, gold, system)))
    text = compare(gold, names, keep=True, samples=9).report("html", gold_name=HOSTILE[0])
    page = Page(text)
    assert page.comments == []
    assert len(page.named("script")) == 2
    assert page.named("img") == []
    assert text.encode()
    for name in HOSTILE[:3]:
        assert name in page.text


def test_the_page_is_the_same_each_time():
    assert compared_page(12) == compared_page(12)


def test_the_command(tmp_path):
    write_files(tmp_path, {"gold": GOLD, "one": SYSTEM, "two": OTHER})
    done = jpevalb("gold", "one", "two", "--output", "html", "--out", "r.html", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    # The page has the causes of errors whether they were asked for or not.
    assert text == compare(GOLD, SYSTEMS, keep=True, analysis=True).report("html", gold_name="gold")
    done = jpevalb("gold", "one", "two", "--output", "html", "--quiet", cwd=tmp_path)
    assert page_data(done.stdout.decode())["units"] == []


def test_an_unknown_format_is_an_error(small):
    with pytest.raises(SettingsError, match="unknown output format 'htm'; expected one of text, json"):
        small.report("htm")


def test_size():
    # 2,416 sentences of three systems may take 10 MB.
    empty = len(compare([], [[], [], []], keep=True).report("html").encode())
    made = len(compared_page(120).encode())
    assert empty + (made - empty) * 2416 / 120 < 6_000_000


# -- what the page gets to show -------------------------------------------------------------------

SENTENCE = "(S (A (T a) (T b)) (B (T c)))"
FIVE = {
    "base": ["(S (A (T a) (T b)) (X (T c)))"] * 3 + [SENTENCE] * 3,
    "good": [SENTENCE] * 6,
    "worse": ["(S (X (T a) (T b) (T c)))"] * 6,
    "crossing": ["(S (A (T a)) (B (T b) (T c)))"] * 6,
    "none": ["(())"] * 6,
}


@pytest.fixture
def shown(page_content):
    """Return a function that compares and returns the content of the page."""

    def show(gold, systems, worst=None, **options):
        compare(gold, systems, **options).report("html", worst=worst)
        return dict(page_content)

    return show


def test_the_cells_of_a_table(shown):
    """15 of 18 constituents are right for the first system, of the others all, 6 of 12, 6 of 18 and none."""
    given = shown([SENTENCE] * 6, FIVE, test="sign", confidence=None, metrics="brackets")
    cells = {
        name: {row["name"]: cell for row in given["head"] for cell in [row["cells"][place]]}
        for place, name in enumerate(FIVE)
    }
    assert [cells[name]["F"]["value"] for name in FIVE] == ["83.33", "100.00", "40.00", "33.33", "0.00"]
    assert [cells[name]["P"]["value"] for name in FIVE][3:] == ["33.33", "–"]
    assert [cells[name]["F"]["best"] for name in FIVE] == [False, True, False, False, False]
    # Three sentences of six decide nothing, six do.
    apart = [cells[name]["F"]["apart"] for name in FIVE]
    assert apart[0] is None
    assert apart[1] == {"text": "+16.67", "marks": "", "p": "p = 0.2500", "real": False, "interval": ""}
    assert apart[2] == {"text": "−43.33", "marks": "*", "p": "p = 0.0312", "real": True, "interval": ""}
    assert [cells[name]["F"]["outcome"] for name in FIVE][:3] == [
        *("", "3 won, 3 tied, 0 lost", "0 won, 0 tied, 6 lost")
    ]
    assert cells["none"]["P"]["apart"] is None
    # Fewer crossing constituents are better, and where all are equal none is best.
    crossing = [cells[name]["Crossing"] for name in FIVE]
    assert [cell["best"] for cell in crossing] == [True, True, True, False, True]
    assert [cell["apart"]["text"] for cell in crossing[1:4]] == ["+0.00", "+0.00", "+1.00"]
    one = shown([SENTENCE] * 2, [[SENTENCE] * 2] * 2, test=None, confidence=None, metrics="brackets")
    (first, second) = next(row["cells"] for row in one["head"] if row["name"] == "F")
    assert (first["best"], second["apart"]["p"]) == (False, "")


def test_intervals_and_small_p_values(shown):
    gold = [SENTENCE] * 40
    systems = {"base": FIVE["base"][:1] * 20 + gold[:20], "good": gold}
    for samples, text, real in (
        (19, "p = 0.0500", False),
        (9_999, "p = 0.0001", True),
        (19_999, "p < 0.0001", True),
    ):
        given = shown(gold, systems, test="permutation", samples=samples, confidence=None, metrics="brackets")
        apart = given["head"][2]["cells"][1]["apart"]
        assert (apart["p"], apart["real"]) == (text, real)
    given = shown(gold, systems, samples=50, metrics="brackets", analysis=True, by_label=True)
    _, good = given["head"][2]["cells"]
    assert good["interval"] == "100.00 to 100.00"
    assert re.fullmatch(r"\+\d+\.\d\d to \+\d+\.\d\d", good["apart"]["interval"])
    labels = {row["name"]: row for row in given["labels"]}
    assert labels["A"]["rates"] == [(1.0, False), (1.0, False)]
    assert [best for _, best in labels["B"]["rates"]] == [False, True]
    assert labels["B"]["count"] == 40
    assert [row and row["text"] for row in labels["B"]["differences"]] == [None, "+33.33"]
    # The charts draw the same: value, interval, interval of the difference, p-value.
    (f1,) = [one for one in given["content"]["measures"] if one["name"] == "f1"]
    value, low, high, *_ = f1["systems"][0]
    assert low < value < high
    assert f1["systems"][0][3:] == [None] * 3
    assert f1["systems"][1][:3] == [1.0] * 3
    _, _, _, low, high, p = f1["systems"][1]
    assert 0 < low < 1 - value < high
    assert p < 0.05
    (drawn,) = [one for one in given["content"]["byLabel"] if one["title"] == "B"]
    assert (drawn["count"], drawn["systems"][1][0], drawn["systems"][1][5] < 0.05) == (40, 1.0, True)
    (length,) = given["content"]["byLength"]
    assert (length["title"], length["count"], length["systems"]) == ("1-10", 40, f1["systems"])


def test_which_tables_the_page_has(shown):
    gold = [SENTENCE] * 2
    given = shown(gold, [gold] * 7, test=None, confidence=None)
    assert (len(given["head"]), len(given["head"][0]["cells"])) == (9, 7)
    assert (given["kept"], given["trees"], given["gaps"], given["listed"], given["stretches"]) == (
        *(False, False, False, 0, 0),
    )
    many = [f"(S {' '.join(f'(L{n} (T w{n}))' for n in range(31))})"]
    given = shown(many, [many] * 2, test=None, confidence=None, metrics="brackets", analysis=True)
    assert len(given["labels"]) == 30
    assert given["references"] == given["groups"] == []
    systems = {name: FIVE[name] for name in ("base", "good")}
    how = {"test": None, "confidence": None, "metrics": "brackets"}
    (group,) = shown([SENTENCE] * 6, systems, analysis=True, **how)["groups"]
    assert (group["id"], group["title"]) == ("group-0", "Points of F1 lost by cause")
    (row,) = group["rows"]
    assert (row["name"], [cell["value"] for cell in row["cells"]]) == ("different label", ["16.67", "0.00"])
    scores, _ = shown([SENTENCE] * 6, systems, more_gold=[FIVE["base"]], **how)["references"]
    assert [row[0] for row in scores.rows][:2] == ["base, against reference 1", "base, against reference 2"]


def test_the_kinds_of_beads_are_listed_if_sentences_are_joined(shown):
    joined = [f"(TOP {SYSTEM[0]} {SYSTEM[1]})", *SYSTEM[2:]]
    given = shown(GOLD, {"one": SYSTEM, "joined": joined}, samples=9)
    assert ["n:1", 0, 1] in given["content"]["byBead"]
    assert shown(GOLD, {"one": SYSTEM, "two": OTHER}, samples=9)["content"]["byBead"] == []


def test_names_lose_an_ending_that_all_have(shown):
    gold = [SENTENCE]
    assert shown(gold, {"a.mrg": gold, "b.mrg": gold}, samples=9)["names"] == ["a", "b"]
    assert shown(gold, {"a.mrg": gold, "b": gold}, samples=9)["names"] == ["a.mrg", "b"]


def test_which_sentences_the_page_lists(shown):
    """The first differ by 3 errors (none, and 5 constituents of which 2 are right), the second by 4."""
    gold, other = [SENTENCE] * 2, [FIVE["worse"][0], FIVE["crossing"][0]]
    for worst, listed in ((1, [1]), (2, [0, 1])):
        given = shown(gold, [gold, other], keep=True, test=None, confidence=None, worst=worst)
        assert (given["kept"], given["trees"], given["gaps"], given["listed"], given["stretches"]) == (
            *(True, True, False, worst, 2),
        )
        assert given["content"]["listed"] == listed
        assert given["content"]["units"] == [[0, 1, 6, 6, 2, 5], [1, 2, 6, 6, 2, 6]]
    # Of equals the first.
    given = shown(gold, [gold, other[:1] * 2], keep=True, test=None, confidence=None, worst=1)
    assert (given["content"]["listed"], given["names"][0]) == ([0], "system 1")
