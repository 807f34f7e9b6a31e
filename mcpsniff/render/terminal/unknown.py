"""What the report cannot know: gaps, damaged lines, full stores, rules that could not judge or that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from mcpsniff.analysis.report import Report
from mcpsniff.render.words import amount, count

from .paint import QUIET, facts, heading, line

SHOWN = 12  # unchecked rules


def unknown(report: Report) -> Iterator[RenderableType]:
    """Gives the last part, where something is missing."""
    rows = [*_losses(report), *_crashes(report), *_unchecked(report)]
    if rows:
        yield heading("Not known")
        yield facts(rows)


def _losses(report: Report) -> Iterator[tuple[str, Text]]:
    files = {capture["id"]: capture["file"] for capture in report.captures}
    for capture in report.captures:
        if not capture["complete"]:
            latest = capture["parts"][-1] if capture["parts"] else capture
            yield "capture", line(f"{latest['file']} breaks off: no end record")
    for loss in report.losses["damaged_lines"]:
        text = f"{files[loss['capture']]} has {count(loss['count'], 'damaged line')}"
        yield "capture", line(text, (f": {_listed(loss['lines'], loss['count'])}", QUIET))
    for loss in report.losses["gaps"]:
        some = f"at least {amount(loss['records'])} records are missing"
        lost = some if loss["records"] else "it is not known of what"
        yield "capture", line(f"{files[loss['capture']]} has {count(loss['count'], 'gap')}; {lost}")
    for loss in report.losses["untimed"]:
        text = f"{files[loss['capture']]} does not say when the events of {count(loss['streams'], 'stream')} came:"
        yield "capture", line(f"{text} their latency, and their order with other exchanges, are not known")
    for loss in report.losses["missing_parts"]:
        text = f"{files[loss['capture']]} lacks {count(loss['count'], 'part')} of the capture"
        yield "capture", line(text, (f": {_listed(loss['parts'], loss['count'])}", QUIET))
    for cap in report.caps:
        yield "full", line(f"{cap['store']}: {cap['dropped']:,} dropped beyond {cap['limit']:,}")


def _listed(numbers: Sequence[int], total: int) -> str:
    return ", ".join(map(str, numbers)) + (", …" if total > len(numbers) else "")


def _crashes(report: Report) -> Iterator[tuple[str, Text]]:
    for crash in report.losses["crashed_rules"]:
        yield crash["rule"], line("failed, which is a fault of mcpsniff: ", (crash["error"], QUIET))


def _unchecked(report: Report) -> Iterator[tuple[str, Text]]:
    reasons: dict[tuple[str, str], int] = {}
    for session in report.sessions:
        for one in session["unchecked"]:
            key = (one["rule"], one["why"])
            reasons[key] = reasons.get(key, 0) + one["count"]
    for (rule, why), times in list(reasons.items())[:SHOWN]:
        yield rule, line("not judged: ", (f"{why} ({count(times, 'time')})", QUIET))
    if len(reasons) > SHOWN:
        yield "", line((f"and {len(reasons) - SHOWN} more; --format json has them all", QUIET))
