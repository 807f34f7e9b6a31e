"""Faults of the disk under a running wrap: traffic is untouched, a gap tells what is missing, recording resumes."""

import errno
import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

LINE = b"%099d\n" % 1


def echo(wrapped, line=LINE):
    """Sends a line through `cat` and takes it back."""
    wrapped.send(line)
    assert wrapped.read(len(line)) == line


def ended(wrapped):
    """The records of a finished wrap, once its recorder has written the last; wrap does not wait for a slow one."""
    wrapped.has(type="end")
    return wrapped.records()


def accounted(found):
    """Bytes of traffic that records tell of, those told as lost included."""
    return sum(one.get("size", 0) for one in found) + sum(one["bytes"] for one in found if one["type"] == "gap")


# A shim whose recorder meets the fault (by number) that a file names, at every write to a regular file.
FAULTY = """
import os, stat, sys
write = os.write
def faulty(fd, data):
    if stat.S_ISREG(os.fstat(fd).st_mode) and os.path.exists({fault!r}):
        number = int(open({fault!r}).read())
        raise OSError(number, os.strerror(number))
    return write(fd, data)
os.write = faulty
from mcpsniff.__main__ import main
sys.argv.insert(1, "wrap")
main()
"""


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fails_for_a_while(wrap, tools, tmp_path, number):
    """What is said meanwhile passes, and is told in a gap in front of what comes when the disk works again."""
    fault = tmp_path / "fault"
    wrapped = wrap(["cat"], program=[sys.executable, "-c", FAULTY.format(fault=str(fault))])
    echo(wrapped)
    wrapped.has(**{"from": "server"})
    (tmp_path / "new").write_text(str(number))
    (tmp_path / "new").rename(fault)
    for _ in range(20):
        echo(wrapped)
    said = wrapped.process.stderr.readline().decode()
    assert said == f"mcpsniff: cannot write all of the capture {str(wrapped.capture)!r}: {os.strerror(number)}\n"
    fault.unlink()
    out, err = wrapped.finish(b"after\n")
    assert (out, err, wrapped.code()) == (b"after\n", b"", 0)
    found = ended(wrapped)
    assert [one["why"] for one in found if one["type"] == "gap"] == ["write-error"]
    assert accounted(found) == 2 * (21 * len(LINE) + len(b"after\n"))
    assert [one["raw"] for one in found if one["type"] == "text"][-2:] == ["after", "after"]


MOUNT = 'mount -t tmpfs -o size=256k none "$0" && exec "$@"'


class MountedDisk:
    """A file system of 256 KiB that a wrap alone sees, in a name space of its own."""

    def __init__(self, folder, until):
        self._until = until
        self.prefix = ["unshare", "-rm", "sh", "-c", MOUNT, str(folder)]
        self.there = shutil.which("unshare") and subprocess.call([*self.prefix, "true"], stderr=subprocess.DEVNULL) == 0
        self._folder = folder
        self._fd = -1

    def enter(self, wrapped):
        """Holds on to the file system, which would go with the wrap, and lets its capture be read there."""
        self._fd = os.open(f"/proc/{wrapped.process.pid}/root{self._folder}", os.O_RDONLY)
        self._folder = Path(f"/proc/self/fd/{self._fd}")
        wrapped.capture = self._folder / wrapped.capture.name

    def fill(self, wrapped):
        """Takes what room is left: the system may refuse a page before the last one is taken."""
        with open(self._folder / "filler", "wb", buffering=0) as filler:
            self._until(lambda: self._is_full(filler))

    def _is_full(self, filler):
        with suppress(OSError):
            while True:
                filler.write(bytes(4096))
        return os.statvfs(self._folder).f_bavail == 0

    def free(self, wrapped):
        """Gives the room back."""
        (self._folder / "filler").unlink()

    def leave(self):
        """Lets the file system go."""
        if self._fd >= 0:
            os.close(self._fd)


class LimitedDisk:
    """A limit on the size of the recorder's files."""

    prefix = ()

    def enter(self, wrapped):
        """The capture is where it seems to be."""

    def fill(self, wrapped):
        """Lets the capture be as large as it is."""
        self._limit(wrapped, os.path.getsize(wrapped.capture))

    def free(self, wrapped):
        """Lets it grow."""
        self._limit(wrapped, resource.RLIM_INFINITY)

    def leave(self):
        """The limit goes with the process."""

    def _limit(self, wrapped, size):
        resource.prlimit(wrapped.recorder(), resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.fixture
def disk(tmp_path, tools):
    """A disk that can be filled: one of its own, or where the system grants none a limit that has the same effect."""
    mounted = MountedDisk(tmp_path, tools.until)
    one = mounted if mounted.there else LimitedDisk()
    yield one
    one.leave()


def test_a_full_disk(wrap, tools, disk):
    """What finds no room is told in a gap as soon as there is some; the traffic knows nothing of it."""
    wrapped = wrap(["cat"], program=[*disk.prefix, *tools.WRAP])
    echo(wrapped)
    disk.enter(wrapped)
    wrapped.has(**{"from": "server"})
    disk.fill(wrapped)
    for _ in range(200):
        echo(wrapped)
    said = wrapped.process.stderr.readline()
    assert said.startswith(b"mcpsniff: cannot write all of the capture ")
    disk.free(wrapped)
    assert wrapped.finish(b"after\n") == (b"after\n", b"")
    found = ended(wrapped)
    assert {one["why"] for one in found if one["type"] == "gap"} == {"write-error"}
    assert accounted(found) == 2 * (201 * len(LINE) + len(b"after\n"))


def test_a_file_deleted_while_it_is_written(wrap, tools):
    """Recording goes on in a new file of that name, which tells in a gap what went with the old one."""
    wrapped = wrap(["cat"])
    count = 0
    for _ in range(10):
        echo(wrapped)
        count += 1
    wrapped.has(**{"from": "server"})
    wrapped.capture.unlink()

    def again():
        nonlocal count
        echo(wrapped)
        count += 1
        return wrapped.capture.exists()

    tools.until(again)
    said = wrapped.process.stderr.readline().decode()
    assert said == f"mcpsniff: cannot write all of the capture {str(wrapped.capture)!r}: it was deleted\n"
    assert wrapped.finish(b"after\n") == (b"after\n", b"")
    header, gap, *rest = ended(wrapped)
    assert (header["part"], gap["type"], gap["why"]) == (2, "gap", "file-deleted")
    assert accounted([gap, *rest]) == 2 * (count * len(LINE) + len(b"after\n"))
    assert gap["seq"] == gap["records"] + 1


def test_a_folder_renamed_while_it_is_written_to(wrap, tmp_path):
    """The file goes along, and nothing is lost or said."""
    wrapped = wrap(["cat"], write=tmp_path / "old" / "c.jsonl")
    echo(wrapped)
    wrapped.has(**{"from": "server"})
    (tmp_path / "old").rename(tmp_path / "new")
    for _ in range(10):
        echo(wrapped)
    assert wrapped.finish() == (b"", b"")
    wrapped.capture = tmp_path / "new" / "c.jsonl"
    found = ended(wrapped)
    assert accounted(found) == 2 * 11 * len(LINE)
    assert os.listdir(tmp_path) == ["new"]


def test_a_folder_removed_while_it_is_written_to(wrap, tools, tmp_path):
    """It is made anew, and the gap tells what went with it."""
    wrapped = wrap(["cat"], write=tmp_path / "old" / "c.jsonl")
    echo(wrapped)
    wrapped.has(**{"from": "server"})
    shutil.rmtree(tmp_path / "old")
    tools.until(lambda: echo(wrapped) or wrapped.capture.exists())
    wrapped.finish()
    assert [one["type"] for one in ended(wrapped)][:2] == ["capture", "gap"]


def test_a_place_that_can_be_written_to_later(wrap, tools, tmp_path):
    """Recording begins when it can, with what was said before as a gap; it was told once that it could not."""
    (tmp_path / "file").write_text("")
    wrapped = wrap(["cat"], write=tmp_path / "file" / "c.jsonl")
    echo(wrapped)
    said = wrapped.process.stderr.readline().decode()
    assert said == f"mcpsniff: cannot write the capture {str(wrapped.capture)!r}: Not a directory\n"
    (tmp_path / "file").unlink()
    count = 1

    def again():
        nonlocal count
        echo(wrapped)
        count += 1
        return wrapped.capture.exists()

    tools.until(again)
    assert wrapped.finish(b"after\n") == (b"after\n", b"")
    found = ended(wrapped)
    assert [one["type"] for one in found][:2] == ["capture", "gap"]
    assert accounted(found) == 2 * (count * len(LINE) + len(b"after\n"))
