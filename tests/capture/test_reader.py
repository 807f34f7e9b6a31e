"""Whole captures: in order, in constant memory, whatever happened to the file."""

import gzip
import io
import subprocess
import sys
import tracemalloc

import pytest

from mcpsniff.capture.reader import read
from mcpsniff.capture.records import Message
from mcpsniff.errors import McpsniffError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HEADER = b'{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"id":"i","transport":"stdio"}\n'
MESSAGE = b'{"type":"message","seq":1,"t":0.5,"from":"client","size":9,"message":{"id":1}}\n'
END = b'{"type":"end","seq":2,"t":1,"records":3}\n'
CAPTURE = HEADER + MESSAGE + END


def kinds(reader):
    return [type(record).__name__ for record in reader]


def test_records_come_in_order_with_their_lines():
    """The header is the first record and can be asked for before."""
    reader = read(io.BytesIO(CAPTURE))
    assert (reader.header.id, reader.header.transport) == ("i", "stdio")
    assert [(type(record).__name__, record.seq, record.line) for record in reader] == [
        ("Capture", 0, 1),
        ("Message", 1, 2),
        ("End", 2, 3),
    ]
    assert (reader.cut, reader.damaged, reader.bytes_read) == (False, [], len(CAPTURE))


def test_a_header_may_leave_out_what_it_does_not_know():
    """A sample has no command, no id, not even a time."""
    reader = read(io.BytesIO(b'{"type":"capture","expect":[{"rule":"r"}]}\n' + MESSAGE))
    assert (reader.header.seq, reader.header.id, reader.header.expect) == (0, "", [{"rule": "r"}])
    assert kinds(reader) == ["Capture", "Message"]


@pytest.mark.parametrize("at", range(len(HEADER), len(CAPTURE)))
def test_a_capture_cut_anywhere_is_readable_up_to_its_last_whole_line(at):
    """Every cut leaves whole records, no damage, and the word that it is cut."""
    reader = read(io.BytesIO(CAPTURE[:at]))
    whole = CAPTURE[: at + (CAPTURE[at : at + 1] == b"\n")].count(b"\n")
    assert len(kinds(reader)) == whole
    assert reader.cut is (whole < 3)
    assert reader.damaged == []


def test_something_torn_after_the_end_is_a_cut():
    """An `end` that is not the last thing in the file does not hide what follows."""
    reader = read(io.BytesIO(CAPTURE + b'{"type":"te'))
    assert len(kinds(reader)) == 3
    assert reader.cut


def test_damaged_lines_are_counted_by_number_and_never_fatal():
    """Noise, torn and doubled lines lose only themselves; an empty line holds nothing to lose."""
    damaged = HEADER + b"noise\n" + MESSAGE + b'{"type":"mess\n' + b"\n" + MESSAGE + b"\xff\n" + END
    reader = read(io.BytesIO(damaged))
    assert kinds(reader) == ["Capture", "Message", "Message", "End"]
    assert (reader.damaged, reader.damaged_count) == ([2, 4, 7], 3)
    assert not reader.cut


def test_the_list_of_damaged_lines_has_a_cap_and_the_count_has_none():
    """A million lines of something else do not fill the memory."""
    reader = read(io.BytesIO(HEADER + b"?\n" * 1500))
    list(reader)
    assert (reader.damaged, reader.damaged_count) == (list(range(2, 1002)), 1500)


def test_odd_numbers_are_given_as_they_stand():
    """Doubled, falling and jumping `seq` are for others to judge."""
    lines = [MESSAGE.replace(b'"seq":1', b'"seq":%d' % seq) for seq in (5, 5, 3, 10**30)]
    records = read(io.BytesIO(HEADER + b"".join(lines)))
    assert [record.seq for record in records] == [0, 5, 5, 3, 10**30]


@pytest.mark.parametrize(
    "data",
    [
        b"\n" + CAPTURE,
        MESSAGE + END,
        b'{"type":"capture","format":"pcap"}\n',
        b'{"jsonrpc":"2.0"}\n',
        b"PK\x03\x04" + bytes(100),
        b"\xef\xbb\xbf" + CAPTURE,
        HEADER[:40],
        gzip.compress(b"hello\n"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_no_capture_is_refused_by_name(tmp_path, data):
    """One sentence that begins with the path, whatever the file is."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(McpsniffError) as refusal:
        read(str(path))
    assert str(refusal.value) == f"{path} is no mcpsniff capture: its first line is not a capture header."


def test_a_file_without_line_feeds_is_refused_without_reading_it_all():
    """An image of a disk given by mistake does not fill the memory."""

    class Endless(io.RawIOBase):
        name = "disk.img"

        def readable(self):
            return True

        def read(self, size=-1):
            return bytes(size)

    with pytest.raises(McpsniffError, match=r"disk\.img is no mcpsniff capture"):
        read(Endless())


def test_a_later_version_is_refused():
    """The meaning of a later version is not guessed."""
    with pytest.raises(McpsniffError, match="a capture of version 2; this mcpsniff reads version 1"):
        read(io.BytesIO(HEADER.replace(b'"version":1', b'"version":2')))


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_packed_captures(tmp_path, pack):
    """Whole ones read like plain ones; one cut in the packed bytes is a cut capture."""
    path = tmp_path / "a.jsonl.packed"
    path.write_bytes(pack(CAPTURE))
    reader = read(str(path))
    assert (kinds(reader), reader.cut) == (["Capture", "Message", "End"], False)
    noise = "".join(f"{n * 7919 % 100_003:x}" for n in range(200_000)).encode()
    text = b'{"type":"text","seq":1,"t":0,"from":"server","size":1,"raw":"%s"}\n'
    many = HEADER + b"".join(text % noise[i : i + 5000] for i in range(0, len(noise), 5000)) + END
    path.write_bytes(pack(many)[: len(pack(many)) * 2 // 3])
    with read(str(path)) as reader:
        assert 2 < len(kinds(reader)) < many.count(b"\n")
    assert reader.cut
    assert reader.damaged == []


def test_an_input_that_fails_half_way_is_told_in_one_sentence():
    """An error of the disk is no end of the capture."""

    class Failing(io.BytesIO):
        name = "on-a-bad-disk.jsonl"
        reads = 0

        def read(self, size=-1):
            self.reads += 1
            if self.reads == 1:
                return CAPTURE[:-5]
            raise OSError(5, "Input/output error")

    reader = read(Failing())
    with pytest.raises(McpsniffError, match=r"on-a-bad-disk\.jsonl cannot be read to its end: Input/output error"):
        list(reader)


def test_standard_input():
    """A dash reads the pipe, packed or not."""
    script = "import sys; from mcpsniff.capture.reader import read; r = read('-'); print(r.name, len(list(r)), r.cut)"
    for data in (CAPTURE, gzip.compress(CAPTURE)):
        done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, check=True)
        assert done.stdout == b"standard input 3 False\n"


def test_memory_does_not_grow_with_the_capture(tmp_path):
    """Ten times the records take the same memory."""

    def peak(records):
        path = tmp_path / f"{records}.jsonl"
        path.write_bytes(HEADER + MESSAGE * records + END)
        tracemalloc.start()
        try:
            with read(str(path)) as reader:
                for _ in reader:
                    pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2000)
    assert peak(40_000) < peak(4000) + 500_000


def test_an_abandoned_reader_closes_its_file(tmp_path):
    """Leaving the block closes what was opened, read to the end or not."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(CAPTURE)
    with read(str(path)) as reader:
        assert isinstance(list(zip(reader, range(2), strict=False))[1][0], Message)


DAMAGED = "cannot be read: packed data is damaged or cut short before its first line ends."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no mcpsniff capture: it is empty."),
        (gzip.compress(CAPTURE)[:15], DAMAGED),
        (b"\x1f\x8bno gzip at all", DAMAGED),
        (b"\x28\xb5\x2f\xfdno zstd at all", DAMAGED),
    ],
)
def test_what_holds_no_first_line_is_told_apart(tmp_path, content, said):
    """An empty file and a packed one cut too early are not files of another kind."""
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(McpsniffError) as refusal:
        read(str(path))
    assert str(refusal.value) == f"{path} {said}"
