"""The filter language, by the corpus that its other implementations are tested against, too."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.analysis.row import KINDS
from mcpsniff.query import FIELDS, WORDS, QueryError, parse
from mcpsniff.rules.rule import SEVERITIES

CORPUS = json.loads((Path(__file__).parent / "corpus.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: case["query"])
def test_expression_means_these_rows(case: dict[str, Any]) -> None:
    """An expression finds exactly the rows that the corpus names, by their `seq`."""
    meant = parse(case["query"])
    assert [row["seq"] for row in CORPUS["rows"] if meant(row.get)] == case["seq"]


@pytest.mark.parametrize("case", CORPUS["wrong"], ids=lambda case: case["query"][:40])
def test_mistake_has_its_place(case: dict[str, Any]) -> None:
    """A wrong expression is answered with the column of the mistake, and a caret stands below it."""
    with pytest.raises(QueryError) as caught:
        parse(case["query"])
    assert caught.value.column == case["column"]
    text, caret = caught.value.place
    assert text == case["query"]
    assert caret == " " * case["column"] + "^"


def test_kinds_are_those_of_rows() -> None:
    """Every kind of row that the analysis makes can be asked for."""
    assert tuple(KINDS) == WORDS["kind"]


def test_severities_are_ordered_as_those_of_rules() -> None:
    """The order of severities is that of the rules."""
    assert WORDS["severity"] == SEVERITIES


WORDS_AND_SIGNS = st.sampled_from([*FIELDS, *"():=!<>\"'\\*?~& ", "and", "or", "not", "10k", "5ms", "error", "é", " "])


def meaning(text: str) -> int | list[bool]:
    """Which rows of the corpus an expression means, or the column of the mistake in it."""
    try:
        meant = parse(text)
    except QueryError as error:
        return error.column
    return [meant(row.get) for row in CORPUS["rows"]]


@given(st.lists(WORDS_AND_SIGNS, max_size=12).map(" ".join) | st.text(max_size=30))
def test_any_text_is_an_expression_or_has_a_mistake_in_it(text: str) -> None:
    """What is written either says of each row whether it is meant, or has a place where it is wrong."""
    found = meaning(text)
    assert found in range(len(text) + 1) if isinstance(found, int) else len(found) == len(CORPUS["rows"])
