"""Which log levels the requests around a log notification asked for (2026-07-28)."""

from __future__ import annotations

from typing import Any

from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.message import CLIENT, Message
from mcpsniff.protocol.revisions import LOG_LEVELS, META_LOG_LEVEL
from mcpsniff.protocol.session import Session

SET_LEVEL = "logging/setLevel"


def asking(session: Session, message: Message) -> list[Call]:
    """Gives the requests that a log notification may belong to: that of its stream, on stdio every open one."""
    if message.exchange is not None:
        return list(message.exchange.calls.values())
    return session.calls.all_open(CLIENT)


def asked_for(call: Call) -> Any:
    """Gives the logLevel of a request, whatever it is; None where it has none."""
    return call.request.meta.get(META_LOG_LEVEL)


def rank(level: Any) -> int | None:
    """Gives the place of a level, from 0 for debug; None for an unknown one."""
    return LOG_LEVELS.index(level) if level in LOG_LEVELS else None


def has_members(message: Message) -> bool:
    """Whether members of its params can be missing: not where params is no object (params-not-object)."""
    return isinstance(message.raw_params, dict) or not message.has_params
