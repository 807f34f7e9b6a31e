"""Refusals for want of authorization, and what they must say."""

import re
from collections.abc import Iterator

from mcpsniff.protocol.challenges import ERROR_STATUS, Challenge, told_error
from mcpsniff.protocol.credentials import credentials
from mcpsniff.protocol.exchange import origin_of
from mcpsniff.protocol.oauth import PRM, Step, StepKind, well_known
from mcpsniff.protocol.revisions import INPUT_REQUIRED, MODERN, REVISIONS
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    ERROR,
    INFO,
    SERVER,
    WARNING,
    Call,
    Found,
    Message,
    Rule,
    Session,
    quote,
)
from mcpsniff.rules.when import error, when

BY_WORDS = re.compile(r"unauthori[sz]ed|authentication (is )?required|not authenticated", re.IGNORECASE)
BY_TOKEN = re.compile(
    r"(invalid|expired|missing)[\s_-](access[\s_-]|bearer[\s_-])?token|token (has |is )?(expired|invalid)",
    re.IGNORECASE,
)
OF_SCOPE = re.compile(r"\bscopes?\b|\bpermissions?\b", re.IGNORECASE)


class UnauthorizedWithoutDiscovery(Rule):
    """A 401 gives the client no way to find the authorization server.

    ## Why it matters
    The client knows that it must authorise itself, and not with whom: the user sees an error and nothing to do.

    ## How to fix
    Send `WWW-Authenticate: Bearer resource_metadata="…"` with every 401, and serve the document that it names.

    ## When it stays silent
    Servers that ask for another scheme than Bearer alone. From 2025-11-25 on the well-known document will do: there the
    missing header is information until both forms of its URL were asked for in vain. A client that was looking when the
    capture was cut may have found it.
    """

    id = "unauthorized-without-discovery"
    title = "401 gives no way to find the authorization server"
    tier = 2
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = SERVER
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-06-18": "basic/authorization#authorization-server-location",
        "2025-11-25": "basic/authorization#protected-resource-metadata-discovery-requirements",
        "2026-07-28": "basic/authorization/authorization-server-discovery"
        "#protected-resource-metadata-discovery-requirements",
    }

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._first: Challenge | None = None  # that names no metadata

    def on_challenge(self, challenge: Challenge) -> Found:
        other = challenge.offered and not challenge.bearer
        if challenge.status != 401 or other or challenge.params.get("resource_metadata"):
            return
        self._first = self._first or challenge
        text = "the challenge names no resource_metadata" if challenge.offered else "a 401 without WWW-Authenticate"
        related = [challenge.exchange.seq]
        yield self.found(challenge, text, related=related, only_in=("2025-06-18",), where="WWW-Authenticate")

    def on_end(self) -> Found:
        if self._first is None:
            return
        tried = dict(self._tried())
        if any(step.ok for step in tried.values()):
            return
        if tried and self.session.cut:
            yield self.unchecked("the capture was cut before a document was found")
            return
        failed = {"", self._path(self._first)} <= tried.keys()
        why = "no well-known document was found either" if failed else "not every well-known URL was tried"
        yield self.found(
            self._first,
            f"the 401 names no resource_metadata, and {why}",
            related=[self._first.exchange.seq, *(step.reply_seq for step in tried.values())],
            severity=None if failed else INFO,
            only_in=("2025-11-25", MODERN),
            where="WWW-Authenticate",
        )

    def _tried(self) -> Iterator[tuple[str, Step]]:
        """Gives the requests of well-known documents, by the path that they are about."""
        for step in self.session.authorization.of(StepKind.RESOURCE):
            name, path = well_known(step.exchange.url) or ("", "")
            if name == PRM:
                yield path, step

    @staticmethod
    def _path(challenge: Challenge) -> str:
        endpoint = challenge.exchange.endpoint
        return endpoint.removeprefix(origin_of(endpoint))


class AuthStatusMismatch(Rule):
    """The HTTP status does not fit the authorization error that the response tells.

    ## Why it matters
    Clients act on the status: on 401 they get a new token, on 403 more scopes. With another one they give up.

    ## How to fix
    401 for a missing, invalid or expired token, 403 for one with too few scopes, 400 for a malformed request.

    ## When it stays silent
    403 for an Origin or by policy, a 401 without a body, and errors of what a tool does.
    """

    id = "auth-status-mismatch"
    title = "HTTP status does not fit the authorization error"
    tier = 2
    severity = {"2025-03-26": ERROR}
    since = "2025-03-26"
    violator = SERVER
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-03-26": "basic/authorization#error-handling",
        "2026-07-28": "basic/authorization/index#error-handling",
    }

    def on_challenge(self, challenge: Challenge) -> Found:
        told = challenge.error or told_error(challenge.exchange)
        right = ERROR_STATUS.get(told) if told is not None else None
        if right in (None, challenge.status):
            return
        only = (MODERN,) if told == "invalid_request" else REVISIONS
        text = f"status {challenge.status} with the error {told}, which belongs to {right}"
        yield self.found(challenge, text, related=[challenge.exchange.seq], only_in=only)

    @when(error)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange = message.exchange
        if message.sender != SERVER or call is None or exchange is None:
            return
        words = str(message.error.get("message"))
        anonymous = credentials(exchange) is None
        if exchange.status != 200 or (call.method in INPUT_REQUIRED and not anonymous):
            return
        if BY_TOKEN.search(words) or (anonymous and BY_WORDS.search(words)):
            text = f'status 200 with the error "{quote(words)}", which belongs to 401'
            mark = self.session.era.door_mark(message.seq, call.mark.framing)
            yield self.found(message, text, related=[exchange.seq, exchange.reply_seq], mark=mark)


class ChallengeWithoutScope(Rule):
    """A challenge does not name the scopes that are needed, or is otherwise incomplete.

    ## Why it matters
    The client has to guess which scopes to ask for, and asks for all or for too few.

    ## How to fix
    Add `scope="…"` to the Bearer challenge; to a 403 also `error="insufficient_scope"` and `resource_metadata`.

    ## When it stays silent
    A 403 that speaks neither of scopes nor of permissions has other reasons (Origin, policy); `error_description` is
    optional.
    """

    id = "challenge-without-scope"
    title = "Authorization challenge names no scope or is otherwise incomplete"
    tier = 2
    severity = {"2025-11-25": WARNING}
    since = "2025-11-25"
    violator = SERVER
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-11-25": "basic/authorization#protected-resource-metadata-discovery-requirements",
        "2026-07-28": "basic/authorization/index#scope-selection-strategy",
    }
    yields_to = ("auth-status-mismatch",)

    def on_challenge(self, challenge: Challenge) -> Found:
        missing = list(self._missing(challenge))
        if missing:
            text = f"the challenge of a {challenge.status} lacks {', '.join(missing)}"
            related = [challenge.exchange.seq]
            yield self.found(challenge, text, related=related, fault=str(challenge.status), where="WWW-Authenticate")

    def _missing(self, challenge: Challenge) -> Iterator[str]:
        if challenge.status == 401 and challenge.bearer:
            if not challenge.scopes:
                yield "scope"
        elif challenge.status == 403 and self._about_scopes(challenge):
            if not challenge.bearer:
                yield "Bearer"
            wanted = {"error": challenge.error, "scope": challenge.scopes}
            wanted["resource_metadata"] = challenge.params.get("resource_metadata")
            yield from (name for name, value in wanted.items() if not value)

    @staticmethod
    def _about_scopes(challenge: Challenge) -> bool:
        """Whether a 403 refuses a token for its scopes."""
        if credentials(challenge.exchange) is None or challenge.error not in (None, "insufficient_scope"):
            return False
        body = challenge.exchange.body
        said = [text for sender, _, text in challenge.exchange.texts if sender == SERVER]
        said += [challenge.params.get("error_description", "")]
        said += [body.raw.decode("utf-8", "replace")[:2_000]] if body is not None else []
        return challenge.error is not None or any(map(OF_SCOPE.search, said))
