"""The params of a request do not have the shape that its revision gives them."""

import re

from mcpsniff.protocol.revisions import REQUESTS
from mcpsniff.protocol.schema import REQUESTS as SHAPES
from mcpsniff.protocol.schema import Unjudged, faults
from mcpsniff.rules.echoes import KINDS
from mcpsniff.rules.rule import Call, Found, Message, Rule, quote

_OWN = (  # places whose defects have rules of their own
    r"/params/_meta/",  # progress-token-invalid, meta-field-invalid, missing-meta rules
    r"/params/level$",  # log-level-invalid
    r"/params/inputResponses/",  # input-response-shape-invalid
    r"/params/messages/.*/(annotations|resource)(/|$)",  # annotations-invalid, embedded-resource-incomplete
    r"/params/messages/.*/mimeType$",  # content-mime-invalid
)
LEFT = {
    "2024-11-05": re.compile("|".join(_OWN)),
    "2026-07-28": re.compile("|".join((*_OWN, r"/params/_meta$"))),  # missing-meta rules, meta-field-invalid
}
ELSEWHERE = ("initialize", "elicitation/create")  # methods with rules of their own
SHOWN = 3  # flaws named in one finding


class RequestParamsInvalid(Rule):
    """A request lacks a required member of its params, or a known member has the wrong type or value.

    ## Why it matters
    The answer is -32602 at best; loose servers go on with a wrong value.

    ## How to fix
    Build params by the schema of the negotiated revision. Frequent slips: prompt arguments that are no strings, tool
    arguments as JSON text, a completion reference of an unknown type.

    ## When it stays silent
    Unknown members are free, formats are not checked, 1.0 is an integer. Defects with a rule of their own (`_meta`, log
    levels, initialize, elicitation, answers to input requests, tasks) are said there alone. Where the revision is not
    known, only what is wrong in all.
    """

    title = "Request params lack a required member or have a wrong type for their method"
    spec = {"2024-11-05": "basic/index", "2026-07-28": "schema"}
    methods = tuple(name for name in REQUESTS if name not in ELSEWHERE)
    yields_to = ("method-not-in-revision", "type-not-in-revision")
    by_value = True
    values = KINDS

    def on_request(self, message: Message, call: Call) -> Found:
        if message.has_params and not isinstance(message.raw_params, dict):
            return  # params-not-object
        revision = message.mark.final
        try:
            found = faults(SHAPES, call.method, revision, {"params": message.params}, LEFT)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        for flaws, revisions in found.items():
            text = f"{call.method}: {'; '.join(quote(str(f), 200) for f in flaws[:SHOWN])}"
            yield self.found(message, text, where=flaws[0].where, only_in=revisions)
