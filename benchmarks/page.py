"""How quick the page is with 10,000 messages: made, opened, stepped through, filtered, in Debian's Chromium.

Making it is compared with the JSON report on the same capture, run in turn. In the browser the times are medians over
the rounds, each in a window of its own; how many rows and elements the document holds is counted, too.
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
from pathlib import Path
from typing import Any

import traffic
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
WATCH = """() => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const took = (work) => { const from = performance.now(); work(); return performance.now() - from; };
  const steps = took(() => { for (let step = 0; step < 50; step++) press("j"); }) / 50;
  const end = took(() => press("G"));
  const field = document.getElementById("filter");
  const filter = took(() => { field.value = "method:tools/* latency>0us"; field.dispatchEvent(new Event("input")); });
  const count = (what) => document.querySelectorAll(what).length;
  const ready = performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
  return { open_ms: ready, step_ms: steps, end_ms: end, filter_ms: filter, rows: count(".row"), elements: count("*") };
}"""


def made(capture: Path, output: Path, format_: str) -> float:
    """Writes the report in a format; gives the seconds of CPU that it took."""
    command = [sys.executable, "-m", "mcpsniff", "report", str(capture), "--format", format_, "-o", str(output)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def looked_at(browser: Browser, file: Path) -> dict[str, float]:
    """Opens the page in a new window and gives its figures."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{file.as_uri()}#s1")
    page.wait_for_selector("html[data-ready]", state="attached")
    figures: dict[str, float] = page.evaluate(WATCH)
    page.close()
    return figures


def capture(path: Path, messages: int) -> None:
    """Writes a modern capture of so many messages."""
    size = 1_000_000
    traffic.write(path, "modern", size)
    with path.open("rb") as lines:
        size = size * messages // sum(1 for _ in lines)
    traffic.write(path, "modern", size)


def main() -> None:
    """Makes the capture, measures and prints; with --json writes the figures, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for the figures")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is missing: apt-get install chromium.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path, page = Path(folder, "many.jsonl"), Path(folder, "page.html")
        capture(path, options.messages)
        cpu = [(made(path, Path(os.devnull), "json"), made(path, page, "html")) for _ in range(options.rounds)]
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        rounds = [looked_at(browser, page) for _ in range(options.rounds)]
        browser.close()
        out: dict[str, Any] = {
            "made_cpu_s": {"json": statistics.median(a for a, _ in cpu), "html": statistics.median(b for _, b in cpu)},
            "page_bytes": page.stat().st_size,
            **{name: round(statistics.median(one[name] for one in rounds), 1) for name in rounds[0]},
        }
    print(json.dumps(out, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(out, indent=2) + "\n")


if __name__ == "__main__":
    main()
