"""The keys under which a task of the extension asks for input, and is answered."""

from typing import Any

from mcpsniff.protocol.message import Kind
from mcpsniff.protocol.schema import pointer
from mcpsniff.protocol.tasks import Question
from mcpsniff.protocol.taskstates import Shown, digest
from mcpsniff.rules.echoes import QUESTIONS
from mcpsniff.rules.rule import CLIENT, INFO, SERVER, Call, Found, Message, Rule, quote

from ._pages import PROPOSAL


class TaskInputKeyReused(Rule):
    """A key of a task's `inputRequests` came back with another request, or after it had been answered.

    ## Why it matters
    Clients remember by the key what they have answered: a new question under an old key is never shown.

    ## How to fix
    Give every question of a task a key of its own for the task's whole life.

    ## When it stays silent
    The same question shown again while it is open, also once right after its answer was acknowledged. Keys of the
    call before it became a task do not count.
    """

    id = "task-input-key-reused"
    title = "An inputRequests key of a task was reused for another request"
    tier = 2
    violator = SERVER
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PROPOSAL}#task-update-requests"}

    def on_task(self, one: Shown) -> Found:
        task, requests = self.session.tasks.of(CLIENT, one.id), one.value.get("inputRequests")
        if task is None or one.new or not isinstance(requests, dict):
            return
        for key, request in requests.items():
            known = task.questions.get(key)
            why = _reuse(known, request) if known is not None else None
            if known is not None and why is not None:
                text = f"key {quote(key)} of task {quote(one.id)} {why}"
                where = one.where + pointer("inputRequests", key)
                yield self.found(one.message, text, related=[known.seq, known.answered], where=where)


def _reuse(known: Question, request: Any) -> str | None:
    now = digest(request)
    if now and known.digest and now != known.digest:
        return f"stood for another request in record {known.seq}"
    return f"is outstanding again after it was answered by record {known.answered}" if known.left else None


class TaskUpdateUnknownKey(Rule):
    """tasks/update answers a key that the task has not asked under.

    ## Why it matters
    The answer is dropped, and the question that it was for stays open.

    ## How to fix
    Answer under the keys of `inputRequests` as they came.

    ## When it stays silent
    Some of the questions may be answered, others later. A key that was answered before is only noted. Where the task's
    beginning, or one of its states, is not in the capture, an unknown key proves nothing.
    """

    id = "task-update-unknown-key"
    title = "tasks/update answers a key that is not outstanding"
    tier = 2
    violator = CLIENT
    since = "2026-07-28"
    spec = {"2026-07-28": f"{PROPOSAL}#task-update-requests"}
    methods = ("tasks/update",)
    echoes = QUESTIONS

    def on_request(self, message: Message, call: Call) -> Found:
        task, responses = self.session.tasks.named(call), message.params.get("inputResponses")
        if task is None or not isinstance(responses, dict):
            return
        for key in responses:
            known = task.questions.get(key)
            where = pointer("params", "inputResponses", key)
            if known is not None and known.answered is not None:
                text = f"key {quote(key)} was answered before, by record {known.answered}"
                yield self.found(message, text, related=[known.answered], severity=INFO, where=where, fault="again")
            elif known is None and (task.made is None or not self._complete()):
                yield self.unchecked("the task may have asked out of sight")
            elif known is None:
                text = f"task {quote(task.id)} has asked nothing under the key {quote(key)}"
                yield self.found(message, text, related=[task.last.seq], where=where)

    def _complete(self) -> bool:
        session = self.session
        clipped = session.clipped[(SERVER, Kind.RESULT)] or session.clipped[(SERVER, Kind.NOTIFICATION)]
        return session.whole and not session.tasks.forgot and not session.unreadable[SERVER] and not clipped
