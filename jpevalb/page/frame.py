"""The frame of a page: a template with styles, script and data in one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from string import Template
from typing import Any

from ..base.elements import Markup, join, tag
from .plots import SHAPES

STYLES = ("page.css", "tree.css")
SCRIPTS = ("tree.js", "picture.js", "corrections.js", "sentence.js", "export.js", "page.js")

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""


@cache
def _text(*names: str) -> Markup:
    """Return files of this folder as one text without layout."""
    texts = []
    for name in names:
        with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
            texts.append(file.read())
    return Markup(_LAYOUT.sub("", "\n".join(texts)))


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def packed(data: Mapping[str, Any]) -> Markup:
    """Return data for the script: JSON, compressed, in letters that are safe in any element.

    >>> zlib.decompress(base64.b64decode(packed({"word": "</script>"})))
    b'{"word":"</script>"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(base64.b64encode(zlib.compress(text.encode())).decode())


def frame(
    title: str,
    main: Sequence[Markup],
    *,
    keys: Sequence[Markup] = (),
    links: Mapping[str, str] | None = None,
    data: Mapping[str, Any] | None = None,
    kind: str = "",
) -> str:
    """Return a page, without a script if there is no data for it; ``title`` is the headline as text."""
    style, script = _text(*STYLES), _text(*SCRIPTS)
    scripts = ""
    if data is not None:
        content = packed({**data, "shapes": SHAPES})
        scripts = tag("script", content, type="text/plain", id="data") + tag("script", script)
    return Template(_text("page.html")).substitute(
        title=join(title),
        kind=f' class="{kind}"' if kind else "",
        style=style,
        style_digest=_digest(style),
        script_digest=_digest(script),
        keys=tag("p", *keys, cls="keys") if keys else "",
        links=join(*[tag("a", name, href=f"#{id}") for id, name in (links or {}).items()]),
        main=join(*main),
        data=scripts,
    )
