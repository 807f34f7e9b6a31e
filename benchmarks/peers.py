"""What is measured: `mcpsniff wrap`, and the yardsticks that run in turn with it.

The C programs are compiled when they are needed, into the folder of the run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"

DIRECT = "direct"
C_POLL = "C poll shim"  # one process, poll, a raw log: what the machine can do
THREADS = "Python threads"  # two threads, a raw log
LINES = "Python lines"  # the same with one checked JSON record a message
WRAP = "mcpsniff wrap"
ALL = (DIRECT, C_POLL, THREADS, LINES, WRAP)


@dataclass
class Bench:
    """The folder of a run and the programs in it."""

    folder: Path
    _compiled: dict[str, str] = field(default_factory=dict)

    def program(self, name: str) -> str:
        """The path of a compiled C program, such as "server" for programs/server.c."""
        if name not in self._compiled:
            compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
            if compiler is None:
                raise SystemExit("the benchmarks need a C compiler (cc) for their yardsticks")
            target = str(self.folder / name)
            subprocess.run([compiler, "-O2", "-pthread", "-o", target, str(PROGRAMS / f"{name}.c")], check=True)
            self._compiled[name] = target
        return self._compiled[name]

    def server(self) -> list[str]:
        """The command of a stdio server that answers in microseconds."""
        return [self.program("server")]

    def through(self, peer: str, server: list[str], capture: Path) -> list[str]:
        """The command that runs a server behind a peer, which captures to `capture`."""
        log = [str(capture), "--", *server]
        match peer:
            case "C poll shim":
                return [self.program("shim_poll"), *log]
            case "Python threads":
                return [sys.executable, "-S", "-E", str(PROGRAMS / "shim_threads.py"), *log]
            case "Python lines":
                return [sys.executable, str(PROGRAMS / "shim_lines.py"), *log]
            case "mcpsniff wrap":
                return [*mcpsniff(), "wrap", "-w", *log]
        return server


def mcpsniff() -> list[str]:
    """The command `mcpsniff` of this interpreter."""
    script = Path(sys.executable).with_name("mcpsniff")
    return [str(script)] if script.exists() else [sys.executable, "-m", "mcpsniff"]
