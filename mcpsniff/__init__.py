"""mcpsniff: the wire tool of the Model Context Protocol.

Imports nothing: `mcpsniff wrap` stands between a client and its server and must start like bare Python.
"""

__version__ = "0.1.0"
