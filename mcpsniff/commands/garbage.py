"""The garbage collector in a process of ours that reads captures."""

from __future__ import annotations

import gc

ROWS = 100_000  # objects: rows live for a while, and go without the collector, which would look through them in vain


def spare(fresh: int | None = None) -> None:
    """Has the collector leave alone what is there already, which is no garbage.

    It looks at new objects, `fresh` at a time. For good, so for a process of ours alone: in a library what its caller
    holds would never be collected.
    """
    gc.freeze()
    if fresh is not None:
        gc.set_threshold(fresh)
