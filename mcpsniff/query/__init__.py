"""Filter expressions: which rows of a capture are meant (`show`, `follow`, `report`, the page).

    tools/call timeout          rows in whose text both words stand, in any case
    "not found"                 a phrase; quote with " or ', and \\" \\' \\\\ inside
    method:tools/*              a field by a glob: * is any run, ? any character, in any case
    name = get_weather          a field exactly; != for every other value
    size > 10k                  < <= > >= where a field has an order
    severity >= warning and not rule:stdout-*
    (from = client or kind:error) latency >= 250ms

`and`, `or`, `not` and parentheses combine; `not` binds tightest, then `and`, then `or`; two terms side by side mean
`and`. A row without a field (stderr has no method) fails every comparison of it, `!=` too; `method:*` asks whether it
is there. A row with several findings passes where one of them does, `!=` where all of them do.

    method name id session x    text; an answer has method and name of its request, an id is its value without quotes
    from violator               client, server; violator also either, unknown
    kind                        request, notification, result, error, batch, malformed, noise, body, stderr,
                                http-request, http-response, http-close, sse, eof, signal, exit, gap, lost, session, era
    era                         legacy, modern, mixed, unknown
    rule severity violator      of the findings pinned to the row; severity is info < warning < error
    size                        bytes on the wire; k, M, G are powers of 1024
    latency t                   of an answer; since the capture began; with a unit: us, ms, s
    status seq                  the HTTP status; the number of the record
"""

from .fields import FIELDS, WORDS, Predicate
from .parser import QueryError, parse

__all__ = ["FIELDS", "WORDS", "Predicate", "QueryError", "parse"]
