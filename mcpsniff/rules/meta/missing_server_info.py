"""A modern result does not say which server gives it."""

from mcpsniff.protocol.revisions import META_SERVER_INFO
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Found, Message, Rule
from mcpsniff.rules.when import by_server, lacks_meta, result, when


class MissingServerInfo(Rule):
    """Results of the 2026-07-28 revision do not carry `io.modelcontextprotocol/serverInfo` in `_meta`.

    ## Why it matters
    There is no handshake any more that names the server; clients cannot show who answered.

    ## How to fix
    Put name and version into `_meta` of every result, unless the operator wants the server to be anonymous.

    ## When it stays silent
    Errors, notifications and results of the handshake revisions carry none. A `serverInfo` member beside the result's
    own, as a draft had it, does not count.
    """

    title = "Result does not carry io.modelcontextprotocol/serverInfo in _meta"
    severity = {"2026-07-28": WARNING}
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}
    yields_to = ("meta-field-invalid",)

    @when(result, by_server, lacks_meta(META_SERVER_INFO))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.sender != SERVER or not isinstance(message.raw_result, dict):
            return
        holder = message.result.get("_meta", {})
        if not isinstance(holder, dict) or META_SERVER_INFO not in holder:
            yield self.found(message, f"the result of {call.method} carries no {META_SERVER_INFO}")
