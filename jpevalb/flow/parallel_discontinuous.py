"""Discontinuous mode on workers: stretches of both files out, packed counts back, in order.

Both files are cut behind as many sentences, so that where a stretch begins no more has been
read of the one than of the other.  A worker pairs and scores what has its partner in the same
stretch and sends the other sentences back, to be paired here.  Where something is odd (an
error that ends the run, an id that stands twice, a sentence that does not end with the
stretch) the sentences from the stretch on are read and scored here, one by one, from the
state that one process would have: so they give the same.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .._core.scan import LabelCache
from ..alignment.pair import Pair
from ..alignment.pair import Sentence as PairSentence
from ..formats import read
from ..formats.bracket import Origin, as_utf8, is_one_a_line, read_one_a_line, sample_of
from ..formats.discbracket import read_discbracket
from ..formats.export import read_export
from ..formats.files import input_name, is_utf8, is_wide, open_blocks, open_lines
from ..metrics.gaps import DiscontinuousCounts
from ..model.errors import JpevalbError, TreeError
from ..model.ids import Names
from ..model.labels import Labels
from ..model.settings import Settings
from ..model.tree import Tree
from .discontinuous import DiscontinuousSentence, Pairing, Queue, Run, Sentence, score_sentence
from .parallel_division import Feed, lines_of, readable_by_others, starts_behind
from .parallel_packing import Packing
from .parallel_stretches import EXPORT, LINES, Layout, Stretch
from .run import BeadScorer

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .workers import Team

_PACKING = Packing(DiscontinuousCounts())

_BEGINS = re.compile(rb"^#BOS[ \t\n\v\f\r]", re.MULTILINE)
_BLANKS = b" \t\n\v\f\r"


@dataclass(frozen=True, slots=True)
class Job:
    """What all stretches of one evaluation have in common.

    Attributes:
        settings: With the .prm itself in place of its name.
        by_id: Whether sentences pair up by id.
        names: What messages call the two files.
    """

    settings: Settings
    by_id: bool
    names: tuple[str, str]


class Answer(NamedTuple):
    """What a worker found in a stretch of both files; numbers are those of the sentences in them."""

    rows: list[tuple[int, int, str | None, int, str, str | None, tuple[Any, ...]]]
    """For each gold sentence with a partner: its number and the partner's, id, length, status,
    reason and packed counts."""
    left: list[tuple[int, Tree, TreeError | None]]
    """Gold sentences without a partner here."""
    right: list[tuple[int, Tree, TreeError | None]]
    """The system's."""
    numbers: tuple[int, int]
    """Sentences of each side."""
    ids: tuple[list[str], list[str]]
    """Their ids, where they pair up by id and have one that can be used."""
    named: tuple[list[str], list[str]]
    """The ids that the readers met, each once."""
    fired: bool
    """Whether a label or tag to leave out was met."""


def score_stretch(job: Job, gold: Stretch, system: Stretch) -> Answer | None:
    """A worker's task; ``None`` where something is odd.

    Cost: that of reading and scoring.
    """
    scorer = BeadScorer(job.settings)
    pairing = (_ById if job.by_id else _ByOrder)()
    rows = []
    numbers = [0, 0]
    named = _Recorder(), _Recorder()
    try:
        left_side, right_side = (_read(part, job.settings, seen) for part, seen in zip((gold, system), named))
        for both in zip_longest(left_side, right_side):
            for side, sentence in enumerate(both):
                numbers[side] += sentence is not None
            # Scored as soon as it is there: few trees live at a time.
            for mine, other in pairing.pairs(both):
                found = score_sentence(scorer, job.settings, job.names[1], mine, other)
                counts = _PACKING.pack(found.counts)
                rows.append(
                    (mine.number, other.number, found.id, found.length, found.status, found.reason, counts)
                )
    except (JpevalbError, OSError, _OddError):
        return None
    if numbers[0] != numbers[1] and not (gold.last and system.last):
        return None
    rows.sort()
    left, right = ([(item.number, item.tree, item.error) for item in side] for side in pairing.alone())
    return Answer(
        rows,
        left,
        right,
        (numbers[0], numbers[1]),
        pairing.ids,
        (named[0].names, named[1].names),
        scorer.labels.fired,
    )


class _OddError(Exception):
    """A stretch that cannot be judged alone."""


class _Recorder(Names):
    """Names, with a list of them."""

    __slots__ = ("names",)

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def add(self, name: str) -> bool:
        new = super().add(name)
        if new:
            self.names.append(name)
        return new


Both: TypeAlias = "tuple[Sentence | None, Sentence | None]"


class _ByOrder:
    """Sentences that stand at one place of both files are partners."""

    def __init__(self) -> None:
        self.ids: tuple[list[str], list[str]] = [], []
        self._alone: tuple[list[Sentence], list[Sentence]] = [], []

    def pairs(self, both: Both) -> list[tuple[Sentence, Sentence]]:
        """The partners that the next sentence of each side makes."""
        mine, other = both
        if mine is not None and other is not None:
            return [(mine, other)]
        for sentence, side in zip(both, self._alone):
            if sentence is not None:
                side.append(sentence)
        return []

    def alone(self) -> tuple[list[Sentence], list[Sentence]]:
        """The sentences without a partner, gold and system, in order."""
        return self._alone


class _ById:
    """Sentences with one id are partners."""

    def __init__(self) -> None:
        self.ids: tuple[list[str], list[str]] = [], []
        self._met: tuple[set[str], set[str]] = set(), set()
        self._waiting: tuple[dict[str, Sentence], dict[str, Sentence]] = {}, {}

    def pairs(self, both: Both) -> list[tuple[Sentence, Sentence]]:
        """The partners that the next sentence of each side makes.

        Raises:
            _OddError: a tree without an id, or one whose id has been met.
        """
        found = []
        for side, sentence in enumerate(both):
            if sentence is None:
                continue
            name = sentence.tree.id
            if name is None and sentence.error is None:
                raise _OddError
            if not name:
                self.ids[side].append("")
                self._waiting[side][f"\0{sentence.number}"] = sentence
                continue
            if name in self._met[side]:
                raise _OddError
            self._met[side].add(name)
            self.ids[side].append(name)
            partner = self._waiting[1 - side].pop(name, None)
            if partner is None:
                self._waiting[side][name] = sentence
            else:
                found.append((partner, sentence) if side else (sentence, partner))
        return found

    def alone(self) -> tuple[list[Sentence], list[Sentence]]:
        """The sentences without a partner, gold and system, in order."""
        gold, system = self._waiting
        return list(gold.values()), list(system.values())


def _read(stretch: Stretch, settings: Settings, seen: Names | None = None) -> Iterator[Sentence]:
    """The sentences of a stretch.

    Args:
        stretch: Part of a file.
        settings: What to do with sentences that cannot be read.
        seen: Takes in the ids that the reader meets.

    Raises:
        _OddError: its end is not the end of a sentence.
    """
    data = stretch.bytes()
    skip = settings.on_error == "skip"
    errors: list[TreeError] = []
    start = stretch.start
    trees = _trees(stretch.layout, lines_of(data), start.line, start.offset, skip, errors, seen)
    count, sentence = 0, None
    for sentence in _numbered(trees, start.sentence + 1, errors):
        count += 1
        yield sentence
    if stretch.last:
        return
    if stretch.layout.kind == LINES:
        if count != data.count(b"\n"):
            raise _OddError
    elif count != len(_BEGINS.findall(data)) or (sentence is not None and sentence.error):
        raise _OddError


def _trees(
    layout: Layout,
    lines: Any,
    line: int,
    offset: int,
    skip: bool,
    errors: list[TreeError],
    seen: Names | None,
) -> Iterator[Tree]:
    """The trees from a line of a file on."""
    on_error = errors.append if skip else None
    name, encoding = layout.source, layout.encoding
    if layout.kind == EXPORT:
        return read_export(
            lines, source=name, encoding=encoding, on_error=on_error, first=line + 1, seen=seen
        )
    if layout.format == "discbracket":
        return read_discbracket(lines, source=name, encoding=encoding, on_error=on_error, first=line + 1)
    if not line:
        # A byte order mark is one on the file's first line only.
        lines = as_utf8(lines, name, encoding)
    return read_one_a_line(lines, Origin(name, encoding, LabelCache()), on_error, line + 1, offset)


class _Task(NamedTuple):
    stretches: tuple[Stretch, Stretch]
    future: Future[Answer | None]


class Divided:
    """The results of a run whose stretches workers score.

    Args:
        run: The run.
        team: The workers.
        layouts: How the two files are read.
    """

    def __init__(self, run: Run, team: Team, layouts: list[Layout]) -> None:
        self._run = run
        self._team = team
        self._layouts = layouts
        settings = run.settings
        if settings.prm is not None:
            settings = settings.replace(prm=settings.params())
        by_id = run.paired_by == "id"
        self._job = Job(settings, by_id, (run.gold_name, run.system_name))
        self._pairing = Pairing(run)
        # The ids that the readers of one process would have met.
        self._seen = Names(), Names()
        self._number = 0

    @classmethod
    def of(cls, run: Run, team: Team) -> Divided | None:
        """The run divided; ``None`` if it is not for workers, or is in trouble from the beginning."""
        firsts, layouts = [], []
        for source in (run.gold, run.system):
            found = _layout(source, run.settings)
            if found is None:
                return None
            firsts.append(found[0])
            layouts.append(found[1])
        if run.paired_by == "auto":
            named = all(first is not None and first.id is not None for first in firsts)
            run.paired_by = "id" if named else "order"
        return cls(run, team, layouts)

    def results(self, queue: Queue) -> Iterator[DiscontinuousSentence]:
        """Yields them in order."""
        run, team = self._run, self._team
        waiting: deque[_Task] = deque()
        with ExitStack() as stack:
            feeds = []
            for source, layout in zip((run.gold, run.system), self._layouts):
                try:
                    feed = Feed(layout, b"", stack.enter_context(open_blocks(source)), look_ahead=False)  # type: ignore[arg-type]
                except JpevalbError as error:
                    feed = Feed(layout, b"", iter(()))
                    feed.trouble = error
                feed.path = readable_by_others(source)  # type: ignore[arg-type]
                feeds.append(feed)
            stack.callback(lambda: [task.future.cancel() for task in waiting])
            seen = [feed.path is not None and team.sees(feed.path) for feed in feeds]
            more, before = True, 0
            while True:
                while more and len(waiting) < team.in_flight:
                    cut = _cut(feeds[0], feeds[1], before)
                    if cut is None:
                        more = False
                        break
                    stretches, before = cut
                    sent = [
                        stretch.in_file(feed.path) if visible and feed.path is not None else stretch
                        for stretch, feed, visible in zip(stretches, feeds, seen)
                    ]
                    waiting.append(_Task(stretches, team.submit(score_stretch, self._job, sent[0], sent[1])))
                    if waiting[0].future.done():
                        break
                if not waiting:
                    break
                answer = team.result(waiting[0].future)
                accepted = None if answer is None else self._accepted(waiting[0], answer)
                if accepted is None:
                    break
                for result in accepted:
                    queue.put(result)
                for source, stretch in zip((run.gold, run.system), waiting.popleft().stretches):
                    if hasattr(source, "advance"):
                        source.advance(stretch.target)
                for result in queue.ready():
                    run.add(result)
                    yield result
            yield from self._here(list(waiting), feeds, queue)

    def _accepted(self, task: _Task, answer: Answer) -> list[DiscontinuousSentence] | None:
        """The results of a stretch; ``None``, and nothing changed, where it does not stand."""
        run, pairing = self._run, self._pairing
        alone = [
            {number: Sentence(number, tree, error) for number, tree, error in side}
            for side in (answer.left, answer.right)
        ]
        known = [(answer.ids, pairing.seen)] if self._job.by_id else []
        for both, met in (*known, (answer.named, self._seen)):
            for names, seen in zip(both, met):
                if any(name in seen for name in names if name):
                    return None
        found = []
        later = _Later(run, task.stretches)
        for number, other, id, length, status, reason, counts in answer.rows:
            trees = None if status else later.trees(number, other)
            record = _PACKING.unpack(counts)
            found.append(DiscontinuousSentence(number, id, length, status, reason, record, trees))
        if self._job.by_id:
            try:
                found += self._matched(alone)
            except TreeError:
                return None
            for ids, seen in zip(answer.ids, pairing.seen):
                for name in filter(None, ids):
                    seen.add(name)
            pairing.paired = pairing.paired or bool(answer.rows)
        else:
            for sentence in alone[0].values():
                found.append(score_sentence(run.scorer, run.settings, run.system_name, sentence, None))
            for sentence in alone[1].values():
                run.note_extra(sentence)
        for names, seen in zip(answer.named, self._seen):
            for name in names:
                seen.add(name)
        run.scorer.labels.fired = run.scorer.labels.fired or answer.fired
        self._number += max(answer.numbers)
        return found

    def _matched(self, alone: list[dict[int, Sentence]]) -> list[DiscontinuousSentence]:
        """The results of sentences whose partners are in other stretches.

        Raises:
            TreeError: one that ends the run; then nothing has changed.
        """
        run, pairing = self._run, self._pairing
        left, right = dict(pairing.left), dict(pairing.right)
        found = []
        for number in sorted(alone[0].keys() | alone[1].keys()):
            for place, side in enumerate(alone):
                sentence = side.get(number)
                if sentence is None:
                    continue
                name = f"\0{sentence.number}" if sentence.tree.id is None else sentence.tree.id
                partner = (right, left)[place].pop(name, None)
                if partner is None:
                    (left, right)[place][name] = sentence
                    continue
                mine, other = (sentence, partner) if place == 0 else (partner, sentence)
                found.append(score_sentence(run.scorer, run.settings, run.system_name, mine, other))
        pairing.left, pairing.right = left, right
        pairing.paired = pairing.paired or bool(found)
        return found

    def _here(self, tasks: list[_Task], feeds: list[Feed], queue: Queue) -> Iterator[DiscontinuousSentence]:
        """Goes on to the end in this process."""
        run = self._run
        skip = run.settings.on_error == "skip"
        sides = []
        for place, feed in enumerate(feeds):
            held = [task.stretches[place] for task in tasks]
            start = held[0].start if held else feed.start
            lines = chain(
                chain.from_iterable(lines_of(stretch.bytes()) for stretch in held), feed.rest(keep=False)
            )
            errors: list[TreeError] = []
            trees = _trees(feed.layout, lines, start.line, start.offset, skip, errors, self._seen[place])
            sides.append(_numbered(trees, self._number + 1, errors))
        return run.one_by_one(sides[0], sides[1], self._pairing, queue)


def _numbered(trees: Iterator[Tree], first: int, errors: list[TreeError]) -> Iterator[Sentence]:
    for number, tree in enumerate(trees, first):
        yield Sentence(number, tree, errors.pop() if errors else None)


class _Later:
    """The trees of a stretch, read once more when they are asked for."""

    def __init__(self, run: Run, stretches: tuple[Stretch, Stretch]) -> None:
        self._run = run
        self._stretches = stretches
        self._sides: list[list[Sentence]] = []

    def trees(self, gold: int, system: int) -> Callable[[], tuple[Pair, Labels]]:
        """A function that gives two of them as a pair."""

        def read_again() -> tuple[Pair, Labels]:
            if not self._sides:
                self._sides = [list(_read(stretch, self._run.settings)) for stretch in self._stretches]
            places = [number - 1 - self._stretches[0].start.sentence for number in (gold, system)]
            trees = [side[place].tree for side, place in zip(self._sides, places)]
            labels = self._run.scorer.labels
            mine, other = (PairSentence(tree, tree, 0, None) for tree in trees)
            return Pair.of_same_words(mine, other, labels), labels

        return read_again


# -- where to cut ----------------------------------------------------------------------------------


def _layout(source: Any, settings: Settings) -> tuple[Tree | None, Layout] | None:
    """A file's first tree and its layout; ``None`` where it cannot be divided."""
    if not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return None
    formats: list[str] = []
    try:
        if is_wide(settings.encoding):
            return None
        skip = settings.on_error == "skip"
        trees = read(
            source,
            settings.format,
            encoding=settings.encoding,
            on_error=(lambda error: None) if skip else None,
            on_format=formats.append,
        )
        first = next(trees, None)
        if formats == ["bracket"]:
            with open_lines(source, encoding=settings.encoding) as lines:
                if not is_utf8(settings.encoding) or not is_one_a_line(sample_of(iter(lines))):  # type: ignore[arg-type]
                    return None
    except JpevalbError:
        return None
    if formats not in (["bracket"], ["discbracket"], ["export"]):
        return None
    kind = EXPORT if formats == ["export"] else LINES
    return first, Layout(kind, input_name(source), formats[0], settings.encoding or "utf-8")


def _cut(gold: Feed, system: Feed, before: int) -> tuple[tuple[Stretch, Stretch], int] | None:
    """The next stretches, of as many sentences; ``None`` where nothing is left, or only trouble.

    Args:
        gold: The gold file.
        system: The system's.
        before: The number of sentences before.

    Returns:
        The stretches, and the number of sentences before the next ones.
    """
    share = gold.share()
    for feed in (gold, system):
        feed.fill(3 * share)
    if gold.trouble or system.trouble or not (gold.size or system.size):
        return None
    if gold.ended and system.ended and max(gold.size, system.size) <= 3 * share:
        number = gold.sentences_before(len(gold.data))
        return _taken(gold, len(gold.data), system, len(system.data), before), before + number
    for at in starts_behind(gold, share):
        number = gold.sentences_before(at)
        other = system.behind(number)
        while other == len(system.data) and system.more:
            system.fill(2 * system.size)
            other = system.behind(number)
        if not (_after_text(gold, at) and _after_text(system, other)):
            continue
        if gold.trouble or system.trouble:
            return None
        return _taken(gold, at, system, other, before), before + number
    return None


def _taken(gold: Feed, at: int, system: Feed, other: int, before: int) -> tuple[Stretch, Stretch]:
    taken = gold.take(at), system.take(other)
    mine, others = (replace(one, start=one.start._replace(sentence=before)) for one in taken)
    return mine, others


def _after_text(feed: Feed, at: int) -> bool:
    """Whether the line before a place is not blank: blank lines at an end wait for a sentence."""
    before = feed.data[feed.data.rfind(b"\n", feed.place, at - 1) + 1 : at]
    return feed.layout.kind == EXPORT or bool(before.strip(_BLANKS))
