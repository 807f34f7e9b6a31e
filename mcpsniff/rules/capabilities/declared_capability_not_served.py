"""Capabilities that are declared and not there."""

from __future__ import annotations

from typing import Any, ClassVar

from mcpsniff.protocol.message import CLIENT, OTHER
from mcpsniff.protocol.revisions import LEGACY, METHOD_NOT_FOUND, REQUESTS, declares
from mcpsniff.rules.rule import CONTEXTUAL, ERROR, INFO, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import error, when

ITEMS = frozenset(("tools/call", "prompts/get", "resources/read"))  # -32601 may be about the item there
OPTIONAL = frozenset(("resources/templates/list", "prompts/list"))  # that small servers may lack
LISTED = ("tools/list", "prompts/list", "resources/list")
HINTED = ("resources/templates/list", "completion/complete")


class DeclaredCapabilityNotServed(Rule):
    """A method is answered with -32601 although its receiver declared the capability for it.

    ## Why it matters
    The other side plans with the feature: menus without entries, calls that cannot work.

    ## How to fix
    Serve what is declared (an empty list is an answer), or do not declare it.

    ## When it stays silent
    Other errors. tools/call, prompts/get and resources/read, whose -32601 may be about the item, and the methods of
    tasks. Where the capabilities were not seen nothing can be said. Lists that small servers may lack are information.
    """

    title = 'A declared capability is answered with "method not found"'
    tier = 2
    severity: ClassVar[dict[str, str]] = {"2024-11-05": WARNING}
    confidence = CONTEXTUAL
    until: ClassVar[str] = LEGACY[-1]
    spec = {"2024-11-05": "basic/lifecycle#capability-negotiation", "2026-07-28": "schema#servercapabilities"}
    methods: ClassVar[tuple[str, ...]] = tuple(
        name for name, one in REQUESTS.items() if one.needs and one.needs[0] != "tasks" and name not in ITEMS
    )
    hinted: ClassVar[frozenset[str]] = OPTIONAL

    def declared_by(self, side: str) -> tuple[int | None, dict[str, Any] | None]:
        """Gives the record with which a side declared its capabilities, and these."""
        session = self.session
        if side == CLIENT:
            return session.initialize.seq if session.initialize else None, session.client_capabilities
        return session.initialize_result.seq if session.initialize_result else None, session.server_capabilities

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.code != METHOD_NOT_FOUND:
            return
        seq, capabilities = self.declared_by(OTHER[call.requester])
        needs = REQUESTS[call.method].needs
        if capabilities is not None and declares(capabilities, needs):
            text = f"{call.method} is not found, though record {seq} declares {'.'.join(needs)}"
            severity = INFO if call.method in self.hinted else None
            yield self.found(message, text, related=[call.seq, seq], fault=call.method, severity=severity)


class DeclaredCapabilityNotServedModern(DeclaredCapabilityNotServed):
    """The same by the latest discover result."""

    id = "declared-capability-not-served"
    since, until = "2026-07-28", "2026-07-28"
    severity = {"2026-07-28": ERROR}
    methods = (*LISTED, *HINTED)
    hinted = frozenset(HINTED)

    def declared_by(self, side: str) -> tuple[int | None, dict[str, Any] | None]:
        discover = self.session.discover_result
        return discover.seq if discover is not None else None, self.session.discovered_capabilities
