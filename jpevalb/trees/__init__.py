"""Trees: the tree type, settings, labels, .prm files, and a reader and writer for each format."""
