"""The client's command line."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing

from library.client.connect import CONNECT, Manner
from library.client.http import HttpTransport
from library.client.scenarios import SCENARIOS
from library.client.stdio import StdioTransport
from library.client.transport import ClientError, HttpRefusal, Profile
from library.jsonrpc import RpcError


def play(arguments: Sequence[str]) -> int:
    """Plays one scenario; returns 0 when it came to its end, 1 with a sentence on stderr when it could not."""
    own, command = _split(arguments)
    options = _parser().parse_args(own)
    scenario = SCENARIOS[options.scenario]
    profile = Profile(
        name=options.name,
        capabilities=scenario.capabilities,
        sends_info=not options.no_client_info,
        offer=options.offer,
    )
    manner = Manner(not options.no_discover, options.probe_timeout, options.faulty == "reused-retry-id")
    try:
        transport = StdioTransport(command) if options.stdio else HttpTransport(options.http)
        with closing(transport):
            client = CONNECT[options.era](transport, profile, manner)
            with closing(client):
                print(f"{options.scenario}, {client.era}")
                scenario.play(client)
    except ClientError as error:
        print(f"library_client: {error}", file=sys.stderr)
        return 1
    except RpcError as error:
        print(f"library_client: The server refuses with error {error.code}: {error.message}", file=sys.stderr)
        return 1
    except (HttpRefusal, TimeoutError) as problem:
        print(f"library_client: The server refuses or is silent: {problem}", file=sys.stderr)
        return 1
    return 0


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the client's own arguments and the server's command, which stands behind --stdio, with or without --."""
    own, command = list(arguments), list[str]()
    if "--stdio" in own:
        at = own.index("--stdio") + 1
        own, command = own[:at], own[at:]
    return own, command[1:] if command[:1] == ["--"] else command


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Plays a scenario with a server, over stdio or HTTP.")
    add = parser.add_argument
    add("scenario", choices=SCENARIOS, help="what to play")
    add("--era", choices=CONNECT, default="dual", help="the era or eras to speak")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--http", metavar="URL", help="the server's endpoint")
    way.add_argument("--stdio", action="store_true", help="what follows is the server's command")
    add("--name", default=Profile.name, help="the name to give in the protocol")
    add("--offer", metavar="VERSION", help="the version to ask for first")
    add("--no-client-info", action="store_true", help="leave clientInfo out of modern requests")
    add("--no-discover", action="store_true", help="as a modern client, begin with the work itself")
    add("--probe-timeout", type=float, default=Manner.probe_timeout, metavar="SECONDS")
    add("--faulty", choices=["reused-retry-id"], help="a deliberate fault of the modern era")
    return parser
