"""CSV, read by the standard library's reader and by pandas."""

import csv
from io import BytesIO, StringIO

import pandas
import pytest

from mcpsniff.render.csv import render


def test_the_reader_finds_the_columns_and_a_row_each(findings):
    """The documented columns; numbers stay numbers."""
    first, *others = csv.DictReader(StringIO(render(findings).decode(), newline=""))
    assert list(first) == ["capture", "session", "t", "seq", "rule", "severity", "violator", "message"]
    assert [first[key] for key in ("session", "t", "seq", "rule")] == ["s1", "0.4", "4", "stdout-noise"]
    assert [row["severity"] for row in (first, *others)] == ["error", "warning", "info"]


def test_pandas_agrees(findings):
    """Another reader sees the same table, with its types."""
    table = pandas.read_csv(BytesIO(render(findings)))
    assert table.shape == (3, 8)
    assert (table["seq"].tolist(), table["t"].tolist()) == ([4, 4, 4], [0.4, 0.4, 0.4])


@pytest.mark.parametrize("column", ["capture", "message"])
def test_no_cell_is_a_formula(findings, column):
    """A file name with a dash and a message with "=" in front get an apostrophe, as no spreadsheet calculates that."""
    for row in csv.DictReader(StringIO(render(findings).decode(), newline="")):
        assert row[column].startswith(("'-logs", "'=1+1"))


def test_nothing_found_is_the_head_alone(nothing):
    """A table without rows is still a table."""
    assert render(nothing).decode().splitlines() == ["capture,session,t,seq,rule,severity,violator,message"]
