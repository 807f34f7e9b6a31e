"""The answer's way out."""

import subprocess
import sys

from mcpsniff.commands.output import write


def test_a_reader_that_leaves_is_met_with_silence():
    """`mcpsniff rules | head -1`: no traceback, and the exit status that it would have had."""
    script = (
        "import os, sys; from mcpsniff.commands.output import write\n"
        "r, w = os.pipe(); os.dup2(w, 1); os.close(w); os.close(r)\n"
        "write(b'x' * 1_000_000, None); sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (7, b"")


def test_a_full_disk_is_said_in_one_sentence():
    """`mcpsniff rules > file` on a full disk: wrong use's exit status, never that of findings."""
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "mcpsniff", "rules"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    said = b"mcpsniff: Standard output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_file_is_as_private_as_the_captures_that_it_quotes(tmp_path):
    """A new one; one that somebody has shown to others stays so."""
    new, old = tmp_path / "new.html", tmp_path / "old.html"
    old.touch(0o644)
    for path in (new, old):
        write(b"said", str(path))
    assert [path.read_bytes() for path in (new, old)] == [b"said"] * 2
    assert [path.stat().st_mode & 0o777 for path in (new, old)] == [0o600, 0o644]
