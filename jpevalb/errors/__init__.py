"""Error analysis: repairs, their causes, and the tables made from them."""
