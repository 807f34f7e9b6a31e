"""Who ended a session, and how long the server took."""


def test_the_client_closed_stdin(talk):
    """The end of input came first; the exit 200 ms later."""
    talk.add(type="eof", stream="stdin")
    talk.add(type="eof", stream="stdout")
    talk.add(type="exit", code=0)
    want = {"by": "client", "stdin_eof_to_exit_ms": 200.0, "exit_code": 0, "signal": None}
    assert talk.session()["shutdown"] == want


def test_the_server_went_first(talk):
    """An exit while stdin was open is the server's doing; there is no time to give."""
    talk.add(type="exit", signal="SIGSEGV")
    talk.add(type="eof", stream="stdin")
    want = {"by": "server", "stdin_eof_to_exit_ms": None, "exit_code": None, "signal": "SIGSEGV"}
    assert talk.session()["shutdown"] == want


def test_still_running(talk):
    """Nothing is known of an end that the capture does not hold."""
    session = talk.session(end=False)
    assert session["shutdown"] == {"by": None, "stdin_eof_to_exit_ms": None, "exit_code": None, "signal": None}
    assert session["complete"] is False


def test_http_goodbye_is_a_delete(web):
    """A legacy HTTP client says goodbye with DELETE, whatever the answer."""
    web.add(type="request", x="x", conn="c", method="DELETE", url="http://h/mcp", headers=[["mcp-session-id", "1"]])
    web.add(type="response", x="x", status=405, headers=[])
    web.add(type="close", x="x", by="server", why="complete")
    assert web.session()["shutdown"]["by"] == "client"
