"""Rules on error responses."""
