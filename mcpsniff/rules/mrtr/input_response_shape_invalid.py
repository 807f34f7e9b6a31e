"""Answers that do not fit their questions."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.revisions import MODERN
from mcpsniff.protocol.schema import RESULTS, Unjudged, defines, flaws, pointer
from mcpsniff.rules.rule import CLIENT, ERROR, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has, when

ENVELOPE = ("result", "error", "jsonrpc")


class InputResponseShapeInvalid(Rule):
    """A value in `inputResponses` is no answer to the question under its key.

    ## Why it matters
    The server cannot use it; the call fails or the question comes again.

    ## How to fix
    Give what the client would give as `result` of the request, and only that: an elicitation has `action` and, if
    accepted, `content`; sampling has role, content and model; roots has `roots`. There is no way to say "error": who
    refuses declines, cancels, or does not retry.

    ## When it stays silent
    Keys that nobody asked for. Whether content fits the requested schema is elicit-content-schema-mismatch.
    """

    title = "An inputResponses value does not fit the request it answers"
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/patterns/mrtr#inputresponses"}
    yields_to = ("elicit-content-schema-mismatch",)

    @when(has("inputResponses"))
    def on_request(self, message: Message, call: Call) -> Found:
        answers = message.params.get("inputResponses")
        if not isinstance(answers, dict):
            return
        for key, method, asked in self._asked(call):
            try:
                wrong = _wrong(method, answers[key]) if key in answers else None
            except Unjudged as why:
                yield self.unchecked(str(why))
                continue
            if wrong is not None:
                text = f"the answer to {quote(key, 40)} ({method}) {wrong}"
                yield self.found(message, text, related=[asked], where=pointer("params", "inputResponses", key))

    def _asked(self, call: Call) -> Iterator[tuple[str, str, int]]:
        """Gives the questions that a request may answer: key, method, record."""
        leg = call.leg
        if leg is not None and leg.surely_meant(call.request):
            for key, request in leg.requests.items():
                method = request.get("method") if isinstance(request, dict) else None
                if isinstance(method, str):
                    yield key, method, leg.seq
        task = self.session.tasks.named(call) if call.method == "tasks/update" else None
        for key, question in task.questions.items() if task is not None else ():
            if question.method is not None:
                yield key, question.method, question.seq


def _wrong(method: str, answer: Any) -> str | None:
    if not isinstance(answer, dict):
        return f"is not an object: {quote(answer)}"
    envelope = [name for name in ENVELOPE if name in answer]
    if not defines(RESULTS, method, MODERN):
        return None
    found = flaws(RESULTS, method, MODERN, {"result": answer})
    if found and envelope:
        return f"is wrapped in {envelope[0]}: the bare result is wanted"
    return "; ".join(str(flaw).removeprefix("/result/") for flaw in found[:3]) or None
