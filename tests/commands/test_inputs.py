"""What the names on a command line stand for."""

import json
import os

import pytest

from mcpsniff.commands.inputs import captures, files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Puts files into the working directory."""
    monkeypatch.chdir(tmp_path)

    def make(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("{}\n")

    return make


def test_a_file_is_itself_whatever_its_name(folder):
    """Also one whose name looks like a glob; standard input is no file."""
    folder("[a].jsonl", "a.jsonl")
    assert files("[a].jsonl") == ["[a].jsonl"]
    assert files("-") == ["-"]
    assert files("missing.jsonl") == ["missing.jsonl"]
    assert files("missing*") == ["missing*"]


def test_a_glob_names_files_not_folders(folder):
    """In the order of their names."""
    folder("b.jsonl", "a.jsonl", "c.jsonl/x")
    assert files("*.jsonl") == ["a.jsonl", "b.jsonl"]


def test_a_folder_stands_for_its_captures(folder):
    """Plain and packed, not what lies deeper and not what is something else; an empty one is refused by its name."""
    folder("d/b.jsonl", "d/a.jsonl.zst", "d/c.jsonl.gz", "d/notes.txt", "d/.hidden.jsonl", "d/e/f.jsonl", "x/y.txt")
    assert files("d") == ["d/a.jsonl.zst", "d/b.jsonl", "d/c.jsonl.gz"]
    assert files("x") == ["x"]


def test_the_name_given_to_a_rotation_stands_for_its_parts(folder):
    """Plain and packed; names that only begin alike do not belong to it."""
    folder("s-00001.jsonl.zst", "s-00002.jsonl.zst", "s-00003.jsonl", "s-x-00001.jsonl", "s-1.jsonl")
    assert files("s.jsonl") == ["s-00001.jsonl.zst", "s-00002.jsonl.zst", "s-00003.jsonl"]


def test_the_name_given_to_a_packed_capture(folder):
    """It is found by the name that the user knows."""
    folder("s.jsonl.gz")
    assert files("s.jsonl") == ["s.jsonl.gz"]


def test_files_that_a_recorder_is_at_work_on(folder, tmp_path):
    """The plain file counts as long as it is there; a part that has just got its name counts for nothing yet."""
    folder("s-00001.jsonl", "s-00001.jsonl.gz", "s-00002.jsonl.gz", "s-00003.jsonl", "empty.jsonl")
    for name in ("s-00003.jsonl", "empty.jsonl"):
        (tmp_path / name).write_text("")
    there = ["s-00001.jsonl", "s-00002.jsonl.gz"]
    assert files("*.jsonl*") == ["empty.jsonl", *there]
    assert files("*.gz") == there
    assert files("s.jsonl") == there
    assert files("s-00003.jsonl") == ["s-00003.jsonl"]


def test_parts_named_in_several_ways_are_one_capture(tmp_path):
    """A part by its own name and all by a glob."""
    for number in (1, 2):
        header = {"type": "capture", "seq": 0, "t": 0, "id": "a", "part": number}
        (tmp_path / f"s-0000{number}.jsonl").write_text(json.dumps(header) + "\n")
    paths = tuple(os.path.join(tmp_path, f"s-0000{number}.jsonl") for number in (1, 2))
    assert captures([paths[1], f"{tmp_path}/*.jsonl"]) == [paths]
    assert captures([paths[1]]) == [(paths[1],)]


def test_a_file_named_in_several_ways_is_read_once(folder):
    """Twice by its name, by its folder, by a glob; in the order of their first names."""
    folder("b.jsonl", "a.jsonl")
    assert captures(["./b.jsonl", "b.jsonl", ".", "*.jsonl", "-", "-"]) == [("./b.jsonl",), ("./a.jsonl",), ("-",)]
