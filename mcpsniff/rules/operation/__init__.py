"""What breaks no sentence of the specification, but must be told to whoever looks for a fault."""
