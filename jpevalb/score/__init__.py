"""One run in every mode: pairing, chunks, scoring, workers, sums."""
