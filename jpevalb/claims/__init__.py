"""Sentences about results, for every report."""

from . import kinds as kinds  # a claim can be made once its kind is known
