"""Captures read for the page."""

from mcpsniff.analysis.engine import analyze
from mcpsniff.commands.pages import Pages
from mcpsniff.rules.selection import DEFAULT


def test_reads_as_the_report_does(talk, tmp_path):
    """The result is that of the report; the rows of a second capture carry its sessions' names."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_bytes(talk.file(id=path.stem).getvalue())
    pages = Pages()
    for path in paths:
        name, result = pages.read((str(path),), DEFAULT, lambda read: None)
        expected_name, expected = analyze((str(path),), DEFAULT)
        assert name == expected_name
        assert [s.findings for s in result.sessions] == [s.findings for s in expected.sessions]
    assert [{row["session"] for row in rows} for rows in pages.rows.rows] == [{"s1"}, {"s2"}]
