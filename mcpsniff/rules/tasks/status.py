"""How the status of a task may change, and what it has to say."""

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.protocol.revisions import INVALID_PARAMS, METHOD_NOT_FOUND, MODERN
from mcpsniff.protocol.taskstates import CROSSING, STATUSES, Shown, is_augmented
from mcpsniff.rules.rule import INFO, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import answered, when

from ._pages import OLD, OVERVIEW, PROPOSAL, TASKS
from ._parties import offered


class TaskTerminalChanged(Rule):
    """A task that had ended was shown later with another status, result or error.

    ## Why it matters
    The client has acted on the end it was told; what it did is wrong now.

    ## How to fix
    Store the first terminal status and never write over it, not even with "cancelled".

    ## When it stays silent
    Moves between working and input_required, steps that nobody saw, and states that may have overtaken each other on
    the way. Servers may mark an expired task failed, and forget it.
    """

    id = "task-terminal-changed"
    title = "A terminal task changed its state"
    tier = 2
    since = OLD
    spec = {OLD: f"{TASKS}#task-status-lifecycle", "2026-07-28": f"{OVERVIEW}#task-lifecycle"}
    yields_to = ("task-cancel-terminal-accepted",)
    by_time = True
    by_value = True

    def on_task(self, one: Shown) -> Found:
        task = self.session.tasks.of(OTHER[one.message.sender], one.id)
        if task is None or task.ended is None or one.new:
            return
        now, end = one.state, task.ended
        stale = now.is_older(end) and (now.stream is not None or one.listed)
        lapsed = one.status == "failed" and task.expired(now.at)
        if one.status not in STATUSES or not now.follows(end) or stale or lapsed:
            return
        if one.status != end.status:
            text = f"task {quote(one.id)} is {one.status} after it was {end.status}"
            yield self.found(one.message, text, related=[end.seq], where=f"{one.where}/status")
        elif now.digest != end.digest and now.digest and end.digest:
            text = f"task {quote(one.id)} has another outcome than in record {end.seq}"
            yield self.found(one.message, text, related=[end.seq], where=one.where, only_in=(MODERN,))


class TaskCancelNotCancelled(Rule):
    """tasks/cancel was answered with a task that is not cancelled.

    ## Why it matters
    The caller cannot tell whether the work goes on.

    ## How to fix
    Set the status to "cancelled" before answering, even where the work needs longer to stop.

    ## When it stays silent
    Errors. A task that had ended before has a rule of its own.
    """

    id = "task-cancel-not-cancelled"
    title = "tasks/cancel succeeded but the task is not cancelled"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-cancellation"}
    methods = ("tasks/cancel",)
    yields_to = ("task-cancel-terminal-accepted",)

    def on_answer(self, message: Message, call: Call | None) -> Found:
        status = message.result.get("status")
        if call is not None and message.kind is Kind.RESULT and status != "cancelled":
            text = f"task {quote(call.request.params.get('taskId'))} has status {quote(status)}"
            yield self.found(message, text, related=[call.seq], where="/result/status")


class TaskCancelTerminalAccepted(Rule):
    """tasks/cancel of a task that had ended was not refused with -32602.

    ## Why it matters
    The caller believes that the work was stopped, although its result stands.

    ## How to fix
    Look at the status first; for completed, failed and cancelled tasks answer with -32602.

    ## When it stays silent
    The end had not been shown before the request, or cancelling is not supported at all.
    """

    id = "task-cancel-terminal-accepted"
    title = "tasks/cancel of a finished task was not refused with -32602"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-cancellation"}
    methods = ("tasks/cancel",)
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.named(call) if call is not None else None
        if call is None or task is None or task.ended is None or task.ended.seq > call.seq:
            return
        if message.code not in (INVALID_PARAMS, METHOD_NOT_FOUND):
            how = "accepted" if message.kind is Kind.RESULT else f"refused with {message.code}"
            text = f"cancelling task {quote(task.id)}, {task.ended.status} since record {task.ended.seq}, was {how}"
            yield self.found(message, text, related=[call.seq, task.ended.seq])


class TaskCancelByNotification(Rule):
    """`notifications/cancelled` was sent to stop a task.

    ## Why it matters
    The request it names is answered already: the notification is ignored, and the task goes on.

    ## How to fix
    Send tasks/cancel with the task's id.

    ## When it stays silent
    The receiver offered no tasks, so that the request was an ordinary one. Before the answer with the task's id
    nothing else than the notification is possible: information in 2025-11-25, legal in 2026-07-28.
    """

    id = "task-cancel-by-notification"
    title = "notifications/cancelled used to cancel a task"
    tier = 2
    since = OLD
    spec = {
        OLD: "basic/utilities/cancellation#behavior-requirements",
        "2026-07-28": f"{PROPOSAL}#task-cancellation",
    }
    methods = ("notifications/cancelled",)

    def on_notification(self, message: Message, call: Call | None) -> Found:
        named = message.token("requestId")
        if named is None:
            return
        if call is not None and call.requester == message.sender and call.open:
            if is_augmented(call) and offered(self.session, call):
                text = f"request {call.id} asked for a task, whose id is not known yet"
                yield self.found(message, text, related=[call.seq], severity=INFO, only_in=(OLD,))
            return
        answered = self.session.calls.answered(message.sender, named)
        task = self.session.tasks.made_by(answered) if answered is not None else None
        if task is None and answered is None:
            task = self.session.tasks.of(message.sender, message.params.get("requestId"))
        if task is not None:
            text = f"the notification is to stop task {quote(task.id)}, which tasks/cancel alone can"
            yield self.found(message, text, related=[task.last.seq if task.made is None else task.made.seq])


class TaskProgressAfterTerminal(Rule):
    """Progress was reported for a task that had ended.

    ## Why it matters
    The receiver has forgotten the token.

    ## How to fix
    Stop reporting before the terminal status, or the answer to tasks/result, is sent.

    ## When it stays silent
    The token may serve a newer request, and messages of two streams may overtake each other for a second.
    """

    id = "task-progress-after-terminal"
    title = "Progress for a task after its terminal status"
    tier = 2
    since = until = OLD
    spec = {OLD: "basic/utilities/progress#behavior-requirements"}
    methods = ("notifications/progress",)
    by_time = True

    @when(answered)
    def on_notification(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.made_by(call) if call is not None and call.made_task else None
        if task is None or call is None or call.requester != OTHER[message.sender]:
            return
        ends = [state for state in (task.ended, task.outcome) if state is not None]
        stream = message.exchange.x if message.exchange is not None else None
        over = next((end for end in ends if end.stream == stream or message.at - end.at > CROSSING), None)
        if over is not None:
            text = f"progress for token {call.token} after task {quote(task.id)} ended in record {over.seq}"
            yield self.found(message, text, related=[over.seq, call.seq], where="/params/progressToken")


class TaskFailedWithoutMessage(Rule):
    """A failed task does not say why it failed.

    ## Why it matters
    The person in front of the client learns only that it did not work.

    ## How to fix
    Put the reason into `statusMessage`.

    ## When it stays silent
    In lists and notifications it is only noted.
    """

    id = "task-failed-without-message"
    title = "Failed task without statusMessage"
    tier = 2
    severity = {OLD: WARNING}
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-execution-errors"}

    def on_task(self, one: Shown) -> Found:
        words = one.value.get("statusMessage")
        if one.status == "failed" and not (isinstance(words, str) and words.strip()):
            text = f"task {quote(one.id)} failed without a statusMessage"
            severity = None if one.method == "tasks/get" else INFO
            yield self.found(one.message, text, severity=severity, where=f"{one.where}/statusMessage")


class TaskToolErrorNotFailed(Rule):
    """The task of a tool call that failed was reported as completed.

    ## Why it matters
    A client that looks at the status alone takes the failure for a success.

    ## How to fix
    Set the status to "failed" where the result has `isError` true, or where the call ended in an error.

    ## When it stays silent
    The end of the task was not shown before its result was fetched. An internal error in place of the result of a
    completed task has a rule of its own.
    """

    id = "task-tool-error-not-failed"
    title = "Task of a failing tool call is reported as completed"
    tier = 2
    severity = {OLD: WARNING}
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-execution-errors"}
    methods = ("tasks/result",)
    yields_to = ("task-result-mismatch",)
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        task = self.session.tasks.named(call) if call is not None else None
        if call is None or task is None or task.call is None or task.call.method != "tools/call":
            return
        if task.ended is None or task.ended.status != "completed":
            return
        error = message.kind is Kind.ERROR and message.code != INVALID_PARAMS
        if error or message.result.get("isError") is True:
            how = f"error {message.code}" if error else "a result with isError"
            text = f"task {quote(task.id)} is completed, and tasks/result gives {how}"
            yield self.found(message, text, related=[task.ended.seq, call.seq])
