"""Legacy mode on several processes or machines; the output is identical to the byte.

The rows of a block depend on earlier blocks only by the line numbers, the number of errors, and whether any
bracket has been scored, which cuts the deletion list of evalb_spmrl.  So workers assume no earlier errors and
an earlier bracket.  A block for which that is wrong and may matter is scored again here.
"""

from __future__ import annotations

from ..kernels.evalb import DEAD
from .engine import NO_ROWS, ReadError, ScoredLines, Stream, new_scorer, run_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from typing import Any

    from ..score.workers import WorkerPool
    from ..trees.params import Params
    from .engine import Source

    Answer = tuple[bytes, list[tuple[bytes, int]], int, bool, bool]

# Bytes of a worker's share: large enough for cheap transfer, small enough to balance the end of a run
SHARE = 1 << 20


def score_block(
    options: dict[str, Any], line: int, errors: int, list_is_cut: bool, gold: bytes, system: bytes
) -> Answer:
    """Score whole lines, the same number on each side, with a scorer of these options; run by workers.

    Returns the rows as bytes, the messages, the number of errors so far, and whether the run ended inside the
    block and whether a bracket has been scored by its end.
    """
    scorer = new_scorer(**options)
    scorer.resume(line, errors, list_is_cut)
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
    executor: Executor | WorkerPool,
    *,
    dialect: str = "evalb",
    score_skipped: bool = False,
) -> Iterator[ScoredLines]:
    """Score as ``engine.run`` does, without debugging, on an executor's workers.

    Raises:
        ReadError: A source cannot be read.
        WorkerError: The workers are lost.
    """
    from ..score.workers import WorkerPool

    options: dict[str, Any] = {
        "params": params.replace(debug=0),
        "dialect": dialect,
        "score_skipped": score_skipped,
    }
    sides = Stream(gold, 0), Stream(system, 1)
    errors = line = 0
    # Only evalb_spmrl looks up tags in a list that it cuts.
    cuts = dialect == "spmrl" and bool(params.quote_labels)
    list_is_cut = not cuts
    calls = _calls(options, cuts, sides)
    for call, (rows, messages, count, killed, has_cut) in WorkerPool.of(executor).map_calls(
        score_block, calls
    ):
        line, texts = call[1], call[4:]
        if (cuts and line and not list_is_cut) or (
            errors and count and errors + count > params.max_error + 1
        ):
            # The error limit may be reached in this block, or a mark may be looked up in the uncut list.
            rows, messages, errors, killed, list_is_cut = score_block(
                options, line, errors, list_is_cut, *texts
            )
        else:
            errors, list_is_cut = errors + count, has_cut
        yield ScoredLines(messages, memoryview(rows).cast("q") if rows else NO_ROWS, [], killed)
        if killed:
            return
        line += texts[0].count(b"\n")
    # The rest: less than a line on one side, the end of one or both files, or a read error.
    scorer = new_scorer(**options)
    scorer.resume(line, errors, list_is_cut)
    yield from run_streams(scorer, sides)


def _calls(options: dict[str, Any], cuts: bool, sides: tuple[Stream, Stream]) -> Iterator[tuple[Any, ...]]:
    """Yield the arguments of :func:`score_block` for each share of the lines."""
    sent = 0
    while (share := _next_share(*sides)) is not None:
        number, *texts = share
        # The first share begins with the uncut list.
        yield options, sent, 0, not cuts or sent > 0, *texts
        sent += number


def _next_share(gold: Stream, system: Stream) -> tuple[int, bytes, bytes] | None:
    """Take the same number of whole lines from both sides; ``None`` if one has none left."""
    try:
        for side in (gold, system):
            side.fill(SHARE)
    except ReadError:
        # The error is raised again by the next read, after the data before it.
        return None
    counts = [side.data.count(b"\n", side.position) for side in (gold, system)]
    lines = min(counts)
    if lines == 0:
        return None
    texts = []
    for side, count in zip((gold, system), counts):
        # The last line end, before lines that the other side does not have yet.
        end = len(side.data)
        for _ in range(count - lines + 1):
            end = side.data.rfind(b"\n", side.position, end)
        texts.append(side.data[side.position : end + 1])
        side.position = end + 1
    return lines, texts[0], texts[1]
