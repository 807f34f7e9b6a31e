"""Rules about event streams."""
