"""Which rules take part in the report on a capture: the command line, then the settings file above the capture.

The file is `mcpsniff.toml`, or a pyproject.toml with `[tool.mcpsniff]`, the nearest upward from the capture's folder.
What the command line says of `select` or `ignore` replaces the file's; its severities are added to the file's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from mcpsniff.errors import McpsniffError
from mcpsniff.rules.selection import Selection

PLACES = (("mcpsniff.toml", ()), ("pyproject.toml", ("tool", "mcpsniff")))  # file, and where in it
KEYS = ("select", "ignore", "severity")
STDIN = "-"

Severities = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What one file says; the empty one where there is none."""

    path: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severities = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line says of rules."""

    tiers: tuple[int, ...]
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severities = ()

    def selection(self, capture: str) -> Selection:
        """Gives the rules for a capture; raises McpsniffError where its settings file, or this, names no rule."""
        if not self.tiers:
            return Selection(())
        folder = Path.cwd() if capture == STDIN else Path(capture).absolute().parent
        file = nearest(folder)
        try:
            Selection(self.tiers, file.select, file.ignore, file.severity)
        except McpsniffError as error:
            raise McpsniffError(f"{file.path}: {error}") from None
        severity = (*file.severity, *self.severity)
        return Selection(self.tiers, self.select or file.select, self.ignore or file.ignore, severity, file.path)


def patterns(values: Sequence[str]) -> tuple[str, ...]:
    """Gives the patterns of an option that may be repeated, and may hold several between commas."""
    return tuple(part for value in values for one in value.split(",") if (part := one.strip()))


def severities(values: Sequence[str]) -> Severities:
    """Gives the pairs of `ID=LEVEL`; raises McpsniffError where there is no "="."""
    pairs = tuple(pattern.partition("=") for pattern in patterns(values))
    for id_, equals, _ in pairs:
        if not equals:
            raise McpsniffError(f"--severity {id_} names no level: say {id_}=error, =warning or =info.")
    return tuple((id_, level) for id_, _, level in pairs)


@cache
def nearest(folder: Path) -> Settings:
    """Gives the settings that count in a folder; raises McpsniffError where they cannot be understood."""
    for place in (folder, *folder.parents):
        for name, within in PLACES:
            table = _table(place / name, within)
            if table is not None:
                return _settings(str(place / name), table)
    return Settings()


def _table(path: Path, within: Sequence[str]) -> Any:
    """Gives the table that is ours in a file; None where there is none."""
    try:
        table: Any = tomllib.loads(path.read_bytes().decode())
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise McpsniffError(f"{path} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise McpsniffError(f"{path} is not TOML: {error}.") from None
    for key in within:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _settings(path: str, table: Any) -> Settings:
    if not isinstance(table, dict):
        raise McpsniffError(f"{path}: mcpsniff is no table there.")
    for key in table:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1) or [", ".join(KEYS)]
            raise McpsniffError(f"{path}: there is no setting {key}: did you mean {near[0]}?")
    severity = table.get("severity", {})
    if not isinstance(severity, dict) or not all(isinstance(level, str) for level in severity.values()):
        raise McpsniffError(f'{path}: severity is a table such as {{ unknown-method = "info" }}.')
    return Settings(path, _names(path, table, "select"), _names(path, table, "ignore"), tuple(severity.items()))


def _names(path: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    names = table.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise McpsniffError(f'{path}: {key} is a list such as ["tools", "stdout-noise"].')
    return tuple(names)
