"""Requests that ask for a task, held against what the receiver and its tools offer (2025-11-25), and their answers."""

import re

from mcpsniff.protocol.message import CLIENT, OTHER, Kind
from mcpsniff.protocol.revisions import INVALID_REQUEST, METHOD_NOT_FOUND, REQUESTS
from mcpsniff.protocol.taskstates import created, is_augmented
from mcpsniff.rules.echoes import CLIENT_CAPABILITIES, SERVER_CAPABILITIES, TOOLS
from mcpsniff.rules.rule import ERROR, INFO, SERVER, WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import augmented, when

from ._pages import OLD, TASKS
from ._parties import offered, offers_tasks

BLAMES_TASK = re.compile(
    r"\btasks?\b.*(support|augment|allow|unknown|unexpected|param|field|member|invalid|capab)", re.I
)

UNKNOWN_TOOL = re.compile(r"(unknown|no such) tool|tool.*not (found|exist)", re.I)


class _Augmentation(Rule):
    """What the rules of this file share."""

    tier = 2
    since = until = OLD
    echoes = (*CLIENT_CAPABILITIES, *SERVER_CAPABILITIES, *TOOLS)
    by_value = True

    def undeclared(self, call: Call) -> bool:
        """Whether a request asks for a task that its receiver does not offer for any tool or prompt of this type."""
        return is_augmented(call) and call.method in REQUESTS and offered(self.session, call) is False

    def support(self, call: Call) -> str | None:
        """Gives what the called tool says of tasks, where the server offers them for tools and listed the tool."""
        tool = self.session.lists.tools.get(call.target or "")
        if call.method != "tools/call" or tool is None or self.session.lists.is_stale("tools/list"):
            return None
        execution = tool.definition.get("execution")
        support = execution.get("taskSupport", "forbidden") if isinstance(execution, dict) else "forbidden"
        return str(support) if offered(self.session, call) and tool.earlier is None else None

    def listed(self, call: Call) -> int | None:
        """Gives the record that lists the called tool."""
        tool = self.session.lists.tools.get(call.target or "")
        return tool.seq if tool is not None else None


class TaskAugmentationUndeclared(_Augmentation):
    """A request asks for a task by `params.task`, though the receiver does not offer tasks for this request type.

    ## Why it matters
    The request runs as an ordinary one: the caller waits for a task that is never made, and may time out.

    ## How to fix
    Look at `tasks.requests` in the receiver's capabilities before setting `task`.

    ## When it stays silent
    Before the capabilities are known, and on methods that MCP does not define. Only for tool calls it is an error.
    """

    id = "task-augmentation-undeclared"
    title = "Request augmented with a task the receiver did not announce"
    spec = {OLD: f"{TASKS}#capability-negotiation"}

    @when(augmented)
    def on_request(self, message: Message, call: Call) -> Found:
        if self.undeclared(call):
            text = f"{call.method} asks for a task, which the {OTHER[call.requester]} does not offer"
            severity = None if call.method == "tools/call" else WARNING
            yield self.found(message, text, severity=severity, where="/params/task")


class TaskUndeclaredNotIgnored(_Augmentation):
    """A receiver that offers no tasks for this request type made one, or refused the request for its `task` member.

    ## Why it matters
    A receiver without task support has to process the request as if the member were not there.

    ## How to fix
    Ignore `task`, or declare the request type under `tasks.requests`.

    ## When it stays silent
    Errors of the operation itself.
    """

    id = "task-undeclared-not-ignored"
    title = "Receiver without task support did not process the request normally"
    spec = {OLD: f"{TASKS}#task-support-and-handling"}

    @when(augmented)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or not self.undeclared(call):
            return
        words = message.error.get("message")
        if created(message, call) is not None:
            yield self.found(message, "a task was made that had not been offered", related=[call.seq])
        elif isinstance(words, str) and BLAMES_TASK.search(words):
            yield self.found(message, f"refused for its task member: {quote(words)}", related=[call.seq])


class TaskToolForbidden(_Augmentation):
    """A tool that does not support tasks was called as one.

    ## Why it matters
    The server has to refuse the call.

    ## How to fix
    Set `task` only for tools whose `execution.taskSupport` is "optional" or "required".

    ## When it stays silent
    The tool was not listed, its description changed, or the server offers no tasks for tools at all, which has a rule
    of its own.
    """

    id = "task-tool-forbidden"
    title = "Client invoked as a task a tool that does not support tasks"
    violator = CLIENT
    spec = {OLD: f"{TASKS}#tool-level-negotiation"}
    methods = ("tools/call",)

    @when(augmented)
    def on_request(self, message: Message, call: Call) -> Found:
        if is_augmented(call) and self.support(call) == "forbidden":
            text = f"tool {quote(call.target)} does not support tasks"
            yield self.found(message, text, related=[self.listed(call)], where="/params/task")


class TaskToolForbiddenAccepted(_Augmentation):
    """The server did not refuse with -32601 a task for a tool that does not support tasks.

    ## Why it matters
    The description of the tool and what the server does differ.

    ## How to fix
    Answer with -32601, or describe the tool with `execution.taskSupport`.

    ## When it stays silent
    As task-tool-forbidden does; and where the tool is not known to the server any more.
    """

    id = "task-tool-forbidden-accepted"
    title = "Server accepted a task for a tool that forbids tasks"
    severity = {OLD: WARNING}
    violator = SERVER
    spec = {OLD: f"{TASKS}#tool-level-negotiation"}
    methods = ("tools/call",)

    @when(augmented)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or not is_augmented(call) or self.support(call) != "forbidden":
            return
        unknown = UNKNOWN_TOOL.search(str(message.error.get("message")))
        if message.code != METHOD_NOT_FOUND and not unknown:
            how = "with a result" if message.kind is Kind.RESULT else f"with error {message.code}"
            text = f"a task for tool {quote(call.target)}, which does not support tasks, was answered {how}"
            yield self.found(message, text, related=[call.seq, self.listed(call)])


class TaskToolRequired(_Augmentation):
    """A tool that runs only as a task was called without one.

    ## Why it matters
    The server has to refuse the call.

    ## How to fix
    Call it with `task`, and fetch the result with tasks/result.

    ## When it stays silent
    The tool was not listed, its description changed, or the server offers no tasks for tools: then the value of the
    tool is ignored.
    """

    id = "task-tool-required"
    title = "Client called a task-only tool without a task"
    violator = CLIENT
    spec = {OLD: f"{TASKS}#tool-level-negotiation"}
    methods = ("tools/call",)

    @when(offers_tasks)
    def on_request(self, message: Message, call: Call) -> Found:
        if "task" not in message.params and self.support(call) == "required":
            text = f"tool {quote(call.target)} runs only as a task"
            yield self.found(message, text, related=[self.listed(call)], where="/params/task")


class TaskToolRequiredNotRejected(_Augmentation):
    """The server did not refuse with -32601 a call without a task of a tool that runs only as one.

    ## Why it matters
    The client cannot learn from the answer that it has to ask for a task.

    ## How to fix
    Answer with -32601, or describe the tool as "optional".

    ## When it stays silent
    As task-tool-required does. -32600, which another table of the page allows, is only noted.
    """

    id = "task-tool-required-not-rejected"
    title = "Call of a task-only tool without a task is not refused with -32601"
    violator = SERVER
    spec = {OLD: f"{TASKS}#tool-level-negotiation"}
    methods = ("tools/call",)

    @when(offers_tasks)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or "task" in call.request.params or self.support(call) != "required":
            return
        if message.code != METHOD_NOT_FOUND:
            how = "with a result" if message.kind is Kind.RESULT else f"with error {message.code}"
            text = f"tool {quote(call.target)} runs only as a task; the call without one was answered {how}"
            severity = INFO if message.code == INVALID_REQUEST else ERROR
            yield self.found(message, text, related=[call.seq, self.listed(call)], severity=severity)


class TaskResultNotCreated(_Augmentation):
    """A request for a task was answered with the result itself, though the receiver offers tasks for it.

    ## Why it matters
    The caller looks for a task in the answer and finds none.

    ## How to fix
    Answer with `result.task` at once and deliver the result through tasks/result.

    ## When it stays silent
    Errors; receivers that offer no tasks for the request type; tools that were not listed or forbid tasks.
    """

    id = "task-result-not-created"
    title = "Accepted task-augmented request was not answered with a CreateTaskResult"
    spec = {OLD: f"{TASKS}#result-retrieval"}

    @when(augmented)
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or call.twin or message.kind is not Kind.RESULT or not is_augmented(call):
            return
        tool = call.method == "tools/call"
        able = self.support(call) in ("optional", "required") if tool else offered(self.session, call)
        if able and created(message, call) is None:
            text = f"{call.method} was to make a task, and got an ordinary result"
            yield self.found(message, text, related=[call.seq])
