"""Exception lists: tokens that are read as something else before texts are compared."""
