"""Stores with a named cap: a capture may be endless, the analyzer's memory may not.

When a store is full its oldest entry goes, and the drop is counted under the store's name, so that the report can
say what could no longer be known.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Drops(Counter[str]):
    """How many entries each store forgot, with the limits of the stores that did."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: dict[str, int] = {}  # entries

    def forget(self, store: str, limit: int) -> None:
        """Counts one entry that a store had no room for."""
        self[store] += 1
        self.limits[store] = limit

    def take(self, other: Drops) -> None:
        """Adds what other stores forgot."""
        self.update(other)
        self.limits.update(other.limits)


class BoundedDict(Generic[K, V]):
    """A dict of at most `cap` entries that forgets the oldest first."""

    __slots__ = ("_drops", "_items", "cap", "get", "name")

    def __init__(self, name: str, cap: int, drops: Drops) -> None:
        self.name = name
        self.cap = cap  # entries
        self._drops = drops
        self._items: OrderedDict[K, V] = OrderedDict()  # a plain dict is slow to find its oldest among deleted ones
        self.get = self._items.get

    def __setitem__(self, key: K, value: V) -> None:
        self._items[key] = value
        if len(self._items) > self.cap:
            self._items.popitem(last=False)
            self._drops.forget(self.name, self.cap)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def pop(self, key: K) -> V | None:
        return self._items.pop(key, None)

    def setdefault(self, key: K, value: V) -> V:
        if key not in self._items:
            self[key] = value
        return self._items[key]

    def values(self) -> list[V]:
        return list(self._items.values())

    @property
    def dropped(self) -> int:
        """How many entries were forgotten in stores of this name: after one, absence proves nothing."""
        return self._drops[self.name]
