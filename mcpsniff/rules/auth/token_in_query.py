"""Access tokens in URLs."""

from mcpsniff.rules.rule import CLIENT, ERROR, Found, HttpExchange, Rule, Session, quote

TOKENS_KEPT = 100


class TokenInQuery(Rule):
    """An access token stands in the query of a request to an MCP endpoint.

    ## Why it matters
    URLs are written to logs, histories and Referer headers; whoever reads them holds the token.

    ## How to fix
    Send the token as `Authorization: Bearer …` with every request, and nowhere else.

    ## When it stays silent
    Codes and states of an authorization, session ids and keys of other schemes. A parameter of another name counts
    where its value was also sent as credentials.
    """

    title = "Access token sent in the URI query"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/authorization#token-requirements",
        "2026-07-28": "basic/authorization/index#token-requirements",
    }
    undecided = True  # the fault is the same in every era

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._tokens: set[str] = set()  # sent as credentials; redacted values stay comparable

    def on_close(self, exchange: HttpExchange) -> Found:
        _, _, token = (exchange.header("authorization") or "").partition(" ")
        if token and len(self._tokens) < TOKENS_KEPT:
            self._tokens.add(token.strip())
        for name, value in exchange.query:
            if name == "access_token" or value in self._tokens:
                text = f'parameter "{quote(name, 40)}" of the URL holds an access token'
                yield self.found(exchange, text, fault=name, where=name)
