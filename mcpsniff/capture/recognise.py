"""Tells MCP from other HTTP traffic without a list of paths, and remembers what it has learned about endpoints.

Headers of MCP's own, methods of MCP's own, and URLs that an MCP server announced are proof; JSON-RPC alone is not
(agents, ledgers and language servers speak it too). What is only suspicious stays undecided until the answer tells.
Reads messages only as far as recognition needs, and judges nothing.
"""

from enum import Enum
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit

from mcpsniff.capture.heads import Headers, RequestHead, ResponseHead, media_type, values
from mcpsniff.wire import jsontext

REMEMBERED = 1024  # endpoints and OAuth URLs that are kept, each; the oldest goes
LARGEST_LOOKED_INTO = 1 << 20  # bytes of a body that is parsed to find out what it is

HEADERS = ("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name")
PARAMETER_HEADER = "mcp-param-"
PREFLIGHT = "access-control-request-headers"  # a browser asks with it before it sends one of these
METADATA = "io.modelcontextprotocol/"  # keys of `_meta` that begin so are MCP's own

# Methods that only MCP has. Left out, as others have them too: initialize (looked at closer), ping, tasks/*.
METHODS = frozenset((
    "server/discover", "subscriptions/listen", "tools/list", "tools/call", "prompts/list", "prompts/get",
    "resources/list", "resources/read", "resources/templates/list", "resources/subscribe",
    "resources/unsubscribe", "completion/complete", "logging/setLevel", "sampling/createMessage",
    "elicitation/create", "roots/list", "notifications/initialized", "notifications/cancelled",
    "notifications/progress", "notifications/message", "notifications/roots/list_changed",
    "notifications/tools/list_changed", "notifications/prompts/list_changed",
    "notifications/resources/list_changed", "notifications/resources/updated",
    "notifications/elicitation/complete", "notifications/tasks/status", "notifications/tasks",
    "notifications/subscriptions/acknowledged",
))  # fmt: skip

_WELL_KNOWN = "/.well-known/oauth-"
_WELL_KNOWN_OPENID = "/.well-known/openid-configuration"
_PORTS = {"http": 80, "https": 443}
_AUTH_ENDPOINTS = (
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
    "introspection_endpoint",
    "device_authorization_endpoint",
    "pushed_authorization_request_endpoint",
)


class Verdict(Enum):
    """What an exchange is."""

    MCP = "mcp"
    AUTH = "auth"  # OAuth traffic around an MCP server
    UNDECIDED = "undecided"
    OTHER = "other"


class Known:
    """A set of strings that forgets the oldest beyond its cap."""

    def __init__(self) -> None:
        self._items: dict[str, None] = {}

    def __contains__(self, item: str) -> bool:
        return item in self._items

    def add(self, item: str) -> None:
        """Remember it as the newest."""
        self._items.pop(item, None)
        self._items[item] = None
        if len(self._items) > REMEMBERED:
            del self._items[next(iter(self._items))]


class Recogniser:
    """Gives a verdict on each exchange, from what is known of it so far and what was learned from earlier ones."""

    def __init__(self) -> None:
        self._endpoints = Known()
        self._auth = Known()  # OAuth endpoints that metadata announced
        self._issuers = Known()  # origins of authorization servers

    def knows(self, url: str) -> bool:
        """Whether the URL, its query aside, is a known MCP endpoint."""
        return endpoint(url) in self._endpoints

    def learn(self, url: str) -> None:
        """Take the URL, its query aside, for an MCP endpoint from now on."""
        self._endpoints.add(endpoint(url))
        self._issuers.add(_origin(_split(url)))  # a server may be its own authorization server

    def request(self, head: RequestHead) -> Verdict:
        """By the head of a request."""
        if self.knows(head.url) or has_mcp_header(head.headers):
            return Verdict.MCP
        url = _split(head.url)
        if endpoint(head.url) in self._auth or _WELL_KNOWN in url.path:
            return Verdict.AUTH
        if _WELL_KNOWN_OPENID in url.path and _origin(url) in self._issuers:
            return Verdict.AUTH
        return Verdict.UNDECIDED if head.method in ("GET", "POST") else Verdict.OTHER

    def request_body(self, body: bytes) -> Verdict:
        """By the decoded body of a request that is undecided."""
        return Verdict.MCP if speaks_mcp(body) else Verdict.UNDECIDED

    def response(self, head: ResponseHead) -> Verdict:
        """By the head of the response to a request that is undecided."""
        if has_mcp_header(head.headers):
            return Verdict.MCP
        if head.status == 401 and "resource_metadata" in ",".join(values(head.headers, "www-authenticate")):
            return Verdict.MCP
        return Verdict.UNDECIDED if media_type(head.headers) == "text/event-stream" else Verdict.OTHER

    def event(self, url: str, name: str | None, data: bytes) -> Verdict:
        """By an event of the stream that was asked for at `url`; learns the URL that an `endpoint` event announces."""
        if name == "endpoint":
            announced = _joined(url, data.decode("utf-8", "replace"))
            if announced is not None:
                self.learn(announced)
                return Verdict.MCP
        if speaks_mcp(data):
            return Verdict.MCP
        return Verdict.UNDECIDED if b'"jsonrpc"' in data else Verdict.OTHER

    def metadata(self, body: bytes) -> None:
        """Learn the endpoints that a decoded OAuth metadata document announces."""
        document = _parsed(body)
        if not isinstance(document, dict):
            return
        for name in _AUTH_ENDPOINTS:
            if isinstance(announced := document.get(name), str):
                self._auth.add(endpoint(announced))
        servers = document.get("authorization_servers")
        for server in servers if isinstance(servers, list) else []:
            if isinstance(server, str):
                self._issuers.add(_origin(_split(server)))


def speaks_mcp(body: bytes) -> bool:
    """Whether a body is JSON-RPC that only MCP has."""
    if b'"jsonrpc"' not in body:
        return False
    value = _parsed(body)
    return any(_is_mcp(message) for message in (value if isinstance(value, list) else [value]))


@lru_cache(REMEMBERED)
def endpoint(url: str) -> str:
    """The URL without query and fragment, in the one spelling under which endpoints are compared."""
    parts = _split(url)
    return f"{_origin(parts)}{parts.path or '/'}"


def _is_mcp(message: object) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    method, params = message.get("method"), message.get("params")
    if _has_mcp_metadata(params) or _has_mcp_metadata(message.get("result")):
        return True
    if method == "initialize":  # language servers have one too
        return isinstance(params, dict) and isinstance(params.get("protocolVersion"), str)
    return isinstance(method, str) and method in METHODS


def _has_mcp_metadata(part: object) -> bool:
    meta = part.get("_meta") if isinstance(part, dict) else None
    return isinstance(meta, dict) and any(key.startswith(METADATA) for key in meta)


def has_mcp_header(headers: Headers) -> bool:
    """Whether one of the headers is MCP's own."""
    return any(
        name in HEADERS or name.startswith(PARAMETER_HEADER) or (name == PREFLIGHT and "mcp-" in value.lower())
        for name, value in ((name.lower(), value) for name, value in headers)
    )


def _parsed(body: bytes) -> object:
    if len(body) > LARGEST_LOOKED_INTO:
        return None
    try:
        return jsontext.value(body)
    except (ValueError, RecursionError):
        return None


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  it is parsed when asked for, and may be no number
        return parts
    except ValueError:
        return SplitResult("", "", url, "", "")


def _origin(url: SplitResult) -> str:
    port = url.port or _PORTS.get(url.scheme)
    return f"{url.scheme}://{url.hostname or ''}:{port}"


def _joined(url: str, reference: str) -> str | None:
    try:
        joined = urljoin(url, reference)
    except ValueError:
        return None
    return joined if _split(joined).scheme in _PORTS else None
