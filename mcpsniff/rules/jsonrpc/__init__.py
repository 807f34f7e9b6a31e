"""Rules on the JSON-RPC envelope."""
