"""Repairs of a sentence in a real browser: in words, as numbers at nodes, as heavy lines and tinted words."""

from __future__ import annotations

import re

import pytest

from jpevalb import compare, evaluate
from tests.support.report_pages import TV_WAR, WAR, compared_page, made_page

STATE = """
    const panel = document.querySelector("#pair-1");
    const texts = (selector) => [...panel.querySelectorAll(selector)].map((one) => one.textContent);
    const bands = [...panel.querySelectorAll(".band")];
    const numbers = (side) => [...panel.querySelectorAll(`.side.${side} .node:has(.numeral)`)]
      .map((one) => [...one.querySelectorAll("text")].map((text) => text.textContent).join(" "));
    return {
      repairs: texts(".repairs li > span:first-of-type"),
      mends: texts(".repairs .mends"),
      gold: numbers("gold"),
      system: numbers("system"),
      thick: ["gold", "system"].map((name) => panel.querySelectorAll(`.side.${name} .edge.thick`).length),
      tints: [0, 1].map((k) => bands.flatMap((one, i) => (one.matches(`.tint-${k}`) ? [i] : []))),
      marked: [...document.querySelectorAll("#sentence-1 .words mark")].map((one) => one.textContent),
    };
"""

THEY, THEY_TV = (tree.replace("we", "they").replace("tv", "ice") for tree in (WAR, TV_WAR))
GO = "(S (NP (N we)) (VP (V go) (ADVP (R now))))"
BIG = "(PP (P on) (NP (D the) (A big) (A new) (A flat) (N tv)))"

CASES = {
    "down": (
        *(
            WAR,
            TV_WAR,
            {"PP on tv is attached to NP a war; in gold to VP saw a war": "1 bracket · PP attachment"},
        ),
        {"gold": ["PP 1"], "system": ["PP 1"], "thick": [1, 1], "tints": [[4, 5], []], "marked": ["1on tv"]},
    ),
    "up": (
        *(
            TV_WAR,
            WAR,
            {"PP on tv is attached to VP saw a war; in gold to NP a war": "1 bracket · PP attachment"},
        ),
        {"gold": ["PP 1"], "system": ["PP 1"], "thick": [1, 1], "tints": [[4, 5], []], "marked": ["1on tv"]},
    ),
    "a long phrase": (
        f"(S (NP (N we)) (VP (V saw) (NP (NP (D a) (N war)) {BIG})))",
        f"(S (NP (N we)) (VP (V saw) (NP (D a) (N war)) {BIG}))",
        {"PP on the big … tv is attached to VP saw a war; in gold to NP a war": "1 bracket · PP attachment"},
        {
            **{"gold": ["PP 1"], "system": ["PP 1"], "thick": [1, 1]},
            **{"tints": [[4, 5, 6, 7, 8, 9], []], "marked": ["1on the big new flat tv"]},
        },
    ),
    "two moves": (
        *(f"(S {WAR} {THEY})", f"(S {TV_WAR} {THEY_TV})"),
        {
            "PP on tv is attached to NP a war; in gold to VP saw a war": "1 bracket · PP attachment",
            "PP on ice is attached to NP a war; in gold to VP saw a war": "1 bracket · PP attachment",
        },
        {
            **{"gold": ["PP 1", "PP 2"], "system": ["PP 1", "PP 2"], "thick": [2, 2]},
            **{"tints": [[4, 5], [10, 11]], "marked": ["1on tv", "2on ice"]},
        },
    ),
    "a node over the moved one": (
        "(S (NP (N we)) (VP (V saw) (NP (NP (D a) (N war)) (PP (P on) (NP (N tv))))))",
        "(S (NP (N we)) (VP (V saw) (NP (D a) (N war)) (X (PP (P on) (NP (N tv))))))",
        {
            "X on tv is not in gold": "1 bracket · unary",
            "PP on tv is attached to VP saw a war; in gold to NP a war": "1 bracket · insertion attachment",
        },
        {
            **{"gold": ["PP 2"], "system": ["+ X 1", "PP 2"], "thick": [1, 1]},
            **{"tints": [[], [4, 5]], "marked": ["2on tv"]},
        },
    ),
    "label": (
        *(GO, GO.replace("ADVP", "NP"), {"now is labelled NP; in gold ADVP": "2 brackets · different label"}),
        {"gold": ["− ADVP 1"], "system": ["+ NP 1"]},
    ),
    "no parse": (
        GO,
        "(())",
        {"There is no parse: all gold brackets are missing": "4 brackets · no parse"},
        {},
    ),
    "no gold": (
        *("(())", GO),
        {"There is no gold parse: all system brackets are extra": "4 brackets · no gold parse"},
        {},
    ),
    "single words": (
        "(S (NP (N we)) (VP (V ate) (NP (NP (N a)) (C and) (NP (N b)))))",
        "(S (NP (N we)) (VP (V ate) (NP (N a) (C and) (N b))))",
        {
            "NP a is missing": "1 bracket · single-word phrase",
            "NP b is missing": "1 bracket · single-word phrase",
        },
        {"gold": ["− NP 1", "− NP 2"]},
    ),
    "two at a node": (
        "(S (NP (D the) (A old) (N man)) (VP (V left)))",
        "(S (NP (D the)) (NP (A old) (N man)) (VP (V left)))",
        {
            "NP old man is attached to S the … left; in gold to NP the": "2 brackets · NP attachment",
            "NP old man is not in gold": "1 bracket · NP-internal structure",
        },
        {"system": ["+ NP 1 2"], "thick": [0, 1], "tints": [[1, 2], []], "marked": ["1old man"]},
    ),
    "one in the other": (
        "(S (NP (N we)) (VP (V gave) (NP (D the) (N man)) (NP (D a) (N book)) (PP (P at) (NP (N noon)))))",
        "(S (NP (N we)) (VP (V gave) (NP (NP (D the) (N man))"
        " (NP (NP (D a) (N book)) (PP (P at) (NP (N noon)))))))",
        {
            "NP a book at noon is attached to NP the man; in gold to VP gave the man": (
                "1 bracket · NP attachment"
            ),
            "PP at noon is attached to NP a book; in gold to VP gave …": "1 bracket · PP attachment",
        },
        {
            **{"gold": ["PP 2"], "system": ["+ NP 1", "PP 2"], "thick": [1, 2]},
            **{"tints": [[4, 5, 6, 7], [6, 7]], "marked": ["1a book at noon"]},
        },
    ),
    "a move of six brackets": (
        "(S (NP (N we)) (VP (V think) (SBAR (C that) (S (NP (N they))"
        " (VP (V left) (PP (P in) (NP (D a) (A great) (N hurry))) (PP (P at) (NP (N noon))))))))",
        "(S (NP (N we)) (VP (V think) (SBAR (C that) (S (NP (N they))"
        " (VP (V left) (PP (P in) (NP (D a) (A great) (N hurry)))))) (PP (P at) (NP (N noon)))))",
        {"PP at noon is attached to VP think …; in gold to VP left …": "6 brackets · PP attachment"},
        {
            "gold": ["PP 1"],
            "system": ["PP 1"],
            "thick": [1, 1],
            "tints": [[9, 10], []],
            "marked": ["1at noon"],
        },
    ),
    "a mark": (
        "(S (NP (N we)) (VP (V run)) (PU .))",
        "(S (NP (N we)) (VP (V run) (PU .)))",
        {"PU . is attached to VP run; in gold to S we run": "2 brackets · punctuation"},
        {"gold": ["PU 1"], "system": ["PU 1"], "thick": [1, 1], "tints": [[2], []], "marked": ["1."]},
    ),
    "other": (
        *("(S (A (B (X a) (X b))) (Y c))", "(S (X a) (C (X b) (Y c)))"),
        {
            "A a b is missing": "1 bracket · other",
            "B a b is missing": "1 bracket · unary",
            "C b c is not in gold": "1 bracket · other",
        },
        {"gold": ["− A 1", "− B 2"], "system": ["× C 3"]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_repairs_in_words_and_in_the_trees(browser, name):
    gold, system, repairs, expected = CASES[name]
    browser.open(evaluate([gold], [system], pair="order").report("html"), address="#sentence-1")
    assert browser.js(STATE) == {
        **{"gold": [], "system": [], "thick": [0, 0], "tints": [[], []], "marked": []},
        **{"repairs": list(repairs), "mends": [f"mends {text}" for text in repairs.values()]},
        **expected,
    }
    # The words of the sentence are all there, whatever is marked.
    words = browser.js("""
        const words = document.querySelector("#sentence-1 .words").cloneNode(true);
        for (const number of words.querySelectorAll("sup")) number.remove();
        return words.textContent.trim();
    """)
    assert words == " ".join(re.findall(r"\(\S+ ([^() ]+)\)", gold if "(()" not in gold else system))


def test_repairs_of_two_systems(browser):
    """Both trees are systems', with tokens of their own: phrases are found by the words aligned with them."""
    gold = WAR.replace("(VP (V saw)", "(VP (M ca) (R n't) (VP (V see)") + ")"
    first = TV_WAR.replace("(VP (V saw)", "(VP (M ca) (R n't) (VP (V see)") + ")"
    second = gold.replace("(M ca) (R n't)", "(M cannot)").replace("NP (D a)", "ADJP (D a)")
    attached = "PP on tv is attached to NP a war; in gold to VP see a war"
    label = "a war is labelled ADJP; in gold NP"
    systems = {"one": [first], "two": [second]}
    browser.open(
        compare([gold], systems, keep=True, samples=20, analysis=True).report("html"), address="#sentence-1"
    )
    assert browser.texts("#pair-1 .rep-h") == ["What mends one", "What mends two"]
    assert browser.texts("#pair-1 .sides .side") == [
        "one93.331 bracket wrong, 1 repair",
        "2 brackets wrong, 1 repair85.71two",
    ]
    expected = {
        **{"repairs": [attached, label], "gold": ["✓ NP 2", "PP 1"], "system": ["✗ ADJP 2", "PP 1"]},
        **{"thick": [1, 1], "tints": [[5, 6], []], "marked": ["1on tv"]},
        "mends": ["mends 1 bracket · PP attachment", "mends 2 brackets · different label"],
    }
    assert browser.js(STATE) == expected
    for number, wanted in ((1, ["PP", "PP"]), (2, ["✓ NP", "✗ ADJP"])):
        browser.hover(browser.all("#pair-1 .repairs li")[number - 1])
        assert browser.texts("#pair-1 .node.wanted > text") == wanted
    systems = dict(reversed(systems.items()))
    browser.open(
        compare([gold], systems, keep=True, samples=20, analysis=True).report("html"), address="#sentence-1"
    )
    assert browser.js(STATE) == {
        **{"repairs": [label, attached], "gold": ["✗ ADJP 1", "PP 2"], "system": ["✓ NP 1", "PP 2"]},
        **{"thick": [1, 1], "tints": [[], [5, 6]], "marked": ["2on tv"], "mends": expected["mends"][::-1]},
    }


def test_joined_and_split_sentences_in_words(browser):
    one, both = f"(S {WAR} {GO})", WAR[:-1] + " " + GO + ")"
    joined = "Sentences of gold are joined, so brackets cross or miss a sentence end"
    split = "A sentence of gold is split, so brackets cross or miss a sentence end"
    for gold, system, text, brackets, sides in (
        ([WAR, GO], [one], joined, "1 bracket", [[], ["+ S 1"]]),
        ([one], [WAR, GO], split, "1 bracket", [["− S 1"], []]),
        ([WAR, GO], [both], joined, "2 brackets", [["− S 1"], ["+ S 1"]]),
        ([both], [WAR, GO], split, "2 brackets", [["− S 1"], ["+ S 1"]]),
    ):
        browser.open(evaluate(gold, system).report("html"), address="#sentence-1")
        state = browser.js(STATE)
        assert (state["repairs"], state["mends"]) == ([text], [f"mends {brackets} · sentence boundary"])
        assert [state["gold"], state["system"]] == sides


def test_a_moved_phrase_of_the_first_system_with_fewer_tokens(browser):
    gold = WAR.replace("(VP (V saw)", "(VP (M ca) (R n't) (VP (V see)") + ")"
    first = TV_WAR.replace("(VP (V saw)", "(VP (M cannot) (VP (V see)") + ")"
    result = compare([gold], {"one": [first], "two": [gold]}, keep=True, samples=20, analysis=True)
    browser.open(result.report("html"), address="#sentence-1")
    state = browser.js(STATE)
    assert (state["tints"], state["marked"]) == ([[5, 6], []], ["1on tv"])
    assert state["thick"] == [1, 1]
    # The words of a sentence are marked while it is open.
    browser.toggle(1)
    assert browser.texts("#sentence-1 .words mark") == []
    assert browser.texts("#sentence-1 .words") == ["we ca n't see a war on tv"]


def test_more_repairs_than_are_listed_at_once(browser):
    gold = f"(S {' '.join(f'(NP (N w{number}))' for number in range(8))})"
    system = f"(S {' '.join(f'(N w{number})' for number in range(8))})"
    browser.open(evaluate([gold], [system], pair="order").report("html"), address="#sentence-1")
    missing = [f"NP w{number} is missing" for number in range(8)]
    assert browser.js(STATE)["repairs"] == missing[:6]
    button = browser.one(".explained button.show")
    assert button.text == "2 more"
    button.click()
    assert browser.js(STATE)["repairs"] == missing
    assert browser.all(".explained button.show") == []
    # The number moves the focus to its node.
    browser.click(".repairs li:last-child .badge-number")
    assert browser.active().startswith("gold NP, missed by the system, word 8: w7")


def test_other_causes_of_a_sentence_lead_on(browser):
    gold, system, *_ = CASES["one in the other"]
    page = evaluate([gold, WAR], [system, TV_WAR], pair="order").report("html")
    browser.open(page)
    browser.js("arguments[0].click()", browser.one('[data-title="NP attachment"]'))
    assert browser.numbers() == [1]
    browser.toggle(1)
    assert browser.js(STATE)["repairs"] == [next(iter(CASES["one in the other"][2]))]
    note = "#pair-1 .fold-note:has(button.show[type=button])"
    assert browser.texts(note) == ["The same sentence has another cause: PP attachment, 1 bracket"]
    browser.click(f"{note} button")
    chosen = browser.one('[data-part="cause"]').get_attribute("value")
    assert browser.one(f'[data-part="cause"] option[value="{chosen}"]').text == "PP attachment"
    assert sorted(browser.numbers()) == [1, 2]
    page = compare(
        [gold, WAR], {"a": [system, TV_WAR], "b": [gold, WAR]}, keep=True, samples=20, analysis=True
    )
    browser.open(page.report("html"), address="#sentences?pair=1+2&cause=NP+attachment&sentence=1")
    assert browser.texts("#pair-1 .rep-h") == ["What mends a"]
    assert browser.texts(note) == ["The same sentence has another cause: PP attachment, 1 bracket"]
    browser.click(f"{note} button")
    assert browser.texts(".chip bdi") == ["PP attachment"]
    assert browser.numbers() == [1, 2]
    assert browser.js(STATE)["repairs"] == [list(CASES["one in the other"][2])[1]]


@pytest.mark.parametrize("width", [390, 600])
@pytest.mark.parametrize("page", [made_page, compared_page])
def test_every_sentence_opens_on_a_phone(browser, page, width):
    """A tree is drawn in each row, for folded sentences and with a cause chosen, too."""
    browser.open(page(30), width=width)
    for address in ("", "#sentences?cause=PP+attachment"):
        browser.js("location.hash = arguments[0]", address)
        browser.js(
            "document.querySelectorAll('[aria-expanded=\"false\"].opener').forEach((one) => one.click())"
        )
        rows, drawn = browser.js(
            "return ['tr.sentence', 'tr.detail svg.trees .node'].map((name) => "
            "new Set([...document.querySelectorAll(name)].map((one) => one.closest('tr'))).size)"
        )
        assert rows == drawn > 5
        # Numbers are on one line.
        heights = browser.js(
            "return [...document.querySelectorAll('.opener')].map((one) => one.offsetHeight)"
        )
        assert max(heights) < 30


def test_the_answers_of_a_model(browser, tmp_path):
    """A square for each answer, F1 after each repair, and the raw text with what repairs drop and add."""
    good = [WAR] * 4
    texts = [WAR, f"Tree below:\n```\n{TV_WAR}\n```\nBye <b>", WAR[:-12], "I cannot </pre><script>"]
    browser.open(evaluate(good, texts, format="answers").report("html"))
    assert browser.one("h1").text == "1 of 4 answers are trees as written; repairs would add 2"
    squares = browser.all('[data-part="squares"] > .squares > *')
    assert [one.text for one in squares] == ["", "f", "…", "x"]
    assert squares[2].get_attribute("aria-label") == "Sentence 3: cut off"
    rows = '[data-part="ladder"] .row:not(.head, .axis)'
    names = browser.texts(f"{rows} .nm")
    assert names[0] == "as written"
    assert names[-1] == "valid only others left out"
    assert "+ fence" in names
    values = [float(text) for text in browser.texts(f"{rows} .v:last-child")]
    assert values[:-1] == sorted(values[:-1])
    # The last row is not comparable: hollow.
    filled = "return [...document.querySelectorAll(arguments[0])].map((one) => one.matches('.filled'))"
    assert browser.js(filled, f"{rows} .mk") == [True] * (len(names) - 1) + [False]
    assert browser.texts('[data-part="answers-by-length"] .row:not(.head) .nm') == ["1–10 4 answers"]
    bars = browser.texts('[data-part="answers-by-length"] .stack i')
    assert bars == ["1"] * 4
    lost = [float(text) for text in browser.texts('[data-part="parts"] .stack i')]
    assert sum(lost) == pytest.approx(100 - values[0])
    assert lost[0] == pytest.approx(values[-2] - values[0], abs=0.011)
    raw = "[data-part=raw] .raw"
    assert browser.texts(f"{raw} del")[0].startswith("Tree below:")
    assert "".join(browser.texts(f"{raw} > :not(del)")).split() == TV_WAR.split()
    # The repaired tree is drawn below, with what is wrong in it.
    repaired = f"F1 0.00 as written, {100 * evaluate([WAR], [TV_WAR]).f1:.2f} repaired"
    assert repaired in browser.one("[data-part=raw] .crumb").text
    browser.js("document.querySelector('[data-part=raw]').scrollIntoView()")
    browser.wait(lambda: browser.all("[data-part=raw] svg.trees .node"))
    (button,) = [one for one in browser.all("#defects th button") if one.text == "cut leaf"]
    browser.js("arguments[0].click()", button)
    assert "".join(browser.texts(f"{raw} ins")).count(")") >= 2
    browser.js("arguments[0].click()", browser.one('input[name="defect"][value="no tree at all"]'))
    assert browser.texts(f"{raw} del") == ["I cannot </pre><script>"]
    browser.click('[data-part="squares"] a:nth-child(2)')
    assert browser.one("#pair-2").is_displayed()
    browser.open(evaluate(good, good).report("html"))
    assert browser.all('[data-part="squares"], #defects') == []


def test_labels_renamed_have_no_number_of_answers(browser):
    """Constituents are renamed, not answers, so that column is empty."""
    found = evaluate([WAR] * 2, [WAR.replace("NP", "NounPhrase"), f"```\n{WAR}\n```"], format="answers")
    counts = found.total["answers"]
    assert counts.with_repairs.f1 < counts.renamed_f1 == 1
    browser.open(found.report("html"))
    (row,) = [one for one in browser.all('[data-part="ladder"] .row') if "labels renamed" in one.text]
    values = [one.text for one in row.find_elements("css selector", ".v")]
    gain = 100 * (1 - counts.with_repairs.f1)
    assert values == ["", f"+{gain:.2f}", "100.00"]
