"""The frame of sessions."""

import pandas as pd

from mcpsniff import frames


def test_a_row_a_session(after):
    """Its single figures; what stdio does not have is missing."""
    (row,) = frames.read(after).sessions.to_dict("records")
    assert (row["era"], row["revision"], row["client"], row["server_version"]) == (
        *("legacy", "2025-11-25", "fixture-client", "2"),
    )
    assert (row["messages"], row["tool_calls"], row["errors"], row["warnings"]) == (11, 3, 1, 0)
    assert pd.isna(row["head_bytes"])
