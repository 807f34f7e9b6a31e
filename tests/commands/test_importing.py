"""`mcpsniff import` from its arguments to its exit status."""

import json
import os
import shutil
from pathlib import Path

import pytest
from mitmproxy.io import FlowWriter
from mitmproxy.test import tflow

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.capture.reader import read
from mcpsniff.commands.importing import run
from mcpsniff.errors import McpsniffError

SAMPLES = Path(__file__).parents[1] / "capture" / "importers"


@pytest.fixture
def har(tmp_path):
    """A file that Chromium has saved, in an empty folder."""
    return str(shutil.copy(SAMPLES / "chromium.har", tmp_path / "page.har"))


@pytest.fixture
def flows(tmp_path):
    """A flow file of a single exchange, which is no MCP."""
    path = tmp_path / "some.mitm"
    with path.open("wb") as file:
        FlowWriter(file).add(tflow.tflow(resp=True))
    return str(path)


def test_capture_and_what_it_says_of_itself(har, tmp_path, capsys):
    """Mode 0600, a header that names its sources, secrets hidden, complete, and one line on stderr."""
    out = tmp_path / "out.jsonl"
    assert run([har], str(out)) == 0
    assert out.stat().st_mode & 0o777 == 0o600
    header, *records = read(str(out))
    assert header.imported_from == [
        {"file": har, "format": "HAR 1.2", "creator": "WebInspector 537.36", "exchanges": 4}
    ]
    assert (header.transport, header.started, header.proxy) == ("http", "2026-11-30T12:00:00.001000Z", None)
    assert "authorization" in header.redacted
    assert b"s3cret" not in out.read_bytes()
    assert [type(r).__name__ for r in records[-2:]] == ["Close", "End"]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"mcpsniff: {out}: 3 of 4 HTTP exchanges are of MCP; 1 WebSocket connections left out.\n"


def test_report_on_an_import_with_times(har, tmp_path):
    """The browser kept the times of its events: nothing is unknown."""
    run([har], str(tmp_path / "out.jsonl"))
    report = build([analyze(str(tmp_path / "out.jsonl"))])
    (session,) = report.sessions
    assert (session["era"], session["revision"], session["messages"]["total"]) == ("legacy", "2025-11-25", 6)
    assert session["calls"]["latency_ms"]["max"] == pytest.approx(1499, abs=2)
    assert report.losses["untimed"] == []
    assert [f["rule"] for f in session["findings"]] == ["http-priming-event-missing"]


def test_report_on_an_import_without_times(tmp_path):
    """It says once what is not known; latency is not guessed, bodies that were not stored are a gap."""
    run([str(SAMPLES / "firefox.har")], str(tmp_path / "out.jsonl"))
    report = build([analyze(str(tmp_path / "out.jsonl"))])
    (session,) = report.sessions
    assert [loss["streams"] for loss in report.losses["untimed"]] == [1]
    assert [loss["count"] for loss in report.losses["gaps"]] == [1]
    assert session["calls"]["latency_ms"]["max"] is None
    assert (session["calls"]["count"], session["calls"]["results"]) == (1, 1)
    assert session["http"]["connections"] is None
    assert [f for f in session["findings"] if f["severity"] == "error"] == []
    assert report.captures[0]["imported_from"][0]["format"] == "HAR 1.2"


def test_files_become_one_capture(har, flows, tmp_path):
    """Of both kinds, told apart by what is in them."""
    out = tmp_path / "out.jsonl"
    assert run([flows, har], str(out)) == 0
    header, *records = read(str(out))
    assert [one["format"] for one in header.imported_from] == ["mitmproxy flows", "HAR 1.2"]
    assert {r.x for r in records if type(r).__name__ == "Request"} == {"x3", "x4", "x5"}


def test_file_that_is_named_twice(har, tmp_path):
    """Is imported once: twice would double each message."""
    counts = []
    for number, files in enumerate(([har], [har, har])):
        run(files, str(tmp_path / f"{number}.jsonl"))
        counts.append(len((tmp_path / f"{number}.jsonl").read_bytes().split(b"\n")))
    assert counts[0] == counts[1] > 3


def test_existing_file_is_not_touched(har, tmp_path, capsys):
    """The capture gets a name beside it, as wrap's would, and it is told."""
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    run([har], str(out))
    assert out.read_text() == "mine"
    beside = tmp_path / f"out-{os.getpid()}.jsonl"
    assert str(beside) in capsys.readouterr().err
    header, *_ = read(str(beside))
    assert header.format == "mcpsniff"


def test_standard_output(har, capsysbinary):
    """The capture goes to stdout, and nothing else does."""
    assert run([har], "-") == 0
    said = capsysbinary.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert (lines[0]["type"], lines[-1]["type"], lines[-1]["records"]) == ("capture", "end", len(lines))
    assert said.err.startswith(b"mcpsniff: the capture: 3 of 4")


def test_default_place(har, tmp_path, monkeypatch):
    """Without a name the capture lies with the others, named after the file."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    run([har], None)
    (made,) = (tmp_path / "state" / "mcpsniff" / "captures").iterdir()
    assert made.name.startswith("page-")


def test_what_is_pointed_at_is_hidden(har, tmp_path):
    """As in a live capture."""
    out = tmp_path / "out.jsonl"
    run([har], str(out), pointers=["/params/clientInfo"])
    messages = [json.loads(r.data) for r in read(str(out)) if type(r).__name__ == "Message"]
    assert messages[0]["params"]["clientInfo"].startswith("‹redacted:")


def test_secrets_are_kept_on_request(har, tmp_path):
    """--no-redact."""
    out = tmp_path / "out.jsonl"
    run([har], str(out), redact=False)
    assert b"Bearer s3cret" in out.read_bytes()
    header, *_ = read(str(out))
    assert header.redacted is None


def test_flow_file_cut_short(flows, tmp_path, capsys):
    """What could be read is imported; stderr, the exit status, the header and a gap say that it is not all."""
    path = tmp_path / "cut.mitm"
    whole = Path(flows).read_bytes()
    path.write_bytes(whole + whole[:-20])
    assert run([str(path)], str(tmp_path / "out.jsonl")) == 3
    assert f"mcpsniff: {path} breaks off, or is damaged, after 1 flows.\n" in capsys.readouterr().err
    header, gap, end = read(str(tmp_path / "out.jsonl"))
    assert header.imported_from[0]["damage"] == "breaks off, or is damaged, after 1 flows"
    assert (gap.why, end.records) == ("input-cut", 3)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty: import reads what `mitmdump -w` and a browser's network panel save"),
        (b"<html>", "is neither a flow file of mitmproxy nor a HAR"),
        (b'{"type":"capture","seq":0}\n', "is a capture already: mcpsniff report reads it"),
        (b"{}", "is no HAR: there is no log with entries in it"),
        (b"12:broken", "is no flow file that mitmproxy can read"),
    ],
)
def test_one_file_that_is_not_understood(har, tmp_path, data, said):
    """Then nothing is written, whatever the others are."""
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(McpsniffError, match=said):
        run([har, str(path)], str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("write", "pointer", "said"),
    [
        ("/dev/null/x.jsonl", "/id", "/dev/null/x.jsonl cannot be written: Not a directory"),
        (None, "pin", "--redact 'pin' is no JSON Pointer"),
    ],
)
def test_wishes_that_cannot_be_met(har, write, pointer, said):
    """One sentence."""
    with pytest.raises(McpsniffError, match=said):
        run([har], write, pointers=[pointer])


def test_file_that_is_not_there(tmp_path):
    """The system's reason is told."""
    with pytest.raises(McpsniffError, match=r"none\.har cannot be read: No such file or directory"):
        run([str(tmp_path / "none.har")], None)
