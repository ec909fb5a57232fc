"""``python -m jpevalb``."""

import sys

from .cli import run

sys.exit(run())
