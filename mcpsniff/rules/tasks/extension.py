"""Task objects and answers as the extension of 2026-07-28 wants them."""

from collections.abc import Iterator
from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.taskstates import STATUSES, Shown, seconds
from mcpsniff.rules.rule import INFO, SERVER, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, has, result, unfinished, when

from ._pages import OVERVIEW, PROPOSAL
from .members import is_integer

PAYLOAD = {"input_required": "inputRequests", "completed": "result", "failed": "error"}  # status → member it needs
OUTCOMES = {"result": "completed", "error": "failed"}  # member → status that it belongs to


class _Extension(Rule):
    """What the rules of this file share."""

    tier = 2
    violator = SERVER
    since = "2026-07-28"


class _State(_Extension):
    """What the rules on whole task states share: results of tasks/get, and notifications."""

    methods = ("tasks/get", "notifications/tasks")


class TaskStateIncomplete(_State):
    """A task's state lacks a member that it always needs, or the payload of its status.

    ## Why it matters
    The state is all that a client gets: a completed task without result has none.

    ## How to fix
    Send taskId, status, createdAt, lastUpdatedAt and ttlMs always; inputRequests with input_required, result with
    completed, error with failed.

    ## When it stays silent
    What is inside the payload is for other rules. A result or an error that does not belong to the status is only
    noted.
    """

    id = "task-state-incomplete"
    title = "Task state lacks the payload of its status"
    spec = {"2026-07-28": f"{PROPOSAL}#task-status"}
    yields_to = ("task-failed-misused",)

    def on_task(self, one: Shown) -> Found:
        wrong = [*_members(one.value), *_payload(one)]
        if wrong:
            text = f"state of task {quote(one.id)}: {'; '.join(wrong)}"
            yield self.found(one.message, text, where=one.where)
        stray = [name for name, status in OUTCOMES.items() if name in one.value and one.status in STATUSES - {status}]
        if stray:
            text = f"task {quote(one.id)} is {one.status}, and has {' and '.join(stray)}"
            yield self.found(one.message, text, where=f"{one.where}/{stray[0]}", severity=INFO, fault="stray")


def _members(value: dict[str, Any]) -> Iterator[str]:
    """Gives what is wrong with the members that every task object of the extension has."""
    if not isinstance(value.get("taskId"), str):
        yield "taskId is no string" if "taskId" in value else "taskId is missing"
    status = value.get("status")
    if not isinstance(status, str) or status not in STATUSES:
        yield f"status is {quote(value.get('status', 'missing'))}"
    for name in ("createdAt", "lastUpdatedAt"):
        if seconds(value.get(name)) is None:
            yield f"{name} is no date and time" if name in value else f"{name} is missing"
    ttl = value.get("ttlMs", "missing")
    if ttl is not None and not is_integer(ttl):
        yield f"ttlMs is {quote(ttl)}"


def _payload(one: Shown) -> Iterator[str]:
    member = PAYLOAD.get(one.status or "")
    if member is not None and not isinstance(one.value.get(member), dict) and not _is_misused(one):
        yield f"{one.status} without {member}" if member not in one.value else f"{member} is no object"


def _is_misused(one: Shown) -> bool:
    """Whether a failed task holds a tool's error, or something that is no JSON-RPC error."""
    if one.status != "failed":
        return False
    result, error = one.value.get("result"), one.value.get("error")
    if "error" not in one.value:
        return isinstance(result, dict) and "isError" in result
    proper = isinstance(error, dict) and is_integer(error.get("code")) and isinstance(error.get("message"), str)
    return not proper or (isinstance(result, dict) and "isError" in result)


class TaskFailedMisused(_State):
    """A failed task holds a tool's error in place of a JSON-RPC error.

    ## Why it matters
    The model never sees what went wrong: clients hand it results, and treat errors as their own affair.

    ## How to fix
    A tool that ran and failed is completed, with a result that has isError; failed is for JSON-RPC errors, with code
    and message.

    ## When it stays silent
    A failed task without any error is incomplete. One without statusMessage is only noted.
    """

    id = "task-failed-misused"
    title = "Task status failed used for a tool error"
    spec = {"2026-07-28": f"{PROPOSAL}#task-execution-errors"}

    def on_task(self, one: Shown) -> Found:
        words = one.value.get("statusMessage")
        if _is_misused(one):
            error = one.value.get("error", one.value.get("result"))
            text = f"task {quote(one.id)} is failed with what is no JSON-RPC error: {quote(error)}"
            yield self.found(one.message, text, where=f"{one.where}/error")
        elif one.status == "failed" and not (isinstance(words, str) and words.strip()):
            text = f"task {quote(one.id)} failed without a statusMessage"
            yield self.found(one.message, text, where=f"{one.where}/statusMessage", severity=INFO, fault="message")


class TaskResultTypeWrong(_Extension):
    """`resultType` does not say what the answer is: a task's state called "task", or a new task called a result.

    ## Why it matters
    "task" makes a client begin to poll; anything else makes it look for a result.

    ## How to fix
    Only the answer of tools/call that announces a task is of the type "task", with all members of a task; the answers
    of tasks/* are "complete".

    ## When it stays silent
    A missing resultType and unknown values have rules of their own.
    """

    id = "task-result-type-wrong"
    title = "resultType does not fit a task exchange"
    spec = {"2026-07-28": f"{PROPOSAL}#polymorphic-results"}
    methods = ("tools/call", "tasks/get", "tasks/update", "tasks/cancel")
    yields_to = ("task-legacy-surface",)
    by_value = True

    @when(result, either(unfinished, has("taskId")))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        if call is None or message.kind is not Kind.RESULT:
            return
        wrong = _mistyped(message.result, call)
        if wrong is not None:
            yield self.found(message, wrong, related=[call.seq], where="/result/resultType")


def _mistyped(result: dict[str, Any], call: Call) -> str | None:
    kind = result.get("resultType")
    if call.method != "tools/call":
        return f'the result of {call.method} is of the type "task", not "complete"' if kind == "task" else None
    if kind == "task":
        lacking = "; ".join(_members(result))
        return f"a task that is none: {lacking}" if lacking else None
    is_task = isinstance(result.get("taskId"), str) and isinstance(result.get("status"), str)
    return f'a task is announced as "{kind}"' if kind == "complete" and is_task and "content" not in result else None


class TaskAckNotEmpty(_Extension):
    """The answer to tasks/update or tasks/cancel carries the state of the task.

    ## Why it matters
    Both are only acknowledged: what they say of the task may be old when it arrives.

    ## How to fix
    Answer with resultType alone; the state is for tasks/get and notifications.

    ## When it stays silent
    `_meta` may hold anything.
    """

    id = "task-ack-not-empty"
    title = "Acknowledgement of tasks/update or tasks/cancel carries task state"
    spec = {"2026-07-28": f"{OVERVIEW}#implementation-guide"}
    methods = ("tasks/update", "tasks/cancel")

    def on_answer(self, message: Message, call: Call | None) -> Found:
        extra = sorted(set(message.result) - {"resultType", "_meta"})
        if call is not None and message.kind is Kind.RESULT and extra:
            text = f"the answer to {call.method} carries {quote(', '.join(extra))}"
            yield self.found(message, text, related=[call.seq], where="/result")
