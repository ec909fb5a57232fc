"""What is read, counted and asked for: plain data."""
