"""Inputs in every form: nothing is lost without a message, and the figures stay the same."""

from __future__ import annotations

import io
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from math import isnan
from pathlib import Path

import pytest

from jpevalb import Evaluator, InputError, SettingsError, Tree, TreeError, compare, evaluate, read
from tests.support.commands import ROOT

README = ROOT / "examples"
GOLD, SYSTEM = README / "gold.discbracket", README / "sys.discbracket"


def slow_pipe(folder: Path, data: bytes) -> str:
    """A named pipe that gives one byte at a time."""
    path = folder / f"pipe{len(os.listdir(folder))}"
    os.mkfifo(path)

    def feed() -> None:
        with open(path, "wb", buffering=0) as pipe:
            for byte in data:
                pipe.write(bytes([byte]))

    threading.Thread(target=feed, daemon=True).start()
    return str(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_that_give_one_byte_at_a_time(tmp_path):
    expected = evaluate(GOLD, SYSTEM).figures

    def pipes(*paths: Path) -> list[str]:
        return [slow_pipe(tmp_path, path.read_bytes()) for path in paths]

    assert evaluate(*pipes(GOLD, SYSTEM)).figures == expected
    gold, *systems = pipes(GOLD, SYSTEM, SYSTEM)
    assert [one["f1"] for one in compare(gold, systems, samples=3).systems] == [expected["f1"]] * 2
    gold, system, other = pipes(GOLD, SYSTEM, GOLD)
    by_path = evaluate(GOLD, SYSTEM, more_gold=[GOLD])
    assert evaluate(gold, system, more_gold=[other]).figures == by_path.figures


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_one_pipe_as_two_inputs_does_not_wait_forever(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SettingsError, match="are one pipe, which is read once; give a file"):
        evaluate(pipe, pipe)
    with pytest.raises(SettingsError, match="are one pipe"):
        compare(GOLD, [pipe, SYSTEM, pipe])


def test_one_file_or_generator_as_two_inputs():
    message = "one open file or generator as two inputs, which is read once"
    with pytest.raises(SettingsError, match=message), GOLD.open() as file:
        evaluate(file, file)
    trees = read(GOLD)
    with pytest.raises(SettingsError, match=message):
        evaluate(trees, trees)
    with pytest.raises(SettingsError, match=message):
        compare(GOLD, {"a": trees, "b": trees})
    with pytest.raises(SettingsError, match=message):
        compare(GOLD, [SYSTEM, trees], more_gold=[trees])
    with pytest.raises(SettingsError, match=message):
        evaluate(GOLD, trees, more_gold=[trees])
    with pytest.raises(SettingsError, match="both files are '-'"):
        evaluate("-", "-")
    listed = list(trees)
    assert evaluate(listed, listed).f1 == 1


@pytest.mark.parametrize("mode", ["r", "rb"])
def test_open_files_are_read_from_where_they_are(tmp_path, mode):
    paths = [tmp_path / "gold", tmp_path / "system"]
    for path, source in zip(paths, (GOLD, SYSTEM)):
        path.write_text("a line of its own\n" + source.read_text())
    with open(paths[0], mode) as gold, open(paths[1], mode) as system:
        gold.readline()
        system.readline()
        assert evaluate(gold, system).figures == evaluate(GOLD, SYSTEM).figures
    with pytest.raises(InputError, match=r"cannot read the file: .* closed file"):
        evaluate(gold, SYSTEM)
    with pytest.raises(InputError, match=r"cannot read the file: .* closed file"):
        compare(GOLD, [SYSTEM, system])


def test_any_tree_with_a_gap_decides_the_mode():
    gold, system = list(read(GOLD)), list(read(SYSTEM))
    first = Tree.parse("(S (NP (N a)) (VP (V b)))")
    gold, system = [first, *gold], [first, *system]
    assert not all(tree.is_continuous for tree in gold)
    expected = evaluate(gold, system)
    assert expected.settings.convention == "discontinuous"
    assert evaluate(iter(gold), iter(system)) == expected
    evaluator = Evaluator()
    evaluator.update(iter(gold), iter(system))
    assert evaluator.f1 == expected.f1
    # A text without words says nothing of the format, neither in a file nor in a list.
    texts = ["(())", *GOLD.read_text().splitlines()], ["(())", *SYSTEM.read_text().splitlines()]
    files = [io.StringIO("\n".join(lines)) for lines in texts]
    assert evaluate(*texts).figures == evaluate(*files).figures
    assert evaluate(*map(iter, texts)).settings.convention == "discontinuous"


def test_a_list_takes_no_options_of_files():
    lists = ["(S (A a))"], ["(S (A a))"]
    for options in ({"separator": "---"}, {"field": "tree"}, {"gold_field": "tree"}, {"several": "join"}):
        (name,) = options
        with pytest.raises(SettingsError, match=f"{name}="):
            evaluate(*lists, **options)
    assert evaluate(lists[0], ["(S (A a)) (S (B b))"], repair=True, several="join").total.brackets.system


def test_a_batch_that_cannot_be_read_does_not_choose_the_convention():
    gold, system = list(read(GOLD)), list(read(SYSTEM))
    evaluator = Evaluator()
    with pytest.raises(TreeError):
        evaluator.update("(S (A a)", "(S (A a))")
    assert (evaluator.settings.convention, len(evaluator)) == (None, 0)
    evaluator = pickle.loads(pickle.dumps(evaluator))
    evaluator.update(gold, system)
    assert evaluator.settings.convention == "discontinuous"
    assert evaluator.f1 == evaluate(GOLD, SYSTEM).f1
    copy = pickle.loads(pickle.dumps(evaluator))
    assert (copy.settings, copy.compute()) == (evaluator.settings, evaluator.compute())
    both = sum([Evaluator(), copy, Evaluator(), evaluator])
    assert (both.settings.convention, both.f1, len(both)) == ("discontinuous", evaluator.f1, 2 * len(gold))
    empty = Evaluator() + Evaluator()
    empty.update(gold, system)
    assert empty.f1 == evaluator.f1
    evaluator = Evaluator(lang="fr")
    with pytest.raises(SettingsError, match="lang='fr'"):
        evaluator.update(gold, system)
    figures = evaluator.compute()
    assert (evaluator.settings.convention, figures.pop("sentences")) == (None, 0.0)
    assert figures
    assert all(map(isnan, figures.values()))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("corpus.xml", "<corpus></corpus>"),
        ("corpus.export", "#FORMAT 4\n"),
        ("corpus.discbracket", ""),
        ("corpus.mrg", "(())\n(())\n"),
    ],
)
def test_a_file_without_trees_is_reported(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=f"{path}: no sentence of gold has words, so there is nothing"):
        evaluate(path, path)
    found = compare(GOLD, [SYSTEM, path], pair="order", samples=3).systems[1]
    with ThreadPoolExecutor(2) as executor:
        if text.startswith("("):
            assert found["f1"] == 0.0
            assert found.warnings == ("no sentence of the system has a parse, so its figures are 0",)
            assert evaluate(GOLD, path, pair="order").warnings == found.warnings
            assert evaluate(GOLD, path, pair="order", executor=executor).unparsed
        else:
            assert found["f1"] is None
            assert found.warnings == (found.problem,)
            assert found.problem == f"{path}: no sentence of the system, so there is nothing to score"
            with pytest.raises(InputError, match="no sentence of the system"):
                evaluate(GOLD, path, pair="order", executor=executor)
            with pytest.raises(InputError, match="no sentence of the system"):
                compare(GOLD, [path, path], pair="order", samples=3)


@pytest.mark.parametrize("seekable", [True, False])
def test_an_open_file_in_another_encoding_names_the_option_of_its_side(seekable):
    class File(io.BytesIO):
        def seekable(self) -> bool:
            return seekable

    text = "(S (NN a))\n"
    for side, encodings in (("gold", ("utf-16", "utf-8")), ("sys", ("utf-8", "utf-16"))):
        with pytest.raises(TreeError, match=f"the file is UTF-16; try {side}_encoding='utf-16'"):
            evaluate(*[File(text.encode(encoding)) for encoding in encodings])


def test_the_format_of_texts_is_detected_unless_it_is_given():
    texts = ["(S (A 0=a) (B 1=b))"], ["(S (A 0=a) (C 1=b))"]
    files = [io.StringIO(text) for (text,) in texts]
    expected = evaluate(*files, format="bracket")
    assert expected.settings.convention == "jpevalb"
    found = evaluate(*texts, format="bracket")
    assert (found.settings, found.figures) == (expected.settings, expected.figures)
    assert evaluate(*texts).settings.convention == "discontinuous"
