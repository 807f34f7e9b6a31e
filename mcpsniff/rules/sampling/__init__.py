"""Rules on sampling: what servers let the client's model do."""
