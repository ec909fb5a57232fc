"""One run: pairing, chunks, scoring, workers, sums."""
