"""The command and the library give the same figures, whatever the option, format and kind of source."""

from __future__ import annotations

import io
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout, suppress
from math import isnan
from pathlib import Path

import pytest

from jpevalb import Evaluator, JpevalbError, Settings, compare, evaluate, read, write
from jpevalb.base.values import SWITCH
from jpevalb.cli import main
from jpevalb.commands.options import ROWS
from jpevalb.formats.read import FORMATS
from jpevalb.score.evaluator import _OF_FILES as OF_FILES
from jpevalb.settings.convention import PRESETS
from jpevalb.settings.settings import OPTIONS
from tests.support.treebanks import alpino_xml, conll2012, tiger_xml

pytestmark = pytest.mark.slow

GOLD = [
    "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (PRP me))) (. .)))",
    "(ROOT (S (NP (PRP it)) (VP (VBZ rains) (ADVP (RB there)))))",
    "(ROOT (S (NP (NNP Ann)) (VP (VBZ is) (RB n't) (ADJP (JJ old))) (. .)))",
    "(ROOT (FRAG (NP (NN rain))))",
]
SYSTEM = [
    "(ROOT (S (NP (DT the)) (VP (NN cat) (VP (VBD saw) (NP (PRP me)))) (. .)))",
    "(ROOT (S (NP (PRP it)) (VP (VBZ rains) (PP (RB there)))))",
    "(ROOT (S (NP (NN Ann)) (VP (VBZ is) (NP (RB n't) (JJ old)) (. .))))",
    "(ROOT (NP (NN rain)))",
]
GAPS = "(ROOT (S (VP 0=wake (PRT 2=up)) (NP 1=me)))", "(ROOT (S (VP 0=wake) (NP 1=me (PRT 2=up))))"
"""A gold tree with a gap, and what a system makes of it."""

WITH_GAPS = ("discbracket", "export", "tigerxml", "alpino")

VALUES = {
    "metrics": ("brackets", "tags", "functions", "leaf", "tedeval"),
    "prm": "COLLINS",
    "lang": "fr",
    "exceptions": "{exceptions}",
    "align_ratio": 0.5,
    "unlike": "alone",
    "pair": "order",
    "convention": "discontinuous least:2 whole:drop-all",
    "punctuation": (".", ","),
    "drop_subtrees": ("ADVP", "X"),
    "empty_f1": "one",
    "cutoff": 3,
    "traces": "keep",
    "unit": "char",
    "silence": "shared",
    "tier": "words",
    "most_memory": 10_000,
    "format": "{format}",
    "gold_format": "{format}",
    "sys_format": "{format}",
    "encoding": "utf-8",
    "gold_encoding": "latin-1",
    "sys_encoding": "utf-8",
    "on_error": "skip",
    "error_classes": "sejong",
    "node_types": "label",
    "gold_times": "{times}",
    "sys_times": "{times}",
    "several": "join",
    "field": "tree",
    "gold_field": "output",
    "id_field": "id",
    "separator": "---",
}
"""A valid value for each option that is no switch."""

WITH = {
    "error_classes": {"analysis": True},
    "node_types": {"metrics": ("nodes",)},
    "gold_times": {"metrics": ("siou",), "sys_times": "{times}"},
    "sys_times": {"metrics": ("siou",), "gold_times": "{times}"},
    "tier": {"metrics": ("siou",), "gold_times": "{times}", "sys_times": "{times}"},
    "silence": {"metrics": ("siou",), "gold_times": "{times}", "sys_times": "{times}"},
}
"""What some options need to have an effect."""


def nested(tree, node: int = 0) -> list:
    """A node as nested lists: its label, and its words and children."""
    children = tree.children()[node]
    return [
        tree.labels[node],
        *[tree.words[-1 - child] if child < 0 else nested(tree, child) for child in children],
    ]


def written(texts, format: str) -> tuple[str, list[str] | None]:
    """The text of a file with these trees, and the texts of its sentences."""
    trees = list(read(texts))
    if format == "tigerxml":
        return tiger_xml(trees), [tiger_xml([tree], number) for number, tree in enumerate(trees, 1)]
    if format == "alpino":
        return alpino_xml(trees), [alpino_xml([tree], number) for number, tree in enumerate(trees, 1)]
    if format == "corenlp":
        sentences = [{"index": number, "parse": text} for number, text in enumerate(texts)]
        items = [json.dumps({"sentences": [sentence]}) for sentence in sentences]
        return json.dumps({"docId": "a", "sentences": sentences}, indent=1), items
    if format == "corenlp-text":
        items = [
            f"Sentence #{number} (1 tokens):\n(x)\n\nTokens:\n[Text=x]\n\nConstituency parse: \n{text}\n\n"
            for number, text in enumerate(texts, 1)
        ]
        return "Document: ID=a (2 sentences, 9 tokens)\n\n" + "".join(items), items
    if format == "conllu":
        rows = "".join([f"{number}\tx{8 * chr(9) + '_'}\n" for number in (1, 2)])
        items = [
            f"# sent_id = {number}\n# constituency = {text}\n{rows}" for number, text in enumerate(texts)
        ]
        return "\n".join(items), items
    if format == "unlabeled":
        words = [re.sub(r"\([^\s()]+ ([^\s()]+)\)", r"\1", text) for text in texts]
        items = [re.sub(r"\([^\s()]* ", "(", text) for text in words]
        return "".join([item + "\n" for item in items]), None
    if format == "text":
        items = [" ".join(tree.words) for tree in trees]
        return "".join([item + "\n" for item in items if item]), None
    if format == "tokens":
        items = [
            "".join(
                f"{number}\t{word}\t_\t_\t{tag or '_'}\t_\t_\t_\t_\t_\n"
                for number, (word, tag) in enumerate(zip(tree.words, tree.tags), 1)
            )
            for tree in trees
        ]
        return "\n".join([item for item in items if item]), None
    if format == "nbest":
        return "".join(
            [f"2 {number}\n-1\n{text}\n-2\n{text}\n\n" for number, text in enumerate(texts)]
        ), texts
    if format == "conll2012":
        return conll2012(trees), [conll2012([tree]) for tree in trees]
    if format == "lists":
        return "".join([json.dumps(nested(tree)) + "\n" for tree in trees]), None
    if format == "onf":
        items = [
            f"Plain sentence:\n---\n    {' '.join(tree.words)}\n\nTree:\n-----\n    {text}\n\n"
            for tree, text in zip(trees, texts)
        ]
        return "".join(items), items
    if format == "sejong":  # the last leaf of a node is a morpheme
        items = [re.sub(r"\(([A-Z]+) ([^\s()]+)\)(?=\))", r"\2/\1", text) for text in texts]
        return "".join([item + "\n" for item in items]), items
    if format == "table":
        rows = [f"{number}\t{text}\t{text}\n" for number, text in enumerate(texts)]
        return "id\toutput\ttree\n" + "".join(rows), None
    if format == "jsonl":
        records = [{"id": number, "output": text, "tree": text} for number, text in enumerate(texts)]
        return "".join([json.dumps(record) + "\n" for record in records]), None
    file = io.StringIO()
    write(trees, file, {"answers": "bracket"}.get(format, format))
    text = file.getvalue()
    if format == "export":
        return text, ["#BOS" + part for part in text.split("#BOS")[1:]]
    return text, text.splitlines()


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """For each format both files, as paths, texts, and lists of texts; and the files that options name."""
    folder = tmp_path_factory.mktemp("doors")
    made = {}
    for format in FORMATS:
        gaps = GAPS if format in WITH_GAPS else ((), ())
        sides = []
        for side, texts, more in (("gold", GOLD, gaps[0]), ("sys", SYSTEM, gaps[1])):
            text, pieces = written([*texts, *([more] if more else [])], format)
            path = folder / f"{side}.{format}"
            path.write_text(text, encoding="utf-8")
            sides.append((str(path), text, pieces))
        made[format] = sides
    (folder / "exceptions.tsv").write_text("n't\tnot\n", encoding="utf-8")
    for name, texts in (("fewer", GOLD), ("times", [*GOLD, GAPS[0]])):
        words = [(number, word) for number, tree in enumerate(read(texts)) for word in tree.words]
        lines = [f"u{number} 1 {0.5 * place:.2f} 0.40 {word}\n" for place, (number, word) in enumerate(words)]
        (folder / f"{name}.ctm").write_text("".join(lines), encoding="utf-8")
    return folder, made


class Pipe:
    """A pipe that holds a text, as ``<(...)`` of the shell."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __enter__(self) -> str:
        self._out, end = os.pipe()
        os.write(end, self._text.encode())
        os.close(end)
        return f"/dev/fd/{self._out}"

    def __exit__(self, *error: object) -> None:
        os.close(self._out)


def arguments(options) -> list[str]:
    """The options as a command line spells them."""
    found = []
    for name, value in options.items():
        row = ROWS[name]
        spelling = row.spellings(name)[-1]
        if row.values is SWITCH:
            found.append(spelling)
        else:
            text = value
            if isinstance(value, tuple):
                text = (" " if name == "punctuation" else ",").join(value)
            found.append(f"{spelling}={text}")
    return found


def by_command(gold: str, system: str, options) -> dict | None:
    """What ``--as json`` has of a run; ``None`` if the command rejects it."""
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        status = main([gold, system, *arguments(options), "--as", "json"])
    assert "Traceback" not in errors.getvalue()
    if status:
        assert status in (1, 2)
        assert errors.getvalue().startswith("jpevalb: ")
        return None
    found = json.loads(out.getvalue())
    return {"figures": found["figures"], "total": found["total"], "signature": found["signature"]}


def by_call(gold, system, options, call=evaluate) -> dict | None:
    """What a call of the library finds; ``None`` if it raises an error."""
    try:
        found = call(gold, system, **options).to_dict()
    except JpevalbError:
        return None
    found = json.loads(json.dumps(found))
    return {"figures": found["figures"], "total": found["total"], "signature": found["signature"]}


def filled(options, folder: Path, format: str):
    """The options with the names of files and of the format."""
    names = {"format": format, "exceptions": folder / "exceptions.tsv"}
    names["times"] = folder / ("times.ctm" if format in WITH_GAPS else "fewer.ctm")
    return {
        name: value.format(**names) if isinstance(value, str) else value for name, value in options.items()
    }


CASES = {"none": {}}
CASES |= {
    name: {name: VALUES.get(name, True), **WITH.get(name, {})}
    for name, row in OPTIONS.items()
    if row.in_command
}

BY_BLOCKS = ("export", "tigerxml", "alpino", "corenlp", "corenlp-text", "conllu", "conll2012", "nbest", "onf")
NOT_OF_LISTS = {("separator", None), ("nbest", None), *[("repair", format) for format in BY_BLOCKS]}
"""Options that read a file line by line, which a list of sentences has not."""


def sources(made, format):
    """Each kind of source as a function that makes both sides anew, and what to close."""
    (_gold, gold_text, golds), (_system, system_text, systems) = made[format]
    yield "text files", lambda: (io.StringIO(gold_text), io.StringIO(system_text))
    yield "binary files", lambda: (io.BytesIO(gold_text.encode()), io.BytesIO(system_text.encode()))
    if golds is not None:
        yield "lists", lambda: (golds, systems)
        yield "generators", lambda: (iter(golds), iter(systems))


@pytest.mark.parametrize("format", FORMATS)
def test_every_option_by_the_command_and_by_a_call(corpora, format):
    folder, made = corpora
    (gold, gold_text, _golds), (system, system_text, _systems) = made[format]
    other = {"pair": "align"} if format in WITH_GAPS else {"convention": "discontinuous"}
    accepted = set()
    kinds = list(sources(made, format))
    for number, (option, case) in enumerate(CASES.items(), list(FORMATS).index(format)):
        for mode in ({}, {**other}) if number % 2 else ({},):
            options = filled({**mode, **case}, folder, format)
            expected = by_command(gold, system, options)
            accepted.update([option] if expected is not None else [])
            assert by_call(gold, system, options) == expected, (format, options)
            if mode:
                continue
            # Each option with each kind of source, in some of the formats
            with Pipe(gold_text) as first, Pipe(system_text) as second:
                by = by_command if number % 2 else by_call
                assert by(first, second, options) == expected, (format, options, "pipes")
            kind, make = kinds[number % len(kinds)]
            listed = kind in ("lists", "generators")
            if not (listed and {(option, None), (option, format)} & NOT_OF_LISTS):
                assert by_call(*make(), options) == expected, (format, options, kind)
            if expected is not None and option not in SHOWN:
                f1 = expected["figures"]["f1"]
                if f1 is None:  # no word has one of the tags
                    continue
                assert score_alone(gold, system, options) == f"{100 * f1:.2f}\n", (format, options)
    # The formats of answers have all options for answers.
    assert ("repair" in accepted) == (format != "text")  # text alone is not recognised
    assert ("field" in accepted) == (format in ("jsonl", "table"))


SHOWN = {"metrics", "by_label", "analysis", "cutoff", "unit", "strict_terminals", "most_memory", *WITH}
"""Options that ask for more than F1, which ``--score-only`` rejects."""


def score_alone(gold: str, system: str, options) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert main([gold, system, *arguments(options), "--score-only"]) == 0
    return out.getvalue()


@pytest.mark.parametrize("format", FORMATS)
def test_every_option_of_a_comparison(corpora, format):
    folder, made = corpora
    (gold, gold_text, _), (system, system_text, _) = made[format]
    more = {"test": "permutation", "samples": 5}
    for number, case in enumerate(CASES.values(), list(FORMATS).index(format)):
        options = filled(case, folder, format)
        out = io.StringIO()
        words = [*arguments(options), "--test=permutation", "--samples=5", "--as=json"]
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            status = main([gold, system, system, *words])
        found = None
        with suppress(JpevalbError):
            found = compare(gold, [system, system], **more, **options)
        assert (status == 0) == (found is not None), (format, options)
        if found is not None:
            assert json.loads(out.getvalue()) == json.loads(found.report("json")), (format, options)
            if number % 2:  # in every second format
                continue
            with Pipe(gold_text) as first, Pipe(system_text) as second:
                (piped,) = compare(first, [second], test=None, **options).systems
            rates = dict(found.systems[0].rates)
            assert dict(piped.rates) == rates, (format, options)
            alone = evaluate(gold, system, **options).figures
            # A comparison leaves out figures that are undefined everywhere, and has some of each label.
            assert {name: value for name, value in rates.items() if name in alone} == {
                name: value for name, value in alone.items() if name in rates
            }, (format, options)


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "jsonl"])
def test_every_option_of_an_evaluator(corpora, format):
    folder, made = corpora
    golds, systems = (side[2] for side in made[format])
    for option, case in CASES.items():
        options = filled(case, folder, format)
        kept = None
        try:
            # By default an evaluator counts brackets and tags alone.
            evaluator = Evaluator(**{"metrics": None, **options})
            evaluator.update(golds, systems)
            kept = evaluator.compute()
        except JpevalbError:
            pass
        if {"cutoff", "gold_times", *OF_FILES} & set(options):
            assert kept is None, (format, options)
            continue
        # Pairs of dissimilar sentences are those of the alignment.
        aligned = format not in WITH_GAPS and option in ("align_ratio", "unlike")
        try:
            figures = evaluate(golds, systems, **options, pair="align" if aligned else "order").figures
        except JpevalbError:
            assert kept is None, (format, options)
            continue
        assert kept is not None, (format, options)
        assert kept.pop("sentences") > 0
        kept = {name: None if isnan(value) else value for name, value in kept.items()}
        assert kept == figures, (format, options)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("format", ["bracket", "export"])
def test_every_preset(corpora, preset, format):
    _, made = corpora
    (gold, gold_text, golds), (system, system_text, systems) = made[format]
    options = {"settings": Settings().replace(convention=preset)}
    expected = by_call(gold, system, options)
    assert expected is not None
    assert by_command(gold, system, {"convention": preset}) == expected
    with Pipe(gold_text) as first, Pipe(system_text) as second:
        assert by_command(first, second, {"convention": preset}) == expected
    assert by_call(golds, systems, options) == expected
    assert by_call(golds, systems, options, with_workers) == expected


def with_workers(gold, system, **options):
    with ThreadPoolExecutor(2) as executor:
        return evaluate(gold, system, executor=executor, **options)
