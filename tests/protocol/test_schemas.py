"""The generated shape files are what the generator gives."""

import pytest

from mcpsniff.protocol.schemas import generate


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
def test_regenerating_gives_the_committed_file(revision):
    """Nobody edits a shape by hand, and no change of the tables is forgotten."""
    committed = generate.TARGET / f"{revision}.json"
    assert generate.text(revision) == committed.read_text()


def test_every_row_of_the_history_names_a_member():
    """A row with a wrong name would leave a later member in an earlier revision without a word."""
    _, definitions = generate._from_models("2025-11-25")
    for key in [*generate.SINCE, *generate.REQUIRED_UNTIL, *generate.PATCHES]:
        name, _, member = key.removesuffix("[]").partition(".")
        assert name in definitions
        assert not member or member in definitions[name]["properties"], key


def test_no_prose_is_taken_over():
    """Descriptions are the specification's text, not ours."""
    for revision in generate.REVISIONS:
        for word in ('"description": "', '"title": "', '"$comment"'):
            assert word not in generate.text(revision)
