"""The rows of captures as the page reads them."""

from io import BytesIO

import pytest

from mcpsniff.analysis.timeline import read_whole
from mcpsniff.render.html import rows as module
from mcpsniff.render.html.rows import PageRows


def rows_of(file: BytesIO):
    """The rows of one capture."""
    kept = PageRows()
    _, _, rows = read_whole(file)
    kept.take(rows)
    kept.end()
    (own,) = kept.rows
    return own


def by_seq(file):
    """The rows of messages, by record."""
    return {row["seq"]: row for row in rows_of(file) if row["kind"] not in ("session", "era")}


def test_a_request_and_its_answer_know_each_other(talk):
    """The answer names its request and how long it took; sizes are those of the wire."""
    talk.handshake()
    request = talk.client(id=1, method="tools/call", params={"name": "echo", "arguments": {}})
    answer = talk.server(id=1, result={"content": [{"type": "text", "text": "no"}], "isError": True})
    rows = by_seq(talk.file())
    assert rows[request]["name"] == rows[answer]["name"] == "echo"
    assert rows[answer]["call"] == request
    assert rows[answer]["latency"] == pytest.approx(0.1)
    assert rows[answer]["outcome"] == "tool_error"
    assert rows[answer]["says"] == "no"
    assert rows[request]["size"] == len(rows[request]["text"]) + 1
    assert rows[request]["framing"] == 1


def test_a_question_to_the_user_is_named(talk, meta):
    """An elicitation asks the user, in either era; a list of roots asks the client alone."""
    talk.handshake()
    ask = {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}
    legacy = talk.server(id=1, method="elicitation/create", params=ask)
    roots = talk.server(id=2, method="roots/list")
    rows = by_seq(talk.file())
    assert rows[legacy]["asks"] == "Sure?"
    assert "asks" not in rows[roots]
    modern = type(talk)()
    modern.client(id=1, method="tools/call", params={"name": "rm", "arguments": {}, "_meta": meta})
    asked = {"a": {"method": "roots/list"}, "b": {"method": "elicitation/create", "params": ask}}
    answer = modern.server(id=1, result={"resultType": "input_required", "inputRequests": asked})
    row = by_seq(modern.file())[answer]
    assert (row["outcome"], row["asks"]) == ("input_required", "Sure?")


def test_the_envelope_is_measured(talk, meta):
    """That of this client is 194 bytes."""
    seq = talk.client(id=1, method="tools/call", params={"name": "echo", "arguments": {}, "_meta": meta})
    assert by_seq(talk.file())[seq]["envelope"] == 194


def test_bytes_that_are_no_text_stay_bytes(talk):
    """What is not UTF-8 comes as base64; what is comes as text."""
    broken = talk.add(type="text", **{"from": "server"}, size=3, b64="/zw=")
    plain = talk.add(type="stderr", size=6, raw="hello")
    rows = by_seq(talk.file())
    assert (rows[broken]["b64"], "text" in rows[broken]) == ("/zw=", False)
    assert (rows[plain]["text"], rows[plain]["eol"]) == ("hello", "\n")


def test_what_is_too_much_is_counted(talk, monkeypatch):
    """Rows over the cap are left out of the page, and how many they are is known."""
    monkeypatch.setattr(module, "ROWS", 3)
    talk.handshake()
    kept = PageRows()
    _, _, rows = read_whole(talk.file())
    kept.take(rows)
    kept.end()
    assert (len(kept.rows[0]), kept.left_out) == (3, len(rows) - 3)


def test_long_payloads_are_cut(talk, monkeypatch):
    """A payload over the cap keeps its beginning, cut at a character, and says how much is missing."""
    monkeypatch.setattr(module, "TEXT", 4)
    seq = talk.add(type="text", **{"from": "server"}, size=8, raw="abcéfg")
    row = by_seq(talk.file())[seq]
    assert (row["text"], row["cut"]) == ("abc", 3)


def test_findings_are_pinned_to_every_culprit(talk):
    """Each noisy line has its own pin; heads that tell nothing new have no row."""
    talk.handshake()
    noisy = [talk.add(type="text", **{"from": "server"}, size=5, raw=text) for text in ("one", "two")]
    rows = by_seq(talk.file())
    assert [[pin["rule"] for pin in rows[seq]["findings"]] for seq in noisy] == [["stdout-noise"]] * 2


def test_a_batch_has_parts(talk):
    """The elements of a batch are rows of one record, numbered from 1."""
    talk.say("client", '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]')
    kinds = [(row["kind"], row.get("part"), row.get("id")) for row in rows_of(talk.file()) if row["kind"] != "session"]
    assert kinds == [("batch", None, None), ("request", 1, "1"), ("request", 2, "2")]
