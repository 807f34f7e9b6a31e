"""Tasks of one session: which call made which task (2025-11-25 basic/utilities/tasks, the tasks extension after it).

Keeps the creating call of each task id, by who asked for it; what a task may do is not known here.
"""

from __future__ import annotations

from .bounded import BoundedDict, Drops
from .calls import Call
from .message import Message

CAP = 10_000  # tasks, per session


class Tasks:
    """The tasks that results have announced."""

    def __init__(self, drops: Drops) -> None:
        self._creators: BoundedDict[tuple[str, str], Call] = BoundedDict("tasks", CAP, drops)

    def add(self, call: Call, answer: Message) -> None:
        """Takes in a result; most announce no task."""
        id_ = announced(answer)
        if id_ is not None:
            self._creators[(call.requester, id_)] = call

    def creator(self, call: Call) -> Call | None:
        """Gives the call that made the task which a request names in its params."""
        id_ = call.request.params.get("taskId")
        return self._creators.get((call.requester, id_)) if isinstance(id_, str) else None


def announced(answer: Message) -> str | None:
    """Gives the id of the task that a result stands for, or None where it is an ordinary result."""
    result = answer.result
    task = result if result.get("resultType") == "task" else result.get("task")
    id_ = task.get("taskId") if isinstance(task, dict) else None
    return id_ if isinstance(id_, str) else None
