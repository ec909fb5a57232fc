"""Tasks: stretches of sentences as they travel to workers, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ..alignment import Bead
from ..formats import PARSED_FROM_TEXT, text_parser
from ..metrics.record import Record
from ..model.answer import Answer as ModelAnswer
from ..model.errors import JpevalbError, TreeError
from ..model.labels import Labels
from ..model.sentence import Sentence
from ..model.settings import Settings
from ..model.tree import Tree
from .pairing import Stretch
from .score import Job, Scorer, in_rows, results_of
from .sentence import State
from .tally import Tally

Packed: TypeAlias = "bytes | tuple[Tree, TreeError | None, ModelAnswer | None]"
"""A sentence as it travels: its text, or else what was read of it."""


class Part(NamedTuple):
    """The sentences of one side of a task."""

    format: str | None
    """What the texts are in."""
    numbers: list[int]
    """The places of the sentences in their file, from 1."""
    sentences: list[Packed]
    """The sentences themselves."""


class Task(NamedTuple):
    """Stretches as they travel to a worker."""

    gold: Part
    """The gold sentences of all stretches."""
    system: Part
    """The system sentences of all stretches."""
    stretches: list[tuple[int, int, bool, int, int]]
    """For each stretch how many sentences of both sides it has, and its other fields."""

    def add(self, stretch: Stretch) -> int:
        """Takes in the next stretch; how many sentences of both sides these are now.

        Of sentences that have texts these alone are kept, so that little memory is used again and again.
        """
        for part, sentences in ((self.gold, stretch.gold), (self.system, stretch.system)):
            part.numbers.extend([sentence.number for sentence in sentences])
            part.sentences.extend(
                [
                    (sentence.source, sentence.error, sentence.answer)
                    if sentence.text is None or sentence.error is not None
                    else sentence.text
                    for sentence in sentences
                ]
            )
        self.stretches.append((len(stretch.gold), len(stretch.system), *stretch[2:5]))
        return len(self.gold.numbers) + len(self.system.numbers)


class Answer(NamedTuple):
    """What a worker makes of a task."""

    size: int
    """How many results there are."""
    rows: list[str]
    """Their rows, where rows were asked for."""
    results: list[tuple[Record, Bead, State]]
    """Record, sentences and state of each, where no rows were asked for."""
    tally: Tally
    """What they add up to."""
    error: JpevalbError | None
    """What ended the work behind these results, if anything did."""


def unpacked(task: Task, labels: Labels, settings: Settings) -> Iterator[Stretch]:
    """The stretches of a task.  Cost: that of reading their sentences."""
    gold, system = (_sentences(part, labels, settings) for part in (task.gold, task.system))
    for n, m, side_by_side, gold_start, system_start in task.stretches:
        yield Stretch(
            [next(gold) for _ in range(n)],
            [next(system) for _ in range(m)],
            side_by_side,
            gold_start,
            system_start,
        )


def _sentences(part: Part, labels: Labels, settings: Settings) -> Iterator[Sentence]:
    parse = text_parser(part.format) if part.format in PARSED_FROM_TEXT else None
    whole, prune = settings.conventions.gold_deletes, labels.prune
    for number, sentence in zip(part.numbers, part.sentences):
        if isinstance(sentence, bytes):
            assert parse is not None
            tree, error, answer = parse(sentence), None, None
        else:
            tree, error, answer = sentence
        scored, outside = (tree, 0) if whole else prune(tree)
        yield Sentence(number, scored, tree, outside, error, None, answer)


def score(job: Job, task: Task) -> Answer:
    """A worker's work.  Cost: that of reading and scoring the sentences."""
    scorer = Scorer(job.settings)
    tally = Tally(scorer.zero, job.cutoff, by_state=scorer.same_words)
    rows: list[str] = []
    kept: list[tuple[Record, Bead, State]] = []
    error = None
    results = results_of(unpacked(task, scorer.labels, job.settings), scorer, job, tally)
    try:
        if job.rows is None:
            for result in results:
                kept.append((result.record, result.bead, result.state))
        else:
            for found in in_rows(results, job.rows, scorer):
                rows += found.lines
    except JpevalbError as raised:
        error = raised
    tally.seen_deleted = scorer.labels.seen_deleted
    tally.fold()
    return Answer(tally.count, rows, kept, tally, error)
