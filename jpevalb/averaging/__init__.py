"""Averages: the tree that agrees best with several trees over the same words."""

from .trees import Average, agreement, average, check_kind, find_average
from .weights import exact_weights

__all__ = ["Average", "agreement", "average", "check_kind", "exact_weights", "find_average"]
