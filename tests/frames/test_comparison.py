"""Two captures compared, and more."""

import pytest

from mcpsniff import frames
from mcpsniff.frames.comparison import compare

CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{}}}\n'
OTHER = '{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"add","arguments":{}}}\n'
ANSWERS = (
    '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n'
    '{"jsonrpc":"2.0","id":"b","result":{"content":[],"isError":true}}\n'
)


@pytest.fixture
def both(before, after):
    """The comparison of the two captures."""
    return compare(frames.read(before, after), {"A": ["s1"], "B": ["s2"]})


def test_figures(both):
    """Counts, and costs as calculated by hand: two calls were answered, in 0.3 and in 0.1 seconds."""
    first, second = both.sides
    assert (first["name"], first["sessions"], first["era"]) == ("A", ["s1"], ["legacy"])
    assert (first["client"], first["server"]) == (["fixture-client 1.0.0"], ["srv 2"])
    assert [side["errors"] for side in both.sides] == [0, 1]
    assert first["messages"] == second["messages"] == 11
    assert first["bytes_per_call"] == len(CALL + OTHER + ANSWERS) / 2
    assert (first["p50_ms"], first["p90_ms"]) == (200, 280)
    assert first["head_bytes"] is None


def test_methods(both):
    """Requests by method in order, with counts and medians of each side."""
    asked = [(one["method"], one["counts"], one["p50_ms"]) for one in both.methods]
    assert asked == [
        ("initialize", [1, 1], [100, 100]),
        ("tools/list", [1, 1], [100, 100]),
        ("tools/call", [3, 3], [200, 200]),
    ]


def test_findings(both):
    """What only one side has counts 0 on the other."""
    assert both.findings == [{"rule": "stdout-noise", "violator": "server", "severity": "error", "counts": [0, 1]}]


def test_tools(both):
    """Which member differs; both list it."""
    assert both.tools == [{"name": "add", "sides": [True, True], "members": ["description"]}]


def test_a_side_that_lists_no_tools_differs_in_none(before, talk, tmp_path):
    """It may have them all the same."""
    talk.handshake()
    (path := tmp_path / "c.jsonl").write_bytes(talk.file().getvalue())
    found = frames.read(before, str(path))
    assert compare(found, {"A": ["s1"], "B": ["s2"]}).tools == []


@pytest.fixture
def eras():
    """A tour in both eras, the sample conversation."""
    paths = [f"samples/captures/{era}/tour-stdio.jsonl" for era in ("legacy", "modern")]
    return compare(frames.read(*paths), {"legacy": ["s1"], "modern": ["s2"]})


def test_eras(eras):
    """17 messages against 14, two round trips before the first call (a ping is none of them) against one."""
    assert [side["messages"] for side in eras.sides] == [17, 14]
    assert [side["era"] for side in eras.sides] == [["legacy"], ["modern"]]


def test_sides_of_several_sessions():
    """Counts add up, fixed costs are means."""
    paths = [f"samples/captures/{era}/tour-stdio.jsonl" for era in ("legacy", "modern")]
    found = frames.read(*paths)
    together = compare(found, {"both": ["s1", "s2"]}).sides[0]
    single = compare(found, {"A": ["s1"], "B": ["s2"]}).sides
    assert together["messages"] == 17 + 14
    assert together["fixed_bytes"] == sum(side["fixed_bytes"] for side in single) / 2
    assert together["era"] == ["legacy", "modern"]
