"""Makes the pictures of the documentation: `uv run docs/pictures.py`. Needs Debian's Chromium.

The samples' four scenarios and their costs on the page of `mcpsniff report`, and `mcpsniff show` in a terminal.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
PROGRAM = Path(sys.executable).with_name("mcpsniff")
COLUMNS = 100
CAPTURES = "samples/captures"


@dataclass(frozen=True)
class View:
    """One picture of the page: captures, the place in the page, what is clicked there, the size of the window."""

    name: str
    captures: tuple[str, ...]
    place: str
    click: str | None = None
    size: tuple[int, int] = (1280, 680)


VIEWS = (
    View("page", ("faulty/confirm-stdio",), "#s1/8"),
    View("modern", ("modern/confirm-stdio",), "#s1/5", size=(1280, 620)),
    View("mismatch", ("modern/version-mismatch-http",), "#s1/4", "text=As an exchange", size=(1280, 620)),
    View("legacy", ("legacy/confirm-http",), "#s1/14", size=(1280, 620)),
    View("dual", ("dual/fallback-32601-stdio",), "#s1/2", size=(1280, 620)),
    View(
        "cost", ("legacy/calls-stdio", "modern/calls-minimal-stdio", "modern/calls-stdio"), "#s1/cost", size=(1100, 800)
    ),
)
TERMINAL = ("show", f"{CAPTURES}/faulty/confirm-stdio.jsonl")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for view in VIEWS:
            take(browser, view, Path(folder) / "page.html")
        terminal(browser, TERMINAL, Path(folder) / "terminal.html")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Gives a browser that asks the network for nothing."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise SystemExit("Chromium is missing: apt-get install chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def take(browser: Browser, view: View, file: Path) -> None:
    """Makes one picture of the page."""
    captures = [f"{CAPTURES}/{name}.jsonl" for name in view.captures]
    subprocess.run([PROGRAM, "report", "-o", file, *captures], cwd=ROOT, check=True)
    width, height = view.size
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{file.as_uri()}{view.place}")
    if view.click is not None:
        page.locator(view.click).click()
    page.screenshot(path=PICTURES / f"{view.name}.png")
    page.close()


def terminal(browser: Browser, words: tuple[str, ...], file: Path) -> None:
    """Makes a picture of a command in a terminal."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ mcpsniff {' '.join(words)}", style="bold"))
    console.print(Text.from_ansi(shown(words)))
    look = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)  # theirs come from the network
    drawn = console.export_svg(title="mcpsniff", theme=MONOKAI, code_format=look)
    file.write_text(f'<meta charset="utf-8"><body style="margin: 0">{drawn}')
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.goto(file.as_uri())
    page.locator("svg").first.screenshot(path=PICTURES / "terminal.png")
    page.close()


def shown(words: tuple[str, ...]) -> str:
    """Gives what a command writes to a terminal, colours and all."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    command = subprocess.Popen([PROGRAM, *words], cwd=ROOT, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = bytearray()
    try:
        while chunk := os.read(ours, 1 << 16):
            said += chunk
    except OSError:  # on Linux a terminal whose other end is closed gives an error, and no end
        pass
    command.wait()
    return said.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    main()
