"""Real tokenisers and sentence splitters, in an environment of their own: ``make test-tools``."""
