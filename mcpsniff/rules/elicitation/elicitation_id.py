"""Ids of URL elicitations: one elicitation each, and completed where they were offered."""

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.rules.echoes import ELICITATIONS
from mcpsniff.rules.rule import CONTEXTUAL, INFO, SERVER, Call, Found, Message, Rule, quote

from ._forms import CREATE

COMPLETE = "notifications/elicitation/complete"


class ElicitationIdReused(Rule):
    """The server offers an `elicitationId` again, with another URL or after it was completed.

    ## Why it matters
    The client cannot tell which of the two a notification completes.

    ## How to fix
    Make a new id for every elicitation; a random UUID will do.

    ## When it stays silent
    The same id with the same URL, before it is complete, is the same elicitation offered again.
    """

    id = "elicitation-id-reused"
    title = "elicitationId used for two different elicitations"
    tier = 2
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#url-mode-elicitation-requests"}
    methods = (CREATE,)
    echoes = ELICITATIONS

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        id_ = request.params.get("elicitationId")
        before = self.session.offers.of(id_) if request.mode == "url" else None
        if before is None:
            return
        why = "with another URL" if before.url != request.params.get("url") else "after it was completed"
        if before.url != request.params.get("url") or before.completed is not None:
            text = f"elicitationId {quote(id_)} is used again {why}"
            where = request.member("elicitationId")
            yield self.found(message, text, related=[before.seq, before.completed], where=where)


class ElicitationCompleteUnknown(Rule):
    """The server says that an elicitation is complete which it never offered to this client.

    ## Why it matters
    The client waits on for the one that it knows.

    ## How to fix
    Send the `elicitationId` of the request or of error -32042, once.

    ## When it stays silent
    Where the capture does not hold the whole session. An id of another session is elicitation-complete-misdirected; a
    second notification for one id is a note.
    """

    id = "elicitation-complete-unknown"
    title = "notifications/elicitation/complete without a known elicitationId"
    tier = 2
    violator = SERVER
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#completion-notifications-for-url-mode-elicitation"}
    methods = (COMPLETE,)
    by_time = True
    by_value = True
    echoes = ELICITATIONS

    def on_notification(self, message: Message, call: Call | None) -> Found:
        id_, offers = message.params.get("elicitationId"), self.session.offers
        offer = offers.of(id_)
        if message.sender != SERVER:
            return
        if not isinstance(id_, str):
            yield self.found(message, "elicitationId is missing or no string", where="/params/elicitationId")
        elif offer is not None and offer.completed is not None:
            text = f"elicitation {quote(id_)} is completed a second time"
            yield self.found(message, text, related=[offer.completed], severity=INFO, fault="again")
        elif offer is None and self.session.whole and not offers.forgot:
            yield self.found(message, f"elicitationId {quote(id_)} was never offered", where="/params/elicitationId")
        elif offer is None:
            yield self.unchecked("the elicitation may have been offered out of sight")


class ElicitationCompleteMisdirected(Rule):
    """The notification that an elicitation is complete goes to another session than the one that was asked.

    ## Why it matters
    Another client learns of it, and the one that waits does not.

    ## How to fix
    Keep the session with the elicitation, and send the notification there.

    ## When it stays silent
    The same client (by its credentials, else by address and User-Agent) in a later session is a note.
    """

    id = "elicitation-complete-misdirected"
    title = "Completion notification sent to another client's session"
    tier = 2
    violator = SERVER
    confidence = CONTEXTUAL
    transport = "http"
    since, until = "2025-11-25", "2025-11-25"
    spec = {"2025-11-25": "client/elicitation#completion-notifications-for-url-mode-elicitation"}
    methods = (COMPLETE,)
    by_time = True
    echoes = ELICITATIONS

    def on_notification(self, message: Message, call: Call | None) -> Found:
        offer = self.session.offers.of(message.params.get("elicitationId"))
        if message.sender != SERVER or offer is None or self.session.offers.is_here(offer):
            return
        text = f"elicitation {quote(message.params['elicitationId'])} was offered in session {offer.session}"
        severity = INFO if offer.same_client(message.exchange) else None
        yield self.found(message, text, related=[offer.seq], severity=severity, fault=severity or "")
