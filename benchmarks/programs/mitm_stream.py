"""A mitmproxy script that streams every answer and records nothing."""

from mitmproxy import http


def responseheaders(flow: http.HTTPFlow) -> None:
    assert flow.response is not None
    flow.response.stream = True
