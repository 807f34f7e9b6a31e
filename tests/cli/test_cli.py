"""The command line as a whole: wrong usage is 2, errors are one sentence, and every end is a clean one."""

import signal
import subprocess
import sys

import pytest

from mcpsniff import __version__


@pytest.mark.parametrize(
    "argv",
    [
        ["report"],
        ["report", "--no-such-option", "x"],
        ["report", "--format", "xml", "x"],
        ["report", "--fail-on", "horror", "x"],
        ["report", "--select", "stdout-nose", "x"],
        ["report", "--select", "", "x"],
        ["report", "-o", "x.unknown", "x"],
        ["report", "--severity", "stdout-noise=horror", "x"],
        ["report", "--baseline", "no-such-file", "x"],
        ["explain", "no-such-rule"],
        ["rules", "--family", "htp"],
        ["rules", "--tier", "5"],
        ["report", "--as", "2024-11-05", "x"],
        ["no-such-command"],
        ["wrap", "--snaplen", "huge", "server"],
        ["wrap", "--redact", "pin", "server"],
    ],
)
def test_wrong_usage_is_2(mcpsniff, argv):
    """No traceback, something on stderr, nothing on stdout."""
    done = mcpsniff(*argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_is_one_sentence(mcpsniff):
    """What is wrong, and what may have been meant."""
    done = mcpsniff("explain", "stdout-nose")
    assert done.stderr == "mcpsniff: There is no rule stdout-nose. Did you mean stdout-noise, stdin-noise?\n"


@pytest.mark.parametrize("argv", [["--version"], ["--version", "report"]])
def test_version_is_told_by_both_ways_in(mcpsniff, argv):
    """The dispatcher and typer say the same."""
    assert mcpsniff(*argv).stdout == f"mcpsniff {__version__}\n"


def test_a_wrong_value_is_named_in_plain_words(mcpsniff):
    """The library that checks values puts two words of its own before the sentence."""
    said = mcpsniff("report", "--format", "xml", "x").stderr
    assert "Invalid value for '--format': 'xml' is not one of 'terminal', 'json'" in said


def test_an_empty_name_is_told_as_such(mcpsniff):
    """Where there is nothing to name, the sentence does not begin with it."""
    assert "mcpsniff: An empty name is no capture: give the path" in mcpsniff("report", "").stderr


@pytest.mark.parametrize("words", ["--help", "--version", "rules", "report --help"])
def test_a_reader_who_leaves_early_is_no_fault(words):
    """As `head` does; here before anything is said."""
    command = f'set -o pipefail; exec 3> >(exec >&-; sleep 0); wait $!; "{sys.executable}" -m mcpsniff {words} >&3'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", ["--help", "--version", "report --help"])
def test_a_full_disk_is_told_whatever_is_written(words):
    """One sentence and the exit status of what could not be done."""
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "mcpsniff", *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (
        2, b"mcpsniff: Standard output cannot be written: No space left on device.\n"
    )  # fmt: skip


def test_interrupted(talk):
    """Ctrl-C in the middle of a capture: one line, no traceback, and the exit status that shells expect."""
    talk.handshake()
    for number in range(40_000):  # more than pipe and buffers hold: once it is written, it is being read
        talk.client(id=number, method="ping")
    whole = talk.file(end=False).getvalue()
    command = [sys.executable, "-m", "mcpsniff", "report", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(whole)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
    assert (process.returncode, out, said) == (130, b"", b"mcpsniff: interrupted.\n")


@pytest.mark.parametrize("command", ["wrap", "proxy", "import", "report", "rules", "explain", "addon", "demo"])
def test_every_command_has_help(mcpsniff, command):
    """--help prints on stdout and ends with 0."""
    done = mcpsniff(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"mcpsniff {command}" in done.stdout


def test_an_output_that_cannot_spell_it_gets_escapes(mcpsniff, talk, tmp_path):
    """A terminal without Unicode is no reason for a traceback."""
    path = tmp_path / "c.jsonl"
    path.write_bytes(talk.file().getvalue())
    done = mcpsniff("report", str(path), env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert done.returncode == 0
    assert r"\u2713" in done.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_closed_streams_are_no_findings(closed):
    """Whoever starts it without stdout or stderr gets the exit status, and no traceback."""
    command = f'"{sys.executable}" -m mcpsniff rules {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
