"""`mcpsniff open FILE…`: the report's page in a private file, and a browser on it."""

from __future__ import annotations

import os
import re
import sys
import webbrowser
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from mcpsniff.analysis.report import join
from mcpsniff.errors import McpsniffError
from mcpsniff.render.html import render

from .output import write
from .pages import Pages
from .report import UNREADABLE, Inputs, Wishes, chosen

NAME = 60  # characters of the first capture's name that the page's name keeps


def run(names: Sequence[str]) -> int:
    """Shows captures (paths, globs, or "-") in a browser, prints where the page lies, and gives the exit status."""
    wishes, pages = Wishes(), Pages()
    inputs = Inputs(chosen(names, wishes.choice), pages.read)
    report = join(inputs.parts(), wishes.tiers)
    if report.captures:
        path = _private(_name([capture["file"] for capture in report.captures]))
        write(render(report, pages.rows), str(path))
        write(f"{path}\n".encode(errors="surrogateescape"), None)
        if not webbrowser.open(path.as_uri()):
            print("mcpsniff: No browser could be started; open that file in one.", file=sys.stderr)
    return UNREADABLE if inputs.refused else 0


def _name(files: Sequence[str]) -> str:
    """Gives the name of the page: the same for the same captures, so that it is replaced when they are opened again."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(files[0]).name).strip("-.")[:NAME] or "capture"
    paths = "\n".join(os.path.abspath(file) for file in files)
    return f"{stem}-{sha256(paths.encode(errors='surrogateescape')).hexdigest()[:8]}.html"


def _private(name: str) -> Path:
    """Gives the path of an empty file in the cache folder that its owner alone can read."""
    from platformdirs import user_cache_dir

    path = Path(user_cache_dir("mcpsniff", appauthor=False)) / "pages" / name
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise McpsniffError(
            f"{path} cannot be written: {error.strerror}; mcpsniff report -o FILE.html takes any place."
        ) from None
    return path
