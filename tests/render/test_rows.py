"""The findings one by one."""

from mcpsniff.render.rows import rows


def test_every_finding_comes_with_its_capture(findings):
    """Three of the first session; the second has none."""
    said = [(row.capture["id"], row.session["id"], row.finding["severity"]) for row in rows(findings)]
    assert said == [("c", "s1", "error"), ("c", "s1", "warning"), ("c", "s1", "info")]
