"""Who ended an exchange, and why: read off the two connections, as mitmproxy's own words blame the client."""

from mitmproxy import http
from mitmproxy.connection import ConnectionState

_CUT_SHORT = ("reset", "Errno 104", "WinError 10054")


def of(flow: http.HTTPFlow, quiet: float, idle_timeout: float) -> tuple[str, str]:
    """`by` and `why` of a flow that failed, after a silence of `quiet` seconds on its connection."""
    said = flow.error.msg if flow.error is not None else ""
    server = flow.server_conn
    if server.error is not None or (flow.response is None and server.timestamp_start is None):
        return "proxy", "tls" if server.timestamp_tcp_setup is not None else "upstream"
    if quiet >= idle_timeout:
        return "proxy", "idle-timeout"
    if flow.client_conn.state is ConnectionState.CLOSED:
        return "client", "closed"
    if server.state is ConnectionState.CLOSED:
        return "server", "reset" if any(mark in said for mark in _CUT_SHORT) else "closed"
    return "error", "reset"  # one stream of HTTP/2 was reset, and the text is the same for either side
