"""The addon's options as mitmproxy knows them, and a sentence on each that is wrong."""

import asyncio
import sys

import pytest
from mitmproxy.test import taddons

from mcpsniff.proxy.options import Options, declare, read
from mcpsniff.relay import Keeping


class Declaring:
    """An addon that has these options and nothing else."""

    def load(self, loader):
        """Declares them."""
        declare(loader)


def test_they_are_declared_with_their_defaults():
    """What mitmproxy gives back is what the table says."""

    async def main():  # without a loop mitmproxy would make one, and leave it open
        with taddons.context(Declaring()) as context:
            assert read(context.options) == Options()
            context.options.update(mcp_part_size="10M", mcp_redact_pointers=["/a"], mcp_sync="true")
            assert read(context.options) == Options(mcp_part_size="10M", mcp_redact_pointers=("/a",), mcp_sync="true")

    asyncio.run(main())


def test_nothing_is_wrong_with_the_defaults():
    """They keep what `wrap` and `proxy` keep."""
    assert list(Options().wrong()) == []
    keeping = Options().keeping
    assert all(getattr(keeping, name) == getattr(Keeping(), name) for name in Keeping.__slots__)


def test_what_is_kept():
    """Each word of a rotation gets where it belongs."""
    keeping = Options(
        mcp_snaplen="1k",
        mcp_part_size="2k",
        mcp_part_seconds="3",
        mcp_parts="4",
        mcp_sync="true",
        mcp_compress="gzip",
    ).keeping
    kept = (keeping.snaplen, keeping.part_size, keeping.part_seconds, keeping.parts, keeping.sync, keeping.compress)
    assert kept == (1024, 2048, 3, 4, True, "gzip")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(mcp_capture=""), "the name of the capture file is empty"),
        (Options(mcp_redact="yes"), "mcp_redact is 'yes': it must be true or false."),
        (Options(mcp_sync="1"), "mcp_sync is '1': it must be true or false."),
        (Options(mcp_redact_pointers=("pin",)), "mcp_redact_pointers: 'pin' is no JSON Pointer"),
        (Options(mcp_part_seconds="soon"), "part seconds 'soon' is no number"),
        (Options(mcp_parts="3"), "give a size or seconds"),
        (Options(mcp_compress="brotli"), "'brotli' packs nothing"),
    ],
)
def test_what_is_wrong(options, said):
    """One sentence that names the option."""
    (sentence,) = options.wrong()
    assert said in sentence


def test_a_packer_that_is_not_there(monkeypatch):
    """mitmproxy's own environment may lack it; gzip is always there."""
    package, _, module = ("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd").partition(".")
    monkeypatch.setitem(sys.modules, f"{package}.{module}", None)
    monkeypatch.delattr(f"{package}.{module}", raising=False)
    assert list(Options(mcp_compress="zstd").wrong()) == [
        "mcp_compress is zstd: install backports.zstd beside mitmproxy, or say gzip."
    ]
    assert list(Options(mcp_compress="gzip").wrong()) == []
