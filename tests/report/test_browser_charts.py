"""The charts of HTML reports in a real browser: texts, places and links of figures that the tests state."""

from __future__ import annotations

import itertools

import pytest

from jpevalb import compare, evaluate
from jpevalb.errors.causes import CAUSES as CAUSE_NAMES
from tests.support.report_pages import GOLD, SYSTEM, with_data

FIGURES = """
    const centre = (one, along = "x") => {
      const box = one.getBoundingClientRect();
      return along === "x" ? box.left + box.width / 2 : box.top + box.height / 2;
    };
    const number = (text) => Number(text.replace("−", "-"));
    /* Where a mark is on the axis that comes next, in the unit of its ticks. */
    const on = (row, mark) => {
      let axis = row;
      while (axis && !axis.matches(".axis")) axis = axis.nextElementSibling;
      const ticks = [...axis.querySelectorAll(".ticks > span")];
      const [first, last] = [ticks[0], ticks[ticks.length - 1]];
      const [from, to] = [number(first.textContent), number(last.textContent)];
      return from + (to - from) * (centre(mark) - centre(first)) / (centre(last) - centre(first));
    };
    return [...document.querySelectorAll(arguments[0] + " figure")].map((figure) => ({
      title: figure.querySelector("figcaption")?.textContent ?? "",
      ticks: [...figure.querySelectorAll(".row.axis")].map((row) =>
        [...row.querySelectorAll(".ticks > span")].map((one) => one.textContent)),
      rows: [...figure.querySelectorAll(".row:not(.axis)")].map((row) => ({
        class: row.className,
        cells: [...row.children].map((one) => one.textContent),
        real: [...row.querySelectorAll(".v")].map((one) => one.classList.contains("real")),
        links: [...row.querySelectorAll(".v a")].map((one) => one.getAttribute("href")),
        marks: [...row.querySelectorAll(".mark")].map((mark) => ({
          tip: mark.dataset.tip,
          name: mark.getAttribute("aria-label"),
          at: on(row, mark),
          system: Number(/s(\\d+)/.exec(mark.className)[1]),
          shape: mark.querySelector("svg .mk").outerHTML.replace(/ class="[^"]*"/, ""),
          filled: mark.querySelector(".filled") !== null,
          href: mark.getAttribute("href"),
          above: centre(mark, "y") - centre(mark.closest(".plot"), "y"),
        })),
        ranges: [...row.querySelectorAll(".plot > i:is(.ci, .stem)")].map((one) => {
          const box = one.getBoundingClientRect();
          const end = (x) => ({ getBoundingClientRect: () => ({ left: x, width: 0, top: 0, height: 0 }) });
          return [one.className, on(row, end(box.left)), on(row, end(box.right))];
        }),
      })),
    }));
"""


def figure(name, title, *systems, form="percent", up=True, **more):
    """A figure of the page's data; a system is its value, or also its interval, the difference's and p."""
    rows = [[*one, *[None] * (6 - len(one))] for one in systems]
    return {"name": name, "title": title, "form": form, "up": up, "systems": rows, **more}


MEASURES = [
    figure(
        *("f1", "F"),
        (0.8, 0.78, 0.82),
        (0.75, 0.73, 0.78, -0.07, -0.02, 0.01),
        (0.81, 0.8, 0.83, -0.01, 0.03, 0.3),
    ),
    figure(
        *("precision", "P"),
        (0.82, 0.8, 0.84),
        (0.78, 0.75, 0.8, -0.06, -0.02, 0.00004),
        (0.83, 0.82, 0.85, 0.002, 0.02, 0.04),
    ),
    figure(
        *("recall", "R"),
        (0.7, 0.68, 0.72),
        (0.73, 0.71, 0.75, 0.01, 0.05, 0.02),
        (0.705, 0.7, 0.72, -0.02, 0.03, 0.6),
    ),
    figure("complete_match", "Complete", (0.3,), (0.28,), (None,)),
    figure(
        *("struct_iou", "S-IoU"),
        (0.5, 0.4, 0.6),
        (0.47, 0.4, 0.5, -0.05, -0.01, 0.049),
        (0.5, 0.4, 0.6, 0.0, 0.0, 0.01),
        form="share",
    ),
    figure(
        *("average_crossing", "Crossing"),
        (1.5, 1.4, 1.6),
        (2.0, 1.8, 2.2, 0.25, 0.75, 0.001),
        (1.0, 0.8, 1.2, -0.75, -0.25, 0.002),
        form="number",
        up=False,
    ),
    figure("token_f1", "Tokens", (None,), (None,), (None,)),
]


def near(value):
    return pytest.approx(value, abs=0.2)


@pytest.fixture(scope="module")
def three():
    """A page of three systems; its tests replace the figures."""
    systems = {"one.mrg": SYSTEM, "two.mrg": GOLD[:3] + SYSTEM[3:], "three.mrg": GOLD}
    result = compare(GOLD, systems, keep=True, samples=20, analysis=True)
    return with_data(result.report("html"), tested="paired bootstrap", measures=MEASURES)


def test_marks_stand_at_their_figures(browser, three):
    """F1 and its differences; a mark is filled beyond chance, and leads to its sentences."""
    browser.open(three)
    values, apart = browser.js(FIGURES, '[data-part="forest"]')
    assert values["title"] == "F1 per cent, with 95 % interval"
    assert apart["title"] == "Difference from one points of F1, with 95 % interval"
    assert [row["cells"][0] for row in values["rows"]] == ["one", "two", "three"]
    assert [row["cells"][2] for row in values["rows"]] == ["80.00", "75.00", "81.00"]
    assert [row["cells"][2] for row in apart["rows"]] == ["baseline", "−5.00", "+1.00"]
    assert [row["real"] for row in apart["rows"]] == [[False], [True], [False]]
    marks = [mark for row in values["rows"] for mark in row["marks"]]
    assert [mark["at"] for mark in marks] == [near(80), near(75), near(81)]
    assert [mark["filled"] for mark in marks] == [True] * 3
    assert [mark["href"] for mark in marks] == [f"#sentences?pair={two}" for two in ("gold+1", "1+2", "1+3")]
    assert [row["ranges"] for row in values["rows"]] == [
        [["ci s0", near(78), near(82)]],
        [["ci s1", near(73), near(78)]],
        [["ci s2", near(80), near(83)]],
    ]
    marks = [mark for row in apart["rows"] for mark in row["marks"]]
    assert [mark["at"] for mark in marks] == [near(0), near(-5), near(1)]
    assert [mark["filled"] for mark in marks] == [True, True, False]
    assert [mark["href"] for mark in marks] == [None, "#sentences?pair=1+2", "#sentences?pair=1+3"]
    assert [row["ranges"] for row in apart["rows"]] == [
        [],
        [["ci s1", near(-7), near(-2)]],
        [["ci s2", near(-1), near(3)]],
    ]
    assert [mark["tip"] for mark in marks] == [
        "one, the baseline",
        "F1, two: 75.00\n−5.00 from one\ninterval −7.00 to −2.00\np = 0.0100",
        "F1, three: 81.00\n+1.00 from one\ninterval −1.00 to +3.00\np = 0.3000",
    ]
    how = '[data-part="forest"] .how'
    (about,) = browser.texts(how)
    assert " ".join(about.split()) == (
        "From one; filled and bold: p < 0.05, paired bootstrap, not corrected for 2 tests; "
        "hollow: not distinguished. Point at a mark for its interval and p."
    )
    shapes = "return [...document.querySelectorAll(arguments[0])].map((one) => one.matches('.filled'))"
    assert browser.js(shapes, f"{how} .mk") == [True, False]
    (axis,) = apart["ticks"]
    assert axis[0][0] == "−"
    assert axis[-1][0] == "+"
    assert "0" in axis
    # The grid has a line at every tick, a darker one at zero.
    first = "[data-part=forest] figure:last-child .row:first-of-type .g"
    lines = f"return [...document.querySelectorAll('{first}')]"
    grid = browser.js(f"{lines}.map((one) => one.classList.contains('zero'))")
    assert grid == [tick == "0" for tick in axis]


def test_other_measures_point_to_the_better_side(browser, three):
    browser.open(three)
    assert browser.texts('[data-part="measures-about"]') == [
        "two is better in recall, worse in precision (−4.00), Struct-IoU and crossing."
        " three is better in precision (+1.00) and crossing."
    ]
    (chart,) = browser.js(FIGURES, "#measures")
    head, *rows = chart["rows"]
    how = "filled and bold: p < 0.05, paired bootstrap, not corrected for 10 tests"
    assert chart["title"] == f"Difference from one points, with 95 % interval; right is better; {how}"
    assert head["cells"] == ["", "", "one", "two", "three"]
    assert [row["cells"] for row in rows] == [
        ["Precision", "", "82.00", "78.00", "83.00"],
        ["Recall", "", "70.00", "73.00", "70.50"],
        ["Complete match", "", "30.00", "28.00", "–"],
        ["Struct-IoU × 100", "", "50.00", "47.00", "50.00"],
        ["Crossing per sentence", "", "1.50", "2.00", "1.00"],
    ]
    assert [row["real"] for row in rows] == [
        [False, True, True],
        [False, True, False],
        [False, False, False],
        [False, True, True],
        [False, True, True],
    ]
    # Fewer crossing brackets are better, and the axis says so.
    assert [[mark["at"] for mark in row["marks"]] for row in rows] == [
        [near(-4), near(1)],
        [near(3), near(0.5)],
        [near(-2)],
        [near(-3), near(0)],
        [near(0.5), near(-0.5)],
    ]
    percent, crossing = chart["ticks"]
    assert percent[0][0] == crossing[-1][0] == "−"
    assert crossing[0][0] == "+"
    for row in rows:
        lanes = [mark["above"] for mark in row["marks"]]
        assert lanes in ([-8.5, 8.5], [-8.5])
        links = [mark["href"] for mark in row["marks"]]
        assert links == ["#sentences?pair=1+2", "#sentences?pair=1+3"][: len(lanes)]
        # Every range reaches around its mark.
        for name, low, high in row["ranges"]:
            (mark,) = [mark for mark in row["marks"] if name == f"ci s{mark['system']}"]
            assert min(low, high) - 0.2 <= mark["at"] <= max(low, high) + 0.2
    assert rows[0]["marks"][0]["tip"].splitlines() == [
        "Precision, two: 78.00",
        "95 % interval 75.00 to 80.00",
        "−4.00 from one",
        "interval −6.00 to −2.00",
        "p < 0.0001",
    ]
    assert rows[4]["marks"][1]["name"] == (
        "Crossing, three: 1.00; 95 % interval 0.80 to 1.20; −0.50 from one; interval −0.75 to −0.25; "
        "p = 0.0020"
    )
    assert rows[2]["marks"][0]["tip"] == "Complete match, two: 28.00\n−2.00 from one"


def test_every_system_has_a_mark_of_its_own(browser, three):
    """The same shape in every chart and in every list of names; no two systems share one."""
    many = [[0.5 + k / 100, *[None] * 5] for k in range(10)]
    names = [f"parser {k}" for k in range(10)]
    nothing = {name: [] for name in ("units", "listed", "rows", "byCause", "byLabel", "byLength")}
    browser.open(with_data(three, names=names, measures=[{**MEASURES[0], "systems": many}], **nothing))
    values, _ = browser.js(FIGURES, '[data-part="forest"]')
    shapes = [mark["shape"] for row in values["rows"] for mark in row["marks"]]
    assert len(set(shapes)) == 8
    assert shapes[8:] == shapes[:2]
    assert browser.texts('[data-part="keys"] bdi') == names[:8]
    assert browser.texts('[data-part="keys"] .mut') == ["baseline", "and 2 more"]
    assert all(one.rect["width"] > 5 for one in browser.all('[data-part="keys"] .mk'))


CAUSES = [
    figure(
        "a",
        "coordination",
        (0.05,),
        (0.08, 0.07, 0.09, 0.01, 0.05, 0.001),
        (0.05, 0.04, 0.06, -0.01, 0.01, 1.0),
        up=False,
    ),
    figure(
        "b",
        "PP attachment",
        (0.1, 0.08, 0.12),
        (0.06, 0.05, 0.07, -0.06, -0.02, 0.01),
        (0.12, 0.1, 0.14, -0.01, 0.05, 0.2),
        up=False,
    ),
    figure(
        "c",
        "unary",
        (0.02,),
        (0.0201, 0.01, 0.03, -0.001, 0.001, 0.5),
        (0.0205, 0.01, 0.03, -0.001, 0.002, 0.4),
        up=False,
    ),
    figure("d", "punctuation", (0.01,), (0.0, 0.0, 0.0, -0.02, 0.0, 0.06), (None,), up=False),
]


def test_causes_of_three_systems(browser, three):
    browser.open(with_data(three, byCause=CAUSES))
    assert browser.texts('[data-part="causes-about"]') == [
        "two loses 4.00 points less than one to PP attachment and 3.00 more to coordination."
        " Of 3 systems 2 lose most to PP attachment."
    ]
    link = browser.one('[data-part="causes-about"] a')
    assert link.get_dom_attribute("href") == "#sentences?pair=1+2&cause=PP+attachment"

    def rows():
        (chart,) = browser.js(FIGURES, "#causes")
        return chart["rows"]

    head, first, second, third, rest, total = rows()
    assert head["cells"] == ["", "", "one", "two", "three"]
    assert first["cells"] == ["PP attachment", "", "10.00", "6.00", "12.00"]
    assert second["cells"] == ["coordination", "", "5.00", "8.00", "5.00"]
    assert third["cells"] == ["punctuation", "", "1.00", "0.00", "–"]
    assert rest["cells"][:2] == ["1 more cause", "each within ±0.05 of one, none with p < 0.05"]
    assert rest["cells"][2:] == ["2.00", "2.01", "2.05"]
    assert total["cells"] == ["all = 100 − F1", "", "18.00", "16.01", "19.05"]
    assert [row["real"] for row in (first, second, third)] == [[False, True, False]] * 2 + [[False] * 3]
    pair = "#sentences?pair=1+"
    assert first["links"] == [
        f"{pair}{k}&cause=PP+attachment&who={who}" for k, who in ((2, "first"), (2, "second"), (3, "second"))
    ]
    assert third["links"] == [f"{pair}2&cause=punctuation&who=first"]
    assert [mark["href"] for mark in first["marks"]] == [f"{pair}{k}&cause=PP+attachment" for k in (2, 2, 3)]
    assert [mark["filled"] for mark in first["marks"]] == [True, True, False]
    assert [[mark["at"] for mark in row["marks"]] for row in (first, second, third)] == [
        [near(10), near(6), near(12)],
        [near(5), near(8), near(5)],
        [near(1), near(0)],
    ]
    assert [mark["above"] for mark in first["marks"]] == [-11, 0, 11]
    # A stroke from the baseline's mark to each other one, drawn through beyond chance.
    assert first["ranges"] == [["stem real s1", near(6), near(10)], ["stem s2", near(10), near(12)]]
    # A note is as quiet as others.
    colour = "return getComputedStyle(document.querySelector(arguments[0])).color"
    assert browser.js(colour, "#causes .row.sum :nth-child(2)") == browser.js(colour, "#causes .sub")
    about = "return document.querySelector('#causes .row:not(.head) .term').dataset.tip"
    assert browser.js(about) == "A prepositional phrase is attached to another node than in gold."
    more = "#causes button.show"
    assert browser.one(more).get_attribute("aria-expanded") == "false"
    browser.click(more)
    assert [row["cells"][0] for row in rows()] == [
        *("", "PP attachment", "coordination", "punctuation", "unary", "fewer causes", "all = 100 − F1")
    ]
    assert rows()[-2]["cells"] == ["fewer causes", *[""] * 4]
    assert browser.one(more).get_attribute("aria-expanded") == "true"
    assert browser.js("return document.activeElement.textContent") == "fewer causes"
    browser.click(more)
    assert len(rows()) == 6
    # By points lost: all of at most twelve.
    browser.click(more)
    browser.js("arguments[0].click()", browser.one('[name="causes-sort"][value="lost"]'))
    assert [row["cells"][0] for row in rows()] == [
        *("", "PP attachment", "coordination", "unary", "punctuation", "all = 100 − F1")
    ]
    browser.open(with_data(three, byCause=CAUSES[:1] + CAUSES[2:3], tested=None))
    assert rows()[-2]["cells"][1] == "each within ±0.05 of one"
    assert browser.texts('[data-part="causes-about"]') == [
        "two loses 3.00 points more than one to coordination."
        " All three lose most to coordination, 5.00 to 8.00 points."
    ]
    browser.open(with_data(three, byCause=CAUSES[2:3]))
    assert browser.texts('[data-part="causes-about"]') == [
        "No cause differs (p < 0.05). All three lose most to unary, 2.00 to 2.05 points."
    ]


LINES = """
    const plot = document.querySelector(arguments[0] + " .lines");
    const box = plot.getBoundingClientRect();
    const top = (one) => one.getBoundingClientRect().top;
    const levels = [...plot.querySelectorAll(".level")].map((one) => [Number(one.textContent), top(one)]);
    const [low, high] = [levels[0], levels[levels.length - 1]];
    const value = (y) => low[0] + (high[0] - low[0]) * (y - low[1]) / (high[1] - low[1]);
    const across = (one) => {
      const own = one.getBoundingClientRect();
      return 100 * (own.left + own.width / 2 - box.left) / box.width;
    };
    const bins = [...document.querySelectorAll(arguments[0] + " .bins > span")];
    const marks = [...plot.querySelectorAll(".mark")].map((mark) => {
      const own = mark.getBoundingClientRect();
      return {
        at: value(own.top + own.height / 2),
        x: across(mark),
        tip: mark.dataset.tip,
        href: mark.getAttribute("href"),
        filled: mark.querySelector(".filled") !== null,
        system: Number(/s(\\d+)/.exec(mark.getAttribute("class"))[1]),
      };
    });
    const line = (one) => {
      const found = ["x1", "y1", "x2", "y2"].map((name) => Number(one.getAttribute(name)));
      return [one.getAttribute("class"), found[0], value(box.top + box.height * found[1] / 100), found[2],
        value(box.top + box.height * found[3] / 100)];
    };
    return {
      marks,
      bins: bins.map((one) => {
        const link = one.querySelector("a");
        const of = (name) => link?.getAttribute(name) ?? null;
        return [one.textContent, of("href"), of("aria-label")];
      }),
      middles: bins.map(across),
      paths: [...plot.querySelectorAll(".path")].map(line),
      whiskers: [...plot.querySelectorAll(".wh")].map(line),
      notes: [...plot.querySelectorAll(".ann")].map((one) => one.textContent),
      ends: [...plot.querySelectorAll(".end")].map((one) => [one.textContent, top(one)]),
    };
"""

LENGTHS = [
    figure(
        "l1",
        "1-10",
        (0.9, 0.85, 0.95),
        (0.85, 0.8, 0.9, -0.08, -0.02, 0.01),
        (0.91, 0.9, 0.92, 0.001, 0.02, 0.04),
        count=40,
    ),
    figure(
        "l2",
        "11-20",
        (0.8, 0.7, 0.85),
        (0.72, 0.7, 0.75, -0.1, -0.06, 0.001),
        (0.8, 0.7, 0.9, -0.1, 0.1, 1.0),
        count=1100,
    ),
    figure("l3", "61+", (0.7,), (None,), (0.71,), count=1),
]


def test_f1_by_length_of_three_systems(browser, three):
    browser.open(with_data(three, byLength=LENGTHS))
    assert browser.texts('[data-part="lengths-about"]') == [
        "two loses at 1–10 words (−5.00) and 11–20 words (−8.00); three gains at 1–10 words (+1.00)."
    ]
    assert browser.texts('[data-part="lengths"] .how') == [
        "Hollow and dashed: fewer than 30 sentences. Below: words of the sentence, and number of sentences."
    ]
    chart = browser.js(LINES, '[data-part="lengths"]')
    pair = "#sentences?pair=1+"
    assert chart["bins"] == [
        ["1–1040", f"{pair}2&length=1-10", "1–10: 40 sentences, show them"],
        ["11–201,100", f"{pair}2&length=11-20", "11–20: 1,100 sentences, show them"],
        ["61+1", f"{pair}2&length=61%2B", "61+: 1 sentence, show them"],
    ]
    assert chart["middles"] == [near(100 / 6), near(50), near(500 / 6)]
    marks = chart["marks"]
    assert [(mark["system"], mark["at"]) for mark in marks] == [
        *((0, near(90)), (0, near(80)), (0, near(70)), (1, near(85)), (1, near(72))),
        *((2, near(91)), (2, near(80)), (2, near(71))),
    ]
    assert [mark["filled"] for mark in marks] == [True, True, False, True, True, True, False, False]
    # The marks of a bin are beside each other, in the order of the systems.
    first, second, third = ([mark["x"] for mark in marks if mark["system"] == k] for k in range(3))
    assert second == [near(100 / 6), near(50)]
    assert first == [near(x - 2) for x in chart["middles"]]
    assert third == [near(x + 2) for x in chart["middles"]]
    assert marks[3]["href"] == f"{pair}2&length=1-10"
    assert marks[5]["href"] == f"{pair}3&length=1-10"
    assert chart["notes"] == ["−8.00"]
    # Lines lead from mark to mark; thin ones where a bin has few sentences.
    assert chart["paths"] == [
        ["path s0", near(first[0]), near(90), near(first[1]), near(80)],
        ["path s0 thin", near(first[1]), near(80), near(first[2]), near(70)],
        ["path s1", near(second[0]), near(85), near(second[1]), near(72)],
        ["path s2", near(third[0]), near(91), near(third[1]), near(80)],
        ["path s2 thin", near(third[1]), near(80), near(third[2]), near(71)],
    ]
    assert [(name, low, high) for name, _, low, _, high in chart["whiskers"]] == [
        *(("wh s0", near(85), near(95)), ("wh s0", near(70), near(85))),
        *(("wh s1", near(80), near(90)), ("wh s1", near(70), near(75))),
        *(("wh s2", near(90), near(92)), ("wh s2", near(70), near(90))),
    ]
    # The names at the ends keep apart, the best one on top.
    names, tops = zip(*chart["ends"])
    assert names == ("two", "three", "one")
    assert all(below - above >= 15.9 for above, below in itertools.pairwise(tops))


LABELS = [
    figure(
        "n",
        "NP",
        (0.8,),
        (0.75, 0.7, 0.8, -0.08, -0.02, 0.01),
        (0.82, 0.8, 0.84, -0.01, 0.05, 0.3),
        count=1500,
    ),
    figure("v", "VP", (0.7,), (0.78, 0.7, 0.8, 0.03, 0.12, 0.01), (None,), count=300),
    figure("x", "X", (0.1,), (0.9, 0.8, 0.9, 0.7, 0.9, 0.001), (0.1,), count=18),
    figure("s", "S", (0.6,), (0.6, 0.5, 0.7, -0.1, 0.1, 1.0), (0.66, 0.6, 0.7, 0.01, 0.1, 0.02), count=19),
]


def test_labels_and_beads_of_three_systems(browser, three):
    beads = [["1:1", 5, 1234, 6], ["n:1", 0, 2, 1], ["gold only", 0, 0, 0]]
    browser.open(with_data(three, byLabel=LABELS, byBead=beads))
    about = "two gains at VP, and loses at NP; three gains at S."
    assert browser.texts('[data-part="labels-about"]') == [about]
    gains = [{**LABELS[1], "name": name, "title": name} for name in "ABCDE"]
    browser.open(with_data(three, byLabel=gains))
    assert browser.texts('[data-part="labels-about"]') == ["two gains at A, B and C."]
    browser.open(with_data(three, byLabel=LABELS, byBead=beads))
    (chart,) = browser.js(FIGURES, "#labels")
    head, *rows = chart["rows"]
    assert head["cells"] == ["", "", "one"]
    title = "Difference from one points of F1, with 95 % interval; label, times in gold; "
    assert chart["title"] == title + "filled and bold: p < 0.05, paired bootstrap, not corrected for 6 tests"
    # Labels of less than a hundredth of the brackets are left out; the largest difference comes first.
    assert [row["cells"][0] for row in rows] == ["VP 300", "S 19", "NP 1,500"]
    assert [row["cells"][2] for row in rows] == ["70.00", "60.00", "80.00"]
    assert [[mark["at"] for mark in row["marks"]] for row in rows] == [
        [near(8)],
        [near(0), near(6)],
        [near(-5), near(2)],
    ]
    filled = [[mark["filled"] for mark in row["marks"]] for row in rows]
    assert filled == [[True], [False, True], [True, False]]
    assert rows[2]["ranges"] == [["ci s1", near(-8), near(-2)], ["ci s2", near(-1), near(5)]]
    assert [mark["above"] for mark in rows[2]["marks"]] == [-7, 7]
    pair = "#sentences?pair=1+"
    assert [mark["href"] for mark in rows[2]["marks"]] == [f"{pair}2&label=NP", f"{pair}3&label=NP"]
    assert rows[2]["links"] == [f"{pair}2&label=NP&who=first"]
    name = browser.one("#labels .v a").get_attribute("aria-label")
    assert name == "VP by one, F1 70.00: show the sentences with errors"
    assert browser.one("#beads").is_displayed()
    assert browser.texts("#beads thead th") == ["Gold : system", "one", "two", "three"]
    assert browser.texts("#beads tbody tr") == ["1:151,2346", "n:1021"]
    links = "return [...document.querySelectorAll('#beads td a')].map((one) => one.getAttribute('href'))"
    assert browser.js(links) == [
        f"{pair}2&bead=1%3A1&who=first",
        f"{pair}2&bead=1%3A1&who=second",
        f"{pair}3&bead=1%3A1&who=second",
        f"{pair}2&bead=n%3A1&who=second",
        f"{pair}3&bead=n%3A1&who=second",
    ]
    assert browser.one('#beads a[aria-label="n:1 by three: show 1 sentence"]').text == "1"
    browser.open(with_data(three, byLabel=LABELS[3:], byLength=LENGTHS[2:], byBead=[]))
    assert not browser.one("#beads").is_displayed()
    assert browser.texts('[data-part="lengths-about"]') == ["No difference has p < 0.05."]


def test_a_tip_stays_in_the_window_and_over_its_mark(browser, three):
    browser.open(three)
    box = (
        "const box = arguments[0].getBoundingClientRect(); return [box.left, box.right, box.top, box.bottom];"
    )
    tip = browser.one(".tip")
    for mark in (browser.all('[data-part="forest"] .mark')[1], browser.all("#measures .mark")[0]):
        browser.js("arguments[0].scrollIntoView({ block: 'center' })", mark)
        browser.hover(mark)
        assert tip.text == mark.get_attribute("data-tip")
        left, right, top, bottom = browser.js(box, tip)
        own_left, own_right, own_top, _ = browser.js(box, mark)
        assert (left + right) / 2 == near((own_left + own_right) / 2)
        assert own_top - 12 < bottom <= own_top
    browser.hover(browser.one("h1"))
    assert not tip.is_displayed()
    # At the edge of a narrow window, and below a mark at its top.
    browser.open(three, width=390)
    browser.js("document.body.prepend(arguments[0])", browser.one('[data-part="keys"]'))
    for place in ("left: -10px", "right: -10px"):
        browser.js(
            "const mark = document.querySelector('#measures .mark');"
            "mark.style.cssText = `position: fixed; top: 0; ${arguments[0]}`; mark.focus();",
            place,
        )
        left, right, top, _ = browser.js(box, browser.one(".tip"))
        assert 5 < left < right < 386
        assert top > 10


def checkpoints(three, names, values, **more):
    rows = [
        [value, value - 0.01, value + 0.01, *([None] * 3 if not k else [-0.1, -0.01, 0.01])]
        for k, value in enumerate(values)
    ]
    nothing = {name: [] for name in ("units", "listed", "rows", "byCause", "byLabel", "byLength")}
    return with_data(three, names=names, measures=[{**MEASURES[0], "systems": rows}], **nothing, **more)


def test_learning_curves_of_two_trainings(browser, three):
    names = ["big-10", "big-2", "big-1", "small_4", "small_8", "small_6", "last"]
    browser.open(checkpoints(three, names, [0.8, 0.85, 0.6, 0.5, 0.7, 0.7, 0.9]))
    assert browser.texts('[data-part="curve"] .sub') == [
        "big is best at 2 (85.00); small is best at 6 (70.00)."
    ]
    chart = browser.js(LINES, '[data-part="curve"]')
    assert [text for text, *_ in chart["bins"]] == ["1", "2", "4", "6", "8", "10"]
    places = [4 + 92 * (at - 1) / 9 for at in (1, 2, 4, 6, 8, 10)]
    assert chart["middles"] == [near(place) for place in places]
    assert [(mark["system"], mark["at"]) for mark in chart["marks"]] == [
        *((2, near(60)), (1, near(85)), (0, near(80)), (3, near(50)), (5, near(70)), (4, near(70)))
    ]
    assert [mark["x"] for mark in chart["marks"]] == [near(places[i] - 1) for i in (0, 1, 5)] + [
        near(places[i] + 1) for i in (2, 3, 4)
    ]
    assert [name for name, _ in chart["ends"]] == ["big", "small"]
    assert chart["marks"][1]["href"] == "#sentences?pair=1+2"
    assert chart["marks"][2]["href"] == "#sentences?pair=gold+1"
    assert len(chart["whiskers"]) == 6
    # Groups name the curves; numbers that occur twice in a name, or two alone, make none.
    browser.open(checkpoints(three, ["a1", "b2", "c3"], [0.5, 0.6, 0.7], groups={"runs": ["a1", "b2", "c3"]}))
    assert browser.texts('[data-part="curve"] .sub') == ["runs is best at 3 (70.00)."]
    for other in (["a1", "a2", "b1"], ["a1", "a1", "a2"], ["a", "b", "c"]):
        browser.open(checkpoints(three, other, [0.5, 0.6, 0.7]))
        assert not browser.one('[data-part="curve"]').is_displayed()
    browser.open(checkpoints(three, ["1", "2", "3"], [0.5, 0.6, 0.7]))
    assert browser.texts('[data-part="curve"] .sub') == ["F1 is best at 3 (70.00)."]


def test_one_system_and_two(browser, three):
    one = compare(GOLD, {"one.mrg": SYSTEM}, keep=True, analysis=True, test=None).report("html")
    measures = [{**measure, "systems": measure["systems"][:1]} for measure in MEASURES]
    causes = [{**cause, "systems": cause["systems"][:1]} for cause in CAUSES]
    browser.open(with_data(one, measures=measures, byCause=causes))
    (chart,) = browser.js(FIGURES, '[data-part="forest"]')
    assert [row["cells"] for row in chart["rows"]] == [["one", "", "80.00"]]
    assert chart["rows"][0]["marks"][0]["href"] == "#sentences?pair=gold+1"
    assert browser.texts('[data-part="forest"] .how') == []
    assert browser.texts('[data-part="measures-about"]') == [""]
    assert browser.one("#measures details").get_attribute("open") is not None
    assert browser.texts('[data-part="causes-about"]') == ["one loses most to PP attachment, 10.00 points."]
    (chart,) = browser.js(FIGURES, "#causes")
    assert [row["cells"] for row in chart["rows"]] == [
        ["", "", "one"],
        *(["PP attachment", "", "10.00"], ["coordination", "", "5.00"], ["unary", "", "2.00"]),
        *(["punctuation", "", "1.00"], ["all = 100 − F1", "", "18.00"]),
    ]
    assert chart["rows"][1]["ranges"] == [["stem real s0", near(0), near(10)]]
    assert chart["rows"][1]["links"] == ["#sentences?pair=gold+1&cause=PP+attachment&who=second"]
    assert not browser.one('[data-part="labels"]').is_displayed()
    assert browser.one("#labels details").get_attribute("open") is not None
    assert browser.texts('[data-part="title"]') == ["Sentences"]
    result = compare(GOLD, {"a": SYSTEM, "b": GOLD}, keep=True, analysis=True, test=None, confidence=None)
    two = [
        figure(
            measure["name"],
            measure["title"],
            *([row[0]] for row in measure["systems"][:2]),
            form=measure["form"],
            up=measure["up"],
        )
        for measure in MEASURES
    ]
    causes = [
        figure("", cause["title"], *([row[0]] for row in cause["systems"][:2]), up=False)
        for cause in CAUSES[:1]
    ]
    browser.open(with_data(result.report("html"), measures=two, byCause=causes, confidence=None, tested=None))
    assert browser.texts('[data-part="measures-about"]') == ["The differences were not tested."]
    assert browser.texts('[data-part="causes-about"]') == [
        "Both lose most to coordination, 5.00 to 8.00 points."
    ]
    values, apart = browser.js(FIGURES, '[data-part="forest"]')
    assert values["title"] == "F1 per cent"
    assert values["rows"][0]["ranges"] == []
    assert apart["rows"][1]["marks"][0]["tip"] == "F1, b: 75.00\n−5.00 from a"
    assert browser.texts('[data-part="forest"] .how') == []


def test_more_systems_than_columns(browser, three):
    names = [f"p{k}" for k in range(7)]
    rows = [
        [0.8, None, None, None, None, None],
        *[[0.8 + k / 100, None, None, k / 100 - 0.02, k / 100 + 0.02, 0.5 / k**2] for k in range(1, 7)],
    ]
    measures = [{**MEASURES[0], "systems": rows}, {**MEASURES[1], "systems": rows}]
    nothing = {name: [] for name in ("units", "listed", "rows", "byLabel", "byLength")}
    browser.open(
        with_data(three, names=names, measures=measures, byCause=[{**CAUSES[0], "systems": rows}], **nothing)
    )
    assert browser.texts('[data-part="measures-about"]') == [
        "p1 differs in none (p < 0.05). p2 differs in none (p < 0.05)."
        " p3 differs in none (p < 0.05)."
        " The table has the other 3."
    ]
    (chart,) = browser.js(FIGURES, "#measures")
    (_, row) = chart["rows"]
    assert row["cells"] == ["Precision", "", *[f"{80 + k}.00" for k in range(7)]]
    assert [mark["at"] for mark in row["marks"]] == [near(k) for k in range(1, 7)]
    assert [mark["filled"] for mark in row["marks"]] == [False] * 3 + [True] * 3
    lanes = [mark["above"] for mark in row["marks"]]
    assert lanes == [pytest.approx(9 * (k - 2.5), abs=0.6) for k in range(6)]
    better = [[0.7, *[None] * 5], *[[0.8, 0.7, 0.9, 0.03, 0.12, 0.01]] * 6]
    labels = {"byLabel": [{**LABELS[1], "systems": better}]}
    page = with_data(three, names=names, measures=measures, byCause=[], **{**nothing, **labels})
    browser.open(page)
    about = "p1 gains at VP; p2 gains at VP; p3 gains at VP."
    assert browser.texts('[data-part="labels-about"]') == [about]
    browser.open(
        with_data(three, names=names, measures=measures, byCause=[{**CAUSES[0], "systems": rows}], **nothing)
    )
    (chart,) = browser.js(FIGURES, "#causes")
    values = [f"{80 + k}.00" for k in range(7)]
    assert [row["cells"] for row in chart["rows"]] == [
        ["", "", *names],
        ["coordination", "", *values],
        ["all = 100 − F1", "", *values],
    ]
    assert browser.texts('[data-part="causes-about"]')[0].endswith(
        "All 7 lose most to coordination, 80.00 to 86.00 points."
    )


# -- one system: lengths, labels, Struct-IoU ------------------------------------------------------


@pytest.fixture(scope="module")
def single():
    return evaluate(GOLD, SYSTEM).report("html")


def test_lengths_of_one_system(browser, single):
    lengths = [
        *(["1-10", 40, 0.9, 0.85, 0.95], ["11-20", 1200, 0.8, 0.75, 0.85]),
        *(["21-30", 5, 0.95, None, None], ["31-40", 0, None, None, None]),
    ]
    groups = {"length-0": [1], "length-1": [2], "length-2": [1, 2]}
    browser.open(with_data(single, byLength=lengths, groups=groups))
    chart = browser.js(LINES, '[data-part="lengths"]')
    link = "#sentences?length="
    assert chart["bins"] == [
        ["1–1040", f"{link}1-10", "1–10: 40 sentences, show them"],
        ["11–201,200", f"{link}11-20", "11–20: 1,200 sentences, show them"],
        ["21–305", f"{link}21-30", "21–30: 5 sentences, show them"],
        ["31–400", None, None],
    ]
    assert chart["middles"] == [near(100 * (k + 0.5) / 4) for k in range(4)]
    assert [(mark["x"], mark["at"], mark["filled"], mark["href"]) for mark in chart["marks"]] == [
        (near(100 * (k + 0.5) / 4), near(at), at != 95, f"{link}{lengths[k][0]}")
        for k, at in enumerate((90, 80, 95))
    ]
    assert [mark["tip"] for mark in chart["marks"]] == [
        "F1, 1–10 words: 90.00\n95 % interval 85.00 to 95.00\n40 sentences",
        "F1, 11–20 words: 80.00\n95 % interval 75.00 to 85.00\n1,200 sentences",
        "F1, 21–30 words: 95.00\n5 sentences",
    ]
    assert [name for name, *_ in chart["paths"]] == ["path s0", "path s0 thin"]
    assert len(chart["whiskers"]) == 2
    about = "F1 by length with 95 % interval; words of the sentence, number of sentences"
    assert browser.texts('[data-part="lengths"] figcaption') == [about]
    browser.open(with_data(single, byLength=lengths[3:]))
    assert browser.all('[data-part="lengths"] figure') == []


def test_labels_of_one_system(browser, single):
    labels = [
        *(["NP", 1000, 0.8, 0.9, 0.85, 0.8, 0.9, 300], ["VP", 100, 0.75, 0.7, 0.72, None, None, 40]),
        *(["S", 12, None, 0.5, None, None, None, 3], ["X", 11, 0.1, 0.9, 0.2, None, None, 9]),
        ["Y", 200, 0.5, 0.5, 0.5, 0.4, 0.6, 400],
    ]
    groups = {"missed-3": [1, 2], "extra-3": [4], "missed-0": [1]}
    about = {"missed-3": ["NP", ""], "extra-3": ["", "NP"], "missed-0": ["VP", ""], "extra-0": ["", "VP"]}
    browser.open(with_data(single, byLabel=labels, groups=groups, about=about))
    (chart,) = browser.js(FIGURES, '[data-part="labels"]')
    head, *rows = chart["rows"]
    assert head["cells"] == ["", "", "recall", "precision", "F1"]
    # A label of less than a hundredth of the brackets is left out, and one without F1.
    assert [row["cells"][0] for row in rows] == ["Y 200", "VP 100", "NP 1,000"]
    assert [row["cells"][2:] for row in rows] == [
        *(["50.00", "50.00", "50.00"], ["75.00", "70.00", "72.00"], ["80.00", "90.00", "85.00"]),
    ]
    assert [[(mark["at"], mark["href"]) for mark in row["marks"]] for row in rows] == [
        [(near(50), None)],
        [(near(72), "#sentences?missed=VP")],
        [(near(85), "#sentences?missed=NP")],
    ]
    assert [row["ranges"] for row in rows] == [
        *([["ci s0", near(40), near(60)]], [], [["ci s0", near(80), near(90)]]),
    ]
    assert rows[2]["marks"][0]["tip"] == (
        "NP: 85.00\n95 % interval 80.00 to 90.00\nrecall 80.00, precision 90.00"
    )
    names = '[data-part="labels"] .nm b'
    for order, expected in (("most errors", ["Y", "NP", "VP"]), ("frequent", ["NP", "Y", "VP"])):
        browser.js("arguments[0].click()", browser.one(f'input[name="labels-sort"][value="{order}"]'))
        assert browser.texts(names) == expected
    many = [[f"L{k}", 50, 0.5, 0.5, 0.5, None, None, 9] for k in range(10)]
    browser.open(with_data(single, byLabel=many))
    assert len(browser.all('[data-part="labels"] .row')) == 1 + 8 + 1
    browser.open(with_data(single, byLabel=labels[2:3]))
    assert not browser.one('[data-part="labels"]').is_displayed()


def test_figures_and_causes_of_one_system(browser, single):
    figures = [
        ["Brackets", "F1", "", 0.6415, 0.6288, 0.6541, 0.66],
        ["Trees", "Struct-IoU", "× 100", 0.8583, None, None, None],
    ]
    causes = [
        *(["PP attachment", 0.2, 0.18, 0.22, 0.25, 40, 9], ["unary", 0.1, None, None, 0.11, 20, 12]),
        *[[f"cause {k}", 0.01, None, None, 0.01, 2, 1] for k in range(9)],
    ]
    browser.open(with_data(single, figures=figures, byCause=causes, groups={}))
    (chart,) = browser.js(FIGURES, '[data-part="figures"]')
    assert [row["cells"] for row in chart["rows"]] == [
        ["", "", "all", "95 % interval", "≤ 40 words"],
        ["Brackets", ""],
        ["F1", "", "64.15", "62.88 to 65.41", "66.00"],
        ["Trees", ""],
        ["Struct-IoU × 100", "", "85.83", "", "–"],
    ]
    assert chart["ticks"] == [["0", "20", "40", "60", "80", "100"]]
    (chart,) = browser.js(FIGURES, '[data-part="causes"]')
    rows = [row["cells"] for row in chart["rows"]]
    assert rows[1] == ["PP attachment", "", "20.00", "+25.00", "40", "9"]
    assert rows[-2:] == [
        ["2 more causes", "each at most 1.00", "2.00", "", "4", ""],
        ["all = 100 − F1", "", "39.00", "", "78", ""],
    ]
    assert chart["rows"][1]["ranges"][0] == ["ci over s0", near(18), near(22)]
    browser.click('[data-part="causes"] .row.sum button')
    assert len(browser.all('[data-part="causes"] .hb')) == 11
    browser.js("arguments[0].click()", browser.one('input[name="causes-sort"][value="sentences"]'))
    assert browser.texts('[data-part="causes"] .row:nth-child(2) .nm') == ["unary"]


def test_plots_of_a_page_without_sentences_lead_nowhere(browser):
    browser.open(evaluate(GOLD, SYSTEM).report("html", quiet=True))
    assert browser.all('[data-part="lengths"] .mark') != []
    assert browser.all('[data-part="lengths"] a, [data-part="labels"] a') == []


def test_drawings_are_hidden_or_have_a_name(browser, single, three):
    """A mark of a system fills its own drawing, which readers of the page aloud leave out."""
    for page in (single, three):
        browser.open(page, address="#sentence-1")
        found = browser.js("""
            const bare = [...document.querySelectorAll("svg")].filter((one) =>
              one.getAttribute("aria-hidden") !== "true" && !one.matches("[aria-label], [aria-labelledby]"));
            const box = (one) => one.getBoundingClientRect();
            const marks = [...document.querySelectorAll(".mk")].filter((one) => one.getClientRects().length);
            const off = marks.filter((one) => {
              const [own, room] = [box(one), box(one.ownerSVGElement)];
              return own.width < room.width / 2 || own.left < room.left || own.right > room.right ||
                own.top < room.top || own.bottom > room.bottom;
            });
            return [bare.map((one) => one.outerHTML), off.map((one) => one.outerHTML), marks.length > 0];
        """)
        assert found == [[], [], True]


# -- terms -------------------------------------------------------------------------------------


def test_every_cause_and_figure_is_explained(browser, single, three):
    for page in (single, three):
        browser.open(with_data(page, causes=list(CAUSE_NAMES)))
        listed = browser.texts("footer .terms dt")
        assert listed[-len(CAUSE_NAMES) :] == list(CAUSE_NAMES)
        texts = browser.texts("footer .terms dd")[-len(CAUSE_NAMES) :]
        assert len(set(texts)) == len(texts)
        assert all(text[0].isupper() and text.endswith(".") for text in texts)
        terms = dict(zip(CAUSE_NAMES, texts))
        where = ".causes tbody th" if page is single else "#causes .systems tbody th"
        shown = [
            (one.get_attribute("textContent").strip(), one.get_attribute("data-tip"))
            for one in browser.all(where)
        ]
        assert shown
        assert all(tip == terms[name] for name, tip in shown)
    browser.open(single)
    heads = [one.get_attribute("textContent").strip() for one in browser.all("thead th[data-term]")]
    assert set(heads) == {"S-IoU", "NodeAcc", "Crossing", "Beads", "Cause", "F1"}
    # The page grows where a cause's first sentence comes into sight, and scrolling hides a tip.
    browser.js("document.getElementById('explained').scrollIntoView()")
    browser.wait(lambda: browser.all("#explained svg.trees[width]"))
    browser.select("sort", "0")
    browser.hover(next(one for one in browser.all("#sentences thead th[data-tip]") if one.text == "S-IoU"))
    assert (
        browser.one(".tip").text == "Overlap of the words of aligned nodes over their union, from 0 to 100."
    )
