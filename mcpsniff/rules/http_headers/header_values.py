"""Header values that are not encoded as they must be."""

from mcpsniff.protocol.mirror import AMBIGUOUS, BROKEN, UNSAFE
from mcpsniff.rules.echoes import MIRRORED

from ._faulty import FaultyHeader

SPEC = {"2026-07-28": "basic/transports/streamable-http#value-encoding"}


class HeaderValueUnsafe(FaultyHeader):
    """Mcp-Name or an Mcp-Param header carries a value raw that needs base64.

    ## Why it matters
    Bytes beyond ASCII and white space at the edges do not survive: each hop may trim, mangle or refuse them.

    ## How to fix
    Send values with anything but visible ASCII, inner spaces and tabs as `=?base64?` + base64 of the UTF-8 + `?=`.

    ## When it stays silent
    Values that need no encoding may be sent either way.
    """

    id = "header-value-unsafe"
    title = "A header value needed base64 encoding but was sent raw"
    spec = SPEC
    kind = UNSAFE
    says = '{header} carries "{sent}" raw for "{body}"'
    by_value = True
    values = MIRRORED


class HeaderBase64Invalid(FaultyHeader):
    """A header value between `=?base64?` and `?=` does not decode to UTF-8 text.

    ## Why it matters
    The server cannot compare it with the body, and refuses the request.

    ## How to fix
    Use standard base64 with padding, not the alphabet of URLs, over the UTF-8 bytes of the value.

    ## When it stays silent
    Markers in another case are part of a literal value, which then differs from the body.
    """

    id = "header-base64-invalid"
    title = "A base64 sentinel value does not decode"
    spec = SPEC
    kind = BROKEN
    says = '{header} "{sent}" does not decode'
    by_value = True
    values = MIRRORED


class HeaderSentinelAmbiguous(FaultyHeader):
    """A value that itself looks like a base64 sentinel was sent as it is.

    ## Why it matters
    The server decodes it and compares something else than the value.

    ## How to fix
    Encode such a value once more.

    ## When it stays silent
    Values that merely contain the markers, or have one of them.
    """

    id = "header-sentinel-ambiguous"
    title = "A literal value that looks like the sentinel was sent unencoded"
    spec = SPEC
    kind = AMBIGUOUS
    says = '{header} carries the literal value "{sent}", which reads as base64'
    by_value = True
    values = MIRRORED
