"""The garbage collector while a capture is read: it need not look again at the program, which is no garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def spared(fresh: int | None = None) -> Iterator[None]:
    """Has the collector leave alone what is there already, and look at new objects `fresh` at a time, until the end."""
    thresholds = gc.get_threshold()
    gc.freeze()
    if fresh is not None:
        gc.set_threshold(fresh)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
