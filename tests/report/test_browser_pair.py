"""The details of a sentence in a real browser: texts, folding, sizes, lists and marked words."""

from __future__ import annotations

import pytest

from jpevalb import evaluate
from tests.support.report_pages import GOLD, SYSTEM, TV_WAR, WAR


@pytest.fixture(scope="module")
def small():
    return evaluate(GOLD, SYSTEM).report("html", system_name="parser.mrg")


def press(browser, number, text):
    """Press a button of a picture."""
    browser.js(
        """
        const buttons = [...document.querySelectorAll(`#pair-${arguments[0]} .tools button`)];
        buttons.find((one) => one.textContent === arguments[1]).click();
        """,
        *(number, text),
    )


def point(browser, element):
    browser.js("arguments[0].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))", element)


# -- texts -------------------------------------------------------------------------------


def test_what_is_said_about_a_sentence(browser, small):
    browser.open(small)
    expected = {
        1: (
            "5 matched · 2 missed · 2 extra · 1 crossing · recall 71.43 · precision 71.43",
            [
                "matched",
                "missing in parser",
                "extra in parser",
                "crosses a gold constituent",
                "other tag",
                "where the numbered phrase hangs",
            ],
        ),
        2: (
            "3 matched · 0 missed · 0 extra · 0 crossing · recall 100.00 · precision 100.00",
            ["matched"],
        ),
        4: (
            "0 matched · 4 missed · 0 extra · 0 crossing · recall 0.00 · precision –",
            ["missing in parser"],
        ),
    }
    for number, (counts, legend) in expected.items():
        browser.toggle(number)
        pair = f"#pair-{number}"
        sentences = f"gold sentence {number} against system sentence {number}"
        assert browser.texts(f"{pair} .about") == [sentences + counts]
        assert (
            browser.texts(f"{pair} .legend bdi") + browser.texts(f"{pair} .legend li:not(:has(bdi))")
            == legend
        )
        assert browser.texts(f"{pair} .note") == []
    names = browser.texts("#pair-1 .tools button")
    assert names == ["Fold correct parts", "Fit", "100 %", "Full screen"]
    # A sample in the legend looks like the node that it stands for.
    look = """
        return ["matched", "missed", "extra", "crossing", "other-tag"].map((kind) =>
          [".legend", ".trees"].map((where) => {
            const node = document.querySelector(`#pair-1 ${where} .node.${kind}`);
            const style = getComputedStyle(node.querySelector(".shape"));
            return ["fill", "stroke", "strokeWidth", "strokeDasharray"].map((name) => style[name]);
          }));
    """
    looks = browser.js(look)
    assert all(sample == drawn for sample, drawn in looks)
    assert len({tuple(sample) for sample, _ in looks}) == 5
    sample = """
        return [...document.querySelectorAll("#pair-1 .legend svg")].map((svg) => {
          const text = svg.querySelector("text");
          const box = (one) => one.getBoundingClientRect();
          const [outer, inner, own] = [box(svg), box(svg.querySelector(".shape")), box(text)];
          const inside = own.left >= inner.left && own.right <= inner.right && inner.left >= outer.left &&
            inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
          return [text.textContent, inside];
        });
    """
    signs = ["NP", "− NP", "+ NP", "× NP", "! NN"]
    assert browser.js(sample) == [[sign, True] for sign in signs]


def test_sentences_that_are_joined_or_alone(browser):
    joined = evaluate(GOLD[:3], [f"(TOP {SYSTEM[0]} {SYSTEM[1]})"])
    browser.open(joined.report("html", system_name="parser.mrg"), address="#sentences?sort=number")
    browser.toggle(1)
    browser.toggle(2)
    about = [text.split("sentence", 1) for text in browser.texts(".about")]
    assert [
        first + "sentence" + rest.partition(" matched")[0].rstrip("0123456789") for first, rest in about
    ] == [
        "gold sentences 1–2 against system sentence ",
        "gold sentence 3 against no system sentence",
    ]
    assert browser.texts("#pair-2 .legend li") == ["− NPmissing in parser"]
    assert "a sentence ends on one side" in browser.texts("#pair-1 .legend li")
    # Neither side has a tree: the reasons are given in its place.
    broken = ["(S (N a))", "(S (N b)"]
    browser.open(evaluate(broken, broken, on_error="skip").report("html"), address="#sentence-2")
    assert browser.texts("#pair-2 .drawing .note") == ["There is nothing to draw: no tree on either side."]
    reason = "sentence 2: the tree that begins here is not closed: 1 ')' is missing"
    assert browser.texts("#pair-2 > .note") == [f"gold {reason}", f"system {reason}"]


def test_words_beside_constituents_stand_at_their_place(browser):
    gold = "(S a (NP (D the) (N cat)) b (VP (V x) c) d)"
    system = "(S a (NP (D the) (M cat)) b (XP (V x) c) d)"
    browser.open(evaluate([gold], [system], tags="yes").report("html"), address="#sentence-1")
    browser.js("document.querySelector('#pair-1 .as-text').open = true")
    browser.wait(lambda: browser.all("#pair-1 pre"))
    assert browser.texts("#pair-1 h4") == ["Gold", "System"] or browser.texts("#pair-1 h4") == [
        "gold",
        "system",
    ]
    nested = """
        const read = (li) => {
          const own = [...li.children].filter((one) => one.localName !== "ul");
          if (!own.length) return li.textContent;
          const rest = [...li.querySelectorAll(":scope > ul > li")].map(read);
          return `(${[...own.map((one) => one.textContent.trim()), ...rest].join(" ")})`;
        };
        return [...document.querySelectorAll("#pair-1 .nested")].map((top) =>
          [...top.children].map(read).join(" "));
    """
    assert browser.js(nested) == [
        "(S a (NP (D the) (! N other tag cat)) b (− VP missed (V x) c) d)",
        "(S a (NP (D the) (! M other tag cat)) b (+ XP extra (V x) c) d)",
    ]
    names = (
        "return [...document.querySelectorAll('#pair-1 pre')].map((one) => one.getAttribute('aria-label'))"
    )
    assert browser.js(names) == ["gold tree as brackets", "system tree as brackets"]
    # A tag and its word are one item, without a list of their own.
    assert len(browser.all("#pair-1 .nested ul")) == 6
    point(browser, browser.one('#pair-1 .node[data-side="gold"]'))
    (reading,) = browser.texts("#pair-1 .reading")
    assert reading == "S in the gold tree, words 1–7: a the cat b x c d — matched; aligned with S."


def test_what_is_aligned_without_struct_iou(browser):
    """Matched constituents, and tags of words that are aligned one to one."""
    gold = "(S a (NP (D the) (N cat)) (VP (M ca) (R n't)) (X d))"
    page = evaluate(
        [gold], [gold.replace("(M ca) (R n't)", "(M cannot)")], metrics=("brackets",), tags="yes"
    ).report("html")
    browser.open(page, address="#sentence-1")
    expected = {
        **{0: "S, words 1–5", 1: "NP", 2: "D", 3: "N", 4: "VP, word 4", 5: "", 6: ""},
        7: "X, word 5",
    }
    for node, partner in expected.items():
        point(browser, browser.one(f'#pair-1 .node[data-side="gold"][data-node="{node}"]'))
        assert browser.texts("#pair-1 .node.linked > text") == [partner.partition(",")[0]] * bool(partner)
        (reading,) = browser.texts("#pair-1 .reading")
        assert reading.partition("; aligned with ")[2].rstrip(".") == partner


def test_searched_words_are_marked(browser):
    trees = ["(S (N a.b) (N Axb) (N c+) (N $x))"]
    page = evaluate(trees, trees).report("html")
    browser.open(page)
    for query, marks in {
        "a.b": ["a.b"],
        "B": ["b", "b"],
        "c+": ["c+"],
        "$x": ["$x"],
        "/a.b/": ["a.b"],
        "/a.b/i": ["a.b", "Axb"],
        "/x*/": ["x", "x"],
        "/^a/": ["a"],
        " c+ ": ["c+"],
    }.items():
        browser.type(query)
        browser.wait(lambda marks=marks: browser.texts("#sentence-1 .words mark") == marks)
        assert browser.texts("#sentence-1 .words") == ["a.b Axb c+ $x"]


# -- folding -----------------------------------------------------------------------------

FOLDS = {
    "two phrases": (
        "(S (NP (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))))",
        "(S (NP (D the) (N cat)) (XP (V saw) (NP (D a) (N dog))))",
        [["the cat", "saw", "a dog"], []],
        [["S", "NP", "− VP", "NP"], ["S", "NP", "+ XP", "NP"]],
        ["the cat", "saw", "a dog"],
    ),
    "other tokens stay": (
        "(S (NP (D the) (M can) (R not)) (VP (V go) (R on)))",
        "(S (NP (D the) (M cannot)) (VP (V go) (R on)))",
        [["the", "can", "not", "go on"], ["the", "cannot", "go on"]],
        [["S", "NP", "VP"], ["S", "NP", "VP"]],
        ["the", "can not ~ cannot", "can not ~ cannot", "go on", "the", "can not ~ cannot", "go on"],
    ),
    "long phrases are cut": (
        "(S (NP (D a) (A b) (A c) (A d) (A e) (N f)) (PP (A g) (A h) (A i) (A j)) (VP (V x) (P y)))",
        "(S (NP (D a) (A b) (A c) (A d) (A e) (N f)) (PP (A g) (A h) (A i) (A j)) (XP (V x) (P y)))",
        [["a b … f", "g h i j", "x", "y"], []],
        [["S", "NP", "PP", "− VP"], ["S", "NP", "PP", "+ XP"]],
        ["a b … f", "g h i j", "x", "y"],
    ),
    "wrong tags stay": (
        "(S (NP (D the) (N cat)) (VP (V saw) (P on)))",
        "(S (NP (D the) (X cat)) (VP (V saw) (P on)))",
        [["the", "cat", "saw on"], []],
        [["S", "NP", "VP"], ["S", "NP", "VP"]],
        ["the", "cat", "saw on"],
    ),
    "more system words": (
        "(S (NP (D the) (N cat)) (VP (V ran)))",
        "(S (NP (D the) (N cat)) (X (Y uh)) (VP (V ran)))",
        [["the cat", "ran"], ["the cat", "uh", "ran"]],
        [["S", "NP", "VP"], ["S", "NP", "+ X", "VP"]],
        ["the cat", "ran ~ uh ran", "the cat", "ran ~ uh ran", "ran ~ uh ran"],
    ),
    "more gold words": (
        "(S (NP (D the) (N cat)) (X (Y uh)) (VP (V ran)))",
        "(S (NP (D the) (N cat)) (VP (V ran)))",
        [["the cat", "uh", "ran"], ["the cat", "ran"]],
        [["S", "NP", "− X", "VP"], ["S", "NP", "VP"]],
        ["the cat", "uh ran ~ ran", "uh ran ~ ran", "the cat", "uh ran ~ ran"],
    ),
    "words beside phrases": (
        "(S a (NP (D the) (N cat) (PP (P on) (N tv))) b (VP (V x) c))",
        "(S a (NP (D the) (N cat) (PP (P on) (N tv))) b (XP (V x) c))",
        [["a", "the cat on tv", "b", "x", "c"], []],
        [["S", "NP", "− VP"], ["S", "NP", "+ XP"]],
        ["a", "the cat on tv", "b", "x", "c"],
    ),
}
STATE = """
    const pair = document.querySelector(`#pair-${arguments[0]}`);
    const texts = (selector) => [...pair.querySelectorAll(selector)].map((one) => one.firstChild.textContent);
    const sides = ["gold", "system"];
    const readings = [...pair.querySelectorAll(".word")].map((one) => {
      one.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      return pair.querySelector(".reading").textContent;
    });
    return {
      words: sides.map((side) => texts(`.side.${side} .word`)),
      nodes: sides.map((side) => [...pair.querySelectorAll(`.side.${side} .node:not(.tag) > text`)]
        .map((one) => one.textContent)),
      roofs: sides.map((side) => pair.querySelectorAll(`.side.${side} .roof`).length),
      titles: [...pair.querySelectorAll(".word title")].map((one) => one.textContent),
      readings,
      pressed: pair.querySelector(".tools button").getAttribute("aria-pressed"),
    };
"""


def said(text):
    """What is said of a word: the same on both sides, or `gold ~ system`."""
    gold, _, system = text.partition(" ~ ")
    return f"{gold} is aligned with {system}." if system else f"{gold} is the same on both sides."


def test_correct_parts_are_folded(browser):
    """Constituents of more than a word with the same words and no error in them; by hand."""
    pairs = [case[:2] for case in FOLDS.values()]
    page = evaluate([gold for gold, _ in pairs], [system for _, system in pairs], pair="order").report("html")
    browser.open(page)
    for number, (_, _, words, nodes, readings) in enumerate(FOLDS.values(), 1):
        browser.toggle(number)
        before = browser.js(STATE, number)
        assert (before["roofs"], before["pressed"]) == ([0, 0], "false")
        press(browser, number, "Fold correct parts")
        folded = browser.js(STATE, number)
        assert (folded["words"], folded["nodes"], folded["pressed"]) == (words, nodes, "true")
        assert folded["readings"] == [said(text) for text in readings]
        assert folded["roofs"][0] == folded["roofs"][1] > 0
        press(browser, number, "Fold correct parts")
        assert browser.js(STATE, number) == before


def test_what_is_folded_opens(browser):
    gold, system = FOLDS["words beside phrases"][:2]
    browser.open(evaluate([gold], [system]).report("html"), address="#sentence-1")
    press(browser, 1, "Fold correct parts")
    np = '#pair-1 .node[data-side="gold"][data-node="1"]'
    point(browser, browser.one(np))
    assert browser.texts("#pair-1 .reading") == [
        "NP in the gold tree, words 2–5: the cat on tv — matched, with all that is in it; aligned with NP."
    ]
    assert browser.js(STATE, 1)["titles"] == ["the cat on tv"]
    # Its word opens it, from either side, and what is correct in it stays folded.
    opened = ["a", "the", "cat", "on tv", "b", "x", "c"]
    click = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    for selector in (".side.gold .word.folded", ".side.gold .roof", ".side.system .roof"):
        browser.js(click, f"#pair-1 {selector}")
        state = browser.js(STATE, 1)
        assert state["words"] == [opened, []]
        assert state["nodes"] == [["S", "NP", "PP", "− VP"], ["S", "NP", "PP", "+ XP"]]
        press(browser, 1, "Fold correct parts")
        press(browser, 1, "Fold correct parts")
    for side in ("gold", "system"):
        browser.js(f"document.querySelector('{np}'.replace('gold', '{side}')).focus()")
        browser.press("+")
        assert browser.js(STATE, 1)["words"] == [opened, []]
        press(browser, 1, "Fold correct parts")
        press(browser, 1, "Fold correct parts")
    assert browser.js(STATE, 1)["words"] == FOLDS["words beside phrases"][2]


def test_a_node_without_words_is_folded_away(browser):
    gold = "(S a (NP (D the) (N cat) (X)) (VP (V x) c))"
    browser.open(evaluate([gold], [gold.replace("VP", "XP")]).report("html"), address="#sentence-1")
    press(browser, 1, "Fold correct parts")
    state = browser.js(STATE, 1)
    assert state["words"] == [["a", "the cat", "x", "c"], []]
    assert state["nodes"] == [["S", "NP", "− VP"], ["S", "NP", "+ XP"]]
    # A folded node is drawn over its words, and says what they are.
    point(browser, browser.one('#pair-1 .node[data-side="gold"][data-node="1"]'))
    assert browser.texts("#pair-1 .reading") == [
        "NP in the gold tree, words 2–3: the cat — matched, with all that is in it; aligned with NP."
    ]


def test_a_chosen_cause_folds_the_errors_of_others(browser):
    """Numbers, heavy lines and tints of its repairs are at the same nodes and words of the folded trees."""
    other = "(SBAR (C if) (S (NP (N you)) (VP (V go) ({} (R now)))))"
    gold, system = f"(S {WAR} {other.format('ADVP')})", f"(S {TV_WAR} {other.format('NP')})"
    browser.open(evaluate([gold], [system], pair="order").report("html"))
    browser.js("arguments[0].click()", browser.one('[data-title="PP attachment"]'))
    browser.toggle(1)
    state = browser.js(STATE, 1)
    assert state["pressed"] == "true"
    assert state["words"][0][-1] == "if you go now"
    marks = """
        const svg = document.querySelector("#pair-1 svg.trees");
        const bands = [...svg.querySelectorAll(".band")]
          .flatMap((one, i) => (one.matches(".tint-0") ? [i] : []));
        const words = [...svg.querySelectorAll(".side.gold .word")];
        return [
          ...["gold", "system"].map((side) =>
            [...svg.querySelectorAll(`.side.${side} .node:has(.numeral) > text`)]
              .map((one) => one.textContent)),
          words.filter((one) => bands.includes(Number(one.dataset.unit)))
            .map((one) => one.firstChild.textContent),
          svg.querySelectorAll(".thick").length,
        ];
    """
    folded = browser.js(marks)
    assert folded[:2] == [["PP"], ["PP"]]
    assert " ".join(folded[2]) == "on tv"
    assert folded[3] == 2
    press(browser, 1, "Fold correct parts")
    assert browser.js(STATE, 1)["roofs"] == [0, 0]
    assert browser.js(marks) == [["PP"], ["PP"], ["on", "tv"], 2]
    # A repair in the list lights up its nodes, and its number moves the focus there.
    press(browser, 1, "Fold correct parts")
    browser.hover(browser.one("#pair-1 .repairs li"))
    assert browser.texts("#pair-1 .node.wanted > text") == ["PP", "PP"]
    browser.click("#pair-1 .repairs .badge-number")
    assert browser.active().startswith("system PP")
    browser.open(evaluate([gold], [system], pair="order").report("html"))
    browser.toggle(1)
    assert browser.js(STATE, 1)["roofs"] == [0, 0]


def test_copying_without_the_clipboard(browser, small):
    browser.open(small)
    browser.js("""
        navigator.clipboard.writeText = async () => { throw new Error("no"); };
        document.execCommand = (name) => {
          window.kept = [name, getSelection().toString()];
          return window.answer;
        };
        window.answer = true;
    """)
    for answer, shown in (("true", "Copied"), ("false", "Select and copy")):
        browser.js(f"window.answer = {answer}")
        browser.click("#cite [aria-label='Copy: Signature']")
        browser.wait(lambda shown=shown: browser.texts("#cite [aria-label='Copy: Signature']") == [shown])
        assert browser.js("return window.kept[0]") == "copy"
        assert browser.js("return window.kept[1]").startswith("jpevalb:")
    assert browser.all("textarea") == []


def test_full_screen_that_the_browser_refuses(browser, small):
    browser.open(small, address="#sentence-2")
    browser.js("Element.prototype.requestFullscreen = () => Promise.reject(new Error('no'))")
    press(browser, 2, "Full screen")
    browser.wait(lambda: browser.texts("#pair-2 .done") == ["The browser does not allow it"])


# -- sizes -------------------------------------------------------------------------------

SIZE = """
    const svg = document.querySelector("#pair-1 svg.trees");
    const room = document.querySelector("#pair-1 .stage .scroller");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const word = svg.querySelector(".word");
    return {
      own: [width, height], shown: [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))],
      room: room.clientWidth, left: room.scrollLeft, most: room.scrollWidth - room.clientWidth,
      words: Number(word.getAttribute("x")),
      pressed: [...document.querySelectorAll("#pair-1 [data-size]")].map((one) =>
        [one.dataset.size, one.getAttribute("aria-pressed")]),
    };
"""


def sized(browser, expected, fit="false", full="false"):
    """Wait for the picture, whose size is that of the drawing times `expected`."""

    def fits():
        size = browser.js(SIZE)
        scale = expected(size)
        return size["shown"] == [int(side * scale + 1e-9) for side in size["own"]]

    browser.wait(fits)
    size = browser.js(SIZE)
    assert size["pressed"] == [["fit", fit], ["full", full]]
    return size


def test_sizes_of_a_picture(browser):
    """A wide picture shrinks to two thirds at most; `Fit` shrinks it more, and `100 %` not at all."""
    deep = "(S " * 24 + "(NP (N a) (N b))" + ")" * 24
    page = evaluate([deep], [deep]).report("html")
    browser.open(page, address="#sentence-1", width=910)
    size = sized(browser, lambda size: 0.65)
    assert size["own"][0] * 0.65 > 1.2 * size["room"]
    # It scrolls to its words.
    assert size["left"] == pytest.approx(size["words"] * 0.65 - size["room"] / 2, abs=3)
    press(browser, 1, "Fit")
    size = sized(browser, lambda size: size["room"] / size["own"][0], fit="true")
    assert size["most"] == 0
    press(browser, 1, "100 %")
    size = sized(browser, lambda size: 1, full="true")
    assert size["left"] == pytest.approx(size["words"] - size["room"] / 2, abs=3)
    browser.open(page, address="#sentence-1", width=910)
    sized(browser, lambda size: 1, full="true")
    press(browser, 1, "100 %")
    sized(browser, lambda size: 0.65)
    # A small one has its own size, and a middling one fits.
    deep = deep.replace("(S " * 12, "", 1).replace(")" * 12, "", 1)
    browser.open(evaluate([deep], [deep]).report("html"), address="#sentence-1", width=1900)
    sized(browser, lambda size: min(1, size["room"] / size["own"][0]))
    browser.open(evaluate(["(S (N a))"], ["(S (N a))"]).report("html"), address="#sentence-1", width=1280)
    assert sized(browser, lambda size: 1)["left"] == 0


def test_a_high_picture_fits_the_screen(browser):
    words = " ".join(f"(NP (N w{number}))" for number in range(60))
    browser.open(evaluate([f"(S {words})"], [f"(S {words})"]).report("html"), address="#sentence-1")
    press(browser, 1, "Fold correct parts")
    browser.click("#pair-1 .tools button:nth-of-type(4)")
    browser.wait(lambda: browser.js("return document.fullscreenElement?.className ?? null") == "drawing")
    room = (
        "const one = document.querySelector('.stage .scroller'); return [one.clientWidth, one.clientHeight]"
    )

    def fits():
        size, (width, height) = browser.js(SIZE), browser.js(room)
        scale = min(width / size["own"][0], height / size["own"][1])
        return scale < 0.65 and size["shown"] == [int(side * scale + 1e-9) for side in size["own"]]

    browser.click("#pair-1 [data-size='fit']")
    browser.wait(fits)
    browser.click("#pair-1 .tools button:nth-of-type(4)")
    browser.wait(lambda: browser.js("return document.fullscreenElement === null"))
    browser.wait(lambda: browser.js(SIZE)["shown"][1] > browser.js("return innerHeight"))


def test_text_from_right_to_left_begins_at_the_right(browser):
    words = " ".join(f"(NP (N שלום{number}))" for number in range(16))
    page = evaluate([f"(S {words})"], [f"(S {words.replace('NP', 'XP', 1)})"]).report("html")
    browser.open(page, width=910)
    browser.layout("across")
    browser.toggle(1)
    press(browser, 1, "100 %")
    size = sized(browser, lambda size: 1, full="true")
    assert size["left"] == pytest.approx(size["most"], abs=1)
    assert size["most"] > 100
    left = evaluate([f"(S {words})".replace("שלום", "w")], [f"(S {words})".replace("שלום", "w")]).report(
        "html"
    )
    browser.open(left, width=910)
    browser.layout("across")
    browser.toggle(1)
    assert browser.js(SIZE)["left"] == 0


def test_one_tree_at_a_time_on_a_narrow_screen(browser, small):
    browser.open(small, address="#sentence-1", width=390)
    sides = """
        const pair = document.querySelector("#pair-1");
        return [
          ...["gold", "system"].map((side) => pair.querySelectorAll(`.side.${side} .node`).length > 0),
          [...pair.querySelectorAll(".side-names .side-name")].map((one) => one.textContent),
          [...pair.querySelectorAll(".sides-switch label")].map((one) =>
            [one.textContent, one.querySelector("input").checked]),
          pair.querySelectorAll(".word").length,
        ];
    """
    assert browser.js(sides) == [False, True, ["parser"], [["gold", False], ["parser", True]], 8]
    browser.js("arguments[0].click()", browser.one('#pair-1 .sides-switch input[value="gold"]'))
    assert browser.js(sides) == [True, False, ["gold"], [["gold", True], ["parser", False]], 8]
    point(browser, browser.one('#pair-1 .node[data-side="gold"][data-node="1"]'))
    (reading,) = browser.texts("#pair-1 .reading")
    assert reading == "S in the gold tree, words 1–8: the cat saw a dog with glee . — matched."
    # With one tree only there is nothing to switch.
    browser.open(small, address="#sentence-4", width=390)
    assert browser.all("#pair-4 .sides-switch") == []
