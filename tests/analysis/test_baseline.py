"""A baseline: what it names, what a report is without it, what is none."""

import json

import pytest

from mcpsniff.analysis import baseline
from mcpsniff.errors import McpsniffError


@pytest.fixture
def noisy(talk, report):
    """A report with one error."""
    talk.handshake()
    talk.add(type="text", **{"from": "server"}, size=9, raw="Starting")
    return report(talk.file(), rules=True)


def later(talk, report):
    """The report on another capture with the same fault at another record, and with a new one."""
    again = type(talk)()
    again.handshake()
    again.client(id=5, method="ping")
    again.server(id=5, result={})
    again.add(type="text", **{"from": "server"}, size=9, raw="Ready, 2 tools")
    again.add(type="text", **{"from": "client"}, size=9, raw="hello")
    return report(again.file(), rules=True)


def test_what_is_known_is_left_out(talk, report, noisy, tmp_path):
    """The new fault stays; totals follow; the report says how much it leaves out and why."""
    path = tmp_path / "known.json"
    path.write_bytes(baseline.dump(noisy))
    now = later(talk, report)
    new = baseline.without(now, str(path), baseline.read(str(path)))
    assert [f["rule"] for f in now.sessions[0]["findings"]] == ["stdout-noise", "stdin-noise"]
    assert [f["rule"] for f in new.sessions[0]["findings"]] == ["stdin-noise"]
    assert new.summary == {**now.summary, "findings": {"error": 1, "warning": 0, "info": 0}}
    assert new.baseline == {"file": str(path), "known_findings": 1}


def test_the_file_can_be_read_by_people(noisy):
    """Format, version, and for each fault what it is; the same faults give the same file."""
    document = json.loads(baseline.dump(noisy))
    assert (document["format"], document["version"]) == ("mcpsniff-baseline", 1)
    (one,) = document["findings"]
    assert (one["rule"], one["severity"], one["violator"]) == ("stdout-noise", "error", "server")
    assert "Starting" in one["message"]


@pytest.mark.parametrize("text", ["", "[]", '{"format": "mcpsniff-report", "version": 1}', "\x00", '{"findings": []}'])
def test_what_is_no_baseline_is_refused(tmp_path, text):
    """A report, or anything else, is not taken for one."""
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(McpsniffError, match=r"other\.json is no baseline: write one with --write-baseline"):
        baseline.read(str(path))
    with pytest.raises(McpsniffError, match="cannot be read: No such file"):
        baseline.read(str(tmp_path / "missing"))
