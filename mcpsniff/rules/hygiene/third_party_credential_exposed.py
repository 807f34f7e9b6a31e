"""Credentials of other services in what the client gets to see."""

import re
from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.authorization import REDACTED
from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.rules.rule import ERROR, HEURISTIC, SERVER, Call, Found, Message, Rule, Session
from mcpsniff.rules.when import by_client, has, result, when

KINDS = (  # (what it is, its shape); shapes that nothing else has
    ("a JSON Web Token", re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}")),
    ("a GitHub token", re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,}\b")),
    ("a Slack token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{20,}")),
    ("an AWS access key", re.compile(r"\bAKIA[0-9A-Z]{16}\b")),
    ("a Google token", re.compile(r"\bya29\.[\w-]{30,}")),
)
HIDDEN = re.compile(re.escape(REDACTED) + r"[0-9a-f]+:([0-9]+)›")  # with the length of the secret

LOOKED_AT = 1_000_000  # bytes of one message


class ThirdPartyCredentialExposed(Rule):
    """After the user had signed in elsewhere by a URL elicitation, a result holds what looks like a credential.

    ## Why it matters
    What a third party gave to the server is the server's alone. In a result it reaches the client, the model and logs.

    ## How to fix
    Keep such credentials in the server, bound to the user; give the client what was done with them.

    ## When it stays silent
    Without a URL elicitation that the user accepted, and for the token that the client itself sends, or one as long as
    that where it is redacted. The value is never shown.
    """

    title = "A third-party credential appeared in MCP traffic to the client"
    tier = 3
    severity = {"2025-11-25": ERROR}
    since = "2025-11-25"
    violator = SERVER
    confidence = HEURISTIC
    spec = {"2025-11-25": "client/elicitation#url-mode-elicitation-for-oauth-flows"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._accepted: int | None = None  # record in which the user agreed to open an address

    @when(has("inputResponses"))
    def on_request(self, message: Message, call: Call) -> Found:
        answers = message.params.get("inputResponses")
        if message.sender == CLIENT and call.leg is not None and isinstance(answers, dict):
            asked = call.leg.requests
            accepted = [key for key, one in answers.items() if _accepts(one) and _is_url(asked.get(key))]
            self._accept(message, bool(accepted))
        yield from ()

    @when(result, by_client, awake=True)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT:
            return
        if message.sender == CLIENT:
            asked = {"method": call.method, "params": call.request.params}
            self._accept(message, _is_url(asked) and _accepts(message.result))
        elif self._accepted is not None and message.size <= LOOKED_AT:
            for what, own in _credentials(message.raw.decode("utf-8", "replace"), _own(call)):
                if own:
                    yield self.unchecked("it may be the client's own token, which is redacted")
                    continue
                text = f"the result of {call.method} holds what looks like {what}"
                yield self.found(message, text, related=[self._accepted, call.seq], fault=what)

    def _accept(self, message: Message, accepted: bool) -> None:
        if accepted:
            self._accepted = message.seq
            self.stir(awake=True)


def _credentials(text: str, own: str) -> Iterator[tuple[str, bool]]:
    """Gives what a text holds beside the client's own, and whether it may be that after all, redacted and as long."""
    lengths = set(map(int, HIDDEN.findall(own)))
    for what, shape in KINDS:
        held = [found[0] for found in shape.finditer(text) if found[0] not in own]
        if held:
            yield what, lengths.issuperset(map(len, held))


def _own(call: Call) -> str:
    """Gives the credentials that the client sends itself."""
    return (call.exchange.header("authorization") if call.exchange is not None else None) or ""


def _is_url(request: Any) -> bool:
    params = request.get("params") if isinstance(request, dict) else None
    return isinstance(params, dict) and request.get("method") == "elicitation/create" and params.get("mode") == "url"


def _accepts(answer: Any) -> bool:
    return isinstance(answer, dict) and answer.get("action") == "accept"
