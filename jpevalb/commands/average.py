"""The command jpevalb-average: several systems' trees in, their average trees out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice, zip_longest
from typing import IO, Any, NamedTuple

from ..averaging import Average, check_kind, exact_weights, find_average
from ..trees import plugins
from ..trees.counts import NAMED
from ..trees.detect import BLOCK, detect_format
from ..trees.errors import InputError, SettingsError, TooLargeError, TreeError
from ..trees.files import input_name, refuse_inputs
from ..trees.formats import FORMATS, file_format, read
from ..trees.frozen import replace
from ..trees.output import encoded, whole_file
from ..trees.text import visible
from ..trees.tree import EMPTY, Tree
from ..trees.writers import WRITE_FORMATS, write
from . import guarded, say
from .arguments import CommandParser, Formats, decimal_number, group, refuse_one_pipe, whole_number

_EPILOG = """\
examples:
  jpevalb-average a.mrg b.mrg c.mrg -o average.mrg
  jpevalb-average a.export b.export --weights 2,1 --to discbracket
  jpevalb-average *.mrg --labelled --jobs 4 | jpevalb gold.mrg -
"""

# Sentences that a worker process gets at once.
_CHUNK = 32
# The progress bar is for those who wait: it comes after so many seconds.
_PATIENCE = 2.0


def run() -> int:
    """The entry point of the installed command."""
    from ..score.workers import leave

    return leave(main())


def main(argv: list[str] | None = None) -> int:
    """Runs a command line and returns its exit status.

    Args:
        argv: The arguments without the program's name; those of the process if
            not given.

    Returns:
        0 done; 1 the averages could not be made; 2 usage; 130 interrupted.
    """
    return guarded("jpevalb-average", lambda: parser().run(argv, _average_files))


def parser() -> CommandParser:
    """The options of the command."""
    made = CommandParser(
        "jpevalb-average",
        usage="jpevalb-average [options] SYSTEM [SYSTEM ...]",
        description="Writes for each sentence the tree that agrees best with several systems' trees:\n"
        "of all trees, the one with the greatest sum of weighted, unlabelled F1 scores.\n"
        "Constituents may have gaps. All files have the same sentences in the same order;\n"
        "a system without a parse for one is left out there, and named on stderr.",
        epilog=_EPILOG,
    )

    add = group(made, "files")
    add("systems", "SYSTEM", "trees; '-' is stdin; .gz, .bz2 and .xz are read", nargs="*")

    add = group(made, "the average")
    add("--weights", "W,W,...", "a number for each system (default: all equal)")
    add("--labelled", "", "the greatest sum of labelled F1 scores instead")
    add("--binary", "", "unlabelled binary trees: most hits, the rest right-branching")
    add("--limit", "SECONDS", "of a sentence; then the best tree so far", type=decimal_number)

    add = group(made, "input")
    formats = Formats(["auto", *FORMATS], plugins.FORMATS)
    add("--format", "FORMAT", f"{', '.join(FORMATS)} (default: auto)", choices=formats, default="auto")
    add("--encoding", "NAME", "encoding of all files (default: UTF-8)")
    what = "an unreadable sentence: stop (default), or skip it"
    add("--on-error", "WHAT", what, choices=["stop", "skip"], default="stop")

    add = group(made, "output")
    add("-o, --out", "FILE", "write to FILE, which appears once it is whole")
    add("--to", "FORMAT", f"{', '.join(WRITE_FORMATS)} (default: as the input)", choices=WRITE_FORMATS)

    add = group(made, "speed")
    add("--jobs", "N", "average on N processes (default: 1)", type=whole_number(1), default=1)
    made.add_help_and_version(parser)
    return made


class Sentence(NamedTuple):
    """One sentence as the systems have it."""

    name: str
    """Number and id, for messages."""
    id: str | None
    trees: list[Tree]
    """Those of the systems that have a parse; without any, the average is the empty tree."""
    weights: list[int] | None


class Systems:
    """The systems' files, read side by side.

    Args:
        names: What messages call the files.
        trees: The trees of each.
        weights: Of the systems, integers; ``None`` if all are equal.
    """

    def __init__(
        self, names: list[str], trees: list[Iterator[Tree]], weights: tuple[int, ...] | None
    ) -> None:
        self._names = names
        self._trees = trees
        self._weights = weights
        # For each system how many sentences it has no parse for, and the first of them.
        self._unparsed: list[tuple[int, tuple[str, ...]]] = [(0, ())] * len(names)

    def sentences(self) -> Iterator[Sentence]:
        """Yields each sentence.

        Raises:
            TreeError: a file that ends before the others, or other words; or from a reader.
        """
        for number, row in enumerate(zip_longest(*self._trees), 1):
            if None in row:
                ended = self._names[row.index(None)]
                going = next(name for name, tree in zip(self._names, row) if tree is not None)
                raise TreeError(
                    f"the file ends after {_plural(number - 1, 'sentence')}, but {going} goes on; "
                    "expected the same sentences in all files",
                    source=ended,
                )
            yield self._sentence(number, row)

    def _sentence(self, number: int, row: Sequence[Tree]) -> Sentence:
        id = next((tree.id for tree in row if tree.id is not None), None)
        name = f"sentence {number}" if id is None else f"sentence {number} (id {id!r})"
        parsed = [k for k, tree in enumerate(row) if tree.words]
        for k, tree in enumerate(row):
            if not tree.words:
                count, first = self._unparsed[k]
                self._unparsed[k] = count + 1, (*first, str(number))[:NAMED]
            elif tree.words != row[parsed[0]].words:
                told = _difference(tree.words, row[parsed[0]].words, self._names[parsed[0]])
                raise TreeError(f"{name}: {told}", source=self._names[k])
        weights = None if self._weights is None else [self._weights[k] for k in parsed]
        if weights is not None and not any(weights):
            return Sentence(name, id, [], None)
        return Sentence(name, id, [row[k] for k in parsed], weights)

    def warnings(self) -> Iterator[str]:
        """What was left out."""
        for name, (count, first) in zip(self._names, self._unparsed):
            if count:
                named = ", ".join(first) + (", ..." if count > NAMED else "")
                which = "sentence" if count == 1 else "sentences"
                yield (
                    f"{name} has no parse for {_plural(count, 'sentence')} ({which} {named}); "
                    "averaged without it there"
                )


def _difference(words: tuple[str, ...], first: tuple[str, ...], first_name: str) -> str:
    """How the words of a sentence differ from those of the first file."""
    if len(words) != len(first):
        return (
            f"found {_plural(len(words), 'word')}, {first_name} has {len(first)}; "
            "expected the same words in all files"
        )
    place = next(place for place, (a, b) in enumerate(zip(words, first)) if a != b)
    return (
        f"word {place + 1} is {words[place]!r}, in {first_name} it is {first[place]!r}; "
        "expected the same words in all files"
    )


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _average_files(options: argparse.Namespace) -> int:
    paths: list[str] = options.systems
    encoding = options.encoding or "utf-8"
    if not paths:
        raise SettingsError("found no files to average; expected one at least (--help shows how)")
    refuse_one_pipe(paths, "several")
    refuse_inputs(options.out, paths)
    if options.limit is not None and not options.limit > 0:
        raise SettingsError(f"found --limit {options.limit:g}; expected a number of seconds above 0")
    check_kind(options.binary, options.labelled)
    weights = None
    if options.weights is not None:
        weights = exact_weights([text.strip() for text in options.weights.split(",")], len(paths))
    with ExitStack() as stack:
        sources = [_source(path, stack) for path in paths]
        to = options.to or _output_format(sources, options)
        on_error = None if options.on_error == "stop" else _tell
        systems = Systems(
            [input_name(path) for path in paths],
            [
                read(source, options.format, encoding=options.encoding, on_error=on_error)
                for source in sources
            ],
            weights,
        )
        stdout = getattr(sys.stdout, "buffer", None)
        put: Callable[[str], object] = sys.stdout.write if stdout is None else encoded(stdout, encoding)
        if options.out is not None and options.out != "-":
            put = stack.enter_context(whole_file(options.out, encoding))
        marked = _Marked(put, to, options.limit)
        # Processes end here and now, whatever happens to the output.
        averages = stack.enter_context(closing(_averages(systems, options)))
        write(marked.trees(averages), marked, to)
    for warning in systems.warnings():
        say("jpevalb-average", f"warning: {warning}")
    return 0


def _tell(error: TreeError) -> None:
    _say(f"warning: {error}; it counts as a sentence without a parse")


def _say(text: str) -> None:
    """Writes a line to stderr, above the progress bar if there is one."""
    tqdm = sys.modules.get("tqdm")
    if tqdm is None:
        say("jpevalb-average", text)
    else:
        tqdm.tqdm.write(f"jpevalb-average: {visible(text)}", file=sys.stderr)


def _source(path: str, stack: ExitStack) -> str | IO[bytes]:
    """What to read a file from; what can be read only once is opened, so that its format can be looked at."""
    if path == "-":
        return sys.stdin.buffer
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        try:
            return stack.enter_context(open(path, "rb", buffering=BLOCK))
        except OSError as error:
            raise InputError(f"cannot read the file: {error.strerror or error}", source=path) from None
    return path


def _output_format(sources: list[str | IO[bytes]], options: argparse.Namespace) -> str:
    """The format of the first file that is no bracket text, as far as it can be written."""
    for source in sources:
        found = options.format if options.format != "auto" else _format_of(source, options.encoding)
        found = "export" if found == "tigerxml" else found
        if found != "bracket" and found in WRITE_FORMATS:
            return found
    return "bracket"


def _format_of(source: Any, encoding: str | None) -> str:
    """The format of what is about to be read; whatever is wrong with it is told of when it is."""
    if isinstance(source, str):
        return file_format(source, encoding)
    try:
        return detect_format(source.peek(BLOCK))
    except (OSError, TreeError):
        return "bracket"


class _Marked:
    """Writes averages one after the other, and a comment to those that are not proven best."""

    def __init__(self, put: Callable[[str], object], format: str, limit: float | None) -> None:
        self._put = put
        self._format = format
        self._limit = limit
        self._mark = False

    def trees(self, averages: Iterable[tuple[Sentence, Average]]) -> Iterator[Tree]:
        """The trees; the one handed out last is the next to be written."""
        for sentence, average in averages:
            self._mark = not average.exact
            if self._mark:
                _say(
                    f"{sentence.name} takes longer than {self._limit:g} s; its tree is the best found so far"
                )
            yield average.tree

    def write(self, text: str) -> None:
        """Takes in the text of one sentence."""
        if self._mark:
            comment = f"%% best tree found in {self._limit:g} s"
            if self._format.startswith("export"):
                text = f"{comment}\n{text}"
            elif self._format.startswith("discbracket"):
                text = f"{text[:-1]}\t{comment}\n"
            self._mark = False
        self._put(text)


def _averages(
    systems: Systems, options: argparse.Namespace
) -> Generator[tuple[Sentence, Average], None, None]:
    """The average of each sentence in order."""
    sentences = systems.sentences()
    wanted = {"binary": options.binary, "labelled": options.labelled, "limit": options.limit}
    found: Iterable[tuple[Sentence, Average]]
    if options.jobs == 1:
        found = ((sentence, _average(sentence, wanted)) for sentence in sentences)
    else:
        found = _on_processes(sentences, options.jobs, wanted)
    if not sys.stderr.isatty():
        yield from found
        return
    from tqdm import tqdm

    yield from tqdm(found, unit=" sentences", delay=_PATIENCE, leave=False, file=sys.stderr)


def _on_processes(
    sentences: Iterator[Sentence], jobs: int, wanted: dict[str, Any]
) -> Iterator[tuple[Sentence, Average]]:
    """The averages made by several processes, a few chunks ahead of what is written."""
    from ..score.workers import Team, process_pool

    chunks = iter(lambda: list(islice(sentences, _CHUNK)), [])
    with process_pool(jobs) as pool:
        for call, averages in Team.of(pool).answers(_average_chunk, ((chunk, wanted) for chunk in chunks)):
            yield from zip(call[0], averages)


def _average_chunk(chunk: list[Sentence], wanted: dict[str, Any]) -> list[Average]:
    return [_average(sentence, wanted) for sentence in chunk]


def _average(sentence: Sentence, wanted: dict[str, Any]) -> Average:
    if not sentence.trees:
        return Average(replace(EMPTY, id=sentence.id))
    try:
        return find_average(sentence.trees, sentence.weights, **wanted)
    except TooLargeError as error:
        raise TooLargeError(f"{sentence.name}: {error.message}") from None
