"""Rules on cache hints."""
