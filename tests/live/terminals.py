"""A terminal in which mcpsniff runs, as its user sees it."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from tests.waiting import DEADLINE

LOOK = 0.1  # seconds


class Terminal:
    """A terminal of tmux's, 110 columns wide, in which one command runs."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ("tmux", "-f", "/dev/null", "-S", str(folder / "tmux"))
        self.folder = folder

    def _run(self, *arguments: str) -> str:
        command = [*self._tmux, *arguments]
        # os.environ, as readline sets COLUMNS and LINES in the process's environment alone
        done = subprocess.run(
            command, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=DEADLINE
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments: str) -> None:
        """Starts mcpsniff; its exit status is shown when it has ended."""
        self.python("-m", "mcpsniff", *arguments)

    def python(self, *arguments: str) -> None:
        """Starts Python; its exit status is shown when it has ended."""
        command = shlex.join((sys.executable, *arguments))
        self._run("new-session", "-d", "-x", "110", "-y", "36", f"{command}; echo status $?; exec sleep 1000")

    def keys(self, *keys: str) -> None:
        """Presses keys, by tmux's names."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Types text as it is."""
        self._run("send-keys", "-l", text)

    def text(self) -> str:
        """What is seen."""
        return self._run("capture-pane", "-p")

    def wait(self, *wanted: str, without: str = "\0") -> str:
        """Waits until all that is wanted is seen, and something is not; gives what is seen then."""
        until = time.monotonic() + DEADLINE
        while True:
            seen = self.text()
            if all(one in seen for one in wanted) and without not in seen:
                return seen
            assert time.monotonic() < until, f"{wanted} without {without!r} was not seen in:\n{seen}"
            time.sleep(LOOK)

    def end(self) -> None:
        """Ends the terminal and what runs in it."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False, timeout=DEADLINE)
