"""Recording proxies between raw servers and raw clients, all on loopback: in this process, or as processes."""

import asyncio
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mitmproxy.certs import CertStore
from mitmproxy.options import Options

from mcpsniff.proxy import engine

from .processes import Process
from .relays import DEADLINE, Handler, Mitmproxy, Record, Scenario, Tap, play, records

REVERSE = "reverse:http://127.0.0.1:{port}@127.0.0.1:0"

Through = Callable[..., list[Record]]


@pytest.fixture(scope="session")
def confdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mitmproxy's folder with its certificate, made once."""
    return tmp_path_factory.mktemp("mitmproxy")


@pytest.fixture
def start(tmp_path: Path, confdir: Path) -> Iterator[Callable[..., Process]]:
    """Starts proxies as processes of their own, and leaves none behind."""
    started: list[Process] = []

    def run(*argv: str) -> Process:
        started.append(Process(argv, tmp_path, confdir))
        return started[-1]

    yield run
    for process in started:
        process.popen.kill()
        process.popen.wait()


@pytest.fixture(scope="session")
def authority(confdir: Path) -> Path:
    """mitmproxy's own certificate with its key."""
    CertStore.from_store(confdir, "mitmproxy", 2048)
    return confdir / "mitmproxy-ca.pem"


@pytest.fixture
def through(tmp_path: Path, confdir: Path, monkeypatch: pytest.MonkeyPatch) -> Through:
    """Plays a scenario through mitmproxy, and gives what was recorded."""
    monkeypatch.setattr(engine, "Options", lambda **options: Options(confdir=str(confdir), **options))
    capture = tmp_path / "capture.jsonl"

    def run(handler: Handler, scenario: Scenario, *modes: str, tls: ssl.SSLContext | None = None) -> list[Record]:
        playing = play(handler, scenario, lambda server: Mitmproxy(server, capture, modes or [REVERSE]), tls)
        asyncio.run(asyncio.wait_for(playing, DEADLINE))
        return records(capture)

    return run


@pytest.fixture
def tapped(tmp_path: Path) -> Through:
    """Plays a scenario through the tap, and gives what was recorded."""
    capture = tmp_path / "tapped.jsonl"

    def run(handler: Handler, scenario: Scenario, rewrite_host: bool = False) -> list[Record]:
        playing = play(handler, scenario, lambda server: Tap(server, capture, rewrite_host))
        asyncio.run(asyncio.wait_for(playing, DEADLINE))
        return records(capture)

    return run


@pytest.fixture(params=["through", "tapped"])
def either(request: pytest.FixtureRequest) -> Through:
    """Plays a scenario through each of the two engines."""
    run: Through = request.getfixturevalue(request.param)
    return run
