"""Fixtures of tests of averages."""

from __future__ import annotations

import pytest

from jpevalb.averaging import candidates, sizes


@pytest.fixture(params=["by prices", "by tables", "by the majority if that is sure"], scope="class")
def algorithm(request):
    """Run a test with each algorithm; small trees would never reach the first ones."""
    limit = 0 if request.param == "by prices" else 10**9
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "SMALL_COMPONENT", limit)
        if not request.param.startswith("by the majority"):
            patch.setattr(sizes, "_majority_if_best", lambda *_: None)
        yield
