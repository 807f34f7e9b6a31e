"""The addon as mitmproxy runs it, and flows that it is told of by hand."""

from mitmproxy import http
from mitmproxy.test import tflow

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}'


class Stage:
    """A running addon."""

    def __init__(self, context, addon):
        self.context = context
        self.addon = addon

    def answering(self, body=ANSWER, media="application/json", live=True):
        """A flow that has got as far as its response's head."""
        flow = mcp_flow(body, media)
        flow.live = live
        for hook in (self.addon.requestheaders, self.addon.request, self.addon.responseheaders):
            hook(flow)
        return flow


def mcp_flow(body, media):
    flow = tflow.tflow(req=http.Request.make("POST", "http://localhost:8000/mcp", CALL))
    flow.response = http.Response.make(200, body, {"content-type": media})
    return flow


def streamed(stage, *pieces):
    """A flow whose event stream has come in these pieces, as mitmproxy leaves it."""
    flow = stage.answering(b"", "text/event-stream")
    for piece in (*pieces, b""):
        flow.response.stream(piece)
    flow.response.raw_content = None
    return flow
