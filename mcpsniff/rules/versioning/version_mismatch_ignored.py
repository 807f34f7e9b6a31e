"""Clients that go on with the version that they asked for, not with the one that was chosen."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.revisions import BATCHES, LEGACY, METHODS, REVISIONS
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_client, when

from ._newer import SINCE, choices


def _differ(shape: Shape, session: Session) -> bool:
    """Whether the server chose another revision than the client asked for."""
    return session.era.requested != session.era.negotiated


class VersionMismatchIgnored(Rule):
    """The server chose another version than the client had asked for, and the client goes on as if it had not.

    ## Why it matters
    The client uses what the server does not know: requests fail one by one, with errors that say nothing of the cause.

    ## How to fix
    Read `protocolVersion` of the result. Speak that version, or end the session where you do not know it.

    ## When it stays silent
    To go on proves nothing: only a header, a method, a batch or a kind of content that belongs to the version asked
    for, and not to the one chosen, does. The rule for that thing reports it, too.
    """

    title = "Client went on although it evidently does not speak the version the server chose"
    tier = 2
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = CLIENT
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "basic/lifecycle#version-negotiation"}

    @when(by_client, _differ)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message, call)

    @when(by_client, _differ)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, call)

    @when(by_client, _differ)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message, call)

    def _judge(self, message: Message, call: Call | None) -> Found:
        era, result = self.session.era, self.session.initialize_result
        asked, chosen = era.requested, era.negotiated
        if message.sender != CLIENT or result is None or asked not in REVISIONS or chosen not in LEGACY:
            return
        if asked == chosen or message.mark.framing is Framing.MODERN or message.method == "initialize":
            return
        proof = self._proof(message, call, asked, chosen)
        if proof is not None:
            text = f"the client asked for {quote(asked)} and the server chose {quote(chosen)}, but {proof}"
            yield self.found(message, text, related=[result.seq])

    def _proof(self, message: Message, call: Call | None, asked: str, chosen: str) -> str | None:
        """Gives what fits the version asked for alone."""
        known, method = METHODS.get(message.method or ""), message.method or ""
        if message.exchange is not None and message.exchange.version == asked:
            return "the header MCP-Protocol-Version keeps the first"
        if message.batch and asked in BATCHES and chosen not in BATCHES:
            return "the client sends a batch"
        if known is not None and known.defined_in(asked) and not known.defined_in(chosen):
            return None if self.session.is_experimental(method) else f"{quote(method)} is of the first alone"
        kinds = choices(message, call) if message.kind is Kind.RESULT else ()
        newer = next((what for what, _ in kinds if chosen < SINCE[what] <= asked), None)
        return f"the answer holds {newer}" if newer is not None else None
