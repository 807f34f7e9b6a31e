"""`mcpsniff explain RULE`: the page, and the wire."""

import pytest

from mcpsniff.commands.explain import explain
from mcpsniff.commands.samples import samples_of
from mcpsniff.errors import McpsniffError
from mcpsniff.render.pages import rule_page


def section(text, head):
    """The lines under a heading that begins so."""
    (body,) = [part for part in text.split("\n## ") if part.startswith(head)]
    return body.strip().splitlines()[1:]


def test_the_page_comes_first():
    """What is known of the rule, then what shows it."""
    assert explain("stdout-noise").startswith(rule_page("stdout-noise"))


def test_bad_and_good_stand_side_by_side():
    """A banner on stdout, and the same on stderr."""
    text = explain("stdout-noise")
    assert section(text, "Bad on the wire (bad-2025-06-18)") == ["#1 server: Server listening on stdio..."]
    assert section(text, "Good on the wire (good-2025-06-18)") == ["#1 server's stderr: Server listening on stdio..."]


def test_every_sample_is_named_by_its_path():
    """So that `mcpsniff report` can be run on it."""
    named = section(explain("stdout-noise"), "Samples")
    assert named == [str(path) for path in samples_of("stdout-noise")]
    assert named[0].endswith("/samples/rules/stdout-noise/bad-2025-06-18.jsonl")


def test_a_request_shows_its_headers():
    """What is wrong over HTTP often stands there."""
    assert "   Accept: " in "\n".join(section(explain("http-accept-get"), "Good on the wire"))


def test_nothing_drives_the_terminal():
    """Samples hold hostile bytes too."""
    assert all("\x1b" not in explain(rule) for rule in ("stdout-noise", "stderr-noise") if samples_of(rule))


def test_an_unknown_rule_has_no_page():
    """The nearest is named."""
    with pytest.raises(McpsniffError, match="Did you mean stdout-noise"):
        explain("stdout-nose")
