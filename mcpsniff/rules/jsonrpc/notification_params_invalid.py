"""The params of a notification do not have the shape that its revision gives them."""

import re

from mcpsniff.protocol.revisions import NOTIFICATIONS
from mcpsniff.protocol.schema import NOTIFICATIONS as SHAPES
from mcpsniff.protocol.schema import Unjudged, faults
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote

_OWN = (  # places whose defects have rules of their own
    r"/params/_meta(/|$)",  # meta-field-invalid
    r"/params/progressToken$",  # progress-token-invalid
    r"/params/(level|data)$",  # log-message-level-invalid
)
LEFT = {
    "2024-11-05": re.compile("|".join((*_OWN, r"/params/requestId$"))),  # cancel-without-request-id
    "2026-07-28": re.compile("|".join(_OWN)),
}
ELSEWHERE = ("notifications/tasks", "notifications/tasks/status")  # methods with rules of their own
SHOWN = 3  # flaws named in one finding


class NotificationParamsInvalid(Rule):
    """A notification lacks a required member of its params, or a known member has the wrong type or value.

    ## Why it matters
    Nobody answers a notification: what cannot be read is dropped without a word.

    ## How to fix
    Build params by the schema of the negotiated revision. Frequent slips: progress as text, no `uri` in
    `notifications/resources/updated`.

    ## When it stays silent
    Unknown members are free, formats are not checked. Progress tokens, log levels, cancellations without a request,
    `_meta` and tasks have rules of their own. Where the revision is not known, only what is wrong in all.
    """

    title = "Notification params miss a required field or have a wrong type"
    tier = 2
    spec = {"2024-11-05": "basic/index", "2026-07-28": "schema"}
    methods = tuple(name for name in NOTIFICATIONS if name not in ELSEWHERE)
    yields_to = ("method-not-in-revision", "elicitation-complete-unknown")

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.has_params and not isinstance(message.raw_params, dict):
            return  # params-not-object
        revision = message.mark.final
        try:
            found = faults(SHAPES, message.method or "", revision, {"params": message.params}, LEFT)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        for flaws, revisions in found.items():
            text = f"{message.method}: {'; '.join(quote(str(flaw), 200) for flaw in flaws[:SHOWN])}"
            yield self.found(message, text, where=flaws[0].where, only_in=revisions)
