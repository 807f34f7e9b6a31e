"""Findings of rules in a real mitmweb: on the flow, in its filter, in our view; and the follower beside it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.waiting import until

ROOT = Path(__file__).parents[2]
DEADLINE = 120.0  # seconds, for a machine with very much else to do
VERSION = "2025-11-25"
INITIALIZE = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
ANSWERS = {
    "initialize": {
        "result": {**INITIALIZE, "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}},
    },
    "ping": {"result": {}},
    "tools/list": {"result": {"tools": [{"name": "search"}]}},  # without an inputSchema: only a rule knows that
    "tools/call": {"error": {"code": -32602, "message": "no such tool"}},
}
MITMWEB = "from mitmproxy.tools.main import mitmweb; mitmweb()"

# A mitmproxy beside which mcpsniff is not installed, nor on the user's path.
CLOSED = f"""
import importlib.metadata, os
def distribution(name):
    raise importlib.metadata.PackageNotFoundError(name)
importlib.metadata.distribution = distribution
os.environ["PATH"] = "/nowhere"
{MITMWEB}
"""


class Server(BaseHTTPRequestHandler):
    """Answers each request of a client by its method."""

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = "id" in message
        body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **ANSWERS.get(message["method"], {})}).encode()
        self.send_response(200 if known else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if known else 0))
        self.end_headers()
        self.wfile.write(body if known else b"")

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def server():
    """The port of a running server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as httpd:
        threading.Thread(target=httpd.serve_forever, args=(0.05,)).start()
        yield httpd.server_port
        httpd.shutdown()


class Web:
    """A mitmweb in front of the server, as its user and a client of MCP see it."""

    def __init__(self, code, server, folder, script, **options):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._web = free.getsockname()[1]
        self._log = folder / "log"
        self.capture = folder / "c.jsonl"
        known = {"mcp_capture": self.capture, "web_port": self._web, "web_password": "pw", "web_open_browser": "false"}
        settings = [word for name, value in {**known, **options}.items() for word in ("--set", f"{name}={value}")]
        mode = f"reverse:http://127.0.0.1:{server}@127.0.0.1:0"
        environment = {**os.environ, "HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code, "--mode", mode, *settings, "-s", str(script)],
                env=environment,
                stdout=log,
                stderr=log,
            )
        self._port = until(lambda: re.search(r"point the client at http://127.0.0.1:(\d+)", self.said()))[1]

    def said(self):
        """What it has said so far."""
        return self._log.read_text()

    def ask(self, *methods, **message):
        """Sends a message of each method, and reads what comes."""
        for number, method in enumerate(methods, 1):
            id_ = {} if method.startswith("notifications/") else {"id": number}
            params = {"params": INITIALIZE} if method == "initialize" else {}
            body = json.dumps({"jsonrpc": "2.0", "method": method, **id_, **params}).encode()
            headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            if method != "initialize":
                headers["MCP-Protocol-Version"] = VERSION
            self._get(urllib.request.Request(f"http://127.0.0.1:{self._port}/mcp", body, headers))

    def flows(self):
        """The flows that its filter shows: what was asked for, and the comment."""
        return {self._method(one["id"]): one["comment"] for one in json.loads(self._look("flows"))}

    def view(self, method):
        """What our view shows of an answer."""
        (id_,) = (one["id"] for one in json.loads(self._look("flows")) if self._method(one["id"]) == method)
        return self._look(f"flows/{id_}/response/content/MCP").decode()

    def followers(self):
        """Its children's pids."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self):
        """Its exit status, after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(DEADLINE)

    def _method(self, id_):
        return json.loads(self._look(f"flows/{id_}/request/content.data"))["method"]

    def _look(self, path):
        return self._get(f"http://127.0.0.1:{self._web}/{path}?token=pw")

    def _get(self, request):
        with urllib.request.urlopen(request, timeout=DEADLINE) as response:
            return response.read()


@pytest.fixture
def web(server, tmp_path):
    """Starts mitmweb, and leaves none behind."""
    started = []

    def start(code=MITMWEB, script=ROOT / "addons" / "mcp.py", **options):
        started.append(Web(code, server, tmp_path, script, **options))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()


def alive(pid):
    """Whether a process runs; one that nobody has waited for has no command line any more."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False


def test_what_a_rule_finds_is_marked_filtered_and_shown(web, tmp_path):
    """`~marked` shows that flow alone, with the rule in its comment and the sentence in our view.

    A reload of the script leaves the follower as it is; with mitmweb it ends.
    """
    script = tmp_path / "mcp.py"
    script.write_bytes((ROOT / "addons" / "mcp.py").read_bytes())
    seen = web(script=script, view_filter="~marked")
    (follower,) = seen.followers()
    os.utime(script, (time.time() + 10, time.time() + 10))
    until(lambda: seen.said().count("capturing to") == 2)
    seen.ask("initialize", "notifications/initialized", "ping", "tools/list")
    assert until(seen.flows) == {"tools/list": "mcpsniff: tool-input-schema-invalid"}
    assert "! error tool-input-schema-invalid: tool search: inputSchema is missing or null" in seen.view("tools/list")
    assert seen.followers() == [follower]
    assert seen.end() == 0
    assert not alive(follower)
    assert "follow` has ended" not in seen.said()


def test_the_follower_is_killed(web):
    """One sentence; the traffic and what is seen at first sight go on."""
    seen = web()
    (follower,) = seen.followers()
    os.kill(follower, signal.SIGKILL)
    until(lambda: "`mcpsniff follow` has ended: what rules find from now on is not shown here" in seen.said())
    seen.ask("tools/call")
    assert until(seen.flows) == {"tools/call": "mcpsniff: error -32602: no such tool"}
    assert seen.end() == 0
    assert seen.said().count("has ended") == 1


def test_the_follower_ends_with_a_mitmweb_that_is_killed(web):
    """Nobody tells it; it sees that nobody reads."""
    seen = web()
    (follower,) = seen.followers()
    seen.process.kill()
    seen.process.wait()
    until(lambda: not alive(follower))


def test_without_mcpsniff_beside_it(web):
    """The screens say what is seen at first sight, and the log nothing of rules."""
    seen = web(CLOSED)
    assert seen.followers() == []
    seen.ask("initialize", "tools/list", "tools/call")
    said = {"initialize": "", "tools/list": "", "tools/call": "mcpsniff: error -32602: no such tool"}
    until(lambda: seen.flows() == said)
    assert seen.end() == 0
    assert "rules find" not in seen.said()
