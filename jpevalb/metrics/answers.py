"""Answers: what a language model's answers were like, and the scores with and without repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..alignment.pair import Pair
from ..trees.answer import REPAIRS, Answer
from ..trees.answers import parse_answer
from ..trees.counts import NAMED, Counts, MatchedCounts, ratio
from ..trees.errors import TreeError
from ..trees.frozen import field, frozen
from ..trees.labels import LabelPolicy
from ..trees.sentence import Sentence
from ..trees.settings import Settings
from ..trees.tree import EMPTY, Tree
from . import Figure, Measure, Metric, f1_rate, quotient
from .brackets import BracketCounts, Brackets
from .faithful import WordCounts, compare_words

INVALID, TRUNCATED, UNTAGGED, UNFAITHFUL = "invalid", "truncated", "untagged", "unfaithful"
"""Kinds of answers beside the repairs."""


class FirstNames(tuple[str, ...]):
    """The names of the first sentences of a kind, :data:`NAMED` at most, which ``+`` goes on with."""

    __slots__ = ()

    def __add__(self, other: Any) -> FirstNames:
        return FirstNames(super().__add__(other)[:NAMED])


_NUMBERS = ("answers", "valid", "repaired", "invalid", "truncated", "untagged", "faithful")


@frozen
class ScoredCounts(MatchedCounts):
    """The brackets of one way to read the answers.

    Attributes:
        sentences: Beads that are scored.
        gold: Gold constituents.
        system: The system's constituents.
        matched: Pairs of both.
    """

    sentences: int = 0
    gold: int = 0
    system: int = 0
    matched: int = 0

    @classmethod
    def of(cls, counts: BracketCounts) -> ScoredCounts:
        """Those of a bead's brackets."""
        return cls(counts.sentences, counts.gold, counts.system, counts.matched)


@frozen
class AnswerCounts(Counts):
    """What some answers were like.

    Attributes:
        answers: Answers, one for each of the system's sentences.
        valid: Those that are one tree as written, and nothing else.
        repaired: Those of which repairs make a tree.
        invalid: Those that have none.
        truncated: Answers that end inside their tree.
        untagged: Answers whose tree has a word without a tag.
        faithful: Answers with a tree over the gold words as written.
        repairs: For each repair the answers that need it.
        words: What became of the gold words, over the answers that have a tree.
        strict: Brackets where only valid answers have a parse.
        mended: Brackets where repaired answers have one too.
        valid_only: Brackets of the beads all of whose answers are valid.
        gold_labels: Constituents and tags of gold by label; tags stand as ``"tag X"``.
        system_labels: Constituents and tags of the answers' trees by label.
        named: For each kind of answers the first that are of it.
        asked: Answers of a file that was read as one of answers; those of another file are shown
            only where one is invalid.
    """

    answers: int = 0
    valid: int = 0
    repaired: int = 0
    invalid: int = 0
    truncated: int = 0
    untagged: int = 0
    faithful: int = 0
    repairs: Mapping[str, int] = field(default_factory=dict)
    words: WordCounts = field(default_factory=WordCounts)
    strict: ScoredCounts = field(default_factory=ScoredCounts)
    mended: ScoredCounts = field(default_factory=ScoredCounts)
    valid_only: ScoredCounts = field(default_factory=ScoredCounts)
    gold_labels: Mapping[str, int] = field(default_factory=dict)
    system_labels: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, FirstNames] = field(default_factory=dict)
    asked: int = 0

    @property
    def shown(self) -> bool:
        """Whether there is more to say than that every sentence is a tree."""
        return bool(self.asked or self.invalid)

    @property
    def valid_share(self) -> float | None:
        """Valid answers of all."""
        return ratio(self.valid, self.answers)

    @property
    def faithful_share(self) -> float | None:
        """Answers with a tree over the gold words, of all answers."""
        return ratio(self.faithful, self.answers)

    @property
    def foreign_labels(self) -> list[tuple[str, int]]:
        """Labels that gold never has with their number in the answers' trees, most frequent first."""
        found = [item for item in self.system_labels.items() if item[0] not in self.gold_labels]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def to_dict(self) -> dict[str, Any]:
        """Counts and rates, ready for JSON; of labels those that gold never has."""
        return {
            **{name: getattr(self, name) for name in _NUMBERS},
            "valid_share": self.valid_share,
            "faithful_share": self.faithful_share,
            "repairs": {name: self.repairs[name] for name in REPAIRS if name in self.repairs},
            "words": self.words.to_dict(),
            "strict": self.strict.to_dict(),
            "mended": self.mended.to_dict(),
            "valid_only": self.valid_only.to_dict(),
            "foreign_labels": dict(self.foreign_labels),
            "named": {kind: list(names) for kind, names in self.named.items()},
        }


class Answers(Metric):
    """How many answers were valid, repaired and faithful, and F1 in three readings, side by side.

    Strict: an answer that is not valid counts as no parse.  Repaired: what repairs make of it is its
    parse.  Valid only: beads with another answer are left out, on both sides.
    """

    name = "answers"
    counts = AnswerCounts
    heading = "Answers"
    rates = (
        quotient(Measure("valid", "Valid"), lambda record: (record.valid, record.answers)),
        quotient(Measure("faithful", "Faithful"), lambda record: (record.faithful, record.answers)),
        f1_rate(Measure("strict_f1", "F strict"), lambda record: record.strict),
        f1_rate(Measure("mended_f1", "F repaired"), lambda record: record.mended),
        f1_rate(Measure("valid_only_f1", "F valid"), lambda record: record.valid_only),
    )

    def __init__(self, settings: Settings, labels: LabelPolicy) -> None:
        self._labels = labels
        self._brackets = Brackets(settings, labels)
        self._repaired = settings.repair
        self._asked = settings.answers
        self._same_words = settings.conventions.same_words

    def count(self, pair: Pair) -> AnswerCounts:
        found = [
            (sentence, sentence.answer or _as_read(sentence))
            for sentence in pair.system_sentences
            if not self._asked or sentence.answer is not None
        ]
        answers = [answer for _, answer in found]
        trees = [_tree(sentence, answer) for sentence, answer in found]
        valid = [answer.valid for answer in answers]
        invalid = [answer.reason is not None for answer in answers]
        kinds: dict[str, list[str]] = {}

        def note(kind: str, sentence: Sentence) -> None:
            kinds.setdefault(kind, []).append(sentence.source.id or str(sentence.number))

        for (sentence, answer), tree in zip(found, trees):
            for kind in answer.repairs:
                note(kind, sentence)
            if answer.reason is not None:
                note(INVALID, sentence)
            if answer.truncated:
                note(TRUNCATED, sentence)
            if None in tree.tags:
                note(UNTAGGED, sentence)
        words = WordCounts()
        faithful = 0
        if any(tree.words for tree in trees):
            gold = [word for sentence in pair.gold_sentences for word in _written(sentence.source)]
            system = [word for tree in trees for word in _written(tree)]
            words = compare_words(gold, system)
            faithful = words.is_faithful() * len(found)
            if not faithful:
                note(UNFAITHFUL, found[0][0])
        strict, mended = self._scored(pair, all(valid))
        gold_labels = self._label_counts([sentence.source for sentence in pair.gold_sentences])
        return AnswerCounts(
            len(found),
            sum(valid),
            len(found) - sum(valid) - sum(invalid),
            sum(invalid),
            sum([answer.truncated for answer in answers]),
            len(kinds.get(UNTAGGED, ())),
            faithful,
            {kind: len(names) for kind, names in kinds.items() if kind in REPAIRS},
            words,
            strict,
            mended,
            strict if found and all(valid) else ScoredCounts(),
            gold_labels,
            self._label_counts(trees),
            {kind: FirstNames(names[:NAMED]) for kind, names in kinds.items()},
            len(found) if self._asked else 0,
        )

    def _scored(self, pair: Pair, valid: bool) -> tuple[ScoredCounts, ScoredCounts]:
        """The bead's brackets in the strict and in the repaired reading."""
        here = ScoredCounts.of(self._brackets.count(pair))
        if valid:
            return here, here
        others = [self._read_otherwise(pair, sentence) for sentence in pair.system_sentences]
        other = ScoredCounts.of(self._brackets.count(pair.with_system(others)))
        return (other, here) if self._repaired else (here, other)

    def _read_otherwise(self, pair: Pair, sentence: Sentence) -> Sentence:
        """A sentence as the reading that is not the run's has it."""
        answer = sentence.answer
        if answer is None or answer.valid:
            return sentence
        if self._repaired or answer.reason is not None:
            return sentence._replace(tree=EMPTY, source=EMPTY)
        tree = _tree(sentence, answer)
        if self._same_words:
            try:
                scored = self._labels.prune_both(pair.gold_sentences[0].source, tree)[1]
            except TreeError:
                # Over other words it would be no parse either.
                tree = scored = EMPTY
        else:
            scored, _ = self._labels.prune(tree)
        return sentence._replace(tree=scored, source=tree)

    def _label_counts(self, trees: Sequence[Tree]) -> dict[str, int]:
        found: Counter[str] = Counter()
        for tree in trees:
            for label, is_tag, start, end in zip(tree.labels, tree.preterminals, tree.starts, tree.ends):
                name = f"tag {label}" if is_tag else self._labels.resolve(label) if start < end else None
                if name is not None:
                    found[name] += 1
        return dict(found)

    def figures(self, record: AnswerCounts) -> Sequence[Figure]:
        words = record.words
        foreign = record.foreign_labels
        return (
            Figure("Valid as written", record.valid_share),
            Figure("Faithful answers", record.faithful_share),
            Figure("F1, strict", record.strict.f1),
            Figure("F1, repaired", record.mended.f1),
            Figure("F1, valid only", record.valid_only.f1),
            Figure("Sentences, strict", record.strict.sentences, "count"),
            Figure("Sentences, repaired", record.mended.sentences, "count"),
            Figure("Sentences, valid only", record.valid_only.sentences, "count"),
            Figure("Answers", record.answers, "count"),
            Figure("Valid answers", record.valid, "count"),
            Figure("Repaired answers", record.repaired, "count"),
            *[
                Figure(f"Repaired: {name.replace('_', ' ')}", record.repairs[name], "count")
                for name in REPAIRS
                if name in record.repairs
            ],
            Figure("Invalid answers", record.invalid, "count"),
            Figure("Truncated answers", record.truncated, "count"),
            Figure("Answers without some tag", record.untagged, "count"),
            Figure("Words missing", words.missing, "count"),
            Figure("Words added", words.added, "count"),
            Figure("Words changed", words.changed, "count"),
            Figure("Words repeated", words.repeated, "count"),
            Figure("Words in another order", words.reordered, "count"),
            Figure("Labels that gold lacks", len(foreign), "count"),
        )

    def notes(self, record: AnswerCounts) -> Sequence[str]:
        counts = {
            INVALID: record.invalid,
            **record.repairs,
            TRUNCATED: record.truncated,
            UNTAGGED: record.untagged,
            UNFAITHFUL: record.answers - record.invalid - record.faithful,
        }
        lines = []
        for kind, count in counts.items():
            names = record.named.get(kind, ())
            if names:
                more = f" and {count - len(names)} more" if count > len(names) else ""
                what = f"repaired ({kind.replace('_', ' ')})" if kind in REPAIRS else kind
                if kind == UNTAGGED:
                    what = "words without a tag, where F1 means something else"
                lines.append(f"{what}: sentence{'s' * (count > 1)} {', '.join(names)}{more}")
        foreign = record.foreign_labels
        if foreign:
            shown = ", ".join([f"{label} {count}" for label, count in foreign[:NAMED]])
            more = f" and {len(foreign) - NAMED} more" if len(foreign) > NAMED else ""
            lines.append(f"labels that gold lacks: {shown}{more}")
        return lines


def _as_read(sentence: Sentence) -> Answer:
    """A sentence of a file that is not one of answers, as an answer."""
    if sentence.error is not None:
        return Answer("", reason=str(sentence.error))
    return Answer("", reason=None if sentence.source.words else "the tree has no word")


def _tree(sentence: Sentence, answer: Answer) -> Tree:
    """The tree of an answer, repaired if need be; empty where there is none."""
    if answer.reason is not None:
        return EMPTY
    if sentence.source.words:
        return sentence.source
    return parse_answer(answer.text)


_BRACKETS = {"-LRB-": "(", "-RRB-": ")"}


def _written(tree: Tree) -> list[str]:
    """The words of a tree as they stand in running text: traces are none, and brackets are brackets."""
    return [_BRACKETS.get(word, word) for word, tag in zip(tree.words, tree.tags) if tag != "-NONE-"]
