"""How long mitmproxy lets a silent connection live: an option in mitmproxy 12, a constant in 11."""

from mitmproxy import ctx
from mitmproxy.proxy import server

SECONDS = 24 * 3600  # a standing stream without pings would not survive mitmproxy's own 600

_OPTION, _CONSTANT = "tcp_timeout", "TCP_TIMEOUT"


def limit() -> float:
    """Seconds of silence after which mitmproxy closes a connection."""
    return float(ctx.options.tcp_timeout if _OPTION in ctx.options else getattr(server, _CONSTANT))


def extend() -> None:
    """Raises the limit for connections to come, unless the user has set one."""
    if _OPTION not in ctx.options:
        setattr(server, _CONSTANT, SECONDS)
    elif ctx.options.tcp_timeout == ctx.options.default(_OPTION):
        ctx.options.update(tcp_timeout=SECONDS)
