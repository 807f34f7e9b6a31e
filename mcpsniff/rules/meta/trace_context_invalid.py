"""Trace context in `_meta` that is malformed."""

import re
from collections.abc import Callable

from mcpsniff.protocol.message import Message
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import ERROR, Call, Found, Rule, quote
from mcpsniff.rules.when import inner_meta, when

from ._holders import meta_objects

MEMBERS = 32  # of a tracestate
_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_STATE_KEY = r"[a-z0-9][a-z0-9_*/@-]{0,255}"
_STATE = re.compile(rf"{_STATE_KEY}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{{0,256}}")
_VALUE = r"(?:[\x21\x23-\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]|%[0-9A-Fa-f]{2})*"
_BAGGAGE = re.compile(rf"{_TOKEN}[ \t]*=[ \t]*{_VALUE}(?:[ \t]*;[ \t]*{_TOKEN}(?:[ \t]*=[ \t]*{_VALUE})?)*")


def _parent(text: str) -> str | None:
    match = _PARENT.fullmatch(text)
    if match is None:
        return "is not version-traceid-parentid-flags in lower-case hex"
    version, trace, parent, more = match.groups()
    if version == "ff" or (version == "00" and more):
        return "has an unknown form for its version"
    return None if int(trace, 16) and int(parent, 16) else "has an id of zeros alone"


def _state(text: str) -> str | None:
    members = [one for part in text.split(",") if (one := part.strip(" \t"))]
    if len(members) > MEMBERS:
        return f"has {len(members)} members, more than {MEMBERS}"
    wrong = next((one for one in members if not _STATE.fullmatch(one)), None)
    return None if wrong is None else f"has the member {quote(wrong, 40)}, which is not key=value"


def _baggage(text: str) -> str | None:
    members = (part.strip(" \t") for part in text.split(","))
    wrong = next((one for one in members if one and not _BAGGAGE.fullmatch(one)), None)
    return None if wrong is None else f"has the member {quote(wrong, 40)}, which is not key=value"


FORMS: dict[str, Callable[[str], str | None]] = {"traceparent": _parent, "tracestate": _state, "baggage": _baggage}


def _traced(shape: Shape, session: Session) -> bool:
    """Whether a trace context may stand in it."""
    return inner_meta(shape, session) or any(key in shape.meta for key in FORMS)


class TraceContextInvalid(Rule):
    """`traceparent`, `tracestate` or `baggage` in `_meta` does not have the form that W3C gives it.

    ## Why it matters
    Tracing libraries drop what they cannot read: the trace breaks here.

    ## How to fix
    Let the tracing library write the values, as it does for HTTP headers.

    ## When it stays silent
    Headers of these names are not looked at. Versions later than 00 may be longer.
    """

    title = "traceparent, tracestate or baggage in _meta is malformed"
    tier = 2
    severity = {"2026-07-28": ERROR}
    since = "2026-07-28"
    spec = {"2026-07-28": "basic/index#meta"}

    @when(_traced)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(_traced)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    @when(_traced)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        for where, holder in meta_objects(message):
            for key in FORMS.keys() & holder.keys():
                value = holder[key]
                wrong = FORMS[key](value) if isinstance(value, str) else "is not a string"
                if wrong is not None:
                    text = f"{key} {wrong}: {quote(value)}"
                    yield self.found(message, text, where=where + pointer(key), fault=key)
