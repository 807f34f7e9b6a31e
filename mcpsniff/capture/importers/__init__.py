"""Files of other programs → captures: what they hold of HTTP exchanges is played to the recorder as if it passed now.

Every format comes down to `past`; `har` reads one, `order` finds places for events without times, `replay` plays. What
needs mitmproxy to be read stands in `mcpsniff.proxy.saved`.
"""
