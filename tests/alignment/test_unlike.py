"""Beads of dissimilar sentences: reported with their similarity, or scored as missed and extra."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from jpevalb import Settings, SettingsError, evaluate
from jpevalb.alignment.run import is_similar, share_of_equal

GOLD = ["(S (A the) (B cats) (C sat))", "(S (A a) (X (B dog) (C barks)))", "(S (A it) (B rains))"]
SYSTEM = ["(S (A the) (B cats) (C sat))", "(S (A x) (X (B yyg) (C zzzzz)))", "(S (A it) (B rain))"]


def test_sentences_below_the_ratio_are_reported():
    result = evaluate(GOLD, SYSTEM, metrics=())
    # Only the g of dog and yyg is equal, of nine characters; "itrain" is one edit from "itrains": 1 / 7.
    assert result.total.sentences.unlike == 1
    (found,) = result.left_out
    assert found == ("unlike", 2, (1, 2), (1, 2), None, "", 1 / 9)
    assert result.total.brackets.matched == 4
    assert "# unlike: gold sentence 2, system sentence 2: 11 % of the characters are equal\n" in (
        result.report("text")
    )
    (item,) = result.to_dict()["left_out"]
    assert (item["state"], item["gold"], item["equal"]) == ("unlike", [1, 2], 1 / 9)
    assert "unlike: gold sentence 2" in result.report("html")
    strict = evaluate(GOLD, SYSTEM, metrics=(), align_ratio=0.1)
    assert [item.number for item in strict.left_out] == [2, 3]


def test_they_are_scored_alone_where_that_is_asked_for():
    result = evaluate(GOLD, SYSTEM, metrics=(), unlike="alone")
    beads = [(*one.bead.gold, *one.bead.system, one.bead.aligned) for one in result.sentences]
    assert beads == [(0, 1, 0, 1, True), (1, 2, 1, 1, False), (2, 2, 1, 2, False), (2, 3, 2, 3, True)]
    assert (result.total.brackets.matched, result.total.brackets.gold, result.total.brackets.system) == (
        2,
        4,
        4,
    )
    assert result.total.sentences.unlike == 0
    assert result.total.sentences.unaligned == 2
    assert "unlike:alone" in result.report("text")
    # A failed parse among sentences of other words stays with its sentence.
    parts = ["(S (A alpha) (B beta))", "(S (A gamma) (B delta))"]
    failed = evaluate(parts, ["(())", "(S (A uvw2020) (B xyz20))"], metrics=(), unlike="alone")
    assert failed.states["no parse"] == 1


def test_several_sentences_of_a_bead_are_unpaired_in_order():
    gold = ["(S (A aaaa))", "(S (A bbbb) (B c))", "(S (A ddd))"]
    system = ["(S (A aaaa) (B x) (C yyyyyy))", "(S (A bb) (A cddd))"]
    paired = evaluate(gold, system, metrics=())
    alone = evaluate(gold, system, metrics=(), unlike="alone")
    for result in (paired, alone):
        i = j = 0
        for one in result.sentences:
            assert (one.bead.gold[0], one.bead.system[0]) == (i, j)
            i, j = one.bead.gold[1], one.bead.system[1]
        assert (i, j) == (3, 2)


def test_the_first_five_are_listed_with_any_number_of_workers():
    from concurrent.futures import ThreadPoolExecutor

    gold = [f"(S (A w{number}) (B same) (C v{number}))" for number in range(40)] + GOLD[:1]
    system = [line.replace("same", "other" * (number % 4 == 0) or "same") for number, line in enumerate(gold)]
    here = evaluate(gold, system, metrics=())
    assert here.total.sentences.unlike == 10
    assert [item.number for item in here.left_out] == [1, 5, 9, 13, 17]
    assert here.report("text").count("# unlike: ") == 6
    assert "# unlike: and 5 more\n" in here.report("text")
    with ThreadPoolExecutor(2) as pool:
        there = evaluate(gold, system, metrics=(), executor=pool)
    assert there.left_out == here.left_out
    assert there.report("json") == here.report("json")


def test_pairs_by_position_with_other_words_are_reported():
    # The second sentence is missing, so all behind it stand beside others: b c | B c alone is right.
    gold = ["(S (A b) (A c))", "(S (A d) (A e))", "(S (A f) (A g))", "(S (A h))"]
    system = ["(S (A B) (A c))", "(S (A f) (A g))", "(S (A h) (A i))"]
    (told,) = evaluate(gold, system, metrics=(), pair="order").warnings
    assert told == (
        "4 of 6 words differ from the gold words beside them; the files may be of different texts, or one "
        "lacks a sentence; pair='align' pairs sentences by their text"
    )
    assert evaluate(gold, system, metrics=()).warnings == ()
    assert evaluate(gold, [line.upper() for line in gold], metrics=(), pair="order").warnings == ()
    assert evaluate(gold[:2], ["(S (A B) (A c))", "(S (A x) (A y))"], metrics=(), pair="order").warnings == ()


def test_only_pair_and_alone_mean_something():
    with pytest.raises(SettingsError, match="unlike='told'; expected one of pair, alone"):
        Settings(unlike="told")


@pytest.mark.parametrize(
    ("gold", "system", "ratio", "similar"),
    [
        ("abcdefghij", "abcdefghij", 0.0, True),
        ("abcdefghij", "abcdefghix", 0.0, False),
        ("abcdefghij", "abcdefghix", 0.1, True),
        ("abcdefghij", "abcdefghxx", 0.1, False),
        ("abcdefghij", "abcdefgh", 0.2, True),
        ("abcdefgh", "abcdefghij", 0.2, False),
    ],
)
def test_the_ratio_is_of_golds_length(gold, system, ratio, similar):
    assert is_similar([gold], [system], ratio) is similar
    assert is_similar(["x", gold], ["X" + system], ratio * len(gold) / (len(gold) + 1) + 1e-12) is similar
    equal = sum(one == other for one, other in zip(gold, system))
    sizes = len(gold), len(system)
    assert is_similar([gold], [system], ratio, equal=equal, sizes=sizes) is similar


def test_exceptions_count():
    exceptions = {"zum": "zudem"}
    assert not is_similar(["zum"], ["zu", "dem"], 0.15)
    assert is_similar(["zum"], ["zu", "dem"], 0.15, exceptions)
    assert is_similar(["zu", "dem"], ["zum"], 0.15, exceptions)
    assert not is_similar(["zum", "abcdef"], ["zu", "dem", "uvwxyz"], 0.15, exceptions)


def test_long_texts_are_compared_by_their_alignment():
    gold, system = ["ab"] * 60_000, ["ab"] * 59_000 + ["xy"] * 1000
    assert is_similar(gold, system, 0.15, equal=118_000)
    assert not is_similar(gold, system, 0.15, equal=50_000)
    assert share_of_equal(gold, system, 118_000) == 118_000 / 120_000
    assert not is_similar(gold, system, 0.15)
    # 18,000 characters of the longer one may have no equal one.
    assert is_similar(gold, system, 0.15, equal=105_000)
    assert is_similar(gold, system, 0.15, equal=102_000)
    assert not is_similar(gold, system, 0.15, equal=101_999)
    # 100,000 characters are not long yet.
    for size, similar in ((100_000, True), (100_001, False)):
        assert is_similar(["a" * size], ["a" * (size - 1) + "b"], 0.15, equal=0) is similar


def test_few_edits_are_enough_but_not_few_of_the_longer_one():
    assert is_similar(["abcdefghij"], ["abcdefgxyz"], 0.3, equal=7)
    assert not is_similar(["abcdefghij"], ["abcdefgxyz"], 0.2, equal=7)


def test_the_share_of_equal_characters():
    assert share_of_equal(["ab", "c"], ["abcd"], 3) == share_of_equal(["abcd"], ["ab", "c"], 3) == 0.75
    # As a list says, more may be equal than is written.
    assert (share_of_equal(["ab"], ["ab"], 3), share_of_equal([], [], 0)) == (1.0, 1.0)


def edits(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


@given(st.text("abc", min_size=1, max_size=12), st.text("abc", min_size=1, max_size=12), st.data())
def test_similarity_known_from_the_alignment_changes_nothing(gold, system, data):
    ratio = data.draw(st.sampled_from([0.0, 0.15, 0.5, 1.0]))
    equal = data.draw(st.integers(0, (len(gold) + len(system) - edits(gold, system)) // 2))
    wanted = edits(gold, system) <= int(ratio * len(gold) + 1e-9)
    assert is_similar([gold], [system], ratio) is wanted
    assert is_similar([gold], [system], ratio, equal=equal) is wanted
