"""The page of a rule."""

import pytest

from mcpsniff.errors import McpsniffError
from mcpsniff.protocol.revisions import REVISIONS
from mcpsniff.render.pages import rule_page
from mcpsniff.rules.catalogue import by_id


@pytest.mark.parametrize("id_", sorted(by_id()))
def test_every_page_has_its_parts(id_):
    """Title, why, how, when silent, and one line for each revision."""
    page = rule_page(id_)
    assert page.startswith(f"{id_}: ")
    for part in ("Why it matters", "How to fix", "When it stays silent", "Where it is written"):
        assert f"\n## {part}\n" in page
    assert [line[:10] for line in page.splitlines()[-len(REVISIONS) :]] == list(REVISIONS)


def test_an_unknown_rule_names_its_neighbours():
    """A slip of the hand is met with what may have been meant."""
    with pytest.raises(McpsniffError, match="Did you mean stdout-noise"):
        rule_page("stdout-nose")
    with pytest.raises(McpsniffError, match="lists them"):
        rule_page("zzzz")


@pytest.mark.parametrize(
    ("rule", "blamed"),
    [("stdout-noise", "the server"), ("request-params-invalid", "either side"), ("sse-buffered", "nobody")],
)
def test_a_page_says_whom_its_rule_blames(rule, blamed):
    """In words: either side may be at fault, or it cannot be known which."""
    assert f" · blames {blamed} · " in rule_page(rule)
