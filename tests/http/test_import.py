"""What a real mitmdump captures live and what is imported from the flows that it saves are the same."""

import http.client
import json
import re
import sys
import threading
from contextlib import suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mcpsniff.analysis.engine import analyze
from mcpsniff.analysis.report import build
from mcpsniff.commands.importing import run
from tests.waiting import until

ROOT = Path(__file__).parents[2]
DEADLINE = 40.0  # seconds; a first mitmdump on a busy machine takes some
SESSION = "3d6f7a10-6a5c-4c0e-9c5e-0b7d1f0a55aa"
INFO = {"name": "n", "version": "1"}
OPENED = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
ASKED = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": INFO}


class Server(BaseHTTPRequestHandler):
    """Answers with JSON, with nothing, or with a stream that asks back; `tools/list` stays open until the end."""

    protocol_version = "HTTP/1.1"
    answered: threading.Event
    over: threading.Event

    def do_GET(self):
        self.reply(b"hello", "text/plain")

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, id_ = message.get("method"), message.get("id")
        if method == "initialize":
            self.reply(text(id=id_, result=OPENED), "application/json", SESSION)
        elif method is None or id_ is None:
            if method is None:
                self.answered.set()
            self.reply(b"", "text/plain", status=202)
        else:
            with suppress(OSError):  # the client may be gone
                self.stream(method, id_)

    def reply(self, body, media, session=None, status=200):
        self.send_response(status)
        self.send_header("Content-Type", media)
        if session is not None:
            self.send_header("Mcp-Session-Id", session)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, method, id_):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.event(b": hello\n\n")
        if method == "tools/call":
            self.event(b"data: " + text(id="q", method="ping") + b"\n\ndata: " + text(id=99, result={})[:20])
            assert self.answered.wait(DEADLINE)
            self.event(text(id=99, result={})[20:] + b"\n\n")
            self.event(b"data: " + text(id=id_, result={"content": []}) + b"\n\n")
        else:
            assert self.over.wait(DEADLINE)
        self.wfile.write(b"0\r\n\r\n")

    def event(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, *args):
        """Say nothing."""


def text(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.fixture
def server():
    """A running server."""
    Server.answered, Server.over = threading.Event(), threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as httpd:
        threading.Thread(target=httpd.serve_forever, args=(0.05,)).start()
        yield httpd
        Server.over.set()
        httpd.shutdown()


@pytest.fixture
def dump(start, server, tmp_path, confdir):
    """Starts mitmdumps that save their flows, with our addon or without; gives each and its port."""

    def run(*words):
        upstream = f"reverse:http://127.0.0.1:{server.server_port}@127.0.0.1:0"
        options = ("--mode", upstream, "-w", f"{tmp_path}/f.mitm", "--set", f"confdir={confdir}")
        process = start(Path(sys.executable).with_name("mitmdump"), *options, *words)
        return process, int(process.until(r"listening at (?:http://)?127.0.0.1:(\d+)")[1])

    return run


class Client:
    """Posts to a proxy, each message on a connection of its own."""

    def __init__(self, port):
        self._port = port
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": "Bearer s3cret",
        }

    def open(self):
        """Initializes, so that what follows belongs to the session."""
        self.whole(text(id=0, method="initialize", params=ASKED))
        self._headers |= {"Mcp-Session-Id": SESSION, "MCP-Protocol-Version": "2025-11-25"}
        self.whole(text(method="notifications/initialized"))

    def whole(self, body, method="POST"):
        connection, response = self.begun(body, method)
        response.read()
        connection.close()

    def begun(self, body, method="POST"):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=DEADLINE)
        connection.request(method, "/mcp" if method == "POST" else "/", body, self._headers)
        return connection, connection.getresponse()


def talk(client, records):
    """A session with a question in a stream, a stream that the client leaves, and one that nobody ends.

    `records` gives what has been captured so far, where it is known.
    """
    client.whole(b"", "GET")
    client.open()
    connection, response = client.begun(text(id=1, method="tools/call", params={"name": "t"}))
    assert response.read(9) == b": hello\n\n"
    client.whole(text(id="q", result={}))
    response.read()
    connection.close()
    connection, response = client.begun(text(id=2, method="tools/list"))
    assert response.read(9) == b": hello\n\n"
    response.close()
    connection.close()
    until(lambda: [r["by"] for r in records() if r["type"] == "close"].count("client") == 1)
    connection, response = client.begun(text(id=3, method="tools/list"))
    assert response.read(9) == b": hello\n\n"
    return connection, response


def read(path):
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def absolute(path):
    """The records with their times since the epoch, without what differs by design: the salt of secrets."""
    header, *records = read(path)
    started = datetime.fromisoformat(header["started"]).timestamp()
    kept = []
    for record in records:
        times = [record.pop(name) + started for name in ("t", "t0") if name in record]
        kept.append((times, json.loads(re.sub(r"redacted:[0-9a-f]+", "redacted", json.dumps(record)))))
    return kept


def judged(path):
    """Figures and findings, but for what the two captures call themselves."""
    report = build([analyze(str(path))])
    session = {key: value for key, value in report.sessions[0].items() if key not in ("capture", "findings")}
    found = [(f["rule"], f["severity"], f["violator"], f["seq"], f["count"]) for f in report.sessions[0]["findings"]]
    return report.summary, report.losses, {**session, "calls": None, "methods": None, "tools": None}, found


def test_import_equals_the_live_capture(dump, tmp_path):
    """Record for record: messages, moments, order, ends, sizes; and so in figures and findings."""
    live, imported = tmp_path / "live.jsonl", tmp_path / "imported.jsonl"
    process, port = dump("-s", str(ROOT / "addons" / "mcp.py"), "--set", f"mcp_capture={live}")
    connection, response = talk(Client(port), lambda: read(live) if live.exists() else [])
    until(lambda: [r["type"] for r in read(live)].count("sse") == 3)
    assert process.end() == 0
    response.close()
    connection.close()
    assert run([str(tmp_path / "f.mitm")], str(imported)) == 0
    one, other = absolute(live), absolute(imported)
    assert [record for _, record in other] == [record for _, record in one]
    for (times, record), (again, _) in zip(one, other, strict=True):
        assert again == pytest.approx(times, abs=1e-5, rel=0), record
    ends = [(r["by"], r["why"]) for _, r in one if r["type"] == "close"]
    assert (ends.count(("client", "closed")), ends.count(("open", "shutdown"))) == (1, 1)
    assert judged(imported) == judged(live)
    assert "response-unknown-id" in [rule for rule, *_ in judged(imported)[-1]]


def test_import_without_the_addon(dump, tmp_path):
    """The same messages, though nobody knows when the events came; nothing is found that times would have cleared."""
    imported = tmp_path / "imported.jsonl"
    process, port = dump()
    client = Client(port)
    client.open()
    Server.answered.set()  # stock mitmproxy holds a stream back to its end
    client.whole(text(id=1, method="tools/call", params={"name": "t"}))
    client.whole(text(id="q", result={}))
    assert process.end() == 0
    assert run([str(tmp_path / "f.mitm")], str(imported)) == 0
    report = build([analyze(str(imported))])
    (session,) = report.sessions
    assert report.losses["untimed"][0]["streams"] == 1
    assert (session["messages"]["total"], session["calls"]["results"]) == (8, 1)
    assert session["calls"]["latency_ms"]["p50"] is None
    assert [r["message"].get("id") for r in read(imported) if r["type"] == "message"] == [
        0,
        0,
        None,
        1,
        "q",
        99,
        1,
        "q",
    ]
