"""Inputs of a run: opens sources, detects their formats, names them and decides the convention."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from ..alignment.stream import raising
from ..base.errors import JpevalbError, SettingsError, TreeError
from ..base.files import is_wide, source_name
from ..base.streams import is_pipe
from ..base.text import ENDING
from ..base.values import OptionError
from ..formats.lines import BLOCK
from ..formats.read import FORMATS, OpenedFile, Source, format_named, read
from ..kernels.columns import tags_of
from ..settings.settings import ALIGNED, ASK_FOR_GAPS, DISCONTINUOUS, WITHOUT_TREES, Settings
from ..trees.prepare import is_empty_element, name_of
from ..trees.tree import Tree, is_node

# Settings that select the convention jpevalb: a language model's answers may begin like any format
ASK_FOR_ANSWERS = {name for one in FORMATS.values() for name in one.settings} - {"id_field"}
# Words that stand for words of a licensed text
HIDDEN = re.compile(r"[<\[*_(]?unk[>\]*_)]?(?:-.*)?|XX+", re.IGNORECASE)
_OF_WORDS = ("brackets", "tags", "segmentation")  # metrics of files without trees
_WIDE = 5  # brackets over one word for each bracket over several, for a label that is a tag
_FIRST_TREES = 200  # number of trees that decide if a file has tags
_FEW = 20  # number of trees that show quickly that words are not hidden
_FIRST_ITEMS = 1000  # maximum number of items of a generator that are looked at

# Kinds of sources: a file with a path, an open file that can be read again, one that cannot (a pipe, the
# standard input), sentences, and a path or a closed file that the reader rejects
FILE, SEEKABLE, ONCE, ITEMS, UNREADABLE = "file", "seekable", "once", "items", "unreadable"


def kind_of(source: Any) -> str:
    """Return the kind of a source."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return FILE if os.path.isfile(path) else ONCE if path == "-" or is_pipe(path) else UNREADABLE
    if not hasattr(source, "read"):
        return ITEMS
    try:
        return SEEKABLE if source.seekable() else ONCE
    except AttributeError:
        return ONCE
    except ValueError:
        return UNREADABLE  # it is closed


def _ignore(_: object) -> None:
    pass


class Labels(NamedTuple):
    """The labels of some trees."""

    constituents: frozenset[str]  # as written
    tags: frozenset[str]
    wide: frozenset[str]  # tags that are now and then brackets over several words
    over_words: frozenset[str]  # labels of brackets over several words, and of none with another child
    names: frozenset[str]  # of constituents, without function tags


def _labels_of(trees: Iterable[Tree], untagged: bool) -> Labels:
    constituents, tags = set[str](), set[str]()
    over_words, singles, with_nodes = Counter[str](), Counter[str](), set[str]()
    for tree in trees:
        columns = tree.with_tags
        texts, n, m = columns.names.texts, columns.brackets, columns.words
        cells = columns.cells
        constituents.update([texts[number] for number in set(cells[:n])])
        own = cells[4 * n + m : 4 * n + 2 * m]
        tags.update([texts[number] for number in set(own) if number >= 0])
        if -1 in own:
            homes = cells[4 * n + 2 * m :]
            above = {*cells[n : 2 * n], *[home for home, tag in zip(homes, own) if tag >= 0]}
            with_nodes.update([texts[cells[node]] for node in above if node >= 0])
            over_words.update([texts[cells[node]] for node in {*homes} - above])
            singles.update([texts[number] for number in own if number >= 0])
    if untagged:
        constituents, tags = constituents | tags, set()
    alone = {label: count for label, count in over_words.items() if label not in with_nodes}
    wide = frozenset([label for label, count in alone.items() if singles[label] >= _WIDE * count])
    names = frozenset(map(name_of, constituents - wide))
    return Labels(frozenset(constituents - wide), frozenset(tags), wide, frozenset(alone), names)


class _FirstItems:
    """The first sentences of an iterator, each read when it is first asked for."""

    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items
        self._read: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        for index in range(_FIRST_ITEMS):
            if index == len(self._read):
                try:
                    self._read.append(next(self._items))
                except StopIteration:
                    return
                except Exception as error:
                    # Raised by the run, once it has scored the sentences before the error.
                    self._items = raising(error)
                    return
            yield self._read[index]

    def with_rest(self) -> Iterator[Any]:
        """Yield all sentences; those that were read are not kept."""
        while self._read:
            yield self._read.pop(0)
        yield from self._items


class Input:
    """One input of a run (``side`` is ``"gold"`` or ``"sys"``), opened once: its format, and what is read."""

    def __init__(self, source: Source, side: str, settings: Settings) -> None:
        self.source: Any = source  # after a look at a generator, its first part and the rest
        self.kind = kind_of(source)
        self._opened: OpenedFile | None = None  # the file of a path
        self.name = source_name(source) or f"<{'gold' if side == 'gold' else 'system'}>"
        self.side = side
        # Of the first trees, the numbers of those that have words without a tag, and of other trees of
        # several words
        self.bare: list[int] = []
        self.tagged: list[int] = []
        self._first: list[Tree] | None = None
        self.found: Any = None  # what :mod:`.prepared` found in it, which several runs share
        self._labels: dict[tuple[bool, bool], Labels] = {}
        asked, self.encoding = settings.reading(side)
        looks, is_system = asked == "auto", side == "sys"
        self._detected: str | None = None
        if looks:
            file: Any = None
            with suppress(OSError, ValueError):  # the reader raises it
                file = self.ahead
            self._detected = _format_of(file) if isinstance(file, OpenedFile) else None
            if self._detected is None and self.kind == FILE:
                self._detected = "bracket"
        is_list = self.kind == ITEMS and isinstance(source, Iterable)
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
        is_open = settings.convention is None
        # True if the format can hold gaps, or one of the trees has a gap.
        self.has_gaps = _may_have_gaps(self.format)
        # Format that all texts of a list have
        self.items_format: str | None = None
        if is_list and (looks or is_open):
            has_gaps, text = self._look_at_items()
            begins_like = _format_of(OpenedFile([text])) if looks else None
            self.has_gaps |= is_open and (has_gaps or _may_have_gaps(begins_like))
            self.items_format = begins_like if begins_like in ("unlabeled", "tokens") else None
        # Format whose settings apply; for a list, bracket text or answers
        is_list_of_answers = is_system and (settings.repair or asked == "answers")
        self.used_format = self.format if not is_list else "answers" if is_list_of_answers else "bracket"

    @cached_property
    def ahead(self) -> Any:
        """The first lines or sentences, while ``source`` still has all of them; None if it is unreadable.

        The files of paths and pipes are opened here, and only once.  A list is returned as it is.
        """
        if self.kind == ITEMS:
            source = self.source
            if isinstance(source, Tree) or is_node(source) or not isinstance(source, Iterable):
                return [source]
            if not isinstance(source, Iterator):
                return source
            first = _FirstItems(source)
            self.source = first.with_rest()
            return first
        if self.kind == UNREADABLE:
            return None
        if self.kind == SEEKABLE:
            start = self.source.tell()
            sample = self.source.read(BLOCK)
            self.source.seek(start)
            if isinstance(sample, bytes) and is_wide(self.encoding):
                sample = sample.decode(self.encoding or "", "ignore")
            return OpenedFile(io.StringIO(sample) if isinstance(sample, str) else io.BytesIO(sample))
        if isinstance(self.source, OpenedFile):
            return self.source
        opened = OpenedFile(self.source, self.encoding)
        if self.kind == ONCE:
            self.source = opened
            return opened
        with suppress(JpevalbError):  # the reader raises it
            opened.first  # noqa: B018
            self._opened = opened
        return self._opened

    def to_read(self) -> Any:
        """Return the source, or a file with the format that was detected; a path is opened only once."""
        source = self.source
        if self._opened is not None:
            file, self._opened = self._opened, None
            return file
        if hasattr(source, "read") and not isinstance(source, OpenedFile):
            return OpenedFile(source, self.encoding, format=self._detected)
        return source

    def keep(self) -> None:
        """Read a pipe into memory."""
        self.source = Replayable(self.source, self.encoding).open()
        self.kind = kind_of(self.source)

    @property
    def lacks_trees(self) -> bool:
        """True if the sentences of the file or list are words alone."""
        return (self.items_format or self.format) in WITHOUT_TREES

    @property
    def lacks_labels(self) -> bool:
        """True if the brackets of the file or list have no labels."""
        return "unlabeled" in (self.format, self.items_format)

    def wide_tags(self, settings: Settings, other: Input | None) -> frozenset[str]:
        """Return the tags that may be brackets over several words, by the trees of both sides."""
        if not self.bare:
            return frozenset()
        own = self.labels(settings)
        if other is None or other.bare:
            return own.wide
        others = other.labels(settings)
        return own.wide | (own.over_words & others.tags - others.constituents)

    def looks_untagged(self, settings: Settings, other: Input | None = None) -> bool:
        """Return True if at least half of the first trees of several words lack tags.

        Such a tree has words without a tag, a quarter of its words or more.  Punctuation does not count, and
        neither do words under a tag over several words.
        """
        if self.lacks_labels:
            return True
        trees = self._first_trees(settings)
        if not self.bare:
            return False
        if other is not None:
            other._first_trees(settings)
        wide = self.wide_tags(settings, other)
        lacking = words = bare = 0
        for tree in [trees[number - 1] for number in self.bare]:
            tags = [
                tag or (tree.labels[home] if tree.labels[home] in wide else None)
                for tag, word, home in zip(tags_of(tree.with_tags), tree.words, tree.word_parents)
                if any(map(str.isalnum, word)) and not is_empty_element(tree.labels[home], word)
            ]
            if None in tags:
                lacking += 1
                words += len(tags)
                bare += tags.count(None)
        return lacking > 0 and lacking >= len(self.tagged) and 4 * bare >= words

    def labels(self, settings: Settings, *, whole: bool = False) -> Labels:
        """Return the labels of the first trees, or of the whole file or list."""
        untagged = settings.of_side("tags", self.side) == "none"
        if (whole, untagged) not in self._labels:
            trees: Iterable[Tree] = self._first_trees(settings)
            if whole and (self.kind == FILE or (self.kind == ITEMS and isinstance(self.source, Sequence))):
                trees = self._trees(self.source, settings)
            self._labels[whole, untagged] = _labels_of(trees, untagged)
        return self._labels[whole, untagged]

    def spans_end_early(self, settings: Settings) -> bool:
        """Return True if no bracket of the first trees but an added root reaches the last word."""
        trees = [tree for tree in self._first_trees(settings) if len(tree) > 1]
        return bool(trees) and all(
            tree.labels[0] == "" and max(tree.ends[1:]) < len(tree.words) for tree in trees
        )

    def hides_words(self, settings: Settings) -> bool:
        """Return True if most words of the first trees are hidden, as ``XX`` or ``UNK``."""
        trees = self._first_trees(settings)
        return has_hidden_words(trees[:_FEW]) and has_hidden_words(trees)

    def _first_trees(self, settings: Settings) -> list[Tree]:
        """Return the first trees of a format that may lack tags."""
        if self._first is None:
            self._first = []
            if self.format is None or format_named(self.format).may_lack_tags:
                ahead = self.ahead
                start: Any = ahead.beginning() if isinstance(ahead, OpenedFile) else ahead
                if start is not None:
                    self._first = list(islice(self._trees(start, settings), _FIRST_TREES))
            for number, tree in enumerate(self._first, 1):
                if None in tags_of(tree.with_tags):
                    self.bare.append(number)
                elif len(tree.words) > 1:
                    self.tagged.append(number)
        return self._first

    def _trees(self, source: Any, settings: Settings) -> Iterator[Tree]:
        """Yield the trees of a source, those of answers repaired; the reader of the run raises errors."""
        options = settings.answer_options(self.side)
        if settings.answers and self.side == "sys":
            options |= {"on_answer": _ignore, "repair": True}
        try:
            format = settings.reading(self.side)[0]
            yield from read(source, format, encoding=self.encoding, on_error=_ignore, **options)
        except (JpevalbError, OSError, ValueError):
            pass

    def _look_at_items(self) -> tuple[bool, bytes]:
        """Return True if one of the first trees has a gap, and the first texts, a line each."""
        texts: list[bytes] = []
        size = 0
        ahead: Any = self.ahead
        with suppress(Exception):  # the reader raises it
            for item in ahead:
                if isinstance(item, Tree):
                    if not item.is_continuous:
                        return True, b"\n".join(texts)
                    continue
                if isinstance(item, (str, bytes)):
                    texts.append(item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item)
                    size += len(item) + 1
                if size >= BLOCK or not isinstance(item, (str, bytes)):
                    break
        return False, b"\n".join(texts)


def has_hidden_words(trees: Iterable[Tree]) -> bool:
    """Return True if most words of some trees are ``XX``, ``UNK``, ``<unk>`` or the like."""
    words = Counter([word for tree in trees for word in tree.words])
    hidden = sum([count for word, count in words.items() if HIDDEN.fullmatch(word)])
    return hidden > 0.5 * words.total()


def _may_have_gaps(format: str | None) -> bool:
    return format is not None and format_named(format).has_gaps


def decide(settings: Settings, inputs: Iterable[Input]) -> Settings:
    """Return the settings with their convention: without one, jpevalb's for aligned words or for gaps.

    It is for gaps if a setting for trees with gaps is given, else for aligned words if one for answers of a
    language model is, else for gaps if an input is in a format with gaps or has a tree with gaps.
    """
    if settings.convention is not None:
        return settings
    given = settings.given().keys()
    if any(item.lacks_trees for item in inputs):
        gaps = False
    elif given & {*ASK_FOR_GAPS, *ASK_FOR_ANSWERS}:
        gaps = bool(given & set(ASK_FOR_GAPS))
    else:
        gaps = any(item.has_gaps for item in inputs)
    return settings.replace(convention=DISCONTINUOUS if gaps else ALIGNED)


def resolved(settings: Settings, gold: Input, system: Input) -> Settings:
    """Return the settings of a run, with everything decided that the inputs decide."""
    inputs = gold, system
    if system.format == "table" and settings.field is not None:
        settings = settings.replace(sys_format="table")  # rows of a table are no answers
    settings = decide(settings, inputs)
    if system.format == "jsonl" and not settings.answers:
        settings = settings.replace(sys_format="jsonl")
    return _decide_trees(_decide_tags(settings, inputs), inputs)


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


def _decide_tags(settings: Settings, inputs: tuple[Input, Input]) -> Settings:
    """Return the settings with the side ``"none"`` for each input that has no tags; see ``--tags``."""
    without = [
        item.side
        for item, other in zip(inputs, inputs[::-1])
        if (tags := settings.of_side("tags", item.side)) == "none"
        or (tags == "auto" and not settings.tool and item.looks_untagged(settings, other))
    ]
    if len(without) == 2:
        return settings.replace(tags="none", gold_tags=None, sys_tags=None)
    chosen: Any = {f"{side}_tags": "none" for side in without}
    return settings.replace(**chosen)


def _format_of(file: OpenedFile) -> str | None:
    try:
        return file.format
    except TreeError:
        return None  # the reader raises it


def names_of(
    sources: Sequence[Source] | Mapping[str, Source], what: str = "system"
) -> list[tuple[str, Source]]:
    """Return pairs of a unique name and a source.

    Names are the keys of a mapping, or file names: those of systems without endings unless names would be
    alike, and with folders if two files have the same name.  Other sources are numbered.

    >>> [name for name, _ in names_of(["a/x.mrg", "b/y.mrg", ["(S (N a))"]])]
    ['x', 'y', 'system 3']
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
        stems = [re.sub(ENDING, "", name).rstrip() for name in names] if what == "system" else names
        names = next((some for some in (stems, names) if len({*some}) == len(some)), paths)
    named: dict[str, Source] = {}
    for name, source in zip(names, items):
        name = plain = " ".join(name.split()) or what
        times = 1
        while name in named:
            times += 1
            name = f"{plain} ({times})"
        named[name] = source
    return list(named.items())


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
