"""The heads of an HTTP exchange, as every engine hands them over: plain data, headers in the order they were sent."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

Headers = Sequence[tuple[str, str]]  # name and value as sent, duplicates kept


class RequestHead(NamedTuple):
    """The head of a request; `url` is absolute."""

    method: str
    url: str
    http: str | None  # "1.1", "2", "3"; None where unknown
    headers: Headers
    size: int | None  # bytes, in HTTP/1 spelling; None where unknown


class ResponseHead(NamedTuple):
    """The head of a final response."""

    status: int
    http: str | None
    headers: Headers
    size: int | None


def as_text(fields: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Header lines as they came from the wire, as text: UTF-8 where it is that, else byte by byte (Latin-1)."""
    return [(_text(name), _text(value)) for name, value in fields]


def values(headers: Headers, name: str) -> Iterator[str]:
    """The values of every header of this name (lower case)."""
    return (value for key, value in headers if key.lower() == name)


def value(headers: Headers, name: str) -> str:
    """The value of the first header of this name (lower case), or ""."""
    return next(values(headers, name), "")


def media_type(headers: Headers) -> str:
    """The Content-Type without its parameters, in lower case."""
    return value(headers, "content-type").partition(";")[0].strip().lower()


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
