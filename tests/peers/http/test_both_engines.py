"""Clients of the Python and TypeScript SDKs before many servers: they get through either engine what they get without
one, and both captures tell the same.

All is played once, through one mitmdump and one `mcpsniff proxy` that stand before all servers at the same time.
"""

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

Json = dict[str, Any]
Steps = list[list[Any]]

ENGINES = ("mitmdump", "mcpsniff proxy")
LEGACY, AUTO, MODERN = "legacy", "auto", "2026-07-28"
LIBRARY_SERVER = Path(__file__).parents[3] / "samples" / "library_server.py"
NEEDS_NODE = {"ts1", "ts2", "everything", "everything-sse"}
WITH_DIARY = {app: ("py2", app) for app in ("events", "json", "stateless", "old")} | {
    "fastmcp4": ("fastmcp4", "events")
}

BASE: Steps = [
    ["list_tools"],
    ["call_tool", "echo", {"text": "hi"}],
    ["call_tool", "fail"],
    ["read_resource", "note://today"],
    ["get_prompt", "greet", {"name": "Ann"}],
]
PROGRESS: Steps = [["watch", "slow", {"steps": 3}]]
ASK: Steps = [["call_tool", "confirm"]]
STREAM: Steps = [["stream"]]
UNASKED: Steps = [["call_tool", "roots"], ["call_tool", "touch"], ["heard", "notifications/resources/updated"]]
LISTEN: Steps = [["listen", ["call_tool", "touch"]]]
GIVEN_UP: Steps = [["abandon", "hang"], ["call_tool", "echo", {"text": "bye"}]]
LARGE: Steps = [["weigh", "fill", {"size": 25_000_000}]]  # stands twice in the answer: 50 MB
EVERYTHING: Steps = [
    ["call_tool", "echo", {"message": "hi"}],
    ["call_tool", "trigger-sampling-request", {"prompt": "think", "maxTokens": 10}],
    ["get_prompt", "args-prompt", {"city": "Bern"}],
]
LIBRARY: Steps = [
    ["list_tools"],
    ["call_tool", "search", {"query": "austen"}],
    ["call_tool", "remove_book", {"isbn": "9780142437247"}],  # the user is asked, and answers something else
    ["call_tool", "get_list", {"list_id": "none"}],
]
ANSWERED_WRONG = {"elicit-content-schema-mismatch": "warning"}
TOUCHED = {"resource-updated-not-subscribed": "warning"}  # the tool tells of a change that nobody has subscribed to


@dataclass(frozen=True)
class Case:
    """A client that plays steps at a server, and what the report must find in it."""

    client: str
    mode: str
    server: str
    steps: Steps = field(hash=False)
    faults: dict[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.client}-{self.mode}-{self.server}"

    def job(self, url: str) -> Json:
        """What the client's program is told; it calls itself by the case's name."""
        return {"url": url, "mode": self.mode, "name": str(self), "steps": self.steps}

    @property
    def is_restless(self) -> bool:
        """Whether the server asks and tells when it likes: server-everything wants the client's roots after a while."""
        return self.server.startswith("everything")

    @property
    def is_playable(self) -> bool:
        """Whether what it needs is on this machine."""
        return shutil.which("node") is not None or not {self.client, self.server} & NEEDS_NODE


CASES = [
    Case("ts2", LEGACY, "events", STREAM + BASE + PROGRESS + ASK + UNASKED + GIVEN_UP, TOUCHED),
    Case("ts2", AUTO, "events", BASE + PROGRESS + ASK + LISTEN + GIVEN_UP),
    Case("ts2", LEGACY, "json", STREAM + BASE + LARGE),
    Case("ts2", MODERN, "json", BASE + ASK),
    Case("ts2", MODERN, "stateless", BASE + PROGRESS),
    Case("ts2", LEGACY, "old", BASE + ASK + UNASKED, TOUCHED),
    Case("ts2", LEGACY, "fastmcp4", STREAM + BASE + PROGRESS),
    Case("ts2", AUTO, "fastmcp4", BASE + PROGRESS + GIVEN_UP),
    Case("ts2", AUTO, "everything", STREAM + EVERYTHING),
    Case("ts2", LEGACY, "everything-sse", EVERYTHING),
    Case("ts2", LEGACY, "library", STREAM + LIBRARY, ANSWERED_WRONG),
    Case("ts2", AUTO, "library", LIBRARY, ANSWERED_WRONG),
    Case("ts1", LEGACY, "events", STREAM + BASE + PROGRESS + ASK + UNASKED, TOUCHED),
    Case("ts1", LEGACY, "stateless", BASE + PROGRESS),
    Case("ts1", LEGACY, "old", BASE + ASK),
    Case("ts1", LEGACY, "everything", STREAM + EVERYTHING),
    Case("ts1", LEGACY, "everything-sse", EVERYTHING),
    Case("py2", LEGACY, "fastmcp4", STREAM + BASE + PROGRESS),
    Case("py2", AUTO, "fastmcp4", BASE + PROGRESS + GIVEN_UP),
    Case("py2", LEGACY, "library", STREAM + LIBRARY, ANSWERED_WRONG),
    Case("py2", AUTO, "library", LIBRARY, ANSWERED_WRONG),
]
LISTENERS = 200
CROWD = Case("ts2", AUTO, "stateless", [["crowd", LISTENERS]])
CROWDED = 64 << 20  # bytes more that a proxy may hold for them


@pytest.fixture(scope="module")
def urls(
    served: Callable[[str], Any],
    program: type[Any],
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[dict[str, tuple[str, str]]]:
    """The address of each server: for clients without a proxy, and for the proxies."""
    found = {
        name: (served(sdk).urls[f"{app}-direct"], served(sdk).urls[app]) for name, (sdk, app) in WITH_DIARY.items()
    }
    command = [sys.executable, str(LIBRARY_SERVER), "--era", "dual", "--http", "127.0.0.1:0"]
    library = program(command, tmp_path_factory.mktemp("library") / "log", "stderr")
    try:
        found["library"] = (library.says("(http://.*)"),) * 2
        if shutil.which("node"):
            listening = request.getfixturevalue("listening")
            found["everything"] = (listening("streamableHttp") + "/mcp",) * 2
            found["everything-sse"] = (listening("sse") + "/sse",) * 2
        yield found
    finally:
        library.end()


def origin(url: str) -> str:
    """Scheme, host and port of a URL."""
    return f"http://{urlsplit(url).netloc}"


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The path of each engine's capture."""
    folder = tmp_path_factory.mktemp("both")
    return {engine: folder / f"{engine.split()[0]}.jsonl" for engine in ENGINES}


@pytest.fixture(scope="module")
def proxies(
    urls: dict[str, tuple[str, str]], engines: dict[str, Any], captures: dict[str, Path], confdir: Path
) -> Iterator[dict[str, Any]]:
    """A running proxy of each engine before all servers."""
    origins = sorted({origin(url) for _, url in urls.values()})
    started: dict[str, Any] = {}
    try:
        for engine in ENGINES:
            started[engine] = engines[engine](origins, captures[engine], confdir)
        yield started
    finally:
        for process in started.values():
            process.end()


@pytest.fixture(scope="module")
def ways(urls: dict[str, tuple[str, str]], proxies: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The URL of each server on each way: `direct`, or through an engine."""
    pointed = r"for (http://\S+ point the client at http://\S+)"
    found = {"direct": {server: direct for server, (direct, _) in urls.items()}}
    for engine, process in proxies.items():
        places = dict(process.says(pointed).split(" point the client at ") for _ in {url for _, url in urls.values()})
        found[engine] = {server: places[origin(url)] + urlsplit(url).path for server, (_, url) in urls.items()}
    return found


@dataclass
class Played:
    """What came of all cases."""

    outcomes: dict[str, dict[Case, Json]] = field(default_factory=dict)  # by way
    growth: dict[str, int] = field(default_factory=dict)  # bytes more that each proxy came to hold with the crowd
    said: dict[str, list[str]] = field(default_factory=dict)  # by each proxy, since it has started
    diary: dict[str, Callable[[int], list[Any]]] = field(default_factory=dict)  # what a server has seen of both

    def play(self, way: str, urls: dict[str, str], client: Callable[[str], Any], cases: list[Case]) -> None:
        """Plays cases on one way, those of one client side by side."""
        for sdk in sorted({case.client for case in cases}):
            mine = [case for case in cases if case.client == sdk]
            played = client(sdk).play(*(case.job(urls[case.server]) for case in mine))
            self.outcomes.setdefault(way, {}).update(zip(mine, played, strict=True))


@pytest.fixture(scope="module")
def played(
    ways: dict[str, dict[str, str]], proxies: dict[str, Any], client: Callable[[str], Any], served: Callable[[str], Any]
) -> Played:
    """All cases on all ways; then both proxies have ended."""
    done = Played()
    for name, (sdk, app) in WITH_DIARY.items():
        done.diary[name] = partial(served(sdk).since, app, len(served(sdk).diary(app)))
    for way, urls in ways.items():
        before = proxies[way].peak() if way in proxies else 0
        if CROWD.is_playable:
            done.play(way, urls, client, [CROWD])
        if way in proxies:
            done.growth[way] = proxies[way].peak() - before
        done.play(way, urls, client, [case for case in CASES if case.is_playable])
    done.said = {engine: process.end() for engine, process in proxies.items()}
    return done


@pytest.fixture(scope="module")
def recorded(
    played: Played, captures: dict[str, Path], complete: Callable[[Path], list[Json]]
) -> dict[str, list[Json]]:
    """The records of each engine's capture, which is whole."""
    return {engine: complete(capture) for engine, capture in captures.items()}


@pytest.fixture(scope="module")
def sessions(
    played: Played, captures: dict[str, Path], report: Callable[..., list[Json]]
) -> dict[str, dict[str, Json]]:
    """The sessions of the report on each capture, by the name that the client gives itself."""
    found = {}
    for engine, capture in captures.items():
        found[engine] = {session["client"]["name"]: session for session in report(capture)}
        assert len(found[engine]) == len({*played.outcomes[engine]})
    return found


@pytest.fixture(params=[*CASES, CROWD], ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    """One of the cases."""
    one: Case = request.param
    if not one.is_playable:
        pytest.skip(f"{one} was left out: it needs node, which is not there")
    return one


def test_a_client_gets_the_same(case: Case, played: Played) -> None:
    """Results, progress, questions that it is asked, notifications: all as without a proxy."""
    direct, *outcomes = (played.outcomes[way][case] for way in ("direct", *ENGINES))
    assert [outcome["steps"] for outcome in outcomes] == [direct["steps"]] * 2
    assert len(direct["steps"]) == len(case.steps)
    if not case.is_restless:
        assert outcomes == [direct] * 2


def outline(session: Json) -> Json:
    """What a session was, and what came of its calls."""
    calls = {key: session["calls"][key] for key in ("count", "results", "errors", "tool_errors", "input_required")}
    same = {key: session[key] for key in ("transport", "era", "client_era", "server_era", "revision")}
    return {"calls": calls, "before_first_call": session["round_trips"]["before_first_call"], **same}


def counts(session: Json) -> Json:
    """How many messages and exchanges there were; not their sizes, as servers seal times into their states."""
    kinds = ("requests", "responses", "notifications")
    messages = {sender: [session["messages"][sender][kind] for kind in kinds] for sender in ("client", "server")}
    return {"exchanges": session["http"]["exchanges"], "status": session["http"]["status"], **messages}


def test_the_reports_agree(case: Case, sessions: dict[str, dict[str, Json]], faults: Callable[[Json], Json]) -> None:
    """Counts, eras and faults of one session through either engine."""
    by_mitmdump, by_tap = (sessions[engine][str(case)] for engine in ENGINES)
    if not case.is_restless:
        assert counts(by_tap) == counts(by_mitmdump)
        assert faults(by_tap) == faults(by_mitmdump) == case.faults
    assert outline(by_tap) == outline(by_mitmdump)
    assert by_tap["calls"]["cancelled"] == [step[0] for step in case.steps].count("abandon")
    assert by_tap["calls"]["unanswered"] == 0


@pytest.mark.parametrize("server", WITH_DIARY)
def test_every_exchange_is_recorded(
    server: str,
    played: Played,
    recorded: dict[str, list[Json]],
    urls: dict[str, tuple[str, str]],
    told: Callable[[list[Json]], list[Any]],
) -> None:
    """Both captures together hold what the server has seen, byte for byte."""
    found = [one for engine in ENGINES for one in told(of_server(urls[server][1], recorded[engine]))]
    seen = played.diary[server](len(found))
    if server == "old":
        assert sorted(one.messages() for one in found) == sorted(one.messages() for one in seen)
    else:
        assert sorted(found) == sorted(seen)


def of_server(url: str, records: list[Json]) -> list[Json]:
    """The records of the exchanges with one server."""
    mine = {record["x"] for record in records if record["type"] == "request" and record["url"].startswith(origin(url))}
    return [record for record in records if record.get("x") in mine]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_crowd_of_listeners(engine: str, played: Played, recorded: dict[str, list[Json]]) -> None:
    """200 subscriptions that are open at once: each is acknowledged, each is closed by the client; little is held."""
    if not CROWD.is_playable:
        pytest.skip("the crowd was left out: it needs node, which is not there")
    asked = [record["x"] for record in recorded[engine] if said(record, "method") == "subscriptions/listen"]
    acknowledged = [
        x for record in recorded[engine] if (x := record.get("x")) and "acknowledged" in said(record, "method")
    ]
    ends = {record["x"]: (record["by"], record["why"]) for record in recorded[engine] if record["type"] == "close"}
    assert len(asked) == len(set(asked)) == LISTENERS + 1  # one listens to a change
    assert sorted(acknowledged) == sorted(asked)
    assert {ends[x] for x in asked} == {("client", "closed")}
    assert played.growth[engine] < CROWDED


def said(record: Json, member: str) -> str:
    """A member of the message in a record, where there is one."""
    message = record.get("message")
    return str(message.get(member, "")) if isinstance(message, dict) else ""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_answer_is_recorded_whole(engine: str, recorded: dict[str, list[Json]]) -> None:
    """50 MB in one message."""
    sizes = [record["size"] for record in recorded[engine] if record.get("size", 0) > 50_000_000]
    assert len(sizes) == sum(case.steps[-1:] == LARGE for case in CASES if case.is_playable)


def test_nothing_goes_wrong(played: Played, captures: dict[str, Path]) -> None:
    """Neither proxy complains of anything, be it that streams are closed in the middle."""
    usual = re.compile(r"(client|server) (dis)?connect|Streaming response")
    assert [line for line in played.said["mitmdump"] if not usual.search(line)] == []
    assert played.said["mcpsniff proxy"] == []
    assert "mcpsniff" not in captures["mitmdump"].with_suffix(".log").read_text()  # mitmproxy 11 itself is not silent
