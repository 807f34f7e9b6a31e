"""What shaped the findings of a report, in sentences for whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator

from mcpsniff.analysis.report import Report


def shaped_by(report: Report) -> Iterator[str]:
    """Gives a sentence for each file that had a say in the findings: settings that were used, and the baseline."""
    for file in dict.fromkeys(capture["config"] for capture in report.captures):
        if file is not None:
            yield f"Rules as chosen in {file}"
    if report.baseline is not None:
        known = report.baseline["known_findings"]
        yield f"{known} known finding{'' if known == 1 else 's'} left out, as {report.baseline['file']} says"
