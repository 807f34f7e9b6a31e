"""Mirrored headers: each kind of fault, and what is none."""

import pytest

from mcpsniff.protocol.exchange import HttpExchange
from mcpsniff.protocol.mirror import doubled, fault_of


def exchange(*headers):
    return HttpExchange("x", 1, 0.0, "POST", "http://h/mcp", list(headers))


@pytest.mark.parametrize(
    ("header", "sent", "body", "kind"),
    [
        ("Mcp-Method", "tools/list", "tools/list", None),
        ("Mcp-Method", "Tools/List", "tools/list", "differs"),
        ("Mcp-Name", "  weather\t", "weather", None),
        ("Mcp-Name", "", "", None),
        ("MCP-Protocol-Version", "", "2026-07-28", "missing"),
        ("Mcp-Name", "=?base64?Y2Fmw6k=?=", "café", None),
        ("Mcp-Name", "=?base64?Y2Fmw6k?=", "café", "broken"),
        ("Mcp-Name", "=?base64?Y2Fm?=", "café", "differs"),
        ("Mcp-Name", "=?base64?YQ==?=", "=?base64?YQ==?=", "ambiguous"),
        ("Mcp-Name", "café", "café", "unsafe"),
        ("Mcp-Name", "x", " x", "unsafe"),
        ("Mcp-Name", "a b", "a b", None),
        ("Mcp-Param-N", "42.0", 42, None),
        ("Mcp-Param-N", "4.2e1", 42, None),
        ("Mcp-Param-N", "forty-two", 42, "differs"),
        ("Mcp-Param-N", "4_2", 42, "differs"),
        ("Mcp-Param-B", "true", True, None),
        ("Mcp-Param-B", "True", True, "differs"),
        ("Mcp-Param-B", "1", True, "differs"),
    ],
)
def test_each_kind_of_fault(header, sent, body, kind):
    """The value is trimmed, decoded and compared as the page says."""
    fault = fault_of(exchange((header, sent)), header, body)
    assert (fault.kind if fault else None) == kind


def test_a_header_that_is_absent_or_doubled():
    """Absence is a fault; a header that stands twice is left to a rule of its own."""
    assert str(fault_of(exchange(), "Mcp-Name", "a")) == "Mcp-Name missing"
    twice = exchange(("Mcp-Name", "a"), ("mcp-name", "b"), ("X-Other", "1"), ("X-Other", "1"))
    assert fault_of(twice, "Mcp-Name", "a") is None
    assert doubled(twice) == ["mcp-name"]
