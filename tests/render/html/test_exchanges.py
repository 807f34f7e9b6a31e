"""The heads of HTTP exchanges for the page."""

from mcpsniff.analysis.timeline import read_whole
from mcpsniff.render.html.exchanges import Exchanges


def test_heads_of_both_sides(web):
    """Request line, status, headers in order and their bytes; how it ended."""
    web.add(
        type="request",
        x="x1",
        conn="c1",
        method="POST",
        url="http://h/mcp",
        http="1.1",
        headers=[["A", "1"], ["a", "2"]],
        head_size=30,
    )
    web.client_in = web.say("client", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', x="x1")
    web.add(type="response", x="x1", status=200, headers=[["B", "3"]], head_size=12)
    web.say("server", '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}', x="x1")
    web.add(type="close", x="x1", by="server", why="complete")
    exchanges = Exchanges()
    for row in read_whole(web.file())[2]:
        exchanges.note(row)
    assert exchanges.result() == {
        "x1": {
            "method": "POST",
            "url": "http://h/mcp",
            "http": "1.1",
            "headers": [("A", "1"), ("a", "2")],
            "status": 200,
            "reply_headers": [("B", "3")],
            "heads": 42,
            "closed": "closed by server, complete",
        }
    }
