"""The commands that make a capture: both parsers of wrap agree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from mcpsniff import cli
from mcpsniff.relay import Keeping
from mcpsniff.wrap import shim
from mcpsniff.wrap.options import Settings, parse

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
