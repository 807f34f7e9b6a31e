"""Who the client says it is: registration, client id metadata documents, redirect URIs."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.exchange import origin_of, split_url
from mcpsniff.protocol.oauth import Step, StepKind, is_loopback
from mcpsniff.protocol.revisions import LEGACY, MODERN
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, ERROR, INFO, WARNING, Found, Rule, Session, quote

REGISTRATION = "basic/authorization/client-registration"
REQUIRED = ("client_id", "client_name", "redirect_uris")  # of a client id metadata document


def _strings(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


class _Registration(Rule):
    """What they share."""

    tier = 3
    violator = CLIENT
    transport = "http"


class DcrNoApplicationType(_Registration):
    """A dynamic registration does not say whether the client is a native or a web application.

    ## Why it matters
    The server takes it for a web application and refuses its localhost redirect.

    ## How to fix
    Send `"application_type": "native"` for desktop and command line programs, `"web"` for what runs on a server.

    ## When it stays silent
    Where type and redirect URIs fit; where they do not, it is a warning.
    """

    id = "dcr-no-application-type"
    title = "Dynamic client registration without application_type"
    severity = {MODERN: ERROR}
    since = MODERN
    spec = {MODERN: f"{REGISTRATION}#application-type-and-redirect-uri-constraints"}

    def on_oauth(self, step: Step) -> Found:
        if step.kind is not StepKind.REGISTER:
            return
        kind, uris = step.body.get("application_type"), _strings(step.body.get("redirect_uris"))
        local = [is_loopback(uri) for uri in uris]
        if kind is None:
            yield self.found(step, "the registration has no application_type", where="/application_type")
        elif (kind == "web" and any(local)) or (kind == "native" and _remote(uris)):
            text = f"application_type {kind} does not fit the redirect URI {quote(uris[0])}"
            yield self.found(step, text, severity=WARNING, where="/application_type", fault="type")


def _remote(uris: list[str]) -> bool:
    return any(split_url(uri).scheme == "https" and not is_loopback(uri) for uri in uris)


class RegistrationPriority(_Registration):
    """The client registered dynamically although the authorization server takes client id metadata documents.

    ## Why it matters
    Dynamic registration is deprecated: it leaves a client record behind with each installation.

    ## How to fix
    Host a metadata document and use its URL as `client_id`.

    ## When it stays silent
    Where the metadata do not announce `client_id_metadata_document_supported`, or were not seen.
    """

    id = "registration-priority"
    title = "Client used Dynamic Client Registration although client id metadata documents are supported"
    severity = {MODERN: WARNING}
    since = MODERN
    confidence = CONTEXTUAL
    spec = {MODERN: f"{REGISTRATION}#dynamic-client-registration"}

    def on_oauth(self, step: Step) -> Found:
        document = self.session.authorization.document_of(step) if step.kind is StepKind.REGISTER else None
        if document is not None and document.given.get("client_id_metadata_document_supported") is True:
            text = f"the metadata of record {document.reply_seq} announce client_id_metadata_document_supported"
            yield self.found(step, text, related=[document.reply_seq])


class CimdInvalid(_Registration):
    """A client id that is a URL, or the document behind it, is not valid.

    ## Why it matters
    The authorization server refuses the client, or trusts one that anybody can pose as.

    ## How to fix
    Use an HTTPS URL with a path; the document holds `client_id` (the URL itself, exactly), `client_name` and
    `redirect_uris`, and lists the redirect URI that is used.

    ## When it stays silent
    Client ids that are no URLs. The document is judged only where its fetch is in the capture.
    """

    id = "cimd-invalid"
    title = "Client id metadata document or its URL is invalid"
    severity = {"2025-11-25": ERROR}
    since = "2025-11-25"
    confidence = CONTEXTUAL
    spec = {
        "2025-11-25": "basic/authorization#implementation-requirements",
        MODERN: f"{REGISTRATION}#implementation-requirements",
    }

    def on_oauth(self, step: Step) -> Found:
        client = step.params.get("client_id", "")
        if step.kind is StepKind.AUTHORIZE and "://" in client:
            parts = split_url(client)
            if parts.scheme != "https":
                yield self.found(step, f"client_id {quote(client)} is not HTTPS", where="client_id", fault="scheme")
            elif parts.path in ("", "/"):
                yield self.found(step, f"client_id {quote(client)} has no path", where="client_id", fault="path")
        elif step.kind is StepKind.CLIENT and step.ok:
            for fault in self._faults(step):
                text = f"the client id metadata document {fault}"
                yield self.found(step, text, seq=step.reply_seq, related=[step.seq], fault=fault[:40])

    def _faults(self, step: Step) -> Iterator[str]:
        missing = [name for name in REQUIRED if not step.given.get(name)]
        if missing:
            yield f"lacks {', '.join(missing)}"
            return
        if step.given["client_id"] != step.exchange.url:
            yield f"names the client_id {quote(step.given['client_id'])}, not its URL"
        for asked in self.session.authorization.of(StepKind.AUTHORIZE):
            uri = asked.params.get("redirect_uri")
            mine = asked.params.get("client_id") == step.exchange.url
            if mine and uri and uri not in _strings(step.given["redirect_uris"]):
                yield f"does not list the redirect URI {quote(uri)} of record {asked.seq}"


class RedirectUriInsecure(_Registration):
    """A redirect URI is neither on this machine nor HTTPS.

    ## Why it matters
    The authorization code travels in clear text.

    ## How to fix
    Use `http://127.0.0.1` or `http://localhost` with any port, or HTTPS.

    ## When it stays silent
    Loopback addresses. A scheme of an app's own is reported as information in 2026-07-28.
    """

    id = "redirect-uri-insecure"
    title = "Redirect URI is neither localhost nor HTTPS"
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    spec = {
        "2025-03-26": "basic/authorization#security-considerations",
        "2025-06-18": "basic/authorization#communication-security",
        MODERN: "basic/authorization/security-considerations#communication-security",
    }

    def on_oauth(self, step: Step) -> Found:
        for uri in self._uris(step):
            scheme = split_url(uri).scheme
            if scheme == "https" or (scheme == "http" and is_loopback(uri)):
                continue
            text, fault = f"the redirect URI is {quote(uri)}", uri[:80]
            if scheme == "http":
                yield self.found(step, text, fault=fault, where="redirect_uri")
                continue
            yield self.found(step, text, fault=fault, where="redirect_uri", only_in=LEGACY)
            yield self.found(step, text, fault=fault, where="redirect_uri", only_in=(MODERN,), severity=INFO)

    @staticmethod
    def _uris(step: Step) -> list[str]:
        if step.kind is StepKind.AUTHORIZE:
            return [step.params["redirect_uri"]] if step.params.get("redirect_uri") else []
        source = {StepKind.REGISTER: step.body, StepKind.CLIENT: step.given}.get(step.kind, {})
        return _strings(source.get("redirect_uris"))


class CredentialsReusedAcrossAs(_Registration):
    """Credentials that one authorization server issued were sent to another.

    ## Why it matters
    The other server learns a secret that is none of its business, and does not know the client.

    ## How to fix
    Keep registrations by issuer, and register anew where the issuer changes.

    ## When it stays silent
    Client ids that are URLs are good everywhere.
    """

    id = "credentials-reused-across-as"
    title = "Client reused credentials of one authorization server with another"
    severity = {MODERN: ERROR}
    since = MODERN
    confidence = CONTEXTUAL
    spec = {MODERN: f"{REGISTRATION}#authorization-server-binding"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._issued: dict[str, Step] = {}  # client_id or secret → its registration

    def on_oauth(self, step: Step) -> Found:
        if step.kind is StepKind.REGISTER:
            for name in ("client_id", "client_secret"):
                value = step.given.get(name)
                if isinstance(value, str) and "://" not in value and len(self._issued) < 100:
                    self._issued[value] = step
        elif step.kind in (StepKind.AUTHORIZE, StepKind.TOKEN):
            for name in ("client_id", "client_secret"):
                first = self._issued.get(step.params.get(name, ""))
                if first is not None and self._server(first) != self._server(step):
                    text = f"{name} was issued by {quote(self._server(first))} and sent to {quote(self._server(step))}"
                    yield self.found(step, text, related=[first.reply_seq], where=name, fault=name)

    def _server(self, step: Step) -> str:
        """Gives the issuer that a request went to, or its origin where no metadata say which."""
        document = self.session.authorization.document_of(step)
        issuer = document.given.get("issuer") if document is not None else None
        return issuer if isinstance(issuer, str) else origin_of(step.url)
