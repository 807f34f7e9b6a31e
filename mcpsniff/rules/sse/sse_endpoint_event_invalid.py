"""Announced URLs that are none."""

from mcpsniff.protocol.encoding import looks_like_json
from mcpsniff.protocol.exchange import joined_url, split_url
from mcpsniff.protocol.streams import SseEvent
from mcpsniff.rules.rule import ERROR, INFO, SERVER, Found, Rule, quote


class SseEndpointEventInvalid(Rule):
    """The `endpoint` event of an HTTP+SSE stream carries no usable URL.

    ## Why it matters
    The client posts to a wrong place, or gives up.

    ## How to fix
    Send the bare URL as data, without quotes and without JSON; a path is enough.

    ## When it stays silent
    Paths, query strings and full URLs of the same origin. Another origin, which clients refuse, and a second event with
    another URL are reported as information; behind a proxy that rewrites Host the origin is not judged.
    """

    title = "endpoint event does not carry a usable URI"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    transport = "http+sse"
    spec = {"2024-11-05": "basic/transports#http-with-sse"}

    def on_event(self, event: SseEvent) -> Found:
        if event.type != "endpoint" or event.exchange.method != "GET":
            return
        data = (event.data or b"").decode("utf-8", "replace").strip()
        url, announced = joined_url(event.exchange.url, data), self.session.streams.announced
        if not _is_usable(data, url):
            text = (
                f'the endpoint event carries "{quote(data, 60)}", which is no URL'
                if data
                else "the endpoint event is empty"
            )
            yield self.found(event, text, related=[event.exchange.seq])
        elif _origin(url) != _origin(event.exchange.url) and not self.session.host_rewritten:
            text = f'the endpoint event names another origin: "{quote(url, 60)}"'
            yield self.found(event, text, related=[event.exchange.seq], severity=INFO, fault="origin")
        elif announced and announced[0][1] != url:
            text = f'a second endpoint event names another URL: "{quote(url, 60)}"'
            yield self.found(event, text, related=[announced[0][0]], severity=INFO, fault="second")


def _is_usable(data: str, url: str) -> bool:
    if not data or data[0] in "\"'" or looks_like_json(data.encode()) or any(c.isspace() for c in data):
        return False
    parts = split_url(url)
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def _origin(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.scheme.lower(), parts.netloc.lower()
