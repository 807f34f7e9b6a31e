"""Whether an error can be about the params of a request at all, for rules on which code such an error needs."""

from mcpsniff.protocol.revisions import MODERN_CODES, PARSE_ERROR
from mcpsniff.rules.rule import Message

ELSEWHERE = MODERN_CODES | {PARSE_ERROR}  # headers, capabilities, versions, bytes


def judges_params(error: Message) -> bool:
    """Whether an error has a code, and neither the transport's status nor the code says that params were not read."""
    refused = error.exchange is not None and error.exchange.refused
    return error.code is not None and error.code not in ELSEWHERE and not refused
