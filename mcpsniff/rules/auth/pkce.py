"""Proof keys for authorization codes (RFC 7636)."""

from mcpsniff.protocol.oauth import Step, StepKind
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, ERROR, Found, Rule, quote


class _Pkce(Rule):
    """What the three share."""

    tier = 3
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-03-26": "basic/authorization#implementation-requirements",
        "2025-06-18": "basic/authorization#authorization-code-protection",
        MODERN: "basic/authorization/security-considerations#authorization-code-protection",
    }


class PkceMissing(_Pkce):
    """The authorization code flow was used without PKCE.

    ## Why it matters
    Whoever catches the code, through a log or another program on the machine, can redeem it.

    ## How to fix
    Send `code_challenge` with the authorization request and `code_verifier` with the token request.

    ## When it stays silent
    Client credentials, refresh tokens and device codes need none.
    """

    id = "pkce-missing"
    title = "Authorization code flow without PKCE"

    def on_oauth(self, step: Step) -> Found:
        member = "code_challenge" if step.asks_for_code else "code_verifier" if step.redeems_code else None
        if member is not None and not step.params.get(member):
            yield self.found(step, f"the {step.kind.value} has no {member}", where=member, fault=member)


class PkceNotS256(_Pkce):
    """The code challenge is the verifier itself (`plain`), not its SHA-256.

    ## Why it matters
    Whoever reads the authorization request can redeem the code.

    ## How to fix
    Send `code_challenge_method=S256`; without the parameter the method is `plain`.

    ## When it stays silent
    Before 2025-11-25, and where there is no challenge at all: pkce-missing says that.
    """

    id = "pkce-not-s256"
    title = "PKCE does not use S256"

    def on_oauth(self, step: Step) -> Found:
        method = step.params.get("code_challenge_method")
        if step.asks_for_code and step.params.get("code_challenge") and method != "S256":
            text = (
                "code_challenge_method is missing"
                if method is None
                else f"code_challenge_method is {quote(method, 40)}"
            )
            yield self.found(step, text, where="code_challenge_method", only_in=("2025-11-25", MODERN))


class PkceUnsupportedProceeded(_Pkce):
    """The client went on although the authorization server does not announce PKCE.

    ## Why it matters
    The server may ignore the challenge, and the client would not notice.

    ## How to fix
    Refuse authorization servers whose metadata lack `code_challenge_methods_supported`.

    ## When it stays silent
    Metadata that the capture does not hold are unknown; where another document of the server has the member, that may
    be the one used.
    """

    id = "pkce-unsupported-proceeded"
    title = "Client went on although metadata does not announce PKCE"
    severity = {"2025-11-25": ERROR}
    since = "2025-11-25"

    def on_oauth(self, step: Step) -> Found:
        if not (step.asks_for_code or step.redeems_code):
            return
        room = self.session.authorization
        member = "authorization_endpoint" if step.kind is StepKind.AUTHORIZE else "token_endpoint"
        documents = room.documents(member, step.url)
        if documents and not any(one.given.get("code_challenge_methods_supported") for one in documents):
            text = f"the metadata of record {documents[-1].reply_seq} have no code_challenge_methods_supported"
            yield self.found(step, text, related=[documents[-1].reply_seq])
