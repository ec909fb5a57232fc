"""The page of one system in a real browser: its list, joined and split sentences, layouts."""

from __future__ import annotations

import itertools
import re

import pytest

from jpevalb import evaluate
from tests.support.report_pages import made_page, page_data, treebank_pair

# The system joins the first two sentences and splits the fourth; brackets cross both ends.
ENDS_GOLD = [
    "(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))))",
    "(S (NP (N rain)) (VP (V fell) (ADV hard)))",
    "(S (NP (N nobody)) (VP (V answered)))",
    "(S (NP (N we)) (VP (V wait) (PP (P for) (NP (A better) (N weather)))))",
]
ENDS_SYSTEM = [
    "(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog) (N rain)) (X (V fell) (ADV hard))))",
    "(S (NP (N nobody)) (VP (V answered)))",
    "(S (NP (N we)) (VP (V wait) (P for)))",
    "(S (NP (A better) (N weather)))",
]


HOLES = """
    return [...document.querySelectorAll('.stretch')].flatMap((pair) => {
        const cards = [...pair.children].filter((one) => one.checkVisibility());
        const tall = new Map();
        for (const card of cards) {
            const { top, height } = card.getBoundingClientRect();
            tall.set(Math.round(top), [...(tall.get(Math.round(top)) ?? []), Math.round(height)]);
        }
        const unequal = [...tall.values()].filter((some) => new Set(some).size > 1);
        const hole = cards.filter((card) => {
            const inside = [...card.querySelectorAll('*')].filter((one) => one.checkVisibility());
            const last = Math.max(...inside.map((one) => one.getBoundingClientRect().bottom));
            return card.getBoundingClientRect().bottom - last > 70;
        });
        const end = cards[cards.length - 1].getBoundingClientRect().right;
        const empty = pair.getBoundingClientRect().right - end > 8 ? ["nothing beside the last card"] : [];
        return [...unequal.map(String), ...hole.map((one) => one.outerHTML.slice(0, 80)), ...empty];
    })
"""


@pytest.fixture(scope="module")
def made():
    return made_page(80)


@pytest.fixture(scope="module")
def ends():
    return evaluate(ENDS_GOLD, ENDS_SYSTEM).report("html", system_name="parser.mrg")


def test_one_joined_and_one_split_sentence_are_drawn(browser, ends, made):
    browser.open(ends)
    cards = "[data-part=examples] > .card"
    assert browser.texts(f"{cards} h3") == ["Joined by the system", "Split by the system"]
    browser.js("document.querySelector('[data-part=examples]').scrollIntoView()")
    browser.wait(lambda: len(browser.all(f"{cards} svg.trees .break")) >= 2)
    assert browser.texts(f"{cards} .crumb span") == [
        *("gold sentences 1–2", "system sentence 1", "F1 16.67"),
        *("gold sentence 4", "system sentences 3–4", "F1 40.00"),
    ]
    assert len(browser.all("[data-part=ends] .row:not(.axis)")) == 3
    browser.open(made)  # sentences end as in gold
    assert not browser.all("#words")
    assert "Words and sentence ends are gold’s" in browser.one("main").text


def test_a_page_without_joined_sentences_has_no_empty_card(browser):
    browser.open(evaluate(["(S (A a) (B bc))"], ["(S (A a) (B b) (C c))"]).report("html"))
    assert not browser.one("[data-part=ends]").is_displayed()
    cards = browser.js(
        "return [...document.querySelectorAll('#words .card')].filter((one) => one.checkVisibility()).length"
    )
    assert cards == 1


def test_choices_of_the_list_work_together(browser, made):
    data = page_data(made)
    groups = {name: set(itertools.accumulate(steps)) for name, steps in data["groups"].items()}
    browser.open(made)
    browser.select("cause", "cause-1")
    browser.select("length", "length-2")
    browser.select("filters", "tags")
    tags = {row["number"] for row in data["rows"] if row["correctTags"] < row["tags"]}
    wanted = groups["cause-1"] & groups["length-2"] & tags
    assert 1 < len(wanted) < len(groups["cause-1"])
    assert set(browser.numbers()) == wanted
    cause = data["byCause"][1][0]
    assert set(browser.texts("td.c-cause a")) == {cause}
    costs = [int(text) for text in browser.texts("td.c-cause span")]
    assert costs == sorted(costs, reverse=True)
    address = browser.js("return location.hash")
    assert f"cause={cause.replace(' ', '-')}&length={data['byLength'][2][0]}" in address
    shown = browser.numbers()
    browser.open(made, address=address)
    assert browser.numbers() == shown
    values = [browser.one(f'[data-part="{part}"]').get_attribute("value") for part in ("cause", "length")]
    assert values == ["cause-1", "length-2"]
    browser.select("cause", "")
    browser.select("filters", "all")
    assert set(browser.numbers()) == groups["length-2"]
    browser.select("length", "")
    assert len(browser.numbers()) == 50


def test_the_cause_of_a_row_is_a_link(browser, made):
    browser.open(made)
    link = browser.one("td.c-cause a")
    cause, number = link.text, browser.numbers()[0]
    link.click()
    assert browser.js("return location.hash") == f"#sentences?cause={cause.replace(' ', '-')}"
    assert number in browser.numbers()
    assert not browser.all("tr.detail")  # the link does not open the row


def test_the_list_says_how_many_sentences_have_errors(browser):
    gold, system = treebank_pair(40)
    result = evaluate(gold, system)
    browser.open(result.report("html", worst=5))
    wrong = sorted([one.record.brackets.wrong() for one in result.sentences], reverse=True)
    some = sum(count > 0 for count in wrong)
    half = next(k for k in range(1, 41) if 2 * sum(wrong[:k]) >= sum(wrong))
    text = f"{some} of 40 have errors; half of all wrong brackets are in the {half} worst."
    assert text in browser.texts("#sentences .sub")
    # The shares are those of all sentences, not of the five that are listed.
    assert "of 40 sentences" in browser.one("#causes .sub").text


def test_paper_has_the_late_drawings_and_no_controls(browser, ends):
    """Drawings wait until they are seen; a page that is printed at once has them, too."""
    browser.open(ends, width=1280, height=300)
    drawn = "return document.querySelectorAll('[data-part=examples] svg.trees').length"
    assert browser.js(drawn) == 0
    browser.driver.execute_cdp_cmd("Page.printToPDF", {})
    assert browser.js(drawn) == 2
    assert browser.all("#explained svg.trees")
    browser.media("print")
    for selector in (".segments", ".steps", ".controls", ".cite button"):
        assert browser.all(f"main {selector}")
        assert not any(one.is_displayed() for one in browser.all(f"main {selector}")), selector


@pytest.mark.parametrize("width", [1440, 1024, 768, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cards_beside_each_other_are_equally_high_and_full(browser, ends, made, width, scheme):
    for page in (made, ends):
        browser.open(page, width=width)
        browser.media(prefers_color_scheme=scheme)
        assert browser.js("return document.documentElement.scrollWidth") <= width
        assert browser.js(HOLES) == []


def test_a_row_has_two_lines_on_a_narrow_screen(browser, made):
    browser.open(made, width=768)
    text, wrong, f1 = (
        browser.js("return arguments[0].getBoundingClientRect().toJSON()", browser.one(f"tr.sentence {name}"))
        for name in (".text", ".c-errors", ".c-f1")
    )
    assert text["top"] >= max(wrong["bottom"], f1["bottom"]) - 1
    assert abs(wrong["top"] + wrong["height"] / 2 - f1["top"] - f1["height"] / 2) < 2
    assert text["width"] > 600
    name = "return getComputedStyle(document.querySelector('td.c-errors'), '::before').content"
    assert "attr(data-name)" in browser.js(name) or "wrong" in browser.js(name)


def test_a_pair_that_does_not_fit_is_one_tree_with_a_switch(browser, made):
    wide = max(page_data(made)["rows"], key=lambda row: row["length"])["number"]
    for width, switched in ((1440, False), (600, True)):
        browser.open(made, address=f"#sentence-{wide}", width=width)
        assert bool(browser.all(f"#pair-{wide} .sides-switch")) == switched
        assert bool(browser.all(f"#pair-{wide} .side.gold .node")) != switched
    browser.open(made, address=f"#sentence-{wide}", width=760)
    size = browser.js(
        f"const one = document.querySelector('#pair-{wide} svg.trees').viewBox.baseVal; return one.width"
    )
    drawn = browser.all(f"#pair-{wide} .sides-switch")
    assert drawn or 0.65 * size <= 760 - 80
    if drawn:
        browser.js("arguments[0].click()", browser.one(f'#pair-{wide} .sides-switch input[value="gold"]'))
        assert browser.all(f"#pair-{wide} .side.gold .node")


def test_without_the_script_no_card_is_empty(browser, ends, made):
    for page in (ends, made):
        text = page[: page.rindex("<script>")].replace("<html", '<html data-ready="true"', 1)
        browser.open(text)
        cards = browser.js("""return [...document.querySelectorAll("main .card")]
            .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())""")
        assert len(cards) > 5
        assert all(cards)


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_a_long_name_stays_in_the_page(browser, width):
    name = "a_parser_with_a_very_long_name_" * 4 + ".mrg"
    browser.open(evaluate(ENDS_GOLD, ENDS_SYSTEM).report("html", system_name=name), width=width)
    assert browser.js("return document.documentElement.scrollWidth") <= width
    browser.js("location.hash = '#sentence-1'")
    browser.wait(lambda: browser.all("#pair-1 svg.trees .node"))
    assert browser.js("return document.documentElement.scrollWidth") <= width
    assert browser.one("#theme").is_displayed()


def test_a_figure_has_one_name_and_one_unit(browser, ends, made):
    for page in (ends, made):
        browser.open(page)
        browser.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        groups = {}
        for group, name in browser.js("""
            return [...document.querySelectorAll(".figures")].flatMap((table) =>
              [...table.querySelectorAll("tbody th")].map((th) => [table.caption.innerText, th.textContent]))
        """):
            groups.setdefault(group, []).append(name)
        assert all(len(names) == len(set(names)) for names in groups.values())
        names = [name for group in groups.values() for name in group]
        assert "Sentence F1" not in names
        assert len([name for name in names if name.startswith("Sentence-mean F1")]) == 1
        # Rates are times 100 everywhere.
        assert not re.findall(r"(?<![\d.])0\.\d{3,}", browser.one("main").text)


@pytest.mark.parametrize(
    ("gold", "system", "headline"),
    [
        (ENDS_GOLD, ENDS_GOLD, "parser gives every bracket of gold"),
        (["(S (A a) (B b))"], ["(T (A a) (B b))"], "parser has no bracket of gold"),
        (["(S (A a) (B b))"], ["(S (A a) (B b))"], "parser gives every bracket of gold"),
    ],
)
def test_pages_at_the_edges_have_no_nonsense(browser, gold, system, headline):
    """No value above 100, no signed zero, no undefined text, and no axis without room."""
    browser.open(evaluate(gold, system).report("html", system_name="parser.mrg"))
    assert browser.one("h1").text == headline
    text = browser.one("main").text
    assert not re.findall(r"NaN|undefined|null|Infinity|[+−]0\.00|\b1(?:01|10)\b", text)
    for at in browser.texts("main :is(.ticks, .level) span"):
        assert 0 <= float(at) <= 100
    assert browser.js(HOLES) == []
