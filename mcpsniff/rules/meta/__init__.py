"""Rules on the protocol's own fields in _meta."""
