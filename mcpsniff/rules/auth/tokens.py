"""Whose tokens are sent where, and for how long they are good."""

from email.utils import parsedate_to_datetime
from typing import Any

from mcpsniff.protocol.authorization import issuer_asked
from mcpsniff.protocol.credentials import credentials, jwt_claims
from mcpsniff.protocol.exchange import origin_of
from mcpsniff.protocol.oauth import Step, StepKind
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, HEURISTIC, SERVER, Found, HttpExchange, Rule, quote

SKEW = 300.0  # seconds that clocks may differ
FAR = 1e10  # seconds from 1970; an `exp` beyond is no time
HANDLING = "basic/authorization/index#token-handling"


class AuthExpiredTokenAccepted(Rule):
    """The server served a request whose token had expired, or was made for another resource.

    ## Why it matters
    Stolen and forgotten tokens stay good, and tokens for other services open this one.

    ## How to fix
    Check `exp` and `aud` of every token, or have the authorization server do it.

    ## When it stays silent
    Tokens that are no readable JWTs (redacted ones, too). The time is that of the server's Date header, five minutes
    are allowed for; an audience that is no URL says nothing.
    """

    id = "auth-expired-token-accepted"
    title = "Server accepted an expired or unrelated token"
    tier = 3
    severity = {"2025-03-26": ERROR}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    confidence = HEURISTIC
    spec = {"2025-03-26": "basic/authorization#token-handling"}

    def on_close(self, exchange: HttpExchange) -> Found:
        sent = credentials(exchange)
        claims = jwt_claims(sent[1]) if sent is not None and exchange.succeeded else {}
        if not claims:
            return
        age = _age(exchange, claims)
        if age is not None and age > SKEW:
            text = f"the token had expired {age:.0f} s before"
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], fault="exp")
        audience = _urls(claims.get("aud"))
        here = {origin_of(exchange.url), origin_of(self.session.authorization.resource or "")}
        if audience and not any(origin_of(one) in here for one in audience) and not self.session.host_rewritten:
            text = f"the token is for {quote(audience[0])}"
            only = ("2025-06-18", "2025-11-25")
            yield self.found(exchange, text, seq=exchange.reply_seq, related=[exchange.seq], fault="aud", only_in=only)


def _age(exchange: HttpExchange, claims: dict[str, Any]) -> float | None:
    """Gives for how many seconds a token had expired, by the server's clock; None where that is not known."""
    now, expiry = _date(exchange), claims.get("exp")
    if now is None or not isinstance(expiry, (int, float)) or abs(expiry) >= FAR:
        return None
    return now - expiry


def _date(exchange: HttpExchange) -> float | None:
    """Gives the time of a response by the server's own clock, in seconds."""
    try:
        return parsedate_to_datetime(exchange.reply_header("date") or "").timestamp()
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _urls(audience: Any) -> list[str]:
    """Gives the members of an `aud` claim where all of them are URLs."""
    values = audience if isinstance(audience, list) else [audience]
    urls = [one for one in values if isinstance(one, str) and "://" in one]
    return urls if len(urls) == len(values) else []


class TokenForeign(Rule):
    """The client sent a token that another authorization server had issued, or that is for another resource.

    ## Why it matters
    The MCP server learns a token that opens something else.

    ## How to fix
    Keep tokens by resource, and send none anywhere else.

    ## When it stays silent
    Tokens whose issue is not in the capture are unknown, but for JWTs in a handshake session: where the server refuses
    one that has not expired, its `iss` counts. One that is accepted may come from a gateway that exchanges tokens.
    Several authorization servers may stand for each other. A token that the client got for this server, under another
    name, is resource-parameter-invalid.
    """

    id = "token-foreign"
    title = "Client sent a token that another authorization server issued"
    tier = 3
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = CLIENT
    transport = "http"
    confidence = HEURISTIC
    spec = {"2025-06-18": "basic/authorization#token-handling", MODERN: HANDLING}

    def on_close(self, exchange: HttpExchange) -> Found:
        sent = credentials(exchange)
        if sent is None:
            return
        step = self.session.authorization.tokens.issued.get(sent[1])
        yield from self._issued(exchange, step) if step is not None else self._unknown(exchange, jwt_claims(sent[1]))

    def _issued(self, exchange: HttpExchange, step: Step) -> Found:
        """Judges a token that a token request was answered with."""
        room, meant = self.session.authorization, step.params.get("resource")
        issuers, related = room.issuers, [step.reply_seq, exchange.reply_seq]
        if len(set(issuers)) == 1 and not self._leads_to(issuers[0], step):
            text = f"the token was issued by {quote(step.url)}; the server names {quote(issuers[0])} alone"
            yield self.found(exchange, text, related=related, fault="issuer", where="Authorization")
        elif meant and step not in room.steps and origin_of(meant) != origin_of(room.resource or exchange.url):
            text = f"the token was issued for {quote(meant)}, the server is {quote(exchange.endpoint)}"
            yield self.found(exchange, text, related=related, fault="resource", where="Authorization")

    def _unknown(self, exchange: HttpExchange, claims: dict[str, Any]) -> Found:
        """Judges a token by what it says of itself."""
        named, issuer = {one.rstrip("/") for one in self.session.authorization.issuers}, claims.get("iss")
        if exchange.status != 401 or not isinstance(issuer, str) or (_age(exchange, claims) or 0.0) > 0:
            return
        if len(named) == 1 and issuer.rstrip("/") not in named:
            text = f"the token says that {quote(issuer)} issued it; the server names {quote(named.pop())} alone"
            related, only = [exchange.reply_seq], ("2025-06-18", "2025-11-25")
            yield self.found(exchange, text, related=related, fault="iss", where="Authorization", only_in=only)

    def _leads_to(self, issuer: str, step: Step) -> bool:
        """Whether an issuer's metadata, or its host, name the endpoint that issued a token."""
        documents = self.session.authorization.documents("token_endpoint", step.url)
        named = any(issuer_asked(one) == issuer.rstrip("/") for one in documents)
        return named or origin_of(issuer) == origin_of(step.url)


class TokenPassthrough(Rule):
    """The MCP server sent the token of its client on to another service.

    ## Why it matters
    The token was not made for that service, which cannot tell who is calling; audit trails break, and a stolen token
    opens more.

    ## How to fix
    Get a token of the server's own for the service, by token exchange or client credentials.

    ## When it stays silent
    Only a proxy that sees the server's own requests can tell. The authorization server may be shown the token; where
    nothing shows which one it is, and part of the traffic is missing, any service may be it.
    """

    id = "token-passthrough"
    title = "MCP server forwarded the client's token to an upstream service"
    tier = 3
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = SERVER
    transport = "http"
    confidence = HEURISTIC
    spec = {
        "2025-06-18": "basic/authorization#access-token-privilege-restriction",
        MODERN: "basic/authorization/security-considerations#access-token-privilege-restriction",
    }

    def on_oauth(self, step: Step) -> Found:
        if step.kind is not StepKind.OTHER:
            return
        room, origin = self.session.authorization, origin_of(step.url)
        sent = credentials(step.exchange)
        known = room.tokens.received.get(sent[1]) if sent is not None else None
        own = {origin_of(one) for one in room.issuers} | {origin_of(one.url) for one in room.documents()}
        issue = room.tokens.issued.get(sent[1]) if sent is not None else None
        own |= {origin_of(issue.url)} if issue is not None else set()
        if known is None or origin in own or origin == origin_of(known[1].url):
            return
        if not own and not room.tokens.whole:
            yield self.unchecked("what shows the authorization server may not have been recorded")
            return
        text = f"the token of record {known[1].seq} was sent to {quote(step.url)}"
        yield self.found(step, text, related=[known[1].seq], where="Authorization")


class RefreshTokenNotRotated(Rule):
    """The refresh token of a public client was not replaced when it was used.

    ## Why it matters
    A stolen refresh token stays good for as long as the owner uses it, and nobody notices.

    ## How to fix
    Issue a new refresh token with each use, and void the old one.

    ## When it stays silent
    Clients that authenticate themselves, and tokens bound to a key (DPoP).
    """

    id = "refresh-token-not-rotated"
    title = "Refresh token of a public client was not rotated"
    tier = 3
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = SERVER
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-06-18": "basic/authorization#token-theft",
        MODERN: "basic/authorization/security-considerations#token-theft",
    }

    def on_oauth(self, step: Step) -> Found:
        if step.kind is not StepKind.TOKEN or step.params.get("grant_type") != "refresh_token" or not step.ok:
            return
        secret = step.params.get("client_secret") or step.params.get("client_assertion")
        bound = step.exchange.header("dpop") is not None or str(step.given.get("token_type")).lower() == "dpop"
        if secret or bound or credentials(step.exchange) is not None:
            return
        old, new = step.params.get("refresh_token"), step.given.get("refresh_token")
        if new is None:
            text = "the answer holds no new refresh token"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], only_in=(MODERN,), fault="none")
        elif new == old:
            text = "the answer holds the refresh token that was sent"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], fault="same")
