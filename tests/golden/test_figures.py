"""Figures of recorded conversations against values that were counted by hand, or by a reader of its own."""

import json
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.render.terminal import text
from mcpsniff.rules.selection import NOTHING

HERE = Path(__file__).parent
SAMPLES = sorted((HERE.parents[1] / "samples" / "captures").glob("*/*-stdio.jsonl"))
NOT_WORK = ("initialize", "server/discover", "ping")


def report_on(*files):
    """The report without rules: they change, the figures do not."""
    return build((analyze(str(file), NOTHING) for file in files), ())


def session_of(file):
    """The only session of a capture."""
    (session,) = report_on(file).sessions
    return session


def test_the_tour_is_17_messages_in_the_legacy_era():
    """Handshake, ping and one use of each primitive: 9 lines up, 8 down; two round trips stand before the first use."""
    session = session_of(HERE / "tour-legacy.jsonl")
    assert session["messages"]["client"] == {"requests": 8, "responses": 0, "notifications": 1, "bytes": 689}
    assert session["messages"]["server"] == {"requests": 0, "responses": 8, "notifications": 0, "bytes": 3907}
    assert session["messages"]["total"] == 17
    assert session["round_trips"] == {"before_first_call": 2, "total": 8}


def test_the_tour_is_12_messages_in_the_modern_era():
    """One use of each primitive and nothing else; 194 bytes of envelope on half of them, 205 on the others."""
    session = session_of(HERE / "tour-modern.jsonl")
    assert session["messages"]["total"] == 12
    assert session["round_trips"] == {"before_first_call": 0, "total": 6}
    assert session["envelope"]["request_bytes"] == 199.5
    assert session["server_memory"] == []


def test_what_a_hundred_calls_cost():
    """The published measurement of one SDK in both eras, to the hundredth of a byte."""
    said = report_on(HERE / "calls-legacy.jsonl.gz", HERE / "calls-modern.jsonl.gz")
    legacy, modern = (session["calls"]["bytes_per_call"] for session in said.sessions)
    assert legacy == {"marginal": 227.92, "fixed": 524, "amortised": 233.16}
    assert modern == {"marginal": 536.88, "fixed": 0, "amortised": 536.88}
    assert said.comparison["break_even_calls"] == 1.7
    assert said.comparison["round_trips"] == [1, 0]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_report_looks_as_it_did(width, monkeypatch):
    """The text of the report on both tours, at three widths; the files are named as the user named them."""
    monkeypatch.chdir(HERE)
    shown = text(report_on("tour-legacy.jsonl", "tour-modern.jsonl"), width)
    assert shown == (HERE / f"tour-{width}.txt").read_text()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_samples_count_as_a_plain_reader_counts(file):
    """Counts, bytes, round trips and bytes per call of every stdio sample, read here with json alone."""
    want = plainly(file)
    session = session_of(file)
    got = {side: {k: session["messages"][side][k] for k in want[side]} for side in ("client", "server")}
    assert got == {side: want[side] for side in ("client", "server")}
    assert session["round_trips"]["before_first_call"] == want["before"]
    assert session["calls"]["count"] == want["calls"]
    assert session["calls"]["bytes_per_call"]["marginal"] == want["marginal"]


def plainly(file):
    """The same figures by the shortest way: one pass over the lines, ids in dicts."""
    side = {s: dict.fromkeys(("requests", "responses", "notifications", "bytes"), 0) for s in ("client", "server")}
    sent, answered, before, calls, costs = {}, 0, None, 0, []
    for line in file.read_bytes().splitlines():
        record = json.loads(line)
        if record["type"] not in ("message", "text"):
            continue
        here = side[record["from"]]
        here["bytes"] += record["size"]
        message = record.get("message", {})
        if "method" in message and "id" in message:
            here["requests"] += 1
            if record["from"] == "client":
                sent[message["id"]] = (message["method"], record["size"])
                calls += message["method"] == "tools/call"
                if before is None and message["method"] not in NOT_WORK:
                    before = answered
        elif "method" in message:
            here["notifications"] += 1
        elif message:
            here["responses"] += 1
            if record["from"] == "server" and message["id"] in sent:
                answered += 1
                method, size = sent[message["id"]]
                costs += [size + record["size"]] if method == "tools/call" else []
    marginal = round(sum(costs) / len(costs), 2) if costs else None
    return {**side, "before": before, "calls": calls, "marginal": marginal}
