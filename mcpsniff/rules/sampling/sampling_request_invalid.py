"""A sampling request has not the shape that a client can take."""

import re

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.protocol.schema import REQUESTS, Unjudged, flaws
from mcpsniff.rules.rule import SERVER, Found, Message, Rule, quote

from ._history import CREATE

LEFT = re.compile(  # places whose defects have rules of their own
    r"/params/(tools/\d+/(inputSchema|outputSchema)(/|$)|messages/.*/(annotations|resource)(/|$)|.*/mimeType$)"
)
SHOWN = 3  # flaws named in one finding


class SamplingRequestInvalid(Rule):
    """A sampling request in `inputRequests` lacks messages, maxTokens, a role or content, or has them of a wrong type.

    ## Why it matters
    The client cannot ask its model, and the call never ends.

    ## How to fix
    `messages` is a list of `{role, content}`, `maxTokens` an integer; priorities lie between 0 and 1.

    ## When it stays silent
    In the handshake revisions, where request-params-invalid says so. Schemas of tools, annotations and media types have
    rules of their own.
    """

    title = "Sampling request or message misses a required field"
    tier = 2
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "client/sampling#messages"}
    methods = (CREATE,)

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        try:
            found = flaws(REQUESTS, CREATE, MODERN, {"params": request.params}, LEFT)
        except Unjudged as why:
            yield self.unchecked(str(why))
            return
        if found and not request.direct:
            text = f"sampling request: {'; '.join(quote(str(flaw), 160) for flaw in found[:SHOWN])}"
            yield self.found(message, text, where=request.where + found[0].where.removeprefix("/params"))
