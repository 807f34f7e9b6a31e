"""The command line: both parsers of wrap agree, wrong usage is 2, and errors are one sentence."""

import inspect
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from mcpsniff import __version__, cli
from mcpsniff.relay import Keeping
from mcpsniff.wrap import shim
from mcpsniff.wrap.options import OPTIONS, Settings, parse

WORDS = ["-w", "--write", "-v", "--verbose", "-s", "--snaplen", "--no-redact", "--strict", "--", "-", "-h", "--help"]
WORDS += [
    "--redact",
    "--redact=/a",
    "/b",
    "-C",
    "--part-size",
    "-G",
    "-W",
    "--parts=2",
    "--sync",
    "--compress=gzip",
    "--compress",
    "7",
]
OTHERS = ["f", "64k", "0", "--write=a=b", "--snaplen=1M", "-wf", "-vs1k", "-s=1", "--verbose=1", "--x", "", "server"]


def mcpsniff(*arguments, **more):
    """Runs mcpsniff as a process of its own."""
    command = [sys.executable, "-m", "mcpsniff", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def by_typer(argv):
    """The settings that typer's parser hands to wrap, or None where it refuses."""
    with pytest.MonkeyPatch.context() as patch:
        taken = []
        patch.setattr(shim, "run", taken.append)
        done = CliRunner().invoke(cli.app, ["wrap", *argv])
    return taken[0] if done.exit_code == 0 and taken else None


def told(settings):
    """Settings as a dict."""
    return {name: getattr(settings, name) for name in (*Settings.__slots__, *Keeping.__slots__)}


@settings(max_examples=150)
@given(st.lists(st.sampled_from([*WORDS, *OTHERS]), max_size=6))
def test_both_parsers_of_wrap_agree(argv):
    """Whatever the strict parser accepts, typer understands in the same way."""
    fast = parse(argv)
    if fast is not None:
        slow = by_typer(argv)
        assert slow is not None
        assert told(slow) == told(fast)


def test_typer_knows_what_the_strict_parser_leaves_to_it():
    """A value stuck to its flag is typer's."""
    assert parse(["-wf", "server"]) is None
    assert told(by_typer(["-wf", "server"]))["write"] == "f"


def test_wrap_has_the_options_of_the_table():
    """Names and defaults of typer's signature are those of the table."""
    parameters = dict(inspect.signature(cli.wrap).parameters)
    del parameters["command"]
    assert {name: p.default for name, p in parameters.items()} == {o.name: o.default for o in OPTIONS}


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
def test_wrong_usage_is_2(argv):
    """No traceback, something on stderr, nothing on stdout."""
    done = mcpsniff(*argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_an_error_is_one_sentence():
    """What is wrong, and what may have been meant."""
    done = mcpsniff("explain", "stdout-nose")
    assert done.stderr == "mcpsniff: There is no rule stdout-nose. Did you mean stdout-noise, stdin-noise?\n"


def test_captures_come_on_standard_input(talk):
    """`-` reads stdin; the report names it."""
    talk.handshake()
    done = mcpsniff("report", "--format", "json", "-", input=talk.file().getvalue().decode())
    assert done.returncode == 0
    assert '"file": "standard input"' in done.stdout


@pytest.mark.parametrize("argv", [["--version"], ["--version", "report"]])
def test_version_is_told_by_both_ways_in(argv):
    """The dispatcher and typer say the same."""
    assert mcpsniff(*argv).stdout == f"mcpsniff {__version__}\n"


def test_a_wrong_value_is_named_in_plain_words():
    """The library that checks values puts two words of its own before the sentence."""
    said = mcpsniff("report", "--format", "xml", "x").stderr
    assert "Invalid value for '--format': 'xml' is not one of 'terminal', 'json'" in said


def test_an_empty_name_is_told_as_such():
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
def test_every_command_has_help(command):
    """--help prints on stdout and ends with 0."""
    done = mcpsniff(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"mcpsniff {command}" in done.stdout


def test_an_output_that_cannot_spell_it_gets_escapes(talk, tmp_path):
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


def test_the_settings_files_stand_in_the_help():
    """Nothing of the sentence is taken for markup."""
    assert "tool.mcpsniff" in mcpsniff("report", "--help").stdout


def test_a_dash_is_stdout(talk, tmp_path, monkeypatch):
    """As it is stdin among the captures; no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    talk.handshake()
    done = mcpsniff("report", "-o", "-", "-", input=talk.file().getvalue().decode())
    assert done.stdout.startswith("✓")
    assert list(tmp_path.iterdir()) == []
