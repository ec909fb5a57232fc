"""Sentences about results, for every report: their text is in ``jpevalb.base.claims``."""
