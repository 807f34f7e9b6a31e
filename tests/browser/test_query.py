"""The filter language in the page's script against the corpus that mcpsniff/query passes."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUERY = ROOT / "mcpsniff" / "render" / "html" / "script" / "query.js"
CORPUS = json.loads((ROOT / "tests" / "query" / "corpus.json").read_text())

HARNESS = """
window.matching = (expression, rows) => {
  const test = parse(expression);
  return rows.filter((row) => test((field) => row[field] ?? null)).map((row) => row.seq);
};
window.mistake = (expression) => {
  try {
    parse(expression);
    return null;
  } catch (error) {
    return error instanceof QueryError ? error.column : String(error);
  }
};
window.loaded = true;
"""


@pytest.fixture(scope="module")
def language(browser):
    """A window with the module loaded."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_script_tag(content=QUERY.read_text() + HARNESS, type="module")
    page.wait_for_function("window.loaded")
    yield page
    context.close()


def test_expressions_mean_the_same_rows(language):
    """Every expression of the corpus picks the rows that the reference picks."""
    for case in CORPUS["cases"]:
        found = language.evaluate("([e, rows]) => matching(e, rows)", [case["query"], CORPUS["rows"]])
        assert found == case["seq"], case["query"]


def test_mistakes_are_at_the_same_place(language):
    """Every wrong expression is refused at the column where the reference refuses it."""
    for case in CORPUS["wrong"]:
        assert language.evaluate("(e) => mistake(e)", case["query"]) == case["column"], case["query"]
