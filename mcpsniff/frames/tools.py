"""The frame of tools: one row for each tool that a session's server has listed, as it was listed last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
import pandas as pd

from mcpsniff.analysis.row import Row

from .columns import COUNT, TEXT, frame
from .messages import said

COLUMNS = {
    "file": TEXT,
    "session": TEXT,
    "name": TEXT,
    "bytes": COUNT,  # of the definition, without white space
    "definition": TEXT,  # JSON text with sorted members, so that equal definitions have equal texts
    "seq": COUNT,  # the record of the list
}


def tools(read: Iterable[tuple[str, Iterable[Row]]]) -> pd.DataFrame:
    """Gives the tools of captures, each with the name of its file."""
    return frame(COLUMNS, (cells for file, rows in read for cells in _listed(file, rows)))


def _listed(file: str, rows: Iterable[Row]) -> Iterator[tuple[Any, ...]]:
    last: dict[tuple[str, str], tuple[Any, ...]] = {}
    for row in said(rows):
        for definition in _definitions(row):
            session, name = row.field("session"), definition["name"]
            text = orjson.dumps(definition, option=orjson.OPT_SORT_KEYS)
            last[session, name] = (file, session, name, len(text), text.decode(), row.seq)
    yield from last.values()


def _definitions(row: Row) -> Iterator[dict[str, Any]]:
    if row.kind != "result" or row.method != "tools/list" or row.message is None:
        return
    listed = row.message.result.get("tools")
    for definition in listed if isinstance(listed, list) else ():
        if isinstance(definition, dict) and isinstance(definition.get("name"), str):
            yield definition
