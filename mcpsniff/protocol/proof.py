"""What a server's messages prove of the era: each answer, each error, each notification of a subscription.

Sections: 2026-07-28 basic/versioning, Compatibility; the handshake revisions' basic/lifecycle.
"""

from __future__ import annotations

from typing import Any

from .era import CERTAIN, STRONG, Era, belongs_to_subscription
from .exchange import HttpExchange
from .jsonvalue import decode
from .marks import Framing, Mark
from .message import CLIENT, SERVER, Kind, Message
from .revisions import METHOD_NOT_FOUND, MODERN_CODES, URL_ELICITATION_REQUIRED, is_modern
from .servers import Advertised, server_program


def answered(era: Era, message: Message, call: Any) -> None:
    """Notes what the server's answer to `call` proves."""
    mark: Mark = call.mark
    if call.requester != CLIENT:
        return
    if message.kind is Kind.RESULT:
        _result(era, message, call, mark)
    else:
        _error(era, message, call, mark)


def notified(era: Era, message: Message) -> None:
    """Notes what a server notification proves."""
    if message.sender == SERVER and belongs_to_subscription(message):
        _prove(era, message.seq, "sends notifications of a subscription", CERTAIN)
        era.served_modern = message.seq


def stray_error(era: Era, message: Message) -> None:
    """Notes what an error that answers no known request proves."""
    if message.code in MODERN_CODES and not _advertise(era, _supported(message), message):
        _prove(era, message.seq, f"answers with error {message.code}", CERTAIN)


def _result(era: Era, message: Message, call: Any, mark: Mark) -> None:
    sign = _modern_result(message)
    if call.method == "initialize" and (sign is None or "protocolVersion" in message.result):
        _accept(era, message)
    elif sign is not None and not _advertise(era, _versions(message), message):
        _serve_modern(era, message, mark, sign)
    elif sign is not None:
        mark.answer = "error"  # a discover result that names handshake revisions alone serves nothing modern
    elif mark.framing is Framing.MODERN:
        mark.answer = "legacy"
        era.served_legacy = message.seq
        era.add(message.seq, SERVER, "legacy", "answers a modern request without resultType", STRONG)
    elif mark.framing is Framing.LEGACY or mark.opened:
        era.served_legacy = message.seq


def _accept(era: Era, message: Message) -> None:
    version = message.result.get("protocolVersion")
    era.negotiated = version if isinstance(version, str) else None
    era.accepted = era.served_legacy = message.seq
    if era.server.accepted is None:
        era.server.accepted = message.seq
    if era.negotiated is not None:
        era.server.speaks([era.negotiated], message.seq, server_program(message.result))
    era.add(message.seq, SERVER, "legacy", f"answers initialize with {version}", CERTAIN)


def _serve_modern(era: Era, message: Message, mark: Mark, sign: str) -> None:
    mark.answer = "modern"
    _prove(era, message.seq, sign, CERTAIN)
    era.served_modern = message.seq
    era.modern_version = mark.version or era.modern_version


def _error(era: Era, message: Message, call: Any, mark: Mark) -> None:
    exchange: HttpExchange | None = message.exchange
    supported = _supported(message)
    if isinstance(supported, list):
        era.server.speaks(_strings(supported), message.seq)
    if message.code in MODERN_CODES:
        if not _advertise(era, supported, message):
            _prove(era, message.seq, f"answers with error {message.code}", CERTAIN)
    elif message.code == URL_ELICITATION_REQUIRED:
        era.add(message.seq, SERVER, "legacy", f"answers with error {message.code}", STRONG)
    elif (
        message.code == METHOD_NOT_FOUND
        and exchange is not None
        and exchange.status == 404
        and mark.framing is Framing.MODERN
    ):
        _prove(era, message.seq, "answers 404 with a JSON-RPC -32601", STRONG)
    if mark.answer is None:
        mark.answer = "error"


def _advertise(era: Era, versions: Any, message: Message) -> bool:
    """Notes a list of supported versions; gives whether it holds no modern one (a legacy advertisement)."""
    if not isinstance(versions, list):
        return False
    names = _strings(versions)
    era.server.speaks(names, message.seq)
    era.server.varies |= bool(era.server.versions) and set(names) != set(era.server.versions)
    era.server.versions = names
    era.advertised = Advertised(tuple(names), message.seq)
    if not names or any(map(is_modern, names)):
        return False
    era.add(message.seq, SERVER, "legacy", f"supports {', '.join(names[:4])} alone", STRONG)
    return True


def _prove(era: Era, seq: int, why: str, strength: int) -> None:
    """Notes that the server is modern, for every client of it."""
    era.add(seq, SERVER, "modern", why, strength)
    if era.server.modern is None:
        era.server.modern = seq
    if strength == CERTAIN:
        era.server.proved = seq if era.server.proved is None else era.server.proved
        era.shown_modern = seq if era.shown_modern is None else era.shown_modern


def _supported(error: Message) -> Any:
    """Gives what an error lists as the versions that the server supports, or None."""
    data = error.error.get("data")
    return data.get("supported") if isinstance(data, dict) else None


def _strings(values: list[Any]) -> list[str]:
    return [value for value in values if isinstance(value, str)]


def _versions(result: Message) -> Any:
    """Gives what a result lists as the versions that the server supports; nothing else of it is decoded."""
    text = result.texts.get("supportedVersions")
    return None if text is None else decode(text)


def _modern_result(message: Message) -> str | None:
    members = message.texts
    if "resultType" not in members and "supportedVersions" not in members and "ttlMs" not in members:
        return None
    if isinstance(_versions(message), list):
        return "answers server/discover with its versions"
    if "resultType" in members:
        return "result carries resultType"
    if "ttlMs" in members and "cacheScope" in members:
        return "result carries ttlMs and cacheScope"
    return None
