"""Where in a JSON text the value lies that a JSON Pointer (RFC 6901) names, so that all other bytes can stay.

Reads no further than it must; of a text that is broken or cut it finds what can be found, to the end of the text.
"""

import json
import re
from collections.abc import Iterator, Sequence

_BLANKS = re.compile(r"[ \t\n\r]*")


def tokens(pointer: str) -> list[str]:
    """The pointer's reference tokens; ValueError says what is wrong with a text that is none."""
    if not pointer.startswith("/") or re.search("~(?![01])", pointer):
        raise ValueError(f"{pointer!r} is no JSON Pointer: it is written like /params/arguments/password")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def overlap(one: str, other: str) -> bool:
    """Whether one of two pointers names the same value as the other, or a part of it."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def spans(text: str, path: Sequence[str], start: int = 0) -> Iterator[tuple[int, int]]:
    """The start and end of each value at `path` under the value that begins at `start`.

    Several where a key stands twice; in an array at the root (a batch) those of each of its members.
    """
    start = _skip(text, start)
    if text.startswith("[", start):
        for _, value in _children(text, start):
            yield from _below(text, path, value)
    else:
        yield from _below(text, path, start)


def _below(text: str, path: Sequence[str], start: int) -> Iterator[tuple[int, int]]:
    if not path:
        yield start, _end(text, start)
        return
    for name, value in _children(text, start):
        if name == path[0]:
            yield from _below(text, path[1:], value)


def _children(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Name (or index) and start of each member of the object or array that begins at `start`."""
    opening = text[start : start + 1]
    if opening not in ("{", "["):
        return
    at, index = _skip(text, start + 1), 0
    while at < len(text) and text[at] not in "]}":
        name = str(index)
        if opening == "{":
            try:
                name, at = _decoder.raw_decode(text, at)
            except ValueError:
                return
            at = _skip(text, _skip(text, at) + 1)  # behind the colon
        yield name, at
        at = _skip(text, _end(text, at))
        if text.startswith(",", at):
            at = _skip(text, at + 1)
        elif at < len(text) and text[at] not in "]}":  # broken
            return
        index += 1


def _skip(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks is not None else at


def _end(text: str, start: int) -> int:
    """Where the value that begins at `start` ends; the end of the text where it is broken."""
    try:
        return _decoder.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return len(text)


_decoder = json.JSONDecoder(parse_int=str, parse_float=str)
