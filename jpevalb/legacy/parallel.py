"""Legacy mode on several processes or machines; the output is identical to the byte.

The rows of a block depend on earlier blocks: on the line number, the number of errors and the line buffer.
In evalb_spmrl they also depend on an earlier scored bracket, which cuts the deletion list.  Workers assume
no earlier lines and errors, and an earlier scored bracket.  If this is wrong for a block, it is scored again
here.
"""

from __future__ import annotations

from ..kernels.evalb import BELOW, DEAD
from .engine import NO_ROWS, ReadError, ScoredLines, Stream, new_scorer, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from typing import Any

    from ..score.workers import WorkerPool
    from ..settings.params import Params
    from .engine import Message, Source

    # What a scorer's method returns
    State = tuple[int, bool, bytes, list[int]]
    # Rows, messages, state, the run ended here, a line ran out of the buffer
    Answer = tuple[bytes, list[Message], State, bool, bool]

SHARE = 1 << 20  # bytes of a worker's share: cheap to transfer, small enough to balance the end of a run
ROW_BYTES = 9 * 8


def score_block(options: dict[str, Any], line: int, state: State, gold: bytes, system: bytes) -> Answer:
    """Score whole lines, the same number on each side, with a scorer of these options; run by workers."""
    scorer = new_scorer(**options)
    scorer.resume(line, *state)
    rows = b""
    messages: list[Message] = []
    code = gold_place = system_place = 0
    while code != DEAD and gold_place < len(gold):
        code = scorer.run(gold, gold_place, True, system, system_place, True)
        before = len(rows) // ROW_BYTES
        messages += [(text, times, place + before) for text, times, place in scorer.take_messages()]
        rows += scorer.take_rows().tobytes()
        gold_place, system_place = scorer.gold_place, scorer.test_place
    return rows, messages, scorer.state(), code == DEAD, scorer.ran_out


def run_parallel(
    params: Params,
    gold: Source,
    system: Source,
    executor: Executor | WorkerPool,
    *,
    dialect: str = "evalb",
    score_skipped: bool = False,
) -> Iterator[ScoredLines]:
    """Score as ``engine.run`` does, without debugging, on an executor's workers."""
    from ..score.workers import WorkerPool

    options: dict[str, Any] = {
        "params": params.replace(debug=0),
        "dialect": dialect,
        "score_skipped": score_skipped,
    }
    sides = Stream(gold, 0), Stream(system, 1)
    line = errors = 0
    buffer = bytearray()
    below = [0] * BELOW
    # Only evalb_spmrl looks up tags in a list that it cuts.
    cuts = dialect == "spmrl" and bool(params.quote_labels)
    list_is_cut = not cuts

    def calls() -> Iterator[tuple[Any, ...]]:
        sent = 0
        while (share := _next_share(*sides)) is not None:
            number, *texts = share
            # The first share begins with the uncut list.
            yield options, sent, (0, not cuts or sent > 0, b"", [-1 if sent else 0] * BELOW), *texts
            sent += number

    for call, answer in WorkerPool.of(executor).map_calls(score_block, calls()):
        line, texts = call[1], call[3:]
        rows, messages, (count, has_cut, last_lines, slots), killed, ran_out = answer
        if (
            (cuts and line and not list_is_cut)
            or (errors and count and errors + count > params.max_error + 1)
            or (ran_out and line)
        ):
            # A mark may be looked up in the uncut list, the error limit may be reached in this block, or a
            # bracket may be read on in earlier lines or closed by them.
            state = errors, list_is_cut, bytes(buffer), below
            rows, messages, state, killed, _ = score_block(options, line, state, *texts)
            errors, list_is_cut, last_lines, slots = state
        else:
            errors, list_is_cut = errors + count, has_cut
        buffer[: len(last_lines)] = last_lines
        below = [new if new >= 0 else old for old, new in zip(below, slots)]
        yield ScoredLines(messages, memoryview(rows).cast("q") if rows else NO_ROWS, [], killed)
        if killed:
            return
        line += texts[0].count(b"\n")
    # The rest: less than a line on one side, the end of one or both files, or a read error.
    scorer = new_scorer(**options)
    scorer.resume(line, errors, list_is_cut, bytes(buffer), below)
    yield from run(scorer, *sides)


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
