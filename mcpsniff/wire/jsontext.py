"""Is this one JSON value? The verdict of RFC 8259's grammar, exactly, on bytes as they came from the wire.

Neither msgspec nor the standard library's parser is that grammar: what the fast one accepts is JSON if it is UTF-8,
what it refuses is looked at again, and nesting too deep for both is walked with a table and a stack of our own.
Knows nothing of JSON-RPC but where `id` and `method` stand. Works with the standard library alone.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NoReturn

_fast: Callable[[bytes], object] | None
_fast_value: Callable[[bytes], object]
try:
    import msgspec

    _fast = msgspec.json.Decoder(msgspec.Raw).decode
    _fast_value = msgspec.json.decode
except ImportError:  # a closed mitmproxy brings no msgspec
    _fast = None
    _fast_value = json.loads

BLANKS = b" \t\n\r"


def is_json(data: bytes) -> bool:
    """Whether `data` is one JSON value in valid UTF-8, blanks around it allowed."""
    if not is_utf8(data):
        return False
    if _fast is not None:
        try:
            _fast(data)
            return True
        except (ValueError, RecursionError):
            if len(data) > _SLICE:  # the standard parser builds what it reads: up to twenty times the text's memory
                return _is_json_at_any_depth(data)
    return is_json_exactly(data)


def is_utf8(data: bytes, *, whole: bool = True) -> bool:
    """Whether `data` is valid UTF-8; if it is not `whole`, a cut may have broken its last character."""
    if data.isascii():
        return True
    start, last = 0, False
    try:
        while not last:
            piece = data[start : start + _SLICE]
            last = start + len(piece) == len(data)
            start += codecs.utf_8_decode(piece, "strict", whole and last)[1]
    except UnicodeDecodeError:
        return False
    return True


def is_json_exactly(data: bytes) -> bool:
    """The verdict without the fast parser, for valid UTF-8."""
    try:
        _stdlib.decode(data.decode())
    except ValueError:
        return False
    except RecursionError:
        return _is_json_at_any_depth(data)
    return True


def value(data: bytes) -> object:
    """The value of a JSON text as Python's own parser takes it; raises ValueError and RecursionError as that does."""
    try:
        return _fast_value(data)
    except (ValueError, RecursionError):
        return json.loads(data)  # takes NaN, 1e999 and half a pair of surrogates, too


def spaces_for_newlines(data: bytes) -> tuple[bytes, int]:
    """JSON text with a space for each raw line feed, and how many there were (none can stand inside a string)."""
    count = data.count(b"\n")
    return (data.replace(b"\n", b" "), count) if count else (data, 0)


def head(data: bytes) -> dict[str, bytes]:
    """The JSON texts of the members `id` and `method` that stand whole in the kept start of a JSON object.

    Of a start that has more than a million tokens the rest is not looked at.
    """
    found: dict[str, bytes] = {}
    name = ""
    walk = _Walk(data)
    for depth, kind, start, end in islice(walk, _TOKENS):
        if depth != 1 or kind not in (_STRING, _SCALAR):
            continue
        if walk.state != _VALUE:
            name = _stdlib.decode(data[start:end].decode(errors="replace"))
        elif name in ("id", "method") and end < len(data):
            found[name] = data[start:end]
    return found


def may_start_json(data: bytes) -> bool:
    """Whether `data` can be the start of a JSON text: UTF-8 throughout, and JSON in its first 4096 bytes."""
    if not is_utf8(data, whole=False):
        return False
    data = data[:_JUDGED]
    walk = _Walk(data)
    for _ in walk:
        pass
    unclosed = _UNCLOSED.match(data, walk.pos)
    stopped = unclosed.end() if unclosed else walk.pos
    return len(data) - stopped < _TOKEN_REST


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


# Numbers stay text: 1e999 and 40 digits are JSON. Duplicate names cost nothing here.
_stdlib = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)

_SLICE = 1 << 20  # bytes that are decoded at once
_JUDGED = 4096  # bytes
_TOKENS = 1_000_000  # half a second's work
_TOKEN_REST = 8  # bytes: the longest rest of a token that the cut may have broken, such as `fals` or `\u12`

_TOKEN = re.compile(
    rb"""[ \t\n\r]*+(?:
    (\[)|(\{)|(\])|(\})|(:)|(,)
    |("(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")
    |(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)
    )""",
    re.VERBOSE,
)
_UNCLOSED = re.compile(rb'[ \t\n\r]*+(?:"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+)?')

# What a token is: the number of its group above.
_OPEN_ARRAY, _OPEN_OBJECT, _CLOSE_ARRAY, _CLOSE_OBJECT, _COLON, _COMMA, _STRING, _SCALAR = range(1, 9)

# What the grammar waits for.
_VALUE, _FIRST_ITEM, _FIRST_NAME, _NAME, _AFTER_NAME, _AFTER_ITEM, _AFTER_MEMBER, _DONE = range(8)

_STAND, _CLOSE = 8, 9  # a value stands: go on as what encloses it says; the same, and what encloses it is closed

_A_VALUE = {_OPEN_ARRAY: _FIRST_ITEM, _OPEN_OBJECT: _FIRST_NAME, _STRING: _STAND, _SCALAR: _STAND}
_NEXT: dict[int, dict[int, int]] = {
    _VALUE: _A_VALUE,
    _FIRST_ITEM: _A_VALUE | {_CLOSE_ARRAY: _CLOSE},
    _FIRST_NAME: {_STRING: _AFTER_NAME, _CLOSE_OBJECT: _CLOSE},
    _NAME: {_STRING: _AFTER_NAME},
    _AFTER_NAME: {_COLON: _VALUE},
    _AFTER_ITEM: {_COMMA: _VALUE, _CLOSE_ARRAY: _CLOSE},
    _AFTER_MEMBER: {_COMMA: _NAME, _CLOSE_OBJECT: _CLOSE},
    _DONE: {},
}
_ENCLOSED_BY = {_FIRST_ITEM: _AFTER_ITEM, _FIRST_NAME: _AFTER_MEMBER}


class _Walk:
    """The tokens of a text, each as (depth, kind, start, end), as far as the grammar goes along.

    While a token is looked at `state` says what was waited for.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.pos = 0  # end of the last good token
        self.state = _VALUE

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        stack = bytearray([_DONE])  # what to wait for when the innermost value is complete; a byte a level
        while token := _TOKEN.match(self.data, self.pos):
            kind = token.lastindex or 0
            step = _NEXT[self.state].get(kind)
            if step is None:
                return
            yield len(stack) - 1, kind, token.start(kind), token.end()
            if step in _ENCLOSED_BY:
                stack.append(_ENCLOSED_BY[step])
            elif step == _CLOSE:
                stack.pop()
            self.state = stack[-1] if step in (_STAND, _CLOSE) else step
            self.pos = token.end()


def _is_json_at_any_depth(data: bytes) -> bool:
    walk = _Walk(data)
    for _ in walk:
        pass
    return walk.state == _DONE and not data[walk.pos :].strip(BLANKS)
