"""Progress for tokens that no request carries."""

from mcpsniff.protocol.ids import JsonId
from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.rules.echoes import PROGRESS_TOKENS
from mcpsniff.rules.rule import ERROR, Call, Found, Message, Rule
from mcpsniff.rules.when import stray, when


class ProgressUnknownToken(Rule):
    """A progress notification names a token that its receiver never sent.

    ## Why it matters
    Nobody waits for this progress; strict receivers log an error for each notification.

    ## How to fix
    Report progress only for requests that carry `_meta.progressToken`, under that token, with its JSON type. The id of
    the request is no token.

    ## When it stays silent
    A token whose request has been answered is progress-after-completion. Where the capture does not hold the whole
    session, or only the head of a request, an unknown token proves nothing.
    """

    title = "Progress notification names a token no active request carries"
    severity = {"2024-11-05": ERROR}
    spec = {
        "2024-11-05": "basic/utilities/progress#behavior-requirements",
        "2026-07-28": "basic/patterns/progress#behavior-requirements",
    }
    methods = ("notifications/progress",)
    yields_to = ("method-not-in-revision",)  # clients of 2026-07-28 are asked for nothing
    echoes = PROGRESS_TOKENS

    @when(stray)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        token = message.token("progressToken")
        if call is not None or token is None or not token.legal:
            return
        requester = OTHER[message.sender]
        session = self.session
        if not session.whole or session.unreadable[requester] or session.clipped[(requester, Kind.REQUEST)]:
            yield self.unchecked("the request may not have been recorded")
        else:
            text, related = self._nearest(requester, token)
            yield self.found(message, text, related=[related], where="/params/progressToken")

    def _nearest(self, requester: str, token: JsonId) -> tuple[str, int | None]:
        calls = self.session.calls
        named = calls.waiting(requester, token)
        if named is not None:
            return f"{token} is the id of a request that carries no progressToken", named.seq
        near = calls.by_token_text(requester, token)
        if near is not None:
            return f"no request carries token {token}: the JSON type differs from that of {near.token}", near.seq
        own = calls.by_token(OTHER[requester], token)
        if own is not None:
            return f"token {token} is the sender's own", own.seq
        return f"no request carries token {token}", None
