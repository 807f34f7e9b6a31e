"""What initialize and its result must hold."""

from collections.abc import Iterable, Mapping
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.rules.rule import CLIENT, SERVER, Call, Found, Message, Rule


class InitializeParamsIncomplete(Rule):
    """The initialize request lacks protocolVersion, capabilities or clientInfo, or one has a wrong type.

    ## Why it matters
    Without them the server cannot choose a revision; most refuse the request.

    ## How to fix
    Send a version string, a capabilities object (empty is fine), and clientInfo with a name and a version.

    ## When it stays silent
    Further members are allowed; title, icons, description and websiteUrl may be absent.
    """

    id = "initialize-params-incomplete"
    title = "initialize lacks protocolVersion, capabilities or clientInfo"
    until = "2025-11-25"
    violator = CLIENT
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    yields_to = ("params-not-object",)
    by_value = True

    def on_request(self, message: Message, call: Call) -> Found:
        faults = list(_faults(message.params, "clientInfo"))
        if message.sender == CLIENT and faults:
            yield self.found(message, f"params: {', '.join(faults)}", where="/params")


class InitializeResultIncomplete(Rule):
    """The initialize result lacks protocolVersion, capabilities or serverInfo, or one has a wrong type.

    ## Why it matters
    The client does not know which revision and which features it may use; most end the session.

    ## How to fix
    Answer with a version string, a capabilities object (empty is fine), and serverInfo with a name and a version.

    ## When it stays silent
    An error is an answer, too; instructions may be absent.
    """

    id = "initialize-result-incomplete"
    title = "initialize result lacks protocolVersion, capabilities or serverInfo"
    until = "2025-11-25"
    violator = SERVER
    methods = ("initialize",)
    spec = {"2024-11-05": "basic/lifecycle#initialization"}
    yields_to = ("result-not-object",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        faults = list(_faults(message.result, "serverInfo"))
        if message.kind is Kind.RESULT and message.sender == SERVER and faults:
            text = f"result: {', '.join(faults)}"
            yield self.found(message, text, related=[call.seq if call else None], where="/result")


def _faults(members: Mapping[str, Any], info: str) -> Iterable[str]:
    if not isinstance(members.get("protocolVersion"), str):
        yield _missing(members, "protocolVersion", "no string")
    if not isinstance(members.get("capabilities"), dict):
        yield _missing(members, "capabilities", "no object")
    about = members.get(info)
    if not isinstance(about, dict):
        yield _missing(members, info, "no object")
        return
    for name in ("name", "version"):
        if not isinstance(about.get(name), str):
            yield f"{info}.{_missing(about, name, 'no string')}"


def _missing(members: Mapping[str, Any], name: str, otherwise: str) -> str:
    return f"{name} is {otherwise if name in members else 'missing'}"
