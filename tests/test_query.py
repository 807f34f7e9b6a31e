"""The filter language, by the corpus that its other implementations are tested against, too."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpsniff.analysis.row import KINDS
from mcpsniff.query import WORDS, QueryError, parse
from mcpsniff.rules.rule import SEVERITIES

CORPUS = json.loads((Path(__file__).parent / "query" / "corpus.json").read_text("utf-8"))


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
