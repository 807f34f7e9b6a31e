"""What comes back with the redirect: state and issuer."""

from mcpsniff.protocol.oauth import Step, StepKind
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, SERVER, WARNING, Found, Rule, quote

ISS_FLAG = "authorization_response_iss_parameter_supported"
RESPONSE = "basic/authorization/index#authorization-response-validation"


class OauthStateMissing(Rule):
    """An authorization request has no `state`, or a code was redeemed that came back with another one.

    ## Why it matters
    The client cannot tell its own answer from one that an attacker slipped into the browser.

    ## How to fix
    Send a random `state` with each authorization request, and refuse answers with another value.

    ## When it stays silent
    Requests of a browser that the proxy does not see.
    """

    id = "oauth-state-missing"
    title = "Authorization request without state"
    tier = 3
    severity = {"2025-06-18": WARNING}
    since = "2025-06-18"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-06-18": "basic/authorization#open-redirection",
        MODERN: "basic/authorization/security-considerations#open-redirection",
    }

    def on_oauth(self, step: Step) -> Found:
        if step.kind is StepKind.AUTHORIZE and not step.params.get("state"):
            yield self.found(step, "the authorization request has no state", where="state")
        asked = self.session.authorization.authorization_of(step) if step.redeems_code else None
        sent = asked.params.get("state") if asked is not None else None
        if asked is not None and sent and asked.redirect.get("state") != sent:
            text = f"the code came back with the state {quote(asked.redirect.get('state'))}, not {quote(sent)}"
            related = [asked.seq, asked.reply_seq]
            yield self.found(step, text, related=related, severity=ERROR, where="state", fault="differs")


class IssMismatchAccepted(Rule):
    """The client redeemed a code whose `iss` was another issuer's, or missing although announced.

    ## Why it matters
    It is how a mix-up attack looks: the code of one authorization server goes to another.

    ## How to fix
    Compare `iss` with the issuer of the metadata, character by character, before the code is sent anywhere.

    ## When it stays silent
    A missing `iss` is fine where the metadata do not announce it.
    """

    id = "iss-mismatch-accepted"
    title = "Client redeemed a code although iss was wrong or missing"
    tier = 3
    severity = {MODERN: ERROR}
    since = MODERN
    violator = CLIENT
    transport = "http"
    spec = {MODERN: RESPONSE}

    def on_oauth(self, step: Step) -> Found:
        room = self.session.authorization
        asked = room.authorization_of(step) if step.redeems_code else None
        document = room.document_of(asked) if asked is not None else None
        if asked is None or document is None:
            return
        issuer, iss = document.given.get("issuer"), asked.redirect.get("iss")
        related = [asked.reply_seq, document.reply_seq]
        if iss is not None and iss != issuer:
            text = f"the code came back with iss {quote(iss)}, the metadata name {quote(issuer)}"
            yield self.found(step, text, related=related, where="iss")
        elif iss is None and document.given.get(ISS_FLAG) is True:
            text = "the code came back without iss, which the metadata announce"
            yield self.found(step, text, related=related, where="iss")


class IssNotSentOrAdvertised(Rule):
    """The authorization server's redirect has no `iss`, or has one that its metadata do not announce.

    ## Why it matters
    Clients can only insist on `iss` where it is announced; without it they cannot see a mix-up.

    ## How to fix
    Send `iss` with every authorization response, and set `authorization_response_iss_parameter_supported` to true.

    ## When it stays silent
    Where the metadata are not in the capture. A missing `iss` is reported as information.
    """

    id = "iss-not-sent-or-advertised"
    title = "Authorization server omits iss, or sends it without advertising it"
    tier = 3
    severity = {MODERN: WARNING}
    since = MODERN
    violator = SERVER
    transport = "http"
    spec = {MODERN: RESPONSE}

    def on_oauth(self, step: Step) -> Found:
        document = self.session.authorization.document_of(step)
        if document is None or step.kind is not StepKind.AUTHORIZE or "code" not in step.redirect:
            return
        related = [step.seq, document.reply_seq]
        if "iss" not in step.redirect:
            text = "the redirect has no iss"
            yield self.found(step, text, seq=step.reply_seq, related=related, severity=INFO, where="iss")
        elif document.given.get(ISS_FLAG) is not True:
            text = f"the redirect has iss, but the metadata have no {ISS_FLAG}"
            yield self.found(step, text, seq=step.reply_seq, related=related, where="iss")
