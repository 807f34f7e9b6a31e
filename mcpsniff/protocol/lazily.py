"""Attributes that are worked out when first read, and then kept on the instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Lazily:
    """What a function gives of an instance; the instance's own value, once it has one, is read without a call."""

    __slots__ = ("_name", "_work_out")

    def __init__(self, work_out: Callable[[Any], Any]) -> None:
        self._work_out = work_out

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value


def give(owner: type, table: dict[str, Callable[[Any], Any]]) -> None:
    """Gives a class an attribute for each row of a table: its name, and the function that works it out."""
    for name, work_out in table.items():
        attribute = Lazily(work_out)
        attribute.__set_name__(owner, name)
        setattr(owner, name, attribute)
