"""Rules on tools, their lists, schemas and results."""
