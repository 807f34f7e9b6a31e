"""The mitmproxy engine of `mcpsniff proxy` before an http:// server, which the command itself would give to the tap.

usage: proxy_engine.py MODE CAPTURE
"""

import asyncio
import sys

from mcpsniff.proxy import Wishes
from mcpsniff.proxy.engine import serve

asyncio.run(serve([sys.argv[1]], Wishes(write=sys.argv[2]), {}))
