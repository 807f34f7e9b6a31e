"""What `mcpsniff wrap` loads before traffic flows: exactly this, so start-up cannot grow unnoticed."""

import subprocess
import sys

AT_IMPORT = {
    "mcpsniff",
    "mcpsniff.__main__",
    "mcpsniff.relay",
    "mcpsniff.relay.channel",
    "mcpsniff.relay.fork",
    "mcpsniff.relay.reports",
    "mcpsniff.relay.room",
    "mcpsniff.wrap",
    "mcpsniff.wrap.feed",
    "mcpsniff.wrap.options",
    "mcpsniff.wrap.pump",
    "mcpsniff.wrap.server",
    "mcpsniff.wrap.shim",
}
IN_A_RUN = {"mcpsniff", *AT_IMPORT - {"mcpsniff.__main__"}, "mmap"}  # __main__ runs as the script


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has after `statement` and had not before."""
    script = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def imported_by(*arguments: str) -> set[str]:
    """The modules that a fresh interpreter says it imports, the recorder (which has no stderr) left out."""
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines[1:]}


def test_importing_dispatcher_and_shim_loads_only_these_modules():
    """Dispatcher and shim bring their own modules and nothing of the standard library."""
    assert loaded_by("import mcpsniff.__main__, mcpsniff.wrap.shim") == AT_IMPORT


def test_a_run_of_wrap_imports_only_these_modules(tmp_path):
    """From start to exit the shim's process imports its own modules and a few C modules that cost nothing."""
    capture = str(tmp_path / "capture.jsonl")
    bare = imported_by("-c", "import runpy")
    run = imported_by("-m", "mcpsniff", "wrap", "-w", capture, "true")
    assert run - bare == IN_A_RUN


def test_version_loads_no_typer():
    """`mcpsniff --version` answers without anything but the package itself."""
    bare = imported_by("-c", "import runpy")
    assert imported_by("-m", "mcpsniff", "--version") - bare == {"mcpsniff"}
