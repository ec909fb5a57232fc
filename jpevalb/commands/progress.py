"""The progress bar, for runs at a terminal that take longer than a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from .arguments import Namespace, at_terminal

T = TypeVar("T")

PATIENCE = 1.0  # seconds before the bar appears
_OFTEN = 32  # number of results between two updates


class Followed(str):
    """A path that counts how much of its file has been read."""

    def __init__(self, path: str) -> None:
        self.size = os.path.getsize(path)
        self.done = 0  # bytes read

    def lines(self, lines: Iterable[Any]) -> Iterator[Any]:
        """Yield the lines and count their bytes."""
        for line in lines:
            self.done += len(line)
            yield line


class Watch:
    """Shows the progress of a run, if there is a bar."""

    def __init__(self, paths: Sequence[Any], bar: Callable[..., Any] | None) -> None:
        self.paths: list[Any] = list(paths)  # to be read instead of the given paths
        self._bar = bar
        if bar is not None and all(map(_is_countable, paths)):
            self.paths = [Followed(path) for path in paths]

    def results(self, results: Iterable[T], unit: str = " sentences") -> Iterator[T]:
        """Yield the results, with a bar that counts them in a unit."""
        if self._bar is None:
            yield from results
            return
        files = [path for path in self.paths if isinstance(path, Followed)]
        how: dict[str, Any] = {"unit": unit}
        if files:
            how = {"unit": "B", "unit_scale": True, "total": sum(file.size for file in files)}
        # A terminal of unknown size reports 0 and would hide the bar.
        known = all(os.get_terminal_size(sys.stderr.fileno()))
        how |= {"dynamic_ncols": True} if known else {"ncols": 80, "nrows": 24}
        with self._bar(delay=PATIENCE, leave=False, file=sys.stderr, **how) as bar:
            count = shown = 0
            for result in results:
                yield result
                count += getattr(result, "size", 1)  # rows of a report come in blocks
                if count - shown >= _OFTEN or unit == " tests":  # which take long
                    shown = count
                    done = sum(file.done for file in files) if files else count
                    bar.update(done - bar.n)


def watching(options: Namespace, paths: Sequence[Any]) -> Watch:
    """Return the watch of a call; without a bar if the rows on the terminal show the progress."""
    rows = options.rows and options.output == "text" and not options.quiet and at_terminal(options)
    return Watch(paths, None if rows else terminal_bar())


def terminal_bar() -> Callable[..., Any] | None:
    """Return tqdm, or ``None`` if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None
    from tqdm import tqdm

    # tqdm's thread would not survive a fork.
    tqdm.monitor_interval = 0
    bar: Callable[..., Any] = tqdm
    return bar


def _is_countable(path: Any) -> bool:
    """Return True if the bytes read show the progress: for plain files."""
    plain = isinstance(path, str) and path != "-" and not path.endswith((".gz", ".bz2", ".xz"))
    return plain and os.path.isfile(path)
