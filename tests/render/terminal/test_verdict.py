"""The first line of the report."""

from mcpsniff.render.terminal.verdict import verdict


def test_a_whole_capture_without_findings_is_well(talk, report):
    """Everything was read and nothing found."""
    talk.handshake()
    assert verdict(report(talk.file(), rules=True)).plain == "✓ Nothing wrong found in 1 session, 3 messages"


def test_a_cut_capture_is_well_as_far_as_it_goes(talk, report):
    """Where the capture breaks off, the verdict does not speak for what is not there."""
    talk.handshake()
    said = verdict(report(talk.file(end=False), rules=True)).plain
    assert said == "Nothing wrong found in what could be read, in 1 session, 3 messages"
