"""The sentences of several systems in a real browser: what is counted, chosen, plotted and sorted."""

from __future__ import annotations

import math
import random

import pytest

from jpevalb import compare, evaluate
from tests.benchmarks.treebank import perturb_parse
from tests.support.report_pages import GOLD, SYSTEM, TV_WAR, WAR, treebank_pair, with_data

SECOND = [SYSTEM[0], *GOLD[1:3], *SYSTEM[3:]]


@pytest.fixture(scope="module")
def three():
    systems = {"one.mrg": SYSTEM, "two <b>.mrg": SECOND, "three.mrg": GOLD}
    return compare(GOLD, systems, keep=True, samples=20, analysis=True).report("html")


def choose(browser, selector, value):
    browser.js(
        "arguments[0].value = arguments[1];"
        "arguments[0].dispatchEvent(new Event('change', { bubbles: true }));",
        browser.one(selector),
        value,
    )


# Of each sentence matched and all brackets, by system: F1 of one and two, three is always right.
UNITS = [
    *([0, 1, 8, 10, 10, 10, 5, 5], [1, 2, 4, 5, 6, 6, 5, 5], [2, 3, 5, 5, 1, 2, 5, 5]),
    *([3, 4, 1, 2, 2, 4, 5, 5], [4, 5, 0, 0, 0, 0, 0, 0], [5, 6, 1, 4, 3, 4, 5, 5]),
]

DOTS = """
    return [...document.querySelectorAll("circle.dot")].map((one) => [
      one.getAttribute("class"), one.getAttribute("cx"), one.getAttribute("cy"), one.r.baseVal.value,
      one.querySelector("title").textContent]);
"""


def test_f1_of_two_systems_as_a_plot(browser, three):
    browser.open(with_data(three, units=UNITS))
    assert browser.all("circle.dot") == []
    browser.click("#scatter > summary")
    browser.wait(lambda: browser.all("circle.dot"))

    def dot(name, x, y, count):
        title = f"{count} sentence{'s' if count > 1 else ''}: {100 * x:.2f}, {100 * y:.2f}"
        return [
            f"dot {name}",
            f"{100 * x:g}%",
            f"{100 - 100 * y:g}%",
            pytest.approx(2.6 + math.sqrt(count)),
            title,
        ]

    assert browser.js(DOTS) == [
        *(dot("s1", 0.8, 1, 2), dot("s0", 1, 0.5, 1), dot("tied", 0.5, 0.5, 1), dot("s1", 0.25, 0.75, 1))
    ]
    assert browser.texts(".outcome .part") == [
        "3 two <b> better 60.0 %",
        "1 equal 20.0 %",
        "1 two <b> worse 20.0 %",
    ]
    assert browser.texts(".outcome > p") == ["1 sentence without a constituent on either side has no F1."]
    fills = "return [...document.querySelectorAll('.outcome .fill')].map((one) => one.width.baseVal.value)"
    assert browser.js(fills) == [60, 20, 20]
    about = "F1 of two <b> from the bottom up, by that of one from left to right"
    assert browser.texts("#scatter figcaption") == [about]
    # The grid and the line of equal F1 fit the dots.
    ticks = """
        const plot = document.querySelector("#scatter .xy");
        const box = plot.getBoundingClientRect();
        return [".level", ".x-tick"].map((name) => [...plot.querySelectorAll(name)].map((one) => {
          const own = one.getBoundingClientRect();
          const [x, y] = [own.left - box.left, own.top - box.top];
          return [Number(one.textContent), x, y, own.width, box.width, box.height];
        }));
    """
    levels, across = browser.js(ticks)
    for tick, _, top, _, _, height in levels:
        assert top == pytest.approx(height * (1 - tick / 100), abs=1)
    for tick, left, _, own, width, _ in across:
        assert left + own / 2 == pytest.approx(width * tick / 100, abs=1)
    line = """const one = document.querySelector('line.equal');
        return ['x1', 'y1', 'x2', 'y2'].map((name) => one.getAttribute(name));"""
    assert browser.js(line) == ["0", "100%", "100%", "0"]
    click = (
        "document.querySelectorAll('circle.dot')[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )
    browser.js(click)
    assert sorted(browser.numbers()) == [1, 2]
    assert browser.texts(".chip bdi") == ["F1 80.00 and 100.00"]
    assert browser.js("return location.hash") == "#sentences?pair=1+2&dot=8000+10000"
    browser.click(".chip button")
    assert sorted(browser.numbers()) == [1, 2, 3, 4, 5, 6]
    browser.click('[data-show="tied"]')
    assert browser.numbers() == [4]
    assert browser.js("return location.hash") == "#sentences?show=tied"
    # Against gold nobody is better; all sentences with F1 count.
    choose(browser, '[data-part="first"]', "-1")
    assert browser.texts(".outcome .part") == [
        "0 two <b> better 0.0 %",
        "2 equal 40.0 %",
        "3 two <b> worse 60.0 %",
    ]
    assert browser.js(DOTS)[0][:3] == ["dot tied", "100%", "0%"]


def test_what_can_be_chosen(browser, three):
    browser.open(with_data(three, units=UNITS))

    def options(part):
        one = browser.one(f'[data-part="{part}"]')
        return browser.js(
            "return [[...arguments[0].options].map((one) => one.text), arguments[0].value]", one
        )

    assert options("first") == [["gold", "one", "three"], "0"]
    assert options("second") == [["two <b>", "three"], "1"]
    assert options("filters") == [
        [
            *("all sentences", "where both differ", "two <b> better than one", "two <b> worse than one"),
            *("two <b> as good as one", "both with errors"),
        ],
        "all",
    ]
    assert browser.texts('[data-part="title"]') == ["Where one and two <b> differ most"]
    assert browser.texts('[data-part="first-name"], [data-part="second-name"]') == ["one", "two <b>"]
    choose(browser, '[data-part="filters"]', "worse")
    assert options("filters")[1] == "worse"
    assert browser.numbers() == [3]
    choose(browser, '[data-part="cause"]', "PP attachment")
    assert browser.js("return location.hash") == "#sentences?pair=1+2&cause=PP+attachment&show=worse"
    assert options("who") == [
        [
            *(
                "by either",
                "by one",
                "by two <b>",
                "by one, not by two <b>",
                "by two <b>, not by one",
                "by both",
            ),
        ],
        "",
    ]
    choose(browser, '[data-part="filters"]', "all")
    choose(browser, '[data-part="second"]', "2")
    choose(browser, '[data-part="first"]', "1")
    assert options("second") == [["one", "three"], "2"]
    assert browser.js("return document.activeElement.dataset.part") == "first"
    choose(browser, '[data-part="first"]', "-1")
    assert options("first") == [["gold", "one", "two <b>"], "-1"]
    assert options("filters") == [["all sentences", "with errors", "without errors"], "all"]
    assert browser.texts('[data-part="title"]') == ["Where three differs from gold"]
    assert browser.texts('[data-part="first-name"]') == ["gold"]
    assert browser.all('[data-part="who"]') == []
    # What an address asks for wrongly is left out.
    for asked in ("pair=2+2", "pair=1+gold", "pair=1+9", "pair=1", "pair=x+2", "show=none", "sort=none"):
        browser.open(with_data(three, units=UNITS), address=f"#sentences?{asked}")
        assert (options("first")[1], options("second")[1], options("filters")[1]) == ("0", "1", "all"), asked


def test_errors_at_a_label(browser, three):
    """Missed and extra constituents of a label, counted sentence by sentence for the chosen two."""
    systems = (SYSTEM, SECOND, GOLD)
    expected = {}
    for system in systems:
        for sentence in evaluate(GOLD, system).sentences:
            wrong = [one.label.partition("-")[0] for one in (*sentence.missed, *sentence.extra)]
            for label in ("NP", "VP", "ADVP"):
                expected.setdefault(label, {}).setdefault(sentence.number, []).append(wrong.count(label))
    for label, counts in expected.items():
        browser.open(three, address=f"#sentences?pair=1+2&label={label}")
        wanted = {number: row for number, row in counts.items() if row[0] or row[1]}
        order = sorted(wanted, key=lambda number: (-abs(wanted[number][1] - wanted[number][0]), number))
        assert browser.numbers() == order
        assert len(order) > 1
        for number in order:
            shown = browser.texts(f"#sentence-{number} .c-wrong")
            assert shown == [str(one) for one in wanted[number][:2]]
            difference = wanted[number][1] - wanted[number][0]
            (apart,) = browser.texts(f"#sentence-{number} .c-apart")
            assert apart == (f"{difference:+d}".replace("-", "−") if difference else "0")
    choose(browser, '[data-part="who"]', "first-only")
    assert browser.numbers() == [number for number in order if wanted[number][0] and not wanted[number][1]]


def test_a_sentence_of_a_list_of_systems(browser, three):
    browser.open(three)
    browser.click('th[data-key="number"] button')
    strip = browser.one("#sentence-3 .c-strip .plot")
    texts = strip.get_attribute("aria-label").split(", ")
    assert [text.rsplit(" ", 1)[0] for text in texts] == ["one", "two <b>", "three"]
    assert texts[1:] == ["two <b> 100.00", "three 100.00"]
    f1 = float(texts[0].split()[-1])
    own = next(one for one in evaluate(GOLD, SYSTEM).sentences if one.number == 3)
    assert f1 == pytest.approx(100 * own.record.brackets.f1, abs=0.005)
    assert strip.get_attribute("data-tip").split("\n") == texts
    places = """
        const box = arguments[0].getBoundingClientRect();
        return [...arguments[0].querySelectorAll(".mark")].map((one) => {
          const own = one.getBoundingClientRect();
          return [100 * (own.left + own.width / 2 - box.left) / box.width, own.top - box.top];
        });
    """
    (x, top), (x2, middle), (x3, bottom) = browser.js(places, strip)
    assert (x, x2, x3) == (pytest.approx(f1, abs=1), pytest.approx(100, abs=1), pytest.approx(100, abs=1))
    assert top < middle < bottom
    browser.toggle(3)
    assert browser.texts("#pair-3 .side-name") == ["one", "two <b>"]
    first, second = browser.texts("#pair-3 .sides .side")
    errors = len(own.missed) + len(own.extra)
    assert first.startswith(f"one{100 * own.record.brackets.f1:.2f}{errors} brackets wrong, ")
    assert second == "every bracket as in gold100.00two <b>"
    first, second = browser.all("#pair-3 .pair-choice select")
    shown = "return [...arguments[0].options].map((one) => one.text)"
    assert browser.js(shown, first) == ["gold", "one", "three"]
    assert browser.js(shown, second) == ["two <b>", "three"]
    assert [one.get_property("value") for one in (first, second)] == ["0", "1"]
    choose(browser, "#pair-3 .pair-choice select:nth-of-type(2)", "2")
    assert browser.texts("#pair-3 .side-name") == ["one", "three"]
    choose(browser, "#pair-3 .pair-choice select:nth-of-type(1)", "-1")
    assert browser.texts("#pair-3 .side-name") == ["gold", "three"]
    assert browser.js("return location.hash").startswith("#sentences?pair=gold+3")
    assert browser.texts("#pair-3 .sides .side")[0] == "goldsentence 3"


def test_a_system_without_a_sentence(browser):
    """A system without words for a gold sentence has no tree, and its errors are all of gold's brackets."""
    result = compare(GOLD[:3], {"short": GOLD[:2], "all": GOLD[:3]}, keep=True, samples=20, analysis=True)
    browser.open(result.report("html"), address="#sentence-3")
    assert browser.texts("#pair-3 .side-name") == ["short", "all"]
    assert browser.texts("#pair-3 .sides .side") == [
        "short0.005 brackets wrong, 1 repair",
        "every bracket as in gold100.00all",
    ]
    assert browser.texts("#pair-3 .side.gold .node") == []
    assert browser.texts("#pair-3 .node.right:not(.tag) > text") != []


YOU = "(S (NP (N you)) (VP (V go) (ADVP (R now))))"
JOINED = {
    "the second has no second sentence": (
        {"joined": [f"(TOP {WAR} {YOU})"], "short": [WAR]},
        [["we", "saw", "a", "war", "on", "tv", "you", "go", "now"], ["we", "saw", "a", "war", "on", "tv"]],
        [
            ["S", "NP", "VP", "NP", "PP", "NP", "✓ S", "✓ NP", "✓ VP", "✓ ADVP"],
            ["S", "NP", "VP", "NP", "PP", "NP"],
        ],
        [26, 17],
        [["we saw … tv", "you", "go", "now"], ["we saw … tv"]],
        ["you is aligned with no word of short.", "now is aligned with no word of short."],
    ),
    "the first has no second sentence": (
        {"short": [TV_WAR], "joined": [f"(TOP {TV_WAR} {YOU})"]},
        [["we", "saw", "a", "war", "on", "tv"], ["we", "saw", "a", "war", "on", "tv", "you", "go", "now"]],
        [
            ["S", "NP", "VP", "NP", "NP", "PP", "NP"],
            ["S", "NP", "VP", "NP", "NP", "PP", "NP", "✓ S", "✓ NP", "✓ VP", "✓ ADVP"],
        ],
        [18, 27],
        [["we", "saw a … tv"], ["we", "saw a … tv", "you", "go", "now"]],
        ["no word of short is aligned with you.", "no word of short is aligned with now."],
    ),
    "the second has no first sentence": (
        {"joined": [f"(TOP {WAR} {YOU})"], "late": ["(())", YOU]},
        [["we", "saw", "a", "war", "on", "tv", "you", "go", "now"], ["you", "go", "now"]],
        [
            ["✓ S", "✓ NP", "✓ VP", "✓ NP", "✓ PP", "✓ NP", "S", "NP", "VP", "ADVP"],
            ["S", "NP", "VP", "ADVP"],
        ],
        [26, 9],
        [["we", "saw", "a", "war", "on", "tv", "you go now"], ["you go now"]],
        ["you is the same on both sides.", "now is the same on both sides."],
    ),
    "the second has two sentences": (
        {
            "joined": [f"(TOP {WAR} {YOU})"],
            "split": [TV_WAR.replace("N tv", "M tv"), YOU.replace("ADVP", "NP")],
        },
        [["we", "saw", "a", "war", "on", "tv", "you", "go", "now"], []],
        [
            ["S", "NP", "VP", "NP", "PP", "NP", "S", "NP", "VP", "✓ ADVP"],
            ["S", "NP", "VP", "✗ NP", "NP", "PP", "NP", "S", "NP", "VP", "✗ NP"],
        ],
        [26, 27],
        [["we", "saw", "a war", "on", "tv", "you", "go", "now"], []],
        ["you is the same on both sides.", "now is the same on both sides."],
    ),
}
PAIR = """
    const panel = document.querySelector("#pair-2");
    const sides = ["gold", "system"];
    const texts = (selector) => [...panel.querySelectorAll(selector)].map((one) => one.textContent);
    const reading = (text) => {
      const word = [...panel.querySelectorAll(".word")].find((one) => one.textContent === text);
      word?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      return panel.querySelector(".reading").textContent;
    };
    return {
      words: sides.map((side) => [...panel.querySelectorAll(`.side.${side} .word`)]
        .map((one) => one.firstChild.textContent)),
      nodes: sides.map((side) => texts(`.side.${side} .node:not(.tag) > text`)),
      edges: sides.map((side) => panel.querySelectorAll(`.side.${side} .edge`).length),
      tags: sides.map((side) => texts(`.side.${side} .node.other-tag > text`)),
      readings: [reading("you"), reading("now")],
      ends: [panel.querySelector(".word"), [...panel.querySelectorAll(".word")].at(-1)]
        .map((one) => reading(one.textContent)),
    };
"""


@pytest.mark.parametrize("name", JOINED)
def test_trees_of_several_sentences(browser, name):
    """Trees are joined below a node that is not drawn; one system may have no words for a sentence."""
    systems, words, nodes, edges, folded, readings = JOINED[name]
    result = compare([WAR, YOU], systems, keep=True, samples=20, analysis=True)
    browser.open(result.report("html"))
    assert browser.texts("tr.sentence .opener") == ["1–2"]
    browser.toggle(2)
    tags = [["! N"], ["! M"]] if "split" in systems else [[], []]
    expected = {"words": words, "nodes": nodes, "edges": edges, "tags": tags, "readings": readings}
    state = browser.js(PAIR)
    assert {key: state[key] for key in expected} == expected
    if name == "the second has no first sentence":
        assert state["ends"][0] == "we is aligned with no word of late."
    browser.click("#pair-2 .tools button")
    state = browser.js(PAIR)
    assert state["words"] == folded
    if name == "the second has no first sentence":
        same = "you go now is the same on both sides."
        assert state["ends"] == ["we is aligned with no word of late.", same]
    else:
        assert state["readings"] == readings
    assert browser.errors() == []


def test_the_same_label_at_two_places(browser):
    """Constituents are the same with the same label over the same words; tags are aligned by their words."""
    gold = "(S (NP (D a) (N b)) (V c) (NP (D d) (N e)))"
    one, two = "(S (NP (D a) (N b)) (V c) (D d) (N e))", "(S (D a) (X b) (V c) (NP (D d) (N e)))"
    result = compare(
        [gold], {"one": [one], "two": [two], "three": [gold]}, keep=True, samples=20, analysis=True
    )
    browser.open(result.report("html"), address="#sentences?pair=1+2&sentence=1")
    texts = [browser.texts(f"#pair-1 .side.{side} .node:not(.tag) > text") for side in ("gold", "system")]
    assert texts == [["S", "✓ NP"], ["S", "✓ NP"]]
    tags = [browser.texts(f"#pair-1 .side.{side} .node.other-tag > text") for side in ("gold", "system")]
    assert tags == [["! N"], ["! X"]]
    for node, linked in ((2, ["D"]), (3, ["! X"]), (4, ["V"])):
        element = browser.one(f'#pair-1 .node[data-side="gold"][data-node="{node}"]')
        browser.js("arguments[0].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))", element)
        assert browser.texts("#pair-1 .node.linked > text") == linked
    # What mends a system is shown for systems with errors only.
    assert browser.texts("#pair-1 .rep-h") == ["What mends one", "What mends two"]
    browser.open(result.report("html"), address="#sentences?pair=1+3&sentence=1")
    assert browser.texts("#pair-1 .rep-h") == ["What mends one"]
    # The address holds what was asked for, and nothing else.
    browser.open(result.report("html"), address="#sentences?pair=1+3&show=better")
    assert browser.numbers() == [1]
    browser.toggle(1)
    assert browser.js("return location.hash") == "#sentences?pair=1+3&show=better&sentence=1"


def test_the_plot_of_two_systems_is_drawn_when_it_is_opened(browser):
    result = compare(GOLD[:3], {"one": SYSTEM[:3], "two": GOLD[:3]}, keep=True, samples=20, analysis=True)
    browser.open(result.report("html"), address="#sentences?show=better")
    assert browser.all("circle.dot") == []
    browser.click("#scatter > summary")
    browser.wait(lambda: browser.all("circle.dot"))
    shown = "[...document.querySelector('[data-part=\"outcome\"]').childNodes]"
    assert browser.js(f"return {shown}.map((one) => one.nodeName)") == ["BUTTON"] * 3


def test_a_search_marks_its_words_in_an_open_sentence(browser):
    """Without a search the moved phrases are marked, in an open sentence."""
    result = compare([WAR], {"one": [TV_WAR], "two": [WAR]}, keep=True, samples=20, analysis=True)
    browser.open(result.report("html"), address="#sentence-1")
    marks = "#sentence-1 .words mark"
    assert browser.texts(marks) == ["1on tv"]
    browser.type("war")
    browser.wait(lambda: browser.texts(marks) == ["war"])
    assert browser.all("#pair-1")


def test_many_systems_are_ranked_with_groups(browser):
    """The best comes first; letters are those of the comparison; any system is the reference."""
    gold, _ = treebank_pair(60)
    rng = random.Random(8)
    systems = {
        f"s{k}.mrg": [perturb_parse(line, rng) if rng.random() < k / 7 else line for line in gold]
        for k in range(7)
    }
    found = compare(gold, {name: systems[name] for name in sorted(systems, reverse=True)}, keep=True)
    browser.open(found.report("html"))
    rows = '[data-part="forest"] .row:not(.head, .axis)'
    order = [one.name.removesuffix(".mrg") for one in found.ranked]
    assert browser.texts(f"{rows} .nm") == order
    letters = {name.removesuffix(".mrg"): letter for name, letter in found.letters.items()}
    assert browser.texts(f"{rows} .group-letters span") == [letters[name] for name in order]
    assert browser.texts(f"{rows} .v.big") == [f"{100 * one['f1']:.2f}" for one in found.ranked]
    # Filled and bold after Holm's correction only.
    corrected = {frozenset(pair.systems): pair.corrected["f1"] for pair in found.pairs}

    def bold(one):
        pairs = [frozenset((f"{name}.mrg", f"{one}.mrg")) for name in order]
        return [corrected.get(pair, 1) < 0.05 for pair in pairs]

    real = (
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.children[6].matches('.real'))"
    )
    assert browser.js(real, rows) == bold(order[0])
    place = [system.name for system in found.systems].index(f"{order[3]}.mrg")
    browser.js(
        "const one = document.querySelector('[data-part=forest] select'); one.value = arguments[0];"
        "one.dispatchEvent(new Event('change'));",
        place,
    )
    assert browser.js(real, rows) == bold(order[3])
    assert browser.texts('[data-part="forest"] .head .v')[4] == f"from {order[3]}"
    browser.js("arguments[0].click()", browser.one('input[name="systems-sort"][value="given"]'))
    assert browser.texts(f"{rows} .nm") == [system.name.removesuffix(".mrg") for system in found.systems]
    # The matrix has all pairs; those not distinguished are listed with their intervals.
    assert len(browser.all(".matrix td.number")) == len(found.pairs) == 21
    alike = [pair for pair in found.pairs if pair.corrected["f1"] >= 0.05]
    assert len(browser.all(".matrix .alike")) == len(alike)
    assert len(browser.all("#apart table:not(.matrix) tbody tr")) == len(alike)


def test_the_order_of_the_command_line_or_of_a_figure(browser):
    gold, _ = treebank_pair(40)
    rng = random.Random(5)
    systems = {name: [perturb_parse(line, rng) for line in gold] for name in ("a", "b", "c")}
    found = compare(gold, systems, keep=True, samples=100)
    names = '[data-part="forest"] figure:first-child .row:not(.axis) .nm'
    browser.open(found.report("html"))
    assert browser.texts(names) == ["a", "b", "c"]
    for sort in ("F", "R"):
        figure = {"F": "f1", "R": "recall"}[sort]
        browser.open(found.report("html", sort=sort))
        assert browser.texts(names) == [
            one.name for one in sorted(found.systems, key=lambda one: -one[figure])
        ]
