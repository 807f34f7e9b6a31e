"""What the next revision asks of the programs in a session."""
