"""What claims are made of: figures, differences and order of systems, keys and captions, numbers."""
