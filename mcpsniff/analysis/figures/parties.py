"""Who says to be the client and the server, and how they came to a revision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.envelope import Meta
from mcpsniff.protocol.message import Kind, Message
from mcpsniff.protocol.revisions import (
    META_CLIENT_INFO,
    META_SERVER_INFO,
    META_VERSION,
    UNSUPPORTED_VERSION,
    newest_common,
)
from mcpsniff.protocol.session import Session

from .rows import NAME

VERSION_CAP = 20  # versions that one side names


class Parties:
    """The two sides of one session as they present themselves; nothing of it is proved."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._client: dict[str, Any] | None = None
        self._server: dict[str, Any] | None = None
        self._offered: list[str] = []
        self._latest: Meta | None = None  # of a request: parties say the same again and again
        self._refused: int | None = None  # first request refused for its version
        self._failed: int | None = None  # first initialize that got an error

    def request(self, message: Message) -> None:
        """Takes in one request of the client."""
        handshake = message.method == "initialize"
        if not handshake:
            if message.envelope is self._latest:
                return
            self._latest = message.envelope
        version = message.params.get("protocolVersion") if handshake else message.meta.get(META_VERSION)
        if isinstance(version, str) and version not in self._offered and len(self._offered) < VERSION_CAP:
            self._offered.append(version[:NAME])
        if self._client is None:
            self._client = _identity(
                message.params.get("clientInfo") if handshake else message.meta.get(META_CLIENT_INFO)
            )

    def answer(self, message: Message, call: Call) -> None:
        """Takes in what the server answers."""
        if message.kind is Kind.RESULT:
            if self._server is None:
                self._server = _identity(message.result.get("serverInfo") or message.meta.get(META_SERVER_INFO))
        elif message.code == UNSUPPORTED_VERSION and self._refused is None:
            self._refused = message.seq
        if message.kind is Kind.ERROR and call.method == "initialize" and self._failed is None:
            self._failed = message.seq

    def result(self) -> dict[str, Any]:
        """Gives `revisions_offered`, `revisions_supported`, `negotiation`, `client` and `server`."""
        supported = self._supported()
        negotiation = {
            "client_versions": self._offered,
            "server_versions": supported,
            "common": newest_common(self._offered, supported),
            "chosen": self._session.revision,
            "outcome": self._outcome(),
        }
        return {
            "revisions_offered": self._offered,
            "revisions_supported": supported,
            "negotiation": negotiation,
            "client": self._client,
            "server": self._server,
        }

    def _supported(self) -> list[str]:
        era = self._session.era
        named = [*era.server.versions, era.negotiated, era.modern_version]
        return list(dict.fromkeys(v[:NAME] for v in named if v is not None))[:VERSION_CAP]

    def _outcome(self) -> str | None:
        """Gives how the negotiation ended; None where none was seen."""
        era = self._session.era
        if era.verdict == "unknown" or self._session.revision is None:
            return "failed" if self._refused is not None or self._failed is not None else None
        if era.accepted is None:
            return "agreed after a refusal" if self._refused is not None else "agreed"
        if era.client == "dual" and era.served_modern is None:
            return "fell back to the handshake"
        return "agreed" if era.negotiated == era.requested else "server chose another"


def _identity(info: object) -> dict[str, Any] | None:
    if not isinstance(info, Mapping):
        return None
    return {name: _short(info.get(name)) for name in ("name", "version")}


def _short(value: object) -> str | None:
    return value[:NAME] if isinstance(value, str) else None
