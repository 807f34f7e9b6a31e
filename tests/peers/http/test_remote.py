"""A server behind TLS whose certificate a private authority has signed, with `mcpsniff proxy` before it, both ways."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.x509 import DNSName
from mitmproxy.certs import CertStore

PROGRAMS = Path(__file__).parents[1] / "programs"
STEPS = [
    ["list_tools"],
    ["watch", "slow", {"steps": 3}],
    ["call_tool", "confirm"],
    ["listen", ["call_tool", "touch"]],
    ["abandon", "hang"],
    ["call_tool", "echo", {"text": "bye"}],
]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a private authority: private-ca-cert.pem is its certificate, server.pem that of localhost."""
    folder = tmp_path_factory.mktemp("authority")
    entry = CertStore.from_store(folder, "private", 2048).get_cert("localhost", [DNSName("localhost")])
    key = (folder / "private-ca.pem").read_bytes()  # mitmproxy has one key for all
    (folder / "server.pem").write_bytes(entry.cert.to_pem() + key)
    return folder


@pytest.fixture(scope="module")
def url(environment: Callable[[str], Path], program: type[Any], authority: Path) -> Iterator[str]:
    """The address of the server."""
    command = [environment("py2") / "python", PROGRAMS / "https_server.py", "events", authority / "server.pem"]
    process = program([str(word) for word in command], authority / "log")
    yield process.says("(https://.*)")
    process.end()


@pytest.fixture
def proxy(program: type[Any], tmp_path: Path, confdir: Path, authority: Path) -> Iterator[Callable[..., Any]]:
    """Starts `mcpsniff proxy`, which trusts the authority, with its capture in `tmp_path`."""
    started: list[Any] = []

    def start(*words: str) -> Any:
        command = [sys.executable, "-m", "mcpsniff", "proxy", *words, "--listen", "127.0.0.1:0"]
        environment = {"HOME": str(confdir), "SSL_CERT_FILE": str(authority / "private-ca-cert.pem")}
        log = tmp_path / "log"
        started.append(program([*command, "-w", str(tmp_path / "c.jsonl")], log, "stderr", environment))
        return started[-1]

    yield start
    for one in started:
        one.end()


def test_a_reverse_proxy(
    url: str,
    proxy: Callable[..., Any],
    authority: Path,
    client: Callable[..., Any],
    complete: Callable[[Path], Any],
    report: Callable[..., Any],
    faults: Callable[[Any], Any],
    without_numbers: Callable[[object], str],
    tmp_path: Path,
) -> None:
    """Clients speak HTTP to the proxy, and get what they get from the server by TLS."""
    trust = str(authority / "private-ca-cert.pem")
    process = proxy(url)
    address = process.says(r"point the client at (http://\S+)")
    sdks = ["py2", "ts2"] if shutil.which("node") else ["py2"]
    for sdk in sdks:
        job = {"name": sdk, "mode": "auto", "steps": STEPS}
        (direct,) = client(sdk, SSL_CERT_FILE=trust, NODE_EXTRA_CA_CERTS=trust).play({"url": url, **job})
        (through,) = client(sdk).play({"url": address, **job})
        assert without_numbers(through["steps"]) == without_numbers(direct["steps"])
    process.says("(mcpServers)")
    assert process.end() == []
    found = complete(tmp_path / "c.jsonl")
    assert {record["url"] for record in found if record["type"] == "request"} == {url}
    sessions = report(tmp_path / "c.jsonl")
    assert [session["client"]["name"] for session in sessions] == sdks
    for session in sessions:
        assert (session["era"], session["calls"]["cancelled"], faults(session)) == ("modern", 1, {})


def test_http2_through_a_regular_proxy(
    url: str,
    proxy: Callable[..., Any],
    client: Callable[..., Any],
    complete: Callable[[Path], Any],
    report: Callable[..., Any],
    faults: Callable[[Any], Any],
    tmp_path: Path,
) -> None:
    """The client takes its environment from what the proxy prints; both sides speak HTTP/2, and so it is recorded."""
    process = proxy("--regular")
    named = re.findall(r"(HTTPS_PROXY|SSL_CERT_FILE)=(\S+)", process.says("^(HTTP_PROXY=.*)"))
    programme = client("py2", NO_PROXY="", no_proxy="", **dict(named))
    (through,) = programme.play({"url": url, "http2": True, "mode": "auto", "steps": STEPS})
    process.end()
    assert through["steps"][-2] == "abandoned"
    assert len(through["steps"]) == len(STEPS)
    found = complete(tmp_path / "c.jsonl")
    assert {record["http"] for record in found if "http" in record} == {"2"}
    (session,) = report(tmp_path / "c.jsonl")
    assert (session["era"], session["calls"]["results"], faults(session)) == ("modern", 4, {})
    assert session["calls"]["unanswered"] == 1  # given up, but by whom mitmproxy does not tell
