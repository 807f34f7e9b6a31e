"""Tables to frames: columns have a name and a type, whatever the rows hold, even where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

TEXT, COUNT, NUMBER, FLAG, LIST = "string", "Int64", "Float64", "boolean", "object"  # each with a missing value

Columns = Mapping[str, str]  # name → type


def frame(columns: Columns, rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Gives a frame of rows that have a value, or None, for each column."""
    lists = list(zip(*rows, strict=True)) or [()] * len(columns)
    typed = zip(columns.items(), lists, strict=True)
    return pd.DataFrame({name: pd.Series(list(values), dtype=dtype) for (name, dtype), values in typed})
