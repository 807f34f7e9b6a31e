"""Results that announce a new task."""

from mcpsniff.protocol.message import CLIENT
from mcpsniff.protocol.taskstates import TERMINAL, Shown, created, declares_tasks, is_augmented
from mcpsniff.rules.rule import (
    CONTEXTUAL,
    HEURISTIC,
    INFO,
    SERVER,
    WARNING,
    Call,
    Found,
    Message,
    Rule,
    quote,
)  # fmt: skip
from mcpsniff.rules.when import augmented, when

from ._pages import OLD, PROPOSAL, TASKS

AUGMENTABLE = ("tools/call", "sampling/createMessage", "elicitation/create")
SLOW = 5.0  # seconds


class _Creation(Rule):
    """What the rules of this file share."""

    tier = 2
    since = until = OLD

    def on_task(self, one: Shown) -> Found:
        if one.new and one.asked is not None and not one.asked.twin:
            yield from self.judge(one, one.asked)

    def judge(self, new: Shown, call: Call) -> Found:
        """Gives the findings on a new task."""
        raise NotImplementedError


class TaskUnsolicited(_Creation):
    """A request was answered with a task that it did not ask for (2025-11-25) or did not declare (2026-07-28).

    ## Why it matters
    A client without task support takes the handle for the result, or fails on it.

    ## How to fix
    Make a task only where the request has a `task` member; from 2026-07-28 on, only where its own client capabilities
    have the extension `io.modelcontextprotocol/tasks`. Where there is no other way, refuse with -32021.

    ## When it stays silent
    A result that has its usual members may also have one named task. What an earlier request declared does not count.
    """

    id = "task-unsolicited"
    title = "Task handle returned for a request that did not opt in"
    confidence = CONTEXTUAL
    spec = {OLD: f"{TASKS}#creating-tasks"}
    by_value = True

    def judge(self, new: Shown, call: Call) -> Found:
        if "task" not in call.request.params:
            yield self.found(new.message, f"{call.method} did not ask for a task", related=[call.seq], where=new.where)


class TaskUnsolicitedModern(_Creation):
    """The same for the extension, which each request declares by itself."""

    id = "task-unsolicited"
    title = TaskUnsolicited.title
    confidence = CONTEXTUAL
    since, until = "2026-07-28", "2026-07-28"
    spec = {"2026-07-28": f"{PROPOSAL}#capability-negotiation"}
    yields_to = ("task-legacy-surface", "task-unsupported-method")
    by_value = True

    def judge(self, new: Shown, call: Call) -> Found:
        if declares_tasks(call) is False and new.where == "/result":
            text = f"{call.method} does not declare the tasks extension"
            yield self.found(new.message, text, related=[call.seq], where="/result/resultType")


class TaskIdReused(_Creation):
    """One task id was given to two tasks.

    ## Why it matters
    Status and result of one task are delivered as those of the other.

    ## How to fix
    Make ids at random, for instance UUIDs; never count from one in every session.

    ## When it stays silent
    An answer that is delivered again, and tasks of the other side with the same id.
    """

    id = "task-id-reused"
    title = "Receiver gave one taskId to two tasks"
    spec = {OLD: f"{TASKS}#task-id-requirements"}

    def judge(self, new: Shown, call: Call) -> Found:
        known = self.session.tasks.of(call.requester, new.id)
        before = known.made.seq if known is not None and known.made is not None else None
        if before is None and call.requester == CLIENT:
            other = self.session.tasks.announced(new.id)
            before = other.seq if other is not None else None
        if before is not None:
            text = f"task id {quote(new.id)} is that of the task of record {before}"
            yield self.found(new.message, text, related=[before, call.seq], where=f"{new.where}/taskId")


class TaskIdSuppliedByRequestor(Rule):
    """A request for a task names the id that the task is to have.

    ## Why it matters
    Ids are the receiver's: an id that the caller chooses can collide with, or open, the task of another.

    ## How to fix
    Send no taskId with `task`; the receiver makes one up.

    ## When it stays silent
    A receiver that ignores the member and makes an id of its own turns this into information.
    """

    id = "task-id-supplied-by-requestor"
    title = "Requestor tried to choose the taskId"
    tier = 2
    confidence = CONTEXTUAL
    since = until = OLD
    spec = {OLD: f"{TASKS}#task-id-requirements"}
    methods = AUGMENTABLE

    @when(augmented)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or not is_augmented(call) or "taskId" not in call.request.params["task"]:
            return
        wanted, new = call.request.params["task"]["taskId"], created(message, call)
        obeyed = new is not None and new.value.get("taskId") == wanted
        text = f"taskId {quote(wanted)} is the caller's choice" + (", and the receiver took it" if obeyed else "")
        severity = None if obeyed else INFO
        yield self.found(call, text, related=[message.seq], severity=severity, where="/params/task/taskId")


class TaskInitialStatus(_Creation):
    """A new task has another status than "working".

    ## Why it matters
    Clients start to poll a new task, and may never look at one that begins elsewhere.

    ## How to fix
    Announce the task as working; the first tasks/get or notification may show what came of it.

    ## When it stays silent
    A status that is shown later, however soon.
    """

    id = "task-initial-status"
    title = "New task does not start as working"
    spec = {OLD: f"{TASKS}#task-status-lifecycle"}
    by_value = True

    def judge(self, new: Shown, call: Call) -> Found:
        if new.status != "working":
            text = f"new task {quote(new.id)} has status {quote(new.value.get('status'))}"
            yield self.found(new.message, text, related=[call.seq], where=f"{new.where}/status")


class TaskUnsupportedMethod(_Creation):
    """Another request than tools/call was answered with a task.

    ## Why it matters
    The extension knows tasks of tool calls alone: clients must treat this answer as invalid.

    ## How to fix
    Answer with the result itself.

    ## When it stays silent
    The handshake era's tasks have rules of their own.
    """

    id = "task-unsupported-method"
    title = "Task handle returned for a method other than tools/call"
    violator = SERVER
    since, until = "2026-07-28", "2026-07-28"
    spec = {"2026-07-28": f"{PROPOSAL}#supported-methods"}

    def judge(self, new: Shown, call: Call) -> Found:
        if call.method != "tools/call" and new.message.result.get("resultType") == "task":
            text = f"{quote(call.method)} was answered with a task; today the extension has them for tools/call alone"
            yield self.found(new.message, text, related=[call.seq], where="/result/resultType")


class TaskCreateSlow(_Creation):
    """The answer that announces a task took more than five seconds, or as long as the task itself.

    ## Why it matters
    Tasks are there so that nobody waits: a handle that comes with the result helps nobody.

    ## How to fix
    Answer before the work begins.

    ## When it stays silent
    Other requests waited as long, so that the delay is not the task's.
    """

    id = "task-create-slow"
    title = "CreateTaskResult came late"
    tier = 3
    severity = {OLD: WARNING}
    confidence = HEURISTIC
    spec = {OLD: f"{TASKS}#result-retrieval"}
    by_time = True

    def judge(self, new: Shown, call: Call) -> Found:
        state = new.state
        delay = state.at - call.started
        worked = state.updated - state.created if state.updated is not None and state.created is not None else 0.0
        late = delay > SLOW or (state.status in TERMINAL and delay > 1 and worked >= 0.8 * delay)
        others = (one for one in self.session.calls.all_open(call.requester) if one is not call)
        if late and is_augmented(call) and not any(state.at - one.started >= delay for one in others):
            yield self.found(new.message, f"the task was announced after {delay:.1f} s", related=[call.seq])
