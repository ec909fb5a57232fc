"""Sphinx configuration: `make docs` builds the pages, and warnings are errors."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from manual import texts

from jpevalb import __version__

project = "jpevalb"
author = "the jpevalb authors"
copyright = "2026, the jpevalb authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3  # links may lead to a section or a subsection
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"jpevalb {release}"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
autodoc_default_options = {
    # Members of counts that only runs and reports use.
    "exclude-members": "plain, shown, length_column, json_keys, picked, of_bead, moved, numbers, columns",
}
napoleon_google_docstring = True
nitpicky = False
suppress_warnings = ["misc.highlighting_failure"]  # a line of output that begins with "#" is no prompt


def _explain_settings(app, what, name, obj, options, lines):
    """Replace the help of the fields of ``Settings`` by the texts of ``options.md``."""
    if name != "jpevalb.Settings":
        return
    explained = {}
    for call, text in texts("jpevalb").items():
        if option := re.search(r"--([\w-]+)", call):
            explained[option[1].replace("-", "_")] = _as_python(text)
    for number, line in reversed([*enumerate(lines)]):
        field = re.match(r"( +)(\w+): ", line)
        if field and field[2] in explained:
            first, *items = explained[field[2]].split("\n- ")
            lines[number] = f"{field[1]}{field[2]}: {first}"
            lines[number + 1 : number + 1] = [f"{field[1]}    - {item}" for item in items]
            if items:
                lines.insert(number + 1, "")


def _as_python(text):
    """Convert ``--pair order`` to ``pair="order"``, and Markdown to reStructuredText."""
    text = re.sub(r" See \[[^]]*\]\([^)]*\)\.", "", text)
    text = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`--([\w-]+)`", lambda found: f"`{found[1].replace('-', '_')}`", text)
    text = re.sub(
        r"`--([\w-]+) ([\w.,-]+)`", lambda found: f'`{found[1].replace("-", "_")}="{found[2]}"`', text
    )
    return re.sub(r"`([^`]*)`", r"``\1``", text)


def setup(app):
    """Connect to autodoc, before napoleon reads the docstring."""
    app.connect("autodoc-process-docstring", _explain_settings, priority=400)
