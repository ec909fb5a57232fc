"""The command jpevalb-average: reads several systems' trees and writes their average trees."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from ..averaging import Average, check_kind, exact_weights, find_average
from ..base.errors import InputError, JpevalbError, SettingsError, TreeError, reported
from ..base.files import input_name, reject_inputs, reject_shared, whole_file
from ..base.text import NAMED, visible
from ..base.values import FILE, NAME, decimal, one_of
from ..formats.read import read
from ..formats.writers import WRITE_FORMATS, write
from ..score.workers import workers
from ..settings.options import READ_OPTIONS, Option
from ..trees.tree import EMPTY, Tree
from . import guarded, run_process, say
from .arguments import JOBS, OTHER, OUT, CommandParser, Namespace, Watch, terminal_bar

_EPILOG = """\
examples:
  jpevalb-average a.mrg b.mrg c.mrg -o average.mrg
  jpevalb-average a.export b.export --weights 2,1 --to discbracket
  jpevalb-average systems/*.mrg --labeled | jpevalb gold.mrg -
"""

_TOGETHER = 32  # sentences in a worker's task


def run() -> int:
    """Run the installed command."""
    return run_process(main)


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit status: 0 done, 1 failed, 2 usage, 130 interrupted."""
    return guarded("jpevalb-average", lambda: parser().run(argv, _average_files))


# fmt: off
ROWS = {
    "systems": Option(
        "files", "SYSTEM", "trees; - is stdin; .gz, .bz2 and .xz are read", FILE, flags=("systems",),
        argparse={"nargs": "*"}),
    "weights": Option("average", "W,W,...", "a number for each system (default: all equal)", NAME),
    "labeled": Option("average", "", "maximise labelled F1 instead"),
    "binary": Option("average", "", "unlabelled binary trees, completed to the right"),
    "limit": Option(
        "average", "SECONDS", "time per sentence; then the best tree so far",
        decimal("a number of seconds above 0", lambda limit: limit > 0)),
    "format": READ_OPTIONS["format"]._replace(argparse={"default": "auto"}),
    "field": READ_OPTIONS["field"]._replace(group="input"),
    "encoding": READ_OPTIONS["encoding"],
    "on_error": READ_OPTIONS["on_error"]._replace(argparse={"default": "stop"}),
    "out": OUT._replace(group="output"),
    "to": Option(
        "output", "FORMAT", f"{', '.join(WRITE_FORMATS)} (default: as input)", one_of(*WRITE_FORMATS)),
    "jobs": JOBS,
    **{**OTHER, "help": OTHER["help"]._replace(help="this help")},
}
# fmt: on


def parser() -> CommandParser:
    return CommandParser(
        "jpevalb-average",
        ROWS,
        ("files", "average", "input", "output", "speed", "other"),
        usage="jpevalb-average [options] SYSTEM [SYSTEM ...]",
        description="Writes for each sentence the tree that agrees best with several systems' trees:\n"
        "of all trees, the one with the greatest sum of weighted, unlabelled F1 scores.\n"
        "Constituents may have gaps. All files have the same sentences in the same order;\n"
        "a system without a parse for a sentence is left out there, with a warning.",
        epilog=_EPILOG,
    )


class Parses(NamedTuple):
    """The trees of one sentence, from the systems that have a parse for it."""

    sentence: str  # number and id, for messages
    id: str | None
    names: list[str]
    trees: list[Tree]  # none if no system of a weight above 0 has a parse; the average is then the empty tree
    weights: Sequence[int] | None


class AveragedSystems:
    """The systems' files, read in parallel."""

    def __init__(self, paths: list[Any], options: Namespace, weights: tuple[int, ...] | None) -> None:
        self.formats: list[str] = []  # of the files, complete once the first sentence is read
        self._names = [input_name(path) for path in paths]
        self._weights = weights
        self._unparsed: list[list[int]] = [[] for _ in paths]

        def unreadable(error: TreeError) -> None:
            if options.on_error == "stop":
                raise reported(error, after="; use --on-error skip to skip such sentences") from None
            _say(f"warning: {error}; it counts as a sentence without a parse")

        how = {"encoding": options.encoding, "field": options.field, "on_error": unreadable}
        self._files = [read(path, options.format, on_format=self.formats.append, **how) for path in paths]

    def __iter__(self) -> Iterator[Parses]:
        """Yield the parses of each sentence; raise a TreeError if one file ends before the others."""
        for number, row in enumerate(zip_longest(*self._files), 1):
            if None in row:
                longer = next(name for name, tree in zip(self._names, row) if tree is not None)
                raise TreeError(
                    f"the file ends after {number - 1} sentence{'s' * (number != 2)}, but {longer} goes on; "
                    "expected the same sentences in all files",
                    source=self._names[row.index(None)],
                )
            id = next((tree.id for tree in row if tree.id is not None), None)
            sentence = f"sentence {number}" if id is None else f"sentence {number} (id {id!r})"
            parsed = [k for k, tree in enumerate(row) if tree.words]
            if len(parsed) < len(row):
                for k in set(range(len(row))).difference(parsed):
                    self._unparsed[k].append(number)
            weights = None if self._weights is None else [self._weights[k] for k in parsed]
            if weights is not None and not any(weights):
                parsed = []
            yield Parses(sentence, id, [self._names[k] for k in parsed], [row[k] for k in parsed], weights)

    def warn(self) -> None:
        """Print a warning for each system without a parse for some sentences."""
        for name, numbers in zip(self._names, self._unparsed):
            if numbers:
                named = ", ".join(map(str, numbers[:NAMED])) + (", ..." if len(numbers) > NAMED else "")
                which = "sentence" if len(numbers) == 1 else "sentences"
                text = f"warning: {name} has no parse for {len(numbers)} {which} ({which} {named})"
                say("jpevalb-average", f"{text}; averaged without it there")


def _average_files(options: Namespace) -> int:
    paths: list[str] = options.systems
    if not paths:
        raise SettingsError("no files to average; expected one or more (--help shows how)")
    reject_shared(paths, "several")
    reject_inputs(options.out, paths)
    check_kind(options.binary, options.labeled)
    weights = options.weights
    if weights is not None:
        weights = exact_weights([text.strip() for text in weights.split(",")], len(paths))
    watch = Watch(paths, terminal_bar())
    systems = AveragedSystems(watch.paths, options, weights)
    sentences = iter(systems)
    first = list(islice(sentences, 1))
    if not first:
        raise InputError(f"no tree in {' and in '.join(paths)}; check that the right files were given")
    # The first format that is not bracket text and can be written
    formats = ["export" if one in ("tigerxml", "alpino") else one for one in systems.formats]
    to = options.to or next((one for one in formats if one in WRITE_FORMATS and one != "bracket"), "bracket")
    out = getattr(sys.stdout, "buffer", sys.stdout) if options.out in (None, "-") else options.out
    # The averages are closed first, so that no task is left when the output or the workers fail.
    found = closing(_averages(chain(first, sentences), options))
    with whole_file(out, options.encoding or "utf-8") as put, found as averages:
        marked = _MarkedOutput(put, to, options.limit)
        write(marked.trees(watch.results(averages)), marked, to)
    systems.warn()
    return 0


def _say(text: str) -> None:
    """Write a line to stderr, above the progress bar if there is one."""
    tqdm = sys.modules.get("tqdm")
    if tqdm is None:
        say("jpevalb-average", text)
    else:
        tqdm.tqdm.write(f"jpevalb-average: {visible(text)}", file=sys.stderr)


class _MarkedOutput:
    """Writes averages, with a comment at those that are not proven best."""

    def __init__(self, put: Callable[[str], object], format: str, limit: float | None) -> None:
        self._put = put
        self._format = format
        self._limit = limit
        self._mark = False

    def trees(self, averages: Iterable[tuple[Parses, Average]]) -> Iterator[Tree]:
        """Yield the trees; each one is written before the next is computed."""
        for parses, average in averages:
            self._mark = not average.exact
            if self._mark:
                took = f"{parses.sentence} takes longer than {self._limit:g} s"
                _say(f"{took}; its tree is the best found so far")
            yield average.tree

    def write(self, text: str) -> None:
        if self._mark:
            comment = f"%% best tree found in {self._limit:g} s"
            if self._format.startswith("export"):
                text = f"{comment}\n{text}"
            elif self._format.startswith("discbracket"):
                text = f"{text[:-1]}\t{comment}\n"
        self._put(text)


def _averages(
    sentences: Iterator[Parses], options: Namespace
) -> Generator[tuple[Parses, Average], None, None]:
    how = {"binary": options.binary, "labeled": options.labeled, "limit": options.limit}
    size = 1 if options.jobs == 1 else _TOGETHER
    calls = ((chunk, how) for chunk in iter(lambda: list(islice(sentences, size)), []))
    with workers(options.jobs) as pool:
        done: Iterator[tuple[Sequence[Any], list[Average]]] = (
            pool.map_calls(_average_chunk, calls)
            if pool
            else ((call, _average_chunk(*call)) for call in calls)
        )
        for (chunk, _), averages in done:
            yield from zip(chunk, averages)


def _average_chunk(chunk: list[Parses], how: dict[str, Any]) -> list[Average]:
    averages = []
    for parses in chunk:
        try:
            averages.append(
                find_average(parses.trees, parses.weights, names=parses.names, **how)
                if parses.trees
                else Average(EMPTY.replace(id=parses.id))
            )
        except JpevalbError as error:
            raise reported(error, f"{parses.sentence}: ") from None
    return averages
