"""What the tests of the command line share."""

import subprocess
import sys

import pytest


@pytest.fixture
def mcpsniff():
    """Runs mcpsniff as a process of its own."""

    def run(*arguments, **more):
        command = [sys.executable, "-m", "mcpsniff", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, **more)

    return run
