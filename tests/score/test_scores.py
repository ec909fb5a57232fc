"""The frozen scores of golden_outputs/scores: no figure changes without an announcement.

``python -m tests.score.test_scores`` writes the table anew.  Its fingerprint then has to stand in
CHANGELOG.md, in a line that is marked **scores** and says what has changed and why.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any

from jpevalb import (
    Params,
    Settings,
    average,
    compare,
    concept_accuracy,
    discontinuous_f1,
    evaluate,
    legacy,
    read,
    struct_iou,
    tree_node_accuracy,
    word_accuracy,
)
from jpevalb.settings.settings import METRICS
from tests.support.commands import ROOT
from tests.support.with_gaps import evaluate_with_gaps, matches_of

FOLDER = ROOT / "golden_outputs" / "scores"
TABLE = FOLDER / "scores.tsv"
HEAD = "case\tfigure\texact\trounded\n"

Figures = Iterator[tuple[str, str, Any]]


def path(name: str) -> str:
    return str(FOLDER / name)


def figures() -> Figures:
    """Every frozen figure: case, name, value."""
    yield from _legacy()
    yield from _alignment()
    yield from _discontinuous()
    yield from _references()
    yield from _trees()
    yield from _node_types()
    yield from _averages()
    yield from _comparisons()


def _legacy() -> Figures:
    cases = [
        ("no prm", Params(), "evalb"),
        ("COLLINS", Params.load("COLLINS"), "evalb"),
        ("new", Params.load("new"), "evalb"),
        ("unlabelled", Params.load("COLLINS").replace(labeled=False), "evalb"),
        ("cut-off 6", Params.load("COLLINS").replace(cutoff=6), "evalb"),
        ("spmrl", Params.load("spmrl"), "spmrl"),
    ]
    names = [
        "sentences",
        "errors",
        "skipped",
        "matched",
        "gold",
        "system",
        "crossing",
        "words",
        "correct_tags",
    ]
    names += [
        "complete",
        "no_crossing",
        "two_or_less_crossing",
        "recall",
        "precision",
        "f1",
        "tagging_accuracy",
    ]
    for name, params, dialect in cases:
        for file in ("same-words.sys", "same-words.other"):
            with open(path("same-words.gold"), "rb") as gold, open(path(file), "rb") as system:
                result = legacy.evaluate(gold, system, params, dialect=dialect)
            counts = result.cutoff if name == "cut-off 6" else result.total
            for figure, value in counts.to_dict().items():
                if figure in names:
                    yield f"legacy {name} {file}", figure, value


def _alignment() -> Figures:
    strict = {"unlabeled": True, "strict_terminals": True}
    times = {"gold_times": path("speech.gold.ctm"), "sys_times": path("speech.sys.ctm")}
    options: list[tuple[str, str, str, dict[str, Any]]] = [
        ("english", "english.gold", "english.sys", {}),
        ("english without list", "english.gold", "english.sys", {"lang": "none"}),
        ("english COLLINS", "english.gold", "english.sys", {"prm": "COLLINS"}),
        ("english unlabelled strict", "english.gold", "english.sys", strict),
        ("english cut-off 8", "english.gold", "english.sys", {"cutoff": 8}),
        ("english with itself", "english.gold", "english.gold", {}),
        ("same words", "same-words.gold", "same-words.sys", {}),
        ("korean", "korean.gold", "korean.sys", {"lang": "ko"}),
        ("hebrew", "hebrew.gold", "hebrew.sys", {"lang": "he"}),
        ("arabic", "arabic.gold", "arabic.sys", {"lang": "ar"}),
        ("chinese", "chinese.gold", "chinese.sys", {"lang": "none"}),
        ("chinese by characters", "chinese.gold", "chinese.sys", {"lang": "none", "unit": "char"}),
        ("speech by words", "speech.gold", "speech.sys", {}),
        ("speech", "speech.gold", "speech.sys", times),
        ("speech without silence", "speech.gold", "speech.sys", {**times, "silence": "shared"}),
        ("speech without any silence", "speech.gold", "speech.sys", {**times, "silence": "drop"}),
        ("flight", "flight.gold", "flight.sys", {}),
    ]  # fmt: skip
    for name, gold, system, chosen in options:
        result = evaluate(path(gold), path(system), metrics=METRICS, **chosen)
        record = result.cutoff if "cutoff" in chosen else result.total
        content = record.to_dict()
        for part, names in (
            ("sentences", "groups gold system unaligned length"),
            (
                "brackets",
                "matched gold system crossing complete recall precision f1 sentence_f1 average_crossing",
            ),
            ("tags", "correct accuracy unit_accuracy"),
            ("siou", "mean corpus"),
            ("leaf", "words alone mean"),
            ("tedeval", "matched gold system mean corpus"),
            ("baselines", "left right random oracle"),
        ):
            for figure in names.split():
                value = content[part][figure]
                yield (
                    f"alignment {name}",
                    f"{part}.{figure}",
                    value["f1"] if isinstance(value, dict) else value,
                )
        for part in ("tokens", "sentences", "brackets"):
            counts = getattr(record["segmentation"], part)
            for figure in ("gold", "system", "matched", "f1"):
                yield f"alignment {name}", f"segmentation.{part}.{figure}", getattr(counts, figure)
        for part in ("tags", "brackets"):
            for figure in ("gold", "system", "matched"):
                yield f"alignment {name}", f"functions.{part}.{figure}", content["functions"][part][figure]
        for part, metric in (("nodes", "nodes"), ("words", "concepts"), ("concepts", "concepts")):
            for figure in ("correct", "cost", "accuracy"):
                yield f"alignment {name}", f"{part}.{figure}", content[metric][part][figure]


def _discontinuous() -> Figures:
    cases: list[tuple[str, str, str, dict[str, Any]]] = [
        ("german", "german.export", "german.sys.export", {}),
        ("german without punctuation", "german.export", "german.sys.export", {"punctuation": ("$.", "$,")}),
        ("german unlabelled", "german.export", "german.sys.export", {"unlabeled": True}),
        ("dutch", "dutch.gold", "dutch.sys", {}),
        (
            "dutch non-trivial",
            "dutch.gold",
            "dutch.sys",
            {"convention": "discontinuous least:2 whole:drop-all"},
        ),
        ("dutch continuous only", "dutch.gold", "dutch.sys", {"convention": "discontinuous most-gaps:0"}),
        ("english", "same-words.gold", "same-words.sys", {}),
    ]
    for name, gold, system, options in cases:
        content = matches_of(evaluate_with_gaps(path(gold), path(system), **options).total).to_dict()
        for part in ("overall", "continuous", "discontinuous"):
            for figure in ("tp", "fp", "fn", "recall", "precision", "f1"):
                yield f"discontinuous {name}", f"{part}.{figure}", content[part][figure]
        for figure in ("sentence_f1", "exact_match", "tag_accuracy"):
            yield f"discontinuous {name}", figure, content[figure]
    for name, gold, system in (
        ("ptb", "same-words.gold", "same-words.sys"),
        ("ctb", "chinese.gold", "chinese.sys"),
        ("spmrl", "hebrew.gold", "hebrew.sys"),
        ("negra", "german.export", "german.sys.export"),
        ("tnlcfrs", "dutch.gold", "dutch.sys"),
        ("unsupervised", "same-words.gold", "same-words.sys"),
    ):
        settings = Settings().replace(convention=name)
        result = evaluate(path(gold), path(system), settings=settings)
        record = result.total
        for figure in ("sentences", "matched", "gold", "system", "f1", "sentence_f1"):
            yield f"preset {name}", figure, getattr(record.brackets, figure)
    gold, system = (next(read(path(name))) for name in ("dutch.gold", "dutch.sys"))
    yield "discontinuous one sentence", "overall.f1", discontinuous_f1(gold, system).overall.f1


def _references() -> Figures:
    for case, score, gold, more, system in (
        ("english", evaluate, "same-words.other", "same-words.gold", "same-words.sys"),
        ("dutch", evaluate_with_gaps, "dutch.sys", "dutch.other", "dutch.gold"),
    ):
        found = score(path(gold), path(system), more_gold=[path(more)], metrics=("brackets", "tags"))
        content = found.to_dict()["references"]
        for one in content["scores"]:
            yield f"references {case}", f"{one['name']} nearest", one["taken"]
            for figure in ("precision", "recall", "f1", "sentence_f1"):
                yield f"references {case}", f"{one['name']} {figure}", one["rates"][figure]
        for pair in [
            *content["agreement"]["pairs"],
            {"system": "mean", "rates": content["agreement"]["mean"]},
        ]:
            yield f"references {case}", f"agreement {pair['system']} f1", pair["rates"]["f1"]


def _trees() -> Figures:
    for name in ("flight", "hebrew", "chinese", "korean"):
        gold, system = (next(read(path(f"{name}.{side}"))) for side in ("gold", "sys"))
        yield f"trees {name}", "struct_iou by characters", struct_iou(gold, system, unit="char")
        yield (
            f"trees {name}",
            "struct_iou strict",
            struct_iou(gold, system, strict_terminals=True, unit="char"),
        )
        for function in (tree_node_accuracy, word_accuracy, concept_accuracy):
            counts = function(gold, system)
            yield f"trees {name}", f"{function.__name__} cost", counts.cost
            yield f"trees {name}", function.__name__, counts.accuracy


def _node_types() -> Figures:
    for case, gold, system, options in (
        ("flight", "flight.gold", "flight.sys", {}),
        ("english", "english.gold", "english.sys", {}),
        ("english COLLINS", "english.gold", "english.sys", {"prm": "COLLINS"}),
        ("hebrew", "hebrew.gold", "hebrew.sys", {"lang": "he"}),
    ):
        for name, types in (
            ("label", "label"),
            ("none", "none"),
            ("given", {"AOrigin": "place", "ADestination": "place", "NP": "one", "PP": "one"}),
        ):
            found = evaluate(path(gold), path(system), metrics=("nodes",), node_types=types, **options)
            counts = found.total["nodes"].nodes
            for figure in ("correct", "substituted", "deleted", "inserted", "accuracy"):
                yield f"node types {name} {case}", figure, getattr(counts, figure)


def _averages() -> Figures:
    for language, names in (
        ("english", ("same-words.gold", "same-words.sys", "same-words.other")),
        ("dutch", ("dutch.gold", "dutch.sys", "dutch.other")),
    ):
        for k, trees in enumerate(zip(*(list(read(path(name))) for name in names)), 1):
            for option in ({}, {"binary": True}, {"weights": [3, 1, 1]}):
                if not all(tree.words for tree in trees):
                    continue
                found = average(list(trees), **option)
                spans = sorted(f"{yielded:b}" for _, yielded in found.constituents())
                yield f"average {language} {k} {[*option, ''][0]}".rstrip(), "yields", " ".join(spans)
            if all(tree.words for tree in trees):
                found = average(list(trees), labeled=True)
                pairs = sorted(f"{label}:{yielded:b}" for label, yielded in found.constituents())
                yield f"average {language} {k} labelled", "yields", " ".join(pairs)


def _comparisons() -> Figures:
    for test in ("bootstrap", "permutation", "sign"):
        result = compare(
            path("same-words.gold"),
            [path("same-words.sys"), path("same-words.other")],
            test=test,
            samples=500,
        )
        first, second = result.systems
        for measure in result.measures:
            if measure.name in ("f1", "tagging", "siou", "nodes") or measure is result.measures[0]:
                yield f"comparison {test}", f"{measure.name} baseline", first[measure.name]
                yield f"comparison {test}", f"{measure.name} other", second[measure.name]
                yield f"comparison {test}", f"{measure.name} p", second.p_values[measure.name]
                ends = second.intervals.get(measure.name) if second.intervals else None
                for end, value in zip(("low", "high"), ends or ()):
                    yield f"comparison {test}", f"{measure.name} {end}", value


def lines() -> list[str]:
    found = []
    for case, figure, value in figures():
        rounded = f"{value:.4f}" if isinstance(value, float) else ""
        found.append(f"{case}\t{figure}\t{value!r}\t{rounded}\n")
    return found


def fingerprint(rows: list[str]) -> str:
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:12]


def stored() -> list[str]:
    head, *rows = TABLE.read_text(encoding="utf-8").splitlines(keepends=True)
    assert head == HEAD
    return rows


def changes(old: list[str], new: list[str]) -> list[str]:
    """List the changed figures, one line each, with old and new value."""
    before = {tuple(row.split("\t")[:2]): row.split("\t")[2] for row in old}
    after = {tuple(row.split("\t")[:2]): row.split("\t")[2] for row in new}
    found = []
    for key in [*before, *[key for key in after if key not in before]]:
        one, other = before.get(key, "nothing"), after.get(key, "nothing")
        if one != other:
            found.append(f"{key[0]}, {key[1]}: from {one} to {other}")
    return found


def test_no_score_has_changed():
    found = changes(stored(), lines())
    assert not found, (
        f"{len(found)} frozen figures are others now; if that is meant, run "
        "`python -m tests.score.test_scores` and announce it in CHANGELOG.md, marked **scores**:\n"
        + "\n".join(found[:50])
    )


def test_the_table_is_announced():
    """The fingerprint of a rewritten table must be in CHANGELOG.md, in a line marked **scores**."""
    wanted = fingerprint(stored())
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    announced = [line for line in text.splitlines() if "**scores**" in line and wanted in line]
    assert announced, (
        "the table of scores was written anew: add a line to CHANGELOG.md with **scores**, "
        f"what has changed, and `{wanted}`"
    )


def test_every_figure_has_one_line_and_is_a_number_or_undefined():
    rows = [row.rstrip("\n").split("\t") for row in stored()]
    keys = [tuple(row[:2]) for row in rows]
    assert len(keys) == len(set(keys)) >= 150
    for _, figure, exact, rounded in rows:
        if figure == "yields" or exact == "None":
            assert rounded == ""
            continue
        value = float(exact)
        assert math.isfinite(value)
        assert rounded == ("" if exact.lstrip("-").isdigit() else f"{value:.4f}")


def test_a_change_names_the_figure_and_both_values():
    old = ["a\tf1\t0.5\t0.5000\n", "a\tn\t3\t\n"]
    new = ["a\tf1\t0.25\t0.2500\n", "a\tn\t3\t\n", "b\tn\t1\t\n"]
    assert changes(old, new) == ["a, f1: from 0.5 to 0.25", "b, n: from nothing to 1"]
    assert changes(old, old) == []


def main() -> None:
    rows = lines()
    for line in changes(stored() if TABLE.exists() else [], rows):
        print(line)
    TABLE.write_text(HEAD + "".join(rows), encoding="utf-8")
    print(f"{len(rows)} figures; put `{fingerprint(rows)}` into CHANGELOG.md, in a line marked **scores**")


if __name__ == "__main__":
    main()
