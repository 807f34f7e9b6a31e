"""One file: whole lines or none, whatever the disk does, and whether it is still there."""

import os

import pytest

from mcpsniff.capture.appender import Appender

HEAD = b"head\n"


@pytest.fixture
def make(tmp_path):
    """Makes appenders on new files."""
    made = []

    def one(name="a", **how):
        path = str(tmp_path / name)
        made.append(Appender(path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), HEAD, **how))
        return made[-1]

    yield one
    for file in made:
        file.close()


def content(file):
    """What is in the file."""
    with open(file.path, "rb") as there:
        return there.read()


def fail(*_):
    """A disk that does nothing."""
    raise OSError(28, "full")


def test_lines_are_appended(make):
    """It tells how many bytes stayed, and how large the file is."""
    file = make()
    assert (file.append(b"a\nb\n"), file.size, file.settled, file.failed) == (4, 9, True, None)
    assert content(file) == b"head\na\nb\n"


def test_a_write_that_stops_half_way_keeps_whole_lines(make, monkeypatch):
    """What is torn is cut off again."""
    file, write = make(), os.write
    with monkeypatch.context() as patch:
        calls = iter([lambda fd, data: write(fd, data[:3]), fail])
        patch.setattr("os.write", lambda fd, data: next(calls)(fd, data))
        assert file.append(b"a\nb\n") == 2
    assert (content(file), file.size, file.failed) == (b"head\na\n", 7, "full")


def test_a_long_line_is_appended_in_pieces_or_not_at_all(make, monkeypatch):
    """A disk that is full after five bytes keeps none of it."""
    file, write = make(), os.write
    assert (file.append_long([b"ab", b"", b"c\n"]), file.size) == (True, 9)
    with monkeypatch.context() as patch:
        calls = iter([write, lambda fd, data: write(fd, data[:2]), fail])
        patch.setattr("os.write", lambda fd, data: next(calls)(fd, data))
        assert file.append_long([b"123", b"456\n"]) is False
    assert (content(file), file.size, file.failed) == (b"head\nabc\n", 9, "full")


def test_a_header_that_finds_no_room_is_owed(make, monkeypatch):
    """It is written before anything else, as soon as there is room."""
    with monkeypatch.context() as patch:
        patch.setattr("os.write", fail)
        file = make()
        assert (file.settled, file.settle()) == (False, False)
    assert (file.settle(), content(file)) == (True, HEAD)


def test_a_file_without_a_name_is_gone(make):
    """Renamed it is not; deleted, closed or never made it is."""
    file = make()
    os.rename(file.path, file.path + "x")
    assert file.gone() is False
    os.unlink(file.path + "x")
    assert file.gone() is True
    assert Appender("nowhere", -1, b"").gone() is True


def test_after_its_end_nothing_stays(make):
    """It may be closed twice; a late line is counted as lost by whoever wrote it."""
    file = make()
    file.close()
    file.close()
    assert file.append(b"late\n") == 0
    assert content(file) == HEAD
