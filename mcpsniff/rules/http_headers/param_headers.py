"""Mcp-Param headers against the arguments of a call."""

from mcpsniff.protocol.mirror import DIFFERS, MISSING, UNEXPECTED
from mcpsniff.rules.echoes import MIRRORED
from mcpsniff.rules.rule import CONTEXTUAL

from ._faulty import FaultyHeader

PAGE = "basic/transports/streamable-http#"


class ParamHeaderMissing(FaultyHeader):
    """A tools/call leaves out the header that must mirror one of its arguments.

    ## Why it matters
    Gateways route by this header; the server has to refuse the call.

    ## How to fix
    For every property with `x-mcp-header` whose argument is sent and not null, send `Mcp-Param-` and the name.

    ## When it stays silent
    Tools whose definition this client did not get in the capture, or that may have changed since; definitions with an
    invalid annotation (rejected-tool-called); arguments that are absent or null.
    """

    id = "param-header-missing"
    title = "Mcp-Param header missing for an argument that is present"
    spec = {"2026-07-28": PAGE + "custom-headers-from-tool-parameters"}
    confidence = CONTEXTUAL
    kind = MISSING
    params = True
    says = 'the argument "{body}" needs {header}'
    by_value = True
    values = MIRRORED


class ParamHeaderUnexpected(FaultyHeader):
    """A tools/call sends the header of an argument that is absent or null.

    ## Why it matters
    What the header says is not in the call; the server has to refuse it.

    ## How to fix
    Leave the header out together with the argument.

    ## When it stays silent
    Mcp-Param headers that no annotation asks for: servers ignore them. Tools whose definition is unknown or may have
    changed.
    """

    id = "param-header-unexpected"
    title = "Mcp-Param header sent although the argument is absent or null"
    spec = {"2026-07-28": PAGE + "server-behavior-for-custom-headers"}
    confidence = CONTEXTUAL
    kind = UNEXPECTED
    params = True
    says = '{header} says "{sent}", but the argument is absent or null'
    by_value = True
    values = MIRRORED


class ParamHeaderMismatch(FaultyHeader):
    """An Mcp-Param header differs from the argument that it mirrors.

    ## Why it matters
    What a gateway let through is not what the tool would do; the server has to refuse the call.

    ## How to fix
    Render the argument: strings as they are, integers in decimal, booleans as `true` or `false`.

    ## When it stays silent
    Numbers compare by value, base64 is decoded first. Tools whose definition is unknown or may have changed; a header
    sent twice.
    """

    id = "param-header-mismatch"
    title = "Mcp-Param header differs from the argument"
    spec = {"2026-07-28": PAGE + "server-validation"}
    confidence = CONTEXTUAL
    kind = DIFFERS
    params = True
    says = '{header} says "{sent}", the argument is {body}'
    by_value = True
    values = MIRRORED
