"""What the recorder reports is told on stderr: once, and only what was asked for."""

import os

import pytest

from mcpsniff.relay.reports import Reports, say


@pytest.fixture
def told(pipe, capfd):
    """Runs Reports over `sent`; the object, and what stands on stderr."""

    def run(sent, *, verbose=False, closing=False):
        source, target = pipe()
        reports = Reports(source, verbose)
        reports.closing = closing
        os.write(target, sent)
        os.close(target)
        reports.run()
        assert reports.ended(0)
        return reports, capfd.readouterr().err

    return run


def test_an_open_capture_is_told_only_when_asked(told):
    """Some clients take a line on stderr for a failure."""
    reports, said = told(b"+/tmp/c.jsonl\n", closing=True)
    assert (reports.opened(), said) == ("/tmp/c.jsonl", "")
    _, said = told(b"+/tmp/c.jsonl\n", verbose=True, closing=True)
    assert said == "mcpsniff: capturing to /tmp/c.jsonl\n"


def test_trouble_is_always_told(told):
    """The sentence comes as it was reported, and the capture is not open."""
    reports, said = told(b"-cannot write\n", closing=True)
    assert (reports.opened(), said) == (None, "mcpsniff: cannot write\n")


def test_a_recorder_that_goes_too_early_is_told(told):
    """Its end without having been asked to is trouble; after a word of its own there is nothing to add."""
    reports, said = told(b"")
    assert (reports.opened(), said) == (None, "mcpsniff: the recorder is gone; the traffic goes on unrecorded\n")
    assert told(b"-it failed\n")[1] == "mcpsniff: it failed\n"


def test_what_cannot_be_encoded_is_escaped(capfd):
    """A path of any bytes can be told."""
    say("capturing to /tmp/\udcff")
    assert capfd.readouterr().err == "mcpsniff: capturing to /tmp/\\udcff\n"


def test_lines_on_the_traffic_stand_as_they_are(told):
    """They are no trouble, and need nobody to ask for them here."""
    assert told(b"+c\n=1.0 tools/call\n", closing=True)[1] == "1.0 tools/call\n"
