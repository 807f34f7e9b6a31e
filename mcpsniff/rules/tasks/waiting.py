"""Tasks of 2025-11-25 that wait for input."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.protocol.tasks import Task
from mcpsniff.protocol.taskstates import CROSSING, Shown, State
from mcpsniff.rules.echoes import CANCELLATIONS, RELATED_TASKS, TASK_MEMBERS, TASK_STATUSES
from mcpsniff.rules.rule import CONTEXTUAL, WARNING, Found, Rule, quote

from ._pages import OLD, TASKS

FETCH = 10.0  # seconds, or two intervals, in which a caller should fetch what the task asks for
SETTLE = 30.0  # seconds after which a task that got its answers should not wait any more


class TaskInputRequiredNotFetched(Rule):
    """A caller was told that its task needs input, and did not call tasks/result.

    ## Why it matters
    The question may come on the stream of tasks/result alone: the task waits for ever.

    ## How to fix
    Call tasks/result as soon as the status is input_required, and answer what comes.

    ## When it stays silent
    For ten seconds or two poll intervals; where a question of the task came another way, where the status changed, and
    where the capture ends before.
    """

    id = "task-input-required-not-fetched"
    title = "Requestor saw input_required but did not call tasks/result"
    tier = 2
    severity = {OLD: WARNING}
    confidence = CONTEXTUAL
    since = until = OLD
    spec = {OLD: f"{TASKS}#input-required-status"}
    by_time = True
    echoes = (*RELATED_TASKS, *TASK_STATUSES, *TASK_MEMBERS)

    def on_end(self) -> Found:
        for task in self.session.tasks.all():
            for begin, end in task.episodes:
                until = min(begin.at + max(FETCH, 2 * (task.interval or 0.0)), end.at if end else self.session.last_at)
                if until - begin.at >= FETCH and not _attended(task, begin, until):
                    text = f"task {quote(task.id)} asked for input for {until - begin.at:.0f} s without a tasks/result"
                    related = [end.seq if end is not None else None]
                    yield self.found(begin, text, related=related, violator=task.requester)


def _attended(task: Task, begin: State, until: float) -> bool:
    """Whether the caller fetched, or was asked, between two times."""
    fetched = any(call.started <= until and (call.ended or until) >= begin.at for call in task.fetches)
    return fetched or task.cancel is not None or any(call.started <= until for call in task.asked)


class TaskInputStatus(Rule):
    """The status of a task does not fit its questions: working while one is open, or waiting when all are answered.

    ## Why it matters
    A caller that looks at the status does not learn that it is being waited for, or waits for a question that never
    comes.

    ## How to fix
    Move the task to input_required before the question is sent, and back when the last answer is in.

    ## When it stays silent
    For a second after the question, and for thirty seconds and two polls after the last answer; where other questions
    without a task's name are open.
    """

    id = "task-input-status"
    title = "Task status does not reflect pending input"
    tier = 2
    severity = {OLD: WARNING}
    confidence = CONTEXTUAL
    since = until = OLD
    spec = {OLD: f"{TASKS}#input-required-status"}
    by_time = True
    echoes = (*CANCELLATIONS, *RELATED_TASKS, *TASK_STATUSES, *TASK_MEMBERS)

    def on_task(self, one: Shown) -> Found:
        message = one.message
        task = self.session.tasks.of(OTHER[message.sender], one.id)
        if task is None or not task.asked:
            return
        pending = next((asked for asked in task.asked if asked.open), None)
        if one.status == "working" and pending is not None and message.at - pending.started > CROSSING:
            text = f"task {quote(one.id)} is shown as working while {pending.method} of it is open"
            yield self.found(message, text, related=[pending.seq], where=f"{one.where}/status")
        elif one.status == "input_required" and pending is None and self._settled(one, task):
            text = f"task {quote(one.id)} still waits for input, though all its questions are answered"
            related = [task.asked[-1].answer_seq]
            yield self.found(message, text, related=related, where=f"{one.where}/status", fault="answered")

    def _settled(self, one: Shown, task: Task) -> bool:
        at = one.message.at
        answered = max(asked.ended or at for asked in task.asked)
        others = self.session.calls.all_open(one.message.sender)
        return one.method == "tasks/get" and at - answered >= SETTLE and task.polls >= 1 and not others
