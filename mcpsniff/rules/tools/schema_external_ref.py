"""A schema points into the network."""

from collections.abc import Iterator

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.protocol.toolschema import network_references
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote

from ._published import Place, holds_references, published, sampled


class SchemaExternalRef(Rule):
    """A schema of a tool or a form refers to an http(s) address.

    ## Why it matters
    Consumers must not fetch it on their own: the schema counts as broken, or is not used.

    ## How to fix
    Put what is referred to under `$defs` and refer to `#/$defs/name`.

    ## When it stays silent
    `$id` and `$schema` are names, and references within the schema are fine.
    """

    title = "A published schema points to a network URI"
    tier = 2
    severity = {"2026-07-28": INFO}
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#ref-resolution"}
    methods = ("tools/list", "sampling/createMessage", "elicitation/create")

    def on_answer(self, message: Message, call: Call | None) -> Found:
        for member in ("inputSchema", "outputSchema"):
            yield from self._look(message, published("/result/tools", message.result.get("tools"), member))

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        form = (request.member("requestedSchema"), "form", request.params.get("requestedSchema"))
        yield from self._look(message, (form, *sampled(request, "inputSchema"), *sampled(request, "outputSchema")))

    def _look(self, message: Message, places: Iterator[Place] | tuple[Place, ...]) -> Found:
        if not holds_references(message):
            return
        for where, name, schema in places:
            for below, uri in network_references(schema):
                text = f"{quote(name)}: a schema refers to {quote(uri)}"
                yield self.found(message, text, where=where + below)
