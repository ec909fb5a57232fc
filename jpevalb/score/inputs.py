"""Inputs of a run: opens sources, detects their formats, names them and decides the mode."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from ..alignment.stream import raising
from ..base.errors import InputError, JpevalbError, SettingsError, TreeError
from ..base.files import is_wide
from ..base.streams import is_pipe
from ..base.values import OptionError
from ..formats.bracket import LineReader
from ..formats.detect import BLOCK, FORMATS, format_named
from ..formats.read import OpenedFile, Source, read, source_name
from ..kernels.scan import count_tagged
from ..settings.choices import WITHOUT_TREES
from ..settings.settings import ALIGNMENT, ASK_FOR_GAPS, AUTO, DISCONTINUOUS, Settings
from ..trees.objects import is_node
from ..trees.tree import EMPTY, Tree
from ..trees.unread import LineBlock

# Settings that select alignment mode: a language model's answers may begin like any format
ASK_FOR_ANSWERS = {name for one in FORMATS.values() for name in one.sys_settings} - {"id_field"}
_OF_WORDS = ("brackets", "tags", "segmentation")  # metrics of files without trees
_FIRST_TREES = 200  # number of trees that decide if a file has tags


def _ignore(_: object) -> None:
    pass


class Input:
    """One input of a run (``side`` is ``"gold"`` or ``"sys"``), opened once: its format, and what is read."""

    def __init__(self, source: Source, side: str, settings: Settings) -> None:
        self.source: Any = source  # after a look at a generator, its first part and the rest
        self._opened: OpenedFile | None = None  # the file of a path
        self.name = source_name(source) or f"<{'gold' if side == 'gold' else 'system'}>"
        self.side = side
        # Of the first trees, the numbers of those that have words without a tag, and of other trees of
        # several words
        self.bare: list[int] = []
        self.tagged: list[int] = []
        asked, self.encoding = settings.reading(side)
        looks, is_system = asked == "auto", side == "sys"
        self._detected = self._peek() if looks else None
        is_file = isinstance(source, (str, os.PathLike)) or hasattr(source, "read")
        is_list = not is_file and isinstance(source, Iterable)
        if is_list and is_system and settings.separator is not None:
            problem = " for a list of sentences; it separates the answers of a file; leave it out"
            raise OptionError.of("separator", settings.separator, problem)
        # Answers may begin like trees of any format, so a detected format is trusted only for JSON Lines.
        # A field belongs to JSON Lines, so another file beside them has a parser's trees.
        may_be_answers = asked == "bracket" or self._detected not in (None, "jsonl")
        is_repaired = settings.repair and settings.field is None and may_be_answers
        is_cut = looks and settings.separator is not None
        # Format of the file; None for sentences given as objects
        self.format = (
            "answers" if is_system and (is_repaired or is_cut) else self._detected if looks else asked
        )
        is_open = settings.mode == AUTO
        has_gaps, begins_like = (
            self._look_at_items(looks) if is_list and (looks or is_open) else (False, None)
        )
        # True if the format can hold gaps, or one of the trees has a gap.
        self.has_gaps = _may_have_gaps(self.format) or (is_open and has_gaps)
        # Format that all texts of a list have
        self.items_format = begins_like if begins_like in ("unlabeled", "tokens") else None
        # Format whose settings apply; for a list, bracket text or answers
        is_list_of_answers = is_system and (settings.repair or asked == "answers")
        self.used_format = self.format if not is_list else "answers" if is_list_of_answers else "bracket"

    def _peek(self) -> str | None:
        """Detect the format of a file from its beginning; the reader raises its errors."""
        source, encoding = self.source, self.encoding
        if isinstance(source, (str, os.PathLike)):
            if os.path.isfile(source):
                with suppress(InputError):
                    opened = OpenedFile(source, encoding)
                    format = _format_of(opened)
                    self._opened = opened
                    return format or "bracket"
                return "bracket"
            if os.fspath(source) != "-" and not is_pipe(os.fspath(source)):
                return None  # a file that cannot be read
        elif not hasattr(source, "read"):
            return None
        elif _is_seekable(source):
            try:
                start = source.tell()
                sample = source.read(BLOCK)
                source.seek(start)
            except (OSError, ValueError):
                return None
            if isinstance(sample, bytes) and is_wide(encoding):
                sample = sample.decode(encoding or "", "ignore")
            return _format_of(OpenedFile([sample] if sample else []))
        if not isinstance(source, OpenedFile):
            self.source = OpenedFile(source, encoding)
        return _format_of(self.source)

    def to_read(self, source: Source) -> Source:
        """Return the source, or a file with the format that was detected; a path is opened only once."""
        if source is self.source and self._opened is not None:
            file, self._opened = self._opened, None
            return file
        if hasattr(source, "read") and not isinstance(source, OpenedFile):
            return OpenedFile(source, self.encoding, format=self._detected)
        return source

    def keep(self) -> None:
        """Read a pipe into memory."""
        self.source = Replayable(self.source, self.encoding).open()

    @property
    def lacks_trees(self) -> bool:
        """True if the sentences of the file or list are words alone."""
        return (self.items_format or self.format) in WITHOUT_TREES

    @property
    def lacks_labels(self) -> bool:
        """True if the brackets of the file or list have no labels."""
        return "unlabeled" in (self.format, self.items_format)

    def looks_untagged(self, settings: Settings) -> bool:
        """Return True if at least half of the first trees of several words have words without a tag."""
        if self.lacks_labels:
            return True
        if self.format is not None and not format_named(self.format).may_lack_tags:
            return False
        format, encoding = settings.reading(self.side)[0], self.encoding
        options = settings.answer_options(self.side)
        if settings.answers and self.side == "sys":
            options["on_answer"] = _ignore
        # Gold is asked once for each system.
        self.bare.clear()
        self.tagged.clear()
        try:
            start = self._beginning()
            trees = read(start, format, encoding=encoding, on_error=_ignore, unread=True, **options)
            for number, words in enumerate(islice(_tagged_words(trees), _FIRST_TREES), 1):
                if words < 0:
                    self.bare.append(number)
                elif words > 1:
                    self.tagged.append(number)
        except (JpevalbError, OSError, ValueError):
            pass  # the reader raises it
        return len(self.bare) >= max(1, len(self.tagged))

    def _beginning(self) -> Source:
        """Return a source of the first sentences; afterwards ``source`` still has all of them."""
        source = self.source
        file = self._opened or source
        if isinstance(file, OpenedFile):
            return file.beginning()
        if isinstance(source, (str, os.PathLike)):
            self._peek()
            return self._beginning() if self._opened or self.source is not source else source
        if hasattr(source, "read"):
            if not _is_seekable(source):
                self._peek()
                return self._beginning()
            start = source.tell()
            sample = source.read(BLOCK)
            source.seek(start)
            first_part: Any = io.StringIO(sample) if isinstance(sample, str) else io.BytesIO(sample)
            return self.to_read(first_part)
        if isinstance(source, Tree) or is_node(source) or not isinstance(source, Iterable):
            return [source]
        first: list[Any] = []
        items = iter(source)
        try:
            first.extend(islice(items, _FIRST_TREES))
        except Exception as error:
            items = raising(error)  # by the run, once it has scored the sentences before the error
        if isinstance(source, Iterator):
            self.source = chain(first, items)
        return first

    def _look_at_items(self, look: bool) -> tuple[bool, str | None]:
        """Return True if a tree may have gaps, and with ``look`` the format that the texts begin like.

        At most the first thousand items of a generator are read.
        """
        source = self.source
        if isinstance(source, Tree):
            return not source.is_continuous, None
        if is_node(source):
            return False, None
        items = iter(source)
        once = items is source
        looked_at: list[Any] = []
        texts: list[bytes] = []
        has_gaps = False
        size = 0
        try:
            for item in items:
                looked_at.append(item)
                if isinstance(item, (str, bytes)):
                    texts.append(item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item)
                    size += len(item) + 1
                has_gaps = isinstance(item, Tree) and not item.is_continuous
                if has_gaps or size >= BLOCK or not isinstance(item, (str, bytes, Tree)):
                    break
                if once and len(looked_at) == 1000:
                    break
        except Exception as error:
            # Raised by the run, once it has scored the sentences before the error.
            items = raising(error)
        if once:
            self.source = chain(looked_at, items)
        format = _format_of(OpenedFile([b"\n".join(texts)])) if look else None
        return has_gaps or _may_have_gaps(format), format


def _may_have_gaps(format: str | None) -> bool:
    return format is not None and format_named(format).has_gaps


def decide(settings: Settings, inputs: Iterable[Input]) -> Settings:
    """Return the settings with their mode decided.

    The mode is discontinuous if a setting for trees with gaps is given, else alignment if one for answers
    of a language model is, else discontinuous if an input is in a format with gaps or has a tree with gaps.
    """
    if settings.mode != AUTO:
        return settings
    given = settings.given().keys()
    if any(item.lacks_trees for item in inputs):
        mode = ALIGNMENT
    elif given & set(ASK_FOR_GAPS) or settings.in_order:
        mode = DISCONTINUOUS
    elif given & ASK_FOR_ANSWERS:
        mode = ALIGNMENT
    else:
        mode = DISCONTINUOUS if any(item.has_gaps for item in inputs) else ALIGNMENT
    return settings.replace(mode=mode)


def resolved(settings: Settings, gold: Input, system: Input) -> Settings:
    """Return the settings of a run, with everything decided that the inputs decide."""
    inputs = gold, system
    settings = _decide_trees(_decide_tags(decide(settings, inputs), inputs), inputs)
    is_jsonl = system.format == "jsonl" and not settings.answers
    return settings.replace(sys_format="jsonl") if is_jsonl else settings


def _decide_trees(settings: Settings, inputs: Iterable[Input]) -> Settings:
    """Return the settings with the formats of files without trees, and without metrics that need trees."""
    for item in inputs:
        if item.lacks_trees:
            own: Any = {f"{item.side}_format": item.items_format or item.format}
            settings = settings.replace(**own)
            if "metrics" not in settings.given():
                settings = settings.replace(metrics=_OF_WORDS)
            others = [name for name in settings.metrics if name not in _OF_WORDS]
            if others:
                side = "gold" if item.side == "gold" else "system"
                problem = f": {side} has words and no trees; name some of {', '.join(_OF_WORDS)}"
                raise OptionError.of("metrics", ",".join(others), problem)
    return settings


def _decide_tags(settings: Settings, inputs: Iterable[Input]) -> Settings:
    """Return the settings with the side ``"none"`` for each input that has no tags; see ``--tags``."""
    without = [
        item.side
        for item in inputs
        if (tags := settings.tags_of(item.side)) == "none"
        or (tags == "auto" and not settings.tool and item.looks_untagged(settings))
    ]
    if len(without) == 2:
        return settings.replace(tags="none", gold_tags=None, sys_tags=None)
    chosen: Any = {f"{side}_tags": "none" for side in without}
    return settings.replace(**chosen)


def _tagged_words(items: Iterable[Any]) -> Iterator[int]:
    """Yield the number of words of each tree, or -1 if a word has no tag."""
    line_reader: LineReader | None = None
    for item in items:
        if not isinstance(item, LineBlock):
            yield -1 if item.has_bare_words else len(item.words)
            continue
        line_reader = line_reader or LineReader(item.kind, item.origin)
        for text in item.lines():
            if item.kind.is_valid(text):
                yield from [0] * len(line_reader.blanks())
                yield count_tagged(text)
                continue
            for read_sentence in line_reader.read(text, 0, 0):
                tree: Any = read_sentence.result
                if isinstance(tree, TreeError):
                    tree = EMPTY
                yield -1 if tree.has_bare_words else len(tree.words)


def _is_seekable(file: Any) -> bool:
    try:
        return bool(file.seekable())
    except (AttributeError, ValueError):
        return False


def _format_of(file: OpenedFile) -> str | None:
    try:
        return file.format
    except TreeError:
        return None  # the reader raises it


def names_of(
    sources: Sequence[Source] | Mapping[str, Source], what: str = "system"
) -> list[tuple[str, Source]]:
    """Return pairs of a unique name and a source.

    Names are the keys of a mapping, or file names, with their folders if two files have the same name.
    Other sources are numbered.

    >>> [name for name, _ in names_of(["a/x.mrg", "b/y.mrg", ["(S (N a))"]])]
    ['x.mrg', 'y.mrg', 'system 3']
    >>> [name for name, _ in names_of(["a/x.mrg", "b/x.mrg", "b/x.mrg"])]
    ['a/x.mrg', 'b/x.mrg', 'b/x.mrg (2)']
    """
    expected = f"expected a list of {what}s, or a mapping of names to {what}s"
    if isinstance(sources, (str, os.PathLike, Tree)) or hasattr(sources, "read"):
        raise SettingsError(f"got one {what}; {expected}")
    if not isinstance(sources, Iterable):
        raise SettingsError(f"got an object of type {type(sources).__name__}; {expected}")
    if isinstance(sources, Mapping):
        names, items = [str(name) for name in sources], list(sources.values())
    else:
        items = list(sources)
        paths = [source_name(source) or f"{what} {number}" for number, source in enumerate(items, 1)]
        names = [os.path.basename(path) or path for path in paths]
        if len(set(names)) < len(names):
            names = paths
    taken: set[str] = set()
    named = []
    for name, source in zip(names, items):
        name = plain = " ".join(name.split()) or what
        times = 1
        while name in taken:
            times += 1
            name = f"{plain} ({times})"
        taken.add(name)
        named.append((name, source))
    return named


class Replayable:
    """A source that can be read repeatedly: paths are opened again, everything else is kept in memory."""

    def __init__(self, source: Source, encoding: str | None = None) -> None:
        self._source = source
        self._kept: bytes | str | None = None
        path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""
        special = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
        if hasattr(source, "read") or path == "-" or special:
            self._kept = OpenedFile(source, encoding).read()
        elif not isinstance(source, (Tree, Sequence)) and not is_node(source):
            # The reader reports an object that is not a source.
            self._source = list(source) if isinstance(source, Iterable) else source

    def open(self) -> Source:
        """Return the source from its beginning."""
        if self._kept is None:
            return self._source
        file: Any = io.StringIO(self._kept) if isinstance(self._kept, str) else io.BytesIO(self._kept)
        file.name = source_name(self._source) or "<file>"
        return file  # type: ignore[no-any-return]
