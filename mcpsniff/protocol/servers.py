"""What one server has proved and announced, for every client of it: a stdio process, or an HTTP endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .revisions import is_legacy


@dataclass(frozen=True, slots=True)
class Advertised:
    """The versions that a server says it supports, and the record that says so."""

    versions: tuple[str, ...]
    seq: int


@dataclass(frozen=True, slots=True)
class Announced:
    """Where a server first announced a task, in any of its sessions."""

    seq: int
    to: str | None  # the Authorization header of the request


@dataclass(frozen=True, slots=True)
class Spoken:
    """The record that shows a server to speak a handshake revision."""

    seq: int
    by: str | None  # name and version of the server program, where the record holds them


class ServerFacts:
    """What one server (a stdio process, or an HTTP endpoint for all its clients) has proved; seqs, None = not."""

    __slots__ = (
        "accepted", "cursors", "given_ids", "modern", "offers", "proved", "readings", "refuses_delete", "sessions",
        "spoken", "tasks", "varies", "versions",
    )  # fmt: skip

    def __init__(self) -> None:
        self.modern: int | None = None  # first sign of the modern era, certain or strong
        self.proved: int | None = None  # first certain one
        self.accepted: int | None = None  # first initialize answered with a result
        self.sessions = 0  # opened with it
        self.versions: list[str] = []  # supportedVersions, or data.supported of an error
        self.given_ids: list[Any] = []  # session ids in order; kept by sessionids.SessionIds
        self.refuses_delete = False  # it answered DELETE with 405: clients cannot end a session
        self.varies = False  # it has told different lists: there may be several programs behind one address
        self.spoken: dict[str, Spoken] = {}  # handshake revisions that it accepted or listed
        self.tasks: dict[str, Announced] = {}  # by id; kept by tasks.Tasks
        self.offers: dict[str, Any] = {}  # URL elicitations by id; kept by offers.Offers
        self.readings: dict[Any, Any] = {}  # whole lists, by what makes them comparable; kept by listings.Listings
        self.cursors: dict[tuple[str, str], int] = {}  # (list, cursor) → record that issued it; kept by lists.Lists

    def speaks(self, versions: list[str], seq: int, by: str | None = None) -> None:
        """Notes versions that the server accepted or listed."""
        for version in versions:
            if is_legacy(version):
                self.spoken.setdefault(version, Spoken(seq, by))

    @property
    def modern_only(self) -> bool:
        """Whether the server named its versions, none of them of the handshake era, and accepted no `initialize`."""
        return bool(self.versions) and self.accepted is None and not any(map(is_legacy, self.versions))


def server_program(result: Mapping[str, Any]) -> str | None:
    """Gives name and version of the program that an InitializeResult names."""
    info = result.get("serverInfo")
    return f"{info.get('name')} {info.get('version')}" if isinstance(info, dict) else None
