"""`mcpsniff import FILE…`: what other programs have saved → one capture, and in a few words what became of it.

All exchanges are held in memory, as files have them in the order in which they ended. Nothing is written where a file
is not understood.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from mcpsniff import __version__
from mcpsniff.capture.http import HttpRecorder
from mcpsniff.capture.importers.order import place
from mcpsniff.capture.importers.past import Archive
from mcpsniff.capture.importers.replay import replay
from mcpsniff.capture.paths import default_path, expand
from mcpsniff.capture.writer import CaptureWriter
from mcpsniff.errors import McpsniffError
from mcpsniff.wire.redact import Redactor
from mcpsniff.wire.visible import visible

from .output import to_a_reader

STDOUT = "-"
UNREADABLE = 3  # exit status: some of a file could not be read, the rest is imported
CUT = "input-cut"  # why there is a gap: the rest of a file could not be read
_DIGITS = b"0123456789"  # a flow file begins with the length of its first flow
_OURS = b'{"type":"capture"'
_BOM = b"\xef\xbb\xbf"


def run(files: Sequence[str], write: str | None, redact: bool = True, pointers: Sequence[str] = ()) -> int:
    """Imports files into a new capture (`write` is a pattern of its path, or "-") and gives the exit status."""
    try:
        redactor = Redactor(os.urandom(16), redact, pointers)
    except ValueError as error:
        raise McpsniffError(f"--redact {error}.") from None
    archives = [_read(path) for path in dict.fromkeys(map(os.path.normpath, files))]
    if write == STDOUT:
        _to_stdout(archives, redactor)
    else:
        now, pid = time.localtime(), os.getpid()
        path = default_path(Path(files[0]).stem, now, pid) if write is None else expand(write, now, pid)
        _conclude(archives, *_record(archives, redactor, path))
    return UNREADABLE if any(archive.damage for archive in archives) else 0


def _read(path: str) -> Archive:
    """What a file holds, by how it begins."""
    try:
        with open(path, "rb") as file:
            start = file.read(64).removeprefix(_BOM).lstrip()
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    if start.startswith(_OURS):
        raise McpsniffError(f"{path} is a capture already: mcpsniff report reads it.")
    if start[:1] == b"{":
        from mcpsniff.capture.importers import har

        return har.read(path)
    if start[:1] and start[:1] in _DIGITS:
        from mcpsniff.proxy import saved

        return saved.read(path)
    what = "neither a flow file of mitmproxy nor a HAR" if start else "empty"
    raise McpsniffError(f"{path} is {what}: import reads what `mitmdump -w` and a browser's network panel save.")


def _to_stdout(archives: Sequence[Archive], redactor: Redactor) -> None:
    """Makes the capture where nobody else can read it, then passes it on."""
    with tempfile.TemporaryDirectory() as folder:
        path, kept = _record(archives, redactor, os.path.join(folder, "capture.jsonl"))
        with to_a_reader(), open(path, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
    _conclude(archives, None, kept)


def _record(archives: Sequence[Archive], redactor: Redactor, path: str) -> tuple[str, int]:
    """Writes the capture; gives its path, and how many exchanges are in it."""
    times = [past.asked for archive in archives for past in archive.exchanges]
    started = min(times, default=time.time())
    try:
        writer = CaptureWriter(path, _header(archives, redactor, started))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise McpsniffError(f"{path} cannot be written: {reason}.") from None
    if any(archive.damage for archive in archives):
        writer.lose(0.0, 0, 0, CUT)  # what was lost may have begun at any time
    place([past for archive in archives for past in archive.exchanges])
    kept = replay([archive.exchanges for archive in archives], HttpRecorder(writer, redactor), started)
    last = max((past.ended for archive in archives for past in archive.exchanges), default=started)
    writer.end(last - started)
    if writer.failed is not None:
        raise McpsniffError(f"{writer.path} could not be written to its end: {writer.failed}.")
    return writer.path, kept


def _header(archives: Sequence[Archive], redactor: Redactor, started: float) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": os.urandom(10).hex(),
        "started": datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "tool": f"mcpsniff {__version__}",
        "transport": "http",
        "imported_from": [archive.origin() for archive in archives],
    }
    if any(archive.host_rewritten for archive in archives):
        fields["proxy"] = {"engine": "mitmproxy", "host_rewritten": True}
    if redactor.names:
        fields["redacted"] = redactor.names
    return fields


def _conclude(archives: Sequence[Archive], path: str | None, kept: int) -> None:
    """Says on stderr what was imported, and what was not."""
    seen = sum(len(archive.exchanges) for archive in archives)
    sockets = sum(archive.websockets for archive in archives)
    foreign = sum(archive.foreign for archive in archives)
    parts = [f"{kept} of {seen} HTTP exchanges are of MCP"]
    parts += [f"{sockets} WebSocket connections left out"] * bool(sockets)
    parts += [f"{foreign} connections that are no HTTP left out"] * bool(foreign)
    for archive in archives:
        if archive.damage is not None:
            print(f"mcpsniff: {visible(archive.file)} {archive.damage}.", file=sys.stderr)
    print(f"mcpsniff: {visible(path or 'the capture')}: {'; '.join(parts)}.", file=sys.stderr)
