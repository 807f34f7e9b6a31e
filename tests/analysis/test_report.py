"""The Report: ids, captures, losses, caps and the summary over all captures."""

from io import BytesIO

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.rules.selection import NOTHING

SESSION_KEYS = {
    "id", "capture", "transport", "era", "client_era", "server_era", "era_evidence", "revision", "revisions_offered",
    "revisions_supported", "negotiation", "client", "server", "complete", "began", "messages", "round_trips", "calls",
    "envelope", "http", "unchecked", "methods", "tools", "tools_list_bytes", "server_memory", "shutdown", "findings",
}  # fmt: skip
FINDING_KEYS = {
    "rule", "title", "severity", "violator", "seq", "t", "message", "evidence", "spec", "revision", "count",
    "confidence", "where", "excerpt", "line", "fingerprint",
}  # fmt: skip


def test_a_session_has_every_key(talk):
    """The keys of the documented SESSION, and no other."""
    talk.handshake()
    assert set(talk.session()) == SESSION_KEYS


def test_sessions_and_captures_have_ids_of_their_own(talk, report):
    """Sessions count on over captures; a capture that comes twice, or has no id, gets another one."""
    talk.handshake()
    said = report(talk.file(), talk.file(), talk.file(id=""))
    assert [session["id"] for session in said.sessions] == ["s1", "s2", "s3"]
    assert [capture["id"] for capture in said.captures] == ["c", "c-1", "c1"]
    assert [session["capture"] for session in said.sessions] == ["c", "c-1", "c1"]


def test_a_finding_shows_its_record(talk, report):
    """Noise on stdout: rule, culprit's record, its beginning, and the clause in the session's revision."""
    talk.handshake()
    seq = talk.add(type="text", **{"from": "server"}, size=6, raw="hello")
    said = report(talk.file(), rules=True)
    (finding,) = said.sessions[0]["findings"]
    assert set(finding) == FINDING_KEYS
    assert (finding["rule"], finding["seq"], finding["excerpt"]) == ("stdout-noise", [seq], "hello")
    assert finding["spec"] == ["https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio"]
    assert said.summary == {"sessions": 1, "messages": 3, "findings": {"error": 1, "warning": 0, "info": 0}}


def test_losses_name_lines_and_gaps(talk, report):
    """A damaged line by its number, a gap with what it swallowed; the size is that of the file."""
    talk.handshake()
    talk.add(type="gap", records=7, bytes=700, why="queue-full")
    lines = talk.file().getvalue().splitlines(keepends=True)
    text = b"".join([*lines[:2], b"{broken\n", *lines[2:]])
    said = report(BytesIO(text))
    assert said.losses["damaged_lines"] == [{"capture": "c", "count": 1, "lines": [3]}]
    assert said.losses["gaps"] == [{"capture": "c", "count": 1, "records": 7}]
    assert (said.captures[0]["bytes"], said.captures[0]["gaps"]) == (len(text), 1)


def test_missing_parts_are_losses(talk, report):
    """A later part alone lacks those before it; a capture that is no part, or the first, lacks none."""
    talk.handshake()
    said = report(talk.file(part=4), talk.file(part=1), talk.file())
    assert said.losses["missing_parts"] == [{"capture": "c", "count": 3, "parts": [1, 2, 3]}]


def test_the_files_of_a_capture_in_parts(talk, tmp_path):
    """The first names it; each with the first record that it may hold; one file alone is none of several."""
    talk.handshake()
    lines = talk.file(part=1).getvalue().splitlines(keepends=True)
    (tmp_path / "1").write_bytes(b"".join(lines[:3]))
    (tmp_path / "3").write_bytes(lines[0].replace(b'"part": 1', b'"part": 3') + b"".join(lines[3:]))
    files = (str(tmp_path / "1"), str(tmp_path / "3"))
    said = build([analyze(files, NOTHING), analyze(files[:1], NOTHING)], ())
    assert [capture["file"] for capture in said.captures] == [files[0], files[0]]
    assert said.captures[0]["parts"] == [{"file": files[0], "seq": 0}, {"file": files[1], "seq": 3}]
    assert said.captures[1]["parts"] == []
    assert (said.captures[0]["complete"], said.captures[1]["complete"]) == (True, False)
    assert said.losses["missing_parts"] == [{"capture": "c", "count": 1, "parts": [2]}]


def test_a_rule_that_fails_is_said_and_not_fatal(talk):
    """The failure is counted under the rule's id, with what went wrong."""
    talk.handshake()
    name, result = analyze(talk.file(), NOTHING)
    result.crashed["some-rule: ValueError('x: y')"] += 2
    said = build([(name, result)])
    assert said.losses["crashed_rules"] == [
        {"capture": "c", "rule": "some-rule", "error": "ValueError('x: y')", "count": 2}
    ]


def test_evidence_of_the_era_strongest_first(talk, meta):
    """What is certain stands before what is likely."""
    talk.client(id=1, method="tools/list", params={"_meta": meta})
    talk.server(id=1, result={"resultType": "complete", "tools": []})
    evidence = talk.session()["era_evidence"]
    assert [(e["seq"], e["side"], e["says"]) for e in evidence] == [(1, "client", "modern"), (2, "server", "modern")]


@pytest.mark.parametrize("cut", [2, 30, 200])
def test_a_cut_capture_is_incomplete(talk, report, cut):
    """Without its end record a capture is readable and said to be cut."""
    talk.handshake()
    said = report(BytesIO(talk.file().getvalue()[:-cut]))
    assert said.captures[0]["complete"] is False
    assert said.sessions[0]["complete"] is False


def test_clause_of_an_unknown_revision_is_that_of_the_last_handshake_revision(talk, report):
    """Page and revision of the link belong together, also where nothing tells the revision."""
    talk.say("client", '{"jsonrpc":"2.0","id":null,"method":"x"}')
    (session,) = report(talk.file(), rules=True).sessions
    (finding,) = [one for one in session["findings"] if one["rule"] == "request-id-invalid"]
    assert session["revision"] is None
    assert [url.split("/")[4] for url in finding["spec"]] == ["2025-11-25"]
