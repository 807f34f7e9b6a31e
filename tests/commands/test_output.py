"""The answer's way out."""

import subprocess
import sys


def test_a_reader_that_leaves_is_met_with_silence():
    """`mcpsniff rules | head -1`: no traceback, and the exit status that it would have had."""
    script = (
        "import os, sys; from mcpsniff.commands.output import write\n"
        "r, w = os.pipe(); os.dup2(w, 1); os.close(w); os.close(r)\n"
        "write(b'x' * 1_000_000, None); sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (7, b"")
