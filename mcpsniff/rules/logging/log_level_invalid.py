"""Log levels that there are none of: who asks for them, who sends them, who takes them."""

from typing import Any, ClassVar

from mcpsniff.protocol.revisions import (
    INVALID_PARAMS,
    LEGACY,
    LOG_LEVELS,
    META_LOG_LEVEL,
    METHOD_NOT_FOUND,
    MODERN_CODES,
)
from mcpsniff.protocol.schema import pointer
from mcpsniff.rules.rule import CLIENT, ERROR, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import by_client, by_server, has_meta, result, when

from ._asked import SET_LEVEL, asked_for, has_members, rank

NAMES = ", ".join(LOG_LEVELS)
OTHER_CAUSES = MODERN_CODES | {METHOD_NOT_FOUND}


class LogLevelInvalid(Rule):
    """The client asks for a log level that is none of the eight names.

    ## Why it matters
    The request is refused, or the server logs what it likes.

    ## How to fix
    Use debug, info, notice, warning, error, critical, alert or emergency, in lower case: "warn" is none of them.

    ## When it stays silent
    In 2026-07-28 a level that is no string is meta-field-invalid.
    """

    id = "log-level-invalid"
    title = "Client asked for an unknown log level"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = CLIENT
    until = LEGACY[-1]
    spec = {"2024-11-05": "server/utilities/logging#log-levels"}
    methods = (SET_LEVEL,)

    def on_request(self, message: Message, call: Call) -> Found:
        level = message.params.get("level")
        if message.sender == CLIENT and rank(level) is None and has_members(message):
            text = f"the level is {_shown(level)}, none of {NAMES}"
            yield self.found(message, text, where="/params/level")


class LogLevelInvalidModern(Rule):
    """The same where each request says which level it wants."""

    id = "log-level-invalid"
    title = LogLevelInvalid.title
    tier = 2
    severity = {"2026-07-28": ERROR}
    violator = CLIENT
    since = "2026-07-28"
    spec = LogLevelInvalid.spec

    @when(by_client, has_meta(META_LOG_LEVEL))
    def on_request(self, message: Message, call: Call) -> Found:
        level = asked_for(call)
        if message.sender == CLIENT and isinstance(level, str) and rank(level) is None:
            text = f"{META_LOG_LEVEL} is {_shown(level)}, none of {NAMES}"
            yield self.found(message, text, where=pointer("params", "_meta", META_LOG_LEVEL))


class LogMessageLevelInvalid(Rule):
    """A log notification has a level that is none of the eight names, or no data.

    ## Why it matters
    Typed clients drop the notification; others cannot sort it.

    ## How to fix
    Map the names of the logging library to the eight: "warn" to warning, "fatal" to critical, "trace" to debug.

    ## When it stays silent
    `data` may be anything, null included, and a logger is not needed.
    """

    id = "log-message-level-invalid"
    title = "Log message with a level outside the eight syslog names"
    tier = 2
    severity = {"2024-11-05": ERROR}
    violator = SERVER
    spec = {"2024-11-05": "server/utilities/logging#log-levels"}
    methods = ("notifications/message",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender != SERVER or not has_members(message):
            return
        level = message.params.get("level")
        if rank(level) is None:
            yield self.found(message, f"the level is {_shown(level)}, none of {NAMES}", where="/params/level")
        if "data" not in message.params:
            yield self.found(message, "the log message has no data", where="/params/data", fault="data")


class LogLevelNotRejected(Rule):
    """The server accepts an unknown log level, or refuses it with another code than -32602.

    ## Why it matters
    The client believes that the level is set, or cannot tell what was wrong.

    ## How to fix
    Answer -32602 to a level that is none of the eight names.

    ## When it stays silent
    Where the method is not there at all (-32601), and where the error is about something else.
    """

    id = "log-level-not-rejected"
    title = "Unknown logLevel was accepted"
    tier = 2
    severity = {"2024-11-05": WARNING}
    violator = SERVER
    until = LEGACY[-1]
    spec = {"2024-11-05": "server/utilities/logging#error-handling"}
    methods: ClassVar[tuple[str, ...]] = (SET_LEVEL,)
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.requester == CLIENT and has_members(call.request):
            yield from self.judge(message, call, call.request.params.get("level"))

    def judge(self, message: Message, call: Call, level: Any) -> Found:
        """Judges the answer to a request for a level."""
        if rank(level) is not None or message.code == INVALID_PARAMS or message.code in OTHER_CAUSES:
            return
        what = f"refused with {message.code}, not {INVALID_PARAMS}" if message.has_error else "accepted"
        yield self.found(message, f"the level {_shown(level)} is {what}", related=[call.seq])


class LogLevelNotRejectedModern(LogLevelNotRejected):
    """The same where each request says which level it wants."""

    id = "log-level-not-rejected"
    severity = {"2026-07-28": WARNING}
    since, until = "2026-07-28", "2026-07-28"
    methods = ()

    @when(by_server, once=result)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        level = asked_for(call) if call is not None and call.requester == CLIENT else None
        if call is not None and isinstance(level, str):
            yield from self.judge(message, call, level)


def _shown(level: Any) -> str:
    return "missing" if level is None else quote(level, 40)
