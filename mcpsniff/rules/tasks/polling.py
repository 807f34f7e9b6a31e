"""How a client watches its tasks."""

from mcpsniff.protocol.headers import EVENT_STREAM, JSON
from mcpsniff.protocol.revisions import MODERN
from mcpsniff.protocol.tasks import Task
from mcpsniff.rules.echoes import SUBSCRIPTIONS, TASK_MEMBERS, TASK_STATUSES
from mcpsniff.rules.rule import (
    CLIENT,
    HEURISTIC,
    INFO,
    SERVER,
    WARNING,
    Call,
    Found,
    Message,
    Rule,
    Session,
    quote,
)  # fmt: skip

from ._pages import OLD, PROPOSAL, TASKS

TOLERANCE = 0.2  # of the interval
PATIENCE = 60.0  # seconds after which an unwatched task counts as abandoned; at least ten intervals


class TaskPollTooFast(Rule):
    """A task was asked about again sooner than its poll interval allows.

    ## Why it matters
    The server named the interval to protect itself; it may refuse clients that do not keep to it.

    ## How to fix
    Wait for `pollInterval` (from 2026-07-28 on `pollIntervalMs`) after each answer.

    ## When it stays silent
    No interval was given; a fifth less than it; the first poll, and one right after a notification, after an input was
    delivered or after tasks/result failed.
    """

    id = "task-poll-too-fast"
    title = "Client polls a task faster than pollIntervalMs"
    tier = 2
    severity = {OLD: WARNING}
    since = OLD
    spec = {OLD: f"{TASKS}#getting-tasks", "2026-07-28": f"{PROPOSAL}#task-polling"}
    methods = ("tasks/get",)
    echoes = TASK_STATUSES

    def on_request(self, message: Message, call: Call) -> Found:
        task = self.session.tasks.named(call)
        if task is None or task.polled is None or task.interval is None or task.free or task.ended is not None:
            return
        gap = message.at - task.polled.at
        if gap < task.interval * (1 - TOLERANCE):
            text = f"task {quote(task.id)} was asked about {gap:.2f} s after the last answer, not {task.interval:g} s"
            yield self.found(message, text, related=[task.polled.seq], fault=task.id)


class TaskAbandoned(Rule):
    """The client stopped looking at a task that had not ended.

    ## Why it matters
    The server goes on working and keeps a result that nobody fetches.

    ## How to fix
    Poll until the task has ended, or stop it with tasks/cancel.

    ## When it stays silent
    For a minute, or ten poll intervals; where the time to live is shorter than that; where tasks/result is open, a
    subscription covers the task, or the task was cancelled. A client may come back later with the id it stored.
    """

    id = "task-abandoned"
    title = "Client stopped observing a task before it ended"
    tier = 3
    severity = {OLD: WARNING}
    confidence = HEURISTIC
    since = OLD
    spec = {OLD: f"{TASKS}#getting-tasks", "2026-07-28": f"{PROPOSAL}#task-polling"}
    by_value = True
    echoes = (*TASK_STATUSES, *SUBSCRIPTIONS, *TASK_MEMBERS)

    def on_end(self) -> Found:
        process = self.session.process
        closed = [at for _, at in process.eof.values()] if process is not None else []
        end = max([self.session.last_at, *closed])
        for task in self.session.tasks.all():
            patience = max(PATIENCE, 10 * (task.interval or 0.0))
            short_lived = task.ttl is not None and task.ttl < patience
            if end - task.looked_at > patience and not short_lived and not self._looked_after(task):
                text = f"task {quote(task.id)} was {task.last.status} when its caller last looked at it, "
                text += f"{end - task.looked_at:.0f} s before the end"
                revisions = (OLD, MODERN) if task.last.status == "working" else (MODERN,)
                yield self.found(task.last, text, violator=task.requester, only_in=revisions)

    def _looked_after(self, task: Task) -> bool:
        subscribed = any(_covers(one.wanted.get("taskIds"), task.id) for one in self.session.subscriptions.open())
        fetching = any(call.open for call in task.fetches)
        over = task.ended is not None or task.outcome is not None or task.cancel is not None
        return over or fetching or subscribed


def _covers(ids: object, id_: str) -> bool:
    return isinstance(ids, list) and id_ in ids


class TaskGetSse(Rule):
    """A tasks/get was answered with an event stream.

    ## Why it matters
    A poll is to be short; a stream ties up a connection for one small message.

    ## How to fix
    Answer tasks/get as application/json, and leave streams to tasks/result.

    ## When it stays silent
    A server that answers every request with a stream gets information instead.
    """

    id = "task-get-sse"
    title = "Server opened an SSE stream for tasks/get"
    tier = 2
    severity = {OLD: WARNING}
    violator = SERVER
    transport = "http"
    since = until = OLD
    spec = {OLD: f"{TASKS}#input-required-status"}

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._json = False  # some request was answered without a stream

    def on_answer(self, message: Message, call: Call | None) -> Found:
        exchange = message.exchange
        if call is None or call.requester != CLIENT or exchange is None or exchange.method != "POST":
            return
        self._json = self._json or exchange.media_type == JSON
        if call.method == "tasks/get" and exchange.media_type == EVENT_STREAM:
            text = f"tasks/get was answered as {EVENT_STREAM}"
            severity = None if self._json else INFO
            yield self.found(message, text, related=[exchange.reply_seq, call.seq], severity=severity)
