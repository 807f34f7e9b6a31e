"""Plays the samples of families against mutants of their rules, and prints the mutants that no sample can tell.

    python tests/mutation/run.py pagination logging --jobs 2 --out survivors.txt

A survivor is an equivalent change, dead code, or a guard that no sample holds: the last wants a sample.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import runpy
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from mcpsniff.analysis import conversation
from mcpsniff.analysis.engine import analyze
from mcpsniff.rules import catalogue, selection
from mcpsniff.rules.selection import EVERYTHING, Selection

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
mutants = runpy.run_path(str(HERE / "mutants.py"))["mutants"]
played = runpy.run_path(str(HERE.parent / "rules" / "test_samples.py"))  # how the suite plays samples
PATIENCE = 20  # seconds of the processor for the samples of one mutant
CACHED = (
    catalogue.load, catalogue.by_id, catalogue.subscribers, selection._shown, selection._bound, selection._named,
)  # fmt: skip


class Slow(BaseException):
    """A mutant did not come to an end; no `Exception`, since those of rules are caught."""


class Job(NamedTuple):
    """A mutant and the module that it stands in for."""

    module: str
    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"{self.module.replace('.', '/')}.py:{self.line}: {self.was} → {self.now}"


def modules(family: str) -> list[str]:
    """Gives the modules of a family, the shared ones as well."""
    folder = ROOT / "mcpsniff" / "rules" / family
    return [f"mcpsniff.rules.{family}.{path.stem}" for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]


def jobs(module: str) -> Iterator[Job]:
    """Gives the mutants of one module; raises SystemExit where its samples fail as it is."""
    source = ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text()
    if not survives(Job(module, 0, "", "", source)):
        raise SystemExit(f"Samples of {module} fail before anything is changed: see tests/rules/test_samples.py.")
    for mutant in mutants(source):
        yield Job(module, *mutant)


def survives(job: Job) -> bool:
    """Whether every sample gives what it expects although the rule is another one."""
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        with _in_place(job.module, job.source):
            return not _told_by(samples(job.module))
    except (Slow, Exception):
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _told_by(ahead: list[tuple[Path, frozenset[str]]]) -> bool:
    """Whether a sample shows another finding; it comes first from then on, since it is likely to tell the next, too."""
    for place, (path, ids) in enumerate(ahead):
        if not _as_expected(path, ids):
            ahead.insert(0, ahead.pop(place))
            return True
    return False


def _too_slow(*_: Any) -> None:
    raise Slow


@contextmanager
def _in_place(name: str, source: str) -> Iterator[None]:
    """Has a module, and those that import from it, run with another source until the end."""
    everyone = [importlib.import_module(each) for each in (name, *_users(name))]
    before = [dict(vars(module)) for module in everyone]
    try:
        exec(compile(source, name, "exec"), vars(everyone[0]))
        for module in everyone[1:]:
            importlib.reload(module)
        _forget()
        yield
    finally:
        for module, names in zip(everyone, before, strict=True):
            vars(module).clear()
            vars(module).update(names)
        _forget()


def _forget() -> None:
    for each in CACHED:
        each.cache_clear()


@cache
def _users(name: str) -> tuple[str, ...]:
    """Gives the rules' modules that import from one, itself left out; those first that others import from."""
    *_, family, stem = name.split(".")
    catalogue.load()
    users = [other for other, module in list(sys.modules.items()) if _imports(module, other, family, stem)]
    return tuple(dict.fromkeys(each for user in users for each in (user, *_users(user))))


def _imports(module: ModuleType, name: str, family: str, stem: str) -> bool:
    if not name.startswith("mcpsniff.rules.") or module.__file__ is None:
        return False
    near = f"from .{stem} import" if f".{family}." in name else f"from mcpsniff.rules.{family}.{stem} import"
    return near in Path(module.__file__).read_text()


@cache
def samples(name: str) -> list[tuple[Path, frozenset[str]]]:
    """Gives the samples of a module's family, those of its own rules first, each with the ids that are looked at."""
    ids = _ids(name, *_users(name))
    families = {name.split(".")[-2], *(user.split(".")[-2] for user in _users(name))}
    near = {id_ for id_, rules in catalogue.by_id().items() if rules[0].__module__.split(".")[-2] in families}
    return [(path, ids) for folder in (*sorted(ids), *sorted(near - ids)) for path in _in(folder)]


def _ids(*names: str) -> frozenset[str]:
    return frozenset(id_ for id_, rules in catalogue.by_id().items() if rules[0].__module__ in names)


def _in(folder: str) -> list[Path]:
    return sorted((played["SAMPLES"] / folder).glob("*.jsonl"))


def _as_expected(path: Path, ids: frozenset[str]) -> bool:
    """Whether the rules looked at find in a sample what its header says."""
    _, result = analyze(str(path), Selection(EVERYTHING.tiers, tuple(sorted(ids))))
    found = [
        {"rule": one.rule, "severity": one.severity, "violator": one.violator, "seq": list(one.seq)}
        for session in result.sessions
        for one in session.findings
        if one.rule in ids and (one.rule == path.parent.name or catalogue.by_id()[one.rule][0].tier < 3)
    ]
    expected = [one for one in _expected(path) if one["rule"] in ids]
    return not result.crashed and sorted(found, key=str) == sorted(expected, key=str)


@cache
def _expected(path: Path) -> list[dict[str, Any]]:
    expected: list[dict[str, Any]] = played["expectation"](path)
    return expected


def always() -> None:
    """Has every handler called whatever its conditions say: those spare time, and hide what its body checks."""
    vars(conversation).update(wanted=lambda *_: True, is_once=lambda *_: False)


def main() -> None:
    """Runs the families that the command line names."""
    options = _options()
    out = options.out.open("w") if options.out else sys.stdout
    everything = [job for family in options.family for module in modules(family) for job in jobs(module)]
    left = 0
    with multiprocessing.get_context("fork").Pool(options.jobs, always) as pool:
        for job, alive in zip(everything, pool.imap(survives, everything), strict=True):
            if alive:
                left += 1
                print(job, file=out, flush=True)
    print(f"{left} of {len(everything)} mutants survive.")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    families = sorted(path.parent.name for path in (ROOT / "mcpsniff" / "rules").glob("*/__init__.py"))
    parser.add_argument("family", nargs="+", choices=families, metavar="FAMILY", help=", ".join(families))
    parser.add_argument("--jobs", type=int, default=1, help="mutants played at the same time")
    parser.add_argument("--out", type=Path, help="file for the survivors, instead of standard output")
    return parser.parse_args()


if __name__ == "__main__":
    main()
