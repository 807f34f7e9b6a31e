"""The tasks extension (2026-07-28) where nobody negotiated it, in the shape of 2025-11-25, or off its stream."""

from typing import Any

from mcpsniff.protocol.message import CLIENT, Kind
from mcpsniff.protocol.mirror import NAME, fault_of, posted
from mcpsniff.protocol.revisions import MISSING_CAPABILITY
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.subscriptions import ACKNOWLEDGED, tag_of
from mcpsniff.protocol.taskstates import Shown, declares_tasks
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES, MIRRORED
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import is_method, result, when

from ._pages import PROPOSAL
from .lookup import EARLIER

METHODS = ("tasks/get", "tasks/update", "tasks/cancel")


class _Extension(Rule):
    """What the rules of this file share."""

    tier = 2
    violator = SERVER
    since = "2026-07-28"


class TaskUndeclaredNotRejected(_Extension):
    """A task method, or a filter for tasks, was served to a client that did not declare the extension.

    ## Why it matters
    A client that does not declare tasks cannot handle what it gets.

    ## How to fix
    Refuse the request with -32021 and name the extension in `requiredCapabilities`.

    ## When it stays silent
    -32601 and acknowledgments without taskIds: such a server does not have the extension. Requests that were refused
    for their headers or version were not looked at.
    """

    id = "task-undeclared-not-rejected"
    title = "Server served a task method or task filter to a client that did not declare the extension"
    spec = {"2026-07-28": f"{PROPOSAL}#protocol-errors"}
    methods = (*METHODS, ACKNOWLEDGED)
    echoes = CLIENT_CAPABILITIES
    by_value = True

    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or declares_tasks(call) is not False or message.code in EARLIER:
            return
        if message.exchange is None or not message.exchange.refused:
            how = "served" if message.kind is Kind.RESULT else f"refused with {message.code}"
            text = f"{call.method} without the tasks extension was {how}, not refused with {MISSING_CAPABILITY}"
            yield self.found(message, text, related=[call.seq])

    def on_notification(self, message: Message, call: Call | None) -> Found:
        granted, sub = message.params.get("notifications"), self.session.subscriptions.of(message)
        if sub is None or declares_tasks(sub.call) is not False or not isinstance(granted, dict):
            return
        if granted.get("taskIds"):
            text = f"subscription {sub.call.id} was granted taskIds without the tasks extension"
            yield self.found(message, text, related=[sub.call.seq], where="/params/notifications/taskIds")


class TaskLegacySurface(_Extension):
    """The server offers tasks in the form of 2025-11-25.

    ## Why it matters
    Both forms have methods of the same name and cannot be used together: clients of the extension find nothing.

    ## How to fix
    Declare `extensions["io.modelcontextprotocol/tasks"]` in place of `capabilities.tasks`, announce tasks flat with
    resultType "task", and drop tasks/list and tasks/result.

    ## When it stays silent
    Sessions of the handshake era keep that form. `execution.taskSupport` in the description of a tool is only noted.
    """

    id = "task-legacy-surface"
    title = "2025-11-25 task surface used under this revision"
    spec = {"2026-07-28": f"{PROPOSAL}#backward-compatibility"}
    methods = ("server/discover", "tasks/result", "tasks/list", "tools/call", "tools/list")

    @when(result, is_method("server/discover", "tasks/result", "tasks/list", "tools/list"))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT:
            return
        used = _used(message, call)
        if used is not None:
            yield self.found(message, used, related=[call.seq])
        tools = message.result.get("tools") if call.method == "tools/list" else None
        for index, tool in enumerate(tools if isinstance(tools, list) else ()):
            execution = tool.get("execution") if isinstance(tool, dict) else None
            if isinstance(execution, dict) and "taskSupport" in execution:
                where = pointer("result", "tools", index, "execution", "taskSupport")
                text = f"tool {quote(tool.get('name'))} has execution.taskSupport, which is gone"
                yield self.found(message, text, where=where, severity=INFO, fault="taskSupport")

    def on_task(self, one: Shown) -> Found:
        call = one.asked
        if call is None or not one.new:
            return
        if one.where != "/result":
            text = "the task stands in a member of its own, not flat in the result"
            yield self.found(one.message, text, related=[call.seq], where=one.where)
        elif "task" in call.request.params and declares_tasks(call) is False:
            text = "the task member of the request was honoured without the extension"
            yield self.found(one.message, text, related=[call.seq])


def _used(message: Message, call: Call) -> str | None:
    """Gives what of an answer is of the earlier form."""
    if call.method in ("tasks/result", "tasks/list"):
        return f"{call.method} was served"
    if call.method == "server/discover":
        capabilities = message.result.get("capabilities")
        return "capabilities.tasks is declared" if isinstance(capabilities, dict) and "tasks" in capabilities else None
    return None


class TaskNotificationInvalid(_Extension):
    """`notifications/tasks` came without a subscription, or for a task that the subscription does not name.

    ## Why it matters
    Clients drop it, or hand it to the wrong listener.

    ## How to fix
    Send it on subscriptions whose `taskIds` name the task, tagged with the subscription's id.

    ## When it stays silent
    A subscription whose listen request was not captured. Whether the state itself is complete has a rule of its own.
    """

    id = "task-notification-invalid"
    title = "notifications/tasks outside its subscription or in an unknown form"
    spec = {"2026-07-28": f"{PROPOSAL}#task-status-notifications"}
    methods = ("notifications/tasks",)
    by_value = True

    def on_notification(self, message: Message, call: Call | None) -> Found:
        if message.sender == CLIENT:
            return
        sub, id_ = self.session.subscriptions.of(message), message.params.get("taskId")
        if tag_of(message) is None:
            related = [sub.call.seq if sub is not None else None]
            yield self.found(message, "the notification does not name its subscription", related=related)
        elif sub is not None and not _names(sub.wanted.get("taskIds"), id_):
            text = f"subscription {sub.call.id} does not ask for task {quote(id_)}"
            yield self.found(message, text, related=[sub.call.seq, sub.acked_seq], where="/params/taskId")


def _names(ids: Any, id_: Any) -> bool:
    return isinstance(ids, list) and id_ in ids


class TaskRoutingHeader(_Extension):
    """The POST of a task method has no Mcp-Name header with the task's id, or another value in it.

    ## Why it matters
    Gateways use the header to reach the instance that has the task.

    ## How to fix
    Send `Mcp-Name` with `params.taskId`; in base64 where it does not fit a header.

    ## When it stays silent
    Servers that do not know the extension need not check it: what they answer is not judged.
    """

    id = "task-routing-header"
    title = "Task method over HTTP lacks Mcp-Name with the taskId"
    violator = CLIENT
    transport = "http"
    spec = {"2026-07-28": f"{PROPOSAL}#streamable-http-routing-headers"}
    methods = METHODS
    by_value = True
    values = MIRRORED

    def on_request(self, message: Message, call: Call) -> Found:
        exchange, id_ = posted(message), message.params.get("taskId")
        fault = fault_of(exchange, NAME, id_) if exchange is not None and isinstance(id_, str) else None
        if exchange is not None and fault is not None:
            text = f"{message.method} for task {quote(id_)}: {fault}"
            yield self.found(exchange, text, related=[message.seq], mark=message.mark, where=NAME)
