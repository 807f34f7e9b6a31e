"""Versions that a server offers although the capture shows that it speaks a better one."""

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import LEGACY
from mcpsniff.protocol.servers import Spoken, server_program
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    ERROR,
    HEURISTIC,
    SERVER,
    WARNING,
    Call,
    Found,
    Message,
    Rule,
    quote,
)


class _Offer(Rule):
    """What both look at: the answer to initialize, and what the server spoke before."""

    until = "2025-11-25"
    violator = SERVER
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        offered = message.result.get("protocolVersion")
        asked = call.request.params.get("protocolVersion") if call is not None else None
        usable = call is not None and message.sender == SERVER and message.kind is Kind.RESULT
        if usable and isinstance(asked, str) and isinstance(offered, str) and asked != offered:
            yield from self._judge(message, asked, offered)

    def _judge(self, message: Message, asked: str, offered: str) -> Found:
        raise NotImplementedError

    def _spoken(self, message: Message) -> dict[str, Spoken]:
        """Gives the handshake revisions that this same program is known to speak."""
        program = server_program(message.result)
        return {v: one for v, one in self.session.server.spoken.items() if one.by in (None, program)}


class VersionSupportIgnored(_Offer):
    """The server answered initialize with another version than asked for, though it speaks that one.

    ## Why it matters
    Both sides end up with less than they could have, or the client leaves.

    ## How to fix
    Answer with the version that was asked for whenever you support it.

    ## When it stays silent
    Without a record in which this server (by address, name and version) accepted or listed the version before.
    """

    id = "version-support-ignored"
    title = "Server answered with another version although it supports the requested one"
    tier = 2
    severity = {"2024-11-05": ERROR}
    confidence = CONTEXTUAL

    def _judge(self, message: Message, asked: str, offered: str) -> Found:
        known = self._spoken(message).get(asked)
        if known is not None:
            text = f"{quote(offered)} was offered in place of {asked}, which record {known.seq} shows to be supported"
            yield self.found(message, text, related=[known.seq])


class VersionNotLatestOffered(_Offer):
    """The server does not support the version that was asked for, and offers an older one than it could.

    ## Why it matters
    The client may know the newer one, and lose features for nothing, or leave.

    ## How to fix
    Offer the newest version that you support.

    ## When it stays silent
    Without a record that shows this server (by address, name and version) to speak a newer one.
    """

    id = "version-not-latest-offered"
    title = "Counter-offer is older than a version the server is known to support"
    tier = 3
    severity = {"2024-11-05": WARNING}
    confidence = HEURISTIC
    by_value = True

    def _judge(self, message: Message, asked: str, offered: str) -> Found:
        spoken = self._spoken(message)
        newest = max(spoken, default=offered)
        if asked not in spoken and offered in LEGACY and newest > offered:
            seq = spoken[newest].seq
            text = f"{offered} was offered, though record {seq} shows that the server speaks {newest}"
            yield self.found(message, text, related=[seq])
