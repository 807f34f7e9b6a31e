"""The findings of a report one by one, each with its session and its capture, and what shaped them besides these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcpsniff.analysis.report import Data, Report


class Row(NamedTuple):
    """One finding and where it belongs."""

    capture: Data
    session: Data
    finding: Data

    @property
    def file(self) -> str:
        """The file that holds the culprit's record, whose line the finding names."""
        seq = self.finding["seq"][0]
        held = (part["file"] for part in reversed(self.capture["parts"]) if part["seq"] <= seq)
        return str(next(held, self.capture["file"]))


def shaped_by(report: Report) -> Iterator[str]:
    """Gives a sentence for each file that had a say in the findings: settings that were used, and the baseline."""
    for file in dict.fromkeys(capture["config"] for capture in report.captures):
        if file is not None:
            yield f"Rules as chosen in {file}"
    if report.baseline is not None:
        known = report.baseline["known_findings"]
        yield f"{known} known finding{'' if known == 1 else 's'} left out, as {report.baseline['file']} says"


def rows(report: Report) -> Iterator[Row]:
    """Gives every finding, by session, in the order of the report."""
    captures = {capture["id"]: capture for capture in report.captures}
    for session in report.sessions:
        for finding in session["findings"]:
            yield Row(captures[session["capture"]], session, finding)
