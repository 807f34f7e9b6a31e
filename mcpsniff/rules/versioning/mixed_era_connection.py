"""Both eras on one connection."""

from mcpsniff.rules.rule import CONTEXTUAL, INFO, UNKNOWN, Found, Moment, Rule


class MixedEraConnection(Rule):
    """One process, or one client of one HTTP endpoint, was served in both eras.

    ## Why it matters
    Each exchange is judged by its own era, so findings of both may stand in one session. A server may serve both.

    ## How to fix
    Nothing, where it is meant. A client should keep to the era that it found out.

    ## When it stays silent
    A probe that failed and an initialize that was refused mix nothing.
    """

    title = "Both eras were used on one stdio process or by one HTTP client"
    tier = 2
    severity = {"2026-07-28": INFO}
    since = "2026-07-28"
    violator = UNKNOWN
    confidence = CONTEXTUAL
    spec = {"2026-07-28": "basic/versioning#compatibility-matrix"}

    def on_end(self) -> Found:
        era = self.session.era
        if era.accepted is None or era.served_modern is None or era.shown_modern is None:
            return
        handshake, modern = era.accepted, era.shown_modern
        second = Moment(max(handshake, modern), 0.0)
        text = f"record {handshake} accepts a handshake, record {modern} is of 2026-07-28"
        yield self.found(second, text, related=[min(handshake, modern)], mark=era.modern_mark(second.seq))
