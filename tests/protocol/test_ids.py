"""Ids are the same by type and exact value; the spelling is kept."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpsniff.protocol.ids import JsonId

SAME = [("1", "1.0"), ("1", "1e0"), ("10", "1E1"), ("0", "-0"), ("-7", "-7.000"), ('"a"', '"\\u0061"')]
OTHER = [
    ("1", '"1"'),
    ("1", "2"),
    ("1", "1.5"),
    ("1", "true"),
    ("0", "null"),
    ('""', "null"),
    ("9007199254740992", "9007199254740993"),
    ("10000000000000000000000000000000000000001", "10000000000000000000000000000000000000002"),
    ("0.1", "0.10000000000000000001"),
    ('"A"', '"a"'),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_spellings_of_one_id(one, two):
    """Two spellings of one value are one id, and each is shown as it was written."""
    assert JsonId(one) == JsonId(two)
    assert hash(JsonId(one)) == hash(JsonId(two))
    assert (str(JsonId(one)), str(JsonId(two))) == (one, two)


@pytest.mark.parametrize(("one", "two"), OTHER)
def test_different_ids(one, two):
    """Type and every digit count; no double blurs a long number."""
    assert JsonId(one) != JsonId(two)


@pytest.mark.parametrize("text", ["0", "-3", "1.0", "1e3", '""', '"x"', "9" * 40, "9" * 5000, "1e999"])
def test_legal(text):
    """Strings and integral numbers of any size are legal."""
    assert JsonId(text).legal


@pytest.mark.parametrize("text", ["null", "true", "false", "[]", "{}", "1.5", "1e-3", "[1]"])
def test_illegal(text):
    """Anything else is no id."""
    assert not JsonId(text).legal


@pytest.mark.parametrize("text", ["1e999999999", "-1e999999999", "1e-999999999", "9" * 100_000, '"\\ud800"'])
def test_extremes_cost_nothing(text):
    """Exponents and lengths that would blow up are compared by their spelling."""
    assert JsonId(text) == JsonId(text)
    assert JsonId(text) != JsonId("1")


@given(st.integers())
def test_integers(number):
    """An integer is itself, whatever its size, and never the string of its digits."""
    assert JsonId(str(number)) == JsonId(f"{number}.0")
    assert JsonId(str(number)) != JsonId(f'"{number}"')
    assert JsonId(str(number)).as_text == JsonId(f'"{number}"').as_text


@given(st.text())
def test_strings(text):
    """A string is the same in every escape."""
    assert JsonId(json.dumps(text)) == JsonId(json.dumps(text, ensure_ascii=False))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_fractions(value):
    """A number is legal exactly where it has no fraction."""
    assert JsonId(str(value)).legal is (value == value.to_integral_value())
    assert isinstance(JsonId(str(value)).key, (int, Decimal))
