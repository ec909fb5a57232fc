"""Sphinx configuration: `make docs` builds the pages, and warnings are errors."""

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
autodoc_member_order = "bysource"
napoleon_google_docstring = True
nitpicky = False
suppress_warnings = ["misc.highlighting_failure"]  # a line of output that begins with "#" is no prompt
