"""Workflow commands, held against another writer of them."""

import io
from contextlib import redirect_stdout

from actions_toolkit.command import issue_command

from mcpsniff.render.github import render


def command(name, properties, message):
    """The line that the toolkit writes."""
    out = io.StringIO()
    with redirect_stdout(out):
        issue_command(name, properties, message)
    return out.getvalue()


def test_the_toolkit_writes_the_same(findings):
    """Title, file and line as properties; message and clause in one; escapes as GitHub wants them."""
    at = {"title": "stdout-noise (server)", "file": "-logs/a b,c:1%.jsonl", "line": 5}
    said = (
        r'=1+1 \x1b[31m<b>]]>&"\u202e\ufffe | `` ` [x](http://evil.example) @all ![i](u)\r'
        "\n# head, 100%::error::"
        "\nhttps://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio"
    )
    wanted = "".join(command(name, at, said) for name in ("error", "warning", "notice"))
    assert render(findings).decode() == wanted


def test_a_finding_whose_line_is_unknown_has_none(findings):
    """The annotation is the file's."""
    for found in findings.sessions[0]["findings"]:
        found["line"] = None
    assert "line=" not in render(findings).decode()


def test_nothing_found_is_nothing(nothing):
    """No annotation."""
    assert render(nothing) == b""
