"""What makes a fault the same one in the next capture.

Rule, side, program and what tells the fault from others of the rule; never a record, a time, a number or a version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .findings import Finding

LENGTH = 16  # hexadecimal digits
_NUMBERS = re.compile(r"[0-9a-fA-F-]*[0-9][0-9a-fA-F-]*")  # indices, sizes, UUIDs


def fingerprint(finding: Finding, programs: Mapping[str, Any]) -> str:
    """Gives the fingerprint of a finding between `programs`: client and server as they name themselves."""
    program = (programs.get(finding.violator) or {}).get("name") or ""
    parts = (finding.rule, finding.violator, str(program), _steady(finding.fault), _steady(finding.where or ""))
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:LENGTH]


def _steady(text: str) -> str:
    return _NUMBERS.sub("*", text)
