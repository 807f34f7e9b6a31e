"""How fast `mcpsniff report` is, in CPU time, against a loop that only decodes every line of the same file.

Loop and reports run in turn, each in a process of its own, so that one ratio compares neighbours in time. Ratios are
of medians: 1.0 is as fast as the loop. Peak memory is that of the report's process. `mcpsniff show` is held against the
report that people see, on the same file and on its beginning. Two captures are read side by side, and one after the
other: that alone is wall time, so it says something only where two processors have nothing else to do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import traffic

LOOP = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"

BARS = {"no-rules": 0.6, "all rules": 0.25}  # of the loop's speed
MEMORY_BAR = 96  # MB
SHOW_BAR = 1.0  # of the report's CPU time
SEVERAL_BAR = 1.7  # times as fast, two captures on two processors
SHORT = 20  # lines: what `show` is mostly asked for


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took."""

    cpu: float  # seconds, user and system
    peak: float  # MB, resident
    wall: float  # seconds


def commands(path: Path) -> dict[str, list[str]]:
    """Gives what runs in one round."""
    report = [sys.executable, "-m", "mcpsniff", "report", str(path), "--format", "json", "--output", os.devnull]
    return {
        "loop": [sys.executable, "-c", LOOP, str(path)],
        "no-rules": [*report, "--no-rules"],
        "all rules": [*report, "--pedantic"],
    }


def shown(path: Path) -> dict[str, list[str]]:
    """Gives what is compared of `show` in one round."""
    return {name: [sys.executable, "-m", "mcpsniff", name, str(path)] for name in ("report", "show")}


def run(command: list[str]) -> Run:
    """Runs a command to its end; raises where it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}")
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wall)


def measure(path: Path, rounds: int) -> dict[str, Any]:
    """Measures one capture; gives medians in seconds and MB, and the ratios of speeds."""
    rows = in_turn(commands(path), rounds)
    cpu = medians(rows)
    lines = sum(1 for _ in path.open("rb"))
    return {
        "lines": lines,
        "bytes": path.stat().st_size,
        "cpu_s": cpu,
        "us_per_line": {name: round(seconds / lines * 1e6, 2) for name, seconds in cpu.items()},
        "ratio": {name: round(cpu["loop"] / cpu[name], 3) for name in BARS},
        "peak_mb": {name: round(max(one.peak for one in runs), 1) for name, runs in rows.items()},
        "show_to_report": {"whole": to_report(path, rounds), "short": to_report(beginning(path), rounds)},
        "several": several(path, rounds),
    }


def in_turn(commands: dict[str, list[str]], rounds: int) -> dict[str, list[Run]]:
    """Runs commands one after the other, round after round."""
    rows: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            rows[name].append(run(command))
    return rows


def medians(rows: dict[str, list[Run]]) -> dict[str, float]:
    """Gives the median CPU time of each command."""
    return {name: statistics.median(one.cpu for one in runs) for name, runs in rows.items()}


def to_report(path: Path, rounds: int) -> float:
    """Gives how many times the CPU time of the report `show` takes."""
    cpu = medians(in_turn(shown(path), rounds))
    return round(cpu["show"] / cpu["report"], 3)


def several(path: Path, rounds: int) -> float:
    """Gives how many times as fast two captures are read side by side as one after the other."""
    other = path.with_suffix(".other")
    shutil.copyfile(path, other)
    report = [sys.executable, "-m", "mcpsniff", "report", "--format", "json", "--output", os.devnull]
    asked = {"one": [*report, str(path)], "other": [*report, str(other)], "both": [*report, str(path), str(other)]}
    rows = in_turn(asked, rounds)
    wall = {name: statistics.median(one.wall for one in runs) for name, runs in rows.items()}
    return round((wall["one"] + wall["other"]) / wall["both"], 3)


def beginning(path: Path) -> Path:
    """Gives a capture of the first lines of another, beside it."""
    short = path.with_suffix(".short")
    with path.open("rb") as file:
        short.write_bytes(b"".join(islice(file, SHORT)))
    return short


def show(era: str, row: dict[str, Any]) -> None:
    """Prints one row of the table for each bar."""
    for name, bar in BARS.items():
        ratio, peak = row["ratio"][name], row["peak_mb"][name]
        print(
            f"{era:7} {name:10} {row['us_per_line'][name]:8.2f} us a line, loop {row['us_per_line']['loop']:.2f};"
            f" ratio {ratio:.3f} (bar {bar}); peak {peak:.0f} MB (bar {MEMORY_BAR})"
        )
    print(f"{era:7} several    {row['several']:.3f} times as fast side by side (bar {SEVERAL_BAR})")
    for name, ratio in row["show_to_report"].items():
        print(f"{era:7} show, {name:5} {ratio:.3f} times the report (bar {SHOW_BAR})")


def main() -> None:
    """Makes the captures, measures them and prints the table; with --json writes the figures, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=100, help="size of each capture")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    out: dict[str, Any] = {"python": sys.version.split()[0], "mb": options.mb, "rounds": options.rounds, "eras": {}}
    with tempfile.TemporaryDirectory() as folder:
        for era in traffic.ERAS:
            path = Path(folder, f"{era}.jsonl")
            traffic.write(path, era, int(options.mb * 1e6))
            out["eras"][era] = measure(path, options.rounds)
            show(era, out["eras"][era])
    if options.json is not None:
        options.json.write_text(json.dumps(out, indent=2) + "\n")


if __name__ == "__main__":
    main()
