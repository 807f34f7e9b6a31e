"""What tasks/result delivers, and when."""

import re

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.protocol.revisions import INVALID_PARAMS
from mcpsniff.protocol.schema import RESULTS, Unjudged, flaws
from mcpsniff.protocol.tasks import Task
from mcpsniff.protocol.taskstates import STATUS_NOTIFICATIONS, STATUSES, TERMINAL, Shown, payload
from mcpsniff.rules.echoes import CANCELLATIONS, TASK_STATUSES
from mcpsniff.rules.elsewhere import RESULT_PLACES
from mcpsniff.rules.rule import Call, Found, Message, Rule, Session, quote

from ._pages import OLD, TASKS

INTERNAL_ERROR = -32603
REPORTING = (*STATUS_NOTIFICATIONS, "tasks/get", "tasks/list", "tasks/cancel")
UNFINISHED = re.compile(
    r"\btask\b.*(\bnot|n't)\b.*\b(finish|complet|done|ready|terminal)|still (working|running)|\bin progress\b"
    r"|\btask\b.*\b(is )?(working|input_required|running|pending)\b",
    re.IGNORECASE,
)


class TaskResultPremature(Rule):
    """tasks/result was answered although the task had not ended.

    ## Why it matters
    The request is meant to wait for the end; a client that gets an error or half a result gives the task up.

    ## How to fix
    Hold the answer back until the task is completed, failed or cancelled.

    ## When it stays silent
    The last status seen before proves nothing. What counts is a status after the answer, on the same stream or asked
    for later, or an error that says so itself. Unknown and expired tasks are refused rightly.
    """

    id = "task-result-premature"
    title = "tasks/result returned before the task was finished"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#result-retrieval"}
    by_time = True

    methods = (*REPORTING, "tasks/result")
    echoes = (*CANCELLATIONS, *TASK_STATUSES)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._told: set[int] = set()  # records of answers

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.method == "tasks/result" and message.kind is Kind.ERROR:
            yield from self._refused(message, call)

    def on_task(self, one: Shown) -> Found:
        task = self.session.tasks.of(OTHER[one.message.sender], one.id)
        early = task.outcome if task is not None else None
        if task is None or early is None or one.new or one.status in TERMINAL or one.status not in STATUSES:
            return
        proven = one.state.follows(early) and not one.state.is_older(task.last)
        if proven and early.seq not in self._told:
            self._told.add(early.seq)
            text = f"tasks/result of {quote(one.id)} was answered, and the task was {one.status} after that"
            yield self.found(early, text, related=[one.message.seq, early.asked])

    def _refused(self, message: Message, call: Call) -> Found:
        words, task = message.error.get("message"), self.session.tasks.named(call)
        ended = task is not None and task.ended is not None
        if call.cancelled_seq is None and not ended and isinstance(words, str) and UNFINISHED.search(words):
            self._told.add(message.seq)
            yield self.found(message, f"tasks/result did not wait: {quote(words)}", related=[call.seq])


class TaskResultMismatch(Rule):
    """tasks/result delivers something else than the request that made the task would have got.

    ## Why it matters
    The client reads the answer as the result of its request, and cannot.

    ## How to fix
    Store the result, or the error, of the request and deliver just that: no task object, no wrapper, and the same each
    time.

    ## When it stays silent
    `_meta` may differ. A failed task may deliver a tool result with isError, and -32602 says that it is gone. Where the
    request that made the task was not seen, the shape is not judged.
    """

    id = "task-result-mismatch"
    title = "tasks/result did not return what the original request would have returned"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#result-retrieval"}
    methods = ("tasks/result",)
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.named(call) if call is not None else None
        if call is None or task is None or call.twin or message.code == INVALID_PARAMS:
            return
        wrong = self._wrong(message, task)
        if wrong is not None:
            related = [call.seq, task.made.seq if task.made is not None else None]
            yield self.found(message, f"tasks/result of {quote(task.id)}: {wrong}", related=related)

    def _wrong(self, message: Message, task: Task) -> str | None:
        status = task.ended.status if task.ended is not None else None
        if message.kind is Kind.ERROR:
            tool = task.call is not None and task.call.method == "tools/call"
            broken = status == "completed" and (message.code == INTERNAL_ERROR or not tool)
            return f"error {message.code} for a completed task" if broken else _changed(message, task)
        if status == "failed" and message.result.get("isError") is not True:
            return "a success for a failed task"
        return _unfit(message, task) or _changed(message, task)


def _unfit(message: Message, task: Task) -> str | None:
    """Gives what of a result is not as the request that made the task promises it."""
    if task.call is None:
        return None
    try:
        found = flaws(RESULTS, task.call.method, OLD, {"result": message.raw_result}, RESULT_PLACES["2024-11-05"])
    except Unjudged:
        return None
    return f"no result of {task.call.method}: {quote(str(found[0]), 200)}" if found else None


def _changed(message: Message, task: Task) -> str | None:
    now, before = payload(message), task.outcome_digest
    if task.ended is None or task.outcome is None or task.outcome.seq < task.ended.seq or not (now and before):
        return None
    return f"another outcome than in record {task.outcome.seq}" if now != before else None
