"""Rules on how messages are put on the wire."""
