"""Discontinuous mode gives the same rows, sums and errors with workers as in one process."""

from __future__ import annotations

import gzip
import random
from concurrent.futures import ProcessPoolExecutor

import pytest

from jpevalb import JpevalbError, Tree, TreeError, write
from jpevalb.score.chunk import no_rows
from jpevalb.score.run import Run
from tests.support.commands import jpevalb
from tests.support.treebanks import gapped_tree, gapped_treebanks
from tests.support.with_gaps import discontinuous_settings, evaluate_with_gaps, left_out_lines

pytestmark = pytest.mark.slow


def files(tmp_path, gold, system, format="export"):
    paths = []
    for name, side in (("gold", gold), ("sys", system)):
        path = tmp_path / f"{name}.{format}"
        write(side, path, format)
        paths.append(path)
    return paths


def result_of(paths, executor=None, **options):
    """Everything that comes of an evaluation: the rows up to an error, the error, the rest."""
    rows = []
    run = Run(str(paths[0]), str(paths[1]), discontinuous_settings(**options), executor)
    try:
        for sentence in run:
            rows.append(sentence.to_dict())
        return rows, run.evaluation().to_dict()
    except JpevalbError as error:
        return rows, (type(error), str(error))


def same(paths, executor, **options):
    one = result_of(paths, **options)
    assert result_of(paths, executor, **options) == one
    return one


@pytest.mark.parametrize("format", ["export", "discbracket"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_sentences(tmp_path, small, threads, format, seed):
    paths = files(tmp_path, *gapped_treebanks(seed, 200), format)
    for options in (
        {},
        {"exclude_trivial": True, "punctuation": "D"},
        {"pair": "order"},
        {"punctuation": "X"},
    ):
        rows, rest = same(paths, threads, **options)
        assert len(rows) == 200
        assert rest["total"]["brackets"]["sentences"] == 200


@pytest.mark.parametrize("pair", ["auto", "order"])
def test_missing_extra_and_moved_sentences(tmp_path, small, threads, pair):
    gold, system = gapped_treebanks(5, 240)
    rng = random.Random(1)
    del system[200:203], gold[40:45], system[17]
    system.insert(60, system.pop(150))
    system.insert(9, system.pop(10))
    system.append(gapped_tree(rng, "x1", ["a", "b"]))
    system.insert(0, gapped_tree(rng, "x2", ["a", "b"]))
    paths = files(tmp_path, gold, system)
    rows, rest = same(paths, threads, pair=pair, on_error="skip")
    if pair == "auto":
        assert rest["states"]["missing"] == 4
        assert rest["states"]["extra"] == 7
    same(paths, threads, pair=pair)
    assert len(rows) == len(gold)


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("place", [30, 100, 101, 102, 109])
def test_errors_come_at_the_same_place(tmp_path, small, threads, on_error, place):
    """In the middle of what a worker gets, on either side of its end, and at the end of the file."""
    gold, system = gapped_treebanks(6, 110)
    paths = files(tmp_path, gold, system)
    text = paths[1].read_text()
    for damaged in (
        text.replace(f"#EOS s{place}\n", ""),
        text.replace(f"#BOS s{place}\n", ""),
        text.replace(f"#BOS s{place}\n", f"#BOS s{place}\nonly\ttwo\n"),
        text.replace(f"#BOS s{place}\n", f"#BOS s{place}\nmore\tD\t--\t--\t0\n"),
        text.replace(f"#BOS s{place}\n", "#BOS s7\n").replace(f"#EOS s{place}\n", "#EOS s7\n"),
        text.replace(f"#BOS s{place}\n", f"#BOS s{place}\n#BOSx\tN\t--\t--\t0\n"),
        text.replace(f"#BOS s{place}\n", f"#BOS s{place}\udcff\n"),
        text.replace(f"#EOS s{place}\n", f"\udcff\n#EOS s{place}\n"),
    ):
        assert damaged != text
        paths[1].write_bytes(damaged.encode("utf-8", "surrogateescape"))
        same(paths, threads, on_error=on_error)


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("pair", ["order", "id", "auto"])
@pytest.mark.parametrize("places", [(2, 190), (100, 101), (198, 199)])
def test_a_repeated_id(tmp_path, small, threads, places, pair, on_error):
    paths = files(tmp_path, *gapped_treebanks(7, 200))
    first, second = places
    text = paths[1].read_text()
    for mark in ("#BOS", "#EOS"):
        text = text.replace(f"{mark} s{second + 1}\n", f"{mark} s{first + 1}\n")
    paths[1].write_text(text)
    rows, rest = same(paths, threads, pair=pair, on_error=on_error)
    if on_error == "stop":
        assert rest[0] is TreeError
        assert f"sentence 's{first + 1}': the id occurs twice" in rest[1]
    else:
        assert len(rows) == 200


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_lines(tmp_path, small, threads, on_error):
    gold, system = gapped_treebanks(8, 200)
    paths = files(tmp_path, gold, system, "discbracket")
    lines = paths[1].read_text().splitlines()
    for change in (
        {50: ""},
        {120: "", 121: "(())", 122: ""},
        {77: "(S"},
        {199: "", 198: ""},
        {60: lines[61]},
    ):
        changed = [change.get(place, line) for place, line in enumerate(lines)]
        paths[1].write_text("\n".join(changed) + "\n")
        same(paths, threads, on_error=on_error)
    paths[1].write_text("\n".join(lines[:150]))
    same(paths, threads)
    paths[1].write_text("\n".join([*lines, *lines[:50]]))
    same(paths, threads)
    paths[1].write_text("\n".join(["(S (A a) (B b))"] * 300))
    paths[0].write_text(
        "\n".join(["(S (A a) (B b))"] * 150 + ["(S (A a) (B b))\r"] * 150), encoding="utf-8-sig"
    )
    same(paths, threads)


def test_sentences_without_ids_are_named_by_their_place_in_the_file(small, threads):
    """In reports whose rows workers make, too."""
    gold = ["(S (A a) (B b))"] * 60
    system = [*gold[:44], "(())", *gold[45:]]
    run = Run(gold, system, discontinuous_settings(), threads)
    assert sum(rows.size for rows in run.rows(no_rows)) == 60
    assert left_out_lines(run.evaluation()) == ("unparsed: sentence 45: the parse has no words",)


def test_input_that_is_not_divided(tmp_path, threads):
    gold, system = gapped_treebanks(8, 50)
    assert evaluate_with_gaps(gold, system, executor=threads) == evaluate_with_gaps(gold, system)
    paths = files(tmp_path, gold, system)
    same([paths[0], tmp_path / "none"], threads)
    with gzip.open(tmp_path / "gold.gz", "wb") as file:
        file.write(paths[0].read_bytes())
    same([tmp_path / "gold.gz", paths[1]], threads)
    (tmp_path / "empty").write_text("")
    same([tmp_path / "empty", paths[1]], threads)
    same([paths[0], tmp_path / "empty"], threads)
    multi = tmp_path / "multi"
    multi.write_text("".join(f"( (S (A a)\n    (B b{place})) )\n" for place in range(40)))
    same([multi, multi], threads)


def test_trees_are_read_again(tmp_path, small, threads):
    paths = files(tmp_path, *gapped_treebanks(9, 100))
    one = evaluate_with_gaps(*paths)
    two = evaluate_with_gaps(*paths, executor=threads)
    assert one == two
    for a, b in zip(one.sentences, two.sentences):
        assert (a.matched, a.missed, a.extra) == (b.matched, b.missed, b.extra)


def test_processes_and_the_command(tmp_path):
    paths = files(tmp_path, *gapped_treebanks(10, 400))
    with ProcessPoolExecutor(2) as pool:
        same(paths, pool)
    for options in ([], ["--output", "json"], ["--output", "csv"], ["--output", "markdown"], ["--quiet"]):
        one = jpevalb(*paths, *options)
        two = jpevalb(*paths, *options, "--jobs", "2")
        assert (two.stdout, two.stderr, two.returncode) == (one.stdout, one.stderr, one.returncode)
        assert one.returncode == 0


def test_no_id_in_both(tmp_path, small, threads):
    gold, system = gapped_treebanks(9, 100)
    system = [Tree.build(t.labels, t.parents, t.words, t.word_parents, f"y{n}") for n, t in enumerate(system)]
    found = same(files(tmp_path, gold, system), threads)
    assert found[1][0] is TreeError
    assert "no sentence id is in both files" in found[1][1]
