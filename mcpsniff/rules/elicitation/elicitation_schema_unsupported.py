"""A form asks for more than a form can."""

from mcpsniff.protocol.inputs import InputRequest
from mcpsniff.rules.echoes import MODES
from mcpsniff.rules.rule import SERVER, Found, Message, Rule

from ._forms import BY_REVISION, CREATE, defects


class ElicitationSchemaUnsupported(Rule):
    """`requestedSchema` of a form is not a flat object of primitive properties in a shape that the revision has.

    ## Why it matters
    Clients build a form from it; what they do not know they cannot show, and many refuse.

    ## How to fix
    One object with strings, numbers, booleans and choices. An optional field is one that `required` leaves out, no
    `anyOf` with null. Lists of choices and titled choices came with 2025-11-25.

    ## When it stays silent
    Titles, descriptions, defaults and unknown annotations are free. Before 2026-07-28 `required` may name anything.
    """

    title = "requestedSchema goes beyond flat primitive properties"
    tier = 2
    violator = SERVER
    since = "2025-06-18"
    spec = {
        "2025-06-18": "client/elicitation#supported-schema-types",
        "2025-11-25": "client/elicitation#requested-schema",
    }
    methods = (CREATE,)
    yields_to = ("type-not-in-revision",)
    echoes = MODES

    def on_input_request(self, message: Message, request: InputRequest) -> Found:
        schema = request.params.get("requestedSchema")
        if request.mode == "url" or not isinstance(schema, dict):
            return
        found: dict[tuple[str, str], list[str]] = {}
        for revision, shapes in BY_REVISION.items():
            if revision in request.revisions:
                for defect in defects(schema, shapes):
                    found.setdefault(defect, []).append(revision)
        for (where, wrong), known in found.items():
            yield self.found(message, wrong, where=request.member("requestedSchema") + where, only_in=known)
