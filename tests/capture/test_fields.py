"""The writer's field table and the reader's Structs are one format."""

from typing import get_args

import msgspec
import pytest

from mcpsniff.capture.fields import FIELDS, PAYLOADS
from mcpsniff.capture.records import AnyRecord

COMMON = {"seq", "t", "t0"}
STRUCTS = {struct.__struct_config__.tag: struct for struct in get_args(AnyRecord)}


def test_every_record_type_has_a_struct():
    """No type is written that cannot be read, and none is read that is never written."""
    assert STRUCTS.keys() == FIELDS.keys()


@pytest.mark.parametrize("kind", FIELDS)
def test_the_struct_of_a_type_has_its_fields(kind):
    """Field by field; what the reader adds by itself carries a name in brackets that no capture has."""
    names = [field.encode_name for field in msgspec.structs.fields(STRUCTS[kind])]
    assert {name for name in names if not name.startswith("(")} - COMMON == set(FIELDS[kind])
    assert len(set(FIELDS[kind])) == len(FIELDS[kind])


@pytest.mark.parametrize("kind", FIELDS)
def test_payloads_stand_last(kind):
    """A reader can cut the payload out of the line without parsing it."""
    names = FIELDS[kind]
    payloads = [name for name in names if name in PAYLOADS]
    assert list(names[len(names) - len(payloads) :]) == payloads
