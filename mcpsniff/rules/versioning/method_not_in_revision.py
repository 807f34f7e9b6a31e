"""Methods of another revision."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.protocol.revisions import ENVELOPE, LEGACY, METHODS, MODERN, MODERN_ONLY, REVISIONS
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.echoes import SERVER_CAPABILITIES
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, error, has, when

# Defined in 2026-07-28 for the server alone.
SERVER_ONLY = frozenset(("notifications/progress",))
# What a server may not send in 2026-07-28 any more; its requests are server-initiated-request whatever they are.
GONE_FROM_SERVER = frozenset(("notifications/elicitation/complete",))


def _judged(shape: Shape, session: Session) -> bool:
    """Whether some revision lacks the method, or it has what some revision lacks."""
    return shape.method == "initialize" or "task" in shape.members or bool(_lacking(shape.method or "", shape.sender))


class MethodNotInRevision(Rule):
    """A method was used that the agreed revision does not have, though another revision has it.

    ## Why it matters
    The other side does not know the method: a request is refused, a notification has no effect.

    ## How to fix
    Use what the agreed revision offers, or agree on the one that has the method.

    ## When it stays silent
    While the revision is unknown, for server/discover before the handshake (a probe), and for methods announced under
    `capabilities.experimental`. Answering such a request with -32601 is right.
    """

    title = "Method of another revision used"
    severity = {"2024-11-05": WARNING, "2025-06-18": ERROR, "2026-07-28": WARNING}
    confidence = CONTEXTUAL
    undecided = True  # a probe that names a method of the handshake era is wrong whoever answers it
    spec = {"2024-11-05": "basic/lifecycle#operation", "2026-07-28": "changelog#major-changes"}
    echoes = SERVER_CAPABILITIES

    @when(_judged)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)
        if message.sender != CLIENT:
            return
        if message.method == "initialize" and any(key in message.meta for key in ENVELOPE):
            mark = self.session.era.modern_mark(message.seq)
            yield self.found(message, "initialize carries the envelope of 2026-07-28", mark=mark, only_in=(MODERN,))
        if message.method == "tools/call" and "task" in message.params:
            text = "tools/call asks for a task by a member of 2025-11-25"
            yield self.found(message, text, only_in=(MODERN,), where="/params/task")

    @when(_judged)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    @when(either(error, has("inputRequests")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and message.kind is Kind.ERROR and self._is_stray_probe(call):
            text = f"{call.method} was sent after the handshake, and refused"
            mark = self.session.era.unit_mark(call.seq)
            yield self.found(call, text, only_in=LEGACY, fault=call.method, where="/method", mark=mark)
        asked = message.result.get("inputRequests") if message.kind is Kind.RESULT else None
        for key, request in asked.items() if isinstance(asked, dict) else ():
            params = request.get("params") if isinstance(request, dict) else None
            if isinstance(params, dict) and params.get("mode") == "url" and "elicitationId" in params:
                text = f"the URL elicitation {quote(key)} carries an elicitationId"
                yield self.found(message, text, only_in=(MODERN,), where="/result/inputRequests")

    def _is_stray_probe(self, call: Call) -> bool:
        """Whether a request of the modern era came after the handshake, to a server that shows nothing modern."""
        modern = call.mark.framing is Framing.MODERN and call.method in MODERN_ONLY
        return modern and call.mark.opened and self.session.server.modern is None

    def _judge(self, message: Message) -> Found:
        method = message.method or ""
        lacking = _lacking(method, message.sender)
        probe = method in MODERN_ONLY and self.session.initialize_result is None
        if lacking and not probe and not self.session.is_experimental(method):
            text = f"{quote(method)} is defined in {_span(lacking)}"
            yield self.found(message, text, only_in=lacking, fault=method, where="/method")


def _lacking(method: str, sender: str) -> tuple[str, ...]:
    """Gives the revisions in which this side cannot use the method; empty for methods that no revision has."""
    known = METHODS.get(method)
    if known is None:
        return ()
    lacking = [revision for revision in REVISIONS if not known.defined_in(revision)]
    if sender == CLIENT and method in SERVER_ONLY:
        lacking.append(MODERN)
    if sender != CLIENT and MODERN in lacking and method not in GONE_FROM_SERVER:
        lacking.remove(MODERN)
    return tuple(lacking)


def _span(lacking: tuple[str, ...]) -> str:
    defined = [revision for revision in REVISIONS if revision not in lacking]
    if len(defined) == 1:
        return f"{defined[0]} alone"
    return f"{defined[0]} to {defined[-1]}" if defined[-1] in LEGACY else f"{defined[0]} and later"
