"""Real mitmdump and mcpsniff proxy processes: loading, closed environments, reload, signals, wrong options."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.waiting import until

ROOT = Path(__file__).parents[2]
DEADLINE = 40.0  # seconds; a first mitmdump on a busy machine takes some
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call"})
EVENT = b'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'

# A mitmproxy that has nothing of ours installed, and none of the libraries that the recording half can do without.
CLOSED = """
import sys
sys.path[:] = [folder for folder in sys.path if folder != {root!r}]
sys.meta_path[:] = [finder for finder in sys.meta_path if "mcpsniff" not in repr(finder)]
for name in ("msgspec", "orjson", "platformdirs"):
    sys.modules[name] = None
from mitmproxy.tools.main import mitmdump
mitmdump(sys.argv[1:])
"""


class Server(BaseHTTPRequestHandler):
    """Answers each POST with an event stream of two events; the second waits until the test lets it go."""

    go_on: threading.Event

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with suppress(OSError):  # the proxy may be gone
            self.wfile.write(EVENT)
            assert self.go_on.wait(DEADLINE)
            self.wfile.write(EVENT)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def server():
    """A running MCP server, and the event that lets its streams end."""
    Server.go_on = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as httpd:
        threading.Thread(target=httpd.serve_forever, args=(0.05,)).start()
        yield httpd
        Server.go_on.set()
        httpd.shutdown()


@pytest.fixture
def dump(start, server, tmp_path):
    """Starts a closed mitmdump with an addon, in reverse mode to the server."""

    def run(script, **options):
        upstream = f"reverse:http://127.0.0.1:{server.server_port}@127.0.0.1:0"
        options = {"mcp_capture": f"{tmp_path}/c.jsonl", **options}
        settings = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
        closed = (sys.executable, "-c", CLOSED.format(root=str(ROOT)))
        return start(*closed, "--mode", upstream, *settings, "-s", str(script))

    return run


class Call:
    """A POST that is being answered."""

    def __init__(self, port, url="/mcp"):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        self.connection.request("POST", url, CALL)
        self.response = self.connection.getresponse()

    def event(self):
        return self.response.read(len(EVENT))

    def rest(self):
        """What comes up to the end of the answer."""
        return self.response.read()

    def close(self):
        self.connection.close()
        self.response.close()


def records(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def types(path):
    return [record["type"] for record in records(path)]


def checkout(folder):
    """A copy of the package and the addon, as in a checkout."""
    shutil.copytree(ROOT / "addons", folder / "addons")
    shutil.copytree(ROOT / "mcpsniff", folder / "mcpsniff", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "addons" / "mcp.py"


def installation(folder):
    """A copy of the package with the addon inside it, as in an installed wheel."""
    shutil.copytree(ROOT / "mcpsniff", folder / "site" / "mcpsniff", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "addons", folder / "site" / "mcpsniff" / "_data" / "addons")
    return folder / "site" / "mcpsniff" / "_data" / "addons" / "mcp.py"


@pytest.mark.parametrize("place", [checkout, installation])
def test_closed_mitmproxy_finds_the_package_itself(dump, tmp_path, place):
    """The addon works where mcpsniff is not installed, on the standard library; SIGINT ends the capture in order."""
    process = dump(place(tmp_path / "home"))
    call = Call(process.port())
    assert call.event() == EVENT
    assert process.end() == 0
    call.close()
    assert types(tmp_path / "c.jsonl") == ["capture", "request", "message", "response", "message", "close", "end"]
    assert f"capturing to {tmp_path}/c.jsonl" in process.said


def test_log_is_not_filled_by_the_addon(dump):
    """mitmproxy would note each response that is streamed; its other lines are there."""
    process = dump(ROOT / "addons" / "mcp.py")
    call = Call(process.port())
    assert call.event() == EVENT
    assert process.end() == 0
    call.close()
    assert "client connect" in process.whole()
    assert "Streaming response" not in process.whole()


def test_addon_alone_says_what_it_misses(dump, tmp_path):
    """Copied away from its package it ends mitmdump with one sentence, and without a traceback."""
    shutil.copy(ROOT / "addons" / "mcp.py", tmp_path / "mcp.py")
    process = dump(tmp_path / "mcp.py")
    assert process.popen.wait(DEADLINE) == 1
    process.until("cannot find mcpsniff: keep it in its checkout, or install mcpsniff beside mitmproxy")
    assert "Traceback" not in process.said


def test_reload_in_the_middle_of_a_stream(dump, tmp_path):
    """The script is touched while a stream is open: the stream goes on, and it is all in one capture."""
    script = checkout(tmp_path / "home")
    process = dump(script)
    call = Call(process.port())
    assert call.event() == EVENT
    os.utime(script, (time.time() + 10, time.time() + 10))
    until(lambda: process.said.count("Loading script") == 2)
    until(lambda: process.said.count("capturing to") == 2)
    Server.go_on.set()
    assert call.rest() == EVENT
    call.close()
    path = tmp_path / "c.jsonl"
    until(lambda: "close" in types(path))
    assert process.end() == 0
    found = records(path)
    assert [r["type"] for r in found].count("message") == 3
    assert (found[-2]["by"], found[-2]["why"], found[-1]["type"]) == ("server", "complete", "end")
    assert [p.name for p in tmp_path.glob("*.jsonl")] == ["c.jsonl"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mcp_capture": "/dev/null/x.jsonl"}, "cannot capture to /dev/null/x.jsonl"),
        ({"mcp_redact": "maybe"}, "mcp_redact is 'maybe': it must be true or false"),
    ],
)
def test_wrong_option_ends_the_start(dump, options, said):
    """One sentence, no traceback, exit status 1."""
    process = dump(ROOT / "addons" / "mcp.py", **options)
    assert process.popen.wait(DEADLINE) == 1
    process.until(re.escape(said))
    assert "Traceback" not in process.said


@pytest.fixture
def proxy(start, tmp_path):
    """Starts `mcpsniff proxy` with its capture in `tmp_path`."""
    return lambda *words: start(
        *(sys.executable, "-m", "mcpsniff", "proxy", "--listen", "127.0.0.1:0", "-w", str(tmp_path / "p.jsonl")), *words
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_proxy_command_from_start_to_signal(proxy, server, tmp_path, number):
    """It says where it captures and how to point the client here, ends in order with a stream open, and concludes."""
    process = proxy(f"http://127.0.0.1:{server.server_port}/mcp")
    port = process.port()
    call = Call(port)
    assert call.event() == EVENT
    until(lambda: types(tmp_path / "p.jsonl")[-1:] == ["message"])
    assert process.end(number) == 0
    call.close()
    assert types(tmp_path / "p.jsonl") == ["capture", "request", "message", "response", "message", "close", "end"]
    capturing, pointing, config, verdict, hint = process.whole().splitlines()
    assert capturing == f"mcpsniff: capturing to {tmp_path}/p.jsonl"
    assert pointing.endswith(f"point the client at http://127.0.0.1:{port}/mcp")
    assert json.loads(config)["mcpServers"][f"127.0.0.1-{server.server_port}"]["url"] == f"http://127.0.0.1:{port}/mcp"
    assert "in 1 session, 2 messages" in verdict
    assert hint == f"mcpsniff report {tmp_path}/p.jsonl"


def test_regular_proxy_command(proxy, server, tmp_path):
    """Clients name the server themselves; the lines to export stand alone."""
    process = proxy("--regular")
    port = int(process.until(r"(?m)^HTTP_PROXY=http://127.0.0.1:(\d+) HTTPS_PROXY=\S+ SSL_CERT_FILE=\S+ NODE_EXTRA")[1])
    call = Call(port, f"http://127.0.0.1:{server.server_port}/mcp")
    assert call.event() == EVENT
    Server.go_on.set()
    assert call.rest() == EVENT
    until(lambda: "close" in types(tmp_path / "p.jsonl"))
    call.close()
    assert process.end() == 0
    assert records(tmp_path / "p.jsonl")[0]["proxy"]["mode"] == "regular@127.0.0.1:0"
    assert "in 1 session, 3 messages" in process.whole()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give the URLs of servers, such as http://localhost:8000, or --regular without any"),
        (["--regular", "http://localhost"], "or --regular without any"),
        (["http://localhost", "-w", "/dev/null/x.jsonl"], "cannot write the capture '/dev/null/x.jsonl'"),
        (["https://localhost", "-w", "/dev/null/x.jsonl"], "cannot capture to /dev/null/x.jsonl"),
    ],
)
def test_proxy_command_that_cannot_start(proxy, words, said):
    """One sentence, exit status 2."""
    process = proxy(*words)
    assert process.popen.wait(DEADLINE) == 2
    assert said in process.whole()
    assert "Traceback" not in process.said


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_port_that_is_taken(proxy, server, scheme):
    """Neither engine starts."""
    process = proxy(f"{scheme}://localhost", "--listen", f"127.0.0.1:{server.server_port}")
    assert process.popen.wait(DEADLINE) == 2
    assert f"cannot listen on 127.0.0.1:{server.server_port}: Address already in use." in process.whole()


def test_the_traffic_survives_the_recorder(proxy, server, tmp_path):
    """The recorder is killed in the middle of a stream: the stream goes on, and its loss is told."""
    process = proxy(f"http://127.0.0.1:{server.server_port}/mcp")
    call = Call(process.port())
    assert call.event() == EVENT
    pid = process.popen.pid
    (recorder,) = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    os.kill(recorder, signal.SIGKILL)
    process.until("the recorder is gone; the traffic goes on unrecorded")
    Server.go_on.set()
    assert call.rest() == EVENT
    call.close()
    assert process.end() == 0


def test_the_capture_survives_the_proxy(proxy, server, tmp_path):
    """The proxy is killed: all that had passed is in the capture, whose end is missing."""
    process = proxy(f"http://127.0.0.1:{server.server_port}/mcp")
    call = Call(process.port())
    assert call.event() == EVENT
    process.popen.kill()
    call.close()
    until(lambda: types(tmp_path / "p.jsonl") == ["capture", "request", "message", "response", "message", "close"])


def test_saved_flow_is_imported_by_mitmdump(dump, start, tmp_path):
    """`-w` keeps a streamed flow with its body; read again by the addon it gives the same messages."""
    process = dump(ROOT / "addons" / "mcp.py", save_stream_file=f"{tmp_path}/f.mitm")
    call = Call(process.port())
    assert call.event() == EVENT
    Server.go_on.set()
    assert call.rest() == EVENT
    call.close()
    until(lambda: "close" in types(tmp_path / "c.jsonl"))
    assert process.end() == 0
    again = start(
        *(sys.executable, "-c", CLOSED.format(root=str(ROOT)), "-nr", f"{tmp_path}/f.mitm"),
        *("-s", str(ROOT / "addons" / "mcp.py"), "--set", f"mcp_capture={tmp_path}/again.jsonl"),
    )
    assert again.popen.wait(DEADLINE) == 0
    assert messages(tmp_path / "again.jsonl") == messages(tmp_path / "c.jsonl")
    assert len(messages(tmp_path / "c.jsonl")) == 3


def messages(path):
    return [(r["from"], r["message"], r["size"]) for r in records(path) if r["type"] == "message"]


def test_mitmdump_shows_the_view(dump, tmp_path):
    """At full detail a streamed answer is shown as MCP."""
    process = dump(ROOT / "addons" / "mcp.py", flow_detail=4)
    call = Call(process.port())
    Server.go_on.set()
    assert call.rest() == EVENT * 2
    call.close()
    process.until(r"tools/call #1[\s\S]+result #1")
    assert process.end() == 0


def test_live_lines_on_a_terminal(server, tmp_path):
    """Whoever watches sees each message as it passes; the end leaves the terminal with the verdict."""
    watching, terminal = os.openpty()
    words = (
        "proxy",
        f"http://127.0.0.1:{server.server_port}/mcp",
        "--listen",
        "127.0.0.1:0",
        "-w",
        f"{tmp_path}/p.jsonl",
    )
    popen = subprocess.Popen([sys.executable, "-m", "mcpsniff", *words], stdout=terminal, stderr=terminal)
    os.close(terminal)
    said = b""

    def until_it_says(pattern):
        nonlocal said
        while not (found := re.search(pattern, said.decode("utf-8", "replace"))):
            assert select.select([watching], [], [], DEADLINE)[0], said
            said += os.read(watching, 4096)
        return found

    port = int(until_it_says(r"point the client at http://127.0.0.1:(\d+)")[1])
    call = Call(port)
    until_it_says(r"x1 → tools/call #1  \d+ B\r\n[\s\S]+x1 ← result #1  \d+ B\r\n")
    popen.send_signal(signal.SIGINT)
    until_it_says(r"in 1 session, 2 messages")
    call.close()
    assert popen.wait(DEADLINE) == 0
    os.close(watching)
