"""Reports of evaluations under way: written as the results come, where the format allows it.

JSON has its sums before its sentences, so the sentences wait in a file.  Markdown and LaTeX
need the widths of all cells, and so the cells of all rows; HTML needs the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..flow.run import Run
from ..flow.summary import Lines, SentenceResult
from ..model.errors import JpevalbError
from . import FORMATS, render

# Rows written at once.  Few: their trees live until then, and memory that is used again is fast.
_ROWS = 16

Write = Callable[[str], Any]


def write_report(
    run: Run,
    results: Iterable[SentenceResult],
    format: str,
    write: Write,
    *,
    quiet: bool = False,
    **names: str,
) -> None:
    """Writes what ``run.evaluation(list(run)).report(format)`` would return.

    Args:
        run: The evaluation.
        results: Its results; iterated over once, to the end.
        format: One of ``jpevalb.report.FORMATS``.
        write: Takes the text, piece by piece.
        quiet: Whether to leave out the sentences.
        **names: What the two sides are called, as for ``jpevalb.report.render``.

    Raises:
        JpevalbError: as iterating over the run.
        SettingsError: an unknown format.

    Cost: that of the run; memory for a few results, but for Markdown and LaTeX the cells of
    all rows, and for HTML all results.
    """
    if format == "html" or format not in FORMATS:
        write(render(run.evaluation(list(results)), format, quiet=quiet, **names))
    elif quiet:
        for _ in results:
            pass
        write(render(run.evaluation(), format, quiet=True))
    elif format in _WRITERS:
        _WRITERS[format](run, results, write)
    else:
        from .sheet import result_row, sheet
        from .table import latex_of, markdown_of

        rows = [result_row(result, run.metrics) for result in results]
        content = sheet(run.evaluation(), rows=rows)
        write(markdown_of(content) if format == "markdown" else latex_of(content))


def _write_text(run: Run, results: Iterable[SentenceResult], write: Write) -> None:
    from . import text

    # Nothing is written before something could be read.
    head = text.header(run.metrics)
    for some in _in_groups(results):
        lines = text.numbered(some[0]) if isinstance(some[0], Lines) else text.rows(some, run.metrics)
        write(head + lines)
        head = ""
    evaluation = run.evaluation()
    write(head + text.totals(evaluation))
    write(text.summary(evaluation))


def _in_groups(results: Iterable[Any]) -> Iterator[list[Any]]:
    """The results, a few at once; lines that workers made are a group of their own.

    What came before an error is handed out before it.
    """
    waiting: list[Any] = []
    try:
        for result in results:
            waiting.append(result)
            if isinstance(result, Lines):
                if len(waiting) > 1:
                    yield waiting[:-1]
                yield [result]
                waiting.clear()
            elif len(waiting) == _ROWS:
                yield waiting
                waiting.clear()
    except JpevalbError:
        if waiting:
            yield waiting
        raise
    if waiting:
        yield waiting


def _write_json(run: Run, results: Iterable[SentenceResult], write: Write) -> None:
    from . import json

    pieces = (json.sentence(result, run.metrics) for result in results)
    write_json(pieces, lambda: run.evaluation().to_dict(), write)


def write_json(sentences: Iterable[str], content: Callable[[], dict[str, Any]], write: Write) -> None:
    """Writes a JSON object whose last key is ``sentences``.

    Args:
        sentences: The texts of the sentences.
        content: Gives the rest once they have all come.
        write: Takes the text.
    """
    from tempfile import TemporaryFile

    from .json import around_sentences

    with TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n") as spool:
        between = "\n  "
        for sentence in sentences:
            spool.write(between + sentence)
            between = ",\n  "
        head, tail = around_sentences(content())
        write(head)
        spool.seek(0)
        for piece in iter(lambda: spool.read(1 << 16), ""):
            write(piece)
        write(("\n " if between != "\n  " else "") + tail)


def _write_csv(run: Run, results: Iterable[SentenceResult], write: Write) -> None:
    from .table import csv_lines

    _write_rows(run, results, write, csv_lines)


def _write_tsv(run: Run, results: Iterable[SentenceResult], write: Write) -> None:
    from .table import tsv_lines

    _write_rows(run, results, write, tsv_lines)


def _write_rows(run: Run, results: Iterable[SentenceResult], write: Write, lines: Any) -> None:
    from .sheet import result_row, sheet

    fields = None
    for some in _in_groups(results):
        if fields is None:
            fields = sheet(run.evaluation(), quiet=True).sentences.fields
            write(lines(fields, [[field.name for field in fields]]))
        write(lines(fields, [result_row(result, run.metrics) for result in some]))
    table = sheet(run.evaluation(), quiet=True).sentences
    if fields is None:
        write(lines(table.fields, [[field.name for field in table.fields]]))
    write(lines(table.fields, table.rows))


_WRITERS: dict[str, Callable[[Run, Iterable[SentenceResult], Write], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "tsv": _write_tsv,
}
