"""Session ids that can be guessed."""

import re
from itertools import pairwise

from mcpsniff.protocol.sessionids import Issued
from mcpsniff.rules.rule import HEURISTIC, SERVER, WARNING, Found, Moment, Rule, quote

SHORT = 16  # characters
STEP = 1_000  # numbers that are no further apart are counted up, or times
NUMBER = re.compile(r"(.*?)([0-9]{1,20})", re.DOTALL)


class HttpSessionIdWeak(Rule):
    """A server gives out session ids that can be guessed, or gives one twice.

    ## Why it matters
    Whoever knows or guesses an id takes over the session.

    ## How to fix
    Use random ids: a UUID of version 4, or 128 bits and more from a secure generator.

    ## When it stays silent
    Tokens, hashes and UUIDs. One id alone is judged by its length.
    """

    title = "Session id looks guessable or is reused"
    tier = 3
    severity = {"2025-03-26": WARNING}
    since, until = "2025-03-26", "2025-11-25"
    violator = SERVER
    transport = "http"
    spec = {"2025-03-26": "basic/transports#session-management"}
    confidence = HEURISTIC

    def on_end(self) -> Found:
        issued: list[Issued] = self.session.server.given_ids
        judged = _short(issued) or _repeated(issued) or _counted(issued)
        if judged is not None and judged[0].owner is self.session.ids:  # once a server
            first, other, why = judged
            related = [other.seq] if other is not None else []
            yield self.found(
                Moment(first.seq, first.at), f'the session id "{quote(first.id, 40)}" {why}', related=related
            )


Judged = tuple[Issued, Issued | None, str] | None


def _short(issued: list[Issued]) -> Judged:
    short = next((one for one in issued if len(one.id) < SHORT), None)
    return None if short is None else (short, None, f"has {len(short.id)} characters")


def _repeated(issued: list[Issued]) -> Judged:
    first: dict[str, Issued] = {}
    for one in issued:
        known = first.setdefault(one.id, one)
        if known is not one:
            return known, one, "was given twice"
    return None


def _counted(issued: list[Issued]) -> Judged:
    """Gives two ids that follow each other as numbers, or in the digits at their end."""
    for one, other in pairwise(issued):
        before, after = _parts(one.id), _parts(other.id)
        if before is not None and after is not None and before[0] == after[0]:
            step = int(after[1]) - int(before[1])
            if 0 < step <= STEP:
                return one, other, f"is followed by one that is {step} more"
    return None


def _parts(id_: str) -> tuple[str, str] | None:
    """Gives what stands before the decimal number at the end, and that number."""
    match = NUMBER.fullmatch(id_)
    return None if match is None else (match[1], match[2])
