"""`mcpsniff demo`: sample client → `mcpsniff wrap` → sample server, in both eras and in a faulty build.

Leaves three captures in a folder, prints the report on them, and says where they lie. Touches nothing else.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpsniff.commands.output import to_a_reader
from mcpsniff.commands.samples import samples_folder
from mcpsniff.errors import McpsniffError

TIMEOUT = 60.0  # seconds for a conversation that takes half of one


@dataclass(frozen=True)
class Show:
    """One conversation of the demo: what the client plays, and how the server is built."""

    name: str
    client: tuple[str, ...]
    server: tuple[str, ...]


LEGACY = Show("legacy", ("tour", "--era", "legacy"), ("--era", "legacy"))
MODERN = Show("modern", ("tour", "--era", "modern", "--no-discover"), ("--era", "modern"))
FAULTY = Show(
    "faulty",
    ("confirm", "--era", "modern", "--faulty", "reused-retry-id"),
    ("--era", "modern", "--faulty", "noise", "--faulty", "server-request"),
)


def run(out_dir: str | None = None) -> int:
    """Plays the demo and returns its exit status; captures go to `out_dir`, by default to a new temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="mcpsniff-demo-") if out_dir is None else out_dir)
    captures = record((LEGACY, MODERN, FAULTY), folder)
    with to_a_reader():
        print("A sample client and a sample server, first in the legacy era, then in the modern one:\n")
        _report(captures[:2])
        print("\nThe same client and server with deliberate faults on both sides:\n")
        _report(captures[2:])
        print(f"\nThe captures lie in {folder}: {', '.join(capture.name for capture in captures)}")
    return 0


def record(shows: Sequence[Show], folder: Path) -> list[Path]:
    """Plays conversations side by side and returns their captures, which are new files in `folder`."""
    samples = samples_folder()
    captures = [folder / f"{show.name}.jsonl" for show in shows]
    for capture in captures:
        if capture.exists():
            raise McpsniffError(f"{capture} exists already; name an empty folder for the demo's captures.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise McpsniffError(f"{folder} cannot be made: {error.strerror}; name another folder.") from None
    players = [_start(show, samples, capture.resolve()) for show, capture in zip(shows, captures, strict=True)]
    for show, player in zip(shows, players, strict=True):
        _finish(show, player)
    return captures


def _start(show: Show, samples: Path, capture: Path) -> subprocess.Popen[str]:
    wrap = [sys.executable, "-m", "mcpsniff", "wrap", "-w", str(capture), "--"]
    server = [sys.executable, str(samples / "library_server.py"), *show.server]
    command = [sys.executable, str(samples / "library_client.py"), *show.client, "--stdio", "--", *wrap, *server]
    # `-m` looks into the working directory first, and the user's may hold anything.
    return subprocess.Popen(command, cwd=samples, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _finish(show: Show, player: subprocess.Popen[str]) -> None:
    try:
        said, _ = player.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired as late:
        player.kill()
        raise McpsniffError(f"The {show.name} conversation did not end within {TIMEOUT:g} seconds.") from late
    if player.returncode != 0:
        raise McpsniffError(f"The {show.name} conversation failed: {said.strip()}")


def _report(captures: Sequence[Path]) -> None:
    from mcpsniff.analysis.engine import analyze
    from mcpsniff.analysis.report import build
    from mcpsniff.render.terminal import render

    report = build([analyze(str(capture)) for capture in captures])
    render(report, sys.stdout)
