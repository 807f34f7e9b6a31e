"""`report --filter`: which findings stay, which are left out, and what says so."""

import json
from pathlib import Path

import pytest

from mcpsniff.analysis import stream
from mcpsniff.commands.report import Wishes, run
from mcpsniff.query import QueryError
from mcpsniff.render.formats import Format

ROOT = Path(__file__).parents[2]
FAULTY = ROOT / "samples/captures/faulty/confirm-stdio.jsonl"
UNANSWERED = ROOT / "samples/rules/unanswered-request/bad-2025-06-18-two-of-them.jsonl"


def reported(tmp_path, path, expression, **wishes):
    """The report's JSON and the exit status."""
    out = tmp_path / "r.json"
    status = run([str(path)], Wishes(Format.json, str(out), filter=expression, **wishes))
    return json.loads(out.read_bytes()), status


def test_findings_on_other_rows_are_left_out(tmp_path):
    """Of three findings the client's; the figures count everything, the exit status what stays."""
    report, status = reported(tmp_path, FAULTY, "from=client", fail_on="error")
    (session,) = report["sessions"]
    assert [finding["rule"] for finding in session["findings"]] == ["retry-id-reused"]
    assert report["filter"] == {"expression": "from=client", "left_out": 2}
    assert (report["summary"]["findings"]["error"], session["messages"]["total"], status) == (1, 7, 1)
    report, status = reported(tmp_path, FAULTY, "kind=stderr", fail_on="error")
    assert (report["filter"]["left_out"], status) == (3, 0)


def test_finding_stays_whole(tmp_path):
    """One of three culprits is meant: all repeats stay."""
    report, _ = reported(tmp_path, FAULTY, "seq=5")
    ((finding,),) = [session["findings"] for session in report["sessions"]]
    assert (finding["rule"], finding["count"], finding["seq"]) == ("stdout-noise", 3, [2, 5, 9])


def test_without_a_filter_nothing_is_left_out(tmp_path):
    """`filter` is null."""
    report, _ = reported(tmp_path, FAULTY, "")
    assert (report["filter"], report["summary"]["findings"]["error"]) == (None, 3)


def test_what_came_too_late_for_its_row_stays(tmp_path, monkeypatch):
    """A long capture: the row of the culprit is gone when the finding comes."""
    monkeypatch.setattr(stream, "HELD", 1)
    monkeypatch.setattr(stream, "AT_ONCE", 1)
    report, _ = reported(tmp_path, UNANSWERED, "rule:stdout-*")
    ((finding,),) = [session["findings"] for session in report["sessions"]]
    assert finding["rule"] == "unanswered-request"


def test_page_opens_with_the_filter(tmp_path):
    """All is on it, and the expression; a wrong one is refused before anything is read."""
    page = tmp_path / "r.html"
    assert run([str(FAULTY)], Wishes(Format.html, str(page), filter=" from=client ")) == 0
    assert b'"filter":"from=client"' in page.read_bytes()
    assert b"stdout-noise" in page.read_bytes()
    with pytest.raises(QueryError):
        run([str(FAULTY)], Wishes(Format.html, str(page), filter="from="))
