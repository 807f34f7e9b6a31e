"""What rules find in the capture while it is written: `mcpsniff follow` beside mitmproxy, heard in mitmproxy's loop.

The rules need the whole session and libraries that a closed mitmproxy does not have, so they run in a process of their
own. Nothing waits for it, and where it cannot be started or ends nothing else changes.
"""

import asyncio
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from typing import NamedTuple

from mcpsniff.proxy.remarks import Finding
from mcpsniff.wire.visible import visible

log = logging.getLogger(__name__)

_PIECE = 1 << 16  # bytes that are read at once
_LONGEST = 500  # characters of a sentence


class Told(NamedTuple):
    """A finding that has come, or is none after all, and its exchange."""

    x: str
    finding: Finding
    withdrawn: bool


class Follower:
    """Hears in the running loop what a process writes to `source`; `hear` is given what is new of one capture."""

    def __init__(
        self, process: subprocess.Popen[bytes], source: int, capture: str, hear: Callable[[list[Told]], None]
    ) -> None:
        self._process = process
        self._source = source
        self._capture = capture
        self._hear = hear
        self._rest = b""  # of a line that is still to come
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(source, self._read)

    def end(self) -> None:
        """Ends the process, without its last words."""
        if self._loop.remove_reader(self._source):
            os.close(self._source)
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        piece = os.read(self._source, _PIECE)
        if not piece:
            self.end()
            log.warning("mcpsniff: `mcpsniff follow` has ended: what rules find from now on is not shown here")
            return
        *lines, self._rest = (self._rest + piece).split(b"\n")
        told = [one for line in lines for one in _told(line, self._capture)]
        if told:
            self._hear(told)


def follow(path: str, capture: str, hear: Callable[[list[Told]], None]) -> Follower | None:
    """Has the capture with this id followed, in the file at `path` and on; None where that cannot be."""
    command = _command()
    if command is None:
        return None
    words = (*command, "follow", "--json", "--findings", os.path.abspath(path))
    null = subprocess.DEVNULL
    source, sink = os.pipe()
    try:  # in a session of its own, as Ctrl-C is a question to mitmproxy's console
        process = subprocess.Popen(words, stdin=null, stdout=sink, stderr=null, start_new_session=True)
    except OSError as error:
        os.close(source)
        log.warning(f"mcpsniff: {command[0]} cannot be started: {error.strerror}; what rules find is not shown here")
        return None
    finally:
        os.close(sink)
    return Follower(process, source, capture, hear)


def _command() -> tuple[str, ...] | None:
    """How mcpsniff is called: where it is installed beside mitmproxy, else as the user calls it."""
    try:
        distribution("mcpsniff")
    except PackageNotFoundError:
        found = shutil.which("mcpsniff")
        return None if found is None else (found,)
    return (sys.executable, "-P", "-m", "mcpsniff")


def _told(line: bytes, capture: str) -> Iterator[Told]:
    """The finding in a line; none where it is another capture's, or a session's and no exchange's."""
    said = json.loads(line)
    if said["capture"] == capture and "x" in said:
        finding = Finding(said["seq"], said["rule"], said["severity"], _short(said["message"]))
        yield Told(said["x"], finding, said.get("withdrawn", False))


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
