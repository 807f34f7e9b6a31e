"""How clients fetch icons."""

from mcpsniff.protocol.exchange import HttpExchange, endpoint_of, split_url
from mcpsniff.rules.rule import CLIENT, ERROR, HEURISTIC, Found, Rule, Session, quote

SECRETS = ("authorization", "cookie")
HELD = 1_000  # redirects


class IconFetchedUnsafely(Rule):
    """The client fetched an icon with credentials, or followed a redirect to another scheme or host for it.

    ## Why it matters
    The address comes from the server: it can point to a service that takes the client's cookies for a login.

    ## How to fix
    Fetch icons without credentials, and refuse redirects that leave the origin.

    ## When it stays silent
    Where the icon is fetched by another way than this capture sees, and for a redirect that the client does not follow.
    """

    title = "Client fetched an icon with credentials or with an unsafe redirect"
    tier = 3
    severity = {"2025-11-25": ERROR}
    since = "2025-11-25"
    violator = CLIENT
    transport = "http"
    confidence = HEURISTIC
    spec = {"2025-11-25": "basic/index#icons"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._left: dict[str, HttpExchange] = {}  # redirects to another origin, by the URL that they lead to

    def on_aside(self, exchange: HttpExchange) -> Found:
        named, came_from = self.session.icons.get(exchange.url), self._left.get(exchange.url)
        if exchange.method != "GET" or (named is None and came_from is None):
            return
        shown = quote(endpoint_of(exchange.url))
        carried = [name for name in SECRETS if exchange.header(name) is not None]
        if carried:
            text = f"the icon {shown} was fetched with {' and '.join(carried)}"
            yield self.found(exchange, text, related=[named], fault="credentials", where=carried[0])
        if came_from is not None:
            text = f"the client followed a redirect to {shown}"
            yield self.found(exchange, text, related=[came_from.reply_seq, came_from.seq], fault="redirect")
        target = exchange.redirect
        if target is not None and _origin(target) != _origin(exchange.url) and len(self._left) < HELD:
            self._left[target] = exchange


def _origin(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.scheme, parts.netloc.lower()
