"""Node types of tree node accuracy: by position, by label, none, or from a file."""

from __future__ import annotations

import pickle

import pytest

from jpevalb import (
    Evaluator,
    Settings,
    SettingsError,
    Tree,
    compare,
    evaluate,
    tree_mapping,
    tree_node_accuracy,
)
from jpevalb.commands.evaluate import main
from jpevalb.metrics.node_accuracy import NodeCounts, load_types
from jpevalb.score.signature import signature_of
from tests.support.files import write_files
from tests.support.tree_oracles import (
    FLIGHT,
    OTHER_FLIGHT,
    both,  # noqa: F401
)
from tests.support.with_gaps import evaluate_with_gaps

ORIGIN, ORIGIN_ALONE = "(TOP (AOrigin von (APlace hamburg)))", "(TOP (AOrigin hamburg))"
CONCEPTS = {"AOrigin": "concept", "ADestination": "concept"}

# One pair of trees for each setting: C, S, D, I by hand.
ORIGINS = {
    # AOrigin is a phrase and a tag: APlace becomes it, AOrigin and von are deleted.
    "position": NodeCounts(1, 1, 2, 0),
    # AOrigin stays at another depth, hamburg is below it; von and APlace are deleted.
    "label": NodeCounts(2, 0, 2, 0),
    "none": NodeCounts(2, 0, 2, 0),
}
FLIGHTS = {
    "position": NodeCounts(9, 2, 3, 2),
    # ADestination cannot be AOrigin: one is deleted, one inserted; nach for von stays.
    "label": NodeCounts(9, 1, 4, 3),
    "none": NodeCounts(9, 2, 3, 2),
}


@pytest.mark.usefixtures("both")
class TestByHand:
    @pytest.mark.parametrize("types", ORIGINS)
    def test_a_concept_at_another_depth(self, types):
        counts = tree_node_accuracy(ORIGIN, ORIGIN_ALONE, types=types)
        assert counts == ORIGINS[types]
        assert counts.accuracy == (0.25 if types == "position" else 0.5)

    @pytest.mark.parametrize("types", FLIGHTS)
    def test_the_example_of_the_paper(self, types):
        assert tree_node_accuracy(FLIGHT, OTHER_FLIGHT, types=types) == FLIGHTS[types]

    def test_labels_of_one_type(self):
        """AOrigin becomes ADestination where they are of one type, whatever hangs from them."""
        system = "(TOP (ADestination hamburg))"
        assert tree_node_accuracy(ORIGIN, system, types="label") == NodeCounts(1, 0, 3, 1)
        assert tree_node_accuracy(ORIGIN, system, types=CONCEPTS) == NodeCounts(1, 1, 2, 0)

    def test_words_and_concepts_without_types(self):
        """One substitution, 4, is cheaper than a deletion and an insertion, 6."""
        gold, system = "(TOP (A x (B y)))", "(TOP (A (C z) (B y)))"
        # x is C, and z is inserted, or the other way round.
        assert tree_node_accuracy(gold, system, types="none") == NodeCounts(3, 1, 0, 1)
        # x is z below C.
        assert tree_node_accuracy(gold, system) == NodeCounts(3, 1, 0, 1)
        gold, system = "(TOP (A x))", without_words("B")
        assert tree_node_accuracy(gold, system, types="none") == NodeCounts(1, 1, 0, 0)
        # With types A is a tag and a phrase, and nothing maps.
        assert tree_node_accuracy(gold, system) == NodeCounts(0, 0, 2, 2)
        assert tree_node_accuracy(gold, system, types="label") == NodeCounts(1, 0, 1, 1)
        found = tree_mapping(gold, system, types="none")
        assert (found.pairs, found.word_node_pairs, found.node_word_pairs) == (((1, 1),), ((0, 2),), ())
        assert tree_mapping(system, gold, types="none").node_word_pairs == ((2, 0),)
        assert found.to_dict()["word_node_pairs"] == [[0, 2]]
        assert "node_word_pairs" not in found.to_dict()

    def test_a_label_equals_no_word(self):
        assert tree_node_accuracy("(TOP (A x))", without_words("x"), types="none") == NodeCounts(1, 1, 0, 0)


def without_words(label):
    """A tree whose innermost bracket has no word; written, ``(TOP (A (B)))`` has the word B."""
    return Tree.build(["TOP", "A", label], [-1, 0, 1], [], [])


def test_invalid_types():
    with pytest.raises(
        SettingsError, match=r"^got 'labels' for types; expected 'position', 'label', 'none',"
    ):
        tree_node_accuracy("(A a)", "(A a)", types="labels")


@pytest.fixture
def files(folder):
    return write_files(
        folder,
        {
            "gold": [ORIGIN, FLIGHT],
            "system": [ORIGIN_ALONE, OTHER_FLIGHT],
            "concepts": "# what may be taken for another\nconcept AOrigin\nconcept ADestination\n\n",
        },
    )


class TestRuns:
    @pytest.mark.parametrize(
        ("types", "expected"),
        [(name, ORIGINS[name] + FLIGHTS[name]) for name in ORIGINS]
        # The origin as by label; the flight as by position.
        + [(types, NodeCounts(11, 2, 5, 2)) for types in ("concepts", CONCEPTS)],
        ids=[*ORIGINS, "file", "dict"],
    )
    def test_every_way_to_run(self, files, types, expected):
        options = {"node_types": types, "metrics": ("brackets", "tags", "nodes"), "align_ratio": 1.0}
        for jobs in (1, 2):
            result = evaluate("gold", "system", jobs=jobs, **options)
            assert result.total["nodes"].nodes == expected
        mapping = result.node_mapping(result.sentences[0], "nodes")
        assert len(mapping.pairs) + len(mapping.word_pairs) == 2
        evaluator = Evaluator(**options)
        evaluator.update(FLIGHT, OTHER_FLIGHT)
        evaluator.update(ORIGIN, ORIGIN_ALONE)
        assert evaluator.compute()["node_accuracy"] == expected.accuracy
        compared = compare("gold", ["system", "gold"], samples=10, **options)
        assert [system["node_accuracy"] for system in compared.systems] == [expected.accuracy, 1.0]

    def test_with_the_same_words(self, tmp_path):
        (tmp_path / "gold").write_text("(TOP (A (B x) (C y)))\n")
        (tmp_path / "system").write_text("(TOP (B (A x) (C y)))\n")
        names = str(tmp_path / "gold"), str(tmp_path / "system")
        # A and B change places: substituted by position.  Neither keeps by label what is below it.
        for types, accuracy in (("position", 3 / 5), ("label", 1 / 5), ("none", 3 / 5)):
            found = evaluate_with_gaps(*names, node_types=types, metrics=("brackets", "nodes"))
            assert found.total["nodes"].nodes.accuracy == accuracy

    def test_signatures(self, files):
        name = "node-types"
        assert name not in signature_of(Settings(convention="jpevalb", node_types="position"))
        assert signature_of(Settings(convention="jpevalb", node_types="label")).endswith(f" {name}:label")
        by_file = signature_of(Settings(convention="jpevalb", node_types="concepts"))
        (files / "concepts").write_text("concept AOrigin ADestination APlace\n")
        other = signature_of(Settings(convention="jpevalb", node_types="concepts"))
        assert other != by_file
        assert all(f" {name}:concepts#" in text for text in (by_file, other))
        given = Settings(convention="jpevalb", node_types=CONCEPTS)
        assert f" {name}:given#" in signature_of(given)
        assert (
            given
            == pickle.loads(pickle.dumps(given))
            == Settings(convention="jpevalb", node_types=dict(CONCEPTS))
        )
        # A file of that name is not looked at.
        (files / "label").write_text("concept AOrigin\n")
        assert signature_of(Settings(convention="jpevalb", node_types="label")).endswith(f" {name}:label")

    def test_labels_count_as_in_the_brackets(self, tmp_path):
        """A label is cut before its type is looked up, and a label that is equated has the other's."""
        (tmp_path / "gold").write_text("(S (A-X x (B-Y y)))\n")
        (tmp_path / "system").write_text("(S (C-Z y))\n")
        (tmp_path / "types").write_text("one A-Q C\n")
        names = str(tmp_path / "gold"), str(tmp_path / "system")
        options = {"metrics": ("brackets", "nodes"), "align_ratio": 1.0}

        def counts(**more):
            return evaluate(*names, **options, **more).total["nodes"].nodes

        # By position S and y stay; B-Y, a tag, becomes C-Z, a tag.
        assert counts() == NodeCounts(2, 1, 2, 0)
        # Tags are not cut, so C-Z has no type of its own; A-X counts as A, as A-Q does.
        assert counts(node_types=str(tmp_path / "types")) == NodeCounts(2, 1, 2, 0)
        (tmp_path / "types").write_text("one A-Q C-Z\n")
        assert counts(node_types=str(tmp_path / "types")) == NodeCounts(2, 1, 2, 0)
        (tmp_path / "types").write_text("one A\ntwo C-Z\n")
        assert counts(node_types=str(tmp_path / "types")) == NodeCounts(2, 0, 3, 1)

    def test_the_command(self, files, capsys):
        options = ["gold", "system", "--metrics", "nodes", "--quiet"]
        # (10 - 2) / 18, (11 - 3) / 18, and (11 - 2) / 18 twice.
        for types, figure in (
            ("position", "44.44"),
            ("label", "44.44"),
            ("none", "50.00"),
            ("concepts", "50.00"),
        ):
            assert main([*options, "--node-types", types]) == 0
            assert f"Tree node accuracy        =  {figure}    {figure}\n" in capsys.readouterr().out


class TestFiles:
    def test_lines(self, tmp_path):
        path = tmp_path / "types"
        path.write_text(
            "\ufeff# places\nplace  APlace\tATown\n\ntime ADay\nplace ACity APlace\n", encoding="utf-8"
        )
        assert load_types(path) == {"APlace": "place", "ATown": "place", "ADay": "time", "ACity": "place"}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("place A\nconcept\n", "2: 'concept' alone; expected a type and its labels, as in "),
            (
                "a X Y\n\nb Z X\n",
                "3: got the label 'X' with the type 'b', but with 'a' in line 1; expected one ",
            ),
            ("# nothing\n", " no types; expected lines such as 'concept AOrigin ADestination'"),
            ("", " no types; expected lines such as 'concept AOrigin ADestination'"),
            (b"a X\nb \xff\n", "2: byte 0xff is not UTF-8; save the table of node types as UTF-8"),
            (
                "a X\nb X-Y\n",
                "2: the type 'b' for 'X-Y' and 'a' for 'X', which count as one label, 'X'; ",
            ),
            (
                "b X\na X-Y\n",
                "2: the type 'a' for 'X-Y' and 'b' for 'X', which count as one label, 'X'; ",
            ),
        ],
    )
    def test_bad_files(self, files, capsys, text, expected):
        (files / "bad").write_bytes(text if isinstance(text, bytes) else text.encode())
        assert main(["gold", "system", "--node-types", "bad"]) in (1, 2)
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"jpevalb: bad:{expected}")
        assert err.count("\n") == 1

    def test_no_file(self, files, capsys):
        assert main(["gold", "system", "--node-types", "labels"]) == 1
        assert capsys.readouterr().err == (
            "jpevalb: labels: cannot read the table of node types: No such file or directory; "
            "expected position, label, none, or a file\n"
        )
