"""The parts of a capture, found among files and read as one."""

import json
import os
import random

import pytest

from mcpsniff.capture.packing import pack
from mcpsniff.capture.parts import Missing, grouped, missing, read_parts
from mcpsniff.errors import McpsniffError


@pytest.fixture
def part(tmp_path):
    """Writes the file of a part with records of the given numbers: `part(name, number, *seqs, **header)`."""

    def write(name, number, *seqs, end=False, **header):
        named = {} if number is None else {"part": number}
        records = [{"type": "capture", "seq": 0, "t": 0, "id": "a", "transport": "stdio", **named, **header}]
        records += [{"type": "eof", "seq": seq, "t": seq, "stream": "stdin"} for seq in seqs]
        records += [{"type": "end", "seq": seqs[-1] + 1, "t": 9, "records": 9}] if end else []
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)

    return write


def seqs(reader):
    """The numbers of the records behind the header."""
    return [record.seq for record in reader][1:]


def test_parts_of_one_capture_go_together_in_the_order_of_their_numbers(part):
    """Whatever their names, in whatever order they are given; captures stay in the order in which they are named."""
    whole = part("z", None, 1, id="w")
    a = [part("c", 1, 1), part("b", 2, 2), part("a", 3, 3)]
    b = [part("d", 1, 1, id="b"), part("e", 2, 2, id="b")]
    files = [whole, *a, *b]
    assert grouped(files) == [(whole,), tuple(a), tuple(b)]
    assert grouped([b[1], a[2], whole, b[0], a[0], a[1]]) == [tuple(b), tuple(a), (whole,)]


def test_a_part_may_be_known_by_the_one_before(part):
    """Where each part has an id of its own, `previous` says which it follows."""
    chain = (part("1", 1, 1, id="x"), part("2", 2, 2, id="y", previous="x"), part("3", 3, 3, id="z", previous="y"))
    assert grouped(list(reversed(chain))) == [chain]


def test_files_that_are_no_parts_stay_alone(part, tmp_path):
    """The same capture named twice, a part without an id, what is no capture, what is not there."""
    twice, nameless = part("w", None, 1), part("n", 2, 5, id="")
    (tmp_path / "t").write_text("hello")
    others = [twice, twice, nameless, nameless, str(tmp_path / "t"), str(tmp_path / "missing"), "-"]
    assert grouped(others) == [(path,) for path in others]


def test_what_can_be_read_but_once_is_not_looked_into(part, tmp_path):
    """A pipe keeps its bytes for the reading itself."""
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    assert grouped([path]) == [(path,)]


def test_a_part_packed_while_it_is_looked_for_belongs_to_its_capture(part):
    """It is known by the file that has taken the place of the one named."""
    files = [part(f"{number}.jsonl", number, number) for number in (1, 2)]
    pack(files[0], "gzip")
    assert grouped(files) == [tuple(files)]
    assert seqs(read_parts(tuple(files))) == [1, 2]


def test_a_part_that_is_there_twice_counts_once(part):
    """The plain file goes before the packed one that is being made of it."""
    first, second = part("1.jsonl", 1, 1), part("2.jsonl", 2, 2)
    copy = part("3.jsonl", 2, 2)
    pack(copy, "gzip")
    assert grouped([first, copy + ".gz", second, second]) == [(first, second)]


def test_records_of_all_parts_behind_one_header(part):
    """Numbers go on; each record knows its line in its own file."""
    reader = read_parts((part("1", 1, 1, 2), part("2", 2, 3), part("3", 3, 4, 5, end=True)))
    records = list(reader)
    assert [record.seq for record in records] == [0, 1, 2, 3, 4, 5, 6]
    assert [record.line for record in records] == [1, 2, 3, 2, 2, 3, 4]
    assert [seq for seq, _ in reader.files] == [0, 3, 4]
    assert (reader.cut, reader.damaged_count, reader.numbers) == (False, 0, [1, 2, 3])


def test_bytes_read_are_those_of_all_files(part):
    """What a progress bar shows."""
    files = part("1", 1, 1, 2), part("2", 2, 3)
    reader = read_parts(files)
    list(reader)
    assert reader.bytes_read == sum(map(os.path.getsize, files))


def test_plain_and_packed_parts_mix(part):
    """The last is still plain where the writer was killed."""
    files = [part("1.jsonl", 1, 1), part("2.jsonl", 2, 2), part("3.jsonl", 3, 3)]
    pack(files[0], "zstd")
    pack(files[1], "gzip")
    assert seqs(read_parts((f"{files[0]}.zst", f"{files[1]}.gz", files[2]))) == [1, 2, 3]


def test_a_part_that_was_packed_or_removed_meanwhile(part):
    """The one is found in its new form, the other counts as missing; the first may be among them."""
    files = tuple(part(f"{n}.jsonl", n, n) for n in (1, 2, 3, 4))
    reader = read_parts(files)
    pack(files[1], "gzip")
    os.unlink(files[2])
    assert seqs(reader) == [1, 2, 4]
    assert missing(reader.numbers) == Missing(1, [3])
    os.unlink(files[0])
    assert seqs(read_parts(files)) == [2, 4]


def test_nothing_of_a_capture_that_is_there(tmp_path):
    """The error is that of its first file."""
    with pytest.raises(McpsniffError, match=r"1 cannot be read: No such file"):
        read_parts((str(tmp_path / "1"), str(tmp_path / "2")))


def test_torn_and_damaged_lines_of_any_part(part):
    """A part that ends within a line (a crash) costs that line, and the next part is read all the same."""
    files = part("1", 1, 1), part("2", 2, 2), part("3", 3, 3)
    for name, tail in zip(files, ('{"type":"eo', "rubbish\n", '{"type'), strict=True):
        with open(name, "a") as file:
            file.write(tail)
    reader = read_parts(files)
    assert seqs(reader) == [1, 2, 3]
    assert (reader.damaged, reader.damaged_count, reader.cut) == ([3], 1, True)


@pytest.mark.parametrize(
    ("numbers", "total", "named"),
    [
        ([1], 0, []),
        ([1, 2, 3], 0, []),
        ([5], 4, [1, 2, 3, 4]),
        ([2, 5, 2], 3, [1, 3, 4]),
        ([0, -3, 1], 0, []),
        ([10**18], 10**18 - 1, list(range(1, 21))),
    ],
)
def test_what_is_missing(numbers, total, named):
    """Numbers below the highest that is there; a few are named, however many they are."""
    assert missing(numbers) == Missing(total, named)


def test_order_does_not_matter(part):
    """Any order of the names gives the same capture."""
    files = [part(f"{n}", n, n * 2, n * 2 + 1) for n in range(1, 9)]
    shuffled = list(files)
    random.Random(7).shuffle(shuffled)
    assert shuffled != files
    (capture,) = grouped(shuffled)
    assert seqs(read_parts(capture)) == list(range(2, 18))
