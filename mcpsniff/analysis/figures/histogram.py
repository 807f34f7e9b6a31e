"""Durations in buckets of equal ratio: memory of fixed size, quantiles within 2.2 %, the extremes exact."""

from __future__ import annotations

from collections import Counter
from math import ceil, log2

FINEST = 1e-6  # seconds: what is shorter shares one bucket
LONGEST = 1e6  # seconds: what is longer counts as this long
STEPS = 16  # buckets for each doubling, so 640 in all

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}


class Histogram:
    """A distribution of durations, in seconds."""

    __slots__ = ("_buckets", "_least", "_most", "count")

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self._least, self._most = LONGEST, 0.0
        self.count = 0

    def add(self, seconds: float | None, bucket: int | None = None) -> None:
        """Counts one duration, if it is known; a negative one (a clock set back) as zero.

        `bucket`: that of the duration, where it is known.
        """
        if seconds is None:
            return
        seconds = 0.0 if seconds < 0 else LONGEST if seconds > LONGEST else seconds
        self._buckets[bucket_of(seconds) if bucket is None else bucket] += 1
        if seconds < self._least:
            self._least = seconds
        if seconds > self._most:
            self._most = seconds
        self.count += 1

    def quantile(self, share: float) -> float | None:
        """Gives the duration that `share` of all do not exceed; None where there are none."""
        rank, passed = ceil(share * self.count), 0
        for bucket in sorted(self._buckets):
            passed += self._buckets[bucket]
            if passed >= rank:
                return min(max(_middle(bucket), self._least), self._most)
        return None

    def in_ms(self) -> dict[str, float | None]:
        """Gives quantiles and maximum in milliseconds."""
        values = {name: self.quantile(share) for name, share in QUANTILES.items()}
        values["max"] = self._most if self.count else None
        return {name: None if value is None else round(value * 1000, 3) for name, value in values.items()}


Lasted = tuple[float | None, int]  # seconds, if known, and their bucket


def bucket_of(seconds: float) -> int:
    """Gives the bucket of a duration."""
    if seconds < FINEST:
        return 0
    return 1 + int(log2(min(seconds, LONGEST) / FINEST) * STEPS)


def _middle(bucket: int) -> float:
    """Gives the geometric middle of a bucket, in seconds."""
    return FINEST * 2.0 ** ((bucket - 0.5) / STEPS) if bucket else 0.0
