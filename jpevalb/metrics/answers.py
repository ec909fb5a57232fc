"""Answers of a language model: how many are valid and faithful, and scores with and without repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, zip_longest
from operator import attrgetter
from typing import Any, NamedTuple

from ..alignment.pair import Pair
from ..base.claims import Claim
from ..base.counts import Counts, MatchedCounts, Quotient, ratio, sums
from ..base.text import NAMED, visible
from ..formats.answers import AnswerReader, parse_answer
from ..settings.rules import RunRules
from ..settings.settings import Settings
from ..trees.sentence import REPAIRS, Answer, Sentence
from ..trees.tree import EMPTY, Tree
from . import Figure, Line, Metric, f1_figure
from .brackets import Brackets
from .labels import label_counts

MOST_PAIRS = 1_000_000  # Maximum number of word pairs for which a longest common subsequence is computed


@dataclass(slots=True, eq=False, repr=False)
class WordCounts(Counts):
    """Gold words (each is the same, changed, reordered or missing) and words of the answer."""

    gold: int = 0  #: gold words
    system: int = 0  #: words of the answers
    same: int = 0  #: gold words that the answer has at their place, case included
    changed: int = 0  #: gold words that the answer spells or splits differently
    missing: int = 0  #: gold words that the answer lacks
    added: int = 0  #: answer words that gold has nowhere
    repeated: int = 0  #: additional copies of gold words
    reordered: int = 0  #: gold words that the answer has elsewhere

    def is_faithful(self) -> bool:
        """Return True if the words are the same in the same order."""
        return self.same == self.gold == self.system


def compare_words(gold: Sequence[str], system: Sequence[str]) -> WordCounts:
    """Compare the words of a sentence with those of an answer.

    The words of a longest common subsequence are the same.  Of the others, gold words that the answer
    has elsewhere are reordered.  The rest between two of the same words is changed, one word for one,
    or entirely if only the cuts between words differ.  Words left on one side are missing, repeated (if
    gold has the word) or added.

    >>> counts = compare_words(["the", "old", "cat", "sat", "there"], ["the", "cat", "sit", "there", "there"])
    >>> counts.same, counts.changed, counts.missing, counts.added, counts.repeated, counts.reordered
    (3, 1, 1, 0, 1, 0)
    """
    n, m = len(gold), len(system)
    if list(gold) == list(system):
        return WordCounts(n, m, n)
    gaps = _gaps(gold, system)
    recut = ["".join(gold_words) == "".join(system_words) for gold_words, system_words in gaps]
    moved = Counter([word for (words, _), cut in zip(gaps, recut) if not cut for word in words])
    moved &= Counter([word for (_, words), cut in zip(gaps, recut) if not cut for word in words])
    reordered = moved.total()
    from_gold, to_system = moved.copy(), moved
    changed = missing = added = repeated = unmatched = 0
    known = set(gold)
    for (gold_words, system_words), cut in zip(gaps, recut):
        unmatched += len(gold_words)
        if cut:
            changed += len(gold_words)
            continue
        gold_words, system_words = _without(gold_words, from_gold), _without(system_words, to_system)
        both = min(len(gold_words), len(system_words))
        changed += both
        missing += len(gold_words) - both
        # Words that gold has elsewhere are spare first, then the last ones.
        order = sorted(range(len(system_words)), key=lambda index: (system_words[index] not in known, -index))
        spare = [system_words[index] in known for index in order[: len(system_words) - both]]
        repeated += sum(spare)
        added += len(spare) - sum(spare)
    return WordCounts(n, m, n - unmatched, changed, missing, added, repeated, reordered)


def _gaps(gold: Sequence[str], system: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Return the words of both sides between matches of a longest common subsequence or of equal ends."""
    begin, n, m = 0, len(gold), len(system)
    while begin < n and begin < m and gold[begin] == system[begin]:
        begin += 1
    while n > begin and m > begin and gold[n - 1] == system[m - 1]:
        n -= 1
        m -= 1
    left, right = list(gold[begin:n]), list(system[begin:m])
    if not left or not right or len(left) * len(right) > MOST_PAIRS:
        return [(left, right)]
    # lengths[i][j]: length of a longest common subsequence of left[i:] and right[j:].
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        row, below = lengths[i], lengths[i + 1]
        for j in reversed(range(len(right))):
            row[j] = below[j + 1] + 1 if left[i] == right[j] else max(below[j], row[j + 1])
    gaps: list[tuple[list[str], list[str]]] = [([], [])]
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            gaps.append(([], []))
            i += 1
            j += 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            gaps[-1][0].append(left[i])
            i += 1
        else:
            gaps[-1][1].append(right[j])
            j += 1
    gaps[-1][0].extend(left[i:])
    gaps[-1][1].extend(right[j:])
    return gaps


def _without(words: Sequence[str], taken: Counter[str]) -> list[str]:
    """Return the words except those of a multiset, which is used up."""
    kept = []
    for word in words:
        if taken[word] > 0:
            taken[word] -= 1
        else:
            kept.append(word)
    return kept


INVALID, TRUNCATED, UNTAGGED, UNFAITHFUL = "invalid", "truncated", "untagged", "unfaithful"
"""Kinds of answers, in addition to the repairs."""


class FirstNames(tuple[str, ...]):
    """Names of the first :data:`NAMED` sentences of a kind; ``+`` keeps the first :data:`NAMED` of both."""

    __slots__ = ()

    def __add__(self, other: Any) -> FirstNames:
        return FirstNames(super().__add__(other)[:NAMED])


@dataclass(slots=True, eq=False, repr=False)
class ReadingCounts(MatchedCounts):
    """Sentences and brackets of one way to read the answers."""

    sentences: int = 0  #: sentences
    gold: int = 0  #: gold constituents
    system: int = 0  #: system constituents
    matched: int = 0  #: pairs of matching constituents


@dataclass(slots=True, eq=False, repr=False)
class SampleCounts(Counts):
    """Several answers to each prompt: brackets of all, of the best of each prompt, and of their average."""

    prompts: int = 0  #: prompts
    answers: int = 0  #: answers to all prompts
    mean: ReadingCounts = field(default_factory=ReadingCounts)  #: all answers, each as a sentence
    best: ReadingCounts = field(default_factory=ReadingCounts)  #: the answer with the best F1 of each prompt
    average: ReadingCounts = field(default_factory=ReadingCounts)  #: the average tree of each prompt


class AfterRepair(NamedTuple):
    """F1 after a kind of repair and all kinds before it in :data:`jpevalb.trees.sentence.REPAIRS`."""

    repair: str  #: name of the repair; empty for the answers as written
    answers: int  #: answers that are trees after this repair and not before
    f1: float | None  #: F1 in [0, 1]


@dataclass(slots=True, eq=False, repr=False)
class AnswerCounts(Counts):
    """Kinds of answers, their words and labels, and their brackets in three readings."""

    answers: int = 0  #: answers, one for each system sentence
    valid: int = 0  #: answers that are one tree as written, and nothing else
    repaired: int = 0  #: answers that are a tree after repairs
    invalid: int = 0  #: answers without a tree
    truncated: int = 0  #: answers that end inside their tree
    untagged: int = 0  #: answers whose tree has a word without a tag
    faithful: int = 0  #: answers whose tree has the gold words as written
    repairs: Mapping[str, int] = field(default_factory=dict)  #: answers by repair
    words: WordCounts = field(default_factory=WordCounts)  #: words of answers with a tree
    strict: ReadingCounts = field(default_factory=ReadingCounts)  #: only valid answers have a parse
    with_repairs: ReadingCounts = field(default_factory=ReadingCounts)  #: repaired answers have a parse, too
    valid_only: ReadingCounts = field(default_factory=ReadingCounts)  #: groups with valid answers only
    #: gold constituents by label; tags as "tag X"
    gold_labels: Mapping[str, int] = field(default_factory=dict)
    #: system constituents by label; tags as "tag X"
    system_labels: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, FirstNames] = field(default_factory=dict)  #: first sentences of each kind
    asked: int = 0  #: answers of a file that was read as one of answers
    #: answers by the last repair that they need, and the brackets that it adds
    steps: Mapping[str, ReadingCounts] = field(default_factory=dict)
    samples: SampleCounts = field(default_factory=SampleCounts)  #: counts of lists of answers
    #: extra constituents of repaired answers over the words of a missed one, by label
    renamed: Mapping[str, int] = field(default_factory=dict)

    @property
    def ladder(self) -> list[AfterRepair]:
        """F1 as written, then after each kind of repair, added one after the other."""
        sums = self.strict
        found = [AfterRepair("", self.valid, sums.f1)]
        for name in REPAIRS:
            if step := self.steps.get(name):
                sums += step
                found.append(AfterRepair(name, step.sentences, sums.f1))
        return found

    @property
    def shown(self) -> bool:
        # Trees of other files are reported only if one is invalid.
        return bool(self.asked or self.invalid)

    valid_share = Quotient("valid", "answers", "Share of answers that are valid as written.")
    faithful_share = Quotient("faithful", "answers", "Share of answers with the gold words as written.")

    @property
    def foreign_labels(self) -> list[tuple[str, int]]:
        """Labels that gold never has and their numbers in the answers' trees, most frequent first."""
        labels = [item for item in self.system_labels.items() if item[0] not in self.gold_labels]
        return sorted(labels, key=lambda item: (-item[1], item[0]))

    @property
    def renamed_f1(self) -> float | None:
        """F1 of repaired answers if labels that gold never has were those of gold over the same words."""
        read = self.with_repairs
        gained = sum([count for label, count in self.renamed.items() if label not in self.gold_labels])
        return ratio(2 * (read.matched + gained), read.gold + read.system)

    @property
    def lost(self) -> dict[str, float] | None:
        """Parts of 1 - F1 as written: format, labels that gold lacks, and the rest; ``None`` if undefined."""
        steps = self.strict.f1, self.with_repairs.f1, self.renamed_f1
        if None in steps:
            return None
        strict, repaired, renamed = [step or 0.0 for step in steps]
        return {"format": repaired - strict, "labels": renamed - repaired, "rest": 1 - renamed}

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in self.__match_args__[:7]},
            "valid_share": self.valid_share,
            "faithful_share": self.faithful_share,
            "repairs": {name: self.repairs[name] for name in REPAIRS if name in self.repairs},
            "ladder": [step._asdict() for step in self.ladder],
            "renamed_f1": self.renamed_f1,
            "lost": self.lost,
            **{
                name: getattr(self, name).to_dict()
                for name in ("words", "strict", "with_repairs", "valid_only")
            },
            "foreign_labels": dict(self.foreign_labels),
            "named": {kind: list(names) for kind, names in self.named.items()},
            **({"samples": self.samples.to_dict()} if self.samples.prompts else {}),
        }


_OF_ANSWERS = attrgetter("asked")  # true if the file was read as answers


def _share(name: str, title: str, line: str, page: str) -> Figure:
    return Figure(name, title, line=line, page=page, counts=sums(name, "answers"), shown=_OF_ANSWERS)


def _f1(name: str, title: str, reading: str, line: str, shown: Any = _OF_ANSWERS, page: str = "") -> Figure:
    return f1_figure(name, title, reading, line=f"F1, {line}", shown=shown, page=page)


_HAS_LISTS = attrgetter("samples.prompts")
_OF_LISTS = (
    _f1("mean_answer_f1", "F mean", "samples.mean", "mean of the answers", _HAS_LISTS),
    _f1("best_answer_f1", "F best", "samples.best", "best answers", _HAS_LISTS),
    _f1("average_answer_f1", "F average", "samples.average", "average trees", _HAS_LISTS),
)


class Answers(Metric):
    """Valid, repaired and faithful answers, and F1 in three readings."""

    name = "answers"
    counts = AnswerCounts
    heading = "Answers"
    figures = (
        _share("valid", "Valid", "Valid as written", "Usable"),
        _share("faithful", "Faithful", "Faithful answers", "Gold’s words"),
        _f1("strict_answer_f1", "F strict", "strict", "strict", page="F1 as written"),
        _f1("repaired_f1", "F repaired", "with_repairs", "repaired", page="F1 repaired"),
        _f1("valid_only_f1", "F valid", "valid_only", "valid only", page="F1 usable only"),
        *_OF_LISTS,
    )

    def __init__(self, settings: Settings, rules: RunRules) -> None:
        super().__init__(settings, rules)
        self._brackets = Brackets(settings, rules)
        self._prepared = settings.preparation("sys").of

    def uncounted(self, pair: Pair) -> AnswerCounts:
        # A convention may leave out a broken answer, which is still one.
        return self.count(pair, scored=False) if self._settings.answers else AnswerCounts()

    def count(self, pair: Pair, *, scored: bool = True) -> AnswerCounts:
        sentences = [
            (sentence, sentence.answer or _as_answer(sentence))
            for sentence in pair.system_sentences
            if not self._settings.answers or sentence.answer is not None
        ]
        answers = [answer for _, answer in sentences]
        trees = [self._tree(sentence, answer) for sentence, answer in sentences]
        valid = sum([answer.valid for answer in answers])
        kinds: dict[str, list[str]] = {}
        for (sentence, answer), tree in zip(sentences, trees):
            holds = answer.reason is not None, answer.truncated, None in tree.tags
            for kind in (*answer.repairs, *compress((INVALID, TRUNCATED, UNTAGGED), holds)):
                kinds.setdefault(kind, []).append(_name(sentence))
        words = WordCounts()
        faithful = 0
        if any(tree.words for tree in trees):
            gold = [word for sentence in pair.gold_sentences for word in _written(sentence.source)]
            words = compare_words(gold, [word for tree in trees for word in _written(tree)])
            faithful = words.is_faithful() * len(sentences)
            if not faithful:
                kinds[UNFAITHFUL] = [_name(sentences[0][0])]
        strict, repaired, steps = ReadingCounts(), ReadingCounts(), dict[str, ReadingCounts]()
        if scored:
            strict, repaired, steps = self._readings(pair, answers)
        count = Counter({kind: len(names) for kind, names in kinds.items()})
        return AnswerCounts(
            len(sentences),
            valid,
            len(sentences) - valid - count[INVALID],
            count[INVALID],
            count[TRUNCATED],
            count[UNTAGGED],
            faithful,
            {kind: times for kind, times in count.items() if kind in REPAIRS},
            words,
            strict,
            repaired,
            strict if sentences and valid == len(answers) else ReadingCounts(),
            self._label_counts([sentence.source for sentence in pair.gold_sentences]),
            self._label_counts(trees),
            {kind: FirstNames(names[:NAMED]) for kind, names in kinds.items()},
            len(sentences) if self._settings.answers else 0,
            steps,
            self._samples(pair) if scored and any(answer.others for answer in answers) else SampleCounts(),
            self._renamed(self.repaired(pair)) if scored and self._settings.answers else {},
        )

    def repaired(self, pair: Pair) -> Pair:
        """Return a pair with the system's answers repaired; the pair itself if they are, or are valid."""
        answers = [sentence.answer for sentence in pair.system_sentences]
        if self._settings.repair or all(answer is None or answer.valid for answer in answers):
            return pair
        made = pair.with_system([self._in_other_reading(pair, one) for one in pair.system_sentences])
        made.bead = pair.bead._replace(aligned=bool(made.gold.words) == bool(made.system.words))
        return made

    def _renamed(self, pair: Pair) -> dict[str, int]:
        """Count the extra constituents over the words of a missed one by label."""
        confused = Counter(label_counts(pair.matching).confused)
        return dict(Counter([label for _, label in confused.elements()]))

    def _samples(self, pair: Pair) -> SampleCounts:
        """Count all answers of a bead: the first of each sentence, the second of each, and so on."""
        systems = pair.system_sentences
        rest = [sentence.answer.others if sentence.answer else () for sentence in systems]
        # Reads answers as the run reads them; empty without a tree.
        reader = AnswerReader(self._settings.repair, self._settings.several, on_answer=lambda answer: None)
        trees = [
            [sentence.source, *[self._prepared(reader.tree(text)) for text in texts]]
            for sentence, texts in zip(systems, rest)
        ]
        columns = [*zip_longest(*trees, fillvalue=EMPTY), [self._average(own) for own in trees]]
        *readings, average = [
            self._reading(pair.with_system([self._with_tree(pair, *both) for both in zip(systems, column)]))
            for column in columns
        ]
        best = max(readings, key=lambda reading: 1.0 if reading.f1 is None else reading.f1)
        return SampleCounts(len(systems), sum(map(len, trees)), ReadingCounts.sum(readings), best, average)

    def _average(self, trees: Sequence[Tree]) -> Tree:
        """Return the average of the trees over the most frequent words; the first ones of equals."""
        from ..averaging import average  # few runs need it

        words = Counter([tree.words for tree in trees if tree.words])
        if not words:
            return EMPTY
        chosen = max(words, key=lambda key: words[key])
        return average([tree for tree in trees if tree.words == chosen], labeled=not self._settings.unlabeled)

    def _readings(
        self, pair: Pair, answers: Sequence[Answer]
    ) -> tuple[ReadingCounts, ReadingCounts, dict[str, ReadingCounts]]:
        """Count the brackets of a bead in the strict and in the repaired reading, and the steps between."""
        here = self._reading(pair)
        if all(answer.valid for answer in answers):
            return here, here, {}
        both = [(one, self._in_other_reading(pair, one)) for one in pair.system_sentences]
        other = self._reading(pair.with_system([second for _, second in both]))
        strict, repaired = (other, here) if self._settings.repair else (here, other)
        # Of each sentence the last repair that its answer needs to be a tree; empty for other answers
        last = [
            answer.repairs[-1] if answer and answer.repairs and answer.reason is None else ""
            for answer in [sentence.answer for sentence in pair.system_sentences]
        ]
        names = [name for name in REPAIRS if name in last]
        steps = {}
        before, done = strict, {""}
        for name in names:
            done.add(name)
            after = repaired
            if name != names[-1]:
                # Answers up to this step are read as repaired.
                mixed = [
                    sides[(needed in done) != self._settings.repair] for needed, sides in zip(last, both)
                ]
                after = self._reading(pair.with_system(mixed))
            gained = [getattr(after, key) - getattr(before, key) for key in ("gold", "system", "matched")]
            steps[name] = ReadingCounts(last.count(name), *gained)
            before = after
        return strict, repaired, steps

    def _reading(self, pair: Pair) -> ReadingCounts:
        counts = self._brackets.count(pair)
        return ReadingCounts(counts.sentences, counts.gold, counts.system, counts.matched)

    def _in_other_reading(self, pair: Pair, sentence: Sentence) -> Sentence:
        """Return a system sentence in the reading (strict or repaired) that the run does not use."""
        answer = sentence.answer
        if answer is None or answer.valid:
            return sentence
        if self._settings.repair or answer.reason is not None:
            return sentence._replace(tree=EMPTY, source=EMPTY)
        return self._with_tree(pair, sentence, self._tree(sentence, answer))

    def _tree(self, sentence: Sentence, answer: Answer) -> Tree:
        """Return the tree of an answer, repaired if necessary; empty if it has none."""
        if answer.reason is not None:
            return EMPTY
        return sentence.source if sentence.source.words else self._prepared(parse_answer(answer.text))

    def _with_tree(self, pair: Pair, sentence: Sentence, tree: Tree) -> Sentence:
        other = sentence._replace(tree=tree, source=tree)
        if self._settings.identical_words and pair.with_system([other]).counted[0]:
            # A tree over other words counts as no parse.
            return sentence._replace(tree=EMPTY, source=EMPTY)
        return other

    def _label_counts(self, trees: Sequence[Tree]) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for tree in trees:
            for label, is_tag, start, end in zip(tree.labels, tree.preterminals, tree.starts, tree.ends):
                name = f"tag {label}" if is_tag else self._rules.resolve(label) if start < end else None
                if name is not None:
                    counts[name] += 1
        return dict(counts)

    def lines(self, record: AnswerCounts) -> Sequence[Line]:
        words = record.words
        return (
            *[one.line_of(record) for one in self.figures if one not in _OF_LISTS or record.samples.prompts],
            Line("Sentences, strict", record.strict.sentences, "count"),
            Line("Sentences, repaired", record.with_repairs.sentences, "count"),
            Line("Sentences, valid only", record.valid_only.sentences, "count"),
            *[
                Line("Answers per prompt", ratio(samples.answers, samples.prompts), "number")
                for samples in [record.samples]
                if samples.prompts
            ],
            Line("Answers", record.answers, "count"),
            Line("Valid answers", record.valid, "count"),
            Line("Repaired answers", record.repaired, "count"),
            *[
                Line(f"Repaired: {name.replace('_', ' ')}", record.repairs[name], "count")
                for name in REPAIRS
                if name in record.repairs
            ],
            *[Line(f"F1 after: {step.repair.replace('_', ' ')}", step.f1) for step in record.ladder[1:]],
            Line("Invalid answers", record.invalid, "count"),
            Line("Truncated answers", record.truncated, "count"),
            Line("Answers without some tag", record.untagged, "count"),
            Line("Words missing", words.missing, "count"),
            Line("Words added", words.added, "count"),
            Line("Words changed", words.changed, "count"),
            Line("Words repeated", words.repeated, "count"),
            Line("Words in another order", words.reordered, "count"),
            Line("Labels that gold lacks", len(record.foreign_labels), "count"),
        )

    def notes(self, record: AnswerCounts) -> Iterator[Claim]:
        counts = {
            INVALID: record.invalid,
            **record.repairs,
            TRUNCATED: record.truncated,
            UNTAGGED: record.untagged,
            UNFAITHFUL: record.answers - record.invalid - record.faithful,
        }
        for kind, count in counts.items():
            names = record.named.get(kind, ())
            if names:
                more = f", and {count - len(names)} more" if count > len(names) else ""
                title = f"repaired ({kind.replace('_', ' ')})" if kind in REPAIRS else kind
                if kind == UNTAGGED:
                    title = "words without a tag, where F1 means something else"
                shown = f"sentence{'s' * (count > 1)} {', '.join(names)}{more}"
                yield Claim(
                    "of_kind", {"title": title, "defect": kind, "count": count, "shown": visible(shown)}
                )
        valid, every = record.valid_only.sentences, record.strict.sentences
        if record.asked and valid < every:
            yield Claim("valid_only", {"valid": valid, "every": every})


def _name(sentence: Sentence) -> str:
    return sentence.source.id or str(sentence.number)


def _as_answer(sentence: Sentence) -> Answer:
    if sentence.error is not None:
        return Answer("", reason=str(sentence.error))
    return Answer("", reason=None if sentence.source.words else "the tree has no word")


_BRACKETS = {"-LRB-": "(", "-RRB-": ")"}


def _written(tree: Tree) -> list[str]:
    """Return the words of a tree as in running text: without traces, and with plain brackets."""
    return [_BRACKETS.get(word, word) for word, tag in zip(tree.words, tree.tags) if tag != "-NONE-"]
