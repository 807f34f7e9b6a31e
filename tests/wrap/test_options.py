"""The strict little parser takes what it understands wholly, and leaves the rest to typer."""

import pytest

from mcpsniff.relay import Keeping, size
from mcpsniff.wrap.options import OPTIONS, Settings, parse

NAMES = {*Settings.__slots__, *Keeping.__slots__}


def told(settings):
    """Settings as a dict."""
    return {name: getattr(settings, name) for name in NAMES}


DEFAULTS = {
    "write": None,
    "verbose": False,
    "redact": (),
    "no_redact": False,
    "strict": False,
    "snaplen": 64 << 20,
    "part_size": None,
    "part_seconds": None,
    "parts": None,
    "sync": False,
    "compress": None,
}

UNDERSTOOD = [
    (["server"], {}, ["server"]),
    (["--", "server"], {}, ["server"]),
    (["server", "-h", "--", "-w"], {}, ["server", "-h", "--", "-w"]),
    (["--", "--strict"], {}, ["--strict"]),
    (["-w", "f", "-v", "s"], {"write": "f", "verbose": True}, ["s"]),
    (["--write", "f", "--verbose", "--", "s"], {"write": "f", "verbose": True}, ["s"]),
    (["--write=a=b", "s"], {"write": "a=b"}, ["s"]),
    (["-s", "1k", "s"], {"snaplen": 1024}, ["s"]),
    (["--snaplen", "0", "s"], {"snaplen": None}, ["s"]),
    (["--no-redact", "--strict", "s"], {"no_redact": True, "strict": True}, ["s"]),
    (["-C", "1M", "-G", "60", "-W", "3", "s"], {"part_size": 1 << 20, "part_seconds": 60, "parts": 3}, ["s"]),
    (["--sync", "--compress", "zstd", "s"], {"sync": True, "compress": "zstd"}, ["s"]),
    (["-s", "1", "-s", "2", "s"], {"snaplen": 2}, ["s"]),
    (["--redact", "/a/b", "--redact=/c", "s"], {"redact": ("/a/b", "/c")}, ["s"]),
    (["-", "x"], {}, ["-", "x"]),
]


@pytest.mark.parametrize(("argv", "values", "command"), UNDERSTOOD)
def test_what_is_understood(argv, values, command):
    """Options stand before the command, with and without `--`; everything behind it is the command's."""
    assert told(parse(argv)) == DEFAULTS | values | {"command": command}


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--"],
        ["-h"],
        ["--help", "server"],
        ["-x", "server"],
        ["--redact", "pin", "server"],
        ["--redact", "/a~b", "server"],
        ["--writ", "f", "server"],
        ["-w"],
        ["-w", "f"],
        ["-w", "", "server"],
        ["-w", "--", "server"],
        ["-w=f", "server"],
        ["-wf", "server"],
        ["--write=", "server"],
        ["-v=1", "server"],
        ["--verbose=yes", "server"],
        ["-s", "many", "server"],
        ["-s", "-1", "server"],
        ["-C", "many", "server"],
        ["-G", "0", "server"],
        ["-W", "3", "server"],
        ["--compress", "brotli", "server"],
    ],
)
def test_what_is_left_to_typer(argv):
    """Help, unknown options, missing or wrong values and a missing command are not for this parser."""
    assert parse(argv) is None


def test_every_option_is_a_setting():
    """The table and Settings name the same things, with the same defaults."""
    settings = Settings(["s"])
    assert {option.name for option in OPTIONS} | {"command"} == NAMES
    for option in OPTIONS:
        default = size(option.default) if option.name == "snaplen" else () if option.many else option.default
        assert getattr(settings, option.name) == default
        assert (option.metavar is None) == (default is False)
