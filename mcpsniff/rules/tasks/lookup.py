"""Answers about tasks that do not exist, and about tasks that should."""

import re

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.protocol.revisions import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    MODERN,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
)  # fmt: skip
from mcpsniff.rules.echoes import CURSORS, TASK_MEMBERS, TASK_STATUSES
from mcpsniff.rules.rule import CONTEXTUAL, SERVER, WARNING, Call, Found, Message, Rule, quote

from ._pages import OLD, PROPOSAL, TASKS
from ._parties import holder

# Codes with which a request is refused before anybody looks for its task.
EARLIER = frozenset((PARSE_ERROR, METHOD_NOT_FOUND, HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION))
GONE = re.compile(r"\btask\b.*(not found|unknown|not exist|expired)|(unknown|no such|expired) task", re.IGNORECASE)


class TaskUnknownIdWrongError(Rule):
    """A request for a task that was never made was not refused with -32602.

    ## Why it matters
    Clients tell an unknown task by this code; another one looks like a failure worth a retry, a success like a task.

    ## How to fix
    Answer tasks/get, tasks/result, tasks/cancel and tasks/update with -32602 where the id is unknown, and tasks/list
    where the cursor is.

    ## When it stays silent
    The task may have been made before the capture, in another session of the server, or out of sight. Refusals of
    another kind (no such method, missing capability, wrong headers) come before the look for the task.
    """

    id = "task-unknown-id-wrong-error"
    title = "Unknown taskId was not answered with -32602"
    tier = 2
    confidence = CONTEXTUAL
    since = OLD
    spec = {OLD: f"{TASKS}#protocol-errors", "2026-07-28": f"{PROPOSAL}#protocol-errors"}
    methods = ("tasks/get", "tasks/result", "tasks/cancel", "tasks/update", "tasks/list")
    yields_to = ("task-undeclared-not-rejected",)
    by_value = True
    echoes = (*CURSORS, *TASK_MEMBERS)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or message.code in EARLIER or message.code == INVALID_PARAMS or _refused(message):
            return
        what = self._unknown(message, call)
        if what is None:
            return
        if message.kind is Kind.RESULT and message.exchange is not None:
            yield self.unchecked("the task may have been made in an earlier session")
            return
        how = "accepted" if message.kind is Kind.RESULT else f"refused with {message.code}"
        text = f"{call.method} for {what} was {how}, not refused with {INVALID_PARAMS}"
        if call.method in ("tasks/update", "tasks/cancel"):  # 2026-07-28 only recommends the code there
            yield self.found(message, text, related=[call.seq], severity=WARNING, only_in=(MODERN,))
            yield self.found(message, text, related=[call.seq], only_in=(OLD,))
        else:
            yield self.found(message, text, related=[call.seq])

    def _unknown(self, message: Message, call: Call) -> str | None:
        """Gives what was asked for and is not there; over HTTP a task may come from an earlier session."""
        if call.method == "tasks/list":
            return self._cursor(call)
        if message.kind is Kind.ERROR and GONE.search(str(message.error.get("message"))):
            return "a task that is gone"
        failed_elsewhere = message.kind is Kind.ERROR and message.exchange is not None
        return None if failed_elsewhere else self._task(call)

    def _task(self, call: Call) -> str | None:
        id_, tasks = call.request.params.get("taskId"), self.session.tasks
        known = tasks.of(call.requester, id_) is not None or tasks.announced(id_) is not None
        return f"the unknown task {quote(id_)}" if isinstance(id_, str) and not known and self._complete(call) else None

    def _cursor(self, call: Call) -> str | None:
        cursor = call.request.params.get("cursor")
        if not isinstance(cursor, str) or (call.method, cursor) in self.session.lists.cursors:
            return None
        return f"the unknown cursor {quote(cursor)}" if self._complete(call) else None

    def _complete(self, call: Call) -> bool:
        session, receiver = self.session, OTHER[call.requester]
        clipped = session.clipped[(receiver, Kind.RESULT)] or session.clipped[(receiver, Kind.NOTIFICATION)]
        return session.whole and not session.tasks.forgot and not session.unreadable[receiver] and not clipped


class TaskNotResolvable(Rule):
    """A task that was just announced cannot be fetched.

    ## Why it matters
    The client has a handle that leads nowhere: result and errors of the call are lost.

    ## How to fix
    Store the task before its handle is sent, and where every instance of the server finds it.

    ## When it stays silent
    The time to live is over, the task had ended or was cancelled, or other credentials asked for it.
    """

    id = "task-not-resolvable"
    title = "Freshly returned task cannot be fetched"
    tier = 2
    violator = SERVER
    confidence = CONTEXTUAL
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PROPOSAL}#task-creation"}
    methods = ("tasks/get",)
    echoes = (*TASK_MEMBERS, *TASK_STATUSES)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.named(call) if call is not None else None
        if call is None or task is None or task.made is None or message.code != INVALID_PARAMS:
            return
        over = task.ended is not None or task.cancel is not None or task.expired(message.at)
        if not over and holder(call.exchange) == holder(task.call.exchange if task.call is not None else None):
            age = message.at - task.made.at
            text = f"task {quote(task.id)} could not be fetched {age:.1f} s after it was announced"
            yield self.found(message, text, related=[task.made.seq, call.seq])


def _refused(message: Message) -> bool:
    return message.exchange is not None and message.exchange.refused
