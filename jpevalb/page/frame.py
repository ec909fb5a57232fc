"""The frame of a page: head, bar at the top, styles, script and data in one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from .markup import Markup, tag
from .plots import SHAPES

STYLES = ("page.css", "tree.css")
SCRIPTS = ("tree.js", "picture.js", "corrections.js", "sentence.js", "export.js", "page.js")

_LAYOUT = re.compile(r"^\s*/\*(?s:.*?)\*/\n|^\s*//.*\n|^\s+", re.MULTILINE)
"""Indentation, empty lines and comments of scripts and styles, which pages leave out."""

_ICON = "M8 3 3 13M8 3l5 10M5.5 8 8 13"


@cache
def _assets(names: Sequence[str]) -> tuple[Markup, str]:
    """Return files as one text, and its digest for the policy."""
    texts = []
    for name in names:
        with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
            texts.append(file.read())
    text = _LAYOUT.sub("", "\n".join(texts))
    return Markup(text), f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def packed(data: Mapping[str, Any]) -> Markup:
    """Return data for the script: JSON, compressed, in letters that are safe in any element.

    >>> zlib.decompress(base64.b64decode(packed({"word": "</script>"})))
    b'{"word":"</script>"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(base64.b64encode(zlib.compress(text.encode())).decode())


def frame(
    title: str,
    keys: Sequence[object],
    links: Sequence[tuple[str, str]],
    main: Sequence[object],
    foot: Sequence[object],
    data: Mapping[str, Any] | None = None,
    kind: str = "",
) -> str:
    """Return a page.

    Args:
        title: The headline as text.
        keys: The names of the systems, for the bar at the top.
        links: The sections: id and name.
        main: The sections.
        foot: What stands below them.
        data: What the script reads; without it the page has no script.
        kind: Class of the page.
    """
    style, style_digest = _assets(STYLES)
    script, script_digest = _assets(SCRIPTS)
    policy = (
        f"default-src 'none'; script-src '{script_digest}'; style-src '{style_digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    icon = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='{_ICON}' fill='none' "
    icon += "stroke='%23177a74' stroke-width='2'/></svg>"
    logo = tag("svg", tag("path", d=_ICON), viewBox="0 0 16 16", width=18, height=18, aria_hidden="true")
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content="jpevalb"),
        tag("title", f"{title} – jpevalb"),
        tag("link", rel="icon", href=f"data:image/svg+xml,{icon}"),
        tag("style", style),
    ]
    top = [
        tag("p", logo, "jpevalb", cls="brand"),
        tag("p", *keys, cls="keys") if keys else "",
        tag("nav", *[tag("a", name, href=f"#{id}") for id, name in links], aria_label="Parts of the report"),
        tag("button", "Auto", type="button", id="theme", title="Light or dark", hidden=True),
    ]
    body: list[object] = [
        tag("header", tag("div", *top, cls="wrap"), cls="top"),
        tag("main", *main, cls="wrap"),
        tag("footer", *foot, cls="wrap"),
    ]
    if data is not None:
        body.append(tag("script", packed({**data, "shapes": SHAPES}), type="text/plain", id="data"))
        body.append(tag("script", script))
    inside = tag("head", *head), "\n", tag("body", *body, cls=kind or None)
    return f"<!DOCTYPE html>\n{tag('html', *inside, lang='en', data_theme='auto')}\n"
