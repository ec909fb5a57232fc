"""Scores of a language model's answers: rates, three versions of F1, and listed answers; worked examples."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, strategies as st

import jpevalb
from jpevalb import Settings, SettingsError, TreeError
from jpevalb.base.text import NAMED
from jpevalb.metrics.answers import AnswerCounts
from tests.support.commands import jpevalb as command

GOLD = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))",  # 3 constituents
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (NNS birds)) (VP (VBP sing)))",
    "(S (NP (NN rain)) (VP (VBZ falls)))",
    "(S (NP (NN snow)) (VP (VBZ falls)))",
]
ANSWERS = [
    GOLD[0],
    "Tree: (S (NP (DT the) (NN dog)) (VP (VBZ bar",  # cut off; 3 of 3 constituents
    "(S (FOO (NNS birds)) (VP sing))</s>",  # S and no FOO; VP is a tag here
    "I cannot.",
    "(S (NP (NN falls)) (VP (VBZ snow) (X snow)))",  # swapped and repeated: S, NP, VP over two words
]


def evaluation(answers=ANSWERS, **options):
    options = {"format": "answers", "metrics": ("brackets", "tags"), **options}
    return jpevalb.evaluate(GOLD, answers, **options)


@pytest.mark.parametrize("repair", [False, True])
def test_counts(repair):
    found = evaluation(repair=repair).total["answers"]
    assert (found.answers, found.valid, found.repaired, found.invalid) == (5, 2, 2, 1)
    assert (found.truncated, found.untagged, found.faithful) == (1, 0, 2)
    assert found.repairs == {"prefix": 1, "unclosed": 1, "cut_leaf": 1, "end_mark": 1}
    words = found.words
    assert (words.gold, words.same, words.changed, words.missing) == (10, 8, 1, 0)
    assert (words.added, words.repeated, words.reordered) == (0, 1, 1)
    assert found.valid_share == 0.4
    assert found.faithful_share == 0.4
    # Labels that gold never has: as a constituent FOO, as tags X and VP.
    assert found.foreign_labels == [("FOO", 1), ("tag VP", 1), ("tag X", 1)]


@pytest.mark.parametrize("repair", [False, True])
def test_three_scores(repair):
    total = evaluation(repair=repair).total
    found = total["answers"]
    # Sentence 5: gold S(2) NP(1) VP(1), the answer's S NP VP; the words differ, so units decide.
    fifth = jpevalb.evaluate(GOLD[4:], ANSWERS[4:], pair="order").total.brackets
    assert (fifth.gold, fifth.system) == (3, 3)
    assert (found.strict.sentences, found.strict.gold, found.strict.system) == (5, 15, 6)
    assert found.strict.matched == 3 + fifth.matched
    assert (found.with_repairs.sentences, found.with_repairs.gold, found.with_repairs.system) == (5, 15, 11)
    assert found.with_repairs.matched == 3 + 3 + 1 + fifth.matched
    assert (found.valid_only.sentences, found.valid_only.gold, found.valid_only.system) == (2, 6, 6)
    assert found.valid_only.matched == 3 + fifth.matched
    headline = found.with_repairs if repair else found.strict
    assert (total.brackets.gold, total.brackets.system) == (headline.gold, headline.system)
    assert total.brackets.matched == headline.matched


# A fence alone, a cut leaf (that is unclosed, too), both, no tree, and a tree.
BROKEN = [f"```\n{GOLD[0]}\n```", GOLD[1][:-4], f"```\n{GOLD[2][:-4]}\n```", "no", GOLD[4]]


@pytest.mark.parametrize("repair", [False, True])
def test_f1_after_each_kind_of_repair(repair):
    """Each step is the score of the answers that are trees by then, as one that has them only."""
    found = evaluation(BROKEN, repair=repair).total["answers"]
    steps = [("", [4]), ("fence", [0, 4]), ("cut_leaf", [0, 1, 2, 4])]
    assert [step.repair for step in found.ladder] == [name for name, _ in steps]
    assert [step.answers for step in found.ladder] == [1, 1, 2]
    for step, (_, some) in zip(found.ladder, steps):
        trees = [jpevalb.repair(text).text if k in some else "no" for k, text in enumerate(BROKEN)]
        assert step.f1 == evaluation(trees).f1
    assert found.ladder[0].f1 == found.strict.f1
    assert found.ladder[-1].f1 == found.with_repairs.f1
    assert found.to_dict()["ladder"][1] == {"repair": "fence", "answers": 1, "f1": found.ladder[1].f1}


def test_steps_inside_a_bead():
    """Two answers of one bead become trees at different steps."""
    gold = ["(S (NP (DT the) (NN cat)) (VP (VBZ sleeps) (NP (NN well) (NN now) (NN then))))"]
    answers = [
        "```\n(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n```",
        "(S (NP (NN well) (NN now) (NN then))",
    ]
    found = jpevalb.evaluate(gold, answers, format="answers", repair=True, pair="align").total["answers"]
    assert [(step.repair, step.answers) for step in found.ladder] == [("", 0), ("fence", 1), ("unclosed", 1)]
    first = jpevalb.evaluate(gold, [jpevalb.repair(answers[0]).text], pair="align")
    assert [step.f1 for step in found.ladder] == [0.0, first.f1, found.with_repairs.f1]


def test_results_say_why_there_is_no_parse():
    found = evaluation()
    assert [(item.status, item.reason) for item in found.sentences] == [
        ("ok", None),
        ("no parse", "the answer is not one tree; it would be with repairs: prefix, unclosed, cut_leaf"),
        ("no parse", "the answer is not one tree; it would be with repairs: end_mark"),
        ("no parse", "no tree in the answer: it has no bracket"),
        ("ok", None),
    ]
    assert [item.status for item in evaluation(repair=True).sentences] == ["ok"] * 3 + ["no parse", "ok"]


def test_only_the_first_are_named():
    answers = ["no"] * 3 + ["(S (NN a))</s>"] * 2
    found = jpevalb.evaluate(["(S (NN a))"] * 40, answers * 8, format="answers", repair=True)
    assert found.total["answers"].named["invalid"] == ("1", "2", "3", "6", "7")
    assert "# invalid: 24 (sentences 1, 2, 3, 6, 7, and 19 more)\n" in found.report("text")


def test_by_id_with_gold_in_records_too(tmp_path):
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text("".join(json.dumps({"id": n, "tree": text}) + "\n" for n, text in enumerate(GOLD)))
    records = [{"id": n, "reply": {"text": text}} for n, text in enumerate(ANSWERS)]
    system.write_text("".join(json.dumps(record) + "\n" for record in reversed(records)))
    options = {"field": "reply.text", "gold_field": "tree", "id_field": "id", "repair": True}
    found = jpevalb.evaluate(gold, system, **options)
    assert found.total["answers"].with_repairs == evaluation(repair=True).total["answers"].with_repairs
    assert found.total["answers"].named["invalid"] == ("3",)
    assert [item.id for item in found.sentences] == ["0", "1", "2", "3", "4"]


def test_a_record_that_cannot_be_read_is_an_answer_without_a_tree(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text(
        json.dumps({"output": GOLD[0]}) + "\n{nonsense\n" + json.dumps({"output": GOLD[2]}) + "\n"
    )
    with pytest.raises(jpevalb.TreeError, match=r"answers.jsonl:2:2: invalid JSON"):
        jpevalb.evaluate(GOLD[:3], file, format="jsonl")
    found = jpevalb.evaluate(GOLD[:3], file, format="jsonl", on_error="skip")
    assert (found.total["answers"].valid, found.total["answers"].invalid) == (2, 1)
    assert found.total.sentences.system_unparsed == 1


def test_gold_is_never_repaired():
    with pytest.raises(jpevalb.TreeError, match="sentence 1: the tree that begins here is not closed"):
        jpevalb.evaluate(["(S (NN a)"], ["(S (NN a)"], repair=True)


def test_words_without_a_tag_are_listed():
    found = jpevalb.evaluate(GOLD[:1], ["(S (NP the cat) (VP (VBZ sleeps)))"], format="answers")
    assert (found.total["answers"].valid, found.total["answers"].untagged) == (1, 1)
    assert "# words without a tag, where F1 means something else: 1 (sentence 1)\n" in found.report("text")


def test_settings():
    alignment = Settings(convention="jpevalb")
    repaired = Settings(convention="jpevalb", repair=True)
    assert repaired.pair == alignment.replace(field="a").pair == "auto"
    assert repaired.replace(repair=False).pair == alignment.pair == "align"
    assert Settings(repair=True, pair="align").pair == "align"
    assert Settings(format="jsonl").reading("gold") == ("auto", None)
    assert Settings(format="jsonl", gold_format="jsonl").reading("gold") == ("jsonl", None)
    assert not Settings(gold_format="jsonl").answers
    for options, message in (
        ({"several": "all"}, "several='all'; expected one of first, last, longest, join"),
        ({"field": 3}, "field=3; expected a name"),
    ):
        with pytest.raises(SettingsError, match=message):
            Settings(**options)


records = st.lists(st.sampled_from([*ANSWERS, "(S (NN a)) </s>", ""]), min_size=1, max_size=12)


@given(records, st.integers(0, 12))
def test_records_add_up_in_any_grouping(answers, cut):
    parts = [item.record["answers"] for item in _results(answers)]
    whole = AnswerCounts.sum(parts)
    assert AnswerCounts.sum(parts[:cut]) + AnswerCounts.sum(parts[cut:]) == whole
    assert AnswerCounts.sum([whole, AnswerCounts.zero()]) == whole
    assert whole.answers == whole.valid + whole.repaired + whole.invalid == len(answers)
    assert all(len(names) <= NAMED for names in whole.named.values())
    assert json.loads(json.dumps(whole.to_dict())) == whole.to_dict()


def _results(answers):
    settings = {"format": "answers", "repair": True, "metrics": ("brackets", "tags")}
    return jpevalb.evaluate([GOLD[0]] * len(answers), answers, **settings).sentences


def test_systems_are_compared(tmp_path):
    names = []
    for name, answers in (("a", ANSWERS), ("b", GOLD)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps({"output": text}) + "\n" for text in answers))
        names.append(str(file))
    found = jpevalb.compare(GOLD, dict(zip("ab", names)), format="jsonl", metrics="brackets", samples=50)
    one, other = found.systems
    assert (one["valid"], other["valid"]) == (0.4, 1)
    assert (one["faithful"], other["faithful"]) == (0.4, 1)
    assert (other["strict_answer_f1"], other["repaired_f1"], other["valid_only_f1"]) == (1, 1, 1)
    assert one["strict_answer_f1"] < one["repaired_f1"] < 1


def test_the_command(tmp_path):
    # One answer over several lines, up to a line of its own.
    file = tmp_path / "answers.txt"
    file.write_text("(S (NN a)\n\n==\nTree:\n(S (NN b))\n==\n")
    gold = tmp_path / "gold.mrg"
    gold.write_text("(S (NN a))\n(S (NN b))\n")
    done = command(gold, file, "--separator", "==", "--repair", "--output", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["total"]["answers"]["repairs"] == {"prefix": 1, "unclosed": 1}
    for options, message in (
        (
            ("--format", "export", "--repair"),
            b"--repair has no effect with the system format export; "
            b"it needs the system formats answers, jsonl",
        ),
        (("--several", "all", "--repair"), b"--several"),
    ):
        done = command(gold, file, *options)
        assert done.returncode == 2
        assert message in done.stderr


def test_plain_answers_may_begin_like_any_format(tmp_path):
    file = tmp_path / "answers.txt"
    file.write_text("<think>so</think>(S (NN a))\n{(S (NN b))\n#BOS 1 (S (NN c)\n")
    gold = tmp_path / "gold.mrg"
    gold.write_text("(S (NN a))\n(S (NN b))\n(S (NN c))\n")
    for options in (("--repair", "--format", "answers"), ("--repair", "--separator", "==")):
        done = command(gold, file, *options, "--quiet")
        assert done.returncode == 0, done.stderr
        assert b" prose, " in done.stdout


class TestOtherFiles:
    """Files without answers: only unreadable sentences are listed."""

    BROKEN = (GOLD[0], "(S (NP (DT the", GOLD[2], "(())", "(S (NP (NN snow)) (X (VBZ falls)))")

    def test_an_invalid_sentence_shows_the_rates(self, tmp_path):
        (tmp_path / "gold").write_text("\n".join(GOLD) + "\n")
        (tmp_path / "sys").write_text("\n".join(self.BROKEN) + "\n")
        options = ("--on-error", "skip", "--metrics", "brackets,tags")
        found = jpevalb.evaluate(
            tmp_path / "gold", tmp_path / "sys", on_error="skip", metrics=("brackets", "tags")
        ).total["answers"]
        assert (found.answers, found.valid, found.repaired, found.invalid) == (5, 3, 0, 2)
        assert found.named["invalid"] == ("2", "4")
        # S, NP, VP of five gold sentences; the last has X for VP.
        assert (found.strict.gold, found.strict.system, found.strict.matched) == (15, 9, 8)
        assert found.strict == found.with_repairs
        assert (found.valid_only.sentences, found.valid_only.gold, found.valid_only.matched) == (3, 9, 8)
        done = command("gold", "sys", *options, cwd=tmp_path).stdout.decode()
        assert "# invalid: 2 (sentences 2, 4)\n" in done
        assert "answers:" not in done.splitlines()[-1]
        compared = command("gold", "sys", "gold", *options, cwd=tmp_path).stdout.decode()
        # A comparison has the columns of answers only if files are answers.
        assert "F valid" not in compared
        assert "F strict" not in compared

    def test_nothing_is_shown_if_all_are_trees(self, tmp_path):
        (tmp_path / "gold").write_text("\n".join(GOLD) + "\n")
        done = command("gold", "gold", "--on-error", "skip", cwd=tmp_path).stdout.decode()
        assert "Answers" not in done
        assert (
            "F valid"
            not in command("gold", "gold", "gold", "--on-error", "skip", cwd=tmp_path).stdout.decode()
        )


def test_answers_with_ids_against_gold_without(tmp_path):
    """Paired by order, shuffled answers would get a wrong score without a word."""
    gold = [f"(S (NP (DT the) (NN cat{index})) (VP (VBD slept)))" for index in range(6)]
    records = [json.dumps({"id": index, "output": tree}) for index, tree in enumerate(gold, 1)]
    (tmp_path / "gold").write_text("".join(f"{tree}\n" for tree in gold))
    (tmp_path / "sys").write_text("".join(f"{record}\n" for record in records[::-1]))
    paths = str(tmp_path / "gold"), str(tmp_path / "sys")
    with pytest.raises(TreeError) as caught:
        jpevalb.evaluate(*paths, id_field="id")
    assert str(caught.value) == (
        f"{paths[0]}: sentence 1 has no id, but the system's sentences are read with ids; add ids to gold, "
        "or sort the system's sentences as in gold and use pair='order'"
    )
    assert jpevalb.evaluate(*paths, id_field="id", pair="order").f1 == 1.0  # words differ, brackets do not
    (tmp_path / "gold").write_text("".join(f"{record}\n" for record in records))
    found = jpevalb.evaluate(*paths, id_field="id", gold_field="output")
    assert (found.f1, found.total.tags.correct, "pair:id" in found.signature) == (1.0, 18, True)


@pytest.mark.parametrize("options", [{"repair": True}, {"sys_format": "answers"}])
def test_none_is_an_answer_without_a_tree(options):
    """As null in a file."""
    tree = "(S (NP (DT the) (NN cat)) (VP (VBD slept)))"
    found = jpevalb.evaluate([tree] * 3, [tree, None, tree], **options)
    counts = found.total["answers"]
    assert (counts.answers, counts.valid, counts.invalid) == (3, 2, 1)
    assert (found.f1, counts.valid_only.f1) == (0.8, 1.0)
    evaluator = jpevalb.Evaluator(**options)
    evaluator.update([tree] * 3, [tree, None, tree])
    assert evaluator.compute()["f1"] == 0.8
    assert jpevalb.repair(None) == jpevalb.repair("")


LISTS = [
    # 3 and 1 of 3 constituents; the third has no tree
    [GOLD[0], "(S (FOO (DT the) (NN cat)) (FOO (VBZ sleeps)))", "sorry"],
    # 1, 3 and 3 of 3: the average has all three
    ["(S (X (DT the) (NN dog)) (X (VBZ barks)))", GOLD[1], GOLD[1]],
    [None, GOLD[2]],
    [],
    GOLD[4],
]


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "gold").write_text("".join(f"{tree}\n" for tree in GOLD))
    (tmp_path / "sys").write_text("".join(json.dumps({"replies": one}) + "\n" for one in LISTS))
    return str(tmp_path / "gold"), str(tmp_path / "sys")


@pytest.mark.parametrize("jobs", [False, True])
def test_lists_of_answers(lists, jobs):
    """The run scores the first answer; all of them are counted beside it."""
    with ThreadPoolExecutor(2) as pool:
        found = jpevalb.evaluate(
            *lists, field="replies", metrics=("brackets",), executor=pool if jobs else None
        )
    counts = found.total["answers"]
    assert (counts.answers, counts.valid, counts.strict.matched) == (5, 3, 3 + 1 + 0 + 0 + 3)
    samples = counts.samples
    assert (samples.prompts, samples.answers) == (3, 3 + 3 + 2)
    readings = (samples.mean, samples.best, samples.average)
    assert [(one.sentences, one.matched, one.gold, one.system) for one in readings] == [
        (8, 3 + 1 + 0 + 1 + 3 + 3 + 0 + 3, 8 * 3, 6 * 3),
        (3, 9, 9, 9),
        # The average of the first two answers has the labels of both: F1 is 0.75 with each.
        (3, 9, 9, 5 + 3 + 3),
    ]
    assert found.to_dict()["total"]["answers"]["samples"]["best"]["f1"] == 1.0
    text = found.report("text", quiet=True, verbose=True)
    for line in ("F1, mean of the answers   =  66.67", "F1, best answers          = 100.00"):
        assert line in text
    assert "Answers per prompt        =   2.67" in text


def test_lists_of_answers_are_those_of_single_files(lists):
    """Mean and best are those of the systems one by one, and the average is that of jpevalb.average."""
    rng = random.Random(4)
    labels = ["NP", "VP", "X"]
    systems = [[tree.replace("NP", rng.choice(labels)) for tree in GOLD] for _ in range(3)]
    answers = list(zip(*systems))
    samples = jpevalb.evaluate(GOLD, answers, sys_format="answers").total["answers"].samples
    singles = [jpevalb.evaluate(GOLD, system, pair="order") for system in systems]
    assert samples.mean.matched == sum(one.total.brackets.matched for one in singles)
    best = [max(one.sentences[index].f1 for one in singles) for index in range(5)]
    assert samples.best.matched == sum(round(3 * f1) for f1 in best)
    average = [jpevalb.average(list(trees), labeled=True) for trees in answers]
    expected = jpevalb.evaluate(GOLD, average, pair="order").total.brackets
    assert (samples.average.matched, samples.average.system) == (expected.matched, expected.system)


def test_a_list_without_texts_is_no_list_of_answers(lists, tmp_path):
    (tmp_path / "sys").write_text('{"replies": ["(S (NN a))", 7]}\n')
    with pytest.raises(TreeError, match="a list in the field 'replies'; expected a text"):
        jpevalb.evaluate(*lists, field="replies")
    (tmp_path / "sys").write_text('{"replies": ["(S (NN a))", "(S (NN b))"]}\n')
    # One tree is asked for where trees are read, and of gold.
    with pytest.raises(TreeError, match="got a list in the field 'replies'; expected a text"):
        list(jpevalb.read(lists[1], field="replies"))
    with pytest.raises(TreeError, match="got a list in the field 'replies'; expected a text"):
        jpevalb.evaluate(lists[1], lists[0], gold_field="replies")
