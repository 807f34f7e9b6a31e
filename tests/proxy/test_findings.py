"""A follower beside mitmproxy: programs in its place that say something, end, or are not there."""

import asyncio
import json
import os
import time
from importlib.metadata import PackageNotFoundError

import pytest

from mcpsniff.proxy import findings
from mcpsniff.proxy.findings import Told
from mcpsniff.proxy.remarks import Finding

DEADLINE = 30.0  # seconds
SAID = {"seq": 4, "capture": "c", "session": "s1", "kind": "finding", "x": "x1", "rule": "r", "severity": "error"}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Makes the mcpsniff on the user's path a shell script; none is installed beside mitmproxy."""

    def missing(name):
        raise PackageNotFoundError(name)

    def make(text, shell="/bin/sh"):
        script = tmp_path / "mcpsniff"
        script.write_text(f"#!{shell}\n{text}\n")
        script.chmod(0o700)

    monkeypatch.setattr(findings, "distribution", missing)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.chdir(tmp_path)
    return make


async def until(condition):
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        await asyncio.sleep(0.01)


def say(**fields):
    return f"echo '{json.dumps({**SAID, 'message': 'why', **fields})}'"


def test_findings_are_heard_until_the_end(program, tmp_path):
    """Those of exchanges of this capture, also what is withdrawn; then the process is gone."""
    lines = (say(), say(capture="other"), say(x="x2", withdrawn=True), "echo $$ $* >told")
    session = json.dumps({key: value for key, value in SAID.items() if key != "x"})
    program("\n".join((f"echo '{session}'", *lines, "exec sleep 1000")))
    heard = []

    async def main():
        follower = findings.follow("c.jsonl", "c", heard.extend)
        await until(lambda: len(heard) == 2 and (tmp_path / "told").exists())
        follower.end()
        follower.end()

    asyncio.run(main())
    finding = Finding(4, "r", "error", "why")
    assert heard == [Told("x1", finding, False), Told("x2", finding, True)]
    pid, *words = (tmp_path / "told").read_text().split()
    assert words == ["follow", "--json", "--findings", str(tmp_path / "c.jsonl")]
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def test_a_line_that_comes_in_pieces(program):
    """And one that is long, with what would drive a terminal, is cut to a sentence."""
    text = say(message="\x1b" + "x" * 100_000)
    program(f"printf %s '{text[6:20]}'\nsleep 0.1\necho '{text[20:]}\nexec sleep 1000")
    heard = []

    async def main():
        follower = findings.follow("c.jsonl", "c", heard.extend)
        await until(lambda: heard)
        follower.end()

    asyncio.run(main())
    assert heard[0].finding.message == "\\x1b" + "x" * 495 + "…"


def test_its_death_is_said_once(program, caplog):
    """Nothing else happens."""
    program("exit 3")

    async def main():
        follower = findings.follow("c.jsonl", "c", [].extend)
        await until(lambda: caplog.text)
        follower.end()

    asyncio.run(main())
    assert [record.getMessage() for record in caplog.records] == [
        "mcpsniff: `mcpsniff follow` has ended: what rules find from now on is not shown here"
    ]


def test_without_mcpsniff_nothing_follows(program, tmp_path, monkeypatch, caplog):
    """A closed mitmproxy, and no mcpsniff on the user's path: not a word."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert findings.follow("c.jsonl", "c", [].extend) is None
    assert caplog.text == ""


def test_a_program_that_cannot_be_started(program, caplog):
    """Its interpreter is gone; one sentence, and no pipe is left open."""
    program("", shell="/nowhere/python")
    before = os.listdir("/dev/fd")
    assert findings.follow("c.jsonl", "c", [].extend) is None
    assert len(os.listdir("/dev/fd")) == len(before)
    assert "cannot be started: No such file or directory; what rules find is not shown here" in caplog.text
