"""Who ended an exchange, and why: read off the two connections, as mitmproxy's own words blame the client."""

from mitmproxy import http
from mitmproxy.connection import ConnectionState

_LATER = 0.5  # seconds by which the addon may see the last piece after mitmproxy has started its own clock


def of(flow: http.HTTPFlow, unreached: str | None, quiet: float, idle_timeout: float) -> tuple[str, str]:
    """`by` and `why` of a flow that failed.

    `unreached` says why there was no connection to the server, where there was none ("upstream", "tls");
    `quiet` is for how many seconds nothing had passed on the client's connection.
    """
    if unreached is not None and flow.response is None:
        return "proxy", unreached
    if quiet >= idle_timeout - _LATER:
        return "proxy", "idle-timeout"
    if flow.client_conn.state is ConnectionState.CLOSED:
        return "client", "closed"
    if flow.server_conn.state is ConnectionState.CLOSED:
        return "server", "closed"  # or reset: mitmproxy does not tell
    return "error", "reset"  # one stream of HTTP/2, and the same words for a reset by either side
