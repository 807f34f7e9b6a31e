"""In which order a client looks for metadata, and whether it believes them."""

from mcpsniff.protocol.authorization import issuer_asked
from mcpsniff.protocol.challenges import Challenge
from mcpsniff.protocol.exchange import joined_url, origin_of, split_url
from mcpsniff.protocol.oauth import OAUTH, PRM, Step, StepKind, well_known
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, WARNING, Found, Rule, Session, quote

DISCOVERY = "basic/authorization/authorization-server-discovery"
BY_HEADER = ("2025-06-18", "2025-11-25", MODERN)
BY_URL = ("2025-11-25", MODERN)


class PrmDiscoveryOrder(Rule):
    """After a 401 the client did not look where the server, or the specification, told it to look first.

    ## Why it matters
    It finds the metadata of another resource on the same host, or none at all.

    ## How to fix
    Fetch the URL in `resource_metadata` where the challenge has one; else the well-known URL with the path of the MCP
    endpoint, and only after that has failed the one at the root. In 2025-03-26: the authorization server metadata at
    the root of the server's origin.

    ## When it stays silent
    Only the first request after a 401 is judged; a client that fetches nothing may know the answer from before.
    """

    id = "prm-discovery-order"
    title = "Client ignored resource_metadata or tried well-known forms in the wrong order"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-03-26": "basic/authorization#server-metadata-discovery",
        "2025-06-18": "basic/authorization#authorization-server-discovery",
        "2025-11-25": "basic/authorization#protected-resource-metadata-discovery-requirements",
        MODERN: f"{DISCOVERY}#protected-resource-metadata-discovery-requirements",
    }

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._challenge: Challenge | None = None  # after which nothing was fetched yet

    def on_challenge(self, challenge: Challenge) -> Found:
        if challenge.status == 401 and (challenge.bearer or not challenge.offered):
            self._challenge = challenge
        yield from ()

    def on_oauth(self, step: Step) -> Found:
        challenge = self._challenge
        if challenge is None or step.seq < challenge.seq or step.kind not in (StepKind.RESOURCE, StepKind.SERVER):
            return
        self._challenge = None
        related = [challenge.seq]
        name, path = well_known(step.exchange.url) or ("", "")
        named = challenge.params.get("resource_metadata")
        home, endpoint = origin_of(challenge.exchange.url), challenge.exchange.endpoint
        below = endpoint.removeprefix(origin_of(endpoint))
        if step.kind is StepKind.SERVER:
            if name == OAUTH and path and origin_of(step.url) == home:
                text = f"{quote(step.url)} was asked for before the one at the root"
                yield self.found(step, text, related=related, only_in=("2025-03-26",))
        elif named and not self._is(step, joined_url(challenge.exchange.url, named)):
            text = f"the challenge names {quote(named)}, the client asked for {quote(step.url)} first"
            yield self.found(step, text, related=related, only_in=BY_HEADER)
        elif not named and name == PRM and not path and below and origin_of(step.url) == home:
            text = f"the form at the root was asked for before the one with the path {quote(below)}"
            yield self.found(step, text, related=related, only_in=BY_URL)

    @staticmethod
    def _is(step: Step, url: str) -> bool:
        """Whether a step asks for a URL; a proxy may have another origin than the server knows of."""
        return split_url(step.url).path == split_url(url).path


class AsMetadataOrder(Rule):
    """The client tried the URLs of authorization server metadata in another order than the specification's.

    ## Why it matters
    Where more than one answers, it takes the wrong document.

    ## How to fix
    `oauth-authorization-server` first, then `openid-configuration`, each with the issuer's path inserted, then
    `openid-configuration` appended to the path; stop at the first success.

    ## When it stays silent
    Where the first form was tried, whatever came of it. Requests that the proxy does not see cannot be told from
    skipped ones.
    """

    id = "as-metadata-order"
    title = "Client tried authorization server metadata locations in the wrong order"
    tier = 3
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-03-26": "basic/authorization#server-metadata-discovery",
        "2025-06-18": "basic/authorization#authorization-server-discovery",
        "2025-11-25": "basic/authorization#authorization-server-metadata-discovery",
        MODERN: f"{DISCOVERY}#authorization-server-metadata-discovery",
    }

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._tried: dict[str, int] = {}  # issuer → the form tried last, -1 for none

    def on_oauth(self, step: Step) -> Found:
        found = well_known(step.exchange.url)
        if step.kind is not StepKind.SERVER or found is None:
            return
        name, path = found
        appended = split_url(step.exchange.url).path.startswith(path + "/.well-known/") and bool(path)
        form = 0 if name == OAUTH else 2 if appended else 1
        issuer = issuer_asked(step)
        last = self._tried.get(issuer, -1)
        if len(self._tried) < 100:
            self._tried[issuer] = max(form, last)
        if form > last + 1:
            missed = OAUTH if last < 0 else "openid-configuration with the path inserted"
            text = f"{quote(step.url)} was asked for before {missed} of {quote(issuer)}"
            yield self.found(step, text, fault=issuer[:80])


class AsIssuerMismatchUsed(Rule):
    """The client went on with metadata whose issuer is not the one that it had asked for.

    ## Why it matters
    Whoever can answer for one issuer in another's name gets the client's codes: the mix-up attack.

    ## How to fix
    Compare `issuer` with the issuer that the URL was built from, character by character, and drop the document where
    they differ.

    ## When it stays silent
    Documents that were not used. A slash at the end counts.
    """

    id = "as-issuer-mismatch-used"
    title = "Client used metadata whose issuer does not match"
    tier = 3
    severity = {MODERN: ERROR}
    since = MODERN
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = {MODERN: f"{DISCOVERY}#authorization-server-metadata-discovery"}

    def on_oauth(self, step: Step) -> Found:
        document = self.session.authorization.document_of(step)
        if document is None or step.kind is StepKind.REGISTER:
            return
        issuer, asked = document.given.get("issuer"), issuer_asked(document)
        known = [one for one in self.session.authorization.issuers if one.rstrip("/") == asked]
        if issuer in (known or [asked]):
            return
        wanted = (known or [asked])[0]
        slash = ", but for a slash at the end" if str(issuer).rstrip("/") == wanted.rstrip("/") else ""
        text = f"the metadata of record {document.seq} name the issuer {quote(issuer)}, not {quote(wanted)}{slash}"
        yield self.found(step, text, related=[document.reply_seq, document.seq], fault=asked[:80])


class AuthMetadataVersionHeader(Rule):
    """Authorization server metadata were asked for without MCP-Protocol-Version.

    ## Why it matters
    The server may answer by the version that the client speaks.

    ## How to fix
    Send `MCP-Protocol-Version: 2025-03-26` with the request.

    ## When it stays silent
    Browsers, and every revision but 2025-03-26.
    """

    id = "auth-metadata-version-header"
    title = "Metadata discovery without MCP-Protocol-Version"
    tier = 3
    severity = {"2025-03-26": WARNING}
    since = until = "2025-03-26"
    violator = CLIENT
    transport = "http"
    spec = {"2025-03-26": "basic/authorization#server-metadata-discovery-headers"}

    def on_oauth(self, step: Step) -> Found:
        name, _ = well_known(step.exchange.url) or ("", "")
        browser = "Mozilla/" in (step.exchange.header("user-agent") or "")
        if name == OAUTH and step.exchange.version is None and not browser:
            text = f"{quote(step.url)} was asked for without the header"
            yield self.found(step, text, where="MCP-Protocol-Version")
