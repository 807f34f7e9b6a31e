"""Numbers in words for people, and the marks of severities, wherever they are shown."""

from __future__ import annotations

MARK = {"error": "✗", "warning": "▲", "info": "•"}
NOTHING = "–"  # what is not known


def count(number: int, noun: str) -> str:
    """Gives a number with its noun, in the plural where it is not one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def amount(value: float | None) -> str:
    """Gives a number for people: no needless decimals, thousands apart, a dash where it is not known."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def duration(ms: float | None) -> str:
    """Gives milliseconds for people."""
    if ms is None:
        return NOTHING
    if ms >= 1000:
        return f"{ms / 1000:,.2f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
