"""Colours of lines, and how wide text is; everything captured is made visible before it comes here."""

from __future__ import annotations

from collections.abc import Mapping

QUIET = "2"  # SGR parameters
SEVERITY = {"error": "1;31", "warning": "1;33", "info": "36"}
KIND: Mapping[str, str] = {
    "request": "36",
    "notification": "35",
    "result": "32",
    "error": "31",
    "batch": "34",
    "malformed": "1;31",
    "noise": "33",
    "stderr": "33",
    "gap": "1;31",
    "lost": "1;31",
    "session": "1",
    "era": "1",
}


def painted(text: str, style: str, colour: bool) -> str:
    """Gives text in a style, where there are colours."""
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style and text else text


def fitted(text: str, width: int) -> str:
    """Gives text that takes exactly `width` columns of a terminal: filled up, or cut with an ellipsis."""
    if text.isascii():
        return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"
    from rich.cells import cell_len, set_cell_size

    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def columns(text: str) -> int:
    """Gives how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
