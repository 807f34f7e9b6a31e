"""Captures as pandas frames, for the questions that no report answers.

    >>> from mcpsniff import frames
    >>> found = frames.read("before.jsonl", "after.jsonl.zst")
    >>> found.calls.groupby(["file", "name"]).latency.quantile([0.5, 0.9, 0.99]).unstack()

`sessions`, `messages`, `calls`, `findings` and `tools` are frames with one row each; `file` and `session` join them.
Their columns stand in the module of the same name. Sizes are bytes, times and latencies seconds unless the name says
`_ms`; what is not known is missing (NA), never 0. Needs all rows in memory: some 3 KB a message while reading.
"""

from .findings import findings
from .reading import Frames, read
from .sessions import sessions

__all__ = ["Frames", "findings", "read", "sessions"]
