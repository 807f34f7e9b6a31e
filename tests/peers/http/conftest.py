"""A client and a server over HTTP: without mcpsniff, and through mcpsniff; the server keeps a diary."""

import json
import re
import socket
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from .exchanges import Exchange, recorded
from .servers import DEADLINE, Process, Served

Json = dict[str, Any]


ADDON = Path(__file__).parents[3] / "addons" / "mcp.py"
MITMDUMP = Path(sysconfig.get_path("scripts")) / "mitmdump"
CAPTURE = "capture.jsonl"


@pytest.fixture(scope="session")
def served(
    environment: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Served]]:
    """Gives the HTTP servers of an SDK: `served("py2")`."""
    started: list[Served] = []

    @cache
    def start(sdk: str) -> Served:
        program = Path(__file__).parents[1] / "programs" / "http_server.py"
        started.append(Served(environment(sdk) / "python", program, f"server_{sdk}", tmp_path_factory.mktemp("served")))
        return started[-1]

    yield start
    for one in started:
        one.process.end()


@dataclass
class Talk:
    """A conversation that was played twice: without mcpsniff, and through it."""

    direct: Json  # outcome
    through: Json  # outcome
    capture: Path
    recorded: list[Exchange]  # of the one through mcpsniff, as the capture has them
    exchanges: list[Exchange]  # the same, as the server has seen them
    counts: dict[str, Json]  # of the messages in them, by sender, as a report must have it

    def carriers(self) -> dict[str, set[str]]:
        """By method of what the server sent unasked: the HTTP methods of the exchanges that it came on."""
        found = defaultdict(set)
        for exchange in self.exchanges:
            for text in exchange.answered:
                if text.startswith("{") and "method" in (message := json.loads(text)):
                    found[message["method"]].add(exchange.method)
        return found


@pytest.fixture(scope="session")
def program() -> type[Process]:
    """The class of programs that say where they listen."""
    return Process


@pytest.fixture(scope="session")
def confdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mitmproxy's folder with its certificate, made once."""
    return tmp_path_factory.mktemp("mitmproxy")


def _mitmdump(upstreams: list[str], capture: Path, confdir: Path) -> Process:
    # Each on a host of its own: mitmproxy refuses several servers on one address, be its port 0.
    places = [f"reverse:{upstream}@127.0.0.{host}:0" for host, upstream in enumerate(upstreams, 1)]
    modes = [word for place in places for word in ("--mode", place)]
    options = ["--set", f"confdir={confdir}", "--set", f"mcp_capture={capture}", "--set", "flow_detail=0"]
    command = [sys.executable, "-u", str(MITMDUMP), *modes, *options, "-s", str(ADDON)]
    return Process(command, capture.with_suffix(".log"))


def _proxy(upstreams: list[str], capture: Path, confdir: Path) -> Process:
    words = ["--listen", "127.0.0.1:0", "-w", str(capture)]
    command = [sys.executable, "-m", "mcpsniff", "proxy", *upstreams, *words]
    return Process(command, capture.with_suffix(".log"), "stderr", {"HOME": str(confdir)})


ENGINES = {"mitmdump": _mitmdump, "mcpsniff proxy": _proxy}


@pytest.fixture(scope="session")
def told() -> Callable[[list[Json]], list[Exchange]]:
    """Gives the exchanges of a capture, in the form of the diary."""
    return recorded


@pytest.fixture(scope="session")
def without_numbers() -> Callable[[object], str]:
    """Gives an outcome as text, without the numbers of subscriptions: a client's process counts them through."""
    return lambda outcome: re.sub(r"listen-\d+", "listen", json.dumps(outcome))


@pytest.fixture(scope="session")
def engines() -> dict[str, Callable[[list[str], Path, Path], Process]]:
    """The ways to start a proxy before servers, with a capture and mitmproxy's folder."""
    return ENGINES


@pytest.fixture(scope="session")
def listening(everything: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Gives the address of server-everything on a transport, in its own words: `listening("streamableHttp")`."""
    started: list[Process] = []

    @cache
    def start(transport: str) -> str:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        log = tmp_path_factory.mktemp("everything") / "log"
        started.append(Process([*everything, transport], log, "stderr", {"PORT": str(port)}))
        return f"http://127.0.0.1:{started[-1].says('on port ([0-9]+)')}"

    yield start
    for one in started:
        one.end()


@pytest.fixture
def twice(client: Callable[[str], Any], confdir: Path, tmp_path: Path) -> Iterator[Callable[..., tuple[Json, Json]]]:
    """Plays a job at one URL, and at another through a proxy that captures to `tmp_path`; gives both outcomes."""
    started: list[Process] = []

    def play(sdk: str, direct: str, url: str, engine: str = "mitmdump", **job: Any) -> tuple[Json, Json]:
        parts = urlsplit(url)
        started.append(ENGINES[engine]([f"http://{parts.netloc}"], tmp_path / CAPTURE, confdir))
        (without,) = client(sdk).play({"url": direct, **job})
        address = started[-1].says("point the client at http://([^ ]+)")
        (through,) = client(sdk).play({"url": parts._replace(netloc=address).geturl(), **job})
        started[-1].end()
        return without, through

    yield play
    for one in started:
        one.end()


@pytest.fixture
def talk(
    twice: Callable[..., tuple[Json, Json]],
    served: Callable[[str], Served],
    complete: Callable[[Path], list[Json]],
    tally: Callable[[list[str], int], Json],
    tmp_path: Path,
) -> Callable[..., Talk]:
    """Plays steps: `talk("py2", "py2", "json", mode="auto", steps=[…])`, names of client, server and app."""

    def play(sdk: str, peer: str, app: str, **job: Any) -> Talk:
        site = served(peer)
        earlier = len(site.diary(app))
        direct, through = twice(sdk, site.urls[f"{app}-direct"], site.urls[app], **job)
        capture = tmp_path / CAPTURE
        found = recorded(complete(capture))
        exchanges = site.since(app, earlier, len(found))
        counts = {}
        for sender, side in (("client", "asked"), ("server", "answered")):
            texts = [text for one in exchanges for text in getattr(one, side) if text.startswith("{")]
            counts[sender] = tally(texts, sum(len(text.encode()) for text in texts))
        return Talk(direct, through, capture, found, exchanges, counts)

    return play


class Hand:
    """A client that is led by hand: it sends what no SDK's client would, through mcpsniff."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._open: list[HTTPConnection | HTTPResponse] = []

    def post(self, headers: dict[str, str], **message: Any) -> HTTPResponse:
        """Posts a message; gives the response, of which only the head was read."""
        client = HTTPConnection(self._address, timeout=DEADLINE)
        media = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        client.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), media | headers)
        response = client.getresponse()
        self._open += [response, client]
        return response

    def leave(self) -> None:
        """Closes every connection."""
        for one in self._open:
            one.close()


@pytest.fixture
def hand(
    served: Callable[[str], Served], confdir: Path, tmp_path: Path, report: Callable[..., list[Json]]
) -> Iterator[Callable[[str], tuple[Hand, Callable[..., Json]]]]:
    """Starts a proxy before a server, for a client led by hand; gives it, and what ends both and gives the session."""
    started: list[tuple[Process, Hand]] = []

    def start(peers: str) -> tuple[Hand, Callable[..., Json]]:
        upstream = urlsplit(served(peers).urls["events"]).netloc
        proxy = _proxy([f"http://{upstream}"], tmp_path / CAPTURE, confdir)
        started.append((proxy, Hand(proxy.says("point the client at http://([^ /]+)"))))
        return started[-1][1], ended

    def ended(*options: str) -> Json:
        end()
        (session,) = report(tmp_path / CAPTURE, *options)
        return session

    def end() -> None:
        for proxy, client in started:
            client.leave()
            proxy.end()

    yield start
    end()
