"""One run: what is read is cut into stretches, paired, counted and summed, here or on workers."""
