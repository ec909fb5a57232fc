"""JSON reports conform to docs/report.schema.json."""

from __future__ import annotations

import json
import re

import pytest

from jpevalb import compare, evaluate
from jpevalb.settings.params import Params
from jpevalb.settings.settings import Settings
from tests.support.commands import ROOT
from tests.support.json_schema import SCHEMA, errors
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps

GOLD = ["(S (NP (NN a)) (VP (VB b)))", "(S (NN c))", "(X (S (NP (A d) (B e)) (C f)))"]
SYSTEM = ["(S (NP (NN a)) (VP (VB b)))", "", "(X (S (A d) (NP (B e) (C f))))"]


def made(**options):
    return json.loads(evaluate(GOLD, SYSTEM, **options).report("json"))


STATES = ("ok", "missing", "no parse", "unreadable", "short", "excluded")


def states():
    """Return a report with a sentence of each state."""
    gaps = discontinuous_settings(on_error="skip")
    runs = {
        "missing": (GOLD[:2], GOLD[:1], {"settings": gaps}),
        "no parse": (GOLD[:2], [GOLD[0], ""], {"settings": gaps}),
        "unreadable": ([GOLD[0], "(S"], GOLD[:2], {"settings": gaps}),
        "short": (GOLD[:2], GOLD[:2], {"settings": gaps.replace(convention="discontinuous words:2")}),
        "excluded": (GOLD[:2], [GOLD[0], "(S (NN c) (NN d))"], {"convention": "stanza", "on_error": "skip"}),
    }
    for state in STATES:
        gold, system, options = runs.get(state, (GOLD[:1], GOLD[:1], {"settings": gaps}))
        content = json.loads(evaluate(gold, system, **options).report("json", details=True))
        assert state in {sentence["status"] for sentence in content["sentences"]}, state
        yield content


@pytest.mark.parametrize(
    "content",
    [
        made(),
        made(by_label=True, metrics=("brackets",), unlabeled=True),
        made(analysis=True, metrics=("brackets",)),
        json.loads(evaluate(GOLD, SYSTEM).report("json", quiet=True)),
        json.loads(evaluate(["(A a)"], ["(A a)"]).report("json")),
        json.loads(evaluate(GOLD, GOLD, prm="COLLINS.prm").report("json")),
        json.loads(evaluate(GOLD, [*SYSTEM[:2], "(S"], on_error="skip").report("json")),
        json.loads(evaluate_with_gaps(GOLD, [SYSTEM[0], SYSTEM[1]]).report("json")),
        json.loads(evaluate_with_gaps(["(A a)"], ["(A a)"]).report("json", quiet=True)),
        *states(),
    ],
    ids=[
        "all",
        "labels",
        "analysis",
        "quiet",
        "empty",
        "prm",
        "skip",
        "discontinuous",
        "discontinuous-empty",
        *STATES,
    ],
)
def test_reports_fit_the_schema(content):
    assert errors(content, SCHEMA) == []
    assert content["version"] == 2


@pytest.mark.parametrize("path", sorted((ROOT / "golden_outputs" / "reports").glob("*.json")), ids=str)
def test_the_example_files_fit_the_schema(path):
    assert errors(json.loads(path.read_text(encoding="utf-8")), SCHEMA) == []


def test_the_schema_rejects_invalid_reports():
    """The checker, and the schema with it, finds what is wrong."""
    for spoil, part in (
        (lambda content: content.pop("version"), "no version"),
        (lambda content: content.update(version=1), "1 is not 2"),
        (lambda content: content.update(other=1), "other?"),
        (lambda content: content["total"]["brackets"].update(recall=1.5), "1.5 is beyond 1"),
        (lambda content: content["total"]["brackets"].update(recall="1"), "'1' is no"),
        (lambda content: content["total"]["tags"].update(gold=1.0), "1.0 is no integer"),
        (lambda content: content["sentences"][0].update(gold=[1]), "1 items"),
        (lambda content: content["sentences"][2].pop("tags"), "no tags"),
        (lambda content: content.update(signature="none"), "does not match"),
    ):
        content = made()
        assert errors(content, SCHEMA) == []
        spoil(content)
        assert any(part in line for line in errors(content, SCHEMA)), part


COMPARED = {"one": SYSTEM, "two": GOLD}
OTHER = [SYSTEM[0], *GOLD[1:]]


@pytest.mark.parametrize(
    ("systems", "options"),
    [
        (COMPARED, {}),
        (COMPARED, {"test": "sign", "confidence": None, "by_label": True, "analysis": True}),
        (COMPARED, {"test": "bootstrap", "samples": 9}),
        ({"one": SYSTEM}, {"test": None}),
        ({"one": ["(A a)"] * 3, "two": SYSTEM}, {"test": "sign"}),
        (COMPARED, {"settings": discontinuous_settings()}),
        (COMPARED, {"settings": Params(), "test": "sign"}),
        (COMPARED, {"groups": {"both": (1, 2)}}),
        (COMPARED, {"settings": Settings().replace(convention="unsupervised")}),
        (COMPARED, {"correction": "none"}),
        ({**COMPARED, "three": OTHER}, {"confidence": None}),
    ],
    ids=[
        *("permutation", "sign", "bootstrap", "one", "nothing", "discontinuous", "legacy"),
        *("groups", "unsupervised", "none", "pairs"),
    ],
)
def test_comparisons_fit_the_schema(systems, options):
    gold = GOLD if systems is not None and systems["one"] else []
    result = compare(gold, systems, **options)
    content = json.loads(result.report("json"))
    assert errors(content, SCHEMA) == []
    assert (content["version"], content["convention"]) == (2, result.convention)
    optional = {"groups", "correction", "agreement", "pairs", "undistinguished"} - content.keys()
    named = [
        name
        for name in SCHEMA["$defs"]["comparison"]["properties"]
        if name not in {"groups", "claims", *optional}
    ]
    assert [*named, *[name for name in ("groups",) if name in content], "claims"] == list(content)
    system = SCHEMA["$defs"]["comparison"]["properties"]["systems"]["items"]
    # The scores by reference are there with several references (test_references).
    absent = {
        "references",
        "format",
        "problem",
        "excluded",
        *(["f1_sentences"] if content["convention"] == "evalb" else []),
    }
    assert [name for name in system["properties"] if name not in absent] == list(content["systems"][0])
    spoilt = {**content, "seed": "1"}
    assert any("seed" in line for line in errors(spoilt, SCHEMA["$defs"]["comparison"]))


def test_everything_in_the_schema_is_described_and_used():
    content = made(by_label=True)
    for name in ("sentences", "brackets", "tags", "siou"):
        properties = SCHEMA["$defs"][name]["properties"]
        assert list(properties) == list(content["total"][name])
        assert all(part["description"] for part in properties.values())
    analysis = made(analysis=True)["total"]["analysis"]
    assert list(SCHEMA["$defs"]["analysis"]["properties"]) == list(analysis)
    label = next(iter(analysis["labels"].values()))
    assert list(SCHEMA["$defs"]["label"]["properties"]) == [*label, "confused"]
    used = set(re.findall(r'"#/\$defs/([a-z_]+)"', json.dumps(SCHEMA)))
    assert used == set(SCHEMA["$defs"])


def test_rates_follow_from_the_counts():
    for part in (made()["total"], *made()["sentences"]):
        brackets = part["brackets"]
        for rate, over in (("recall", "gold"), ("precision", "system")):
            expected = brackets["matched"] / brackets[over] if brackets[over] else None
            assert brackets[rate] == expected


@pytest.mark.parametrize("repair", [False, True])
def test_answers_of_a_language_model(repair):
    gold = ["(S (NN a))", "(S (NN b))", "(S (NN c))"]
    answers = ["(S (NN a))", "(X (NN b)", "no"]
    found = evaluate(gold, answers, format="answers", repair=repair).to_dict()
    assert not errors(found, SCHEMA)
    assert found["total"]["answers"]["foreign_labels"] == {"X": 1}
    found["total"]["answers"]["valid"] = -1
    assert errors(found, SCHEMA)
