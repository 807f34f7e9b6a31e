"""Tasks of one session: who made them, what was seen of their states, and what was asked about them.

(2025-11-25 basic/utilities/tasks, the tasks extension after it.) A task belongs to the side that asked for it: both
may make tasks of the same id. Keeps what happened; what a task may do is not known here.
"""

from __future__ import annotations

from typing import Any

from .bounded import BoundedDict, Drops
from .calls import Call
from .message import ANSWERS, CLIENT, OTHER, Kind, Message
from .servers import Announced, ServerFacts
from .taskstates import TERMINAL, Shown, State, digest, may_be_of_task, payload, shown, tag

CAP = 10_000  # tasks, per session and per server
EPISODE_CAP = 100  # times that a task began to wait for input
CALL_CAP = 100  # of one kind, per task
KEY_CAP = 1_000  # keys of input requests, per task
FAR = 10**15  # milliseconds; numbers beyond that are as good as it
SERVER_STORE, KEY_STORE = "tasks of a server", "task questions"


class Question:
    """One entry of a task's inputRequests (2026-07-28), by its key."""

    __slots__ = ("acked", "answered", "digest", "left", "method", "request", "seq")

    def __init__(self, seq: int, request: Any) -> None:
        self.seq = seq  # record that showed it first
        self.request = request  # whatever it is
        method = request.get("method") if isinstance(request, dict) else None
        self.method = method if isinstance(method, str) else None
        self.digest = digest(request)
        self.answered: int | None = None  # record of the tasks/update
        self.acked: int | None = None  # record of its acknowledgement
        self.left = False  # the task has left input_required since


class Task:
    """One task, as far as it was seen; times in seconds on the capture's clock."""

    __slots__ = (
        "asked", "call", "cancel", "ended", "episodes", "fetches", "free", "got", "id", "interval", "last",
        "looked_at", "made", "outcome", "outcome_digest", "polled", "polls",
        "questions", "requester", "ttl",
    )  # fmt: skip

    def __init__(self, id_: str, requester: str, first: State) -> None:
        self.id = id_
        self.requester = requester
        self.last = first
        self.made: State | None = None  # as it was announced; None where that was out of sight
        self.call: Call | None = None  # that made it
        self.ended: State | None = None  # the first terminal one
        self.episodes: list[tuple[State, State | None]] = []  # waiting for input: from, to
        self.interval: float | None = None  # seconds between polls
        self.ttl: float | None = None  # seconds; None for no limit
        self.got: list[int] = []  # records of successful tasks/get answers, first and last
        self.polled: State | None = None  # the latest answer to tasks/get
        self.polls = 0  # answered since the latest answer to a question
        self.free = False  # something happened since that makes an early poll right
        self.looked_at = first.at  # when its requestor last asked or was told
        self.cancel: Call | None = None  # the first tasks/cancel
        self.fetches: list[Call] = []  # tasks/result
        self.outcome: State | None = None  # the first answer to tasks/result
        self.outcome_digest = b""
        self.asked: list[Call] = []  # requests of the receiver that name it in their metadata
        self.questions: dict[str, Question] = {}  # by key

    def expired(self, at: float) -> bool:
        """Whether its time to live may be over; where its making was not seen, nobody knows."""
        return self.ttl is not None and (self.made is None or at - self.made.at > self.ttl)

    def take(self, new: Shown) -> None:
        """Takes in one state."""
        state = new.state
        before, self.last = self.last, state
        self.looked_at = state.at
        self._limits(new.value)
        if state.status in TERMINAL and self.ended is None:
            self.ended = state
        if state.status == "input_required" and (before.status != "input_required" or not self.episodes):
            self.episodes = [*self.episodes[-EPISODE_CAP:], (state, None)]
        elif state.status != "input_required" and self.episodes and self.episodes[-1][1] is None:
            self.episodes[-1] = (self.episodes[-1][0], state)
        if new.asked is not None and new.asked.method == "tasks/get":
            self.got = [*self.got[:1], state.seq]
            self.polled, self.free = state, False
            self.polls += 1
        elif new.asked is None:
            self.free = True
        if state.status != "input_required":
            for question in self.questions.values():
                question.left = question.left or question.acked is not None

    def _limits(self, value: dict[str, Any]) -> None:
        interval = _number(value.get("pollIntervalMs", value.get("pollInterval")))
        if interval is not None:
            self.interval = interval / 1000
        if "ttlMs" in value or "ttl" in value:
            ttl = _number(value.get("ttlMs", value.get("ttl")))
            self.ttl = ttl / 1000 if ttl is not None else None


class Tasks:
    """The tasks of one session, by who asked for them."""

    def __init__(self, drops: Drops, server: ServerFacts) -> None:
        self._drops = drops
        self._server = server
        self._all: BoundedDict[tuple[str, str], Task] = BoundedDict("tasks", CAP, drops)
        self._by_call: BoundedDict[int, Task] = BoundedDict("calls of tasks", CAP, drops)

    # looking up: nothing changes

    def of(self, requester: str, id_: Any) -> Task | None:
        """Gives the task of this id that `requester` asked for, if any message showed it."""
        return self._all.get((requester, id_)) if isinstance(id_, str) else None

    def named(self, call: Call) -> Task | None:
        """Gives the task that a request names in its params."""
        return self.of(call.requester, call.request.params.get("taskId"))

    def creator(self, call: Call) -> Call | None:
        """Gives the call that made the task which a request names in its params."""
        task = self.named(call)
        return task.call if task is not None else None

    def made_by(self, call: Call) -> Task | None:
        """Gives the task that a request made."""
        task = self._by_call.get(id(call))
        return task if task is not None and task.call is call else None

    def all(self) -> list[Task]:
        """Gives every task that was seen, oldest first."""
        return self._all.values()

    def announced(self, id_: Any) -> Announced | None:
        """Gives the first announcement of a task by this server, in any session."""
        return self._server.tasks.get(id_) if isinstance(id_, str) else None

    @property
    def forgot(self) -> bool:
        """Whether a cap threw tasks away: absence proves nothing any more."""
        return any(self._drops[store] for store in (self._all.name, SERVER_STORE, KEY_STORE))

    # changing

    def note(self, message: Message, call: Call | None) -> None:
        """Takes in a message; most have nothing to do with tasks."""
        if not may_be_of_task(message, call):
            return
        if message.kind is Kind.REQUEST and call is not None:
            self._note_request(message, call)
        elif message.kind in ANSWERS and call is not None:
            self._note_answer(message, call)
        for one in shown(message, call):
            self._take(one)

    def _note_request(self, message: Message, call: Call) -> None:
        tagged = None if call.method.startswith("tasks/") else self.of(OTHER[message.sender], tag(message))
        if tagged is not None:
            tagged.asked = [*tagged.asked[-CALL_CAP:], call]
        task = self.named(call) if call.method.startswith("tasks/") else None
        if task is None:
            return
        task.looked_at = message.at
        if call.method == "tasks/result":
            task.fetches = [*task.fetches[-CALL_CAP:], call]
        elif call.method == "tasks/cancel":
            task.cancel = task.cancel or call
        elif call.method == "tasks/update":
            task.free = True
            for question in _answered(task, call):
                question.answered = question.answered or message.seq

    def _note_answer(self, message: Message, call: Call) -> None:
        asker = self.of(OTHER[call.requester], tag(call.request))
        if asker is not None:  # input was delivered
            asker.free, asker.polls = True, 0
        task = self.named(call) if call.method.startswith("tasks/") else None
        if task is None:
            return
        if call.method == "tasks/result":
            self._fetched(task, message, call)
        elif call.method == "tasks/update" and message.kind is Kind.RESULT:
            for question in _answered(task, call):
                question.acked = question.acked or message.seq

    def _fetched(self, task: Task, message: Message, call: Call) -> None:
        task.free = True
        task.looked_at = message.at
        if task.outcome is None and call.cancelled_seq is None:
            task.outcome = Shown(task.id, {}, "", message, call).state
            task.outcome_digest = payload(message)

    def _take(self, new: Shown) -> None:
        made = new.asked if new.new else None
        if new.id is None or (made is None and "status" not in new.value):
            return
        requester = OTHER[new.message.sender]
        task = self._all.get((requester, new.id))
        if task is None or (made is not None and task.made is not None):
            task = self._all[(requester, new.id)] = Task(new.id, requester, new.state)
        if made is not None:
            task.call, task.made = made, new.state
            self._by_call[id(made)] = task
            self._announce(new.id, new)
        task.take(new)
        self._ask(task, new)

    def _announce(self, id_: str, new: Shown) -> None:
        made, exchange = self._server.tasks, new.message.exchange
        if new.message.sender == CLIENT or id_ in made:
            return
        made[id_] = Announced(new.message.seq, exchange.header("authorization") if exchange is not None else None)
        if len(made) > CAP:
            del made[next(iter(made))]
            self._drops.forget(SERVER_STORE, CAP)

    def _ask(self, task: Task, new: Shown) -> None:
        requests = new.value.get("inputRequests")
        for key, request in (requests if isinstance(requests, dict) else {}).items():
            if key not in task.questions:
                task.questions[key] = Question(new.message.seq, request)
                if len(task.questions) > KEY_CAP:
                    del task.questions[next(iter(task.questions))]
                    self._drops.forget(KEY_STORE, KEY_CAP)


def _answered(task: Task, update: Call) -> list[Question]:
    responses = update.request.params.get("inputResponses")
    known = (task.questions.get(key) for key in (responses if isinstance(responses, dict) else ()))
    return [question for question in known if question is not None]


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(max(-FAR, min(value, FAR)))
