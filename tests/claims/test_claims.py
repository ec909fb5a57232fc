"""Every claim of random and stored results is true, by code that knows only the JSON report."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from jpevalb import compare, conventions, evaluate
from jpevalb.base.claims import KINDS
from jpevalb.base.errors import InputError
from jpevalb.metrics.brackets import Brackets
from tests.support.commands import ROOT

from .checker import wrong_claims

SEEN: Counter[str] = Counter()
RESULTS: Counter[str] = Counter()
LABELS = ("S", "NP", "VP", "PP", "SBAR", "ADJP")
# They name sentences, or are part of another claim or of a page's table.
OF_PAGES = {"cause", "cause_repaired", "cite_other", "of_tools", "by_tools"}


def check(result):
    report = json.loads(result.report("json"))
    SEEN.update(claim["kind"] for claim in report["claims"])
    assert wrong_claims(report) == []
    RESULTS["checked"] += 1
    return report["claims"]


def tree(dice, words, labels=LABELS):
    """Return a random tree over some words."""
    if len(words) == 1:
        return f"(NN {words[0]})" if dice.random() < 0.5 else f"({dice.choice(labels)} (NN {words[0]}))"
    cuts = sorted(dice.sample(range(1, len(words)), min(dice.randint(1, 3), len(words) - 1)))
    parts = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)])]
    return f"({dice.choice(labels)} {' '.join([tree(dice, part, labels) for part in parts])})"


def corpus(dice, size, longest):
    """Return gold trees, and for each two other trees of the same words."""
    found = []
    for _ in range(size):
        words = [f"w{dice.randint(0, 99)}" for _ in range(dice.randint(1, longest))]
        found.append([f"(TOP {tree(dice, words)})" for _ in range(3)])
    return found


def spoiled(dice, rows, skill, lost, joined):
    """Return a system that has a share of trees right, some without a parse, and some joined words."""
    found = []
    for right, *wrong in rows:
        text = right if dice.random() < skill else dice.choice(wrong)
        if joined and dice.random() < joined:
            text = text.replace("(NN w", "(NN v", 1)
        found.append("(())" if dice.random() < lost else text)
    return found


CYRILLIC = str.maketrans("abeglmpt", "абеглмпт")
TESTS = ("permutation", "permutation", "permutation", "bootstrap", "sign", None)


@pytest.mark.parametrize("seed", range(40))
def test_comparisons(seed):
    dice = random.Random(f"comparison {seed}")
    size = dice.choice([1, 9, 10, 12, 13, 20, 49, 50, 60])
    count = dice.choice([2, 2, 3, 4, 5, 7, 8, 12, 30])
    test, samples = dice.choice(TESTS), dice.choice([None, None, None, 1000, 19])
    analysis = dice.random() < 0.6
    rows = corpus(dice, size, dice.choice([4, 9, 14]))
    systems = {}
    for k in range(count):
        if k and dice.random() < 0.2:
            systems[f"s{k}"] = systems["s0"]
            continue
        skill = dice.choice([0.0, 0.3, 0.6, 0.9, 0.95, 1.0])
        lost = dice.choice([0, 0, 0, 0, 0.1, 1.0])
        systems[f"s{k}"] = (
            [] if dice.random() < 0.03 else spoiled(dice, rows, skill, lost, dice.choice([0, 0, 0.3]))
        )
    try:
        result = compare(
            [row[0] for row in rows],
            systems,
            test=test,
            samples=samples,
            analysis=analysis,
            by_label=analysis,
            correction=dice.choice(["pairs"] * 4 + ["baseline", "none"]) if test else "pairs",
        )
    except InputError:  # no system has a sentence
        assert not any(systems.values())
        return
    found = check(result)
    assert any(claim["place"] == "headline" for claim in found)


@pytest.mark.parametrize("seed", range(60))
def test_evaluations(seed):
    dice = random.Random(f"evaluation {seed}")
    size, joined = dice.choice([1, 2, 9, 10, 40, 130]), dice.random() < 0.5
    rows = corpus(dice, size, dice.choice([1, 4, 14, 30]))
    system = spoiled(
        dice, rows, dice.choice([0, 0.5, 0.9, 0.99, 1]), dice.choice([0, 0, 0, 0.1, 1]), 0.3 * joined
    )
    if dice.random() < 0.2:
        system = [f"(TOP {' '.join(system[:2])})", *system[2:]]
    options = dice.choice(
        [{}, {}, {}, {"convention": "evalb"}, {"convention": "on-lstm"}, {"unlabeled": True}]
    )
    try:
        result = evaluate([row[0] for row in rows], system, analysis=True, on_error="skip", **options)
    except InputError:  # a convention leaves out all sentences
        assert options == {"convention": "evalb"}
        return
    assert any(claim["place"] == "headline" for claim in check(result))


@pytest.mark.parametrize("seed", range(40))
def test_answers(seed):
    dice = random.Random(f"answers {seed}")
    size = dice.choice([1, 3, 12])
    rows = corpus(dice, size, 6)
    kinds = dice.sample(range(6), dice.randint(1, 4))
    answers = []
    for right, *wrong in rows:
        text = dice.choice([right, right, wrong[0]])
        broken = [
            text,
            f"```\n{text}\n```",
            text[:-1],
            "Sorry.",
            text.replace("(NP", "(NPX"),
            f"Tree: {text}",
        ]
        answers.append(broken[dice.choice(kinds)])
    check(
        evaluate(
            [row[0] for row in rows],
            answers,
            format="answers",
            gold_format="bracket",
            repair=dice.random() < 0.5,
            analysis=True,
        )
    )


@pytest.mark.parametrize("seed", range(3))
def test_gaps(seed):
    dice = random.Random(seed)
    gap, plain = "(S (VP (V 0=a) (P 2=c)) (N 1=b))", "(S (V 0=a) (P 2=c) (N 1=b))"
    gold = [dice.choice([gap, gap, plain]) for _ in range(20)]
    check(evaluate(gold, [dice.choice([gap, plain]) for _ in gold], convention="discontinuous"))


RIGHT = "(S (NP (NN a)) (VP (VB b) (NP (NN c))))"
FLAT, WRONG = "(S (NN a) (VB b) (NP (NN c)))", "(S (NP (NN a) (VB b)) (NP (NN c)))"
MORE = "(S (NP (NN a)) (VP (VB b) (NP (X (Y (Z (NN c)))))))"


def several(dice, *shares):
    """Return gold and systems that have a tree right in some shares of 120 sentences."""
    return {
        f"s{k}": [RIGHT if dice.random() < share else WRONG for _ in range(120)]
        for k, share in enumerate(shares)
    }


def made():
    """Return results of which claims are rare."""
    dice, gold = random.Random(1), [RIGHT] * 120
    # The other system wins a few long sentences by far, and loses many short ones by a little.
    deep = "(S " + "(A " * 30 + "(NN a)" + ")" * 30 + " (VB b))"
    mixed_gold = [deep] * 10 + gold
    mixed = {"base": ["(S (NN a) (VB b))"] * 10 + gold, "other": [deep] * 10 + [FLAT] * 40 + [RIGHT] * 80}
    yield compare(mixed_gold, mixed, test="sign", confidence=None, metrics="brackets")
    yield compare(gold, several(dice, 0.1, 0.6, 0.7, 0.8, 0.9), metrics="brackets")
    yield compare(gold, several(dice, 0.9, 0.6, 0.5, 0.4, 0.1), metrics="brackets")
    yield compare(gold, several(dice, *[0.1 * k for k in range(1, 10)]), metrics="brackets")
    yield compare(
        gold, {f"s{k}": several(dice, 0.99, 0.99, 0.99)["s0"] for k in range(9)}, metrics="brackets"
    )
    steps = {f"s{k}": [RIGHT] * (14 * k) + [WRONG] * (120 - 14 * k) for k in range(9)}
    yield compare(gold, steps, metrics="brackets")
    found = {"base": [FLAT] * 120, "more": [MORE] * 120}
    yield compare(gold, found, metrics="brackets")
    yield compare(gold, dict(reversed(found.items())), metrics="brackets")
    joined = ["(S (NP (NN a)) (VP (VB bc)))" if k % 3 else RIGHT for k in range(120)]
    yield compare(gold, {"one": joined, "two": [RIGHT] * 119 + [FLAT], "three": gold}, analysis=True)
    yield compare(
        gold,
        {"one": joined, "two": [RIGHT] * 119 + [FLAT], "three": [WRONG] * 120, "four": gold},
        analysis=True,
    )
    yield evaluate(gold, joined, analysis=True)
    yield evaluate(gold, [joined[1], *[WRONG] * 119], analysis=True)
    yield evaluate(gold, ["(S (NP (NN a)) (VP (VB b) (NP (NN cd))))", *gold[1:]], analysis=True)
    extra = RIGHT.replace("(NN c)", "(NN c) (NN d)")
    yield evaluate(gold, [extra] * 120, analysis=True)
    yield evaluate(gold, [extra, *[WRONG] * 119], analysis=True)
    yield compare(gold, {"one": [extra] * 120, "two": [RIGHT] * 119 + [FLAT], "three": gold}, analysis=True)
    yield compare(gold, {"one": [FLAT] * 120, "two": []}, metrics="brackets")
    for name in ("kim", "tnpcfg"):
        yield evaluate(gold, several(dice, 0.7)["s0"], convention=name)
        yield compare(gold, several(dice, 0.7, 0.2), convention=name)
    fence, cut = "```\n{}\n```", RIGHT[:-2]
    bad = fence.format("(X (Y (NN a) (VB b)) (Z (NN c)))")
    other = RIGHT.replace("NP", "NPX")
    for kinds in (
        [fence.format(RIGHT), WRONG, other],
        [fence.format(RIGHT), WRONG],
        [cut, fence.format(WRONG), WRONG, WRONG],
        [bad, RIGHT, RIGHT],
    ):
        yield evaluate(gold[:12], kinds * (12 // len(kinds)), format="answers", gold_format="bracket")


WORDS = [f"(S (NP (N alpha{n})) (VP (V beta{n}) (N gamma{n})))" for n in range(60)]
LONG = [f"(S (A abcdefghij{k}) (B klmnopqrst) (C uvwxyzabcd))" for k in range(9)]
TRACED = "(S (NP (-NONE- *)) (VP (VB b) (NP (NN c))))"
UNLIKE = "(S (NP (N zyxwv)) (VP (V 12345) (N fghj)))"
NO_TAG = "(S (NP the cat) (VP slept))"
FLAT_NP = "(S (NP (D a) (J b) (N c)) (VP (V d)))"


def changed(old, new, trees=WORDS):
    return [text.replace(old, new) for text in trees]


WARNED = {
    "untagged": ([NO_TAG] * 2, [NO_TAG] * 2, {}),
    "partly_tagged": ([NO_TAG, RIGHT, RIGHT], [RIGHT] * 3, {}),
    "by_position": ([RIGHT] * 3, [RIGHT.replace("NN a", "NN x")] * 3, {"convention": "kim"}),
    "one_sided traces": ([TRACED], [TRACED.replace("(NP (-NONE- *)) ", "")], {}),
    "nothing_deleted": ([RIGHT], [RIGHT], {"punctuation": "Z"}),
    "nothing_parsed": ([RIGHT] * 2, ["(())"] * 2, {}),
    "left_out": ([RIGHT] * 20, [RIGHT] * 19 + [RIGHT.replace("NN a", "NN x")], {"convention": "evalb"}),
    "one_sided suffix": ([RIGHT.replace("NP", "NP_SBJ")] * 30, [RIGHT] * 30, {}),
    "one_sided labels": ([RIGHT] * 30, [RIGHT.replace("VP", "VX")] * 30, {}),
    "one_sided tags": ([RIGHT] * 30, [RIGHT.replace("VB", "W")] * 30, {}),
    "one_sided shapes": ([FLAT_NP] * 30, [FLAT_NP.replace("(J b) (N c)", "(NP (J b) (N c))")] * 30, {}),
    "one_sided binarised": ([FLAT_NP], [FLAT_NP.replace("(J b) (N c)", "(NP* (J b) (N c))")], {}),
    "one_sided marked": (
        ["(S (@S (NP (N a)) (VP (V b))) (X (N c)))"],
        ["(S (NP (N a)) (VP (V b)) (X (N c)))"],
        {},
    ),
    "one_sided collapsed": ([RIGHT], [RIGHT.replace("(NP (NN c))", "(NP+NN c)")], {}),
    "one_sided induced": ([RIGHT], ["(NT-1 (NT-2 (NN a) (VB b)) (NN c))"], {}),
    "tokeniser_marks": (WORDS, changed("(N ", "(N ▁", changed("(V ", "(V ▁")), {}),
    "other_script": (WORDS, [text.translate(CYRILLIC) for text in WORDS], {}),
    "other_order": (WORDS, random.Random(3).sample(WORDS, 60), {}),
    "repeats": (WORDS, WORDS[:30] + WORDS[29:30] * 60, {}),
    "other_language": (["(S (P du) (N pain))"] * 9, ["(S (P de) (D le) (N pain))"] * 9, {}),
    "both_alone": (["(S (N abcdefgh) (N ijklmnop))"], ["(S (N xxxx) (N yyyy))"], {"unlike": "alone"}),
    "one_alone": (WORDS[:6], WORDS[:2], {}),
    "other_spelling": (
        LONG,
        changed("mnopqrst", "mnopxxst", changed("efgh", "efxx", changed("zab", "zxx", LONG))),
        {},
    ),
    "other_texts": (LONG, [f"(S (A zyxwvu{k}) (B 123456) (C fghjkl))" for k in range(9)], {}),
    "shifted": (["(S (N abcdefgh) (N ijklmnop))"], ["(S (N abcdefgx) (N ijklmnox))"], {"pair": "order"}),
    "large_units": (
        [f"(S (NP (D the) (N w{k})) (VP (V is)) (P .))" for k in range(30)],
        [f"(S (NP (VP (T thew{k}is.))))" for k in range(30)],
        {},
    ),
    "one_sided root": ([f"(S1 {RIGHT})"] * 12, [f"(S1 {RIGHT})"] * 12, {}),
    "against": ([TRACED.replace("(NP (-NONE- *)) ", "")], [FLAT], {"more_gold": [[TRACED]]}),
    "missing": ([RIGHT] * 3, [RIGHT], {"convention": "discontinuous"}),
    "extra": ([RIGHT], [RIGHT] * 3, {"convention": "discontinuous"}),
    "set_aside_for": ([RIGHT] * 3, [RIGHT, "(())", RIGHT], {"convention": "discontinuous"}),
    "set_aside": ([RIGHT] * 3, [RIGHT, "(())", RIGHT], {}),
    "more_set_aside": (WORDS, [WORDS[k] if k % 4 else UNLIKE for k in range(60)], {}),
    "dissimilar": (LONG, [LONG[0], UNLIKE, *LONG[2:]], {}),
    "changed": ([RIGHT], [f"(TOP (S|<x-y> {RIGHT}))"], {"binarised": "undo"}),
    "nearest": ([RIGHT], [FLAT], {"more_gold": [[WRONG]]}),
    "not_evalb": ([f"(ROOT {RIGHT})"], [f"(ROOT {FLAT})"], {}),
    "same_words": (["(S (NN tea) (NN pot))"], ["(S (NN teapot))"], {}),
}
"""Files for each warning and note."""


@pytest.mark.parametrize("kind", WARNED)
def test_warnings_and_notes(kind):
    gold, system, options = WARNED[kind]
    found = check(evaluate(gold, system, analysis="more_gold" not in options, **options))
    assert kind.split(" ")[0] in [claim["kind"] for claim in found]
    if "more_gold" not in options:
        check(compare(gold, {"one": system, "two": gold}, test=None, **options))


def test_warnings_of_formats_and_metrics(tmp_path):
    (tmp_path / "early.jsonl").write_text(
        '{"words": ["a", "b", "c"], "spans": [[0, 1, "NP"], [1, 2, "VP"]]}\n'
    )
    (tmp_path / "other.ctm").write_text("".join([f"rec 1 {k} 1 x{k}\n" for k in range(10)]))
    ten = f"(S {' '.join([f'(T w{k})' for k in range(10)])})"
    found = [
        *check(evaluate([RIGHT], tmp_path / "early.jsonl")),
        *check(evaluate([ten], [ten], gold_times=str(tmp_path / "other.ctm"), metrics="siou")),
    ]
    assert {"inclusive", "other_times"} <= {claim["kind"] for claim in found}


def test_texts_of_plugins(monkeypatch):
    """Nobody but its author can check the text of a metric of another package."""
    monkeypatch.setattr(Brackets, "warnings", lambda self: ["checked by its author"])
    monkeypatch.setattr(Brackets, "notes", lambda self, record: ["noted by its author"])
    found = check(evaluate([RIGHT], [FLAT]))
    assert {"of_metric", "metric_note"} <= {claim["kind"] for claim in found}


@pytest.mark.parametrize("published", [None, 0.5, 1.0])
def test_tables_of_conventions(published):
    dice = random.Random(f"table {published}")
    rows = corpus(dice, 12, 6)
    gold = [row[0] for row in rows]
    systems = {f"s{k}": spoiled(dice, rows, 0.5, 0, 0) for k in range(3)} | {"same": gold, "short": gold[1:]}
    for some in (["s0"], ["s0", "s1", "s2"], ["same", "s0", "same"], ["s0", "short"], ["same", "same"]):
        named = {f"{name}{k}": systems[name] for k, name in enumerate(some)}
        for names in ("all", ["evalb"], ["evalb", "urnng"]):
            check(conventions(gold, named, names, published=published))


def test_made_results():
    for result in made():
        check(result)


def test_the_examples():
    folder = ROOT / "examples"
    for system in ("sys.mrg", "e2e.mrg", "gold.mrg"):
        check(evaluate(folder / "gold.mrg", folder / system, analysis=True))
    check(evaluate(folder / "gold.mrg", folder / "answers.jsonl", field="choices.0.message.content"))
    several = {name: folder / f"{name}.mrg" for name in ("sys", "e2e")}
    check(compare(folder / "gold.mrg", several, analysis=True))
    several = {"sys": folder / "sys.mrg", "model": folder / "answers.jsonl"}
    check(compare(folder / "gold.mrg", several, field="choices.0.message.content"))


def test_the_stored_reports():
    reports = [json.loads(path.read_text("utf-8")) for path in (ROOT / "golden_outputs").rglob("*.json")]
    known = [report for report in reports if isinstance(report, dict) and "claims" in report]
    assert len(known) > 5
    assert [wrong for report in known for wrong in wrong_claims(report)] == []


def test_the_kinds():
    """Kinds that the tests above did not meet, when they all ran."""
    if RESULTS["checked"] >= 150:
        assert set(KINDS) - set(SEEN) - OF_PAGES == set()
