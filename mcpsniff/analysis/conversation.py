"""One session with the rules that watch it: looks a message up, lets the rules see it, takes it in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from mcpsniff.protocol import content, inputs
from mcpsniff.protocol.arrival import apply
from mcpsniff.protocol.calls import Call
from mcpsniff.protocol.encoding import looks_like_json
from mcpsniff.protocol.envelope import Meta
from mcpsniff.protocol.matching import match
from mcpsniff.protocol.message import Kind, Message
from mcpsniff.protocol.session import Session
from mcpsniff.protocol.shape import Shape, shape_of
from mcpsniff.protocol.taskstates import may_be_of_task, shown
from mcpsniff.rules.catalogue import subscribers
from mcpsniff.rules.rule import Rule, Text
from mcpsniff.rules.selection import Selection
from mcpsniff.rules.when import is_once, wanted

from .excerpts import Excerpts
from .findings import Drafts, Finding
from .lines import Lines
from .metrics import Metrics
from .observer import Observer

Handler = Callable[..., Any]
PLANS = 2_000  # shapes whose handlers are remembered, per session
QUIET = 50  # `_meta` of one shape in which nothing was found

_EVENT = {
    Kind.REQUEST: "on_request",
    Kind.NOTIFICATION: "on_notification",
    Kind.RESULT: "on_answer",
    Kind.ERROR: "on_answer",
}


class Plan(NamedTuple):
    """What messages of one shape ask for."""

    any_: list[Handler]  # of on_object
    own: list[Handler]  # of their kind
    once: list[Handler]  # of their kind, but once for each `_meta` in which they find nothing
    quiet: set[tuple[Meta, Meta | None]]  # those, and the `_meta` of the request which is answered
    task: bool  # they may hold the state of a task
    parts: bool  # they may hold questions, answers to them, or content to look into


class Conversation:
    """A session, its rule instances, its drafts and its figures."""

    def __init__(
        self, session: Session, selection: Selection, metrics: Metrics, excerpts: Excerpts, lines: Lines
    ) -> None:
        self.session = session
        self.drafts = Drafts(session, excerpts, lines)
        self.metrics = metrics
        self.crashed: Counter[str] = Counter()  # rules that raised: a fault of ours, shown, never fatal
        self._observer: Observer | None = None
        self._rules = selection.bound
        self._instances: dict[type[Rule], Rule] = {}
        self._handlers: dict[tuple[str, str | None, str | None], list[Handler]] = {}
        self._turns = 0  # of the session, when the plans were made
        self._plans: dict[tuple[Any, ...], Plan] = {}  # by shape

    def observe(self, observer: Observer) -> None:
        """Lets one look on from here on."""
        self._observer = self.drafts.observer = observer

    def emit(self, event: str, method: str | None, *args: Any, revision: str | None = None) -> None:
        """Shows an event to the rules that subscribed to it; `revision` is that of its exchange where it is settled."""
        key = (event, method, revision)
        handlers = self._handlers.get(key)
        if handlers is None:
            handlers = self._handlers[key] = self._bind(event, method, revision)
        self._run(handlers, args)

    def _run(self, handlers: list[Handler], args: tuple[Any, ...]) -> bool:
        """Gives whether anything was found."""
        any_ = False
        for handler in handlers:
            try:
                for item in handler(*args):
                    self.drafts.add(item)
                    any_ = True
            except Exception as error:
                self.crashed[f"{handler.__self__.id}: {error!r}"] += 1  # type: ignore[attr-defined]
        return any_

    def _bind(self, event: str, method: str | None, revision: str | None) -> list[Handler]:
        rules = subscribers(event, method, self.session.transport, self._rules, revision)
        return [getattr(self._instance(rule), event) for rule in rules]

    def _plan(self, shape: Shape) -> Plan:
        if len(self._plans) >= PLANS:
            self._plans.clear()
        any_ = self._bind("on_object", None, shape.revision)
        own = self._bind(_EVENT[shape.kind], shape.method, shape.revision)
        any_, own = ([one for one in each if wanted(one, shape, self.session)] for each in (any_, own))
        once = [one for one in own if is_once(one, shape, self.session)]
        often = [one for one in own if one not in once]
        plan = self._plans[shape] = Plan(any_, often, once, set(), shape.shows_task, shape.has_parts)
        return plan

    def _instance(self, rule: type[Rule]) -> Rule:
        if rule not in self._instances:
            self._instances[rule] = rule(self.session)
        return self._instances[rule]

    def message(self, message: Message) -> None:
        """Takes in one message, or the elements of a batch."""
        if message.kind is Kind.BATCH:
            message.mark = self.session.era.mark(message)
            self.emit("on_batch", None, message)
            if self._observer is not None:
                self._observer.message(self.session, message, None)
            for element in message.elements():
                self.message(element)
            return
        call = match(self.session, message)
        if self._rules and not message.truncated:
            self._show(message, call)
        apply(self.session, message, call)
        self.metrics.message(message, call)
        if self._observer is not None:
            self._observer.message(self.session, message, call)
        if call is not None and call.answer_seq == message.seq:
            call.request.forget()  # the latest calls are kept, and seldom asked what they said

    def _show(self, message: Message, call: Call | None) -> None:
        if self.session.turns != self._turns:
            self._turns = self.session.turns
            self._plans.clear()
        shape = shape_of(message, call, self.session)
        if shape is None:
            self._show_odd(message, call, message.mark.final)
            return
        plan = self._plans.get(shape) or self._plan(Shape(*shape))
        self._run(plan.any_, (message,))
        self._run(plan.own, (message, call))
        if plan.once:
            self._show_once(plan, message, call)
        if plan.task:
            self._show_tasks(message, call, message.mark.final)
        if plan.parts:
            self._show_parts(message, call, message.mark.final)

    def _show_once(self, plan: Plan, message: Message, call: Call | None) -> None:
        said = message.envelope, None if call is None else call.request.envelope
        if said not in plan.quiet and not self._run(plan.once, (message, call)) and len(plan.quiet) < QUIET:
            plan.quiet.add(said)

    def _show_odd(self, message: Message, call: Call | None, revision: str | None) -> None:
        """Shows what is not plain to all rules of its event and method."""
        self.emit("on_object", None, message, revision=revision)
        event = _EVENT.get(message.kind)
        if event == "on_answer":
            self.emit(event, call.method if call else None, message, call, revision=revision)
        elif event is not None:
            self.emit(event, message.method, message, call, revision=revision)
        self._show_tasks(message, call, revision)
        self._show_parts(message, call, revision)

    def _show_tasks(self, message: Message, call: Call | None, revision: str | None) -> None:
        for one in shown(message, call) if may_be_of_task(message, call) else ():
            self.emit("on_task", one.method, one, revision=revision)

    def _show_parts(self, message: Message, call: Call | None, revision: str | None) -> None:
        """Shows what a message holds of content and of input requests and responses."""
        pieces = content.answered(self.session, message, call)
        for request in inputs.asked(self.session, message, call):
            self.emit("on_input_request", request.method, message, request, revision=revision)
            pieces += content.asked(request)
        for response in inputs.given(self.session, message, call):
            self.emit("on_input_response", response.request.method, message, response, revision=revision)
            pieces += content.given(response)
        if pieces:
            self.emit("on_content", None, message, pieces, revision=revision)

    def unreadable(self, text: Text) -> None:
        """Notes bytes that may have been a message: what they said is unknown."""
        if text.encoding is not None or looks_like_json(text.data):
            self.session.unreadable[text.sender] += 1

    def finish(self) -> list[Finding]:
        """Ends the session; gives what was found in it."""
        self.emit("on_end", None)
        return self.drafts.resolve()
