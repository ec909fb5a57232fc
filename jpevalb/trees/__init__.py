"""Trees: the tree type, sentences and their words, drawings, and the answers that trees come from."""
