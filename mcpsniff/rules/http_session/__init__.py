"""Rules about Mcp-Session-Id."""
