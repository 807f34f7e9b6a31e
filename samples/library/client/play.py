"""The client's command line."""

import argparse
import sys
from collections.abc import Sequence

from library.client.connect import CONNECT, Manner
from library.client.http import HttpTransport
from library.client.scenarios import SCENARIOS
from library.client.stdio import StdioTransport
from library.client.transport import ClientError, HttpRefusal, Profile, Transport
from library.jsonrpc import RpcError


def play(arguments: Sequence[str]) -> int:
    """Plays one scenario; returns 0 when it came to its end, 1 with a sentence on stderr when it could not."""
    options = _parser().parse_args(arguments)
    scenario = SCENARIOS[options.scenario]
    profile = Profile(
        name=options.name,
        capabilities=scenario.capabilities,
        sends_info=not options.no_client_info,
        offer=options.offer,
    )
    manner = Manner(not options.no_discover, options.probe_timeout, options.faulty == "reused-retry-id")
    try:
        transport = _transport(options)
        try:
            client = CONNECT[options.era](transport, profile, manner)
            print(f"{options.scenario}, {client.era}")
            scenario.play(client)
        finally:
            transport.close()
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


def _transport(options: argparse.Namespace) -> Transport:
    if options.http is not None:
        return HttpTransport(options.http)
    return StdioTransport(options.command)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Plays a scenario with a server, over stdio or HTTP.")
    add = parser.add_argument
    add("scenario", choices=SCENARIOS, help="what to play")
    add("--era", choices=CONNECT, default="dual", help="the era or eras to speak")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--http", metavar="URL", help="the server's endpoint")
    way.add_argument(
        "--stdio", nargs=argparse.REMAINDER, dest="command", help="the server's command, to the end of the line"
    )
    add("--name", default=Profile.name, help="the name to give in the protocol")
    add("--offer", metavar="VERSION", help="the version to ask for first")
    add("--no-client-info", action="store_true", help="leave clientInfo out of modern requests")
    add("--no-discover", action="store_true", help="as a modern client, begin with the work itself")
    add("--probe-timeout", type=float, default=Manner.probe_timeout, metavar="SECONDS")
    add("--faulty", choices=["reused-retry-id"], help="a deliberate fault of the modern era")
    return parser
