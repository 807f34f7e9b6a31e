"""Which revision is spoken, and how the two sides come to agree on it."""
