"""How a client of each era gets into conversation, and what a dual-era client makes of the answer to its probe."""

import itertools
from dataclasses import dataclass

from library.client.legacy import LegacyClient
from library.client.modern import ModernClient, proves_modern
from library.client.transport import ClientError, HttpRefusal, Profile, Transport
from library.jsonrpc import RpcError
from library.revisions import NEWEST_MODERN

Client = LegacyClient | ModernClient


@dataclass(frozen=True)
class Manner:
    """How to begin: whether a modern client asks with server/discover first, and how long it waits, in seconds."""

    discovers: bool = True
    probe_timeout: float = 10.0
    reuses_retry_id: bool = False


def connect_legacy(transport: Transport, profile: Profile, manner: Manner) -> Client:
    """Returns a client after the handshake; it knows nothing else."""
    client = LegacyClient(transport, profile, itertools.count(1))
    client.open()
    return client


def connect_modern(transport: Transport, profile: Profile, manner: Manner) -> Client:
    """Returns a client that speaks the stateless era alone, ClientError where the server does not."""
    client = ModernClient(transport, profile, itertools.count(1), manner.reuses_retry_id)
    if manner.discovers:
        try:
            client.discover(manner.probe_timeout)
        except (RpcError, HttpRefusal, TimeoutError) as problem:
            raise not_modern(problem) from problem
    return client


def connect_dual(transport: Transport, profile: Profile, manner: Manner) -> Client:
    """Returns a client of the server's era: modern where the probe proves it, legacy after anything else."""
    ids = itertools.count(1)
    client = ModernClient(transport, profile, ids, manner.reuses_retry_id)
    try:
        client.discover(manner.probe_timeout)
        return client
    except RpcError as error:
        if proves_modern(error):
            raise not_modern(error) from error
    except (HttpRefusal, TimeoutError):
        pass  # silence says as much as an error: no modern server
    fallback = LegacyClient(transport, profile, ids)
    fallback.open()
    return fallback


CONNECT = {"legacy": connect_legacy, "modern": connect_modern, "dual": connect_dual}


def not_modern(problem: Exception) -> ClientError:
    """Returns the error for a server that does not speak the stateless era, in one sentence."""
    code = f"error {problem.code}: {problem.message}" if isinstance(problem, RpcError) else str(problem)
    return ClientError(f"The server does not speak {NEWEST_MODERN}, and this client nothing older ({code}).")
