"""The command line that both sample servers have in common."""

import argparse
import sys
from collections.abc import Callable

from library.build import DUAL_BUILD, ERAS, Build
from library.faults import SERVER_FAULTS
from library.http import serve_http
from library.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from library.service import DEFAULT_PAGE_SIZE, Service
from library.stdio import StdioServer

PROBE_ANSWERS = {
    str(INVALID_REQUEST): INVALID_REQUEST,
    str(METHOD_NOT_FOUND): METHOD_NOT_FOUND,
    str(INVALID_PARAMS): INVALID_PARAMS,
    "silent": None,
}


def serve(make_service: Callable[[int], Service], description: str) -> int:
    """Runs a server as the command line says, until its input ends or it is interrupted."""
    options = _parser(description).parse_args()
    service = make_service(options.page_size)
    build = Build(service, options.era, PROBE_ANSWERS[options.probe_answer], options.faulty)
    if options.http is not None:
        return serve_http(build, options.http)
    StdioServer(build, sys.stdin.buffer, sys.stdout.buffer).run()
    return 0


def _parser(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    add = parser.add_argument
    add("--era", choices=ERAS, default=DUAL_BUILD, help="the era or eras to speak")
    add("--http", metavar="HOST:PORT", help="serve over HTTP; port 0 takes a free one")
    add("--page-size", type=int, default=DEFAULT_PAGE_SIZE, help="entries on a page of a list")
    add(
        "--probe-answer",
        choices=PROBE_ANSWERS,
        default=str(METHOD_NOT_FOUND),
        help="what a legacy build answers to server/discover",
    )
    add(
        "--faulty",
        choices=SERVER_FAULTS,
        action="append",
        default=[],
        help="a deliberate fault of the modern era; may be given twice",
    )
    return parser
