"""`mcpsniff show` as it is called: styles, filters, several captures, what is damaged, where it stops."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

FAULTY = "samples/captures/faulty/confirm-stdio.jsonl"
HTTP = "samples/captures/faulty/confirm-http.jsonl"
ROOT = Path(__file__).parents[2]


def show(*arguments, **options):
    """What a call prints, says and returns; without a terminal."""
    command = [sys.executable, "-m", "mcpsniff", "show", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=120, **options)


def test_one_line_a_message():
    """The capture's messages, noise and ends, each in a line; findings at their culprits."""
    done = show(FAULTY)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split()[0] for line in lines] == ["0", "1", "2", "3", "3", *map(str, range(4, 15))]
    assert lines[9].split()[-2:] == ["✗", "retry-id-reused"]


def test_filter_chooses():
    """Only the rows that the expression means."""
    done = show(FAULTY, "--filter", "rule:stdout-*", "--json")
    assert [json.loads(line)["seq"] for line in done.stdout.splitlines()] == [2, 5, 9]


def test_wrong_filter_is_shown_its_place():
    """One sentence, the expression, a caret; the exit status of wrong usage."""
    done = show(FAULTY, "--filter", "method:x and foo=1")
    assert done.returncode == 2
    said = done.stderr.decode().splitlines()
    assert said[0].startswith("mcpsniff: no field is called foo")
    assert said[1:] == ["  method:x and foo=1", "               ^"]


def test_raw_bytes_are_what_the_client_wrote():
    """With the client's rows alone: exactly the messages of its records, in lines."""
    done = show(FAULTY, "--raw", "--filter", "from=client")
    written = []
    for line in (ROOT / FAULTY).read_bytes().splitlines():
        if b'"from":"client"' in line:
            written.append(line.partition(b'"message":')[2][:-1] + b"\n")
    assert done.stdout == b"".join(written)
    assert len(written) == 3


def test_exchanges_stand_below_their_lines():
    """-x shows head, headers and body of each side."""
    text = show(HTTP, "-x", "--filter", "kind=request", "-c", 1).stdout.decode()
    assert "      POST http://127.0.0.1:40805/mcp HTTP/1.1\n" in text
    assert '        "method": "server/discover",\n' in text


def test_count_stops():
    """-c 2 is two lines, over all captures."""
    done = show(FAULTY, HTTP, "-c", 2, "--json")
    assert len(done.stdout.splitlines()) == 2


def test_captures_are_told_apart():
    """Each below its name, sessions numbered through."""
    done = show(FAULTY, HTTP)
    names = [line for line in done.stdout.decode().splitlines() if line.startswith("==>")]
    assert names == [f"==> {FAULTY} <==", f"==> {HTTP} <=="]
    sessions = {json.loads(line)["session"] for line in show(FAULTY, HTTP, "--json").stdout.splitlines()}
    assert sessions == {"s1", "s2"}


def test_unreadable_capture_is_named_and_the_rest_is_shown(tmp_path):
    """Exit status 3."""
    done = show(tmp_path / "none.jsonl", FAULTY)
    assert done.returncode == 3
    assert b"none.jsonl cannot be read" in done.stderr
    assert b"server/discover" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds nothing but its header"),
        ("{oops\n", "has 1 damaged line: 2"),
    ],
)
def test_what_is_missing_is_said(tmp_path, text, said):
    """An empty capture, a damaged line: one sentence on stderr."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"id":"x"}\n' + text)
    done = show(path)
    assert said in done.stderr.decode()
    assert done.returncode == 0


def test_reader_may_leave_early():
    """`show … | head` is quiet."""
    paths = " ".join([f"'{ROOT / 'samples/captures/modern/calls-stdio.jsonl'}'"] * 40)
    command = f"{sys.executable} -m mcpsniff show {paths} | head -n 3"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, check=False, timeout=120)
    assert (len(done.stdout.splitlines()), done.stderr) == (3, b"")


def test_styles_exclude_each_other():
    """Wrong usage in a sentence."""
    done = show(FAULTY, "--json", "--raw")
    assert (done.returncode, done.stderr) == (2, b"mcpsniff: Choose one of --json, --raw and -x.\n")


@pytest.mark.parametrize(("columns", "colour"), [("90", True), ("120", False)])
def test_terminal_gets_its_width_and_colours(columns, colour):
    """In a terminal lines fit; colours, unless NO_COLOR is set; bytes are escaped."""
    here, there = pty.openpty()
    environment = {**os.environ, "COLUMNS": columns, "TERM": "xterm", "NO_COLOR": "" if colour else "1"}
    command = [sys.executable, "-m", "mcpsniff", "show", FAULTY]
    with subprocess.Popen(command, cwd=ROOT, stdout=there, env=environment) as process:
        os.close(there)
        text = b"".join(iter(lambda: read(here), b"")).decode()
    os.close(here)
    assert process.returncode == 0
    assert ("\x1b[" in text) == colour
    plain = text.replace("\x1b[0m", "") if colour else text
    assert colour or max(map(len, plain.splitlines())) <= int(columns)
    assert "retry-id-reused" in text


def read(fd):
    """A piece of what a terminal shows; nothing once the other side is closed."""
    try:
        return os.read(fd, 1 << 16)
    except OSError:
        return b""
