"""`mcpsniff compare`: which sides there are, and what is said where there are none."""

import json

import pytest

from mcpsniff.commands.compare import run
from mcpsniff.errors import McpsniffError

LEGACY, MODERN = (f"samples/captures/{era}/tour-stdio.jsonl" for era in ("legacy", "modern"))


@pytest.fixture
def sides(capsys):
    """Gives the sides of a comparison by name, each with its sessions and its number of messages."""

    def compare(*names):
        assert run(names, as_json=True) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["format"], document["version"]) == ("mcpsniff-comparison", 1)
        return {side["name"]: (side["sessions"], side["messages"]) for side in document["sides"]}

    return compare


@pytest.fixture
def twice(web, tmp_path):
    """A capture of two sessions: two clients ping a server, one of them twice."""
    for x, conn in (("x1", "c1"), ("x2", "c2"), ("x3", "c1")):
        agent = [["User-Agent", f"agent-{conn}"]]
        request = {"conn": conn, "client": f"127.0.0.{conn[1:]}:1", "method": "POST", "url": "http://127.0.0.1/mcp"}
        web.add(type="request", x=x, **request, headers=agent)
        web.say("client", '{"jsonrpc":"2.0","id":1,"method":"ping"}', x=x)
        web.add(type="response", x=x, status=200, headers=[["Content-Type", "application/json"]])
        web.say("server", '{"jsonrpc":"2.0","id":1,"result":{}}', x=x)
        web.add(type="close", x=x, by="server")
    (path := tmp_path / "twice.jsonl").write_bytes(web.file().getvalue())
    return str(path)


def test_two_captures(sides):
    """17 and 14 messages, as SCENARIOS of the tour has them."""
    assert sides(LEGACY, MODERN) == {LEGACY: (["s1"], 17), MODERN: (["s2"], 14)}


def test_one_capture_is_compared_by_session(sides, twice):
    """Each as the report on that capture calls it."""
    assert sides(twice) == {f"{twice}#s1": (["s1"], 4), f"{twice}#s2": (["s2"], 2)}


def test_a_session_beside_a_capture(sides, twice):
    """The number counts within its own capture; what is named twice is read once."""
    assert sides(LEGACY, f"{twice}#s2", twice) == {
        LEGACY: (["s1"], 17),
        f"{twice}#s2": (["s3"], 2),
        twice: (["s2", "s3"], 6),
    }


def test_for_people(capsys):
    """A table with a column for each."""
    assert run([LEGACY, MODERN], as_json=False) == 0
    assert "messages 17 14 -18%" in " ".join(capsys.readouterr().out.split())


def test_a_folder_is_a_side_a_capture(sides):
    """And a glob."""
    assert len(sides("samples/captures/faulty")) >= 2


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([LEGACY], "is one session"),
        ([LEGACY, f"{LEGACY}#s2"], "has 1 session"),
        ([LEGACY, "nothing.jsonl"], "nothing.jsonl"),
    ],
)
def test_what_cannot_be_compared(names, said):
    """One sentence says so."""
    with pytest.raises(McpsniffError, match=said):
        run(names, as_json=True)
