"""The strict little parser takes what it understands wholly, and leaves the rest to typer."""

import pytest

from mcpsniff.wrap.options import OPTIONS, Settings, parse, size


def told(settings):
    """Settings as a dict."""
    return {name: getattr(settings, name) for name in Settings.__slots__}


DEFAULTS = {"write": None, "verbose": False, "snaplen": 64 << 20, "no_redact": False, "strict": False}

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
    (["-s", "1", "-s", "2", "s"], {"snaplen": 2}, ["s"]),
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
    ],
)
def test_what_is_left_to_typer(argv):
    """Help, unknown options, missing or wrong values and a missing command are not for this parser."""
    assert parse(argv) is None


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("4096", 4096), ("64k", 65536), ("64K", 65536), ("2M", 2097152), ("1g", 1 << 30)]
)
def test_sizes(text, number):
    """A size is digits with at most one unit behind them."""
    assert size(text) == number


@pytest.mark.parametrize("text", ["", "k", "-1", "1.5M", "1MB", "٣", "1 k", "0x10"])
def test_what_is_no_size(text):
    """Anything else is refused in one sentence that names it."""
    with pytest.raises(ValueError, match="is no size: digits, then k, M or G"):
        size(text)


def test_every_option_is_a_setting():
    """The table and Settings name the same things, with the same defaults."""
    settings = Settings(["s"])
    assert {option.name for option in OPTIONS} | {"command"} == set(Settings.__slots__)
    for option in OPTIONS:
        default = size(option.default) if option.name == "snaplen" else option.default
        assert getattr(settings, option.name) == default
        assert (option.metavar is None) == (default is False)
