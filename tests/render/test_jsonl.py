"""One finding a line."""

import json

from mcpsniff.render.jsonl import render


def test_each_line_is_a_finding(findings, hostile):
    """With its file and its session in front, every key of the report's FINDING after them."""
    lines = [json.loads(line) for line in render(findings).splitlines()]
    assert [(line["capture"], line["session"]) for line in lines] == [("-logs/a b,c:1%.jsonl", "s1")] * 3
    found = findings.sessions[0]["findings"]
    assert [{key: line[key] for key in found[0]} for line in lines] == found
    assert lines[0]["message"] == hostile


def test_nothing_found_is_nothing(nothing):
    """No line at all."""
    assert render(nothing) == b""
