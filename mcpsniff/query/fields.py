"""The fields of a row, and what it means to compare one: globs, orders, units."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

Lookup = Callable[[str], Any]  # the value of a field, several in a list or tuple, or None; `text` is what is searched
Predicate = Callable[[Lookup], bool]
Test = Callable[[Any], bool]  # of one value

SEVERITIES = ("info", "warning", "error")
WORDS = {  # the fields that hold one of few words
    "from": ("client", "server"),
    "violator": ("client", "server", "either", "unknown"),
    "era": ("legacy", "modern", "mixed", "unknown"),
    "severity": SEVERITIES,
    "kind": (
        *("request", "notification", "result", "error", "batch", "malformed", "noise", "body", "stderr"),
        *("http-request", "http-response", "http-close", "sse"),
        *("eof", "signal", "exit", "gap", "lost", "session", "era"),
    ),
}
_UNITS = {  # what a field is counted in: the units of a number, and what they come to
    "size": {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30},
    "latency": {"us": 1, "ms": 1_000, "s": 1_000_000},
    "t": {"us": 1, "ms": 1_000, "s": 1_000_000},
    "status": {"": 1},
    "seq": {"": 1},
}
_EXAMPLES = {"size": "512, 10k or 1.5M", "latency": "250ms or 2s", "t": "250ms or 2s", "status": "404", "seq": "12"}
FIELDS = ("method", "name", "id", "session", "x", *WORDS, "rule", *_UNITS)

_NUMBER = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([A-Za-z]*)")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def no_field(name: str) -> str:
    """Gives the sentence on a field that is none."""
    near = get_close_matches(name, FIELDS, n=1)
    if not name:
        return "a field is missing before this operator"
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FIELDS)}; quote text that holds an operator"
    return f"no field is called {name}: {hint}"


def has_order(field: str) -> bool:
    """Whether < and > mean something for a field."""
    return field in _UNITS or field == "severity"


def searched(word: str) -> Predicate:
    """Gives the search for a word in the text of a row."""
    sought = word.lower()
    return lambda lookup: sought in lookup("text").lower()


def compared(field: str, op: str, value: str) -> Predicate:
    """Gives the comparison of a field with a value; ValueError says what is wrong with the value."""
    test = _test(field, op, value)
    decide: Callable[[Iterable[bool]], bool] = all if op == "!=" else any

    def holds(lookup: Lookup) -> bool:
        found = lookup(field)
        values = found if isinstance(found, (list, tuple)) else () if found is None else (found,)
        return len(values) > 0 and decide(map(test, values))

    return holds


def _test(field: str, op: str, value: str) -> Test:
    compare = _COMPARE[op]
    if field in _UNITS:
        wanted, scale = _number(field, value), 1_000_000 if field in ("latency", "t") else 1
        return lambda found: compare(math.floor(found * scale + 0.5), wanted)
    fits = _glob(value) if op == ":" else None
    words = WORDS.get(field)
    if words is not None and not any(word == value if fits is None else fits(word) for word in words):
        raise ValueError(f"{field} is one of {', '.join(words)}")
    if fits is not None:
        return fits
    if field == "severity":
        rank = SEVERITIES.index(value)
        return lambda found: compare(SEVERITIES.index(found), rank)
    return lambda found: compare(found, value)


def _number(field: str, value: str) -> int:
    """Gives bytes, microseconds or a plain number."""
    units = _UNITS[field]
    found = _NUMBER.fullmatch(value)
    if found is None or found[2].lower() not in units:
        raise ValueError(f"{field} is compared with a number such as {_EXAMPLES[field]}")
    return math.floor(float(found[1]) * units[found[2].lower()] + 0.5)


def _glob(pattern: str) -> Test:
    parts = {"*": ".*", "?": "."}
    fits = re.compile("".join(parts.get(c) or re.escape(c) for c in pattern.lower()), re.DOTALL).fullmatch
    return lambda found: fits(str(found).lower()) is not None
