"""Word times: CTM files, TextGrids, and pairing of utterances with sentences."""

from __future__ import annotations

import gzip
import sys
from dataclasses import replace

import pytest

from jpevalb import evaluate
from jpevalb.alignment.pair import FIRST, Pair
from jpevalb.base.errors import InputError, JpevalbError, TimingError
from jpevalb.formats.timings import Utterance, read_ctm, read_textgrid, read_timings
from jpevalb.metrics.struct_iou import struct_iou
from jpevalb.metrics.times import Timings
from jpevalb.settings.params import Params
from jpevalb.trees.sentence import Sentence
from jpevalb.trees.tree import Tree
from tests.support.rules import rules_of

CTM = """\
;; made by hand
u1 1 1.00 0.50 I 0.98
u1 1 1.80 0.20 am
u1 1 2.00 0.20 a

u1 1 2.20 0.80 cat
u2 A 0 0.1 yes
"""


def timed(words: str, tree: str, **options) -> tuple[str, ...]:
    """The warnings of times for the words of a tree."""
    lines = [f"rec 1 {k} 1 {word}" for k, word in enumerate(words.split())]
    timings = Timings(read_ctm(lines, source="x.ctm"), **options)
    timings.times(Tree.parse(tree))
    timings.finish()
    return tuple(timings.warnings())


def test_times_of_other_words_are_reported():
    tree = "(S (A The) (B dog) (C ca) (D n't) (E go) (F out) (G now) (H because) (I it) (J rains))"
    assert timed("The dog ca n't go out now because it rains", tree) == ()
    assert timed("THE DOG can not walk away tomorrow because it rains", tree) == ()
    (one,) = timed("the DOG can not walk away tomorrow since it rains", tree)
    assert one.text == (
        "x.ctm: 6 of 10 words differ from those of the trees; are these the times of another recording?"
    )
    exceptions = {"ca": "can", "n't": "not"}
    assert timed("the dog can not walk away tomorrow since it rains", tree, exceptions=exceptions) == ()
    # Nine words are too few to tell.
    nine = tree.replace("(J rains)", "")
    assert timed("one two three four five six seven eight nine", nine) == ()


def error(lines: list[str] | str) -> str:
    with pytest.raises(TimingError) as caught:
        read_ctm(lines.splitlines() if isinstance(lines, str) else lines, source="x.ctm")
    return str(caught.value)


class TestCtm:
    def test_lines(self):
        first, second = read_ctm(CTM.splitlines())
        assert (first.name, first.words) == ("u1", ["I", "am", "a", "cat"])
        assert first.times == [(1.0, 1.5), (1.8, 2.0), (2.0, 2.2), (2.2, 3.0)]
        assert first.lines == [2, 3, 4, 6]
        assert (second.name, second.times) == ("u2", [(0.0, 0.1)])

    @pytest.mark.parametrize(
        ("lines", "found"),
        [
            # Ends are rounded to a microsecond.
            (
                ["u 1 0.1 0.2 a", "u 1 0.3 0.000001 b", "u 1 0.300001 0.0000004 c"],
                {"a": (0.1, 0.3), "b": (0.3, 0.300001), "c": (0.300001, 0.300001)},
            ),
            # Two hundredths of a second may overlap.
            (["u 1 3 1 a", "u 1 3.98 1 b"], {"a": (3.0, 4.0), "b": (3.98, 4.98)}),
            (["u 1 0 1 <eps>", "u 1 1 1 so", "u 1 2 1 sil"], {"so": (1.0, 2.0)}),
            # Utterances may be interleaved.
            (["u 1 0 1 x", "b 1 0 1 y", "u 1 1 1 z"], {"x": (0.0, 1.0), "z": (1.0, 2.0)}),
        ],
    )
    def test_words_and_times(self, lines, found):
        utterance = read_ctm(lines)[0]
        assert dict(zip(utterance.words, utterance.times)) == found

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            ("u 1 0 1", "x.ctm:1: got 4 fields; expected 'utterance channel start duration word'"),
            ("u 1 0 1 a\nu 1 1 -0.5 b", "x.ctm:2: word 'b' of utterance 'u' has the negative length -0.5 s"),
            ("u 1 1 -1e-7 b", "x.ctm:1: word 'b' of utterance 'u' has the negative length -1e-07 s"),
            (
                "u 1 0 1 a\nu 1 1 1 b\nu 1 1.5 1 c",
                "x.ctm:3: word 'c' of utterance 'u' begins at 1.5 s, before 'b' (1 to 2 s) ends; "
                "expected words in order",
            ),
            (
                "u 1 3 1 a\nu 1 2 1 b",
                "x.ctm:2: word 'b' of utterance 'u' begins at 2 s, before 'a' (3 to 4 s) ends; "
                "expected words in order",
            ),
            (
                "u 1 3 1 a\nu 1 3.9 1 b",
                "x.ctm:2: word 'b' of utterance 'u' begins at 3.9 s, before 'a' (3 to 4 s) ends; "
                "expected words in order",
            ),
            (
                "u 1 1 .5 a\nu 1 3 .01 b\nu 1 2.995 1 c",
                "x.ctm:3: word 'c' of utterance 'u' begins at 2.995 s, before 'b' (3 to 3.01 s) ends; "
                "expected words in order",
            ),
            ("u 1 one 1 a", "x.ctm:1: word 'a' has the start 'one'; expected a number of seconds"),
            ("u 1 1 nan a", "x.ctm:1: word 'a' has the duration 'nan'; expected a number of seconds"),
            ("u 1 1 inf a", "x.ctm:1: word 'a' has the duration 'inf'; expected a number of seconds"),
        ],
    )
    def test_errors(self, lines, message):
        assert error(lines) == message

    def test_bytes(self):
        [utterance] = read_ctm([b"\xef\xbb\xbfu 1 0 1 caf\xc3\xa9\r\n"])
        assert (utterance.name, utterance.words) == ("u", ["café"])
        with pytest.raises(TimingError, match=r"^x.ctm:2:9: byte 0xe9 is not UTF-8; save the file as UTF-8$"):
            read_ctm([b"u 1 0 1 a", b"u 1 1 1 \xe9"], source="x.ctm")

    def test_files(self, tmp_path):
        plain = tmp_path / "a.ctm"
        plain.write_text(CTM)
        packed = tmp_path / "a.ctm.gz"
        packed.write_bytes(gzip.compress(CTM.encode()))
        assert [u.times for u in read_timings(plain)] == [u.times for u in read_timings(packed)]
        assert read_timings(plain)[0].source == str(plain)
        with pytest.raises(InputError, match=r"missing.ctm: cannot read the file"):
            read_timings(tmp_path / "missing.ctm")
        (tmp_path / "bad.ctm").write_text("u 1 0\n")
        with pytest.raises(TimingError, match=r"bad.ctm:1: got 3 fields"):
            read_timings(tmp_path / "bad.ctm")
        (tmp_path / "empty.ctm").write_text("")
        assert read_timings(tmp_path / "empty.ctm") == []


def trees(*sentences: str, ids: tuple[str | None, ...] = ()) -> list[Tree]:
    made = [Tree.parse(f"(S {text})" if text else "") for text in sentences]
    return [replace(tree, id=id) for tree, id in zip(made, ids or [None] * len(made))]


def fit_times(some, utterances):
    """The times of the words of each tree, and that utterances and trees end together."""
    timings = Timings(utterances)
    for tree in some:
        yield timings.times(tree)
    timings.finish()


class TestFit:
    @pytest.mark.parametrize(
        ("lines", "some", "times"),
        [
            # In order, by name, and the words of a whole recording
            (
                CTM,
                trees("i am a cat", "", "yes"),
                [[(1.0, 1.5), (1.8, 2.0), (2.0, 2.2), (2.2, 3.0)], [], [(0.0, 0.1)]],
            ),
            (
                CTM,
                trees("yes", "i am a cat", ids=("u2", "u1")),
                [[(0.0, 0.1)], [(1.0, 1.5), (1.8, 2.0), (2.0, 2.2), (2.2, 3.0)]],
            ),
            ("rec 1 0 1 a\nrec 1 1 1 b\nrec 1 2 1 c", trees("a", "b c"), [[(0, 1)], [(1, 2), (2, 3)]]),
        ],
    )
    def test_times_of_sentences(self, lines, some, times):
        assert list(fit_times(some, read_ctm(lines.splitlines()))) == times

    @pytest.mark.parametrize(
        ("sentences", "ids", "message"),
        [
            (
                ("i am the black cat", "yes"),
                (),
                "x.ctm:4: utterance 'u1' has 4 words, sentence 1 has 5; they differ at word 3: "
                "got 'a', expected 'the'",
            ),
            (
                ("i am a cat too", "yes"),
                (),
                "x.ctm:6: utterance 'u1' has 4 words, sentence 1 has 5; they differ at word 5: "
                "got nothing more, expected 'too'",
            ),
            (
                ("i am a", "yes"),
                (),
                "x.ctm:6: utterance 'u1' has 4 words, sentence 1 has 3; they differ at word 4: "
                "got 'cat', expected nothing more",
            ),
            (
                ("i am a cat",),
                (),
                "x.ctm:7: utterance 'u2' ('yes') belongs to none of the 1 sentences; "
                "remove it or add its sentence",
            ),
            (
                ("i am a cat", "yes", "and so on and on"),
                (),
                "x.ctm: got 2 utterances, none for sentence 3 ('and so on and' ...); "
                "expected one per sentence",
            ),
            (("yes", "no"), ("u2", "u3"), "x.ctm: no utterance 'u3', the id of sentence 2 ('no')"),
            (
                ("yes",),
                ("u2",),
                "x.ctm:2: utterance 'u1' ('I am a cat') belongs to none of the 1 sentences; "
                "remove it or add its sentence",
            ),
        ],
    )
    def test_errors(self, sentences, ids, message):
        utterances = read_ctm(CTM.splitlines(), source="x.ctm")
        with pytest.raises(TimingError) as caught:
            list(fit_times(trees(*sentences, ids=ids), utterances))
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        ("sentences", "message"),
        [
            (
                ("a", "b c d"),
                "x.ctm:3: utterance 'rec' ends after 3 words, in sentence 2: no time for its word 3 ('d')",
            ),
            (
                ("a", "b"),
                "x.ctm:3: word 3 ('c') of utterance 'rec' is in no sentence: "
                "there are 2 sentences with 2 words",
            ),
        ],
    )
    def test_errors_of_a_recording(self, sentences, message):
        utterances = read_ctm(["rec 1 0 1 a", "rec 1 1 1 b", "rec 1 2 1 c"], source="x.ctm")
        with pytest.raises(TimingError) as caught:
            list(fit_times(trees(*sentences), utterances))
        assert str(caught.value) == message

    def test_utterances_of_several_files(self):
        """An error of a folder of files names the folder."""
        utterances = [Utterance(name, source=f"grids/{name}.TextGrid") for name in "ab"]
        for utterance in utterances:
            utterance.add("yes", 0, 1)
        with pytest.raises(TimingError) as caught:
            list(fit_times(trees("yes", "yes", "no"), utterances))
        assert (
            str(caught.value)
            == "grids: got 2 utterances, none for sentence 3 ('no'); expected one per sentence"
        )

    def test_no_utterance_at_all(self):
        assert list(fit_times(trees("", ""), [])) == [[], []]
        with pytest.raises(TimingError, match=r"got 0 utterances, none for sentence 1 \('a'\)"):
            Timings([]).times(trees("a")[0])


LONG = """\
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 3
tiers? <exists>
size = {size}
item []:
"""


def interval_tier(number: int, name: str, entries: list[tuple[float, float, str]]) -> str:
    lines = [
        f"    item [{number}]:",
        '        class = "IntervalTier"',
        f'        name = "{name}"',
        "        xmin = 0",
        "        xmax = 3",
        f"        intervals: size = {len(entries)}",
    ]
    for place, (begin, end, label) in enumerate(entries, 1):
        lines += [
            f"        intervals [{place}]:",
            f"            xmin = {begin}",
            f"            xmax = {end}",
            f'            text = "{label}"',
        ]
    return "\n".join(lines) + "\n"


WORDS = [(0, 0.5, ""), (0.5, 1, "I"), (1, 1.5, "am"), (1.5, 2, "sil"), (2, 3, "here")]
PHONES = [(0, 3, "x")]


def grid(*tiers: tuple[str, list[tuple[float, float, str]]]) -> str:
    return LONG.format(size=len(tiers)) + "".join(
        interval_tier(number, name, entries) for number, (name, entries) in enumerate(tiers, 1)
    )


class TestTextGrid:
    @pytest.fixture(autouse=True)
    def praatio(self):
        pytest.importorskip("praatio")

    def test_words(self, tmp_path):
        path = tmp_path / "u1.TextGrid"
        path.write_text(grid(("phones", PHONES), ("words", WORDS)))
        (found,) = read_timings(path)
        assert (found.name, found.words) == ("u1", ["I", "am", "here"])
        assert found.times == [(0.5, 1.0), (1.0, 1.5), (2.0, 3.0)]
        tree = "(S (NP I) (VP am here))"
        assert struct_iou(tree, tree, gold_times=found.times) == 1

    def test_utf_16_as_praat_writes_it(self, tmp_path):
        path = tmp_path / "u1.TextGrid"
        path.write_text(grid(("words", [(0, 1, "café")])), encoding="utf-16")
        assert read_timings(path)[0].words == ["café"]

    @pytest.mark.parametrize("tier", ["Words", "speaker - words", "anything"])
    def test_names_of_tiers(self, tmp_path, tier):
        path = tmp_path / "u1.TextGrid"
        path.write_text(grid((tier, WORDS)))
        assert read_textgrid(path)[0].words == ["I", "am", "here"]

    def test_a_named_tier_and_pauses_of_webmaus(self, tmp_path):
        path = tmp_path / "u1.TextGrid"
        words = [(0, 0.5, "<p:>"), (0.5, 1, "I"), (1, 1.5, "am"), (1.5, 2, "<p>"), (2, 3, "here")]
        path.write_text(grid(("ORT-MAU", words), ("KAN-MAU", PHONES), ("MAU", PHONES)))
        (found,) = read_timings(path, "ORT-MAU")
        assert (found.words, found.times[0]) == (["I", "am", "here"], (0.5, 1.0))
        tree = ["(S (NP I) (VP am here))"]
        options = {"gold_times": path, "sys_times": path, "metrics": "siou"}
        assert evaluate(tree, tree, tier="ORT-MAU", **options).figures["struct_iou"] == 1
        with pytest.raises(
            TimingError, match=r"are 'ORT-MAU', 'KAN-MAU', 'MAU'; name one, such as tier='ORT-MAU'$"
        ):
            evaluate(tree, tree, **options)

    def test_utterances(self, tmp_path):
        path = tmp_path / "u1.TextGrid"
        path.write_text(grid(("utterances", [(0, 1.5, "a"), (1.5, 3, "b")]), ("words", WORDS)))
        first, second = read_textgrid(path)
        assert (first.name, first.words, second.name, second.words) == ("a", ["I", "am"], "b", ["here"])
        path.write_text(grid(("utterances", [(0, 1.5, "a"), (1.5, 3, "")]), ("words", WORDS)))
        with pytest.raises(
            TimingError, match=r"word 'here' at 2 s is in no utterance of the tier 'utterances'"
        ):
            read_textgrid(path)

    def test_a_folder(self, tmp_path):
        for name, word in (("u10", "c"), ("u9", "b"), ("u1", "a")):
            (tmp_path / f"{name}.TextGrid").write_text(grid(("words", [(0, 1, word)])))
        (tmp_path / "notes.txt").write_text("nothing")
        assert [utterance.words for utterance in read_timings(tmp_path)] == [["a"], ["b"], ["c"]]

    def test_errors(self, tmp_path):
        path = tmp_path / "u1.TextGrid"
        path.write_text(grid(("phones", PHONES), ("tones", PHONES)))
        with pytest.raises(TimingError) as caught:
            read_textgrid(path)
        assert str(caught.value) == (
            f"{path}: no interval tier 'words'; the file's interval tiers are 'phones', 'tones'; "
            "name one, such as tier='phones'"
        )
        with pytest.raises(TimingError, match=r"no interval tier 'a'; .* are 'phones', 'tones'$"):
            read_textgrid(path, "a")
        path.write_text(grid(("utterances", [(0, 3, "a")])))
        with pytest.raises(TimingError, match=r"the file's interval tiers are 'utterances'$"):
            read_textgrid(path)
        path.write_text('File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nfoo')
        with pytest.raises(TimingError, match="praatio cannot read this TextGrid"):
            read_timings(path)
        with pytest.raises(InputError, match=r"cannot read the file: No such file or directory$"):
            read_timings(tmp_path / "missing.TextGrid")


def test_a_folder_without_textgrids(tmp_path):
    with pytest.raises(TimingError, match=r"no .TextGrid file in the folder"):
        read_timings(tmp_path)


def test_praatio_is_optional(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "praatio", None)
    path = tmp_path / "u1.TextGrid"
    path.write_text(grid(("words", WORDS)))
    with pytest.raises(TimingError, match=r"needs praatio; install it with: pip install 'jpevalb\[speech\]'"):
        read_timings(path)


# -- utterances and pairs ------------------------------------------------------------

SPOKEN = {
    "u1": ("(S (NP (PRP I)) (VP (VBP see) (NP (NNS dogs))))", "I see dogs"),
    "u2": ("(S (NP (PRP you)) (VP (VBP run)))", "you run"),
    "u3": ("(S (NP (PRP we)) (VP (VBP eat)))", "we eat"),
}
HEARD = SPOKEN | {"u1": ("(S (NP (PRP eyes)) (VP (VBP see) (NP (NNS docks))))", "eyes see docks")}


def spoken(folder, name: str, utterances: dict[str, tuple[str, str]]) -> tuple[list[str], str]:
    """The trees of some utterances, and their times: half a second a word."""
    path = folder / f"{name}.ctm"
    lines = [
        f"{key} 1 {k / 2} 0.5 {word}\n"
        for key, (_, words) in utterances.items()
        for k, word in enumerate(words.split())
    ]
    path.write_text("".join(lines))
    return [tree for tree, _ in utterances.values()], str(path)


def scored(folder, gold, system, pair):
    (golds, gold_times), (systems, sys_times) = spoken(folder, "gold", gold), spoken(folder, "sys", system)
    return evaluate(golds, systems, metrics="siou", pair=pair, gold_times=gold_times, sys_times=sys_times)


def test_words_that_are_not_scored_have_times_of_their_own(tmp_path):
    path = tmp_path / "x.ctm"
    path.write_text("".join(f"rec 1 {k} 1 {word}\n" for k, word in enumerate(["a", ",", "b", "c"])))
    labels = rules_of(Params(delete_labels=(",",)))
    found = Timings(read_timings(str(path)))
    trees = [Tree.parse("(S (A a) (, ,) (B b))"), Tree.parse("(S (C c))")]
    sentences = [Sentence(k, tree, tree) for k, tree in enumerate(trees, 1)]
    pairs = [Pair(FIRST, [one], [], labels, {}) for one in sentences]
    assert [found.of(pair, 0) for pair in pairs] == [[(0, 1), (2, 3)], [(3, 4)]]
    found.finish()


def test_each_file_of_times_is_used_up_and_looked_at(tmp_path):
    tree = "(S (T a) (T b) (T c) (T d) (T e) (T f) (T g) (T h) (T i) (T j))"
    times = {}
    for name, words in (
        ("right", "a b c d e f g h i j"),
        ("wrong", "k l m n o p q h i j"),
        ("long", "a b c d e f g h i j k"),
    ):
        times[name] = str(tmp_path / f"{name}.ctm")
        with open(times[name], "w") as file:
            file.writelines(f"rec 1 {k} 1 {word}\n" for k, word in enumerate(words.split()))
    sides = "gold_times", "sys_times"
    for side in sides:
        for others in ({}, dict.fromkeys(sides, times["right"])):
            result = evaluate([tree], [tree], metrics="siou", **others | {side: times["wrong"]})
            assert result.total["siou"].mean == 1.0
            assert result.to_dict()["sentences"][0]["node_pairs"] is None
            assert result.warnings == (
                f"{times['wrong']}: 7 of 10 words differ from those of the trees; "
                "are these the times of another recording?",
            )
            with pytest.raises(TimingError, match=r"word 11 \('k'\) of utterance 'rec' is in no sentence"):
                evaluate([tree], [tree], metrics="siou", **others | {side: times["long"]})


def test_times_that_are_identical_score_whatever_the_words_are(tmp_path):
    for pair in ("order", "id", "auto"):
        result = scored(tmp_path, SPOKEN, HEARD, pair)
        assert [one.record["siou"].mean for one in result.sentences] == [1.0] * 3
        assert [one.id for one in result.sentences] == (list(SPOKEN) if pair == "id" else [None] * 3)
    nothing = {"u1": ("(S (NP (PRP xx)) (VP (VBP yyyy) (NP (NNS zzzz))))", "xx yyyy zzzz")}
    assert scored(tmp_path, {"u1": SPOKEN["u1"]}, nothing, "order").total["siou"].mean == 1.0


def test_utterances_pair_by_their_names(tmp_path):
    turned = dict(reversed(HEARD.items()))
    result = scored(tmp_path, SPOKEN, turned, "id")
    assert [(*one.bead.gold, *one.bead.system) for one in result.sentences] == [
        (0, 1, 2, 3), (1, 2, 1, 2), (2, 3, 0, 1)
    ]  # fmt: skip
    assert result.total["siou"].mean == 1.0
    assert scored(tmp_path, SPOKEN, turned, "order").total["siou"].mean < 0.9


def test_utterances_of_one_side_are_unpaired(tmp_path):
    less = {key: HEARD[key] for key in ("u3", "u1")}
    found = scored(tmp_path, SPOKEN, less, "id")
    assert [one.status for one in found.sentences] == ["ok", "missing", "ok"]
    found = scored(tmp_path, less, SPOKEN, "id")
    assert [one.status for one in found.sentences] == ["ok", "ok", "extra"]
    assert found.sentences[2].bead.system == (1, 2)
    other = {f"other {key}".replace(" ", "-"): value for key, value in HEARD.items()}
    with pytest.raises(JpevalbError, match="no sentence id is in both files"):
        scored(tmp_path, SPOKEN, other, "id")


def test_an_utterance_for_several_sentences_names_none(tmp_path):
    path = tmp_path / "whole.ctm"
    path.write_text(
        "".join(f"rec 1 {k} 1 {word}\n" for k, word in enumerate(("I", "see", "dogs", "you", "run")))
    )
    trees = [SPOKEN["u1"][0], SPOKEN["u2"][0]]
    with pytest.raises(JpevalbError, match="sentence 1 has no id"):
        evaluate(trees, trees, pair="id", gold_times=str(path), sys_times=str(path))
