"""What the metadata of resource and authorization servers must hold."""

from collections.abc import Iterator

from mcpsniff.protocol.authorization import named_issuers
from mcpsniff.protocol.challenges import Challenge
from mcpsniff.protocol.credentials import scopes
from mcpsniff.protocol.exchange import split_url
from mcpsniff.protocol.oauth import OPENID, Step, StepKind, bare_url, is_loopback, well_known
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import ERROR, INFO, SERVER, WARNING, Found, Rule, quote

DISCOVERY = "basic/authorization/authorization-server-discovery"
SECURITY = "basic/authorization/security-considerations"


class PrmInvalid(Rule):
    """Protected resource metadata do not name the authorization servers.

    ## Why it matters
    The document exists to say where tokens come from; without that the client is lost.

    ## How to fix
    Serve JSON with `resource` and a non-empty `authorization_servers` (RFC 9728).

    ## When it stays silent
    Documents that were not found under a well-known URL: another form may work. A URL that a challenge names must
    work.
    """

    id = "prm-invalid"
    title = "Protected resource metadata lacks authorization_servers"
    tier = 2
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-06-18": "basic/authorization#authorization-server-location",
        MODERN: f"{DISCOVERY}#authorization-server-location",
    }

    def on_oauth(self, step: Step) -> Found:
        if step.kind is not StepKind.RESOURCE or step.exchange.status is None:
            return
        if not step.ok:
            if self._advertised(step) and step.exchange.closed_by != "client":
                text = f"the document that a challenge names came with status {step.exchange.status} and no JSON object"
                earlier = ("2025-06-18", "2025-11-25")
                yield self.found(step, text, seq=step.reply_seq, related=[step.seq], only_in=earlier)
            return
        if not named_issuers(step):
            text = "authorization_servers is missing or empty"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], where="/authorization_servers")
        elif not isinstance(step.given.get("resource"), str):
            text = "resource is missing"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], where="/resource", only_in=(MODERN,))

    def _advertised(self, step: Step) -> bool:
        named = (one.params.get("resource_metadata", "") for one in self.session.authorization.challenges)
        return any(bare_url(url) == step.url for url in named)


class OfflineAccessAdvertised(Rule):
    """The MCP server lists `offline_access` among its scopes.

    ## Why it matters
    Refresh tokens are between client and authorization server; a resource has no need of that scope.

    ## How to fix
    Leave it out of challenges and of `scopes_supported`; the authorization server's own metadata may list it.

    ## When it stays silent
    In the handshake revisions, which do not speak of it.
    """

    id = "offline-access-advertised"
    title = "offline_access appears in a challenge or in scopes_supported"
    tier = 2
    severity = {MODERN: WARNING}
    since = MODERN
    violator = SERVER
    transport = "http"
    spec = {MODERN: "basic/authorization/index#refresh-tokens"}

    def on_challenge(self, challenge: Challenge) -> Found:
        if "offline_access" in challenge.scopes:
            text = "the challenge asks for offline_access"
            yield self.found(challenge, text, related=[challenge.exchange.seq], where="WWW-Authenticate")

    def on_oauth(self, step: Step) -> Found:
        if step.kind is StepKind.RESOURCE and "offline_access" in scopes(step.given.get("scopes_supported")):
            text = "scopes_supported lists offline_access"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], where="/scopes_supported")


class AsMetadataNoPkce(Rule):
    """OpenID provider metadata lack `code_challenge_methods_supported`.

    ## Why it matters
    Clients must refuse an authorization server that does not announce PKCE.

    ## How to fix
    Add `"code_challenge_methods_supported": ["S256"]`.

    ## When it stays silent
    In RFC 8414 documents the absence means that there is no PKCE: that is reported as information.
    """

    id = "as-metadata-no-pkce"
    title = "OpenID provider metadata lacks code_challenge_methods_supported"
    tier = 3
    severity = {"2025-11-25": ERROR}
    since = "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-11-25": "basic/authorization#authorization-code-protection",
        MODERN: f"{SECURITY}#authorization-code-protection",
    }

    def on_oauth(self, step: Step) -> Found:
        if step.kind is StepKind.SERVER and step.ok and "code_challenge_methods_supported" not in step.given:
            name, _ = well_known(step.exchange.url) or ("", "")
            text = "code_challenge_methods_supported is missing"
            severity = None if name == OPENID else INFO
            where = "/code_challenge_methods_supported"
            yield self.found(step, text, seq=step.reply_seq, related=[step.seq], severity=severity, where=where)


class AsEndpointInsecure(Rule):
    """An endpoint of the authorization server is not HTTPS.

    ## Why it matters
    Codes and tokens travel in clear text.

    ## How to fix
    Serve every endpoint over HTTPS, and say so in the metadata.

    ## When it stays silent
    Endpoints on this machine, as they are in development.
    """

    id = "as-endpoint-insecure"
    title = "Authorization server endpoint is not HTTPS"
    tier = 3
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    spec = {
        "2025-03-26": "basic/authorization#security-considerations",
        "2025-06-18": "basic/authorization#communication-security",
        MODERN: f"{SECURITY}#communication-security",
    }

    def on_oauth(self, step: Step) -> Found:
        for member, url in self._urls(step):
            if split_url(url).scheme == "http" and not is_loopback(url):
                text = f"{member} is {quote(url)}"
                seq = step.reply_seq if step.kind is StepKind.SERVER else step.seq
                yield self.found(step, text, seq=seq, related=[step.seq], fault=url[:80])

    @staticmethod
    def _urls(step: Step) -> Iterator[tuple[str, str]]:
        if step.kind is StepKind.SERVER:
            for member in ("issuer", "authorization_endpoint", "token_endpoint", "registration_endpoint", "jwks_uri"):
                value = step.given.get(member)
                if isinstance(value, str):
                    yield member, value
        elif step.kind in (StepKind.AUTHORIZE, StepKind.TOKEN, StepKind.REGISTER):
            yield f"the endpoint of the {step.kind.value}", step.url
