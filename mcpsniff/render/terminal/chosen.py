"""What shaped the findings besides the traffic: the settings files that were used, and the baseline."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from mcpsniff.analysis.report import Report

from .paint import QUIET, count, line


def chosen(report: Report) -> Iterator[Text]:
    """Gives a line for each file that had a say."""
    for file in dict.fromkeys(capture["config"] for capture in report.captures):
        if file is not None:
            yield line((f"Rules as chosen in {file}", QUIET))
    if report.baseline is not None:
        hidden = count(report.baseline["known_findings"], "known finding")
        yield line((f"{hidden} left out, as {report.baseline['file']} says", QUIET))
