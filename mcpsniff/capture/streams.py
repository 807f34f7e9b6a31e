"""The byte streams of a stdio session, rebuilt from its records."""

from __future__ import annotations

from collections.abc import Iterable

from mcpsniff.capture.records import AnyRecord, Message, Stderr, Text, Unknown


def stdio_bytes(records: Iterable[AnyRecord | Unknown]) -> dict[str, bytes]:
    """What client, server and the server's stderr wrote, byte for byte; of truncated lines only what was kept."""
    streams: dict[str, list[bytes]] = {"client": [], "server": [], "stderr": []}
    for record in records:
        match record:
            case Message() | Text():
                streams.setdefault(record.sender, []).append(record.data + record.eol.encode())
            case Stderr():
                streams["stderr"].append(record.data + record.eol.encode())
    return {name: b"".join(pieces) for name, pieces in streams.items()}
