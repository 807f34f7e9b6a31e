"""What `mitmdump -s addons/mcp.py` and mitmweb load: the capture and the view, once for each process.

A script that is loaded again finds both as they were, so that open streams and the capture go on.
"""

from mcpsniff.proxy.addon import McpCapture
from mcpsniff.proxy.view import McpView

ADDONS: list[object] = [McpCapture(), McpView()]
