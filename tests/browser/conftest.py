"""Debian's Chromium, driven by Playwright, on pages that `mcpsniff report` wrote.

Where there is no Chromium these tests are skipped with one reason. A browser lives for one module: Playwright's event
loop would otherwise be in the way of other tests' own.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from mcpsniff.commands.report import Wishes, run

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples" / "captures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PATIENCE = 60_000  # milliseconds: for a machine that does much else


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leaves the tests of this folder out where there is nothing to look with."""
    if CHROMIUM is None:
        item.add_marker(pytest.mark.skip("no Chromium here: the page was not looked at (Debian's package is chromium)"))


# Steps through all rows in all four views, by the page's own keys and buttons; gives how many steps it took
# and how many views it saw.
VISIT = """() => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const seen = { rows: 0, views: 0 };
  for (press("g"); ; seen.rows++) {
    for (const view of [0, 1, 2, 3]) {
      const button = document.querySelectorAll(".choices button")[view];
      if (button) { button.click(); seen.views++; }
    }
    const list = document.getElementById("list");
    const before = list.getAttribute("aria-activedescendant");
    press("j");
    if (list.getAttribute("aria-activedescendant") === before) return seen;
  }
}"""


class Shown:
    """A page in the browser, and what it did that a page must not do."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.file = file
        self.said: list[str] = []  # on the console, in alerts, as errors
        self.asked: list[str] = []  # of the network
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.asked.append(request.url))
        page.route("**/*", lambda route: route.continue_() if self._own(route.request.url) else route.abort())

    def _dialog(self, dialog: Any) -> None:
        self.said.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _own(self, url: str) -> bool:
        return url.partition("#")[0] == self.file.as_uri()

    def go(self, fragment: str = "") -> Page:
        """Opens the page at a place in it, and waits until it has drawn itself."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.file.as_uri()}{fragment}")
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page

    def visit(self) -> dict[str, int]:
        """Steps through all rows in all views; gives how many it saw."""
        seen: dict[str, int] = self.page.evaluate(VISIT)
        return seen

    @property
    def foreign(self) -> list[str]:
        """What was asked for besides the page itself."""
        return [url for url in self.asked if not self._own(url) and url != "about:blank"]


@pytest.fixture
def samples() -> Path:
    """The folder of the samples' captures."""
    return SAMPLES


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium with a fresh profile."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    """Writes the page on captures (files, or names among the samples) and gives it in a window of its own."""
    opened = []

    def show(*captures: Path | str, filter: str = "", **window: Any) -> Shown:
        file = tmp_path / f"page {len(opened)}.html"
        paths = [str(SAMPLES / f"{one}.jsonl" if isinstance(one, str) else one) for one in captures]
        assert run(paths, Wishes(output=str(file), filter=filter)) == 0
        context = browser.new_context(offline=True, **{"viewport": {"width": 1280, "height": 800}, **window})
        opened.append(context)
        return Shown(context.new_page(), file)

    yield show
    for context in opened:
        context.close()
