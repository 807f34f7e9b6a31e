"""The demo: what it records, where it finds the samples, and what it refuses."""

import json
from pathlib import Path

import pytest

from mcpsniff import demo
from mcpsniff.errors import McpsniffError


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, object]]]:
    """The records of the three captures, by name."""
    folder = tmp_path_factory.mktemp("demo") / "new"
    paths = demo.record((demo.LEGACY, demo.MODERN, demo.FAULTY), folder)
    return {path.stem: [json.loads(line) for line in path.read_bytes().splitlines()] for path in paths}


@pytest.mark.parametrize(("name", "messages"), [("legacy", 17), ("modern", 12)])
def test_both_eras_are_whole_conversations(
    captures: dict[str, list[dict[str, object]]], name: str, messages: int
) -> None:
    """The tour of each era, from the header to the end record, and nothing but messages on stdout."""
    kinds = [record["type"] for record in captures[name]]
    assert (kinds[0], kinds[-1]) == ("capture", "end")
    assert kinds.count("message") == messages
    assert not {"text", "stderr", "gap"} & set(kinds)


def test_the_faulty_build_shows_its_three_faults(captures: dict[str, list[dict[str, object]]]) -> None:
    """Noise on stdout, a request by the server, and one id for a call and its retry."""
    records = captures["faulty"]
    assert any(record["type"] == "text" and record["from"] == "server" for record in records)
    messages = [(record["from"], record["message"]) for record in records if record["type"] == "message"]
    asked = [m for by, m in messages if by == "server" and isinstance(m, dict) and "method" in m]
    calls = [m["id"] for by, m in messages if isinstance(m, dict) and m.get("method") == "tools/call"]
    assert len(asked) == 1
    assert len(calls) == 2
    assert calls[0] == calls[1]


def test_the_demo_prints_its_reports_and_where_the_captures_lie(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Advice alone in both eras, three errors in the faulty build, and files that are there."""
    monkeypatch.setenv("COLUMNS", "200")
    assert demo.run(str(tmp_path)) == 0
    out = capfd.readouterr().out
    fine, faulty = out.split("deliberate faults", 1)
    assert "• 1 note in 2 sessions" in fine  # the modern client does not probe: probe-skipped
    assert "The eras side by side" in fine
    for rule in ("stdout-noise", "server-initiated-request", "retry-id-reused"):
        assert rule not in fine
        assert rule in faulty
    assert str(tmp_path) in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["faulty.jsonl", "legacy.jsonl", "modern.jsonl"]


def test_captures_are_never_overwritten(tmp_path: Path) -> None:
    """A folder that holds a capture of the demo is refused before anything runs."""
    (tmp_path / "legacy.jsonl").write_text("mine")
    with pytest.raises(McpsniffError, match="exists already"):
        demo.record((demo.LEGACY,), tmp_path)
    assert (tmp_path / "legacy.jsonl").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file in the place of the folder is refused in one sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(McpsniffError, match="file cannot be made: File exists"):
        demo.record((demo.LEGACY,), tmp_path / "file")


def test_a_failing_conversation_is_told_in_one_sentence(tmp_path: Path) -> None:
    """What the client said stands in the error."""
    impossible = demo.Show("odd", ("call", "--era", "legacy"), ("--era", "modern"))
    with pytest.raises(McpsniffError, match="odd conversation failed: library_client: The server refuses initialize"):
        demo.record((impossible,), tmp_path)
