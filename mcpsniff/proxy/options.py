"""The options of the mitmproxy addon: one table, and what is wrong with the values that a user gave.

All are strings, as mitmproxy would drop a script in silence whose `true` or whose number is misspelt.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mitmproxy.addonmanager import Loader

from mcpsniff.capture.packing import zstd_module
from mcpsniff.relay import Keeping
from mcpsniff.wire.pointer import tokens

_MAYBE = str | None  # a union is taken all the same
_TABLE = (
    (
        "mcp_capture",
        _MAYBE,
        (
            "File to capture MCP traffic to: strftime codes and %p (process id) are filled in, a file that exists is "
            "not touched. Default: a new file in mcpsniff's state folder."
        ),
    ),
    ("mcp_redact", str, "true or false: hide tokens, cookies and keys before they are written."),
    (
        "mcp_redact_pointers",
        Sequence[str],
        "JSON Pointers to what is to be hidden inside MCP messages too, such as /params/arguments/pin.",
    ),
    ("mcp_snaplen", str, "Keep at most that many bytes of a body (k, M, G; 0: no limit)."),
    ("mcp_part_size", _MAYBE, "Go on in a new file before one grows beyond that many bytes (k, M, G)."),
    ("mcp_part_seconds", _MAYBE, "Go on in a new file after so many seconds."),
    ("mcp_parts", _MAYBE, "Keep so many of these files, the newest."),
    ("mcp_sync", str, "true or false: have each record on the disk before the next is written."),
    ("mcp_compress", _MAYBE, "Pack finished files: gzip or zstd."),
)


class Options(NamedTuple):
    """The values as they are spelled."""

    mcp_capture: str | None = None
    mcp_redact: str = "true"
    mcp_redact_pointers: tuple[str, ...] = ()
    mcp_snaplen: str = "64M"
    mcp_part_size: str | None = None
    mcp_part_seconds: str | None = None
    mcp_parts: str | None = None
    mcp_sync: str = "false"
    mcp_compress: str | None = None

    @property
    def keeping(self) -> Keeping:
        """What is kept, and in which files; raises ValueError."""
        return Keeping(
            snaplen=self.mcp_snaplen,
            part_size=self.mcp_part_size,
            part_seconds=self.mcp_part_seconds,
            parts=self.mcp_parts,
            sync=self.mcp_sync == "true",
            compress=self.mcp_compress,
        )

    def wrong(self) -> Iterator[str]:
        """A sentence on each value that cannot be."""
        if self.mcp_capture == "":
            yield "the name of the capture file is empty: give one, or leave the option away."
        for name in ("mcp_redact", "mcp_sync"):
            if (value := getattr(self, name)) not in ("true", "false"):
                yield f"{name} is {value!r}: it must be true or false."
        for pointer in self.mcp_redact_pointers:
            try:
                tokens(pointer)
            except ValueError as error:
                yield f"mcp_redact_pointers: {error}."
        try:
            keeping = self.keeping
            if keeping.compress == "zstd":
                zstd_module()
        except ValueError as error:
            yield f"mcp_snaplen, mcp_part*, mcp_compress: {error}."
        except ImportError:
            yield "mcp_compress is zstd: install backports.zstd beside mitmproxy, or say gzip."


def declare(loader: Loader) -> None:
    """Makes the options known to mitmproxy."""
    for name, type_, text in _TABLE:
        loader.add_option(name, type_, Options._field_defaults[name], text)  # type: ignore[arg-type]


def read(options: Any) -> Options:
    """The values in mitmproxy's options."""
    values = {name: getattr(options, name) for name in Options._fields}
    return Options(**values | {"mcp_redact_pointers": tuple(options.mcp_redact_pointers)})
