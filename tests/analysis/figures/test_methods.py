"""Figures by method and by tool."""


def rows(session):
    """The rows of `methods`, by method and direction."""
    return {(row["method"], row["direction"]): row for row in session["methods"]}


def test_a_row_a_method_and_direction(talk):
    """Both sides may send ping; each direction has its own row, with the bytes of the answers."""
    talk.client(id=1, method="ping")
    talk.server(id=1, method="ping")
    talk.server(id=1, result={})
    talk.client(id=1, error={"code": -32601, "message": "no"})
    table = rows(talk.session())
    assert (table[("ping", "client")]["count"], table[("ping", "client")]["errors"]) == (1, 0)
    assert (table[("ping", "server")]["count"], table[("ping", "server")]["errors"]) == (1, 1)
    assert table[("ping", "client")]["bytes_response"] == len('{"jsonrpc":"2.0","id":1,"result":{}}') + 1
    assert table[("ping", "client")]["latency_ms"]["max"] == 200.0


def test_tools_with_definition_result_and_claims(talk):
    """Definition bytes are those of the list; a tool that is only listed stands there; odd annotations do not."""
    definition = '{"name":"tidy_up","inputSchema":{},"annotations":{"readOnlyHint":true,"x":{"y":1}}}'
    talk.handshake()
    talk.client(id=1, method="tools/list")
    listed = '{"jsonrpc":"2.0","id":1,"result":{"tools":[' + definition + ',{"name":"idle"}]}}'
    talk.say("server", listed)
    talk.client(id=2, method="tools/call", params={"name": "tidy_up"})
    talk.say("server", '{"jsonrpc":"2.0","id":2,"result":{"isError":true}}')
    session = talk.session()
    called, idle = session["tools"]
    assert (called["name"], called["count"], called["errors"], called["tool_errors"]) == ("tidy_up", 1, 0, 1)
    assert (called["definition_bytes"], called["result_bytes"]) == (len(definition), len('{"isError":true}'))
    assert called["claims"] == {"readOnlyHint": True}
    assert (idle["name"], idle["count"], idle["definition_bytes"], idle["claims"]) == ("idle", 0, 15, {})
    assert session["tools_list_bytes"] == len(listed) + 1


def test_a_list_that_was_not_walked_to_its_end_has_no_size(talk):
    """A page with a cursor that nobody asked for says nothing about the whole list."""
    talk.client(id=1, method="tools/list")
    talk.server(id=1, result={"tools": [], "nextCursor": "more"})
    assert talk.session()["tools_list_bytes"] is None


def test_a_flood_of_method_names_is_capped_and_counted(talk, report):
    """Rows are bounded; what was left out is said."""
    for number in range(502):
        talk.client(id=number, method=f"made/up{number}")
    said = report(talk.file())
    assert len(said.sessions[0]["methods"]) == 500
    assert {"store": "methods", "limit": 500, "dropped": 2} in said.caps
