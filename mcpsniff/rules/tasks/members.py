"""Members of a task object that 2025-11-25 requires: its id, its times, its time to live."""

from mcpsniff.protocol.message import OTHER
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.taskstates import RELATED, Shown, State, seconds
from mcpsniff.rules.rule import WARNING, Call, Found, Message, Rule, quote
from mcpsniff.rules.when import either, has_meta, is_method, when

from ._pages import OLD, TASKS

TIMES = ("createdAt", "lastUpdatedAt")


class _Member(Rule):
    """What the rules on one member share."""

    tier = 2
    since = until = OLD


class TaskIdType(_Member):
    """A task id is missing or is no string: in a task object, a tasks/* request or related-task metadata.

    ## Why it matters
    Typed peers refuse the message, and without its id nobody can ask for the task again.

    ## How to fix
    Give every task a string id and use it unchanged everywhere.

    ## When it stays silent
    A string of digits is a string. The answers of tasks/result hold no task object.
    """

    id = "task-id-type"
    title = "taskId is not a string"
    spec = {OLD: f"{TASKS}#task-id-requirements"}

    @when(either(is_method("tasks/get", "tasks/result", "tasks/cancel"), has_meta(RELATED)))
    def on_request(self, message: Message, call: Call) -> Found:
        if call.method in ("tasks/get", "tasks/result", "tasks/cancel") and message.has_params:
            yield from self._wrong(message, message.params.get("taskId"), "/params/taskId")
        yield from self._tag(message)

    @when(has_meta(RELATED))
    def on_answer(self, message: Message, call: Call | None) -> Found:
        yield from self._tag(message)

    @when(has_meta(RELATED))
    def on_notification(self, message: Message, call: Call | None) -> Found:
        yield from self._tag(message)

    def on_task(self, one: Shown) -> Found:
        yield from self._wrong(one.message, one.value.get("taskId"), f"{one.where}/taskId")

    def _tag(self, message: Message) -> Found:
        related = message.meta.get(RELATED)
        if isinstance(related, dict):
            yield from self._wrong(message, related.get("taskId"), pointer("_meta", RELATED, "taskId"))

    def _wrong(self, message: Message, id_: object, where: str) -> Found:
        if not isinstance(id_, str):
            text = "taskId is missing" if id_ is None else f"taskId {quote(id_)} is no string"
            yield self.found(message, text, where=where)


class TaskTimestampsMissing(_Member):
    """A task object lacks `createdAt` or `lastUpdatedAt`, or one of them is no ISO 8601 date and time.

    ## Why it matters
    The time to live counts from createdAt; without it nobody knows how long the result will be kept.

    ## How to fix
    Set both when the task is made, and lastUpdatedAt with every change, as in 2025-11-25T10:30:00Z.

    ## When it stays silent
    Fractions of seconds and numeric offsets are fine. Times that contradict each other are a warning; states that may
    have overtaken each other are not compared, and neither is a page of tasks/list that was asked for before.
    """

    id = "task-timestamps-missing"
    title = "Task response without ISO 8601 createdAt and lastUpdatedAt"
    spec = {OLD: f"{TASKS}#ttl-and-resource-management"}
    by_value = True

    def on_task(self, one: Shown) -> Found:
        wrong = [name for name in TIMES if seconds(one.value.get(name)) is None]
        if wrong:
            said = ", ".join(f"{name} {quote(one.value.get(name, 'missing'))}" for name in wrong)
            yield self.found(one.message, f"no date and time: {said}", where=f"{one.where}/{wrong[0]}")
            return
        task = self.session.tasks.of(OTHER[one.message.sender], one.id)
        before = task.last if task is not None and not one.new else None
        text = _contradiction(one, before)
        if text is not None:
            related = [before.seq if before is not None else None]
            where = f"{one.where}/lastUpdatedAt"
            yield self.found(one.message, text, related=related, severity=WARNING, where=where)


def _contradiction(one: Shown, before: State | None) -> str | None:
    now = one.state
    if now.updated is not None and now.created is not None and now.updated < now.created:
        return "lastUpdatedAt is earlier than createdAt"
    if before is None or before.created is None or not now.follows(before):
        return None
    if now.created != before.created:
        return f"createdAt differs from that of record {before.seq}"
    overlap = one.listed and now.asked is not None and now.asked < before.seq
    backwards = now.is_older(before) and not overlap
    return f"lastUpdatedAt is earlier than that of record {before.seq}" if backwards else None


class TaskTtlMissing(_Member):
    """A task object has no `ttl`, or one that is neither an integer nor null.

    ## Why it matters
    The client cannot tell how long the result can still be fetched.

    ## How to fix
    Send the milliseconds that the task is kept from its creation on, or null where it is kept without limit.

    ## When it stays silent
    The receiver may keep a task for another time than was asked for.
    """

    id = "task-ttl-missing"
    title = "Task response without ttl"
    spec = {OLD: f"{TASKS}#ttl-and-resource-management"}
    by_value = True

    def on_task(self, one: Shown) -> Found:
        ttl = one.value.get("ttl", "missing")
        if ttl is not None and not is_integer(ttl):
            yield self.found(one.message, f"ttl of task {quote(one.id)}: {quote(ttl)}", where=f"{one.where}/ttl")


def is_integer(value: object) -> bool:
    """Whether a JSON value is an integer; 1.0 is one, true is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1
