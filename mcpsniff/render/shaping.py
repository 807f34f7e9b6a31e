"""What shaped the findings of a report, in sentences for whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator

from mcpsniff.analysis.report import Report
from mcpsniff.render.words import count


def shaped_by(report: Report) -> Iterator[str]:
    """Gives a sentence for all that had a say in the findings: settings that were used, the baseline, the filter."""
    for file in dict.fromkeys(capture["config"] for capture in report.captures):
        if file is not None:
            yield f"Rules as chosen in {file}"
    if report.baseline is not None:
        known = report.baseline["known_findings"]
        yield f"{count(known, 'known finding')} left out, as {report.baseline['file']} says"
    if report.filter is not None:
        yield f"{count(report.filter['left_out'], 'finding')} left out by the filter {report.filter['expression']}"
