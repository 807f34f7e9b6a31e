"""How access tokens are sent to the MCP server."""

from mcpsniff.protocol.credentials import credentials
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, Found, HttpExchange, Rule, Session, quote

SPEC = {
    "2025-03-26": "basic/authorization#token-requirements",
    "2026-07-28": "basic/authorization/index#token-requirements",
}


class AuthorizationDropped(Rule):
    """A client that had sent its access token, and had been let in with it, sent a later request without.

    ## Why it matters
    Every request is judged alone, also within a session: this one is refused, or served to nobody in particular.

    ## How to fix
    Set the Authorization header where the requests are made (streams, DELETE and resumptions, too), not once.

    ## When it stays silent
    Requests before the first token, preflights, and those after a 401 that made the token worthless, until a new one
    is accepted. Metadata and the authorization server have no use for the token.
    """

    id = "authorization-dropped"
    title = "Client stopped sending its access token"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = SPEC

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._accepted: int | None = None  # record of the last request whose token was accepted
        self._host = ""  # of the client that sent it

    def on_close(self, exchange: HttpExchange) -> Found:
        sent = credentials(exchange)
        if sent is not None:
            refused = exchange.status is None or exchange.status == 401
            self._host = exchange.host
            self._accepted = exchange.seq if sent[0] == "bearer" and not refused else None
        elif self._accepted is not None and exchange.method != "OPTIONS" and exchange.host == self._host:
            text = f"{exchange.method} has no Authorization header; record {self._accepted} was let in with one"
            yield self.found(exchange, text, related=[self._accepted, exchange.reply_seq], where="Authorization")


class AuthNotBearer(Rule):
    """An access token was sent in another way than `Authorization: Bearer …`.

    ## Why it matters
    Servers look for it there alone, and refuse the request.

    ## How to fix
    Send `Authorization: Bearer` and the token, in that header and in no other.

    ## When it stays silent
    Where neither OAuth nor a Bearer challenge was seen: both sides may have a scheme of their own. A scheme that the
    server offered, and DPoP, are right.
    """

    id = "auth-not-bearer"
    title = 'Access token not sent as "Authorization: Bearer"'
    tier = 2
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = CLIENT
    transport = "http"
    spec = SPEC

    def on_close(self, exchange: HttpExchange) -> Found:
        room = self.session.authorization
        if not room.used:
            return
        place = "Authorization"
        sent = credentials(exchange)
        offered = {scheme for challenge in room.challenges for scheme in challenge.offered}
        if sent is None:
            place = next((name for name, value in exchange.headers if value.strip() in room.tokens.issued), "")
        elif sent[0] in offered | {"bearer", "dpop"}:
            return
        if place:
            how = f"with the scheme {quote(sent[0], 40)}" if sent is not None and sent[0] else "without a scheme"
            text = f"the header {quote(place, 40)} holds a token {how}"
            mark = self.session.era.door_mark(exchange.seq, exchange.mark.framing)
            yield self.found(exchange, text, related=[exchange.reply_seq], where=place, mark=mark)
