"""The server serves a feature that it does not declare."""

from mcpsniff.protocol.marks import Framing
from mcpsniff.protocol.revisions import LEGACY, LISTS, MODERN, REQUESTS, declares
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.echoes import SERVER_CAPABILITIES, WHOLE_LISTS
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, SERVER, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import by_server, result, when

LOGGING = "notifications/message"
SERVED = {  # request → capability that serving it needs
    name: method.needs[0] for name, method in REQUESTS.items() if CLIENT in method.senders and method.needs
}


MODERN_SERVED = {  # the same in 2026-07-28, where tasks are an extension
    name: needed for name, needed in SERVED.items() if REQUESTS[name].defined_in(MODERN) and needed != "tasks"
}


def _undeclared(shape: Shape, session: Session) -> bool:
    """Whether it opens a session, or serves what the server does not declare."""
    method = shape.method or ""
    return method not in SERVED or not declares(session.server_capabilities or {}, (SERVED[method],))


def _undiscovered(shape: Shape, session: Session) -> bool:
    """Whether it says what is declared, or serves what the server does not declare."""
    method = shape.method or ""
    return method not in MODERN_SERVED or not declares(session.discovered_capabilities or {}, (MODERN_SERVED[method],))


class CapabilityNotDeclared(Rule):
    """The server answers a feature's requests, or sends log messages, without declaring the capability for it.

    ## Why it matters
    Clients go by the capabilities: they never ask for what is not declared, and the feature stays unused.

    ## How to fix
    Declare every feature that is served in `capabilities` of the InitializeResult, from 2026-07-28 on of the result
    of server/discover.

    ## When it stays silent
    Error answers declare nothing. Where no InitializeResult or discover result was seen nothing can be said, and from
    2026-07-28 on neither where a later discover result declares the feature, or the latest was given to another
    protocol version or authorisation. An empty list in the handshake revisions is a note: some libraries answer so for
    features that nobody registered.
    """

    title = "Server serves a feature that it does not declare"
    violator = SERVER
    confidence = CONTEXTUAL
    until = "2025-11-25"
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation", "2026-07-28": "server/discover#discoverresult"}
    methods = (*SERVED, LOGGING, "initialize")
    echoes = (*SERVER_CAPABILITIES, *WHOLE_LISTS)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._early: Message | None = None  # first log message before the InitializeResult

    @when(result, by_server, _undeclared)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or not message.has_result or message.has_error:
            return
        if call.method == "initialize":
            yield from self._logged_early(message)
            return
        declared = self.session.server_capabilities
        needed = SERVED.get(call.method)
        if declared is not None and needed is not None and not declares(declared, (needed,)):
            method = REQUESTS[call.method]
            text = f"{call.method} is served, but the server does not declare {needed}"
            known = [r for r in LEGACY if r >= method.needs_since and method.defined_in(r)]
            severity = INFO if message.result.get(LISTS.get(call.method, "")) == [] else None
            yield self.found(message, text, related=self._declaration(), fault=needed, only_in=known, severity=severity)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        declared = self.session.server_capabilities
        if message.sender != SERVER:
            return
        if declared is None:
            self._early = self._early or message
        elif not declares(declared, ("logging",)):
            text = "a log message, but the server does not declare logging"
            yield self.found(message, text, related=self._declaration(), fault="logging")

    def _logged_early(self, answer: Message) -> Found:
        declared = answer.result.get("capabilities")
        if self._early is not None and isinstance(declared, dict) and not declares(declared, ("logging",)):
            text = "a log message before the InitializeResult, which does not declare logging"
            yield self.found(self._early, text, related=[answer.seq], fault="logging")
        self._early = None

    def _declaration(self) -> list[int]:
        return [self.session.initialize_result.seq] if self.session.initialize_result else []


class CapabilityNotDiscovered(Rule):
    """The server serves a feature that its discover result does not declare."""

    id = "capability-not-declared"
    title = CapabilityNotDeclared.title
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = CapabilityNotDeclared.spec
    methods = (*MODERN_SERVED, LOGGING, "server/discover")
    echoes = SERVER_CAPABILITIES

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # (capability, framing) → where, in words, discover result
        self._pending: dict[tuple[str, Framing], tuple[Message, str, int]] = {}

    @when(result, by_server, _undiscovered)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or not message.has_result or message.has_error:
            return
        if call.method == "server/discover":
            declared = message.result.get("capabilities")
            declared = declared if isinstance(declared, dict) else None
            self._pending = {key: p for key, p in self._pending.items() if not declares(declared, key[:1])}
        else:
            self._note(MODERN_SERVED[call.method], message, call.method)
        yield from ()

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == SERVER:
            self._note("logging", message, "a log message")
        yield from ()

    def _note(self, needed: str, message: Message, what: str) -> None:
        discover = self.session.discover_result
        declared = self.session.discovered_capabilities
        if discover is None or declared is None or declares(declared, (needed,)):
            return
        if _same_view(discover, message):
            self._pending.setdefault((needed, message.mark.framing), (message, what, discover.seq))

    def on_end(self) -> Found:
        for (needed, _), (message, what, discover) in self._pending.items():
            text = f"{what} is served, but the discover result does not declare {needed}"
            yield self.found(message, text, related=[discover], fault=needed)


def _same_view(discover: Message, message: Message) -> bool:
    """Whether the discover result was given to the same protocol version and authorisation."""
    versions = {m.mark.version for m in (discover, message) if m.mark.version is not None}
    holders = {m.exchange.header("authorization") for m in (discover, message) if m.exchange is not None}
    return len(versions) < 2 and len(holders) < 2
