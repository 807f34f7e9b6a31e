"""The resource parameter (RFC 8707): for which MCP server a token is meant."""

from mcpsniff.protocol.credentials import credentials
from mcpsniff.protocol.exchange import origin_of, split_url
from mcpsniff.protocol.oauth import Step, StepKind
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.rules.rule import CLIENT, ERROR, INFO, Found, HttpExchange, Rule, quote

GRANTS = ("authorization_code", "refresh_token")


class _ResourceParameter(Rule):
    """What both share."""

    tier = 3
    severity = {"2025-06-18": ERROR}
    since = "2025-06-18"
    violator = CLIENT
    transport = "http"
    spec = {
        "2025-06-18": "basic/authorization#resource-parameter-implementation",
        MODERN: "basic/authorization/index#resource-parameter-implementation",
    }


class ResourceParameterMissing(_ResourceParameter):
    """An authorization or token request does not say for which MCP server the token is.

    ## Why it matters
    The token may be good for every resource of the authorization server, or for none.

    ## How to fix
    Send `resource` with the URI of the MCP server with both requests, also when refreshing, and whether or not the
    authorization server knows the parameter.

    ## When it stays silent
    Registration, and grants that no MCP user takes part in (client credentials).
    """

    id = "resource-parameter-missing"
    title = "Authorization or token request lacks the resource parameter"

    def on_oauth(self, step: Step) -> Found:
        asks = step.kind is StepKind.TOKEN and step.params.get("grant_type") in GRANTS
        if (asks or step.kind is StepKind.AUTHORIZE) and not step.params.get("resource"):
            text = f"the {step.kind.value} has no resource"
            yield self.found(step, text, where="resource", fault=step.kind.value)


class ResourceParameterInvalid(_ResourceParameter):
    """The `resource` parameter does not identify the MCP server by its canonical URI.

    ## Why it matters
    The token is bound to the wrong audience, and a server that looks at it refuses it.

    ## How to fix
    Send the `resource` of the protected resource metadata, else the URL of the MCP endpoint: absolute, scheme and host
    in lower case, without fragment, in both requests the same.

    ## When it stays silent
    What the metadata say is right. Another server is told only by a token that was then used there. Capital letters, a
    slash too many and a URI that is less specific than the metadata's are reported as information.
    """

    id = "resource-parameter-invalid"
    title = "resource does not identify the MCP server canonically"

    def on_oauth(self, step: Step) -> Found:
        resource = step.params.get("resource")
        if not resource or step.kind not in (StepKind.AUTHORIZE, StepKind.TOKEN):
            return
        room = self.session.authorization
        fault, advice = _fault(resource), _advice(resource, room.resource)
        asked = room.authorization_of(step)
        if fault is not None:
            yield self.found(step, f"resource {quote(resource)} {fault}", where="resource", fault=fault)
        elif asked is not None and asked.params.get("resource", resource) != resource:
            text = (
                f"resource is {quote(resource)} here and {quote(asked.params['resource'])} in the authorization request"
            )
            yield self.found(step, text, related=[asked.seq], where="resource", fault="differs")
        elif advice is not None:
            text = f"resource {quote(resource)} {advice}"
            yield self.found(step, text, where="resource", severity=INFO, fault=advice[:40])

    def on_close(self, exchange: HttpExchange) -> Found:
        sent, room = credentials(exchange), self.session.authorization
        step = room.tokens.issued.get(sent[1]) if sent is not None else None
        resource = step.params.get("resource", "") if step is not None else ""
        if step is None or step not in room.steps or _fault(resource) or resource == room.resource:
            return
        if origin_of(resource) != origin_of(exchange.url) and not self.session.host_rewritten:
            text = f"the token for {quote(resource)} was used at {quote(exchange.endpoint)}"
            mark = self.session.era.door_mark(step.seq, exchange.mark.framing)
            yield self.found(exchange, text, related=[step.seq], fault="elsewhere", mark=mark)


def _fault(resource: str) -> str | None:
    parts = split_url(resource)
    if not parts.scheme or not parts.netloc:
        return "is no absolute URI"
    return "has a fragment" if "#" in resource else None


def _advice(resource: str, canonical: str | None) -> str | None:
    if resource == canonical:
        return None
    parts = split_url(resource)
    head = resource[: len(parts.scheme) + 3 + len(parts.netloc)]
    if head != head.lower():
        return "has capital letters in scheme or host"
    if parts.path.endswith("/") and not (canonical or "").endswith("/"):
        return "ends in a slash"
    less = canonical is not None and canonical.startswith(resource.rstrip("/") + "/")
    return f"is less specific than {quote(canonical)}, the name in the metadata" if less else None
