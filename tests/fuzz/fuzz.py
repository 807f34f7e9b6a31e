"""Fuzzes one target with atheris until it breaks, or for as long as libFuzzer's options say.

    uv pip install atheris
    python tests/fuzz/fuzz.py report -max_total_time=600

Begins with the corpus of targets.py. Where a target breaks, libFuzzer writes the input to a file `crash-…`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["mcpsniff"]):
    import targets


def main() -> None:
    """Runs the target that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] not in targets.TARGETS:
        raise SystemExit(f"Say which target: {', '.join(targets.TARGETS)}.")
    name, options = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(targets.corpus(name)):
            Path(folder, str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], folder, *options], targets.TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
