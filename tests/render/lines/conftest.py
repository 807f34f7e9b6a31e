"""Rows to be shown."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcpsniff.analysis.row import Row


@pytest.fixture
def rows() -> "Callable[[Any], list[Row]]":
    """Gives the rows of a capture in the making, as far as they have a line of their own."""
    from mcpsniff.analysis.timeline import read_whole

    return lambda talk: [row for row in read_whole(talk.file())[2] if not row.folded]


@pytest.fixture
def exchanged(web: Any) -> Any:
    """A GET that is refused, and a call in a POST."""
    web.add(
        type="request", x="a", method="GET", url="http://h/mcp", http="1.1", headers=[["Accept", "text/event-stream"]]
    )
    web.add(type="response", x="a", status=405, http="1.1", headers=[["Allow", "POST"]])
    web.add(type="close", x="a", by="server", why="complete")
    web.add(type="request", x="b", method="POST", url="http://h/mcp", http="1.1", headers=[["Mcp-Method", "ping"]])
    web.say("client", '{"jsonrpc":"2.0","id":1.0,"method":"ping"}', x="b")
    web.add(type="response", x="b", status=200, http="1.1", headers=[["Content-Type", "application/json"]])
    web.say("server", '{"jsonrpc":"2.0","id":1,"result":{}}', x="b")
    web.add(type="close", x="b", by="server", why="complete")
    return web
