"""The end of a failed flow, read off its connections."""

import pytest
from mitmproxy.connection import ConnectionState
from mitmproxy.test import tflow

from mcpsniff.proxy import ends

OPEN, CLOSED = ConnectionState.OPEN, ConnectionState.CLOSED


@pytest.mark.parametrize(
    ("client", "server", "unreached", "quiet", "end"),
    [
        (CLOSED, OPEN, None, 0.0, ("client", "closed")),
        (CLOSED, CLOSED, None, 0.0, ("client", "closed")),
        (OPEN, CLOSED, None, 0.0, ("server", "closed")),
        (OPEN, OPEN, None, 0.0, ("error", "reset")),
        (CLOSED, CLOSED, None, 600.0, ("proxy", "idle-timeout")),
        (CLOSED, CLOSED, None, 599.9, ("proxy", "idle-timeout")),
        (CLOSED, CLOSED, None, 599.0, ("client", "closed")),
        (OPEN, CLOSED, "upstream", 0.0, ("proxy", "upstream")),
        (OPEN, CLOSED, "tls", 0.0, ("proxy", "tls")),
    ],
)
def test_ends(client, server, unreached, quiet, end):
    """Connections are believed, the text of the error is not: it is the same in all rows."""
    flow = tflow.tflow(err=True)
    flow.client_conn.state, flow.server_conn.state = client, server
    assert ends.of(flow, unreached, quiet, 600.0) == end


def test_answer_that_has_begun_came_from_a_server():
    """An earlier failure on the same connection does not count when there is a response."""
    flow = tflow.tflow(resp=True, err=True)
    flow.client_conn.state, flow.server_conn.state = OPEN, CLOSED
    assert ends.of(flow, "upstream", 0.0, 600.0) == ("server", "closed")
