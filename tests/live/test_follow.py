"""`mcpsniff follow` without a screen, and `show` in a terminal, on live servers under wrap."""

import json
import signal


def test_lines_come_while_the_client_works(tmp_path, wrapped, follow):
    """A capture that is not there yet; rows and findings as they come; a word when it ends; Ctrl-C."""
    process, wait = follow(str(tmp_path / "a.jsonl"))
    assert process.stderr.readline().decode() == f"mcpsniff: Waiting for {tmp_path / 'a.jsonl'}.\n"
    session = wrapped(tmp_path / "a.jsonl")
    session.ask("tools/call", name="search", arguments={"query": "whale"})
    seen = wait("← result        1      tools/call search")
    assert "✗ stdout-noise" in seen
    session.ask("tools/list")
    wait("← result        2      tools/list")
    session.close()
    wait("exit status 0")
    process.send_signal(signal.SIGINT)
    rest, said = process.communicate(timeout=120)
    assert (process.returncode, rest) == (0, b"")
    assert said.decode() == f"mcpsniff: {tmp_path / 'a.jsonl'} has ended.\n"


def test_findings_of_the_end_come_when_it_is_interrupted(tmp_path, follow, sample):
    """A capture that has not ended: what only an end shows is told as the follower ends."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(sample("unanswered-request/bad-2025-06-18-two-of-them", ended=False))
    process, wait = follow(str(path))
    assert "unanswered-request" not in wait("exit status 0")
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=120)
    assert [line.split()[:3] for line in rest.decode().splitlines()] == [
        ["4", "✗", "unanswered-request"],
        ["5", "✗", "unanswered-request"],
    ]


def test_json_has_rows_and_late_findings(tmp_path, follow, sample):
    """One object a line; the filter chooses among both."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(sample("unanswered-request/bad-2025-06-18-two-of-them"))
    process, wait = follow("--json", "--filter", "kind=exit or rule:*", str(path))
    lines = wait('"seq":5,').splitlines()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    told = [(one["seq"], one["kind"], one.get("rule")) for one in map(json.loads, lines)]
    assert told == [
        (10, "exit", None),
        (4, "finding", "unanswered-request"),
        (5, "finding", "unanswered-request"),
    ]


def test_findings_alone(tmp_path, follow, sample):
    """Each is an object or a line of its own, those that come with their row, too."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(sample("stdout-noise/bad-2025-06-18"))
    process, wait = follow("--json", "--findings", str(path))
    lines = wait('"stdout-noise"').splitlines()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert {(one["kind"], one["rule"]) for one in map(json.loads, lines)} == {("finding", "stdout-noise")}
    process, _ = follow("--findings", "-c", "1", str(path))
    (line,) = process.communicate(timeout=120)[0].decode().splitlines()
    assert line.split()[1:3] == ["✗", "stdout-noise"]


def test_a_chosen_finding_is_withdrawn_as_it_was_told(tmp_path, follow, sample):
    """The filter means the row no longer; the object names the HTTP exchange."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(sample("http-already-initialized/good-2025-06-18"))
    process, wait = follow("--json", "--filter", "rule=initialize-repeated and violator=client", str(path))
    lines = wait('"withdrawn":true').splitlines()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    told = [one for one in map(json.loads, lines) if one["rule"] == "initialize-repeated"]
    assert [(one["seq"], one["x"], one.get("withdrawn")) for one in told] == [(11, "5", None), (11, "5", True)]


def test_captures_of_a_folder_are_told_apart(tmp_path, growing, follow):
    """A line with the file's name stands where the capture changes."""
    captures = {name: growing(tmp_path / f"{name}.jsonl", id=name) for name in "ab"}
    _, wait = follow(str(tmp_path))
    wait(f"==> {tmp_path / 'b.jsonl'} <==")
    captures["a"].ping(1)
    wait(f"==> {tmp_path / 'a.jsonl'} <==")


def test_count_ends_it(tmp_path, growing, follow):
    """-c 2 is two rows, and nothing of the end."""
    growing(tmp_path / "a.jsonl").ping(1)
    process, _ = follow("-c", "2", str(tmp_path / "a.jsonl"))
    process.wait(120)
    assert process.returncode == 0
    assert len(process.stdout.read().splitlines()) == 2


def test_it_ends_when_nobody_reads(tmp_path, growing, follow):
    """A reader that leaves ends it although nothing more comes."""
    growing(tmp_path / "a.jsonl").ping(1)
    process, wait = follow(str(tmp_path / "a.jsonl"))
    wait("← result")
    process.stdout.close()
    process.stdout = None
    assert process.wait(120) == 0
    assert process.stderr.read() == b""


def test_wrong_use_is_said_at_once(tmp_path, follow):
    """A wrong filter, with its place; standard input."""
    process, _ = follow("--filter", "foo=1", str(tmp_path))
    assert process.wait(120) == 2
    assert b"no field is called foo" in process.stderr.read()
    process, _ = follow("-")
    assert process.wait(120) == 2
    assert (
        process.stderr.read()
        == b"mcpsniff: follow reads files; mcpsniff show - shows what comes from standard input.\n"
    )


WITHOUT_TEXTUAL = """
import sys
sys.modules["textual"] = None
sys.argv = ["mcpsniff", "follow", "-c", "3", sys.argv[1]]
from mcpsniff.cli import main
main()
"""


def test_terminal_without_textual_gets_lines(tmp_path, growing, terminal):
    """One sentence says what is missing; the lines are those of a terminal."""
    growing(tmp_path / "a.jsonl").ping(1)
    terminal.python("-c", WITHOUT_TEXTUAL, str(tmp_path / "a.jsonl"))
    seen = terminal.wait("status 0")
    assert "mcpsniff: The screen needs textual, which mcpsniff[live] brings; here are lines." in seen
    assert "← result" in seen


def test_show_in_a_terminal_while_the_server_runs(tmp_path, wrapped, terminal):
    """The rows so far, one line each, in colours and as wide as the terminal; then it ends."""
    session = wrapped(tmp_path / "a.jsonl")
    session.ask("tools/call", name="search", arguments={"query": "whale"})
    terminal.start("show", str(tmp_path / "a.jsonl"))
    lines = terminal.wait("status 0").splitlines()
    rows = [line.split()[0] for line in lines if line[:5].strip().isdigit()]
    assert rows == ["0", "1", "2", "3", "3"]
    assert any(line.endswith("✗ stdout-noise") for line in lines)
    session.close()
