"""Which scopes are asked for, and how often."""

from collections import deque

from mcpsniff.protocol.challenges import Challenge
from mcpsniff.protocol.credentials import scopes
from mcpsniff.protocol.oauth import Step, StepKind
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, HEURISTIC, SERVER, WARNING, Found, Rule, Session, quote

CYCLES = 3  # of a refusal and a new token, that a client may go through
REFUSALS = 5  # in a row, for one operation
WITHIN = 60.0  # seconds
OFFLINE = frozenset({"offline_access"})  # clients may add it on their own


def _list(names: frozenset[str]) -> str:
    return quote(" ".join(sorted(names)))


class ScopeChallengeIncremental(Rule):
    """The scopes that one operation needs were challenged one after the other.

    ## Why it matters
    The user is sent to the browser again and again for a single operation.

    ## How to fix
    Name all scopes that the operation needs in one challenge.

    ## When it stays silent
    Where a later challenge names no scope that the earlier ones did not name.
    """

    id = "scope-challenge-incremental"
    title = "Scopes for one operation are challenged one after the other"
    tier = 3
    severity = {MODERN: WARNING}
    since = MODERN
    violator = SERVER
    transport = "http"
    confidence = HEURISTIC
    spec = {MODERN: "basic/authorization/index#runtime-insufficient-scope-errors"}

    def on_challenge(self, challenge: Challenge) -> Found:
        if challenge.error != "insufficient_scope":
            return
        known = self.session.authorization.challenges
        earlier = [c for c in known if c.operation == challenge.operation and c.error == challenge.error]
        named = frozenset[str]().union(*(one.scopes for one in earlier))
        if named and not challenge.scopes <= named:
            text = (
                f"{quote(challenge.operation[0])} now needs {_list(challenge.scopes)}; {_list(named)} was named before"
            )
            related = [challenge.exchange.seq, *(one.seq for one in earlier)]
            yield self.found(challenge, text, related=related)


class ScopeSelectionOrder(Rule):
    """The client did not ask for the scopes that the challenge, or else the metadata, name.

    ## Why it matters
    The token will not do, and the user has to consent again.

    ## How to fix
    Ask for the scopes of the challenge; without them for all of `scopes_supported`; where that is missing, too, send no
    scope.

    ## When it stays silent
    More scopes than those of the challenge, `offline_access`, and requests of a browser that the proxy does not see.
    """

    id = "scope-selection-order"
    title = "Client did not request the challenged scopes"
    tier = 3
    severity = {"2025-11-25": WARNING}
    since = "2025-11-25"
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = {
        "2025-11-25": "basic/authorization#scope-selection-strategy",
        MODERN: "basic/authorization/index#scope-selection-strategy",
    }

    def on_oauth(self, step: Step) -> Found:
        room = self.session.authorization
        if step.kind is not StepKind.AUTHORIZE or not room.challenges:
            return
        challenge = room.challenges[-1]
        if any(one.seq > challenge.seq for one in room.of(StepKind.AUTHORIZE)):
            return
        asked, supported = scopes(step.params.get("scope")), room.scopes_supported
        if challenge.scopes - asked:
            text = f"the challenge names {_list(challenge.scopes)}, the client asked for {_list(asked)}"
            yield self.found(step, text, related=[challenge.seq], where="scope")
        elif not challenge.scopes and room.resources and asked - OFFLINE and asked - OFFLINE != supported:
            known = "are missing" if supported is None else f"are {_list(supported)}"
            text = f"the client asked for {_list(asked)}; scopes_supported {known}"
            yield self.found(step, text, related=[challenge.seq, room.resources[-1].reply_seq], where="scope")


class StepupScopeDropped(Rule):
    """After a refusal for too few scopes the client asked for the new ones alone.

    ## Why it matters
    The new token lacks what the old one could do: the next operation fails, and client and server go in circles.

    ## How to fix
    Ask for the union of the scopes asked for before and those of the challenge.

    ## When it stays silent
    Where no earlier authorization request was seen.
    """

    id = "stepup-scope-dropped"
    title = "Step-up authorization dropped scopes asked for before"
    tier = 3
    severity = {MODERN: WARNING}
    since = MODERN
    violator = CLIENT
    transport = "http"
    confidence = CONTEXTUAL
    spec = {MODERN: "basic/authorization/index#step-up-authorization-flow"}

    def on_oauth(self, step: Step) -> Found:
        room = self.session.authorization
        before = room.of(StepKind.AUTHORIZE)
        if step.kind is not StepKind.AUTHORIZE or not before or not room.challenges:
            return
        challenge = room.challenges[-1]
        if challenge.error != "insufficient_scope" or before[-1].seq > challenge.seq:
            return
        wanted = challenge.scopes.union(*(scopes(one.params.get("scope")) for one in before))
        asked = scopes(step.params.get("scope"))
        if wanted - asked:
            text = f"the client asked for {_list(asked)}, without {_list(wanted - asked)}"
            yield self.found(step, text, related=[challenge.seq, before[-1].seq], where="scope")


class _RetryLoop(Rule):
    """What both eras share: the refusals in a row for one operation."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._row: deque[Challenge] = deque(maxlen=2 * REFUSALS)

    def on_challenge(self, challenge: Challenge) -> Found:
        if challenge.status not in (401, 403):
            return
        if self._row and self._row[-1].operation != challenge.operation:
            self._row.clear()
        self._row.append(challenge)
        if self.is_loop(challenge):
            text = f"{quote(challenge.operation[0])} was refused {len(self._row)} times in a row"
            related = [challenge.seq, *(one.exchange.seq for one in self._row)]
            yield self.found(challenge, text, seq=challenge.exchange.seq, related=related)
            self._row.clear()

    def is_loop(self, challenge: Challenge) -> bool:
        """Whether the refusals so far are too many."""
        raise NotImplementedError


class AuthRetryLoop(_RetryLoop):
    """The client repeated an operation again and again although it was refused each time.

    ## Why it matters
    It keeps browser, authorization server and MCP server busy, and comes no further.

    ## How to fix
    Stop after a few attempts with the same result and tell the user.

    ## When it stays silent
    Different operations; up to five refusals a minute, and in the handshake era up to three new tokens with the same
    scopes.
    """

    id = "auth-retry-loop"
    title = "Client repeats an unauthorized operation without limit"
    tier = 3
    severity = {"2025-11-25": WARNING}
    since = until = "2025-11-25"
    violator = CLIENT
    transport = "http"
    confidence = HEURISTIC
    spec = {"2025-11-25": "basic/authorization#step-up-authorization-flow"}

    def is_loop(self, challenge: Challenge) -> bool:
        same = [one for one in self._row if one.scopes == challenge.scopes]
        return len({one.exchange.header("authorization") for one in same}) > CYCLES


class AuthRetryLoopModern(_RetryLoop):
    """More than five refusals of one operation within a minute, with or without new tokens."""

    id = "auth-retry-loop"
    title = AuthRetryLoop.title
    tier = 3
    severity = {MODERN: WARNING}
    since = MODERN
    violator = CLIENT
    transport = "http"
    confidence = HEURISTIC
    spec = {MODERN: "basic/authorization/index#step-up-authorization-flow"}

    def is_loop(self, challenge: Challenge) -> bool:
        recent = [one for one in self._row if challenge.at - one.at <= WITHIN]
        return len(recent) > REFUSALS
