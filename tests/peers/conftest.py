"""Released MCP software for the tests of this folder: its environments, its clients, and mcpsniff's report on them.

Each set of peers has an environment of its own, made by uv from the pyproject.toml in the set's folder, or by npm from
its package.json; programs/ holds what runs in those of Python.
"""

import json
import os
import select
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
NODE = shutil.which("node")
DEADLINE = 180.0  # seconds for what a client plays; reached only when something is broken
DIRECT = os.environ | dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")  # whatever proxy the user has

Json = dict[str, Any]


def uv() -> list[str]:
    """The command of uv, which runs these tests, or lies beside the Python that runs them."""
    if found := shutil.which(os.environ.get("UV", "uv")):
        return [found]
    if find_spec("uv"):
        return [sys.executable, "-m", "uv"]
    return pytest.fail("uv makes the environments of tests/peers, and it is not there: pip install uv", pytrace=False)


@pytest.fixture(scope="session")
def environment() -> Callable[[str], Path]:
    """Gives the bin folder of a set's environment, made (or found to be right) once a run."""

    @cache
    def make(peers: str) -> Path:
        project = HERE / peers
        # One for each Python under test.
        home = project / f".venv-{sys.version_info.major}.{sys.version_info.minor}"
        command = [*uv(), "sync", "--quiet", "--project", str(project), "--python", sys.executable]
        done = subprocess.run(
            command, env=os.environ | {"UV_PROJECT_ENVIRONMENT": str(home)}, capture_output=True, text=True
        )
        assert done.returncode == 0, f"uv cannot make the environment of {project}: {done.stderr}"
        return home / "bin"

    return make


@pytest.fixture(scope="session")
def packages() -> Callable[[str], Path]:
    """Gives the folder of a set of npm's packages, installed once; skips where there is no Node to run them."""

    @cache
    def install(peers: str) -> Path:
        if NODE is None or (npm := shutil.which("npm")) is None:
            pytest.skip(f"the peers of {peers} were left out: they need node and npm, which are not there")
        project = HERE / peers
        if not _installed(project):
            flags = ["--no-package-lock", "--no-audit", "--no-fund", "--silent"]
            done = subprocess.run([npm, "install", *flags, "--prefix", str(project)], capture_output=True, text=True)
            assert done.returncode == 0, f"npm cannot install the packages of {project}: {done.stdout}{done.stderr}"
        return project

    return install


def _installed(project: Path) -> bool:
    """Whether npm has installed what the project asks for, in the versions that it names."""
    wanted: dict[str, str] = json.loads((project / "package.json").read_text())["dependencies"]
    homes = {project / "node_modules" / name / "package.json": version for name, version in wanted.items()}
    return all(home.exists() and json.loads(home.read_text())["version"] == wish for home, wish in homes.items())


class Client:
    """A running client program, which plays jobs one after the other; `environment` is added to its own."""

    def __init__(self, command: list[str], log: Path, environment: dict[str, str]) -> None:
        self._log = log
        with log.open("w") as stderr:
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
            self._process = subprocess.Popen(command, env=DIRECT | environment, **streams)

    def play(self, *jobs: Json) -> list[Json]:
        """The outcomes of jobs that are played side by side."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(jobs).encode() + b"\n")
        self._process.stdin.flush()
        assert select.select([self._process.stdout], [], [], DEADLINE)[0], f"no outcome came, see {self._log}"
        line = self._process.stdout.readline()
        assert line, f"the client has died: {self._log.read_text()}"
        outcomes: list[Json] = json.loads(line)
        for job, outcome in zip(jobs, outcomes, strict=True):
            assert "failed" not in outcome, f"{outcome['failed']} in {job}, see {self._log}"
        return outcomes

    def end(self) -> None:
        """Ends the program."""
        self._process.communicate()


@pytest.fixture(scope="session")
def client(
    environment: Callable[[str], Path], packages: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Client]]:
    """Gives the client of an SDK: `client("py2")`, `client("ts2")`; with more in its environment, one of its own."""
    started: list[Client] = []

    @cache
    def start(sdk: str, **more: str) -> Client:
        log = tmp_path_factory.mktemp("client") / f"{sdk}.log"
        if sdk.startswith("ts"):
            command = [str(NODE), str(packages("typescript") / f"client_{sdk}.mjs")]
        else:
            command = [str(environment(sdk) / "python"), str(PROGRAMS / f"client_{sdk}.py")]
        started.append(Client(command, log, more))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture(scope="session")
def server(environment: Callable[[str], Path]) -> Callable[[str], list[str]]:
    """Gives the command of an SDK's server on stdio: `server("py1")`."""

    def command(peers: str) -> list[str]:
        if peers == "time":
            return [str(environment(peers) / "mcp-server-time"), "--local-timezone", "UTC"]
        return [str(environment(peers) / "python"), str(PROGRAMS / f"server_{peers}.py")]

    return command


@pytest.fixture(scope="session")
def everything(packages: Callable[[str], Path]) -> list[str]:
    """Gives the command of npm's server-everything; skips where there is no Node to run it."""
    home = packages("everything") / "node_modules" / "@modelcontextprotocol" / "server-everything"
    return [str(NODE), str(home / "dist" / "index.js")]


def records(capture: Path) -> list[Json]:
    """The records of a capture, each with the exact text of an embedded message under `text`."""
    found = []
    for line in capture.read_bytes().split(b"\n")[:-1]:
        record = json.loads(line)
        if "message" in record:
            record["text"] = line[line.index(b'"message":') + 10 : -1].decode()
        found.append(record)
    return found


@pytest.fixture(scope="session")
def complete() -> Callable[[Path], list[Json]]:
    """Gives the records of a capture, which must be whole."""

    def read(capture: Path) -> list[Json]:
        found = records(capture)
        assert [record["seq"] for record in found] == list(range(len(found)))
        assert "gap" not in {record["type"] for record in found}
        assert (found[-1]["type"], found[-1]["records"]) == ("end", len(found))
        return found

    return read


@pytest.fixture(scope="session")
def tally() -> Callable[[list[str], int], Json]:
    """Counts the requests, responses and notifications among messages; with their bytes, as a report has it."""

    def count(texts: list[str], size: int) -> Json:
        counted = Counter(_kind(json.loads(text)) for text in texts)
        return {**{kind: counted[kind] for kind in ("requests", "responses", "notifications")}, "bytes": size}

    return count


def _kind(message: Json) -> str:
    if "method" not in message:
        return "responses"
    return "requests" if "id" in message else "notifications"


@pytest.fixture(scope="session")
def report() -> Callable[..., list[Json]]:
    """Gives the sessions of `mcpsniff report` on a capture, with options."""

    def run(capture: Path, *options: str) -> list[Json]:
        command = [sys.executable, "-m", "mcpsniff", "report", "--format", "json", *options, str(capture)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        sessions: list[Json] = json.loads(done.stdout)["sessions"]
        return sessions

    return run


@pytest.fixture(scope="session")
def faults() -> Callable[[Json], dict[str, str]]:
    """Gives the rules that a session breaks by a MUST or a SHOULD, with the severity."""

    def found(session: Json) -> dict[str, str]:
        return {one["rule"]: one["severity"] for one in session["findings"] if one["severity"] != "info"}

    return found


@pytest.fixture(scope="session")
def checked() -> Callable[[dict[str, str]], dict[str, str]]:
    """Leaves of expected faults those that mcpsniff has a rule for."""
    done = subprocess.run([sys.executable, "-m", "mcpsniff", "rules"], capture_output=True, text=True, check=True)
    rules = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
    return lambda expected: {rule: severity for rule, severity in expected.items() if rule in rules}
