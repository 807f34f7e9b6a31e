"""What shaped the findings."""

from dataclasses import replace

import pytest

from mcpsniff.render.formats import Format, render
from mcpsniff.render.shaping import shaped_by


def test_what_shaped_the_findings_is_said_once_a_file(findings):
    """Each settings file once, and how much the baseline left out; nothing where neither was used."""
    assert list(shaped_by(findings)) == []
    captures = tuple({**capture, "config": "/a/mcpsniff.toml"} for capture in findings.captures)
    for known, said in ((1, "1 known finding left out"), (2, "2 known findings left out")):
        shaped = replace(findings, captures=captures, baseline={"file": "b.json", "known_findings": known})
        assert list(shaped_by(shaped)) == ["Rules as chosen in /a/mcpsniff.toml", f"{said}, as b.json says"]


@pytest.mark.parametrize("format_", [Format.terminal, Format.markdown, Format.sarif])
def test_whoever_has_room_for_it_says_so(findings, format_):
    """For people, and in SARIF as a property of the run."""
    shaped = replace(findings, baseline={"file": "b.json", "known_findings": 2})
    assert "2 known findings left out, as b.json says" in render(shaped, format_).decode()
