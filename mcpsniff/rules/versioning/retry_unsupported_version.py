"""Clients that ask again for a version they were told is not there."""

from mcpsniff.protocol.revisions import is_modern
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, WARNING, Call, Found, Message, Rule, quote


class RetryUnsupportedVersion(Rule):
    """A request names a version that is not among those the server said it supports.

    ## Why it matters
    The request is refused again; nothing gets better by repeating it.

    ## How to fix
    Take the newest version of the list that you speak, or tell the user that there is none.

    ## When it stays silent
    Where the list holds no version of this era, and for requests that were sent before it arrived.
    """

    title = "Client ignored the list of supported versions"
    severity = {"2026-07-28": WARNING}
    since = "2026-07-28"
    violator = CLIENT
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "basic/versioning#protocol-version-negotiation"}
    by_value = True

    def on_request(self, message: Message, call: Call) -> Found:
        advertised, version = self.session.era.advertised, message.mark.version
        if message.sender != CLIENT or message.method == "initialize" or advertised is None or version is None:
            return
        if version not in advertised.versions and any(map(is_modern, advertised.versions)):
            told = ", ".join(advertised.versions[:4])
            text = f"the request names {quote(version)}, but the server supports {quote(told)}"
            yield self.found(message, text, related=[advertised.seq])
