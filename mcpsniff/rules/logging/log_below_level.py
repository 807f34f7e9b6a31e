"""Log notifications below the level that was asked for."""

from mcpsniff.rules.rule import CLIENT, ERROR, SERVER, WARNING, Call, Found, Message, Rule

from ._asked import SET_LEVEL, asked_for, asking, rank

CROSSING = 1.0  # seconds in which messages on two streams may have overtaken each other (trap T6)


class LogBelowLevel(Rule):
    """A log notification is less severe than the level that the client asked for.

    ## Why it matters
    The client set a level to be spared these messages.

    ## How to fix
    Compare with the level before sending: debug, info, notice, warning, error, critical, alert, emergency.

    ## When it stays silent
    In the handshake era servers choose until `logging/setLevel` is answered, and while another one is under way; over
    HTTP a message may cross the answer for a second, and clients of a server without sessions share one level. In
    2026-07-28 the lowest level of the requests in question counts.
    """

    title = "Log notification below the level the request asked for"
    severity = {"2024-11-05": WARNING}
    until = "2025-11-25"
    violator = SERVER
    spec = {
        "2024-11-05": "server/utilities/logging#setting-log-level",
        "2026-07-28": "server/utilities/logging#per-request-log-level",
    }
    methods = ("notifications/message",)
    by_time = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        level = rank(message.params.get("level"))
        if message.sender != SERVER or level is None or self.session.log_level is None:
            return
        wanted, seq, at = self.session.log_level
        if self._unsettled(message, at) or level >= (rank(wanted) or 0):
            return
        text = f"{message.params['level']} message after the level was set to {wanted} by record {seq}"
        yield self.found(message, text, related=[seq], where="/params/level")

    def _unsettled(self, message: Message, at: float) -> bool:
        """Whether another level may have been in force when the message was sent."""
        if any(call.method == SET_LEVEL for call in self.session.calls.all_open(CLIENT)):
            return True
        shared = self.session.session_id is None and self.session.server.sessions > 1
        return message.exchange is not None and (shared or message.at - at <= CROSSING)


class LogBelowRequestedLevel(Rule):
    """The same where each request says which level it wants."""

    id = "log-below-level"
    title = LogBelowLevel.title
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    violator = SERVER
    spec = LogBelowLevel.spec
    methods = ("notifications/message",)
    yields_to = ("request-scoped-on-listen",)
    by_time = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        level = rank(message.params.get("level"))
        asked = {call: rank(asked_for(call)) for call in asking(self.session, message)}
        ranks = {call: wanted for call, wanted in asked.items() if wanted is not None}
        if message.sender != SERVER or level is None or not ranks or level >= min(ranks.values()):
            return
        call = min(ranks, key=lambda call: ranks[call])
        text = f"{message.params['level']} message; request {call.id} asks for {asked_for(call)} and above"
        yield self.found(message, text, related=[call.seq], where="/params/level")
