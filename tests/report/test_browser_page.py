"""The page around the charts and the list in a real browser: theme, tables, links and the history."""

from __future__ import annotations

import pytest

from jpevalb import evaluate
from tests.support.report_pages import made_page

TABLES = """
    return [...document.querySelectorAll("table.sortable")].map((table) => ({
      limit: Number(table.dataset.limit ?? 0),
      heads: [...table.tHead.rows[0].cells].map((th) => ({
        numeric: th.matches(".number, [data-numeric]"), sort: th.getAttribute("aria-sort"),
        buttons: [...th.children].map((one) => [one.localName, one.type, one.textContent === th.textContent]),
      })),
      rows: [...table.tBodies[0].rows].map((tr) =>
        [...tr.cells].map((cell) => cell.dataset.value ?? cell.textContent.trim())),
      numbers: [...table.tBodies[0].rows[0].cells].map((cell) => cell.dataset.value !== undefined),
      shown: [...table.tBodies[0].rows].filter((tr) => !tr.hidden).length,
      more: [...table.parentElement.children].filter((one) => one.matches(".more")).map((one) =>
        [one.textContent, one.getAttribute("aria-expanded"), one.type, one.className]),
    }));
"""


@pytest.fixture(scope="module")
def made():
    return made_page(40)


def in_order(rows, column, numbers, down):
    """Sort rows by a column; ties stay, and rows without a value are last in both directions."""
    value = (lambda row: float(row[column])) if numbers else (lambda row: row[column])
    known = [row for row in rows if not numbers or row[column] != ""]
    return sorted(known, key=value, reverse=down) + [row for row in rows if row not in known]


def test_every_column_of_every_table_sorts(browser, made):
    """The first click on a column of numbers is descending, of texts ascending; the next one turns it."""
    browser.open(made)
    tables = browser.js(TABLES)
    assert len(tables) >= 4
    for index, table in enumerate(tables):
        rows, sorted_by = table["rows"], [head["sort"] for head in table["heads"]]
        for column, head in enumerate(table["heads"]):
            assert head["buttons"] == [["button", "button", True]]
            numbers = table["numbers"][column]
            for _ in range(2):
                browser.js(
                    "document.querySelectorAll('table.sortable')[arguments[0]].tHead.rows[0]"
                    ".cells[arguments[1]].querySelector('button').click()",
                    *(index, column),
                )
                before = sorted_by[column]
                down = before == "ascending" if before else head["numeric"]
                rows = in_order(rows, column, numbers, down)
                sorted_by = [None] * len(sorted_by)
                sorted_by[column] = "descending" if down else "ascending"
                now = browser.js(TABLES)[index]
                assert now["rows"] == rows
                assert [one["sort"] for one in now["heads"]] == sorted_by


def test_long_tables_are_folded(browser, made):
    browser.open(made)
    tables = browser.js(TABLES)
    long = [index for index, one in enumerate(tables) if one["limit"] and len(one["rows"]) > one["limit"] + 2]
    assert 0 < len(long) < len(tables)
    for index, table in enumerate(tables):
        if index not in long:
            assert (table["shown"], table["more"]) == (len(table["rows"]), [])
            continue
        limit, count = table["limit"], len(table["rows"])
        folded = [[f"Show all {count}", "false", "button", "quiet more"]]
        assert (table["shown"], table["more"]) == (limit, folded)
        click = "document.querySelectorAll('table.sortable')[arguments[0]].nextElementSibling.click()"
        browser.js(click, index)
        now = browser.js(TABLES)[index]
        unfolded = [[f"Show the first {limit}", "true", "button", "quiet more"]]
        assert (now["shown"], now["more"]) == (count, unfolded)
        # Sorting keeps a table as it is, unfolded or folded.
        sort = "document.querySelectorAll('table.sortable')[arguments[0]].querySelector('th button').click()"
        browser.js(sort, index)
        assert browser.js(TABLES)[index]["shown"] == count
        browser.js(click, index)
        browser.js(sort, index)
        now = browser.js(TABLES)[index]
        assert (now["shown"], now["more"]) == (limit, folded)
        hidden = "return [...document.querySelectorAll('table.sortable')[arguments[0]].tBodies[0].rows]"
        hidden = browser.js(f"{hidden}.map((one) => one.hidden)", index)
        assert hidden == [False] * limit + [True] * (count - limit)


THEME = """
    const button = document.getElementById("theme");
    const name = button.getAttribute("aria-label");
    return [document.documentElement.dataset.theme, button.textContent.trim(), name, button.hidden];
"""


def test_the_theme_is_kept(browser, made):
    def shown(name):
        return [name, name.capitalize(), f"Colours: {name}. Change", False]

    browser.open(made)
    assert browser.js(THEME) == shown("auto")
    for name in ("light", "dark", "auto", "light", "dark"):
        browser.one("#theme").click()
        assert browser.js(THEME) == shown(name)
    browser.open(made)
    assert browser.js(THEME) == shown("dark")
    browser.js("localStorage.setItem('jpevalb-report-theme', 'pink')")
    browser.open(made)
    assert browser.js(THEME) == shown("auto")
    assert browser.js("return localStorage.getItem('jpevalb-report-theme')") == "auto"


def test_a_page_without_storage_and_history_works(browser, made):
    """As in a page of a frame without rights: choices last as long as the page."""
    broken = """
        const refuse = () => { throw new DOMException("no", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get: refuse });
        for (const name of ["replaceState", "pushState"]) history[name] = refuse;
    """
    driver = browser.driver
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": broken})
    try:
        browser.open(made)
        browser.one("#theme").click()
        assert browser.js(THEME)[0] == "light"
        browser.toggle(3)
        assert browser.all("#pair-3 svg.trees")
        click_link(browser, "#sentence-5")
        assert browser.all("#pair-5 svg.trees")
        assert browser.js("return location.hash") == ""
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
        browser.open(made)


def click_link(browser, href, **keys):
    """Click a link that is put into the page; return whether the page follows it itself."""
    return browser.js(
        """
        const link = Object.assign(document.createElement("a"), { href: arguments[0] });
        link.append(document.createElement("b"));
        document.querySelector("main").prepend(link);
        let taken = null;
        const last = (event) => { taken = event.defaultPrevented; event.preventDefault(); };
        addEventListener("click", last, { once: true });
        const click = { bubbles: true, cancelable: true, ...arguments[1] };
        link.firstChild.dispatchEvent(new MouseEvent("click", click));
        link.remove();
        return taken;
        """,
        *(href, keys),
    )


def test_links_to_sentences_are_steps_in_the_history(browser, made):
    browser.open(made)
    assert click_link(browser, "#sentence-7") is True
    assert browser.js("return location.hash") == "#sentence-7"
    assert browser.all("#pair-7 svg.trees")
    assert browser.active() == "Sentence 7, trees"
    top = "return Math.abs(document.querySelector('#sentence-7').getBoundingClientRect().top) < 300"
    assert browser.js(top)
    assert click_link(browser, "#sentences?show=errors&sort=-length") is True
    listed = browser.numbers()
    assert browser.js("return location.hash") == "#sentences?show=errors&sort=-length"
    # Other links, and clicks that open another window, are the browser's.
    for href in ("#sentences", "#sentence-x", "#sentence-", "#labels", "https://example.org/#sentence-3"):
        assert click_link(browser, href) is False
    for key in ("ctrlKey", "metaKey", "shiftKey"):
        assert click_link(browser, "#sentence-3", **{key: True}) is False
    assert browser.numbers() == listed
    assert not browser.all("#pair-3")
    # Back and forward show what was there.
    browser.js("history.back()")
    browser.wait(lambda: browser.all("#pair-7 svg.trees"))
    browser.js("history.forward()")
    browser.wait(lambda: browser.numbers() == listed)


def test_back_returns_to_the_place_of_the_link(browser, made):
    browser.open(made)
    browser.js("scrollTo(0, 150)")
    click_link(browser, "#sentences?show=errors")
    errors = browser.numbers()
    assert len(errors) < 40
    assert browser.js(
        "return Math.abs(document.querySelector('#sentences').getBoundingClientRect().top) < 100"
    )
    browser.js("history.back()")
    browser.wait(lambda: sorted(browser.numbers()) == list(range(1, 41)))
    browser.wait(lambda: browser.js("return scrollY") == 150)
    # An address that is typed shows its sentence, and scrolls to it; one of another part changes no list.
    browser.js("location.hash = '#sentences?show=errors'")
    browser.wait(lambda: browser.numbers() == errors)
    browser.js("scrollTo(0, 0); location.hash = '#sentence-30'")
    browser.wait(lambda: browser.all("#pair-30 svg.trees"))
    assert browser.js("return scrollY") > 300
    browser.show("errors")
    browser.js("location.hash = '#labels'")
    browser.wait(lambda: browser.js("return location.hash") == "#labels")
    assert browser.numbers() == errors


def test_a_page_without_a_list(browser):
    """Nothing asks for sentences, and links are the browser's."""
    browser.open(made_page(20, quiet=True), address="#sentence-3")
    assert browser.all("[data-group]") == []
    assert click_link(browser, "#sentence-3") is False
    browser.js("history.pushState({ top: 0 }, '', '#sentences?show=errors'); history.back()")
    browser.wait(lambda: browser.js("return location.hash") == "#sentence-3")


def test_buttons_send_no_form(browser, made):
    """A button without a type would send a form that is around the page."""
    deep = "(X " * 3000 + "(T a)" + ")" * 3000
    large = evaluate([deep], [deep], metrics=("brackets",)).report("html")
    for page in (made, large):
        browser.open(page, address="#sentence-1")
        others = (
            "return [...document.querySelectorAll('button:not([type=button])')].map((one) => one.outerHTML)"
        )
        assert browser.js(others) == []
    quiet = "return document.querySelector('#pair-1 .drawing button').matches('.quiet')"
    assert browser.js(quiet)


def test_the_data_of_a_page_are_read_once(browser, made):
    """The text of 20,000 sentences is given back when they are read."""
    browser.open(made)
    assert browser.js("return document.getElementById('data').textContent") == ""
