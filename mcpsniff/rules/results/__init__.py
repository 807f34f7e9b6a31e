"""Rules on the results of requests."""
