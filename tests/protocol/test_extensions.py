"""Who declares which extension, and what belongs to one."""

import json

import pytest

from mcpsniff.protocol.extensions import declarations, extension_of, extensions_in
from mcpsniff.protocol.message import Message

TASKS, UI = "io.modelcontextprotocol/tasks", "io.modelcontextprotocol/ui"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def message(**body):
    """Makes a message of the client."""
    text = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return Message(text, "client", 1, 0.0, len(text))


@pytest.mark.parametrize("capabilities", [None, {}, {"extensions": None}, {"extensions": ["x"]}])
def test_nothing_declared(capabilities):
    """Absent and misshapen declarations declare nothing."""
    assert extensions_in(capabilities) == {}


def test_requests_and_discover_results_declare():
    """Each with the path to its declarations; a request in its envelope, a server in its result."""
    declared = {"extensions": {"a/b": {}}}
    asked = message(id=1, method="tools/list", params={"_meta": {CAPABILITIES: declared}})
    told = message(id=1, result={"capabilities": declared})
    assert list(declarations(asked)) == [(("params", "_meta", CAPABILITIES, "extensions"), {"a/b": {}})]
    assert list(declarations(told)) == [(("result", "capabilities", "extensions"), {"a/b": {}})]
    assert list(declarations(message(id=1, method="x", params={"_meta": 7}))) == []


@pytest.mark.parametrize(
    ("method", "params", "extension"),
    [
        ("tasks/get", {"taskId": "t"}, TASKS),
        ("ui/open", {}, UI),
        ("subscriptions/listen", {"notifications": {"taskIds": ["t"]}}, TASKS),
        ("subscriptions/listen", {"notifications": {"taskIds": []}}, None),
        ("tools/call", {"name": "tasks/get"}, None),
    ],
)
def test_what_belongs_to_an_extension(method, params, extension):
    """Methods by their first part, a listen request by its filter."""
    assert extension_of(message(id=1, method=method, params=params)) == extension
