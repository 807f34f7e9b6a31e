"""Measures mcpsniff against its yardsticks, and says whether the bars are met.

    python benchmarks/run.py [NAME...] [--quick] [--scale X] [--rounds N] [--json FILE] [--readme]

Without names all of the default ones run, which takes some minutes on a quiet machine. Only ratios within one run mean
anything. `--quick` only shows that each starts. `--readme` writes the tables to benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[0] = str(HERE.parent)  # benchmarks.http must not stand in for the library's http

from benchmarks import measure, tables  # noqa: E402
from benchmarks.peers import Bench  # noqa: E402

NAMES = ("startup", "latency", "throughput", "memory", "order", "ends", "http")
LONG = ("soak", "starts")  # only by name
QUICK = 0.01  # of the full size


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what is asked for, prints tables and bars; 1 where a bar is missed, but for --quick."""
    options = _parser().parse_args(arguments)
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="mcpsniff-bench-") as folder:
        bench = Bench(Path(folder))
        for name in options.names or NAMES:
            results[name] = _run(name, bench, options)
            print(tables.section(name, results[name]), flush=True)
    figures = {**_machine(), "quick": options.quick, "benchmarks": results}
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    if options.readme:
        tables.write(HERE / "README.md", figures)
    missed = [bar for one in results.values() for bar in one["bars"] if not bar["met"]]
    return 1 if missed and not options.quick else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; or {', '.join(LONG)}")
    parser.add_argument("--quick", action="store_true", help="one tiny round of each")
    parser.add_argument("--scale", type=float, default=1.0, help="of the full size: 30 soaks for an hour")
    parser.add_argument("--rounds", type=int, help="instead of each benchmark's own number")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--readme", action="store_true", help="write the tables to benchmarks/README.md")
    return parser


def _run(name: str, bench: Bench, options: argparse.Namespace) -> dict[str, Any]:
    if name not in NAMES + LONG:
        raise SystemExit(f"there is no benchmark {name!r}: choose of {', '.join(NAMES + LONG)}")
    benchmark: measure.Benchmark = importlib.import_module(f"benchmarks.{name}").BENCHMARK
    rounds = 1 if options.quick else options.rounds or benchmark.rounds
    began = time.monotonic()
    result = measure.run(benchmark, bench, QUICK if options.quick else options.scale, rounds)
    return {**result, **tables.describe(benchmark), "seconds": round(time.monotonic() - began, 1)}


def _machine() -> dict[str, Any]:
    from mcpsniff import __version__

    return {
        "date": time.strftime("%Y-%m-%d"),
        "mcpsniff": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)),
    }


if __name__ == "__main__":
    sys.exit(main())
