"""Two captures by hand, small enough to count: a handshake and three calls; the same with a fault and another tool."""

import pytest

TOOL = {"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}


def _play(talk, tool):
    talk.handshake()  # records 1 to 3
    talk.client(id=1, method="tools/list")  # 4
    talk.server(id=1, result={"tools": [tool]})  # 5
    talk.client(id=2, method="tools/call", params={"name": "add", "arguments": {}})  # 6
    talk.client(id="b", method="tools/call", params={"name": "add", "arguments": {}})  # 7
    talk.server(id="b", result={"content": [], "isError": True})  # 8
    talk.server(id=2, result={"content": []})  # 9
    talk.client(id=3, method="tools/call", params={"name": "add", "arguments": {}})  # 10
    talk.client(method="notifications/cancelled", params={"requestId": 3})  # 11


@pytest.fixture
def before(talk, tmp_path):
    """A capture without a fault, in a file."""
    _play(talk, TOOL)
    (path := tmp_path / "before.jsonl").write_bytes(talk.file(id="before").getvalue())
    return str(path)


@pytest.fixture
def after(talk, tmp_path):
    """A capture with noise on stdout at record 12, and with another description of the tool."""
    talk = type(talk)()
    _play(talk, TOOL | {"description": "Adds numbers."})
    talk.add(type="text", **{"from": "server"}, size=6, raw="hello")
    (path := tmp_path / "after.jsonl").write_bytes(talk.file(id="after").getvalue())
    return str(path)
