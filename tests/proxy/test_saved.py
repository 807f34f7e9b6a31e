"""Flow files of mitmproxy, with and without the timeline of our addon, whole and damaged."""

import gzip

import pytest
from mitmproxy import http
from mitmproxy.io import FlowWriter
from mitmproxy.proxy.mode_specs import ProxyMode
from mitmproxy.test import tflow, tutils

from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import saved, timeline

CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
EVENTS = b"data: 1\n\ndata: 2\n\n"


def mcp(media="application/json", body=b"{}", **headers):
    """A flow whose request came at 1 and 2 s, its answer from 3 to 4 s."""
    flow = tflow.tflow(req=http.Request.make("POST", "http://localhost:8000/mcp", CALL))
    flow.response = http.Response.make(200, b"", {"content-type": media, **headers})
    flow.response.raw_content = body
    flow.request.timestamp_start, flow.request.timestamp_end = 1.0, 2.0
    flow.response.timestamp_start, flow.response.timestamp_end = 3.0, 4.0
    return flow


def told(flow, *pieces):
    """The flow with a timeline."""
    times = timeline.Timeline(asked=1.25, sent=1.5, answered=1.75, ended=9.0)
    timeline.leave(flow, times, "client", "closed")
    flow.metadata[timeline.PIECES] = [list(piece) for piece in pieces]
    return flow


@pytest.fixture
def read(tmp_path):
    """Saves flows as mitmproxy does, and reads them."""

    def run(*flows, cut=0):
        path = tmp_path / "some.mitm"
        with path.open("wb") as file:
            for flow in flows:
                FlowWriter(file).add(flow)
        if cut:
            path.write_bytes(path.read_bytes()[:-cut])
        return saved.read(str(path))

    return run


def moments(past):
    return [past.asked, past.sent, past.answered, past.ended]


def test_flow_with_a_timeline(read):
    """Moments, pieces and end are those that the addon has seen."""
    (past,) = read(told(mcp("text/event-stream", EVENTS), (2.5, 4), (3.5, 14))).exchanges
    assert moments(past) == [1.25, 1.5, 1.75, 9.0]
    assert past.pieces == [(2.5, EVENTS[:4]), (3.5, EVENTS[4:])]
    assert (past.by, past.why, past.untimed) == ("client", "closed", False)
    assert (past.body, past.request.url, past.client) == (CALL, "http://localhost:8000/mcp", "127.0.0.1")


def test_body_that_was_not_streamed(read):
    """It came when the exchange ended."""
    flow = told(mcp())
    del flow.metadata[timeline.PIECES]
    (past,) = read(flow).exchanges
    assert (past.pieces, past.untimed) == ([(9.0, b"{}")], False)


def test_body_too_large_to_be_kept(read):
    """The flow does not hold it, and that is what is known."""
    flow = told(mcp("text/event-stream", None))
    (past,) = read(flow).exchanges
    assert past.pieces is None


def test_flow_without_a_timeline(read):
    """mitmproxy's own moments; when the events came is not known."""
    (past,) = read(mcp("text/event-stream", EVENTS)).exchanges
    assert moments(past) == [1.0, 2.0, 3.0, 4.0]
    assert past.pieces == [(4.0, EVENTS)]
    assert (past.untimed, past.by, past.why) == (True, "server", "complete")


def test_stream_without_a_timeline_is_decoded(read):
    """So that it can be cut into its events."""
    (past,) = read(mcp("text/event-stream", gzip.compress(EVENTS), **{"content-encoding": "gzip"})).exchanges
    assert (past.pieces, past.decoded) == ([(4.0, EVENTS)], True)
    broken = mcp("text/event-stream", b"no gzip", **{"content-encoding": "gzip"})
    (past,) = read(broken).exchanges
    assert (past.pieces, past.decoded) == ([(4.0, b"no gzip")], False)


def failed(**response):
    flow = mcp(**response)
    flow.error = tflow.terr("Client disconnected.")
    flow.error.timestamp = 5.0
    return flow


def test_end_that_mitmproxy_does_not_explain(read):
    """It says the same whether the client left, was idle, or mitmproxy ended: so nobody is named."""
    (past,) = read(failed()).exchanges
    assert (past.by, past.why, past.error, past.ended) == ("open", "unknown", "Client disconnected.", 5.0)


def test_server_that_was_not_reached(read):
    """There was no connection."""
    flow = failed()
    flow.response, flow.server_conn.timestamp_tcp_setup = None, None
    (past,) = read(flow).exchanges
    assert (past.by, past.why, past.response) == ("proxy", "upstream", None)


def test_flow_that_was_open_when_mitmproxy_ended(read):
    """It has neither an end nor an error."""
    flow = mcp("text/event-stream", None)
    flow.response.timestamp_end = None
    (past,) = read(flow).exchanges
    assert (past.by, past.why, past.ended) == ("open", "shutdown", 3.0)


def test_trailers(read):
    """Those of both sides."""
    flow = mcp()
    flow.request.trailers, flow.response.trailers = http.Headers([(b"a", b"1")]), http.Headers([(b"b", b"2")])
    (past,) = read(flow).exchanges
    assert (past.request_trailers, past.trailers) == ([("a", "1")], [("b", "2")])


def test_what_is_no_http_exchange(read):
    """WebSockets and bare TCP are counted."""
    archive = read(tflow.twebsocketflow(), tflow.ttcpflow(), mcp())
    assert (archive.websockets, archive.foreign, len(archive.exchanges)) == (1, 1, 1)
    assert archive.host_rewritten is False


def test_reverse_mode_replaces_the_host(read):
    """Rules that judge it must know."""
    flow = mcp()
    flow.client_conn.proxy_mode = ProxyMode.parse("reverse:http://localhost:8000@8080")
    assert read(flow).host_rewritten is True


def test_file_cut_short(read):
    """What could be read is kept, and the loss is told."""
    archive = read(mcp(), mcp(), mcp(), cut=10)
    assert len(archive.exchanges) == 2
    assert archive.damage == "breaks off, or is damaged, after 2 flows"
    assert archive.origin()["damage"] == archive.damage


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"12:abc,", "damaged before its first flow ends"),
        (b"0:~", "damaged before its first flow ends"),
        (b"16:7:version;3:999#}", "is of a later mitmproxy than the one installed: update it"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, data, said):
    """One sentence, no traceback."""
    path = tmp_path / "some.mitm"
    path.write_bytes(data)
    with pytest.raises(McpsniffError, match=said):
        saved.read(str(path))


def test_flow_with_an_impossible_time(read):
    """It is left out and told; the others are kept."""
    broken = mcp()
    broken.request.timestamp_start = float("nan")
    archive = read(mcp(), broken, mcp())
    assert len(archive.exchanges) == 2
    assert archive.damage == "holds a damaged flow, number 2 (nan s since 1970 is no time)"


def test_file_that_is_not_there(tmp_path):
    """The system's reason is told."""
    with pytest.raises(McpsniffError, match=r"none\.mitm cannot be read: No such file"):
        saved.read(str(tmp_path / "none.mitm"))


def test_flow_without_its_answer(read):
    """The request alone."""
    flow = tflow.tflow(req=tutils.treq(timestamp_start=1.0, timestamp_end=2.0))
    (past,) = read(flow).exchanges
    assert (past.asked, past.ended, past.response) == (1.0, 2.0, None)
