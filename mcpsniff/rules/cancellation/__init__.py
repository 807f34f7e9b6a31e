"""Rules about cancelling requests."""
