"""The mutation run tells a change that matters from one that does not, and leaves the rules as they were."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.rules.catalogue import by_id

HERE = Path(__file__).parent
RUN = runpy.run_path(str(HERE / "run.py"))
MUTANTS = runpy.run_path(str(HERE / "mutants.py"))
MODULE = "mcpsniff.rules.pagination.next_cursor_invalid"
GUARD = '"nextCursor" not in message.result'
RULE = '''
class Loud(Rule):
    """A page."""

    title = "Too loud"
    since = "2025-06-18"

    @when(result, has("level"))
    def on_answer(self, message: Message, call: Call | None = None) -> Found:
        if message.level > 3 and call:
            yield self.found(message, "much too loud", where="/result/level")
'''


@pytest.mark.parametrize(
    ("was", "now", "alive"),
    [
        ("not isinstance(cursor, str)", "isinstance(cursor, str)", False),
        ("yield self.found(", "self.found(", False),
        (GUARD, 'not ("nextCursor" in message.result)', True),
    ],
    ids=["the condition turned round", "nothing found", "the same in other words"],
)
def test_what_samples_can_tell_dies(was: str, now: str, alive: bool) -> None:
    """Only the change that changes nothing survives, and the rule stands as before."""
    rules = by_id()["next-cursor-invalid"]
    source = Path(*MODULE.split(".")).with_suffix(".py")
    text = (HERE.parents[1] / source).read_text()
    assert text.count(was) == 1
    assert RUN["survives"](RUN["Job"](MODULE, 0, was, now, text.replace(was, now))) is alive
    assert by_id()["next-cursor-invalid"] == rules


def test_a_shared_module_is_played_by_the_rules_that_use_it() -> None:
    """No walk is seen any more where `cursor_of` looks for another member: the samples of its users tell."""
    (job,) = (one for one in RUN["jobs"]("mcpsniff.rules.pagination._paged") if one.now == "'cursor~'")
    assert not RUN["survives"](job)


def test_every_change_that_decides() -> None:
    """All the mutants of a small rule: no word for people is among them, nor a decorator, nor an annotation."""
    assert [(one.line, one.was, one.now) for one in MUTANTS["mutants"](RULE)] == list(_expected())


def _expected() -> Iterator[tuple[Any, ...]]:
    condition = "message.level > 3 and call"
    yield from ((6, "'2025-06-18'", f"'{one}'") for one in ("2025-03-26", "2025-11-25"))
    swapped = ["message.level > 3 or call", "call", "message.level > 3", "True", "False"]
    yield from ((10, condition, now) for now in swapped)
    yield from ((10, "message.level > 3", now) for now in ("message.level >= 3", "message.level < 3"))
    yield from ((10, "3", now) for now in ("4", "2"))
    yield (11, "yield self.found(message, 'much too loud', where='/result/level')", "yield from ()")
