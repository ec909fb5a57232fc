"""HTML reports in a real browser: chromium, driven by selenium.

Skipped where there is no browser; on a machine with ``CI`` set that is a failure.
"""

from __future__ import annotations

import itertools
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jpevalb import compare, evaluate
from jpevalb.report.html_data import groups_data
from jpevalb.settings.params import Params
from jpevalb.trees.tree import Tree
from tests.support import gapped
from tests.support.browser import Browser
from tests.support.random_trees import trees
from tests.support.report_pages import (
    GOLD,
    HOSTILE,
    SYSTEM,
    compared_page,
    hostile_trees,
    made_page,
    page_data,
    treebank_pair,
    words_of,
)
from tests.support.with_gaps import evaluate_with_gaps


@pytest.fixture(scope="module")
def made():
    return made_page(120)


@pytest.fixture(scope="module")
def small():
    return evaluate(GOLD, SYSTEM).report("html")


@pytest.fixture(scope="module")
def compared():
    return compared_page(80)


BY_NUMBER = "#sentences?sort=number"


def worst_first(page: str) -> list[int]:
    """The numbers of the sentences in the order of the list: wrong brackets, then length, then number."""
    rows = page_data(page)["rows"]
    wrong = {row["number"]: row["gold"] + row["system"] - 2 * row["matched"] for row in rows}
    length = {row["number"]: row["length"] for row in rows}
    return sorted(wrong, key=lambda number: (-wrong[number], length[number], number))


def node(side: str, number: int) -> str:
    return f'.node[data-side="{side}"][data-node="{number}"]'


# -- the page -------------------------------------------------------------------


def test_opens_without_errors_and_without_a_request(browser, made):
    browser.open(made)
    assert browser.js("return performance.getEntriesByType('resource').length") == 0
    assert browser.status() == "120 sentences · showing 1–50, most wrong brackets first"
    assert browser.numbers() == worst_first(made)[:50]
    assert browser.js("return document.images.length") == 0


def test_the_policy_stops_what_is_not_the_page_s_own(browser, made):
    browser.open(made)
    stopped = browser.driver.execute_async_script("""
        const done = arguments[0];
        const stopped = [];
        addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        const answer = () => done([...stopped, window.ran ?? null]);
        fetch("http://127.0.0.1:9/").catch(() => setTimeout(answer, 50));
    """)
    assert sorted(map(str, stopped)) == ["None", "connect-src", "script-src-elem"]
    assert len(browser.errors()) >= 2  # what was stopped is told, and nothing else


@pytest.mark.parametrize("page", ["made", "compared"])
def test_every_control_has_a_name(browser, request, page):
    browser.open(request.getfixturevalue(page), address="#sentence-1")
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {
        "button",
        "link",
        "searchbox",
        "textbox",
        "combobox",
        "radio",
        "spinbutton",
        "table",
        "region",
        "group",
    }
    seen = set()
    for item in nodes:
        role = item.get("role", {}).get("value")
        if role in roles and not item.get("ignored"):
            seen.add(role)
            if role != "group":
                assert item.get("name", {}).get("value", "").strip(), item
    assert {"button", "link", "searchbox", "combobox", "radio", "spinbutton", "table"} <= seen
    # A table has a caption, an interval is a picture with a text.
    pictures = [
        item for item in nodes if item.get("role", {}).get("value") == "image" and not item["ignored"]
    ]
    assert pictures
    assert all(item["name"]["value"] for item in pictures)


@pytest.fixture(scope="module")
def pages(made, compared):
    """A page of each kind."""
    return {
        "made": made,
        "compared": compared,
        "gaps": evaluate_with_gaps(gapped.GOLD, gapped.SYSTEM).report("html"),
        "quiet": made_page(20, quiet=True),
        "without trees": compare(GOLD, {"a": SYSTEM, "b": GOLD}, settings=Params(), keep=True).report("html"),
        "nothing": evaluate([], []).report("html"),
    }


PAGES = ["made", "compared", "gaps", "quiet", "without trees", "nothing"]


@pytest.mark.parametrize("name", PAGES)
def test_landmarks_and_headers_have_names_of_their_own(browser, pages, name):
    """As axe's rules landmark-unique and empty-table-header ask for it."""
    browser.open(pages[name], address="#sentence-1")
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    marks = ("banner", "main", "contentinfo", "navigation", "region", "search", "form", "complementary")
    found = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node.get("ignored") and node["role"]["value"] in marks
    ]
    assert len(found) == len(set(found))
    assert ("main", "") in found
    assert all(text.strip() for text in browser.texts("th"))


@pytest.mark.parametrize("name", PAGES)
def test_axe_has_no_finding(browser, pages, name):
    """Every rule of axe-core, light and dark, wide and narrow."""
    axe = os.environ.get("AXE_CORE")
    if not axe or not Path(axe).is_file():
        pytest.skip("AXE_CORE does not name axe.min.js of the npm package axe-core")
    script = Path(axe).read_text(encoding="utf-8")
    for width, scheme in itertools.product((1280, 390), ("light", "dark")):
        browser.open(pages[name], address="#sentence-1", width=width)
        browser.media(prefers_color_scheme=scheme)
        browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
        found = browser.driver.execute_async_script("""
            const done = arguments[0];
            const of = (found) => [found.id, ...found.nodes.map((node) => node.html.slice(0, 200))];
            axe.run().then((found) => done(found.violations.map(of)), (error) => done(String(error)));
        """)
        assert found == []


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_never_wider_than_the_window(browser, made, width):
    browser.open(made, width=width)
    browser.toggle(3)
    assert browser.js("return document.documentElement.scrollWidth") <= width


def test_quiet_page(browser):
    browser.open(made_page(20, quiet=True))
    assert browser.all("tr.sentence") == []


def test_light_and_dark(browser, made):
    colour = "return getComputedStyle(document.body).backgroundColor"
    browser.open(made)
    browser.media(prefers_color_scheme="light")
    light = browser.js(colour)
    browser.media(prefers_color_scheme="dark")
    dark = browser.js(colour)
    assert light != dark
    button = browser.one("#theme")
    assert "auto" in button.get_attribute("aria-label")
    button.click()
    assert (browser.js(colour), button.text) == (light, "Light")
    button.click()
    assert (browser.js(colour), button.text) == (dark, "Dark")
    button.click()
    assert button.text == "Auto"


@pytest.mark.parametrize("page", ["small", "compared"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(browser, request, scheme, page):
    browser.open(request.getfixturevalue(page), address="#sentence-1")
    browser.media(prefers_color_scheme=scheme)
    browser.wait(lambda: browser.all(".node"))
    found = browser.js(
        """
        const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
        const rgb = (colour) => {
          canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const light = (colour) => {
          const linear = (c) => (c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
          const [r, g, b] = colour.map((c) => linear(c / 255));
          return .2126 * r + .7152 * g + .0722 * b;
        };
        const ground = (element) => {
          if (element.closest("g.node")) {
            const fill = rgb(getComputedStyle(element.closest("g.node").querySelector(".shape")).fill);
            if (fill[3] === 255) return fill;
          }
          for (let one = element; one; one = one.parentElement) {
            const colour = rgb(getComputedStyle(one).backgroundColor);
            if (colour[3] === 255) return colour;
          }
        };
        const low = [];
        for (const selector of arguments[0]) {
          for (const element of document.querySelectorAll(selector)) {
            const style = getComputedStyle(element);
            const ink = rgb(element instanceof SVGElement ? style.fill : style.color);
            const [a, b] = [light(ink), light(ground(element))].sort((x, y) => y - x);
            if ((a + .05) / (b + .05) < 4.5) low.push([selector, element.textContent, (a + .05) / (b + .05)]);
          }
        }
        return low;
    """,
        [
            "h1, h2, h3, th, td, dt, dd, nav a, .legend li, .badge, .show",
            ".sub, .status, .about, .hint, .counts, .count, .light",
            ".value, .detail-line, .marks, .facts li, .low, .choice",
            ".node > text, .node .badge-number",
            ".word",
        ],
    )
    assert found == []


@pytest.mark.parametrize("page", ["made", "compared"])
def test_no_column_is_clipped_on_paper(browser, request, page):
    """A4 without its margins is 690 pixels wide."""
    browser.open(request.getfixturevalue(page), width=690)
    browser.media("print")
    wide = """return [...document.querySelectorAll('main, table, .fig, .card')]
        .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((one) => one.className);"""
    assert browser.js(wide) == []


def test_prints(browser, made):
    browser.open(made, address=BY_NUMBER)
    browser.toggle(1)
    browser.media("print", prefers_color_scheme="dark")
    for selector in (".top", ".controls", ".pager"):
        assert not browser.one(selector).is_displayed()
    assert browser.one("#pair-1 svg.trees").is_displayed()
    assert browser.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    pdf = browser.driver.execute_cdp_cmd("Page.printToPDF", {})
    assert len(pdf["data"]) > 20_000


# -- the list ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("f1", lambda row: 2 * row["matched"] / (row["gold"] + row["system"])),
        ("length", lambda row: row["length"]),
        ("number", lambda row: row["number"]),
        ("missed", lambda row: row["gold"] - row["matched"]),
        ("crossing", lambda row: row["crossing"]),
        ("0", lambda row: row["columns"][0]),
    ],
)
def test_sorting(browser, made, key, value):
    rows = {row["number"]: row for row in page_data(made)["rows"]}
    browser.open(made)
    if key != "f1":
        browser.click('th[data-key="f1"] button')
    browser.select("sort", key)
    seen = set()
    for turn in range(2):
        if turn:
            browser.click(f'th[data-key="{key}"] button')
        header = browser.one(f'th[data-key="{key}"]')
        order = header.get_attribute("aria-sort")
        assert len(browser.all("#sentences th[aria-sort]")) == 1
        seen.add(order)
        down = order == "descending"
        expected = sorted(rows.values(), key=lambda row: (-value(row) if down else value(row), row["number"]))
        assert browser.numbers() == [row["number"] for row in expected[:50]]
        assert header.is_displayed()
        assert browser.one('[data-part="sort"]').get_attribute("value") == key
    assert seen == {"ascending", "descending"}
    shown = browser.texts("#sentences thead th:not(.c-more), #sentences thead th[aria-sort]")
    assert len(browser.all("tr.sentence:first-child > *")) == len(shown)


def test_filters(browser, made):
    rows = page_data(made)["rows"]
    browser.open(made, address=BY_NUMBER)
    tests = {
        "errors": lambda row: row["gold"] + row["system"] > 2 * row["matched"],
        "tags": lambda row: row["correctTags"] < row["tags"],
        "all": lambda row: True,
    }
    for which, test in tests.items():
        expected = [row["number"] for row in rows if test(row)]
        browser.show(which)
        assert browser.numbers() == expected[:50]
        option = browser.one(f'[data-part="filters"] option[value="{which}"]')
        assert option.get_attribute("textContent").endswith(f" ({len(expected)})")
    assert not browser.one('[data-part="filters"] option[value="unparsed"]').is_enabled()


def test_filter_of_crossing_sentences(browser, small):
    expected = [row["number"] for row in page_data(small)["rows"] if row["crossing"]]
    assert expected
    browser.open(small)
    browser.show("crossing")
    assert browser.numbers() == expected


def test_unaligned_and_unparsed_sentences(browser):
    gold = ["(S (T a))", "(S (T b))", "(S (T c))"]
    system = ["(S (T a))", "(S (T b)", "(S (T c))"]
    browser.open(evaluate(gold, system, on_error="skip").report("html"))
    browser.show("unparsed")
    assert browser.numbers() == [2]
    assert browser.texts("tr.sentence .badge") == ["no system parse"]
    browser.toggle(2)
    assert "system sentence 2" in browser.one("#pair-2 .note").text
    browser.open(evaluate(gold, system[:1]).report("html"))
    browser.show("unaligned")
    assert browser.numbers() == [2, 3]


def test_search_for_words(browser, made):
    rows = page_data(made)["rows"]
    word = words_of(rows[70], "gold")[2]
    browser.open(made, address=BY_NUMBER)
    browser.type(word.upper())
    expected = [row["number"] for row in rows if word.lower() in " ".join(words_of(row, "gold")).lower()]
    assert browser.finds(expected[:50])
    assert len(expected) < 120
    assert {text.lower() for text in browser.texts("mark")} == {word.lower()}
    browser.type("no such words at all")
    assert browser.finds([])
    assert browser.one('[data-part="empty"]').is_displayed()
    assert browser.status() == "0 of 120 sentences"


def test_search_for_labels(browser, small):
    browser.open(small)
    browser.search_in("labels")
    browser.type("advp")
    assert browser.finds([1, 3])
    browser.search_in("errors")
    assert browser.finds([1, 3])
    browser.type("S")
    assert browser.finds([4])
    browser.type("NP ADVP")
    assert browser.finds([1, 3])
    browser.type("QQ")
    assert browser.finds([])
    assert browser.status() == "No tree has the label “QQ”."


def test_function_tags_are_no_part_of_a_label(browser, small):
    browser.open(small)
    browser.search_in("labels")
    browser.type("NP-SBJ")
    assert browser.finds([1, 6])


def test_tables_ask_for_their_sentences(browser, made):
    data = page_data(made)
    browser.open(made)
    for name in ("confusion-0", "cause-0", "length-2", "missed-0", "f1-20"):
        button = browser.one(f'button[data-group="{name}"]')
        browser.js("arguments[0].closest('details')?.setAttribute('open', '')", button)
        browser.js("arguments[0].click()", button)
        expected = list(itertools.accumulate(data["groups"][name]))
        assert groups_data({name: expected})[name] == data["groups"][name]
        assert set(browser.numbers()) <= set(expected)
        assert len(browser.numbers()) == min(50, len(expected))
        kind = name.split("-")[0]
        chosen = '[data-part="{}"]'.format(kind if kind in ("cause", "length") else "chip-name")
        if kind in ("cause", "length"):
            assert browser.one(chosen).get_attribute("value") == name
            assert not browser.one('[data-part="chip"]').is_displayed()
        else:
            assert browser.one(chosen).text == button.get_attribute("data-title")
    browser.click('[data-part="chip-clear"]')
    assert browser.numbers() == worst_first(made)[:50]


def test_causes_are_bars_that_open_their_sentences(browser, made):
    """The longest bar comes first; a number lists the sentences of its cause."""
    browser.open(made)
    widths = browser.js(
        "return [...document.querySelectorAll('[data-part=causes] .hb')].map((one) => one.offsetWidth)"
    )
    assert len(widths) > 3
    assert widths == sorted(widths, reverse=True)
    browser.click('[data-part="causes"] .row:nth-child(3) .v a')
    expected = list(itertools.accumulate(page_data(made)["groups"]["cause-1"]))
    assert set(browser.numbers()) <= set(expected)
    assert len(browser.numbers()) == min(50, len(expected))
    cause = page_data(made)["byCause"][1][0].replace(" ", "-")
    assert browser.js("return location.hash") == f"#sentences?cause={cause}"


def test_a_cause_one_sentence_at_a_time(browser, made):
    """The dearest cause comes first; buttons and the keys j and k go on, and the end is an end."""
    from selenium.webdriver.common.keys import Keys

    data = page_data(made)
    browser.open(made)
    browser.js("document.getElementById('explained').scrollIntoView({block: 'start', behavior: 'instant'})")
    browser.wait(lambda: browser.all("#explained svg.trees[width]"))
    cause = data["byCause"][0][0]
    assert browser.one("#explained h2").text == f"{cause}, one sentence at a time"
    code = data["causes"].index(cause)
    cost = {
        row["number"]: sum(
            len(re.findall(r"\d+", part)) - 1
            for part in re.findall(rf"(?:^|;){code}[a-z][\d,]*(-[\d,]*\+[\d,]*)", row["repairs"] or "")
            for part in [f"0{part}"]
        )
        for row in data["rows"]
    }
    length = {row["number"]: row["length"] for row in data["rows"]}
    order = sorted([n for n in cost if cost[n]], key=lambda n: (-cost[n], length[n], n))
    shown = lambda: int(browser.one("#explained .crumb a").text.removeprefix("Sentence "))  # noqa: E731
    status = lambda: browser.one("#explained .status").text  # noqa: E731
    assert (shown(), status()) == (order[0], f"1 of {len(order)}")
    assert not browser.one('#explained [aria-label="Previous sentence"]').is_enabled()
    browser.click('#explained [aria-label="Next sentence"]')
    assert (shown(), status()) == (order[1], f"2 of {len(order)}")
    assert browser.texts("#explained .repairs li")
    body = browser.one("body")
    body.send_keys("j")
    assert shown() == order[2]
    body.send_keys("kkk", Keys.SHIFT)
    assert (shown(), status()) == (order[0], f"1 of {len(order)}")
    # Another cause of the chart takes its place.
    browser.click('[data-part="causes"] .row:nth-child(3) button.show')
    browser.wait(lambda: browser.one("#explained h2").text.startswith(data["byCause"][1][0]))
    assert status().startswith("1 of ")


def test_another_cause_of_a_sentence_does_not_move_the_page(browser, made):
    data = page_data(made)
    browser.open(made)
    browser.js("document.getElementById('explained').scrollIntoView({block: 'end', behavior: 'instant'})")
    browser.wait(lambda: browser.all("#explained svg.trees[width]"))
    while not browser.all("#explained .fold-note button.show"):
        browser.click('#explained [aria-label="Next sentence"]')
    number = browser.one("#explained .crumb a").text
    button = browser.one("#explained .fold-note button.show")
    cause = button.text
    assert cause != data["byCause"][0][0]
    top = "return document.getElementById('explained').getBoundingClientRect().top"
    before = browser.js(top)
    browser.js("arguments[0].click()", button)
    browser.wait(lambda: browser.one("#explained h2").text.startswith(cause))
    assert browser.one("#explained .crumb a").text == number
    assert browser.js(top) == before


def test_of_equal_causes_the_first_is_named(browser):
    gold = "(S (PP (T a) (T b)) (NP (NP (T c) (PP (T d) (T e))) (T f)))"
    result = evaluate([gold], ["(S (VP (X (T a) (T b)) (T c)) (NP (VP (T d) (T e)) (T f)))"])
    costs = dict.fromkeys(one.cause for one in result.sentences[0].repairs())
    for cause in costs:
        found = [one for one in result.sentences[0].repairs() if one.cause == cause]
        costs[cause] = sum(len(one.missed) + len(one.extra) for one in found)
    assert len(costs) > 1
    assert len({*costs.values()}) == 1
    browser.open(result.report("html"))
    data = page_data(result.report("html"))
    first = data["causes"][int(re.match(r"\d+", data["rows"][0]["repairs"])[0])]
    assert browser.one("#sentence-1 .c-cause").text.startswith(first)


def test_keys_go_through_the_list(browser, made):
    browser.open(made)
    browser.js("document.getElementById('sentences').scrollIntoView({block: 'start', behavior: 'instant'})")
    numbers = browser.numbers()
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        browser.js(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
            key,
        )
        assert [int(one.get_attribute("id").removeprefix("pair-")) for one in browser.all(".panel")] == [
            numbers[at]
        ]


def test_the_texts_for_a_paper_are_copied(browser, made):
    browser.open(made)
    browser.js("navigator.clipboard.writeText = async (text) => { window.copied = text; };")
    titles = ["Sentence", "LaTeX", "Signature", "Command"]
    assert browser.texts("#cite .lab b") == titles
    for k, title in enumerate(titles):
        browser.click(f'#cite [aria-label="Copy: {title}"]')
        text = browser.texts("#cite pre")[k]
        browser.wait(lambda text=text: browser.js("return window.copied ?? null") == text)
    assert browser.texts("#cite pre")[1].startswith("\\begin{tabular}{lrrrrrr}")


def test_filters_of_words_and_sentences_aligned_otherwise(browser):
    gold = ["(S (A a) (B bc))", "(S (A d))", "(S (A e))", "(S (A same))", "(S (A other) (B words))"]
    system = ["(S (A a) (B b) (C c))", "(S (A d) (A e))", "(S (A same))", "(S (A another) (B words))"]
    browser.open(evaluate(gold, system, metrics=("brackets",)).report("html"))
    for which, numbers in (("units", [1]), ("joined", [2]), ("words", [4])):
        browser.show(which)
        assert browser.numbers() == numbers
    browser.js("arguments[0].click()", browser.one("button[data-title='other ~ another']"))
    assert browser.numbers() == [4]


def test_bars_of_the_histogram_ask_for_theirs(browser, made):
    browser.open(made)
    bar = browser.all('[data-part="histogram"] a.vb')[-1]
    browser.hover(bar)
    bar.click()
    assert set(browser.texts("tr.sentence .c-f1 span")) == {"100.00"}


def test_pages(browser, made):
    browser.open(made, address=BY_NUMBER)
    browser.click('[data-part="next"]')
    assert browser.numbers() == list(range(51, 101))
    browser.click('[data-part="next"]')
    assert browser.numbers() == list(range(101, 121))
    assert not browser.one('[data-part="next"]').is_enabled()
    assert browser.status() == "120 sentences · showing 101–120"
    browser.click('[data-part="previous"]')
    assert browser.numbers() == list(range(51, 101))
    for typed, page in (("3", 3), ("2.5", 2), ("0", 1), ("99", 3), ("", 1)):
        browser.js(
            """const box = document.querySelector('[data-part="page"]');
            box.value = arguments[0];
            box.dispatchEvent(new Event("change", { bubbles: true }));""",
            typed,
        )
        assert browser.numbers()[0] == 50 * (page - 1) + 1
        assert browser.js("return document.querySelector('[data-part=\"page\"]').value") == str(page)


def test_an_address_opens_its_sentence(browser, made):
    browser.open(made, address="#sentence-77")
    assert 77 in browser.numbers()
    assert browser.one("#pair-77 svg.trees").is_displayed()
    other = next(number for number in browser.numbers() if number != 77)
    browser.toggle(other)
    assert browser.js("return location.hash") == f"#sentence-{other}"


def test_a_link_shows_its_sentence_whatever_the_filter_is(browser, made):
    hidden = next(
        row["number"] for row in page_data(made)["rows"] if row["matched"] == row["gold"] == row["system"]
    )
    browser.open(made)
    browser.show("errors")
    assert hidden not in browser.numbers()
    browser.js("location.hash = arguments[0]", f"#sentence-{hidden}")
    browser.wait(lambda: browser.all(f"#pair-{hidden}"))
    assert browser.one(f"#pair-{hidden} svg.trees").is_displayed()
    assert browser.js("return document.querySelector('[data-part=filters]').value") == "all"
    assert browser.one(f"#sentence-{hidden} .opener").get_attribute("aria-expanded") == "true"
    browser.toggle(hidden)
    assert not browser.all(f"#pair-{hidden}")
    assert browser.js("return location.hash") == "#sentences"


def test_a_link_to_a_sentence_that_is_not_there(browser, made):
    browser.open(made, address="#sentence-9999")
    assert browser.numbers() == worst_first(made)[:50]
    assert browser.status() == "This page does not list sentence 9,999."


def test_a_click_on_a_row_opens_it_unless_it_ends_a_selection(browser, made):
    browser.open(made)
    assert browser.texts("tr.sentence .badge") == []
    browser.click("#sentence-3 td.text")
    assert browser.all("#pair-3")
    browser.js("getSelection().selectAllChildren(document.querySelector('#sentence-3 td.text'))")
    browser.js("document.querySelector('#sentence-3 td.text').click()")
    assert browser.all("#pair-3")
    browser.js("getSelection().removeAllRanges()")
    browser.click("#sentence-3 td.text")
    assert not browser.all("#pair-3")


def test_what_is_asked_for_stands_in_the_address(browser, made):
    """A list that was searched, filtered, grouped and sorted comes back from its address alone."""
    browser.open(made)
    browser.js("arguments[0].click()", browser.one('button[data-group="cause-0"]'))
    browser.show("errors")
    browser.select("sort", "extra")
    numbers = browser.numbers()
    browser.toggle(numbers[1])
    address = browser.js("return location.hash")
    cause = page_data(made)["byCause"][0][0].replace(" ", "-")
    assert address == f"#sentences?show=errors&cause={cause}&sort=-extra&sentence={numbers[1]}"
    browser.open(made, address=address)
    assert browser.numbers() == numbers
    assert browser.one(f"#pair-{numbers[1]}").is_displayed()
    assert browser.one('[data-part="cause"]').get_attribute("value") == "cause-0"
    browser.search_in("labels")
    browser.type("NP VP")
    browser.wait(lambda: "q=NP+VP&in=labels" in browser.js("return location.hash"))
    browser.open(made, address="#sentences?q=NP+VP&in=labels")
    assert browser.js("return document.querySelector('[data-part=query]').value") == "NP VP"
    # What the page does not have is not asked for.
    browser.open(made, address="#sentences?cause=none&show=none&sort=none&sentence=9999")
    assert browser.numbers() == worst_first(made)[:50]


def test_search_by_pattern(browser, small):
    browser.open(small)
    browser.type("/^(the|dogs) /")
    assert browser.finds([1, 2])
    assert browser.texts("mark") == ["the ", "dogs "]
    browser.type("/CANNOT/i")
    assert browser.finds([3])
    browser.type("/(/")
    browser.wait(lambda: browser.status().startswith("This is no regular expression"))
    browser.search_in("errors")
    browser.type("/^ADV/")
    assert browser.finds([1, 3])


def test_tables_of_the_page_sort_and_unfold(browser, made):
    browser.open(made)
    browser.js("document.querySelector('#where details').open = true")
    table = '[aria-labelledby="labels-title"] table'
    total = len(browser.all(f"{table} tbody tr"))
    shown = f"{table} tbody tr:not([hidden])"
    assert len(browser.all(shown)) == 12
    browser.click('[aria-labelledby="labels-title"] .more')
    assert len(browser.all(shown)) == total
    header = browser.all(f"{table} th")[-1 - total]  # the last of the column headers
    assert header.text == "F1"
    browser.click(f"{table} thead th:last-child button")
    values = [
        float(text) if text != "–" else -1.0 for text in browser.texts(f"{table} tbody td:last-child span")
    ]
    assert values == sorted(values, reverse=True)
    browser.click(f"{table} thead th:first-child button")
    labels = browser.texts(f"{table} tbody th")
    assert labels == sorted(labels)


# -- long trees ------------------------------------------------------------------------


def long_pair(words: int = 98) -> tuple[list[str], list[str]]:
    """A sentence of many phrases that are right, a chain of clauses around them, and one error."""
    phrases = [f"(NP (DT the) (NN n{i}))" for i in range(words // 2 - 1)]
    deep = "(S " * 12 + " ".join(phrases) + ")" * 12
    gold = f"(TOP (S {deep} (VP (VB a_%) (NN b))))"
    return [gold], [gold.replace("(VP (VB a_%) (NN b))", "(VP (VB a_%) (NP (NN b)))")]


def test_a_long_sentence_is_folded_and_fits(browser):
    browser.open(evaluate(*long_pair(), metrics=("brackets",)).report("html"), address="#sentence-1")
    browser.wait(lambda: browser.all("svg.trees[width]"))
    # The clauses hold nothing but what is right: one triangle on each side stands for all of them.
    assert len(browser.all(".roof")) == 2
    assert browser.texts(".side.gold .folded") == [
        "the n0 … n47the " + " the ".join(f"n{i}" for i in range(48))
    ]
    room = "const one = document.querySelector('.stage .scroller'); return one.scrollWidth - one.clientWidth"
    assert browser.js(room) <= 0
    rows = "return document.querySelectorAll('.side.gold .word').length"
    assert browser.js(rows) == 3
    # A click opens the triangle, down to what is right in it.
    for _ in range(12):
        browser.click(".side.gold .word.folded")
    assert len(browser.all(".side.gold .roof")) == 48
    browser.js("document.querySelector('.tools button').click()")
    assert browser.js(rows) == 98
    assert browser.all(".roof") == []


def test_the_picture_is_as_large_as_asked_for(browser, made):
    browser.open(made, address="#sentence-3", width=700)
    browser.wait(lambda: browser.all("svg.trees[width]"))
    width = """const svg = document.querySelector('svg.trees');
        return [svg.width.baseVal.value, svg.viewBox.baseVal.width];"""
    browser.click('[data-size="full"]')
    now, whole = browser.js(width)
    assert now == whole
    browser.click('[data-size="fit"]')
    room = browser.js("return document.querySelector('.stage .scroller').clientWidth")
    assert browser.js(width)[0] <= room
    # The choice is kept for the next sentence.
    browser.toggle(4)
    assert browser.one('#pair-4 [data-size="fit"]').get_attribute("aria-pressed") == "true"


def test_a_picture_fills_the_screen_and_comes_back(browser, made):
    browser.open(made, address="#sentence-3", width=700, height=600)
    browser.wait(lambda: browser.all("svg.trees[width]"))
    sizes = """const svg = document.querySelector('svg.trees').getBoundingClientRect();
        const room = document.querySelector('.stage .scroller');
        const box = document.querySelector('.drawing').getBoundingClientRect();
        return [svg.width, room.clientWidth, room.clientHeight, box.width, box.height];"""
    before = browser.js(sizes)
    (button,) = [one for one in browser.all(".tools button") if one.text == "Full screen"]
    browser.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
    button.click()
    browser.wait(lambda: browser.js("return document.fullscreenElement?.className ?? null") == "drawing")
    screen = browser.js("return [innerWidth, innerHeight]")
    browser.wait(lambda: browser.js(sizes)[3:] == screen)
    _, room, height, *_ = browser.js(sizes)
    # The tools stay, the picture has the rest of the screen and is as large as fits it.
    assert button.is_displayed()
    assert height > screen[1] / 3
    assert room > screen[0] - 60
    browser.click('[data-size="fit"]')
    browser.wait(lambda: browser.js(sizes)[0] <= browser.js(sizes)[1])
    browser.click('[data-size="fit"]')
    button.click()
    browser.wait(lambda: browser.js("return document.fullscreenElement === null"))
    browser.wait(lambda: browser.js(sizes) == before)


def test_nothing_moves_by_itself_where_less_motion_is_asked_for(browser, made, compared):
    moving = """return [...document.querySelectorAll('*')].filter((one) => {
        const style = getComputedStyle(one);
        return parseFloat(style.transitionDuration) || parseFloat(style.animationDuration)
            || style.scrollBehavior === 'smooth';
    }).length;"""
    for page in (made, compared):
        browser.open(page, address="#sentence-3")
        browser.media(prefers_reduced_motion="reduce")
        assert browser.js(moving) == 0
        browser.media(prefers_reduced_motion="no-preference")
        assert browser.js(moving) > 0


@pytest.mark.parametrize("width", [390, 620, 768, 1000, 1100, 1180, 1280])
def test_no_table_of_the_page_is_clipped(browser, made, width):
    browser.open(made, width=width)
    browser.js("for (const one of document.querySelectorAll('main > section details')) one.open = true")
    wider = """return [...document.querySelectorAll('.scroller, .list')]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.slice(0, 99));"""
    assert len(browser.all(".scroller")) >= 3
    assert browser.js(wider) == []


def test_a_sentence_of_many_words_is_drawn_folded(browser):
    """Nearly all of 20,000 words are in constituents that are right."""
    gold, system = long_pair(20_000)
    browser.open(evaluate(gold, system, metrics=("brackets",)).report("html"), address="#sentence-1")
    browser.wait(lambda: browser.all("svg.trees[width]"))
    assert len(browser.all(".side.gold .word")) == 3


@pytest.mark.parametrize("name", ["missed-0", "extra-0", "confusion-0", "cause-0"])
def test_a_group_marks_its_constituents(browser, small, name):
    browser.open(small)
    browser.js("arguments[0].click()", browser.one(f'button[data-group="{name}"]'))
    browser.toggle(browser.numbers()[0])
    browser.wait(lambda: browser.all("svg.trees[width]"))
    about = page_data(small)["about"].get(name)
    if name == "cause-0":
        # A cause has its repairs in words instead, each with a number at its nodes.
        assert browser.texts(".repairs .badge-number")[0] == "1"
        assert "1" in browser.texts(".node .numeral text")
        return
    marked = [text.split()[-1].partition("-")[0] for text in browser.texts(".node.wanted > text")]
    assert marked
    assert set(marked) == set(about) - {""}


# -- a pair of trees -----------------------------------------------------------------


def test_a_pair_draws(browser, small):
    row = page_data(small)["rows"][0]
    browser.open(small)
    browser.toggle(1)
    opener = browser.one("#sentence-1 .opener")
    assert opener.get_attribute("aria-expanded") == "true"
    assert opener.get_attribute("aria-controls") == "pair-1"
    # All nodes but TOP, which never counts.
    for side in ("gold", "system"):
        nodes = len(re.findall(r"(?<![:\d])\d+", row[f"{side}Tree"]))
        assert len(browser.all(f"#pair-1 .side.{side} .node")) == nodes - 1
    # The same words stand once, between the trees.
    assert browser.texts("#pair-1 .word") == words_of(row, "gold")
    browser.toggle(1)
    assert browser.all("#pair-1") == []


def test_nodes_are_told_apart_without_colour(browser, small):
    browser.open(small)
    browser.toggle(1)
    kinds = {
        ("gold", "missed"): ["− NP", "− NP"],
        ("system", "extra"): ["+ ADVP"],
        ("system", "crossing"): ["× VP"],
        ("gold", "other-tag"): ["! NN"],
        ("system", "other-tag"): ["! RB"],
        ("gold", "matched"): ["S", "NP-SBJ", "VP", "NP", "PP"],
    }
    for (side, kind), expected in kinds.items():
        assert browser.texts(f"#pair-1 .side.{side} .node.{kind} > text") == expected
    shape = "return getComputedStyle(document.querySelector(arguments[0] + ' .shape'))[arguments[1]]"
    assert browser.js(shape, "#pair-1 .node.missed", "strokeDasharray") != "none"
    assert browser.js(shape, "#pair-1 .node.matched", "strokeDasharray") == "none"
    assert browser.js(shape, "#pair-1 .node.extra", "strokeDasharray") == "none"
    assert browser.js("return document.querySelector('#pair-1 .node.crossing .shape').tagName") == "polygon"
    corner = "return Number(document.querySelector(arguments[0] + ' .shape').getAttribute('rx'))"
    assert browser.js(corner, "#pair-1 .node.extra") < 2 < 9 < browser.js(corner, "#pair-1 .node.missed")


LIT = """
    return [...document.querySelectorAll(arguments[0])].map((one) => one.dataset.side + one.dataset.node);
"""


@pytest.mark.parametrize("layout", ["down", "across"])
def test_pointing_lights_up_what_is_aligned(browser, small, layout):
    rows = page_data(small)["rows"]
    runs = rows[0]["pairs"]
    pairs = [(g + k, s + k) for g, s, n in zip(runs[::3], runs[1::3], runs[2::3]) for k in range(n)]
    browser.open(small)
    browser.toggle(1)
    browser.layout(layout)
    linked = dict(pairs)
    for number in (1, 5, 7):
        browser.hover(browser.one("#pair-1 " + node("gold", number)))
        hot = browser.js(LIT, "#pair-1 .hot")
        lit = browser.js(LIT, "#pair-1 .linked")
        assert hot == [f"gold{number}"]
        assert lit == ([f"system{linked[number]}"] if number in linked else [])
    browser.hover(browser.one("#pair-1 " + node("system", linked[5])))
    assert browser.one("#pair-1 " + node("gold", 5)).get_attribute("class").endswith("linked")
    assert "aligned with" in browser.one("#pair-1 .reading").text
    assert len(browser.all("#pair-1 .band.on")) == 5
    browser.hover(browser.one("h2#sentences-title"))
    assert browser.all("#pair-1 .hot, #pair-1 .linked, #pair-1 .band.on") == []


def test_pointing_at_a_word(browser, small):
    browser.open(small)
    browser.toggle(3)
    word = next(one for one in browser.all("#pair-3 .side.gold .word") if one.text == "n't")
    browser.hover(word)
    assert "ca n't" in browser.one("#pair-3 .reading").text
    assert "cannot" in browser.one("#pair-3 .reading").text


def test_word_alignment_is_drawn_where_tokens_differ(browser, small):
    browser.open(small)
    browser.toggle(3)
    browser.toggle(2)
    assert browser.all("#pair-2 .link") == []
    assert len(browser.all("#pair-3 .link.same")) == 3
    assert len(browser.all("#pair-3 .link.many")) == 1
    assert len(browser.all("#pair-3 .link.many path")) == 3
    assert browser.texts("#pair-3 .word.differs") == ["ca", "n't", "cannot"]


def test_one_side_alone(browser, small):
    browser.open(small)
    browser.toggle(4)
    assert len(browser.all("#pair-4 .side.gold .node.missed")) == 4
    assert browser.texts("#pair-4 .side.system .word") == []


def test_keys(browser, small):
    from selenium.webdriver.common.keys import Keys

    browser.open(small)
    browser.js("document.querySelector('#sentence-1 .opener').focus()")
    browser.press(Keys.ENTER)
    assert browser.one("#sentence-1 .opener").get_attribute("aria-expanded") == "true"
    assert browser.active() == "Sentence 1, trees"
    before = browser.all("#sentence-1 .c-cause a, #pair-1 :is(.explained, .tools) button")
    browser.press(*[Keys.TAB] * (len(before) + 1))
    assert browser.active() == "Picture of the trees"
    browser.press(Keys.TAB)
    assert browser.active().startswith("gold S, matched, words 1–8")
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.active().startswith("gold NP, ")
    browser.press(Keys.HOME, Keys.ENTER)
    assert browser.active().startswith("system S, matched, words 1–8")
    assert len(browser.all("#pair-1 .linked")) == 1
    browser.press(Keys.ARROW_LEFT)
    assert browser.active().startswith("system NP, matched")
    browser.press(Keys.ARROW_RIGHT)
    assert browser.active().startswith("system S, matched")
    # The tree is one stop: the next one is behind it.
    browser.press(Keys.TAB)
    assert "Trees as nested lists" in browser.js("return document.activeElement.textContent")


def test_skip_link(browser, small):
    from selenium.webdriver.common.keys import Keys

    browser.open(small)
    browser.press(Keys.TAB, Keys.ENTER)
    assert browser.wait(lambda: browser.js("return location.hash") == "#sentences")


def middle(browser, selector):
    return browser.js(
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return box.left + box.width / 2",
        selector,
    )


@pytest.mark.parametrize(("number", "rtl"), [(1, False), (2, False), (5, True), (6, True)])
def test_direction(browser, small, number, rtl):
    browser.open(small)
    browser.toggle(number)
    assert browser.one(f"#sentence-{number} .words").get_attribute("dir") == ("rtl" if rtl else "ltr")
    pair = f"#pair-{number} "
    # Side by side: gold stands first in the direction of reading.
    assert (middle(browser, pair + node("gold", 1)) > middle(browser, pair + node("system", 1))) is rtl
    browser.layout("across")
    places = browser.js(
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect().left)",
        pair + ".side.gold .word",
    )
    assert places == sorted(places, reverse=rtl)
    assert {one.get_attribute("direction") for one in browser.all(pair + ".word")} == {
        "rtl" if rtl else "ltr"
    }


def test_nested_lists_and_brackets(browser, small):
    browser.open(small)
    browser.toggle(3)
    browser.click("#pair-3 .as-text summary")
    browser.wait(lambda: browser.all("#pair-3 pre"))
    assert browser.texts("#pair-3 pre") == [GOLD[2], SYSTEM[2]]
    assert browser.texts("#pair-3 .nested .label")[:3] == ["TOP", "S", "NP"]
    assert browser.texts("#pair-3 section:first-of-type .words") == ["we", "ca", "n't", "wait", "longer"]
    kinds = browser.texts("#pair-3 .nested .kind")
    assert kinds == [" missed", " extra"]


OVERLAPS = """
    const shapes = document.querySelectorAll(arguments[0] + " .trees .node .shape");
    const boxes = [...shapes].map((one) => one.getBBox());
    const svg = document.querySelector(arguments[0] + " svg.trees").viewBox.baseVal;
    const bad = [];
    boxes.forEach((a, i) => {
      if (a.x < 0 || a.y < 0 || a.x + a.width > svg.width || a.y + a.height > svg.height) bad.push([i]);
      boxes.slice(0, i).forEach((b, j) => {
        const meet = (from, size) => a[from] < b[from] + b[size] - .5 && b[from] < a[from] + a[size] - .5;
        if (meet("x", "width") && meet("y", "height")) bad.push([i, j]);
      });
    });
    return bad;
"""


@pytest.mark.parametrize("layout", ["down", "across"])
def test_no_node_covers_another(browser, made, layout):
    browser.open(made, address=BY_NUMBER)
    browser.layout(layout)
    for number in range(1, 26):
        browser.js("document.querySelector(`#sentence-${arguments[0]} .opener`).click()", number)
        assert browser.js(OVERLAPS, f"#pair-{number}") == []


# -- hard input -----------------------------------------------------------------------


def test_hostile_text_stays_text(browser):
    gold = hostile_trees(HOSTILE, HOSTILE)
    system = hostile_trees(HOSTILE[1:] + HOSTILE[:1], HOSTILE)
    browser.open(evaluate(gold, system).report("html"))
    browser.toggle(1)
    browser.js("document.querySelector('#pair-1 .as-text').open = true")
    browser.wait(lambda: browser.all("#pair-1 pre"))
    assert browser.js("return document.scripts.length") == 2
    assert browser.js("return document.images.length") == 0
    shown = browser.texts("#pair-1 .side.gold .word")
    assert shown[:3] == HOSTILE[:3]
    assert "<script>alert(1)</script>" in browser.texts("#pair-1 .nested .label")[1]
    assert "nul\\u0000byte" in shown
    assert "\\udc80lone" in shown


@st.composite
def pairs(draw):
    """Draw pairs of trees over equal or different words, some without tags or with empty nodes."""
    words = st.sampled_from(["a", "b", "the", "x=y", "<b>", "日本", "שלום"])
    gold = draw(trees(words=words, tagged=False, continuous=True, max_words=6))
    system = draw(trees(words=words, tagged=False, continuous=True, max_words=6))
    if draw(st.booleans()):
        nodes = draw(
            trees(words=words, continuous=True, min_words=len(gold.words), max_words=len(gold.words))
        )
        system = Tree(nodes.labels, nodes.parents, nodes.starts, nodes.ends, gold.words, nodes.word_parents)
    return gold, system


def drawn_nodes(tree, marks):
    """Return the number of nodes without those at the top that never count."""
    hidden = [False] * len(tree)
    for node_, parent in enumerate(tree.parents):
        unmarked = node_ not in marks and not tree.preterminals[node_]
        hidden[node_] = unmarked and (parent < 0 or hidden[parent])
    return hidden.count(False)


@given(st.lists(pairs(), min_size=4, max_size=8))
@settings(
    max_examples=10,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # a browser is too slow to shrink with
    suppress_health_check=list(HealthCheck),
)
def test_any_trees_draw_and_come_back(driver, page_folder, corpus):
    browser = Browser(driver, page_folder)
    evaluation = evaluate([gold for gold, _ in corpus], [system for _, system in corpus])
    browser.open(evaluation.report("html"))
    for layout in ("down", "across"):
        browser.layout(layout)
        for sentence in evaluation.sentences:
            pair = f"#pair-{sentence.number}"
            browser.js(
                "if (!document.querySelector(arguments[0])) document.querySelector(arguments[1]).click();"
                "document.querySelector(arguments[0] + ' .as-text').open = true;",
                pair,
                f"#sentence-{sentence.number} .opener",
            )
            browser.wait(lambda pair=pair: browser.all(f"{pair} pre"))
            expected = [sentence.gold.to_bracket(), sentence.system.to_bracket()]
            assert browser.texts(f"{pair} pre") == expected
            shown = sum(map(drawn_nodes, (sentence.gold, sentence.system), sentence.marks()))
            assert len(browser.all(f"{pair} .trees .node")) == shown
            assert len(browser.all(f"{pair} .nested .label")) == len(sentence.gold) + len(sentence.system)
    assert browser.errors() == []


def test_nodes_without_words(browser):
    gold, system = "(S (A) (B (T a)) (C) c (D))", "(S (B (T a) (A)) c)"
    browser.open(evaluate([gold], [system]).report("html"))
    browser.toggle(1)
    browser.js("document.querySelector('#pair-1 .as-text').open = true")
    browser.wait(lambda: browser.all("#pair-1 pre"))
    assert browser.texts("#pair-1 pre") == [gold, system]
    assert browser.js("return document.querySelector('#pair-1 svg').outerHTML.includes('NaN')") is False


def test_a_very_large_tree_waits_to_be_drawn(browser):
    deep = "(X " * 3000 + "(T a)" + ")" * 3000
    browser.open(evaluate([deep], [deep], metrics=("brackets",)).report("html"))
    browser.toggle(1)
    assert browser.all("#pair-1 svg.trees") == []
    assert "6,004 nodes and words" in browser.one("#pair-1 .note").text
    browser.click("#pair-1 .as-text summary")
    browser.wait(lambda: browser.all("#pair-1 pre"))
    assert browser.texts("#pair-1 pre")[0] == deep
    assert "more than 150 levels deep" in browser.one("#pair-1 .columns").text
    browser.click("#pair-1 .drawing button")
    assert len(browser.all("#pair-1 .side.gold .node")) == 3001


def test_twenty_thousand_sentences(browser):
    trees_ = [f"(S (NP (NN w{number})) (VP (VB x)))" for number in range(20_000)]
    browser.open(evaluate(trees_, trees_, metrics=("brackets",)).report("html", worst=None))
    assert browser.status() == "20,000 sentences · showing 1–50, most wrong brackets first"
    opened = browser.js("return performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert opened < 20_000  # milliseconds, on a busy machine
    browser.type("w19999")
    assert browser.finds([20_000])
    browser.toggle(20_000)
    assert re.search("w19999", browser.texts("#pair-20000 .word")[0])


# -- questions to the page of one system -------------------------------------------------


def test_where_sentences_join(browser):
    """The table of beads leads to the joined sentences, and a line is drawn where one ends in gold."""
    joined = [f"(TOP {GOLD[0]} {GOLD[1]})", *SYSTEM[2:5]]
    browser.open(evaluate(GOLD[:5], joined).report("html", system_name="parser.mrg"))
    browser.js("arguments[0].click()", browser.one('[data-group="bead-many_to_one"]'))
    assert browser.numbers() == [1]
    assert browser.texts('[data-part="chip-name"]') == ["beads n:1"]
    browser.toggle(1)
    assert browser.texts("#pair-1 .break text") == ["sentence ends here in gold"]
    assert "a sentence ends on one side" in browser.one("#pair-1 .legend").text
    # The line runs between the last word of the first sentence and the first word of the second.
    places = browser.js("""
        const top = (one) => one.getBoundingClientRect().top;
        const words = [...document.querySelectorAll('#pair-1 .trees .word')];
        const at = words.findIndex((one) => one.textContent === 'dogs');
        return [top(words[at - 1]), top(document.querySelector('#pair-1 .break line')), top(words[at])];
    """)
    assert places == sorted(places)
    # TOP and @S, which never count, are not drawn.
    assert not {"TOP", "@S"} & set(browser.texts("#pair-1 .trees .node > text"))
    split = evaluate([f"(TOP {GOLD[0]} {GOLD[1]})"], GOLD[:2])
    browser.open(split.report("html", system_name="parser.mrg"), address="#sentence-1")
    assert browser.texts("#pair-1 .break text") == ["sentence ends here in parser"]


def test_a_cause_explains_itself(browser):
    """Gold attaches the phrase to the verb, the system to the noun."""
    gold = ["(S (NP (N we)) (VP (V saw) (NP (D a) (N war)) (PP (P on) (NP (N tv)))))"]
    system = ["(S (NP (N we)) (VP (V saw) (NP (NP (D a) (N war)) (PP (P on) (NP (N tv))))))"]
    browser.open(evaluate(gold, system).report("html"))
    browser.js("arguments[0].click()", browser.one('[data-group="cause-0"]'))
    browser.toggle(1)
    (text,) = browser.texts("#pair-1 .repairs li")
    assert "PP on tv is attached to NP a war; in gold to VP saw a war" in text.replace("  ", " ")
    assert "mends 1 bracket" in text
    # The number is at the phrase in both trees, and in the sentence; the edges where it hangs are heavy.
    assert browser.texts("#pair-1 .side.gold .node:has(.numeral) > text") == ["PP"]
    assert browser.texts("#pair-1 .side.system .node:has(.numeral) > text") == ["PP"]
    assert len(browser.all("#pair-1 .edge.thick")) == 2
    assert browser.texts("#sentence-1 .words mark") == ["1on tv"]
    assert len(browser.all("#pair-1 .band.tint-0")) == 2
    assert "with this repair 100.00" in browser.one("#pair-1 .fold-note").text
    browser.hover(browser.one("#pair-1 .repairs li"))
    assert browser.texts("#pair-1 .node.wanted > text") == ["PP", "PP"]
    browser.click("#pair-1 .badge-number")
    assert browser.active().startswith("system PP")
    assert "where the numbered phrase hangs" in browser.one("#pair-1 .legend").text


def test_what_costs_most_and_three_sentences(browser, made):
    browser.open(made)
    costs = [int(text.replace(",", "")) for text in browser.texts(".causes .show > [aria-hidden]")]
    assert costs == sorted(costs, reverse=True)
    title = browser.one('.causes [data-group="cause-0"]').get_attribute("data-title")
    before = browser.js("return scrollY")
    browser.js("arguments[0].click()", browser.one('.causes [data-group="cause-0"]'))
    data = page_data(made)
    code = data["causes"].index(title)
    expected = [
        row["number"] for row in data["rows"] if re.search(rf"(^|;){code}[a-z]", row["repairs"] or "")
    ]
    assert set(browser.numbers()) <= set(expected)
    # Those that lose most to the cause come first.
    parts = {row["number"]: row["repairs"] or "" for row in data["rows"]}
    mended = [
        sum(
            len(re.findall(r"\d+", one))
            for one in re.findall(rf"(?:^|;){code}[a-z][\d,]*-([\d,]*\+[\d,]*)", parts[n])
        )
        for n in browser.numbers()
    ]
    assert mended == sorted(mended, reverse=True)
    for number in browser.numbers()[:3]:
        browser.toggle(number)
        assert browser.texts(f"#pair-{number} .repairs li")
    # Back returns to the table, and the list holds all sentences again.
    browser.js("history.back()")
    browser.wait(lambda: browser.numbers() == worst_first(made)[:50])
    browser.wait(lambda: abs(browser.js("return scrollY") - before) < 400)


def test_plots_of_one_system(browser, made):
    browser.open(made)
    data = page_data(made)
    names = [name.replace("-", "–") for name, *_ in data["byLength"]]
    assert [
        text.replace(str(n), "")
        for text, (_, n, *_) in zip(browser.texts('[data-part="lengths"] .bins > span'), data["byLength"])
    ]
    bins = browser.texts('[data-part="lengths"] .bins > span')
    assert [text[: len(name)] for text, name in zip(bins, names)] == names
    assert len(browser.all('[data-part="lengths"] .mark')) == sum(
        one[2] is not None for one in data["byLength"]
    )
    # A wider interval for fewer sentences, around F1.
    for _, _, f1, low, high in data["byLength"]:
        assert f1 is None or low <= f1 <= high
    browser.click('[data-part="lengths"] a.mark')
    assert browser.one('[data-part="length"]').get_attribute("value") == "length-0"
    browser.click('[data-part="labels"] a.mark')
    assert browser.texts('[data-part="chip-name"]')[0].endswith(("missed", "extra"))
    # Causes and figures are explained where they stand, and at the foot.
    tip = browser.one('[data-part="causes"] .nm [data-tip]').get_attribute("data-tip")
    assert tip in browser.texts("footer dd")


def test_a_list_of_the_worst_begins_with_the_very_worst(browser):
    page = made_page(60, worst=10)
    browser.open(page)
    assert browser.numbers() == worst_first(page)
    assert browser.status().endswith(", most wrong brackets first")


# -- systems compared ------------------------------------------------------------------


def choose(browser, part: str, value: str) -> None:
    browser.js(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
        browser.one(f'[data-part="{part}"]'),
        value,
    )


def errors_of(page: str) -> dict[int, list[int]]:
    """Return for each sentence the missed and extra constituents of each system."""
    units = page_data(page)["units"]
    return {n: [unit[k + 1] - unit[k] for k in range(2, len(unit), 2)] for n, unit in enumerate(units, 1)}


def test_a_comparison_opens_with_most_errors_apart(browser, compared):
    browser.open(compared)
    assert browser.js("return performance.getEntriesByType('resource').length") == 0
    assert browser.status() == "80 sentences · showing 1–50, most brackets apart first"
    found = errors_of(compared)
    order = sorted(found, key=lambda number: (-abs(found[number][1] - found[number][0]), number))
    assert browser.numbers() == order[:50]
    assert browser.texts(".systems thead th bdi") == ["one", "two", "three"]
    assert len(browser.all(".systems .change")) == 2 * 9
    # Another pair has another order, and a column sorts by its own errors.
    choose(browser, "second", "2")
    order = sorted(found, key=lambda number: (-abs(found[number][2] - found[number][0]), number))
    assert browser.numbers() == order[:50]
    browser.click('th[data-key="second"] button')
    assert browser.numbers() == sorted(found, key=lambda number: (-found[number][2], number))[:50]
    browser.click('th[data-key="number"] button')
    assert browser.numbers() == list(range(1, 51))


def test_a_comparison_shows_where_a_system_is_better(browser, compared):
    units = page_data(compared)["units"]
    f1 = {number: [unit[k] / unit[k + 1] for k in (2, 4, 6)] for number, unit in enumerate(units, 1)}
    browser.open(compared)
    browser.click('th[data-key="number"] button')
    for pair in ((0, 1), (0, 2), (1, 2)):
        # Each of the two leaves out the other.
        choose(browser, "second", str(pair[1]))
        choose(browser, "first", str(pair[0]))
        for value, test in {
            "better": lambda a, b: b > a,
            "worse": lambda a, b: b < a,
            "tied": lambda a, b: a == b,
            "differ": lambda a, b: a != b,
            "wrong": lambda a, b: 1 not in (a, b),
            "all": lambda a, b: True,
        }.items():
            choose(browser, "filters", value)
            expected = [number for number, all_ in f1.items() if test(all_[pair[0]], all_[pair[1]])]
            assert browser.numbers() == expected[:50], value


def causes_of(page: str, cause: str) -> dict[int, list[int]]:
    """Return for each sentence the brackets of a cause by system, from the codes of the rows."""
    data = page_data(page)
    number = data["causes"].index(cause)
    found: dict[int, list[int]] = {}
    for rows in data["rows"]:
        for place, row in enumerate(rows, 1):
            sums = 0
            for code in (row["repairs"] or "").split(";"):
                if re.match(rf"{number}[a-z]", code):
                    missed, extra = re.fullmatch(r"\d+[a-z][\d,]*-([\d,]*)\+([\d,]*)", code).groups()
                    sums += sum(len(part.split(",")) for part in (missed, extra) if part)
            found.setdefault(place, []).append(sums)
    return found


def test_a_cause_leads_to_its_sentences(browser):
    """Which error costs most, and three sentences with it."""
    page = compared_page(80, analysis=True)
    browser.open(page)
    link = browser.one('[data-part="causes-about"] a')
    cause = link.text
    rows = browser.texts("#causes table tbody th")
    assert rows[0] == cause
    link.click()
    found = causes_of(page, cause)
    wanted = {number: both for number, both in found.items() if both[0] or both[1]}
    order = sorted(wanted, key=lambda number: (-abs(wanted[number][1] - wanted[number][0]), number))
    assert browser.numbers() == order[:50]
    assert browser.texts(".chip bdi") == [cause]
    assert cause in browser.status()
    shown = [[int(text) for text in browser.texts(f"#sentence-{n} .c-wrong")] for n in order[:3]]
    assert shown == [found[number][:2] for number in order[:3]]
    for number in order[:3]:
        browser.toggle(number)
        assert browser.one(f"#pair-{number} .repairs li").text
        assert browser.all(f"#pair-{number} .trees .numeral")
    # By the second, not by the first.
    choose(browser, "who", "second-only")
    expected = [number for number in order if found[number][1] and not found[number][0]]
    assert browser.numbers() == expected[:50]
    address = browser.js("return location.hash")
    browser.open(page, address=address)
    assert browser.numbers()[: len(expected[:50])] == expected[:50]
    browser.click(".chip button")
    assert len(browser.numbers()) == 50


def test_counts_of_labels_lengths_and_beads_lead_to_sentences(browser):
    gold, systems = GOLD, {"one": SYSTEM, "joined": [f"(TOP {SYSTEM[0]} {SYSTEM[1]})", *SYSTEM[2:]]}
    page = compare(gold, systems, keep=True, samples=20, analysis=True).report("html")
    browser.open(page)
    browser.click('#beads a[aria-label^="n:1 by joined"]')
    assert browser.texts("tr.sentence .opener") == ["1–2"]
    browser.click('#lengths .bins a[aria-label^="1–10"]')
    assert len(browser.numbers_or_ranges()) == 5
    browser.click('#labels a[aria-label^="NP by one"]')
    assert browser.texts(".chip bdi") == ["errors at NP"]
    assert all(int(text) for text in browser.texts("tr.sentence .c-wrong:nth-child(3)"))


def test_any_two_are_drawn_side_by_side(browser):
    """How second and third differ; and each of them from gold."""
    gold, first, second = GOLD[:3], SYSTEM[:3], [SYSTEM[0], GOLD[1], GOLD[2]]
    systems = {"first": first, "second <b>": second, "third": GOLD[:3]}
    result = compare(gold, systems, keep=True, test=None, confidence=None)
    browser.open(result.report("html"))

    def trees():
        browser.wait(lambda: browser.all("#pair-3 .as-text"))
        browser.js("document.querySelector('#pair-3 .as-text').open = true")
        browser.wait(lambda: browser.all("#pair-3 pre"))
        return browser.texts("#pair-3 pre")

    # The two that the list compares are those that are drawn.
    browser.toggle(3)
    names = browser.texts("#pair-3 .side-name")
    assert names == ["first", "second <b>"]
    assert trees() == [SYSTEM[2], GOLD[2]]
    choose(browser, "second", "2")
    choose(browser, "first", "1")
    assert browser.js("return location.hash").startswith("#sentences?pair=2+3")
    assert browser.texts("#pair-3 .side-name") == ["second <b>", "third"]
    assert trees() == [GOLD[2], GOLD[2]]
    assert browser.all("#pair-3 .trees .node:is(.right, .wrong)") == []
    choose(browser, "second", "0")
    choose(browser, "first", "-1")
    assert browser.texts("#pair-3 .side-name") == ["gold", "first"]
    assert trees() == [GOLD[2], SYSTEM[2]]
    assert browser.texts("#pair-3 .trees .node.missed > text") != []
    browser.open(result.report("html"), address="#sentences?pair=gold+1&sentence=3")
    assert browser.texts("#pair-3 .side-name") == ["gold", "first"]
    browser.layout("across")
    assert browser.one("#pair-3 svg.trees").is_displayed()


def test_what_each_of_two_systems_has_right(browser):
    """By hand: S and X are in both trees, NP in one and right, VP in two and right, Y in one and wrong."""
    gold = ["(S (NP (T a) (T b)) (VP (T c) (T d)) (PP (T e) (T f)))"]
    one = ["(S (NP (T a) (T b)) (X (T c)) (T d) (Y (T e)) (T f))"]
    two = ["(S (T a) (T b) (VP (X (T c)) (T d)) (T e) (T f))"]
    result = compare(gold, {"one": one, "two <b>": two}, keep=True, test=None, confidence=None)
    browser.open(result.report("html"))
    assert browser.texts("td.c-wrong") == ["4", "3"]
    assert browser.texts("td.c-apart") == ["−1"]
    browser.toggle(1)
    browser.wait(lambda: browser.all("#pair-1 svg.trees"))
    marks = {
        (side, name): browser.texts(f"#pair-1 .trees .{side} .node.{name}:not(.tag) > text")
        for side in ("gold", "system")
        for name in ("matched", "right", "wrong")
    }
    assert marks == {
        ("gold", "matched"): ["S", "X"],
        ("gold", "right"): ["✓ NP"],
        ("gold", "wrong"): ["✗ Y"],
        ("system", "matched"): ["S", "X"],
        ("system", "right"): ["✓ VP"],
        ("system", "wrong"): [],
    }
    legend = browser.texts("#pair-1 .legend bdi")
    assert legend == ["in both trees", "only in one, right", "only in two <b>, right", "only in one, wrong"]
    heads = browser.texts("#pair-1 .rep-h")
    assert [text.split("each")[0].strip() for text in heads] == ["What mends one", "What mends two <b>"]


def test_the_verdict_comes_first(browser):
    """Which system is better: the headline says it, the chart has the numbers, a mark its interval."""
    gold, first = treebank_pair(60)
    worse = [line.replace("(NP ", "(XP ") for line in first]
    page = compare(gold, {"one.mrg": first, "two.mrg": worse}, keep=True, samples=200).report("html")
    browser.open(page)
    title = browser.one("h1").text
    assert re.fullmatch(r"two is \d+\.\d\d points of F1 worse than one", title)
    assert browser.js("return document.querySelector('main h1').getBoundingClientRect().top") < 200
    values = browser.texts('[data-part="forest"] .v.big')
    assert values[2] == "−" + title.split()[2]
    mark = browser.all('[data-part="forest"] .mark')[-1]
    assert browser.js("return arguments[0].querySelector('.filled') !== null", mark)
    browser.hover(mark)
    tip = browser.one(".tip")
    assert tip.is_displayed()
    assert "interval −" in tip.text
    assert "p = 0.00" in tip.text
    browser.press("\ue00c")
    assert not tip.is_displayed()
    # Back from the sentences returns to the place of the link.
    before = browser.js("return scrollY")
    mark.click()
    assert browser.js("return location.hash").startswith("#sentences?pair=1+2")
    assert browser.js("return document.querySelector('#sentences').getBoundingClientRect().top") < 200
    browser.js("history.back()")
    browser.wait(lambda: browser.js("return location.hash") == "")
    browser.wait(lambda: abs(browser.js("return scrollY") - before) < 3)


def test_checkpoints_have_a_learning_curve(browser):
    gold, first = treebank_pair(30)
    names = {f"epoch-{number}.mrg": [*gold[:number], *first[number:]] for number in (1, 4, 16)}
    browser.open(compare(gold, names, keep=True, samples=20).report("html"))
    assert browser.one("#curve").is_displayed()
    assert browser.texts("#curve .bins > span") == ["1", "4", "16"]
    assert "best at 16" in browser.one("#curve .sub").text
    places = browser.js("return [...document.querySelectorAll('#curve .mark')].map((one) => one.offsetLeft)")
    assert places[1] - places[0] < places[2] - places[1]
    browser.open(compare(gold, {"a": first, "b": gold}, keep=True, samples=20).report("html"))
    assert not browser.one("#curve").is_displayed()


def test_causes_are_sorted_and_unfold(browser):
    browser.open(compared_page(80, analysis=True))
    data = page_data(compared_page(80, analysis=True))["byCause"]
    values = {one["title"]: [system[0] for system in one["systems"]] for one in data}

    def names():
        return browser.texts("#causes .fig .row:not(.head, .axis, .sum) .nm")

    apart = {name: max(abs(value - row[0]) for value in row) for name, row in values.items()}
    shown = names()
    assert [apart[name] for name in shown] == sorted((apart[name] for name in shown), reverse=True)
    browser.js("arguments[0].click()", browser.one('[name="causes-sort"][value="lost"]'))
    shown = names()
    assert [max(values[name]) for name in shown] == sorted(map(max, values.values()), reverse=True)[:9]
    browser.click("#causes button.show")
    assert len(names()) == len(values)
    sums = browser.texts("#causes .row.total .v")
    assert [float(text) for text in sums] == [
        pytest.approx(100 * sum(row[k] for row in values.values()), abs=0.006) for k in range(3)
    ]


def test_the_scatter_opens_what_a_dot_stands_for(browser, compared):
    units = page_data(compared)["units"]
    f1 = [[Fraction(unit[k], unit[k + 1]) for k in (2, 4, 6)] for unit in units]
    browser.open(compared)
    browser.click("#scatter > summary")
    for other in (1, 2):
        choose(browser, "second", str(other))
        won = [one[other] > one[0] for one in f1].count(True)
        tied = [one[other] == one[0] for one in f1].count(True)
        browser.wait(
            lambda won=won, tied=tied: (
                browser.texts(".outcome b") == [str(won), str(tied), str(len(f1) - won - tied)]
            )
        )
    browser.click('[data-show="better"]')
    assert len(browser.numbers()) == min(50, won)
    # The largest dot is for several sentences, which are listed; one for one sentence opens it.
    dots = {}
    for number, (one, _, three) in enumerate(f1, 1):
        dots.setdefault((round(10_000 * one), round(10_000 * three)), []).append(number)
    click = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    choose(browser, "filters", "all")
    circles = browser.all("circle.dot")
    assert len(circles) == len(dots)
    browser.js(click, circles[0])
    listed = max(dots.values(), key=len)
    assert len(browser.numbers()) == len(listed) > 1
    address = browser.js("return location.hash")
    browser.js(click, browser.all("circle.dot")[-1])
    assert len(browser.all(".panel svg.trees")) == 1
    browser.open(compared, address=address)
    assert len(browser.numbers()) == len(listed)


@pytest.mark.parametrize(("systems", "width"), [("abcd", 1280), ("ab", 1280), ("ab", 390)])
def test_systems_without_a_clipped_column(browser, systems, width):
    gold, system = GOLD[:3], SYSTEM[:3]
    names = [f"parser-{name}.mrg" for name in systems]
    result = compare(gold, dict.fromkeys(names, system), keep=True, samples=20, analysis=True)
    browser.open(result.report("html"), width=width)
    wider = """return [...document.querySelectorAll('.scroller, .list')]
        .map((one) => one.scrollWidth - one.clientWidth);"""
    assert len(browser.js(wider)) >= 4
    assert max(browser.js(wider)) <= 0


def test_searching_a_comparison(browser, compared):
    browser.open(compared)
    rows = page_data(compared)["rows"][0]
    word = next(word for word in words_of(rows[7], "gold") if len(word) > 3)
    browser.click('th[data-key="number"] button')
    browser.type(word.upper())
    texts = {number: " ".join(words_of(row, "gold")).lower() for number, row in enumerate(rows, 1)}
    assert browser.finds([number for number, text in texts.items() if word.lower() in text][:50])


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_a_comparison_is_never_wider_than_the_window(browser, compared, width):
    browser.open(compared, width=width, address="#sentence-7")
    assert browser.one("#pair-7 svg.trees").is_displayed()
    assert browser.js("return document.documentElement.scrollWidth") <= width


def test_a_comparison_without_trees(browser):
    result = compare(GOLD[:4], [GOLD[:4], [*SYSTEM[:3], "(())"]], settings=Params(), keep=True)
    browser.open(result.report("html"))
    assert len(browser.all("tr.sentence")) == 4
    assert browser.all(".opener") == []
    browser.open(compare(GOLD[:3], [SYSTEM[:3], GOLD[:3]]).report("html"))
    assert browser.all("tr.sentence") == []


def test_systems_that_join_other_sentences(browser):
    joined = [f"(TOP {SYSTEM[0]} {SYSTEM[1]})", *SYSTEM[2:3]]
    result = compare(GOLD[:3], {"apart": SYSTEM[:3], "joined": joined}, keep=True)
    browser.open(result.report("html"))
    browser.click('th[data-key="number"] button')
    assert browser.texts("tr.sentence .opener") == ["1–2", "3"]
    # A stretch of several sentences is called by its last one.
    browser.toggle(2)
    assert len(browser.all("#pair-2 svg.trees")) == 1
    # The other system's sentences end between the words of the joined tree.
    assert browser.texts("#pair-2 .break text") == ["sentence ends here in apart"]
    assert browser.js("return location.hash") == "#sentences?sort=number&sentence=2"


# -- gaps ----------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["down", "across"])
@pytest.mark.parametrize("width", [1280, 390])
def test_trees_with_gaps(browser, layout, width):
    browser.open(gapped_page(), width=width)
    browser.layout(layout)
    for number in (1, 2, 3):
        browser.toggle(number)
    words = "return [...document.querySelectorAll(arguments[0])].map((one) => [one.textContent, "
    words += f"one.getBBox().{'x' if layout == 'across' else 'y'}])"
    for number, text in ((1, "wake please your friend soon up"), (2, "what did they say there about")):
        found = browser.js(words, f"#pair-{number} .trees .word")
        assert " ".join(word for word, _ in sorted(found, key=lambda item: item[1])) == text
    # A sign stands for each gap, and a name that is read out says where the words are.
    labels = "return [...document.querySelectorAll(arguments[0])].map((one) => one.closest('.node'))"
    labels += ".map((one) => [one.querySelector('text').textContent, one.getAttribute('aria-label')])"
    # On a narrow screen one tree is drawn, with a switch to the other.
    expected = [
        ["− VP ⋯⋯", "gold VP, missed by the system, with 2 gaps, words 1, 4, 6: what … say … about"],
        ["+ WHNP ⋯", "system WHNP, extra in the system’s tree, with a gap, words 1, 6: what … about"],
    ]
    if width == 390:
        assert browser.js(labels, "#pair-2 .trees .node .gaps") == expected[1:]
        browser.js("arguments[0].click()", browser.one('#pair-2 .sides-switch input[value="gold"]'))
        assert browser.js(labels, "#pair-2 .trees .node .gaps") == expected[:1]
    else:
        assert browser.js(labels, "#pair-2 .trees .node .gaps") == expected
    assert browser.all("#pair-3 .trees .node .gaps") == []
    # Lines of a node with gaps clear those that they cross; trees without gaps have none to cross.
    assert len(browser.all("#pair-1 .trees .clear")) == len(browser.all("#pair-1 .trees .edge"))
    assert browser.all("#pair-3 .trees .clear") == []
    assert overlaps(browser, "#pair-1") == overlaps(browser, "#pair-2") == []
    assert browser.errors() == []


def test_no_node_stands_in_a_line_of_others(browser):
    """A node with gaps is at its first block, so no line to what is in a gap runs behind it."""
    browser.open(gapped_page())
    browser.toggle(2)
    centre = "return [...document.querySelectorAll('#pair-2 .trees .side.system .node')].map((one) => {"
    centre += "const box = one.querySelector('.shape').getBBox();"
    centre += "return [one.querySelector('text').textContent, box.y + box.height / 2]; })"
    rows = dict(browser.js(centre))
    word = browser.js(
        "const box = document.querySelector('#pair-2 .trees .word').getBBox(); return box.y + box.height / 2"
    )
    assert abs(rows["+ WHNP ⋯"] - word) < 3
    assert abs(rows["+ WHNP ⋯"] - rows["× SQ"]) > 15


def test_the_filter_of_errors_with_gaps(browser):
    browser.open(gapped_page(), address=BY_NUMBER)
    assert browser.numbers() == [1, 2, 3]
    browser.show("gaps")
    assert browser.numbers() == [2]
    assert browser.texts("#gaps tbody th") == ["1", "2", "3"]
    browser.toggle(2)
    assert "words in between belong to another constituent" in browser.one("#pair-2 .legend").text


def test_ids_are_shown_and_found(browser):
    browser.open(gapped_page(ids=True), address=BY_NUMBER)
    assert browser.texts("tr.sentence .id") == ["<b>1", "<b>2", "<b>3"]
    query = browser.one('[data-part="query"]')
    query.send_keys("<B>2")
    browser.wait(lambda: browser.numbers() == [2])
    browser.toggle(2)
    assert browser.texts("#pair-2 .id") == ["<b>2"]


def test_a_tree_with_gaps_as_text_can_be_read_again(browser):
    browser.open(gapped_page())
    browser.toggle(2)
    browser.click("#pair-2 .as-text summary")
    browser.wait(lambda: len(browser.texts("#pair-2 .as-text pre")) == 2)
    assert browser.texts("#pair-2 .as-text pre") == [gapped.GOLD[1], gapped.SYSTEM[1]]
    browser.toggle(3)
    browser.click("#pair-3 .as-text summary")
    browser.wait(lambda: len(browser.texts("#pair-3 .as-text pre")) == 2)
    assert browser.texts("#pair-3 .as-text pre")[0] == "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD slept))))"


def gapped_page(*, ids: bool = False) -> str:
    names = [f"<b>{number}" for number in (1, 2, 3)]
    return gapped.evaluated(ids=names if ids else ()).report("html")


def overlaps(browser, panel: str) -> list[str]:
    """The labels of nodes of one side that cover one another."""
    code = """
    const found = [];
    for (const side of ["gold", "system"]) {
      const nodes = [...document.querySelectorAll(`${arguments[0]} .trees .side.${side} .node`)];
      const boxes = nodes.map((one) => (one.querySelector(".shape") ?? one).getBBox());
      nodes.forEach((one, i) => nodes.slice(i + 1).forEach((other, k) => {
        const [a, b] = [boxes[i], boxes[i + 1 + k]];
        if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) {
          found.push(`${one.textContent} ${other.textContent}`);
        }
      }));
    }
    return found;
    """
    return browser.js(code, panel)
