"""What a recorder leaves behind."""

import json
import os
from typing import Any


def left_behind(path: str, reports: int) -> tuple[list[dict[str, Any]], str]:
    """The records in its capture, none where it made no file; and all that it reported on a pipe that is closed."""
    with open(reports, closefd=False) as pipe:
        said = pipe.read()
    if not os.path.exists(path):
        return [], said
    with open(path) as file:
        return [json.loads(line) for line in file], said
