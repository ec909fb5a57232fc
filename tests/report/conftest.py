"""Fixtures of tests of reports."""

from __future__ import annotations

import pytest

from jpevalb.report import comparison_html, html


@pytest.fixture
def page_content(monkeypatch):
    """Keep what a report passes to the page's template, instead of making the page."""
    kept = {}

    def page(template, scripts, content, **given):
        kept.clear()
        kept.update(given, content=content)
        return ""

    for module in (html, comparison_html):
        monkeypatch.setattr(module, "page", page)
    return kept
