"""Server programs that say where they listen; ours keep a diary."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO

import pytest

from tests.waiting import DEADLINE, until

from .exchanges import Exchange, noted


class Process:
    """A server program that says where it listens, on stdout or on stderr; the other one goes to a file."""

    def __init__(
        self, command: list[str], log: Path, speaks: str = "stdout", env: dict[str, str] | None = None
    ) -> None:
        self._log = log
        self._lines: SimpleQueue[str | None] = SimpleQueue()  # that were not asked for yet; None: the end
        with log.open("w") as rest:
            streams = {"stdout": rest, "stderr": rest, speaks: subprocess.PIPE}
            self._process = subprocess.Popen(command, env=os.environ | (env or {}), **streams)
        self._listening = Thread(target=self._listen, args=(getattr(self._process, speaks),), daemon=True)
        self._listening.start()

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._lines.put(line.decode())
        self._lines.put(None)

    def says(self, pattern: str) -> str:
        """What the first line that matches holds, as the pattern's group."""
        passed = []
        while (line := self._lines.get(timeout=DEADLINE)) is not None:
            if found := re.search(pattern, line):
                return found[1]
            passed.append(line)
        return pytest.fail(f"the program has ended: {passed}, {self._log.read_text()}")

    def peak(self) -> int:
        """The most memory that the program and its children have held so far, in bytes."""
        pid = self._process.pid
        family = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        lines = [Path(f"/proc/{one}/status").read_text().split("VmHWM:")[1] for one in family]
        return sum(int(line.split()[0]) << 10 for line in lines)

    def end(self) -> list[str]:
        """Asks the program to end, waits for it, and gives the lines that nobody has asked for."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(DEADLINE)
        self._listening.join(DEADLINE)
        return list(iter(self._lines.get_nowait, None)) if not self._lines.empty() else []


class Served:
    """The apps of a server module, each with a diary."""

    def __init__(self, python: Path, program: Path, module: str, folder: Path) -> None:
        self._folder = folder
        self.process = Process([str(python), str(program), module, str(folder)], folder / "stderr")
        self.urls: dict[str, str] = json.loads(self.process.says("(.*)"))

    def diary(self, app: str) -> list[Exchange]:
        """The exchanges that are over."""
        lines = (self._folder / f"{app}.jsonl").read_text().splitlines()
        return [noted(json.loads(line)) for line in lines]

    def since(self, app: str, earlier: int, count: int) -> list[Exchange]:
        """The exchanges after the first `earlier` ones, once there are `count` of them."""
        until(lambda: len(self.diary(app)) - earlier >= count)
        return self.diary(app)[earlier:]
