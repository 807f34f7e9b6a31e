"""How a stdio server ends."""
