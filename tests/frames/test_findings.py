"""The frame of findings."""

from mcpsniff import frames


def test_a_row_a_finding(after):
    """With the culprit and its line in the file."""
    (row,) = frames.read(after).findings.to_dict("records")
    assert (row["rule"], row["severity"], row["violator"]) == ("stdout-noise", "error", "server")
    assert (row["capture"], row["session"], row["seq"], row["line"], row["t"]) == (after, "s1", 12, 13, 1.2)
    assert (row["records"], row["count"]) == ([12], 1)
    assert all(page.startswith("https://modelcontextprotocol.io/specification/2025-11-25/") for page in row["spec"])
