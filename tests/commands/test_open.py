"""`mcpsniff open`: a private page, and a browser on it."""

import stat
import webbrowser
from pathlib import Path

import pytest

from mcpsniff.commands.open import run


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """The addresses that a browser was asked for; caches go to a folder of the test's."""
    addresses = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


@pytest.fixture
def capture(talk, tmp_path):
    """A capture with a name that no file system minds and no URL likes."""
    talk.handshake()
    path = tmp_path / "a b#1?.jsonl"
    path.write_bytes(talk.file().getvalue())
    return path


def test_the_page_is_for_its_owner_alone(opened, capture, capsys):
    """The browser gets a file that nobody else can read; its path is printed."""
    assert run([str(capture)]) == 0
    path = Path(capsys.readouterr().out.rstrip("\n"))
    assert opened == [path.as_uri()]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_text().startswith("<!DOCTYPE html>")


def test_the_page_is_replaced_when_opened_again(opened, capture):
    """The same captures have the same page; it is not written through what stands there."""
    run([str(capture)])
    (first,) = opened
    run([str(capture)])
    assert opened == [first, first]
    assert first.startswith("file:")


def test_nothing_is_opened_where_nothing_could_be_read(opened, tmp_path, capsys):
    """What is no capture is refused by name."""
    assert run([str(tmp_path / "missing.jsonl")]) == 3
    assert opened == []
    assert "missing.jsonl cannot be read" in capsys.readouterr().err


def test_a_machine_without_a_browser_is_told_the_path(opened, capture, capsys, monkeypatch):
    """The page is written all the same."""
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    assert run([str(capture)]) == 0
    shown = capsys.readouterr()
    assert Path(shown.out.rstrip("\n")).is_file()
    assert "No browser could be started" in shown.err
