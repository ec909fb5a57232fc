"""jpevalb scores constituency parse trees."""

from .errors import JpevalbError, ParamsError, SettingsError, TreeError
from .tree import Tree

__version__ = "0.1.0"

__all__ = ["JpevalbError", "ParamsError", "SettingsError", "Tree", "TreeError", "__version__"]
