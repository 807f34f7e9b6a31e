"""What the client gives for a form or a URL: content where it belongs, and content that fits."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.inputs import InputResponse
from mcpsniff.protocol.schema import Unjudged, pointer
from mcpsniff.protocol.toolschema import judge
from mcpsniff.rules.rule import CLIENT, CONTEXTUAL, INFO, WARNING, Found, Message, Rule, quote

from ._forms import BY_REVISION, CREATE, URL_MODE, supported

FORM = (  # what a form asks and is told
    "/params/mode",
    "/params/requestedSchema",
    "/params/inputResponses",
    "/result/action",
    "/result/content",
    "/result/inputRequests",
)


class ElicitResultContentMisplaced(Rule):
    """An elicitation result has `content` where there is none to give, or none where the form needs it.

    ## Why it matters
    Servers use what the user declined to send, or fail on what is missing.

    ## How to fix
    `content` goes with action accept in form mode, and with nothing else.

    ## When it stays silent
    Nothing is missing where the form requires nothing. An empty object beside decline or cancel is a note. Before
    2025-11-25 there was no URL mode.
    """

    id = "elicit-result-content-misplaced"
    title = "content present or absent against the action and mode"
    tier = 2
    severity = {"2025-06-18": WARNING}
    violator = CLIENT
    confidence = CONTEXTUAL
    since = "2025-06-18"
    spec = {"2025-06-18": "client/elicitation#response-actions"}
    methods = (CREATE,)
    by_value = True
    values = FORM

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        request, content = response.request, response.value.get("content")
        wrong = _misplaced(response.value.get("action"), request.mode, content, request.params.get("requestedSchema"))
        if wrong is not None:
            severity, fault = (INFO, "empty") if content == {} else (None, "")
            known = [one for one in request.revisions if request.mode != "url" or one in URL_MODE]
            yield self.found(
                message, wrong, related=[request.seq], where=response.member("content"), severity=severity, fault=fault,
                only_in=known,
            )  # fmt: skip


class ElicitContentSchemaMismatch(Rule):
    """The content of an accepted form does not fit the schema that the server asked for.

    ## Why it matters
    The server gets something else than it can use.

    ## How to fix
    Check what the user typed against `requestedSchema` before sending it; numbers are no strings.

    ## When it stays silent
    Decline, cancel and URL mode. A form beyond what the revision allows is the server's fault
    (elicitation-schema-unsupported). Formats are not checked; members that the form does not have are a note.
    """

    id = "elicit-content-schema-mismatch"
    title = "Accepted form content does not fit the requested schema"
    tier = 2
    severity = {"2025-06-18": WARNING}
    violator = CLIENT
    since = "2025-06-18"
    spec = {"2025-06-18": "client/elicitation#response-actions"}
    methods = (CREATE,)
    by_value = True
    values = FORM

    def on_input_response(self, message: Message, response: InputResponse) -> Found:
        request, content = response.request, response.value.get("content")
        schema = request.params.get("requestedSchema")
        accepted = response.value.get("action") == "accept" and request.mode != "url"
        if not accepted or not isinstance(content, dict) or not isinstance(schema, dict):
            return
        known = [r for r in BY_REVISION if r in request.revisions and supported(schema, r)]
        if not known:
            return
        try:
            wrong = [(flaw.where, flaw.why) for flaw in judge(schema).flaws(content)] or list(_no_values(content))
        except Unjudged as why:
            yield self.unchecked(f"a requestedSchema: {why}")
            return
        if wrong:
            where, told = wrong[0]
            text, place = f"content{quote(where, 60)} {quote(told, 120)}", response.member("content") + where
            yield self.found(message, text, related=[request.seq], where=place, only_in=known)
        elif extra := [name for name in content if name not in schema.get("properties", {})]:
            text = f"content has {quote(extra[0], 40)}, which the form does not have"
            yield self.found(
                message, text, related=[request.seq], where=response.member("content", extra[0]), severity=INFO,
                fault="extra", only_in=known,
            )  # fmt: skip


def _misplaced(action: Any, mode: Any, content: Any, schema: Any) -> str | None:
    if mode == "url":
        return "content in reply to URL mode" if content is not None else None
    if action in ("decline", "cancel"):
        return f"content beside the action {action}" if content is not None else None
    required = schema.get("required") if isinstance(schema, dict) else None
    if action == "accept" and content is None and isinstance(required, list) and required:
        return f"the form is accepted without content, and requires {quote(required[0])}"
    return None


def _no_values(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Gives the members that no form can have: all but strings, numbers, booleans and lists of strings."""
    for name, value in content.items():
        strings = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if not isinstance(value, (str, int, float, bool)) and not strings:
            yield pointer(name), "is no string, number, boolean or list of strings"
