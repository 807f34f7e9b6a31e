"""What is wrong with an exchange at first sight."""

import json

import pytest

from mcpsniff.capture.body import Entry
from mcpsniff.proxy.faults import Faults

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


def found(*answers, status=200, close=("server", "complete"), asked=CALL):
    """The faults of an exchange with these messages (or bytes) of the server."""
    faults = Faults()
    bodies = [("client", asked), *(("server", answer) for answer in answers)]
    for sender, body in bodies:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        faults.see(Entry(0, 0, {"from": sender}, body=data))
        if sender == "client":
            faults.see(Entry(0, 0, {"status": status}, "response"))
    faults.see(Entry(0, 0, dict(zip(("by", "why"), close, strict=True)), "close"))
    return faults.found


@pytest.mark.parametrize(
    ("answers", "more", "said"),
    [
        ([{"id": 1, "result": {}}], {}, ""),
        ([{"id": 1, "result": {"isError": True}}], {}, "the tool failed"),
        ([{"id": 1, "error": {"code": -1, "message": "no\x1b[2J"}}], {}, "error -1: no\\x1b[2J"),
        ([b"<html>"], {"status": 503}, "HTTP 503"),
        ([b"oops", {"id": 1, "result": {}}], {}, "server sent what is no JSON"),
        ([b"Accepted"], {"status": 202, "asked": {"method": "notifications/initialized"}}, ""),
        ([], {}, "no answer"),
        ([{"id": 2, "result": {}}], {}, "no answer"),
        ([], {"close": ("client", "closed")}, "no answer: closed by client (closed)"),
        ([{"id": 1, "result": {}}], {"close": ("client", "closed")}, ""),
        ([], {"close": ("open", "shutdown")}, ""),
        ([[{"id": 1, "result": {}}, 7]], {}, ""),
        ([{"id": 7, "method": "sampling/createMessage"}, {"id": 1, "result": 3}], {}, ""),
    ],
)
def test_faults(answers, more, said):
    """Errors, failures, statuses, what is no JSON, and requests without an answer; else nothing."""
    assert found(*answers, **more) == ([said] if said else [])


def test_many_faults_are_not_all_told():
    """A stream of errors makes few, each fault once."""
    errors = [{"id": n, "error": {"code": n % 9, "message": "x" * 500}} for n in range(100)]
    assert sum(map(len, found(*errors))) < 800
    assert found(b"a", b"b", {"id": 1, "result": {}}) == ["server sent what is no JSON"]
