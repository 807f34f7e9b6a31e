"""mitmproxy in this process, with the few of its addons that a capture needs: to walk all is half of its cost."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from mitmproxy.addons import core, disable_h2c, next_layer, proxyserver, tlsconfig
from mitmproxy.log import ALERT
from mitmproxy.master import Master
from mitmproxy.options import Options

from mcpsniff.capture.body import Entry
from mcpsniff.errors import McpsniffError
from mcpsniff.proxy import Wishes, live
from mcpsniff.proxy.addon import McpCapture
from mcpsniff.proxy.dispatch import Dispatcher

_LAST_SECONDS = 1.0  # for connections to end in order when the proxy ends


async def serve(modes: Sequence[str], wishes: Wishes, paths: Mapping[str, str]) -> str | None:
    """Runs until a signal ends it, and gives the path of the capture; raises McpsniffError where it cannot start.

    `paths` are those of the servers' URLs.
    """
    talk, root = Talk(), logging.getLogger()
    root.addHandler(talk)
    root.setLevel(ALERT)
    proxy = Proxy(modes, wishes, talk, paths)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, proxy.shutdown)
    await proxy.run()
    if talk.errors:
        raise McpsniffError(talk.errors[0])
    return proxy.capture.path


def _show(entry: Entry) -> None:
    line = live.line(entry)
    if line is not None:
        live.put(line)


def _trusted(confdir: str) -> str | None:
    """The file of authorities that servers are trusted by, where the user's environment names one.

    Clients are told to name the proxy's own certificate there, which says nothing of servers.
    """
    named = os.environ.get("SSL_CERT_FILE")
    return named if named and os.path.dirname(named) != os.path.expanduser(confdir) else None


class Talk(logging.Handler):
    """Says on stderr what the user must know; the errors of a start are kept instead."""

    def __init__(self) -> None:
        super().__init__()
        self.started = False
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """One line, without a traceback."""
        text = record.getMessage()
        if record.levelno >= logging.ERROR and not self.started:
            self.errors.append(text)
        else:
            print(text, file=sys.stderr)


class Proxy(Master):
    """A recording proxy, made in a running loop."""

    def __init__(self, modes: Sequence[str], wishes: Wishes, talk: Talk, paths: Mapping[str, str]) -> None:
        super().__init__(Options(mode=list(modes)))
        self.addons = Dispatcher(self)
        self._talk = talk
        self._server = proxyserver.Proxyserver()
        own = (core.Core(), disable_h2c.DisableH2C(), self._server, next_layer.NextLayer(), tlsconfig.TlsConfig())
        self.capture = McpCapture(paths, _show if wishes.live else None, wishes.keeping, marks=False)
        self.addons.add(*own, self.capture)  # type: ignore[no-untyped-call]
        # Lazily, or a server that is down would be a dropped connection to the client and no exchange to the capture.
        self.options.update(
            connection_strategy="lazy",
            ssl_verify_upstream_trusted_ca=_trusted(self.options.confdir),
            mcp_capture=wishes.write,
            mcp_redact=str(wishes.redact).lower(),
            mcp_redact_pointers=wishes.pointers,
        )

    async def running(self) -> None:
        """Lets the addons run, unless it cannot listen; ends where one of them cannot."""
        for server in self._server.servers:
            if isinstance(error := server.last_exception, OSError) and error.errno is not None:
                host, port = server.mode.custom_listen_host, server.mode.custom_listen_port
                self._talk.errors.insert(0, f"cannot listen on {host}:{port}: {os.strerror(error.errno)}.")
        if not self._talk.errors:
            await super().running()
        self._talk.started = not self._talk.errors
        if self._talk.errors:
            self.should_exit.set()

    async def done(self) -> None:
        """Stops listening, ends the capture, then the connections, as mitmproxy does it: a task cut off complains."""
        await self._server.servers.update([])
        await super().done()
        for connection in list(self._server.connections.values()):
            await connection.on_timeout()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_SECONDS):
                while self._server.connections:
                    await asyncio.sleep(0.01)
