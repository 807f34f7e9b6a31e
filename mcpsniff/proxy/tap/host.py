"""Tells the server its own address as Host, where it insists: the one thing that the tap changes, and only if asked.

Everything else passes as it came; what cannot be read as HTTP/1 passes untouched from there on.
"""

import re

import h11

from mcpsniff.capture.http1_reader import MessageReader

_HOST = re.compile(rb"(\r?\nhost:[ \t]*)[^\r\n]*", re.IGNORECASE)


class HostRewriter:
    """Rewrites the requests of one connection; `authority` is the server's host and port."""

    def __init__(self, authority: str) -> None:
        self._host = rb"\g<1>" + authority.encode().replace(b"\\", rb"\\")
        self._reader: MessageReader | None = MessageReader(h11.SERVER)
        self._held = b""  # what has come of a head

    def feed(self, data: bytes) -> bytes:
        """What to pass on of what was read; b"" is the end, which lets go of a head that is not whole."""
        if self._reader is None or not data:
            held, self._held = self._held, b""
            return held + data
        out: list[bytes] = []
        self._held += data
        self._reader.feed(data)
        try:
            while self._reader is not None and (event := self._reader.event()) is not None:
                self._take(event, self._reader, out)
        except h11.RemoteProtocolError:
            self._reader = None
        if self._reader is None or not self._reader.in_head:
            out.append(self._held)
            self._held = b""
        return b"".join(out)

    def _take(self, event: h11.Event, reader: MessageReader, out: list[bytes]) -> None:
        if isinstance(event, h11.Request):
            out.append(_HOST.sub(self._host, reader.head, count=1))
            self._held = self._held[len(reader.head) :]
        elif isinstance(event, h11.EndOfMessage):
            end = len(self._held) - len(reader.rest)
            out.append(self._held[:end])
            self._held = self._held[end:]
            if reader.may_switch:
                self._reader = None
            else:
                reader.next_message()
