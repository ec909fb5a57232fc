"""Evaluator gives the figures of ``evaluate``, sentence by sentence."""

from __future__ import annotations

import doctest
import math
import pickle
import random
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest

import jpevalb
from jpevalb import Evaluator, InputError, JpevalbError, SettingsError, Tree, TreeError
from tests.support.commands import ROOT

GOLD = list(jpevalb.read(ROOT / "examples" / "gold.mrg"))
SYSTEM = list(jpevalb.read(ROOT / "examples" / "sys.mrg"))


def check_empty(evaluator: Evaluator) -> None:
    """Check the figures of an evaluator without sentences."""
    found = evaluator.compute()
    assert found.pop("sentences") == 0
    assert all(value == 0 or math.isnan(value) for value in found.values())


def random_tree(seed: int) -> Tree:
    """A tree over words that depend on the seed alone."""
    rng = random.Random(seed)
    leaves = [f"({rng.choice('AB')} w{place})" for place in range(1 + seed % 9)]
    while len(leaves) > 1:
        begin = rng.randrange(len(leaves) - 1)
        end = rng.randint(begin + 1, min(begin + 3, len(leaves)))
        leaves[begin:end] = [f"({rng.choice(['NP', 'VP', 'S'])} {' '.join(leaves[begin:end])})"]
        if rng.random() < 0.3:
            leaves[:] = [f"(S {' '.join(leaves)})"]
    return Tree.parse(leaves[0])


def defined(evaluator):
    """Return the figures that are defined."""
    return {name: value for name, value in evaluator.compute().items() if not math.isnan(value)}


def figures(gold, system, **options):
    """Return the figures of ``evaluate`` for the same sentences, paired by order."""
    total = jpevalb.evaluate(gold, system, metrics=("brackets", "tags"), pair="order", **options).total
    return {
        "sentences": total.brackets.sentences,
        "precision": total.brackets.precision,
        "recall": total.brackets.recall,
        "f1": total.brackets.f1,
        "sentence_f1": total.brackets.sentence_f1,
        "complete_match": total.brackets.complete_match,
        "tag_accuracy": total.tags.accuracy,
        "average_crossing": total.brackets.average_crossing,
        "unit_tag_accuracy": total.tags.unit_accuracy,
    }


def test_figures_are_those_of_evaluate():
    evaluator = Evaluator()
    for gold, system in zip(GOLD, SYSTEM):
        evaluator.update(gold, system)
    assert defined(evaluator) == figures(GOLD, SYSTEM)
    assert evaluator.compute()["f1"] == pytest.approx(44 / 49)
    assert len(evaluator) == evaluator.compute()["sentences"] == 4
    assert repr(evaluator) == "Evaluator(n_sentences=4, f1=0.8980)"


@pytest.mark.parametrize(
    "options", [{"unlabeled": True}, {"prm": "COLLINS.prm"}, {"metrics": ("siou", "nodes")}]
)
def test_settings(options):
    evaluator = Evaluator(**options)
    evaluator.update(GOLD, SYSTEM)
    settings = {name: value for name, value in options.items() if name != "metrics"}
    found = evaluator.compute()
    assert {name: found[name] for name in figures(GOLD, SYSTEM)} == figures(GOLD, SYSTEM, **settings)
    if "metrics" in options:
        total = jpevalb.evaluate(GOLD, SYSTEM).total
        assert found["struct_iou"] == total["siou"].mean
        assert found["node_accuracy"] == total["nodes"].nodes.accuracy


def test_batches_sums_and_processes_give_the_same():
    trees = [random_tree(seed) for seed in range(700)]
    others = [tree if seed % 3 else random_tree(seed + 9) for seed, tree in enumerate(trees)]
    alone, batch = Evaluator(), Evaluator()
    for gold, system in zip(trees, others):
        alone.update(gold, system)
    batch.update(iter(trees), others)
    assert defined(alone) == defined(batch) == figures(trees, others)
    first, second = Evaluator(), Evaluator()
    first.update(trees[:300], others[:300])
    second.update(trees[300:], others[300:])
    second = pickle.loads(pickle.dumps(second))
    assert (first + second).record == alone.record
    assert sum([first, second]).compute() == alone.compute()
    assert len(first + second) == 700
    second.update(GOLD[0], GOLD[0])
    assert len(second) == 401
    alone.reset()
    check_empty(alone)
    alone.update(GOLD, SYSTEM)
    assert defined(alone) == figures(GOLD, SYSTEM)


def test_the_length_counts_sentences_and_reset_forgets_them():
    evaluator = Evaluator(format="answers")
    assert (len(evaluator), bool(evaluator), evaluator.n_sentences, evaluator.f1) == (0, True, 0, None)
    evaluator.update("(S (A a))", "(S (A a))")
    evaluator.update(["(S (A a))"] * 2, ["(S (A a))", "no tree"])
    assert (len(evaluator), evaluator.n_sentences, evaluator.f1) == (3, 3, 0.8)
    assert evaluator.record["answers"].named["invalid"] == ("3",)
    evaluator.reset()
    assert (len(evaluator), evaluator.n_sentences, evaluator.f1) == (0, 0, None)
    assert evaluator.record == Evaluator(format="answers").record
    # Sentences are numbered from 1 again, and only later ones are counted.
    evaluator.update(["(S (A a))"] * 2, ["(S (A a))", "no tree"])
    assert (len(evaluator), evaluator.n_sentences) == (2, 2)
    assert evaluator.f1 == pytest.approx(2 / 3)
    assert evaluator.record["answers"].named["invalid"] == ("2",)
    copy = pickle.loads(pickle.dumps(evaluator))
    assert (len(copy), copy.record) == (2, evaluator.record)
    copy.reset()
    assert (len(copy), len(evaluator)) == (0, 2)


def test_texts_and_nltk_trees():
    class Node(list):  # as nltk's, an iterable with a label
        def __init__(self, label, children):
            super().__init__(children)
            self._label = label

        def label(self):
            return self._label

    evaluator = Evaluator()
    evaluator.update("(S (NN a))", Node("S", [Node("NN", ["a"])]))
    evaluator.update([Node("S", [Node("NN", ["a"])])], [Tree.parse("(X (NN a))")])
    assert evaluator.compute()["f1"] == 0.5
    assert evaluator.compute()["sentences"] == 2
    # A word is no text of a tree, whatever it looks like.
    assert jpevalb.evaluate(Node("S", ["[[a", "b"]), ["(S [[a b)"], tags="yes").standardised == ()


def test_threads_share_an_evaluator():
    """Without a lock sentences are lost, or counted twice."""
    evaluator = Evaluator()
    computed = []

    def work():
        for _ in range(100):
            evaluator.update(GOLD, SYSTEM)
            computed.append(evaluator.compute())

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    expected = figures(GOLD, SYSTEM)
    assert len(evaluator) == 1600
    assert defined(evaluator) == {**expected, "sentences": 1600.0}
    # Each batch is counted whole.
    assert {found["f1"] for found in computed} == {expected["f1"]}
    assert {found["sentences"] % 4 for found in computed} == {0.0}
    copy = pickle.loads(pickle.dumps(evaluator))
    copy.update(GOLD, SYSTEM)
    assert (len(copy), len(evaluator)) == (1604, 1600)


def test_an_undecided_evaluator_can_be_added_to_a_decided_one():
    gap, no_gap = "(S (VP (V 0=a) (P 2=c)) (N 1=b))", "(S (V 0=a) (P 2=c) (N 1=b))"
    for gold, system in ((gap, no_gap), (GOLD[0], SYSTEM[0])):
        used = Evaluator()
        used.update([], [])
        used.update(gold, system)
        for total in (used + Evaluator(), Evaluator() + used, sum([Evaluator(), used, Evaluator()])):
            assert (total.settings, total.compute(), len(total)) == (used.settings, used.compute(), 1)
    check_empty(Evaluator() + Evaluator())
    with pytest.raises(SettingsError, match="different settings"):
        used + Evaluator(unlabeled=True)
    gaps = Evaluator()
    gaps.update(gap, gap)
    with pytest.raises(SettingsError, match="different settings"):
        used + gaps


@pytest.mark.parametrize(
    "options", [{}, {"format": "answers", "repair": True}, {"metrics": ("nodes", "siou")}], ids=str
)
def test_the_names_are_always_the_same(options):
    names = []
    for system in (["(S (A a) (B b))"], ["Sorry."] if options.get("repair") else ["(())"], []):
        evaluator = Evaluator(**options)
        evaluator.update(["(S (A a) (B b))"][: len(system)], system)
        names.append(list(evaluator.compute()))
    assert names[0] == names[1] == names[2]
    evaluator.reset()
    evaluator.update("", "")
    found = evaluator.compute()
    assert found["sentences"] == 1
    assert any(math.isnan(value) for value in found.values())


def test_too_many_excluded_sentences_can_be_shown():
    evaluator = Evaluator(convention="evalb")
    evaluator.update(["(S (A a))"] * 13, ["(S (A b))"] * 13)
    with pytest.raises(InputError, match="13 sentences have other words"):
        evaluator.compute()
    assert repr(evaluator) == "Evaluator(n_sentences=13, f1=None)"


def test_the_signature_is_that_of_evaluate():
    for options in ({}, {"convention": "supar"}, {"prm": "COLLINS.prm", "metrics": ("brackets",)}):
        evaluator = Evaluator(**options)
        evaluator.update(GOLD, SYSTEM)
        result = jpevalb.evaluate(
            GOLD, SYSTEM, **{"metrics": ("brackets", "tags"), "pair": "order", **options}
        )
        assert evaluator.signature == result.signature


def test_the_recipes_of_the_documentation(monkeypatch):
    """What scripts.md defines for libraries that are not installed here, with stand-ins for them."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples((ROOT / "docs" / "scripts.md").read_text("utf-8")):
        if example.source.startswith(("def ", "import jpevalb")):
            exec(example.source, names)

    class Distributed:
        def get_world_size(self) -> int:
            return 2

        def all_gather_object(self, everyone, own):
            everyone[:] = [own, pickle.loads(pickle.dumps(own))]

    evaluator = Evaluator()
    evaluator.update(GOLD, SYSTEM)
    assert names["f1_of_all_ranks"](evaluator, Distributed()) == evaluator.f1

    texts = [tree.to_bracket() for tree in SYSTEM]
    stanza = SimpleNamespace(sentences=[SimpleNamespace(constituency=Tree.parse(text)) for text in texts])
    spacy = SimpleNamespace(sents=[SimpleNamespace(_=SimpleNamespace(parse_string=text)) for text in texts])
    for parses in (names["parses_of_stanza"](stanza), names["parses_of_benepar"](spacy)):
        other = Evaluator()
        other.update(GOLD, parses)
        assert other.f1 == evaluator.f1

    tokenizer = SimpleNamespace(
        batch_decode=lambda ids, skip_special_tokens: [f"Answer: {texts[i]}" for i in ids]
    )
    prediction = SimpleNamespace(predictions=list(range(len(texts))))
    found = names["compute_metrics"](prediction, tokenizer, GOLD)
    assert found["repaired_f1"] == evaluator.f1
    assert found["valid"] == 0


def test_words_may_differ():
    evaluator = Evaluator()
    evaluator.update("(S (A ca) (B n't))", "(S (A can) (B not))")
    assert (evaluator.compute()["f1"], evaluator.compute()["tag_accuracy"]) == (1, 0)


def test_answers_of_a_language_model():
    gold = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
    answers = [gold, f"```{gold}```", "I cannot."]
    found = {}
    for repair in (False, True):
        evaluator = Evaluator(repair=repair, format="answers")
        evaluator.update([gold] * 3, answers)
        found[repair] = evaluator.compute()
        assert evaluator.record["answers"].repairs == {"fence": 1}
    assert found[False]["f1"] == found[False]["strict_answer_f1"] == found[True]["strict_answer_f1"] == 0.5
    assert found[True]["f1"] == found[False]["repaired_f1"] == 0.8
    assert found[True]["valid_only_f1"] == 1
    assert found[True]["valid"] == pytest.approx(1 / 3)
    assert found[True]["faithful"] == pytest.approx(2 / 3)
    # Trees among the answers are what they are.
    evaluator.update(gold, Tree.parse(gold))
    assert evaluator.record["answers"].answers == 3


def test_invalid_calls():
    evaluator = Evaluator()
    with pytest.raises(
        JpevalbError, match="got 2 gold but 1 system sentences; both batches must have the same length"
    ):
        evaluator.update(["(S (A a))", "(S (A a))"], ["(S (A a))"])
    with pytest.raises(JpevalbError, match="got one sentence of gold but a batch of the system; give two"):
        evaluator.update("(S (A a))", ["(S (A a))"])
    with pytest.raises(JpevalbError, match="got a batch of gold but one sentence of the system; give two"):
        evaluator.update(["(S (A a))"], "(S (A a))")
    with pytest.raises(
        TreeError, match=r"^system sentence 2: .* not closed.*; on_error='skip' counts it as no"
    ):
        evaluator.update(["(S (A a))", "(S (A a))"], ["(S (A a))", "(S (A a)"])
    with pytest.raises(TreeError, match=r"^gold sentence: .*not closed"):
        evaluator.update("(S (A a)", "(S (A a))")
    with pytest.raises(TreeError, match=r"^system sentence: got an object of type int"):
        evaluator.update(1, 2)
    assert len(evaluator) == 0
    check_empty(evaluator)
    with pytest.raises(SettingsError, match="different settings"):
        evaluator + Evaluator(unlabeled=True)
    with pytest.raises(SettingsError, match="unknown option 'f'"):
        Evaluator(f=1)
    with pytest.raises(SettingsError, match=r"expected Settings\(...\)"):
        Evaluator("discontinuous")
    for name, value in (("gold_times", "a.ctm"), ("pair", "id"), ("encoding", "latin-1"), ("separator", "-")):
        with pytest.raises(SettingsError, match=f"{name}='{value}', .* an evaluator is given sentences"):
            Evaluator(**{name: value})
    with pytest.raises(TypeError):
        evaluator + 1
    with pytest.raises(TypeError):
        1 + evaluator


@pytest.mark.parametrize("convention", [None, "jpevalb", "discontinuous"])
def test_a_failed_update_changes_nothing(convention):
    evaluator = Evaluator(convention=convention)
    evaluator.update(GOLD, SYSTEM)
    found = evaluator.compute()
    with pytest.raises(TreeError):
        evaluator.update(GOLD[:2], [SYSTEM[0], "(S"])
    assert (evaluator.compute(), len(evaluator)) == (found, 4)


def test_unreadable_sentences_may_be_skipped():
    evaluator = Evaluator(on_error="skip")
    evaluator.update("(S (NP (A a)) (B b))", "(S (A a)")
    assert evaluator.record.sentences.system_unparsed == 1
    assert evaluator.compute()["f1"] == 0


def test_a_system_sentence_for_an_empty_gold_sentence_is_unaligned():
    for pair, unaligned in ((("", "(S (A a))"), 1), (("(S (A a))", ""), 0), (("", ""), 0)):
        evaluator = Evaluator()
        evaluator.update(*pair)
        assert evaluator.record.sentences.unaligned == unaligned


def test_no_answer_is_an_invalid_answer():
    evaluator = Evaluator(format="answers", on_error="skip")
    evaluator.update(["(S (A a))"] * 2, ["(S (A a))", None])
    evaluator.update("(S (A a))", None)
    found = evaluator.record["answers"]
    assert (found.answers, found.valid, found.invalid) == (3, 1, 2)
    assert found.named["invalid"] == ("2", "3")
    assert evaluator.compute()["valid"] == 1 / 3


@pytest.mark.parametrize(
    ("format", "gold", "system", "figure", "value"),
    [
        ("unlabeled", "((the cat) sat)", "(the (cat sat))", "f1", 0.5),
        ("sejong", "(S (NP a/NNG) (VP b/VV))", "(S (NP a/NNG) (VP b/VA))", "tag_accuracy", 0.5),
        ("text", "a b", "a b", "token_f1", 1.0),
    ],
)
def test_a_named_format_decides_how_a_sentence_is_read(format, gold, system, figure, value):
    evaluator = Evaluator(metrics=None, format=format)
    evaluator.update(gold, system)
    assert evaluator.compute()[figure] == value
    assert jpevalb.evaluate([gold], [system], format=format).figures[figure] == value
