"""The slow implementation of evalb prints the stored output of the C programs in every case."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from jpevalb.commands.evalb import OpenError, UsageError, parse
from jpevalb.legacy.engine import HEADER, RULE
from tests.fuzz import legacy
from tests.fuzz.driver import Choices
from tests.support.evalb_cases import CASES
from tests.support.plain_evalb import PlainEvalb


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rows_tables_and_messages_are_those_of_the_c_program(case: Path, monkeypatch):
    monkeypatch.chdir(case)
    dialect = "spmrl" if (case / "about").read_text().startswith("evalb_spmrl:") else "evalb"
    try:
        options = parse("jpevalb", ["--dialect", dialect, *json.loads((case / "args").read_text())])
        gold, system = (Path(name).read_bytes() for name in options.files[:2])
    except (OpenError, UsageError, OSError, ValueError):
        pytest.skip("nothing is scored")
    found = PlainEvalb(
        options.params, dialect=dialect, score_skipped=options.score_skipped, last_line=options.last_line
    ).run(gold, system)
    stdout = HEADER + b"".join(found.out)
    assert (
        (case / "stdout").read_bytes().startswith(stdout + (b"" if found.killed or options.compact else RULE))
    )
    assert found.killed == ((case / "rc").read_text().strip() == "1")
    if found.killed:
        assert (case / "stdout").read_bytes() == stdout
    said = "".join(line + "\n" for line in options.messages).encode("utf-8", "surrogateescape")
    assert (case / "stderr").read_bytes() == said + b"".join(
        text * count for text, count, _ in found.messages
    )


@pytest.mark.parametrize("seed", range(6))
def test_generated_lines_are_scored_by_the_rules(seed):
    """Run the fuzz target on a few seeds: tables, trace, jobs and both kernels."""
    rng = random.Random(seed)
    for _ in range(30):
        legacy.target(Choices(rng.randbytes(600)))
