"""The related-task metadata that ties messages to a task (2025-11-25)."""

from collections.abc import Iterator

from mcpsniff.protocol.message import OTHER, Kind
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.taskstates import RELATED, STATUS_NOTIFICATIONS, tag
from mcpsniff.rules.echoes import TASK_MEMBERS
from mcpsniff.rules.rule import WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import has_meta, when

from ._pages import OLD, TASKS

KEY = pointer("_meta", RELATED)
OWN_ID = ("tasks/get", "tasks/list", "tasks/cancel")
INPUT = ("elicitation/create", "sampling/createMessage", "roots/list")


class TaskRelatedMetaMissing(Rule):
    """A message that belongs to a task does not name it in its metadata.

    ## Why it matters
    A client with several tasks cannot tell for which of them a question or a result is.

    ## How to fix
    Put `io.modelcontextprotocol/related-task` with the taskId into `_meta` of the results of tasks/result, of every
    request made for the task, and of its answers.

    ## When it stays silent
    Errors, which have no place for it, and messages that hold the id anyway. A request counts as the task's where it
    comes on the stream of a tasks/result, or while nothing but a task waits for input.
    """

    id = "task-related-meta-missing"
    title = "Task-related message lacks the related-task metadata"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#associating-task-related-messages"}
    methods = (*INPUT, "tasks/result")
    echoes = TASK_MEMBERS
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT or call.twin or tag(message) is not None:
            return
        if call.method == "tasks/result" and RELATED not in message.meta:
            id_ = call.request.params.get("taskId")
            yield self.found(message, f"the result of task {quote(id_)} does not name it", related=[call.seq])
        elif call.method in INPUT and isinstance(tag(call.request), str):
            text = f"the answer to {call.method} does not name task {quote(tag(call.request))}"
            yield self.found(message, text, related=[call.seq])

    def on_request(self, message: Message, call: Call) -> Found:
        if call.method not in INPUT or RELATED in message.meta:
            return
        waiting = next(self._waiting(message), None)
        if waiting is not None:
            id_, seq = waiting
            yield self.found(message, f"{call.method} does not name task {quote(id_)}", related=[seq])

    def _waiting(self, message: Message) -> Iterator[tuple[object, int]]:
        """Gives the task that a request of the receiver is most likely for, with the record that says so."""
        calls = message.exchange.calls.values() if message.exchange is not None else ()
        for one in calls:
            if one.method == "tasks/result":
                yield one.request.params.get("taskId"), one.seq
        requester = OTHER[message.sender]
        others = [one for one in self.session.calls.all_open(requester) if not one.method.startswith("tasks/")]
        running = [one for one in self.session.tasks.all() if one.requester == requester and one.ended is None]
        if len(running) == 1 and not others and running[0].last.status == "input_required":
            yield running[0].id, running[0].last.seq


class TaskRelatedMetaMismatch(Rule):
    """related-task metadata names another task than the message is about, or one that does not exist.

    ## Why it matters
    The message is shown, or answered, as part of the wrong task.

    ## How to fix
    Copy the id from the request that is answered, or from the task that the request is made for.

    ## When it stays silent
    In requests of tasks/* the parameter counts, and the metadata is only superfluous. Where the capture does not hold
    the whole session, an unknown id proves nothing.
    """

    id = "task-related-meta-mismatch"
    title = "related-task metadata names the wrong task"
    tier = 2
    since = until = OLD
    spec = {OLD: f"{TASKS}#associating-task-related-messages"}
    by_value = True
    echoes = TASK_MEMBERS

    @when(has_meta(RELATED))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        named = tag(message)
        if call is None or not isinstance(named, str):
            return
        params, asked = call.request.params, tag(call.request)
        expected = params.get("taskId") if call.method == "tasks/result" else asked if call.method in INPUT else None
        if isinstance(expected, str) and expected != named:
            text = f"the answer is about task {quote(expected)}, and names {quote(named)}"
            yield self.found(message, text, related=[call.seq], where=KEY)

    @when(has_meta(RELATED))
    def on_request(self, message: Message, call: Call) -> Found:
        if not call.method.startswith("tasks/"):
            yield from self._unknown(message)

    @when(has_meta(RELATED))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method not in STATUS_NOTIFICATIONS:
            yield from self._unknown(message)

    def _unknown(self, message: Message) -> Found:
        named, tasks = tag(message), self.session.tasks
        if not isinstance(named, str):
            return
        if any(tasks.of(side, named) is not None for side in OTHER) or tasks.announced(named) is not None:
            return
        session = self.session
        if not session.whole or tasks.forgot or session.unreadable[message.sender] or session.clipped:
            yield self.unchecked("the task may have been made out of sight")
        else:
            yield self.found(message, f"task {quote(named)} was never made", where=KEY)


class TaskRelatedMetaSuperfluous(Rule):
    """related-task metadata stands in a message that holds the task's id anyway.

    ## Why it matters
    Two places for one id can contradict each other.

    ## How to fix
    Leave the metadata out of tasks/get, tasks/list and tasks/cancel and their results, out of tasks/result requests
    and out of status notifications.

    ## When it stays silent
    Results of tasks/result must have it.
    """

    id = "task-related-meta-superfluous"
    title = "related-task metadata where the task id is already in the message"
    tier = 2
    severity = {OLD: WARNING}
    since = until = OLD
    spec = {OLD: f"{TASKS}#associating-task-related-messages"}
    methods = (*OWN_ID, "tasks/result", "notifications/tasks/status")

    def on_request(self, message: Message, call: Call) -> Found:
        if call.method in (*OWN_ID, "tasks/result") and RELATED in message.meta:
            yield self.found(message, f"a {call.method} request names its task twice", where=f"/params{KEY}")

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is not None and call.method in OWN_ID and RELATED in message.meta:
            text = f"the result of {call.method} names a task in its metadata"
            yield self.found(message, text, related=[call.seq], where=f"/result{KEY}")

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.method == "notifications/tasks/status" and RELATED in message.meta:
            yield self.found(message, "a status notification names its task twice", where=f"/params{KEY}")
