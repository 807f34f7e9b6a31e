"""The table of formats."""

import pytest

from mcpsniff.errors import McpsniffError
from mcpsniff.render.formats import Format, guess, render


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("report.txt", "terminal"), ("report.json", "json"), ("a.jsonl", "jsonl"), ("a.sarif", "sarif"),
        ("a.sarif.json", "sarif"), ("JUnit.XML", "junit"), ("a.md", "markdown"), ("a.csv", "csv"), ("json", "terminal"),
        ("dir.d/out", "terminal"), ("/dev/stdout", "terminal"), (None, "terminal"),
    ],
)  # fmt: skip
def test_a_name_asks_for_its_format(name, format_):
    """The longest known ending counts; what has none is for people."""
    assert guess(name) == format_


def test_an_ending_that_nobody_knows_is_refused():
    """Rather than written in a format that was not meant; the endings to choose from are named."""
    with pytest.raises(
        McpsniffError, match=r"a\.doc: no format has that ending; say --format, or end it in \.txt, \.json"
    ):
        guess("a.doc")


def test_endings_are_of_one_format_each():
    """No two rows of the table claim the same ending."""
    endings = [ending for format_ in Format for ending in format_.endings]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize("format_", Format)
def test_every_format_is_written_in_utf8(findings, nothing, format_):
    """Whatever was captured, every row of the table gives text that drives no terminal; also of nothing."""
    for report in (findings, nothing):
        text = render(report, format_).decode("utf-8")
        assert not set(text) & set("\x1b\x9b\u202e")
