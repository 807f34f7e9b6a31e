"""Markdown, read by markdown-it as GitHub reads it."""

from markdown_it import MarkdownIt

from mcpsniff.render.markdown import render
from mcpsniff.wire.visible import visible


def tokens(report):
    """Every token of the document, those of its lines too."""
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(render(report).decode()):
        yield token
        yield from token.children or ()


def test_captured_text_is_text(findings, hostile):
    """What was captured stands in code, whole; the only links are those to the clauses, and nothing else is markup."""
    seen = list(tokens(findings))
    assert [t.content for t in seen if t.type == "code_inline" and "evil" in t.content] == [visible(hostile)] * 3
    assert {t.attrs["href"] for t in seen if t.type == "link_open"} == {
        "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio"
    }
    assert not {t.type for t in seen} & {"html_inline", "html_block", "image", "fence"}


def test_there_is_a_row_for_every_finding(findings):
    """A heading a session, and a table of six columns where something was found."""
    seen = list(tokens(findings))
    assert sum(t.type == "tr_open" for t in seen) == 4
    assert sum(t.type == "td_open" for t in seen) == 18
    assert [t.tag for t in seen if t.type == "heading_open"] == ["h1", "h2", "h2"]


def test_the_verdict_comes_first(findings, nothing):
    """Counts by severity, or that there is nothing."""
    assert "\n1 error, 1 warning, 1 info in 2 session(s).\n" in render(findings).decode()
    assert render(nothing).decode() == "# MCP traffic\n\nNothing wrong found in 0 session(s).\n"
