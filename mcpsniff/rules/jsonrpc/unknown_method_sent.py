"""Methods that no revision has."""

import re
from difflib import get_close_matches
from functools import lru_cache

from mcpsniff.protocol.revisions import METHODS, is_vendor
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape
from mcpsniff.rules.rule import CONTEXTUAL, INFO, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import when

SIMILAR = 0.9  # share of letters that two names must have in common, from 0 to 1
LONG = 60  # characters; no slip of the pen is longer than that
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def _unknown(shape: Shape, session: Session) -> bool:
    """Whether no revision knows the method."""
    return shape.method not in METHODS


class UnknownMethodSent(Rule):
    """A message uses a method that no revision of MCP defines.

    ## Why it matters
    A slip in the name is refused as a request, and as a notification it has no effect at all: nobody says so.

    ## How to fix
    Compare the spelling with the specification. Begin names of your own with a domain that is yours.

    ## When it stays silent
    For names that begin with a domain, and for methods announced under `capabilities.experimental`. A name that is
    nearly one of MCP's is a warning, any other a note.
    """

    title = "Message uses a method that no MCP revision defines"
    tier = 2
    severity = {"2024-11-05": INFO}
    until = "2025-11-25"
    confidence = CONTEXTUAL
    spec = {"2024-11-05": "architecture/index#capability-negotiation"}
    yields_to = ("initialized-missing", "method-reserved-prefix", "notification-with-id")

    @when(_unknown)
    def on_request(self, message: Message, call: Call) -> Found:
        yield from self._judge(message)

    @when(_unknown)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._judge(message)

    def _judge(self, message: Message) -> Found:
        method = message.method or ""
        if method in METHODS or is_vendor(method) or self.session.is_experimental(method):
            return
        meant = _meant(method, message.sender) if len(method) <= LONG else None
        if meant is not None:
            text = f"{quote(method)} is no method; {meant} is"
            yield self.found(message, text, severity=WARNING, fault=method, where="/method")
        else:
            yield self.found(message, f"no revision defines {quote(method)}", where="/method")


@lru_cache(maxsize=1_000)
def _meant(method: str, sender: str) -> str | None:
    """Gives the method of MCP that a name was meant to be, or None."""
    known = [name for name, row in METHODS.items() if sender in row.senders]
    same = next((name for name in known if _words(name) == _words(method)), None)
    return same or next(iter(get_close_matches(method.lower(), known, 1, SIMILAR)), None)


def _words(name: str) -> list[str]:
    """Gives the words of a name in any order and number, without the prefix of notifications."""
    words = sorted(word.lower().rstrip("s") for word in _WORDS.findall(name))
    return [word for word in words if word != "notification"]
