"""What a notebook shows of a result: the headline and tables."""

from __future__ import annotations

from typing import Any

from ..base.elements import join, tag
from ..claims import made as claims
from ..claims.kinds import joined
from ..claims.systems import Systems, of_evaluation
from ..comparison.result import Comparison
from ..errors.analysis import Analysis
from ..metrics.by_label import LabelCounts
from ..metrics.record import Record
from ..score.evaluation import Evaluation
from . import comparison, sheet
from .analysis import CONFUSIONS, tables_of
from .markup import html_of
from .record import record_sheet
from .table import Sheet

ROWS = 10  # maximum number of rows for each table of an analysis, and for each metric of a record


def notebook_sheet(result: Any) -> Sheet:
    """Return the tables of an evaluation, a comparison, a record or an analysis."""
    if isinstance(result, Record):
        return record_sheet(result, ROWS)
    if isinstance(result, Analysis):
        labels = {item.label: item.counts for item in result.labels}
        confused = {(item.gold, item.system): item.count for item in result.confusions}
        tables = tables_of(result, LabelCounts(labels, confused), CONFUSIONS)
        notes = [f"{one.title}: and {len(one.rows) - ROWS:,} more" for one in tables if len(one.rows) > ROWS]
        return Sheet((), tuple([one._replace(most=ROWS) for one in tables]), tuple(notes))
    if isinstance(result, Comparison):
        return comparison.sheet(result)
    return sheet.sheet(result)


def notebook(result: Any) -> str:
    """Return the sentences about a result and its tables, as bare HTML."""
    return said_of(result) + html_of(notebook_sheet(result))


def said_of(result: Any) -> str:
    """Return headline and lead of an evaluation or a comparison as a paragraph; otherwise an empty text."""
    brackets = None
    if isinstance(result, Comparison):
        systems = Systems(result, [])
    elif isinstance(result, Evaluation):
        brackets = result.total.brackets
        systems = of_evaluation(result, "The system", result.figures, result.intervals)
    else:
        return ""
    heading = joined(claims.title(systems, brackets), "; ")
    interval = [join(joined(one), ". ") for one in [claims.interval(systems)] if one]
    lead = joined(claims.lead(systems, brackets))
    return tag("p", tag("b", heading, "."), " ", *interval, lead)
