"""What one session shows of its authorization: challenges, metadata, the steps of OAuth and the tokens they gave.

Steps and challenges come in order of their ends. Secrets are compared as they stand in the capture, where equal
fingerprints mean equal secrets. Judges nothing; see 2026-07-28 basic/authorization.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from .bounded import BoundedDict, Drops
from .challenges import Challenge
from .credentials import scopes
from .marks import Framing
from .oauth import Step, StepKind, bare_url, issuer_of

STEPS_KEPT = 500  # of one session
TOKEN_CAP = 5_000  # of one capture
REDACTED = "‹redacted:"

ENDPOINTS = {  # member of authorization server metadata → what is asked there
    "authorization_endpoint": StepKind.AUTHORIZE,
    "token_endpoint": StepKind.TOKEN,
    "registration_endpoint": StepKind.REGISTER,
}


class Tokens:
    """The access tokens of one capture: who gave them out, and which MCP servers were sent them."""

    def __init__(self, drops: Drops) -> None:
        self.issued: BoundedDict[str, Step] = BoundedDict("issued tokens", TOKEN_CAP, drops)
        self.received: BoundedDict[str, tuple[Any, Any]] = BoundedDict("received tokens", TOKEN_CAP, drops)
        self.whole = True  # nothing of the capture is missing so far, which may have shown who gives them out

    def take(self, step: Step) -> None:
        """Notes the token that a token request was answered with."""
        token = step.given.get("access_token")
        if step.kind is StepKind.TOKEN and isinstance(token, str):
            self.issued[token] = step


class Authorization:
    """The authorization of one session."""

    def __init__(self, drops: Drops) -> None:
        self.tokens = Tokens(drops)  # of the whole capture, once an HTTP capture gives it
        self.challenges: deque[Challenge] = deque(maxlen=STEPS_KEPT)
        self.steps: deque[Step] = deque(maxlen=STEPS_KEPT)

    def challenged(self, challenge: Challenge) -> None:
        """Takes in a refusal for want of authorization."""
        self.challenges.append(challenge)

    def take(self, step: Step) -> None:
        """Takes in a step of OAuth."""
        self.steps.append(step)

    # what is known

    @property
    def asked(self) -> Framing:
        """How the request was framed that was refused last."""
        return self.challenges[-1].mark.framing if self.challenges else Framing.BARE

    @property
    def used(self) -> bool:
        """Whether a bearer token was asked for, or a step of OAuth seen."""
        return bool(self.steps) or any(challenge.bearer for challenge in self.challenges)

    def of(self, *kinds: StepKind) -> list[Step]:
        """Gives the steps of some kinds, in order."""
        return [step for step in self.steps if step.kind in kinds]

    @property
    def resources(self) -> list[Step]:
        """The protected resource metadata that were found."""
        return [step for step in self.of(StepKind.RESOURCE) if step.ok]

    @property
    def resource(self) -> str | None:
        """The name that the MCP server gives itself in its metadata."""
        names = (step.given.get("resource") for step in reversed(self.resources))
        return next((name for name in names if isinstance(name, str)), None)

    @property
    def issuers(self) -> list[str]:
        """The authorization servers that the MCP server names."""
        return [issuer for step in self.resources for issuer in named_issuers(step)]

    @property
    def scopes_supported(self) -> frozenset[str] | None:
        """The scopes of the protected resource metadata; None where they name none, or were not seen."""
        known = [step.given["scopes_supported"] for step in self.resources if "scopes_supported" in step.given]
        return scopes(known[-1]) if known else None

    def documents(self, member: str | None = None, url: str = "") -> list[Step]:
        """Gives the authorization server metadata that were found: those that name this URL at `member`, else all."""
        found = [step for step in self.of(StepKind.SERVER) if step.ok]
        return found if member is None else [step for step in found if endpoint(step, member) == url]

    def document_of(self, step: Step) -> Step | None:
        """Gives the metadata that led to an authorization, token or registration request, the latest of them."""
        member = next((member for member, kind in ENDPOINTS.items() if kind is step.kind), None)
        found = self.documents(member, step.url) if member is not None else []
        return found[-1] if found else None

    def authorization_of(self, token: Step) -> Step | None:
        """Gives the authorization request whose code a token request redeems, the latest where codes are redacted."""
        code = token.params.get("code", "")
        answered = [step for step in self.of(StepKind.AUTHORIZE) if "code" in step.redirect]
        if REDACTED in code:
            return answered[-1] if answered else None
        return next((step for step in reversed(answered) if step.redirect["code"] == code), None)


def named_issuers(step: Step) -> list[str]:
    """Gives the authorization servers of protected resource metadata."""
    value = step.given.get("authorization_servers")
    return [issuer for issuer in value if isinstance(issuer, str)] if isinstance(value, list) else []


def endpoint(document: Step, member: str) -> str | None:
    """Gives a URL of metadata without its query, or None."""
    value = document.given.get(member)
    return bare_url(value) if isinstance(value, str) else None


def issuer_asked(document: Step) -> str:
    """Gives the issuer for which metadata were asked."""
    return issuer_of(document.exchange.url) or document.url
