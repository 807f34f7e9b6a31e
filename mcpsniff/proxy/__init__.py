"""`mcpsniff proxy`, and the mitmproxy addon that it shares with `mitmdump -s addons/mcp.py`."""
