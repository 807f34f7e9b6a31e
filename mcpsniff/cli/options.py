"""What several commands take, and how a command takes options from the table of wrap."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from mcpsniff.relay import Keeping
from mcpsniff.wrap.options import OPTIONS, Option

Command = TypeVar("Command", bound=Callable[..., None])

KEEPING = tuple(option for option in OPTIONS if option.name in Keeping.__slots__)  # what a recorder keeps, and where


class ListFormat(StrEnum):
    """How a table is written."""

    table = "table"
    json = "json"


ListAs = Annotated[ListFormat, typer.Option("--format", help="For people, or for programs.")]
NoRedact = Annotated[bool, typer.Option("--no-redact", help="Keep secrets in the capture.")]
Redact = Annotated[
    list[str] | None,
    typer.Option("--redact", metavar="POINTER", help="Hide this in MCP messages too, such as /params/arguments/pin."),
]


def taking(*options: Option) -> Callable[[Command], Command]:
    """Gives a command these options in place of its last parameter, which is `**` and holds their values by name.

    typer reads the signature that is set here: options that several commands share are spelled in the table alone.
    """

    def give(command: Command) -> Command:
        *own, _ = inspect.signature(command, eval_str=True).parameters.values()
        command.__signature__ = inspect.Signature([*own, *map(_parameter, options)])  # type: ignore[attr-defined]
        return command

    return give


def _parameter(option: Option) -> inspect.Parameter:
    kind: Any = bool if option.metavar is None else list[str] | None if option.many else str | None
    spelled = typer.Option(*option.flags, metavar=option.metavar, help=option.help)
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=Annotated[kind, spelled]
    )


@contextmanager
def wrong_usage() -> Iterator[None]:
    """Makes of a ValueError, which says what is wrong with a word, an error of usage."""
    try:
        yield
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
