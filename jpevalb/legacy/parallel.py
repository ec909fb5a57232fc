"""Legacy mode on several processes or machines: blocks of lines out, rows back, in order.

A block's rows hardly depend on the blocks before it: on the line numbers, on the
number of errors so far, and on whether any bracket has been scored, which cuts the
deletion list of evalb_spmrl.  So workers score blocks as if no error had come
before and a bracket had, and a block for which that is wrong and may matter is
scored once more, here.  What is printed is the same to the byte.
"""

from __future__ import annotations

from ..kernels.evalb import DEAD
from .engine import NO_ROWS, Chunk, ReadError, Stream, new_scorer, run_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from typing import Any

    from ..score.workers import Team
    from ..trees.params import Params
    from .engine import Source

    Answer = tuple[bytes, list[tuple[bytes, int]], int, bool, bool]

# A worker's share: large enough that sending it costs little, small enough that
# the last shares of a run even out.
SHARE = 1 << 20


def score_block(
    how: dict[str, Any], line: int, errors: int, list_is_cut: bool, gold: bytes, system: bytes
) -> Answer:
    """A worker's task: scores whole lines, as many on each side, with a scorer made as ``how`` says.

    Returns:
        The rows as bytes, the messages, the number of errors afterwards,
        whether the run ended inside the block, and whether a bracket has been
        scored by its end.
    """
    scorer = new_scorer(**how)
    scorer.go_on_from(line, errors, list_is_cut)
    rows = []
    code = gold_place = system_place = 0
    while code != DEAD and gold_place < len(gold):
        code = scorer.run(gold, gold_place, True, system, system_place, True, 1 << 30)
        rows.append(scorer.take_rows().tobytes())
        gold_place, system_place = scorer.places()
    return b"".join(rows), scorer.take_messages(), scorer.error_count(), code == DEAD, scorer.has_cut()


def run_parallel(
    params: Params,
    gold: Source,
    system: Source,
    executor: Executor | Team,
    *,
    dialect: str = "evalb",
    score_skipped: bool = False,
) -> Iterator[Chunk]:
    """As ``engine.run`` without debugging, with the scoring done by an executor's workers.

    Args:
        params: Settings; its ``debug`` is not used.
        gold, system: The two streams of lines.
        executor: Any ``concurrent.futures.Executor``.
        dialect, score_skipped: As for ``legacy.evaluate``.

    Raises:
        ReadError: a source cannot be read on.
        WorkerError: the workers are gone.

    Cost: O(bytes), divided by the workers; memory: the blocks of ``workers.IN_FLIGHT`` tasks.
    """
    from ..score.workers import Team

    how: dict[str, Any] = {
        "params": params.replace(debug=0),
        "dialect": dialect,
        "score_skipped": score_skipped,
    }
    sides = Stream(gold, 0), Stream(system, 1)
    errors = line = 0
    # Only evalb_spmrl looks tags up in a list that it cuts.
    cuts = dialect == "spmrl" and bool(params.quote_labels)
    list_is_cut = not cuts
    calls = _calls(how, cuts, sides)
    for call, (rows, messages, count, killed, has_cut) in Team.of(executor).answers(score_block, calls):
        line, texts = call[1], call[4:]
        if (cuts and line and not list_is_cut) or (
            errors and count and errors + count > params.max_error + 1
        ):
            # One of these errors is the last, or they come close, or a mark may be looked up otherwise.
            rows, messages, errors, killed, list_is_cut = score_block(how, line, errors, list_is_cut, *texts)
        else:
            errors, list_is_cut = errors + count, has_cut
        yield Chunk(messages, memoryview(rows).cast("q") if rows else NO_ROWS, [], killed)
        if killed:
            return
        line += texts[0].count(b"\n")
    # What is left: less than a line on one side, the end of both files or of one, or what cannot be read.
    scorer = new_scorer(**how)
    scorer.go_on_from(line, errors, list_is_cut)
    yield from run_streams(scorer, sides)


def _calls(how: dict[str, Any], cuts: bool, sides: tuple[Stream, Stream]) -> Iterator[tuple[Any, ...]]:
    """The arguments of :func:`score_block` for each share of the lines."""
    sent = 0
    while (share := _next_share(*sides)) is not None:
        number, *texts = share
        # The first share begins with the list as it was read.
        yield how, sent, 0, not cuts or sent > 0, *texts
        sent += number


def _next_share(left: Stream, right: Stream) -> tuple[int, bytes, bytes] | None:
    """Takes the same number of whole lines from both sides; None where one has none left."""
    try:
        for side in (left, right):
            side.fill(SHARE)
    except ReadError:
        # It comes again to whoever goes on here, behind all that was read before it.
        return None
    counts = [side.data.count(b"\n", side.place) for side in (left, right)]
    lines = min(counts)
    if lines == 0:
        return None
    texts = []
    for side, count in zip((left, right), counts):
        # Behind the last line end, but for lines that the other side does not have yet.
        end = len(side.data)
        for _ in range(count - lines + 1):
            end = side.data.rfind(b"\n", side.place, end)
        texts.append(side.data[side.place : end + 1])
        side.place = end + 1
    return lines, texts[0], texts[1]
