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
    """Follows the capture with this id in the file at `path`, in the running loop; `hear` is given what is new."""

    def __init__(self, path: str, capture: str, hear: Callable[[list[Told]], None]) -> None:
        self._capture = capture
        self._hear = hear
        self._rest = b""  # of a line that is still to come
        self._loop = asyncio.get_running_loop()
        self._process = _start(path)
        if self._process is not None and self._process.stdout is not None:
            self._source = self._process.stdout.fileno()
            self._loop.add_reader(self._source, self._read)

    def end(self) -> None:
        """Ends the process, without its last words."""
        process, self._process = self._process, None
        if process is None or process.stdout is None:
            return
        self._loop.remove_reader(self._source)
        process.stdout.close()
        process.kill()
        process.wait()

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


def _start(path: str) -> subprocess.Popen[bytes] | None:
    """Starts it out of the terminal's reach, as Ctrl-C is a question there; None where there is none to be started."""
    command = _command()
    if command is None:
        return None
    words = (*command, "follow", "--json", "--findings", os.path.abspath(path))
    null, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        return subprocess.Popen(words, stdin=null, stdout=pipe, stderr=null, bufsize=0, start_new_session=True)
    except OSError as error:
        log.warning(f"mcpsniff: {command[0]} cannot be started: {error.strerror}; what rules find is not shown here")
        return None


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
