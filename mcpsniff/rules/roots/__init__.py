"""Rules on roots."""
